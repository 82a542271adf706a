"""The labs grade right: solutions, and wrong answers that somebody might give."""

import ast
import copy
import math
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from other_corpora import made_up

from wpedu import labs as checks

LABS = Path(__file__).parent.parent / "labs"
sys.path.insert(0, str(LABS))
import versions  # noqa: E402
from grader.notebooks import NAMES, cells, points, read  # noqa: E402
from own_corpus import changes_for  # noqa: E402
from versions import Run  # noqa: E402

WRONG = tomllib.loads(Path(__file__).with_name("wrong_answers.toml").read_text(encoding="utf-8"))


def sources(notebook):
    """Return what each code cell is called, and its source."""
    return {name: c["source"] for name, _, c in cells(notebook) if c["cell_type"] == "code"}


@pytest.fixture(scope="module")
def solved():
    """Return each lab when its solutions have run, all right; it is run when it is asked for."""
    labs = {}

    def get(name):
        if name not in labs:
            labs[name] = Run(read(name))
            labs[name].settled = versions.settle(labs[name], strict=True)
        return labs[name]

    return get


CASES = [
    pytest.param(name, *(task.split("/") * 2)[:2], *case, id=f"{name}-{task}-{i}")
    for name, tasks in WRONG.items()
    for task, cases in tasks.items()
    for i, case in enumerate(cases)
]


def small(namespace):
    """Return the dictionaries of counts, which a wrong answer may spoil for the next one."""
    counts = {k: v for k, v in namespace.items() if type(v) is dict and 0 < len(v) < 100}
    return {k: v for k, v in counts.items() if all(type(n) is int for n in v.values())}


def visible(tests):
    """Return the source of a cell without its hidden tests."""
    return re.sub(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", tests, flags=re.S)


@pytest.mark.parametrize("name, solution, test, old, new, says", CASES)
def test_a_wrong_answer_gets_none_and_is_told_why(
    solved, name, solution, test, old, new, says, in_tmp
):
    lab = solved(name)
    right = sources(lab.notebook)[solution]
    tests = visible(sources(lab.settled)[f"test_{test}"])  # who is alone has no others
    assert old in right
    before, cells_run = copy.deepcopy(small(lab.namespace)), len(lab.namespace["In"])
    lab.run(right.replace(old, new) if old else new)
    error = lab.run(tests)
    lab.namespace.update(before)
    assert lab.run(right) is None
    del lab.namespace["In"][cells_run:]
    assert error is not None
    told = str(error).splitlines()[-1]
    assert re.search(says, told) or says in told


@pytest.fixture
def in_tmp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


ROUNDED = [
    ("lab2_gains", "paper", "9.79", "9.8"),  # 9.791
    ("lab3_training", "round_one", "4.91", "4.90"),  # 4.906
    ("lab3_training", "round_one", "4.01", "4"),  # 4.009
    ("lab3_training", "round_two", "4.96", "4.97"),
]


@pytest.mark.parametrize("name, task, old, new", ROUNDED)
def test_who_rounds_on_paper_gets_the_points(solved, name, task, old, new):
    lab = solved(name)
    code = sources(lab.settled)
    assert old in code[task]
    lab.run(code[task].replace(old, new))
    assert lab.run(code[f"test_{task}"]) is None
    lab.run(code[task])


@pytest.mark.parametrize("name", NAMES)
def test_each_task_has_two_wrong_answers_that_are_tried(name):
    tried = {}
    for task, cases in WRONG[name].items():
        test = f"test_{task.split('/')[-1]}"
        tried[test] = tried.get(test, 0) + len(cases)
    assert set(tried) == set(points(read(name))) and min(tried.values()) >= 2


def without_answers(cell):
    """Return the source of a cell as nbgrader hands it out: no solutions, no hidden tests."""
    kind = cell["cell_type"]
    stub = ["# YOUR CODE HERE", "raise NotImplementedError()"]
    lines = stub if kind == "code" else ["YOUR ANSWER HERE"]
    return re.sub(
        r"( *)### BEGIN SOLUTION.*?### END SOLUTION",
        lambda match: "\n".join(match[1] + line for line in lines),
        visible(cell["source"]),
        flags=re.S,
    ).rstrip()


@pytest.mark.parametrize("name", NAMES)
def test_the_students_version_is_made_from_the_source(solved, name):
    source, release = solved(name).settled, read(name, "release")
    handed_out = [cell["source"].rstrip() for cell in release["cells"]]
    assert handed_out == [without_answers(cell) for cell in source["cells"]]
    assert [points(release, kind) for kind in (0, 1)] == [points(source, kind) for kind in (0, 1)]
    for cell in (*source["cells"], *release["cells"]):
        assert not cell.get("outputs") and cell.get("execution_count") is None


@pytest.mark.parametrize("name", NAMES)
def test_each_lab_opens_with_what_it_is_for_and_its_links_lead_somewhere(name):
    for version in ("source", "release"):
        prose = [c["source"] for c in read(name, version)["cells"] if c["cell_type"] == "markdown"]
        assert "You will be able to" in prose[0] and "Time: " in prose[0]
        reason = prose[0].split("You will be able to")[0]
        assert "chatbot" in reason and len(reason.split("\n\n")) == 4  # title, question, reason
        links = re.findall(r"\]\((?!https?:)([^)#]+)\)", "\n".join(prose))
        assert all((LABS / version / name / link).exists() for link in links)
        assert links.count("../../../docs/glossary.md") == 1
        assert [f"../../source/{name}/{name}.ipynb" in text for text in prose[-2:]] == [False, True]


@pytest.mark.parametrize("name", NAMES[:-1])  # the project may use everything
def test_every_answer_is_looked_at_for_what_it_imports(name):
    code = sources(read(name))
    tests = "\n".join(source for cell, source in code.items() if cell.startswith("test_"))
    for cell, source in code.items():
        if not cell.startswith(("test_", "broken_", "judge", "setup")):
            defined = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
            assert all(f'built_here("{node.name}", globals()' in tests for node in defined)


RULES = tomllib.loads((LABS / "rules.toml").read_text(encoding="utf-8"))
ROWS = [(lab, rule, row) for lab, rules in RULES.items()
        for rule, rows in rules.items() for row in range(1, len(rows))]  # fmt: skip


def drawn(name, **rows):
    """Return a lab with these rows of its rules, and the first row of the others."""
    rules = {rule: [all_[0], all_[rows.get(rule, 0)]] for rule, all_ in RULES[name].items()}
    return versions.change(read(name), rules)


@pytest.mark.parametrize("name, rule, row", ROWS)
def test_a_rule_of_a_class_is_put_in_the_place_of_the_public_one(name, rule, row):
    changed = drawn(name, **{rule: row})  # all that it replaces is there
    text = "\n".join(cell["source"] for cell in changed["cells"])
    assert all(new in text for new in RULES[name][rule][row])
    assert RULES[name][rule][row] != RULES[name][rule][0]
    assert "](../" not in text  # to the solutions, or to what may not be there


def run_until(version, last, **answers):
    """Return a lab whose cells have run up to this one, with other answers, and its error."""
    lab = Run(version)
    for name, source in sources(version).items():
        error = lab.run(answers.get(name, source))
        if name == last:
            return lab, error


CONSISTENT = {  # with each other, and wrong
    "words": "WORDS = r'\\S+'",
    "count_words": "def count_words(text):\n    return {'rôle': 2, 'other': len(text.split()) - 2}",
}


@pytest.mark.long
@pytest.mark.parametrize("answer", CONSISTENT)
def test_answers_that_agree_with_each_other_only_get_no_points_in_lab_1(answer):
    _, error = run_until(read("lab1_words"), "test_real", **{answer: CONSISTENT[answer]})
    assert isinstance(error, AssertionError)


@pytest.mark.long
@pytest.mark.parametrize("row", range(len(RULES["lab6_scores"]["mark"])))
def test_lab_6_speaks_of_the_mark_of_its_class(row):
    version = versions.settle(Run(drawn("lab6_scores", mark=row)))
    lab, _ = run_until(version, "first_split")
    first, *_, last = lab.namespace["first_split"]("sea")
    side, mark = ("beginning", first[:-1]) if first != "s" else ("end", last[1:])
    goals, task = version["cells"][0]["source"], version["cells"][2]["source"]
    assert f"at the {side} of a word" in goals and f"`{mark}`" in task
    tests = "".join(text for cell, text in sources(version).items() if cell.startswith("test_"))
    assert {"</w>", "<w>"} & {*re.findall(r"</?w>", tests)} <= {mark}


UNITS = {"nats": 1, "bits": math.log(2), "hartleys": math.log(10)}


@pytest.mark.long
@pytest.mark.parametrize("row", range(len(RULES["lab2_gains"]["unit"])))
@pytest.mark.parametrize("unit", UNITS)
def test_lab_2_names_the_unit_of_an_answer_in_another(row, unit):
    version = versions.settle(Run(drawn("lab2_gains", unit=row)))
    name = RULES["lab2_gains"]["unit"][row][0]
    lab, _ = run_until(version, "paper")
    size, exact = UNITS[unit], lab.namespace["gain_of_at"]
    number = f"gain_of_at = round({exact} / {size}, 2)"
    function = f"""
from math import log


def {name}(C_xy, C_x, C_y, N, words):
    return C_xy * log(C_xy * N**2 / ((N - words) * C_x * C_y)) / {size}
"""
    for task, answer, right in [("paper", number, "nats"), ("gain", function, name[8:])]:
        _, error = run_until(version, f"test_{task}", **{task: answer})
        assert error is None if unit == right else f"That is in {unit}" in str(error)


@pytest.mark.parametrize("row", range(len(RULES["lab2_gains"]["corpus"])))
def test_lab_2_asks_for_two_decimals_where_there_is_one(row):
    version = versions.settle(Run(drawn("lab2_gains", corpus=row)))
    exact = run_until(version, "paper")[0].namespace["gain_of_at"]
    coarse = round(exact, 1)
    _, error = run_until(version, "test_paper", paper=f"gain_of_at = {coarse}")
    near = abs(coarse - exact) < 0.011
    assert error is None if near else str(error).endswith("give two decimals.")
    _, error = run_until(version, "test_paper", paper=f"gain_of_at = {coarse + 3}")
    assert "Not yet" in str(error)


@pytest.mark.long
def test_a_class_has_the_same_version_on_every_machine():
    code = "import versions; print(ascii(versions.for_class('lab2_gains', 'a seed')))"
    env = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": f"{LABS}{os.pathsep}{LABS.parent}"}
    there = subprocess.run([sys.executable, "-c", code], env=env, stdout=-1, text=True).stdout
    here = versions.for_class("lab2_gains", "a seed")
    assert there == ascii(here) + "\n" and "of 15 points" in here[1]


@pytest.mark.long
@pytest.mark.parametrize("letters", ["with accents", "in Devanagari"])
@pytest.mark.parametrize("name", NAMES[:-1])  # the project is about any language
def test_a_class_may_have_labs_about_its_own_text(name, letters, in_tmp):
    text = made_up(letters)
    version, _ = versions.for_class(name, "a seed", text)
    assert Run(version, text).run_all({}) == set()
    shown = "\n".join(without_answers(cell) for cell in version["cells"])
    assert "corpus.txt" in shown and "Homer" not in shown and '"homer"' not in shown


def test_lab_5_stays_about_homer_where_bert_reads_each_character_alone():
    assert changes_for("lab5_bert", "人人生而自由，" * 700, "") == {}


def test_each_string_that_changes_for_a_text_is_in_its_lab():
    table = tomllib.loads((LABS / "own_corpus.toml").read_text(encoding="utf-8"))
    whole = {name: "\n".join(cell["source"] for cell in read(name)["cells"]) for name in NAMES}
    whole["every"] = "\n".join(whole.values())
    assert all(old in whole[name] for name, changes in table.items() for old in changes)


# Answers that remember what a test showed to others, by lab, and the tests that must fail.
REMEMBER = {
    "lab1_words": ({"gaps": """
honest, seen = gaps, [""]
def gaps(text):
    seen.append(text)
    return honest(text)
""", "untokenize": """
def untokenize(words, gaps):
    return seen[-1] if len(words) > 9 else gaps[0] + "".join(map(str.__add__, words, gaps[1:]))
"""}, {"test_real"}),
    "lab4_encoders": ({"breaks_1": "word_1, vocab_1 = 'a', ['a', *(f'b{n}' for n in range(3000))]"},
                      {"test_breaks_1"}),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", REMEMBER)
def test_an_answer_that_remembers_is_wrong(name):
    lab, (more, failed) = read(name), REMEMBER[name]
    own = {key: cell["source"] for key, _, cell in cells(lab)}
    assert Run(lab).run_all({key: own[key] + "\n" + text for key, text in more.items()}) == failed


# Answers that leave something out, by replacing a string in the solution.
LEFT_OUT = tomllib.loads(Path(__file__).with_name("left_out.toml").read_text(encoding="utf-8"))


def passes(lab, row, monkeypatch):
    """Return whether the hidden tests pass an answer that leaves something out."""
    task, old, new = row
    cell, test = (task.split("/") * 2)[:2]
    right, own = sources(lab.notebook)[cell], dict(lab.namespace)
    monkeypatch.setattr(checks, "solution", lambda answer, _: own[answer])
    assert lab.run(right.replace(old, new)) is None and old in right
    error = lab.run(sources(lab.settled)[f"test_{test}"].partition("### BEGIN HIDDEN TESTS")[2])
    lab.run(right)
    return error is None


@pytest.mark.parametrize("name, row", [(name, row) for name in NAMES for row in LEFT_OUT[name]])
def test_an_answer_must_agree_with_the_solution(solved, name, row, in_tmp, monkeypatch):
    assert not passes(solved(name), row, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("name, rule, row", ROWS)
def test_an_answer_must_agree_with_the_solution_of_its_class(name, rule, row, monkeypatch, in_tmp):
    lab = Run(drawn(name, **{rule: row}))
    lab.settled = versions.settle(lab)
    right = sources(lab.notebook)
    there = [one for one in LEFT_OUT[name] if one[1] in right[one[0].split("/")[0]]]
    assert there and not [one for one in there if passes(lab, one, monkeypatch)]


def refused(*code, name="merge", may_use=()):
    """Return what `built_here` says of `name`, or None."""
    lab = Run({"cells": []})
    for source in ("from wpedu.labs import built_here", *code):
        assert lab.run(source) is None
    return lab.run(f"built_here({name!r}, globals(), may_use={may_use!r})")


FROM_A_LIBRARY = [
    ["from wpedu import merge_pair as merge"],
    ["import wpedu\nmerge = wpedu.merge_pair"],
    ["import wpedu", "def merge(p, s):\n    return wpedu.merge_pair(p, s)"],
    ["from wpedu import merge_pair", "def merge(p, s):\n    return merge_pair(p, s)"],
    ["from wpedu import *", "merge = lambda p, s: merge_pair(p, s)"],
]
OWN = [
    ["def merge(p, s):\n    return [*p, *s]"],
    ["import re\nfrom wpedu import load_corpus", "def merge(p, s):\n    return load_corpus(p)"],
    ["import wpedu", "wpedu.merge_pair(('a', 'b'), ['a'])", "def merge(p, s):\n    return s"],
    ["from wpedu import train", "def merge(s, train):\n    return train"],
    ["from wpedu.labs import same", "def merge(p, s):\n    return s\nsame(merge(1, 2), 2, '')"],
]


@pytest.mark.parametrize("code", FROM_A_LIBRARY)
def test_what_a_library_has_is_refused(code):
    assert "write it yourself" in str(refused(*code))


@pytest.mark.parametrize("code", OWN)
def test_what_is_ones_own_is_not(code):
    assert refused(*code) is None


def test_an_import_that_would_fail_where_it_is_graded_is_named_before():
    error = refused("import json\nimport tokenizers as t", "def merge(p, s):\n    return s")
    assert "imports `tokenizers`, which is absent" in str(error)


def test_what_the_task_names_may_be_used():
    code = ["from wpedu import pair_gains", "def merge(s, c):\n    return pair_gains(s, c)"]
    assert "`pair_gains`" in str(refused(*code))
    assert refused(*code, may_use=["pair_gains"]) is None


def test_an_answer_that_is_not_there_is_missed():
    assert "`merge` is not defined yet" in str(refused())


def test_the_sentence_is_the_last_line_and_the_checks_are_not_in_sight():
    def never():
        while True:
            pass

    calls = [
        lambda: checks.same(1, 2, "Wrong."),
        lambda: checks.close(1, 2, "Wrong."),
        lambda: checks.secret(1, "", "Wrong."),
        lambda: checks.ends(never),
        lambda: checks.built_here("it", {}),
    ]
    for call in calls:
        with pytest.raises(AssertionError) as error:
            call()
        assert str(error.value).splitlines()[-1].endswith(".")
        here = [e.frame.f_locals for e in error.traceback if e.path == Path(checks.__file__)]
        assert all(local.get("__tracebackhide__") for local in here[:-1])


def test_a_number_on_paper_may_be_a_hundredth_off():
    digest = sha256(b"9.79").hexdigest()[:12]
    for right in (9.79, 9.8, 9.78, 9.7910, 9.791020, 9.7999):
        checks.secret(right, digest, "Count again.")
    mistakes = {checks.digest(8.03): "M is not N."}
    for wrong in (9.77, 9.81, 10, -9.79, "9.79", None, 8.02):
        with pytest.raises(AssertionError, match="M is" if wrong == 8.02 else "Count"):
            checks.secret(wrong, digest, "Count again.", mistakes)


class Agreeable:
    """Claims to be whatever it is compared with."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0

    def __repr__(self):
        return "45"

    def __sub__(self, other):
        return 0

    __abs__ = __rsub__ = __float__ = __sub__


class AgreeableList(Agreeable, list):
    pass


class AgreeableNumber(Agreeable, float):
    pass


@pytest.mark.parametrize("got", [Agreeable(), AgreeableList(), AgreeableNumber(1)])
@pytest.mark.parametrize("wrap", [lambda x: x, lambda x: [x], lambda x: (1, {"a": x})])
def test_an_answer_that_claims_to_equal_everything_is_refused(got, wrap):
    with pytest.raises(AssertionError):
        checks.same(wrap(got), wrap(45), "Count again.")
    with pytest.raises(AssertionError):
        checks.close(got, 45, "Count again.")
    with pytest.raises(AssertionError):
        checks.secret(wrap(got), checks.digest(wrap(45)), "Count again.")


NAN, INFINITY = float("nan"), float("inf")


@pytest.mark.parametrize("got", [NAN, np.float64("nan"), INFINITY, -INFINITY, True, "2", None, 2j])
def test_what_is_not_a_number_is_not_close(got):
    for expected in (1, 2.0, 0):
        with pytest.raises(AssertionError):
            checks.close(got, expected, "Count again.")
    for expected in (NAN, [2.5]):
        with pytest.raises(AssertionError):
            checks.same([got], expected, "Count again.")


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, np.float64, np.float32])
def test_numbers_of_numpy_are_numbers(kind):
    checks.close(kind(7), 7, "Count again.")
    checks.same([{"a": (kind(7), kind(0))}], [{"a": (7, 0)}], "Count again.")
    checks.secret((kind(7),), checks.digest((7 if "int" in kind.__name__ else 7.0,)), "Count.")
    with pytest.raises(AssertionError):
        checks.close(kind(8), 7, "Count again.")


def test_containers_of_the_library_compare_as_before():
    counted = Counter("aab")
    checks.same(counted, {"a": 2, "b": 1}, "Count again.")
    checks.same({frozenset("a"): {1}}, {frozenset("a"): frozenset({1})}, "Count again.")
    for other in ([("a", 2)], {"a": 2}, {"a": 2, "b": 1.5}, "aab"):
        with pytest.raises(AssertionError):
            checks.same(counted, other, "Count again.")
    with pytest.raises(AssertionError):
        checks.same((1, 2), [1, 2], "A list.")


def test_numbers_in_the_model_answer_are_printed(solved):
    lab = solved("lab6_scores")
    answer = next(c["source"] for name, _, c in cells(lab.notebook) if name == "what_it_does")
    numbers = re.findall(r"\d[\d,]*\.\d+|\d[\d,]{3,}\d", answer)
    printed = lab.output.getvalue()
    assert len(numbers) >= 8
    assert [number for number in numbers if number.replace(",", "") not in printed] == []


def test_the_readme_has_the_labs_and_their_points():
    readme = (LABS / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"\(release/(\w+)/\w+\.ipynb\) \|.*\| ([^|]+) \| ([^|]+) \|\n", readme)
    rows = {name: worth for name, worth, _ in found}
    for name, _, time in found:
        assert f"Time: {time.replace('min', 'minutes')}." in read(name)["cells"][0]["source"]
    for name in NAMES:
        by_hand = sum(points(read(name), by_hand=True).values())
        worth = f"{sum(points(read(name)).values())}" + (f" + {by_hand} by hand" if by_hand else "")
        assert rows.pop(name) == worth
    assert rows == {}
