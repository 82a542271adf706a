"""Every saved picture is the one that its code draws, which nbval cannot check by itself."""

from pathlib import Path

import nbformat
import pytest
from pictures import images

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
