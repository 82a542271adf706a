"""An edition's words come from its text, in any script, and keep what their roles promise."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
import regex
from choose_words import choose_words
from hypothesis import given, settings
from hypothesis import strategies as st

from wpedu import Corpus, LoopEncoder, WordPiece, load_corpus, merge_pair, pretokenize

UDHR = Path(os.environ.get("WPEDU_DATA", "no folder")) / "udhr"


def pairs(counts):
    return [pair for word in counts for pair in zip(word, word[1:] + " ")]


def check(corpus):
    """Check what a text's words promise by their roles, by other code where there is any."""
    choice = choose_words(corpus)
    found, counts = SimpleNamespace(**choice.words), corpus.word_counts
    wp = WordPiece(num_merges=200).fit(counts)
    vocab, alphabet = set(wp.vocab), set("".join(counts))
    assert found.sentence and "[UNK]" not in wp.tokenize(found.sentence)
    of_text = {found.cut, found.printed[0], found.widest, found.whole, found.changing}
    assert of_text | {*found.unfinished, *found.family, *found.misled} <= {*counts}
    assert len(found.unfinished) == 3 and len(found.family) > 1
    for word in found.encoded[3:]:
        assert word not in counts and {*word} <= alphabet
    for word in (found.unspellable, found.also_unspellable):
        assert {*word} - alphabet == {found.missing} and pretokenize(word) == [word]
    assert found.unspellable != found.also_unspellable
    assert ("▁" + found.unspellable)[found.missing_at] == found.missing
    assert len({*found.foreign} - alphabet) > 1
    assert "\n" in found.texts[1] and len(pretokenize(found.texts[2])) == 3
    fewer, more = (
        WordPiece(num_merges=1_000).fit({**counts, "metformin": count}).tokenize("metformin")
        for count in found.doses
    )
    assert len(more) == 1 and (len(fewer) > 1 or "doses" in choice.poor)
    name = "SolidGoldMagikarp"
    for score in ("gain", "frequency"):
        spammed = WordPiece(num_merges=200, score=score).fit({**counts, name: found.spam})
        assert len(spammed.tokenize(name)) == 1
    if "shorter" not in choice.poor:
        word = "▁" + found.shorter
        fewest = [0]
        for end in range(1, len(word) + 1):
            starts = [i for i in range(end) if word[i:end] in vocab]
            fewest.append(1 + min(fewest[i] for i in starts))
        assert fewest[-1] < len(wp.encode(word))
    for word in found.replayed:
        split = list("▁" + word)
        for pair in wp.merges:
            split = merge_pair(pair, split)
        assert split != wp.encode("▁" + word)
    naive = LoopEncoder(vocab | {subword.removeprefix("▁") or "▁" for subword in vocab})
    for word in found.misled:
        assert naive.encode(word)[0] != wp.encode("▁" + word)[0].removeprefix("▁")
    assert "lone" in choice.poor or wp.encode("▁" + found.lone)[0] == "▁"
    assert len({*found.misled}) == len(found.misled) < 3
    if "unfinished" not in choice.poor:
        assert all(counts[w] > 3 and len(wp.encode("▁" + w)) > 1 for w in found.unfinished)
    if "whole" not in choice.poor:
        assert "▁" + found.whole in vocab and counts[found.whole] < counts[found.first]
        for_first, for_whole = (
            sum(n for v, n in counts.items() if v[:3] == w[:3] and v != w)
            for w in (found.first, found.whole)
        )
        assert for_first < for_whole and found.first[:3] != found.whole[:3]
    if "passed_over" not in choice.poor:
        assert all(y == found.faithful_to for x, y in pairs(counts) if x == found.follows)
    assert ("none" in found.ignoring_case) == all(char == char.lower() for char in alphabet)
    return found, wp, choice


@pytest.mark.long
@pytest.mark.parametrize(
    "code", "amh arb cmn_hans ell_monotonic fra heb hin hye jpn kat mya swe tam tha tur vie".split()
)
def test_a_declaration_of_human_rights_has_words_for_an_edition(code):
    path = UDHR / f"{code}.txt"
    if not path.is_file():
        pytest.skip(f"WPEDU_DATA names no folder with udhr/{code}.txt")
    found, wp, choice = check(load_corpus(path))
    lengths = [len(wp.encode("▁" + word)) for word in pretokenize(found.sentence)]
    assert len(lengths) > 1 and max(lengths) > 2 and len(found.sentence) < 80
    assert len(wp.encode("▁" + found.cut)) == 3
    assert len(wp.encode("▁" + found.first)) < len(found.first) - 1  # a tree of several merges
    assert choice.unspaced == (code in ("cmn_hans", "jpn", "mya", "tha"))


def test_a_text_without_a_good_word_says_so():
    words = "thu thuận thuộc thuật quyền người được những nước trong nhân dân".split()
    choice = choose_words(Corpus("a few syllables", text=" ".join(words)))
    assert {"family", "passed_over", "faithful", "unfinished"} <= choice.poor
    assert len(choice.words["passed_over"]) == 1


def test_words_without_spaces_are_known_unless_somebody_has_separated_them():
    text = "我们学习语言，他们也学习很多语言。她每天读一本有意思的书，晚上写信给朋友。"
    text += "今天天气很好，我们去公园散步吧。明天要下雨，你别忘了带伞出门。老师问了一个难题，"
    text += "学生们都沉默不语。"
    assert check(Corpus("Chinese", text=text))[2].unspaced
    assert not check(Corpus("Chinese, separated", text=" ".join(text)))[2].unspaced


words = st.lists(
    st.text("abcdéſßΣσςŻžдїбגܐकिำฃกあア熊語가각꽃𝒜7½♥'-.!。؟،\u0301\u200d", min_size=1, max_size=9),
    min_size=1,
    max_size=60,
)


@settings(max_examples=40)
@given(words)
def test_any_text_with_ten_words_has_words_for_an_edition(words):
    corpus = Corpus("drawn", text=" ".join(words))
    plain = [word for word in corpus.word_counts if regex.fullmatch(r"[\p{L}\p{M}\u200d]+", word)]
    if len(plain) < 10:
        with pytest.raises(ValueError, match="take a text of about 8,000 characters"):
            choose_words(corpus)
    else:
        check(corpus)
