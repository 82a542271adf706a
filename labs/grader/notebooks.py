"""Notebooks as plain JSON, and each cell of a submission matched with the lab's own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LABS = Path(__file__).resolve().parent.parent
NAMES = sorted(path.parent.name for path in LABS.glob("source/*/*.ipynb"))
OWN_TEXT = "corpus.txt"  # a teacher's, beside a lab that is about it
MOST = 1_000  # cells of a notebook
LONGEST = 2_000_000  # characters in all cells
LARGEST = 20 * 2**20  # bytes of a notebook, outputs included

Cell = dict[str, Any]
Notebook = dict[str, Any]


def read(name: str, version: str = "source", course: Path = LABS) -> Notebook:
    """Return a lab of the repository, or of a class."""
    path = course / version / name / f"{name}.ipynb"
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def cells(notebook: Notebook) -> Iterator[tuple[str, dict[str, Any], Cell]]:
    """Yield the name, the nbgrader metadata and the cell of each cell that nbgrader knows."""
    for cell in notebook["cells"]:
        if grading := cell["metadata"].get("nbgrader"):
            yield grading["grade_id"], grading, cell


def points(notebook: Notebook, by_hand: bool = False) -> dict[str, int]:
    """Return the points of the cells that a test grades, or that a person grades."""
    graded = (g for _, g, _ in cells(notebook) if g["grade"] and g["solution"] is by_hand)
    return {grading["grade_id"]: grading["points"] for grading in graded}


def read_cells(data: bytes) -> list[Cell]:
    """Return the cells of a notebook, each with its kind, source, and grade_id.

    Raise ValueError if it is not a notebook.
    """
    if not data.strip():
        raise ValueError("it is empty")
    if len(data) > LARGEST:
        raise ValueError(f"it has more than {LARGEST >> 20} MB: clear its outputs")
    try:
        content = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    given = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(given, list) or not given:
        raise ValueError("it has no cells")
    found = []
    for cell in given[:MOST]:
        cell = cell if isinstance(cell, dict) else {}
        source, grading = map(cell.get, ("source", "metadata"))
        lines = source if isinstance(source, list) else [source]
        text = "".join(line for line in lines if isinstance(line, str))
        for key in ("nbgrader", "grade_id"):
            grading = grading.get(key) if isinstance(grading, dict) else None
        found.append({
            "name": grading[:100] if isinstance(grading, str) else None,
            "cell_type": "code" if cell.get("cell_type") == "code" else "markdown",
            "source": text.encode("utf-8", "replace").decode(),  # no lone surrogates
        })  # fmt: skip
    if len(given) > MOST or sum(len(cell["source"]) for cell in found) > LONGEST:
        raise ValueError(f"it has more than {MOST:,} cells, or than {LONGEST:,} characters in them")
    return found


def missing_tests(handed_in: list[Cell], source: Notebook) -> list[str]:
    """Return the lab's tests that another version of it lacks, which has others in their place."""
    theirs = {cell["name"] for cell in handed_in if (cell["name"] or "").startswith("test_")}
    ours = [name for name, _, _ in cells(source) if name.startswith("test_")]
    return [name for name in ours if name not in theirs] if theirs - {*ours} else []


def mend(handed_in: list[Cell], source: Notebook) -> list[Cell]:
    """Return the cells to run: those handed in, with the lab's own locked cells.

    The last copy of an answer or a test counts. Other copies run too, as does what a student made
    of a cell that only defines something. Deleted cells are put back, except answers, each right
    before the next one that is there, or else at the end. So tests follow answers that lost their
    names.
    """
    known = {n: (g["locked"], g["grade"], cell | {"name": n}) for n, g, cell in cells(source)}
    last = {cell["name"]: number for number, cell in enumerate(handed_in)}
    made = list[Cell]()
    for number, cell in enumerate(handed_in):
        locked, graded, ours = known.get(cell["name"], (False, False, {}))
        defines = locked and not graded
        counts = ours and (defines or number == last[cell["name"]])
        if not counts or (defines and cell["source"].strip() != ours["source"].strip()):
            made.append(cell | {"name": None})
        if counts:
            made.append(ours if locked else ours | {"source": cell["source"]})
    after = len(made)
    for name, (locked, graded, ours) in reversed(known.items()):
        if name in (names := [cell["name"] for cell in made]):
            after = names.index(name)
        elif locked or graded:
            made.insert(after, ours if locked else ours | {"source": "YOUR ANSWER HERE"})
    return made
