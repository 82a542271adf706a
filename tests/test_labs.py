"""The labs grade right: solutions, blanks, and wrong answers that somebody might give."""

import ast
import re
import time

import pytest
from lab_runner import LABS, NAMES, Lab
from wrong_answers import WRONG

POINTS = 17  # what a lab has at most, but for what a person grades


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


@pytest.mark.parametrize("name, solution, test, old, new, says", CASES)
def test_a_wrong_answer_gets_none_and_is_told_why(solved, name, solution, test, old, new, says):
    lab = solved(name)
    cells = lab.code_cells()
    right, checks = cells[solution], cells[f"test_{test}"]
    assert old is None or old in right
    wrong = new if old is None else right.replace(old, new)
    try:
        lab.run(wrong)
        error = lab.run(checks)
    finally:
        assert lab.run(right) is None
    assert error is not None
    assert re.search(says, str(error)) or says in str(error)


@pytest.mark.parametrize("name", NAMES)
def test_each_task_has_two_wrong_answers_that_are_tried(name):
    tried = [f"test_{test}" for _, test, *_ in WRONG[name]]
    assert all(tried.count(task) >= 2 for task in Lab(name).graded())
    assert set(tried) == set(Lab(name).graded())
