"""The teacher's side: runs a lab's locked cells and its tests on the answers of one notebook.

    python judge.py SOCKET JOB

The student's side, at the other end of SOCKET, runs the student's cells. JOB is a folder with
`job.json`, which has the lab, the cells to run, and limits. What happens is told on stderr, in a
line of JSON for each event, so that nothing is lost if a test ends this process.
"""

import ast
import inspect
import io
import json
import os
import re
import shutil
import signal
import sys
import time
from base64 import b64decode
from collections.abc import Callable, Iterable, Set
from contextlib import suppress
from pathlib import Path
from symtable import symtable
from typing import Any
from zipfile import ZipFile

import wpedu.labs
from grader.notebooks import cells
from grader.wall import Line, Stopped, unpack

SERVED = {"LoopEncoder", "build_vocab", "merge_pair", "pair_gains", "subword_tokenize", "train"}
# Constants: they are read, and do no work.
PLAIN = {score: score for score in wpedu.SCORES}
PLAIN |= {"SPECIAL_TOKENS": wpedu.bert.SPECIAL_TOKENS, "SCORES": dict(PLAIN)}
PLAIN |= {name: getattr(wpedu, name) for name in ("__all__", "__version__", "UNKNOWN")}
# Called too often to be asked for.
GIVEN = f"""from __future__ import annotations
from wpedu._support.checks import *
{inspect.getsource(wpedu.merge_pair)}"""
SAYS = {  # about errors of the student's code, whose kind or text could carry hidden inputs out
    "Stopped": "timed out after {} s of processor time",
    "TimeoutError": "It was stopped here after too many calls; on your computer, it may end.",
    "NotImplementedError": "This is not written yet, or it calls what you should write yourself.",
}


class StudentError(Exception):
    """What a test says if an answer ended with an error, or cannot be read."""


class Wall(Line):
    """The student's side, as the tests see it."""

    def __init__(self, seconds: int):
        super().__init__()
        self.seconds = seconds
        self.may_use: dict[str, set[str]] = {}  # by answer, while a test calls it
        self.made: dict[str, wpedu.LoopEncoder] = {}
        self.changed = False  # whether an answer changed its arguments

    def ask(self, allowed: Set[str] = frozenset(), **message: Any) -> dict[str, Any]:
        """Return the reply to a question; serve what is `allowed` and asked for on the way."""
        soonest = time.monotonic() + self.seconds / 64  # if all of 64 processors are busy
        try:
            self.send({"seconds": self.seconds} | message)
            while "tool" in (reply := self.receive()):
                self.send(self.serve(reply, allowed))
            if reply.get("raised") == "Stopped" and time.monotonic() < soonest:
                reply["raised"] = "Exception"  # one of that name
            return dict(reply)
        except Exception:
            raise Stopped("died") from None

    def serve(self, asked: dict[str, Any], allowed: Set[str]) -> dict[str, Any]:
        """Return what a pure function of the library gives, if it is `allowed`."""
        owner, _, name = str(asked["tool"]).rpartition(".")
        encoder = self.made.get(owner)
        function = "LoopEncoder" if encoder else name
        try:
            if function not in allowed & SERVED:
                raise NotImplementedError(f"`{function}` of wpedu is not here: write it yourself")
            call = encoder.encode if encoder else getattr(wpedu, name)
            arguments, named = (self.value(asked[key]) for key in ("arguments", "named"))
            value = call(*arguments, **named)
        except Exception as error:
            return {"kind": type(error).__name__, "error": str(error)[:500]}
        if isinstance(value, wpedu.LoopEncoder):
            self.made[made := str(hash(json.dumps(asked)))] = value  # once for each vocabulary
            return {"made": made}
        return {"value": self.pack(value)}

    def hold(self, held: Any) -> int | None:
        """Return the number of a function that came over."""
        return held.number if type(held) is Proxy else None

    def value(self, packed: Any, name: str = "") -> Any:
        """Return the value that came over; raise StudentError if that is impossible."""
        try:
            return unpack(packed, lambda number: Proxy(self, number, name))
        except Exception:
            raise StudentError("Your answer is too large, or of an unusual kind.") from None

    def tell(self, raised: Any) -> str:
        """Return a sentence about an error of the student's code."""
        return SAYS.get(str(raised), "Your code ended with an error.").format(self.seconds)


class Proxy:
    """A function of the student's, which a test can call."""

    def __init__(self, wall: Wall, number: int, name: str):
        self.wall, self.number, self.name = wall, number, name

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Return what the function returns; note whether it changed its copies of the arguments."""
        wall = self.wall
        if not self.name and signal.getitimer(signal.ITIMER_PROF)[0] < wall.seconds / 10:
            raise TimeoutError("this was called too often")  # by `train`, as a score
        sent = {"arguments": wall.pack(arguments), "named": wall.pack(named)}
        reply = wall.ask(wall.may_use.get(self.name, set()), call=self.number, **sent)
        if "raised" in reply:
            raise StudentError(wall.tell(reply["raised"]))
        wall.changed |= bool(reply.get("changed"))
        return wall.value(reply.get("value"))


class Judge:
    """Goes through one notebook, cell by cell."""

    def __init__(self, job: dict[str, Any], out: int):
        self.job, self.out = job, out
        self.run_cell: dict[str, Callable[[str, str], str]] = {}  # how to, by name
        self.bound: set[str] = set()  # by answers
        self.used: dict[str, set[str]] = {}  # names, by functions of locked cells
        self.solved: set[str] = set()  # names that cells may use, as solutions and setup do
        self.solutions: list[ast.stmt] = []
        for name, grading, cell in cells(job["source"]):
            tree = ast.parse(text := cell["source"] if cell["cell_type"] == "code" else "")
            if not grading["locked"]:
                self.run_cell[name] = self.answer
                self.bound |= _bound(text)
                self.solved |= _names(tree)
                self.solutions += filter(_is_quick, tree.body)
                continue
            self.run_cell[name] = self.test if grading["grade"] else self.define
            self.solved |= set() if grading["grade"] else _names(tree)
            self.used |= {f.name: _names(f) for f in tree.body if isinstance(f, ast.FunctionDef)}
        self.wall = Wall(job["seconds"])
        self.space: dict[str, Any] = {"__name__": "__main__"}
        self.passed: dict[str, Any] = {}  # answers with which a test was passed
        wpedu.labs.built_here, wpedu.labs.solution = self.built_here, self.solution

    def tell(self, *event: Any) -> None:
        """Write an event, at once: no other may come in between."""
        os.write(self.out, json.dumps(event).encode() + b"\n")

    def built_here(self, name: str, space: Any, may_use: Iterable[str] = ()) -> None:
        """Note what an answer may ask for; what it may not is absent."""
        if name not in space:
            raise StudentError(f"`{name}` is not defined yet: run the cell in which you wrote it.")
        self.wall.may_use[name] = set(may_use)

    def solution(self, name: str, _: Any) -> Any:
        """Return the teacher's answer, which no cell of the student's can reach."""
        space = {name: value for name, value in self.space.items() if name not in self.bound}
        exec(compile(ast.Module(self.solutions, []), "solution", "exec"), space)
        return space[name]

    def run(self) -> None:
        """Run all cells, and tell what to say about each: nothing, if all is well."""
        lib = Path(wpedu.__file__).parent
        absent = {path.stem for path in lib.iterdir()} | {*wpedu.__all__}
        its = {name: getattr(vars(wpedu).get(name), "__all__", []) for name in absent}
        its["figures"] = re.findall(r"(?m)^def ([a-z]\w*)", (lib / "figures.py").read_text("utf-8"))
        plain, given = self.wall.pack(PLAIN), GIVEN if "merge_pair" in self.solved else ""
        self.wall.ask(**{} if self.job["free"] else {"absent": its, "plain": plain, "given": given})
        for number, cell in enumerate(self.job["cells"]):
            name, text = cell["name"], cell["source"]
            if cell["cell_type"] == "code":
                where = name or f"cell {number + 1}"
                self.tell("begin", where)
                if where in self.job["skipped"]:
                    said = "It was ended: it took too long, or ended Python itself."
                else:
                    signal.setitimer(signal.ITIMER_PROF, self.job["seconds"])
                    said = self.run_cell.get(name, self.answer)(where, text)
                    signal.setitimer(signal.ITIMER_PROF, 0)
                    # Other cells' ends could tell a page what a hidden test asked for.
                    said = said[:300] if name else ""
                self.tell("said", number, said)

    def answer(self, where: str, text: str) -> str:
        """Run a cell of the student's; return what to say about it."""
        kind = self.wall.ask(self.solved, run=text).get("raised")
        if kind == "Stopped":
            self.tell("limit", f"{self.wall.tell(kind)} in {where}")
        return self.wall.tell(kind) if kind else ""

    def define(self, where: str, text: str) -> str:
        """Run a locked cell here, and give the student's side what it defines."""
        exec(compile(text, where, "exec"), self.space)
        self.share(text)
        return ""

    def test(self, where: str, text: str) -> str:
        """Run a test; return why it failed, in the teacher's words, or "".

        An answer can only change copies of its arguments. That it must not is a sentence of
        the test.
        """
        visible, _, hidden = text.partition("### BEGIN HIDDEN TESTS")
        begun = self.wall.changed = False
        try:
            if self.job["free"]:
                self.fetch()
            names = [*_names(ast.parse(text))]
            for one in names:  # it grows by the names that functions use
                names += self.used.get(one, set()) - {*names}
            wanted = self.bound & {*names} - _bound(text)
            values = self.wall.ask(self.solved, values=sorted(wanted))
            for name in self.bound:
                self.space.pop(name, None)
            mine = {n: self.wall.value(v, name=n) for n, v in values.items() if n in wanted}
            mine |= {name: self.passed[name] for name in wanted & self.passed.keys()}
            self.space.update(mine)
            try:
                exec(compile(visible, where, "exec"), self.space)
            finally:
                self.share(visible)
                before = dict(self.space)
            begun = True
            exec(compile(hidden, where, "exec"), self.space)
            if self.wall.changed and (said := re.search(r"[^\"]* must not change\.", text)):
                return said[0]
            self.passed.update(mine)  # a later cell cannot change it
        except AssertionError as error:
            # Any value may tell a hidden input, of an earlier run or another notebook.
            return _without_values(str(error).split("\n")[-1], text) or "This test failed."
        except Exception as error:
            if begun:  # nothing of the student's, who has seen a hidden input
                return "With other inputs, your code ends with an error, or takes too long."
            odd = "Your answer is not of the kind that the test expects."
            return str(error) if isinstance(error, StudentError) else odd
        finally:
            if begun:
                self.space.clear()
                self.space.update(before)
        return ""

    def share(self, text: str) -> None:
        """Give the student's side what a locked cell defines, as it would have in one kernel."""
        kinds = (ast.FunctionDef, ast.Import, ast.ImportFrom, ast.If)
        if code := [one for one in ast.parse(text).body if isinstance(one, kinds)]:
            self.wall.ask(self.solved, run="\n".join(map(ast.unparse, code)))
        for name in _bound(text) & self.space.keys():  # each in a message of its own
            packed = self.wall.pack(self.space[name])
            if not (isinstance(packed, list) and packed[0] in "of"):
                self.wall.ask(self.solved, define={name: packed})

    def fetch(self) -> None:
        """Copy the files of the student's side: no links, and nothing outside of this folder."""
        reply: dict[str, Any] = {}
        shutil.rmtree(".", ignore_errors=True)  # all that is in it
        with suppress(Exception):  # a zip can be wrong in many ways
            reply = self.wall.ask(files=True)
            ZipFile(io.BytesIO(b64decode(reply["files"]))).extractall()
        if not reply.get("all"):
            self.tell("limit", "tests did not see all files: the largest are over 40 MB in all")


def _bound(text: str) -> set[str]:
    """Return the names that a cell gives a value, imports aside."""
    symbols = symtable(text, "cell", "exec").get_symbols()
    return {one.get_name() for one in symbols if one.is_assigned() and not one.is_imported()}


def _without_values(said: str, text: str) -> str:
    """Return a sentence as a test's `text` or labs.py has it, with "…" for values, or "".

    Only what is written there comes out, however the sentence was made.
    """
    for node in ast.walk(ast.parse(f"{text}\n{inspect.getsource(wpedu.labs)}")):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        known = [str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts]
        sentence = "".join(known)
        if " " in sentence and re.fullmatch(re.escape(sentence).replace("…", ".*"), said[:1_000]):
            return sentence
    return ""


def _is_quick(statement: ast.stmt) -> bool:
    """Return whether a statement defines a function, or gives a constant a name."""
    return isinstance(getattr(statement, "value", statement), ast.Constant | ast.FunctionDef)


def _names(tree: ast.AST) -> set[str]:
    """Return the names that code uses or imports."""
    return {getattr(node, "id", getattr(node, "name", "")) for node in ast.walk(tree)}


def main() -> None:
    """Judge one notebook."""
    out, folder = os.dup(2), Path(sys.argv[2]).resolve()
    os.dup2(1, 2)  # where nobody reads
    shutil.copytree(folder / "work", "work")
    os.chdir("work")
    judge = Judge(json.loads((folder / "job.json").read_text("utf-8")), out)
    try:
        judge.run()
        judge.tell("ended", "")
    except Stopped as error:
        judge.tell("ended", str(error))


if __name__ == "__main__":
    main()
