"""Sort the files handed in, in folders and zips, by person, lab, and age."""

import os
import re
import stat
import tempfile
import unicodedata
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import cmp_to_key
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

JUNK = {"__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini", ".git"}
LARGEST = 200 * 2**20  # bytes of a file, and of all files in a zip
DEEPEST = 20  # folders in folders
MOST_ROWS = 20  # of a person, for files that are not graded
NOT_COPIED = (".py", ".pyc", ".so", ".pyd", ".zip")  # Python would import them

Row = dict[str, Any]


class Who(NamedTuple):
    """The owner of a folder or file, read from its name."""

    label: str
    name: str
    id: str = ""  # a platform's number for the person
    number: int = 0  # Canvas's number for the submission: the higher, the newer
    rest: str = ""  # the file's own name
    own_id: str = ""  # a number that the teacher gave, not a platform


class Found(NamedTuple):
    """A file that somebody handed in, and the reason if it cannot be graded."""

    who: Who
    path: Path
    name: str  # below the folder of submissions
    own: str  # what its owner called it, below the folder where it was found
    problem: str = ""


class Job(NamedTuple):
    """A notebook to be graded, and the files that its owner put beside it, by their own names."""

    path: Path
    beside: dict[str, Path]


MOODLE = r"(?P<label>(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext))_?(?P<rest>.*)"
CANVAS = r"(?P<label>(?P<name>[^_]+)(?:_LATE)?_(?P<id>\d+)_(?P<number>\d+))_(?P<rest>.+)"
SHORT = r"(?P<label>(?P<name>[^_]+)(?:_LATE)?_(?P<id>\d+))(?:_(?P<rest>.*))?"


def tell_owner(text: str, loose: bool) -> Who:
    """Return the owner of a folder, or of a `loose` file, by its name.

    >>> tell_owner("bob_78_1236_mytext-1.txt", True)
    Who(label='bob_78_1236', name='bob', id='78', number=1236, rest='mytext.txt', own_id='')
    """
    for pattern in (CANVAS, MOODLE, SHORT) if loose else (MOODLE, CANVAS, SHORT):
        found = re.fullmatch(pattern, text, re.S)
        if found:
            parts = found.groupdict()
            rest = parts["rest"] or ""
            if pattern == CANVAS:  # which numbers what is handed in again
                rest = re.sub(r"-\d+(\.\w+)$", r"\1", rest)
            label = parts["label"] if loose else text
            own = parts["id"] if pattern == SHORT and parts["rest"] is None else ""
            return Who(label, parts["name"], parts["id"], int(parts.get("number") or 0), rest, own)
    if not loose:
        return Who(text, text)
    name = re.match(r"(.*?)[_ -]*(lab[_ -]*\d|project|$)", text, re.I | re.S)
    label = (name[1] if name else "") or text
    return Who(label, label)


def find(folder: Path, unpacked: Path) -> list[Found]:
    """Return all files that were handed in; zips are opened in `unpacked`."""
    found = []
    for entry in sorted(folder.iterdir()):
        if entry.name in JUNK or entry.name.startswith("._"):
            continue
        is_folder = entry.is_dir() and not entry.is_symlink()
        who = tell_owner(entry.stem if _is_zip(entry) else entry.name, loose=not is_folder)
        try:
            new = list(_look(who, entry, entry.name, who.rest or entry.name, unpacked))
        except Exception as error:  # no file may keep the others from being graded
            new = [Found(who, entry, entry.name, "", f"it cannot be read ({_tell(error)})")]
        empty = [Found(who, entry, entry.name, "", "the folder is empty")] if is_folder else []
        found += new or empty
    return found


def find_parent(folder: Path) -> str:
    """Return the name of an entry that is itself a folder of students, or "".

    Among many entries, it is more likely a student's.
    """
    entries = sorted(path for path in folder.iterdir() if path.name[0] != ".")
    for entry in entries[: 0 if len(entries) > 5 else None]:
        if entry.is_dir() and not entry.is_symlink() and not any(entry.glob("*.ipynb")):
            names = [p.name for p in entry.glob("*/*.ipynb")]
            if any(names.count(name) > 2 for name in names):
                return entry.name
    return ""


def _is_zip(path: Path) -> bool:
    return path.suffix.lower() == ".zip"


def _tell(error: Exception) -> str:
    return (f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)[:200]


def _walk(who: Who, folder: Path, name: str, own: str, unpacked: Path) -> Iterator[Found]:
    if own.count("/") > DEEPEST:
        yield Found(
            who, folder, name[:200], own, f"there are more than {DEEPEST} folders in folders"
        )
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        yield Found(who, folder, name, own, f"it cannot be opened ({error.strerror})")
        return
    for entry in entries:
        if entry.name not in JUNK and not entry.name.startswith("._"):
            below = f"{own}/{entry.name}" if own else entry.name
            yield from _look(who, entry, f"{name}/{entry.name}", below, unpacked)


def _look(who: Who, entry: Path, name: str, own: str, unpacked: Path) -> Iterator[Found]:
    mode = entry.lstat().st_mode
    top = "/" not in name
    if stat.S_ISLNK(mode):
        yield Found(who, entry, name, own, "it is a link")
    elif stat.S_ISDIR(mode):
        if entry.suffix.lower() == ".ipynb":
            yield Found(who, entry, name, own, "it is a folder, not a notebook")
        yield from _walk(who, entry, name, "" if top else own, unpacked)
    elif not stat.S_ISREG(mode):
        yield Found(who, entry, name, own, "it is not a regular file")
    elif not os.access(entry, os.R_OK):
        yield Found(who, entry, name, own, "it cannot be read")
    elif entry.stat().st_size > LARGEST:
        yield Found(who, entry, name, own, f"it is larger than {LARGEST >> 20} MB")
    elif _is_zip(entry):
        inside = Path(tempfile.mkdtemp(dir=unpacked))
        try:
            _unpack(entry, inside)
        except Exception as error:  # a zip can be wrong in many ways
            yield Found(who, entry, name, own, f"it cannot be unpacked ({_tell(error)})")
        else:
            found = list(_walk(who, inside, name, "", unpacked))
            yield from found or [Found(who, entry, name, own, "the zip is empty")]
    else:
        yield Found(who, entry, name, own)


def _unpack(packed: Path, folder: Path) -> None:
    """Unpack a zip into `folder`: zipfile itself drops `..`, and makes no links."""
    with zipfile.ZipFile(packed) as archive:
        members = [m for m in archive.infolist() if not JUNK & set(Path(m.filename).parts)]
        if sum(member.file_size for member in members) > LARGEST or len(members) > 5_000:
            raise ValueError(f"more than {LARGEST >> 20} MB, or than 5,000 files")
        for member in members:
            if member.filename.lower().endswith(".zip"):
                raise ValueError("a zip in a zip")
            if member.filename.count("/") > DEEPEST:
                raise ValueError(f"more than {DEEPEST} folders in folders")
            path = archive.extract(member, folder)
            when = packed.stat().st_mtime
            with suppress(ValueError, OverflowError):  # a zip need not have a date
                when = datetime(*member.date_time, tzinfo=UTC).timestamp()
            os.utime(path, (when, when))


def by_person(found: list[Found]) -> list[list[Found]]:
    """Return the files of each person: the name is the same, and no two numbers contradict."""
    ids: dict[str, set[str]] = {}
    for file in found:
        ids.setdefault(plain(file.who.name), set()).update({file.who.id} - {""})
    people: dict[tuple[str, ...], list[Found]] = {}
    for file in found:
        name = plain(file.who.name)
        key = (name, file.who.id) if len(ids[name]) > 1 else (name,)
        people.setdefault(key, []).append(file)
    return list(people.values())


def plain(text: str) -> str:
    """Return a name so that spellings of it can be compared."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def which_lab(data: bytes, name: str, labs: dict[str, set[bytes]]) -> str | None:
    """Return the lab of a file, by its cells or else by its name."""
    cells = set(re.findall(rb'"grade_id"\s*:\s*"(\w+)"', data))
    best = max(labs, key=lambda lab: len(cells & labs[lab]))
    if len(cells & labs[best]) > 2:
        return best
    letters = re.sub(r"[^a-z0-9]", "", name.lower())
    named = [lab for lab in labs if re.sub(r"\W|_", "", lab) in letters]
    named = named or [lab for lab in labs if lab != "project" and lab.split("_")[0] in letters]
    return max(named, key=len, default=None)


def sort_out(found: list[Found], labs: dict[str, set[bytes]]) -> Iterator[tuple[Row, Job | None]]:
    """Yield a row for each file of a person, and the job if it is to be graded."""
    notebooks: dict[str, list[Found]] = {}
    others: list[tuple[Found, Row]] = []
    for file in found:
        row = {"student": file.who.label, "file": file.name, "lab": None, "sha256": ""}
        try:
            data = b"" if file.problem else file.path.read_bytes()
        except OSError as error:
            file, data = file._replace(problem=f"it cannot be read ({error.strerror})"), b""
        looks = file.own.rsplit("/")[-1].lower() if file.own else file.path.name.lower()
        row["lab"] = which_lab(data, looks, labs)
        row["sha256"] = sha256(data).hexdigest()[:12]
        if file.problem:
            yield row | {"points": 0, "note": f"not graded: {file.problem}"}, None
        elif row["lab"] and (".ipynb" in looks or b'"cells"' in data):
            notebooks.setdefault(row["lab"], []).append(file)
        else:
            others.append((file, row))
    every = [file for files in notebooks.values() for file in files]
    shown = 0
    for file, row in others:
        if not row["lab"] and any(_is_beside(file, notebook) for notebook in every):
            continue  # such as the text of the project: it is graded with its notebook
        kind = "it is not a notebook" if row["lab"] else "neither name nor cells belong to a lab"
        shown += 1
        if shown <= MOST_ROWS:
            yield row | {"points": 0, "note": f"not graded: {kind}"}, None
    if shown > MOST_ROWS:
        told = f"not graded: {shown - MOST_ROWS:,} more files that are not notebooks of a lab"
        yield row | {"lab": None, "points": 0, "note": told}, None
    for lab, files in sorted(notebooks.items()):
        files.sort(key=cmp_to_key(_compare_age))
        newest = files[-1]
        for file in files[-MOST_ROWS:]:
            row = {"student": file.who.label, "lab": lab, "file": file.name}
            row["sha256"] = sha256(file.path.read_bytes()).hexdigest()[:12]
            if file is newest:
                row["note"] = f"of {len(files)} notebooks, the newest" if len(files) > 1 else ""
                beside = {_below(file, o.own): o.path for o, _ in others if _is_read(o, file)}
                yield row, Job(file.path, beside)
            else:
                yield row | {"note": f"not graded: {newest.name} is newer"}, None


def _is_beside(file: Found, notebook: Found) -> bool:
    """Return whether a file of the same owner is beside a notebook, or in a folder beside it."""
    if "/" not in notebook.name:  # loose, as Canvas has them: all lie in one folder
        return "/" not in file.name
    return file.path.is_relative_to(notebook.path.parent)


def _is_read(file: Found, notebook: Found) -> bool:
    """Return whether a notebook may read a file, and so needs a copy of it."""
    name = file.own.lower()
    return _is_beside(file, notebook) and not name.endswith(NOT_COPIED) and ".ipynb" not in name


def _below(notebook: Found, own: str) -> str:
    folder = notebook.own.rpartition("/")[0]
    return own.removeprefix(f"{folder}/") if folder else own


def _compare_age(one: Found, other: Found) -> float:
    """Return a negative number if `one` is older: by Canvas's number, or else by its date."""
    if one.who.number and other.who.number and one.who.number != other.who.number:
        return one.who.number - other.who.number
    first, second = map(_age, (one, other))
    return (first > second) - (first < second)


def _age(file: Found) -> tuple[float, int, str]:
    copy = re.findall(r"\((\d+)\)|-(\d+)\.ipynb$", file.name)  # lab1_words (1).ipynb, …-1.ipynb
    return file.path.stat().st_mtime, int("".join(copy[-1])) if copy else 0, file.name
