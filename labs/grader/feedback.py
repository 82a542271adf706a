"""The page of feedback for a notebook: each task, its points, the message, the student's cell."""

import re
from html import escape
from typing import Any

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 1rem/1.5 sans-serif; margin: 2rem auto; max-width: 50rem; padding: 0 1rem }}
h2 {{ border-top: 1px solid #888; font-size: 1.1rem; padding-top: 1rem }}
h2 span {{ float: right }}
pre {{ background: #f4f4f4; color: #111; overflow-x: auto; padding: .5rem }}
.not-yet {{ border-left: .3rem solid #b00; padding-left: .7rem; white-space: pre-wrap }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{total}</p>
{tasks}
</body>
</html>
"""
TASK = "<h2>{title} <span>{points}</span></h2>\n{messages}{cells}"
LONGEST = 20_000  # characters of a cell


def make_page(source: Any, executed: Any, points: dict[str, tuple[float, float]]) -> str:
    """Return the page, in HTML. `points` has the points and the maximum of each test."""
    titles, lab = _titles(source)
    tasks, waiting = [], []
    for cell in executed.cells:
        grading = cell.metadata.get("nbgrader", {})
        name = grading.get("grade_id")
        if name in points:  # a test
            got, of = points[name]
            waiting = waiting if got < of else [(c, "") for c, _ in waiting]
            message = _message(cell) if got < of else ""
            tasks.append(_task(titles[name], f"{got:g} of {of:g}", [*waiting, (None, message)]))
            waiting = []
        elif grading.get("grade") and name in titles:
            worth = f"{grading['points']:g} points, given by hand"
            tasks.append(_task(titles[name], worth, [*waiting, (cell, "")]))
            waiting = []
        elif cell.cell_type == "code" and not grading.get("locked") and cell.source.strip():
            waiting.append((cell, _message(cell)))
    if waiting:
        tasks.append(_task("Other cells", "", waiting))
    got, of = (sum(column) for column in zip(*points.values(), strict=True))
    total = f"{got:g} of {of:g} points from the tests."
    return PAGE.format(title=escape(lab), total=total, tasks="\n".join(tasks))


def _titles(source: Any) -> tuple[dict[str, str], str]:
    """Return the title of each graded cell, from the heading above it, and that of the lab."""
    headings: dict[str, str] = {}
    lab = heading = ""
    for cell in source.cells:
        grading = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "markdown" and not grading:
            found = re.findall(r"^(#+) (.+)$", cell.source, re.M)
            lab = lab or next((text for marks, text in found if marks == "#"), "")
            heading = next((text for marks, text in reversed(found) if marks != "#"), heading)
        elif grading.get("grade"):
            headings[grading["grade_id"]] = heading
    every = list(headings.values())
    return {
        name: text if every.count(text) == 1 else f"{text} ({name.removeprefix('test_')})"
        for name, text in headings.items()
    }, lab


def _task(title: str, points: str, parts: list[tuple[Any, str]]) -> str:
    messages = "".join(f'<p class="not-yet">{escape(text)}</p>\n' for _, text in parts if text)
    cells = "".join(f"<pre>{escape(_cut(cell.source))}</pre>\n" for cell, _ in parts if cell)
    return TASK.format(title=escape(title), points=escape(points), messages=messages, cells=cells)


def _message(cell: Any) -> str:
    """Return the message to the student about a cell that ended with an error, or ""."""
    for out in cell.get("outputs", ()):
        if out.output_type == "error":
            text = re.sub(r"\x1b\[[0-9;]*m", "", str(out.evalue))
            plain = out.ename in ("AssertionError", "TimedOut", "TooMuchOutput", "NotRunToItsEnd")
            text = text if plain else f"{out.ename}: {text}".removesuffix(": ")
            under = "\n" + " " * len("AssertionError: ")  # as it is printed in the notebook
            return _cut(text.replace(under, "\n"), 2_000)
    warned = [o.text for o in cell.get("outputs", ()) if o.get("name") == "stderr"]
    return _cut("A test must print no warning: " + "".join(warned), 2_000) if warned else ""


def _cut(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else text[:longest] + " …"
