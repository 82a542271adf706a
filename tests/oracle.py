"""Slow trainers that are obviously right, to compare the fast one with.

Nothing here comes from the package. `train_from_scratch` counts everything again for every merge.
`train_by_counts` keeps the counts of a word until a merge touches the word, and still scores every
pair for every merge; it is quick enough to take Homer to the end, and the tests hold it against
the first.
"""

from collections import Counter
from math import fsum, log

import numpy as np


def pairs_of(split):
    """Return the adjacent pairs of a split, leftmost first."""
    return [(split[i], split[i + 1]) for i in range(len(split) - 1)]


def joined(pair, split):
    """Return the split with the pair joined, left to right."""
    result = []
    for token in split:
        if result and not result[-1][1] and (result[-1][0], token) == pair:
            result[-1] = (result[-1][0] + token, True)
        else:
            result.append((token, False))
    return [token for token, _ in result]


def f(t):
    """Return t · ln t, which is 0 at 0."""
    return t * log(t) if t > 0 else 0.0


def corpus_log_likelihood(splits, counts):
    """Return ln P(corpus) when every token has its relative frequency as probability."""
    tokens = Counter()
    for split, count in zip(splits, counts, strict=True):
        for token in split:
            tokens[token] += count
    total = sum(tokens.values())
    return fsum(c * log(c / total) for c in tokens.values())


def formula(score, pair, n, tokens, num_tokens, num_pairs, joins):
    """Return one pair's score, as DESIGN.md and issue 3 write it."""
    x, y = pair
    cx, cy = tokens[x], tokens[y]
    if score == "gain":
        return n * log(n * num_tokens**2 / (num_pairs * cx * cy))
    if score == "book":  # the gain, as Nugues writes it: with the noise of three logarithms
        return n * (log(n / num_pairs) - log(cx / num_tokens) - log(cy / num_tokens))
    if score == "ratio":
        return n / (cx * cy)
    if score == "frequency":
        return n
    before, after = Counter({x: cx, y: cy}), Counter()
    before[x + y] = tokens[x + y]
    after.update(before)
    after[x] -= joins
    after[y] -= joins
    after[x + y] += joins
    change = [f(c) for c in after.values()] + [-f(c) for c in before.values()]
    return fsum([*change, f(num_tokens), -f(num_tokens - joins)])


def best_of(scores, splits):
    """Return the pair with the largest score that occurs first: earliest word, then leftmost."""
    top = max(scores.values())
    tied = {pair for pair, value in scores.items() if value == top}
    return next(pair for split in splits for pair in pairs_of(split) if pair in tied)


def train_from_scratch(word_counts, num_merges, score="gain"):
    """Return the merges; every count is taken again for every merge."""
    splits = [["▁", *word] for word in word_counts]
    counts = list(word_counts.values())
    merges = []
    while len(merges) < num_merges:
        tokens, pairs = Counter(), Counter()
        for split, count in zip(splits, counts, strict=True):
            for token in split:
                tokens[token] += count
            for pair in pairs_of(split):
                pairs[pair] += count
        if not pairs:
            break
        num_tokens, num_pairs = sum(tokens.values()), sum(pairs.values())
        scores = {}
        for pair, n in pairs.items():
            joins = sum(
                count * (len(split) - len(joined(pair, split)))
                for split, count in zip(splits, counts, strict=True)
            )
            scores[pair] = formula(score, pair, n, tokens, num_tokens, num_pairs, joins)
        merges.append(best_of(scores, splits))
        splits = [joined(merges[-1], split) for split in splits]
    return merges


class Counts:
    """The splits of all words and everything counted in them, one word at a time."""

    def __init__(self, word_counts):
        """Start with every word split into characters."""
        self.splits = [["▁", *word] for word in word_counts]
        self.counts = list(word_counts.values())
        self.tokens = Counter()  # {token: count}
        self.pairs = Counter()  # {pair: count}
        self.joins = Counter()  # {pair of equal tokens: how many left-to-right joins}
        self.where = {}  # {pair: the words it is in}
        self.num_tokens = self.num_pairs = 0
        for word in range(len(self.splits)):
            self.add(word, +1)

    def add(self, word, sign):
        """Add or take away what one word holds; return its pairs."""
        split, count = self.splits[word], self.counts[word] * sign
        for token in split:
            self.tokens[token] += count
        pairs = pairs_of(split)
        for pair in pairs:
            self.pairs[pair] += count
        self.num_tokens += count * len(split)
        self.num_pairs += count * len(pairs)
        for x, y in set(pairs):
            if x == y:
                self.joins[x, y] += count * (len(split) - len(joined((x, y), split)))
            if sign > 0:
                self.where.setdefault((x, y), set()).add(word)
            else:
                self.where[x, y].discard(word)
        return pairs

    def merge(self, pair):
        """Join the pair in every word it is in; return the pairs those words had and have."""
        touched = set()
        for word in list(self.where[pair]):
            touched.update(self.add(word, -1))
            self.splits[word] = joined(pair, self.splits[word])
            touched.update(self.add(word, +1))
        return touched


class Table:
    """A row of numbers for every pair there ever was, for NumPy to go over."""

    def __init__(self, counts):
        """Start with the pairs of `counts`."""
        self.counts = counts
        self.row, self.pair_of, self.token_row = {}, [], {}
        self.columns = np.zeros((6, 1024), dtype=np.int64)  # n, x, y, z, joins, first word
        self.tokens = np.zeros(1024, dtype=np.int64)
        self.update(list(counts.pairs))

    def token(self, token):
        """Return the row of a token, whose count is brought up to date."""
        row = self.token_row.setdefault(token, len(self.token_row))
        if row >= len(self.tokens):
            self.tokens = np.concatenate([self.tokens, 0 * self.tokens])
        self.tokens[row] = self.counts.tokens[token]
        return row

    def update(self, pairs):
        """Bring the rows of these pairs, and of the tokens in them, up to date."""
        for pair in pairs:
            x, y = pair
            n = self.counts.pairs[pair]
            row = self.row.setdefault(pair, len(self.pair_of))
            if row == len(self.pair_of):
                self.pair_of.append(pair)
                if row == self.columns.shape[1]:
                    self.columns = np.concatenate([self.columns, 0 * self.columns], axis=1)
            self.columns[:, row] = (
                n,
                self.token(x),
                self.token(y),
                self.token(x + y),
                self.counts.joins[pair] if x == y else n,
                min(self.counts.where[pair]) if n else -1,
            )

    def rough_scores(self, score, rows, num_tokens, num_pairs):
        """Return the scores of the pairs in these rows, right to about nine digits."""
        n, x, y, z, joins, _ = self.columns[:, rows]
        cx, cy = self.tokens[x], self.tokens[y]
        if score in ("gain", "book"):
            return n * np.log(n / cx / cy * (num_tokens / num_pairs * num_tokens))
        if score == "ratio":
            return n / (cx * cy)
        if score == "frequency":
            return n.astype(float)
        same = x == y
        cz = self.tokens[z]
        change = F[cx - np.where(same, 2 * joins, joins)] - F[cx] + F[cz + joins] - F[cz]
        change += np.where(same, 0, F[cy - joins] - F[cy])
        return change + F[num_tokens] - F[num_tokens - joins]


def train_by_counts(word_counts, num_merges, score="gain"):
    """Return the merges; every pair is scored for every merge, from counts kept up to date.

    NumPy scores all pairs roughly. Those within a millionth of the best are scored by `formula`,
    and among equal ones the first in the corpus is taken. Counts must stay below 2 million.
    """
    counts = Counts(word_counts)
    table = Table(counts)
    merges = []
    while len(merges) < num_merges:
        rows = np.flatnonzero(table.columns[0])
        if not rows.size:
            break
        num_tokens, num_pairs = counts.num_tokens, counts.num_pairs
        rough = table.rough_scores(score, rows, num_tokens, num_pairs)
        rows = rows[rough >= rough.max() - 1e-6 * abs(rough.max()) - 1e-9]
        n, x, y, z, joins, first_words = table.columns[:, rows]
        tokens = table.tokens
        alike = zip(
            *(column.tolist() for column in (n, tokens[x], tokens[y], tokens[z], joins, x == y)),
            strict=True,
        )
        value, values = {}, []
        for row, key in zip(rows.tolist(), alike, strict=True):
            if key not in value:
                pair = table.pair_of[row]
                value[key] = formula(
                    score, pair, key[0], counts.tokens, num_tokens, num_pairs, key[4]
                )
            values.append(value[key])
        tied = np.flatnonzero(np.array(values) == max(values))
        first_word = first_words[tied].min()
        pairs = {table.pair_of[rows[i]] for i in tied[first_words[tied] == first_word]}
        merges.append(next(p for p in pairs_of(counts.splits[first_word]) if p in pairs))
        table.update(counts.merge(merges[-1]))
        for token in (*merges[-1], "".join(merges[-1])):
            table.token(token)
    return merges


F = np.arange(2_000_000) * np.log(np.maximum(np.arange(2_000_000), 1))
