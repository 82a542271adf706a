"""The core of BERT's tokenizer: one chunk → its words → tokens, ids and offsets."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from wpedu._support.cache import ChunkCache
from wpedu.bert.normalization import normalize_with_positions, split_words
from wpedu.bert.vocab_file import CONTINUATION, MAX_WORD_LENGTH
from wpedu.encoding import UNKNOWN, longest_matches

Offsets = tuple[int, int]

# The words of printable ASCII, where normalization changes only the case.
_iter_ascii_words = re.compile("[A-Za-z0-9]+|[^A-Za-z0-9]").finditer


class Tokens(NamedTuple):
    """The tokens of a chunk, with their ids, and their (start, end) in the chunk."""

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    offsets: tuple[Offsets, ...]


class Chunks(ChunkCache[Tokens]):
    """Chunk between whitespace, or special token → its tokens."""

    def __init__(self, vocab: Mapping[str, int], special_tokens: Iterable[str], lowercase: bool):
        super().__init__()
        self._vocab, self._special_tokens, self._lowercase = vocab, special_tokens, lowercase
        self._continuations = frozenset(
            token.removeprefix(CONTINUATION) for token in vocab if token.startswith(CONTINUATION)
        )
        self._longest = max(map(len, vocab))

    def make(self, chunk: str) -> Tokens:
        """Return the tokens of the words of `chunk`, or `chunk` if it is a special token."""
        if chunk in self._special_tokens:
            return Tokens((chunk,), (self._vocab[chunk],), ((0, len(chunk)),))
        tokens: list[str] = []
        offsets: list[Offsets] = []
        for word, positions in _iter_words(chunk, self._lowercase):
            pieces: list[str] = []
            if len(word) <= MAX_WORD_LENGTH:
                # No ## of the vocabulary matches at a word's start, because # is its own word.
                pieces = longest_matches(word, self._vocab, self._longest, self._continuations)
            if sum(map(len, pieces)) < len(word):
                tokens.append(UNKNOWN)
                offsets.append((positions[0], positions[-1] + 1))
                continue
            end, prefix = 0, ""
            for piece in pieces:
                start, end = end, end + len(piece)
                tokens.append(prefix + piece)
                offsets.append((positions[start], positions[end - 1] + 1))
                prefix = CONTINUATION
        ids = tuple(map(self._vocab.__getitem__, tokens))
        return Tokens(tuple(tokens), ids, tuple(offsets))


def _iter_words(chunk: str, lowercase: bool) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield the normalized words of `chunk`, and the positions of their characters in it.

    >>> [(word, list(positions)) for word, positions in _iter_words("É\\0a!", True)]
    [('ea', [0, 2]), ('!', [3])]
    """
    if chunk.isascii() and chunk.isprintable():
        for match in _iter_ascii_words(chunk.lower() if lowercase else chunk):
            yield match.group(), range(*match.span())
    else:
        for word in split_words(normalize_with_positions(chunk, lowercase)):
            yield "".join(char for char, _ in word), [position for _, position in word]
