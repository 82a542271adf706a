"""The page of questions: every number is an output, and every cell exists."""

import doctest
import re
import sys

import nbformat
import pytest
from prose_numbers import stated
from test_notebooks import FOLDER
from test_prose_numbers import FACTS, numbers_of

ROOT = FOLDER.parent
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import ask  # noqa: E402
import search  # noqa: E402

QUESTIONS = {question["id"]: question for question in ask.questions()}
KEYS = {"id", "topic", "ask", "also", "show", "answer", "cell", "threads"}


def test_the_docstrings_show_what_happens():
    assert doctest.testmod(ask).failed == doctest.testmod(search).failed == 0


def test_there_are_forty_questions_with_addresses_of_their_own():
    assert len(QUESTIONS) == len(ask.questions()) >= 40
    assert all(re.fullmatch(r"[a-z0-9-]+", address) for address in QUESTIONS)


@pytest.mark.parametrize("address", QUESTIONS)
def test_a_question_is_complete_and_its_numbers_are_outputs(address):
    question = QUESTIONS[address]
    assert question.keys() == KEYS
    assert question["ask"].endswith("?")
    assert question["threads"]
    assert all(re.match(r"https://\S+$", thread) for thread in question["threads"])
    page, _ = ask.cell_of(question["cell"])
    notebook = nbformat.read(ROOT / f"{page}.ipynb", as_version=4)
    known = numbers_of(notebook)
    pictured = [text for row in question["show"] for by, text in row.items() if by != "note"]
    facts = " ".join([*(fact["text"] for fact in FACTS), *pictured])
    notes = " ".join(shown.get("note", "") for shown in question["show"])
    numbers = [n for text in (question["answer"], notes) for n in stated(text)]
    loose = [n.text for n in numbers if not n.is_among(known) and n.text not in facts]
    assert loose == []
    assert ask.fold(question).count('class="toks"') == len(question["show"])
