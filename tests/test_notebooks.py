"""The notebooks are saved executed, in order, and with nothing of the machine in them.

nbval compares the outputs that are there, so it passes a cell that was never run. This does not.
"""

import re
import sys
from itertools import takewhile
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)

sys.path.insert(0, str(FOLDER))
from execute import (  # noqa: E402
    FOLDED,
    METADATA,
    NOTHING,
    SITE,
    WIDGET,
    is_folded,
    linked,
)

NAMES = [path.stem for path in NOTEBOOKS]
MOST = {"cells": 55, "lines of code": 220, "words": 1_700, "lines in a cell": 20}

PATH = re.compile(
    r"/(?:home|Users|root|tmp|var|work|opt|usr|mnt)/|[A-Z]:\\\\|\bat 0x[0-9a-fA-F]{6,}"
)
TIMING = re.compile(
    r"\b\d+(?:\.\d+)? ?(?:ns|us|µs|μs|ms|s|sec|secs|seconds?|minutes?)\b|Wall time|CPU times|it/s\b"
)


def problems(notebook) -> list[str]:
    """Return what is wrong with a saved notebook, a sentence each."""
    found = []
    if notebook.metadata != METADATA:
        found.append("the metadata are not normalized")
    for i, cell in enumerate(notebook.cells):
        allowed = [{}, FOLDED] if cell.cell_type == "code" else [{}]
        if cell.id != f"cell-{i}" or cell.metadata not in allowed:
            found.append(f"cell {i} is not normalized")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code, 1):
        if cell.execution_count is None:
            found.append(f"code cell {number} was not executed")
        elif cell.execution_count != number:
            found.append(f"code cell {number} was executed out of order")
        if re.search(r"NBVAL_|PYTEST_VALIDATE", cell.source):
            found.append(f"code cell {number} is not compared")
        if is_folded(cell) and cell.outputs[:1] != [NOTHING]:
            found.append(f"code cell {number} has no empty output to be folded behind")
        for output in cell.outputs:
            found += [f"code cell {number} {problem}" for problem in output_problems(output)]
    return found


def output_problems(output) -> list[str]:
    if output.output_type == "error":
        return ["ends in an error"]
    if output.get("name") == "stderr":
        return ["writes to stderr"]
    data = output.get("data", {"text/plain": output.get("text", "")})
    texts = " ".join(text for kind, text in data.items() if kind.startswith("text/"))
    texts = re.sub(r"data:image/[^\"]*", "", texts)
    found = []
    if WIDGET in data or "\r" in texts:
        found.append("saves a progress bar")
    if PATH.search(texts):
        found.append("shows a path or an address of the machine")
    if TIMING.search(texts):
        found.append("shows a timing")
    images = re.findall(r"<img\b[^>]*>", data.get("text/html", ""))
    described = all(re.search(r'\balt="[^"]', image) for image in images)
    # JupyterLab and nbconvert show an `image/…` without the description in its metadata.
    if not described or any(kind.startswith("image/") for kind in data):
        found.append("shows a picture without alt text")
    return found


@each
def test_notebook_is_saved_executed_and_clean(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert problems(notebook) == []


def size(notebook) -> dict[str, int]:
    """Return how much there is to read: empty lines are no code, and signs no words."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    words = re.sub(r"\]\([^)]*\)", "] ", "\n".join(prose)).split()
    return {
        "cells": len(notebook.cells),
        "lines of code": sum(bool(line.strip()) for lines in code for line in lines.splitlines()),
        "words": sum(bool(re.search(r"\w", word)) for word in words),
        "lines in a cell": max((len(lines.splitlines()) for lines in code), default=0),
    }


@each
def test_a_notebook_is_one_sitting(path):
    found = size(nbformat.read(path, as_version=4))
    assert {what: number for what, number in found.items() if number > MOST[what]} == {}


HEADING = re.compile(r"(#+) (.*)")
NOT_COUNTED = re.compile(r"Optional: |Your turn$")


def counted(notebook):
    """Return the notebook without the sections whose time is not counted.

    A section starts at its heading and ends before the next one of the same or a higher level.
    """
    cells, skipped = [], 0
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cells += [] if skipped else [cell]
            continue
        kept = []
        for line in cell.source.splitlines():
            heading = HEADING.match(line)
            if heading and (not skipped or len(heading[1]) <= skipped):
                skipped = len(heading[1]) if NOT_COUNTED.match(heading[2]) else 0
            kept += [] if skipped else [line]
        cells.append(new_markdown_cell("\n".join(kept)))
    return new_notebook(cells=cells)


def estimated_minutes(notebook) -> float:
    """Return the minutes to read `notebook` and run it, at 150 words a minute."""
    notebook = counted(notebook)
    found = size(notebook)
    code_cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    return found["words"] / 150 + 0.2 * found["lines of code"] + 0.3 * code_cells


def stated_minutes(notebook) -> int:
    sources = "\n".join(cell.source for cell in notebook.cells)
    (minutes,) = re.findall(r"^Time: (\d+) minutes", sources, re.MULTILINE)
    return int(minutes)


@pytest.mark.parametrize("stem", [*NAMES[:7], "13_what_do_todays_models_use"])
def test_a_notebook_of_the_walk_takes_no_longer_than_it_says(stem):
    notebook = nbformat.read(FOLDER / f"{stem}.ipynb", as_version=4)
    assert estimated_minutes(notebook) <= stated_minutes(notebook)


def links(source) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", source)


ASKED = re.compile(r"before you run|predict\b|make a guess|what do you expect", re.IGNORECASE)


def unfolded(notebook) -> list[str]:
    """Return what asks the reader for a prediction, and shows the answer beside the question."""
    found, cells = [], notebook.cells
    for i, cell in enumerate(cells):
        if cell.cell_type == "markdown" and ASKED.search(cell.source):
            answers = list(takewhile(lambda cell: cell.cell_type == "code", cells[i + 1 :]))
            if answers and not any(is_folded(answer) for answer in answers):
                found.append(cell.source)
    return found


@each
def test_what_settles_a_prediction_is_folded(path):
    assert unfolded(nbformat.read(path, as_version=4)) == []


@each
def test_the_last_cell_leads_back_on_and_to_the_map(path):
    last = nbformat.read(path, as_version=4).cells[-1]
    place = NAMES.index(path.stem)
    near = NAMES[max(0, place - 1) : place] + NAMES[place + 1 : place + 2] + NAMES[: place > 0]
    assert {f"{name}.ipynb" for name in near} <= set(links(last.source))


@each
def test_the_last_cell_leads_to_the_answers_and_to_the_lab(path):
    readme = (FOLDER.parent / "labs" / "README.md").read_text(encoding="utf-8")
    labs = re.findall(r"^\| \[\d · .*?\]\((\S+)\) \| ([\d, ]+?) \|", readme, re.MULTILINE)
    assert len(labs) == 6
    own = {f"../labs/{lab}" for lab, after in labs if path.stem[:2] in after.split(", ")}
    last = nbformat.read(path, as_version=4).cells[-1]
    assert own | {f"../labs/answers/{path.name}"} <= set(links(last.source))


@each
def test_links_to_files_lead_somewhere(path):
    cells = nbformat.read(path, as_version=4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    local = {re.split("[?#]", link)[0] for link in links(prose) if not re.match(r"\w+:|#", link)}
    assert [link for link in sorted(local) if not (FOLDER / link).exists()] == []


def test_notebooks_and_readme_link_to_the_site_where_its_address_is_set():
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    cells = [c.source for p in NOTEBOOKS for c in nbformat.read(p, as_version=4).cells]
    for text in [readme, "\n\n".join(cells)]:
        assert linked(text, SITE) == text
        there = linked(text, "https://x.org")
        assert there.count("](https://x.org") > 0
        assert linked(there, None) == linked(text, None)


def test_the_folded_solution_of_05_passes_the_check_above_it():
    cells = nbformat.read(FOLDER / "05_loop_encoding.ipynb", as_version=4).cells
    stub = next(i for i, cell in enumerate(cells) if "def my_tokenize" in cell.source)
    (solution,) = re.findall(r"```python\n(.*?)```", cells[stub + 1].source, re.DOTALL)
    check = cells[stub].source.partition("return []")[2]
    check = check.replace("cuts ==", "right = cuts ==").replace("my_tokenize", "subword_tokenize")
    found = {}
    exec(solution + check, found)
    assert found["right"]
