"""The whole pipeline behind one class, and its saved form."""

import hashlib
import inspect
import random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from wpedu import (
    LoopEncoder,
    WordPiece,
    build_vocab,
    count_words,
    load_corpus,
    pretokenize,
    train,
    wordpiece,
)
from wpedu._checks import check_words
from wpedu.wordpiece import _ChunkTokens

SEA = "sea seas sea seat seas sea eat tea"

texts = st.text(st.sampled_from("abc▁, .\n\x00é\u0301\ud83d\ude42🙂"), max_size=60)


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


def test_chunks_that_are_kept_are_bounded_and_do_not_show(sea, monkeypatch):
    monkeypatch.setattr(_ChunkTokens, "MAX_CHUNKS", 3)
    text = "sea, seat, a tea, " * 3 + "s" * 64 + " " + "e" * 65
    encode = LoopEncoder(sea.vocab).encode
    expected = [token for word in pretokenize(text) for token in encode("▁" + word)]
    assert sea.tokenize(text) == expected
    assert len(sea._model.chunk_tokens) <= 3
    assert "s" * 64 in sea._model.chunk_tokens
    assert "e" * 65 not in sea._model.chunk_tokens


def test_a_trie_is_built_for_a_long_word_or_for_many_words_only(sea, monkeypatch):
    monkeypatch.delattr(wordpiece, "LinearEncoder")
    few = [f"{number:b}" for number in range(4 * len(sea.vocab))]
    sea.tokenize(" ".join(few))
    for encode in (sea.encode, sea.tokenize):
        with pytest.raises(NameError, match="LinearEncoder"):
            encode("a" * 65)
    sea.tokenize("sea")
    with pytest.raises(NameError, match="LinearEncoder"):
        sea.tokenize("tea")


def test_a_word_of_a_million_letters_is_trained_on():
    assert WordPiece(num_merges=3).fit("sea" * 333_333 + " a").merges[0] == ("s", "e")


def test_decode_puts_one_space_between_words(sea):
    assert sea.decode(sea.tokenize("sea,  seat\n")) == "sea [UNK] seat"


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
        '{"format": "wpedu.WordPiece", "version": 2, "sha256": '
        '"806daffb16364798625887a618b00cd310f8a9f5bb814fa15b1bd24f3efb4536",',
        ' "score": "gain", "num_merges": 3,',
        ' "alphabet": ["▁", "s", "e", "a", "t"],',
        ' "merges": [',
        '  ["e", "a"],',
        '  ["▁", "s"],',
        '  ["▁s", "ea"]',
        "]}",
    ]


def test_a_failed_save_leaves_the_old_file_and_nothing_else(sea, tmp_path, monkeypatch):
    path = tmp_path / "sea.json"
    path.write_text("old")

    def full_disk(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr("os.replace", full_disk)
    with pytest.raises(OSError, match="no space left"):
        sea.save(path)
    assert [p.name for p in tmp_path.iterdir()] == ["sea.json"]
    assert path.read_text() == "old"


DAMAGES = {
    "truncated": (lambda s: s[: len(s) // 2], "is not whole JSON"),
    "not JSON": (lambda s: "pickle", "is not whole JSON"),
    "not UTF-8": (lambda s: b"\xff\xfe\xff", "is not whole JSON"),
    "another file": (lambda s: "[1, 2]", "is not a saved WordPiece"),
    "another version": (lambda s: s.replace('"version": 1', '"version": 3'), "of format version 3"),
    "no version": (lambda s: s.replace(' "version": 1,', ""), "of format version None"),
    "a letter lost": (lambda s: s.replace('"s", ', "", 1), "is damaged"),
    "a letter twice": (lambda s: s.replace('"s", ', '"s", "s", '), "is damaged"),
    "a merge before its parts": (lambda s: s.replace('["e", "a"],', '["▁s", "ea"],'), "is damaged"),
    "a merge of three": (lambda s: s.replace('["e", "a"]', '["e", "a", "t"]'), "is damaged"),
    "a number as a merge": (lambda s: s.replace('["e", "a"]', "7"), "is damaged"),
    "merges lost": (lambda s: s.replace('"merges"', '"mergers"'), "is damaged"),
    "a word in the alphabet": (lambda s: s.replace('"t"', '"tea"'), "is damaged"),
    "a string for the alphabet": (
        lambda s: s.replace('["▁", "s", "e", "a", "t"]', '"▁seat"'),
        "is damaged",
    ),
    "more merges than asked for": (
        lambda s: s.replace('"num_merges": 3', '"num_merges": 2'),
        "is damaged",
    ),
    "no mark": (lambda s: s.replace('"▁", "s"', '"s"', 1), "is damaged"),
    "a merge twice": (lambda s: s.replace('["▁", "s"]', '["e", "a"]'), "is damaged"),
    "a mark in the second half": (
        lambda s: s.replace('["▁", "s"]', '["e", "▁"]').replace('["▁s", "ea"]', '["t", "ea"]'),
        "is damaged",
    ),
    "a merge that makes what is known": (
        lambda s: s.replace('["▁s", "ea"]', '["e", "a"]'),
        "is damaged",
    ),
    "a function without a name": (lambda s: s.replace('"gain"', '["gain"]'), "is damaged"),
    "a mark inside": (lambda s: s.replace('["e", "a"]', '["e", "▁"]'), "is damaged"),
    "a string as a merge": (lambda s: s.replace('["e", "a"]', '"ea"'), "is damaged"),
    "true for a version": (
        lambda s: s.replace('"version": 1', '"version": true'),
        "of format version",
    ),
    "too deep": (lambda s: "[" * 200_000, "is not whole JSON"),
    "a negative number of merges": (
        lambda s: s.replace('"num_merges": 3', '"num_merges": -1'),
        "is damaged",
    ),
    "true for a number": (
        lambda s: s.replace('"num_merges": 3', '"num_merges": true'),
        "is damaged",
    ),
    "an unknown score": (lambda s: s.replace('"score": "gain"', '"score": "luck"'), "is damaged"),
}


def as_version_1(saved: bytes) -> bytes:
    """Return the file as it was before it had a digest."""
    _, _, rest = saved.partition(b"\n")
    return b'{"format": "wpedu.WordPiece", "version": 1,\n' + rest


def sealed(version_1: bytes) -> bytes:
    """Return the file with the digest that its content has, sound or not."""
    _, _, rest = version_1.partition(b"\n")
    digest = hashlib.sha256(rest).hexdigest().encode()
    return b'{"format": "wpedu.WordPiece", "version": 2, "sha256": "' + digest + b'",\n' + rest


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_by_name(sea, tmp_path, damage):
    path = tmp_path / "sea.json"
    sea.save(path)
    spoil, message = DAMAGES[damage]
    version_1 = as_version_1(path.read_bytes())
    spoiled = spoil(version_1.decode())
    assert spoiled != version_1.decode()
    path.write_bytes(spoiled if isinstance(spoiled, bytes) else spoiled.encode())
    with pytest.raises(ValueError, match=message) as error:
        WordPiece.load(path)
    assert "sea.json" in str(error.value)
    if message == "is damaged":
        path.write_bytes(sealed(spoiled.encode()))
        with pytest.raises(ValueError, match="parts do not fit together"):
            WordPiece.load(path)


def test_a_file_of_version_1_is_read(sea, tmp_path):
    path = tmp_path / "sea.json"
    sea.save(path)
    path.write_bytes(as_version_1(path.read_bytes()))
    loaded = WordPiece.load(path)
    assert (loaded.merges, loaded.vocab, loaded.score) == (sea.merges, sea.vocab, "gain")


def test_a_file_of_version_2_has_a_digest(sea, tmp_path):
    path = tmp_path / "sea.json"
    sea.save(path)
    path.write_bytes(as_version_1(path.read_bytes()).replace(b'"version": 1', b'"version": 2'))
    with pytest.raises(ValueError, match="is damaged"):
        WordPiece.load(path)


def test_line_ends_may_change_on_the_way(sea, tmp_path):
    path = tmp_path / "sea.json"
    sea.save(path)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert WordPiece.load(path).merges == sea.merges


def damaged(content: bytes, luck: random.Random) -> bytes:
    """Return `content` with some of it changed, lost, doubled or swapped."""
    start, end = sorted(luck.choices(range(len(content) + 1), k=2))
    lines = content.split(b"\n")
    i, j = luck.choices(range(len(lines)), k=2)
    kind = luck.randrange(7)
    if kind == 0:
        return content[:start] + bytes([luck.choice(content)]) + content[start + 1 :]
    if kind == 1:
        return content[:start] + content[min(end, start + luck.randint(1, 30)) :]
    if kind == 2:
        return content[:start] + content[start:end][:30] + content[start:]
    if kind == 3:
        lines[i], lines[j] = lines[j], lines[i]
        return b"\n".join(lines)
    if kind == 4:
        return b"\n".join(lines[:i] + lines[j:])
    if kind == 5:
        return content.replace(luck.choice([b'"a"', b'"h"', b"3", b"2"]), b'"o"', 1)
    return content[:start]


def test_no_damaged_file_loads_as_another_model(tmp_path):
    path = tmp_path / "homer.json"
    wp = WordPiece(num_merges=30).fit(load_corpus("homer").opening)
    wp.save(path)
    content, luck = path.read_bytes(), random.Random(9)
    num_refused = 0
    for _ in range(3_000):
        path.write_bytes(damaged(content, luck))
        try:
            loaded = WordPiece.load(path)
        except ValueError:
            num_refused += 1
        else:
            assert (loaded.merges, loaded.vocab) == (wp.merges, wp.vocab)
            assert (loaded.num_merges, loaded.score) == (wp.num_merges, wp.score)
    assert num_refused > 2_500


def test_a_file_whose_digest_differs_is_refused_unread(sea, tmp_path, monkeypatch):
    path = tmp_path / "sea.json"
    sea.save(path)
    path.write_bytes(path.read_bytes().replace(b'"t"', b'"u"'))
    monkeypatch.setattr("json.loads", lambda _: pytest.fail("read before its digest was looked at"))
    with pytest.raises(ValueError, match="SHA-256 differs"):
        WordPiece.load(path)


def test_more_merges_than_asked_for_are_refused_before_they_are_looked_at(sea, tmp_path):
    path = tmp_path / "sea.json"
    sea.save(path)
    merges = b",".join([b'["e", "a"]'] * 100_000)
    content = as_version_1(path.read_bytes()).replace(b'["e", "a"]', merges)
    path.write_bytes(content)
    with patch("wpedu.wordpiece.set", create=True) as looked, pytest.raises(ValueError):
        WordPiece.load(path)
    looked.assert_not_called()


def test_saving_into_a_folder_that_is_not_there_names_it(sea, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere.* make it"):
        sea.save(tmp_path / "nowhere" / "sea.json")


def test_loading_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        WordPiece.load(tmp_path / "none.json")


@pytest.mark.parametrize(
    "use",
    [
        lambda wp: wp.merges,
        lambda wp: wp.vocab,
        lambda wp: wp.encode("▁sea"),
        lambda wp: wp.tokenize("sea"),
        lambda wp: wp.decode(["▁sea"]),
        lambda wp: wp.save("never.json"),
        lambda wp: wp.to_bert_tokenizer(),
    ],
)
def test_an_unfitted_tokenizer_says_what_to_do(use):
    with pytest.raises(ValueError, match="call fit"):
        use(WordPiece())


@pytest.mark.parametrize("corpus", [None, 7, ["sea"], b"sea"])
def test_fit_refuses_what_is_neither_text_nor_counts(corpus):
    with pytest.raises(TypeError, match="word_counts must be a dict, not"):
        WordPiece().fit(corpus)


def test_a_failed_fit_leaves_the_tokenizer_as_it_was(sea):
    before = sea.merges
    with pytest.raises(ValueError, match="▁"):
        sea.fit("se▁a")
    assert sea.merges == before
    assert sea.tokenize("sea") == ["▁sea"]


@pytest.mark.parametrize(
    "num_merges, error",
    [(-1, ValueError), (1.5, TypeError), ("3", TypeError), (True, TypeError), (None, TypeError)],
)
def test_a_bad_number_of_merges_is_refused_at_once(num_merges, error):
    with pytest.raises(error, match="num_merges"):
        WordPiece(num_merges)


@pytest.mark.parametrize("score", ["luck", None, ["gain"]])
def test_an_unknown_score_is_refused_at_once(score):
    with pytest.raises(ValueError, match="'gain'"):
        WordPiece(score=score)


@pytest.mark.parametrize("tokens", ["▁sea", [1], None])
def test_decode_refuses_what_is_not_a_list_of_tokens(sea, tokens):
    with pytest.raises(TypeError, match="tokens"):
        sea.decode(tokens)


def test_merges_and_vocab_are_the_callers_to_change(sea):
    sea.merges.clear()
    sea.vocab.clear()
    assert len(sea.merges) == 3
    assert sea.tokenize("sea") == ["▁sea"]
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


@pytest.mark.parametrize("name", ["merges", "vocab", "vocab_size"])
def test_what_is_not_there_before_fit_can_be_asked_for(name):
    assert not hasattr(WordPiece(), name)
    assert hasattr(WordPiece().fit("a"), name)


def test_an_unfitted_tokenizer_can_be_inspected():
    assert inspect.getmembers(WordPiece())


def test_the_size_of_the_vocabulary(sea):
    assert sea.vocab_size == len(sea.vocab) == 8


def test_a_tokenizer_says_what_it_is(sea):
    assert repr(sea) == "<WordPiece: 8 subwords, 3 merges by gain>"
    assert repr(WordPiece(9)) == "<WordPiece: not fitted, 9 merges by gain>"


@pytest.mark.parametrize("text", ["the ship", " ", "sea\n", "\u3000"])
def test_encode_takes_one_word(sea, text):
    with pytest.raises(ValueError, match=r"encode takes one word.*use tokenize"):
        sea.encode(text)


def rarity(Cxy, Cx, Cy, N, M):
    return -Cxy


def test_a_tokenizer_that_a_function_trained_is_saved_with_its_name(tmp_path):
    path = tmp_path / "sea.json"
    wp = WordPiece(3, score=rarity).fit(SEA)
    assert wp.merges == train(count_words(SEA), 3, rarity)
    wp.save(path)
    loaded = WordPiece.load(path)
    assert loaded.score == "function rarity"
    assert loaded.tokenize("seats") == wp.tokenize("seats")
    with pytest.raises(ValueError, match=r"there is no score 'function rarity'.* or a function"):
        loaded.fit(SEA)
    assert loaded.tokenize("seats") == wp.tokenize("seats")
    loaded.score = rarity
    assert loaded.fit(SEA).merges == wp.merges


def test_a_function_is_not_saved_as_the_score_whose_name_it_has(tmp_path):
    def gain(Cxy, Cx, Cy, N, M):
        return Cx

    path = tmp_path / "sea.json"
    WordPiece(3, score=gain).fit(SEA).save(path)
    assert WordPiece.load(path).score == "function gain"


def test_a_number_of_merges_that_cannot_be_written_is_refused():
    with pytest.raises(ValueError, match=r"num_merges must be at most 1e\+30"):
        WordPiece(10**4300)


def test_a_number_of_merges_may_be_numpy_s(tmp_path):
    path = tmp_path / "sea.json"
    WordPiece(np.int64(3)).fit(SEA).save(path)
    assert WordPiece.load(path).num_merges == 3


def test_fit_checks_counts_once(monkeypatch):
    checked = []

    def check(counts):
        checked.append(counts)
        return check_words(counts)

    monkeypatch.setattr("wpedu.training.check_words", check)
    WordPiece(3).fit(SEA)
    assert len(checked) == 1
