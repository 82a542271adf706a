"""Words, offsets and counts."""

import sys
from collections import Counter
from unittest.mock import patch

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from wpedu import count_words, pretokenize, pretokenize_with_offsets
from wpedu.pretokenization import WORD_PATTERN, iter_blocks, iter_chunks, split_chunk

# Every kind of character, and more often than by chance those that decide where a word ends.
texts = st.text(st.one_of(st.characters(), st.sampled_from(" \n\x1c\x1f\x85\u00a0,.'-▁a")))


@given(texts)
def test_words_are_the_matches_of_the_pattern(text):
    assert pretokenize(text) == regex.findall(WORD_PATTERN, text)


@given(texts)
def test_offsets_slice_back_to_the_words(text):
    words = pretokenize_with_offsets(text)
    assert [text[start:end] for _, (start, end) in words] == [word for word, _ in words]
    assert [word for word, _ in words] == pretokenize(text)


@given(texts)
def test_nothing_but_white_space_is_dropped(text):
    assert "".join(pretokenize(text)) == regex.sub(r"\s", "", text)


@given(texts, st.integers(1, 9))
def test_counts_are_those_of_the_words_in_order_of_first_occurrence(text, block):
    with patch("wpedu.pretokenization._BLOCK", block):
        assert list(count_words(text).items()) == list(Counter(pretokenize(text)).items())


def test_what_ends_a_chunk_is_what_the_pattern_calls_white_space():
    spaces = [char for char in map(chr, range(sys.maxunicode + 1)) if char.isspace()]
    assert "\x1f" in spaces  # to Python, and not to the pattern
    for char in spaces:
        assert list(iter_chunks(f"a{char}b")) == regex.findall(r"\S+", f"a{char}b")
    assert list(iter_chunks("a\x1cb\x1dc\x1ed\x1fe")) == ["a\x1cb\x1dc\x1ed\x1fe"]


@pytest.mark.parametrize("space", [" ", "\r", "\n"])
def test_a_long_text_is_split_in_blocks_whatever_its_white_space(space):
    with patch("wpedu.pretokenization._BLOCK", 4):
        assert list(iter_blocks(f"tea{space}sea seats")) == [f"tea{space}sea", " seats"]


def test_no_letter_ends_a_word():
    letters = "".join(filter(str.isalpha, map(chr, range(sys.maxunicode + 1))))
    assert pretokenize(letters) == [letters] == split_chunk(letters)


@pytest.mark.parametrize("function", [pretokenize, pretokenize_with_offsets, count_words])
@pytest.mark.parametrize("text", [None, b"sea", ["sea"]])
def test_text_that_is_not_a_string_is_refused(function, text):
    with pytest.raises(TypeError, match="text must be a str, not"):
        function(text)
