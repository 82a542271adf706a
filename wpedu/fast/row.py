"""Training, sooner: the tokens of all words in one row, and where each pair stands.

A merge changes little: the row goes to the places where the pair stands, joins, and corrects the
counts of the pairs around them. For this it knows the places of every pair, and each token is
linked to its neighbors, so that nothing moves when two of them become one.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from wpedu.scores import Pair

_BORDER = ""  # between two words; no token is empty
_GONE = ""  # where the right half of a join was, which nothing is linked to


class Row:
    """The tokens of all words in a row, and the counts of tokens and pairs.

    >>> row = Row([["▁", "h", "u", "g"], ["▁", "h", "u", "m"]], [2, 1])
    >>> row.merge(("h", "u")), row.pair_counts["▁", "hu"]
    ([('u', 'g'), ('hu', 'g'), ('u', 'm'), ('hu', 'm'), ('▁', 'h'), ('▁', 'hu')], 3)
    """

    def __init__(self, splits: Iterable[Sequence[str]], counts: Iterable[int]):
        self.tokens, self.weights = [_BORDER], [0]
        for split, count in zip(splits, counts, strict=True):
            self.tokens += split
            self.tokens.append(_BORDER)
            self.weights += [count] * (len(split) + 1)
        numbers = list(range(len(self.tokens)))  # the lists share one int for each place
        self.following = numbers[1:]
        self.preceding = [-1, *numbers[:-1]]
        # The places of a pair are those of its left half, the first one last, where a list is
        # popped. Some may be places where the pair no longer stands; `merge` passes over these,
        # `first_place` pops them.
        self.places = defaultdict(list)
        for place, pair in zip(numbers, zip(self.tokens, self.tokens[1:])):
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

    def merge(self, pair: Pair) -> list[Pair]:
        """Join `pair` wherever it stands, and return the other pairs whose counts change.

        One may be returned twice, and one may be gone. What `pair` makes must be new: see
        `build_vocab`.
        """
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
        # Of two in a row, "xyxy", `after` has x behind the first one, and `before` has z in front
        # of the second one: zx is counted, and then taken back for zz.
        joins = 0
        changed: list[Pair] = []
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
        # The pair is new, as its half z is.
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
        """Return where `pair`, which stands somewhere, stands first."""
        x, y = pair
        places, tokens, following = self.places[pair], self.tokens, self.following
        while tokens[places[-1]] != x or tokens[following[places[-1]]] != y:
            places.pop()
        return places[-1]

    def num_joins(self, pair: Pair) -> int:
        """Return how many joins merging `pair` makes."""
        if pair[0] != pair[1]:
            return self.pair_counts[pair]
        joins, right = 0, None
        for place in reversed(self.places[pair]):
            following = self.following[place]
            if place != right and (self.tokens[place], self.tokens[following]) == pair:
                joins += self.weights[place]
                right = following
        return joins
