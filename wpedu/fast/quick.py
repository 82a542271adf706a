"""Training, sooner: what is known of the scores that have a name, beside their formula.

The letters are those of `wpedu.scores`. What a `Quick` says saves time and never decides: see
`wpedu.fast.contest`. A score that is not in QUICK is trained by the plain loop.
"""

from collections.abc import Callable
from math import e, inf, log
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from wpedu.fast.row import Row
from wpedu.scores import ScoreFunction, frequency, gain, likelihood, ratio

Column = NDArray[np.float64]  # a number for each pair
Slots = NDArray[np.intp]
_Number = TypeVar("_Number", Column, float)


class Columns:
    """The counts of some pairs, and the totals: n is Cxy, or the joins for a score of those."""

    n: Column
    log_n: Column
    left: Slots  # the numbers of the tokens x
    right: Slots
    token_counts: Column
    token_logs: Column
    row: Row

    @property
    def N(self) -> int:
        return self.row.num_tokens

    @property
    def M(self) -> int:
        return self.row.num_pairs

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


class Quick(NamedTuple):
    """What the fast trainer asks about a score."""

    estimate: Callable[[Columns], Column]  # the values of many pairs, less than the slack away
    decided_by: Callable[[Columns], list[Column]]  # pairs equal in all of them are worth the same
    bound: Callable[[float, int, int], float]  # what a pair is worth at most that occurs n times
    is_exact: bool = False  # an estimate is the value, if what it is made of is below 2^53
    counts_joins: bool = False  # it depends on the joins of a pair, and not on its occurrences

    def slack(self, estimates: _Number, n: _Number) -> _Number:
        """Return more than `estimates` are off, for pairs that occur at most `n` times."""
        return 1e-12 * (estimates if self.is_exact else n)  # logarithms are right to 15 digits


def _gain(pairs: Columns) -> Column:
    return pairs.n * (pairs.log_n - pairs.log_xy + log(pairs.N * pairs.N / pairs.M))


def _most_gain(n: float, N: int, M: int) -> float:
    n = min(n, N * N / (M * e))  # for Cx = Cy = n, the best there is; beyond, it falls
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


def _most_likelihood(n: float, N: int, M: int) -> float:
    return n * (1 + log(N / n))  # f(Cx) − f(Cx−n) ≥ f(n), and so for y; f' ≤ 1 + ln N


QUICK: dict[ScoreFunction, Quick] = {
    gain: Quick(_gain, lambda pairs: [pairs.n, pairs.x * pairs.y], _most_gain),
    ratio: Quick(
        lambda pairs: pairs.n / (pairs.x * pairs.y),
        lambda pairs: [pairs.n, pairs.x * pairs.y],
        lambda n, N, M: inf,  # a rare pair may have the highest ratio
        is_exact=True,
    ),
    frequency: Quick(
        lambda pairs: pairs.n, lambda pairs: [pairs.n], lambda n, N, M: n, is_exact=True
    ),
    likelihood: Quick(
        _likelihood,
        lambda pairs: [pairs.n, pairs.x * pairs.y, pairs.x + pairs.y, pairs.is_double],
        _most_likelihood,
        counts_joins=True,
    ),
}
