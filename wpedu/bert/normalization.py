"""BERT's own pretokenization: text → normalized text → words, with each character's position.

Clean the text, put spaces around ideographs, strip accents and lowercase; then split at whitespace
and around punctuation. Which characters are accents or punctuation depends on the version of
Unicode. Hugging Face's tokenizers takes categories from Unicode 8 (2015), decompositions from
Unicode 9 (2016) and lowercase letters from Unicode 17. So does this module, with any version of
Python and of `unicodedata`.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from wpedu._support.checks import check_bool, check_str

__all__ = [
    "PositionedChar",
    "is_punctuation",
    "normalize",
    "normalize_with_positions",
    "split_words",
]

# The same in Unicode 8 and Unicode 18. U+000B, U+000C and U+0085 are missing: BERT removes them,
# like all control characters.
WHITESPACE = "\t\n\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000"
WHITESPACE += "".join(map(chr, range(0x2000, 0x200B)))


class PositionedChar(NamedTuple):
    """A character, and the position in the text of the character that it comes from."""

    char: str
    position: int


def normalize(text: str, lowercase: bool = True) -> str:
    """Return `text` normalized for BERT's vocabulary; `lowercase` strips accents as well.

    Source: Devlin et al. (2019), https://github.com/google-research/bert#tokenization.

    >>> normalize("Touché, Ἀχιλλεύς"), normalize("Touché 東京", lowercase=False)
    ('touche, αχιλλευς', 'Touché  東  京 ')
    """
    return "".join(char for char, _ in normalize_with_positions(text, lowercase))


def normalize_with_positions(text: str, lowercase: bool = True) -> list[PositionedChar]:
    """Return the characters of `normalize(text, lowercase)`, each with its position in `text`.

    >>> normalize_with_positions("É\\0A")
    [PositionedChar(char='e', position=0), PositionedChar(char='a', position=2)]
    """
    chars = list(_clean(enumerate(check_str(text, "text"))))
    return list(_strip_accents(chars)) if check_bool(lowercase, "lowercase") else chars


def split_words(chars: Iterable[PositionedChar]) -> list[list[PositionedChar]]:
    """Return the words of a normalized text: punctuation marks, and the text between them.

    `chars` comes from `normalize_with_positions`.

    >>> ["".join(c for c, _ in word) for word in split_words(normalize_with_positions("It's $5"))]
    ['it', "'", 's', '$', '5']
    """
    words: list[list[PositionedChar]] = []
    for is_inside, run in groupby(chars, key=_is_inside_a_word):
        found = list(run)
        words += [found] if is_inside else [[char] for char in found if char.char != " "]
    return words


@lru_cache(maxsize=2**14)
def is_punctuation(char: str) -> bool:
    """Return whether BERT makes `char` a word of its own: category P*, or an ASCII symbol.

    >>> [char for char in "a$€'_" if is_punctuation(char)]
    ['$', "'", '_']
    """
    if len(check_str(char, "char")) != 1:
        raise ValueError(f"char must be one character, not {char!r}")
    is_ascii_symbol = char.isascii() and char.isprintable() and not char.isalnum() and char != " "
    return is_ascii_symbol or _category(char).startswith("P")


def _is_inside_a_word(positioned: PositionedChar) -> bool:
    return positioned.char != " " and not is_punctuation(positioned.char)


def _clean(chars: Iterable[tuple[int, str]]) -> Iterator[PositionedChar]:
    """Yield spaces for whitespace, ideographs between spaces, and no control characters."""
    for position, char in chars:
        if char in WHITESPACE:
            yield PositionedChar(" ", position)
        elif is_ideograph(char):
            yield from (PositionedChar(c, position) for c in (" ", char, " "))
        elif _category(char) not in ("Cc", "Cf", "Co") and char != "\ufffd":
            yield PositionedChar(char, position)


def _strip_accents(chars: list[PositionedChar]) -> Iterator[PositionedChar]:
    """Yield `chars` in lowercase and without accents."""
    pieces = [(piece, not i) for char, _ in chars for i, piece in enumerate(decompose(char))]
    # Positions are given in the order of the text, after the marks were sorted: if a mark that is
    # kept moves, Hugging Face gives it the position of the mark that it overtook.
    positions = iter(char.position for char in chars)
    for piece, is_first in order_marks(pieces):
        if is_first:
            position = next(positions)
        if _category(piece) != "Mn":
            yield PositionedChar(NEW_LOWER.get(piece) or piece.lower(), position)


def order_marks(pieces: list[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """Yield `pieces` in Unicode's canonical order: runs of marks, by combining class."""
    for is_mark, run in groupby(pieces, key=lambda piece: combining_class(piece[0]) > 0):
        pieces = list(run)
        yield from sorted(pieces, key=lambda x: combining_class(x[0])) if is_mark else pieces


def is_ideograph(char: str) -> bool:
    """Return whether BERT treats `char` as Chinese, and makes it a word of its own."""
    return char >= "\u3400" and is_in(IDEOGRAPHS, char)


@lru_cache(maxsize=2**14)
def _category(char: str) -> str:
    """Return the category of `char` in Unicode 8 if it is P*, Mn or C*; else any other."""
    if is_in(AFTER_UNICODE_8, char):
        return "Cn"
    return SINCE_RECLASSIFIED.get(char) or unicodedata.category(char)


@lru_cache(maxsize=2**14)
def decompose(char: str) -> str:
    """Return the canonical decomposition of `char` in Unicode 9."""
    return char if is_in(AFTER_UNICODE_9, char) else unicodedata.normalize("NFD", char)


@lru_cache(maxsize=2**14)
def combining_class(char: str) -> int:
    """Return the combining class of `char` in Unicode 9."""
    return 0 if is_in(AFTER_UNICODE_9, char) else unicodedata.combining(char)


def is_in(ranges: list[tuple[str, str]], char: str) -> bool:
    """Return whether `char` is in one of the ranges, which include their ends."""
    return any(first <= char <= last for first, last in ranges)


def _ranges(text: str) -> list[tuple[str, str]]:
    """Return the first and last character of each hexadecimal range."""
    bounds = (part.split("-") for part in text.split())
    return [(chr(int(bound[0], 16)), chr(int(bound[-1], 16))) for bound in bounds]


# Chinese ideographs, without kana and Hangul. Google's BERT starts extension E at 2B820, as Unicode
# does, and Hugging Face's tokenizers at 2B920.
IDEOGRAPHS = _ranges("""
    3400-4DBF 4E00-9FFF F900-FAFF 20000-2A6DF 2A700-2B81F 2B920-2CEAF 2F800-2FA1F
""")

# In these ranges, every P*, Mn, Cc, Cf and Co of Unicode 18 is newer than Unicode 8.
AFTER_UNICODE_8 = _ranges("""
    5C8-5C9 61D 7FD 890-8E2 9FD-9FE A76 AFA-AFF B53-B55 C04-C3C C77 C84 D00 D3B-D3C D81 EBA ECE
    180F 1ABF-1AF0 1B4E-1B4F 1B7D-1B7F 1DF6-1DFB 2E43-2E63 A82C A8C5 A8FF 10D24-10F89 11070-11074
    110C2-110CD 111CF 1123E-11241 1133B 113BB-1145E 11660-1166C 116B9 1182F-11FFF 12FF1-1612F
    16D6D-16F4F 16FE2-16FE4 1CF00-1D128 1D25B-1D25C 1E000-1E6F5 1E944-1E95F
""")

# Characters of Unicode 8 whose category has changed since.
SINCE_RECLASSIFIED = {
    "\u166d": "Po",
    "\u1734": "Mn",
    "\u1885": "Lo",
    "\u1886": "Lo",
    "\ua9bd": "Mc",
    "\U000111c9": "Po",
    "\U0001171e": "Mn",
}

# In these ranges, every character that Unicode 18 decomposes or reorders is newer than Unicode 9.
AFTER_UNICODE_9 = _ranges("""
    5C8-5C9 7FD 897-8D3 9FE C3C D3B-D3C EBA 1715 1ABF-1AF0 1DF6-1DFA A82C 105C9-105E4 10D24-10F85
    11070 1133B 11383-113D0 1145E 11839-11A99 11D42-1612F 16D68-16FF1 1D127-1D128 1D250-1D281
    1E08F-1E6F5
""")

# The capitals of Unicode 16 and 17, most of them at a fixed distance from their lowercase letters.
# Python's own tables have them from 3.14 and 3.15 on.
NEW_LOWER = {
    "\ua7cb": "\u0264",
    "\ua7dc": "\u019b",
    **{chr(code): chr(code + 1) for code in (0x1C89, 0xA7CC, 0xA7CE, 0xA7D2, 0xA7D4, 0xA7DA)},
    **{chr(code): chr(code + 0x20) for code in range(0x10D50, 0x10D66)},
    **{chr(code): chr(code + 0x1B) for code in range(0x16EA0, 0x16EB9)},
}
