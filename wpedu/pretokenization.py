"""Pretokenization: text → words → word counts.

A word is one punctuation mark, or a run of characters that are neither punctuation nor whitespace.
Words keep their case and their accents; whitespace is dropped.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Protocol

import regex

from wpedu._support.checks import check_str, check_word_counts

__all__ = ["START", "WORD_PATTERN", "count_words", "pretokenize", "pretokenize_with_offsets"]

START = "▁"  # U+2581, which marks the start of a word in everything after pretokenization
WORD_PATTERN = r"\p{P}|[^\s\p{P}]+"


class Counted(Protocol):
    """A `Corpus`, or any other object with word counts."""

    @property
    def word_counts(self) -> Mapping[str, int]: ...


WordCounts = Mapping[str, int] | Counted

_find_words = regex.compile(WORD_PATTERN).findall
_iter_words = regex.compile(WORD_PATTERN).finditer
_find_chunks = regex.compile(r"\S+").findall
find_whitespace = regex.compile(r"\s").search

# These are whitespace for str.split(), which is faster, but not for \s.
_SEPARATORS = "\x1c\x1d\x1e\x1f"
_BLOCK = 2**14  # characters, whose chunks fit into a processor's cache


def pretokenize(text: str) -> list[str]:
    """Return the words of `text`, in order.

    Punctuation is that of the Unicode version in the installed `regex`. To an older version, a
    newer mark, such as U+1B4E of 2024, is part of a word.

    Raises TypeError if `text` is not a str.

    >>> pretokenize("Sing, O goddess")
    ['Sing', ',', 'O', 'goddess']
    """
    check_str(text, "text")
    return _find_words(text)


def pretokenize_with_offsets(text: str) -> list[tuple[str, tuple[int, int]]]:
    """Return the words of `text`, each with its (start, end): `text[start:end]` is the word.

    Offsets count code points, from 0. Raises TypeError if `text` is not a str.

    >>> pretokenize_with_offsets("Sing, O")
    [('Sing', (0, 4)), (',', (4, 5)), ('O', (6, 7))]
    """
    check_str(text, "text")
    return [(match.group(), match.span()) for match in _iter_words(text)]


def count_words(text: str) -> Counter[str]:
    """Return how often each word occurs in `text`, in order of first occurrence.

    Raises TypeError if `text` is not a str.

    >>> count_words("the ships, the men")
    Counter({'the': 2, 'ships': 1, ',': 1, 'men': 1})
    """
    word_counts: defaultdict[str, int] = defaultdict(int)
    # Only the first occurrence of a chunk brings new words, so they keep the order of the text.
    for chunk, count in Counter(iter_chunks(text)).items():
        for word in split_chunk(chunk):
            word_counts[word] += count
    return Counter(word_counts)


def iter_chunks(text: str) -> Iterator[str]:
    """Return the runs of `text` between whitespace, whose words are the words of the text.

    A text repeats its chunks: Homer's 1.4 million characters have 18,800 different ones. So each of
    them needs to be processed only once. Chunks are split off when they are needed, so that those
    of a long text do not fill the memory.

    >>> list(iter_chunks("the ships, the men"))
    ['the', 'ships,', 'the', 'men']
    """
    check_str(text, "text")
    has_separator = any(separator in text for separator in _SEPARATORS)
    split = _find_chunks if has_separator else str.split
    return chain.from_iterable(map(split, iter_blocks(text)))


def split_chunk(chunk: str) -> list[str]:
    """Return the words of a chunk, as `pretokenize` does, but faster for a chunk of letters.

    >>> split_chunk("ships,")
    ['ships', ',']
    """
    return [chunk] if chunk.isalpha() else _find_words(chunk)


def iter_blocks(text: str) -> Iterator[str]:
    """Yield `text` in blocks of about _BLOCK characters that end where a chunk ends."""
    start = 0
    while start < len(text):
        space = find_whitespace(text, start + _BLOCK)
        end = space.start() if space else len(text)
        yield text[start:end]
        start = end


def check_words(word_counts: Any) -> dict[str, int]:
    """Return a copy as `check_word_counts` does, if every word is non-empty and has no ▁."""
    checked = check_word_counts(word_counts)
    if "" in checked:
        raise ValueError("word_counts has an empty word: leave it out")
    for word in checked:
        if START in word:
            raise ValueError(
                f"the word {word!r} contains {START}, which marks the start of a word here: "
                f"replace it in the text"
            )
    return checked
