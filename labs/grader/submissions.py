"""Sort the files handed in, in folders and zips, by person, lab, and age."""

import os
import re
import tempfile
import time
import tomllib
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from errno import ENOSPC
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from .notebooks import Cell, read_cells

PLATFORMS = tomllib.loads(Path(__file__).with_name("platforms.toml").read_text("utf-8"))
NAMES = PLATFORMS["files"]
LARGEST = 50 * 2**20  # bytes of a file, and of all files in a zip
MOST_UNPACKED = 4 * LARGEST  # bytes of all zips of a person
DEEPEST = 20  # folders in folders, and zips in zips
MOST_ROWS = 20  # of a person, for files that are not graded

Row = dict[str, Any]


class Who(NamedTuple):
    """The owner of a folder or file, read from its name."""

    label: str
    name: str
    id: str = ""  # a platform's number for the person, or how an imitation begins
    number: int = 0  # Canvas's number for the submission: the higher, the newer
    rest: str = ""  # the file's own name


class Found(NamedTuple):
    """A file that somebody handed in, and the reason if it cannot be graded."""

    who: Who
    path: Path
    name: str  # below the folder of submissions
    own: str  # what its owner called it, below the folder where it was found
    problem: str = ""


class Job(NamedTuple):
    """The cells of a notebook, and the files that its owner put beside it, by their own names."""

    cells: list[Cell]
    beside: dict[str, Path]


def tell_owner(text: str, loose: bool) -> Who:
    """Return the owner of a folder, or of a `loose` file, by its name.

    >>> tell_owner("bob_78_1236_mytext-1.txt", True)
    Who(label='bob_78_1236', name='bob', id='78', number=1236, rest='mytext-1.txt')
    """
    person = NAMES["person"]
    if (numbers := len(re.findall(NAMES["numbers"], text, re.S))) > 1:  # zips share a quota
        return Who(text, text, re.sub(f"{person})_.*", r"\1_", text, flags=re.S))
    patterns = person + NAMES["canvas"], NAMES["moodle"], person + NAMES["typed"]
    for pattern in patterns if loose else patterns[1:2]:
        if found := re.fullmatch(pattern, text, re.S):
            label, number = found["label"] if loose else text, found.groupdict().get("number", 0)
            return Who(label, found["name"], found["id"], int(number), found["rest"])
    if loose and not numbers:
        text = re.split(NAMES["lab"], text, maxsplit=1)[0] or text
    return Who(text, text)


def find(folder: Path, unpacked: Path) -> list[Found]:
    """Return all files that were handed in; zips are opened in `unpacked`."""
    found, used = list[Found](), Counter[str]()
    for entry in _entries(folder):
        loose = entry.is_symlink() or not entry.is_dir()
        who = tell_owner(re.sub(r"(?i)\.zip\Z", "", entry.name) if loose else entry.name, loose)
        top = Found(who, entry, entry.name, (who.rest or entry.name) if loose else "")
        found += [*_look(top, unpacked, used)] or [top._replace(problem="there is nothing in it")]
    return found


def find_parent(found: list[Found]) -> str:
    """Return the name of an entry that is itself a folder of students, or "".

    A student may have such a folder, too, so all that is handed in must be one, and no platform
    must have named it after a student.
    """
    paths = [file.name.split("/") for file in found if ".csv" not in file.name]
    for entry in (entries := dict.fromkeys(path[0] for path in paths)):
        below = [path[1:] for path in paths if path[0] == entry]
        work = [path[0] for path in below if re.search(r"\.(ipynb|zip)\b", "/".join(path))]
        ids = {tell_owner(name, True).id for name in work} - {""}
        same = Counter(path[1] for path in below if len(path) == 2 and ".ipynb" in path[1])
        one = any(len(path) == 1 and ".ipynb" in path[0] for path in below)
        if "_assignsub" in entry or (len(ids) < 3 and (one or max(same.values(), default=0) < 3)):
            return ""
    return next(iter(entries), "")


def _entries(folder: Path) -> list[Path]:
    """Return what is in a folder, except what macOS and Jupyter leave there."""
    return sorted(p for p in folder.iterdir() if p.name not in NAMES["junk"] and p.name[:2] != "._")


def _look(file: Found, unpacked: Path, used: Counter[str]) -> Iterator[Found]:
    """Yield a file, or what is in a folder or a zip; no file may keep the others from it."""
    try:
        entries = _open(file, unpacked, used)
    except Exception as error:  # a zip can be wrong in many ways
        if getattr(error, "errno", None) == ENOSPC:
            raise
        # Of another error, only the kind: its text may quote a name that the student chose.
        ours = type(error) is ValueError
        told = str(error) if ours else f"it cannot be opened ({type(error).__name__})"
        yield file._replace(problem=told)
        return
    if entries is None:
        yield file
    above = f"{file.own}/" if file.own and file.path.is_dir() else ""
    for entry in entries or ():
        inside = Found(file.who, entry, f"{file.name}/{entry.name}", above + entry.name)
        yield from _look(inside, unpacked, used)


def _open(file: Found, unpacked: Path, used: Counter[str]) -> list[Path] | None:
    """Return what is in a folder, or in a zip, or None for another file.

    Raise ValueError if it cannot be graded. `used` counts what is unpacked for each person.
    """
    path, mb, owner = file.path, 2**20, f"{file.who.id}_" if file.who.id else file.who.name
    if path.is_symlink():
        raise ValueError("it is a link")
    if file.name.count("/") > DEEPEST:
        raise ValueError(f"there are more than {DEEPEST} folders in folders")
    if path.is_dir():
        return _entries(path)
    if not path.is_file():
        raise ValueError("it is not a regular file")
    if path.stat().st_size > LARGEST:
        raise ValueError(f"it is larger than {LARGEST // mb} MB")
    if path.suffix.lower() != ".zip":
        path.open().close()
        return None
    if used[owner] > MOST_UNPACKED:
        raise ValueError(f"all zips of one person have more than {MOST_UNPACKED // mb} MB")
    used[owner] += path.stat().st_size  # to read the list of files takes time, too
    folder, junk = Path(tempfile.mkdtemp(dir=unpacked)), {*NAMES["junk"]}
    with zipfile.ZipFile(path) as archive:  # which drops `..`, and makes no links
        members = [m for m in archive.infolist() if junk.isdisjoint(Path(m.filename).parts)]
        packed = sum(m.compress_size for m in members)  # more than there is, if they overlap
        # Stored is 0, and deflated 8.
        if packed > path.stat().st_size or {m.compress_type for m in members} - {0, 8}:
            raise ValueError("the zip is compressed in an unusual way")  # some open without a bound
        # Folders take room, too, and hundreds of them in one another cannot be removed.
        size = sum(m.file_size + 1_024 * (1 + m.filename.count("/") ** 2) for m in members)
        if size > LARGEST or not 0 < len(members) <= 5_000:
            raise ValueError(f"the zip has over {LARGEST // mb} MB, over 5,000 files, or none")
        used[owner] += size
        for member in members:
            with suppress(UnicodeError):  # macOS and Linux write UTF-8 without saying so
                member.filename = member.filename.encode("cp437").decode()
            parts = member.filename.split("/")  # on Windows, they may be longer than 255 bytes
            member.filename = "/".join(p if len(p.encode()) < 256 else p[-60:] for p in parts)
            when = time.mktime((*member.date_time, 0, 0, -1))
            os.utime(archive.extract(member, folder), (when, when))
    return _entries(folder)


def by_person(found: list[Found]) -> list[list[Found]]:
    """Return the files of each person: the name and a platform's number are the same, or none."""
    people: dict[tuple[str, str], list[Found]] = {}
    for file in found:
        people.setdefault((plain(file.who.name), file.who.id), []).append(file)
    return list(people.values())


def plain(text: str) -> str:
    """Return a name so that spellings of it can be compared."""
    return " ".join(unicodedata.normalize("NFC", text).lower().split())


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
    notebooks: dict[str, list[tuple[Any, Found, Row]]] = {}
    others, strange = list[tuple[Found, Row]](), list[Row]()  # the strange, with the reason
    for file in found:
        data = b"" if file.problem else file.path.read_bytes()
        looks = (file.own or file.path.name).rsplit("/")[-1].lower()
        lab = which_lab(data, looks, labs)
        row = {"student": file.who.label, "file": file.name, "lab": lab}
        row["sha256"] = sha256(data).hexdigest()[:12]
        if file.problem:
            strange.append(row | {"note": f"not graded: {file.problem}"})
        elif lab and (".ipynb" in looks or (b'"cells"' in data and re.match(rb"[^{\w]*{", data))):
            try:
                read_cells(data)
            except ValueError as error:
                row["note"] = f"not graded: {error}: ask for it again"
            rank = "note" not in row, which_lab(data, "", labs) == lab, *_age(file)
            notebooks.setdefault(lab, []).append((rank, file, row))
        else:
            others.append((file, row))
    every = [file for files in notebooks.values() for _, file, _ in files]
    near = {file.name for file in _beside([file for file, _ in others], every)}
    for file, row in others:
        if row["lab"] or file.name not in near or re.search(NAMES["work"], file.name):
            strange.append(row | {"note": "not graded: it is not a notebook of a lab"})
    for row in strange[:MOST_ROWS]:
        yield row | {"points": 0}, None
    if more := len(strange[MOST_ROWS:]):
        told = f"not graded: {more:,} more files that are not notebooks of a lab"
        yield strange[-1] | {"lab": None, "points": 0, "note": told}, None
    for lab, files in sorted(notebooks.items()):
        *older, (_, newest, row) = sorted(files)
        for _, _, old in older[1 - MOST_ROWS :]:
            yield {"note": "not graded: another one counts"} | old, None
        if "note" in row:
            yield row | {"points": 0}, None
            continue
        # Only the project needs files, and only there may a library do the work.
        mine = _beside([f for f, _ in others if lab == "project"], [newest])
        # Of one name, the file that was handed in with the notebook, or else the newest
        mine.sort(key=lambda f, n=newest.who.number: (-abs(f.who.number - n), *_age(f)))
        own = {f.own.removeprefix(newest.own.rpartition("/")[0] + "/"): f for f in mine}
        top = [f for f in mine if f.who.number and "/" not in f.name]
        again = {re.sub(NAMES["again"], "", f.own): f for f in top}
        # Without a new copy of the notebook, no file is new: corpus-2.txt is only called so.
        names = own | again if re.search(NAMES["again"], newest.own) else again | own
        beside, left = {}, MOST_UNPACKED
        for name in sorted(names, key=lambda name: name.count("/")):  # first what is nearest
            left -= names[name].path.stat().st_size
            if left > 0 and len(beside) < 1_000 and _is_copied(names[name].own):
                beside[name] = names[name].path
        notes = [f"of {len(files)} notebooks, the newest"] if len(files) > 1 else []
        if missing := len(names) - len(beside):
            notes.append(f"files beside it left out (oddly named, or too many): {missing}")
        yield row | {"note": "; ".join(notes)}, Job(read_cells(newest.path.read_bytes()), beside)


def _is_copied(own: str) -> bool:
    """Return whether a sandbox may have a file of this name, and a path that is a bit longer."""
    return own.encode(errors="ignore").decode() == own and len(own) <= 500 and bool(own.strip("."))


def _beside(files: list[Found], notebooks: list[Found]) -> list[Found]:
    """Return the files beside notebooks of the same owner, or in folders beside them."""
    loose = any("/" not in one.name for one in notebooks)  # as on Canvas: all lie in one folder
    folders = {one.path.parent for one in notebooks if "/" in one.name}
    return [f for f in files if (loose and "/" not in f.name) or folders & {*f.path.parents}]


def _age(file: Found) -> tuple[int, float, str]:
    """Return what is larger if a file is newer: Canvas's number, or else its date."""
    return file.who.number, file.path.stat().st_mtime, file.name
