"""Notebooks as plain JSON, and each cell of a submission matched with the lab's own."""

import json
import re
from collections.abc import Iterator
from typing import Any

MOST = 1_000  # cells of a notebook
LONGEST = 2_000_000  # characters in all cells

Cell = dict[str, Any]
Notebook = dict[str, Any]


def cells(notebook: Notebook) -> Iterator[tuple[str, dict[str, Any], Cell]]:
    """Yield the name, the nbgrader metadata and the cell of each cell that nbgrader knows."""
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
        grading = cell["metadata"].get("nbgrader")
        if grading:
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
    try:
        content = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError, MemoryError):
        raise ValueError("it is not JSON, or too large to be read") from None
    cells = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list) or not cells:
        raise ValueError("it has no cells")
    if len(cells) > MOST:
        raise ValueError(f"it has more than {MOST:,} cells")
    found = []
    for cell in cells:
        cell = cell if isinstance(cell, dict) else {}
        source, metadata = cell.get("source"), cell.get("metadata")
        lines = source if isinstance(source, list) else [source]
        text = "".join(line for line in lines if isinstance(line, str))
        grading = metadata.get("nbgrader") if isinstance(metadata, dict) else None
        name = grading.get("grade_id") if isinstance(grading, dict) else None
        one = {"cell_type": cell.get("cell_type"), "id": cell.get("id")}
        one["source"] = text.encode("utf-8", "replace").decode()  # no lone surrogates
        found.append(one | {"name": name if isinstance(name, str) else None})
    if sum(len(cell["source"]) for cell in found) > LONGEST:
        raise ValueError(f"it has more than {LONGEST:,} characters in its cells")
    return found


def missing_tests(handed_in: list[Cell], released: Notebook) -> list[str]:
    """Return the lab's tests that another version of it lacks, which has others in their place."""
    theirs = {cell["name"] for cell in handed_in if (cell["name"] or "").startswith("test_")}
    ours = [name for name, _, _ in cells(released) if name.startswith("test_")]
    return [name for name in ours if name not in theirs] if theirs - {*ours} else []


def match(handed_in: list[Cell], released: Notebook) -> list[str]:
    """Give cells that lost their names those of the lab's cells; return the names that were given.

    A cell is known by its id in the file, its text, or what it defines.
    """
    names = {name for name, _, _ in cells(released)}
    given = []
    for name, _, cell in cells(released):
        free = [one for one in handed_in if one["name"] not in names and one["source"].strip()]
        defined = _defined(cell["source"])
        fits = [one for one in free if one["id"] and one["id"] == cell.get("id")]
        fits = fits or [one for one in free if one["source"].split() == cell["source"].split()]
        fits = fits or [one for one in free if defined and defined <= _defined(one["source"])]
        if fits and all(one["name"] != name for one in handed_in):
            fits[-1]["name"] = name
            given.append(name)
    return given


def _defined(source: str) -> set[str]:
    return {a or b for a, b in re.findall(r"^(?:def|class) +(\w+)|^(\w+) *=", source, re.M)}


def mend(handed_in: list[Cell], source: Notebook) -> list[Cell]:
    """Return the cells to run: those handed in, with the lab's own locked cells.

    If there are copies of a cell, the last one counts, and the others run. Deleted cells are put
    back, except answers.
    """
    known = {name: (grading, cell) for name, grading, cell in cells(source)}
    made: list[Cell] = []
    places: dict[str, Cell] = {}
    for cell in handed_in:
        name = cell["name"]
        kind = known[name][1]["cell_type"] if name in known else cell["cell_type"]
        made.append({"cell_type": kind, "source": cell["source"], "name": None})
        if name in known:
            places[name] = made[-1]
    before = -1
    for name, (grading, cell) in known.items():
        if name not in places and (grading["locked"] or grading["grade"]):
            places[name] = {"cell_type": cell["cell_type"], "source": "YOUR ANSWER HERE"}
            made.insert(before + 1, places[name])
        if name in places:
            places[name]["name"] = name
            if grading["locked"]:
                places[name]["source"] = cell["source"]
            before = next(i for i, one in enumerate(made) if one is places[name])
    return made
