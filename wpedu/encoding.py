"""Encoding: word and vocabulary → subwords, by a regex, by a loop, or in linear time.

A word includes its "▁". It is encoded from left to right, each time by the longest subword of the
vocabulary that fits. The result concatenates to the word; a word that has no such result is
`["[UNK]"]`. Three rules hold for every encoder:

- A "▁" after the first character makes a word unknown, whatever the vocabulary contains: a mark
  in the text is not a start of word. So a subword with an inner "▁" is allowed and never used.
- "[UNK]" in a vocabulary is the unknown token, not a subword: it does not match the text "[UNK]".
- Any other special token is a subword like all others: "[CLS]" matches no word of `pretokenize`.
"""

from collections.abc import Container, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import regex

from wpedu._checks import START, check_str, check_subwords

if TYPE_CHECKING:
    from wpedu.fast.trie import FailureTrie

__all__ = ["UNKNOWN", "LinearEncoder", "LoopEncoder", "RegexEncoder", "subword_tokenize"]
__dir__ = __all__.copy  # what dir() shows

UNKNOWN = "[UNK]"


class _Encoder:
    """What all encoders are: made of a vocabulary, from which they split a word."""

    def __init__(self, vocab: Iterable[str]):
        """Take the subwords, in any iterable of str; there may be none, but no empty one."""
        self._subwords = frozenset(check_subwords(vocab, ordered=False)) - {UNKNOWN}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self._subwords):,} subwords>"

    def encode(self, word: str) -> list[str]:
        """Return the subwords of `word`, or ["[UNK]"].

        >>> LoopEncoder(["▁sh", "i", "p", "s", "ip"]).encode("▁ships")
        ['▁sh', 'ip', 's']
        """
        subwords = self._split(check_str(word, "word"))
        return subwords if "".join(subwords) == word and START not in word[1:] else [UNKNOWN]

    def _split(self, word: str) -> list[str]:
        """Return the longest subwords, one after the other, as far as there are any."""
        raise NotImplementedError


class RegexEncoder(_Encoder):
    """Encodes with one regular expression: an alternation takes the first subword that matches.

    Source: Nugues, Python for Natural Language Processing (2024), section 13.3.
    """

    def __init__(self, vocab: Iterable[str]):
        super().__init__(vocab)
        longest_first = sorted(self._subwords, key=len, reverse=True)
        # Without alternatives the pattern would be empty, and would match everywhere.
        self._regex = regex.compile("|".join(map(regex.escape, longest_first)) or "(?!)")

    def _split(self, word: str) -> list[str]:
        return self._regex.findall(word)


class LoopEncoder(_Encoder):
    """Encodes with the greedy loop: the longest prefix that is in the vocabulary, and on.

    A word of n characters takes up to n · k look-ups, where k is the longest subword's length.

    Source: Devlin et al., BERT (2019), the class WordpieceTokenizer in its tokenization.py.
    """

    def __init__(self, vocab: Iterable[str]):
        super().__init__(vocab)
        self._longest = max(map(len, self._subwords), default=0)

    def _split(self, word: str) -> list[str]:
        return _longest_matches(word, self._subwords, self._longest)


class LinearEncoder(_Encoder):
    """Encodes in time linear in the word, however long the subwords: see `wpedu.fast.trie`.

    Source: Song et al., Fast WordPiece Tokenization (EMNLP 2021), section 3.
    """

    @cached_property
    def _trie(self) -> "FailureTrie":
        from wpedu.fast.trie import FailureTrie

        return FailureTrie(self._subwords)

    def _split(self, word: str) -> list[str]:
        # Of a text's words many are subwords as a whole: those need no trie.
        return [word] if word in self._subwords else self._trie.split(word)


def subword_tokenize(text: str, vocab: Iterable[str]) -> list[str]:
    """Return the greedy longest-prefix split of `text`, which needs no mark and has no [UNK].

    Raises ValueError at a character that no subword matches.

    >>> subword_tokenize("cats", ["c", "a", "t", "s", "ca", "cat"])
    ['cat', 's']
    """
    check_str(text, "text")
    subwords = frozenset(check_subwords(vocab, ordered=False))
    tokens = _longest_matches(text, subwords, max(map(len, subwords), default=0))
    position = sum(map(len, tokens))
    if position < len(text):
        raise ValueError(
            f"no subword matches the character {text[position]!r} at position {position} of the "
            f"text; vocab must contain every single character of the text, so add it"
        )
    return tokens


def _longest_matches(
    text: str, subwords: Container[str], longest: int, continuations: Container[str] | None = None
) -> list[str]:
    """Return the greedy longest-match subwords of `text`, as far as there are any.

    All but the first are from `continuations`, if that is given; none is longer than `longest`.

    >>> _longest_matches("hugs", {"hu", "gs"}, 3), _longest_matches("hugs", {"hu", "gs"}, 3, {"g"})
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
