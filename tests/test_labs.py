"""The labs grade right: solutions, blanks, and wrong answers that somebody might give."""

import ast
import copy
import doctest
import importlib.util
import re
from hashlib import sha256

import pytest
from lab_runner import LABS, NAMES, Lab
from wrong_answers import WRONG


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """Return each lab when its solutions have run; the labs are run when they are asked for."""
    labs = {}

    def get(name):
        if name not in labs:
            labs[name] = Lab(name)
            labs[name].errors = labs[name].run_all()
        return labs[name]

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("labs"))
        yield get


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_gets_full_marks(solved, name):
    assert solved(name).errors == {}


@pytest.mark.parametrize("name", NAMES)
def test_a_blank_version_gets_none(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lab = Lab(name, "release")
    errors = lab.run_all()
    assert set(lab.graded()) <= set(errors)


CASES = [
    pytest.param(name, *case, id=f"{name}-{case[0]}-{i}")
    for name, cases in WRONG.items()
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
def test_a_wrong_answer_gets_none_and_is_told_why(solved, name, solution, test, old, new, says):
    lab = solved(name)
    cells = lab.code_cells()
    right, tests = cells[solution], visible(cells[f"test_{test}"])  # who is alone has no others
    assert old is None or old in right
    wrong = new if old is None else right.replace(old, new)
    before, cells_run = copy.deepcopy(small(lab.namespace)), len(lab.namespace["In"])
    lab.run(wrong)
    error = lab.run(tests)
    lab.namespace.update(before)
    assert lab.run(right) is None
    del lab.namespace["In"][cells_run:]  # the checks read all of them
    assert error is not None
    told = str(error).splitlines()[-1]
    assert re.search(says, told) or says in told


ROUNDED = [
    ("lab2_gains", "paper", "9.79", "9.8"),  # 9.791
    ("lab3_training", "round_one", "4.91", "4.90"),  # 4.906
    ("lab3_training", "round_one", "4.01", "4"),  # 4.009
    ("lab3_training", "round_two", "4.96", "4.97"),
]


@pytest.mark.parametrize("name, task, old, new", ROUNDED)
def test_who_rounds_on_paper_gets_the_points(solved, name, task, old, new):
    lab = solved(name)
    cells = lab.code_cells()
    assert old in cells[task]
    lab.run(cells[task].replace(old, new))
    assert lab.run(cells[f"test_{task}"]) is None
    lab.run(cells[task])


@pytest.mark.parametrize("name", NAMES)
def test_each_task_has_two_wrong_answers_that_are_tried(name):
    tried = [f"test_{test}" for _, test, *_ in WRONG[name]]
    assert all(tried.count(task) >= 2 for task in Lab(name).graded())
    assert set(tried) == set(Lab(name).graded())


def without_answers(cell):
    """Return the source of a cell as nbgrader hands it out: no solutions, no hidden tests."""
    source = visible("".join(cell["source"]))
    stub = {
        "code": ["# YOUR CODE HERE", "raise NotImplementedError()"],
        "markdown": ["YOUR ANSWER HERE"],
    }
    kind = cell["cell_type"]

    def blank(match):
        return "\n".join(match[1] + line for line in stub[kind])

    return re.sub(r"( *)### BEGIN SOLUTION.*?### END SOLUTION", blank, source, flags=re.S)


@pytest.mark.parametrize("name", NAMES)
def test_the_students_version_is_made_from_the_source(name):
    source, release = Lab(name), Lab(name, "release")
    handed_out = ["".join(cell["source"]).rstrip() for cell in release.cells]
    assert handed_out == [without_answers(cell).rstrip() for cell in source.cells]
    assert release.graded() == source.graded()
    assert release.graded(manually=True) == source.graded(manually=True)


@pytest.mark.parametrize("version", ["source", "release"])
@pytest.mark.parametrize("name", NAMES)
def test_the_checks_travel_with_the_lab(name, version):
    travels = (LABS / version / name / "checks.py").read_text(encoding="utf-8")
    assert travels == (LABS / "checks.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_no_cell_is_saved_with_an_output(name):
    for version in ("source", "release"):
        code = [cell for cell in Lab(name, version).cells if cell["cell_type"] == "code"]
        assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.mark.parametrize("name", NAMES)
def test_each_task_asks_in_prose_and_names_the_lab_after_it(name):
    lab = Lab(name)
    kinds = [cell["cell_type"] for cell in lab.cells]
    opening = "".join(lab.cells[0]["source"])
    assert kinds[0] == "markdown" and "You will be able to" in opening and "Time: " in opening
    assert f"../../source/{name}/{name}.ipynb" in opening


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name):
    for version in ("source", "release"):
        folder = LABS / version / name
        prose = [c for c in Lab(name, version).cells if c["cell_type"] == "markdown"]
        for cell in prose:
            for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", "".join(cell["source"])):
                assert (folder / link).exists(), link


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_looked_at_for_what_it_imports(name):
    """The project may use everything; answers on paper are numbers."""
    if name != "project":
        cells = Lab(name).code_cells()
        defined = [
            node.name
            for cell, source in cells.items()
            if not cell.startswith(("test_", "broken_", "judge"))
            for node in ast.parse(source).body
            if isinstance(node, ast.FunctionDef)
        ]
        tests = "\n".join(source for cell, source in cells.items() if cell.startswith("test_"))
        assert all(f'built_here("{function}", globals()' in tests for function in defined)


def refused(*cells, name="merge", may_use=()):
    """Return what `built_here` says of `name`, or None."""
    from_labs = Lab(NAMES[0])
    from_labs.run("from checks import built_here")
    for cell in cells:
        assert from_labs.run(cell) is None
    return from_labs.run(f"built_here({name!r}, globals(), may_use={may_use!r})")


@pytest.mark.parametrize(
    "cells",
    [
        ["from wpedu import merge_pair as merge"],
        ["import wpedu\nmerge = wpedu.merge_pair"],
        ["import wpedu", "def merge(p, s):\n    return wpedu.merge_pair(p, s)"],
        ["from wpedu import merge_pair", "def merge(p, s):\n    return merge_pair(p, s)"],
        ["def merge(p, s):\n    import wpedu.training as t\n    return t.merge_pair(p, s)"],
        ["import wpedu as w", "def helper(p, s):\n    return w.merge_pair(p, s)", "merge = helper"],
        ["import importlib", "merge = importlib.import_module('wpedu').merge_pair"],
        ["merge = __import__('wpedu').merge_pair"],
        [
            "from functools import partial",
            "from wpedu import *",
            "merge = lambda p, s: merge_pair(p, s)",
        ],
        [
            "from wpedu import LoopEncoder",
            "e = LoopEncoder(['a'])",
            "def merge(w):\n    return e.encode(w)",
        ],
    ],
)
def test_what_a_library_has_is_refused(cells):
    assert "write it yourself" in str(refused(*cells))


@pytest.mark.parametrize(
    "cells",
    [
        ["def merge(p, s):\n    return [*p, *s]"],
        [
            "import re\nfrom wpedu import load_corpus",
            "def merge(p, s):\n    return re.findall(p, s)",
        ],
        ["import wpedu", "wpedu.merge_pair(('a', 'b'), ['a'])", "def merge(p, s):\n    return s"],
        ["from wpedu import train", "def merge(s, train):\n    return train"],
        ["text = 1", "from wpedu import load_corpus\ntext = load_corpus('homer')", "merge = list"],
    ],
)
def test_what_is_ones_own_is_not(cells):
    assert refused(*cells) is None


def test_a_refusal_names_the_path_to_what_is_refused():
    judge = (
        "from wpedu import subword_tokenize\n\n\ndef judge(w):\n    return subword_tokenize(w, w)"
    )
    error = refused(judge, "def helper(w):\n    return judge(w)", "def merge(w):\n    helper(w)")
    path = "its cell uses `helper`, which uses `judge`, which uses `subword_tokenize`:"
    assert path in str(error)
    assert "its cell uses `merge_pair`:" in str(refused("import wpedu\nmerge = wpedu.merge_pair"))
    assert "its cell uses `merge_pair`:" in str(refused("from wpedu import merge_pair as merge"))


def test_what_the_task_names_may_be_used():
    cells = ["from wpedu import pair_gains", "def merge(s, c):\n    return pair_gains(s, c)"]
    assert "`pair_gains`" in str(refused(*cells))
    assert refused(*cells, may_use=["pair_gains"]) is None


def test_an_answer_that_is_not_there_is_missed():
    assert "There is no `merge` yet" in str(refused())


@pytest.fixture(scope="module")
def checks():
    spec = importlib.util.spec_from_file_location("labs_checks", LABS / "checks.py")
    checks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checks)
    return checks


def test_the_checks_do_what_they_say(checks):
    assert doctest.testmod(checks).attempted >= 5
    assert doctest.testmod(checks).failed == 0


def test_the_sentence_is_the_last_line_and_the_checks_are_not_in_sight(checks):
    def never():
        while True:
            pass

    calls = [
        lambda: checks.same(1, 2, "Wrong."),
        lambda: checks.close(1, 2, "Wrong."),
        lambda: checks.secret(1, "", "Wrong."),
        lambda: checks.secret_number(1, "", "Wrong."),
        lambda: checks.ends(never),
        lambda: checks.built_here("it", {}),
    ]
    for call in calls:
        with pytest.raises(AssertionError) as error:
            call()
        assert str(error.value).splitlines()[-1].endswith(".")
        frames = [
            entry.frame.f_locals for entry in error.traceback if entry.path == LABS / "checks.py"
        ]
        assert all(local.get("__tracebackhide__") for local in frames[:-1])


def test_a_number_on_paper_may_be_a_hundredth_off(checks):
    digest = sha256(b"9.79").hexdigest()[:12]
    for right in (9.79, 9.8, 9.78, 9.7910, 9.791020, 9.7999):
        checks.secret_number(right, digest, "Count again.")
    for wrong in (9.77, 9.81, 10, -9.79, "9.79", None):
        with pytest.raises(AssertionError):
            checks.secret_number(wrong, digest, "Count again.")


def test_numbers_in_the_model_answer_are_printed(solved):
    lab = solved("lab6_scores")
    answer = next(
        "".join(cell["source"])
        for cell in lab.cells
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "what_it_does"
    )
    numbers = re.findall(r"\d[\d,]*\.\d+|\d[\d,]{3,}\d", answer)
    printed = lab.output.getvalue()
    assert len(numbers) >= 8
    assert [number for number in numbers if number.replace(",", "") not in printed] == []


def test_the_readme_has_the_labs_and_their_points():
    readme = (LABS / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"\(release/(\w+)/\w+\.ipynb\) \|.*\| ([^|]+) \| [^|]+ \|\n", readme))
    for name in NAMES:
        lab = Lab(name)
        by_hand = sum(lab.graded(manually=True).values())
        points = f"{sum(lab.graded().values())}" + (f" + {by_hand} by hand" if by_hand else "")
        assert rows.pop(name) == points
    assert rows == {}
