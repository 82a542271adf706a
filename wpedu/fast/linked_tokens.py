"""Training, faster: tokens and pairs are counted once, and the counts corrected at each merge.

A merge changes little: it visits the positions where the pair occurs, joins the two tokens there,
and corrects the counts of the pairs around them. So the positions of every pair are kept, and each
token is linked to its neighbors, so that nothing moves when two tokens become one.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from wpedu.scores import Pair

_BORDER = ""  # between two words; no token is empty
_REMOVED = ""  # at the position of a joined right half, which nothing is linked to


class LinkedTokens:
    """The tokens of all words in a row, and the counts of tokens and pairs.

    >>> tokens = LinkedTokens([["▁", "h", "u", "g"], ["▁", "h", "u", "m"]], [2, 1])
    >>> tokens.merge(("h", "u")), tokens.pair_counts["▁", "hu"]
    ([('u', 'g'), ('hu', 'g'), ('u', 'm'), ('hu', 'm'), ('▁', 'h'), ('▁', 'hu')], 3)
    """

    def __init__(self, splits: Iterable[Sequence[str]], counts: Iterable[int]):
        self.tokens, self.weights = [_BORDER], [0]
        for split, count in zip(splits, counts, strict=True):
            self.tokens += split
            self.tokens.append(_BORDER)
            self.weights += [count] * (len(split) + 1)
        indices = list(range(len(self.tokens)))  # shared, so that each int is stored once
        self.following = indices[1:]
        self.preceding = [-1, *indices[:-1]]
        # The position of a pair is that of its left half. The first position is last in its list,
        # where popping is cheap. A position may be outdated, because a merge took one of the
        # halves: `merge` skips such positions, and `find_first` pops them.
        self.positions = defaultdict(list)
        for position, pair in zip(indices, zip(self.tokens, self.tokens[1:])):
            self.positions[pair].append(position)
        self.token_counts: dict[str, int] = defaultdict(int)
        self.pair_counts: dict[Pair, int] = {}
        for pair, positions in self.positions.items():
            positions.reverse()
            count = sum(map(self.weights.__getitem__, positions))
            if pair[0] != _BORDER:
                self.token_counts[pair[0]] += count
                if pair[1] != _BORDER:
                    self.pair_counts[pair] = count
        self.num_tokens = sum(self.token_counts.values())
        self.num_pairs = sum(self.pair_counts.values())

    def merge(self, pair: Pair) -> list[Pair]:
        """Join `pair` everywhere it occurs, and return the other pairs whose counts change.

        A pair may be returned twice, or may no longer occur. The joined token must be new, as it
        always is in training: see `build_vocab`.
        """
        x, y = pair
        z = x + y
        tokens, following, preceding = self.tokens, self.following, self.preceding
        before, after = defaultdict(list), defaultdict(list)  # neighbor → positions of z
        for position in reversed(self.positions.pop(pair)):
            right = following[position]
            if tokens[position] != x or tokens[right] != y:
                continue
            end = following[right]
            tokens[position], tokens[right] = z, _REMOVED
            following[position], preceding[end] = end, position
            before[tokens[preceding[position]]].append(position)
            after[tokens[end]].append(position)
        # In "xyxy", `after` has x after the first z, and `before` has z before the second: zx is
        # counted first, and then replaced by zz.
        joins = 0
        changed: list[Pair] = []
        weight = self.weights.__getitem__
        del self.pair_counts[pair]
        for token, positions in after.items():
            count = sum(map(weight, positions))
            joins += count
            if token != _BORDER:
                self._remove((y, token), count, changed)
                self._add((z, token), count, positions, changed)
        for token, positions in before.items():
            if token != _BORDER:
                count = sum(map(weight, positions))
                self._remove((token, x), count, changed)
                self._add((token, z), count, [preceding[i] for i in positions], changed)
        self.token_counts[x] -= joins
        self.token_counts[y] -= joins
        self.token_counts[z] += joins
        self.num_tokens -= joins
        self.num_pairs -= joins
        return changed

    def _add(self, pair: Pair, count: int, positions: list[int], changed: list[Pair]) -> None:
        # The pair is new, because its half z is.
        positions.reverse()
        self.pair_counts[pair] = count
        self.positions[pair] = positions
        changed.append(pair)

    def _remove(self, pair: Pair, count: int, changed: list[Pair]) -> None:
        if pair in self.pair_counts:  # in "aaa", the merged pair itself is already gone
            self.pair_counts[pair] -= count
            if not self.pair_counts[pair]:
                del self.pair_counts[pair]
            changed.append(pair)

    def find_first(self, pair: Pair) -> int:
        """Return the first position of `pair`, which must occur."""
        x, y = pair
        positions, tokens, following = self.positions[pair], self.tokens, self.following
        while tokens[positions[-1]] != x or tokens[following[positions[-1]]] != y:
            positions.pop()
        return positions[-1]

    def count_joins(self, pair: Pair) -> int:
        """Return how many joins merging `pair` makes."""
        if pair[0] != pair[1]:
            return self.pair_counts[pair]
        joins, right = 0, None
        for position in reversed(self.positions[pair]):
            following = self.following[position]
            if position != right and (self.tokens[position], self.tokens[following]) == pair:
                joins += self.weights[position]
                right = following
        return joins
