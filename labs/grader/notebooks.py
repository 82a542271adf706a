"""Submissions as nbgrader expects them: each cell matched with the lab's own."""

import difflib
import json
import re
from typing import Any

MOST = 1_000  # cells of a notebook
LONGEST = 2_000_000  # characters in all cells

Cell = dict[str, Any]


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
                "id": name if isinstance(name, str) else None,
            }
        )
    if sum(len(cell["source"]) for cell in found) > LONGEST:
        raise ValueError(f"it has more than {LONGEST:,} characters in its cells")
    return found


def match(cells: list[Cell], released: Any) -> list[str]:
    """Give cells that lost their ids the ids of the lab's cells in the same place.

    A place is known by the cells around it whose ids or texts have not changed. Return the ids
    that were given.
    """
    known = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in released.cells]
    there = {cell["id"] for cell in cells} & {name for name in known if name}
    if all(name in there for name in known if name):
        return []

    def key(name: str | None, kind: str, source: str) -> str:
        return name if name in there else f"{kind} {' '.join(source.split())}"

    want = [key(n, c.cell_type, c.source) for n, c in zip(known, released.cells)]
    have = [key(c["id"], c["cell_type"], c["source"]) for c in cells]
    given = []
    for what, a, b, c, d in difflib.SequenceMatcher(None, want, have, False).get_opcodes():
        missing = [i for i in range(a, b) if known[i] and known[i] not in there]
        free = [
            i for i in range(c, d) if cells[i]["id"] not in there and cells[i]["source"].strip()
        ]
        if what == "equal":
            pairs = [(a + n, c + n) for n in range(b - a) if a + n in missing]
        else:
            pairs = _pair(missing, free, released, cells)
        for i, j in pairs:
            cells[j]["id"] = known[i]
            given.append(known[i])
    return given


def _pair(
    missing: list[int], free: list[int], released: Any, cells: list[Cell]
) -> list[tuple[int, int]]:
    """Return which of the lab's cells, in one gap, matches which cell handed in."""
    pairs = []
    for i in list(missing):  # first by the functions or names that both define
        defined = _defined(released.cells[i].source)
        fits = [j for j in free if defined and defined <= _defined(cells[j]["source"])]
        if fits:
            pairs.append((i, fits[-1]))
            missing.remove(i)
            free.remove(fits[-1])
    for kind in ("code", "markdown"):
        of_lab = [i for i in missing if released.cells[i].cell_type == kind]
        answers = [i for i in of_lab if not released.cells[i].metadata.nbgrader.locked]
        handed_in = [j for j in free if cells[j]["cell_type"] == kind]
        for some in (of_lab, answers):  # whose tests may have been deleted
            if some and len(some) == len(handed_in):
                pairs += zip(some, handed_in)
                break
    return pairs


def _defined(source: str) -> set[str]:
    return set(re.findall(r"^(?:def +(\w+)|class +(\w+))", source, re.M))


def mend(cells: list[Cell], source: Any) -> Any:
    """Return a notebook with these cells, as nbgrader expects it.

    What a cell is, and how many points it is worth, comes from the source. If there are copies of a
    cell, the last one counts, and the others run. Deleted cells are put back, except answers.
    """
    from nbformat import v4

    known = {cell.metadata.nbgrader.grade_id: cell for cell in graded_cells(source)}
    made: list[Any] = []
    places: dict[str, Any] = {}
    for cell in cells:
        name = cell["id"]
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
