"""The walk on one page: its functions are those of the notebooks, and do what the package does."""

import ast
import re
import sys
from pathlib import Path

import pytest
from test_prose_numbers import NOTEBOOKS

import wpedu

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "notebooks"))
import one_page  # noqa: E402

DOCSTRING = re.compile(r'\n +"""[^"]*"""')


def definitions(source: str) -> dict[str, str]:
    """Return the functions and classes of `source` by their names, without docstrings."""
    nodes = [node for node in ast.parse(source).body if hasattr(node, "name")]
    return {n.name: DOCSTRING.sub("", ast.get_source_segment(source, n)) for n in nodes}


PAGE = definitions(Path(one_page.__file__).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PAGE)
def test_a_function_of_the_page_is_that_of_a_notebook(name):
    notebooks = [NOTEBOOKS[stem] for stem in sorted(NOTEBOOKS)[:7]]
    code = [c.source for notebook in notebooks for c in notebook.cells if c.cell_type == "code"]
    assert PAGE[name] in [found.get(name) for found in map(definitions, code)]


def test_the_page_makes_the_first_merges_of_the_package(homer):
    words = dict(homer.word_counts)
    assert one_page.train(words, 5) == wpedu.train(words, 5)


def test_the_page_encodes_and_converts_as_the_package_on_all_of_homer(homer, wp, monkeypatch):
    assert one_page.build_vocab(homer.word_counts, wp.merges) == wp.vocab
    encoder = one_page.LoopEncoder(wp.vocab)
    monkeypatch.setattr(one_page, "encoder", encoder, raising=False)
    assert set(one_page.to_bert_vocab(wp.vocab)) == set(wpedu.to_bert_vocab(wp.vocab))
    for word in homer.word_counts:
        tokens = encoder.encode("▁" + word)
        assert tokens == wp.encode("▁" + word)
        assert one_page.to_bert(tokens) == wpedu.to_bert(tokens)
    assert one_page.tokenize("Sit careless in the shade!") == wp.tokenize(
        "Sit careless in the shade!"
    )


@pytest.mark.long
def test_the_page_prints_the_tokens_of_the_readme(run_python, monkeypatch):
    monkeypatch.chdir(ROOT)
    printed = run_python(ROOT / "notebooks" / "one_page.py").stdout.splitlines()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert str(printed[0].split()) in readme
    assert printed[2] == "Sit careless in the shade !"
