"""What must hold of BERT's tokenizer: whatever the text, it gives what Hugging Face gives."""

import copy
import os
import pickle
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hard_strings import HARD_STRINGS, LONE_SURROGATES
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer, Tokenizer
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

import wpedu
from wpedu.bert import BertTokenizer, load_vocab, to_bert, to_bert_vocab
from wpedu.bert.chunks import Chunks
from wpedu.bert.normalization import Placed, normalize, normalize_with_places, split_words

SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
REAL_VOCAB = Path(os.environ.get("WPEDU_DATA", ""), "bert", "bert-base-uncased-vocab.txt")
needs_real_vocab = pytest.mark.skipif(
    "WPEDU_DATA" not in os.environ or not REAL_VOCAB.is_file(),
    reason="BERT's own vocabulary is not on this machine: set WPEDU_DATA (see the README)",
)

SHORT_HARD_STRINGS = [text for text in HARD_STRINGS.values() if len(text) < 1000]

# Characters that text is rarely made of, and that tokenizers are made to handle.
RARE = st.sampled_from(
    [
        *"aAéÉßİΣ東각が$'.-_#▁ \t\n\0\ufffd\u200d\u00ad\u2028\u0301\u0323\u0345\u0334\u302e",
        *"\U0001d165\U0001d15e\U0001e944\U0001e94a\u037e\uf900\u0344",
        *("[SEP]", "[CLS]", "[UNK]", "[sep]", "[MASK", "##", "the"),
    ]
)
ANY = st.characters(exclude_categories=["Cs"])
MARKS = st.characters(categories=["Mn", "Mc", "Me"])
TEXTS = st.lists(st.one_of(RARE, ANY, MARKS), max_size=30).map("".join)
LIMITS = st.one_of(st.none(), st.integers(3, 40))


class Judge:
    """Our tokenizer and Hugging Face's, with one vocabulary."""

    def __init__(self, vocab, lowercase):
        self.ours = BertTokenizer(vocab, lowercase)
        self.theirs = BertWordPieceTokenizer(vocab, lowercase=lowercase)

    def check(self, text, pair=None, max_length=None):
        if max_length is None:
            self.theirs.no_truncation()
        else:
            self.theirs.enable_truncation(max_length)
        ours = self.ours.encode(text, pair, max_length)
        theirs = self.theirs.encode(text, pair)
        assert ours.tokens == theirs.tokens
        assert ours.ids == theirs.ids
        assert ours.type_ids == theirs.type_ids
        assert ours.offsets == theirs.offsets


def to_ids(tokens):
    return {token: i for i, token in enumerate(dict.fromkeys(tokens))}


def vocab_of_characters(*texts):
    """A vocabulary that spells every word of `texts`, so that no [UNK] hides a difference."""
    seen = "".join(texts)
    chars = [char for char in seen + unicodedata.normalize("NFD", seen).lower() if char.split()]
    pairs = [x + y for x, y in zip(chars, chars[1:])]
    subwords = [subword for x in (*chars, *pairs) for subword in (x, "##" + x)]
    return to_ids([*SPECIAL_TOKENS, *subwords])


@pytest.fixture(
    scope="module",
    params=[
        "Homer's, cased",
        "Homer's, uncased",
        pytest.param("BERT's, uncased", marks=needs_real_vocab),
        pytest.param("BERT's, cased", marks=needs_real_vocab),
    ],
)
def judge(request, wp):
    homers = request.param.startswith("Homer's")
    vocab = BertTokenizer.from_wordpiece(wp.vocab).vocab if homers else load_vocab(REAL_VOCAB)
    return Judge(vocab, lowercase=request.param.endswith("uncased"))


@pytest.fixture(scope="module")
def homers_bert(wp):
    return BertTokenizer.from_wordpiece(wp.vocab)


@pytest.fixture(scope="module")
def real_bert():
    return BertTokenizer(load_vocab(REAL_VOCAB))


# Hugging Face as the judge


def test_every_word_of_homer(judge, homer):
    words = list(homer.word_counts)
    for word, theirs in zip(words, judge.theirs.encode_batch(words), strict=True):
        ours = judge.ours.encode(word)
        assert (ours.tokens, ours.ids, ours.offsets) == (theirs.tokens, theirs.ids, theirs.offsets)


@pytest.mark.long
def test_the_whole_text_of_homer(judge, homer_text):
    judge.check(homer_text)


@pytest.mark.parametrize("name", HARD_STRINGS)
def test_hard_strings(judge, name):
    judge.check(HARD_STRINGS[name])


@pytest.mark.parametrize("name", HARD_STRINGS)
@pytest.mark.parametrize("lowercase", [True, False])
def test_hard_strings_spelled_by_characters(name, lowercase):
    text = HARD_STRINGS[name]
    Judge(vocab_of_characters(text[:1000]), lowercase).check(text)


@pytest.mark.parametrize("max_length", [None, 4, 7, 20])
def test_hard_strings_in_pairs(judge, max_length):
    texts = SHORT_HARD_STRINGS
    for text, pair in zip(texts, reversed(texts), strict=True):
        judge.check(text, pair, max_length)


@pytest.mark.parametrize("max_length", [2, 3, 10])
def test_hard_strings_truncated(judge, max_length):
    for text in SHORT_HARD_STRINGS:
        judge.check(text, max_length=max_length)


@pytest.mark.parametrize("max_length", range(3, 14))
@pytest.mark.parametrize("num_first", range(6))
def test_truncation_shares_as_theirs_does(max_length, num_first):
    judge = Judge(to_ids([*SPECIAL_TOKENS, "a"]), lowercase=True)
    for num_second in range(8):
        judge.check("a " * num_first, "a " * num_second, max_length)


@given(TEXTS, st.booleans())
@settings(max_examples=200)
def test_any_text(text, lowercase):
    Judge(vocab_of_characters(text), lowercase).check(text)


@given(TEXTS, TEXTS, LIMITS, st.booleans())
@settings(max_examples=200)
@example("", "", 3, True)
def test_any_pair(text, pair, max_length, lowercase):
    Judge(vocab_of_characters(text, pair), lowercase).check(text, pair, max_length)


# Words that may be too long, by the few characters that they are made of: all that Hugging Face
# drops, moves, splits at or makes longer.
LONG_WORDS = st.builds(
    lambda chars, length, ends: ends[0] + ("".join(chars) * length)[:length] + ends[1],
    st.lists(
        st.one_of(RARE, MARKS, st.sampled_from("aé각क\u093e\0\u0301")), min_size=1, max_size=4
    ),
    st.integers(95, 320),
    st.tuples(TEXTS, TEXTS),
)


@given(st.lists(LONG_WORDS, min_size=1, max_size=2).map("".join), st.booleans())
@settings(max_examples=150)
def test_any_long_word(text, lowercase):
    Judge(vocab_of_characters(text), lowercase).check(text)


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("around", ["", "\u0301", "\0", "!", "東", "\u302e\u0323"])
@pytest.mark.parametrize("char", ["a", "é", "e\u0301", "a\0", "각", "a\u302e\u0323", "a,", "a東"])
def test_words_about_as_long_as_can_be_known(lowercase, around, char):
    judge = Judge(vocab_of_characters(around + char), lowercase)
    for length in (49, 50, 51, 99, 100, 101, 102, 103, 104, 1_000):
        judge.check(around + (char * length)[:length] + around)
        judge.check(around + char * length + around + "ab")


@given(text=TEXTS)
@settings(max_examples=200)
def test_any_text_with_a_vocabulary_that_leaves_words_unknown(judge, text):
    judge.check(text)


# All of the planes that have scripts or tags, and a sample of those of ideographs and private use.
CODES = [*range(0x20000), *range(0x2F000, 0x30000), *range(0xE0000, 0xE1000)]
CODES += [*range(0x20000, 0x110000, 0x61)]
CHARACTERS = [chr(code) for code in CODES if not 0xD800 <= code < 0xE000]


@pytest.mark.long
@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("first", range(0, len(CHARACTERS), 0x2000))
def test_every_character_of_unicode_is_normalized_and_split_as_theirs(lowercase, first):
    text = "".join(f"a{char}b " for char in CHARACTERS[first : first + 0x2000])
    ours = normalize_with_places(text, lowercase)
    theirs = BertNormalizer(lowercase=lowercase).normalize_str(text)
    assert "".join(char for char, _ in ours) == theirs
    words = ["".join(char for char, _ in word) for word in split_words(ours)]
    assert words == [word for word, _ in BertPreTokenizer().pre_tokenize_str(theirs)]


@pytest.mark.parametrize("chars", ["ab", ["a"], {Placed("a", 0)}, None])
def test_what_is_split_into_words_has_places(chars):
    with pytest.raises(TypeError, match="chars must be"):
        split_words(chars)


@given(data=st.data(), skip=st.booleans())
def test_decoding_any_ids(judge, data, skip):
    ids = data.draw(st.lists(st.integers(0, len(judge.ours.vocab) - 1), max_size=12))
    assert judge.ours.decode(ids, skip) == judge.theirs.decode(ids, skip_special_tokens=skip)


@pytest.mark.parametrize("skip", [True, False])
def test_decoding_what_the_clean_up_is_for(skip):
    tokens = [*SPECIAL_TOKENS, *"a.?!,'", "do", "not", "n't", "'m", "'s", "'ve", "'re", "##.", "##"]
    judge = Judge(to_ids([*tokens, "...", ".5", "nt", "##n't", "####"]), lowercase=True)
    ids = range(len(judge.ours.vocab))
    for x in ids:
        for y in ids:
            theirs = judge.theirs.decode([x, y], skip_special_tokens=skip)
            assert judge.ours.decode([x, y], skip) == theirs


def test_decoding_homer(judge, homer):
    ids = judge.ours.encode(homer.opening).ids
    assert judge.ours.decode(ids) == judge.theirs.decode(ids)


# What it gives, without a judge


@needs_real_vocab
def test_known_tokens_and_ids(real_bert, facts):
    known = dict(facts["bert_base_uncased"])
    assert real_bert.encode("Hello world").ids == known.pop("Hello world")
    assert {word: real_bert.tokenize(word) for word in known} == known


def test_offsets_are_those_of_the_original_text(homers_bert):
    text = "the  \x00ships, the\u00a0[SEP] sons"
    encoding = homers_bert.encode(text)
    words = [text[start:end] for start, end in encoding.offsets]
    assert [word.replace("\x00", "") for word in words[1:-1]] == [
        token.removeprefix("##") for token in encoding.tokens[1:-1]
    ]
    assert encoding.offsets[0] == encoding.offsets[-1] == (0, 0)


def test_an_accent_that_was_stripped_belongs_to_no_token():
    bert = BertTokenizer(to_ids([*SPECIAL_TOKENS, "e", "##x"]))
    assert bert.encode("éx").offsets[1:-1] == [(0, 1), (1, 2)]
    assert bert.encode("e\u0301x").offsets[1:-1] == [(0, 1), (2, 3)]


def test_spelling_a_special_token_makes_it_one():
    bert = BertTokenizer(to_ids([*SPECIAL_TOKENS, "a", "b"]))
    assert bert.tokenize("a[SEP]b [CLS]") == ["a", "[SEP]", "b", "[CLS]"]


def test_lower_case_spells_no_special_token():
    bert = BertTokenizer(to_ids([*SPECIAL_TOKENS, "[", "]", "sep"]))
    assert bert.tokenize("[sep] [Sep]") == ["[", "sep", "]"] * 2


def test_a_special_token_that_the_vocabulary_lacks_is_text():
    vocab = to_ids(["[UNK]", "[CLS]", "[SEP]", "[", "]", "mask"])
    Judge(vocab, lowercase=True).check("[MASK] [SEP]")


def test_special_tokens_come_first_in_homers_own_vocabulary(homers_bert, facts):
    assert list(homers_bert.vocab)[:5] == SPECIAL_TOKENS
    known = facts["bert_vocab_equivalent_to_200_merges"]["entries_without_special_tokens"]
    assert len(homers_bert.vocab) == 5 + known


def test_homers_own_tokenizer_is_cased_and_that_of_wordpiece(wp, homers_bert):
    bert = wp.to_bert_tokenizer()
    assert (bert.vocab, bert.lowercase) == (homers_bert.vocab, False)


# Words of more than one character that BERT takes for one, as `to_bert_tokenizer` says of them;
# and any one mark of punctuation. Not of the set: what BERT splits, or drops.
LETTERS = st.text(
    st.characters(categories=["Ll", "Lu", "Lo", "Nd", "Mn"], max_codepoint=0x33FF), max_size=12
)
TAKEN_FOR_ONE = st.one_of(
    LETTERS.filter(lambda word: len(wpedu.pretokenize(word)) == 1),
    st.sampled_from("!,.'-\u2014\u00bf$+\u20ac"),
)


@given(st.lists(TAKEN_FOR_ONE, min_size=1), st.integers(0, 40))
def test_what_bert_takes_for_one_word_is_tokenized_as_by_wordpiece(words, num_merges):
    text = " ".join(words)
    wp = wpedu.WordPiece(num_merges).fit(text)
    assert wp.to_bert_tokenizer().tokenize(text) == wpedu.to_bert(wp.tokenize(text))


@pytest.mark.parametrize(
    "word", ["a+b", "$5", "東京", "a\u200bb", "a\u2e43b", "a\U000111c9b", "a" * 101]
)
def test_what_bert_splits_or_drops_is_not(word):
    wp = wpedu.WordPiece(100).fit(word)
    assert wp.to_bert_tokenizer().tokenize(word) != wpedu.to_bert(wp.tokenize(word))


@pytest.mark.long
def test_homer_is_tokenized_as_by_wordpiece(wp, homers_bert, homer_text):
    assert homers_bert.tokenize(homer_text) == wpedu.to_bert(wp.tokenize(homer_text))


def test_normalizing_gives_text():
    assert normalize("Touché\t東京\x00") == "touche  東  京 "


# What may not go wrong


@pytest.mark.parametrize("text", LONE_SURROGATES)
def test_a_lone_surrogate_is_refused_by_both(homers_bert, text):
    with pytest.raises(TypeError):
        BertWordPieceTokenizer(homers_bert.vocab).encode(text)
    with pytest.raises(ValueError, match="lone surrogate"):
        homers_bert.encode(text)


@pytest.mark.parametrize("text", [None, b"the", 3, ["the"]])
def test_only_str_is_text(homers_bert, text):
    with pytest.raises(TypeError, match="text must be a str"):
        homers_bert.encode(text)
    with pytest.raises(TypeError, match="text must be a str"):
        homers_bert.tokenize(text)


def test_only_str_is_a_pair(homers_bert):
    with pytest.raises(TypeError, match="pair must be a str"):
        homers_bert.encode("the", 3)


@pytest.mark.parametrize("max_length", [True, 3.0, "3"])
def test_max_length_is_an_int(homers_bert, max_length):
    with pytest.raises(TypeError, match="max_length"):
        homers_bert.encode("the", max_length=max_length)


@pytest.mark.parametrize(("pair", "max_length"), [(None, -1), (None, 0), (None, 1), ("a", 2)])
def test_max_length_has_room_for_the_special_tokens(homers_bert, pair, max_length):
    with pytest.raises(ValueError, match="max_length"):
        homers_bert.encode("the", pair, max_length)


@pytest.mark.parametrize("number", [-1, 10**9])
def test_an_id_that_no_token_has_is_refused(homers_bert, number):
    with pytest.raises(ValueError, match="no token has the id"):
        homers_bert.decode([5, number])


@pytest.mark.parametrize("number", ["5", 5.0, None])
def test_an_id_is_an_int(homers_bert, number):
    with pytest.raises(TypeError):
        homers_bert.decode([number])


@pytest.mark.parametrize("missing", ["[UNK]", "[CLS]", "[SEP]"])
def test_a_vocabulary_without_its_special_tokens_is_refused(missing):
    tokens = [token for token in SPECIAL_TOKENS if token != missing]
    with pytest.raises(ValueError, match=missing.strip("[]")):
        BertTokenizer(to_ids(tokens))


@pytest.mark.parametrize("vocab", ["vocab.txt", None, 3, set(SPECIAL_TOKENS)])
def test_a_vocabulary_is_a_dict_or_a_list(vocab):
    with pytest.raises(TypeError, match="vocab must be"):
        BertTokenizer(vocab)


def test_a_list_gives_tokens_their_places_as_ids():
    tokens = [*SPECIAL_TOKENS, "a", "##b"]
    assert BertTokenizer(tokens).vocab == to_ids(tokens)
    assert BertTokenizer(iter(tokens)).encode("ab").ids == [2, 5, 6, 3]


def test_a_list_with_a_token_twice_is_refused():
    with pytest.raises(ValueError, match="'a' is in vocab twice, at 5 and at 6"):
        BertTokenizer([*SPECIAL_TOKENS, "a", "a"])


def test_integers_of_numpy_are_integers():
    bert = BertTokenizer({token: np.int64(i) for i, token in enumerate([*SPECIAL_TOKENS, "a"])})
    assert {type(number) for number in bert.vocab.values()} == {int}
    assert bert.decode(np.array([2, 5, 3])) == "a"
    assert len(bert.encode("a a a", max_length=np.int32(4)).ids) == 4


@pytest.mark.parametrize("make", [BertTokenizer.from_wordpiece, to_bert_vocab, to_bert])
def test_a_set_has_no_order_to_take_ids_from(make):
    with pytest.raises(TypeError, match="which has no order"):
        make({"▁", "a"})


def test_a_set_of_ids_has_no_order_either(homers_bert):
    with pytest.raises(TypeError, match="which has no order"):
        homers_bert.decode({5, 6})


@pytest.mark.parametrize("skip", [0, 1, "no", None])
def test_to_skip_special_tokens_is_a_bool(homers_bert, skip):
    with pytest.raises(TypeError, match="skip_special_tokens is True or False"):
        homers_bert.decode([5], skip)


@pytest.mark.parametrize("name", ["vocab", "lowercase", "special_tokens"])
def test_what_was_asked_for_cannot_be_changed(homers_bert, name):
    with pytest.raises(AttributeError):
        setattr(homers_bert, name, getattr(homers_bert, name))


def test_changing_the_vocabulary_it_gave_changes_nothing(homers_bert):
    before = homers_bert.encode("the ships")
    homers_bert.vocab.clear()
    homers_bert.vocab["the"] = 0
    assert homers_bert.encode("the ships") == before
    assert homers_bert.vocab


def test_lowercase_is_a_bool():
    with pytest.raises(TypeError, match="lowercase"):
        BertTokenizer(to_ids(SPECIAL_TOKENS), lowercase="no")


def test_the_vocabulary_given_can_be_changed_afterwards():
    vocab = to_ids([*SPECIAL_TOKENS, "a"])
    bert = BertTokenizer(vocab)
    vocab.clear()
    assert bert.tokenize("a") == ["a"]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda bert: pickle.loads(pickle.dumps(bert))])
def test_a_copy_gives_the_same(homers_bert, homer, copied):
    assert copied(homers_bert).encode(homer.opening) == homers_bert.encode(homer.opening)


def test_memory_of_chunks_is_bounded_and_does_not_show(judge, homer, monkeypatch):
    monkeypatch.setattr(Chunks, "MAX_CHUNKS", 3)
    bert = BertTokenizer(judge.ours.vocab, judge.ours.lowercase)
    assert bert.encode(homer.opening) == judge.ours.encode(homer.opening)
    assert len(bert._chunks) <= 3


# Opening it elsewhere


def test_tokenizers_opens_it_with_equal_ids(judge, homer, tmp_path):
    judge.ours.save_pretrained(tmp_path)
    opened = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    encoding = judge.ours.encode(homer.opening, "Touché, the [SEP]!")
    theirs = opened.encode(homer.opening, "Touché, the [SEP]!")
    assert (theirs.ids, theirs.type_ids) == (encoding.ids, encoding.type_ids)
    assert theirs.offsets == encoding.offsets
    assert opened.decode(theirs.ids) == judge.ours.decode(encoding.ids)


def test_tokenizers_opens_its_vocabulary_file(judge, homer, tmp_path):
    judge.ours.save_pretrained(tmp_path)
    path, lowercase = str(tmp_path / "vocab.txt"), judge.ours.lowercase
    opened = BertWordPieceTokenizer.from_file(path, lowercase=lowercase)
    assert opened.encode(homer.opening).ids == judge.ours.encode(homer.opening).ids


def test_what_is_saved_is_what_tokenizers_would_save(judge, tmp_path):
    judge.ours.save_pretrained(tmp_path)
    ours = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    judge.theirs.no_truncation()
    assert ours.to_str() == judge.theirs.to_str()


@pytest.fixture(scope="module")
def transformers():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield pytest.importorskip("transformers")


@pytest.mark.long
def test_transformers_opens_it_with_equal_ids_on_all_of_homer(
    transformers, judge, homer_text, tmp_path
):
    judge.ours.save_pretrained(tmp_path)
    opened = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert opened(homer_text)["input_ids"] == judge.ours.encode(homer_text).ids


def test_transformers_gives_an_apostrophe_back_when_it_is_asked_to_clean_up(transformers, tmp_path):
    pytest.importorskip("transformers", minversion="5")  # before, it cleans up unasked
    bert = BertTokenizer(to_ids([*SPECIAL_TOKENS, "don", "'", "t"]), lowercase=False)
    bert.save_pretrained(tmp_path)
    opened = transformers.AutoTokenizer.from_pretrained(tmp_path)
    ids = bert.encode("don't").ids[1:-1]
    assert opened.decode(ids) == bert.decode(ids) == "don ' t"
    assert opened.decode(ids, clean_up_tokenization_spaces=True) == "don't"


@pytest.mark.parametrize("missing", [None, "[PAD]", "[MASK]"])
def test_transformers_adds_no_token_of_its_own(transformers, tmp_path, missing):
    tokens = [token for token in SPECIAL_TOKENS if token != missing]
    bert = BertTokenizer(to_ids([*tokens, "a", "É"]), lowercase=False)
    bert.save_pretrained(tmp_path)
    opened = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert opened.get_vocab() == bert.vocab
    assert opened("a É é", "a")["input_ids"] == bert.encode("a É é", "a").ids
    assert opened("a É é", "a")["token_type_ids"] == bert.encode("a É é", "a").type_ids


def test_saving_replaces_what_was_there(tmp_path):
    for lowercase in (True, False):
        BertTokenizer(to_ids([*SPECIAL_TOKENS, "a"]), lowercase).save_pretrained(tmp_path)
    opened = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert opened.encode("A").tokens[1] == "[UNK]"
    assert len(list(tmp_path.iterdir())) == 3


def test_an_empty_path_is_not_the_current_folder(tmp_path, monkeypatch):
    bert = BertTokenizer([*SPECIAL_TOKENS, "a"])
    bert.save_pretrained(tmp_path)
    monkeypatch.chdir(tmp_path)
    for use in bert.save_pretrained, BertTokenizer.from_pretrained:
        with pytest.raises(ValueError, match="the path is empty: name a folder"):
            use("")


def test_saving_where_a_file_is_in_the_way_is_an_error(homers_bert, tmp_path):
    (tmp_path / "file").write_text("before")
    with pytest.raises(OSError):
        homers_bert.save_pretrained(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "before"
