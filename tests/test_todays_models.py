"""What notebook 13 builds is GPT-2's tokenizer and Unigram's way to cut, and its facts add up."""

import csv
import json
import sys
from itertools import combinations
from math import isclose, log
from pathlib import Path

import pytest
import tiktoken
from hard_strings import HARD_STRINGS
from hypothesis import given
from hypothesis import strategies as st
from test_prose_numbers import NOTEBOOKS
from tiktoken.load import data_gym_to_mergeable_bpe_ranks
from tiktoken_ext.openai_public import r50k_pat_str
from tokenizers import models

from wpedu.corpus import DATASETS, read_shipped, registered_files

sys.path.insert(0, str(Path(__file__).parent.parent / "datasets"))
from make_udhr import Paragraphs, clean


@pytest.fixture(scope="module")
def notebook():
    """Return the names that the notebook has at its end."""
    names = {}
    for cell in NOTEBOOKS["13_what_do_todays_models_use"].cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
    return names


@pytest.fixture(scope="module")
def gpt2(notebook, tmp_path_factory):
    """Return tiktoken's GPT-2, made of the shipped merges; tiktoken checks the notebook's ids."""
    merges, ids = (tmp_path_factory.mktemp("gpt2") / name for name in ("vocab.bpe", "encoder.json"))
    merges.write_text(read_shipped("gpt2/merges.txt.gz"), encoding="utf-8", newline="\n")
    ids.write_text(json.dumps(notebook["ids"]), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", "")  # no cache
        ranks = data_gym_to_mergeable_bpe_ranks(str(merges), str(ids))
    return tiktoken.Encoding(
        "gpt2", pat_str=r50k_pat_str, mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 50256}
    )


@pytest.mark.parametrize("text", HARD_STRINGS.values(), ids=HARD_STRINGS)
def test_gpt2s_ids_of_hard_strings_are_tiktokens(notebook, gpt2, text):
    assert notebook["encode"](text) == gpt2.encode_ordinary(text)


UNICODE = st.text(st.characters(exclude_categories=["Cs"]))


@given(text=UNICODE | st.text(st.sampled_from("aZé 's'll ယ၁1½\t\n_-.🏛\u00a0")))
def test_gpt2s_ids_of_any_text_are_tiktokens_and_restore_it(notebook, gpt2, text):
    ids = notebook["encode"](text)
    assert ids == gpt2.encode_ordinary(text)
    assert notebook["decode"](ids) == text


def encode_fast(notebook, text):
    """Return what `encode` does, with each different word cut once."""
    words = notebook["GPT2"].findall(text)
    cut = {word: notebook["replay"](notebook["to_bytes"](word), notebook["rank"]) for word in words}
    return [notebook["ids"][token] for word in words for token in cut[word]]


@pytest.mark.long
def test_gpt2s_ids_of_homer_are_tiktokens(notebook, gpt2, homer_text):
    assert encode_fast(notebook, homer_text) == gpt2.encode_ordinary(homer_text)
    iliad = registered_files("homer")[0].fetch().read_text(encoding="utf-8")
    assert len(gpt2.encode_ordinary(iliad)) == 210_277


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


# The figures


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
