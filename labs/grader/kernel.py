"""The student's side: runs the cells of a notebook, and calls its functions when it is asked to.

    python kernel.py SOCKET FILES

FILES is a folder with what the student handed in beside the notebook. No test runs here, and
nothing here knows an expected value. What the library would do, if it were here, is asked for on
the other side of the wall.
"""

import builtins
import os
import shutil
import signal
import sys
import threading
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile
from zlib import compress

from wall import Line, unpack

MOST_SENT = 40 * 2**20  # bytes of files, compressed
ASKING = threading.RLock()  # one question at a time, so that each thread gets its own answer


class Student(Line):
    """A notebook's namespace, and the functions in it that the other side knows by number."""

    def __init__(self) -> None:
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        class Shell(InteractiveShell):
            """Goes on after a statement that fails, such as a look at what is absent here.

            A failed assertion ends a cell, as it does at home: an older draft may stand below it.
            """

            async def run_code(self, code: Any, result: Any = None, **more: Any) -> bool:
                failed = await super().run_code(code, result, **more)
                error = getattr(result, "error_in_exec", None)
                goes_on = isinstance(error, Exception) and not isinstance(error, AssertionError)
                return failed and not goes_on

        super().__init__()
        self.held: list[Any] = []
        self.shell = Shell.instance(config=Config(HistoryManager={"enabled": False}))
        for name in ("showtraceback", "showsyntaxerror", "enable_gui"):  # nothing is shown
            setattr(self.shell, name, lambda *_, **__: None)

    def hold(self, function: Any) -> int:
        """Keep a function, so that the other side can call it by its number."""
        self.held.append(function)
        return len(self.held) - 1

    def unpack(self, packed: Any) -> Any:
        """Return the value that came over."""
        return unpack(packed, self.held.__getitem__)

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to one question."""
        space = self.shell.user_ns
        if "run" in asked:
            self.shell.run_cell(asked["run"], store_history=True).raise_error()
        elif "values" in asked:
            return {n: self.pack(space[n]) for n in asked["values"] if n in space}
        elif "define" in asked:
            space.update({n: self.unpack(value) for n, value in asked["define"].items()})
        elif "files" in asked:
            packed, files = BytesIO(), [path for path in Path().rglob("*") if path.is_file()]
            with ZipFile(packed, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
                for path in sorted(files, key=lambda path: path.stat().st_size):
                    if packed.tell() + len(compress(path.read_bytes(), 1)) > MOST_SENT:
                        break
                    archive.write(path, os.fsencode(path).decode(errors="replace"))
            data = b64encode(packed.getvalue()).decode()
            return {"files": data, "all": len(archive.namelist()) == len(files)}
        else:
            arguments, named = self.unpack(asked["arguments"]), self.unpack(asked["named"])
            value = self.pack(self.held[asked["call"]](*arguments, **named))
            unchanged = self.pack(self.unpack(asked["arguments"]))
            return {"value": value, "changed": self.pack(arguments) != unchanged}
        return {}

    def respond(self, asked: dict[str, Any]) -> bytes:
        """Return the answer to one question, whatever happens, as it is sent."""
        try:
            signal.setitimer(signal.ITIMER_PROF, asked["seconds"], 1)
            data = self.encode(self.answer(asked))
            signal.setitimer(signal.ITIMER_PROF, 0)
            return data
        except BaseException as error:  # of which the kind is told: its own text stays here
            signal.setitimer(signal.ITIMER_PROF, 0)
            return self.encode({"raised": type(error).__name__[:30]})


class Remote:
    """What is absent, such as a module or a function: to call it is to ask for it."""

    def __init__(self, student: Student, name: str):
        self.__line, self.__name = student, name
        self.__name__ = name.rpartition(".")[2]

    __or__ = __ror__ = lambda self, other: other  # so that `LoopEncoder | None` may annotate

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Return what it gives on the other side; nothing shows a picture here."""
        student = self.__line
        if self.__name.startswith("figures."):
            return None
        asked = {"arguments": student.pack(arguments), "named": student.pack(named)}
        with ASKING:
            left, _ = signal.setitimer(signal.ITIMER_PROF, 0)  # a question needs its answer
            student.send(asked | {"tool": self.__name})
            while "call" in (reply := student.receive()):  # such as a score that `train` calls
                student.sock.send_bytes(student.respond(reply))
            signal.setitimer(signal.ITIMER_PROF, left, 1)
        if "error" in reply:
            raise getattr(builtins, reply["kind"], ValueError)(reply["error"])
        return Remote(student, reply["made"]) if "made" in reply else student.unpack(reply["value"])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        # Or what is there, such as UNKNOWN.
        return vars(sys.modules["wpedu"]).get(name) or Remote(self.__line, f"{self.__name}.{name}")


def main() -> None:
    """Answer questions until the other side has no more."""
    shutil.copytree(sys.argv[2], "work")
    os.chdir("work")
    del sys.path[0], sys.modules["wall"]  # this folder, and a name that a student may use
    student = Student()
    first = student.receive()
    import wpedu.labs

    vars(wpedu).update(student.unpack(first.get("plain", ["d"])))
    for name in first.get("absent", {}).keys() - vars(wpedu).keys():
        remote = Remote(student, name)
        vars(remote)["__all__"] = first["absent"][name]  # for `from wpedu.scores import *`
        setattr(wpedu, name, remote)
        sys.modules[f"wpedu.{name}"] = remote
    exec(first.get("given", ""), vars(wpedu))
    library = {name: sys.modules[name] for name in sys.modules if name.startswith("wpedu")}
    # Modules beside the notebook, or written by a cell, come before packages, as in IPython.
    sys.path.insert([p[-9:] == "-packages" for p in [*sys.path, "-packages"]].index(True), "")
    data = student.encode({})
    while True:
        with ASKING:  # so that no thread asks while the other side expects no question
            student.sock.send_bytes(data)
            asked = student.receive()
        sys.modules.update(library)  # a cell may have dropped it, to import it anew
        data = student.respond(asked)


if __name__ == "__main__":
    main()
