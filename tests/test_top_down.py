"""Learning top-down: the plain loop is what it says, and the fast one gives the same entries."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wpedu.vocabularies.top_down import find_min_count, train_top_down, train_top_down_plain

FIVE_WORDS = {"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}

word_counts = st.dictionaries(st.text("abc", min_size=1, max_size=7), st.integers(1, 9), min_size=1)
keywords = st.fixed_dictionaries(
    {"rounds": st.integers(1, 4), "discount": st.sampled_from(["kept", "all"])}
)

# The number of entries, and the SHA-256 of the lines, of what the plain loop makes of Homer.
HOMER = {
    ("kept", 50): (1652, "a4909cce988d4d94"),
    ("kept", 10): (3921, "da24346412d6d9c8"),
    ("all", 50): (1068, "674c2e9911b91da3"),
    ("all", 10): (2888, "92e5c78174a623da"),
}


@pytest.mark.parametrize(("discount", "min_count"), HOMER)
def test_homer_is_learned_entry_for_entry(homer, min_count, discount):
    learned = train_top_down(homer.word_counts, min_count=min_count, discount=discount)
    digest = sha256("\n".join(learned).encode()).hexdigest()
    assert (len(learned), digest[:16]) == HOMER[discount, min_count]


@given(word_counts, st.integers(1, 30), keywords)
def test_any_counts_are_learned_as_by_the_loop(word_counts, min_count, keywords):
    learned = train_top_down(word_counts, min_count=min_count, **keywords)
    assert learned == train_top_down_plain(word_counts, min_count=min_count, **keywords)


def test_five_words_by_hand():
    # sea occurs 3 + 2 + 1 times, less the 2 of seas, which is kept: 4. ##ea occurs 3 + 2 + 1 + 1
    # times, less the 2 of ##eas: 5. seat, eat and tea occur once each, and ##e has nothing left.
    assert train_top_down(FIVE_WORDS, min_count=2, rounds=1)[9:] == [
        *("##ea", "##a", "sea", "##as", "##at", "##eas", "##s", "##t", "seas", "##e")
    ]
    # Cut are now sea, seas, sea ##t, e ##at and t ##ea, and in the end e ##a ##t and t ##e ##a.
    learned = train_top_down(FIVE_WORDS, min_count=2)
    assert learned[9:] == ["sea", "##a", "##t", "seas", "##e", "##s"]


def test_a_word_of_more_than_50_characters_is_left_out_with_its_characters():
    for train in (train_top_down, train_top_down_plain):
        assert "x" * 50 in train({"x" * 50: 1, "y" * 51: 9}, min_count=1)
        assert "y" not in train({"x" * 50: 1, "y" * 51: 9}, min_count=1)


@given(word_counts, st.integers(0, 40), keywords)
def test_one_less_than_the_min_count_that_is_found_is_too_little(word_counts, more, keywords):
    vocab_size = 5 + 2 * len(set("".join(word_counts))) + more
    found = find_min_count(word_counts, vocab_size, **keywords)

    def size(min_count):
        return len(train_top_down(word_counts, min_count=min_count, **keywords))

    assert size(found) <= vocab_size
    assert found == 1 or size(found - 1) > vocab_size


def test_a_min_count_cannot_be_taken_for_a_size():
    with pytest.raises(TypeError, match="positional"):
        train_top_down(FIVE_WORDS, 8_000)


BAD = {
    "min_count must be 1 or more, not 0": (FIVE_WORDS, 0, {}),
    "min_count must be an int, not 1.5": (FIVE_WORDS, 1.5, {}),
    "rounds must be 1 or more, not 0": (FIVE_WORDS, 2, {"rounds": 0}),
    "discount must be 'kept' or 'all', not 'some'": (FIVE_WORDS, 2, {"discount": "some"}),
    "has no word of up to 50 characters: give words to learn from": ({}, 2, {}),
    "the word '##s' begins like a continuation or a special token": ({"##s": 1}, 2, {}),
    "the word 'a b' contains whitespace or a lone surrogate": ({"a b": 1}, 2, {}),
}


@pytest.mark.parametrize("sentence", BAD)
def test_bad_input_is_refused_with_a_sentence(sentence):
    word_counts, min_count, keywords = BAD[sentence]
    with pytest.raises((TypeError, ValueError), match=sentence):
        train_top_down(word_counts, min_count=min_count, **keywords)


def test_a_vocab_size_that_cannot_be_reached_is_refused():
    with pytest.raises(ValueError, match="special tokens and characters alone are 13: give that"):
        find_min_count(FIVE_WORDS, 12)
