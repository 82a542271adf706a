"""How good a vocabulary is: vocabulary and word counts → numbers, and lists of unusual entries.

A vocabulary is ours, with ▁, or BERT's, with ##, or has no marker: see `Vocabulary`. Words are cut
by longest match from left to right, as in all of this package. Entries in brackets, such as [UNK]
and [unused1], match no text, and are neither counted nor returned.

Measure on text that the vocabulary was not trained on. On its own training text, every trainer
looks better than it is, and a trainer that counts words looks best.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from wpedu._support.checks import check_strings
from wpedu.pretokenization import WordCounts, check_words
from wpedu.vocabularies.vocabulary import Vocabulary

__all__ = [
    "GreedyCost",
    "count_tokens",
    "greedy_cost",
    "multi_character_entries",
    "open_entries",
    "tokens_per_word",
    "unreachable_entries",
]


class GreedyCost(NamedTuple):
    """Tokens above the shortest segmentation, as shares of it: 0.01 is one in a hundred."""

    types: float
    tokens: float


def count_tokens(vocab: Iterable[str], word_counts: WordCounts) -> Counter[str]:
    """Return how often longest match gives each entry, for words with these counts.

    Like the other functions here, it raises what `Vocabulary` and `train` raise, and ValueError if
    there are no counts or if the vocabulary cannot cut one of the words.

    >>> count_tokens(["s", "e", "a", "sea", "##s", "##e", "##a"], {"sea": 3, "seas": 2})
    Counter({'sea': 5, '##s': 2})
    """
    return _count_tokens(Vocabulary(vocab), _check_counts(word_counts))


def tokens_per_word(vocab: Iterable[str], word_counts: WordCounts) -> float:
    """Return the fertility: how many tokens a word of the text becomes on average.

    Source: Rust et al., How Good is Your Tokenizer? (ACL 2021), section 3.2,
    https://aclanthology.org/2021.acl-long.243

    >>> tokens_per_word(["s", "e", "a", "sea", "##s", "##e", "##a"], {"sea": 3, "seas": 1})
    1.25
    """
    words = _check_counts(word_counts)
    return _count_tokens(Vocabulary(vocab), words).total() / sum(words.values())


def greedy_cost(vocab: Iterable[str], word_counts: WordCounts) -> GreedyCost:
    """Return by how much longest match exceeds the shortest segmentation, as shares of it.

    `types` counts each word once, `tokens` as often as it occurs. Longest match is not always
    shortest: below, it begins with una, and the rest has to be spelled.

    Sources: for the shortest segmentation, Schmidt et al., Tokenization Is More Than Compression
    (EMNLP 2024), https://arxiv.org/abs/2402.18376; for the comparison, Uzan et al., Greed is All
    You Need (ACL 2024), https://aclanthology.org/2024.acl-short.73

    >>> vocab = ["u", "un", "una", "##able", "##a", "##b", "##l", "##e"]
    >>> greedy_cost(vocab, {"unable": 3, "un": 1})
    GreedyCost(types=0.6666666666666666, tokens=0.8571428571428571)
    """
    vocabulary, words = Vocabulary(vocab), _check_counts(word_counts)
    shortest_types = shortest_tokens = extra_types = extra_tokens = 0
    for word, count in words.items():
        greedy = len(vocabulary.cut(word))
        # One or two entries are shortest: if one entry were the word, it would be the match.
        shortest = vocabulary.count_shortest(word) if greedy > 2 else greedy
        shortest_types += shortest
        shortest_tokens += shortest * count
        extra_types += greedy - shortest
        extra_tokens += (greedy - shortest) * count
    return GreedyCost(extra_types / shortest_types, extra_tokens / shortest_tokens)


def multi_character_entries(vocab: Iterable[str]) -> list[str]:
    """Return the entries of two or more characters, not counting ##: those that a trainer made.

    >>> multi_character_entries(["[UNK]", "s", "##s", "sea", "##ea"])
    ['sea', '##ea']
    """
    vocabulary = Vocabulary(vocab)
    return [entry for entry in vocabulary.entries if len(vocabulary.text(entry)) > 1]


def open_entries(vocab: Iterable[str]) -> list[str]:
    """Return the entries of two or more characters that are not two entries put together.

    In ## notation, xy is x + ##y, and ##xy is ##x + ##y. A vocabulary without open entries is
    closed. A trainer leaves a closed one if it starts from single characters, merges two entries
    of its vocabulary at a time, and removes none.

    >>> open_entries(["s", "e", "a", "##s", "##e", "##a", "##ea", "sea", "seas", "eats"])
    ['eats']
    """
    vocabulary = Vocabulary(vocab)
    return [entry for entry in vocabulary.entries if vocabulary.is_open(entry)]


def unreachable_entries(
    vocab: Iterable[str], normalize: Callable[[str], list[str]] | None = None
) -> list[str]:
    """Return the entries that longest match cannot give for any text, in their order.

    `normalize` returns the words of a text, as `pretokenize` does; without it, any string may be a
    word. It must treat each character by itself, as BERT's normalization does. Its words are then
    single characters, and strings of characters that it leaves together.

    No sampling is needed. An entry that begins words is the longest match for its own text. An
    entry that continues words follows the longest beginning entry: nothing longer can begin there,
    and the rest of that word is the longest match for itself. So longest match alone makes no entry
    unreachable, except a ▁ on its own; the rest depends on whether `normalize` allows those words.

    Source of the idea: Land and Bartolo, Fishing for Magikarp (EMNLP 2024),
    https://aclanthology.org/2024.emnlp-main.649

    >>> from wpedu import pretokenize
    >>> unreachable_entries(["a", "!", "ab", "##b", "##!", "a!"], pretokenize)
    ['##!', 'a!']
    """
    vocabulary = Vocabulary(vocab)
    mark = vocabulary.start

    def is_word(text: str) -> bool:
        if mark and mark in text:
            return False
        return normalize is None or check_strings(normalize(text), "what normalize gives") == [text]

    beginnings = [text.removeprefix(mark) for text in vocabulary.beginning]
    longest_first = sorted(beginnings, key=len, reverse=True)
    longest = next((text for text in longest_first if text and is_word(text + text)), None)
    reached = {vocabulary.beginning[mark + text] for text in beginnings if text and is_word(text)}
    for text, entry in vocabulary.continuing.items():
        if longest is not None and is_word(longest + text):
            reached.add(entry)
        if mark and is_word(text) and vocabulary.longest_match(mark + text) == [mark, entry]:
            reached |= {mark, entry}
    return [entry for entry in vocabulary.entries if entry not in reached]


def _count_tokens(vocabulary: Vocabulary, words: Mapping[str, int]) -> Counter[str]:
    counts: dict[str, int] = defaultdict(int)
    for word, count in words.items():
        for entry in vocabulary.cut(word):
            counts[entry] += count
    return Counter(counts)


def _check_counts(word_counts: WordCounts) -> dict[str, int]:
    words = check_words(word_counts)
    if not words:
        raise ValueError("word_counts is empty: give words to measure on")
    return words
