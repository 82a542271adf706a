"""The two sandboxes of a submission: one for the student's code, and one for the tests.

Each is a program shut in by bubblewrap: without a network, with a folder of limited size to write
to, and with nothing of the teacher's to see but what it is given.
"""

import os
import platform
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import psutil

from .notebooks import LABS

Paths = Sequence[Path]
ROOT = LABS.parent
TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def make_absent(folder: Path) -> list[Path]:
    """Write a wpedu into `folder` that has corpora and words, and nothing that labs ask for.

    Return the folders of the libraries that must be hidden beside it.
    """
    for name in TABLE["own_work"]["left"]:
        (folder / "wpedu" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "wpedu" / name, folder / "wpedu" / name)
    (folder / "wpedu" / "__init__.py").write_text(TABLE["own_work"]["init"], encoding="utf-8")
    (folder / "wpedu" / "datasets").symlink_to(ROOT / "datasets")
    return find_hidden()


@cache
def find_hidden() -> list[Path]:
    """Return all folders with the name of a hidden library, in whatever sandboxes show."""
    names = {*TABLE["own_work"]["hidden"]}
    tops = {path.resolve() for path in [*map(Path, TABLE["shown"]["system"]), *_python()]}
    walks = (step for top in tops for step in os.walk(top))
    return [Path(folder, name) for folder, below, _ in walks for name in names & {*below}]


def start(
    program: list[str], seen: Paths, path: Paths, hidden: Paths = (), **settings: Any
) -> "subprocess.Popen[bytes]":
    """Start Python with a program, and shut it in.

    It sees the system, Python, and what is `seen`; it imports from `path`, and can write to
    folders of its own alone. Hidden paths stay hidden wherever they lie, except below what is
    `seen`. It gets none of the teacher's environment variables.
    """
    env = TABLE["environment"] | {"PYTHONPATH": os.pathsep.join(map(str, path))}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"])
    for limit, most in TABLE["limits"].items():  # what is started inherits them
        with suppress(ValueError):  # where a lower one is set already
            resource.setrlimit(getattr(resource, f"RLIMIT_{limit}"), (most, most))
    settings |= {"env": env, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    system = [path for path in map(Path, TABLE["shown"]["system"]) if path.exists()]
    pythons, ours = _python(), [Path.home(), ROOT, LABS, ROOT / "grading", ROOT / ".git", *hidden]
    box = ["bwrap", *TABLE["options"], *_show(system), *_mask(ours, system)]
    box += [*_show(pythons), *_mask(ours, pythons)]
    box += [*TABLE["devices"], *_show(seen), "--remount-ro", "/"]
    with tempfile.TemporaryFile() as rules:
        rules.write(permit_calls())
        rules.seek(0)
        settings["pass_fds"] = [*settings.get("pass_fds", ()), rules.fileno()]
        box += ["--seccomp", str(rules.fileno()), "--", sys.executable, *program]
        return subprocess.Popen(box, start_new_session=True, **settings)


def _show(paths: Iterable[Path]) -> list[str]:
    return [x for path in paths for x in ("--ro-bind", str(path), str(path))]


def _mask(paths: Iterable[Path], bound: Paths) -> list[str]:
    """Return the arguments that hide paths below each bound one: lib64 may be lib once more."""
    roots = {path: path.resolve() for path in bound}
    hidden = [path.resolve() for path in paths if path.is_dir()]
    below = [b / p.relative_to(r) for b, r in roots.items() for p in hidden if r in p.parents]
    return [x for p in dict.fromkeys(below) for x in ("--tmpfs", str(p), "--remount-ro", str(p))]


@cache
def _python() -> tuple[Path, ...]:
    """Return what the interpreter, its environment and its packages need of their folders."""
    prefixes = [sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parent.parent)]
    parts = [p for x in prefixes for part in TABLE["shown"]["python"] for p in Path(x).glob(part)]
    parts += [p for p in map(Path, sys.path) if p.name in ("site-packages", "dist-packages")]
    return tuple(one for path in parts for one in (path, path.resolve()) if one.exists())


def permit_calls() -> bytes:
    """Return a filter of system calls: of those that are permitted, or seem to work."""
    load, equal, least, mask, end = 0x20, 0x15, 0x35, 0x54, 0x06
    ends = TABLE["ends"]
    steps = [(end, 0, 0, ends["permit"])]  # each: what, two jumps, or names of ends, a number
    if calls := TABLE["calls"].get(platform.machine()):
        # The calls of another machine, such as of 32 bits, end the program.
        steps = [(load, 0, 0, 4), (equal, 1, 0, calls["machine"]), (end, 0, 0, 0), (load, 0, 0, 0)]
        for then, call in [(k, n) for k in ("permit", "skip") for n in calls[k].values()]:
            steps += [(equal, 0, 1, call), (end, 0, 0, ends[then])]
        for call, (place, bits, cases, other) in TABLE["arguments"].items():
            these = [(equal, then, 0, value) for then, some in cases.items() for value in some]
            steps += [(equal, 0, len(these) + 3, calls[call]), (load, 0, 0, 16 + 8 * place)]
            steps += [(mask, 0, 0, bits), *these, (least, other, other, 0)]
        steps += [(end, 0, 0, action) for action in ends.values()]
    for n, (what, *jumps, number) in enumerate(steps):
        far = {where: len(steps) - n - 1 - len(ends) + k for k, where in enumerate(ends)}
        steps[n] = (what, *(far.get(jump, jump) for jump in jumps), number)
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def find_excess(
    sides: Mapping[str, "subprocess.Popen[bytes]"], spent: dict[tuple[str, int], float], most: int
) -> str:
    """Return what one of these sandboxes, by its name, has too much of, or "".

    The limits that a process sets for itself apply to that process alone, not to a hundred. All
    threads but the busiest may have `most` seconds of processor time; `spent` keeps what each
    process had, with half a second more, as many may come and go between two looks.
    """
    for name, side in sides.items():
        used = defaultdict[str, float](float)
        with suppress(psutil.Error):  # a process may end while it is looked at
            for one in psutil.Process(side.pid).children(recursive=True):
                used["processes"] += 1
                spent.setdefault((name, one.pid), 0.5)
                with suppress(psutil.Error, OSError):
                    # From files that no name, which a process may choose, can change
                    at = Path(f"/proc/{one.pid}")
                    tasks, status = [*at.glob("task/*")], (at / "status").read_bytes()
                    size = sum(map(int, re.findall(rb"\nVm(?:Size|PTE)\D+(\d+)", status)))
                    # Memory is resident or not, and 0 if the first thread has ended.
                    used["MB of memory"] += (size or (len(tasks) > 1) << 22) >> 10
                    used["threads"] += len(tasks)
                    spent[name, one.pid] = 0.5 + sum(one.cpu_times()[:2])  # of ended threads, too
                    # A program that may be run but not read hides its files from who is not root.
                    seen = not size or os.access(at / "fd", os.R_OK)
                    used["open files"] += one.num_fds() if seen else 512
                    if not os.path.samefile(at / "root", "/"):  # it is shut in by now
                        for folder in TABLE["written"]:  # empty files take memory, too
                            inodes = os.statvfs(f"{at}/root{folder}")
                            used["files"] = max(used["files"], inodes.f_files - inodes.f_ffree)
                    # Last, as threads may end meanwhile: the time of the busiest, below 0
                    times = [-int((t / "schedstat").read_text().split()[0]) / 1e9 for t in tasks]
                    spent[name, 0] = min([spent.get((name, 0), 0), *times])
        used["s of processor time at once"] = sum(s for (w, _), s in spent.items() if w == name)
        for what, limit in (TABLE["most"] | {"s of processor time at once": most}).items():
            if used[what] > limit:
                return f"more than {limit:,} {what}"
    return ""


def find_problem() -> str:
    """Return why there is no sandbox on this machine, or an empty string."""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed: apt install bubblewrap (Linux only)"
    box = start(["-cimport wpedu, IPython, transformers"], [ROOT], [ROOT], stderr=subprocess.PIPE)
    said = box.communicate()[1].decode(errors="replace").strip().splitlines() or ["?"]
    return "" if box.returncode == 0 else f"the sandbox does not work here: {said[-1]}"
