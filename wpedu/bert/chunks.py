"""A chunk of a text → its tokens, with their places in the chunk."""

from collections.abc import Mapping
from itertools import accumulate

from wpedu._chunks import ChunkCache
from wpedu.bert.normalization import normalize_with_places, split_words
from wpedu.bert.vocab import CONTINUATION, MAX_WORD_LENGTH
from wpedu.encoding import UNKNOWN, longest_matches


class ChunkTokens(ChunkCache[list[tuple[str, int, int]]]):
    """White-space chunk → its tokens, each with its start and end in the chunk."""

    def __init__(self, vocab: Mapping[str, int], lowercase: bool):
        super().__init__()
        self._lowercase = lowercase
        # Where a word starts, ## is no prefix: normalization leaves no word with # and more.
        self._starts = frozenset(vocab)
        self._continuations = frozenset(
            token.removeprefix(CONTINUATION) for token in vocab if token.startswith(CONTINUATION)
        )
        self._longest = max(map(len, vocab))

    def make(self, chunk: str) -> list[tuple[str, int, int]]:
        """Return the tokens of the words of `chunk`."""
        tokens = []
        for word in split_words(normalize_with_places(chunk, self._lowercase)):
            chars, places = zip(*word, strict=True)
            start = 0
            for token, end in self._match("".join(chars)):
                tokens.append((token, places[start], places[end - 1] + 1))
                start = end
        return tokens

    def _match(self, word: str) -> list[tuple[str, int]]:
        """Return the tokens of `word`, each with its end."""
        pieces = []
        if len(word) <= MAX_WORD_LENGTH:
            pieces = longest_matches(word, self._starts, self._longest, self._continuations)
        ends = list(accumulate(map(len, pieces)))
        if ends[-1:] != [len(word)]:
            return [(UNKNOWN, len(word))]
        return list(zip([pieces[0], *(CONTINUATION + piece for piece in pieces[1:])], ends))
