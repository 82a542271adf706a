"""Training: word counts → merges → vocabulary."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from wpedu.pretokenization import START
from wpedu.scores import SCORES, Pair


def merge_pair(pair: Pair, split: Sequence[str]) -> list[str]:
    """Return `split` with every occurrence of `pair` joined, left to right, without overlap.

    >>> merge_pair(("a", "a"), ["a", "a", "a", "b"])
    ['aa', 'a', 'b']
    """
    merged, i = [], 0
    while i < len(split):
        if tuple(split[i : i + 2]) == pair:
            merged.append(split[i] + split[i + 1])
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
    """Return the first `num_merges` merges, best first; fewer if no pair is left."""
    check_word_counts(word_counts)
    scored = SCORES[score]
    words = [START + word for word in word_counts]
    counts = list(word_counts.values())
    splits = [list(word) for word in words]
    token_counts, pair_counts, where = Counter(), Counter(), defaultdict(dict)

    def tally(i, sign):
        split, count = splits[i], counts[i] * sign
        for token in split:
            token_counts[token] += count
        for pair in zip(split, split[1:]):
            pair_counts[pair] += count
            if sign > 0:
                where[pair][i] = None

    for i in range(len(words)):
        tally(i, +1)
    merges = []
    while len(merges) < num_merges:
        num_tokens, num_pairs = token_counts.total(), pair_counts.total()
        values = {
            (x, y): scored(n, token_counts[x], token_counts[y], num_tokens, num_pairs)
            for (x, y), n in pair_counts.items()
            if n
        }
        if not values:
            break
        best = max(values.values())
        tied = [pair for pair, value in values.items() if value == best]
        first = min(
            (i, j, pair)
            for pair in tied
            for i in [min(i for i in where[pair] if pair in zip(splits[i], splits[i][1:]))]
            for j in [list(zip(splits[i], splits[i][1:])).index(pair)]
        )
        pair = first[-1]
        merges.append(pair)
        for i in where.pop(pair):
            tally(i, -1)
            splits[i] = merge_pair(pair, splits[i])
            tally(i, +1)
    return merges


def build_vocab(word_counts: Mapping[str, int], merges: Sequence[Pair]) -> list[str]:
    """Return the alphabet in order of first occurrence, then the merged pairs; no duplicates.

    >>> build_vocab({"hug": 2}, [("h", "u")])
    ['▁', 'h', 'u', 'g', 'hu']
    """
    alphabet = (char for word in word_counts for char in START + word)
    return list(dict.fromkeys([*alphabet, *(x + y for x, y in merges)]))


def check_word_counts(word_counts: Mapping[str, int]) -> None:
    """Raise TypeError or ValueError unless every key is a word and every value a count."""


def check_num_merges(num_merges):
    pass
