"""A slow trainer that is obviously right, to hold the plain loop and the fast one against.

Nothing here comes from the package. Everything is counted again for every merge.
"""

from collections import Counter
from decimal import Context, Decimal
from functools import cache
from math import fsum, log

PRECISE = Context(prec=70)

# A line for each name of `wpedu.scores.SCORES`; `likelihood`, which needs more, is below.
FORMULAS = {
    "gain": lambda n, x, y, tokens, pairs: n * log(n * tokens**2 / (pairs * x * y)),
    "ratio": lambda n, x, y, tokens, pairs: n / (x * y),
    "frequency": lambda n, x, y, tokens, pairs: n,
}


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
    """Return t · ln t with 70 digits; it is 0 at 0."""
    return PRECISE.multiply(t, PRECISE.ln(t)) if t > 0 else Decimal(0)


def count(splits, counts):
    """Return how often each token and each pair occurs."""
    tokens, pairs = Counter(), Counter()
    for split, number in zip(splits, counts, strict=True):
        for token in split:
            tokens[token] += number
        for pair in pairs_of(split):
            pairs[pair] += number
    return tokens, pairs


def corpus_log_likelihood(splits, counts):
    """Return ln P(corpus) when every token has its relative frequency as probability."""
    tokens, _ = count(splits, counts)
    return fsum(c * log(c / tokens.total()) for c in tokens.values())


def likelihood(pair, tokens, joins):
    """Return by how much so many joins of the pair, into a new token, change Σ f(C(t)) − f(N)."""
    after = Counter({token: tokens[token] for token in pair})
    for token in pair:
        after[token] -= joins
    total = PRECISE.subtract(f(tokens.total()), f(tokens.total() - joins))
    total = PRECISE.add(total, f(joins))
    for token in after:
        total = PRECISE.add(total, PRECISE.subtract(f(after[token]), f(tokens[token])))
    return float(total)


def score_pairs(splits, counts, score):
    """Return what each pair is worth, in order of first occurrence, by a name or a function."""
    tokens, pairs = count(splits, counts)
    if score == "likelihood":
        return {
            pair: likelihood(
                pair, tokens, n if len(set(pair)) == 2 else num_joins(splits, counts, pair)
            )
            for pair, n in pairs.items()
        }
    if not callable(score):
        if score not in FORMULAS:
            raise ValueError(f"the oracle does not know {score!r}: write its formula in FORMULAS")
        score = FORMULAS[score]
    totals = tokens.total(), pairs.total()
    return {(x, y): score(n, tokens[x], tokens[y], *totals) for (x, y), n in pairs.items()}


def num_joins(splits, counts, pair):
    """Return how many joins merging the pair makes."""
    return sum(n * (len(s) - len(joined(pair, s))) for s, n in zip(splits, counts, strict=True))


def train_from_scratch(word_counts, num_merges, score="gain"):
    """Return the merges; of equal pairs the one that occurs first: earliest word, then leftmost."""
    splits = [["▁", *word] for word in word_counts]
    merges = []
    while len(merges) < num_merges:
        scores = score_pairs(splits, word_counts.values(), score)
        if not scores:
            break
        merges.append(max(scores, key=scores.get))
        splits = [joined(merges[-1], split) for split in splits]
    return merges
