"""A vocabulary with ▁ and its `##` notation agree, and vocab.txt is read as it was written."""

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tokenizers.models import WordPiece as HuggingFaceWordPiece

from wpedu import to_bert, to_bert_vocab
from wpedu.bert import load_vocab, save_vocab
from wpedu.encoding import UNKNOWN, LoopEncoder
from wpedu.pretokenization import START

SUBWORDS = st.one_of(st.text([*"abc#é中", START], min_size=1, max_size=4), st.just("[UNK]"))
WORDS = st.text(alphabet=[*"abc#é中", START], min_size=1, max_size=12)


def num_words_that_differ(vocab, bert_vocab, words):
    ids = {token: i for i, token in enumerate(dict.fromkeys([UNKNOWN, *bert_vocab]))}
    model = HuggingFaceWordPiece(ids, unk_token=UNKNOWN, max_input_chars_per_word=100)
    encode = LoopEncoder(vocab).encode
    return sum(
        to_bert(encode(START + word)) != [token.value for token in model.tokenize(word)]
        for word in words
    )


@pytest.mark.parametrize(
    ("tokens", "bert"),
    [
        (["▁S", "it", "▁", "!"], ["S", "##it", "!"]),
        (["▁a", "[UNK]", "▁", "[UNK]", "b"], ["a", "[UNK]", "[UNK]", "##b"]),
        *((tokens, ["a"]) for tokens in (["▁a", "▁"], ["▁", "▁a"], ["▁", "▁", "a"])),
    ],
)
def test_tokens_in_bert_notation(tokens, bert):
    assert to_bert(tokens) == bert


@given(st.lists(SUBWORDS, unique=True), WORDS)
@example(["a", "▁b"], "a")  # no ▁ alone: nothing but b can start a word
@example(["▁", "▁a", "ab"], "ab")  # a bare "ab" would be the longer match
@example(["▁", "▁a", "b", "ab"], "ab")
@example(["▁", "▁▁", "a▁b", "a"], "a▁b")
def test_hugging_face_agrees_with_our_loop_for_any_vocabulary(vocab, word):
    assume(not word.startswith("##"))
    try:
        bert_vocab = to_bert_vocab(vocab)
    except ValueError:
        assume(False)
    assert len(bert_vocab) == len(set(bert_vocab))
    assert num_words_that_differ(vocab, bert_vocab, [word]) == 0


def test_homers_bert_vocabulary_agrees_on_every_word(wp, homer, facts):
    known = facts["bert_vocab_equivalent_to_200_merges"]
    bert_vocab = to_bert_vocab(wp.vocab)
    assert len(bert_vocab) == known["entries_without_special_tokens"]
    assert (
        num_words_that_differ(wp.vocab, bert_vocab, homer.word_counts)
        == known["words_that_disagree_with_huggingface_WordPiece"]
    )


def test_keeping_every_bare_subword_breaks_known_words(wp, homer, facts):
    known = facts["bert_vocab_equivalent_to_200_merges"]
    plain = [subword for subword in wp.vocab if not subword.startswith(START)]
    naive = list(dict.fromkeys([*to_bert_vocab(wp.vocab), *plain]))
    assert len(naive) == known["naive_conversion_entries"]
    assert (
        num_words_that_differ(wp.vocab, naive, homer.word_counts)
        == known["naive_conversion_words_that_disagree"]
    )


@pytest.mark.parametrize("vocab", [["▁", "b", "##a"], ["▁", "▁b", "▁##a"], ["▁b", "▁##"]])
def test_a_start_of_word_that_looks_like_a_continuation_is_rejected(vocab):
    with pytest.raises(ValueError, match=r"'##a?' starts a word in this vocabulary"):
        to_bert_vocab(vocab)


# vocab.txt


# Among the control characters, Python's rstrip strips only U+001C to U+001F, which others keep.
TOKENS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs", "Z", "Cc"]),
        st.sampled_from("\x00\x1b\x1c\x1d\x1e\x1f\x7f\ufeff"),
    ),
    min_size=1,
    max_size=5,
)
VOCABS = st.lists(TOKENS, unique=True).map(lambda tokens: [UNKNOWN, *tokens])


@given(VOCABS, st.integers(0, 3))
@settings(max_examples=50)
@example([UNKNOWN, "\ufeffa"], 1)
def test_a_saved_vocabulary_is_loaded(tmp_path_factory, tokens, rotation):
    path = tmp_path_factory.mktemp("vocab") / "vocab.txt"
    tokens = list(dict.fromkeys(tokens))
    tokens = tokens[rotation:] + tokens[:rotation]
    try:
        save_vocab(tokens, path)
    except ValueError as error:
        assert "lose its U+FEFF" in str(error) and tokens[0].startswith("\ufeff")
        assert not path.exists()
    else:
        assert load_vocab(path) == {token: i for i, token in enumerate(tokens)}
        assert load_vocab(path) == HuggingFaceWordPiece.read_file(str(path))


@pytest.mark.parametrize("code", [*range(0x21), 0x7F, 0x85, 0xA0, 0x180E, 0x200B, 0x2028, 0x3000])
def test_the_end_of_a_line_is_that_of_hugging_face(tmp_path, code):
    path = tmp_path / "vocab.txt"
    path.write_bytes(f"[UNK]\na{chr(code)}\nb\n".encode())
    if code == 0x0A:
        with pytest.raises(ValueError, match=r"line 3 of .* is ''"):
            load_vocab(path)
    else:
        assert load_vocab(path) == HuggingFaceWordPiece.read_file(str(path))


@pytest.mark.parametrize("content", [b"[UNK]\r\na\r\n", b"[UNK]\na", b"\xef\xbb\xbf[UNK]\na\n"])
def test_other_ends_of_lines_and_a_byte_order_mark_are_read(tmp_path, content):
    (tmp_path / "vocab.txt").write_bytes(content)
    assert load_vocab(tmp_path / "vocab.txt") == {"[UNK]": 0, "a": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty: write one token per line"),
        (b"[UNK]\n\na\n", "line 2 of .* is ''"),
        (b"[UNK]\na b\n", "line 2 of .* is 'a b'"),
        ("[UNK]\na\u2028b\n".encode(), "line 2 of .* is 'a.*b'"),
        (b"[UNK]\na\nb\na\n", "line 4 of .* is 'a', like line 2"),
        (b"a\nb\n", r"no \[UNK\] on any of its lines 1 to 2"),
        (b"[UNK]\nb\xff\n", "line 2 of .* is not UTF-8"),
    ],
)
def test_a_damaged_file_is_rejected_by_its_line(tmp_path, content, message):
    (tmp_path / "vocab.txt").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        load_vocab(tmp_path / "vocab.txt")


def test_a_mistyped_name_lists_the_known_ones():
    known = "'bert-base-uncased', 'bert-base-cased', 'bert-base-mult"
    with pytest.raises(FileNotFoundError, match=f"^bert-base-uncase does not exist: .*{known}"):
        load_vocab("bert-base-uncase")


@pytest.mark.parametrize(
    ("vocab", "error"),
    [
        *((vocab, TypeError) for vocab in ({"[UNK]"}, "[UNK]", ["[UNK]", 3])),
        *((vocab, TypeError) for vocab in ({"[UNK]": "0"}, {"[UNK]": False}, {b"[UNK]": 0})),
        *((vocab, ValueError) for vocab in ({}, {"a": 0}, {"[UNK]": 1}, {"[UNK]": 0, "a": 0})),
        *(({"[UNK]": 0, "a": id}, ValueError) for id in (2, -1)),
        *(({"[UNK]": 0, token: 1}, ValueError) for token in ("", "a\nb", "a\u2028", "\ud800")),
        *((["[UNK]", *tokens], ValueError) for tokens in (["a", "a"], ["a b"])),
        (["\ufeffa", "[UNK]"], ValueError),
    ],
)
def test_a_vocabulary_that_no_file_can_contain_leaves_the_file_unchanged(tmp_path, vocab, error):
    path = tmp_path / "vocab.txt"
    path.write_text("before")
    with pytest.raises(error):
        save_vocab(vocab, path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
