"""A slow trainer that is obviously right, to hold the plain loop and the fast one against.

Nothing here comes from the package. Everything is counted again for every merge.
"""

from collections import Counter
from decimal import Context, Decimal
from functools import cache
from math import fsum, log

PRECISE = Context(prec=140)


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


@cache
def f(t):
    """Return t · ln t with 140 digits; it is 0 at 0."""
    return PRECISE.multiply(t, PRECISE.ln(t)) if t > 0 else Decimal(0)


def corpus_log_likelihood(splits, counts):
    """Return ln P(corpus) when every token has its relative frequency as probability."""
    tokens = Counter()
    for split, count in zip(splits, counts, strict=True):
        for token in split:
            tokens[token] += count
    total = sum(tokens.values())
    return fsum(c * log(c / total) for c in tokens.values())


def formula(score, pair, n, tokens, num_tokens, num_pairs, joins):
    """Return one pair's score from the counts; `score` may be a function of five of them."""
    x, y = pair
    cx, cy = tokens[x], tokens[y]
    if callable(score):
        return score(n, cx, cy, num_tokens, num_pairs)
    if score == "gain":
        return n * log(n * num_tokens**2 / (num_pairs * cx * cy))
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
    total = PRECISE.subtract(f(num_tokens), f(num_tokens - joins))
    for token in after:
        total = PRECISE.add(total, PRECISE.subtract(f(after[token]), f(before[token])))
    return float(total)


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
