"""As much of `regex` as the package's patterns need, on top of `re`, for a Python without it.

`re` does not know `\\p{P}` and its like, so they are spelled out, from Python's own Unicode tables.
Searching from the end is left out.
"""

import re
import sys
import unicodedata
from functools import cache
from re import escape as escape


@cache
def _characters(category):
    found = (chr(i) for i in range(sys.maxunicode + 1))
    return "".join(
        rf"\U{ord(char):08x}" for char in found if unicodedata.category(char).startswith(category)
    )


class _Pattern:
    """A pattern that is compiled when it is first used."""

    def __init__(self, pattern):
        self._pattern = pattern

    def __getattr__(self, name):
        return lambda *arguments: getattr(self._compile(), name)(*arguments)

    @cache  # noqa: B019
    def _compile(self):
        assert not self._pattern.startswith("(?r)"), "this stand-in does not search backwards"
        # Within brackets as they stand, else in brackets of their own.
        spelled = self._pattern
        while (within := re.sub(r"(\[[^\]]*?)\\p\{(\w+)\}", _spell_within, spelled)) != spelled:
            spelled = within
        return re.compile(re.sub(r"\\p\{(\w+)\}", _spell, spelled))


def _spell_within(match):
    return match[1] + _characters(match[2])


def _spell(match):
    return f"[{_characters(match[1])}]"


def compile(pattern):
    """Return what has the methods of a compiled pattern."""
    return _Pattern(pattern)


def search(pattern, text):
    """Return the first match of `pattern` in `text`, or None."""
    return _Pattern(pattern).search(text)
