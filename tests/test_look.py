"""One color, one meaning, defined once; legible on every ground."""

import re
import sys
from pathlib import Path

import pytest

from wpedu._support.colors import COLORS

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs"))

from make_look import LOOK, look_css  # noqa: E402

SEEN = [
    *(("ink", ground) for ground in ("page", "card", "begin", "cont", "gain-soft", "ok-soft")),
    *(("soft", ground) for ground in ("page", "card")),
    *(("link", ground) for ground in ("page", "card")),
    *(("now", ground) for ground in ("page", "card")),
    *(("begin-edge", "begin"), ("cont-edge", "cont"), ("unk-ink", "unk")),
    *(("gain", "gain-soft"), ("ok", "ok-soft"), ("gain", "page"), ("ok", "page")),
]


def luminance(color):
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize(("letters", "ground"), SEEN)
def test_letters_have_a_contrast_of_at_least_4_5(letters, ground):
    for a, b in zip(COLORS[letters], COLORS[ground], strict=True):
        low, high = sorted((luminance(a), luminance(b)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (a, b)


def test_the_style_sheet_is_made_from_the_definition():
    assert LOOK.read_text(encoding="utf-8") == look_css()


def test_every_font_of_the_style_sheet_is_there():
    for path in re.findall(r"url\((.*?)\)", look_css()):
        assert (LOOK.parent / path).is_file()


def test_nothing_else_on_a_screen_defines_a_color():
    paths = [
        path
        for kind in ("css", "html", "js", "py", "svg")
        for path in LOOK.parents[1].rglob(f"*.{kind}")
    ]
    others = set(paths) - {LOOK, LOOK.parents[1] / "handout.html"}  # the handout is for a printer
    defined = {color for pair in COLORS.values() for color in pair}
    found = {(p.name, c) for p in others for c in re.findall("#[0-9a-f]{6}", p.read_text("utf-8"))}
    assert len(others) > 10
    assert {color for name, color in found if name == "mark.svg"} <= defined  # it has no variables
    assert {name for name, _ in found} <= {"mark.svg"}
