"""Which pair is the best, again and again, while training merges.

Few pairs can be: a pair that occurs n times has Cx ≥ n and Cy ≥ n. By gain it is therefore worth at
most n · ln( N² / (M·n) ), which is less for rarer pairs (`_bound` has the other scores, and the
letters are those of `wpedu.scores`). So a contest scores only the pairs that occur at least `least`
times, and lowers `least` when the best of them is worth no more than a rarer pair might be.

It scores them all at once, in NumPy. Since floating-point numbers are rounded, that only tells
which pairs are nearly the best: among these the exact score decides, and then the first occurrence.
"""

from collections.abc import Iterable
from math import e, inf, log

from wpedu.fast.row import Row
from wpedu.scores import Pair

_UNKNOWN = -1  # a place that has not been looked up
_FREE = (1e-300, -inf)  # n and log_n of a free slot: the lowest score (0 · -inf would be none)


class Contest:
    """The pairs that may be the best: those that occur at least `least` times, in columns.

    >>> row = Row([["h", "u", "g"], ["h", "u", "m"]], [2, 1])
    >>> Contest(row, "frequency").best()
    ('h', 'u')
    """

    def __init__(self, row: Row, score: str):
        import numpy as np

        self.np, self.row, self.score = np, row, score
        self.is_quotient = score in ("ratio", "frequency")
        counts_joins = score == "likelihood"
        self.n_of = row.num_joins if counts_joins else row.pair_counts.__getitem__
        self.token_ids: dict[str, int] = {}
        self.token_counts, self.token_logs = np.ones(1024), np.zeros(1024)
        for token in row.token_counts:
            self._recount(token)
        # In each slot: a pair, its n (how often it occurs, for likelihood how many joins it makes)
        # and the logarithm, its first place, the ids of its tokens.
        self.pairs: list[Pair | None] = []
        self.n, self.log_n = np.empty(0), np.empty(0)
        self.first, self.left, self.right = np.empty((3, 0), dtype=np.intp)
        self.least = inf
        self._fill(max(row.pair_counts.values(), default=1))

    def best(self) -> Pair:
        """Return the pair with the highest score; of equal ones the one that stands first."""
        if len(self.free) > len(self.slots) + 64:
            self._fill(self.least)  # most slots are gaps
        while True:
            scores = self._estimate()
            top = scores[scores.argmax()]  # in NumPy quicker than scores.max()
            near_top = top - self._slack(top)
            if self.least == 1 or near_top > self._bound(self.least - 1):
                break
            self._fill(self.least * 3 // 4)
        near = (scores >= near_top).nonzero()[0]
        if len(near) > 1:
            near = self._best_of(near, scores.take(near))
            near = near[self._first_places(near).argmin(keepdims=True)]
        return self.pairs[near[0]]

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

    def _estimate(self):
        """Return the scores of all pairs of the contest, less than `_slack` away from exact."""
        n, row = self.n, self.row
        if self.score == "frequency":
            return n
        if self.score == "gain":
            factor = log(row.num_tokens * row.num_tokens / row.num_pairs)
            logs = self.token_logs.take(self.left) + self.token_logs.take(self.right)
            return n * (self.log_n - logs + factor)
        x, y = self.token_counts.take(self.left), self.token_counts.take(self.right)
        if self.score == "ratio":
            return n / (x * y)
        f = self._f
        scores = f(x - n) - f(x) + f(y - n) - f(y)
        equal = self.np.flatnonzero(self.left == self.right)
        scores[equal] = f(x[equal] - 2 * n[equal]) - f(x[equal])
        total = float(row.num_tokens)
        return scores + n * self.log_n + (f(total) - f(total - n))

    def _f(self, t):
        return t * self.np.log(self.np.maximum(t, 1.0))

    def _bound(self, n: int) -> float:
        """Return what a pair that occurs at most n times is worth at most."""
        num_tokens, num_pairs = self.row.num_tokens, self.row.num_pairs
        if self.score == "gain":
            n = min(n, num_tokens * num_tokens / (num_pairs * e))  # beyond, the bound falls
            return n * log(num_tokens * num_tokens / (num_pairs * n))
        if self.score == "likelihood":  # f(Cx) − f(Cx−n) ≥ f(n), and so for y; f' ≤ 1 + ln N
            return n * (1 + log(num_tokens / n))
        return n if self.score == "frequency" else inf  # a rare pair may have the highest ratio

    def _slack(self, top: float) -> float:
        """Return more than an estimate is off: its terms, up to N·ln N, are right to 15 digits."""
        return 1e-12 * (top if self.is_quotient else self.row.num_tokens)

    def _best_of(self, near, estimates):
        """Return those of the slots `near` whose pairs have the highest exact score."""
        left, right = self.left.take(near), self.right.take(near)
        n, x, y = self.n.take(near), self.token_counts.take(left), self.token_counts.take(right)
        columns = [n] if self.score == "frequency" else [n, x * y]
        if columns[-1].max() < 2**53:  # these are exact, and their quotients rounded as Python's
            if self.is_quotient:
                return near[estimates == estimates.max()]
            if self.score == "likelihood":
                columns += [x + y, left == right]
            if all(len(set(column.tolist())) == 1 for column in columns):
                return near
        exact = [self.row.score(self.pairs[slot], self.score) for slot in near]
        best = max(exact)
        return near[[score == best for score in exact]]

    def _first_places(self, slots):
        """Return where the pairs in these slots stand first, which is looked up when it matters."""
        places = self.first.take(slots)
        for i in (places == _UNKNOWN).nonzero()[0].tolist():
            places[i] = self.row.first_place(self.pairs[slots[i]])
        self.first[slots] = places
        return places

    def _fill(self, least: int) -> None:
        """Set `least`, put in the pairs that it now lets in, if any, and leave no gaps between."""
        np, row, before = self.np, self.row, self.least
        new = []
        if least < before:
            new = [pair for pair, n in row.pair_counts.items() if least <= n < before]
        old = (self.n >= 1).nonzero()[0]
        size = len(old) + len(new)
        free = size // 8 + 64

        def column(values, new_values, free_value):
            new_values = np.array([*new_values, *[free_value] * free], dtype=values.dtype)
            return np.concatenate([values[old], new_values])

        self.least = least
        self.pairs = [*map(self.pairs.__getitem__, old.tolist()), *new, *[None] * free]
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
            self.token_counts = self.np.resize(self.token_counts, 2 * token_id)
            self.token_logs = self.np.resize(self.token_logs, 2 * token_id)
        # No pair of the contest has a token that is gone: 1 stands for 0, which has no logarithm.
        count = self.row.token_counts[token] or 1
        self.token_counts[token_id], self.token_logs[token_id] = count, log(count)
