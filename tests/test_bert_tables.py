"""What BERT's normalization says of each character, held against Hugging Face's own tables.

The tables in `normalization` take back what editions of Unicode have added since. Here the newest
edition that is installed, that of `regex`, says which characters those are; and Hugging Face says
what it makes of them.
"""

import pytest
import regex
from tokenizers.normalizers import NFD, BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from wpedu.bert import normalization
from wpedu.bert.normalization import (
    _combining_class,
    _decompose,
    _is_ideograph,
    _order_marks,
    is_punctuation,
)

ALL = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
nfd = NFD().normalize_str

# For each class of marks, one that Unicode has had from the start.
CLASSES = {
    _combining_class(char): char for char in reversed(ALL[:0x3100]) if _combining_class(char)
}


def only(pattern):
    """The characters that the newest edition of Unicode says are so."""
    return regex.findall(pattern, "".join(ALL))


def is_in(ranges, char):
    return any(first <= char <= last for first, last in ranges)


def decompose_and_order(text):
    pieces = [(piece, True) for char in text for piece in _decompose(char)]
    return "".join(piece for piece, _ in _order_marks(pieces))


def test_every_character_decomposes_and_is_ordered_as_theirs():
    # U+0334 has the lowest class of marks and U+0345 the highest: whatever is a mark moves.
    chars = [char for char in ALL if char < "\U00020000" or "\U0002f800" <= char < "\U00030000"]
    text = "".join(f"a\u0345{char}\u0334" for char in chars)
    assert decompose_and_order(text) == nfd(text)


def test_every_ideograph_is_set_apart_as_theirs():
    settings = {"clean_text": False, "strip_accents": False, "lowercase": False}
    theirs = BertNormalizer(handle_chinese_chars=True, **settings).normalize_str("".join(ALL))
    assert "".join(f" {char} " if _is_ideograph(char) else char for char in ALL) == theirs


def test_every_mark_has_their_class():
    assert len(CLASSES) > 50
    marks = [char for char in ALL if _combining_class(char)]
    text = "".join(f"a{mark}{other}" for mark in marks for other in CLASSES.values())
    assert decompose_and_order(text) == nfd(text)


def test_all_that_unicode_has_learned_to_decompose_or_order_is_in_the_table():
    for char in only(r"[\p{dt=Canonical}\P{ccc=0}]"):
        theirs = nfd(f"\u0345{char}\u0334")
        if theirs == f"\u0345{char}\u0334":
            assert is_in(normalization._AFTER_UNICODE_9, char), f"{ord(char):X}"


def test_all_that_unicode_has_learned_to_strip_remove_or_split_is_in_the_table():
    normalize = BertNormalizer(lowercase=True).normalize_str
    split = BertPreTokenizer().pre_tokenize_str
    for char in only(r"[\p{P}\p{Mn}\p{Cc}\p{Cf}\p{Co}]"):
        if char in normalization._SINCE_RECLASSIFIED or char.isascii():
            continue
        is_kept = normalize(char) not in ("", " ") and len(split(f"a{char}b")) == 1
        if is_kept:
            assert is_in(normalization._AFTER_UNICODE_8, char), f"{ord(char):X}"


def test_all_that_unicode_has_reclassified_is_in_the_table():
    strip = BertNormalizer(lowercase=True).normalize_str
    split = BertPreTokenizer().pre_tokenize_str
    for char in only(r"[^\p{P}\p{Mn}\p{C}\p{Z}\p{Han}\p{Hangul}\x00-\x7f\ufffd]"):
        if not strip(char) or len(split(f"a{char}b")) > 1:
            assert char in normalization._SINCE_RECLASSIFIED, f"{ord(char):X}"


@pytest.mark.parametrize("lowercase", [True, False])
def test_every_edge_of_every_table_is_as_theirs(lowercase):
    tables = (
        normalization._IDEOGRAPHS,
        normalization._AFTER_UNICODE_8,
        normalization._AFTER_UNICODE_9,
    )
    edges = {
        chr(ord(edge) + step)
        for table in tables
        for bounds in table
        for edge in bounds
        for step in (-1, 0, 1)
    }
    edges |= {*normalization._SINCE_RECLASSIFIED, *normalization._NEW_LOWER}
    theirs = BertNormalizer(lowercase=lowercase).normalize_str
    for char in sorted(edges):
        assert normalization.normalize(f"a{char}b", lowercase) == theirs(f"a{char}b"), (
            f"{ord(char):X}"
        )
        is_split = len(BertPreTokenizer().pre_tokenize_str(f"a{char}b")) == 3
        assert is_punctuation(char) == is_split or char.isspace(), f"{ord(char):X}"
