"""Saved BERT tokenizers are read as `transformers` does, or rejected by the setting at fault."""

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wpedu.bert import BertTokenizer
from wpedu.bert.pretrained import CONFIG, PIPELINE, VOCAB

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers")

SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
TOKENS = [*SPECIAL_TOKENS, *"the ##s É e don ' t . , [ ] mask 東 <x> ## ##e a b ##b".split()]
TEXTS = [
    "The sé É es [SEP] thes. don't , a",
    "[MASK]the [MASK] a[MASK] [mask] ab[PAD]a [UNK] <x> <X>",
    "e\u0301 東京 東 a\u00ad\x00\u0301b ## 'the ' a [ MASK ]",
    "",
]
UNCASED, CASED = BertTokenizer(TOKENS, lowercase=True), BertTokenizer(TOKENS, lowercase=False)
ELSEWHERE = BertTokenizer([*reversed(TOKENS)], lowercase=False)
FEWER = BertTokenizer([token for token in TOKENS if token not in ("[PAD]", "[MASK]")])


def change(folder, name, *keys, to):
    """Set the value at `keys` in a JSON file of `folder`."""
    path = folder / name
    saved = inner = json.loads(path.read_bytes())
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = to
    path.write_text(json.dumps(saved), encoding="utf-8")


def check_is_theirs(folder):
    """Assert that the tokenizer in `folder` gives what `transformers` gives."""
    ours = BertTokenizer.from_pretrained(folder)
    theirs = transformers.BertTokenizerFast.from_pretrained(folder)
    assert ours.vocab == theirs.get_vocab()
    for text in TEXTS:
        encoding, expected = ours.encode(text, TEXTS[0]), theirs(text, TEXTS[0])
        assert encoding.ids == expected["input_ids"]
        assert encoding.type_ids == expected["token_type_ids"]
        assert encoding.tokens == theirs.convert_ids_to_tokens(encoding.ids)
        for skip in (True, False):
            expected = theirs.decode(encoding.ids, skip_special_tokens=skip)
            assert ours.decode(encoding, skip) == expected
        cut = theirs(text, truncation=True, max_length=5)
        assert ours.encode(text, max_length=5).ids == cut["input_ids"]


@pytest.mark.parametrize("bert", [UNCASED, CASED, ELSEWHERE, FEWER])
@pytest.mark.parametrize("missing", [None, VOCAB])
def test_a_saved_tokenizer_is_read_as_theirs_and_so_is_what_they_save(tmp_path, bert, missing):
    bert.save_pretrained(tmp_path)
    if missing:
        (tmp_path / missing).unlink()
    check_is_theirs(tmp_path)
    theirs = transformers.BertTokenizerFast.from_pretrained(tmp_path)
    theirs.save_pretrained(tmp_path / "theirs")
    check_is_theirs(tmp_path / "theirs")
    assert BertTokenizer.from_pretrained(tmp_path / "theirs").vocab == bert.vocab


@pytest.mark.parametrize(
    ("key", "to"),
    [
        ("model_max_length", 512),
        ("tokenizer_class", "BertTokenizerFast"),
        ("never_split", []),
        ("clean_up_tokenization_spaces", True),
        ("name_or_path", "elsewhere"),
    ],
)
def test_a_setting_that_changes_no_token_is_read_as_theirs(tmp_path, key, to):
    UNCASED.save_pretrained(tmp_path)
    change(tmp_path, CONFIG, key, to=to)
    check_is_theirs(tmp_path)


@pytest.mark.parametrize(
    ("name", "keys", "to"),
    [
        (CONFIG, ["do_lower_case"], False),
        (CONFIG, ["strip_accents"], False),
        (CONFIG, ["tokenize_chinese_chars"], False),
        (CONFIG, ["mask_token"], "<x>"),
        (CONFIG, ["never_split"], ["the"]),
        (CONFIG, ["additional_special_tokens"], ["<x>"]),
        (CONFIG, ["extra_special_tokens"], {"image_token": "<x>"}),
        (PIPELINE, ["truncation"], {"max_length": 8, "stride": 0, "strategy": "LongestFirst"}),
        (PIPELINE, ["padding"], {"strategy": "BatchLongest", "pad_id": 0, "pad_token": "[PAD]"}),
        (PIPELINE, ["added_tokens", 4, "content"], "[NAME]"),
        (PIPELINE, ["normalizer", "handle_chinese_chars"], False),
        (PIPELINE, ["decoder", "prefix"], "@@"),
        (PIPELINE, ["model", "unk_token"], "[PAD]"),
        (PIPELINE, ["post_processor", "sep"], ["[SEP]", 4]),
    ],
)
def test_a_setting_that_changes_tokens_is_rejected_by_name(tmp_path, name, keys, to):
    UNCASED.save_pretrained(tmp_path)
    change(tmp_path, name, *keys, to=to)
    with pytest.raises(ValueError, match=f"{name} has {keys[0]} .* load this folder with `transf"):
        BertTokenizer.from_pretrained(tmp_path)


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1)),
    st.permutations(SPECIAL_TOKENS),
    st.sampled_from(["[PAD]", "[MASK]", None]),
    st.booleans(),
)
@settings(max_examples=40)
def test_any_vocabulary_is_saved_and_read(tmp_path_factory, tokens, special, without, lowercase):
    folder = tmp_path_factory.mktemp("bert")
    tokens = dict.fromkeys([*special, *tokens, "##s"])
    bert = BertTokenizer([token for token in tokens if token != without], lowercase)
    bert.save_pretrained(folder)
    opened = BertTokenizer.from_pretrained(folder)
    assert (opened.vocab, opened.lowercase) == (bert.vocab, lowercase)


def test_cleaning_up_is_saved_again(tmp_path):
    UNCASED.save_pretrained(tmp_path)
    change(tmp_path, CONFIG, "clean_up_tokenization_spaces", to=True)
    BertTokenizer.from_pretrained(tmp_path).save_pretrained(tmp_path)
    bert = BertTokenizer.from_pretrained(tmp_path)
    assert bert.decode(bert.encode("don't")) == "don't"
    assert UNCASED.decode(UNCASED.encode("don't")) == "don ' t"


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"has no tokenizer\.json: .* load_vocab"):
        BertTokenizer.from_pretrained(tmp_path)


@pytest.mark.parametrize("name", [PIPELINE, CONFIG])
@pytest.mark.parametrize("content", [b"", b'{"model": ', b"[]", b"\xff{}", b"[" * 100_000])
def test_damaged_json_is_rejected_with_its_path(tmp_path, name, content):
    UNCASED.save_pretrained(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=name):
        BertTokenizer.from_pretrained(tmp_path)


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (["model"], None),
        (["model", "vocab"], {"[UNK]": 0}),
        (["model", "vocab", "the"], 99),
        (["normalizer", "lowercase"], None),
    ],
)
def test_an_inconsistent_pipeline_is_rejected(tmp_path, keys, value):
    UNCASED.save_pretrained(tmp_path)
    change(tmp_path, PIPELINE, *keys, to=value)
    with pytest.raises(ValueError, match=r"tokenizer\.json is not a saved BERT tokenizer"):
        BertTokenizer.from_pretrained(tmp_path)
