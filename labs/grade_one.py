"""Grades one submission with nbgrader, in a process of its own; `grade.py` calls it.

    python labs/grade_one.py JOB LAB

JOB is a course of nbgrader that has handed out LAB, with the file as it came in JOB/incoming, and
what lay beside it in JOB/submitted/student/LAB. The points go to JOB/result.json.
"""

import json
import logging
import os
import sys
import sysconfig
import warnings
from pathlib import Path
from typing import Any

STUDENT = "student"
SETTINGS = Path(__file__).with_name("nbgrader_config.py")


def open_course(folder: Path) -> Any:
    """Return nbgrader's API for the course in `folder`."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import PyFileConfigLoader

    # nbgrader calls programs that are installed beside it, also where no environment is active.
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    warnings.filterwarnings("ignore", module=r"nbgrader\.")  # of its database, to its authors
    config = PyFileConfigLoader(SETTINGS.name, path=str(SETTINGS.parent)).load_config()
    config.CourseDirectory.root = str(folder)
    config.CourseDirectory.db_url = f"sqlite:///{folder / 'gradebook.db'}"
    api = NbGraderAPI(config=config)
    api.log.setLevel(logging.ERROR)
    return api


def must(result: dict[str, Any]) -> None:
    """Raise RuntimeError unless nbgrader says that it did what it was asked to."""
    if not result["success"]:
        raise RuntimeError(f"{result.get('log')}\n{result.get('error')}")


def start_course(folder: Path, names: list[str]) -> None:
    """Have the course in `folder`, which has the source of these labs, hand them out."""
    api = open_course(folder)
    for name in names:
        must(api.generate_assignment(name, create=True))


def read_cells(data: bytes) -> list[dict[str, Any]]:
    """Return the cells of a notebook, and of each its kind, source and grade_id.

    Raise ValueError if it is not a notebook.
    """
    if not data.strip():
        raise ValueError("it is empty")
    try:
        content = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    cells = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list) or not cells:
        raise ValueError("it has no cells")
    found = []
    for cell in cells:
        cell = cell if isinstance(cell, dict) else {}
        source, metadata = cell.get("source"), cell.get("metadata")
        lines = source if isinstance(source, list) else [source]
        grading = metadata.get("nbgrader") if isinstance(metadata, dict) else None
        found.append(
            {
                "cell_type": cell.get("cell_type"),
                "source": "".join(line for line in lines if isinstance(line, str)),
                "id": grading.get("grade_id") if isinstance(grading, dict) else None,
            }
        )
    return found


def mend(cells: list[dict[str, Any]], source: Any) -> Any:
    """Return a notebook with these cells, as nbgrader expects it.

    What a cell is, and what it is worth, is taken from the source. Of copies, the last one counts,
    and the others are run. What was deleted is put back, answers excepted.
    """
    from nbformat import v4

    known = {cell.metadata.nbgrader.grade_id: cell for cell in graded_cells(source)}
    made, places = [], {}
    for cell in cells:
        name = cell["id"] if isinstance(cell["id"], str) else None
        kind = known[name].cell_type if name in known else cell["cell_type"]
        new = v4.new_code_cell if kind == "code" else v4.new_markdown_cell
        made.append(new(cell["source"]))
        if name in known:
            places[name] = made[-1]
    before = -1
    for name, cell in known.items():
        grading = cell.metadata.nbgrader
        if name not in places and (grading.locked or grading.grade):
            text = cell.source if grading.locked else "YOUR ANSWER HERE"
            new = v4.new_code_cell if cell.cell_type == "code" else v4.new_markdown_cell
            places[name] = new(text)
            made.insert(before + 1, places[name])
        if name in places:
            places[name].metadata.nbgrader = grading
            before = next(i for i, one in enumerate(made) if one is places[name])
    return v4.new_notebook(cells=made, metadata=source.metadata)


def graded_cells(notebook: Any) -> list[Any]:
    """Return the cells that nbgrader knows."""
    return [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id")]


def grade_one(job: Path, name: str) -> dict[str, Any]:
    """Return points, of, by hand, failed and notes; write the page of feedback."""
    import nbformat

    source = nbformat.read(job / "source" / name / f"{name}.ipynb", as_version=4)
    try:
        cells = read_cells((job / "incoming").read_bytes())
    except ValueError as error:
        return {"points": 0, "notes": [f"not graded: no notebook, {error}: ask for it again"]}
    submission = mend(cells, source)
    nbformat.write(submission, job / "submitted" / STUDENT / name / f"{name}.ipynb")
    api = open_course(job)
    result = api.autograde(name, STUDENT, create=True)
    if not result["success"]:
        return {"points": 0, "notes": [f"not graded: {_reason(result, job, submission)}"]}
    must(api.generate_feedback(name, STUDENT))
    executed = nbformat.read(job / "autograded" / STUDENT / name / f"{name}.ipynb", as_version=4)
    with api.gradebook as gradebook:
        grades = gradebook.find_submission_notebook(name, name, STUDENT).grades
        by_test = [g for g in grades if g.cell.name.startswith("test_")]
        order = [cell.metadata.nbgrader.grade_id for cell in graded_cells(source)]
        failed = {g.cell.name for g in by_test if not g.auto_score}
        return {
            "points": round(sum(g.auto_score or 0 for g in by_test)),
            "of": round(sum(g.max_score for g in by_test)),
            "by hand": round(sum(g.max_score for g in grades) - sum(g.max_score for g in by_test)),
            "failed": " ".join(n.removeprefix("test_") for n in order if n in failed),
            "notes": list(_limits_met(executed)),
        }


def _limits_met(notebook: Any) -> Any:
    """Yield a sentence for each cell that met a limit of `limits.py`, or that of the clock."""
    for number, cell in enumerate(notebook.cells):
        names = [out.ename for out in cell.get("outputs", ()) if out.output_type == "error"]
        where = cell.metadata.get("nbgrader", {}).get("grade_id") or f"cell {number + 1}"
        if "CellTimeoutError" in names:
            yield f"timed out after 600 s by the clock in {where}"
        elif {"TimedOut", "TooMuchOutput"} & set(names):
            told = [out.evalue for out in cell.outputs if out.get("ename") in names]
            yield f"{told[0]} in {where}"


def _reason(result: dict[str, Any], job: Path, submission: Any) -> str:
    """Return in a few words why nbgrader did not grade."""
    log = f"{result.get('log')}\n{result.get('error')}"
    if "DeadKernelError" not in log:
        lines = [line.strip() for line in log.splitlines() if "Error" in line]
        return f"nbgrader says {lines[-1] if lines else log[-200:]}"
    begun = (job / "cell").read_text("utf-8") if (job / "cell").exists() else None
    where = next(
        (
            cell.metadata.get("nbgrader", {}).get("grade_id") or f"cell {number + 1}"
            for number, cell in enumerate(submission.cells)
            if cell.source.strip() == (begun or "").strip()
        ),
        "a test",
    )
    return f"Python itself was ended in {where} (os._exit, or no memory, or no end)"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    answer = json.dumps(grade_one(folder, sys.argv[2]))
    (folder / "result.json").write_text(answer, encoding="utf-8")
