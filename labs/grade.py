"""Grades a folder of submissions with nbgrader: one command, no network, a row for every file.

    python labs/grade.py SUBMISSIONS                     prints the points
    python labs/grade.py SUBMISSIONS --csv grades.csv    writes them, too, and goes on where it was
    python labs/grade.py SUBMISSIONS --feedback FOLDER   and a page for each notebook
    python labs/grade.py SUBMISSIONS --csv grades.csv --roster students.csv
                                                         and what Moodle and Canvas import
    python labs/grade.py SUBMISSIONS --course FOLDER     by the version for one class

SUBMISSIONS holds a folder for each student, or a zip, and somewhere in it the notebooks. Each
submission is graded in a process of its own, on a copy. On Linux with bubblewrap it can write
nowhere else and has no network; elsewhere this runs the code of the students as you would.
"""

import argparse
import csv
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unicodedata
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from grade_one import STUDENT, start_course
from versions import LABS, NAMES, Run, cells, read, settle, write

COLUMNS = ["student", "lab", "points", "of", "by hand", "failed", "note", "file", "sha256"]
JUNK = {"__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini", ".git"}
LARGEST = 200 * 2**20  # bytes of a file, and of all that is in a zip
MINUTES = 60  # of a submission, by the clock

Row = dict[str, Any]


class Found(NamedTuple):
    """A file that somebody handed in, and why it cannot be graded, if so."""

    student: str
    path: Path
    name: str  # below the folder of submissions
    problem: str = ""


def find(folder: Path, unpacked: Path) -> Iterator[list[Found]]:
    """Yield for each student all files, those in a zip included, which is opened in `unpacked`."""
    loose: dict[str, list[Found]] = {}
    for entry in sorted(folder.iterdir()):
        if entry.name in JUNK or entry.name.startswith("._"):
            continue
        if entry.is_dir() and not entry.is_symlink():
            found = list(_walk(entry.name, entry, entry.name, unpacked))
            yield found or [Found(entry.name, entry, entry.name, "the folder is empty")]
        elif entry.suffix.lower() == ".zip":
            yield list(_look(entry.stem, entry, entry.name, unpacked))
        else:  # as a platform may name it: ana_12345_assignsubmission_file_lab1_words.ipynb
            student = re.match(r"(.*?)[_ -]*(lab[_ -]*\d|project|$)", entry.name, re.I)[1]
            loose.setdefault(student, []).extend(_look(student, entry, entry.name, unpacked))
    yield from loose.values()


def _walk(student: str, folder: Path, name: str, unpacked: Path) -> Iterator[Found]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        yield Found(student, folder, name, f"it cannot be opened ({error.strerror})")
        return
    for entry in entries:
        if entry.name not in JUNK and not entry.name.startswith("._"):
            yield from _look(student, entry, f"{name}/{entry.name}", unpacked)


def _look(student: str, entry: Path, name: str, unpacked: Path) -> Iterator[Found]:
    mode = entry.lstat().st_mode
    if stat.S_ISLNK(mode):
        yield Found(student, entry, name, "it is a link")
    elif stat.S_ISDIR(mode):
        if entry.suffix.lower() == ".ipynb":
            yield Found(student, entry, name, "it is a folder, and no notebook")
        yield from _walk(student, entry, name, unpacked)
    elif not stat.S_ISREG(mode):
        yield Found(student, entry, name, "it is no file")
    elif not os.access(entry, os.R_OK):
        yield Found(student, entry, name, "it cannot be read")
    elif entry.stat().st_size > LARGEST:
        yield Found(student, entry, name, f"it is larger than {LARGEST >> 20} MB")
    elif entry.suffix.lower() == ".zip":
        inside = Path(tempfile.mkdtemp(dir=unpacked))
        try:
            _unpack(entry, inside)
        except Exception as error:  # a zip can be wrong in many ways
            yield Found(student, entry, name, f"it cannot be unpacked ({error})")
        else:
            yield from _walk(student, inside, name, unpacked)
    else:
        yield Found(student, entry, name)


def _unpack(packed: Path, folder: Path) -> None:
    """Unpack a zip into `folder`: zipfile itself leaves out `..`, and makes no links."""
    with zipfile.ZipFile(packed) as archive:
        members = [m for m in archive.infolist() if not JUNK & set(Path(m.filename).parts)]
        if sum(member.file_size for member in members) > LARGEST or len(members) > 5_000:
            raise ValueError(f"more than {LARGEST >> 20} MB, or than 5,000 files")
        for member in members:
            if member.filename.lower().endswith(".zip"):
                raise ValueError("a zip in a zip")
            path = archive.extract(member, folder)
            with suppress(ValueError):  # a zip need not have a date
                when = datetime(*member.date_time, tzinfo=UTC).timestamp()
                os.utime(path, (when, when))


def which_lab(data: bytes, name: str, labs: dict[str, set[bytes]]) -> str | None:
    """Return which lab a file is, by the cells that it has, or else by its name."""
    cells = set(re.findall(rb'"grade_id"\s*:\s*"(\w+)"', data))
    best = max(labs, key=lambda lab: len(cells & labs[lab]))
    if len(cells & labs[best]) > 2:
        return best
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    named = [lab for lab in labs if re.sub(r"\W|_", "", lab) in plain]
    named = named or [lab for lab in labs if lab != "project" and lab.split("_")[0] in plain]
    return max(named, key=len, default=None)


def sort_out(found: list[Found], labs: dict[str, set[bytes]]) -> Iterator[tuple[Row, Path | None]]:
    """Yield a row for each file of a student, and the path if it is to be graded."""
    notebooks: dict[str, list[Found]] = {}
    others = []
    for file in found:
        data = b"" if file.problem else file.path.read_bytes()
        looks = file.path.name.lower()
        lab = which_lab(data, looks, labs)
        row = {"student": file.student, "lab": lab, "file": file.name}
        row["sha256"] = sha256(data).hexdigest()[:12]
        if file.problem:
            yield row | {"points": 0, "note": f"not graded: {file.problem}"}, None
        elif lab and (".ipynb" in looks or b'"cells"' in data):
            notebooks.setdefault(lab, []).append(file)
        else:
            others.append((file, row))
    beside = {file.path.parent for files in notebooks.values() for file in files}
    for file, row in others:
        if not row["lab"] and beside & set(file.path.parents) and ".ipynb" not in file.name.lower():
            continue  # such as the text of the project: it is graded with its notebook
        kind = "it is no notebook" if row["lab"] else "it is named after no lab, nor has its cells"
        yield row | {"points": 0, "note": f"not graded: {kind}"}, None
    for lab, files in sorted(notebooks.items()):
        files.sort(key=_age)
        for file in files:
            data = file.path.read_bytes()
            row = {"student": file.student, "lab": lab, "file": file.name}
            row["sha256"] = sha256(data).hexdigest()[:12]
            if file is files[-1]:
                row["note"] = f"of {len(files)} notebooks, the newest" if len(files) > 1 else ""
                yield row, file.path
            else:
                yield row | {"note": f"not graded: {files[-1].path.name} is newer"}, None


def _age(file: Found) -> tuple[float, int, str]:
    copy = re.findall(r"\((\d+)\)", file.path.name)  # lab1_words (1).ipynb
    return file.path.stat().st_mtime, int(copy[-1]) if copy else 0, file.name


def grade(notebook: Path, lab: str, course: Path, hidden: list[Path], page: Path | None) -> Row:
    """Return what one notebook gets, graded on a copy, in a process of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        job = Path(temporary)
        shutil.copytree(course, job, dirs_exist_ok=True)
        place = job / "submitted" / STUDENT / lab
        place.mkdir(parents=True)
        for path in notebook.parent.iterdir():  # such as the text of the project
            if path.is_file() and not path.is_symlink() and not _is_other(path):
                shutil.copy(path, place)
        shutil.copy(notebook, job / "incoming")
        startup = job / "ipython" / "profile_default" / "startup"
        startup.mkdir(parents=True)
        shutil.copy(LABS / "limits.py", startup)
        (job / "tmp").mkdir()
        homes = {"HOME": job, "IPYTHONDIR": job / "ipython", "TMPDIR": job / "tmp"}
        homes |= {"JUPYTER_RUNTIME_DIR": job / "tmp", "WPEDU_CELL": job / "cell"}
        homes |= {"WPEDU_SECONDS": os.environ.get("WPEDU_SECONDS", "60")}
        paths = [str(LABS.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        homes |= {"PYTHONPATH": os.pathsep.join(paths)}  # the tests use this wpedu, and no other
        command = [*shut_in(job, hidden), sys.executable, LABS / "grade_one.py", job, lab]
        process = subprocess.Popen(
            [str(part) for part in command],
            env=os.environ | {key: str(value) for key, value in homes.items()},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            _, errors = process.communicate(timeout=60 * MINUTES)
            last = (errors.decode(errors="replace").strip().splitlines() or ["?"])[-1]
            problem = f"the grading process ended with {process.returncode} ({last[:200]})"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9) if hasattr(os, "killpg") else process.kill()
            process.wait()
            problem = f"timed out after {MINUTES} minutes by the clock"
        if not (job / "result.json").exists():
            return {"points": 0, "notes": [f"not graded: {problem}"]}
        made = job / "feedback" / STUDENT / lab / f"{lab}.html"
        if page and made.exists():
            page.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(made, page)
        return dict(json.loads((job / "result.json").read_text(encoding="utf-8")))


def _is_other(path: Path) -> bool:
    """Whether a file beside a notebook is nothing that the notebook reads."""
    looks = path.name.lower()
    return ".ipynb" in looks or looks.endswith((".py", ".zip")) or path.stat().st_size > LARGEST


def shut_in(job: Path, hidden: list[Path]) -> list[Any]:
    """Return the start of a command line by which a program can write below `job` only.

    It has no network, and does not see the folders that are `hidden`. Empty without bubblewrap.
    """
    bubblewrap = shutil.which("bwrap")
    if not bubblewrap:
        return []
    command = [bubblewrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    command += [part for folder in hidden for part in ("--tmpfs", folder)]
    command += ["--bind", job, job, "--unshare-all", "--die-with-parent", "--new-session"]
    tried = subprocess.run([*map(str, command), "true"], capture_output=True)
    return command if tried.returncode == 0 else []


def start_labs(folder: Path, course: Path | None, names: set[str]) -> None:
    """Make a course of nbgrader in `folder` with these labs, as everybody has them or a class."""
    for name in sorted(names):
        if course:
            shutil.copytree(course / "source" / name, folder / "source" / name)
        else:
            write(settle(Run(read(name)), strict=True), folder / "source" / name / f"{name}.ipynb")
    start_course(folder, sorted(names))


def show(text: Any) -> str:
    """Return `text` so that it can be written: a name of a file need not be UTF-8."""
    return os.fsencode(str(text)).decode("utf-8", "backslashreplace")


class Table:
    """The rows in a CSV file, each written as soon as it is there."""

    def __init__(self, path: Path | None):
        self.path, self.rows = path, []
        if path and path.exists():
            with path.open(encoding="utf-8-sig", newline="") as file:
                rows = list(csv.DictReader(file))
            if rows and list(rows[0]) != COLUMNS:
                raise ValueError(f"{path} has other columns than this would write: move it away")
            # The last may have been cut short. Which notebook is the newest may have changed.
            whole = [row for row in rows if None not in row.values()]
            self.rows = [row for row in whole if not row["note"].endswith(" is newer")]

    def keep(self, wanted: set[tuple[str, str]]) -> None:
        """Forget the rows of all but these files, of these contents, and begin to write."""
        self.rows = [row for row in self.rows if (row["file"], row["sha256"]) in wanted]
        if self.path:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new = self.path.with_name(self.path.name + ".new")
            with new.open("w", encoding="utf-8-sig", newline="") as file:  # Excel wants the mark
                writer = csv.DictWriter(file, COLUMNS)
                writer.writeheader()
                writer.writerows(self.rows)
            new.replace(self.path)

    def add(self, row: Row) -> None:
        """Write a row, and print it."""
        row = {c: "" if row.get(c) is None else str(row[c]) for c in COLUMNS}
        self.rows.append(row)
        if self.path:
            with self.path.open("a", encoding="utf-8", newline="") as file:
                csv.DictWriter(file, COLUMNS).writerow(row)
        of = f" of {row['of']}" if row["of"] else ""
        shown = [row["student"], row["lab"] or row["file"], f"{row['points'] or '-'}{of}"]
        shown += [f"failed: {row['failed']}"] if row["failed"] else []
        print(*shown, *filter(None, [row["note"]]), sep="  ", flush=True)


def write_for_platforms(rows: list[Row], roster: Path, folder: Path) -> list[str]:
    """Write `moodle.csv` and `canvas.csv`; return which submissions are of nobody in the roster.

    The roster has a column `folder` or `name`, and the columns `id` and `email`. What Moodle's
    import and Canvas's take is said in README.md, with the sources.
    """
    with roster.open(encoding="utf-8-sig", newline="") as file:
        people = list(csv.DictReader(file))
    columns = set(people[0]) if people else set()
    if not columns & {"name", "folder"} or not columns >= {"id", "email"}:
        raise ValueError(f"{roster} needs columns: name (or folder), id, email")
    got: dict[int, Row] = {}
    unknown = []
    for row in rows:
        fits = [n for n, person in enumerate(people) if _is(person, row["student"])]
        if len(fits) != 1:
            unknown.append(row["student"])
        elif row["lab"] and row["of"]:
            got.setdefault(fits[0], {})[row["lab"]] = row["points"]
    of = {row["lab"]: row["of"] for row in rows if row["of"]}
    labs = sorted({lab for graded in got.values() for lab in graded})
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "moodle.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["ID number", "Email address", *labs])
        for number, person in enumerate(people):
            graded = got.get(number, {})
            writer.writerow([person["id"], person["email"], *(graded.get(x, "-") for x in labs)])
    with (folder / "canvas.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *labs])
        writer.writerow(["    Points Possible", "", "", "", "", *(of[lab] for lab in labs)])
        for number, person in enumerate(people):
            graded = got.get(number, {})
            who = [person.get("name") or person["folder"], "", person["id"], person["email"], ""]
            writer.writerow([*who, *(graded.get(lab, "") for lab in labs)])
    return sorted(set(unknown))


def _is(person: Row, student: str) -> bool:
    """Whether a folder is this person's: of that name, or with the name or the id as a part."""

    def plain(text: str | None) -> str:
        return unicodedata.normalize("NFC", text or "").casefold().strip()

    parts = {plain(student), *map(plain, student.split("_"))}
    return bool(parts & {plain(person.get(key)) for key in ("folder", "name", "id")} - {""})


def main() -> None:
    """Grade what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("submissions", type=Path, help="a folder with a folder for each student")
    parser.add_argument("--csv", type=Path, help="where to write the points")
    parser.add_argument("--feedback", type=Path, help="where to write a page for each notebook")
    parser.add_argument("--roster", type=Path, help="who is who: name (or folder), id, email")
    parser.add_argument("--course", type=Path, help="a folder that make_release.py --class made")
    arguments = parser.parse_args()
    if not arguments.submissions.is_dir():
        parser.error(f"{arguments.submissions} is not a folder")
    if arguments.roster and not arguments.csv:
        parser.error("--roster needs --csv: moodle.csv and canvas.csv are written beside it")
    for name in ("nbgrader", "wpedu", "transformers"):
        if not find_spec(name):
            parser.error(f"{name} is not installed: pip install -e '.[labs]'")
    if arguments.course and not (arguments.course / "source").is_dir():
        parser.error(f"{arguments.course} has no source: make_release.py --class makes it")
    labs = {name: {key.encode() for key, _, _ in cells(read(name))} for name in NAMES}
    shut = "in by bubblewrap" if shut_in(Path(tempfile.gettempdir()), []) else "in by NOTHING"
    print(f"Submissions are shut {shut}.", file=sys.stderr)
    table = Table(arguments.csv)
    with tempfile.TemporaryDirectory() as unpacked, tempfile.TemporaryDirectory() as course:
        found = [
            (row | {key: show(row[key]) for key in ("student", "file")}, path)
            for files in find(arguments.submissions, Path(unpacked))
            for row, path in sort_out(files, labs)
        ]
        table.keep({(row["file"], row["sha256"]) for row, path in found if path})
        done = {(row["file"], row["sha256"]) for row in table.rows}
        start_labs(Path(course), arguments.course, {row["lab"] for row, path in found if path})
        hidden = [arguments.submissions.resolve(), Path(unpacked), Path(course)]
        for row, path in found:
            if (row["file"], row["sha256"]) in done:
                continue
            if path:
                lab = row["lab"]
                page = arguments.feedback and arguments.feedback / row["student"] / f"{lab}.html"
                graded = grade(path, lab, Path(course), hidden, page)
                notes = [*filter(None, [row["note"]]), *graded.pop("notes")]
                row = row | graded | {"note": "; ".join(notes)}
            table.add(row)
    if arguments.roster:
        unknown = write_for_platforms(table.rows, arguments.roster, arguments.csv.parent)
        if unknown:
            print("Not in the roster, or not once:", *unknown, sep="\n  ", file=sys.stderr)
    if not any(row["of"] for row in table.rows):
        sys.exit(f"nothing in {arguments.submissions} could be graded: {', '.join(labs)}")


if __name__ == "__main__":
    main()
