"""An edition for another corpus: what it has, what it rejects, and that nothing is half-written."""

import copy
import re
from pathlib import Path

import make_edition
import nbformat
import pytest
import right_to_left
from choose_words import Choice, choose_words
from make_edition import EDITION, EXECUTED, LINK, PART, mark_homer, substitute
from other_corpora import made_up
from substitution import cell_of, roles

from wpedu import Corpus

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = {
    number: nbformat.read(next(FOLDER.glob(f"{number}_*.ipynb")), as_version=4)
    for number in EXECUTED
}


def linked(path: Path) -> list[Path]:
    """Return the files that a notebook or a page links to."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = nbformat.reads(text, as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return [path.parent / link[3] for link in LINK.finditer(text)]


def prose(notebook) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def outputs(notebook) -> list:
    return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.long
def test_an_edition_runs_where_it_is_handed_out(tmp_path):
    (tmp_path / "own text.txt").write_text(made_up("with accents"), encoding="utf-8-sig")
    make_edition.make_edition(tmp_path / "own text.txt", tmp_path / "edition")
    made = tmp_path / "edition" / "notebooks"
    names = sorted(path.name for path in FOLDER.glob("*.ipynb"))
    assert sorted(path.name for path in made.glob("*.ipynb")) == names
    assert (made / "corpus" / "own text.txt").is_file()
    for name in names:
        ours, theirs = (nbformat.read(folder / name, as_version=4) for folder in (FOLDER, made))
        line, _, rest = theirs.cells[0].source.partition("\n\n")
        assert line.startswith("> **An edition for `own text.txt`.**")
        theirs.cells[0].source = rest
        if name[:2] in EXECUTED:
            code = "\n".join(c.source for c in theirs.cells if c.cell_type == "code")
            assert code.count('load_corpus("corpus")') == 1
            assert prose(theirs).count("**Homer:**") > 2 and "**Homer:** #" not in prose(theirs)
            assert outputs(theirs) != outputs(ours)
        else:
            for cell in ours.cells:
                if cell.cell_type == "markdown":
                    cell.source = make_edition.without_playground(cell.source)
            assert theirs == ours
    pages = [*(tmp_path / "edition").rglob("*.ipynb"), *(tmp_path / "edition").rglob("*.md")]
    for copied in (tmp_path / "edition" / "labs").rglob("*.ipynb"):
        first = nbformat.read(copied, as_version=4).cells[0].source
        assert first.partition("\n\n")[0].endswith("does not use `own text.txt`.")
    missing = [link for page in pages for link in linked(page) if not link.exists()]
    assert len(pages) > 30 and missing == []


@pytest.mark.parametrize("markdown, marked", [
    ("In Homer, `th`.\nThen.\n\nA pair.", "> **Homer:** In Homer, `th`.\n> Then.\n\nA pair."),
    ("So:\n- It has one.\n- Homer's `th`.", "So:\n- It has one.\n- **Homer:** Homer's `th`."),
    ("1. A `th` of the *Iliad*.", "1. **Homer:** A `th` of the *Iliad*."),
    ("<details><summary>Homer</summary>\n\nHis, not Homer's.\n\n</details>",
     "<details><summary>Homer</summary>\n\n> **Homer:** His, not Homer's.\n\n</details>"),
    ("## Homer\n\n```text\nHomer\n```", "## Homer\n\n```text\nHomer\n```"),
    ("It is `▁th`, 77 times.\n\nA `ka`.", "> **Homer:** It is `▁th`, 77 times.\n\nA `ka`."),
    ("All 10,319 words.\n\nTake 77 `ka`.", "> **Homer:** All 10,319 words.\n\nTake 77 `ka`."),
])  # fmt: skip
def test_paragraphs_that_name_or_quote_homer_are_marked(markdown, marked):
    assert mark_homer(markdown, homers="['▁th'] 10,319 ka", others="ka 77") == marked


# What is said


def test_what_a_text_lacks_is_said_at_the_beginning(monkeypatch):
    poor = frozenset({"misled", "late", "unspellable"})
    choice = Choice({**EDITION["words"], "unspellable": "thuՠ"}, poor, False, False)
    told = make_edition.warnings("ab" * 1_337, choice)
    assert "only 2,674 characters" in told[0] and "`thuՠ` is made up" in told[1]
    assert told[2] == EDITION["notes"]["misled"] and len(told) == 3
    monkeypatch.setattr(make_edition, "legible", lambda char: f"U+{ord(char):04X}")
    (told,) = make_edition.warnings("አ" * 9_000, Choice({}, frozenset(), False, False))
    assert told.startswith("Figures will show U+12A0 for አ") and "Noto Sans Ethiopic" in told


@pytest.mark.parametrize("text, isolated", [
    ("▁של ▁ום | a", "(▁של ▁ום) | a"), ("['▁של', 'ום']", "['(▁של)', '(ום)']"),
    ("3 ##وال.", "3 (##وال.)"), ("sea", "sea"), ("✓ ▁", "✓ ▁"),
])  # fmt: skip
def test_words_from_the_right_are_isolated(text, isolated):
    brackets = str.maketrans("()", "\u2068\u2069")
    assert right_to_left.isolate(text) == isolated.translate(brackets)


# What is replaced


SNIPPETS = [(number, s) for number, listed in EDITION["snippets"].items() for s in listed]


@pytest.mark.parametrize("number, snippet", SNIPPETS)
def test_a_snippet_with_homers_words_is_in_one_cell(number, snippet):
    cell_of(snippet, NOTEBOOKS[number], EDITION["words"])


def test_each_role_is_in_a_snippet_and_has_a_word_in_every_text():
    used = set().union(*(roles(snippet) for _, snippet in SNIPPETS))
    choice = choose_words(Corpus("made up", text=made_up("with accents")))
    assert used == EDITION["words"].keys() == choice.words.keys()
    assert EDITION["notes"].keys() - {"short"} <= used


@pytest.mark.parametrize("kind", ["marked", "unmarked"])
def test_the_paragraphs_that_are_listed_are_there(kind):
    everything = "\n".join(map(prose, NOTEBOOKS.values()))
    parts = [part[0] for part in PART.finditer(everything)]
    counts = {s: sum(p.startswith(s) for p in parts) for s in EDITION["homers"][kind]}
    assert {start: count for start, count in counts.items() if count != 1} == {}


def test_a_text_without_a_word_for_a_role_keeps_homers_sentence_and_gets_a_note():
    words = {**EDITION["words"], "passed_over": [["k", "a"]], "faithful": "ka"}
    poor = frozenset({"passed_over", "faithful"})
    notebook = copy.deepcopy(NOTEBOOKS["08"])
    substitute(notebook, "08", Choice(words, poor, False, False))
    code = [cell.source for cell in notebook.cells if '[:4], ("k", "a")]:' in cell.source]
    assert len(code) == 1 and "although every `q` is followed by `u`" in prose(notebook)
    assert EDITION["notes"]["passed_over"] in prose(notebook)


def test_a_snippet_that_no_cell_has_is_named():
    with pytest.raises(ValueError, match=r"0 cells have the snippet 'a \$cut'"):
        cell_of("a $cut", NOTEBOOKS["08"], EDITION["words"])


GOOD = "a text, " * 1_000


@pytest.mark.parametrize("content, folder, says", [
    (None, "new", "text.txt does not exist: correct the path"),
    (b"too short", "new", "has only 10 characters: give at least 2,000"),
    (b"\xff" * 9_000, "new", "is not UTF-8"),
    (GOOD.encode(), ".", "is not an empty folder: give a new one"),
    (GOOD.encode(), "text.txt", "is not an empty folder: give a new one"),
    (GOOD.encode(), "no/such", "does not exist: create it first"),
    (GOOD.encode(), "new", "has 2 distinct words of letters"),
])  # fmt: skip
def test_what_cannot_become_an_edition_leaves_nothing(tmp_path, content, folder, says):
    if content is not None:
        (tmp_path / "text.txt").write_bytes(content)
    (tmp_path / "other").touch()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises((ValueError, FileNotFoundError), match=re.escape(says)):
        make_edition.make_edition(tmp_path / "text.txt", tmp_path / folder)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.long
def test_the_command_says_what_is_wrong_in_a_line(tmp_path, run_python):
    command = [FOLDER / "make_edition.py", tmp_path / "text.txt", tmp_path / "new"]
    result = run_python(*command, check=False)
    told = f"make_edition.py: {tmp_path / 'text.txt'} does not exist: correct the path\n"
    assert (result.returncode, result.stderr) == (1, told)
