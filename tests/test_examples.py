"""Examples come from the corpus, in any script, and show what their fields promise."""

import os
from pathlib import Path

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from wpedu import (
    Corpus,
    LoopEncoder,
    WordPiece,
    choose_examples,
    load_corpus,
    merge_pair,
    pretokenize,
)

UDHR = Path(os.environ.get("WPEDU_DATA", "no folder")) / "udhr"
LETTERS = {
    "Armenian": "աբգդեզէըթժիլխծկհձղճմյնշոչպ",
    "Georgian": "აბგდევზთიკლმნოპჟრსტუფქღყშჩ",
    "Hebrew": "אבגדהוזחטיךכלםמןנסעףפץצקרש",
    "Ethiopic": "ሀለሐመሠረሰሸቀበተቸኀነኘአከኸወዐዘዠየደጀገ",
    "Tamil": "அஆஇஈஉஊஎஏஐஒஓஔகஙசஜஞடணதநனபமயர",
    "Hangul": "가나다라마바사아자차카타파하거너더러머버서어저처커터",
    "Cyrillic": "абвгдежзийклмнопрстуфхцчшщ",
}


def in_letters(letters):
    """Return a text of 1,500 of Homer's words, spelled with other letters."""
    words = [word for word in load_corpus("homer").word_counts if word.isalpha()][:1_500]
    spelling = str.maketrans(dict(zip("abcdefghijklmnopqrstuvwxyz", letters)))
    words = [word.lower().translate(spelling) for word in words]
    sentences = [" ".join(words[i : i + 6]) + "." for i in range(0, len(words), 6)]
    return Corpus("Homer's words in other letters", text=" ".join(sentences))


def check(corpus):
    """Check what each field of the corpus's examples promises, by other code where there is any."""
    found, counts = choose_examples(corpus), corpus.word_counts
    wp = WordPiece(num_merges=200).fit(counts)
    vocab, alphabet = set(wp.vocab), set("".join(counts))
    assert found.sentence and "[UNK]" not in wp.tokenize(found.sentence)
    assert {*pretokenize(found.sentence), found.cut, *found.frequent, *found.family} <= {*counts}
    assert {found.steps} <= {*counts} and len(found.frequent) == 3 and len(found.family) > 1
    for word in found.unseen:
        assert word not in counts and {*word} <= alphabet
    for word in (found.unspellable, found.also_unspellable):
        assert {*word} - alphabet == {found.missing} and pretokenize(word) == [word]
    assert found.unspellable != found.also_unspellable
    assert len({*found.foreign} - alphabet) > 1
    assert found.texts[2] == found.unspellable and "\n" in found.texts[3]
    if found.shorter:
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
    assert found.lone is None or wp.encode("▁" + found.lone)[0] == "▁"
    return found, wp


def test_homers_examples_are_those_of_the_notebooks():
    found, wp = check(load_corpus("homer"))
    assert wp.encode("▁" + found.cut) == ["▁The", "re", "fore"]
    assert found.sentence == "Sit careless in the shade!"
    assert (found.unspellable, found.missing, found.note) == ("touché", "é", "")


def test_dickens_has_examples_without_his_text():
    found, wp = check(load_corpus("dickens"))
    assert len(wp.encode("▁" + found.cut)) == 3


@pytest.mark.parametrize("script", LETTERS)
def test_letters_of_any_script_have_examples(script):
    found, wp = check(in_letters(LETTERS[script]))
    assert len(wp.encode("▁" + found.cut)) == 3 and len(found.family) > 2
    assert found.replayed and found.misled and found.shorter and not found.note


@pytest.mark.parametrize("code", "arb ell_monotonic fra hin jpn swe tha tur".split())
def test_a_declaration_of_human_rights_has_examples(code):
    path = UDHR / f"{code}.txt"
    if not path.is_file():
        pytest.skip(f"WPEDU_DATA names no folder with udhr/{code}.txt")
    found, wp = check(load_corpus(path))
    lengths = [len(wp.encode("▁" + word)) for word in pretokenize(found.sentence)]
    assert len(lengths) > 1 and max(lengths) > 2 and len(found.sentence) < 60
    assert len(wp.encode("▁" + found.cut)) == 3
    assert bool(found.note) == (code in ("jpn", "tha"))


def test_a_known_accent_is_not_the_missing_character():
    words = "Nous avons élu une reine, et des œufs au café: voilà où mène le thé".split()
    found, _ = check(Corpus("a line of French", text=" ".join([*words, "señor"])))
    assert found.missing not in "éñ"


def test_words_without_spaces_are_noted_unless_somebody_has_separated_them():
    text = "我们学习语言，他们也学习很多语言。她每天读一本有意思的书，晚上写信给朋友。"
    text += "今天天气很好，我们去公园散步吧。明天要下雨，你别忘了带伞出门。老师问了一个难题，"
    text += "学生们都沉默不语。"
    found, _ = check(Corpus("Chinese", text=text))
    assert "no spaces" in found.note
    apart, _ = check(Corpus("Chinese, separated", text=" ".join(text)))
    assert not apart.note


words = st.lists(
    st.text("abcdéſßΣσςŻžдїбגܐकिำฃกあア熊語가각꽃𝒜7½♥'-.!。؟،\u0301\u200d", min_size=1, max_size=9),
    min_size=1,
    max_size=60,
)


@settings(deadline=None)
@given(words)
def test_any_text_with_ten_words_has_examples(words):
    corpus = Corpus("drawn", text=" ".join(words))
    plain = [word for word in corpus.word_counts if regex.fullmatch(r"[\p{L}\p{M}\u200d]+", word)]
    if len(plain) < 10:
        with pytest.raises(ValueError, match="take a text of about 8,000 characters"):
            choose_examples(corpus)
    else:
        check(corpus)


def test_only_a_corpus_has_examples():
    with pytest.raises(TypeError, match="give what load_corpus returns"):
        choose_examples({"sea": 3})
