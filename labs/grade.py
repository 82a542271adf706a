"""Grades a folder of submissions with nbgrader: one command, no network, a row for every file.

    python labs/grade.py SUBMISSIONS                     prints the points
    python labs/grade.py SUBMISSIONS --csv grades.csv    also writes them, or continues a run
    python labs/grade.py SUBMISSIONS --feedback FOLDER   and writes a page for each notebook
    python labs/grade.py SUBMISSIONS --csv grades.csv --roster students.csv
                                                         and what Moodle and Canvas import
    python labs/grade.py SUBMISSIONS --course FOLDER     grades by the version for one class

SUBMISSIONS has a folder or a zip for each student, or files with the students' names, as platforms
deliver them. Students' code runs in a sandbox, which needs Linux with bubblewrap.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grader import rosters, sandbox
from grader.grading import Submission, end_all
from grader.submissions import (
    Found,
    Job,
    Row,
    by_person,
    find,
    note_twins,
    sort_out,
)
from grader.table import Table, show
from versions import LABS, NAMES, Run, cells, points, read, settle, write

SECONDS = 8  # that one submission takes, roughly, for the estimate


def grade(job: Job, lab: str, course: Path, page: Path | None, boxed: bool) -> Row:
    """Grade one notebook, write its page, and return its points and notes."""
    with temporary_folder() as folder:
        submission = Submission(job, course, lab, folder, boxed)
        row = submission.grade()
    if page and submission.page:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(submission.page, encoding="utf-8", errors="replace")
    return row


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Yield a folder, and remove it with all its contents afterward."""
    short = "/tmp" if len(tempfile.gettempdir()) > 60 and Path("/tmp").is_dir() else None
    # The names of sockets have at most 100 characters.
    temporary = tempfile.TemporaryDirectory(dir=short, ignore_cleanup_errors=True)
    try:
        yield Path(temporary.name)
    finally:
        with suppress(RecursionError):  # thousands of folders in folders
            temporary.cleanup()
        if os.path.exists(temporary.name) and shutil.which("rm"):
            subprocess.run(["rm", "-rf", "--", temporary.name], capture_output=True)


def start_labs(folder: Path, course: Path | None, names: set[str]) -> None:
    """Copy the labs, with what their tests expect: the public ones, or those of a class."""
    for name in names:
        for version in ("source", "release"):
            there = (course or LABS) / version / name
            if there.is_dir():
                shutil.copytree(there, folder / version / name)
        if not course:
            write(settle(Run(read(name)), strict=True), folder / "source" / name / f"{name}.ipynb")


def page_of(feedback: Path, student: str, lab: str) -> Path:
    """Return where a page goes: always below `feedback`, in a folder named after the student."""
    name = re.sub(r'[/\\:*?"<>|\x00-\x1f]', "_", student).strip(". ")
    if not name or name != student or len(os.fsencode(name)) > 100:
        mark = sha256(student.encode(errors="replace")).hexdigest()[:8]
        name = f"{name[:30]}-{mark}"
    return feedback / name / f"{lab}.html"


def take_arguments() -> argparse.Namespace:
    """Return the arguments, checked as far as possible before anything is graded."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("submissions", type=Path, help="a folder with a folder for each student")
    parser.add_argument("--csv", type=Path, help="where to write the points")
    parser.add_argument("--feedback", type=Path, help="where to write a page for each notebook")
    parser.add_argument("--roster", type=Path, help="who is who: name (or folder), id, email")
    parser.add_argument("--course", type=Path, help="a folder that make_release.py --class made")
    parser.add_argument(
        "--without-sandbox",
        action="store_true",
        help="run students' code with all your own permissions",
    )
    given = parser.parse_args()
    if not given.submissions.is_dir():
        parser.error(f"{given.submissions} is not a folder: name the folder of submissions")
    if given.roster and not given.csv:
        parser.error("--roster needs --csv: moodle.csv and canvas.csv are written beside it")
    for name in ("IPython", "wpedu", "transformers"):
        if not find_spec(name):
            parser.error(f"{name} is not installed: pip install -e '.[labs]'")
    if given.course and not (given.course / "source").is_dir():
        parser.error(f"{given.course} has no source: make_release.py --class makes it")
    try:
        seconds = os.environ.get("WPEDU_SECONDS", "60")
        if not re.fullmatch(r"[1-9]\d{0,4}", seconds):
            raise ValueError(f"WPEDU_SECONDS is {seconds!r}: give it whole seconds, such as 120")
        given.people = rosters.read_roster(given.roster) if given.roster else []
        given.table = Table(given.csv)
    except OSError as error:
        parser.error(f"{error.filename} cannot be read: {error.strerror}")
    except ValueError as error:
        parser.error(str(error))
    problem = "" if given.without_sandbox else sandbox.find_problem()
    if problem:
        parser.error(
            f"{problem}. Without a sandbox, students' code can do everything that you can: if you "
            "want that, for example in a container without a network, add --without-sandbox"
        )
    return given


def main() -> None:
    """Grade as the command line asks."""
    given = take_arguments()
    boxed = not given.without_sandbox
    told = "Each submission runs in a sandbox." if boxed else "Submissions run WITHOUT A SANDBOX."
    print(told, file=sys.stderr)
    labs = {name: {key.encode() for key, _, _ in cells(read(name))} for name in NAMES}

    def known(label: str) -> str | None:
        person = rosters.find_person(given.people, label)
        return None if person is None else str(person)

    table = given.table
    with temporary_folder() as unpacked, temporary_folder() as course:
        found = arrange(find(given.submissions, unpacked), labs, known)
        table.keep(
            {(row["file"], row["sha256"]): row["note"] for row, job in found if job is not None}
        )
        done = {(row["file"], row["sha256"]) for row in table.rows}
        todo = [(row, job) for row, job in found if (row["file"], row["sha256"]) not in done]
        start_labs(course, given.course, {row["lab"] for row, job in found if job})
        grade_all(todo, course, given.feedback, boxed, table)
        worth = {name: points_of(course, name) for name in NAMES}
    if given.people:
        unknown = rosters.write_for_platforms(table.rows, given.people, worth, given.csv.parent)
        if unknown:
            print("Not in the roster, or not once:", *unknown, sep="\n  ", file=sys.stderr)
    if not any(row["of"] for row in table.rows):
        sys.exit(f"nothing in {given.submissions} could be graded: name files after {list(labs)}")


def arrange(
    found: list[Found], labs: dict[str, set[bytes]], known: Any
) -> list[tuple[Row, Job | None]]:
    """Return a row for each file, person by person, ready to be written."""
    rows = [pair for files in by_person(found, known) for pair in sort_out(files, labs)]
    note_twins(rows)
    shown = ("student", "file", "note")
    return [(row | {key: show(row.get(key, "")) for key in shown}, job) for row, job in rows]


def points_of(course: Path, name: str) -> int:
    """Return the points that a lab's tests can give, in the version that is graded."""
    path = course / "source" / name / f"{name}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8")) if path.exists() else read(name)
    return sum(points(notebook).values())


def grade_all(
    todo: list[tuple[Row, Job | None]],
    course: Path,
    feedback: Path | None,
    boxed: bool,
    table: Table,
) -> None:
    """Grade, as many at a time as there are processors; write the rows in their order."""
    from tqdm import tqdm

    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    workers = max(1, min(4, usable or 1))
    number = sum(job is not None for _, job in todo)
    if number:
        minutes = max(1, round(number * SECONDS / workers / 60))
        noun = "notebook" if number == 1 else "notebooks"
        told = f"{number} {noun} to grade, {workers} at a time: about {minutes} min."
        print(told, file=sys.stderr, flush=True)

    def work(pair: tuple[Row, Job | None]) -> Row:
        row, job = pair
        if job is None:
            return row
        page = feedback and page_of(feedback, row["student"], row["lab"])
        try:
            graded = grade(job, row["lab"], course, page, boxed)
        except Exception as error:  # no submission may stop the grading of the others
            told = f"not graded: {type(error).__name__}: {error}"[:300]
            graded = {"points": 0, "notes": [told]}
        notes = [*filter(None, [row["note"]]), *graded.pop("notes")]
        notes.sort(key=lambda note: not note.startswith("not graded"))
        return row | graded | {"note": "; ".join(notes)}

    with (
        ThreadPoolExecutor(workers) as pool,
        tqdm(total=number, unit="notebook", disable=None) as bar,
    ):
        try:
            for row, (_, job) in zip(pool.map(work, todo), todo, strict=True):
                bar.write(table.add(row), file=sys.stdout)
                sys.stdout.flush()
                bar.update(job is not None)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            end_all()
            raise


if __name__ == "__main__":
    main()
