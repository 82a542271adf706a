"""Every number in prose is one that the notebook prints or computes with, or has a source."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from prose_numbers import mentioned, shown, stated

from wpedu import load_corpus, to_bert
from wpedu.corpus import registered_files

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


def diagram() -> str:
    return re.search(r"```mermaid\n(.*?)```", README, re.DOTALL)[1]


def test_the_counts_in_the_diagram_are_homers(homer):
    counts = re.search(r'"word counts<br>(.*?)"', diagram())[1].split(" · ")
    assert len(counts) > 1
    for entry in counts:
        word, count = entry.split(" ")
        assert int(count.replace(",", "")) == homer.word_counts[word]


def test_the_merges_in_the_diagram_are_the_first_and_the_last(wp):
    first, last = re.search(r'"merges<br>(.*?) · … · (.*?)"', diagram()).groups()
    assert [tuple(first.split("+")), tuple(last.split("+"))] == [wp.merges[0], wp.merges[-1]]


def test_the_vocabulary_in_the_diagram_is_that_of_the_walk(wp):
    told = re.search(r'"vocabulary<br>(.*?)"', diagram())[1]
    characters, merges = map(int, re.findall(r"\d+", told))
    assert merges == len(wp.merges)
    assert characters + merges == len(wp.vocab)


def test_the_tokens_in_the_diagram_are_those_of_the_walk(wp):
    tokens = re.search(r"\"tokens<br>(.*?)\"", diagram())[1].split()
    bert = re.search(r"\"BERT's tokens<br>(.*?)\"", diagram())[1].split()
    assert tokens == wp.tokenize("Sit careless")
    assert bert == to_bert(tokens)


def test_the_diagram_has_no_other_number(wp):
    known = re.sub(r'"(?:word counts|vocabulary)<br>.*?"', "", diagram())
    assert re.findall(r"\d+", known) == []


def test_the_numbers_in_the_readmes_tables_are_computed_or_have_a_source():
    rows = "\n".join(line for line in README.splitlines() if line.startswith("|"))
    for fact in FACTS:
        if fact["notebook"] == "README":
            rows = rows.replace(fact["text"], "…")
    known = set().union(*(numbers_of(notebook, code=False) for notebook in NOTEBOOKS.values()))
    rows = re.sub(r"\b\d\d_\w+", "", rows)
    assert [number.text for number in stated(rows) if not number.is_among(known)] == []


def test_the_readmes_say_how_much_text_there_is(homer, facts):
    num_novels = len(registered_files("dickens"))
    opening = f"first {len(homer.opening)} characters"
    told = (ROOT / "datasets" / "README.md").read_text(encoding="utf-8")
    assert told.count(opening) == 2
    assert f"Homer: {len(homer.word_counts):,} lines" in told
    assert f"Dickens: {len(load_corpus('dickens').word_counts):,} lines" in told
    assert (
        f"{facts['text']['characters']:,} characters, {homer.word_counts.total():,} words" in told
    )
    assert f"first 1, 2, … {num_novels} novels" in told
    assert f"**Dickens** is {num_novels} novels" in told
    assert f"Homer and of {num_novels} novels of Dickens, and Homer's {opening}," in README


def test_the_walk_takes_as_long_as_is_said():
    walk = [prose_of(notebook) for name, notebook in NOTEBOOKS.items() if name[:2] <= "06"]
    minutes = [int(re.search(r"^Time: (\d+) minutes", prose, re.MULTILINE)[1]) for prose in walk]
    assert len(minutes) == 7
    assert sum(minutes) == 180
    for told in README, walk[0]:
        assert "about three hours with the exercises" in told


# The test itself


def notebook_of(prose, code="print(len(words))", output="10319\n"):
    printed = new_output("stream", name="stdout", text=output)
    return new_notebook(cells=[new_markdown_cell(prose), new_code_cell(code, outputs=[printed])])


@pytest.mark.parametrize(
    "prose",
    [
        "It has 10,319 words.",
        "Only 10,319th.",
        "About 10.3 thousand words, or 0.01 million.",
        "See notebook 03, section 13.3, issue #500, `train(num_merges=77)` and U+2581.",
        "Time: 25 minutes.",
        "# 11 · Was BERT merged?",
        "Back to [10 Speed and scale](10_speed_and_scale.ipynb).",
        "Devlin et al. 2019, (2024), GPT-2, UTF-8.",
        "[words](https://example.org/77)",
        "1. A list.\n2. Of two.",
    ],
)
def test_a_number_that_is_held_is_not_reported(prose):
    assert untied("00_toy", notebook_of(prose), {}, []) == []


@pytest.mark.parametrize(
    "prose, number",
    [
        ("It has 10,318 words.", "10,318"),
        ("849 words differ.", "849"),
        ("Fourteen novels.", "Fourteen"),
        ("Two hundred times.", "Two hundred"),
        ("98% of the words", "98%"),
        ("the 991st", "991st"),
        ("| a | 95 of 10,319 |", "95"),
        ("$8 \\ln 10319$", "8"),
        ("1.4 million characters", "1.4 million"),
        ("It is `0.0667`.", "0.0667"),
    ],
)
def test_a_number_that_nothing_holds_is_reported(prose, number):
    (found,) = untied("00_toy", notebook_of(prose), {}, [])
    assert found.startswith(f"{number!r} in: ")


def test_rounding_is_allowed_to_decimals_and_not_to_whole_numbers():
    notebook = notebook_of("It is 5.7 and 97.1% and 6 and 2 million.", output="5.68 0.9714 2063800")
    (found,) = untied("00_toy", notebook, {}, [])
    assert found.startswith("'6' in: ")


def test_a_number_of_another_notebook_is_held_where_that_is_named():
    other = {"03_other": notebook_of("", output="656947")}
    assert untied("04_toy", notebook_of("656,947 tokens (notebook 03)."), other, []) == []
    assert untied("04_toy", notebook_of("656,947 tokens."), other, []) != []


def test_a_sourced_fact_holds_its_own_words_only():
    fact = {"notebook": "00_toy", "text": "3.3 billion words", "source": "https://example.org"}
    notebook = notebook_of("It read 3.3 billion words.")
    assert untied("00_toy", notebook, {}, [fact]) == []
    assert untied("01_toy", notebook, {}, [fact]) != []
    assert untied("00_toy", notebook_of("It read 3.4 billion words."), {}, [fact]) != []


def changed(number):
    """Return `number` with its last digit one higher, and one lower."""
    step = number.unit / 10**number.decimals
    return [replace(number, value=round(number.value + sign * step, 9)) for sign in (1, -1)]


def test_a_changed_number_is_nearly_always_noticed():
    """Only where the notebook has the wrong number as well, it is not."""
    noticed = []
    for notebook in NOTEBOOKS.values():
        known = numbers_of(notebook)
        for number in stated(prose_of(notebook)):
            if len(re.findall(r"\d", number.text)) >= 3:
                noticed += [not wrong.is_among(known) for wrong in changed(number)]
    assert sum(noticed) >= 0.9 * len(noticed)
