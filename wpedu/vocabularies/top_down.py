"""Learning without merges: word counts → vocabulary with ##, from whole words downward.

A trainer that merges starts from characters and joins them. This one starts from words, and cuts
off what is too rare. It follows "Choosing the vocabulary" in TensorFlow Text's subword guide:

1. In the first round, count every substring of every word, as often as the word occurs: bare if the
   word begins with it, with ## otherwise. Later rounds cut the words by longest match with the
   vocabulary of the round before, and count only substrings that begin where an entry begins.
2. Go through the substrings from the longest to the shortest, and keep those that occur at least
   `min_count` times. Subtract each kept substring's count from its shorter prefixes.
3. Put every character back, bare and with ##, with a count of 1 if it was not kept. The guide only
   assumes that every character is there; its library puts them back.

The guide leaves some details open. Here they are decided as follows:

- ## does not count toward length. Within one length the order makes no difference, because no two
  substrings of one length are prefixes of each other. A prefix of ##ing is ##in or ##i, not in.
- A kept substring subtracts the count that it has when its turn comes, after the longer ones.
- A word of more than 50 characters is left out altogether: its characters are not put back.
- A kept character has its own count, but a bare one is listed among the characters.
- "At least `min_count`": the guide's text says `c > T`, its library says `count >= thresh`.

With `discount="all"`, every substring subtracts its count from its prefixes, kept or not. The guide
does not mention this, but the library does it (tensorflow/text, issue 583).

Notebook 12 builds this loop; `wpedu.fast.suffixes` learns the same vocabulary faster.

Sources: https://www.tensorflow.org/text/guide/subwords_tokenizer and
https://github.com/tensorflow/text/issues/583
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from wpedu._support.checks import check_int
from wpedu.bert.prefixes import check_bert_words
from wpedu.bert.vocab_file import CONTINUATION, SPECIAL_TOKENS
from wpedu.pretokenization import WordCounts

if TYPE_CHECKING:
    from wpedu.fast.suffixes import Suffixes

__all__ = ["DISCOUNTS", "LONGEST_WORD", "find_min_count", "train_top_down"]

DISCOUNTS = ("kept", "all")
LONGEST_WORD = 50  # characters


def train_top_down(
    word_counts: WordCounts, *, min_count: int, rounds: int = 4, discount: str = "kept"
) -> list[str]:
    """Return a vocabulary in BERT's form, learned top-down.

    BERT's five special tokens come first, then the characters in order of code point, then
    everything else by decreasing count, equal counts in order of code point. `discount` is "kept"
    or "all", as the module says.

    Raises what `train` raises; TypeError if `min_count` or `rounds` is not an integer; ValueError
    if one of them is below 1, if `discount` is neither of the two, if there is no word to learn
    from, or if a word cannot be in the vocabulary of `BertTokenizer`, for instance because it
    contains whitespace, or begins like a continuation or a special token.

    >>> train_top_down({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, min_count=2)[5:]
    ['a', 'e', 's', 't', 'sea', '##a', '##t', 'seas', '##e', '##s']
    """
    min_count = check_int(min_count, "min_count", least=1)
    bare, continuing = _find_suffixes(word_counts, rounds, discount).learn(min_count)
    counts = {CONTINUATION + piece: count for piece, count in continuing.items()}
    return _in_order(bare | counts)


def train_top_down_plain(
    word_counts: Mapping[str, int], *, min_count: int, rounds: int = 4, discount: str = "kept"
) -> list[str]:
    """Return what `train_top_down` returns, by the loop itself.

    >>> train_top_down_plain({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, min_count=2)[9:]
    ['sea', '##a', '##t', 'seas', '##e', '##s']
    """
    words = {word: count for word, count in word_counts.items() if len(word) <= LONGEST_WORD}
    vocab: dict[str, int] = {}
    for round in range(rounds):
        counts: dict[str, int] = defaultdict(int)
        for word, count in words.items():
            for start in starts_of_entries(word, vocab) if round else range(len(word)):
                mark = CONTINUATION if start else ""
                for end in range(start + 1, len(word) + 1):
                    counts[mark + word[start:end]] += count
        vocab = keep(counts, min_count, discount)
        for char in "".join(words):
            vocab.setdefault(char, 1)
            vocab.setdefault(CONTINUATION + char, 1)
    return _in_order(vocab)


def keep(counts: Mapping[str, int], min_count: int, discount: str = "kept") -> dict[str, int]:
    """Return the kept substrings with their counts, from the longest to the shortest.

    >>> keep({"s": 6, "se": 6, "sea": 6, "seas": 2, "seat": 1}, 2)
    {'seas': 2, 'sea': 4}
    """
    left, kept = dict(counts), {}
    for substring in sorted(counts, key=lambda s: -len(s.removeprefix(CONTINUATION))):
        count = left[substring]
        if count >= min_count:
            kept[substring] = count
        if count >= min_count or discount == "all":
            shortest = 3 if substring.startswith(CONTINUATION) else 1
            for end in range(shortest, len(substring)):
                left[substring[:end]] -= count
    return kept


def starts_of_entries(word: str, vocab: Mapping[str, int]) -> Iterable[int]:
    """Yield where entries begin when longest match cuts `word`.

    >>> list(starts_of_entries("seat", {"sea": 2, "##t": 1}))
    [0, 3]
    """
    start = 0
    while start < len(word):
        yield start
        mark = CONTINUATION if start else ""
        ends = range(len(word), start, -1)
        start = next(end for end in ends if mark + word[start:end] in vocab)


def find_min_count(
    word_counts: WordCounts, vocab_size: int, *, rounds: int = 4, discount: str = "kept"
) -> int:
    """Return a `min_count` for which `train_top_down` gives `vocab_size` entries or fewer.

    It is found by bisection, as in TensorFlow Text's learner; a `min_count` one lower would give
    too many entries.
    A higher `min_count` may give a larger vocabulary, since later rounds cut words differently, so
    an even smaller `min_count` may work, too.

    Raises what `train_top_down` raises; TypeError if `vocab_size` is not an integer; ValueError if
    it is too small for the special tokens and characters alone.

    >>> find_min_count({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, vocab_size=15)
    2
    """
    vocab_size = check_int(vocab_size, "vocab_size")
    suffixes = _find_suffixes(word_counts, rounds, discount)
    least_size = len(SPECIAL_TOKENS) + 2 * len(suffixes.chars)
    if vocab_size < least_size:
        raise ValueError(
            f"vocab_size is {vocab_size}, and special tokens and characters alone are "
            f"{least_size}: give that or more"
        )
    low, high = 1, sum(len(word) * count for word, count in suffixes.words.items()) + 1
    while low < high:
        middle = (low + high) // 2
        if len(SPECIAL_TOKENS) + sum(map(len, suffixes.learn(middle))) <= vocab_size:
            high = middle
        else:
            low = middle + 1
    return low


def _in_order(vocab: dict[str, int]) -> list[str]:
    chars = sorted(entry for entry in vocab if len(entry) == 1)
    others = [entry for entry in vocab if len(entry) > 1]
    return [*SPECIAL_TOKENS, *chars, *sorted(others, key=lambda entry: (-vocab[entry], entry))]


def _find_suffixes(word_counts: WordCounts, rounds: int, discount: str) -> "Suffixes":
    """Check the arguments that both functions take, and return what they learn from."""
    from wpedu.fast.suffixes import Suffixes  # here, so that the loop works without wpedu.fast

    words = check_bert_words(word_counts)
    words = {word: count for word, count in words.items() if len(word) <= LONGEST_WORD}
    if not words:
        raise ValueError(
            f"word_counts has no word of up to {LONGEST_WORD} characters: give words to learn from"
        )
    if discount not in DISCOUNTS:
        raise ValueError(f"discount must be {' or '.join(map(repr, DISCOUNTS))}, not {discount!r}")
    return Suffixes(words, LONGEST_WORD, check_int(rounds, "rounds", least=1), discount)
