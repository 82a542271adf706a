"""Training: word counts → merges → vocabulary.

The loop is that of notebook 03, except that it corrects the counts for only the words that a merge
changes. It takes any score; for the named ones, `wpedu.fast` finds the same merges faster.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence

from wpedu._support.checks import (
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
from wpedu._support.counts import PairCounts
from wpedu.scores import SCORES, Pair, ScoreFunction

__all__ = ["build_vocab", "merge_pair", "train"]
__dir__ = __all__.copy  # what dir() shows


def merge_pair(pair: Pair, split: Sequence[str]) -> list[str]:
    """Return `split` with every occurrence of `pair` joined, left to right, without overlap.

    >>> merge_pair(("a", "a"), ["a", "a", "a", "b"])
    ['aa', 'a', 'b']
    """
    return join_pair(check_pair(pair), check_split(split))


def join_pair(pair: Pair, split: list[str]) -> list[str]:
    """Do what `merge_pair` does, without checking the arguments."""
    x, y = pair
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

    Each merge is the pair with the highest score; of equal pairs, the one that occurs first, in the
    earliest word of `word_counts` and leftmost there. `score` is a name in `wpedu.scores.SCORES`,
    or a function as described in that module. Training by a function takes longer:
    benchmarks/README.md has the ratio. `progress` shows a bar.

    Raises TypeError or ValueError if an argument is none of these, if a word is empty or has a ▁ in
    it, or if the score returns something other than a number.

    >>> train({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, num_merges=3)
    [('e', 'a'), ('▁', 's'), ('▁s', 'ea')]
    """
    num_merges = check_int(num_merges, "num_merges", least=0)
    check_bool(progress, "progress")
    word_counts, score = check_words(word_counts), check_score(score, SCORES)
    splits = {word: [START, *word] for word in word_counts}
    return train_splits(splits, word_counts, num_merges, score, progress)


def train_splits(
    splits: dict[str, list[str]],
    word_counts: Mapping[str, int],
    num_merges: int,
    score: ScoreFunction,
    progress: bool = False,
) -> list[Pair]:
    """Return the merges for words that are already split, in the order of `word_counts`.

    Apart from the mark, every subword is a character: ▁ h u g, or ▁h u g in `train_bert_vocab`.
    """
    rounds: Iterable[int] = range(num_merges)
    if progress:
        from tqdm import tqdm

        # A notebook shows stderr as an error.
        rounds = tqdm(rounds, total=num_merges, unit="merge", file=sys.stdout)
    from wpedu.fast.candidates import train_fast  # here, so that `import wpedu` loads no NumPy
    from wpedu.fast.estimates import ESTIMATES

    if any(score is known for known in ESTIMATES):  # a score need not be hashable
        return train_fast(splits.values(), word_counts.values(), rounds, score)
    counts = PairCounts((splits[word], count) for word, count in word_counts.items())
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
                counts.add(splits[word], -count)
                splits[word] = join_pair(best, splits[word])
                counts.add(splits[word], count)
    return merges


def _first_of_the_best(scores: Mapping[Pair, float], splits: Iterable[Sequence[str]]) -> Pair:
    # Corrected counts list new pairs last, no matter where they occur, so `max` is not enough.
    highest = max(scores.values())
    best = {pair for pair, score in scores.items() if score == highest}
    return next(pair for split in splits for pair in zip(split, split[1:]) if pair in best)


def build_vocab(word_counts: WordCounts, merges: Iterable[Pair]) -> list[str]:
    """Return the alphabet in order of first occurrence, then the merged pairs in order.

    No two merges of one training make the same string: where a string becomes one token, no earlier
    merge crosses its ends, so until then it is split the same way everywhere.

    Raises TypeError or ValueError if `word_counts` or `merges` is not what `train` takes or
    returns.

    >>> build_vocab({"hug": 2}, [("h", "u")])
    ['▁', 'h', 'u', 'g', 'hu']
    """
    alphabet = find_alphabet(check_words(word_counts))
    pairs = [check_pair(pair, "a merge") for pair in check_list(merges, "merges", of="pairs")]
    return alphabet + ["".join(pair) for pair in pairs]


def find_alphabet(words: Iterable[str]) -> list[str]:
    """Return the mark and the characters of `words`, in order of first occurrence."""
    return list(dict.fromkeys(START.join(["", *words])))
