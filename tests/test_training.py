"""What must hold of `wpedu.training`, and of what is fast behind it."""

import json
from math import log

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from make_merge_digests import PATH, digest
from oracle import joined, pairs_of, train_from_scratch

from wpedu.corpus import load_corpus
from wpedu.fast.contest import Contest
from wpedu.fast.row import Row
from wpedu.scores import SCORES, frequency, likelihood
from wpedu.training import _iter_merges_plain, build_vocab, merge_pair, train

DIGESTS = json.loads(PATH.read_text(encoding="utf-8"))


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


def train_plain(word_counts, num_merges, score):
    splits = [["▁", *word] for word in word_counts]
    return list(_iter_merges_plain(splits, word_counts.values(), num_merges, score))


scores = st.sampled_from(list(SCORES))
counts = st.one_of(st.just(1), st.integers(1, 4), st.integers(1, 10**6))
huge = st.integers(-2, 2).map(lambda k: 10**24 + k)
far_apart = st.one_of(st.integers(1, 50), st.integers(5, 24).map(lambda k: 10**k))


def corpora(counts, letters="ab"):
    """Return corpora over few letters: many ties, overlaps, and tokens made in two ways."""
    words = st.text(st.sampled_from(letters), min_size=1, max_size=12)
    return st.dictionaries(words, counts, max_size=6)


@pytest.fixture(scope="module")
def word_counts():
    return load_corpus("homer").word_counts


@settings(max_examples=150)
@given(st.one_of(corpora(counts), corpora(counts, "abc")), st.integers(0, 80), scores)
def test_train_gives_the_merges_of_the_oracle(word_counts, num_merges, score):
    assert train(word_counts, num_merges, score) == train_from_scratch(
        word_counts, num_merges, score
    )


@settings(max_examples=100)
@given(corpora(st.integers(1, 3)), scores)
def test_train_gives_the_merges_of_the_oracle_where_most_pairs_tie(word_counts, score):
    assert train(word_counts, 80, score) == train_from_scratch(word_counts, 80, score)


@settings(max_examples=100)
@given(corpora(huge, "abc"), scores)
def test_counts_beyond_64_bits_give_the_merges_of_the_oracle(word_counts, score):
    assert train(word_counts, 80, score) == train_from_scratch(word_counts, 80, score)


# A rare pair and a frequent one that are equal, or almost.
@example({"uvxy": 1, "a": 1, "yyxy": 1}, "gain")
@example({"c": 1, "cd": 10**15, "b": 5}, "gain")
@example({"ba": 10**18, "aaaba": 5, "a": 50}, "gain")
@example({"aaaaaaaa": 1, "a": 10**15 - 2}, "likelihood")
@example({"z": 10**14, "ccbb": 2, "cc": 2, "ccc": 4}, "likelihood")
@settings(max_examples=200)
@given(corpora(far_apart), scores)
def test_counts_far_apart_give_the_merges_of_the_oracle(word_counts, score):
    assert train(word_counts, 80, score) == train_from_scratch(word_counts, 80, score)


@settings(max_examples=200)
@given(st.one_of(corpora(counts), corpora(counts, "abc")), st.integers(0, 80), scores)
def test_the_plain_loop_gives_the_merges_of_the_oracle(word_counts, num_merges, score):
    expected = train_from_scratch(word_counts, num_merges, score)
    assert train_plain(word_counts, num_merges, SCORES[score]) == expected


@settings(max_examples=200)
@given(corpora(counts, "abc"), st.integers(0, 80), st.sampled_from(OWN))
def test_a_score_of_ones_own_gives_the_merges_of_the_oracle(word_counts, num_merges, score):
    expected = train_from_scratch(word_counts, num_merges, score)
    assert train(word_counts, num_merges, score) == expected


@pytest.mark.parametrize("score", OWN)
def test_a_score_of_ones_own_gives_the_merges_of_the_oracle_on_homer(word_counts, score):
    few = dict(list(word_counts.items())[:120])
    assert train(few, 15, score) == train_from_scratch(few, 15, score)


# The plain loop computes every likelihood with 130 digits, which takes its time.
@pytest.mark.parametrize(
    ("score", "size"),
    [("gain", 800), ("ratio", 800), ("frequency", 800), ("likelihood", 80)],
)
def test_the_fast_trainer_gives_the_merges_of_the_plain_loop_on_homer(word_counts, score, size):
    few = dict(list(word_counts.items())[:size])
    assert train(few, size // 8, score) == train_plain(few, size // 8, SCORES[score])


def test_the_plain_loop_gives_200_merges_of_homer(word_counts):
    assert train_plain(word_counts, 200, SCORES["gain"]) == train(word_counts, 200)


@pytest.mark.parametrize(
    "score",
    [
        "gain",
        "frequency",
        *(pytest.param(s, marks=pytest.mark.long) for s in ("ratio", "likelihood")),
    ],
)
def test_the_merges_of_homer_to_the_end_are_those_recorded(word_counts, score):
    merges = train(word_counts, 10**6, score)
    assert {"merges": len(merges), "sha256": digest(merges)} == DIGESTS[score]


def test_the_first_merges_are_those_of_the_book_s_three_logarithms(word_counts):
    assert train(word_counts, 200) == train(word_counts, 200, book)


def test_a_score_with_a_name_may_be_given_itself(word_counts):
    assert train(word_counts, 50, likelihood) == train(word_counts, 50, "likelihood")


def test_a_score_that_somebody_lists_is_not_taken_for_another(monkeypatch):
    monkeypatch.setitem(SCORES, "pmi", pmi)
    corpus = {"hugs": 5, "pugs": 2, "bun": 9}
    assert train(corpus, 9, "pmi") == train_from_scratch(corpus, 9, pmi)


@pytest.mark.parametrize(
    ("result", "error", "says"),
    [
        (None, TypeError, "gave None"),
        (1j, TypeError, "gave 1j"),
        ("1", TypeError, "gave '1'"),
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


@given(
    st.sampled_from(list(SCORES.values())),
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
    for at_most in (n, n + 1, 2 * n):
        assert value <= score.bound(at_most, num_tokens, num_pairs) * (1 + 1e-9) + 1e-9


@settings(max_examples=200)
@given(corpora(far_apart, "abc"), st.sampled_from(list(SCORES.values())))
def test_estimates_are_less_than_the_slack_away(word_counts, score):
    assume(word_counts)
    row = Row([["▁", *word] for word in word_counts], word_counts.values())
    contest = Contest(row, score)
    contest._fill(1)
    estimates = score.estimate(contest)
    for pair, slot in contest.slots.items():
        off = abs(estimates[slot] - row.score(pair, score))
        assert off < score.slack(estimates[slot], contest.n[slot])


def test_the_likelihood_does_not_cancel_where_counts_are_far_apart():
    corpus = {"ab": 10**18, "cd": 5, "ef": 50}
    assert train(corpus, 3, "likelihood") == [("a", "b"), ("▁", "ab"), ("e", "f")]


@pytest.mark.parametrize("score", ["gain", "likelihood"])
def test_few_pairs_are_scored_one_by_one_beside_a_count_that_dwarfs_them(
    word_counts, score, monkeypatch
):
    scored = []
    exact = Row.score
    monkeypatch.setattr(
        Row, "score", lambda row, pair, score: scored.append(pair) or exact(row, pair, score)
    )
    train({**word_counts, "zebraqx": 10**15}, 200, score)
    assert len(scored) < 200


def test_counts_and_numbers_may_be_numpy_s():
    counts = {"hug": np.int64(5), "hum": np.int32(2)}
    assert train(counts, np.int16(3)) == train({"hug": 5, "hum": 2}, 3)


@pytest.mark.parametrize("score", SCORES)
def test_fewer_merges_are_the_beginning_of_more(word_counts, score):
    assert train(word_counts, 500, score) == train(word_counts, 600, score)[:500]


@pytest.mark.parametrize("score", ["ratio", "frequency"])
def test_ties_of_large_counts_are_not_scored_one_by_one(word_counts, score, monkeypatch):
    few = dict(list(word_counts.items())[:300])
    merges = train(few, 10**6, score)
    monkeypatch.delattr(Row, "score")
    assert train({word: 1000 * count for word, count in few.items()}, 10**6, score) == merges


@given(corpora(counts), scores)
def test_training_to_the_end_leaves_one_token_for_each_word(word_counts, score):
    merges = train(word_counts, 1000, score)
    for word in word_counts:
        split = ["▁", *word]
        for pair in merges:
            split = merge_pair(pair, split)
        assert split == [f"▁{word}"]


@pytest.mark.parametrize("score", SCORES)
def test_an_empty_corpus_trains_to_an_empty_list(score):
    assert train({}, 10, score) == []


def test_ties_go_to_the_earliest_word_then_the_leftmost_pair():
    assert train({"cd": 1, "ab": 1}, 1, "frequency") == [("▁", "c")]
    assert train({"ab": 1, "cd": 1}, 1, "frequency") == [("▁", "a")]
    assert train({"xab": 1, "cab": 1}, 1, "frequency") == [("a", "b")]


@given(st.one_of(corpora(counts), corpora(counts, "abc")), scores)
def test_no_two_merges_make_the_same_string(word_counts, score):
    made = ["".join(pair) for pair in train(word_counts, 1000, score)]
    assert len(set(made)) == len(made)


def test_a_word_of_a_million_equal_letters_trains():
    assert train({"a" * 1_000_000: 1}, 3) == [("a", "a"), ("aa", "aa"), ("aaaa", "aaaa")]


@given(st.lists(st.sampled_from(["a", "b", "aa"]), max_size=12), st.sampled_from("ab"))
def test_merge_pair_joins_left_to_right_without_overlap(split, y):
    assert merge_pair(("a", y), split) == joined(("a", y), split)


@pytest.mark.parametrize("score", SCORES)
def test_counts_as_large_as_they_may_be_train(score):
    word_counts = {"ab": 10**100 - 9, "abc": 6, "b": 3}
    assert train(word_counts, 9, score) == train_from_scratch(word_counts, 9, score)


def test_a_number_of_merges_beyond_any_integer_of_the_machine_is_no_number_too_large():
    assert train({"ab": 1}, 10**30) == train({"ab": 1}, 2)


def test_merge_pair_leaves_the_split_it_is_given_alone():
    split = ["a", "b"]
    merge_pair(("a", "b"), split)
    assert split == ["a", "b"]


@given(corpora(counts), st.integers(0, 20))
def test_the_vocabulary_is_the_alphabet_then_the_merges(word_counts, n):
    merges = train(word_counts, n)
    vocab = build_vocab(word_counts, merges)
    alphabet = list(dict.fromkeys("".join("▁" + word for word in word_counts)))
    assert vocab[: len(alphabet)] == alphabet
    assert vocab[len(alphabet) :] == [x + y for x, y in merges]


def test_the_pairs_of_a_split_are_its_neighbors():
    assert pairs_of(["a", "b", "c"]) == [("a", "b"), ("b", "c")]


@pytest.mark.parametrize(
    ("word_counts", "error", "says"),
    [
        (["hug"], TypeError, "must be a dict"),
        ("hug", TypeError, "must be a dict"),
        ({1: 1}, TypeError, "words must be str"),
        ({"": 1}, ValueError, "an empty word: leave it out"),
        ({"▁hug": 1}, ValueError, "replace it in the text"),
        ({"hug": 1.0}, TypeError, "counts must be int"),
        ({"hug": True}, TypeError, "counts must be int"),
        ({"hug": 0}, ValueError, "leave it out"),
        ({"hug": -1}, ValueError, "leave it out"),
        ({"hug": 10**100, "hum": 1}, ValueError, "divide them"),
    ],
)
def test_bad_word_counts_are_refused(word_counts, error, says):
    with pytest.raises(error, match=says):
        train(word_counts)


@pytest.mark.parametrize(
    ("num_merges", "error"),
    [(1.0, TypeError), (True, TypeError), ("1", TypeError), (-1, ValueError)],
)
def test_a_bad_number_of_merges_is_refused(num_merges, error):
    with pytest.raises(error, match="num_merges must be"):
        train({"hug": 1}, num_merges)


@pytest.mark.parametrize("score", ["bpe", "", None, ["gain"]])
def test_an_unknown_score_is_refused_and_the_four_are_named(score):
    with pytest.raises(ValueError, match="'gain', 'ratio', 'frequency', 'likelihood'"):
        train({"hug": 1}, 0, score)


@pytest.mark.parametrize(
    ("pair", "split", "error"),
    [
        (("a", "b", "c"), ["a"], ValueError),
        ("ab", ["a"], TypeError),
        (None, ["a"], TypeError),
        (("a", 1), ["a"], TypeError),
        (("a", ""), ["a"], ValueError),
        (("a", "b"), "ab", TypeError),
        (("a", "b"), {"a": 1, "b": 2}, TypeError),
        (("a", "b"), {"a", "b"}, TypeError),
        (("a", "b"), [1, 2], TypeError),
        (("a", "b"), None, TypeError),
    ],
)
def test_merge_pair_refuses_what_is_no_pair_or_no_split(pair, split, error):
    with pytest.raises(error, match=r"pair must|split must|pair contains"):
        merge_pair(pair, split)


@pytest.mark.parametrize(
    ("merges", "error"),
    [([3], TypeError), (["ab"], TypeError), ({("a", "b")}, TypeError), ([("a",)], ValueError)],
)
def test_build_vocab_refuses_what_is_no_merge(merges, error):
    with pytest.raises(error, match="merge"):
        build_vocab({"ab": 1}, merges)


@pytest.mark.parametrize("progress", [1, None, "yes"])
def test_progress_is_a_bool(progress):
    with pytest.raises(TypeError, match="progress is True or False"):
        train({"hug": 1}, progress=progress)


def test_frequency_is_a_count():
    assert type(frequency(2, 3, 4, 9, 8)) is int
