"""What a vocabulary is worth: vocabulary and word counts → numbers, and lists of odd entries.

A vocabulary is ours, with ▁, or BERT's, with ##: one that has an entry like ##s is BERT's. In one
without either, every entry may stand anywhere in a word. Words are cut by longest match from left
to right, as everywhere here. Entries in brackets, such as [UNK] and [unused1], are no subwords:
they match no text, and are neither counted nor returned.

Measure on text that the vocabulary was not trained on: on its own training text every trainer
looks better than it is, and one that counts words looks best.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from math import expm1, log, log1p
from numbers import Real
from typing import NamedTuple

from wpedu._checks import START, check_strings, check_subwords, check_words
from wpedu.bert.vocab import CONTINUATION
from wpedu.encoding import _longest_matches

__all__ = [
    "GreedyCost",
    "characters_per_token",
    "count_tokens",
    "dead_entries",
    "greedy_cost",
    "long_entries",
    "open_entries",
    "renyi_efficiency",
    "tokens_per_word",
    "unreachable_entries",
]
__dir__ = __all__.copy  # what dir() shows


class GreedyCost(NamedTuple):
    """Tokens above the shortest segmentation, as shares of it: 0.01 is one in a hundred."""

    types: float
    tokens: float


def count_tokens(vocab: Iterable[str], word_counts: Mapping[str, int]) -> Counter[str]:
    """Return how often longest match gives each entry on the words, each with its count.

    This and the other functions raise TypeError or ValueError if `vocab` or `word_counts` is not
    what it should be: if there are no counts, if the vocabulary has no single character, or if it
    cannot cut one of the words.

    >>> count_tokens(["s", "e", "a", "sea", "##s", "##e", "##a"], {"sea": 3, "seas": 2})
    Counter({'sea': 5, '##s': 2})
    """
    return _count_tokens(_Pieces(vocab), _check_counts(word_counts))


def tokens_per_word(vocab: Iterable[str], word_counts: Mapping[str, int]) -> float:
    """Return how many tokens a word of the text becomes on average, its fertility.

    Source: Rust et al., How Good is Your Tokenizer? (ACL 2021), section 3.2,
    https://aclanthology.org/2021.acl-long.243

    >>> tokens_per_word(["s", "e", "a", "sea", "##s", "##e", "##a"], {"sea": 3, "seas": 1})
    1.25
    """
    words = _check_counts(word_counts)
    return _count_tokens(_Pieces(vocab), words).total() / sum(words.values())


def characters_per_token(vocab: Iterable[str], word_counts: Mapping[str, int]) -> float:
    """Return how many characters of the text a token stands for on average; ▁ and ## are none.

    >>> characters_per_token(["s", "e", "a", "sea", "##s", "##e", "##a"], {"sea": 3, "seas": 1})
    2.6
    """
    words = _check_counts(word_counts)
    characters = sum(len(word) * count for word, count in words.items())
    return characters / _count_tokens(_Pieces(vocab), words).total()


def greedy_cost(vocab: Iterable[str], word_counts: Mapping[str, int]) -> GreedyCost:
    """Return by how much longest match exceeds the shortest segmentation, which is computed.

    By types each word counts once, by tokens with its count. Longest match is not always shortest:
    below, it begins with una, and the rest has to be spelled.

    Source for the shortest: Schmidt et al., Tokenization Is More Than Compression (EMNLP 2024),
    https://arxiv.org/abs/2402.18376; for greedy against it: Uzan et al., Greed is All You Need
    (ACL 2024), https://aclanthology.org/2024.acl-short.73

    >>> vocab = ["u", "un", "una", "##able", "##a", "##b", "##l", "##e"]
    >>> greedy_cost(vocab, {"unable": 3, "un": 1})
    GreedyCost(types=0.6666666666666666, tokens=0.8571428571428571)
    """
    pieces, words = _Pieces(vocab), _check_counts(word_counts)
    shortest_types = shortest_tokens = extra_types = extra_tokens = 0
    for word, count in words.items():
        greedy = len(pieces.cut(word))
        # Of one piece or two, there is nothing to save: the whole word would have been longer.
        shortest = pieces.shortest(word) if greedy > 2 else greedy
        shortest_types += shortest
        shortest_tokens += shortest * count
        extra_types += greedy - shortest
        extra_tokens += (greedy - shortest) * count
    return GreedyCost(extra_types / shortest_types, extra_tokens / shortest_tokens)


def renyi_efficiency(
    vocab: Iterable[str], word_counts: Mapping[str, int], alpha: float = 2.5
) -> float:
    """Return the Rényi entropy of the tokens as a share of the largest that is possible.

    With P(t) the share of the token t, and `|V|` entries, that is::

        1 / (1 − α) · ln( Σ P(t)^α ) / ln |V|

    and Shannon's entropy over `ln |V|` for α = 1. It is 1 where all entries are used equally often.

    Source: Zouhar et al., Tokenization and the Noiseless Channel (ACL 2023), where α = 2.5 agreed
    best with BLEU, https://aclanthology.org/2023.acl-long.284. Cognetta et al. (2024) raise it
    while translations get worse, https://arxiv.org/abs/2402.14614: no number alone decides.

    >>> renyi_efficiency(["a", "b"], {"a": 2, "b": 2})
    1.0
    """
    if isinstance(alpha, bool) or not isinstance(alpha, Real):
        raise TypeError(f"alpha must be a number, not {alpha!r}")
    if not 0 < alpha < float("inf"):
        raise ValueError(f"alpha must be above 0 and finite, not {alpha!r}")
    excess = float(alpha - 1)
    pieces = _Pieces(vocab)
    if len(pieces.entries) < 2:
        raise ValueError("vocab has one entry, and an efficiency needs a choice: give two or more")
    counts = _count_tokens(pieces, _check_counts(word_counts))
    total, most = counts.total(), max(counts.values())
    # Against the largest share, so that no power is 0 or lost beside the others.
    shares = [(count / total, log(count / most)) for count in counts.values()]
    if excess:
        below = log1p(sum(share * expm1(excess * ratio) for share, ratio in shares)) / excess
    else:
        below = sum(share * ratio for share, ratio in shares)
    return (log(total / most) - below) / log(len(pieces.entries))


def dead_entries(vocab: Iterable[str], word_counts: Mapping[str, int]) -> list[str]:
    """Return the entries that longest match never gives on these words, in the vocabulary's order.

    >>> dead_entries(["s", "e", "a", "sea", "##s", "##e", "##a"], {"sea": 3, "seas": 1})
    ['s', 'e', 'a', '##e', '##a']
    """
    pieces = _Pieces(vocab)
    counts = _count_tokens(pieces, _check_counts(word_counts))
    return [entry for entry in pieces.entries if entry not in counts]


def long_entries(vocab: Iterable[str]) -> list[str]:
    """Return the entries of two or more characters, which a trainer made: ## is no character.

    >>> long_entries(["[UNK]", "s", "##s", "sea", "##ea"])
    ['sea', '##ea']
    """
    pieces = _Pieces(vocab)
    return [entry for entry in pieces.entries if len(pieces.text(entry)) > 1]


def open_entries(vocab: Iterable[str]) -> list[str]:
    """Return the entries of two or more characters that are not two entries one after the other.

    In BERT's writing, xy is x + ##y, and ##xy is ##x + ##y. A vocabulary without such entries is
    closed. Every trainer that starts from single characters, merges two entries of its vocabulary
    at a time, and keeps what it has, leaves a closed one.

    >>> open_entries(["s", "e", "a", "##s", "##e", "##a", "##ea", "sea", "seas", "eats"])
    ['eats']
    """
    pieces = _Pieces(vocab)
    return [entry for entry in pieces.entries if pieces.is_open(entry)]


def unreachable_entries(
    vocab: Iterable[str], normalize: Callable[[str], list[str]] | None = None
) -> list[str]:
    """Return the entries that longest match cannot give for any text, in the vocabulary's order.

    `normalize` makes the words of a text, as `pretokenize` does; without it, any string may be a
    word. It has to treat each character by itself, as BERT's normalization does: then the words
    are single characters, and strings of characters that it leaves together.

    It is decided, not sampled. What begins words is given for the word that it is. What continues
    them is given behind the longest entry that begins words: no longer one begins there, and the
    rest of the word is the longest match for itself. So longest match makes no entry unreachable,
    but for a ▁ on its own; what is left is to ask whether `normalize` lets those words be.

    Source of the question: Land and Bartolo, Fishing for Magikarp (EMNLP 2024),
    https://aclanthology.org/2024.emnlp-main.649

    >>> from wpedu import pretokenize
    >>> unreachable_entries(["a", "!", "ab", "##b", "##!", "a!"], pretokenize)
    ['##!', 'a!']
    """
    pieces = _Pieces(vocab)
    mark = pieces.mark

    if normalize is not None and not callable(normalize):
        raise TypeError(f"normalize must be a function, not {normalize!r}")

    def is_word(text: str) -> bool:
        if mark and mark in text:
            return False
        return normalize is None or check_strings(normalize(text), "what normalize gives") == [text]

    starts = [text.removeprefix(mark) for text in pieces.begin]
    longest_first = sorted(starts, key=len, reverse=True)
    joins = (text for text in longest_first if text and is_word(text + text))
    longest = next(joins, None)
    reached = {pieces.begin[mark + text] for text in starts if text and is_word(text)}
    for text, entry in pieces.go_on.items():
        if longest is not None and is_word(longest + text):
            reached.add(entry)
        if mark and is_word(text) and pieces.give(mark + text) == [mark, entry]:
            reached |= {mark, entry}
    return [entry for entry in pieces.entries if entry not in reached]


class _Pieces:
    """A vocabulary, sorted into what may begin a word and what may continue one.

    `begin` and `go_on` lead from the text of a piece, without ##, to its entry. Our ▁ is part of
    the text: in our vocabulary the word sea is ▁sea.
    """

    def __init__(self, vocab: Iterable[str]) -> None:
        subwords = check_subwords(vocab)
        self.entries = list(dict.fromkeys(entry for entry in subwords if not _in_brackets(entry)))
        is_berts = any(_continues(entry) and entry[2] != "#" for entry in self.entries)
        is_ours = not is_berts and any(entry.startswith(START) for entry in self.entries)
        self.mark = START if is_ours else ""
        self.begin: dict[str, str] = {}
        self.go_on: dict[str, str] = {}
        for entry in self.entries:
            begins = entry.startswith(START) if is_ours else not _continues(entry)
            (self.begin if begins else self.go_on)[self.text(entry)] = entry
        if not is_berts and not is_ours:
            self.go_on = self.begin
        self.rests = self.begin | self.go_on if is_ours else self.go_on  # ▁▁ is ▁ and ▁
        if not any(len(self.text(entry)) == 1 for entry in self.entries):
            raise ValueError(
                "vocab has no single characters: a vocabulary for longest match has those of its "
                "text"
            )
        self.longest_begin = max(map(len, self.begin), default=0)
        self.longest_go_on = max(map(len, self.go_on), default=0)

    def text(self, entry: str) -> str:
        """Return the characters that `entry` stands for, ▁ included."""
        return entry[len(CONTINUATION) :] if not self.mark and _continues(entry) else entry

    def give(self, text: str) -> list[str]:
        """Return the entries that longest match cuts `text` into, or [] if it cannot."""
        longest = max(self.longest_begin, self.longest_go_on)
        matches = _longest_matches(text, self.begin, longest, self.go_on)
        if not matches or sum(map(len, matches)) < len(text):
            return []
        first, *rest = matches
        return [self.begin[first], *map(self.go_on.__getitem__, rest)]

    def cut(self, word: str) -> list[str]:
        """Return the entries of `word` by longest match; ValueError if there are none."""
        entries = self.give(self.mark + word)
        if not entries:
            raise ValueError(
                f"the word {word!r} cannot be cut into entries of the vocabulary: leave it out, or "
                f"give a vocabulary that has all of its characters"
            )
        return entries

    def shortest(self, word: str) -> int:
        """Return the smallest number of pieces that make `word`, which can be cut."""
        text = self.mark + word
        fewest = [0] + [len(text)] * len(text)  # to the place i
        pieces, longest = self.begin, self.longest_begin
        for start in range(len(text)):
            for end in range(start + 1, min(start + longest, len(text)) + 1):
                if fewest[start] + 1 < fewest[end] and text[start:end] in pieces:
                    fewest[end] = fewest[start] + 1
            pieces, longest = self.go_on, self.longest_go_on
        return fewest[-1]

    def cuts(self, entry: str) -> list[tuple[str, str]]:
        """Return the ways to cut `entry` into two entries."""
        text = self.text(entry)
        firsts = self.begin if self.begin.get(text) == entry else self.go_on
        return [
            (firsts[text[:place]], self.rests[text[place:]])
            for place in range(1, len(text))
            if text[:place] in firsts and text[place:] in self.rests
        ]

    def is_open(self, entry: str) -> bool:
        """Return whether `entry` has two or more characters, and no place to divide it at."""
        return len(self.text(entry)) > 1 and not self.cuts(entry)


def _count_tokens(pieces: _Pieces, words: Mapping[str, int]) -> Counter[str]:
    counts: dict[str, int] = defaultdict(int)
    for word, count in words.items():
        for entry in pieces.cut(word):
            counts[entry] += count
    return Counter(counts)


def _check_counts(word_counts: Mapping[str, int]) -> dict[str, int]:
    words = check_words(word_counts)
    if not words:
        raise ValueError("word_counts is empty: there is nothing to measure on")
    return words


def _continues(entry: str) -> bool:
    return entry.startswith(CONTINUATION) and entry != CONTINUATION


def _in_brackets(entry: str) -> bool:
    return len(entry) > 2 and entry[0] == "[" and entry[-1] == "]"


if __name__ == "__main__":
    import sys
    from importlib import import_module

    import_module("wpedu.making").main(sys.argv[1:])  # late, as it imports this module
