"""Scores: splits and word counts → how much each pair is worth.

`splits` is {word: its current subwords}, `word_counts` is {word: count}.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

Pair = tuple[str, str]


def gain(pair_count: int, left_count: int, right_count: int, num_tokens: int, num_pairs: int):
    """Return C(xy) · ln( C(xy)·N² / (M·C(x)·C(y)) ), from integer counts.

    N is `num_tokens`, the number of subword tokens, and M is `num_pairs`, the number of adjacent
    pairs. It is C(xy)·(ln P(xy) − ln P(x) − ln P(y)), written as one logarithm of one quotient,
    so that pairs which are equal on paper are equal here.

    Source: Nugues, Python for Natural Language Processing (2024), section 13.3.

    >>> gain(2, 2, 2, 4, 2)
    2.772588722239781
    """
    return pair_count * log(
        pair_count * num_tokens * num_tokens / (num_pairs * left_count * right_count)
    )


SCORES = {"gain": gain}


def pair_gains(
    splits: Mapping[str, Sequence[str]], word_counts: Mapping[str, int], score: str = "gain"
) -> dict[Pair, float]:
    """Return the score of every adjacent pair, in order of first occurrence.

    >>> pair_gains({"hug": ["h", "ug"], "hum": ["h", "u", "m"]}, {"hug": 2, "hum": 1})
    """
    token_counts, pair_counts = Counter(), Counter()
    for word, count in word_counts.items():
        split = splits[word]
        for token in split:
            token_counts[token] += count
        for pair in zip(split, split[1:]):
            pair_counts[pair] += count
    num_tokens, num_pairs = token_counts.total(), pair_counts.total()
    return {
        (x, y): SCORES[score](count, token_counts[x], token_counts[y], num_tokens, num_pairs)
        for (x, y), count in pair_counts.items()
    }


def check_score(score):
    if score not in SCORES:
        raise ValueError(score)
