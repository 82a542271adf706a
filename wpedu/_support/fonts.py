"""Fonts for figures: the package's own, matplotlib's, and what else this machine has."""

import logging
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from matplotlib.font_manager import fontManager, get_font

__all__ = ["FAMILY", "MONO", "family_for", "legible"]

FONTS = Path(__file__).parents[1] / "fonts"
FAMILY = ["Source Sans 3", "DejaVu Sans"]  # the second comes with matplotlib
MONO = "DejaVu Sans Mono"  # so does this, for tokens

# A font that only this machine has may have no bold: the outputs of notebooks needn't say so.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

for _path in sorted(FONTS.glob("*.ttf")):
    fontManager.addfont(_path)


@cache
def _characters(path: str) -> frozenset[int]:
    """Return the code points for which the font in `path` has a glyph."""
    try:
        return frozenset(get_font(path).get_charmap())
    except (OSError, RuntimeError):  # some fonts of emoji cannot be read
        return frozenset()


@cache
def _family_of(char: str) -> str:
    """Return a font family that has `char`, our own first, or ""."""
    fonts = sorted(
        (FAMILY.index(font.name) if font.name in FAMILY else len(FAMILY), font.name, font.fname)
        for font in fontManager.ttflist
        if not font.name.startswith("Last Resort")  # it has a placeholder for every character
    )
    return next((name for _, name, path in fonts if ord(char) in _characters(path)), "")


def family_for(texts: Iterable[str]) -> list[str]:
    """Return font families that together have all `legible` characters of `texts`."""
    others = {_family_of(char) for text in texts for char in text} - {*FAMILY, ""}
    return [*FAMILY, *sorted(others)]


def legible(text: str) -> str:
    """Return `text` with U+… in place of each character that no font of this machine has.

    >>> legible("a\\U0010fffd")
    'aU+10FFFD'
    """
    return "".join(char if _family_of(char) else f"U+{ord(char):04X}" for char in text)
