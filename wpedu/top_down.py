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

What is here is the loop that notebook 12 builds; `wpedu.fast.tails` learns the same, sooner.

Sources: https://www.tensorflow.org/text/guide/subwords_tokenizer and
https://github.com/tensorflow/text/issues/583
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from wpedu._checks import check_choice, check_int
from wpedu.bert.vocab import CONTINUATION, SPECIAL_TOKENS, _check_bert_words

__all__ = [
    "DISCOUNTS",
    "LONGEST_WORD",
    "find_min_count",
    "keep",
    "starts_of_pieces",
    "train_plain",
    "train_top_down",
]
__dir__ = __all__.copy  # what dir() shows

DISCOUNTS = ("kept", "all")
LONGEST_WORD = 50  # characters

Counts = dict[str, int]


def train_top_down(
    word_counts: Mapping[str, int], min_count: int, *, rounds: int = 4, discount: str = "kept"
) -> list[str]:
    """Return a vocabulary in BERT's form, learned top-down.

    BERT's five special tokens come first, then the characters in order of code point, then
    everything else by falling count, equal counts in order of code point. `discount` is "kept" or
    "all", as the module says.

    Raises what `train` raises, TypeError if `min_count` or `rounds` is no integer, and ValueError
    if one of them is below 1, if `discount` is neither of the two, if there is no word to learn
    from, or if a word cannot be in the vocabulary of `BertTokenizer`: it has white space in it,
    say, or begins as a continuation or a special token does.

    >>> train_top_down({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, min_count=2)[5:]
    ['a', 'e', 's', 't', 'sea', '##a', '##t', 'seas', '##e', '##s']
    """
    from wpedu.fast.tails import Tails

    min_count, rounds = _check_numbers(min_count, rounds)
    words = _check_words(word_counts)
    check_choice(discount, "discount", DISCOUNTS)
    bare, continuing = Tails(words, LONGEST_WORD, rounds, discount).learn(min_count)
    counts = {CONTINUATION + piece: count for piece, count in continuing.items()}
    return _in_order(bare | counts)


def train_plain(
    word_counts: Mapping[str, int], min_count: int, *, rounds: int = 4, discount: str = "kept"
) -> list[str]:
    """Return what `train_top_down` does, and trust the arguments: the loop, step by step.

    >>> train_plain({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, min_count=2)[9:]
    ['sea', '##a', '##t', 'seas', '##e', '##s']
    """
    words = {word: count for word, count in word_counts.items() if len(word) <= LONGEST_WORD}
    vocab: Counts = {}
    for number in range(rounds):
        counts: Counts = defaultdict(int)
        for word, count in words.items():
            for start in starts_of_pieces(word, vocab) if number else range(len(word)):
                mark = CONTINUATION if start else ""
                for end in range(start + 1, len(word) + 1):
                    counts[mark + word[start:end]] += count
        vocab = keep(counts, min_count, discount)
        for char in "".join(words):
            vocab.setdefault(char, 1)
            vocab.setdefault(CONTINUATION + char, 1)
    return _in_order(vocab)


def keep(counts: Mapping[str, int], min_count: int, discount: str = "kept") -> Counts:
    """Return what is kept of the substrings, with its count, from the longest to the shortest.

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


def starts_of_pieces(word: str, vocab: Mapping[str, int]) -> Iterable[int]:
    """Yield where pieces begin when `word` is cut by longest match.

    >>> list(starts_of_pieces("seat", {"sea": 2, "##t": 1}))
    [0, 3]
    """
    start = 0
    while start < len(word):
        yield start
        mark = CONTINUATION if start else ""
        ends = range(len(word), start, -1)
        start = next(end for end in ends if mark + word[start:end] in vocab)


def find_min_count(
    word_counts: Mapping[str, int], vocab_size: int, *, rounds: int = 4, discount: str = "kept"
) -> int:
    """Return a `min_count` for which `train_top_down` gives `vocab_size` entries or fewer.

    It is found by halving, as TensorFlow Text's learner does; one less would give more entries.
    From one `min_count` to the next the vocabulary may grow, since later rounds cut words
    differently: so a smaller one may do as well.

    Raises what `train_top_down` raises, TypeError if `vocab_size` is no integer, and ValueError if
    special tokens and characters alone are more.

    >>> find_min_count({"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}, vocab_size=15)
    2
    """
    from wpedu.fast.tails import Tails

    vocab_size = check_int(vocab_size, "vocab_size")
    words = _check_words(word_counts)
    _, rounds = _check_numbers(1, rounds)
    check_choice(discount, "discount", DISCOUNTS)
    tails = Tails(words, LONGEST_WORD, rounds, discount)
    least_size = len(SPECIAL_TOKENS) + 2 * len(tails.chars)
    if vocab_size < least_size:
        raise ValueError(
            f"vocab_size is {vocab_size}, and special tokens and characters alone are "
            f"{least_size}: give that or more"
        )
    low, high = 1, sum(len(word) * count for word, count in words.items()) + 1
    while low < high:
        middle = (low + high) // 2
        if len(SPECIAL_TOKENS) + sum(map(len, tails.learn(middle))) <= vocab_size:
            high = middle
        else:
            low = middle + 1
    return low


def _in_order(vocab: Counts) -> list[str]:
    chars = sorted(entry for entry in vocab if len(entry) == 1)
    others = [entry for entry in vocab if len(entry) > 1]
    return [*SPECIAL_TOKENS, *chars, *sorted(others, key=lambda entry: (-vocab[entry], entry))]


def _check_numbers(min_count: int, rounds: int) -> tuple[int, int]:
    return check_int(min_count, "min_count", least=1), check_int(rounds, "rounds", least=1)


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
