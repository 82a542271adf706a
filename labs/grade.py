"""Grades a folder of submissions: one command, no network, a row for every file.

    python labs/grade.py SUBMISSIONS --csv grades.csv    writes points and pages, or continues a run
        --feedback FOLDER       puts the pages there, and not in feedback/ beside the table
        --roster students.csv   also writes what Moodle and Canvas import
        --course FOLDER         grades by the version for one class

SUBMISSIONS has a folder or a zip for each student, or files with the students' names, as platforms
deliver them. Students' code runs in a sandbox, which needs Linux with bubblewrap.
"""

import argparse
import json
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from grader import rosters, sandbox
from grader.copies import note_copies
from grader.grading import SECONDS, Submission, end_all
from grader.notebooks import LABS, NAMES, cells, points, read
from grader.submissions import Found, Job, Row, by_person, find, find_parent, sort_out
from grader.table import AGAIN, Table, show

import wpedu

TAKES = 8  # seconds for one submission, roughly, for the estimate
Rows = list[tuple[Row, Job | None]]


def page_of(feedback: Path, row: Row) -> Path:
    """Return where a page goes: always below `feedback`, in a folder named after the student."""
    name = re.sub(r'[/\\:*?"<>|\x00-\x1f]', "_", row["student"]).strip(". ")
    if not name or name != row["student"] or len(os.fsencode(name)) > 100:
        name = f"{name[:30]}-{sha256(row['student'].encode(errors='replace')).hexdigest()[:8]}"
    return feedback / name / f"{row['lab']}.html"


def take_arguments() -> argparse.Namespace:
    """Return the arguments, checked as far as possible before anything is graded."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    option = parser.add_argument
    option("submissions", type=Path, help="a folder with a folder for each student")
    option("--csv", type=Path, required=True, help="where to write the points")
    option("--feedback", type=Path, help="where to write a page for each notebook, if not beside")
    option("--roster", type=Path, help="who is who: name (or folder), id, email")
    option("--course", type=Path, default=LABS, help="a folder that make_release.py --class made")
    option("--without-sandbox", action="store_true", help="let students' code do what you can")
    given = parser.parse_args()
    for folder in (given.submissions, given.course / "source", given.course / "release"):
        if not folder.is_dir():
            parser.error(f"{folder} is not a folder: name another one, or another --course")
    given.feedback = given.feedback or given.csv.parent / "feedback"
    for name in ("IPython", "transformers"):
        if not find_spec(name):
            parser.error(f"{name} is not installed: pip install -e '.[labs]'")
    if parent := find_parent(given.submissions):
        parser.error(f"{parent} has a folder for each student: give it instead of its parent")
    try:
        given.people = rosters.read_roster(given.roster) if given.roster else []
        given.table = Table(given.csv)
    except ValueError as error:
        parser.error(str(error))
    if not given.without_sandbox and (problem := sandbox.find_problem()):
        parser.error(f"{problem}. --without-sandbox lets students' code do all that you can")
    return given


def main() -> None:
    """Grade as the command line asks."""
    try:
        given = take_arguments()
        boxed, table, course = not given.without_sandbox, given.table, given.course
        where = "in sandboxes" if boxed else "WITHOUT A SANDBOX"
        print(f"Submissions run {where}.", file=sys.stderr)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as unpacked:
            found = arrange(find(given.submissions, Path(unpacked)), course)
            pages, wanted = given.feedback, [row for row, job in found if job]
            if again := table.keep([row for row in wanted if page_of(pages, row).exists()]):
                print(f"{again} are graded again: labs, limits or notes changed.", file=sys.stderr)
            done = {(row["file"], row["sha256"]) for row in table.rows}
            todo = [(row, job) for row, job in found if (row["file"], row["sha256"]) not in done]
            hidden = [given.submissions, course, pages] if boxed else None
            grade_all(todo, course, pages, hidden, table)
        if given.people:
            worth = {name: sum(points(read(name, "source", course)).values()) for name in NAMES}
            said = rosters.write_for_platforms(table.rows, given.people, worth, given.csv.parent)
            if said:
                print("Look at these:", *said, sep="\n  ", file=sys.stderr)
    except KeyboardInterrupt:
        sys.exit("stopped: run the same command again to go on")
    except OSError as error:
        told = f"{error.filename or 'a file'} cannot be used ({error.strerror})"
        sys.exit(f"{told}: make room, or name another; run the same command again to go on")
    if any(AGAIN in row["note"] for row in table.rows):
        sys.exit("some notebooks are not graded yet: run the same command again")
    if not any(row["of"] for row in table.rows):
        sys.exit(f"nothing in {given.submissions} could be graded: name files after {NAMES}")


def arrange(found: list[Found], course: Path) -> Rows:
    """Return a row for each file, person by person, ready to be written."""
    ids = {name: {key.encode() for key, _, _ in cells(read(name))} for name in NAMES}
    rows = [pair for files in by_person(found) for pair in sort_out(files, ids)]
    labs = {row["lab"] for row, job in rows if job}
    note_copies(rows, {lab: [read(lab, "source", course), read(lab)] for lab in labs})
    for row, job in rows:
        row |= {key: show(row.get(key, "")) for key in ("student", "file", "note")}
        row["version"] = version_of(course, row, job) if job else ""
    return rows


def version_of(course: Path, row: Row, job: Job) -> str:
    """Return a short name for what a notebook is graded by, tests, limits and files included."""
    lab, beside = json.dumps(read(row["lab"], "source", course)), sorted(job.beside)
    text = "\n".join([lab, str(SECONDS), wpedu.__version__, row["note"], *beside])
    made = sha256(text.encode())
    for name in beside:
        made.update(job.beside[name].read_bytes())
    return made.hexdigest()[:8]


def grade_all(
    todo: Rows, course: Path, feedback: Path, hidden: list[Path] | None, table: Table
) -> None:
    """Grade, as many at a time as there are processors; write the rows in their order.

    Without folders that are `hidden` from them, submissions run without a sandbox.
    """
    workers = min(4, os.cpu_count() or 1)
    if number := sum(job is not None for _, job in todo):
        minutes = max(1, round(number * TAKES / workers / 60))
        print(f"{number} to grade, {workers} at a time: about {minutes} min.", file=sys.stderr)

    def work(pair: tuple[Row, Job | None]) -> Row:
        row, job = pair
        if job is None:
            return row
        try:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                graded = Submission(job, course, row["lab"], Path(folder), hidden).grade()
            notes, text = [row["note"], *graded.pop("notes")], graded.pop("page")
            page = page_of(feedback, row)
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text, encoding="utf-8", errors="replace")
        except Exception as error:  # no submission may stop the grading of the others
            told = f"{AGAIN}: this machine failed ({type(error).__name__}: {error})"[:300]
            graded, notes = {}, [told, row["note"]]
        return row | graded | {"note": "; ".join(filter(None, notes))}

    with ThreadPoolExecutor(workers) as pool:
        try:
            for row in pool.map(work, todo):
                print(table.add(row), flush=True)
        except BaseException:
            end_all()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


if __name__ == "__main__":
    main()
