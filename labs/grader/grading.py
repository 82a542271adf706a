"""Grade one submission: start the two sides, and keep what the judge tells, cell by cell."""

import json
import os
import re
import select
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

from . import sandbox
from .feedback import make_page
from .notebooks import OWN_TEXT, mend, missing_tests, points, read
from .submissions import Job, Row

MINUTES = 15  # for a submission, by the clock
SECONDS = max(1, int(os.environ.get("WPEDU_SECONDS", 60)))  # for a cell, of processor time
MOST_RUNS = 6  # of a submission whose cells end Python

stopping = threading.Event()


class Submission:
    """One notebook on its way through the judge."""

    def __init__(self, job: Job, course: Path, lab: str, folder: Path, hidden: list[Path]):
        """Prepare its folders."""
        self.folder, self.notes, self.source = folder, [], read(lab, "source", course)
        if lacks := missing_tests(job.cells, self.source):
            self.notes = [f"another version of this lab, without {', '.join(lacks)}: see --course"]
        # A lab that asks for own work says so; there, the library is absent.
        free = "built_here" not in json.dumps(self.source)
        self.settings = {"seconds": SECONDS, "free": free, "skipped": [],
                         "source": self.source, "cells": mend(job.cells, self.source)}  # fmt: skip
        self.says: dict[int, str] = {}  # by the number of a cell, what to say about it
        self.job, self.beside = folder / "job", folder / "beside"
        text = course / "source" / lab / OWN_TEXT
        given = {OWN_TEXT: text} if text.is_file() and not free else {}
        own = {name: path for name, path in job.beside.items() if Path(name).parts[0] not in given}
        for work, files in [(self.beside, own | given), (self.job / "work", given)]:
            work.mkdir(parents=True)
            for name, path in files.items():
                (work / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, work / name)
        absent = [] if free else sandbox.make_absent(folder / "absent")
        self.hidden = [*hidden, folder.parent, *absent]

    def grade(self) -> Row:
        """Run it, again without what ended it, until the judge reaches the end.

        Raise RuntimeError if this machine failed, so that there is nothing to say about it.
        """
        until, skipped = time.monotonic() + 60 * MINUTES, self.settings["skipped"]
        for _ in range(MOST_RUNS):
            where, why = self.run(until)
            if not why:
                break
            if not where:
                raise RuntimeError("Python did not start")
            skipped.append(where)  # at once, as another run may know what this one was asked
            if time.monotonic() > until:
                break
        if left_out := dict.fromkeys(map(named, skipped)):
            self.notes.append(f"ended, and left out, in {', '.join(left_out)}")
        worth = points(self.source)
        passed = {c["name"] for n, c in enumerate(self.settings["cells"]) if self.says.get(n) == ""}
        failed = [name for name in worth if name not in passed]
        return {
            "points": sum(worth.values()) - sum(worth[name] for name in failed),
            "of": sum(worth.values()),
            "by hand": sum(points(self.source, by_hand=True).values()),
            "failed": " ".join(name.removeprefix("test_") for name in failed),
            "notes": self.notes,
            "page": make_page(self.source, self.settings["cells"], self.says),
        }

    def run(self, until: float) -> tuple[str, str]:
        """Run both sides once; return where they ended, and why, if before the end."""
        (self.job / "job.json").write_text(json.dumps(self.settings), encoding="utf-8")
        here, root = Path(__file__).parent, sandbox.ROOT
        sides: dict[str, subprocess.Popen[bytes]] = {}
        library = root if self.settings["free"] else self.folder / "absent"
        student = [library / "wpedu", root / "datasets", self.beside]
        student += [here / "kernel.py", here / "wall.py"]
        judge = [root / "wpedu", root / "datasets", here, self.job]
        ours, theirs = socket.socketpair()
        try:
            with ours, theirs:
                for name, sock, given, seen, path, told in [
                    ("kernel", theirs, self.beside, student, [library], subprocess.DEVNULL),
                    ("judge", ours, self.job, judge, [sandbox.LABS, root], subprocess.PIPE),
                ]:
                    line = [str(here / f"{name}.py"), str(sock.fileno()), str(given)]
                    more = {"stderr": told, "pass_fds": [sock.fileno()]}
                    sides[name] = sandbox.start(line, seen, path, self.hidden, **more)
            return self.listen(sides, until)
        finally:
            for side in sides.values():
                side.kill()  # and bubblewrap all that is in it
                side.communicate()

    def listen(self, sides: "dict[str, subprocess.Popen[bytes]]", until: float) -> tuple[str, str]:
        """Keep what the judge tells; return where it stopped, and why, if before the end.

        A submission that takes too much of the machine ends here, and is not run again.
        """
        where, last, looked = "", time.monotonic(), 0.0
        told, spent = sides["judge"].stderr, dict[tuple[str, int], float]()
        while True:
            ready, _, _ = select.select([told], [], [], 0.5)
            now = time.monotonic()
            if stopping.is_set():
                raise RuntimeError("stopped")
            data, last = (os.read(told.fileno(), 2**20), now) if ready else (b"", last)
            if ready and not data:
                return where, "died"
            for line in data.splitlines():  # an event is written at once
                kind, *event = json.loads(line)
                if kind == "begin":
                    where = event[0]
                elif kind == "said":
                    self.says.setdefault(*event)  # what is learned in a run cannot help later
                elif kind == "limit":
                    self.notes += {named(event[0])} - {*self.notes}
                elif kind == "ended":
                    return where, event[0]
            if now > looked + 0.5:
                looked = now
                if reason := sandbox.find_excess(sides, spent, 5 * SECONDS):
                    self.notes.append(f"stopped: {reason} in {named(where)}")
                    return where, ""
            if now > min(last + 5 * SECONDS + 30, until):
                return where, "time"


def named(text: str) -> str:
    """Return a text without the number of a student's own cell, which could tell a hidden input."""
    return re.sub(r"\bcell \d+$", "another cell", text)
