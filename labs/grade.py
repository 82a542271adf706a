"""Grades a folder of submissions with nbgrader: one command, no network, one table.

    python labs/grade.py SUBMISSIONS                     prints the points
    python labs/grade.py SUBMISSIONS --csv grades.csv    writes them, too
    python labs/grade.py SUBMISSIONS --feedback FOLDER   and a page for each notebook

SUBMISSIONS holds a folder for each student, and somewhere in it the notebooks. Each has in its name
the one that it was handed out with: SUBMISSIONS/ana/lab1_words.ipynb. What nbgrader needs meanwhile
is in a temporary folder. This runs the code of the students: do it where that can do no harm.
"""

import argparse
import csv
import logging
import os
import shutil
import sys
import sysconfig
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

LABS = Path(__file__).resolve().parent
NAMES = sorted(path.parent.name for path in LABS.glob("source/*/*.ipynb"))
COLUMNS = ["student", "lab", "points", "of", "by hand", "failed", "note"]


def open_course(folder: Path, names: Iterable[str] = NAMES) -> Any:
    """Return nbgrader's API for a course in `folder` that has handed out these labs."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import PyFileConfigLoader

    # nbgrader calls programs that are installed beside it, also where no environment is active.
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    warnings.filterwarnings("ignore", module=r"nbgrader\.")  # of its database, to its authors
    shutil.copytree(LABS / "source", folder / "source")
    config = PyFileConfigLoader("nbgrader_config.py", path=str(LABS)).load_config()
    config.CourseDirectory.root = str(folder)
    config.CourseDirectory.db_url = f"sqlite:///{folder / 'gradebook.db'}"
    api = NbGraderAPI(config=config)
    api.log.setLevel(logging.ERROR)
    for name in names:
        _must(api.generate_assignment(name, create=True))
    return api


def find_submissions(folder: Path) -> Iterator[tuple[str, str, list[Path]]]:
    """Yield student, lab and notebooks, the one that was changed last in front, by their names.

    Downloads may have more in the name, such as `ana_Lab1_words (1).ipynb`.
    """
    for student in sorted(path for path in folder.iterdir() if path.is_dir()):
        found = [p for p in student.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts]
        for name in NAMES:
            notebooks = [path for path in found if name in path.name.lower()]
            if notebooks:
                notebooks.sort(key=lambda path: (path.stat().st_mtime, path), reverse=True)
                yield student.name, name, notebooks


def find_others(folder: Path, students: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield a row of COLUMNS for each folder without a lab, and one for files in no folder."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in students:
            files = ", ".join(sorted(file.name for file in path.rglob("*") if file.is_file()))
            note = f"no notebook is named after a lab ({files or 'the folder is empty'})"
            yield {"student": path.name, "points": 0, "note": f"not graded: {note}"}
        elif path.suffix == ".ipynb":
            yield {"note": f"not graded: {path.name} is in no student's folder"}


def grade(folder: Path, feedback: Path | None = None) -> Iterator[dict[str, Any]]:
    """Yield a row of COLUMNS for each notebook that was handed in, and for what was not."""
    import nbformat

    submissions = list(find_submissions(folder))
    yield from find_others(folder, {student for student, _, _ in submissions})
    with tempfile.TemporaryDirectory() as temporary:
        course = Path(temporary)
        api = open_course(course, dict.fromkeys(name for _, name, _ in submissions))
        ids: dict[str, str] = {}
        for student, name, (notebook, *older) in submissions:
            # What a folder may be called, an id of nbgrader may not.
            number = ids.setdefault(student, f"student{len(ids) + 1:04}")
            place = course / "submitted" / number / name
            place.mkdir(parents=True)
            for path in notebook.parent.iterdir():  # such as the text of the project
                if path.is_file() and path.suffix != ".ipynb":
                    shutil.copy(path, place)
            shutil.copy(notebook, place / f"{name}.ipynb")
            try:
                nbformat.read(notebook, as_version=4)
                result = api.autograde(name, number, create=True)
            except ValueError:
                result = {"success": False, "error": "the file is damaged: ask for it again"}
            notes = [f"of {1 + len(older)} notebooks, the newest"] if older else []
            row = {"student": student, "lab": name}
            if result["success"]:
                row |= _points(api, name, number)
                if feedback:
                    _must(api.generate_feedback(name, number))
                    page = course / "feedback" / number / name / f"{name}.html"
                    (feedback / student).mkdir(parents=True, exist_ok=True)
                    shutil.copy(page, feedback / student)
            else:
                lines = (result.get("error") or result.get("log") or "").strip().splitlines()
                row["points"] = 0
                notes.append("not graded: " + (lines[-1] if lines else "?"))
            yield row | {"note": "; ".join(notes)}


def _points(api: Any, name: str, number: str) -> dict[str, Any]:
    with api.gradebook as gradebook:
        grades = gradebook.find_submission_notebook(name, name, number).grades
        by_test = [g for g in grades if g.cell.name.startswith("test_")]
        failed = [g.cell.name.removeprefix("test_") for g in by_test if not g.auto_score]
        return {
            "points": round(sum(g.auto_score or 0 for g in by_test)),
            "of": round(sum(g.max_score for g in by_test)),
            "by hand": round(sum(g.max_score for g in grades) - sum(g.max_score for g in by_test)),
            "failed": " ".join(failed),
        }


def _must(result: dict[str, Any]) -> None:
    if not result["success"]:
        raise RuntimeError(f"{result.get('log')}\n{result.get('error')}")


def main() -> None:
    """Grade what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("submissions", type=Path, help="a folder with a folder for each student")
    parser.add_argument("--csv", type=Path, help="where to write the points")
    parser.add_argument("--feedback", type=Path, help="where to write a page for each notebook")
    arguments = parser.parse_args()
    if not arguments.submissions.is_dir():
        parser.error(f"{arguments.submissions} is not a folder")
    try:
        import nbgrader  # noqa: F401
    except ImportError:
        parser.error("nbgrader is not installed: pip install -e '.[labs]'")
    rows = []
    for row in grade(arguments.submissions, arguments.feedback):
        rows.append(row)
        shown = [row[column] for column in ("student", "lab") if column in row]
        shown += [f"{row['points']} of {row['of']}"] if "of" in row else []
        more = [f"failed: {row['failed']}"] if row.get("failed") else []
        print(*shown, *more, *filter(None, [row.get("note")]), sep="  ", flush=True)
    if arguments.csv:
        with arguments.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
    if not any("lab" in row for row in rows):
        sys.exit(f"no notebook named after a lab is in {arguments.submissions}: {', '.join(NAMES)}")


if __name__ == "__main__":
    main()
