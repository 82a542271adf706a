"""What must hold of `wpedu.scores`."""

from collections import Counter
from math import isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import corpus_log_likelihood, formula, joined, pairs_of

from wpedu.scores import SCORES, gain, likelihood, pair_gains

tokens = st.sampled_from(["a", "b", "aa", "ab", "ba", "aab"])
corpora = st.lists(
    st.tuples(st.lists(tokens, min_size=1, max_size=8), st.integers(1, 50)),
    unique_by=lambda entry: "".join(entry[0]),
)


def as_mappings(corpus):
    """Return splits and word counts as `pair_gains` takes them."""
    splits = {"".join(split): split for split, _ in corpus}
    return splits, {"".join(split): count for split, count in corpus}


def counted(corpus):
    """Return the token counts and the pair counts of a corpus."""
    token_counts, pair_counts = Counter(), Counter()
    for split, count in corpus:
        for token in split:
            token_counts[token] += count
        for pair in pairs_of(split):
            pair_counts[pair] += count
    return token_counts, pair_counts


def num_joins(corpus, pair):
    """Return how many joins merging the pair makes."""
    return sum(count * (len(split) - len(joined(pair, split))) for split, count in corpus)


@given(corpora, st.sampled_from(list(SCORES)))
def test_every_score_is_its_formula(corpus, score):
    token_counts, pair_counts = counted(corpus)
    totals = token_counts.total(), pair_counts.total()
    assert pair_gains(*as_mappings(corpus), score) == {
        pair: formula(score, pair, n, token_counts, *totals, num_joins(corpus, pair))
        for pair, n in pair_counts.items()
    }


@given(corpora)
def test_the_likelihood_is_the_change_that_a_real_merge_makes(corpus):
    counts = [count for _, count in corpus]
    before = corpus_log_likelihood([split for split, _ in corpus], counts)
    for pair, change in pair_gains(*as_mappings(corpus), "likelihood").items():
        after = corpus_log_likelihood([joined(pair, split) for split, _ in corpus], counts)
        assert isclose(change, after - before, rel_tol=1e-9, abs_tol=1e-8)


@given(corpora, st.sampled_from(list(SCORES)))
def test_pairs_come_in_order_of_first_occurrence(corpus, score):
    order = dict.fromkeys(pair for split, _ in corpus for pair in pairs_of(split))
    assert list(pair_gains(*as_mappings(corpus), score)) == list(order)


@given(st.integers(1, 50), st.integers(50, 90), st.integers(50, 90), st.integers(200, 10**9))
def test_no_score_depends_on_the_order_of_the_two_counts(n, left, right, total):
    for score in SCORES.values():
        assert score(n, left, right, total, total // 2) == score(n, right, left, total, total // 2)


@given(st.integers(1, 10**30), st.integers(0, 10**30), st.integers(0, 10**30))
def test_the_gain_is_the_book_s_formula(n, left, right):
    left, right, num_tokens = left + n, right + n, 2 * (left + right + n)
    num_pairs = num_tokens - 1 if num_tokens - 1 >= n else n
    book = n * (log(n / num_pairs) - log(left / num_tokens) - log(right / num_tokens))
    assert isclose(
        gain(n, left, right, num_tokens, num_pairs), book, rel_tol=1e-9, abs_tol=1e-12 * n * 200
    )


def test_gains_that_are_equal_on_paper_are_equal():
    assert gain(3, 4, 25, 1000, 700) == gain(3, 10, 10, 1000, 700)


def test_likelihood_counts_a_joined_token_that_exists_already():
    assert likelihood(2, 5, 5, 100, 80, 7) != likelihood(2, 5, 5, 100, 80)


def test_the_scores_are_listed_in_the_order_of_the_notebooks():
    assert list(SCORES) == ["gain", "ratio", "frequency", "likelihood"]


def test_an_empty_corpus_has_no_pairs():
    assert pair_gains({}, {}) == {}


@pytest.mark.parametrize("score", ["bpe", None, ["gain"]])
def test_an_unknown_score_is_refused_and_the_four_are_named(score):
    with pytest.raises(ValueError, match="'gain', 'ratio', 'frequency', 'likelihood'"):
        pair_gains({"hug": ["hug"]}, {"hug": 1}, score)


@pytest.mark.parametrize(
    ("word_counts", "error"),
    [
        (["hug"], TypeError),
        ({"hug": 1.5}, TypeError),
        ({"hug": True}, TypeError),
        ({1: 1}, TypeError),
        ({"hug": 0}, ValueError),
        ({"pug": 1}, ValueError),
        ({"hug": 10**100 + 1}, ValueError),  # the likelihood would be inf, the ratio 0
    ],
)
def test_bad_word_counts_are_refused(word_counts, error):
    with pytest.raises(error):
        pair_gains({"hug": ["hug"], 1: ["a"]}, word_counts)


@pytest.mark.parametrize(
    ("split", "error", "says"),
    [
        ("hug", TypeError, "split of 'hug' must be an iterable of str"),
        (["p", "ug"], ValueError, "is \\['p', 'ug'\\], which is not that word"),
        (["h", 1], TypeError, "has 1 in it"),
        (["hug", ""], ValueError, "empty string"),
        ({"h", "ug"}, TypeError, "has no order"),
        ({"hug": 1}, TypeError, "not a dict"),
    ],
)
def test_a_split_is_that_of_its_word(split, error, says):
    with pytest.raises(error, match=says):
        pair_gains({"hug": split}, {"hug": 1})


def test_splits_are_a_mapping():
    with pytest.raises(TypeError, match="splits must be a dict"):
        pair_gains(["hug"], {"hug": 1})


def test_a_split_may_have_the_mark_that_its_word_has_not():
    assert pair_gains({"hug": ["▁", "hug"]}, {"hug": 2}, "frequency") == {("▁", "hug"): 2}


def test_a_function_scores_what_a_name_does():
    splits, counts = {"hug": ["h", "ug"], "hum": ["h", "u", "m"]}, {"hug": 2, "hum": 1}
    own = pair_gains(splits, counts, lambda Cxy, Cx, Cy, N, M: Cxy)
    assert own == pair_gains(splits, counts, "frequency")


@pytest.mark.parametrize("size", [1, 10**9, 10**30, 10**90])
def test_the_likelihood_is_the_nearest_number_to_what_it_is_on_paper(size):
    for n, left, right in [(2, 3, 4), (size, size, size), (1, size, size), (size, 2 * size, size)]:
        tokens = Counter({"x": max(n, left), "y": max(n, right)})
        total = 4 * size + 20
        paper = formula("likelihood", ("x", "y"), n, tokens, total, total, n)
        assert likelihood(n, tokens["x"], tokens["y"], total, total) == paper


@pytest.mark.parametrize("score", SCORES.values())
def test_a_score_shows_its_name(score):
    assert SCORES[repr(score)] is score
