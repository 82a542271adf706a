"""The notebooks on other corpora: they run and show something."""

import os
import re
from copy import deepcopy
from functools import cache
from pathlib import Path

import make_edition
import nbformat
import pytest
from choose_words import choose_words
from other_corpora import made_up, outputs_on

from wpedu import load_corpus

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = {
    path.stem: nbformat.read(path, as_version=4)
    for path in sorted(FOLDER.glob("*.ipynb"))
    if path.name[:2] in make_edition.EXECUTED
}
LANGUAGES = "fra swe ell_monotonic hin arb tur tha jpn heb vie amh".split()
SETUP = "set WPEDU_DATA to a folder made by datasets/make_udhr.py"


def code_of(notebook) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_loads_its_corpus_once_in_its_first_code_cell(name):
    first, *others = code_of(NOTEBOOKS[name])
    assert first.count(make_edition.LOADING) == 1
    assert "load_corpus(" not in "\n".join(others)


@pytest.mark.long
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_on_another_text(name, tmp_path):
    (tmp_path / "own.txt").write_text(made_up("in Georgian letters"), encoding="utf-8")
    assert any(outputs_on(NOTEBOOKS[name], tmp_path / "own.txt").values())


def test_a_bracket_is_an_error_in_a_text_without_brackets(tmp_path):
    (tmp_path / "own.txt").write_text(made_up("in Georgian letters"), encoding="utf-8")
    shown = outputs_on(NOTEBOOKS["04_regex_encoding"], tmp_path / "own.txt")
    assert "not a regular expression" in shown.values()


def test_beginnings_of_words_are_shown_in_a_script_without_case(tmp_path):
    (tmp_path / "own.txt").write_text(made_up("in Georgian letters"), encoding="utf-8")
    notebook = NOTEBOOKS["02_pair_gains"]
    shown = outputs_on(notebook, tmp_path / "own.txt")
    (worst,) = (shown[i] for i in shown if "starts[-1" in notebook.cells[i].source)
    assert [line[0] for line in worst.splitlines()] == ["▁"] * 5
    assert "lowercase" not in "\n".join(cell.source for cell in notebook.cells)


SPOKEN = [*FOLDER.glob("0[3-6]*.ipynb"), *FOLDER.parent.glob("labs/source/lab[34]*/*.ipynb")]


@pytest.mark.parametrize("path", SPOKEN, ids=lambda path: path.stem)
def test_a_word_has_a_beginning_and_an_end_and_no_left_or_right(path):
    cells = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    assert re.findall(r"left to right|from the (?:left|right)|(?:left|right)most", cells) == []


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
@pytest.mark.parametrize("name", [name for name in NOTEBOOKS if name > "07"])
def test_a_notebook_shows_something_in_each_language(name, language, tmp_path):
    source = Path(os.environ.get("WPEDU_DATA", "nowhere"), "udhr", f"{language}.txt")
    if not source.is_file():
        pytest.skip(f"udhr/{language}.txt is not on this machine: {SETUP}")
    lines = source.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line.partition("\t")[2] for line in lines)
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    notebook = deepcopy(NOTEBOOKS[name])
    choice = choose_words(load_corpus(tmp_path / "text.txt"))
    make_edition.substitute(notebook, name[:2], choice)
    code = nbformat.from_dict({"cells": make_edition.code_cells(notebook)})
    shown = outputs_on(code, tmp_path / "text.txt")
    homers = dict(zip(shown, of_homer(name).values(), strict=True))
    found = {i: problems(homers[i], shown[i]) for i in shown}
    told = [f"cell {i} {', '.join(found[i])}:\n{shown[i][:300]}" for i in found if found[i]]
    assert not told, "\n".join(told)
