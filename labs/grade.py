"""Grades a folder of submissions: one command, no network, a row for every file.

    python labs/grade.py SUBMISSIONS --csv grades.csv    writes points and pages, or continues a run
        --roster students.csv   also writes what Moodle and Canvas import
        --course FOLDER         grades by the version for one class

SUBMISSIONS has a folder or a zip for each student, or files with the students' names, as platforms
deliver them. Students' code runs in a sandbox, which needs Linux with bubblewrap.
"""

import argparse
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

from grader import rosters, sandbox
from grader.copies import note_copies
from grader.grading import SECONDS, Submission, stopping
from grader.notebooks import LABS, NAMES, cells, points, read
from grader.submissions import Found, Job, Row, by_person, find, find_parent, sort_out
from grader.table import AGAIN, Table, show
from tqdm import tqdm

import wpedu

Rows = list[tuple[Row, Job | None]]


def page_of(feedback: Path, row: Row) -> Path:
    """Return where a page goes: always below `feedback`, in a folder named after the student."""
    name = re.sub(r'[/\\:*?"<>|\x00-\x1f]', "_", row["student"]).strip(". ")
    odd = re.search(r"-[0-9a-f]{8}$", name) or len(os.fsencode(name)) > 100
    if not name or name != row["student"] or odd:
        name = f"{name[:30]}-{sha256(row['student'].encode(errors='replace')).hexdigest()[:8]}"
    return feedback / name / f"{row['lab']}.html"


def take_arguments() -> argparse.Namespace:
    """Return the arguments, checked as far as possible before anything is graded."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    option = parser.add_argument
    option("submissions", type=Path, help="a folder with a folder for each student")
    option("--csv", type=Path, required=True, help="where to write the points")
    option("--roster", type=Path, help="who is who: name (or folder), id, email")
    option("--course", type=Path, default=LABS, help="a folder that make_release.py --class made")
    given = parser.parse_args()
    try:
        if given.roster in [given.csv.with_suffix(f".{name}.csv") for name in ("moodle", "canvas")]:
            parser.error(f"{given.roster} is written beside the table: rename yours")
        given.people = rosters.read_roster(given.roster) if given.roster else []
        given.table = Table(given.csv)
    except ValueError as error:
        parser.error(str(error))
    if problem := sandbox.find_problem():
        parser.error(problem)
    return given


def main() -> None:
    """Grade as the command line asks."""
    sys.stdout.reconfigure(errors="backslashreplace")  # of a terminal without some letters
    try:
        given = take_arguments()
        table, course, pages = given.table, given.course, given.csv.with_suffix(".feedback")
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as unpacked:
            if parent := find_parent(handed_in := find(given.submissions, Path(unpacked))):
                sys.exit(f"{show(parent)} has several students' work: give it, unpacked, instead")
            found = arrange(handed_in, course)
            files = {row["file"] for row, _ in found}
            if table.rows and not any(row["file"] in files for row in table.rows):
                sys.exit(f"{given.csv} is about other files: name another table")
            wanted = [row for row, job in found if job and page_of(pages, row).exists()]
            if again := table.keep(wanted):
                print(f"{again} are graded again: labs, limits or notes changed.", file=sys.stderr)
            done = {(row["file"], row["sha256"]) for row in table.rows}
            todo = [(row, job) for row, job in found if (row["file"], row["sha256"]) not in done]
            grade_all(todo, course, pages, [given.submissions, course, pages], table)
        if given.people:
            worth = {name: sum(points(read(name, "source", course)).values()) for name in NAMES}
            if said := rosters.write_for_platforms(table.rows, given.people, worth, given.csv):
                print("Look at these:", *said, sep="\n  ", file=sys.stderr)
    except KeyboardInterrupt:
        sys.exit("stopped: run the same command again to go on")
    except OSError as error:
        told = f"{show(error.filename or 'a file')} cannot be used ({error.strerror})"
        sys.exit(f"{told}: make room, or name another; run the same command again to go on")
    if any(row["note"].startswith(AGAIN) for row in table.rows):
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
    parts = [read(row["lab"], "source", course), SECONDS, wpedu.__version__, row["note"]]
    parts += [(name, sha256(job.beside[name].read_bytes()).digest()) for name in sorted(job.beside)]
    return sha256(repr(parts).encode()).hexdigest()[:8]


def grade_all(todo: Rows, course: Path, feedback: Path, hidden: list[Path], table: Table) -> None:
    """Grade, as many at a time as there are processors; write the rows in their order."""

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
            # Without names of files and texts of errors, which may be the student's.
            why = getattr(error, "strerror", None) or type(error).__name__
            told = f"{AGAIN}: this machine failed ({why})"
            graded, notes = {}, [told, row["note"]]
        return row | graded | {"note": "; ".join(filter(None, notes))}

    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        stopping.clear()
        try:
            for row in tqdm(pool.map(work, todo), total=len(todo), unit="file"):
                tqdm.write(table.add(row))
        finally:
            stopping.set()  # for those that still run, if there was an error
            pool.shutdown(cancel_futures=True)


if __name__ == "__main__":
    main()
