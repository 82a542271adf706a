"""The middle of BERT's tokenizer: one chunk → its words, cut → tokens, ids and places."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import NamedTuple

from wpedu._chunks import ChunkCache
from wpedu.bert.normalization import (
    Placed,
    _is_reordered,
    _normalize_placed,
    _split_words,
    is_punctuation,
    normalize,
)
from wpedu.bert.vocab import CONTINUATION, MAX_WORD_LENGTH
from wpedu.encoding import UNKNOWN, _longest_matches

Offsets = tuple[int, int]

# Where nothing but case changes, ASCII's words are these.
_iter_ascii_words = re.compile("[A-Za-z0-9]+|[^A-Za-z0-9]").finditer
_iter_letters, _iter_stretches = re.compile("l").finditer, re.compile("[lm]+").finditer


class Tokens(NamedTuple):
    """The tokens of a chunk; the id of each, and its start and end in the chunk."""

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    offsets: tuple[Offsets, ...]


class Chunks(ChunkCache[Tokens]):
    """White-space chunk, or special token → its tokens."""

    def __init__(self, vocab: Mapping[str, int], special_tokens: Iterable[str], lowercase: bool):
        super().__init__()
        self._vocab, self._special_tokens, self._lowercase = vocab, special_tokens, lowercase
        self._continuations = frozenset(
            token.removeprefix(CONTINUATION) for token in vocab if token.startswith(CONTINUATION)
        )
        self._longest = max(map(len, vocab))

    def make(self, chunk: str) -> Tokens:
        """Return the tokens of the words of `chunk`, or of the special token that it is."""
        if chunk in self._special_tokens:
            return Tokens((chunk,), (self._vocab[chunk],), ((0, len(chunk)),))
        tokens: list[str] = []
        offsets: list[Offsets] = []
        for word, places in _iter_words(chunk, self._lowercase):
            pieces = self._match(word)
            if not pieces:
                tokens.append(UNKNOWN)
                offsets.append((places[0], places[-1] + 1))
            end, prefix = 0, ""
            for piece in pieces:
                start, end = end, end + len(piece)
                tokens.append(prefix + piece)
                offsets.append((places[start], places[end - 1] + 1))
                prefix = CONTINUATION
        ids = tuple(map(self._vocab.__getitem__, tokens))
        return Tokens(tuple(tokens), ids, tuple(offsets))

    def _match(self, word: str) -> list[str]:
        """Return the subwords of `word`, without ##; or none, if it is unknown."""
        if len(word) > MAX_WORD_LENGTH:
            return []
        # Where a word starts, no ## of the vocabulary matches: # is a word of its own.
        pieces = _longest_matches(word, self._vocab, self._longest, self._continuations)
        return pieces if sum(map(len, pieces)) == len(word) else []


def _iter_words(chunk: str, lowercase: bool) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield the words of `chunk` as BERT's vocabulary sees them, and the places of their letters.

    Words that are too long to be known may lack letters, but neither the first nor the last.

    >>> [(word, list(places)) for word, places in _iter_words("É\\0a!", True)]
    [('ea', [0, 2]), ('!', [3])]
    """
    if chunk.isascii() and chunk.isprintable():
        for match in _iter_ascii_words(chunk.lower() if lowercase else chunk):
            yield match.group(), range(*match.span())
        return
    chars: Iterator[Placed] = map(Placed, chunk, count())
    if len(chunk) > MAX_WORD_LENGTH:
        chars = _shorten(chunk, lowercase)
    for word in _split_words(_normalize_placed(chars, lowercase)):
        yield "".join(char for char, _ in word), [place for _, place in word]


def _shorten(chunk: str, lowercase: bool) -> Iterator[Placed]:
    """Yield the characters of `chunk` without the middle of words that are too long.

    To normalize a word takes time, and one of more than MAX_WORD_LENGTH letters is [UNK], whatever
    the others are. So what lies between its first letters and its last one can go, if it begins
    and ends where marks do not change their order across, and splits no word.
    """
    kinds = chunk.translate({ord(char): _kind(char, lowercase) for char in set(chunk)})
    kept = 0
    for stretch in _iter_stretches(kinds):
        letters = _iter_letters(kinds, *stretch.span())
        beyond = next(islice(letters, MAX_WORD_LENGTH + 1, None), None)
        if beyond:
            yield from map(Placed, chunk[kept : beyond.start()], count(kept))
            kept = kinds.rindex("l", *stretch.span())
    yield from map(Placed, chunk[kept:], count(kept))


def _kind(char: str, lowercase: bool) -> str:
    """Return whether `char` is a letter ("l"), a mark or nothing ("m"), or ends a word (" ").

    A letter is here what becomes part of a word, and keeps its place beside any marks.
    """
    normal = normalize(char, lowercase)
    if any(piece == " " or is_punctuation(piece) for piece in normal):
        return " "
    return "l" if normal and not _is_reordered(char) else "m"
