"""Every number in prose is one that the notebook prints or computes with, or has a source."""

import re
import tomllib
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from prose_numbers import mentioned, shown, stated

from wpedu import to_bert

ROOT = Path(__file__).parent.parent
NOTEBOOKS = {
    path.stem: nbformat.read(path, as_version=4)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
}
FACTS = tomllib.loads(
    (Path(__file__).parent / "sourced_facts.toml").read_text(encoding="utf-8")
).get("fact", [])
README = (ROOT / "README.md").read_text(encoding="utf-8")


def prose_of(notebook) -> str:
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return "\n\n".join(cells)


def numbers_of(notebook, code: bool = True) -> set[float]:
    """Return the numbers in the outputs of `notebook`, and in its code."""
    found = set()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if code:
                found |= shown(cell.source)
            for output in cell.outputs:
                data = output.get("data", {})
                found |= shown(output.get("text", "") + data.get("text/plain", ""))
    return found


def untied(name: str, notebook, others: dict, facts: list[dict]) -> list[str]:
    """Return the numbers in the prose of `notebook` that nothing holds, each with its line."""
    prose = prose_of(notebook)
    for fact in facts:
        if fact["notebook"] in (name, "*"):
            prose = prose.replace(fact["text"], "…")
    own = numbers_of(notebook)
    found = []
    for number in stated(prose):
        known = set(own)
        for other, other_notebook in others.items():
            if other[:2] in mentioned(number.line):
                known |= numbers_of(other_notebook, code=False)
        if not number.is_among(known):
            found.append(f"{number.text!r} in: {number.line.strip()[:160]}")
    return found


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_each_number_in_prose_is_computed_or_has_a_source(name):
    found = untied(name, NOTEBOOKS[name], NOTEBOOKS, FACTS)
    advice = "print these in a cell, or add them, with their source, to tests/sourced_facts.toml:"
    assert not found, "\n".join([advice, *found])


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["text"][:40])
def test_a_sourced_fact_is_stated_and_its_source_can_be_opened(fact):
    assert set(fact) == {"notebook", "text", "source"}
    everywhere = {name: prose_of(notebook) for name, notebook in NOTEBOOKS.items()}
    everywhere |= {"README": README, "*": "\n".join(everywhere.values())}
    prose = everywhere[fact["notebook"]]
    assert fact["text"] in prose, "nobody says this any more: take it out of the list"
    assert stated(fact["text"]), "there is no number in this"
    if fact["source"].startswith("tests/"):
        path, test = fact["source"].split("::")
        assert re.search(rf"^def {test}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    else:
        assert re.match(r"https://\S+|asked$", fact["source"])


# The README


def test_the_diagram_of_the_readme_is_that_of_the_walk(homer, wp):
    diagram = re.search(r"```mermaid\n(.*?)```", README, re.DOTALL)[1]
    boxes = dict(re.findall(r'"([^"]+?)<br>(.*?)"', diagram))
    for entry in boxes["word counts"].split(" · "):
        word, count = entry.split(" ")
        assert int(count.replace(",", "")) == homer.word_counts[word]
    merges = boxes["merges"].split(" · … · ")
    assert [tuple(merge.split("+")) for merge in merges] == [wp.merges[0], wp.merges[-1]]
    characters, made = map(int, re.findall(r"\d+", boxes["vocabulary"]))
    assert (characters + made, made) == (len(wp.vocab), len(wp.merges))
    assert boxes["tokens"].split() == wp.tokenize("Sit careless")
    assert boxes["BERT's tokens"].split() == to_bert(wp.tokenize("Sit careless"))


def test_the_numbers_in_the_readmes_tables_are_computed_or_have_a_source():
    rows = "\n".join(line for line in README.splitlines() if line.startswith("|"))
    for fact in FACTS:
        if fact["notebook"] == "README":
            rows = rows.replace(fact["text"], "…")
    known = set().union(*(numbers_of(notebook, code=False) for notebook in NOTEBOOKS.values()))
    rows = re.sub(r"\b\d\d_\w+", "", rows)
    assert [number.text for number in stated(rows) if not number.is_among(known)] == []


def test_the_walk_takes_as_long_as_is_said():
    walk = [prose_of(notebook) for name, notebook in NOTEBOOKS.items() if name[:2] <= "06"]
    minutes = [int(re.search(r"^Time: (\d+) minutes", prose, re.MULTILINE)[1]) for prose in walk]
    assert 3.25 < sum(minutes) / 60 < 3.75
    assert all("about three and a half hours, " in told for told in (README, walk[0]))


# The test itself


def found_in(prose, output="10319 656.947 0.9714\n") -> list[str]:
    printed = new_output("stream", name="stdout", text=output)
    cells = [new_markdown_cell(prose), new_code_cell("print()", outputs=[printed])]
    return untied("00_toy", new_notebook(cells=cells), {}, [])


@pytest.mark.parametrize(
    "prose",
    [
        "It has 10,319 words, about 10.3 thousand, 656.9 or 97.1%; only the 10,319th.",
        "See notebook 03, section 13.3, issue #500, `train(num_merges=77)` and U+2581.",
        "Time: 25 minutes. Devlin et al. 2019, (2024), GPT-2, UTF-8, [words](https://x.org/77)",
        "Back to [10 Speed and scale](10_speed_and_scale.ipynb).",
        "1. A list.\n2. Of two.",
    ],
)
def test_a_number_that_is_held_is_not_reported(prose):
    assert found_in(prose) == []


@pytest.mark.parametrize(
    "prose",
    "10,318 | Fourteen novels | Two hundred times | 98% of the words | the 991st | $8 \\ln 10319$ |"
    " 1.4 million | `0.0667` | 657".split(" | "),
)
def test_a_number_that_nothing_holds_is_reported(prose):
    assert len(found_in(prose)) == 1
