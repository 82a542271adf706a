"""Learning without merges: word counts → vocabulary with ##, from whole words downwards.

A trainer that merges starts from characters and joins them. This one starts from words, and cuts
off what is too rare. It follows "Choosing the vocabulary" in TensorFlow Text's subword guide:

1. In the first round, count every substring of every word, each time with its word's count: bare
   if the word begins with it, with ## otherwise. In later rounds count only those that begin where
   a piece begins, when the words are cut by longest match with the vocabulary of the round before.
2. Go through them from the longest to the shortest, and keep those that occur `min_count` times.
   What is kept takes its count off its shorter prefixes, which do not need to stand for it again.
3. Put every character back, bare and with ##, with the count 1 where it was not kept.

What is left open there is decided so:

- A length is that without ##. Within one length the order makes no difference: no two substrings
  of one length are prefixes of each other. "A prefix" of ##ing is ##in or ##i, and not in.
- What is kept takes off the count that it has at its turn, after what longer ones took.
- A word of more than 50 characters is left out altogether: its characters are not put back.
- A kept character has its own count; where it stands bare, its place is among the characters.
- "At least `min_count`": the guide's text says `c > T`, its library says `count >= thresh`.

With `discount="all"`, every substring takes its count off its prefixes, kept or not. That is not
what the guide says, but what the library does (tensorflow/text, issue 583).

Sources: https://www.tensorflow.org/text/guide/subwords_tokenizer and
https://github.com/tensorflow/text/issues/583
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from wpedu._checks import check_bool, check_choice, check_int
from wpedu.bert.vocab import CONTINUATION, SPECIAL_TOKENS, _check_bert_words

__all__ = ["DISCOUNTS", "LONGEST_WORD", "find_min_count", "train_top_down"]
__dir__ = __all__.copy  # what dir() shows

DISCOUNTS = ("kept", "all")
LONGEST_WORD = 50  # characters

Counts = dict[str, int]


def train_top_down(
    word_counts: Mapping[str, int],
    min_count: int,
    *,
    rounds: int = 4,
    discount: str = "kept",
    progress: bool = False,
) -> list[str]:
    """Return a vocabulary in BERT's form, learned top-down.

    BERT's five special tokens come first, then the characters in order of code point, then
    everything else by falling count, equal counts in order of code point. `discount` is "kept" or
    "all", as the module says; `progress` shows a bar.

    Raises what `train` raises, TypeError if `min_count` or `rounds` is no integer, and ValueError
    if one of them is below 1, if `discount` is neither of the two, if there is no word to learn
    from, or if a word cannot be in the vocabulary of `BertTokenizer`: it has white space in it,
    say, or begins as a continuation or a special token does.

    >>> train_top_down({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, min_count=2)[5:]
    ['a', 'e', 's', 't', 'sea', '##a', '##t', 'seas', '##e', '##s']
    """
    min_count = check_int(min_count, "min_count", least=1)
    check_bool(progress, "progress")
    learner = _Learner(word_counts, rounds, discount)
    bare, continuing = learner.learn(min_count, progress)
    counts = {CONTINUATION + piece: count for piece, count in continuing.items()}
    counts |= {piece: count for piece, count in bare.items() if len(piece) > 1}
    by_falling_count = sorted(counts, key=lambda entry: (-counts[entry], entry))
    return [*SPECIAL_TOKENS, *sorted(learner.chars), *by_falling_count]


def find_min_count(
    word_counts: Mapping[str, int],
    vocab_size: int,
    *,
    rounds: int = 4,
    discount: str = "kept",
    progress: bool = False,
) -> int:
    """Return the smallest `min_count` for which `train_top_down` gives `vocab_size` or fewer.

    From one `min_count` to the next the vocabulary may grow, since later rounds cut words
    differently; so halving an interval could miss the smallest. This goes up, over what could not
    change any decision, from where the whole words alone are few enough; their number never grows.
    For a vocabulary that is small for its text that takes some hundred runs.

    Raises what `train_top_down` raises, TypeError if `vocab_size` is no integer, and ValueError if
    special tokens and characters alone are more.

    >>> find_min_count({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, vocab_size=15)
    2
    """
    vocab_size = check_int(vocab_size, "vocab_size")
    check_bool(progress, "progress")
    learner = _Learner(word_counts, rounds, discount)
    least_size = len(SPECIAL_TOKENS) + 2 * len(learner.chars)
    if vocab_size < least_size:
        raise ValueError(
            f"vocab_size is {vocab_size}, and special tokens and characters alone are "
            f"{least_size}: give that or more"
        )
    low, high = 1, learner.most + 1
    while low < high:
        middle = (low + high) // 2
        if least_size + learner.fewest(middle, words_alone=True) <= vocab_size:
            high = middle
        else:
            low = middle + 1
    with _bar(None, "run", progress) as bar:
        while True:
            learner.least_kept = learner.most
            if least_size + learner.fewest(low) <= vocab_size:
                bare, continuing = learner.learn(low)
                if len(SPECIAL_TOKENS) + len(bare) + len(continuing) <= vocab_size:
                    return low
            low = learner.least_kept + 1
            bar.update()


class _Learner:
    """What is the same for every `min_count`: the words, their characters, how to go about it.

    No substring occurs more than `most` times. `least_kept` is the smallest count that was kept
    since it was set: up to there, another `min_count` would have decided everything the same way.
    """

    def __init__(self, word_counts: Mapping[str, int], rounds: int, discount: str) -> None:
        self.rounds = check_int(rounds, "rounds", least=1)
        self.hands_on = check_choice(discount, "discount", DISCOUNTS) == "kept"
        self.words = _check_words(word_counts)
        self.chars = dict.fromkeys("".join(self.words), 1)
        self.most = sum(len(word) * count for word, count in self.words.items())
        self.least_kept = self.most

    def learn(self, min_count: int, progress: bool = False) -> tuple[Counts, Counts]:
        """Return what may begin a word and what may continue one, each with its count.

        What begins a word is the same in every round, since a word always begins a piece.
        """
        bare = self._keep(self.words, min_count)
        rests = self._rests(bare)
        continuing: Counts = {}
        for number in _bar(range(self.rounds), "round", progress):
            tails = _cut(rests, continuing) if number else self._all_tails
            continuing = self._keep(tails, min_count)
        return bare, continuing

    def fewest(self, min_count: int, words_alone: bool = False) -> int:
        """Return a number of pieces, of two or more characters, below which `learn` cannot get.

        Those that begin words are always the same. Of those that continue them, there are at least
        as many as would be kept of the words' first rests alone, for each round has those tails
        among others, and no tail makes fewer: where its count lets a substring be kept, the prefix
        that had those counts before may fall away, but that is one for one.
        """
        bare = self._keep(self.words, min_count)
        if words_alone:
            return len(bare) - len(self.chars)
        continuing = self._keep(self._rests(bare), min_count)
        return len(bare) + len(continuing) - 2 * len(self.chars)

    @cached_property
    def _all_tails(self) -> Counts:
        """What is left of each word from each place on, but for the words themselves."""
        by_length = _by_length({})
        for word, count in self.words.items():
            _add(by_length, word[1:], count)
        for length in range(LONGEST_WORD, 1, -1):
            for tail, count in by_length[length].items():
                _add(by_length, tail[1:], count)
        return _in_one(by_length[1:])

    def _rests(self, bare: Counts) -> Counts:
        """Return what is left of the words behind their first pieces."""
        longest = max(map(len, bare))
        rests: Counts = defaultdict(int)
        for word, count in self.words.items():
            rests[word[_longest_match(word, bare, longest) :]] += count
        rests.pop("", None)
        return rests

    def _keep(self, tails: Counts, min_count: int) -> Counts:
        """Return what is kept of the substrings that begin `tails`, and the characters.

        A substring occurs as often as the tails that begin with it. So instead of counting all
        substrings and taking counts off again, let each one hand its count to its prefix one
        character shorter, unless it is kept: what arrives is what nobody longer has taken. Where
        everything takes its count off its prefixes, nothing arrives; what is kept are tails.
        """
        kept, by_length = {}, _by_length(tails)
        for length in range(LONGEST_WORD, 0, -1):
            prefixes = by_length[length - 1]
            for piece, count in by_length[length].items():
                if count >= min_count:
                    kept[piece] = count
                elif self.hands_on:
                    prefix = piece[:-1]
                    prefixes[prefix] = prefixes.get(prefix, 0) + count
        self.least_kept = min([self.least_kept, *kept.values()])
        return {**self.chars, **kept}


def _cut(tails: Counts, pieces: Counts) -> Counts:
    """Return every tail at which a piece begins, when `tails` are cut by longest match."""
    by_length, longest = _by_length(tails), max(map(len, pieces))
    for length in range(LONGEST_WORD, 0, -1):
        for tail, count in by_length[length].items():
            _add(by_length, tail[_longest_match(tail, pieces, longest) :], count)
    return _in_one(by_length[1:])


def _longest_match(text: str, pieces: Counts, longest: int) -> int:
    """Return the length of the longest piece that `text` begins with; its first character is one.

    `longest` is the length of the longest piece of all.
    """
    for end in range(min(longest, len(text)), 1, -1):
        if text[:end] in pieces:
            return end
    return 1


def _add(by_length: list[Counts], string: str, count: int) -> None:
    counts = by_length[len(string)]
    counts[string] = counts.get(string, 0) + count


def _by_length(counts: Counts) -> list[Counts]:
    """Return `counts` sorted into one dict for each length."""
    by_length: list[Counts] = [{} for _ in range(LONGEST_WORD + 1)]
    for string, count in counts.items():
        by_length[len(string)][string] = count
    return by_length


def _in_one(by_length: list[Counts]) -> Counts:
    """Return the counts of all lengths in one dict."""
    return {string: count for counts in by_length for string, count in counts.items()}


def _check_words(word_counts: Mapping[str, int]) -> Counts:
    """Return the words to learn from; raise unless there are any, and BERT can write them."""
    words = _check_bert_words(word_counts)
    words = {word: count for word, count in words.items() if len(word) <= LONGEST_WORD}
    if not words:
        raise ValueError(
            f"word_counts has no word of up to {LONGEST_WORD} characters: there is nothing to "
            f"learn from"
        )
    return words


def _bar(iterable: Iterable[int] | None, unit: str, progress: bool) -> Any:
    from tqdm import tqdm

    # Not to stderr, which a notebook shows as an error.
    return tqdm(iterable, unit=unit, disable=not progress, file=sys.stdout)
