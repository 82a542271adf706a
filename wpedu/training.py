"""Training: word counts → merges → vocabulary.

The loop here is that of notebook 03, made quicker in one way: it counts again only the words that a
merge changes. It takes any score. For the scores that have a name, `wpedu.fast` finds the same
merges sooner.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

from wpedu._checks import (
    MOST,
    START,
    check_bool,
    check_int,
    check_list,
    check_pair,
    check_split,
    check_words,
)
from wpedu.scores import Pair, Score, ScoreFunction, _Tally, find_score


def merge_pair(pair: Pair, split: Sequence[str]) -> list[str]:
    """Return `split` with every occurrence of `pair` joined, left to right, without overlap.

    Raises TypeError or ValueError unless `pair` is two subwords and `split` a list of them.

    >>> merge_pair(("a", "a"), ["a", "a", "a", "b"])
    ['aa', 'a', 'b']
    """
    return _join_pair(check_pair(pair), check_split(split))


def _join_pair(pair: Pair, split: Sequence[str]) -> list[str]:
    """Return what `merge_pair` does, and trust the arguments.

    >>> _join_pair(("e", "a"), ["s", "e", "a"])
    ['s', 'ea']
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
    score: str | ScoreFunction = "gain",
    progress: bool = False,
) -> list[Pair]:
    """Return the merges, in order: `num_merges` of them, or fewer if no pair is left.

    Each is the pair with the highest score; of equal ones, the pair that occurs first, in the
    earliest word of `word_counts` and leftmost there. `score` is a name in `wpedu.scores.SCORES`,
    or any function (Cxy, Cx, Cy, N, M) → number. `progress` shows a bar. Raises TypeError or
    ValueError if an argument, or what the function gives, is not what it should be.

    >>> train({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, num_merges=3)
    [('e', 'a'), ('▁', 's'), ('▁s', 'ea')]
    """
    num_merges = check_int(num_merges, "num_merges", least=0, most=MOST)
    check_bool(progress, "progress")
    return _train(check_words(word_counts), num_merges, find_score(score), progress)


def _train(
    word_counts: Mapping[str, int], num_merges: int, score: Score | ScoreFunction, progress: bool
) -> list[Pair]:
    splits = [[START, *word] for word in word_counts]
    merges = _iter_merges(splits, word_counts.values(), num_merges, score)
    if progress:
        from tqdm import tqdm

        # Not to stderr, which a notebook shows as an error.
        return list(tqdm(merges, total=num_merges, unit="merge", file=sys.stdout))
    return list(merges)


def _iter_merges(
    splits: list[list[str]],
    counts: Iterable[int],
    num_merges: int,
    score: Score | ScoreFunction,
) -> Iterator[Pair]:
    """Yield up to `num_merges` merges, from splits into characters to begin with.

    The first character of a word may have the mark. What calls this has checked the arguments.

    >>> list(_iter_merges([["▁h", "u", "g"]], [1], 9, find_score("frequency")))
    [('▁h', 'u'), ('▁hu', 'g')]
    """
    if isinstance(score, Score):
        try:
            from wpedu.fast.contest import _iter_merges_fast
        except ImportError:  # no NumPy: the loop takes longer, and gives the same
            pass
        else:
            return _iter_merges_fast(splits, counts, num_merges, score)
    return _iter_merges_plain(splits, counts, num_merges, score)


def _iter_merges_plain(
    splits: list[list[str]],
    counts: Iterable[int],
    num_merges: int,
    score: Score | ScoreFunction,
) -> Iterator[Pair]:
    """Yield what `_iter_merges` does, by the loop of notebook 03.

    >>> list(_iter_merges_plain([["h", "u", "g"]], [1], 1, lambda Cxy, Cx, Cy, N, M: Cxy))
    [('h', 'u')]
    """
    splits, counts = list(splits), list(counts)
    tally = _Tally()
    for split, count in zip(splits, counts):
        tally.add(split, count)
    words = ["".join(split) for split in splits]
    for _ in range(num_merges):
        scores = tally.score(score)
        if not scores:
            break
        best = _first_of_the_best(scores, splits)
        joined = "".join(best)
        for i, word in enumerate(words):
            if joined not in word:
                continue
            merged = _join_pair(best, splits[i])
            tally.add(splits[i], -counts[i])
            tally.add(merged, counts[i])
            splits[i] = merged
        yield best


def _first_of_the_best(scores: Mapping[Pair, float], splits: Iterable[Sequence[str]]) -> Pair:
    highest = max(scores.values())
    best = {pair for pair, score in scores.items() if score == highest}
    return next(pair for split in splits for pair in zip(split, split[1:]) if pair in best)


def build_vocab(word_counts: Mapping[str, int], merges: Iterable[Pair]) -> list[str]:
    """Return the alphabet in order of first occurrence, then the merged pairs in order.

    No two merges of one training make the same string: until it is one token, no merge has
    crossed its ends, so that it is split in the same way wherever it stands. Raises TypeError or
    ValueError unless `word_counts` is what `train` takes, and each merge a pair of subwords.

    >>> build_vocab({"hug": 2}, [("h", "u")])
    ['▁', 'h', 'u', 'g', 'hu']
    """
    alphabet = _alphabet(check_words(word_counts))
    pairs = [check_pair(pair, "a merge") for pair in check_list(merges, "merges", of="pairs")]
    return alphabet + ["".join(pair) for pair in pairs]


def _alphabet(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(START.join(["", *words])))
