"""Training, faster: find the best pair by a named score without scoring all pairs.

Few pairs can be the best. A pair that occurs n times has Cx ≥ n and Cy ≥ n, so its gain is at most
n · ln( N² / (M·n) ), which is lower for rarer pairs. (Each score has its own `bound`, and the
letters are those of `wpedu.scores`.) So `Candidates` scores only the pairs that occur at least
`least` times, and lowers `least` when a rarer pair might score higher than the best of them.

It scores them all at once, in NumPy. Floating-point numbers are rounded, so this tells only which
pairs are nearly the best: among these the exact score decides, and then the first occurrence.
"""

from collections.abc import Iterable
from math import inf, log
from typing import TypeVar

import numpy as np

from wpedu.fast.estimates import ESTIMATES, Column, Columns, Ids
from wpedu.fast.linked_tokens import LinkedTokens
from wpedu.scores import Pair, Score

Slots = Ids
_Values = TypeVar("_Values", Column, Slots)
_UNKNOWN = -1  # a position that has not been looked up
# n and log_n of a free slot, whose score is then the lowest. (Zero times −∞ would not be a number.)
_FREE = (1e-300, -inf)
_NO_PAIR = ("", "")  # in a free slot


class _Selected(Columns):
    """The columns of some slots."""

    def __init__(self, columns: Columns, slots: Slots):
        self.n, self.log_n = columns.n.take(slots), columns.log_n.take(slots)
        self.left, self.right = columns.left.take(slots), columns.right.take(slots)
        self.token_counts, self.token_logs = columns.token_counts, columns.token_logs
        self.tokens = columns.tokens


class Candidates(Columns):
    """The pairs that may be the best: those that occur at least `least` times, in columns.

    >>> from wpedu.scores import frequency
    >>> tokens = LinkedTokens([["h", "u", "g"], ["h", "u", "m"]], [2, 1])
    >>> Candidates(tokens, frequency).find_best()
    ('h', 'u')
    """

    def __init__(self, tokens: LinkedTokens, score: Score):
        self.tokens, self.score, self.estimate = tokens, score, ESTIMATES[score]
        self.n_of = (
            tokens.count_joins if self.estimate.uses_joins else tokens.pair_counts.__getitem__
        )
        self.token_ids: dict[str, int] = {}
        self.token_counts, self.token_logs = np.ones(1024), np.zeros(1024)
        for token in tokens.token_counts:
            self._recount(token)
        # Each slot has a pair, its n (how often it occurs, or how many joins it makes) and the
        # logarithm of that, its first position, and the ids of its tokens.
        self.pairs: list[Pair] = []
        self.n, self.log_n = np.empty(0), np.empty(0)
        self.first: Slots = np.empty(0, dtype=np.intp)
        self.left, self.right = np.empty((2, 0), dtype=np.intp)
        self.least: float = inf
        self._fill(max(tokens.pair_counts.values(), default=1))

    def find_best(self) -> Pair:
        """Return the pair with the highest score; of equal pairs, the one that occurs first."""
        if len(self.free) > len(self.slots) + 64:
            self._fill(self.least)  # most slots are free
        estimate, num_tokens, num_pairs = self.estimate, self.N, self.M
        while True:
            values = estimate.values(self)
            top = values[values.argmax()]  # faster in NumPy than values.max()
            near_top = top - estimate.slack(top, num_tokens)
            if self.least == 1 or near_top > estimate.bound(self.least - 1, num_tokens, num_pairs):
                break
            self._fill(self.least * 3 // 4)
        near = (values >= near_top).nonzero()[0]
        if len(near) > 1:
            near = self._find_equal_best(near, values.take(near))
            near = near[[self._first_positions(near).argmin()]]
        return self.pairs[int(near[0])]

    def update(self, merged: Pair, changed: Iterable[Pair]) -> None:
        """Bring the columns up to date after a merge."""
        x, y = merged
        for token in (x, y, x + y):
            self._recount(token)
        self._remove(merged)
        count_of = self.tokens.pair_counts.get
        for pair in changed:
            if count_of(pair, 0) >= self.least:
                self._put(pair)
            elif pair in self.slots:
                self._remove(pair)

    def _find_equal_best(self, near: Slots, values: Column) -> Slots:
        """Return those of the slots `near` whose pairs have the highest exact score."""
        columns = _Selected(self, near)
        deciding = self.estimate.decided_by(columns)
        if max(column.max() for column in deciding) < 2**53:  # none of them was rounded
            if self.estimate.is_exact:
                return near[np.flatnonzero(values == values.max())]
            if all(len(set(column.tolist())) == 1 for column in deciding):
                return near
        slack = self.estimate.slack(values, columns.n)
        near = near[values + slack >= (values - slack).max()]
        exact = [self._score_exactly(self.pairs[slot]) for slot in near.tolist()]
        best = max(exact)
        return near[np.flatnonzero([score == best for score in exact])]

    def _score_exactly(self, pair: Pair) -> float:
        x, y = pair
        C = self.tokens.token_counts
        joins = {"joins": self.n_of(pair)} if self.estimate.uses_joins and x == y else {}
        return self.score(self.tokens.pair_counts[pair], C[x], C[y], self.N, self.M, **joins)

    def _first_positions(self, slots: Slots) -> Slots:
        """Return where the pairs in these slots occur first, which is looked up only for ties."""
        positions = self.first.take(slots)
        for i in (positions == _UNKNOWN).nonzero()[0].tolist():
            positions[i] = self.tokens.find_first(self.pairs[slots[i]])
        self.first[slots] = positions
        return positions

    def _fill(self, least: float) -> None:
        """Set `least`, add the pairs that it newly admits, and close the gaps between slots."""
        tokens, before = self.tokens, self.least
        new: list[Pair] = []
        if least < before:
            new = [pair for pair, n in tokens.pair_counts.items() if least <= n < before]
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
        # A token that no longer occurs is in no candidate: 1 replaces its 0, for the logarithm.
        count = self.tokens.token_counts[token] or 1
        self.token_counts[token_id], self.token_logs[token_id] = count, log(count)
