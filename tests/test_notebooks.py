"""The notebooks are saved executed, in order, and with nothing of the machine in them.

nbval compares the outputs that are there, so it passes a cell that was never run. This does not.
"""

import ast
import copy
import re
import sys
from collections import defaultdict
from itertools import takewhile
from pathlib import Path

import nbformat
import pytest

from wpedu import load_corpus

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

sys.path.insert(0, str(FOLDER))
from execute import FOLDED, METADATA, WIDGET, is_folded, normalize  # noqa: E402

NAMES = [
    "00_start_here",
    "01_pretokenization",
    "02_pair_gains",
    "03_merge_training",
    "04_regex_encoding",
    "05_loop_encoding",
    "06_bert_prefixes",
    "07_real_bert",
    "08_which_score",
    "09_published_claims",
    "10_speed_and_scale",
    "11_was_bert_merged",
]
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


def test_the_notebooks_are_those_of_the_series():
    assert [path.stem for path in NOTEBOOKS] == NAMES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
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
        "lines in a cell": max(len(lines.splitlines()) for lines in code),
    }


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_one_sitting(path):
    found = size(nbformat.read(path, as_version=4))
    assert {what: number for what, number in found.items() if number > MOST[what]} == {}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_most_cells_are_short(path):
    cells = nbformat.read(path, as_version=4).cells
    lines = [cell.source.count("\n") + 1 for cell in cells if cell.cell_type == "code"]
    assert sorted(lines)[len(lines) // 2] <= 8


def defined(notebook) -> set[str]:
    """Return the functions and classes that the cells of `notebook` define."""
    kinds = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    return {node.name for node in ast.parse(code).body if isinstance(node, kinds)}


def test_nothing_is_defined_in_two_notebooks():
    where = defaultdict(list)
    for path in NOTEBOOKS:
        for name in defined(nbformat.read(path, as_version=4)):
            where[name].append(path.stem)
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


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


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_settles_a_prediction_is_folded(path):
    assert unfolded(nbformat.read(path, as_version=4)) == []


def links(source) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", source)


def ways(stem) -> set[str]:
    """Return where the last cell of a notebook leads: back, on, and to the map."""
    assert stem in NAMES
    place = NAMES.index(stem)
    near = NAMES[max(0, place - 1) : place] + NAMES[place + 1 : place + 2]
    return {f"{name}.ipynb" for name in near} | ({"00_start_here.ipynb"} if place else set())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_last_cell_leads_back_on_and_to_the_map(path):
    last = nbformat.read(path, as_version=4).cells[-1]
    assert last.cell_type == "markdown"
    assert ways(path.stem) <= set(links(last.source))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_to_files_lead_somewhere(path):
    cells = nbformat.read(path, as_version=4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    local = {link.partition("#")[0] for link in links(prose) if not re.match(r"\w+:|#", link)}
    assert [link for link in sorted(local) if not (FOLDER / link).exists()] == []


@pytest.fixture(scope="module")
def own_texts(tmp_path_factory):
    """Return a folder with a text of a few pages, which is not Homer's."""
    words = [word for word, count in load_corpus("dickens").word_counts.items() if count > 9]
    folder = tmp_path_factory.mktemp("texts")
    (folder / "own.txt").write_text(" ".join(2 * words[:1_500]), encoding="utf-8")
    return folder


@pytest.mark.parametrize("stem", NAMES[:7])
def test_the_walk_runs_with_another_corpus(stem, own_texts):
    cells = nbformat.read(FOLDER / f"{stem}.ipynb", as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    line = 'homer = load_corpus("homer")\n'
    assert code.count(line) == 1
    exec(code.replace(line, f"homer = load_corpus({str(own_texts)!r})\n"), {})


def stream(name, text):
    return nbformat.v4.new_output("stream", name=name, text=text)


def spoil_metadata(notebook):
    notebook.metadata["language_info"]["version"] = "3.11.7"


def spoil_cell_metadata(notebook):
    notebook.cells[0].metadata["execution"] = {"iopub.execute_input": "2024-01-01"}


def mark_to_ignore(notebook):
    notebook.cells[1].source += "\n# NBVAL_IGNORE_OUTPUT"


def half_fold(notebook):
    notebook.cells[0].metadata["tags"] = ["hide-output"]


def forget_to_execute(notebook):
    notebook.cells[1].update(execution_count=None, outputs=[])


def execute_again(notebook):
    notebook.cells[1].execution_count = 7


def add_output(output):
    return lambda notebook: notebook.cells[1].outputs.append(output)


SPOILERS = {
    "metadata": (spoil_metadata, "the metadata are not normalized"),
    "cell metadata": (spoil_cell_metadata, "cell 0 is not normalized"),
    "half folded": (half_fold, "cell 0 is not normalized"),
    "ignored": (mark_to_ignore, "code cell 2 is not compared"),
    "unexecuted": (forget_to_execute, "code cell 2 was not executed"),
    "out of order": (execute_again, "code cell 2 was executed out of order"),
    "error": (
        add_output(nbformat.v4.new_output("error", ename="E", evalue="", traceback=[])),
        "code cell 2 ends in an error",
    ),
    "stderr": (add_output(stream("stderr", "a warning")), "code cell 2 writes to stderr"),
    "path": (
        add_output(stream("stdout", "/home/ann/homer.txt")),
        "code cell 2 shows a path or an address of the machine",
    ),
    "Windows path": (
        add_output(stream("stdout", r"'C:\\Users\\ann'")),
        "code cell 2 shows a path or an address of the machine",
    ),
    "address": (
        add_output(stream("stdout", "<object at 0x7f5a1c0d>")),
        "code cell 2 shows a path or an address of the machine",
    ),
    "timing": (add_output(stream("stdout", "took 0.27 s")), "code cell 2 shows a timing"),
    "timeit": (add_output(stream("stdout", "3.1 µs per loop")), "code cell 2 shows a timing"),
    "progress": (
        add_output(stream("stdout", "1 of 2\r2 of 2\r")),
        "code cell 2 saves a progress bar",
    ),
    "widget": (
        add_output(nbformat.v4.new_output("display_data", {WIDGET: {}, "text/plain": "0%"})),
        "code cell 2 saves a progress bar",
    ),
    "image without alt text": (
        add_output(nbformat.v4.new_output("display_data", {"image/png": "aGk="})),
        "code cell 2 shows a picture without alt text",
    ),
    "no alt text": (
        add_output(nbformat.v4.new_output("display_data", {"text/html": '<img src="a">'})),
        "code cell 2 shows a picture without alt text",
    ),
    "empty alt text": (
        add_output(nbformat.v4.new_output("display_data", {"text/html": '<img alt="">'})),
        "code cell 2 shows a picture without alt text",
    ),
}


@pytest.fixture
def clean_notebook():
    cells = [
        nbformat.v4.new_code_cell("1 + 1", execution_count=1),
        nbformat.v4.new_code_cell("print(2)", execution_count=2),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    normalize(notebook)
    return notebook


def test_a_clean_notebook_has_no_problem(clean_notebook):
    assert problems(clean_notebook) == []


@pytest.mark.parametrize("name", SPOILERS)
def test_each_problem_is_found(clean_notebook, name):
    spoil, problem = SPOILERS[name]
    spoiled = copy.deepcopy(clean_notebook)
    spoil(spoiled)
    assert problems(spoiled) == [problem]


@pytest.mark.parametrize(
    "metadata",
    [FOLDED, {"jupyter": {"outputs_hidden": True}, "collapsed": True}, {"tags": ["hide-output"]}],
)
def test_a_folded_cell_stays_folded_and_keeps_nothing_else(clean_notebook, metadata):
    clean_notebook.cells[0].metadata = nbformat.from_dict(metadata)
    clean_notebook.cells[1].metadata = nbformat.from_dict({"jupyter": {"outputs_hidden": False}})
    normalize(clean_notebook)
    assert [cell.metadata for cell in clean_notebook.cells] == [FOLDED, {}]
    assert [is_folded(cell) for cell in clean_notebook.cells] == [True, False]
    assert problems(clean_notebook) == []


def test_a_question_beside_its_answer_is_found():
    question = nbformat.v4.new_markdown_cell("Before you run the cell: how many?")
    answer = nbformat.v4.new_code_cell("3")
    asked = nbformat.v4.new_notebook(cells=[question, nbformat.v4.new_code_cell("2"), answer])
    assert unfolded(asked) == [question.source]
    answer.metadata = nbformat.from_dict(FOLDED)
    assert unfolded(asked) == []


def test_progress_bars_are_not_saved(clean_notebook):
    bar = nbformat.v4.new_output("display_data", {WIDGET: {}, "text/plain": "0%"})
    clean_notebook.cells[0].outputs = [
        bar,
        stream("stdout", "1 of 2\r2 of 2\rdone\n3\n"),
        stream("stderr", "1 of 2\r2 of 2"),
    ]
    normalize(clean_notebook)
    assert [output.text for output in clean_notebook.cells[0].outputs] == ["3\n"]


def test_the_size_of_a_notebook_is_what_there_is_to_read():
    cells = [
        nbformat.v4.new_markdown_cell("Two words | – | and [a link](https://example.org/a/b)."),
        nbformat.v4.new_code_cell("a = 1\n\n\nb = 2"),
        nbformat.v4.new_code_cell("def f():\n    return 3"),
    ]
    found = size(nbformat.v4.new_notebook(cells=cells))
    assert found == {"cells": 3, "lines of code": 4, "words": 5, "lines in a cell": 4}
    assert defined(nbformat.v4.new_notebook(cells=cells)) == {"f"}


def test_the_way_back_and_on():
    assert ways("00_start_here") == {"01_pretokenization.ipynb"}
    assert ways("11_was_bert_merged") == {"10_speed_and_scale.ipynb", "00_start_here.ipynb"}
    assert len(ways("05_loop_encoding")) == 3
