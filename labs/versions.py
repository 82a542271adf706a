"""The versions of a lab: the public one, and one for a class, drawn from a seed.

`source/` has the public version. The rows of `rules.toml` replace strings in it to make a class's
version, and those of `own_corpus.toml` make it one about a teacher's text. The expected values in
its tests are then computed by running its own solution.
"""

import ast
import contextlib
import copy
import io
import re
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from grader.notebooks import LABS, OWN_TEXT, Notebook, cells, points, read
from own_corpus import changes_for
from substitution import replace

from wpedu.labs import digest

Rules = dict[str, list[list[str]]]  # by name: the row in the source, and the one drawn
COMPARE = {"same", "close", "secret"}  # their second argument is the expected value


class Run:
    """A lab that runs in this process, in one namespace as in a kernel."""

    def __init__(self, notebook: Notebook, text: str | None = None):
        self.notebook, self.text = notebook, text
        self.namespace: dict[str, Any] = {"__name__": "__main__", "In": [""]}
        self.output = io.StringIO()

    def run(self, source: str) -> BaseException | None:
        """Run a cell; return the error that it ends in, or None."""
        self.namespace["In"].append(source)
        try:
            with contextlib.redirect_stdout(self.output):
                exec(source, self.namespace)
        except Exception as error:
            return error
        return None

    def run_all(self, answers: Mapping[str, str]) -> set[str]:
        """Run all cells, with other answers; return the names of those that end in an error."""
        code = {n: c["source"] for n, _, c in cells(self.notebook) if c["cell_type"] == "code"}
        with self.folder():
            return {name for name, text in code.items() if self.run(answers.get(name, text))}

    @contextlib.contextmanager
    def folder(self) -> Iterator[None]:
        """Work in a new folder, with the teacher's text if there is one."""
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            if self.text is not None:
                Path(OWN_TEXT).write_text(self.text, encoding="utf-8", newline="")
            yield


def settle(run: Run, strict: bool = False) -> Notebook:
    """Run a lab's solution, and return the lab with the values that its tests should expect.

    `digest(…)` becomes the digest. If `strict`, the expected values must be right already. An
    expected value that is not a literal stays as it is, so that a test can check a solution in
    another way.
    """
    notebook = copy.deepcopy(run.notebook)
    with run.folder():
        for name, _, cell in cells(notebook):
            if cell["cell_type"] == "code":
                noting = _Noting(strict)
                run.namespace["_note"] = noting.note
                if error := run.run(ast.unparse(noting.visit(ast.parse(cell["source"])))):
                    raise ValueError(f"the solution fails in {name}: {error}") from error
                cell["source"] = noting.fill(cell["source"])
    return notebook


class _Noting(ast.NodeTransformer):
    """Make a cell note the values that it would compare with literals."""

    def __init__(self, strict: bool):
        self.strict = strict
        self.places: list[ast.expr] = []
        self.texts: dict[int, str] = {}

    def visit_Call(self, call: ast.Call) -> ast.AST:
        name = getattr(call.func, "id", "")
        if name == "digest":
            return self._noted(call, True, call.args)
        expected = call.args[1] if name in COMPARE and not self.strict else None
        if expected and (_is_literal(expected) or ast.unparse(expected).startswith("digest(")):
            rest = [self.visit(argument) for argument in call.args if argument is not expected]
            return self._noted(expected, name == "secret", rest)
        return self.generic_visit(call)

    def _noted(self, place: ast.expr, hidden: bool, values: list[ast.expr]) -> ast.Call:
        self.places.append(place)
        known = [ast.Constant(len(self.places) - 1), ast.Constant(hidden)]
        return ast.Call(ast.Name("_note"), [*known, *values], [])

    def note(self, number: int, hidden: bool, value: Any, *_: Any) -> Any:
        """Keep the text that replaces the expression with this number."""
        shown = digest(value) if hidden else value
        text = f'"{shown}"' if hidden else repr(value)
        if self.texts.setdefault(number, text) != text:
            raise ValueError(f"one literal for {text} and {self.texts[number]}: write two")
        return shown

    def fill(self, source: str) -> str:
        """Return the source of the test with all noted values."""
        lines = [line.encode() for line in source.split("\n")]
        for number, place in reversed([*enumerate(self.places)]):
            if number not in self.texts:
                raise ValueError(f"the test never compares {ast.unparse(place)}: run it always")
            text = self.texts[number]
            if not _is_literal(place) or ast.literal_eval(place) != ast.literal_eval(text):
                end = lines[place.end_lineno - 1][place.end_col_offset :]
                start = lines[place.lineno - 1][: place.col_offset]
                lines[place.lineno - 1 : place.end_lineno] = [start + text.encode() + end]
        return b"\n".join(lines).decode()


def _is_literal(node: ast.expr) -> bool:
    with contextlib.suppress(ValueError):
        ast.literal_eval(node)
        return True
    return False


def change(notebook: Notebook, drawn: Rules, more: dict[str, str] | None = None) -> Notebook:
    """Return the notebook with other rules, and without links to the solutions.

    `more` has changes that go before those of the rules.
    """
    new = {old: new for rule in drawn.values() for old, new in zip(*rule, strict=True)}
    notebook = copy.deepcopy(notebook)
    whole = "\n".join(cell["source"] for cell in notebook["cells"])
    if missing := [old for old in new if old not in whole]:
        raise ValueError(f"not in the lab: {missing}: give rules.toml strings of the source")
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != "solutions"]
    for cell in notebook["cells"]:
        cell["source"] = replace(cell["source"], new | (more or {}))
        if cell["cell_type"] == "markdown":  # it may be anywhere
            cell["source"] = re.sub(r"\[([^]]+)\]\(\.\./[^)]*\)", r"\1", cell["source"])
    return notebook


def for_class(name: str, seed: str, text: str | None = None) -> tuple[Notebook, str]:
    """Return a class's version with its solution, and a description of its rules.

    It is drawn again until the public solution gets less than half of the points. With a `text`,
    the lab is about it.
    """
    public, more = read(name), None
    rules = tomllib.loads((LABS / "rules.toml").read_text(encoding="utf-8"))[name]
    answers = {n: cell["source"] for n, grading, cell in cells(public) if grading["solution"]}
    for attempt in range(100):
        number = Random(f"{seed} {name} {attempt}").random  # the same in every Python
        drawn = {rule: [rows[0], rows[int(number() * len(rows))]] for rule, rows in rules.items()}
        if text is not None:
            drawn.pop("book", None)
            more = changes_for(name, text, str([new for _, new in drawn.values()]))
        version = settle(Run(change(public, drawn, more), text))
        tests = points(version)
        failed = Run(version, text).run_all(answers)
        got = sum(worth for test, worth in tests.items() if test not in failed)
        if 2 * got < sum(tests.values()):
            told = [f"{name} (of {sum(tests.values())} points the public solution gets {got})"]
            told += [f"  {rule}: {new[0]}" for rule, (old, new) in drawn.items() if old != new]
            return version, "\n".join(told)
    raise ValueError(f"{name} has too few rules to differ: add rows to rules.toml")
