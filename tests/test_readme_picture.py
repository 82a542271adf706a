"""The picture at the top of the README shows what the package computes."""

import json
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "readme.png"
sys.path.insert(0, str(ROOT / "docs"))

import make_readme_picture  # noqa: E402


def test_the_picture_has_the_tokens_of_the_package():
    shown = json.loads(Image.open(PICTURE).text["tokens"])
    assert shown == [[label, tokens] for label, tokens in make_readme_picture.rows()]


def test_the_picture_is_small_and_the_readme_begins_with_it():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    picture = f"![{make_readme_picture.alt()}](docs/readme.png)"
    assert picture in readme.partition("\n## ")[0]
    assert PICTURE.stat().st_size < 200_000
