"""All of WordPiece, on one page: the functions that notebooks 01 to 06 build.

    python notebooks/one_page.py

run in the project folder, learns 200 merges from Homer's word counts, which
takes about a minute, and cuts a sentence. The package does the same, faster.
"""

from collections import Counter
from math import log

import regex

# 01: a word is a punctuation mark, or a run of anything but marks and spaces.
WORD_PATTERN = r"\p{P}|[^\s\p{P}]+"


def pretokenize(text: str) -> list[str]:
    """Return the words of `text`, in order."""
    return regex.findall(WORD_PATTERN, text)


def count_words(text: str) -> Counter[str]:
    """Return the count of each word of `text`, in order of first occurrence."""
    return Counter(pretokenize(text))


# 02: how often does each subword occur, and how often each pair?
def count_tokens_and_pairs(splits, word_counts):
    """Return how often each subword occurs, and each pair of neighbors."""
    tokens, pairs = Counter(), Counter()
    for word, count in word_counts.items():
        split = splits[word]
        for token in split:
            tokens[token] += count
        for pair in zip(split, split[1:]):
            pairs[pair] += count
    return tokens, pairs


# 02: a pair is worth its count times the logarithm of actual to chance.
def gain(C_xy, C_x, C_y, N, M):
    """Return the gain of the pair xy, in nats, from the counts."""
    return C_xy * log(C_xy * N**2 / (M * C_x * C_y))


def pair_gains(splits, word_counts):
    """Return the gain of every pair of neighbors."""
    tokens, pairs = count_tokens_and_pairs(splits, word_counts)
    N, M = tokens.total(), pairs.total()
    result = {}
    for (x, y), C_xy in pairs.items():
        result[x, y] = gain(C_xy, tokens[x], tokens[y], N, M)
    return result


# 03: join a pair everywhere it occurs in a word.
def merge_pair(pair: tuple[str, str], split: list[str]) -> list[str]:
    """Return `split` with the pair joined everywhere it occurs."""
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


# 03: join the best pair in all words, and start again.
def train(word_counts, num_merges=200, progress=False) -> list[tuple[str, str]]:
    """Return `num_merges` merges in order, or fewer if no pair is left."""
    splits = {word: list("▁" + word) for word in word_counts}
    merges = []
    while len(merges) < num_merges:
        gains = pair_gains(splits, word_counts)
        if not gains:
            break
        best = max(gains, key=gains.get)
        merges.append(best)
        joined = "".join(best)
        for word in word_counts:
            if joined in "▁" + word:
                splits[word] = merge_pair(best, splits[word])
        if progress:
            print(joined, end=" " if len(merges) % 10 else "\n", flush=True)
    return merges


# 03: the alphabet, then what the merges made.
def build_vocab(word_counts, merges) -> list[str]:
    """Return the alphabet in its order in the words, then the merged pairs."""
    alphabet = [char for word in word_counts for char in "▁" + word]
    return list(dict.fromkeys(alphabet)) + [x + y for x, y in merges]


# 05: cut a word, longest match first; a word that can't be cut is unknown.
class LoopEncoder:
    """Cuts a word into subwords, from beginning to end, longest first."""

    def __init__(self, vocab: list[str]):
        self.vocab = set(vocab)
        self.longest = max(map(len, vocab))

    def encode(self, word: str) -> list[str]:
        """Return the subwords of `word`, or ["[UNK]"] if it gets stuck."""
        subwords, start = [], 0
        while start < len(word):
            for end in range(min(len(word), start + self.longest), start, -1):
                if word[start:end] in self.vocab:
                    break
            else:
                return ["[UNK]"]
            subwords.append(word[start:end])
            start = end
        return subwords


# 04: cut a text.
def tokenize(text: str) -> list[str]:
    """Return the subwords of every word of `text`."""
    tokens = []
    for word in pretokenize(text):
        tokens += encoder.encode("▁" + word)
    return tokens


# 06: BERT marks the tokens that continue a word, not those that start one.
def to_bert(tokens: list[str]) -> list[str]:
    """Return `tokens` in BERT's notation: '▁S', 'it' becomes 'S', '##it'."""
    result, start = [], False
    for token in tokens:
        if token.startswith("▁"):
            start, token = True, token[1:]
        if token:
            starts = start or token == "[UNK]"
            result.append(token if starts else "##" + token)
            start = False
    return result


# 06: the vocabulary with which BERT's own loop cuts words as ours does.
def to_bert_vocab(vocab: list[str]) -> list[str]:
    """Return the subwords with which BERT's loop cuts words as ours does."""
    marked = tuple(s[1:] for s in vocab if s.startswith("▁") and s != "▁")
    plain = [u for u in vocab if not u.startswith("▁")]
    bare = [u for u in plain if "▁" in vocab and not u.startswith(marked)]
    return list(dict.fromkeys([*marked, *("##" + u for u in plain), *bare]))


# 06: back to text.
def decode(ids: list[int]) -> str:
    """Return the words of `ids`, with one space between words."""
    return " ".join(entries[i] for i in ids).replace(" ##", "")


if __name__ == "__main__":
    with open("datasets/homer/word_counts.tsv", encoding="utf-8") as file:
        rows = (line.rstrip("\n").split("\t") for line in file)
        words = {word: int(count) for word, count in rows}
    vocab = build_vocab(words, train(words, num_merges=200))
    encoder = LoopEncoder(vocab)
    tokens = to_bert(tokenize("Sit careless in the shade!"))
    print(*tokens)
    entries = ["[UNK]", *to_bert_vocab(vocab)]
    ids = [entries.index(token) for token in tokens]
    print(*ids)
    print(decode(ids))
