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
    alphabet = dict.fromkeys("".join(START + word for word in word_counts))
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
        self.following = list(range(1, len(self.tokens) + 1))
        self.preceding = list(range(-1, len(self.tokens) - 1))
        # The places of a pair are those of its left half, the first one last. Some may be places
        # where it no longer stands; `merge` and `first_place` pass over these.
        self.places = defaultdict(list)
        for place, pair in enumerate(zip(self.tokens, self.tokens[1:])):
            self.places[pair].append(place)
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

    def merge(self, pair: Pair) -> dict[Pair, None]:
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
        del self.pair_counts[pair]
        changed = {}
        joins = 0
        for token, places in after.items():
            count = sum(map(self.weights.__getitem__, places))
            joins += count
            self._change(changed, (y, token), -count)
            self._change(changed, (z, token), +count, places)
        for token, places in before.items():
            count = sum(map(self.weights.__getitem__, places))
            self._change(changed, (token, x), -count)
            self._change(changed, (token, z), +count, [preceding[place] for place in places])
        self.token_counts[x] -= joins
        self.token_counts[y] -= joins
        self.token_counts[z] += joins
        self.num_tokens -= joins
        self.num_pairs -= joins
        return changed

    def _change(self, changed: dict, pair: Pair, count: int, places: Sequence[int] = ()) -> None:
        if _BORDER in pair or (count < 0 and pair not in self.pair_counts):
            return  # the end of a word, or the merged pair itself: "aaa"
        total = self.pair_counts.get(pair, 0) + count
        if total:
            self.pair_counts[pair] = total
        else:
            del self.pair_counts[pair]
        if places:
            self.places[pair] = places[::-1]
        changed[pair] = None

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
        self.token_ids: dict[str, int] = {}
        self.token_counts, self.token_logs = np.ones(1024), np.zeros(1024)
        for token in row.token_counts:
            self._recount(token)
        self._fill(max(row.pair_counts.values(), default=1))

    def best(self) -> Pair:
        """Return the pair with the highest score; of equal ones the one that stands first."""
        while True:
            scores = self._estimate()
            top = scores.max()
            if self.least == 1 or top > self._bound(self.least):
                break
            self._fill(max(1, int(self.least * 0.85)))
        near = self.np.flatnonzero(scores >= top - self._slack(top))
        if len(near) > 1:
            if not self._are_equal(near):
                exact = [self.row.score(self.pairs[slot], self.score) for slot in near]
                best = max(exact)
                near = near[[score == best for score in exact]]
            near = near[self.first.take(near).argmin(keepdims=True)]
        return self.pairs[near[0]]

    def update(self, merged: Pair, changed: Iterable[Pair]) -> None:
        """Bring the columns up to date after a merge."""
        x, y = merged
        for token in (x, y, x + y):
            self._recount(token)
        for pair in (merged, *changed):
            if self.row.pair_counts.get(pair, 0) >= self.least:
                self._put(pair)
            elif pair in self.slots:
                self.free.append(self.slots.pop(pair))
                self.n[self.free[-1]], self.log_n[self.free[-1]] = _FREE

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
        """Return what a pair that occurs fewer than n times is worth at most."""
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
        return all((column == column[0]).all() for column in columns)

    def _fill(self, least: int) -> None:
        """Start the columns again, with all pairs that occur at least `least` times."""
        np = self.np
        pairs = [pair for pair, n in self.row.pair_counts.items() if n >= least]
        free = len(pairs) // 4 + 256
        self.least = least
        self.pairs: list[Pair | None] = pairs + [None] * free
        self.slots = dict(zip(pairs, range(len(pairs))))
        self.free = list(range(len(pairs), len(self.pairs)))
        self.n = np.array([*map(self._count, pairs), *_FREE[:1] * free], dtype=float)
        self.log_n = np.log(self.n)
        self.log_n[len(pairs) :] = _FREE[1]
        self.first = np.array([*map(self.row.first_place, pairs), *[0] * free])
        self.left = np.array([*(self.token_ids[x] for x, _ in pairs), *[0] * free])
        self.right = np.array([*(self.token_ids[y] for _, y in pairs), *[0] * free])

    def _put(self, pair: Pair) -> None:
        if pair not in self.slots:
            if not self.free:
                self._fill(self.least)
                return
            slot = self.slots[pair] = self.free.pop()
            self.pairs[slot] = pair
            self.left[slot], self.right[slot] = map(self.token_ids.__getitem__, pair)
        slot = self.slots[pair]
        self.n[slot] = n = self._count(pair)
        self.log_n[slot] = log(n)
        self.first[slot] = self.row.first_place(pair)

    def _count(self, pair: Pair) -> int:
        likelihood = self.score == "likelihood"
        return self.row.num_joins(pair) if likelihood else self.row.pair_counts[pair]

    def _recount(self, token: str) -> None:
        token_id = self.token_ids.setdefault(token, len(self.token_ids))
        if token_id == len(self.token_counts):
            self.token_counts = self.np.resize(self.token_counts, 2 * token_id)
            self.token_logs = self.np.resize(self.token_logs, 2 * token_id)
        # No pair of the contest has a token that is gone; its count is of no interest, but for 0.
        count = self.row.token_counts[token] or 1
        self.token_counts[token_id], self.token_logs[token_id] = count, log(count)
