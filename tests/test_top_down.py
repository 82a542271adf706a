"""The learner is what its description says, entry for entry; the oracle is that description."""

import random
from collections import Counter, defaultdict
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wpedu import count_words, train
from wpedu.measures import long_entries, open_entries
from wpedu.top_down import find_min_count, train_top_down

SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
FIVE_WORDS = {"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}
DISCOUNTS = ["kept", "all"]

word_counts = st.dictionaries(st.text("abc", min_size=1, max_size=7), st.integers(1, 9), min_size=1)


def as_described(word_counts, min_count, rounds=4, discount="kept"):
    """The description, step by step, with every substring counted and every prefix discounted."""
    words = {word: count for word, count in word_counts.items() if len(word) <= 50}
    chars = sorted(set("".join(words)))
    vocab = {}
    for number in range(rounds):
        counts = [defaultdict(int) for _ in range(51)]  # by length, without ##
        for word, count in words.items():
            for start in greedy_starts(word, vocab) if number else range(len(word)):
                prefix = "##" if start else ""
                for end in range(start + 1, len(word) + 1):
                    counts[end - start][prefix + word[start:end]] += count
        vocab = {}
        for length in range(50, 0, -1):
            for piece, count in counts[length].items():
                before = len(piece) - length
                if count >= min_count:
                    vocab[piece] = count
                if count >= min_count or discount == "all":
                    for end in range(1, length):
                        counts[end][piece[: before + end]] -= count
        for char in chars:
            vocab.setdefault(char, 1)
            vocab.setdefault("##" + char, 1)
    rest = [entry for entry in vocab if entry not in chars]
    return SPECIAL_TOKENS + chars + sorted(rest, key=lambda entry: (-vocab[entry], entry))


def greedy_starts(word, vocab):
    starts, start = [], 0
    while start < len(word):
        starts.append(start)
        ends = range(len(word), start, -1)
        start = next(end for end in ends if "##" * (start > 0) + word[start:end] in vocab)
    return starts


# The number of entries, and the SHA-256 of the lines, of what `as_described` makes of Homer.
HOMER = {
    ("kept", 1000): (307, "82c8dba707a8386a"),
    ("kept", 200): (747, "7d9c834291116083"),
    ("kept", 50): (1652, "a4909cce988d4d94"),
    ("kept", 10): (3921, "da24346412d6d9c8"),
    ("all", 1000): (224, "4b73347846b7372b"),
    ("all", 200): (479, "9c50282327e4b626"),
    ("all", 50): (1068, "674c2e9911b91da3"),
    ("all", 10): (2888, "92e5c78174a623da"),
}


@pytest.mark.parametrize(("discount", "min_count"), HOMER)
def test_homer_is_as_described_entry_for_entry(homer, min_count, discount):
    learned = train_top_down(homer.word_counts, min_count, discount=discount)
    digest = sha256("\n".join(learned).encode()).hexdigest()
    assert (len(learned), digest[:16]) == HOMER[discount, min_count]


@pytest.mark.parametrize(("discount", "min_count"), [("kept", 10), ("all", 10)])
def test_homer_is_as_described_by_the_loop(homer, min_count, discount):
    learned = train_top_down(homer.word_counts, min_count, discount=discount)
    assert learned == as_described(homer.word_counts, min_count, discount=discount)


@given(word_counts, st.integers(1, 30), st.integers(1, 4), st.sampled_from(DISCOUNTS))
def test_any_counts_are_as_described(word_counts, min_count, rounds, discount):
    learned = train_top_down(word_counts, min_count, rounds=rounds, discount=discount)
    assert learned == as_described(word_counts, min_count, rounds, discount)


def test_five_words_by_hand():
    # sea occurs 3 + 2 + 1 times, less the 2 of seas, which is kept: 4. ##ea occurs 3 + 2 + 1 + 1
    # times, less the 2 of ##eas: 5. seat, eat and tea occur once each, and ##e has nothing left.
    assert train_top_down(FIVE_WORDS, 2, rounds=1)[9:] == [
        *("##ea", "##a", "sea", "##as", "##at", "##eas", "##s", "##t", "seas", "##e"),
    ]
    # Cut are now sea, seas, sea ##t, e ##at and t ##ea, and in the end e ##a ##t and t ##e ##a.
    assert train_top_down(FIVE_WORDS, 2)[9:] == ["sea", "##a", "##t", "seas", "##e", "##s"]


def test_the_example_of_issue_583():
    words = {"hell": 50, "hello": 50, "helle": 50, "hella": 50}
    assert "hell" in train_top_down(words, 100)
    assert "hell" not in train_top_down(words, 100, discount="all")


def test_with_all_discounted_only_words_and_their_ends_are_kept(homer):
    counts = homer.word_counts
    ends = {"##" + word[start:] for word in counts for start in range(1, len(word))}
    for entry in long_entries(train_top_down(counts, 50, discount="all")):
        assert entry in ends or counts[entry] >= 50


def test_a_prefix_has_the_same_mark():
    # ##ab takes its count off ##a, and not off the bare a and ab, which have their own.
    learned = train_top_down({"cab": 5, "ab": 3}, 3, rounds=1)
    assert learned[5:] == ["a", "b", "c", "##b", "##ab", "cab", "ab", "##a", "##c"]


def test_the_order_of_the_words_makes_no_difference(homer):
    items = list(homer.word_counts.items())
    random.Random(0).shuffle(items)
    assert train_top_down(dict(items), 50) == train_top_down(homer.word_counts, 50)


def test_equal_counts_are_in_order_of_code_point():
    assert train_top_down({"zz": 2, "éé": 2, "aa": 2}, 2, rounds=1)[5:] == [
        *("a", "z", "é", "##a", "##z", "##é", "aa", "zz", "éé"),
    ]


def test_every_character_is_there_bare_and_as_a_continuation(homer):
    learned = train_top_down(homer.word_counts, 1000)
    for char in set("".join(homer.word_counts)):
        assert char in learned and "##" + char in learned


def test_a_word_of_more_than_50_characters_is_left_out_with_its_characters():
    assert "x" * 50 in train_top_down({"x" * 50: 1, "y" * 51: 9}, 1)
    assert "y" not in train_top_down({"x" * 50: 1, "y" * 51: 9}, 1)


def test_a_text_in_another_script():
    counts = count_words(
        "Μῆνιν ἄειδε, θεά, Πηληϊάδεω Ἀχιλῆος οὐλομένην, ἣ μυρί᾽ Ἀχαιοῖς ἄλγε᾽ ἔθηκε"
    )
    assert train_top_down(counts, 2) == as_described(counts, 2)


def test_it_takes_any_mapping_and_leaves_it_as_it_was(homer):
    counts = Counter(FIVE_WORDS)
    assert train_top_down(counts, 2) == train_top_down(FIVE_WORDS, 2)
    assert counts == FIVE_WORDS


@given(word_counts, st.integers(0, 40), st.integers(1, 4), st.sampled_from(DISCOUNTS))
def test_the_smallest_min_count_is_found(word_counts, more, rounds, discount):
    def size(min_count):
        return len(train_top_down(word_counts, min_count, rounds=rounds, discount=discount))

    vocab_size = 5 + 2 * len(set("".join(word_counts))) + more
    found = find_min_count(word_counts, vocab_size, rounds=rounds, discount=discount)
    assert size(found) <= vocab_size
    assert all(size(smaller) > vocab_size for smaller in range(1, found))


def test_halving_would_miss_the_smallest_min_count(homer):
    sizes = [len(train_top_down(homer.word_counts, min_count)) for min_count in (187, 188)]
    assert sizes[0] < sizes[1]


def test_homer_at_3000(homer):
    assert find_min_count(homer.word_counts, 3005) == 17
    assert len(train_top_down(homer.word_counts, 17)) == 2967
    assert len(train_top_down(homer.word_counts, 16)) > 3005


def test_a_progress_bar_on_request(capsys):
    train_top_down(FIVE_WORDS, 2)
    find_min_count(FIVE_WORDS, 20)
    assert capsys.readouterr() == ("", "")
    train_top_down(FIVE_WORDS, 2, progress=True)
    find_min_count(FIVE_WORDS, 15, progress=True)
    out, err = capsys.readouterr()
    assert err == ""
    assert "4/4" in out
    assert "0run" in out


def test_it_leaves_open_entries_where_a_trainer_by_merges_leaves_none(homer):
    learned = train_top_down(homer.word_counts, 10)
    assert len(open_entries(learned)) / len(long_entries(learned)) > 0.1
    merged = [*set("".join(homer.word_counts)), "▁"]
    merged += ["".join(pair) for pair in train(homer.word_counts, 2000)]
    assert open_entries(merged) == []


BAD = {
    "min_count 0": ((FIVE_WORDS, 0), {}, ValueError, "min_count must be 1 or more, not 0"),
    "min_count 1.5": ((FIVE_WORDS, 1.5), {}, TypeError, "min_count must be an int, not 1.5"),
    "min_count True": ((FIVE_WORDS, True), {}, TypeError, "min_count must be an int, not True"),
    "rounds": ((FIVE_WORDS, 2), {"rounds": 0}, ValueError, "rounds must be 1 or more, not 0"),
    "discount": (
        (FIVE_WORDS, 2),
        {"discount": "some"},
        ValueError,
        "discount must be 'kept' or 'all', not 'some'",
    ),
    "progress": ((FIVE_WORDS, 2), {"progress": 1}, TypeError, "progress is True or False, not 1"),
    "no counts": (
        ({}, 2),
        {},
        ValueError,
        "word_counts has no word of up to 50 characters: there is nothing to learn from",
    ),
    "no dict": (
        (["sea"], 2),
        {},
        TypeError,
        "word_counts must be a dict, not list: give a Corpus, or what count_words(text) returns",
    ),
    "count 0": (
        ({"sea": 0}, 2),
        {},
        ValueError,
        "a word that is counted occurs at least once, and 'sea' has 0: leave it out",
    ),
    "empty word": (({"": 1}, 2), {}, ValueError, "word_counts has an empty word: leave it out"),
    "mark": (
        ({"▁sea": 1}, 2),
        {},
        ValueError,
        "the word '▁sea' has a ▁ in it, which marks the start of a word here: "
        "replace it in the text",
    ),
    "continuation": (
        ({"##s": 1}, 2),
        {},
        ValueError,
        "the word '##s' begins as a continuation or a special token does: leave it out",
    ),
    "special token": (
        ({"[UNK]": 1}, 2),
        {},
        ValueError,
        "the word '[UNK]' begins as a continuation or a special token does: leave it out",
    ),
    "white space": (
        ({"a b": 1}, 2),
        {},
        ValueError,
        "the word 'a b' has white space or a lone surrogate in it, which no token of BERT's may: "
        "split it there, or leave it out",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_has_one_clear_sentence(name):
    arguments, keywords, error, sentence = BAD[name]
    with pytest.raises(error) as caught:
        train_top_down(*arguments, **keywords)
    assert str(caught.value) == sentence


def test_a_vocab_size_that_cannot_be_reached_is_refused():
    with pytest.raises(ValueError, match="special tokens and characters alone are 13: give that"):
        find_min_count(FIVE_WORDS, 12)
    assert len(train_top_down(FIVE_WORDS, find_min_count(FIVE_WORDS, 13))) == 13
