"""Notebooks as plain JSON, and each cell of a submission matched with the lab's own."""

import difflib
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
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
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
        found.append(
            {
                "cell_type": cell.get("cell_type"),
                "source": text.encode("utf-8", "replace").decode(),  # no lone surrogates
                "name": name if isinstance(name, str) else None,
            }
        )
    if sum(len(cell["source"]) for cell in found) > LONGEST:
        raise ValueError(f"it has more than {LONGEST:,} characters in its cells")
    return found


def missing_tests(handed_in: list[Cell], released: Notebook) -> list[str]:
    """Return the lab's tests that another version of it lacks, which has others in their place."""
    theirs = {cell["name"] for cell in handed_in if (cell["name"] or "").startswith("test_")}
    ours = [name for name, _, _ in cells(released) if name.startswith("test_")]
    return [name for name in ours if name not in theirs] if theirs - {*ours} else []


def match(handed_in: list[Cell], released: Notebook) -> list[str]:
    """Give cells that lost their ids the ids of the lab's cells in the same place.

    A place is known by the cells around it whose ids or texts have not changed. Return the ids
    that were given.
    """
    names = {id(cell): name for name, _, cell in cells(released)}
    known = [names.get(id(cell)) for cell in released["cells"]]
    there = {cell["name"] for cell in handed_in} & {name for name in known if name}
    if all(name in there for name in known if name):
        return []

    def key(name: str | None, kind: str, source: str) -> str:
        return name if name in there else f"{kind} {' '.join(source.split())}"

    want = [key(n, c["cell_type"], "".join(c["source"])) for n, c in zip(known, released["cells"])]
    have = [key(c["name"], c["cell_type"], c["source"]) for c in handed_in]
    given = []
    for what, a, b, c, d in difflib.SequenceMatcher(None, want, have, False).get_opcodes():
        missing = [i for i in range(a, b) if known[i] and known[i] not in there]
        free = [
            i
            for i in range(c, d)
            if handed_in[i]["name"] not in there and handed_in[i]["source"].strip()
        ]
        if what == "equal":
            pairs = [(a + n, c + n) for n in range(b - a) if a + n in missing]
        else:
            pairs = _pair(missing, free, released["cells"], handed_in)
        for i, j in pairs:
            handed_in[j]["name"] = known[i]
            given.append(known[i])
    return given


def _pair(
    missing: list[int], free: list[int], released: list[Cell], handed_in: list[Cell]
) -> list[tuple[int, int]]:
    """Return which of the lab's cells, in one gap, matches which cell handed in."""
    pairs = []
    for i in list(missing):  # first by the functions or names that both define
        defined = _defined(released[i]["source"])
        fits = [j for j in free if defined and defined <= _defined(handed_in[j]["source"])]
        if fits:
            pairs.append((i, fits[-1]))
            missing.remove(i)
            free.remove(fits[-1])
    for kind in ("code", "markdown"):
        of_lab = [i for i in missing if released[i]["cell_type"] == kind]
        answers = [i for i in of_lab if not released[i]["metadata"]["nbgrader"]["locked"]]
        theirs = [j for j in free if handed_in[j]["cell_type"] == kind]
        for some in (of_lab, answers):  # whose tests may have been deleted
            if some and len(some) == len(theirs):
                pairs += zip(some, theirs)
                break
    return pairs


def _defined(source: str) -> set[str]:
    return set(re.findall(r"^(?:def +(\w+)|class +(\w+))", source, re.M))


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
