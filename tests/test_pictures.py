"""Every picture you see is what the code gives: what nbval cannot see by itself is compared."""

import os
import re
import subprocess
import sys
from base64 import b64encode
from io import BytesIO
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from pictures import images, look_the_same, name_images
from PIL.PngImagePlugin import PngInfo

from wpedu.figures import draw_bars, draw_merge_tree, draw_merges

ROOT = Path(__file__).parent.parent
SAVED = [
    (path.stem, number, output)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells)
    for output in cell.get("outputs", [])
    if images([output])
]


@pytest.mark.parametrize("saved", SAVED, ids=lambda saved: f"{saved[0]}-{saved[1]}")
def test_a_saved_picture_is_the_one_that_its_text_names(saved):
    (alt, image), *others = images([saved[2]])
    assert not others
    assert saved[2].data["text/plain"] == f"[picture {image.info['Drawn']}: {alt}]"


def html_of(picture):
    return picture._repr_mimebundle_()["text/html"]


def image_of(picture):
    return images([{"data": {"text/html": html_of(picture)}}])[0][1]


def repainted(html, **notes):
    """Return `html` with one corner of its image painted over, and with other notes."""
    _, image = images([{"data": {"text/html": html}}])[0]
    kept = PngInfo()
    for key, value in (image.info | notes).items():
        if isinstance(value, str):
            kept.add_text(key, value)
    image = image.convert("RGB")
    image.paste("#cc0000", (0, 0, 300, 300))
    png = BytesIO()
    image.save(png, format="png", pnginfo=kept)
    return re.sub(r"base64,[^\"]+", f"base64,{b64encode(png.getvalue()).decode()}", html)


def test_an_image_is_named_by_what_it_draws():
    picture = draw_merges([9, 3], [2, 3])
    assert name_images(html_of(picture)) == (
        f'<img width="840" alt="{picture.alt}" src="{picture.drawn}">'
    )
    assert name_images("<b>no image</b>") == "<b>no image</b>"


def test_an_image_looks_like_itself_and_not_like_another():
    one, other = image_of(draw_merges([9, 3], [2, 3])), image_of(draw_merges([9, 3], [3, 2]))
    assert look_the_same(one, one)
    assert not look_the_same(one, other)


def test_images_of_two_versions_of_matplotlib_are_not_compared_by_their_pixels():
    html = html_of(draw_merges([9, 3], [2, 3]))
    (_, one), (_, painted), (_, older) = images(
        {"data": {"text/html": text}}
        for text in (html, repainted(html), repainted(html, Software="matplotlib 1.5.0"))
    )
    assert not look_the_same(painted, one)
    assert look_the_same(older, one)


def test_images_of_times_are_not_compared_by_their_pixels():
    assert look_the_same(image_of(draw_bars({"a": 1}, "s")), image_of(draw_bars({"a": 9}, "s")))


IMPORT = "from wpedu.figures import draw_bars, draw_merges, draw_merge_tree"
TREE = 'draw_merge_tree("▁sea", [("e", "a"), ("▁", "s")])'
MERGES = "draw_merges([9, 3], [2, 3])"
BAR = 'import sys; sys.stdout.write("\\r1 of 2\\r2 of 2\\r"); 3'


def spoiled_cells():
    """Return cells, each with what is saved under it, and whether that is what its code gives."""
    tree = draw_merge_tree("▁sea", [("e", "a"), ("▁", "s")])._repr_mimebundle_()
    merges = draw_merges([9, 3], [2, 3])._repr_mimebundle_()
    no_alt = {"text/html": re.sub(r'alt="[^"]*"', 'alt=""', tree["text/html"])}
    bars = draw_bars({"a": 1.0, "b": 2.0}, "seconds")._repr_mimebundle_()
    yield TREE, tree, True
    yield TREE, tree | {"text/html": merges["text/html"]}, False
    yield TREE, tree | no_alt, False
    yield TREE, tree | {"text/html": repainted(tree["text/html"])}, False
    yield "draw_merges([3, 9], [3, 2])", merges, False
    yield "draw_merges([2, 3], [9, 3])", merges, False
    yield MERGES, merges, True
    yield 'draw_bars({"a": 5.0, "b": 2.0}, "seconds")', bars, True
    yield 'draw_bars({"b": 2.0, "a": 1.0}, "seconds")', bars, False
    yield BAR, {"text/plain": "3"}, True


@pytest.mark.long
def test_the_notebooks_tests_see_a_wrong_picture(tmp_path):
    cells = [new_code_cell(IMPORT, execution_count=1)]
    right = [True]
    for number, (source, data, is_right) in enumerate(spoiled_cells(), 2):
        output = new_output("execute_result", data, execution_count=number)
        cells.append(new_code_cell(source, execution_count=number, outputs=[output]))
        right.append(is_right)
    nbformat.write(new_notebook(cells=cells), tmp_path / "spoiled.ipynb")
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-q", "-rA", "--color=no"]
    command += ["--nbval", "--nbval-current-env", "-p", "no:cacheprovider", "spoiled.ipynb"]
    environment = os.environ | {
        "PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    }
    told = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    ).stdout
    passed = {int(cell) for cell in re.findall(r"^PASSED .*Cell (\d+)", told, re.MULTILINE)}
    failed = {int(cell) for cell in re.findall(r"^FAILED .*Cell (\d+)", told, re.MULTILINE)}
    assert passed == {cell for cell, is_right in enumerate(right) if is_right}, told
    assert failed == {cell for cell, is_right in enumerate(right) if not is_right}, told
