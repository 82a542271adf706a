"""Scores: splits and word counts → how much each pair is worth.

`splits` is {word: its current subwords}, `word_counts` is {word: count}. A score is a function of
exact integer counts, with the letters of the formulas, and the higher it is, the better:

- Cxy: how often the pair xy occurs; Cx, Cy: how often its two subwords occur;
- N: the number of subword tokens; M: the number of pairs.

Any function of these five is a score. The four that have a name are objects: called, each is such a
function, and it also knows what `wpedu.fast` asks of it. They take two more counts, which the
likelihood needs:

- Cz: how often the joined subword z occurs already. ("all" is "a" + "ll", and "al" + "l".)
- n: for a pair of equal subwords, how many joins merging makes: one in "aaa", which has two pairs.
  For any other pair it is Cxy, and n is not given.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal
from functools import lru_cache, reduce
from itertools import groupby
from math import e, inf, log
from typing import Any, Protocol

from wpedu._checks import check_splits, check_value, check_word_counts

Column = Any  # a NumPy array of numbers, one for each pair
Pair = tuple[str, str]
ScoreFunction = Callable[[int, int, int, int, int], float]


class Columns(Protocol):
    """The counts of many pairs, a number for each in every column, and the totals."""

    n: Column  # Cxy, or the joins for a score that counts those
    log_n: Column

    @property
    def N(self) -> int: ...
    @property
    def M(self) -> int: ...
    @property
    def x(self) -> Column: ...  # Cx
    @property
    def y(self) -> Column: ...  # Cy
    @property
    def log_x(self) -> Column: ...
    @property
    def log_y(self) -> Column: ...
    @property
    def is_double(self) -> Column: ...  # whether the two subwords are equal


class Score(ABC):
    """A score that has a name and can be asked about many pairs at once.

    Called, it returns the exact value. What the other methods say of it saves time in training, and
    never decides: see `wpedu.fast.contest`.
    """

    name: str
    counts_joins = False  # whether it depends on the joins of a pair, and not on its occurrences
    is_exact = False  # whether an estimate is the value, if what it is made of is below 2^53

    @abstractmethod
    def __call__(
        self, Cxy: int, Cx: int, Cy: int, N: int, M: int, Cz: int = 0, n: int = 0
    ) -> float:
        """Return what the pair is worth."""

    @abstractmethod
    def estimate(self, pairs: Columns) -> Column:
        """Return the values of all `pairs`, less than `slack` away from the exact ones."""

    @abstractmethod
    def decided_by(self, pairs: Columns) -> list[Column]:
        """Return columns; pairs that are equal in all of them are worth the same."""

    @abstractmethod
    def bound(self, n: float, N: int, M: int) -> float:
        """Return what a pair that occurs at most `n` times is worth at most."""

    def slack(self, estimates: Column, n: Column) -> Column:
        """Return more than `estimates` are off, for pairs that occur at most `n` times."""
        return 1e-12 * (estimates if self.is_exact else n)  # logarithms are right to 15 digits

    def __repr__(self) -> str:
        return self.name


class Gain(Score):
    """Cxy · ln( Cxy·N² / (M·Cx·Cy) ), in nats.

    It is Cxy · (ln P(xy) − ln P(x) − ln P(y)), written with one logarithm of one quotient of
    integers, so that pairs with the same counts have the same gain, to the last bit.

    Source: Nugues, Python for Natural Language Processing (2024), section 13.3.

    >>> round(gain(8, 8, 8, 35, 27), 3)
    13.883
    """

    name = "gain"

    def __call__(
        self, Cxy: int, Cx: int, Cy: int, N: int, M: int, Cz: int = 0, n: int = 0
    ) -> float:
        return Cxy * log(Cxy * N * N / (M * Cx * Cy))

    def estimate(self, pairs: Columns) -> Column:
        logs = pairs.log_x + pairs.log_y
        return pairs.n * (pairs.log_n - logs + log(pairs.N * pairs.N / pairs.M))

    def decided_by(self, pairs: Columns) -> list[Column]:
        return [pairs.n, pairs.x * pairs.y]

    def bound(self, n: float, N: int, M: int) -> float:
        n = min(n, N * N / (M * e))  # for Cx = Cy = n, the best there is; beyond, it falls
        return n * log(N * N / (M * n))


class Ratio(Score):
    """Cxy / (Cx·Cy): without its count, its logarithm and its constants, the gain.

    Source: the Hugging Face course, chapter 6, section 6.

    >>> ratio(5, 20, 5, 0, 0)
    0.05
    """

    name = "ratio"
    is_exact = True

    def __call__(
        self, Cxy: int, Cx: int, Cy: int, N: int, M: int, Cz: int = 0, n: int = 0
    ) -> float:
        return Cxy / (Cx * Cy)

    def estimate(self, pairs: Columns) -> Column:
        return pairs.n / (pairs.x * pairs.y)

    def decided_by(self, pairs: Columns) -> list[Column]:
        return [pairs.n, pairs.x * pairs.y]

    def bound(self, n: float, N: int, M: int) -> float:
        return inf  # a rare pair may have the highest ratio


class Frequency(Score):
    """Cxy, as byte-pair encoding has it.

    Source: Sennrich, Haddow and Birch, Neural Machine Translation of Rare Words with Subword
    Units (2016), section 3.2.

    >>> frequency(8, 8, 8, 35, 27)
    8
    """

    name = "frequency"
    is_exact = True

    def __call__(self, Cxy: int, Cx: int, Cy: int, N: int, M: int, Cz: int = 0, n: int = 0) -> int:
        return Cxy

    def estimate(self, pairs: Columns) -> Column:
        return pairs.n

    def decided_by(self, pairs: Columns) -> list[Column]:
        return [pairs.n]

    def bound(self, n: float, N: int, M: int) -> float:
        return n


class Likelihood(Score):
    """By how much merging the pair changes the log-likelihood of the corpus, in nats.

    Where each token t has the probability C(t)/N, the corpus has the log-likelihood
    Σ f(C(t)) − f(N), with f(t) = t·ln t and f(0) = 0. The n joins change these terms:

        f(Cx−n) − f(Cx)  +  f(Cy−n) − f(Cy)  +  f(Cz+n) − f(Cz)  +  f(N) − f(N−n)

    Where x and y are equal, the first four are f(Cx−2n) − f(Cx). The terms may be large and cancel,
    so they are added up with 130 digits, which is 27 more than the largest can have before the
    point, and the sum is rounded once.

    Source: the criterion in words is Schuster and Nakajima, Japanese and Korean Voice Search
    (2012), section 3; notebook 08 derives the formula.

    >>> likelihood(2, 2, 2, 4, 2)  # x y x y → z z, from 4·ln ½ to 0
    2.772588722239781
    """

    name = "likelihood"
    counts_joins = True

    def __call__(
        self, Cxy: int, Cx: int, Cy: int, N: int, M: int, Cz: int = 0, n: int = 0
    ) -> float:
        before, after = ([Cx], [Cx - 2 * n]) if n else ([Cx, Cy], [Cx - Cxy, Cy - Cxy])
        n = n or Cxy
        after, before = [*after, Cz + n, N], [*before, Cz, N - n]
        add, subtract = _PRECISE.add, _PRECISE.subtract
        return float(subtract(reduce(add, map(_f, after)), reduce(add, map(_f, before))))

    def estimate(self, pairs: Columns) -> Column:
        import numpy as np

        def rest(C: Column, n: Column) -> Column:  # f(C−n) − f(C) + n·ln C, between −n and 0
            return (C - n) * np.log1p(np.maximum(-n / C, -1 + 2**-53))

        n, x, double = pairs.n, pairs.x, np.flatnonzero(pairs.is_double)
        rests = rest(x, n) + rest(pairs.y, n)
        rests[double] = rest(x[double], 2 * n[double])
        logs = pairs.log_n - pairs.log_x - pairs.log_y + log(pairs.N)
        return n * logs + rests - rest(np.array(float(pairs.N)), n)

    def decided_by(self, pairs: Columns) -> list[Column]:
        return [pairs.n, pairs.x * pairs.y, pairs.x + pairs.y, pairs.is_double]

    def bound(self, n: float, N: int, M: int) -> float:
        return n * (1 + log(N / n))  # f(Cx) − f(Cx−n) ≥ f(n), and so for y; f' ≤ 1 + ln N


_PRECISE = Context(prec=130)


@lru_cache(maxsize=2**14)
def _f(t: int) -> Decimal:
    return _PRECISE.multiply(Decimal(t), _PRECISE.ln(Decimal(t))) if t else Decimal()


gain, ratio, frequency, likelihood = Gain(), Ratio(), Frequency(), Likelihood()
SCORES: dict[str, Score | ScoreFunction] = {
    score.name: score for score in (gain, ratio, frequency, likelihood)
}


class _Tally:
    """How often the tokens and pairs of some splits occur; the splits can be taken back.

    >>> tally = _Tally()
    >>> tally.add(["h", "u", "g"], 2)
    >>> tally.score(frequency)
    {('h', 'u'): 2, ('u', 'g'): 2}
    """

    def __init__(self) -> None:
        self.tokens: Counter[str] = Counter()
        self.pairs: Counter[Pair] = Counter()
        self.joins: Counter[Pair] = Counter()  # of pairs of equal tokens

    def add(self, split: Sequence[str], count: int) -> None:
        """Count a split `count` times more; less, if that is negative."""
        for token in split:
            self.tokens[token] += count
        for pair in zip(split, split[1:]):
            self.pairs[pair] += count
            if not self.pairs[pair]:
                del self.pairs[pair]
        if len(set(split)) < len(split):
            for token, run in groupby(split):
                self.joins[token, token] += len(list(run)) // 2 * count

    def score(self, score: Score | ScoreFunction) -> dict[Pair, float]:
        """Return the score of every pair, in the order in which they were first counted."""
        C, N, M = self.tokens, self.tokens.total(), self.pairs.total()
        scored: dict[Pair, float] = {}
        if isinstance(score, Score):
            for (x, y), Cxy in self.pairs.items():
                Cz, n = C.get(x + y, 0), self.joins.get((x, y), 0)
                scored[x, y] = score(Cxy, C[x], C[y], N, M, Cz, n)
        else:
            for (x, y), Cxy in self.pairs.items():
                scored[x, y] = check_value(score(Cxy, C[x], C[y], N, M), score, (x, y))
        return scored


def pair_gains(
    splits: Mapping[str, Sequence[str]],
    word_counts: Mapping[str, int],
    score: str | ScoreFunction = "gain",
) -> dict[Pair, float]:
    """Return the score of every adjacent pair, in order of first occurrence.

    `score` is a name in SCORES, or any function (Cxy, Cx, Cy, N, M) → number. Raises ValueError if
    it is neither, if a word has no split or that of another word, or if the function gives NaN;
    TypeError if what it gives is no real number, or if a split is no list of str; and what
    `check_word_counts` raises.

    >>> pair_gains({"hug": ["h", "ug"], "hum": ["h", "u", "m"]}, {"hug": 2, "hum": 1}, "frequency")
    {('h', 'ug'): 2, ('h', 'u'): 1, ('u', 'm'): 1}
    """
    score = find_score(score)
    tally = _Tally()
    for split, count in check_splits(splits, check_word_counts(word_counts)):
        tally.add(split, count)
    return tally.score(score)


def find_score(score: str | ScoreFunction) -> Score | ScoreFunction:
    """Return the score that `score` names, or `score` itself if it can be called.

    >>> find_score("gain")
    gain
    """
    if isinstance(score, str) and score in SCORES:
        return SCORES[score]
    if not callable(score):
        names = ", ".join(map(repr, SCORES))
        raise ValueError(
            f"there is no score {score!r}: use one of {names}, or a function (Cxy, Cx, Cy, N, M)"
        )
    return score
