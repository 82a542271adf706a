"""Grades one submission with nbgrader, in a process of its own; `grade.py` calls it.

    python labs/grade_one.py JOB LAB [--without-sandbox]

JOB/course is a course of nbgrader that has handed out LAB, JOB/incoming is the notebook as
submitted, and JOB/beside has the same student's other files. The points go to JOB/result.json, and
the page of feedback to JOB/page.html. Only the kernel, which runs the student's code, is in a
sandbox; of JOB, it sees only JOB/k, with a copy of the student's files.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from grader.course import open_course, start_course  # noqa: F401  (make_release.py takes it here)
from grader.notebooks import graded_cells, match, mend, read_cells
from grader.sandbox import LABS, Place
from own_corpus import FILE

STUDENT = "student"
MINUTES = 15  # for all cells of a submission, by the clock


def grade_one(job: Path, name: str, sandbox: bool = True) -> dict[str, Any]:
    """Return points, of, by hand, failed, and notes; write the page of feedback."""
    import nbformat
    from grader import execution, review
    from grader.feedback import make_page

    course = job / "course"
    source = nbformat.read(course / "source" / name / f"{name}.ipynb", as_version=4)
    released = nbformat.read(course / "release" / name / f"{name}.ipynb", as_version=4)
    try:
        cells = read_cells((job / "incoming").read_bytes())
    except ValueError as error:
        return {"points": 0, "notes": [f"not graded: no notebook, {error}: ask for it again"]}
    notes = []
    matched = match(cells, released)
    if matched:
        notes.append(f"nbgrader's marks were missing from {len(matched)} cells, which were matched "
                     f"by their places and texts: {_some(matched)}")  # fmt: skip
    public = nbformat.read(LABS / "source" / name / f"{name}.ipynb", as_version=4)
    notes += filter(None, [review.copied(cells, public)])
    submission = mend(cells, source)
    strange = review.unusual(submission)
    if strange:
        notes.append(f"look at it, it uses {_some(strange)}")
    folder = course / "submitted" / STUDENT / name
    folder.mkdir(parents=True)
    nbformat.write(submission, folder / f"{name}.ipynb")

    kernel = Place(job / "k")
    text = course / "source" / name / FILE
    ours = shutil.ignore_patterns(FILE) if text.is_file() else None
    shutil.copytree(job / "beside", kernel.work, dirs_exist_ok=True, ignore=ours)
    if text.is_file():
        shutil.copyfile(text, kernel.work / FILE)
    kernel.write_kernelspec(job / "jupyter", sandbox)
    os.environ["JUPYTER_PATH"] = str(job / "jupyter")
    api = open_course(course)
    runner = execution.executor(kernel, source, 60 * MINUTES, sandbox)
    seconds = int(kernel.environment()["WPEDU_SECONDS"])
    config = api.config
    config.Execute.timeout = 2 * seconds + 20
    config.Execute.interrupt_on_timeout = True
    config.Execute.shutdown_kernel = "immediate"
    config.Execute.store_widget_state = False
    if sandbox:
        config.KernelManager.transport = "ipc"
    from nbgrader.converters import Autograde

    steps = Autograde.autograde_preprocessors.default_args[0]
    config.Autograde.autograde_preprocessors = [
        runner if step.__name__ == "Execute" else step for step in steps
    ]
    result = api.autograde(name, STUDENT, create=True)
    if not result["success"]:
        reason = _reason(result, runner, config.Execute.timeout)
        return {"points": 0, "notes": [f"not graded: {reason}", *notes]}
    executed = nbformat.read(course / "autograded" / STUDENT / name / f"{name}.ipynb", 4)
    with api.gradebook as gradebook:
        grades = gradebook.find_submission_notebook(name, name, STUDENT).grades
        by_test = [g for g in grades if g.cell.name.startswith("test_")]
        points = {g.cell.name: (g.auto_score or 0, g.max_score) for g in by_test}
        by_hand = sum(g.max_score for g in grades) - sum(of for _, of in points.values())
    order = [cell.metadata.nbgrader.grade_id for cell in graded_cells(source)]
    failed = [n for n in order if n in points and not points[n][0]]
    (job / "page.html").write_text(make_page(source, executed, points), encoding="utf-8")
    return {
        "points": round(sum(got for got, _ in points.values())),
        "of": round(sum(of for _, of in points.values())),
        "by hand": round(by_hand),
        "failed": " ".join(n.removeprefix("test_") for n in failed),
        "notes": [*_limits_met(executed), *notes],
    }


def _some(names: list[str]) -> str:
    """Return the first few names for a note, each cut short."""
    shown = [name[:40] for name in names[:8]]
    return ", ".join(shown) + (f", and {len(names) - 8} more" if len(names) > 8 else "")


def _limits_met(notebook: Any) -> Iterator[str]:
    """Yield a sentence for each cell that exceeded a limit, or did not run to its end."""
    for number, cell in enumerate(notebook.cells):
        where = cell.metadata.get("nbgrader", {}).get("grade_id") or f"cell {number + 1}"
        for out in cell.get("outputs", ()):
            if out.output_type != "error":
                continue
            if out.ename == "CellTimeoutError":
                yield f"timed out by the clock in {where}"
            elif out.ename in ("TimedOut", "TooMuchOutput"):
                yield f"{out.evalue[:100]} in {where}"
            elif out.ename == "NotRunToItsEnd":
                yield f"look at it, {where} gave no error and did not run to its end"
            else:
                continue
            break


def _reason(result: dict[str, Any], runner: Any, seconds: int) -> str:
    """Return nbgrader's reason for not grading, in a few words."""
    log = f"{result.get('log')}\n{result.get('error')}"
    begun = runner.begun
    if runner.watch and runner.watch.reason:
        return f"ended in {begun}, which took {runner.watch.reason}"
    if "DeadKernelError" in log:
        return f"Python itself was ended in {begun} (os._exit, or no memory, or no end)"
    if "CellTimeoutError" in log:
        return f"Python gave no answer for {seconds} s in {begun}"
    lines = [line.strip() for line in log.splitlines() if "Error" in line]
    return f"nbgrader says {(lines[-1] if lines else log)[-200:]}"


def _limit_memory() -> None:
    """Limit the memory that a flood of messages from the kernel can take here."""
    with suppress(ImportError):  # on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, resource.RLIM_INFINITY))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    _limit_memory()
    answer = grade_one(folder, sys.argv[2], "--without-sandbox" not in sys.argv)
    (folder / "result.json").write_text(json.dumps(answer), encoding="utf-8")
