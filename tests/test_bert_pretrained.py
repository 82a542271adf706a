"""Saved BERT tokenizers are read as `transformers` does; a folder that was changed is rejected."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wpedu.bert import BertTokenizer
from wpedu.bert.pretrained import CONFIG, PIPELINE, VOCAB

os.environ["HF_HUB_OFFLINE"] = "1"

SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
TOKENS = [*SPECIAL_TOKENS, *"the ##s é E don ' t . , [ ] mask 東 <x> ## ##e a b ##b".split()]
TEXTS = [
    "The sé É es [SEP] thes. don't , a",
    "[MASK]the [MASK] a[MASK] [mask] ab[PAD]a [UNK] <x> <X>",
    "e\u0301 東京 東 a\u00ad\x00\u0301b ## 'the ' a [ MASK ]",
    "",
]
UNCASED, CASED = BertTokenizer(TOKENS, lowercase=True), BertTokenizer(TOKENS, lowercase=False)
ELSEWHERE = BertTokenizer([*reversed(TOKENS)], lowercase=False)
FEWER = BertTokenizer([token for token in TOKENS if token not in ("[PAD]", "[MASK]")])


@pytest.mark.parametrize("bert", [UNCASED, CASED, ELSEWHERE, FEWER])
def test_transformers_reads_a_saved_tokenizer_as_it_is(tmp_path, bert):
    from transformers import BertTokenizerFast  # slow, so not in every process that collects tests

    bert.save_pretrained(tmp_path)
    theirs = BertTokenizerFast.from_pretrained(tmp_path)
    assert bert.vocab == theirs.get_vocab()
    for text in TEXTS:
        encoding, expected = bert.encode(text, TEXTS[0]), theirs(text, TEXTS[0])
        assert encoding.ids == expected["input_ids"]
        assert encoding.type_ids == expected["token_type_ids"]
        for skip in (True, False):
            expected = theirs.decode(encoding.ids, skip_special_tokens=skip)
            assert bert.decode(encoding, skip) == expected
        cut = theirs(text, truncation=True, max_length=5)
        assert bert.encode(text, max_length=5).ids == cut["input_ids"]
    theirs.save_pretrained(tmp_path / "theirs")
    with pytest.raises((FileNotFoundError, ValueError), match="load_vocab"):
        BertTokenizer.from_pretrained(tmp_path / "theirs")


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


@pytest.mark.parametrize("name", [VOCAB, CONFIG, PIPELINE])
def test_a_folder_that_was_changed_is_rejected(tmp_path, name):
    UNCASED.save_pretrained(tmp_path)
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(content.replace(b"[MASK]", b"[NAME]"))
    with pytest.raises(ValueError, match=r"is not as save_pretrained writes it, .*: open it with"):
        BertTokenizer.from_pretrained(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises((FileNotFoundError, ValueError), match="load_vocab"):
        BertTokenizer.from_pretrained(tmp_path)
