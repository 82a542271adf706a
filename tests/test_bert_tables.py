"""BERT's normalization treats every character as Hugging Face's own tables do.

The tables in `normalization` undo what later versions of Unicode have added. Here `regex`, with the
newest version installed, lists these characters, and Hugging Face shows how it treats them.
"""

import pytest
import regex
from tokenizers.normalizers import NFD, BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from wpedu.bert.normalization import (
    AFTER_UNICODE_8,
    AFTER_UNICODE_9,
    IDEOGRAPHS,
    NEW_LOWER,
    SINCE_RECLASSIFIED,
    decompose,
    is_ideograph,
    is_in,
    is_punctuation,
    normalize,
    order_marks,
)

# All characters outside the large blocks of ideographs (all alike), unassigned or private use.
CODES = [*range(0x3500), *range(0x9F00, 0xD800), *range(0xF800, 0x17000), *range(0x18C00, 0x20100)]
CODES += [*range(0x2B700, 0x2D000), *range(0x2F700, 0x31500), *range(0xE0000, 0xE1000)]
ALL = [chr(code) for code in CODES]
nfd = NFD().normalize_str


def only(pattern):
    """Return the characters that match `pattern` in the newest version of Unicode."""
    return regex.findall(pattern, "".join(ALL))


def decompose_and_order(text):
    pieces = [(piece, True) for char in text for piece in decompose(char)]
    return "".join(piece for piece, _ in order_marks(pieces))


def test_every_character_decomposes_and_is_ordered_as_theirs():
    # U+0334 has the lowest class of marks and U+0345 the highest, so that every mark moves.
    text = "".join(f"a\u0345{char}\u0334" for char in ALL)
    assert decompose_and_order(text) == nfd(text)


def test_every_ideograph_is_set_apart_as_theirs():
    settings = {"clean_text": False, "strip_accents": False, "lowercase": False}
    theirs = BertNormalizer(handle_chinese_chars=True, **settings).normalize_str("".join(ALL))
    assert "".join(f" {char} " if is_ideograph(char) else char for char in ALL) == theirs


def test_the_table_has_every_character_that_later_versions_decompose_or_order():
    for char in only(r"[\p{dt=Canonical}\P{ccc=0}]"):
        theirs = nfd(f"\u0345{char}\u0334")
        if theirs == f"\u0345{char}\u0334":
            assert is_in(AFTER_UNICODE_9, char), f"{ord(char):X}"


def is_kept(char):
    cut = BertPreTokenizer().pre_tokenize_str(f"a{char}b")
    return len(cut) == 1 and BertNormalizer(lowercase=True).normalize_str(char) not in ("", " ")


def test_the_table_has_every_character_that_later_versions_strip_remove_or_split():
    for char in only(r"[\p{P}\p{Mn}\p{Cc}\p{Cf}\p{Co}]"):
        if char in SINCE_RECLASSIFIED or char.isascii():
            continue
        if is_kept(char):
            assert is_in(AFTER_UNICODE_8, char), f"{ord(char):X}"


def test_the_table_has_every_reclassified_character():
    for char in only(r"[^\p{P}\p{Mn}\p{C}\p{Z}\p{Han}\p{Hangul}\x00-\x7f\ufffd]"):
        if not is_kept(char):
            assert char in SINCE_RECLASSIFIED, f"{ord(char):X}"


@pytest.mark.parametrize("lowercase", [True, False])
def test_every_edge_of_every_table_is_as_theirs(lowercase):
    tables = IDEOGRAPHS + AFTER_UNICODE_8 + AFTER_UNICODE_9
    edges = {chr(ord(edge) + step) for bounds in tables for edge in bounds for step in (-1, 0, 1)}
    edges |= {*SINCE_RECLASSIFIED, *NEW_LOWER}
    theirs = BertNormalizer(lowercase=lowercase).normalize_str
    for char in sorted(edges):
        assert normalize(f"a{char}b", lowercase) == theirs(f"a{char}b"), f"{ord(char):X}"
        is_split = len(BertPreTokenizer().pre_tokenize_str(f"a{char}b")) == 3
        assert is_punctuation(char) == is_split or char.isspace(), f"{ord(char):X}"
