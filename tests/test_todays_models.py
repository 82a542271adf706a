"""What notebook 13 builds is what Hugging Face's `tokenizers` does, and its facts are BERT's."""

import csv
import json
import sys
from itertools import combinations
from math import isclose, log
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from test_prose_numbers import NOTEBOOKS
from tokenizers import models, pre_tokenizers

from wpedu import BertTokenizer, pretokenize
from wpedu.corpus import DATASETS

sys.path.insert(0, str(Path(__file__).parent.parent / "datasets"))
from make_udhr import Paragraphs, clean

FACTS = json.loads((DATASETS / "languages" / "facts.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def notebook():
    """Return the names that the notebook has when it comes to what a text costs."""
    names = {}
    for cell in NOTEBOOKS["13_what_do_todays_models_use"].cells:
        if cell.cell_type == "markdown" and "## What does a text cost?" in cell.source:
            return names
        if cell.cell_type == "code":
            exec(cell.source, names)
    raise AssertionError("the notebook does not ask what a text costs")


@given(text=st.text(st.characters(exclude_categories=["Cs"])))
@example(text="touché ▁ Ἀχιλλεύς 🏛 ပင်လယ်")
@example(text="Ġ and ▁the")
def test_no_text_is_unknown_in_bytes_and_its_words_come_back(notebook, text):
    tokens = notebook["encode"](text)
    assert "[UNK]" not in tokens
    assert notebook["decode"](tokens) == " ".join(pretokenize(text))


def test_replaying_is_what_hugging_face_does_with_the_same_merges(notebook):
    vocab = {token: number for number, token in enumerate(notebook["vocab"])}
    bpe = models.BPE(vocab=vocab, merges=notebook["merges"])
    for word, tokens in notebook["replayed"].items():
        assert [token.value for token in bpe.tokenize("▁" + word)] == tokens


def test_the_most_probable_cut_is_hugging_faces(notebook):
    log_p = notebook["log_p"]
    unigram = models.Unigram([("[UNK]", -100.0), *log_p.items()], unk_id=0)
    differ = 0
    for word in notebook["words"]:
        ours = notebook["most_probable"]("▁" + word, log_p)
        theirs = [token.value for token in unigram.tokenize("▁" + word)]
        if ours != theirs:  # the same probability, added in another order
            differ += 1
            assert isclose(sum(map(log_p.get, ours)), sum(map(log_p.get, theirs)))
    assert differ < 10


def test_no_cut_is_more_probable(notebook):
    log_p = {"a": log(0.2), "b": log(0.2), "ab": log(0.1), "ba": log(0.3), "aba": log(0.2)}
    for word in ["a", "ab", "aba", "abab", "babab", "ababba"]:
        cuts = []
        for number in range(len(word)):
            for places in combinations(range(1, len(word)), number):
                ends = [*places, len(word)]
                cuts.append([word[start:end] for start, end in zip([0, *places], ends)])
        possible = [cut for cut in cuts if set(cut) <= set(log_p)]
        found = sum(map(log_p.get, notebook["most_probable"](word, log_p)))
        assert isclose(found, max(sum(map(log_p.get, cut)) for cut in possible))


THEIRS = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)


def their_words(text):
    """Return the words that Hugging Face's GPT-2 makes of a text."""
    return [text[start:end] for _, (start, end) in THEIRS.pre_tokenize_str(text)]


def test_gpt2s_words_of_homer_are_hugging_faces(notebook, homer_text):
    words = notebook["GPT2"].findall(homer_text)
    assert words == their_words(homer_text)
    assert "".join(words) == homer_text


@given(text=st.text(st.sampled_from("aZé 's'll ယ၁1½\t\n_-.🏛\u00a0")))
def test_gpt2s_words_of_any_text_are_hugging_faces_and_lose_nothing(notebook, text):
    words = notebook["GPT2"].findall(text)
    assert words == their_words(text)
    assert "".join(words) == text


def test_a_byte_looks_as_in_hugging_faces_gpt2(notebook):
    assert sorted(notebook["CHARS"]) == sorted(pre_tokenizers.ByteLevel.alphabet())
    text = "the sea, touché 🏛 ပင်လယ်"
    (whole,) = pre_tokenizers.ByteLevel(False, use_regex=False).pre_tokenize_str(text)
    assert notebook["to_bytes"](text) == whole[0]


# The figures


def test_the_facts_about_bert_are_its_vocabularys(bert_vocab):
    bert = BertTokenizer(bert_vocab)
    for text, tokens in FACTS["bert_tokens"].items():
        assert bert.tokenize(text) == tokens
        assert [bert.vocab[token] for token in tokens] == FACTS["bert_ids"][text]


def test_no_vocabulary_of_bytes_takes_more_tokens_than_bytes():
    path = DATASETS / "languages" / "tokens.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len({row["language"] for row in rows}) == len(rows) == 24
    for row in rows:
        number = {name: int(text) for name, text in row.items() if text.isdigit()}
        assert number["characters"] <= number["bytes"]
        for name in ("gpt2", "cl100k_base", "o200k_base"):
            assert number["words"] <= number[name] <= number["bytes"]
        for name in ("bert", "mbert"):
            assert number[f"{name}_unknown"] <= number[f"{name}_words"] <= number[name]


def test_a_declaration_is_read_by_paragraphs_without_headings():
    html = (
        "<h1>Title</h1><p>before</p><article data-number='1'><h2>One</h2><p>a &amp;\n b</p>"
        "<ol><li>c</li></ol></article><article data-number='2'><p>d</p></article><p>after</p>"
    )
    assert Paragraphs(html).found == [(1, "a &\n b"), (1, "c"), (2, "d")]
    assert clean("ሰላም፡ለዓለም፡ e\u0302") == "ሰላም ለዓለም ê"
