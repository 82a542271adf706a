"""Training: word counts → merges → vocabulary.

The naive loop (notebook 03) counts and scores all pairs and walks through all words, for every
merge. This one gives the same merges, and does little of that (notebook 08): a merge changes little
(see `wpedu.fast.row`), and few pairs can be the best (see `wpedu.fast.contest`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from wpedu._checks import START, check_int, check_words
from wpedu.fast.contest import Contest
from wpedu.fast.row import Row
from wpedu.scores import Pair, check_score


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
    num_merges = check_int(num_merges, "num_merges", least=0)
    word_counts = check_words(word_counts)
    check_score(score)
    splits = ([START, *word] for word in word_counts)
    merges = iter_merges(splits, word_counts.values(), num_merges, score)
    if progress:
        from tqdm import tqdm

        merges = tqdm(merges, total=num_merges, unit="merge")
    return list(merges)


def iter_merges(
    splits: Iterable[Sequence[str]], counts: Iterable[int], num_merges: int, score: str
) -> Iterator[Pair]:
    """Yield up to `num_merges` merges, from splits into characters to begin with.

    The first character of a word may have the mark. What calls this has checked the arguments.

    >>> list(iter_merges([["▁h", "u", "g"]], [1], 9, "frequency"))
    [('▁h', 'u'), ('▁hu', 'g')]
    """
    row = Row(splits, counts)
    contest = Contest(row, score)
    for _ in range(num_merges):
        if not row.pair_counts:
            break
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
    word_counts = check_words(word_counts)
    alphabet = dict.fromkeys(START.join(["", *word_counts]))
    return [*alphabet, *(x + y for x, y in merges)]
