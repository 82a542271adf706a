"""Every saved picture is the one that its code draws, which nbval cannot check by itself."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from pictures import images

from wpedu.figures import draw_bars, draw_merge_tree, draw_merges

ROOT = Path(__file__).parent.parent
SAVED = [
    (path.stem, i, output)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
    for i, cell in enumerate(nbformat.read(path, as_version=4).cells)
    for output in cell.get("outputs", [])
    if images([output])
]


@pytest.mark.parametrize("saved", SAVED, ids=lambda saved: f"{saved[0]}-{saved[1]}")
def test_a_saved_picture_is_the_one_that_its_text_names(saved):
    ((alt, image),) = images([saved[2]])
    assert saved[2].data["text/plain"] == f"[picture {image.info['Drawn']}: {alt}]"


TREE = 'draw_merge_tree("▁sea", [("e", "a"), ("▁", "s")])'


def spoiled_cells():
    """Yield code, a saved output, and whether the code gives this output."""
    tree = draw_merge_tree("▁sea", [("e", "a"), ("▁", "s")])
    merges = draw_merges([9, 3], [2, 3])._repr_mimebundle_()
    bars = draw_bars({"a": 1.0, "b": 2.0}, "s", "Title")._repr_mimebundle_()
    right = tree._repr_mimebundle_()
    tree.figure.axes[0].texts[0].set_color("#cc0000")  # which its digest does not cover
    yield TREE, right, True
    yield TREE, tree._repr_mimebundle_(), False
    yield TREE, right | {"text/html": merges["text/html"]}, False
    yield TREE, right | {"text/html": re.sub('alt="[^"]*"', 'alt=""', right["text/html"])}, False
    yield "draw_merges([3, 9], [3, 2])", merges, False
    yield 'draw_bars({"a": 5.0, "b": 2.0}, "s", "Title")', bars, True
    yield 'draw_bars({"b": 2.0, "a": 1.0}, "s", "Title")', bars, False
    yield 'import sys; sys.stdout.write("\\r1 of 2\\r2 of 2\\r"); 3', {"text/plain": "3"}, True


@pytest.mark.long
def test_nbval_detects_a_wrong_picture(tmp_path):
    cells = [new_code_cell("from wpedu.figures import *", execution_count=1)]
    right = [True]
    for count, (source, data, is_right) in enumerate(spoiled_cells(), 2):
        output = new_output("execute_result", data, execution_count=count)
        cells.append(new_code_cell(source, execution_count=count, outputs=[output]))
        right.append(is_right)
    nbformat.write(new_notebook(cells=cells), tmp_path / "spoiled.ipynb")
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-q", "-rA", "--color=no"]
    command += ["--nbval", "--nbval-current-env", "-p", "no:cacheprovider", "spoiled.ipynb"]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    printed = subprocess.run(
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    ).stdout
    seen = re.findall(r"^(PASSED|FAILED) .*Cell (\d+)", printed, re.MULTILINE)
    assert {int(cell): word == "PASSED" for word, cell in seen} == dict(enumerate(right)), printed
