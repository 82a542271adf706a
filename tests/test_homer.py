"""The package gives the facts that are known of Homer (homer.json)."""

import pytest

from wpedu import (
    count_words,
    pair_gains,
    pretokenize,
    pretokenize_with_offsets,
    to_bert,
    train,
)
from wpedu.corpus import bert_examples


def test_text_has_the_known_size_and_opening(homer_text, facts):
    assert len(homer_text) == facts["text"]["characters"]
    assert homer_text[:100] == facts["text"]["first_100_characters"]


def test_opening_is_there_without_the_text(homer, facts):
    assert homer.opening == facts["text"]["first_100_characters"]


def test_word_counts_are_the_known_ones(homer, facts):
    counts, words = homer.word_counts, facts["words"]
    assert counts.total() == words["total"]
    assert len(counts) == words["distinct"]
    assert max(map(len, counts)) == words["longest"]
    assert counts.most_common(5) == [tuple(row) for row in words["most_common_5"]]
    assert {word: counts[word] for word in ("her", "Achilles", "BOOK")} == {
        word: words[word] for word in ("her", "Achilles", "BOOK")
    }


def test_shipped_counts_are_those_of_the_text_in_order(homer, homer_text):
    assert list(count_words(homer_text).items()) == list(homer.word_counts.items())


def test_first_words_and_offsets(homer, facts):
    expected = [(word, tuple(span)) for word, span in facts["words"]["first_8_with_offsets"]]
    assert pretokenize_with_offsets(homer.opening)[:8] == expected
    assert pretokenize(homer.opening)[:8] == [word for word, _ in expected]
    assert homer.opening.split()[:8] == facts["words"]["first_8_by_whitespace"]


def test_alphabet_is_in_order_of_first_occurrence(wp, facts):
    initial = facts["initial"]
    alphabet = wp.vocab[: initial["alphabet_size"]]
    assert alphabet == initial["alphabet_in_order_of_first_occurrence"]


def test_best_pair_gains(homer, facts):
    splits = {word: list("▁" + word) for word in homer.word_counts}
    gains = pair_gains(splits, homer.word_counts)
    best = sorted(gains.items(), key=lambda item: -item[1])[:10]
    for (pair, gain), (known_pair, known_gain) in zip(
        best, facts["initial"]["top_10_pair_gains"], strict=True
    ):
        assert pair == tuple(known_pair)
        assert gain == pytest.approx(known_gain, rel=1e-12)


def test_merges_and_vocabulary(wp, facts):
    assert wp.merges == [tuple(pair) for pair in facts["merges_200"]]
    assert len(wp.vocab) == facts["vocab_size_after_200"]


def test_whole_text_has_the_known_tokens(wp, homer_text, facts):
    tokens = wp.tokenize(homer_text)
    assert len(tokens) == facts["tokens_of_whole_text_after_200"]
    assert tokens[:90] == facts["first_90_tokens"]


def test_number_of_tokens_follows_from_the_counts(wp, homer, facts):
    total = sum(len(wp.encode("▁" + word)) * n for word, n in homer.word_counts.items())
    assert total == facts["tokens_of_whole_text_after_200"]


def test_encoded_examples(wp, facts):
    for word, subwords in facts["encode_examples"].items():
        assert wp.encode("▁" + word) == subwords


def test_shipped_examples_of_bert_are_the_known_ones(facts):
    known, examples = dict(facts["bert_base_uncased"]), bert_examples()
    assert examples["Hello world"]["ids"] == known.pop("Hello world")
    assert {word: examples[word]["tokens"][1:-1] for word in known} == known


def test_the_shade(wp, facts):
    tokens = wp.tokenize(facts["shade"]["text"])
    assert tokens == facts["shade"]["tokens"]
    assert to_bert(tokens) == facts["shade"]["bert"]


@pytest.mark.parametrize("score", ["frequency", "ratio"])
def test_first_merges_by_other_scores(homer, facts, score):
    merges = train(homer.word_counts, 12, score)
    assert ["".join(pair) for pair in merges] == facts["first_merges_by_other_scores"][score]
