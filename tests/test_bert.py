"""BERT's tokenizer gives what Hugging Face's gives, for any text."""

import unicodedata
from itertools import product

import numpy as np
import pytest
from hard_strings import HARD_STRINGS, LONE_SURROGATES
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer, Tokenizer
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

import wpedu
from wpedu import train_bert_vocab, train_top_down
from wpedu.bert import BertTokenizer, to_bert, to_bert_vocab
from wpedu.bert.normalization import normalize_with_positions, split_words

SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

# Characters that are rare in text, but that tokenizers handle.
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
    """Return a vocabulary that spells all of `texts`, so that no [UNK] hides a difference."""
    seen = "".join(texts)
    chars = [char for char in seen + unicodedata.normalize("NFD", seen).lower() if char.split()]
    pairs = [x + y for x, y in zip(chars, chars[1:])]
    subwords = [subword for x in (*chars, *pairs) for subword in (x, "##" + x)]
    return to_ids([*SPECIAL_TOKENS, *subwords])


@pytest.fixture(
    scope="module",
    params=["Homer's, cased", "Homer's, uncased", "BERT's, uncased", "BERT's, cased"],
)
def judge(request, homers_bert):
    if request.param.startswith("Homer's"):
        vocab = homers_bert.vocab
    else:
        vocab = to_ids(request.getfixturevalue("bert_vocab"))
    return Judge(vocab, lowercase=request.param.endswith("uncased"))


@pytest.fixture(scope="module")
def homers_bert(wp):
    return BertTokenizer.from_wordpiece(wp.vocab)


# Hugging Face as the judge


def test_every_word_of_homer(judge, homer):
    words = list(homer.word_counts)
    for word, theirs in zip(words, judge.theirs.encode_batch(words), strict=True):
        ours = judge.ours.encode(word)
        assert (ours.tokens, ours.ids, ours.offsets) == (theirs.tokens, theirs.ids, theirs.offsets)


@pytest.mark.long
def test_the_whole_text_of_homer(judge, homer_text):
    judge.check(homer_text)


@pytest.mark.parametrize("max_length", [None, 3, 4, 10, 20])
def test_hard_strings_in_pairs(judge, max_length):
    texts = [text for text in HARD_STRINGS.values() if len(text) < 1000]
    for text, pair in zip(texts, reversed(texts)):
        judge.check(text, pair, max_length)


@pytest.mark.parametrize("lowercase", [True, False])
def test_hard_strings_spelled_by_characters(lowercase):
    for text in HARD_STRINGS.values():
        Judge(vocab_of_characters(text[:1000]), lowercase).check(text[:1000])


def test_truncation_equals_theirs():
    judge = Judge(to_ids([*SPECIAL_TOKENS, "a"]), lowercase=True)
    for num_first, num_second, max_length in product(range(6), range(8), range(3, 14)):
        judge.check("a " * num_first, "a " * num_second, max_length)


@given(TEXTS, st.none() | TEXTS, LIMITS, st.booleans())
@settings(max_examples=250)
@example("", "", 3, True)
def test_any_text_and_pair(text, pair, max_length, lowercase):
    Judge(vocab_of_characters(text, pair or ""), lowercase).check(text, pair, max_length)


@given(text=TEXTS)
@settings(max_examples=40)
def test_any_text_with_a_vocabulary_that_cannot_spell_it(judge, text):
    judge.check(text)


# All planes with scripts or tags, and a sample of those with ideographs and private use.
CODES = [*range(0x20000), *range(0x2F000, 0x30000), *range(0xE0000, 0xE1000)]
CODES += [*range(0x20000, 0x110000, 0x61)]
CHARACTERS = [chr(code) for code in CODES if not 0xD800 <= code < 0xE000]


@pytest.mark.long
@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("first", range(0, len(CHARACTERS), 0x2000))
def test_every_character_is_normalized_and_split_as_theirs(lowercase, first):
    text = "".join(f"a{char}b " for char in CHARACTERS[first : first + 0x2000])
    ours = normalize_with_positions(text, lowercase)
    theirs = BertNormalizer(lowercase=lowercase).normalize_str(text)
    assert "".join(char for char, _ in ours) == theirs
    words = ["".join(char for char, _ in word) for word in split_words(ours)]
    assert words == [word for word, _ in BertPreTokenizer().pre_tokenize_str(theirs)]


def test_decoding_cleans_up_as_theirs():
    tokens = [*SPECIAL_TOKENS, *"a.?!,'", "do", "not", "n't", "'m", "'s", "'ve", "'re", "##.", "##"]
    judge = Judge(to_ids([*tokens, "...", ".5", "nt", "##n't", "####"]), lowercase=True)
    ids = range(len(judge.ours.vocab))
    for x, y, skip in product(ids, ids, (True, False)):
        theirs = judge.theirs.decode([x, y], skip_special_tokens=skip)
        assert judge.ours.decode([x, y], skip) == theirs


def test_a_saved_folder_equals_that_of_tokenizers(judge, homer, tmp_path):
    judge.ours.save_pretrained(tmp_path)
    judge.theirs.no_truncation()
    assert Tokenizer.from_file(str(tmp_path / "tokenizer.json")).to_str() == judge.theirs.to_str()
    path, lowercase = str(tmp_path / "vocab.txt"), judge.ours.lowercase
    opened = BertWordPieceTokenizer.from_file(path, lowercase=lowercase)
    assert opened.encode(homer.opening).ids == judge.ours.encode(homer.opening).ids


@pytest.mark.long
def test_transformers_gives_equal_ids_on_all_of_homer(judge, homer_text, tmp_path):
    transformers = pytest.importorskip("transformers")
    judge.ours.save_pretrained(tmp_path)
    opened = transformers.AutoTokenizer.from_pretrained(tmp_path, local_files_only=True)
    assert opened(homer_text)["input_ids"] == judge.ours.encode(homer_text).ids


# Results without a judge


def test_known_tokens_and_ids(facts, bert_vocab):
    bert = BertTokenizer(bert_vocab)
    known = dict(facts["bert_base_uncased"])
    assert bert.encode("Hello world").ids == known.pop("Hello world")
    assert {word: bert.tokenize(word) for word in known} == known


def test_to_bert_tokenizer_is_cased_and_equals_from_wordpiece(wp, homers_bert, facts):
    bert = wp.to_bert_tokenizer()
    assert (bert.vocab, bert.lowercase) == (homers_bert.vocab, False)
    known = facts["bert_vocab_equivalent_to_200_merges"]["entries_without_special_tokens"]
    assert list(bert.vocab)[:5] == SPECIAL_TOKENS
    assert len(bert.vocab) == 5 + known


# Words that are one word to BERT, as `to_bert_tokenizer` describes them, and single marks.
LETTERS = st.text(
    st.characters(categories=["Ll", "Lu", "Lo", "Nd", "Mn"], max_codepoint=0x33FF), max_size=12
)
ONE_WORD_TO_BERT = st.one_of(
    LETTERS.filter(lambda word: len(wpedu.pretokenize(word)) == 1),
    st.sampled_from("!,;'-\u2014\u00bf$+\u20ac"),
)


@given(st.lists(ONE_WORD_TO_BERT, min_size=1), st.integers(0, 40))
@settings(max_examples=50)
def test_one_word_to_bert_is_tokenized_as_by_wordpiece(words, num_merges):
    text = " ".join(words)
    wp = wpedu.WordPiece(num_merges).fit(text)
    assert wp.to_bert_tokenizer().tokenize(text) == wpedu.to_bert(wp.tokenize(text))


@pytest.mark.parametrize(
    "word", ["a+b", "$5", "東京", "a\u200bb", "a\u2e43b", "a\U000111c9b", "a" * 101]
)
def test_a_word_that_bert_splits_or_drops_is_not(word):
    wp = wpedu.WordPiece(100).fit(word)
    assert wp.to_bert_tokenizer().tokenize(word) != wpedu.to_bert(wp.tokenize(word))


@pytest.mark.long
def test_homer_is_tokenized_as_by_wordpiece(wp, homers_bert, homer_text):
    assert homers_bert.tokenize(homer_text) == wpedu.to_bert(wp.tokenize(homer_text))


def test_numpy_integers_are_accepted():
    bert = BertTokenizer({token: np.int64(i) for i, token in enumerate([*SPECIAL_TOKENS, "a"])})
    assert {*map(type, bert.vocab.values())} == {int}
    assert bert.decode(np.array([2, 5, 3])) == "a"
    assert len(bert.encode("a a a", max_length=np.int32(4)).ids) == 4


def test_changing_arguments_or_results_changes_no_tokenizer(homers_bert):
    vocab = to_ids([*SPECIAL_TOKENS, "a"])
    bert = BertTokenizer(vocab)
    vocab.clear()
    bert.vocab.clear()
    assert bert.tokenize("a") == ["a"]
    assert BertTokenizer([*bert.vocab]).vocab == bert.vocab == to_ids([*SPECIAL_TOKENS, "a"])


# Bad input


@pytest.mark.parametrize("text", LONE_SURROGATES)
def test_a_lone_surrogate_is_rejected_by_both(homers_bert, text):
    with pytest.raises(TypeError):
        BertWordPieceTokenizer(homers_bert.vocab).encode(text)
    with pytest.raises(ValueError, match="lone surrogate"):
        homers_bert.encode(text)


@pytest.mark.parametrize(
    ("use", "error", "says"),
    [
        (lambda bert: bert.encode(b"the"), TypeError, "text must be a str"),
        (lambda bert: bert.encode("the", 3), TypeError, "pair must be a str"),
        (lambda bert: bert.encode("", None, 1), ValueError, "max_length must be 2 or more"),
        (lambda bert: bert.decode([5, -1]), ValueError, "no token has the id -1"),
        (lambda bert: bert.decode({5, 6}), TypeError, "which has no order"),
        (lambda bert: bert.decode([5], "no"), TypeError, "skip_special_tokens is True or False"),
        (lambda bert: BertTokenizer(bert.vocab, "no"), TypeError, "lowercase is True or False"),
        (lambda bert: BertTokenizer("vocab.txt"), TypeError, "vocab must be"),
        (lambda bert: BertTokenizer([*bert.vocab, "a"]), ValueError, "'a' is in vocab twice"),
        (lambda bert: to_bert_vocab({"▁", "a"}), TypeError, "which has no order"),
        (
            lambda bert: to_bert(to_bert(["▁s", "ea"])),
            ValueError,
            "'##ea', .* BERT's notation alre",
        ),
        (lambda bert: to_bert_vocab([*bert.vocab]), ValueError, "BERT's notation already"),
        (lambda bert: BertTokenizer(["▁", "a", "▁a"]), ValueError, "call wp.to_bert_tokenizer"),
    ],
)
def test_bad_arguments_are_rejected(homers_bert, use, error, says):
    with pytest.raises(error, match=says):
        use(homers_bert)


@pytest.mark.parametrize(
    "learn",
    [lambda counts: train_bert_vocab(counts, 60), lambda c: train_top_down(c, min_count=1)],
    ids=["merged", "top-down"],
)
def test_a_vocabulary_with_capitals_is_not_lowercased_unless_asked(learn):
    vocab = learn({"The": 5, "Ship": 4})
    bert = BertTokenizer(vocab)
    assert (bert.lowercase, bert.tokenize("The Ship")) == (False, ["The", "Ship"])
    assert BertTokenizer(vocab, lowercase=True).tokenize("The Ship") == ["[UNK]", "[UNK]"]
    bert = BertTokenizer(learn({"the": 5, "ship": 4}))
    assert (bert.lowercase, bert.tokenize("The Ship")) == (True, ["the", "ship"])


@pytest.mark.parametrize("missing", ["[UNK]", "[CLS]", "[SEP]"])
def test_a_vocabulary_without_its_special_tokens_is_rejected(missing):
    tokens = [token for token in SPECIAL_TOKENS if token != missing]
    with pytest.raises(ValueError, match=missing.strip("[]")):
        BertTokenizer(tokens)
