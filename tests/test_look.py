"""One color, one meaning, defined once; legible on every ground."""

import re
import sys
from pathlib import Path

from wpedu._support.colors import COLORS

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs"))

from make_look import LOOK, look_css  # noqa: E402


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
