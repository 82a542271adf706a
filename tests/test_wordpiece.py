"""The whole pipeline in one class, and its saved form."""

import inspect

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from wpedu import SCORES, LoopEncoder, WordPiece, build_vocab, count_words, pretokenize, train

SEA = "sea seas sea seat seas sea eat tea"

# A "." is a folder, and so no text.
texts = st.text(st.sampled_from("abc▁, !\n\x00é\u0301\ud83d\ude42🙂"), max_size=60)


@pytest.fixture
def sea():
    return WordPiece(num_merges=3).fit(SEA)


@given(texts)
def test_fit_on_a_text_is_fit_on_its_counts(text):
    text = text.replace("▁", "")
    wp = WordPiece(num_merges=5)
    assert wp.fit(text).merges == train(count_words(text), 5)
    assert wp.fit(count_words(text)).vocab == build_vocab(count_words(text), wp.merges)


@given(texts, texts)
def test_tokens_are_the_subwords_of_every_word(corpus, text):
    wp = WordPiece(num_merges=5).fit(corpus.replace("▁", ""))
    encode = LoopEncoder(wp.vocab).encode
    expected = [token for word in pretokenize(text) for token in encode("▁" + word)]
    assert wp.tokenize(text) == expected
    assert wp.tokenize(text) == expected  # from the cache


@given(texts, texts)
def test_decoded_tokens_have_the_words_of_the_text_unless_one_is_unknown(corpus, text):
    wp = WordPiece(num_merges=5).fit((corpus + text).replace("▁", ""))
    tokens = wp.tokenize(text)
    assume("[UNK]" not in tokens)
    assert pretokenize(wp.decode(tokens)) == pretokenize(text)


def test_a_mark_in_the_text_does_not_start_a_word(sea):
    assert sea.tokenize("sea▁sea ▁ ▁sea") == ["[UNK]", "[UNK]", "[UNK]"]


@pytest.mark.parametrize("blank", ["", " \n", {}])
def test_an_empty_corpus_trains_to_an_empty_vocabulary(blank):
    wp = WordPiece().fit(blank)
    assert (wp.merges, wp.vocab, wp.tokenize("sea"), wp.tokenize("")) == ([], [], ["[UNK]"], [])


def test_a_word_of_a_million_letters_is_tokenized(sea):
    assert sea.tokenize("tea" + "sea" * 333_333) == ["▁", "t", "ea"] + ["s", "ea"] * 333_333


@example("\ud83d\ude42\ud83d\ude42a")  # lone surrogates, which are no character together
@given(texts)
def test_saved_and_loaded_is_the_same(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("saved") / "wp.json"
    wp = WordPiece(num_merges=4, score="gain").fit(text.replace("▁", ""))
    wp.save(path)
    loaded = WordPiece.load(path)
    assert (loaded.merges, loaded.vocab) == (wp.merges, wp.vocab)
    assert (loaded.num_merges, loaded.score) == (wp.num_merges, wp.score)
    assert loaded.tokenize(text) == wp.tokenize(text)


def test_the_saved_file_can_be_read_by_a_person(sea, tmp_path):
    sea.save(tmp_path / "sea.json")
    assert (tmp_path / "sea.json").read_text(encoding="utf-8").splitlines() == [
        '{"format": "wpedu.WordPiece", "version": 1, "sha256": '
        '"d865e55f9a6e09c693a90c0d61992068bf40e73c9f7f57a93fc83d7ed5978f51",',
        ' "score": "gain", "num_merges": 3,',
        ' "alphabet": ["▁", "s", "e", "a", "t"],',
        ' "merges": [',
        '  ["e", "a"],',
        '  ["▁", "s"],',
        '  ["▁s", "ea"]',
        "]}",
    ]


DAMAGES = {
    "truncated": (lambda s: s[: len(s) // 2], r"is not complete JSON \(.*line 2"),
    "too deep": (lambda s: "[" * 200_000, "is not complete JSON"),
    "another file": (lambda s: "[1, 2]", "is not a saved WordPiece: give a file that WordPiece.sa"),
    "another version": (
        lambda s: s.replace('"version": 1', '"version": 3'),
        "has format version 3, and this wpedu reads version 1",
    ),
    "another letter": (lambda s: s.replace('"t"', '"u"'), r"is damaged \(its SHA-256 differs"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused(sea, tmp_path, damage):
    path = tmp_path / "sea.json"
    sea.save(path)
    spoil, message = DAMAGES[damage]
    saved = path.read_text(encoding="utf-8")
    path.write_text(spoil(saved), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"sea\.json .*{message}"):
        WordPiece.load(path)


def test_an_unfitted_tokenizer_says_what_to_do():
    wp = WordPiece()
    calls = [lambda: wp.encode(""), lambda: wp.tokenize(""), lambda: wp.decode([])]
    for call in [*calls, lambda: wp.merges, lambda: wp.save("never.json"), wp.to_bert_tokenizer]:
        with pytest.raises(ValueError, match="call fit"):
            call()


def test_a_failed_fit_leaves_the_tokenizer_as_it_was(sea):
    before = sea.merges
    with pytest.raises(ValueError, match="▁"):
        sea.fit("se▁a")
    assert sea.merges == before
    assert sea.tokenize("sea") == ["▁sea"]


BAD = {
    "no counts": (lambda wp: wp.fit(["sea"]), TypeError, "word_counts must be a dict, not list"),
    "fewer than no merges": (lambda _: WordPiece(-1), ValueError, "num_merges must be 0 or more"),
    "no score": (lambda _: WordPiece(score="luck"), ValueError, "there is no score 'luck': use"),
    "two words": (lambda wp: wp.encode("the ship"), ValueError, "encode takes one word.*tokenize"),
    "the name of a corpus": (lambda wp: wp.fit("homer"), ValueError, r"load_corpus\('homer'\)"),
    "a path": (lambda wp: wp.fit(__file__), ValueError, r"load_corpus\('.*test_wordpiece.py'\)"),
    "BERT's tokens": (lambda wp: wp.decode(["t", "##ea"]), ValueError, "'t', .* BERT's notation"),
    "BERT's whole words": (lambda wp: wp.decode(["sea", "sea"]), ValueError, "BERT's notation"),
    "one token": (lambda wp: wp.decode("▁sea"), TypeError, "tokens must be an iterable of str"),
    "no file": (lambda _: WordPiece.load("/none.json"), FileNotFoundError, "none.json"),
}


@pytest.mark.parametrize("use, error, message", BAD.values(), ids=BAD)
def test_bad_input_is_refused(sea, use, error, message):
    with pytest.raises(error, match=message):
        use(sea)


def test_merges_and_vocab_are_the_callers_to_change(sea):
    sea.merges.clear()
    sea.vocab.clear()
    assert (len(sea.merges), len(sea.vocab)) == (3, 8)
    sea.tokenize("sea").clear()
    assert sea.tokenize("sea") == ["▁sea"]


def test_progress_goes_to_stdout_and_only_on_request(capsys):
    WordPiece(num_merges=3).fit(SEA)
    assert capsys.readouterr() == ("", "")
    WordPiece(num_merges=3).fit(SEA, progress=True)
    out, err = capsys.readouterr()
    assert err == ""
    assert "3/3" in out


def test_what_was_learned_is_saved_whatever_was_asked_for_since(sea, tmp_path):
    path = tmp_path / "sea.json"
    sea.num_merges, sea.score = 2, None
    sea.save(path)
    loaded = WordPiece.load(path)
    assert (loaded.merges, loaded.num_merges, loaded.score) == (sea.merges, 3, "gain")
    with pytest.raises(ValueError, match="there is no score None"):
        sea.fit(SEA)


def test_an_unfitted_tokenizer_can_be_inspected():
    shown = dict(inspect.getmembers(WordPiece()))  # which takes an AttributeError, and no other
    assert not {"merges", "vocab", "vocab_size"} & shown.keys()


def test_a_tokenizer_says_what_it_is(sea):
    assert repr(sea) == "<WordPiece: 8 subwords, 3 merges by gain>"
    assert repr(WordPiece(9)) == "<WordPiece: not fitted, 9 merges by gain>"
    assert sea.vocab_size == len(sea.vocab) == 8


def rarity(Cxy, Cx, Cy, N, M):
    return -Cxy


def test_a_tokenizer_that_a_function_trained_is_saved_with_its_name(tmp_path):
    path = tmp_path / "sea.json"
    wp = WordPiece(3, score=rarity).fit(SEA)
    assert wp.merges == train(count_words(SEA), 3, rarity)
    wp.save(path)
    loaded = WordPiece.load(path)
    assert repr(loaded) == repr(wp) == "<WordPiece: 8 subwords, 3 merges by function rarity>"
    assert loaded.tokenize("seats") == wp.tokenize("seats")
    with pytest.raises(ValueError, match=r"no score 'function rarity': use .* or a function"):
        loaded.fit(SEA)
    assert loaded.tokenize("seats") == wp.tokenize("seats")
    loaded.save(path)
    assert repr(WordPiece.load(path)) == repr(wp)
    loaded.score = rarity
    assert loaded.fit(SEA).merges == wp.merges


def test_a_function_is_not_saved_as_the_score_whose_name_it_has(tmp_path):
    def gain(Cxy, Cx, Cy, N, M):
        return Cx

    path = tmp_path / "sea.json"
    wp = WordPiece(score=gain)
    wp.num_merges = np.int64(3)  # which JSON does not know
    wp.fit(SEA).save(path)
    assert "3 merges by function gain" in repr(WordPiece.load(path))


def test_a_score_that_is_not_known_here_is_named(tmp_path, monkeypatch):
    path = tmp_path / "sea.json"
    monkeypatch.setitem(SCORES, "rarity", rarity)
    WordPiece(3, score="rarity").fit(SEA).save(path)
    assert WordPiece.load(path).score == "rarity"
    monkeypatch.delitem(SCORES, "rarity")
    with pytest.raises(ValueError, match=r"the score 'rarity', which is not known here: add it to"):
        WordPiece.load(path)


def test_a_subclass_with_its_own_init_is_loaded(sea, tmp_path):
    class Named(WordPiece):
        def __init__(self, name):
            super().__init__()
            self.name = name

    sea.save(tmp_path / "sea.json")
    loaded = Named.load(tmp_path / "sea.json")
    assert (type(loaded), loaded.merges, loaded.num_merges) == (Named, sea.merges, 3)
