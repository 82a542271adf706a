"""The page of questions: every number is an output, and every cell exists."""

import doctest
import re
import sys
from html import unescape

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
SHARES = 0.9**0.7, 0.1**0.7  # https://github.com/google-research/bert/blob/master/multilingual.md
RULE = 75, 100  # words, tokens: OpenAI's rule of thumb, linked in the answer
COMPUTED = {
    "balance-languages": {0.7, 0.9, 0.1, *(share / sum(SHARES) for share in SHARES)},
    "thousand-words": {*RULE, 9, 1000, round(1000 * RULE[1] / RULE[0])},
}
PASTED = {
    "typos": ("soooo cooool 2000 XVIII www ...", "soo cool 2000 XVIII www ..."),
    "split-digits": ("in 2026, at 3.5", "in  2  0  2  6 , at  3 . 5 "),
    "code": ("getUserName, utf8Decoder, snake_case", "get User Name, utf8 Decoder, snake_case"),
    "smiles": ("C[C@@H](Cl)Br", ["C", "[C@@H]", "(", "Cl", ")", "Br"]),
    "addresses": ("(http://a.b/c/), or: me@a.b.", "(address), or: address."),
}
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
    known = numbers_of(notebook) | COMPUTED.get(address, set())
    rows = [(by, text) for row in question["show"] for by, text in row.items() if by != "note"]
    known |= {len(cut(text)) for by, text in rows if (cut := ask.tokenizers().get(by))}
    facts = " ".join([*(fact["text"] for fact in FACTS), *(text for _, text in rows)])
    notes = " ".join(shown.get("note", "") for shown in question["show"])
    numbers = [n for text in (question["answer"], notes) for n in stated(text)]
    loose = [n.text for n in numbers if not n.is_among(known) and n.text not in facts]
    assert loose == []
    assert ask.fold(question).count('class="toks"') == len(question["show"])


@pytest.mark.parametrize("address", PASTED)
def test_code_to_paste_does_what_the_answer_says(address):
    code = re.search(r"<code>(re\..+?)</code>", ask.to_html(QUESTIONS[address]["answer"]))[1]
    text, expected = PASTED[address]
    names = {"re": re, "text": text, "code": text, "smiles": text}
    assert eval(unescape(code), names) == expected
