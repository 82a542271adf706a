"""What the package says that the playground must show."""

from collections import Counter
from itertools import chain

from wpedu import (
    BertTokenizer,
    LinearEncoder,
    build_vocab,
    load_corpus,
    merge_pair,
    pair_gains,
    pretokenize,
    to_bert,
    train,
)
from wpedu.encoding import UNKNOWN
from wpedu.pretokenization import START

WORD_COUNTS = load_corpus("homer").word_counts
ROWS = ("gain", "bert", "frequency", "bpe")
MERGES = {score: train(WORD_COUNTS, 10**9, score) for score in ("gain", "frequency")}
NUMBERS = {score: {x + y: i for i, (x, y) in enumerate(MERGES[score])} for score in MERGES}
SCORES = {"gain": "gain", "bert": "gain", "frequency": "frequency", "bpe": "frequency"}
ALPHABET = frozenset(build_vocab(WORD_COUNTS, []))


def vocab(score: str, n: int) -> list[str]:
    return build_vocab(WORD_COUNTS, MERGES[score][:n])


class Reference:
    """The tokens of all rows after `n` merges."""

    def __init__(self, n: int):
        self.n = n
        self.encoders = {score: LinearEncoder(vocab(score, n)) for score in MERGES}
        self.replayed = {}

    def tokenize(self, text: str) -> dict[str, list[str]]:
        words = [START + word for word in pretokenize(text)]
        rows = {
            score: list(chain.from_iterable(map(encoder.encode, words)))
            for score, encoder in self.encoders.items()
        }
        rows["bert"] = to_bert(rows["gain"])
        rows["bpe"] = list(chain.from_iterable(map(self._replay, words)))
        return {row: rows[row] for row in ROWS}

    def _replay(self, word: str) -> list[str]:
        if word not in self.replayed:
            self.replayed[word] = replay(word, "frequency", self.n)
        return self.replayed[word]


def replay(word: str, score: str, n: int) -> list[str]:
    """The split of a word after `n` merges, in order, each wherever its pair stands."""
    if START in word[1:] or not ALPHABET.issuperset(word):
        return [UNKNOWN]
    # A pair that the word does not spell cannot stand in its split.
    parts = {word[i : j + 1] for i in range(len(word)) for j in range(i, min(len(word), i + 20))}
    numbers = sorted(NUMBERS[score][part] for part in parts if part in NUMBERS[score])
    split = list(word)
    for number in numbers:
        if number < n:
            split = merge_pair(MERGES[score][number], split)
    return split


def replay_homer(score: str, n: int) -> dict[str, list[str]]:
    """The splits of Homer's words after `n` merges, as training makes them."""
    splits = {word: [START, *word] for word in WORD_COUNTS}
    spelled = "\n".join(START + word for word in WORD_COUNTS)
    for x, y in MERGES[score][:n]:
        start = spelled.find(x + y)
        while start >= 0:
            end = spelled.find("\n", start)
            end = len(spelled) if end < 0 else end
            word = spelled[spelled.rfind("\n", 0, start) + 2 : end]
            splits[word] = merge_pair((x, y), splits[word])
            start = spelled.find(x + y, end)
    return splits


def token_counts(score: str, n: int) -> dict[str, int]:
    counts = Counter(dict.fromkeys(vocab(score, n), 0))
    for word, split in replay_homer(score, n).items():
        for token in split:
            counts[token] += WORD_COUNTS[word]
    return dict(counts)


def next_score(score: str, n: int) -> float:
    pair = MERGES[score][n]
    return pair_gains(replay_homer(score, n), WORD_COUNTS, score)[pair]


def bert_ids(n: int) -> dict[str, int]:
    return BertTokenizer.from_wordpiece(vocab("gain", n)).vocab
