"""The versions of a lab: the public one, and one for a class, drawn from a seed.

`source/` has the public version. The rows of `rules.toml` replace strings in it to make a class's
version, and those of `own_corpus.toml` make it one about a teacher's text. The expected values in
its tests are then computed by running its own solution.
"""

import ast
import contextlib
import copy
import io
import json
import re
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from grader.notebooks import Notebook, cells, points
from own_corpus import FILE, changes_for
from substitution import replace

from wpedu.labs import digest

LABS = Path(__file__).resolve().parent
NAMES = sorted(path.parent.name for path in LABS.glob("source/*/*.ipynb"))
Rules = dict[str, list[list[str]]]  # by name: the row in the source, and the one drawn
COMPARE = {"same", "close", "secret"}  # their second argument is the expected value


def read(name: str, version: str = "source", course: Path = LABS) -> Notebook:
    """Return a lab of the repository, or of a class."""
    path = course / version / name / f"{name}.ipynb"
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


class Run:
    """A lab that runs in this process, in one namespace as in a kernel.

    A test cell gives its points if it ends without an error, and writes nothing to stderr.
    """

    def __init__(self, notebook: Notebook, text: str | None = None):
        self.notebook = notebook
        self.text = text
        self.namespace: dict[str, Any] = {"__name__": "__main__", "In": [""]}
        self.output = io.StringIO()

    def run(self, source: str, code: Any = None) -> BaseException | None:
        """Run a cell; return the error that it ends in, or None."""
        self.namespace["In"].append(source)
        warnings = io.StringIO()
        try:
            with contextlib.redirect_stdout(self.output), contextlib.redirect_stderr(warnings):
                exec(code or compile(source, "<a cell of a lab>", "exec"), self.namespace)
        except Exception as error:
            return error
        return RuntimeError(warnings.getvalue()) if warnings.getvalue() else None

    def run_all(self) -> dict[str, BaseException]:
        """Run all cells, in a folder of their own; return the errors by the names of cells."""
        with self.folder():
            code = {n: c for n, _, c in cells(self.notebook) if c["cell_type"] == "code"}
            errors = {name: self.run(cell["source"]) for name, cell in code.items()}
        return {name: error for name, error in errors.items() if error is not None}

    @contextlib.contextmanager
    def folder(self) -> Iterator[None]:
        """Work in a new folder, with the teacher's text if there is one."""
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            if self.text is not None:
                Path(FILE).write_text(self.text, encoding="utf-8", newline="")
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
                source, code, noting = cell["source"], None, _Noting(strict)
                if name.startswith("test_"):
                    tree = ast.fix_missing_locations(noting.visit(ast.parse(source)))
                    code = compile(tree, name, "exec")
                    run.namespace["_note"] = noting.note
                error = run.run(source, code)
                if error:
                    raise ValueError(f"the solution fails in {name}: {error}") from error
                cell["source"] = noting.fill(source)
    return notebook


class _Noting(ast.NodeTransformer):
    """Make a test note the value that it would compare with a literal."""

    def __init__(self, strict: bool):
        self.strict = strict
        self.places: list[ast.expr] = []
        self.texts: dict[int, str] = {}

    def visit_Call(self, call: ast.Call) -> ast.AST:
        name = getattr(call.func, "id", "")
        if name == "digest":
            return self._noted(call, "digest", [call])
        expected = call.args[1] if name in COMPARE else None
        if expected is None or self.strict or not (_is_literal(expected) or _is_digest(expected)):
            return self.generic_visit(call)
        rest = [self.visit(argument) for argument in call.args if argument is not expected]
        return self._noted(expected, "digest of" if name == "secret" else "value", rest)

    def _noted(self, place: ast.expr, kind: str, values: list[ast.expr]) -> ast.Call:
        self.places.append(place)
        number = ast.Constant(len(self.places) - 1)
        return ast.Call(ast.Name("_note", ast.Load()), [number, ast.Constant(kind), *values], [])

    def note(self, number: int, kind: str, value: Any, *_: Any) -> Any:
        """Keep the text that replaces the literal with this number."""
        shown = digest(value) if kind == "digest of" else value
        text = repr(shown) if kind == "value" else f'"{shown}"'
        if self.texts.setdefault(number, text) != text:
            raise ValueError(f"one literal for {text} and {self.texts[number]}: write two")
        if ast.literal_eval(text) != value and kind == "value":
            raise ValueError(f"{text} is not a literal: compare a value that is")
        return value

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


def _is_digest(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "digest"


def draw(name: str, seed: str, attempt: int) -> Rules:
    """Return, for each rule of a lab, the row in the source and the row that replaces it."""
    rules = tomllib.loads((LABS / "rules.toml").read_text(encoding="utf-8"))[name]
    number = Random(f"{seed} {name} {attempt}").random  # the same in every Python
    return {rule: [rows[0], rows[int(number() * len(rows))]] for rule, rows in rules.items()}


def put_in(text: str, drawn: Rules, lab: Notebook, name: str, random: Random) -> None:
    """Add the changes that make a lab about `text` to those drawn for it."""
    for replaced in ("corpus", "book"):
        drawn.pop(replaced, None)
    source = "\n".join(cell["source"] for cell in lab["cells"])
    strings = [string for _, new in drawn.values() for string in new]
    changes = changes_for(name, source, text, strings, random)
    for rule, (old, new) in drawn.items():
        drawn[rule][1] = [changes.pop(a, b) for a, b in zip(old, new)]
    if changes:
        drawn["text"] = [list(changes), list(changes.values())]


def change(notebook: Notebook, drawn: Rules) -> Notebook:
    """Return the notebook with other rules, and without links to the solutions."""
    new = {old: new for rule in drawn.values() for old, new in zip(*rule, strict=True)}
    notebook = copy.deepcopy(notebook)
    whole = "\n".join(cell["source"] for cell in notebook["cells"])
    missing = [old for old in new if old not in whole]
    if missing:
        raise ValueError(f"not in the lab: {missing}: give rules.toml strings of the source")
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != "solutions"]
    for cell in notebook["cells"]:
        cell["source"] = replace(cell["source"], new)
        if cell["cell_type"] == "markdown":  # it may be anywhere
            cell["source"] = re.sub(r"\[([^]]+)\]\(\.\./[^)]*\)", r"\1", cell["source"])
    return notebook


def hand_in(answers: Notebook, version: Notebook) -> Notebook:
    """Return `version` with the answers of another notebook."""
    answered = {n: cell["source"] for n, g, cell in cells(answers) if g["solution"]}
    notebook = copy.deepcopy(version)
    for name, grading, cell in cells(notebook):
        if grading["solution"]:
            cell["source"] = answered[name]
    return notebook


def for_class(name: str, seed: str, text: str | None = None) -> tuple[Notebook, str]:
    """Return a class's version with its solution, and a description of its rules.

    It is drawn again until the public solution gets less than half of the points. With a `text`,
    the lab is about it.
    """
    public = read(name)
    for attempt in range(100):
        drawn = draw(name, seed, attempt)
        if all(old == new for old, new in drawn.values()):
            continue
        if text is not None:
            put_in(text, drawn, public, name, Random(f"{seed} {name} {attempt} text"))
        version = settle(Run(change(public, drawn), text))
        tests = points(version)
        failed = Run(hand_in(public, version), text).run_all()
        got = sum(worth for test, worth in tests.items() if test not in failed)
        if 2 * got < sum(tests.values()):
            rules = [f"  {rule}: {new[0]}" for rule, (old, new) in drawn.items() if old != new]
            worth = f"{name} (of {sum(tests.values())} points the public solution gets {got})"
            return version, "\n".join([worth, *rules])
    raise ValueError(f"{name} has too few rules to differ: add rows to rules.toml")


def write(notebook: Notebook, path: Path) -> None:
    """Write a notebook in the format of the repository."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
