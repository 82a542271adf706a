"""The page of feedback for a notebook: each task, its points, the message, the student's cell."""

import re
from pathlib import Path
from typing import Any

from jinja2 import Template

from .notebooks import Cell, Notebook, cells, points

PAGE = Template(Path(__file__).with_name("page.html").read_text("utf-8"), autoescape=True)


def make_page(source: Notebook, run: list[Cell], says: dict[int, str]) -> str:
    """Return the page, in HTML. `says` has a sentence for each cell of `run`, "" if it ended well.

    A task is what comes before its test, or before what a person grades.
    """
    lab, titles = _titles(source)
    worth, more = points(source), points(source, by_hand=True)
    locked = {name for name, grading, _ in cells(source) if grading["locked"]}
    tasks, shown, told = list[dict[str, Any]](), list[str](), list[str]()
    for number, cell in enumerate(run):
        name, text = cell["name"], cell["source"]
        if name not in locked and (name in more or (cell["cell_type"] == "code" and text.strip())):
            shown.append(text)
        told.append(says.get(number, ""))
        if name in titles:
            got = worth.get(name, 0) if says.get(number) == "" else 0
            told = [] if got else [*filter(None, told)]
            if name in worth and number not in says:
                told.append("This was not run: the notebook was stopped before.")
            tasks.append({"name": name, "got": got, "told": told, "cells": shown})
            shown, told = [], []
    return PAGE.render(title=lab, titles=titles, worth=worth, more=more, tasks=tasks)


def _titles(source: Notebook) -> tuple[str, dict[str, str]]:
    """Return the title of the lab, and of each graded cell the heading above it and its name."""
    headings, lab, heading = dict[str, str](), "", ""
    for cell in source["cells"]:
        grading = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "markdown" and not grading:
            for marks, text in re.findall(r"^(#+) (.+)$", cell["source"], re.M):
                lab, heading = (text, heading) if marks == "#" else (lab, text)
        elif grading.get("grade"):
            name = grading["grade_id"]
            headings[name] = f"{heading} ({name.removeprefix('test_')})"
    return lab, headings
