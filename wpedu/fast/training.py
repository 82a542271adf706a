"""Training, faster: words in subwords, with their counts → merges, by any score.

A merge changes the counts around it, and `LinkedTokens` corrects only these. The totals N and M
change with every merge, and with them every score. For a score in `ESTIMATES`, `Candidates` finds
the best pair without scoring all of them. What another function makes of the totals is unknown, so
`AllPairs` calls it for each pair. NumPy could score all pairs in one call, but not with the
function's own integers, to the last bit.
"""

import sys
from collections.abc import Iterable, Sequence

from wpedu._support.checks import check_value, takes_joins
from wpedu.fast.candidates import Candidates
from wpedu.fast.estimates import ESTIMATES
from wpedu.fast.linked_tokens import LinkedTokens
from wpedu.scores import Pair, Score


def train_fast(
    splits: Iterable[Sequence[str]],
    counts: Iterable[int],
    num_merges: int,
    score: Score,
    progress: bool = False,
) -> list[Pair]:
    """Return the merges that `wpedu.training.train_plain` returns.

    >>> from wpedu.scores import gain
    >>> train_fast([["▁h", "u", "g"]], [1], 9, gain)
    [('▁h', 'u'), ('▁hu', 'g')]
    """
    tokens = LinkedTokens(splits, counts)
    pairs = Candidates(tokens, score) if score in ESTIMATES else AllPairs(tokens, score)
    merges: list[Pair] = []
    rounds: Iterable[int] = range(num_merges)
    if progress:
        from tqdm import tqdm

        # A notebook shows stderr as an error.
        rounds = tqdm(rounds, total=num_merges, unit="merge", file=sys.stdout)
    for _ in rounds:
        if not tokens.pair_counts:
            break
        best = pairs.find_best()
        pairs.update(best, tokens.merge(best))
        merges.append(best)
    return merges


class AllPairs:
    """All pairs, each scored anew for every merge.

    >>> tokens = LinkedTokens([["h", "u", "g"], ["h", "u", "m"]], [2, 1])
    >>> AllPairs(tokens, lambda Cxy, Cx, Cy, N, M: -Cxy).find_best()
    ('u', 'm')
    """

    def __init__(self, tokens: LinkedTokens, score: Score):
        self.tokens, self.score, self.with_joins = tokens, score, takes_joins(score)

    def find_best(self) -> Pair:
        """Return the pair with the highest score; of equal pairs, the one that occurs first."""
        tokens, score = self.tokens, self.score
        C, N, M = tokens.token_counts, tokens.num_tokens, tokens.num_pairs
        more: dict[str, int] = {}
        scores = {}
        for (x, y), Cxy in tokens.pair_counts.items():
            if self.with_joins:
                more = {"joins": tokens.count_joins((x, y)) if x == y else 0}
            value = score(Cxy, C[x], C[y], N, M, **more)
            scores[x, y] = check_value(value, score, (x, y))
        highest = max(scores.values())
        best = [pair for pair, value in scores.items() if value == highest]
        return min(best, key=tokens.find_first)

    def update(self, merged: Pair, changed: Iterable[Pair]) -> None:
        """Do nothing: there is nothing to bring up to date."""
