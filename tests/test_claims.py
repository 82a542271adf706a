"""What the notebooks say of scores in general is so: on Homer to the end, and on any corpus."""

from collections import Counter
from math import fsum, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wpedu import merge_pair, pair_gains, train
from wpedu.fast.linked_tokens import LinkedTokens
from wpedu.scores import gain, likelihood

corpora = st.dictionaries(st.text("abc", min_size=1, max_size=8), st.integers(1, 99), min_size=1)


@pytest.fixture(scope="module")
def homer_to_the_end(homer):
    """Return for every merge by gain on Homer its gain, its change of the likelihood, N and M."""
    row = LinkedTokens((["▁", *word] for word in homer.word_counts), homer.word_counts.values())
    steps = []
    for pair in train(homer.word_counts, 10**6):
        counts = row.num_tokens, row.num_pairs
        steps.append((gain_of(row, pair), likelihood_change(row, pair), *counts))
        row.merge(pair)
    return steps


def gain_of(row, pair):
    C, (x, y) = row.token_counts, pair
    return gain(row.pair_counts[pair], C[x], C[y], row.num_tokens, row.num_pairs)


@pytest.fixture(scope="module")
def first_gains(homer):
    splits = {word: ["▁", *word] for word in homer.word_counts}
    return {
        score: pair_gains(splits, homer.word_counts, score)
        for score in ("frequency", "gain", "likelihood")
    }


def likelihood_change(row, pair):
    """Return what the likelihood's exact score is, to about nine digits, in less time."""
    x, y = pair
    Cx, Cy, N, n = row.token_counts[x], row.token_counts[y], row.num_tokens, row.count_joins(pair)
    after = [Cx - 2 * n] if x == y else [Cx - n, Cy - n]
    before = [Cx] if x == y else [Cx, Cy]
    terms = [t * log(t) for t in [*after, n, N] if t]
    return fsum([*terms, *(-t * log(t) for t in [*before, N - n])])


@given(corpora, st.integers(0, 20))
def test_the_gains_of_all_pairs_are_together_never_negative(word_counts, num_merges):
    splits = {word: ["▁", *word] for word in word_counts}
    for pair in train(word_counts, num_merges):
        splits = {word: merge_pair(pair, split) for word, split in splits.items()}
    gains = pair_gains(splits, word_counts)
    assert sum(gains.values()) >= -1e-9
    assert max(gains.values(), default=0) >= -1e-9


@pytest.mark.long
def test_what_the_merges_of_homer_do_to_the_end(homer_to_the_end):
    gains, changes, N, M = zip(*homer_to_the_end)
    assert len(gains) == 15_490
    assert min(gains) == pytest.approx(13.12, abs=0.005)
    assert gains.index(min(gains)) + 1 == 15_430
    worse = [i for i, change in enumerate(changes, 1) if change < 0]
    assert (len(worse), worse[:2]) == (15, [19, 31])
    at = (0, 200, 1_000, 8_000)
    assert [round(N[n] / M[n], 2) for n in at] == [1.27, 1.91, 3.5, 31.04]
    assert [round(1 + log(N[n] / M[n]), 2) for n in at] == [1.24, 1.65, 2.25, 4.44]
    falls_and_grows = [1_855_622, 1_254_369, 1_534_069, 10_034_063]
    assert [round(N[n] ** 2 / M[n]) for n in at] == falls_and_grows


def test_for_rare_pairs_the_likelihood_is_the_gain_less_a_toll_for_each_join(homer, first_gains):
    splits = {word: ["▁", *word] for word in homer.word_counts}
    tokens = Counter()
    for word, split in splits.items():
        for token in split:
            tokens[token] += homer.word_counts[word]
    N, M = tokens.total(), tokens.total() - homer.word_counts.total()
    often, gains, changes = (first_gains[x] for x in ("frequency", "gain", "likelihood"))
    rare = [(x, y) for x, y in often if x != y and 20 * often[x, y] < min(tokens[x], tokens[y])]
    off = [abs((changes[p] - gains[p]) / often[p] + 1 + log(N / M)) for p in rare]
    assert len(rare) == 388
    assert max(off) < 0.05


def test_the_gain_is_like_pointwise_mutual_information_and_not_it(first_gains):
    often, gains = first_gains["frequency"], first_gains["gain"]
    left, right, M = Counter(), Counter(), sum(often.values())
    for (x, y), count in often.items():
        left[x] += count
        right[y] += count
    exact = {
        (x, y): count * log(count * M / (left[x] * right[y])) for (x, y), count in often.items()
    }
    changed = {pair for pair in gains if (gains[pair] > 0) != (exact[pair] > 0)}
    assert len(gains) == 732
    assert sum(x != y for x, y in gains) == 711
    assert len(changed) == 53
    assert all(x != y for x, y in changed)
    assert ("▁", "o") in changed
    assert changed.isdisjoint([("▁", "e"), ("▁", "n"), ("▁", "r")])
    assert right["▁"] == 0


def test_gains_that_are_equal_on_paper_may_differ_in_the_last_bit():
    assert gain(1, 2, 2, 486, 243) == 5.493061443340548
    assert gain(5, 36, 45, 486, 243) == 5.493061443340549
    assert gain(7, 20, 30, 500, 400) == gain(7, 30, 20, 500, 400) == gain(7, 60, 10, 500, 400)


def test_two_pairs_of_homer_are_equally_likely_on_paper(homer):
    row = LinkedTokens((["▁", *word] for word in homer.word_counts), homer.word_counts.values())
    for pair in train(homer.word_counts, 857, "likelihood"):
        row.merge(pair)
    N, M = row.num_tokens, row.num_pairs
    assert (row.token_counts["O"], row.token_counts["K"]) == (96, 48)
    assert row.pair_counts["O", "O"] == row.pair_counts["O", "K"] == 48
    assert likelihood(48, 96, 96, N, M, joins=48) == likelihood(48, 96, 48, N, M)
