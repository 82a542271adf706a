"""The package gives the facts that are known of Homer (homer.json)."""

import pytest

from wpedu import count_words, pair_gains, pretokenize, pretokenize_with_offsets, to_bert, train


def test_text_and_counts(homer, homer_text, facts):
    assert len(homer_text) == facts["text"]["characters"]
    assert homer_text[:100] == homer.opening
    assert list(count_words(homer_text).items()) == list(homer.word_counts.items())


def test_word_counts_are_the_known_ones(homer, facts):
    counts, words = homer.word_counts, facts["words"]
    assert (counts.total(), len(counts)) == (words["total"], words["distinct"])
    assert max(map(len, counts)) == words["longest"]
    assert counts.most_common(5) == [tuple(row) for row in words["most_common_5"]]
    for word in ("her", "Achilles", "BOOK"):
        assert counts[word] == words[word]
    assert [counts[word] for word in ("death", "anger", "love", "dog")] == [175, 74, 38, 9]


def test_first_words_and_offsets(homer, facts):
    assert homer.opening == facts["text"]["first_100_characters"]
    expected = [(word, tuple(span)) for word, span in facts["words"]["first_8_with_offsets"]]
    assert pretokenize_with_offsets(homer.opening)[:8] == expected
    assert pretokenize(homer.opening)[:8] == [word for word, _ in expected]
    assert homer.opening.split()[:8] == facts["words"]["first_8_by_whitespace"]


def test_best_pair_gains(homer, facts):
    splits = {word: list("▁" + word) for word in homer.word_counts}
    gains = pair_gains(splits, homer.word_counts)
    known = {tuple(pair): gain for pair, gain in facts["initial"]["top_10_pair_gains"]}
    best = sorted(gains, key=gains.get, reverse=True)[:10]
    assert best == list(known)
    assert [gains[pair] for pair in best] == pytest.approx(list(known.values()), rel=1e-12)


def test_merges_and_vocabulary(wp, facts):
    initial = facts["initial"]
    assert wp.merges == [tuple(pair) for pair in facts["merges_200"]]
    assert len(wp.vocab) == facts["vocab_size_after_200"]
    alphabet = wp.vocab[: initial["alphabet_size"]]
    assert alphabet == initial["alphabet_in_order_of_first_occurrence"]


def test_whole_text_has_the_known_tokens(wp, homer_text, facts):
    tokens = wp.tokenize(homer_text)
    assert len(tokens) == facts["tokens_of_whole_text_after_200"]
    assert tokens[:90] == facts["first_90_tokens"]


def test_number_of_tokens_follows_from_the_counts(wp, homer, facts):
    total = sum(len(wp.encode("▁" + word)) * n for word, n in homer.word_counts.items())
    assert total == facts["tokens_of_whole_text_after_200"]


def test_examples(wp, facts):
    for word, subwords in facts["encode_examples"].items():
        assert wp.encode("▁" + word) == subwords
    tokens = wp.tokenize(facts["shade"]["text"])
    assert tokens == facts["shade"]["tokens"]
    assert to_bert(tokens) == facts["shade"]["bert"]


@pytest.mark.parametrize("score", ["frequency", "ratio"])
def test_first_merges_by_other_scores(homer, facts, score):
    merges = train(homer.word_counts, 12, score)
    assert ["".join(pair) for pair in merges] == facts["first_merges_by_other_scores"][score]
