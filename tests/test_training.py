"""What must hold of `wpedu.training`."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracle import joined, pairs_of, train_by_counts, train_from_scratch

from wpedu.corpus import load_corpus
from wpedu.fast.row import Row
from wpedu.scores import SCORES
from wpedu.training import build_vocab, merge_pair, train

MERGES_TO_THE_END = {"gain": 15_490, "ratio": 34_674, "frequency": 15_400, "likelihood": 15_917}

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


@settings(max_examples=300)
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
@given(corpora(st.integers(1, 1000)), st.integers(0, 80), scores)
def test_the_quick_oracle_gives_the_merges_of_the_slow_one(word_counts, num_merges, score):
    assert train_by_counts(word_counts, num_merges, score) == train_from_scratch(
        word_counts, num_merges, score
    )


@pytest.mark.parametrize("score", MERGES_TO_THE_END)
def test_train_gives_the_merges_of_the_oracle_to_the_end_of_homer(word_counts, score):
    merges = train(word_counts, 10**6, score)
    assert len(merges) == MERGES_TO_THE_END[score]
    assert merges == train_by_counts(word_counts, 10**6, score)


def test_the_first_3055_merges_are_those_of_the_book_s_three_logarithms(word_counts):
    assert train(word_counts, 3_055) == train_by_counts(word_counts, 3_055, "book")


@pytest.mark.parametrize("score", SCORES)
def test_fewer_merges_are_the_beginning_of_more(word_counts, score):
    assert train(word_counts, 500, score) == train(word_counts, 600, score)[:500]


@pytest.mark.parametrize("score", SCORES)
def test_the_quick_oracle_gives_the_merges_of_the_slow_one_on_homer(word_counts, score):
    few = dict(list(word_counts.items())[:300])
    assert train_by_counts(few, 20, score) == train_from_scratch(few, 20, score)


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
