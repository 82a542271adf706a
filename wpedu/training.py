"""Training: word counts → merges → vocabulary.

The loop is that of notebook 03, but that it corrects its counts for the words that a merge changes.
It takes any score; by those in `wpedu.fast.quick.QUICK`, `wpedu.fast` trains, with the same merges.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence

from wpedu._checks import (
    START,
    WordCounts,
    check_bool,
    check_int,
    check_list,
    check_pair,
    check_score,
    check_split,
    check_words,
)
from wpedu._counts import Counts
from wpedu.scores import SCORES, Pair, ScoreFunction

__all__ = ["build_vocab", "merge_pair", "train"]
__dir__ = __all__.copy  # what dir() shows


def merge_pair(pair: Pair, split: Sequence[str]) -> list[str]:
    """Return `split` with every occurrence of `pair` joined, left to right, without overlap.

    >>> merge_pair(("a", "a"), ["a", "a", "a", "b"])
    ['aa', 'a', 'b']
    """
    x, y = check_pair(pair)
    split = check_split(split)
    merged, i = [], 0
    while i < len(split):
        if split[i] == x and split[i + 1 : i + 2] == [y]:
            merged.append(x + y)
            i += 2
        else:
            merged.append(split[i])
            i += 1
    return merged


def train(
    word_counts: WordCounts,
    num_merges: int = 200,
    score: str | ScoreFunction = "gain",
    progress: bool = False,
) -> list[Pair]:
    """Return the merges, in order: `num_merges` of them, or fewer if no pair is left.

    Each is the pair with the highest score; of equal ones, the pair that occurs first, in the
    earliest word of `word_counts` and leftmost there. `score` is a name in `wpedu.scores.SCORES`,
    or any function that is a score there; with a function, 200 merges of Homer take about 20 times
    as long. `progress` shows a bar.

    >>> train({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, num_merges=3)
    [('e', 'a'), ('▁', 's'), ('▁s', 'ea')]
    """
    num_merges = check_int(num_merges, "num_merges", least=0)
    check_bool(progress, "progress")
    word_counts, score = check_words(word_counts), check_score(score, SCORES)
    splits = {word: [START, *word] for word in word_counts}
    return _train(splits, word_counts, num_merges, score, progress)


def _train(
    splits: dict[str, list[str]],
    word_counts: Mapping[str, int],
    num_merges: int,
    score: ScoreFunction,
    progress: bool = False,
) -> list[Pair]:
    """Return what `train` does, from splits into characters, in the order of `word_counts`.

    The first character of a word may have the mark, as `train_bert_vocab` has it: ▁h u g.
    """
    rounds: Iterable[int] = range(num_merges)
    if progress:
        from tqdm import tqdm

        # Not to stderr, which a notebook shows as an error.
        rounds = tqdm(rounds, total=num_merges, unit="merge", file=sys.stdout)
    from wpedu.fast.contest import train_fast  # here, so that `import wpedu` loads no NumPy
    from wpedu.fast.quick import QUICK

    if any(score is quick for quick in QUICK):  # a score need not be hashable
        return train_fast(splits.values(), word_counts.values(), rounds, score)
    counts = Counts((splits[word], count) for word, count in word_counts.items())
    merges: list[Pair] = []
    for _ in rounds:
        scores = counts.score_pairs(score)
        if not scores:
            break
        best = _first_of_the_best(scores, splits.values())
        merges.append(best)
        joined = "".join(best)
        for word, count in word_counts.items():
            if joined in START + word:
                counts.add(splits[word], -count)  # off the counts, and the new split on
                splits[word] = merge_pair(best, splits[word])
                counts.add(splits[word], count)
    return merges


def _first_of_the_best(scores: Mapping[Pair, float], splits: Iterable[Sequence[str]]) -> Pair:
    # Corrected counts have new pairs at their end, wherever these occur: `max` alone would not do.
    highest = max(scores.values())
    best = {pair for pair, score in scores.items() if score == highest}
    return next(pair for split in splits for pair in zip(split, split[1:]) if pair in best)


def build_vocab(word_counts: WordCounts, merges: Iterable[Pair]) -> list[str]:
    """Return the alphabet in order of first occurrence, then the merged pairs in order.

    No two merges of one training make the same string: until it is one token, no merge has
    crossed its ends, so that it is split in the same way wherever it stands.

    >>> build_vocab({"hug": 2}, [("h", "u")])
    ['▁', 'h', 'u', 'g', 'hu']
    """
    alphabet = _alphabet(check_words(word_counts))
    pairs = [check_pair(pair, "a merge") for pair in check_list(merges, "merges", of="pairs")]
    return alphabet + ["".join(pair) for pair in pairs]


def _alphabet(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(START.join(["", *words])))
