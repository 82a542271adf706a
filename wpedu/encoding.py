"""Encoding: a word and a vocabulary → the word's subwords, longest match first."""

from collections.abc import Iterable

import regex

from wpedu.pretokenization import START

UNKNOWN = "[UNK]"


class RegexEncoder:
    def __init__(self, vocab: Iterable[str]):
        longest_first = sorted(check_vocab(vocab), key=len, reverse=True)
        self._find = regex.compile("|".join(map(regex.escape, longest_first))).findall

    def encode(self, word: str) -> list[str]:
        if START in word[1:]:
            return [UNKNOWN]
        subwords = self._find(word)
        return subwords if "".join(subwords) == word else [UNKNOWN]


class LoopEncoder:
    def __init__(self, vocab: Iterable[str]):
        self._vocab = frozenset(check_vocab(vocab))
        self._longest = max(map(len, self._vocab), default=0)

    def encode(self, word: str) -> list[str]:
        if START in word[1:]:
            return [UNKNOWN]
        subwords, start = [], 0
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                if word[start:end] in self._vocab:
                    break
            else:
                return [UNKNOWN]
            subwords.append(word[start:end])
            start = end
        return subwords


def subword_tokenize(text: str, vocab: Iterable[str]) -> list[str]:
    subwords = LoopEncoder(vocab).encode(text)
    return subwords


def check_vocab(vocab):
    return list(vocab)
