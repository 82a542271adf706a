"""Pretokenization: text → words → word counts.

A word is one punctuation mark, or a run of characters that are neither punctuation nor white
space. Words keep their case and their accents; white space is dropped.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain

import regex

from wpedu._checks import START, check_str

__all__ = [
    "START",
    "WORD_PATTERN",
    "count_words",
    "pretokenize",
    "pretokenize_with_offsets",
]
__dir__ = __all__.copy  # what dir() shows

WORD_PATTERN = r"\p{P}|[^\s\p{P}]+"

_find_words = regex.compile(WORD_PATTERN).findall
_iter_words = regex.compile(WORD_PATTERN).finditer
_find_chunks = regex.compile(r"\S+").findall
_find_space = regex.compile(r"\s").search

# White space to str.split(), which is faster, but not to \s.
_SEPARATORS = "\x1c\x1d\x1e\x1f"
_BLOCK = 2**14  # the chunks of a block fit into a processor's cache


def pretokenize(text: str) -> list[str]:
    """Return the words of `text`, in order.

    Which characters are punctuation is a matter of the edition of Unicode that the installed
    `regex` has: a mark that was added since, such as U+1B4E in 2024, is part of a word to it.

    >>> pretokenize("Sing, O goddess")
    ['Sing', ',', 'O', 'goddess']
    """
    check_str(text, "text")
    return _find_words(text)


def pretokenize_with_offsets(text: str) -> list[tuple[str, tuple[int, int]]]:
    """Return the words of `text`, each with its (start, end): `text[start:end]` is the word.

    Offsets count characters (Unicode code points), from 0.

    >>> pretokenize_with_offsets("Sing, O")
    [('Sing', (0, 4)), (',', (4, 5)), ('O', (6, 7))]
    """
    check_str(text, "text")
    return [(match.group(), match.span()) for match in _iter_words(text)]


def count_words(text: str) -> Counter[str]:
    """Return how often each word occurs in `text`, in order of first occurrence.

    >>> count_words("the ships, the men")
    Counter({'the': 2, 'ships': 1, ',': 1, 'men': 1})
    """
    word_counts: defaultdict[str, int] = defaultdict(int)
    # Only the first occurrence of a chunk can bring new words, so the order is that of the text.
    for chunk, count in Counter(iter_chunks(text)).items():
        for word in _split_chunk(chunk):
            word_counts[word] += count
    return Counter(word_counts)


def iter_chunks(text: str) -> Iterator[str]:
    """Return the runs of `text` between white space; the words of a text are those of its chunks.

    A text repeats its chunks: Homer's 1.4 million characters have 18,800 different ones. So what
    is done to each word of a text can be done once to each of them. Chunks are split off as they
    are needed, so that a long text does not fill the memory with them.

    >>> list(iter_chunks("the ships, the men"))
    ['the', 'ships,', 'the', 'men']
    """
    check_str(text, "text")
    has_separator = any(separator in text for separator in _SEPARATORS)
    split = _find_chunks if has_separator else str.split
    return chain.from_iterable(map(split, _iter_blocks(text)))


def _split_chunk(chunk: str) -> list[str]:
    """Return the words of a chunk: `pretokenize`, sooner done with a word of letters alone.

    >>> _split_chunk("ships,")
    ['ships', ',']
    """
    return [chunk] if chunk.isalpha() else _find_words(chunk)


def _iter_blocks(text: str) -> Iterator[str]:
    """Yield `text` in parts of about _BLOCK characters that end where a chunk does."""
    start = 0
    while start < len(text):
        space = _find_space(text, start + _BLOCK)
        end = space.start() if space else len(text)
        yield text[start:end]
        start = end
