"""The student's side: runs the cells of a notebook, and calls its functions when it is asked to.

    python kernel.py SOCKET FILES

FILES is a folder with what the student handed in beside the notebook. No test runs here, and
nothing here knows an expected value. What the library would do, if it were here, is asked for on
the other side of the wall.
"""

import builtins
import io
import os
import resource
import shutil
import signal
import socket
import sys
from base64 import b64encode
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

from wall import LONGEST, UNREADABLE, Line, Packer, unpack

MOST_OUTPUT = 1_000_000  # characters that a cell or a call may print
MOST_MEMORY = 4 * 2**30  # bytes
LARGEST = 200 * 2**20  # bytes of a file


class Stopped(BaseException):
    """A limit was exceeded; not an Exception, so that no `except Exception` catches it."""


class Sink(io.StringIO):
    """Counts what is printed, and forgets it."""

    left = MOST_OUTPUT

    def write(self, text: str) -> int:
        """Count `text`."""
        self.left -= len(text)
        if self.left < 0:
            raise Stopped("output")
        return len(text)


class Student:
    """A notebook's namespace, and the functions in it that the other side knows by number."""

    def __init__(self, line: Line):
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        self.line, self.held = line, []
        self.shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
        for name in ("showtraceback", "showsyntaxerror", "enable_gui"):  # nothing is shown
            setattr(self.shell, name, lambda *_, **__: None)

    def hold(self, value: Any) -> int | None:
        """Return the number of what can be called, or None."""
        if not callable(value):
            return None
        self.held.append(value)
        return len(self.held) - 1

    def pack(self, value: Any) -> Any:
        """Return `value` as it crosses."""
        return Packer(self.hold)(value)

    def unpack(self, packed: Any) -> Any:
        """Return the value that came over."""
        return unpack(packed, self.held.__getitem__)

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to one question."""
        signal.setitimer(signal.ITIMER_PROF, asked["seconds"], 1)
        sink = Sink()
        with redirect_stdout(sink), redirect_stderr(sink):
            if "run" in asked:
                ran = self.shell.run_cell(asked["run"], store_history=True)
                error = ran.error_before_exec or ran.error_in_exec
                return {} if error is None else {"raised": kind_of(error)}
            if "values" in asked:
                space = self.shell.user_ns
                return {n: self.pack(space[n]) for n in asked["values"] if n in space}
            if "define" in asked:
                values = {n: self.unpack(v) for n, v in asked["define"].items()}
                self.shell.user_ns.update(values)
                return {}
            if "files" in asked:
                packed = Path(shutil.make_archive("../files", "zip", ".")).read_bytes()
                return {"files": b64encode(packed).decode()} if len(packed) < LONGEST / 2 else {}
            function = self.held[asked["call"]]
            arguments, named = self.unpack(asked["arguments"]), self.unpack(asked["named"])
            value = function(*arguments, **named)
            reply, after = {"value": self.pack(value)}, self.pack(arguments)
            return reply if after == asked["arguments"] else reply | {"arguments": after}

    def respond(self, asked: dict[str, Any]) -> None:
        """Answer one question, whatever happens."""
        try:
            reply = self.answer(asked)
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.line.send(reply)
        except BaseException as error:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.line.send({"raised": kind_of(error)})

    def ask_for(self, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Return what a function of the library gives on the other side."""
        self.line.send({"tool": name, "arguments": self.pack(arguments), "named": self.pack(named)})
        while "call" in (reply := self.line.receive()):  # such as a score that `train` calls
            left, _ = signal.getitimer(signal.ITIMER_PROF)
            self.respond(reply)
            signal.setitimer(signal.ITIMER_PROF, left, 1)
        if "error" in reply:
            raise getattr(builtins, reply["kind"], ValueError)(reply["error"])
        return Remote(self, reply["made"]) if "made" in reply else self.unpack(reply["value"])


def kind_of(error: BaseException) -> str:
    """Return one of few words: an error's own text stays here."""
    if isinstance(error, Stopped):
        return str(error)[:10]
    if isinstance(error, UNREADABLE) and "values" in str(error)[:40]:
        return "size"
    return type(error).__name__[:30]


class Remote:
    """What is absent: to call it is to ask for it."""

    def __init__(self, student: Student, name: str):
        self.__student, self.__name__, self.__module__ = student, name, "wpedu"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Ask for it."""
        return self.__student.ask_for(self.__name__, arguments, named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return Remote(self.__student, f"{self.__name__}.{name}")


class Absent(ModuleType):
    """A module of wpedu that is not here."""

    student: Student

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Remote(self.student, name)


def main() -> None:
    """Answer questions until the other side has no more."""
    line = Line(socket.socket(fileno=int(sys.argv[1])))
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    shutil.copytree(sys.argv[2], "work")
    os.chdir("work")
    here = str(Path(__file__).parent)
    sys.path[:] = [path for path in sys.path if path not in (here, "")]
    first = line.receive()
    student = Student(line)

    def stop(*_: Any) -> None:
        raise Stopped("time")

    signal.signal(signal.SIGPROF, stop)
    import wpedu

    for name in first["modules"]:
        module = sys.modules[f"wpedu.{name}"] = Absent(f"wpedu.{name}")
        module.student = student
        setattr(wpedu, name, module)
    for name in first["names"]:
        setattr(wpedu, name, Remote(student, name))
    exec(first["given"], vars(wpedu))
    line.send({})
    while True:
        try:
            asked = line.receive()
        except EOFError:
            return
        student.respond(asked)


if __name__ == "__main__":
    main()
