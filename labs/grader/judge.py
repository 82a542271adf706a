"""The teacher's side: runs a lab's locked cells and its tests on the answers of one notebook.

    python judge.py SOCKET JOB

The student's side, at the other end of SOCKET, runs the student's cells. JOB is a folder with
`incoming`, `source.ipynb`, `release.ipynb` and `job.json`. What happens is told on stderr, in a
line of JSON for each event, so that nothing is lost if a test ends this process.
"""

import ast
import io
import json
import os
import resource
import shutil
import signal
import socket
import sys
from base64 import b64decode
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import wpedu.labs
from grader.feedback import make_page
from grader.notebooks import cells, match, mend, missing_tests, read_cells
from grader.wall import UNREADABLE, Line, Packer, unpack

SERVED = ("LoopEncoder", "build_vocab", "merge_pair", "pair_gains", "subword_tokenize", "train")
HERE = {"corpus", "pretokenization", "labs"}  # the modules of wpedu that students' code may see
GIVEN = """
def merge_pair(pair, split):
    x, y = pair
    merged, i = [], 0
    while i < len(split):
        whole = split[i] == x and split[i + 1 : i + 2] == [y]
        merged.append(x + y if whole else split[i])
        i += 1 + whole
    return merged
"""  # called too often to be asked for
MOST_SERVED = 500_000  # calls for one notebook
MOST_MEMORY = 8 * 2**30  # bytes
HIDDEN = "### BEGIN HIDDEN TESTS"
OWN_TEXT = "corpus.txt"


class StudentError(Exception):
    """What a test says if an answer ended with an error, or cannot be read."""


class Ended(BaseException):
    """The student's side is gone, or one of the two sides took too long."""


class Wall:
    """The student's side, as the tests see it."""

    def __init__(self, line: Line, seconds: int, declared: set[str]):
        self.line, self.seconds = line, seconds
        self.declared = declared  # what the lab imports, and students' cells may ask for
        self.may_use: dict[str, set[str]] = {}  # by answer, while a test calls it
        self.testing, self.calling = False, ""
        self.made: list[Any] = []
        self.served = 0
        self.changes = True  # do to a test's values what an answer did to its copies
        self.changed: list[tuple[Any, Any]] = []  # with what they were before

    def ask(self, **message: Any) -> dict[str, Any]:
        """Return the reply to a question; serve what is asked for on the way."""
        try:
            self.line.send({"seconds": self.seconds} | message)
            while "tool" in (reply := self.line.receive()):
                self.line.send(self.serve(reply))
            return dict(reply)
        except (EOFError, *UNREADABLE):
            raise Ended("died") from None

    def serve(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Return what a pure function of the library gives, if the lab allows it here."""
        name, _, _ = str(asked["tool"]).partition(".")
        number = int(name) if name.isdecimal() and len(name) < 9 else None
        function = "LoopEncoder" if number is not None else name
        allowed = self.may_use.get(self.calling, set()) if self.testing else self.declared
        self.served += 1
        if function not in allowed or function not in SERVED or self.served > MOST_SERVED:
            told = f"`{function}` of wpedu is not here: write it yourself"
            return {"kind": "NotImplementedError", "error": told}
        try:
            call = getattr(wpedu, function) if number is None else self.made[number].encode
            value = call(*self.value(asked["arguments"]), **self.value(asked["named"]))
        except Exception as error:
            return {"kind": type(error).__name__, "error": str(error)[:500]}
        if isinstance(value, wpedu.LoopEncoder):
            self.made.append(value)
            return {"made": str(len(self.made) - 1)}
        return {"value": self.pack(value)}

    def pack(self, value: Any) -> Any:
        """Return `value` as it crosses."""
        return Packer(lambda held: held.number if type(held) is Proxy else None)(value)

    def value(self, packed: Any, name: str = "") -> Any:
        """Return the value that came over; raise StudentError if that is impossible."""
        try:
            return unpack(packed, lambda number: Proxy(self, number, name))
        except UNREADABLE:
            raise StudentError("Your answer is too large, or of an unusual kind.") from None


class Proxy:
    """A function of the student's, which a test can call."""

    def __init__(self, wall: Wall, number: int, name: str):
        self.wall, self.number, self.name = wall, number, name

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Return what the function returns; do to the arguments what it did to its copies."""
        wall, outer = self.wall, self.wall.calling
        sent = {"arguments": wall.pack(arguments), "named": wall.pack(named)}
        wall.calling = outer or self.name
        try:
            reply = wall.ask(call=self.number, **sent)
        finally:
            wall.calling = outer
        if "raised" in reply:
            raise StudentError(_tell(reply["raised"], wall.seconds))
        if "arguments" in reply and wall.changes:
            for old, new in zip(arguments, wall.value(reply["arguments"])):
                if isinstance(old, (list, dict, set)) and type(old) is type(new) and old != new:
                    wall.changed.append((old, old.copy()))
                    _put(old, new)
        return wall.value(reply.get("value"))


def _put(old: Any, new: Any) -> None:
    old.clear()
    (old.extend if isinstance(old, list) else old.update)(new)


def _tell(kind: Any, seconds: int) -> str:
    """Return a sentence about an error of the student's code, without its kind or text.

    Both could carry hidden inputs out.
    """
    if kind == "time":
        return f"timed out after {seconds} s of processor time"
    if kind == "output":
        return "more than 1,000,000 characters of output"
    if kind == "NotImplementedError":
        return "This is not written yet, or it calls a function that you should write yourself."
    return "Your code ended with an error."


class Judge:
    """Goes through one notebook, cell by cell."""

    def __init__(self, job: Path, line: Line, out: io.TextIOBase):
        settings = json.loads((job / "job.json").read_text("utf-8"))
        self.seconds, self.skipped = settings["seconds"], settings["skipped"]
        source = json.loads((job / "source.ipynb").read_text("utf-8"))
        self.source, self.out = source, out
        released = json.loads((job / "release.ipynb").read_text("utf-8"))
        handed_in = read_cells((job / "incoming").read_bytes())
        missing = missing_tests(handed_in, released)
        given = match(handed_in, released)
        if missing:
            told = f"another version of this lab, without {', '.join(missing)}: to grade it by its "
            self.tell("limit", told + "own tests, add --course with that version's folder")
        elif given:
            told = f"nbgrader's marks were missing from {len(given)} cells, which were "
            self.tell("limit", told + "recognized by their ids or texts: " + ", ".join(given))
        self.notebook = mend(handed_in, source)
        self.known = {name: grading for name, grading, _ in cells(source)}
        texts = {n: c["source"] for n, _, c in cells(source) if c["cell_type"] == "code"}
        self.locked = {name: text for name, text in texts.items() if self.known[name]["locked"]}
        # A lab that asks for own work says so; there, the library is absent.
        self.free = not any("built_here" in text for text in self.locked.values())
        setup = "\n".join(t for n, t in self.locked.items() if not self.known[n]["grade"])
        self.wall = Wall(line, self.seconds, set(SERVED) & set(_words(setup)))
        answers = [ast.parse(t) for n, t in texts.items() if n not in self.locked]
        self.bound = {name for answer in answers for name in _bound(answer)}
        functions = [ast.unparse(s) for text in self.locked.values()
                     for s in ast.parse(text).body if isinstance(s, ast.FunctionDef)]  # fmt: skip
        self.used = _names("\n".join(functions))
        theirs = [c["source"] for c in self.notebook if c["name"] not in self.locked]
        self.mentioned = self.used | set(_words("\n".join(theirs)))
        self.space: dict[str, Any] = {"__name__": "__main__"}
        self.passed: dict[str, Any] = {}  # answers with which a test was passed
        self.says: dict[str, str] = {}
        if (job / OWN_TEXT).is_file():
            shutil.copyfile(job / OWN_TEXT, OWN_TEXT)
        wpedu.labs.built_here = self.built_here
        real = wpedu.labs.ends  # an answer's time is counted from outside
        wpedu.labs.ends = lambda function, *given, **limit: (
            function(*given) if type(function) is Proxy else real(function, *given, **limit)
        )

    def tell(self, *event: Any) -> None:
        """Write an event."""
        self.out.write(json.dumps(event) + "\n")
        self.out.flush()

    def built_here(self, name: str, space: Any, may_use: Iterable[str] = ()) -> None:
        """Note what an answer may ask for; what it may not is absent."""
        assert name in space, f"`{name}` is not defined yet: run the cell in which you wrote it."
        self.wall.may_use[name] = set(may_use)

    def run(self) -> dict[str, bool]:
        """Run all cells; return which tests passed."""
        modules = sorted(p.stem for p in Path(wpedu.__file__).parent.iterdir() if p.stem[0] != "_")
        kept = {*wpedu.corpus.__all__, *wpedu.pretokenization.__all__}
        self.wall.ask(
            modules=[] if self.free else [name for name in modules if name not in HERE],
            names=[] if self.free else [name for name in wpedu.__all__ if name not in kept],
            given=GIVEN if "merge_pair" in self.wall.declared and not self.free else "",
        )
        passed = {}
        for number, cell in enumerate(self.notebook):
            if cell["cell_type"] != "code":
                continue
            where = cell["name"] or f"cell {number + 1}"
            is_test = where in self.locked and self.known[where]["grade"]
            self.tell("begin", where)
            cell["where"] = where
            if where in self.skipped:
                self.says[where] = "It was ended: it took too long, or ended Python itself."
            else:
                signal.setitimer(signal.ITIMER_PROF, self.seconds)
                run = self.test if is_test else self.define if where in self.locked else self.cell
                self.says[where] = run(where, cell["source"])
                signal.setitimer(signal.ITIMER_PROF, 0)
            if is_test:
                passed[where] = not self.says[where]
                self.tell("test", where, passed[where])
        return passed

    def cell(self, where: str, text: str) -> str:
        """Run a cell of the student's; return what to say about it."""
        kind = self.wall.ask(run=text).get("raised")
        if kind in ("time", "output"):
            self.tell("limit", f"{_tell(kind, self.seconds)} in {where}")
        # What other cells end with could tell a page what a hidden test asked for.
        return _tell(kind, self.seconds) if kind and where in self.known else ""

    def define(self, where: str, text: str) -> str:
        """Run a locked cell here, and give the student's side what it defines."""
        exec(compile(text, where, "exec"), self.space)
        self.share(text)
        return ""

    def test(self, where: str, text: str) -> str:
        """Run a test; return why it failed, in the teacher's words, or "".

        An answer may have changed what it was given, and with it what the test expects: to pass,
        it must also pass with values that stay as they are.
        """
        said = self.test_once(where, text)
        if self.wall.changed and not said:
            self.wall.changes = False
            said = self.test_once(where, text)
        self.wall.changes, self.wall.changed = True, []
        return said

    def test_once(self, where: str, text: str) -> str:
        """Run a test; undo what it, or an answer, did to the values here."""
        visible, _, hidden = text.partition(HIDDEN)
        begun, self.wall.testing = False, True
        try:
            if self.free:
                self.fetch()
            wanted = self.bound & (_names(text) | self.used) - set(_bound(ast.parse(text)))
            values = self.wall.ask(values=sorted(wanted))
            for name in self.bound:
                self.space.pop(name, None)
            mine = {n: self.wall.value(v, n) for n, v in values.items() if n in wanted}
            mine |= {name: self.passed[name] for name in wanted & self.passed.keys()}
            self.space.update(mine)
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                try:
                    exec(compile(visible, where, "exec"), self.space)
                finally:
                    self.wall.testing = False
                    self.share(visible)
                    self.wall.testing, before = True, dict(self.space)
                begun = True
                exec(compile(hidden, where, "exec"), self.space)
            self.passed.update(mine)  # a later cell cannot change it
        except AssertionError as error:
            return str(error).split("\n")[-1] or "This test failed."
        except Exception as error:
            if begun:  # nothing of the student's, who has seen a hidden input
                return "With other inputs, your code ends with an error, or takes too long."
            if isinstance(error, StudentError):
                return str(error)
            return "Your answer is not of the kind that the test expects."
        finally:
            self.wall.testing = False
            for old, new in reversed(self.wall.changed):
                _put(old, new)
            if begun:
                self.space.clear()
                self.space.update(before)
        return ""

    def share(self, text: str) -> None:
        """Give the student's side what a locked cell defines, as it would have in one kernel."""
        kinds = (ast.FunctionDef, ast.Import, ast.ImportFrom, ast.If)
        code = [statement for statement in ast.parse(text).body if isinstance(statement, kinds)]
        if code:
            self.wall.ask(run="\n".join(map(ast.unparse, code)))
        values = {}
        for name in set(_bound(ast.parse(text))) & self.mentioned & self.space.keys():
            with suppress(ValueError):
                values[name] = self.wall.pack(self.space[name])
        values = {n: v for n, v in values.items() if not (isinstance(v, list) and v[0] in "of")}
        if values:
            self.wall.ask(define=values)

    def fetch(self) -> None:
        """Copy the files of the student's side."""
        with suppress(Exception):  # a zip can be wrong in many ways
            packed = ZipFile(io.BytesIO(b64decode(self.wall.ask(files=True)["files"])))
            os.chdir("..")
            shutil.rmtree("work")
            os.mkdir("work")
            os.chdir("work")
            packed.extractall()  # it makes no links, and nothing outside of this folder


def _bound(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a cell's statements give a value, imports aside."""
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            yield statement.name
        elif not isinstance(statement, (ast.Import, ast.ImportFrom)):
            names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
            yield from (node.id for node in names if isinstance(node.ctx, ast.Store))


def _names(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def _words(text: str) -> list[str]:
    return "".join(c if c.isidentifier() or c.isdigit() else " " for c in text).split()


def main() -> None:
    """Judge one notebook."""
    out = os.fdopen(os.dup(2), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def stop(*_: Any) -> None:
        raise Ended("time")

    signal.signal(signal.SIGPROF, stop)
    line, job = Line(socket.socket(fileno=int(sys.argv[1]))), Path(sys.argv[2]).resolve()
    os.mkdir("work")
    os.chdir("work")
    try:
        judge = Judge(job, line, out)
    except ValueError as error:
        out.write(json.dumps(["refused", str(error)]) + "\n")
        return
    try:
        passed = judge.run()
    except Ended as error:
        judge.tell("ended", str(error))
        return
    judge.tell("page", make_page(judge.source, judge.notebook, passed, judge.says))


if __name__ == "__main__":
    main()
