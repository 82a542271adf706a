"""Pair counts: splits → how often each token and pair occurs, and the score of each pair."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from wpedu._support.checks import check_value, more_counts


class PairCounts:
    """Counts of the tokens and pairs in some splits, which can be added and removed.

    >>> counts = PairCounts([(["h", "u", "g"], 2)])
    >>> counts.score_pairs(lambda Cxy, Cx, Cy, N, M: Cxy / M)
    {('h', 'u'): 0.5, ('u', 'g'): 0.5}
    """

    def __init__(self, splits: Iterable[tuple[Sequence[str], int]]):
        self.tokens: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.joins: Counter[tuple[str, str]] = Counter()  # for pairs of equal tokens
        for split, count in splits:
            self.add(split, count)

    def add(self, split: Sequence[str], count: int) -> None:
        """Add a split that occurs `count` times; remove it if `count` is negative."""
        for token in split:
            self.tokens[token] += count
        for pair in zip(split, split[1:]):
            self.pairs[pair] += count
            if not self.pairs[pair]:
                del self.pairs[pair]
        if len(set(split)) < len(split):
            for token, run in groupby(split):
                self.joins[token, token] += len(list(run)) // 2 * count

    def score_pairs(self, score: Callable[..., float]) -> dict[tuple[str, str], float]:
        """Return the score of every pair, in the order in which the pairs were first counted."""
        C, N, M = self.tokens, self.tokens.total(), self.pairs.total()
        wanted = more_counts(score)
        scores, more = {}, {}
        for (x, y), Cxy in self.pairs.items():
            if wanted:
                known = {"Cz": C[x + y], "joins": self.joins[x, y]}
                more = {name: known[name] for name in wanted}
            value = score(Cxy, C[x], C[y], N, M, **more)
            scores[x, y] = check_value(value, score, (x, y))
        return scores
