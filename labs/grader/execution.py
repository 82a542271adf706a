"""Run a submission: nbgrader drives a kernel in another place, and trusts little of its output.

A test counts as passed only if it proves that it ran: before it, the names that it uses are
imported again, and an `assert` and a `same` must fail, with words drawn for this test alone; after
it, these words are printed. The kernel's messages are limited in size, and its run in time, by the
clock.
"""

import ast
import builtins
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from subprocess import DEVNULL
from typing import Any

from nbformat import v4
from nbgrader.preprocessors import Execute

from .notebooks import graded_cells
from .sandbox import Place
from .watch import Watch

LONGEST = 2_000_000  # characters that the kernel may send for a cell
NOT_RUN = "NotRunToItsEnd"
BEFORE = """\
{names}
try:
    assert not "{first}", "{first}"
except AssertionError as wpedu_error:
    wpedu_proof = str(wpedu_error)
try:
    __import__("wpedu.labs").labs.same("{second}", "", "{second}")
except AssertionError as wpedu_error:
    wpedu_proof += str(wpedu_error).splitlines()[-1]
"""
AFTER = '\nprint("", wpedu_proof, sep="\\n")\n'


def executor(place: Place, source: Any, budget: float, boxed: bool) -> type[Execute]:
    """Return a class that runs notebooks in `place`, as nbgrader's own Execute would.

    If the place is `boxed`, the total that its processes take is watched. After `budget` seconds by
    the clock, no further cell is run.
    """
    before = dict(trusted(source))
    started = time.monotonic()

    class ExecuteApart(Execute):
        """Runs the cells in the kernel, and the tests so that they prove that they ran."""

        begun = ""  # the cell that the kernel is running
        watch: Watch | None = None

        def start_new_kernel(self, **settings: Any) -> None:
            self.km.connection_file = str(place.connection_file)
            settings |= {"cwd": str(place.work), "env": place.environment()}
            super().start_new_kernel(stdout=DEVNULL, stderr=DEVNULL, **settings)
            if boxed:
                ExecuteApart.watch = Watch(self.km.provisioner.pid, place.folder)
                ExecuteApart.watch.start()

        def _cleanup_kernel(self) -> None:
            if self.watch:
                self.watch.over.set()
            super()._cleanup_kernel()

        def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
            if cell.cell_type != "code":
                return cell, resources
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            ExecuteApart.begun = name or f"cell {index + 1}"
            self.size = 0
            if time.monotonic() - started > budget:
                cell.outputs = [_error("TimedOut", f"not run: {budget:.0f} s were over before")]
            elif name not in before:
                super().preprocess_cell(cell, resources, index)
            else:
                first, second = secrets.token_hex(8), secrets.token_hex(8)
                test = cell.source
                cell.source = BEFORE.format(names=before[name], first=first, second=second)
                cell.source += test + AFTER
                try:
                    super().preprocess_cell(cell, resources, index)
                finally:
                    cell.source = test
                cell.outputs = judged(cell.outputs, first + second)
            return cell, resources

        def process_message(self, msg: Any, cell: Any, cell_index: int) -> Any:
            kind = msg["msg_type"]
            if kind.startswith("comm") or kind == "update_display_data":
                return None
            if kind in ("stream", "display_data", "execute_result"):
                self.size += len(str(msg["content"]))
                if self.size > LONGEST:
                    told = f"more than {LONGEST:,} characters of output"
                    if not any(out.get("ename") == "TooMuchOutput" for out in cell.outputs):
                        cell.outputs.append(_error("TooMuchOutput", told))
                    return None
            return super().process_message(msg, cell, cell_index)

    return ExecuteApart


def judged(outputs: list[Any], proof: str) -> list[Any]:
    """Return the outputs of a test so that nbgrader gives points only if it ran and passed."""
    errors = [out for out in outputs if out.output_type == "error"]
    streams = [out for out in outputs if out.output_type == "stream"]
    said = "".join(out.text for out in streams if out.name == "stdout")
    warned = [out for out in streams if out.name == "stderr" and out.text.strip()]
    if not errors and not warned and proof not in said.splitlines():
        errors = [_error(NOT_RUN, "This test did not run to its end.")]
    for out in streams:
        out.text = out.text.replace(f"\n{proof}\n", "")
    kept = [out for out in streams if out.name == "stdout" or out in warned]
    return [*errors, *kept]  # and no results: nbgrader would take them for points


def _error(name: str, text: str) -> Any:
    return v4.new_output("error", ename=name, evalue=text, traceback=[f"{name}: {text}"])


def trusted(source: Any) -> Iterator[tuple[str, str]]:
    """Yield, for each test of a lab, the code to run before it: all names it takes from the lab.

    These are the names that locked cells import or define, or to which they give a literal, and
    Python's built-ins. Names that answers define are the student's.
    """
    cells = [(c, c.metadata.nbgrader) for c in graded_cells(source) if c.cell_type == "code"]
    answers = {n for c, g in cells if not g.locked for n in _bound(ast.parse(c.source))}
    known: dict[str, str] = {}
    for cell, grading in cells:
        if not grading.locked:
            continue
        tree = ast.parse(cell.source)
        if grading.grade:
            yield grading.grade_id, _before(tree, known, answers)
        for statement in tree.body:
            text = ast.unparse(statement) if _repeatable(statement) else ""
            for name in _bound(statement):
                known[name] = text


def _before(test: ast.Module, known: Mapping[str, str], answers: set[str]) -> str:
    todo = sorted({node.id for node in ast.walk(test) if isinstance(node, ast.Name)})
    asked: list[str] = []
    for name in todo:  # it grows by the names that the definitions use
        if name not in asked and name not in answers:
            asked.append(name)
            nodes = ast.walk(ast.parse(known.get(name, "")))
            todo += sorted({node.id for node in nodes if isinstance(node, ast.Name)})
    plain = [n for n in asked if n not in known and hasattr(builtins, n) and n != "__import__"]
    lines = [f"from builtins import {', '.join(plain)}"] if plain else []
    order = list(known)
    again = sorted((n for n in asked if known.get(n)), key=order.index)
    return "\n".join([*lines, *dict.fromkeys(known[name] for name in again)])


def _repeatable(statement: ast.stmt) -> bool:
    """Return whether a statement can be run again: it takes no time, and gives the same result."""
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef)):
        return True
    with suppress(ValueError):
        if isinstance(statement, ast.Assign):
            ast.literal_eval(statement.value)
            return True
    return False


def _bound(tree: ast.AST) -> list[str]:
    """Return the names that a statement, or a module's, give a value, in order."""
    if isinstance(tree, ast.Module):
        return [name for statement in tree.body for name in _bound(statement)]
    if isinstance(tree, (ast.FunctionDef, ast.ClassDef)):
        return [tree.name]
    if isinstance(tree, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.split(".")[0] for alias in tree.names]
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return [node.id for node in names if isinstance(node.ctx, ast.Store)]
