"""Training: word counts → merges → vocabulary.

The naive loop (notebook 03) counts and scores all pairs and walks through all words, for every
merge. This one gives the same merges, and does little of that, for two reasons (notebook 08).

**A merge changes little.** `_Row` holds the tokens of all words in a row, each linked to its
neighbors, and the places of every pair. A merge goes to these places, joins, and corrects the
counts of the pairs around them.

**Few pairs can be the best.** A pair that occurs n times has Cx ≥ n and Cy ≥ n. By gain it is
therefore worth at most n · ln( N² / (M·n) ), which is less for rarer pairs. So `_Contest` scores
only the pairs that occur at least `least` times, and lowers `least` when the best of them is worth
no more than a rarer pair might be.

It scores them all at once, in NumPy. Since floating-point numbers are rounded, that only tells
which pairs are nearly the best: among these the exact score decides, and then the first occurrence.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import e, inf, log
from sys import maxsize

from wpedu.pretokenization import START
from wpedu.scores import SCORES, Pair, check_score, check_word_counts

_BORDER = ""  # between two words; no token is empty
_GONE = None  # where the right half of a join was
_UNKNOWN = -1  # a place that has not been looked up
_FREE = (1e-300, -inf)  # a count and its logarithm with which a free slot has the lowest score


def merge_pair(pair: Pair, split: Sequence[str]) -> list[str]:
    """Return `split` with every occurrence of `pair` joined, left to right, without overlap.

    >>> merge_pair(("a", "a"), ["a", "a", "a", "b"])
    ['aa', 'a', 'b']
    """
    x, y = pair
    merged, i = [], 0
    while i < len(split):
        if split[i] == x and i + 1 < len(split) and split[i + 1] == y:
            merged.append(x + y)
            i += 2
        else:
            merged.append(split[i])
            i += 1
    return merged


def train(
    word_counts: Mapping[str, int],
    num_merges: int = 200,
    score: str = "gain",
    progress: bool = False,
) -> list[Pair]:
    """Return the merges, in order: `num_merges` of them, or fewer if no pair is left.

    Each is the pair with the highest score (see `wpedu.scores`); of equal ones, the pair that
    occurs first, in the earliest word of `word_counts` and leftmost there. `progress` shows a bar
    on stderr. Raises TypeError or ValueError if an argument is not what it should be.

    >>> train({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, num_merges=3)
    [('e', 'a'), ('▁', 's'), ('▁s', 'ea')]
    """
    check_num_merges(num_merges)
    check_words(word_counts)
    check_score(score)
    splits = ([START, *word] for word in word_counts)
    merges = islice(iter_merges(splits, word_counts.values(), score), min(num_merges, maxsize))
    if progress:
        from tqdm import tqdm

        merges = tqdm(merges, total=num_merges, unit="merge")
    return list(merges)


def iter_merges(
    splits: Iterable[Sequence[str]], counts: Iterable[int], score: str = "gain"
) -> Iterator[Pair]:
    """Yield the merges until no pair is left, from any splits to begin with.

    `score` is the name of a score; what calls this has checked it.

    >>> list(iter_merges([["▁h", "u", "g"]], [1], "frequency"))
    [('▁h', 'u'), ('▁hu', 'g')]
    """
    row = _Row(splits, counts)
    contest = _Contest(row, score)
    while row.pair_counts:
        best = contest.best()
        contest.update(best, row.merge(best))
        yield best


def build_vocab(word_counts: Mapping[str, int], merges: Sequence[Pair]) -> list[str]:
    """Return the alphabet in order of first occurrence, then the merged pairs in order.

    No two merges of one training make the same string: until it is one token, no merge has
    crossed its ends, so that it is split in the same way wherever it stands. Raises what
    `check_words` raises.

    >>> build_vocab({"hug": 2}, [("h", "u")])
    ['▁', 'h', 'u', 'g', 'hu']
    """
    check_words(word_counts)
    alphabet = dict.fromkeys(START.join(["", *word_counts]))
    return [*alphabet, *(x + y for x, y in merges)]


def check_num_merges(num_merges: int) -> None:
    """Raise TypeError or ValueError unless `num_merges` is an integer from 0 up.

    >>> check_num_merges(200)
    """
    if isinstance(num_merges, bool) or not isinstance(num_merges, int):
        raise TypeError(f"num_merges must be an int, not {num_merges!r}")
    if num_merges < 0:
        raise ValueError(f"num_merges must be 0 or more, not {num_merges}")


def check_words(word_counts: Mapping[str, int]) -> None:
    """Raise what `check_word_counts` raises, and ValueError for a word that is empty or has a ▁.

    >>> check_words({"sea": 3})
    """
    check_word_counts(word_counts)
    if "" in word_counts:
        raise ValueError("word_counts has an empty word: leave it out")
    for word in word_counts:
        if START in word:
            raise ValueError(
                f"the word {word!r} has a {START} in it, which marks the start of a word here: "
                f"replace it in the text"
            )


class _Row:
    """The tokens of all words in a row, and the counts of tokens and pairs."""

    def __init__(self, splits: Iterable[Sequence[str]], counts: Iterable[int]):
        self.tokens, self.weights = [_BORDER], [0]
        for split, count in zip(splits, counts, strict=True):
            self.tokens += split
            self.tokens.append(_BORDER)
            self.weights += [count] * (len(split) + 1)
        numbers = list(range(len(self.tokens)))  # the lists share one int for each place
        self.following = [*numbers[1:], len(numbers)]
        self.preceding = [-1, *numbers[:-1]]
        # The places of a pair are those of its left half, the first one last. Some may be places
        # where it no longer stands; `merge` and `first_place` pass over these.
        self.places = places = defaultdict(list)
        for place, pair in zip(numbers, zip(self.tokens, self.tokens[1:])):
            places[pair].append(place)
        self.token_counts: dict[str, int] = defaultdict(int)
        self.pair_counts: dict[Pair, int] = {}
        for pair, places in self.places.items():
            places.reverse()
            count = sum(map(self.weights.__getitem__, places))
            if pair[0] != _BORDER:
                self.token_counts[pair[0]] += count
                if pair[1] != _BORDER:
                    self.pair_counts[pair] = count
        self.num_tokens = sum(self.token_counts.values())
        self.num_pairs = sum(self.pair_counts.values())

    def merge(self, pair: Pair) -> list[Pair]:
        """Join `pair` wherever it stands, and return the other pairs whose counts change."""
        x, y = pair
        z = x + y
        tokens, following, preceding = self.tokens, self.following, self.preceding
        before, after = defaultdict(list), defaultdict(list)  # neighbor → places of z
        for place in reversed(self.places.pop(pair)):
            right = following[place]
            if tokens[place] != x or tokens[right] != y:
                continue
            end = following[right]
            tokens[place], tokens[right] = z, _GONE
            following[place], preceding[end] = end, place
            before[tokens[preceding[place]]].append(place)
            after[tokens[end]].append(place)
        joins = 0
        changed = []
        weight = self.weights.__getitem__
        del self.pair_counts[pair]
        for token, places in after.items():
            count = sum(map(weight, places))
            joins += count
            if token != _BORDER:
                self._remove((y, token), count, changed)
                self._add((z, token), count, places, changed)
        for token, places in before.items():
            if token != _BORDER:
                count = sum(map(weight, places))
                self._remove((token, x), count, changed)
                self._add((token, z), count, [preceding[place] for place in places], changed)
        self.token_counts[x] -= joins
        self.token_counts[y] -= joins
        self.token_counts[z] += joins
        self.num_tokens -= joins
        self.num_pairs -= joins
        return changed

    def _add(self, pair: Pair, count: int, places: list[int], changed: list[Pair]) -> None:
        places.reverse()
        self.pair_counts[pair] = count
        self.places[pair] = places
        changed.append(pair)

    def _remove(self, pair: Pair, count: int, changed: list[Pair]) -> None:
        if pair in self.pair_counts:  # the merged pair itself is not: "aaa"
            self.pair_counts[pair] -= count
            if not self.pair_counts[pair]:
                del self.pair_counts[pair]
            changed.append(pair)

    def first_place(self, pair: Pair) -> int:
        """Return where `pair` stands first."""
        x, y = pair
        places, tokens, following = self.places[pair], self.tokens, self.following
        while tokens[places[-1]] != x or tokens[following[places[-1]]] != y:
            places.pop()
        return places[-1]

    def num_joins(self, pair: Pair) -> int:
        """Return how many joins merging `pair` makes."""
        if pair[0] != pair[1]:
            return self.pair_counts[pair]
        joins, end = 0, 0
        for place in reversed(self.places[pair]):
            right = self.following[place]
            if place >= end and (self.tokens[place], self.tokens[right]) == pair:
                joins += self.weights[place]
                end = right + 1
        return joins

    def score(self, pair: Pair, score: str) -> float:
        """Return the exact score of `pair`. What merging it makes is new: see `build_vocab`."""
        x, y = pair
        counts = self.pair_counts[pair], self.token_counts[x], self.token_counts[y]
        n = self.num_joins(pair) if x == y else 0
        return SCORES[score](*counts, self.num_tokens, self.num_pairs, Cz=0, n=n)


class _Contest:
    """The pairs that may be the best: those that occur at least `least` times, in columns."""

    def __init__(self, row: _Row, score: str):
        import numpy as np

        self.np, self.row, self.score = np, row, score
        # Then products of counts are exact in floating point, and quotients rounded as Python's.
        self.is_small = row.num_tokens**2 < 2**53
        self.is_quotient = score in ("ratio", "frequency")
        counts_joins = score == "likelihood"
        self.count_of = row.num_joins if counts_joins else row.pair_counts.__getitem__
        self.token_ids: dict[str, int] = {}
        self.token_counts, self.token_logs = np.ones(1024), np.zeros(1024)
        for token in row.token_counts:
            self._recount(token)
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
            top = scores[scores.argmax()]
            if self.least == 1 or top > self._bound(self.least - 1):
                break
            self._fill(self.least * 3 // 4)
        near = (scores >= top - self._slack(top)).nonzero()[0]
        if len(near) > 1:
            if not self._are_equal(near):
                exact = [self.row.score(self.pairs[slot], self.score) for slot in near]
                best = max(exact)
                near = near[[score == best for score in exact]]
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
        """Return the scores of all pairs of the contest, right to about 12 digits."""
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
            n = min(n, num_tokens * num_tokens / (num_pairs * e))  # the bound's highest point
            return n * log(num_tokens * num_tokens / (num_pairs * n))
        if self.score == "likelihood":
            return n * (1 + log(num_tokens / n))
        return n if self.score == "frequency" else inf

    def _slack(self, top: float) -> float:
        """Return more than an estimate is off: a few units in the 16th digit of its terms."""
        if self.is_quotient:
            return 0.0 if self.is_small else 1e-12 * top
        return 1e-12 * self.row.num_tokens

    def _are_equal(self, near) -> bool:
        """Whether the exact scores of these pairs are the same for sure."""
        if not self.is_small or self.is_quotient:
            return self.is_small
        left, right = self.left.take(near), self.right.take(near)
        n, x, y = self.n.take(near), self.token_counts.take(left), self.token_counts.take(right)
        columns = [n, x * y]
        if self.score == "likelihood":
            columns += [x + y, left == right]
        values = [column.tolist() for column in columns]
        return all(column.count(column[0]) == len(column) for column in values)

    def _first_places(self, slots):
        """Return where the pairs in these slots stand first, which is looked up when it matters."""
        places = self.first.take(slots)
        for i in (places == _UNKNOWN).nonzero()[0].tolist():
            places[i] = self.row.first_place(self.pairs[slots[i]])
        self.first[slots] = places
        return places

    def _fill(self, least: int) -> None:
        """Lower `least` and put in the pairs that it now lets in; close the gaps between others."""
        np, row, before = self.np, self.row, self.least
        new = []
        if least < before:
            new = [pair for pair, n in row.pair_counts.items() if least <= n < before]
        old = (self.n >= 1).nonzero()[0]
        size = len(old) + len(new)
        free = size // 8 + 64

        def column(column, values, value):
            values = np.array([*values, *[value] * free], dtype=column.dtype)
            return np.concatenate([column[old], values])

        self.least = least
        self.pairs = [*map(self.pairs.__getitem__, old.tolist()), *new, *[None] * free]
        self.slots = dict(zip(self.pairs, range(size)))
        self.free = list(range(size, size + free))
        counts = [*map(self.count_of, new)]
        self.n = column(self.n, counts, _FREE[0])
        self.log_n = column(self.log_n, map(log, counts), _FREE[1])
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
        self.n[slot] = n = self.count_of(pair)
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
        # No pair of the contest has a token that is gone; its count is of no interest, but for 0.
        count = self.row.token_counts[token] or 1
        self.token_counts[token_id], self.token_logs[token_id] = count, log(count)
