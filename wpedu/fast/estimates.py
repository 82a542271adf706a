"""Training, faster: facts about each named score besides its formula.

The letters are those of `wpedu.scores`. An `Estimate` only says which pairs need an exact score,
never which pair wins: see `wpedu.fast.candidates`.
"""

from collections.abc import Callable
from math import e, inf, log
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from wpedu.fast.linked_tokens import LinkedTokens
from wpedu.scores import Score, frequency, gain, likelihood, ratio

Column = NDArray[np.float64]  # a number for each pair
Ids = NDArray[np.intp]
_Number = TypeVar("_Number", Column, float)


class Columns:
    """The counts of some pairs, and the totals: n is Cxy, or the joins if the score uses them."""

    n: Column
    log_n: Column
    left: Ids  # of the tokens x
    right: Ids
    token_counts: Column
    token_logs: Column
    tokens: LinkedTokens

    @property
    def N(self) -> int:
        return self.tokens.num_tokens

    @property
    def M(self) -> int:
        return self.tokens.num_pairs

    @property
    def x(self) -> Column:
        return self.token_counts.take(self.left)

    @property
    def y(self) -> Column:
        return self.token_counts.take(self.right)

    @property
    def log_xy(self) -> Column:
        return self.token_logs.take(self.left) + self.token_logs.take(self.right)

    @property
    def is_double(self) -> Column:
        return np.where(self.left == self.right, 1.0, 0.0)


class Estimate(NamedTuple):
    """What the fast trainer needs to know about a score."""

    values: Callable[[Columns], Column]  # the scores of many pairs, up to `slack`
    decided_by: Callable[[Columns], list[Column]]  # pairs equal in all of them have equal scores
    bound: Callable[[float, int, int], float]  # the highest score of a pair that occurs n times
    is_exact: bool = False  # values are scores, as long as all counts are below 2^53
    uses_joins: bool = False  # the score depends on a pair's joins, not on its occurrences

    def slack(self, values: _Number, n: _Number) -> _Number:
        """Return a bound on the error of `values`, for pairs that occur at most `n` times."""
        return 1e-12 * (values if self.is_exact else n)  # logarithms are right to 15 digits


def _gain(pairs: Columns) -> Column:
    return pairs.n * (pairs.log_n - pairs.log_xy + log(pairs.N * pairs.N / pairs.M))


def _highest_gain(n: float, N: int, M: int) -> float:
    n = min(n, N * N / (M * e))  # the gain is highest for Cx = Cy = n, and falls beyond this n
    return n * log(N * N / (M * n))


def _likelihood(pairs: Columns) -> Column:
    def rest(C: Column, n: Column) -> Column:  # f(C−n) − f(C) + n·ln C, between −n and 0
        return (C - n) * np.log1p(np.maximum(-n / C, -1 + 2**-53))

    n, x, double = pairs.n, pairs.x, np.flatnonzero(pairs.is_double)
    rests = rest(x, n) + rest(pairs.y, n)
    rests[double] = rest(x[double], 2 * n[double])
    return (
        n * (pairs.log_n - pairs.log_xy + log(pairs.N))
        + rests
        - rest(np.array([float(pairs.N)]), n)
    )


def _highest_likelihood(n: float, N: int, M: int) -> float:
    return n * (1 + log(N / n))  # because f(Cx) − f(Cx−n) ≥ f(n), likewise for y, and f' ≤ 1 + ln N


ESTIMATES: dict[Score, Estimate] = {
    gain: Estimate(_gain, lambda pairs: [pairs.n, pairs.x * pairs.y], _highest_gain),
    ratio: Estimate(
        lambda pairs: pairs.n / (pairs.x * pairs.y),
        lambda pairs: [pairs.n, pairs.x * pairs.y],
        lambda n, N, M: inf,  # a rare pair may have the highest ratio
        is_exact=True,
    ),
    frequency: Estimate(
        lambda pairs: pairs.n, lambda pairs: [pairs.n], lambda n, N, M: n, is_exact=True
    ),
    likelihood: Estimate(
        _likelihood,
        lambda pairs: [pairs.n, pairs.x * pairs.y, pairs.x + pairs.y, pairs.is_double],
        _highest_likelihood,
        uses_joins=True,
    ),
}
