"""Each term of docs/glossary.md is introduced by the notebook that it names, and not before."""

import re
from pathlib import Path

import pytest
from test_prose_numbers import NOTEBOOKS, prose_of

PAGE = Path(__file__).parent.parent / "docs" / "glossary.md"
ENTRY = re.compile(r"^- \*\*(.+?)\*\* \(\[(\d\d)\]\(\.\./notebooks/(\w+)\.ipynb\)\): (.+)$", re.M)
ENTRIES = ENTRY.findall(PAGE.read_text(encoding="utf-8"))
# The same letters in another sense, as a pattern.
OTHERWISE = {
    "normalization": "normalization form C",
    "open": "open-sourced|opens it",
    "trie": "tries",
    "Unigram": "unigram model",
}


def prose(name) -> str:
    """Return the prose of a notebook: no code, no links to others, no map, no way back and on."""
    text = re.sub(r"\[[^\]]*\]\([^)]*\.ipynb[^)]*\)|`[^`\n]*`", " ", prose_of(NOTEBOOKS[name]))
    text = re.sub(r"\]\([^)]*\)", "]", text)
    lines = text.splitlines()
    if name.startswith("00"):
        lines = [line for line in lines if not line.startswith("|")]
    return "\n".join(
        line for line in lines if not re.match(r"\W*(?:Previous|Next|This is the)\b", line)
    )


PROSE = {name: prose(name) for name in NOTEBOOKS}


def uses(term) -> list[str]:
    """Return the notebooks that use `term`, or its plural, in order."""
    word = re.compile(rf"(?<![\w-]){re.escape(term)}(?:e?s)?(?!\w)", re.IGNORECASE)
    other = OTHERWISE.get(term, "\0")
    return [name for name, text in PROSE.items() if word.search(re.sub(other, " ", text))]


def sets_apart(term) -> list[str]:
    """Return the notebooks that set `term` in italics, as the series does with a new one."""
    word = re.compile(rf"(?<!\w)\*+{re.escape(term)}(?:e?s)?\*+(?!\w)", re.IGNORECASE)
    return [name for name, text in PROSE.items() if word.search(text)]


def test_the_page_has_nothing_but_entries_each_once_in_alphabetical_order():
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:2] == "- "]
    assert len(lines) == len(ENTRIES) > 40
    terms = [term.lower() for term, *_ in ENTRIES]
    assert terms == sorted(set(terms))


@pytest.mark.parametrize("term, number, name, _", ENTRIES, ids=[entry[0] for entry in ENTRIES])
def test_a_term_is_introduced_by_the_notebook_that_the_glossary_names(term, number, name, _):
    assert name.startswith(number)
    assert uses(term)[:1] == [name]
    assert sets_apart(term)[:1] in ([], [name])
