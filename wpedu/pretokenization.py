"""Pretokenization: text → words → word counts.

A word is one punctuation mark, or a run of characters that are neither punctuation nor white
space. Words keep their case and their accents; white space is dropped.
"""

from collections import Counter
from collections.abc import Iterable

import regex

START = "▁"  # U+2581, written in front of a word by everything downstream of this module

WORD_PATTERN = r"\p{P}|[^\s\p{P}]+"

_find_words = regex.compile(WORD_PATTERN).findall
_iter_words = regex.compile(WORD_PATTERN).finditer
_find_chunks = regex.compile(r"\S+").findall

# White space to str.split(), which is faster, but not to \s.
_SEPARATORS = "\x1c\x1d\x1e\x1f"


def pretokenize(text: str) -> list[str]:
    """Return the words of `text`, in order.

    >>> pretokenize("Sing, O goddess")
    ['Sing', ',', 'O', 'goddess']
    """
    check_text(text)
    return _find_words(text)


def pretokenize_with_offsets(text: str) -> list[tuple[str, tuple[int, int]]]:
    """Return the words of `text`, each with its (start, end): `text[start:end]` is the word.

    Offsets count characters (Unicode code points), from 0.

    >>> pretokenize_with_offsets("Sing, O")
    [('Sing', (0, 4)), (',', (4, 5)), ('O', (6, 7))]
    """
    check_text(text)
    return [(match.group(), match.span()) for match in _iter_words(text)]


def count_words(text: str) -> Counter[str]:
    """Return how often each word occurs in `text`, in order of first occurrence.

    >>> count_words("the ships, the men")
    Counter({'the': 2, 'ships': 1, ',': 1, 'men': 1})
    """
    word_counts = Counter()
    # Only the first occurrence of a chunk can bring new words, so the order is that of the text.
    for chunk, count in Counter(split_chunks(text)).items():
        for word in _find_words(chunk):
            word_counts[word] += count
    return word_counts


def split_chunks(text: str) -> list[str]:
    """Return the runs of `text` between white space; the words of a text are those of its chunks.

    A text repeats its chunks: Homer's 1.4 million characters have 18,800 different ones. So what
    is done to each word of a text can be done once to each of them.

    >>> split_chunks("the ships, the men")
    ['the', 'ships,', 'the', 'men']
    """
    check_text(text)
    if any(separator in text for separator in _SEPARATORS):
        return _find_chunks(text)
    return text.split()


def check_text(text: str) -> None:
    """Raise TypeError unless `text` is a str.

    >>> check_text("Sing")
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")


def check_strings(strings: Iterable[str], name: str) -> list[str]:
    """Return `strings` as a list; raise TypeError, with their name, unless they are several str.

    >>> check_strings("Sing", "tokens")
    Traceback (most recent call last):
        ...
    TypeError: tokens must be an iterable of str, not one str
    """
    if isinstance(strings, str) or not isinstance(strings, Iterable):
        raise TypeError(f"{name} must be an iterable of str, not one {type(strings).__name__}")
    strings = list(strings)
    for string in strings:
        if not isinstance(string, str):
            raise TypeError(f"{name} must be an iterable of str, and has {string!r} in it")
    return strings
