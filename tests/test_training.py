"""Training gives the merges of the oracle: the plain loop, and the fast trainer by any score."""

import json
from functools import partial
from math import log

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from make_merge_digests import PATH, digest
from oracle import joined, train_from_scratch

from wpedu.fast.estimates import ESTIMATES
from wpedu.scores import SCORES
from wpedu.training import build_vocab, merge_pair, train, train_plain

DIGESTS = json.loads(PATH.read_text(encoding="utf-8"))
LONG = [pytest.param(s, marks=pytest.mark.long) for s in DIGESTS if s != "gain"]


def pmi(Cxy, Cx, Cy, N, M):
    return log(Cxy * N * N / (M * Cx * Cy))


def dice(Cxy, Cx, Cy, N, M):
    return 2 * Cxy / (Cx + Cy)


def rarity(Cxy, Cx, Cy, N, M):
    return -Cxy


def book(Cxy, Cx, Cy, N, M):
    """The gain as Nugues writes it: with the noise of three logarithms."""
    return Cxy * (log(Cxy / M) - log(Cx / N) - log(Cy / N))


OWN = [pmi, dice, rarity, book]


scores = st.sampled_from(list(SCORES))
counts = st.one_of(st.just(1), st.integers(1, 4), st.integers(1, 10**6))
huge = st.integers(-2, 2).map(lambda k: 10**24 + k)
far_apart = st.one_of(st.integers(1, 50), st.integers(5, 24).map(lambda k: 10**k))


def corpora(counts, letters="ab"):
    """Return corpora over few letters: many ties, overlaps, and tokens made in two ways."""
    words = st.text(st.sampled_from(letters), min_size=1, max_size=12)
    return st.dictionaries(words, counts, max_size=6)


# A rare pair and a frequent one that are equal, or almost; counts as large as they may be.
@example({}, "gain")
@example({"uvxy": 1, "a": 1, "yyxy": 1}, "gain")
@example({"c": 1, "cd": 10**15, "b": 5}, "gain")
@example({"ba": 10**18, "aaaba": 5, "a": 50}, "gain")
@example({"aaaaaaaa": 1, "a": 10**15 - 2}, "likelihood")
@example({"z": 10**14, "ccbb": 2, "cc": 2, "ccc": 4}, "likelihood")
@example({"ab": 10**18, "cd": 5, "ef": 50}, "likelihood")
@example({"ab": 10**30 - 9, "abc": 6, "b": 3}, "gain")
@example({"ab": 10**30 - 9, "abc": 6, "b": 3}, "likelihood")
@settings(max_examples=300)
@given(
    st.one_of(
        corpora(counts),
        corpora(counts, "abc"),
        corpora(st.integers(1, 3)),
        corpora(huge, "abc"),
        corpora(far_apart),
    ),
    scores,
)
def test_every_trainer_gives_the_merges_of_the_oracle(word_counts, score):
    merges = train_from_scratch(word_counts, 80, score)
    assert train(word_counts, 80, score) == merges
    assert train(word_counts, 80, partial(SCORES[score])) == merges  # a function has no estimate
    assert train_plain(word_counts, 80, score) == merges


@settings(max_examples=60)
@given(corpora(counts, "abc"), st.integers(0, 80), st.sampled_from(OWN))
def test_a_score_of_ones_own_gives_the_merges_of_the_oracle(word_counts, num_merges, score):
    merges = train_from_scratch(word_counts, num_merges, score)
    assert train(word_counts, num_merges, score) == merges
    assert train_plain(word_counts, num_merges, score) == merges


# The plain loop computes every likelihood with 60 digits, which takes its time.
@pytest.mark.parametrize("score", SCORES)
def test_the_fast_trainer_gives_the_merges_of_the_plain_loop_on_homer(homer, score):
    size = 80 if score == "likelihood" else 400
    few = dict(list(homer.word_counts.items())[:size])
    assert train(few, size // 4, score) == train_plain(few, size // 4, score)


def test_the_first_merges_are_those_of_the_book_s_three_logarithms(homer):
    assert train(homer.word_counts, 200) == train(homer.word_counts, 200, book)


@pytest.mark.parametrize("score", ["gain", *LONG])
def test_the_merges_of_homer_to_the_end_are_those_recorded(homer, score):
    merges = train(homer.word_counts, 10**6, score)
    assert {"merges": len(merges), "sha256": digest(merges)} == DIGESTS[score]


def test_a_score_that_somebody_lists_is_trained_by(monkeypatch):
    monkeypatch.setitem(SCORES, "somebody's", pmi)
    assert train({"hugs": 5, "pugs": 2}, 9, "somebody's") == train({"hugs": 5, "pugs": 2}, 9, pmi)


@pytest.mark.parametrize(
    ("result", "error", "says"),
    [
        (None, TypeError, "gave None"),
        (1j, TypeError, "gave 1j"),
        (float("nan"), ValueError, "gave nan"),
    ],
)
def test_what_is_no_real_number_is_refused_with_its_pair(result, error, says):
    def broken(Cxy, Cx, Cy, N, M):
        return result if Cxy == 2 else 1.0

    with pytest.raises(error, match=says) as raised:
        train({"ab": 1, "cd": 2}, 3, broken)
    assert "the score broken" in str(raised.value)
    assert "for the pair ('▁', 'c')" in str(raised.value)


@pytest.mark.parametrize("score", ESTIMATES)
@given(
    st.integers(1, 10**6),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.floats(0.1, 1),
)
def test_no_pair_is_worth_more_than_the_bound_for_its_count(score, n, more, left, right, share):
    num_tokens = 2 * n + left + right + more
    num_pairs = max(n, int(num_tokens * share))
    value = score(n, n + left, n + right, num_tokens, num_pairs)
    for at_most in (n, n + 1, 2 * n, num_tokens):
        assert value <= ESTIMATES[score].bound(at_most, num_tokens, num_pairs) * (1 + 1e-9) + 1e-9


@given(corpora(counts), scores)
def test_training_to_the_end_leaves_one_token_for_each_word_and_makes_none_twice(counts, score):
    merges = train(counts, 1000, score)
    assert len({x + y for x, y in merges}) == len(merges)
    for word in counts:
        split = ["▁", *word]
        for pair in merges:
            split = merge_pair(pair, split)
        assert split == [f"▁{word}"]


def test_a_word_of_a_million_equal_letters_trains():
    assert train({"a" * 1_000_000: 1}, 3) == [("a", "a"), ("aa", "aa"), ("aaaa", "aaaa")]


@given(st.lists(st.sampled_from(["a", "b", "aa"]), max_size=12), st.sampled_from("ab"))
def test_merge_pair_joins_left_to_right_without_overlap_in_a_copy(split, y):
    before = list(split)
    assert merge_pair(("a", y), split) == joined(("a", y), split)
    assert split == before


def test_the_vocabulary_is_the_alphabet_then_the_merges():
    assert build_vocab({"hug": 1, "pub": 2}, [("h", "u"), ("▁", "p")]) == [*"▁hugpb", "hu", "▁p"]


def test_counts_and_numbers_may_be_numpy_s_and_as_many_as_nobody_has():
    counts = {"hug": np.int64(5), "hum": np.int32(2)}
    assert train(counts, np.int16(3)) == train({"hug": 5, "hum": 2}, 3)
    assert train({"ab": 1}, 10**30) == train({"ab": 1}, 2)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: train(["hug"]), TypeError, "must be a dict"),
        (lambda: train({1: 1}), TypeError, "words must be str"),
        (lambda: train({"": 1}), ValueError, "an empty word: leave it out"),
        (lambda: train({"▁hug": 1}), ValueError, "replace it in the text"),
        (lambda: train({"hug": 1.0}), TypeError, "counts must be int"),
        (lambda: train({"hug": True}), TypeError, "counts must be int"),
        (lambda: train({"hug": 0}), ValueError, "leave it out"),
        (lambda: train({"hug": 1}, 1.0), TypeError, "num_merges must be"),
        (lambda: train({"hug": 1}, -1), ValueError, "num_merges must be"),
        (lambda: train({"hug": 1}, 1, "bpe"), ValueError, "'gain', 'ratio', 'frequency', 'likel"),
        (lambda: train({"hug": 1}, progress=1), TypeError, "progress is True or False"),
        (lambda: merge_pair(("a", "b", "c"), ["a"]), ValueError, "pair must be two subwords"),
        (lambda: merge_pair(("a", "b"), "ab"), TypeError, "split must"),
        (lambda: build_vocab({"ab": 1}, [3]), TypeError, "a merge must be two subwords"),
        (lambda: build_vocab({"ab": 1}, {("a", "b")}), TypeError, "merges must be a list"),
        (lambda: build_vocab({"ab": 1}, [("a",)]), ValueError, "a merge must be two subwords"),
    ],
)
def test_what_cannot_be_meant_is_refused(call, error, says):
    with pytest.raises(error, match=says):
        call()
