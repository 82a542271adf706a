"""The page of feedback for a notebook: each task, its points, the message, the student's cell."""

import re
from html import escape
from pathlib import Path
from string import Template

from .notebooks import Cell, Notebook, cells, points

PAGE = Template(Path(__file__).with_name("page.html").read_text(encoding="utf-8"))
Says = dict[str, str]
TASK = "<h2>{title} <span>{points}</span></h2>\n{messages}{cells}"
LONGEST = 20_000  # characters of a cell


def make_page(source: Notebook, run: list[Cell], passed: dict[str, bool], says: Says) -> str:
    """Return the page, in HTML. `says` has a sentence for each cell that did not end well."""
    titles, lab = _titles(source)
    worth, by_hand = points(source), points(source, by_hand=True)
    locked = {name for name, grading, _ in cells(source) if grading["locked"]}
    tasks: list[str] = []
    waiting: list[tuple[Cell | None, str]] = []
    for cell in run:
        name, said = cell["name"], says.get(cell.get("where", ""), "")
        if name in worth:
            got = worth[name] if passed.get(name) else 0
            waiting = [(one, "" if got else text) for one, text in waiting] + [(None, said)]
            tasks.append(_task(titles[name], f"{got} of {worth[name]}", waiting))
            waiting = []
        elif name in by_hand:
            points_by_hand = f"{by_hand[name]} points, given by hand"
            tasks.append(_task(titles[name], points_by_hand, [*waiting, (cell, "")]))
            waiting = []
        elif "where" in cell and name not in locked and cell["source"].strip():
            waiting.append((cell, said))
    if waiting:
        tasks.append(_task("Other cells", "", waiting))
    total = sum(worth[name] for name in worth if passed.get(name))
    told = f"{total} of {sum(worth.values())} points from the tests."
    return PAGE.substitute(title=escape(lab), total=told, tasks="\n".join(tasks))


def _titles(source: Notebook) -> tuple[dict[str, str], str]:
    """Return the title of each graded cell, from the heading above it, and that of the lab."""
    headings: dict[str, str] = {}
    lab = heading = ""
    for cell in source["cells"]:
        grading = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "markdown" and not grading:
            found = re.findall(r"^(#+) (.+)$", "".join(cell["source"]), re.M)
            lab = lab or next((text for marks, text in found if marks == "#"), "")
            heading = next((text for marks, text in reversed(found) if marks != "#"), heading)
        elif grading.get("grade"):
            headings[grading["grade_id"]] = heading
    every = list(headings.values())
    return {
        name: text if every.count(text) == 1 else f"{text} ({name.removeprefix('test_')})"
        for name, text in headings.items()
    }, lab


def _task(title: str, points: str, parts: list[tuple[Cell | None, str]]) -> str:
    told = "".join(
        f'<p class="not-yet">{escape(_cut(text, 300))}</p>\n' for _, text in parts if text
    )
    code = "".join(f"<pre>{escape(_cut(one['source']))}</pre>\n" for one, _ in parts if one)
    return TASK.format(title=escape(title), points=escape(points), messages=told, cells=code)


def _cut(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else text[:longest] + " …"
