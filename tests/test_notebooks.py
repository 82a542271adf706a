"""The notebooks are saved executed, in order, and with nothing of the machine in them.

nbval compares the outputs that are there, so it passes a cell that was never run. This does not.
"""

import copy
import re
import sys
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

sys.path.insert(0, str(FOLDER))
from execute import METADATA, normalize  # noqa: E402

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
        if cell.id != f"cell-{i}" or cell.metadata:
            found.append(f"cell {i} is not normalized")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code, 1):
        if cell.execution_count is None:
            found.append(f"code cell {number} was not executed")
        elif cell.execution_count != number:
            found.append(f"code cell {number} was executed out of order")
        for output in cell.outputs:
            found += [f"code cell {number} {problem}" for problem in output_problems(output)]
    return found


def output_problems(output) -> list[str]:
    if output.output_type == "error":
        return ["ends in an error"]
    if output.get("name") == "stderr":
        return ["writes to stderr"]
    data = output.get("data", {"text/plain": output.get("text", "")})
    texts = " ".join(text for kind, text in data.items() if not kind.startswith("image/"))
    found = []
    if PATH.search(texts):
        found.append("shows a path or an address of the machine")
    if TIMING.search(texts):
        found.append("shows a timing")
    if "image/png" in data and not output.metadata.get("image/png", {}).get("alt"):
        found.append("shows a picture without alt text")
    return found


def test_there_are_notebooks():
    assert [path.name[:2] for path in NOTEBOOKS] == [f"{i:02}" for i in range(len(NOTEBOOKS))]
    assert len(NOTEBOOKS) == 9


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_saved_executed_and_clean(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert problems(notebook) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_are_short(path):
    cells = nbformat.read(path, as_version=4).cells
    lines = [cell.source.count("\n") + 1 for cell in cells if cell.cell_type == "code"]
    assert max(lines) <= 25
    assert sorted(lines)[len(lines) // 2] <= 8


def stream(name, text):
    return nbformat.v4.new_output("stream", name=name, text=text)


def spoil_metadata(notebook):
    notebook.metadata["language_info"]["version"] = "3.11.7"


def spoil_cell_metadata(notebook):
    notebook.cells[0].metadata["execution"] = {"iopub.execute_input": "2024-01-01"}


def forget_to_execute(notebook):
    notebook.cells[1].update(execution_count=None, outputs=[])


def execute_again(notebook):
    notebook.cells[1].execution_count = 7


def add_output(output):
    return lambda notebook: notebook.cells[1].outputs.append(output)


SPOILERS = {
    "metadata": (spoil_metadata, "the metadata are not normalized"),
    "cell metadata": (spoil_cell_metadata, "cell 0 is not normalized"),
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
    "no alt text": (
        add_output(nbformat.v4.new_output("display_data", {"image/png": "aGk="})),
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
