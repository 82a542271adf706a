"""What must hold of `wpedu.scores`."""

from collections import Counter
from functools import partial
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import corpus_log_likelihood, joined, score_pairs
from oracle import likelihood as likelihood_on_paper

from wpedu.scores import SCORES, frequency, gain, likelihood, pair_gains

tokens = st.sampled_from(["a", "b", "cc", "dcc"])  # no two of which join to a third
corpora = st.lists(
    st.tuples(st.lists(tokens, min_size=1, max_size=8), st.integers(1, 50)),
    unique_by=lambda entry: "".join(entry[0]),
)
HUG = {"hug": ["h", "ug"]}
FIVE = r"must take the five counts \(Cxy, Cx, Cy, N, M\)"


def as_mappings(corpus):
    """Return splits and word counts as `pair_gains` takes them."""
    splits = {"".join(split): split for split, _ in corpus}
    return splits, {"".join(split): count for split, count in corpus}


@given(corpora, st.sampled_from(list(SCORES)))
def test_every_score_is_its_formula_for_pairs_in_order_of_first_occurrence(corpus, score):
    splits, counts = [split for split, _ in corpus], [count for _, count in corpus]
    found = pair_gains(*as_mappings(corpus), score)
    assert list(found.items()) == list(score_pairs(splits, counts, score).items())


@given(corpora)
def test_the_likelihood_is_the_change_that_a_real_merge_makes(corpus):
    splits, counts = [split for split, _ in corpus], [count for _, count in corpus]
    before = corpus_log_likelihood(splits, counts)
    for pair, change in pair_gains(*as_mappings(corpus), "likelihood").items():
        after = corpus_log_likelihood([joined(pair, split) for split in splits], counts)
        assert isclose(change, after - before, rel_tol=1e-9, abs_tol=1e-8)


def test_gains_that_are_equal_on_paper_are_equal():
    assert gain(3, 4, 25, 1000, 700) == gain(3, 10, 10, 1000, 700)


@pytest.mark.parametrize("size", [1, 10**9, 10**18, 10**29])
def test_the_likelihood_is_the_nearest_number_to_what_it_is_on_paper(size):
    for n, left, right in [(2, 3, 4), (size, size, size), (1, size, size), (size, 2 * size, size)]:
        counts = Counter({"x": max(n, left), "y": max(n, right)})
        counts["z"] = 4 * size + 20 - counts.total()
        args = n, counts["x"], counts["y"], counts.total(), counts.total()
        assert likelihood(*args) == likelihood_on_paper(("x", "y"), counts, n)


@pytest.mark.parametrize(
    ("score", "value"),
    [
        (lambda *counts: len(counts), 5),
        (lambda Cxy, Cx, Cy, N, M: 100 * Cxy + 10 * Cx + N - M, 600 + 90 + 11 - 6),
        (lambda Cxy, Cx, Cy, N, M, joins: joins, 3),
        (lambda Cxy, Cx, Cy, N, M, *, weight=10, joins: weight * joins, 30),
        (partial(lambda weight, Cxy, Cx, Cy, N, M: weight, 7), 7),
        (max, 11),  # a function of Python's own, which does not tell what it takes
    ],
)
def test_a_score_is_given_the_five_and_joins_if_it_has_this_parameter(score, value):
    splits, counts = {"aaa": ["a", "a", "a"], "aa": ["aa"]}, {"aaa": 3, "aa": 2}
    assert pair_gains(splits, counts, score) == {("a", "a"): value}


@pytest.mark.parametrize(
    ("splits", "score", "error", "says"),
    [
        (HUG, "bpe", ValueError, ", ".join(map(repr, SCORES))),
        (HUG, lambda Cxy, Cx, Cy: 1, TypeError, FIVE),
        (HUG, lambda Cxy, Cx, Cy, N, M, weight: 1, TypeError, FIVE),
        (HUG, lambda Cxy, Cx, Cy, N, M, joins, /: 1, TypeError, FIVE),
        (HUG, partial(frequency, 1), TypeError, FIVE),
        (["hug"], "gain", TypeError, "splits must be a dict"),
        ({}, "gain", ValueError, "splits has no 'hug'"),
        ({"hug": "hug"}, "gain", TypeError, "split of 'hug' must be an iterable of str"),
        ({"hug": ["p", "ug"]}, "gain", ValueError, r"is \['p', 'ug'\], which is not that word"),
    ],
)
def test_what_cannot_be_meant_is_refused(splits, score, error, says):
    with pytest.raises(error, match=says):
        pair_gains(splits, {"hug": 2}, score)
