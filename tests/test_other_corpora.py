"""The notebooks on other corpora: they run and show something, and name Homer where he is meant."""

import os
import re
from functools import cache
from pathlib import Path

import make_edition
import nbformat
import pytest
from other_corpora import made_up, outputs_on
from prose_numbers import CODE_SPAN, shown, stated

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = {
    path.stem: nbformat.read(path, as_version=4)
    for path in sorted(FOLDER.glob("*.ipynb"))
    if path.name[:2] in make_edition.EXECUTED
}
LANGUAGES = "fra swe ell_monotonic hin arb tur tha jpn".split()
# An English example, true whatever the corpus is.
GENERAL = ("in `the son of the king`, the subword",)
SETUP = "set WPEDU_DATA to a folder made by datasets/make_udhr.py"


def code_of(notebook) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def saved(notebook) -> str:
    """Return the text of all outputs that are saved."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "\n".join(
        output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs
    )


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_loads_its_corpus_once_in_its_first_code_cell(name):
    first, *others = code_of(NOTEBOOKS[name])
    assert first.count(make_edition.LOADING) == 1
    assert "load_corpus(" not in "\n".join(others)


# What only Homer's outputs show, in paragraphs that do not name him


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{2,}", text))


def unnamed(prose: list[str], code: str, homers: str, others: str) -> list[str]:
    """Return the parts of `prose` with a word or a number of Homer's alone, but not his name."""
    his_words = words(homers) - words(others) - words(code)
    numbers = shown(others) | shown(code)
    found = []
    for part in (part[0] for text in prose for part in make_edition.PART.finditer(text)):
        for phrase in GENERAL:
            part = part.replace(phrase, "")
        spans = " ".join(span[2] for span in CODE_SPAN.finditer(part))
        his_numbers = [
            number.text
            for number in stated(part)
            if number.is_among(shown(homers)) and not number.is_among(numbers)
        ]
        if (words(spans) & his_words or his_numbers) and not make_edition.HOMER.search(part):
            found.append(f"{words(spans) & his_words or his_numbers} in: {part}")
    return found


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_paragraph_about_homers_outputs_names_him(name, tmp_path):
    (tmp_path / "own.txt").write_text(made_up("in Georgian letters"), encoding="utf-8")
    notebook = NOTEBOOKS[name]
    others = "\n".join(outputs_on(notebook, tmp_path / "own.txt").values())
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    advice = "name Homer in these paragraphs, or put them in general terms:"
    found = unnamed(prose, "\n".join(code_of(notebook)), saved(notebook), others)
    assert not found, "\n".join([advice, *found])


def test_the_general_examples_are_in_the_notebooks():
    prose = "".join(cell.source for notebook in NOTEBOOKS.values() for cell in notebook.cells)
    assert [phrase for phrase in GENERAL if phrase not in prose] == []


@pytest.mark.parametrize("part", ["The best is `▁the`.", "- It has 10,319 words.", "So: `the`."])
def test_a_paragraph_that_does_not_name_homer_is_found(part):
    code, homers, others = "tokens = 77", "the 10,319", "და 301"
    assert len(unnamed([f"77 tokens.\n\n{part}"], code, homers, others)) == 1
    assert unnamed([f"{part} In Homer."], code, homers, others) == []
    assert unnamed([part], code + homers, homers, others) == []


# The Declaration of Human Rights


@cache
def of_homer(name: str) -> dict[int, str]:
    return outputs_on(NOTEBOOKS[name])


def problems(homers: str, others: str) -> list[str]:
    """Return how the output of a cell falls short of Homer's."""
    found = []
    empty = r"\[\]|\(\)|\{\}|''|set\(\)|None|\s*"
    if re.fullmatch(empty, others) and not re.fullmatch(empty, homers):
        found.append("shows nothing")
    if re.search(r"Empty DataFrame|\bnan\b|\binf\b", others, re.IGNORECASE):
        found.append("shows no number")
    if ("[UNK]" in others) != ("[UNK]" in homers):
        found.append("shows [UNK] where Homer's does not, or the other way around")
    items, homer_items = (re.findall(r"'[^']+'", text) for text in (others, homers))
    if len(set(homer_items)) > 2 and len(set(items)) == 1:
        found.append("shows fewer than two things")
    return found


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_shows_something_in_each_language(name, language, tmp_path):
    source = Path(os.environ.get("WPEDU_DATA", "nowhere"), "udhr", f"{language}.txt")
    if not source.is_file():
        pytest.skip(f"udhr/{language}.txt is not on this machine: {SETUP}")
    lines = source.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line.partition("\t")[2] for line in lines)
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    shown, homers = outputs_on(NOTEBOOKS[name], tmp_path / "text.txt"), of_homer(name)
    found = {i: problems(homers[i], shown[i]) for i in shown}
    told = [f"cell {i} {', '.join(found[i])}:\n{shown[i][:300]}" for i in found if found[i]]
    assert not told, "\n".join(told)


@pytest.mark.parametrize("homers, others", [
    ("['a', 'b', 'c']", "[]"), ("['a', 'b', 'c']", "['x']"), ("a|b", "[UNK]|b"),
    ("(['a'], ['[UNK]'])", "(['a'], ['b'])"), ("1.5", "nan"),
])  # fmt: skip
def test_an_empty_unknown_or_degenerate_output_is_found(homers, others):
    assert len(problems(homers, others)) == 1
    assert problems(homers, homers) == []
