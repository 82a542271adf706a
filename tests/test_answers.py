"""Every question under "Your turn" has an answer, saved executed and as clean as a notebook."""

import re

import nbformat
import pytest
from test_notebooks import FOLDER, NAMES, problems
from test_prose_numbers import FACTS, NOTEBOOKS, untied

ANSWERS = FOLDER.parent / "labs" / "answers"


def read(name):
    return nbformat.read(ANSWERS / f"{name}.ipynb", as_version=4)


def prose(notebook) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]


def questions(name) -> list[str]:
    """Return the questions at the end of a notebook of the series."""
    (part,) = re.findall(r"^## Your turn\n(.*)", "\n".join(prose(NOTEBOOKS[name])), re.M | re.S)
    return re.findall(r"^\d+\. (.*)$", part, re.MULTILINE)


def test_each_notebook_has_its_answers():
    assert sorted(path.stem for path in ANSWERS.glob("*.ipynb")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_question_is_quoted_and_answered_in_code_and_a_sentence(name):
    cells = read(name).cells
    heads = [i for i, cell in enumerate(cells) if cell.source.startswith("## ")]
    quoted = [cells[i].source for i in heads]
    assert quoted == [f"## {i}\n\n> {text}" for i, text in enumerate(questions(name), 1)]
    for start, end in zip(heads, [*heads[1:], len(cells)]):
        kinds = [cell.cell_type for cell in cells[start + 1 : end]]
        assert "code" in kinds
        assert kinds[-1] == "markdown"


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_saved_executed_and_clean(name):
    notebook = read(name)
    nbformat.validate(notebook)
    assert problems(notebook) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_in_answers_are_computed(name):
    notebook = read(name)
    for cell in notebook.cells:  # the questions' numbers are held in their notebook
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"^## \d\n\n> .*$", "", cell.source, flags=re.MULTILINE)
    assert untied(name, notebook, NOTEBOOKS, FACTS) == []
