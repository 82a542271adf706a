"""Training, sooner: which pair is the best, without scoring all of them for every merge.

Few pairs can be: a pair that occurs n times has Cx ≥ n and Cy ≥ n. By gain it is therefore worth at
most n · ln( N² / (M·n) ), which is less for rarer pairs (each score has its own `bound`, and the
letters are those of `wpedu.scores`). So a contest scores only the pairs that occur at least `least`
times, and lowers `least` when the best of them is worth no more than a rarer pair might be.

It scores them all at once, in NumPy. Since floating-point numbers are rounded, that only tells
which pairs are nearly the best: among these the exact score decides, and then the first occurrence.
"""

from collections.abc import Iterable, Sequence
from math import inf, log
from typing import TypeVar

import numpy as np

from wpedu.fast.quick import QUICK, Column, Columns, Slots
from wpedu.fast.row import Row
from wpedu.scores import Pair, ScoreFunction

_Values = TypeVar("_Values", Column, Slots)
_UNKNOWN = -1  # a place that has not been looked up
_FREE = (1e-300, -inf)  # n and log_n of a free slot: the lowest score (0 · -inf would be none)
_NO_PAIR = ("", "")  # in a free slot


def train_fast(
    splits: Iterable[Sequence[str]],
    counts: Iterable[int],
    rounds: Iterable[int],
    score: ScoreFunction,
) -> list[Pair]:
    """Return at most a merge for each of `rounds`: what `wpedu.training.train` does, sooner.

    >>> from wpedu.scores import gain
    >>> train_fast([["▁h", "u", "g"]], [1], range(9), gain)
    [('▁h', 'u'), ('▁hu', 'g')]
    """
    row = Row(splits, counts)
    contest = Contest(row, score)
    merges = []
    for _ in rounds:
        if not row.pair_counts:
            break
        best = contest.best()
        contest.update(best, row.merge(best))
        merges.append(best)
    return merges


class _Some(Columns):
    """The columns of a contest for some of its slots."""

    def __init__(self, contest: Columns, slots: Slots):
        self.n, self.log_n = contest.n.take(slots), contest.log_n.take(slots)
        self.left, self.right = contest.left.take(slots), contest.right.take(slots)
        self.token_counts, self.token_logs = contest.token_counts, contest.token_logs
        self.row = contest.row


class Contest(Columns):
    """The pairs that may be the best: those that occur at least `least` times, in columns.

    >>> from wpedu.scores import frequency
    >>> row = Row([["h", "u", "g"], ["h", "u", "m"]], [2, 1])
    >>> Contest(row, frequency).best()
    ('h', 'u')
    """

    def __init__(self, row: Row, score: ScoreFunction):
        self.row, self.score, self.quick = row, score, QUICK[score]
        self.n_of = row.num_joins if self.quick.counts_joins else row.pair_counts.__getitem__
        self.token_ids: dict[str, int] = {}
        self.token_counts, self.token_logs = np.ones(1024), np.zeros(1024)
        for token in row.token_counts:
            self._recount(token)
        # In each slot: a pair, its n (how often it occurs, or how many joins it makes) and the
        # logarithm, its first place, the ids of its tokens.
        self.pairs: list[Pair] = []
        self.n, self.log_n = np.empty(0), np.empty(0)
        self.first: Slots = np.empty(0, dtype=np.intp)
        self.left, self.right = np.empty((2, 0), dtype=np.intp)
        self.least: float = inf
        self._fill(max(row.pair_counts.values(), default=1))

    def best(self) -> Pair:
        """Return the pair with the highest score; of equal ones the one that stands first."""
        if len(self.free) > len(self.slots) + 64:
            self._fill(self.least)  # most slots are gaps
        quick, num_tokens, num_pairs = self.quick, self.row.num_tokens, self.row.num_pairs
        while True:
            scores = quick.estimate(self)
            top = scores[scores.argmax()]  # in NumPy quicker than scores.max()
            near_top = top - quick.slack(top, num_tokens)
            if self.least == 1 or near_top > quick.bound(self.least - 1, num_tokens, num_pairs):
                break
            self._fill(self.least * 3 // 4)
        near = (scores >= near_top).nonzero()[0]
        if len(near) > 1:
            near = self._best_of(near, scores.take(near))
            near = near[[self._first_places(near).argmin()]]
        return self.pairs[int(near[0])]

    def update(self, merged: Pair, changed: Iterable[Pair]) -> None:
        """Bring the columns up to date after a merge."""
        x, y = merged
        for token in (x, y, x + y):
            self._recount(token)
        self._remove(merged)
        count_of = self.row.pair_counts.get
        for pair in changed:
            if count_of(pair, 0) >= self.least:
                self._put(pair)
            elif pair in self.slots:
                self._remove(pair)

    def _best_of(self, near: Slots, estimates: Column) -> Slots:
        """Return those of the slots `near` whose pairs have the highest exact score."""
        columns = _Some(self, near)
        deciding = self.quick.decided_by(columns)
        if max(column.max() for column in deciding) < 2**53:  # none of them was rounded
            if self.quick.is_exact:
                return near[np.flatnonzero(estimates == estimates.max())]
            if all(len(set(column.tolist())) == 1 for column in deciding):
                return near
        slack = self.quick.slack(estimates, columns.n)
        near = near[estimates + slack >= (estimates - slack).max()]
        exact = [self._exact(self.pairs[slot]) for slot in near.tolist()]
        best = max(exact)
        return near[np.flatnonzero([score == best for score in exact])]

    def _exact(self, pair: Pair) -> float:
        x, y = pair
        C, N, M = self.row.token_counts, self.row.num_tokens, self.row.num_pairs
        joins = {"joins": self.n_of(pair)} if self.quick.counts_joins and x == y else {}
        return self.score(self.row.pair_counts[pair], C[x], C[y], N, M, **joins)

    def _first_places(self, slots: Slots) -> Slots:
        """Return where the pairs in these slots stand first, which is looked up when it matters."""
        places = self.first.take(slots)
        for i in (places == _UNKNOWN).nonzero()[0].tolist():
            places[i] = self.row.first_place(self.pairs[slots[i]])
        self.first[slots] = places
        return places

    def _fill(self, least: float) -> None:
        """Set `least`, put in the pairs that it now lets in, if any, and leave no gaps between."""
        row, before = self.row, self.least
        new: list[Pair] = []
        if least < before:
            new = [pair for pair, n in row.pair_counts.items() if least <= n < before]
        old = (self.n >= 1).nonzero()[0]
        size = len(old) + len(new)
        free = size // 8 + 64

        def column(values: _Values, new_values: Iterable[float], free_value: float) -> _Values:
            added = np.array([*new_values, *[free_value] * free], dtype=values.dtype)
            return np.concatenate([values[old], added])

        self.least = least
        self.pairs = [*map(self.pairs.__getitem__, old.tolist()), *new, *[_NO_PAIR] * free]
        self.slots = dict(zip(self.pairs, range(size)))
        self.free = list(range(size, size + free))
        n = [*map(self.n_of, new)]
        self.n = column(self.n, n, _FREE[0])
        self.log_n = column(self.log_n, map(log, n), _FREE[1])
        self.first = column(self.first, [_UNKNOWN] * len(new), _UNKNOWN)
        self.left = column(self.left, [self.token_ids[x] for x, _ in new], 0)
        self.right = column(self.right, [self.token_ids[y] for _, y in new], 0)

    def _put(self, pair: Pair) -> None:
        if pair not in self.slots:
            if not self.free:
                self._fill(self.least)
            slot = self.slots[pair] = self.free.pop()
            self.pairs[slot] = pair
            self.left[slot] = self.token_ids[pair[0]]
            self.right[slot] = self.token_ids[pair[1]]
        slot = self.slots[pair]
        self.n[slot] = n = self.n_of(pair)
        self.log_n[slot] = log(n)
        self.first[slot] = _UNKNOWN

    def _remove(self, pair: Pair) -> None:
        slot = self.slots.pop(pair)
        self.free.append(slot)
        self.n[slot], self.log_n[slot] = _FREE

    def _recount(self, token: str) -> None:
        token_id = self.token_ids.setdefault(token, len(self.token_ids))
        if token_id == len(self.token_counts):
            self.token_counts = np.resize(self.token_counts, 2 * token_id)
            self.token_logs = np.resize(self.token_logs, 2 * token_id)
        # No pair of the contest has a token that is gone: 1 stands for 0, which has no logarithm.
        count = self.row.token_counts[token] or 1
        self.token_counts[token_id], self.token_logs[token_id] = count, log(count)
