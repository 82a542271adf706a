"""Notebook 14: the figures from Homer's text, and what `transformers` does by itself."""

import json
import sys

import nbformat
import pytest
from test_notebooks import FOLDER

from wpedu import BertTokenizer, load_vocab
from wpedu.corpus import DATASETS

WORDS = ["Peleus", "sailed", "from", "Phthia", "to", "Troy"]


def outputs_of(snippet: str) -> str:
    """Return what is printed by the cell of notebook 14 that contains `snippet`."""
    cells = nbformat.read(FOLDER / "14_in_practice.ipynb", as_version=4).cells
    (cell,) = (c for c in cells if c.cell_type == "code" and snippet in c.source)
    outputs = (output.get("text") or output.data.get("text/plain", "") for output in cell.outputs)
    return "".join(outputs)


@pytest.fixture
def transformers(tmp_path):
    """BERT's tokenizer in `transformers`."""
    from transformers import AutoTokenizer  # slow, so not in every process that collects tests

    BertTokenizer(load_vocab("bert-base-uncased")).save_pretrained(tmp_path)
    return AutoTokenizer.from_pretrained(tmp_path)


def test_the_figures_are_those_of_the_text(homer_text):
    sys.path.insert(0, str(DATASETS))
    from make_running_text import find_facts

    saved = json.loads((DATASETS / "homer" / "running_text.json").read_text(encoding="utf-8"))
    assert find_facts(homer_text) == saved


def test_word_ids_are_those_of_the_library(transformers):
    encoding = transformers(WORDS, is_split_into_words=True)
    shown = " ".join(map(str, encoding.word_ids()[1:-1]))
    tokens = " ".join(encoding.tokens()[1:-1])
    assert outputs_of("word_ids.append") == f"{tokens}\n{shown}\n"


def test_an_added_token_matches_inside_a_word_as_in_the_library(transformers):
    transformers.add_tokens("peleus")
    row = f"add_tokens peleus {' '.join(transformers.tokenize('unpeleused'))}"
    assert row in " ".join(outputs_of("def with_added_token").split())


def test_the_chunks_of_the_library_overlap_and_cut_words(transformers, homer):
    options = {"truncation": True, "max_length": 17, "stride": 3}
    chunks = transformers(homer.opening, return_overflowing_tokens=True, **options)
    first, second = (chunks.tokens(i)[1:-1] for i in range(2))
    assert second[:3] == first[-3:]
    assert second[3].startswith("##")
    assert len(transformers(homer.opening * 30).input_ids) > 512  # it does not truncate unasked


def test_the_library_ignores_vocab_txt_beside_tokenizer_json(tmp_path):
    from transformers import AutoTokenizer, __version__

    vocab = load_vocab("bert-base-uncased")
    BertTokenizer(vocab).save_pretrained(tmp_path)
    entries = ["peleus" if entry == "[unused0]" else entry for entry in vocab]
    (tmp_path / "vocab.txt").write_text("\n".join(entries), encoding="utf-8")
    read = AutoTokenizer.from_pretrained(tmp_path)
    assert read.tokenize("Peleus") == ["pe", "##le", "##us"]
    read.save_pretrained(tmp_path / "again")
    assert (tmp_path / "again" / "vocab.txt").exists() == (int(__version__.split(".")[0]) < 5)
    (tmp_path / "tokenizer.json").unlink()
    assert AutoTokenizer.from_pretrained(tmp_path).tokenize("Peleus") == ["peleus"]
