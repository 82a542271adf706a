"""Encoding: word and vocabulary → subwords, by a regex, by a loop, or in linear time.

A word includes its "▁". It is encoded from beginning to end, each time by the longest matching
subword in the vocabulary. The result concatenates to the word; a word without such a result becomes
`["[UNK]"]`. Three rules apply to every encoder:

- A "▁" after the first character makes a word unknown, whatever the vocabulary contains, because a
  mark in the text is not a word start. A subword with an inner "▁" is allowed, and never used.
- "[UNK]" in a vocabulary is the unknown token, not a subword: it does not match the text "[UNK]".
- Any other special token is an ordinary subword, such as "[CLS]", which matches no word that
  `pretokenize` returns.
"""

from collections.abc import Container, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import regex

from wpedu._support.checks import check_str, check_subwords
from wpedu.pretokenization import START

if TYPE_CHECKING:
    from wpedu.fast.trie import FailureTrie

__all__ = ["UNKNOWN", "LinearEncoder", "LoopEncoder", "RegexEncoder", "subword_tokenize"]

UNKNOWN = "[UNK]"


class _Encoder:
    """What all encoders share: a vocabulary, and a method that encodes a word."""

    def __init__(self, vocab: Iterable[str]):
        """Take the subwords from an iterable of str; an empty subword is a ValueError."""
        self._subwords = frozenset(check_subwords(vocab, ordered=False)) - {UNKNOWN}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self._subwords):,} subwords>"

    def encode(self, word: str) -> list[str]:
        """Return the subwords of `word`, or ["[UNK]"]; TypeError if it is not a str.

        >>> LoopEncoder(["▁sh", "i", "p", "s", "ip"]).encode("▁ships")
        ['▁sh', 'ip', 's']
        """
        subwords = self._split(check_str(word, "word"))
        return subwords if "".join(subwords) == word and START not in word[1:] else [UNKNOWN]

    def _split(self, word: str) -> list[str]:
        """Return the longest matches from the beginning, as far as there are any."""
        raise NotImplementedError


class RegexEncoder(_Encoder):
    """Encode with one regular expression: an alternation takes the first subword that matches.

    Source: Nugues, Python for Natural Language Processing (2024), section 13.3.
    """

    def __init__(self, vocab: Iterable[str]):
        super().__init__(vocab)
        longest_first = sorted(self._subwords, key=len, reverse=True)
        # For an empty vocabulary: an empty pattern would match everywhere.
        self._regex = regex.compile("|".join(map(regex.escape, longest_first)) or "(?!)")

    def _split(self, word: str) -> list[str]:
        return self._regex.findall(word)


class LoopEncoder(_Encoder):
    """Encode with the greedy loop: take the longest prefix that is in the vocabulary, then go on.

    A word of n characters takes up to n · k look-ups, if the longest subword has k characters.

    Source: Devlin et al., BERT (2019), the class WordpieceTokenizer in its tokenization.py.
    """

    def __init__(self, vocab: Iterable[str]):
        super().__init__(vocab)
        self._longest = max(map(len, self._subwords), default=0)

    def _split(self, word: str) -> list[str]:
        return longest_matches(word, self._subwords, self._longest)


class LinearEncoder(_Encoder):
    """Encode in time linear in the word, however long the subwords: see `wpedu.fast.trie`.

    Source: Song et al., Fast WordPiece Tokenization (EMNLP 2021), section 3.
    """

    @cached_property
    def _trie(self) -> "FailureTrie":
        from wpedu.fast.trie import FailureTrie

        return FailureTrie(self._subwords)

    def _split(self, word: str) -> list[str]:
        # Many words of a text are themselves subwords, and need no trie.
        return [word] if word in self._subwords else self._trie.split(word)


def subword_tokenize(text: str, vocab: Iterable[str]) -> list[str]:
    """Return the greedy longest-match split of `text`, without a mark and without [UNK].

    Raises ValueError at the first character that no subword matches.

    >>> subword_tokenize("cats", ["c", "a", "t", "s", "ca", "cat"])
    ['cat', 's']
    """
    check_str(text, "text")
    subwords = frozenset(check_subwords(vocab, ordered=False))
    tokens = longest_matches(text, subwords, max(map(len, subwords), default=0))
    position = sum(map(len, tokens))
    if position < len(text):
        raise ValueError(
            f"no subword matches the character {text[position]!r} at position {position} of the "
            f"text: add it to vocab, which needs every character of the text"
        )
    return tokens


def longest_matches(
    text: str, subwords: Container[str], longest: int, continuations: Container[str] | None = None
) -> list[str]:
    """Return the longest matches in `text` from the beginning, as far as there are any.

    Matches after the first come from `continuations`, if given; none is longer than `longest`.

    >>> longest_matches("hugs", {"hu", "gs"}, 3), longest_matches("hugs", {"hu", "gs"}, 3, {"g"})
    (['hu', 'gs'], ['hu', 'g'])
    """
    matches, start = [], 0
    rest = subwords if continuations is None else continuations
    while start < len(text):
        for end in range(min(start + longest, len(text)), start, -1):
            if text[start:end] in subwords:
                break
        else:
            break
        matches.append(text[start:end])
        start, subwords = end, rest
    return matches
