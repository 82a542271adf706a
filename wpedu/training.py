"""Training: word counts → merges → vocabulary.

`train_plain` is the loop of notebook 03. `train` returns the same merges, which `wpedu.fast` finds
sooner.
"""

from collections.abc import Iterable, Mapping, Sequence

from wpedu._support.checks import (
    check_bool,
    check_int,
    check_list,
    check_pair,
    check_score,
    check_subwords,
)
from wpedu.pretokenization import START, WordCounts, check_words
from wpedu.scores import SCORES, Pair, Score, pair_gains

__all__ = ["build_vocab", "merge_pair", "train", "train_plain"]


def merge_pair(pair: Pair, split: Sequence[str]) -> list[str]:
    """Return `split` with every occurrence of `pair` joined, beginning to end, without overlap.

    >>> merge_pair(("a", "a"), ["a", "a", "a", "b"])
    ['aa', 'a', 'b']
    """
    (x, y), split = check_pair(pair), check_subwords(split, "split")
    merged, i = [], 0
    while i < len(split):
        if split[i] == x and split[i + 1 : i + 2] == [y]:
            merged.append(x + y)
            i += 2
        else:
            merged.append(split[i])
            i += 1
    return merged


def train_plain(
    word_counts: WordCounts, num_merges: int = 200, score: str | Score = "gain"
) -> list[Pair]:
    """Return what `train` returns, by the loop itself: score all pairs, merge the best, repeat.

    It is `train` of notebook 03, without skipping the words that do not change.
    `pair_gains` lists pairs in order of first occurrence, and `max` returns the first maximum.

    >>> train_plain({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, num_merges=3)
    [('e', 'a'), ('▁', 's'), ('▁s', 'ea')]
    """
    num_merges = check_int(num_merges, "num_merges", least=0)
    splits = {word: [START, *word] for word in check_words(word_counts)}
    merges: list[Pair] = []
    while len(merges) < num_merges and (gains := pair_gains(splits, word_counts, score)):
        best = max(gains, key=gains.__getitem__)
        splits = {word: merge_pair(best, split) for word, split in splits.items()}
        merges.append(best)
    return merges


def train(
    word_counts: WordCounts,
    num_merges: int = 200,
    score: str | Score = "gain",
    progress: bool = False,
) -> list[Pair]:
    """Return the merges, in order: `num_merges` of them, or fewer if no pair is left.

    Each merge is the pair with the highest score; of equal pairs, the one that occurs first, in the
    earliest word of `word_counts` and first there. `score` is a name in `wpedu.scores.SCORES`,
    or a function as described in that module. Training by a function takes longer:
    benchmarks/README.md has the ratio. `progress` shows a bar.

    Raises TypeError or ValueError if an argument is none of these, if a word is empty or has a ▁ in
    it, or if the score returns something other than a number.

    >>> train({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, num_merges=3)
    [('e', 'a'), ('▁', 's'), ('▁s', 'ea')]
    """
    word_counts = check_words(word_counts)
    splits = {word: [START, *word] for word in word_counts}
    return train_splits(splits, word_counts, num_merges, score, progress)


def train_splits(
    splits: Mapping[str, Sequence[str]],
    word_counts: Mapping[str, int],
    num_merges: int,
    score: str | Score,
    progress: bool = False,
) -> list[Pair]:
    """Return the merges for words that are already split, in the order of `word_counts`.

    Apart from the mark, every subword is a character: ▁ h u g, or ▁h u g in `train_bert_vocab`.
    """
    from wpedu.fast.training import train_fast  # here, so that `import wpedu` loads no NumPy

    num_merges = check_int(num_merges, "num_merges", least=0)
    score, progress = check_score(score, SCORES), check_bool(progress, "progress")
    counts = [word_counts[word] for word in splits]
    return train_fast(splits.values(), counts, num_merges, score, progress)


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
