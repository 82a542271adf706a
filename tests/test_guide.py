"""What docs/guide.md, the slides and the handout say of the notebooks is so."""

import os
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter
from math import log
from pathlib import Path

import pytest
from prose_numbers import stated
from test_notebooks import NAMES
from test_prose_numbers import FACTS, NOTEBOOKS, numbers_of

from wpedu import (
    BertTokenizer,
    LoopEncoder,
    build_vocab,
    merge_pair,
    pair_gains,
    pretokenize,
    to_bert,
    to_bert_vocab,
    train,
)
from wpedu.corpus import bert_examples
from wpedu.measures import open_entries

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
SLIDES = (ROOT / "docs" / "slides" / "index.md").read_text(encoding="utf-8")
TOY = {"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}

SECTIONS = dict(re.findall(r"^### (\d\d) · .*\n((?:(?!^##).*\n)*)", GUIDE, re.MULTILINE))
QUESTION = re.compile(r"^\*\*Question (\d\d\.\d)\*\* (.*)\n\n((?:\|.*\n)+)", re.MULTILINE)
ROW = re.compile(r"^\| (\*\*)?([A-D])(?:\*\*)? \| (.*?) \| (.*?) \|$", re.MULTILINE)
QUESTIONS = {number: (text, ROW.findall(rows)) for number, text, rows in QUESTION.findall(GUIDE)}


def notebook(number):
    (name,) = [name for name in NOTEBOOKS if name.startswith(number)]
    return NOTEBOOKS[name]


def code_cells(number):
    return {c.execution_count: c for c in notebook(number).cells if c.cell_type == "code"}


def output(cell) -> str:
    texts = (o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs)
    return "\n".join(text.rstrip("\n") for text in texts)


# The guide


def test_the_cells_that_the_guide_names_are_there():
    named = re.findall(r"\b(\d\d) \[(\d+)\](?:–\[(\d+)\])?", GUIDE)
    assert len(named) > 30
    for number, first, last in named:
        assert {int(first), int(last or first)} <= set(code_cells(number)), (number, first, last)
        assert int(first) <= int(last or first)


MEANT = {
    "00 [5]": "now = pair_gains",
    "01 [10]": "def count_words",
    "03 [9]": "the gain of ▁ea is",
    "04 [20]": 'for word in ["re", "men", "war"]',
    "05 [2]": 'trace("cats"',
    "05 [14]": '"▁abcd"',
    "05 [15]": "def fewest_subwords",
    "06 [11]": 'in ["at", "answer"]',
    "07 [3]": 'table["in the text"]',
    "08 [7]": "made[name][:10]",
    "09 [5]": "exact_ratio",
    "10 [11]": "occurrences: at most",
}


def test_a_cell_that_is_named_for_what_it_shows_shows_it():
    prose = re.sub(r"^\|.*\n", "", GUIDE, flags=re.MULTILINE).partition("## Notebook by")[2]
    assert set(re.findall(r"\d\d \[\d+\]", prose)) == set(MEANT)
    for cell, code in MEANT.items():
        number, place = re.findall(r"\d+", cell)
        assert code in code_cells(number)[int(place)].source, cell


def test_the_links_of_the_guide_lead_somewhere():
    links = re.findall(r"\]\((?!https?:)([^)#]+)", GUIDE)
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []


def test_each_session_takes_45_minutes():
    route = GUIDE.partition("### 4 × 45")[0]
    tables = re.findall(r"\| minutes .*\n\|.*\n((?:\|.*\n)+)", route)
    totals = [sum(map(int, re.findall(r"^\| (\d+) \|", table, re.MULTILINE))) for table in tables]
    assert totals == [45, 45, 45]


def test_each_slide_is_in_a_session():
    ranges = re.findall(r"^\| \d+ \| .* \| (\d+)–(\d+) \| .* \|$", GUIDE, re.MULTILINE)
    shown = [slide for a, b in ranges for slide in range(int(a), int(b) + 1)]
    assert shown == list(range(1, len(SLIDE) + 1))
    (second,) = [i for i, slide in enumerate(SLIDE, 1) if slide.startswith("## Second session")]
    assert GUIDE.index("Second session:") < GUIDE.index(f"| {second}–")


def test_the_labs_of_the_guide_are_those_of_the_labs():
    readme = (ROOT / "labs" / "README.md").read_text(encoding="utf-8")
    there = re.findall(r"^\| \[(\w+).*\| (\d+)(?: \+ (\d+) by hand)? \| (.*) \|$", readme, re.M)
    table = GUIDE.partition("### Which lab")[2].partition("\n\n")[2]
    here = re.findall(r"^\| (\w+) \| (.*?) \| (\d+)(?:, and (\d+) by hand)? \|", table, re.M)
    assert len(here) == 7
    assert [(lab, points, hand, time) for lab, time, points, hand in here] == [
        (lab.lower(), points, hand, time.removesuffix(" min")) for lab, points, hand, time in there
    ]


def test_each_notebook_has_its_section_with_three_misconceptions_and_two_questions():
    assert list(SECTIONS) == [name[:2] for name in NAMES]
    for number, section in SECTIONS.items():
        assert notebook(number).cells[0].source.startswith(f"# {number} · ")
        assert len(re.findall(r"^\d\. ", section, re.MULTILINE)) == 3
        assert "**Idea:**" in section and "**Board:**" in section
        assert QUESTION.findall(section) and {f"{number}.1", f"{number}.2"} <= set(QUESTIONS)
    titles = [cell.source.splitlines()[0] for cell in (nb.cells[0] for nb in NOTEBOOKS.values())]
    assert re.findall(r"^### (\d\d · .*)$", GUIDE, re.MULTILINE) == [t[2:] for t in titles]


@pytest.mark.parametrize("number", QUESTIONS)
def test_a_question_has_four_answers_and_one_of_them_is_right(number):
    _, rows = QUESTIONS[number]
    assert [letter for _, letter, _, _ in rows] == list("ABCD")
    assert len({answer for _, _, answer, _ in rows}) == 4
    assert [why.startswith("right") for *_, why in rows] == [bold == "**" for bold, *_ in rows]
    assert sum(bold == "**" for bold, *_ in rows) == 1


def right(number) -> str:
    return next(answer for bold, _, answer, _ in QUESTIONS[number][1] if bold)


def spans(answer) -> list[str]:
    return re.findall(r"`([^`]+)`", answer)


def cut_by_bert(word, *entries):
    vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *entries]
    return BertTokenizer({entry: i for i, entry in enumerate(vocab)}).tokenize(word)


def best_pair(word_counts, score="gain"):
    gains = pair_gains({word: ["▁", *word] for word in word_counts}, word_counts, score)
    return list(max(gains, key=gains.get))


def ans(wp):
    entries = to_bert_vocab(wp.vocab)
    return [entry for entry in ("ans", "##ans") if entry in entries]


def fewest_tokens():
    table = next(c for c in code_cells("08").values() if "pd.DataFrame(tokens," in c.source)
    lines = output(table).splitlines()
    row = next(line.split()[1:] for line in lines if line.startswith("1,000 "))
    counts = dict(zip(lines[0].split(), (int(count.replace(",", "")) for count in row)))
    return [min(counts, key=counts.get)]


def medical():
    table = next(c for c in code_cells("09").values() if "Metformin" in c.source)
    line = next(line for line in output(table).splitlines() if line.startswith("medical"))
    assert output(table).split()[:3] == ["0", "200", "1,000"]
    return [line.split()[3]]


COMPUTED = {
    "00.1": lambda wp: list(wp.merges[1]),
    "00.2": lambda wp: wp.encode("▁touché"),
    "01.1": lambda wp: [str(pretokenize("don't"))],
    "01.2": lambda wp: [str(pretokenize("$5+tax"))],
    "03.1": lambda wp: [str(merge_pair(("a", "a"), ["a", "a", "a"]))],
    "04.1": lambda wp: list("▁seats"),
    "04.2": lambda wp: wp.encode("▁men"),
    "05.1": lambda wp: cut_by_bert("unbelievable", "un", "believ", "##able"),
    "05.2": lambda wp: LoopEncoder(["▁", "ab", "abc", "cd"]).encode("▁abcd"),
    "06.1": lambda wp: to_bert(["▁the", "[UNK]", "▁", "!"]),
    "06.2": ans,
    "07.1": lambda wp: bert_examples()["touché"]["tokens"][1:-1],
    "07.2": lambda wp: [
        wp.to_bert_tokenizer().decode(wp.to_bert_tokenizer().encode("wine-dark").ids)
    ],
    "11.1": lambda wp: open_entries(
        [m + c for m in ("", "##") for c in "seat"] + ["##at", "eat", "sea", "seat"]
    ),
}


@pytest.mark.parametrize("number", COMPUTED)
def test_the_right_answer_is_what_comes_out(number, wp):
    text, rows = QUESTIONS[number]
    expected = COMPUTED[number](wp)
    answer = right(number).partition(" only")[0]
    assert spans(answer) == expected
    for call in re.findall(r"`((?:pretokenize|merge_pair|to_bert)\(.*?\))`", text):
        assert eval(call) == expected or str(eval(call)) == expected[0]
    assert all(spans(wrong) != expected for bold, _, wrong, _ in rows if not bold)


def test_the_right_answers_that_need_homer(homer):
    counts = homer.word_counts
    assert spans(right("02.1")) == best_pair(counts)
    assert right("03.2") == f"{len(train(counts, 10**6)):,}"
    names = [name for _, _, name, _ in QUESTIONS["08.1"][1]]
    winners = [
        name for name in names if ["".join(p) for p in train(counts, 2, name)] == ["XX", "XV"]
    ]
    assert [right("08.1")] == winners
    assert [right("08.2")] == fewest_tokens()
    assert [right("09.1")] == medical()
    assert "80,231" in QUESTIONS["10.1"][0] and "52,234" in QUESTIONS["10.1"][0]


def test_the_numbers_of_the_guide_are_those_of_the_notebook_of_the_section():
    for number, section in SECTIONS.items():
        rows = re.findall(r"^\| [A-D] \|.*$", section, re.MULTILINE)  # wrong on purpose
        for row in rows:
            section = section.replace(row, "")
        facts = [f["text"] for f in FACTS if f["notebook"].startswith((number, "*"))]
        known = numbers_of(notebook(number))
        found = [
            n.text
            for n in stated(re.sub(r"\b\d\d(?:\.\d| \[\d+\])", "", section))
            if not n.is_among(known) and n.text not in " ".join(facts)
        ]
        assert found == [], number


def test_the_setup_check_says_in_one_line_that_all_is_ready():
    command = [sys.executable, str(ROOT / "labs" / "check_setup.py")]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0, result.stderr
    assert re.fullmatch(r"READY: Python 3\.\d+, wpedu \S+\n", result.stdout)
    assert "python labs/check_setup.py" in GUIDE


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone")
def test_what_is_packed_for_students_can_be_installed_and_has_no_solutions(tmp_path):
    (command,) = re.findall(r"^```sh\n(git archive .*)\n```$", GUIDE, re.MULTILINE)
    packed = tmp_path / "wpedu.zip"
    subprocess.run(shlex.split(command.replace("wpedu.zip", str(packed))), check=True, cwd=ROOT)
    with zipfile.ZipFile(packed) as archive:
        names = {name.removeprefix("wpedu/") for name in archive.namelist()}
        archive.extractall(tmp_path)
    assert {"README.md", "pyproject.toml", "labs/check_setup.py", "labs/README.md"} <= names
    assert {f"notebooks/{name}.ipynb" for name in NAMES} <= names
    releases = {path.relative_to(ROOT).as_posix() for path in (ROOT / "labs").glob("release/*/*")}
    assert {name for name in releases if name.endswith(".ipynb")} <= names
    assert not [n for n in names if n.startswith(("tests/", "labs/source/", "labs/answers/"))]
    command = [sys.executable, "labs/check_setup.py"]
    env = os.environ | {"PYTHONPATH": str(tmp_path / "wpedu")}
    out = subprocess.run(command, cwd=tmp_path / "wpedu", env=env, check=True, capture_output=True)
    assert out.stdout.startswith(b"READY")


# The slides


SLIDE = [f"## {slide}" for slide in SLIDES.split("\n## ")]


def blocks(kind) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", SLIDES, re.DOTALL | re.MULTILINE)


def has_lines(text, lines) -> bool:
    """Return whether `lines` stand in `text`, one after the other, as whole lines."""
    text, lines = (["", *(line.rstrip() for line in t.splitlines()), ""] for t in (text, lines))
    return "\n".join(lines) in "\n".join(["", *text, ""])


def where_shown(lines, of) -> list[str]:
    return [
        number
        for number in (name[:2] for name in NAMES)
        if any(has_lines(of(cell), lines) for cell in code_cells(number).values())
    ]


def test_there_are_20_to_25_slides():
    assert 20 <= len(SLIDE) <= 25
    assert SLIDES.startswith("# ")


@pytest.mark.parametrize("code", blocks("python"))
def test_the_code_of_a_slide_is_that_of_a_cell(code):
    assert where_shown(code, lambda cell: cell.source)
    assert len(code.splitlines()) <= 10
    assert max(map(len, code.splitlines())) <= 72


@pytest.mark.parametrize("slide", [s for s in SLIDE if s.count(":::{container} fragment") == 2])
def test_the_second_click_shows_what_the_notebook_of_the_code_prints(slide):
    first, answer = re.findall(
        r":::\{container\} fragment\n```(?:python|text)\n(.*?)```", slide, re.S
    )
    from_code = where_shown(first, lambda cell: cell.source)
    assert set(from_code) & set(where_shown(answer, output)), answer


def test_the_counts_on_the_slide_of_the_whole_way_are_homers(homer, wp):
    (text,) = [block for block in blocks("text") if block.startswith("text ")]
    for word, count in re.findall(r"(\w+) ([\d,]+)(?:,| …)", text.splitlines()[1]):
        assert homer.word_counts[word] == int(count.replace(",", ""))
    assert text.splitlines()[3].endswith("{} + {}, then …".format(*wp.merges[0]))
    assert f"{len(wp.vocab) - 200} characters + 200 merges" in text
    tokens = wp.tokenize("careless")
    assert text.splitlines()[5].split()[1:] == tokens
    assert text.splitlines()[6].split()[2:] == to_bert(tokens)


def test_the_slides_are_built_and_load_nothing_from_elsewhere(tmp_path):
    pytest.importorskip("sphinx_revealjs", reason="the extra docs brings it")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "revealjs"]
    folders = [ROOT / "docs" / "slides", tmp_path / "out"]
    subprocess.run([*command, "-d", tmp_path / "doctrees", *folders], check=True)
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    loaded = re.findall(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"([^\"]*)", page)
    assert any(address.startswith("_static/revealjs/") for address in loaded)
    assert [address for address in loaded if re.match(r"\w+:|//", address)] == []


# The handout


@pytest.fixture(scope="module")
def handout():
    source = (ROOT / "docs" / "handout.html").read_text(encoding="utf-8")
    tree = ET.fromstring(source.replace("<!DOCTYPE html>\n", ""))
    for element in tree.iter():
        element.tag = element.tag.rpartition("}")[2]
    return tree


def cells(tree, name):
    """Return the rows of a table, each as a list of texts."""
    table = next(table for table in tree.iter("table") if table.get("id") == name)
    return [[" ".join(" ".join(td.itertext()).split()) for td in tr] for tr in table.iter("tr")]


def by_id(tree, name):
    return next("".join(e.itertext()) for e in tree.iter() if e.get("id") == name)


def test_the_corpus_and_the_counts_of_the_handout(handout):
    words, counts = cells(handout, "corpus")
    assert dict(zip(words[1:], map(int, counts[1:]))) == TOY
    tokens = Counter()
    for word, count in TOY.items():
        tokens.update({char: n * count for char, n in Counter("▁" + word).items()})
    N = tokens.total()
    names, counts = cells(handout, "tokens")
    told = dict(zip(names[1:], map(int, counts[1:])))
    assert told == {**tokens, "N": N, "M": N - sum(TOY.values())}


def test_the_gains_of_the_handout(handout):
    splits = {word: ["▁", *word] for word in TOY}
    gains, often = pair_gains(splits, TOY), pair_gains(splits, TOY, "frequency")
    counts = {"▁": 8, "s": 8, "e": 8, "a": 8, "t": 3}
    rows = cells(handout, "gains")[1:]
    expected = []
    for (x, y), gain in gains.items():
        assert gain == often[x, y] * log(often[x, y] * 35**2 / (27 * counts[x] * counts[y]))
        row = [f"{x} {y}", str(often[x, y]), str(counts[x]), str(counts[y])]
        expected.append([*row, f"{gain:.2f}".replace("-", "−")])
    assert rows == expected


def test_the_splits_of_the_handout(handout):
    merges, splits = train(TOY, 3), {word: ["▁", *word] for word in TOY}
    columns = [splits]
    for pair in merges:
        columns.append({word: merge_pair(pair, split) for word, split in columns[-1].items()})
    expected = [[word, *(" ".join(column[word]) for column in columns)] for word in TOY]
    assert cells(handout, "splits")[1:] == expected
    assert by_id(handout, "second") == " + ".join(merges[1])
    assert by_id(handout, "third") == " + ".join(merges[2])
    assert by_id(handout, "merged") == " ".join(x + y for x, y in merges)


def test_the_trace_of_the_handout(handout):
    vocab = build_vocab(TOY, train(TOY, 3))
    for word, tries, tokens, in_bert in cells(handout, "trace")[1:]:
        looks, start = [], 0
        while start < len(word):
            ends = range(len(word), start, -1)
            found = next((end for end in ends if word[start:end] in vocab), None)
            looks += [word[start:end] for end in range(len(word), (found or start + 1) - 1, -1)]
            if found is None:
                break
            start = found
        assert tries.split() == looks
        assert tokens.split() == LoopEncoder(vocab).encode(word)
        assert in_bert.split() == to_bert(tokens.split())
