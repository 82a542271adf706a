"""Scores: splits and word counts → counts of pairs → what each pair is worth.

A score is a function (Cxy, Cx, Cy, N, M) → number of exact integer counts; higher is better:

- Cxy: how often the pair xy occurs; Cx, Cy: how often its two subwords occur;
- N: the number of subword tokens; M: the number of pairs.

A score that also has a parameter `joins` is given the number of joins that merging makes, if the
two subwords are equal: "aaa" has two pairs, and one join. For all other pairs joins is 0, and
merging makes Cxy joins.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from itertools import groupby
from math import log
from typing import Protocol

from wpedu._support.checks import (
    check_score,
    check_splits,
    check_value,
    check_word_counts,
    takes_joins,
)
from wpedu.pretokenization import START, WordCounts

__all__ = ["SCORES", "Pair", "frequency", "gain", "likelihood", "pair_gains", "ratio"]

Pair = tuple[str, str]


class Score(Protocol):
    """A function of the five counts; of further parameters, each needs a default."""

    def __call__(self, Cxy: int, Cx: int, Cy: int, N: int, M: int, /) -> float: ...


def gain(Cxy: int, Cx: int, Cy: int, N: int, M: int) -> float:
    """Return Cxy · ln( Cxy·N² / (M·Cx·Cy) ), in nats.

    This equals Cxy · (ln P(xy) − ln P(x) − ln P(y)). One logarithm of one quotient of integers
    gives pairs with the same counts the same gain, to the last bit.

    Source: Nugues, Python for Natural Language Processing (2024), section 13.3.

    >>> round(gain(8, 8, 8, 35, 27), 3)
    13.883
    """
    return Cxy * log(Cxy * N * N / (M * Cx * Cy))


def ratio(Cxy: int, Cx: int, Cy: int, N: int, M: int) -> float:
    """Return Cxy / (Cx·Cy): the gain without its count, its logarithm and its constants.

    Source: the Hugging Face course, chapter 6, section 6.

    >>> ratio(5, 20, 5, 35, 27)
    0.05
    """
    return Cxy / (Cx * Cy)


def frequency(Cxy: int, Cx: int, Cy: int, N: int, M: int) -> int:
    """Return Cxy, the score of byte-pair encoding.

    Source: Sennrich, Haddow and Birch, Neural Machine Translation of Rare Words with Subword
    Units (2016), section 3.2.

    >>> frequency(8, 8, 8, 35, 27)
    8
    """
    return Cxy


def likelihood(Cxy: int, Cx: int, Cy: int, N: int, M: int, joins: int = 0) -> float:
    """Return by how much merging the pair changes the log-likelihood of the corpus, in nats.

    If each token t has the probability C(t)/N, the log-likelihood of the corpus is
    Σ f(C(t)) − f(N), with f(t) = t·ln t and f(0) = 0. The n joins change these terms::

        f(Cx−n) − f(Cx)  +  f(Cy−n) − f(Cy)  +  f(n)  +  f(N) − f(N−n)

    If x and y are equal, the first four are f(Cx−2n) − f(Cx). The joined subword is a new one, as
    always in training: see `build_vocab`. The terms may be large and cancel each other, so they are
    added with 60 digits, and the sum is rounded once.

    Source: Schuster and Nakajima, Japanese and Korean Voice Search (2012), section 3, state the
    criterion in words; notebook 08 derives the formula.

    >>> likelihood(2, 2, 2, 4, 2)  # x y x y → z z, from 4·ln ½ to 0
    2.772588722239781
    """
    n = joins or Cxy
    f = _f
    with localcontext(_PRECISE):
        x_and_y = f(Cx - 2 * n) - f(Cx) if joins else (f(Cx - n) - f(Cx)) + (f(Cy - n) - f(Cy))
        return float(x_and_y + f(n) + f(N) - f(N - n))


_PRECISE = Context(prec=60)  # 32 digits before the point, and 28 after it


@lru_cache(maxsize=2**14)
def _f(t: int) -> Decimal:
    return _PRECISE.multiply(t, _PRECISE.ln(t)) if t else Decimal()


SCORES: dict[str, Score] = {score.__name__: score for score in (gain, ratio, frequency, likelihood)}


def pair_gains(
    splits: Mapping[str, Sequence[str]],
    word_counts: WordCounts,
    score: str | Score = "gain",
) -> dict[Pair, float]:
    """Return the score of every adjacent pair, in order of first occurrence.

    `splits` is {word: its current subwords}, and `word_counts` is {word: count} or a Corpus.
    `score` is a name in SCORES, or a function as described in this module.

    Raises TypeError or ValueError if an argument is neither, if a word has no split, if its split
    does not spell it, or if the score returns something other than a number.

    >>> pair_gains({"hug": ["h", "ug"], "hum": ["h", "u", "m"]}, {"hug": 2, "hum": 1}, "frequency")
    {('h', 'ug'): 2, ('h', 'u'): 1, ('u', 'm'): 1}
    """
    score = check_score(score, SCORES)
    # From here to the end of the loop: `count_tokens_and_pairs` of notebook 02, and joins.
    C: Counter[str] = Counter()
    pairs: Counter[Pair] = Counter()
    joins: Counter[Pair] = Counter()
    for split, count in check_splits(splits, check_word_counts(word_counts), START):
        for token, run in groupby(split):
            length = len(list(run))
            C[token] += length * count
            joins[token, token] += length // 2 * count
        for pair in zip(split, split[1:]):
            pairs[pair] += count
    N, M, with_joins = C.total(), pairs.total(), takes_joins(score)
    scores = {}
    for (x, y), Cxy in pairs.items():
        more = {"joins": joins[x, y]} if with_joins else {}
        scores[x, y] = check_value(score(Cxy, C[x], C[y], N, M, **more), score, (x, y))
    return scores
