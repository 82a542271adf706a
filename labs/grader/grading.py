"""Grade one submission: start the two sides, and keep what the judge tells, test by test."""

import json
import os
import select
import shutil
import socket
import subprocess
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from . import sandbox
from .notebooks import Notebook, points
from .submissions import LARGEST, Job, Row

MINUTES = 15  # for a submission, by the clock
MOST_RUNS = 6  # of a submission whose cells end Python
LARGEST_PAGE = 10 * 2**20  # bytes
MOST_NOTES = 8
OWN_TEXT = "corpus.txt"


running: set["subprocess.Popen[bytes]"] = set()
stopping = threading.Event()


class MachineError(Exception):
    """The grader's own machine failed, so there is nothing to say about the submission."""


class Submission:
    """One notebook on its way through the judge."""

    def __init__(self, job: Job, course: Path, lab: str, folder: Path, hidden: list[Path] | None):
        self.folder = folder
        self.seconds = int(os.environ.get("WPEDU_SECONDS", "60"))
        self.passed: dict[str, bool] = {}
        self.notes: list[str] = []
        self.page = self.refused = ""
        self.skipped: list[str] = []
        self.hidden = None if hidden is None else [*hidden, folder.parent]
        self.job, self.beside = folder / "job", folder / "beside"
        self.job.mkdir()
        self.beside.mkdir()
        shutil.copyfile(job.path, self.job / "incoming")
        for version in ("source", "release"):
            shutil.copyfile(course / version / lab / f"{lab}.ipynb", self.job / f"{version}.ipynb")
        self.source: Notebook = json.loads((self.job / "source.ipynb").read_text("utf-8"))
        self.free = "built_here" not in json.dumps(self.source)
        left = LARGEST
        for name, path in sorted(job.beside.items())[:1_000]:
            left -= path.stat().st_size
            if left > 0:
                (self.beside / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, self.beside / name)
        text = course / "source" / lab / OWN_TEXT
        if text.is_file() and not (self.free and (self.beside / OWN_TEXT).exists()):
            shutil.copyfile(text, self.beside / OWN_TEXT)
            if not self.free:
                shutil.copyfile(text, self.job / OWN_TEXT)
        if not self.free:
            sandbox.make_absent(folder / "absent")

    def grade(self) -> Row:
        """Run it, again without what ended it, until the judge reaches the end."""
        until = time.monotonic() + 60 * MINUTES
        ended: Counter[str] = Counter()
        for _ in range(MOST_RUNS):
            self.notes.clear()
            where, why = self.run(until)
            if not why or self.refused:
                break
            ended[where] += 1
            if why != "died" or ended[where] > 1:  # who only died may have had bad luck
                self.skipped.append(where)
            if time.monotonic() > until:
                break
        if self.refused:
            told = f"not graded: no notebook, {self.refused}: ask for it again"
            return {"points": 0, "notes": [told]}
        if self.skipped:
            self.notes.append(f"ended, and left out, in {', '.join(self.skipped[:8])}"
                              " (os._exit, or no end, or too much memory)")  # fmt: skip
        worth = points(self.source)
        failed = [name for name in worth if not self.passed.get(name)]
        return {
            "points": sum(worth.values()) - sum(worth[name] for name in failed),
            "of": sum(worth.values()),
            "by hand": sum(points(self.source, by_hand=True).values()),
            "failed": " ".join(name.removeprefix("test_") for name in failed),
            "notes": self.notes,
        }

    def run(self, until: float) -> tuple[str, str]:
        """Run both sides once; return where they ended before the end, and why, or two ""."""
        if stopping.is_set():
            raise MachineError("stopped")
        settings = {"seconds": self.seconds, "skipped": self.skipped}
        (self.job / "job.json").write_text(json.dumps(settings), encoding="utf-8")
        ours, theirs = socket.socketpair()
        here, sides = Path(__file__).parent, []
        root = sandbox.ROOT if self.free else self.folder / "absent"
        student = [root / "wpedu", sandbox.ROOT / "datasets", self.beside]
        student += [here / "kernel.py", here / "wall.py"]
        judge = [sandbox.ROOT / "wpedu", sandbox.ROOT / "datasets", here, self.job]
        try:
            for name, sock, given, seen, path in [
                ("kernel", theirs, self.beside, student, [root]),
                ("judge", ours, self.job, judge, [sandbox.LABS, sandbox.ROOT]),
            ]:
                scratch = self.folder / name
                shutil.rmtree(scratch, ignore_errors=True)
                scratch.mkdir()
                sides.append(sandbox.start(
                    [str(here / f"{name}.py"), str(sock.fileno()), str(given)],
                    scratch, seen, path, self.hidden, name == "kernel" and not self.free,
                    stderr=subprocess.PIPE, pass_fds=[sock.fileno()],
                ))  # fmt: skip
                running.add(sides[-1])
                sock.close()
            return self.listen(sides, until)
        finally:
            ours.close()
            theirs.close()
            for side in sides:
                end(side)

    def listen(self, sides: list["subprocess.Popen[bytes]"], until: float) -> tuple[str, str]:
        """Note what the judge tells; return where it stopped before the end, and why."""
        told_by = sides[1].stderr
        assert told_by is not None
        where, said, last = "", b"", time.monotonic()
        looked = last
        while True:
            ready, _, _ = select.select([told_by], [], [], 0.5)
            now = time.monotonic()
            if self.hidden and now > looked + 0.4:
                looked = now
                reason = sandbox.find_excess([side.pid for side in sides])
                if reason:
                    self.notes.append(f"{reason} in {where}")
                    return self._ended(where, reason)
            if now > min(last + 5 * self.seconds + 30, until):
                return self._ended(where, "time")
            if not ready:
                continue
            data, last = os.read(told_by.fileno(), 2**20), now
            said += data
            *lines, said = said.split(b"\n")
            for line in lines:
                try:
                    kind, *event = json.loads(line)
                except ValueError:
                    told = b" ".join([*lines, said, told_by.read(10_000)])
                    raise MachineError(told.decode(errors="replace").strip()[-200:]) from None
                if kind == "begin":
                    where = event[0]
                elif kind == "test":
                    self.passed[event[0]] = event[1]
                elif kind == "limit" and len(self.notes) < MOST_NOTES:
                    self.notes.append(event[0])
                elif kind in ("page", "refused"):
                    setattr(self, kind, event[0])
                    return "", ""
                elif kind == "ended":
                    return self._ended(where, event[0])
            if not data or len(said) > LARGEST_PAGE:
                return self._ended(where, "died")

    def _ended(self, where: str, why: str) -> tuple[str, str]:
        if not where:
            raise MachineError("Python did not start")
        return where, why


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, 9)
    process.wait()
    running.discard(process)
    if process.stderr:
        process.stderr.close()


def end_all() -> None:
    """End all that runs, and let nothing new begin."""
    stopping.set()
    for process in list(running):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
