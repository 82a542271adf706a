"""The two sandboxes of a submission: one for the student's code, and one for the tests.

Each is a program shut in by bubblewrap: without a network, with a folder of limited size to write
to, and with nothing of the teacher's to see but what it is given.
"""

import os
import platform
import shutil
import struct
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import psutil

LABS = Path(__file__).resolve().parent.parent
ROOT = LABS.parent
SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"]
SYSTEM += ["/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime"]
OF_PYTHON = ["bin", "lib", "lib64", "share", "etc", "ssl", "pyvenv.cfg"]  # of a prefix
LIBRARIES = ["tokenizers", "transformers", "sentencepiece", "tensorflow_text"]
LIBRARIES += ["tiktoken", "tiktoken_ext", "wpedu"]
MOST_WRITTEN = 400 * 2**20  # bytes that a sandbox may write
MOST_PROCESSES = 100  # threads do not count
MOST_MEMORY = 6 * 2**30  # bytes
KEPT = ["corpus.py", "pretokenization.py", "labs.py", "_support/__init__.py"]
KEPT += ["_support/checks.py", "_support/downloads.py"]
# Memory that no process is seen to have: memfd_create, memfd_secret, shmget, semget, msgget,
# mq_open, io_uring_setup. Ways to another run, or out: add_key, request_key, keyctl, mincore,
# flock, ptrace, process_vm_readv, process_vm_writev.
REFUSED = {
    "x86_64": (
        0xC000003E,
        (319, 447, 29, 64, 68, 240, 425, 248, 249, 250, 27, 73, 101, 310, 311),
    ),
    "aarch64": (
        0xC00000B7,
        (279, 447, 194, 190, 186, 180, 425, 217, 218, 219, 232, 32, 117, 270, 271),
    ),
}


def make_absent(folder: Path) -> None:
    """Write a wpedu into `folder` that has corpora and words, and nothing that labs ask for."""
    for name in KEPT:
        (folder / "wpedu" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "wpedu" / name, folder / "wpedu" / name)
    text = "from wpedu.corpus import *\nfrom wpedu.pretokenization import *\n"
    (folder / "wpedu" / "__init__.py").write_text(text, encoding="utf-8")
    (folder / "wpedu" / "datasets").symlink_to(ROOT / "datasets")


def start(
    program: Sequence[str],
    scratch: Path,
    seen: Sequence[Path],
    path: Sequence[Path],
    hidden: Sequence[Path] | None = (),
    absent: bool = False,
    **settings: Any,
) -> "subprocess.Popen[bytes]":
    """Start Python with a program, and shut it in, unless `hidden` is None.

    It sees the system, Python, and what is `seen`; it imports from `path`, and can write to
    `scratch` alone. What is `hidden` it does not see, wherever it lies; if `absent`, nor the
    libraries that have what labs ask for. Of the teacher's environment variables it gets none.
    """
    env = {
        "PATH": os.pathsep.join([sysconfig.get_path("scripts"), "/usr/bin", "/bin"]),
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "USER": "student",
        "OPENBLAS_NUM_THREADS": "1",  # each thread takes memory, which is limited
        "PYTHONPATH": os.pathsep.join(map(str, path)),
    }
    line = [sys.executable, *program]
    settings |= {"env": env, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    with tempfile.TemporaryFile() as rules:
        if hidden is None:
            settings["cwd"] = scratch
        else:
            rules.write(refuse_calls())
            rules.seek(0)
            line = [*_box(scratch, seen, hidden, absent, rules.fileno()), *line]
            settings["pass_fds"] = [*settings.get("pass_fds", ()), rules.fileno()]
        return subprocess.Popen(line, start_new_session=True, **settings)


def _box(
    scratch: Path, seen: Sequence[Path], hidden: Sequence[Path], absent: bool, rules: int
) -> list[str]:
    """Return the start of a command line that shuts a program in."""
    line = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    line += ["--unshare-user", "--disable-userns", "--seccomp", str(rules)]
    bound = [Path(path) for path in SYSTEM if Path(path).exists()]
    pythons = _python()
    line += [*_show(bound), *_mask([Path.home(), ROOT, *hidden], bound)]
    line += [*_show(pythons), *_mask([LABS, ROOT / "grading", ROOT / ".git", *hidden], pythons)]
    if absent:
        line += _mask([Path(p, n) for p in sys.path for n in LIBRARIES], [*bound, *pythons])
    line += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"]
    line += ["--dev", "/dev", "--remount-ro", "/dev", *_show(seen)]
    line += ["--size", str(MOST_WRITTEN), "--tmpfs", str(scratch), "--remount-ro", "/"]
    return [*line, "--chdir", str(scratch), "--"]


def _show(paths: Iterable[Path]) -> list[str]:
    return [x for path in paths for x in ("--ro-bind", str(path), str(path))]


def _mask(paths: Iterable[Path], bound: Sequence[Path]) -> list[str]:
    """Return the arguments that hide those paths that lie below a bound one."""
    roots = [path.resolve() for path in bound]
    below = [
        path
        for path in dict.fromkeys(path.resolve() for path in paths)
        if path.is_dir() and any(path != r and path.is_relative_to(r) for r in roots)
    ]
    return [x for p in below for x in ("--tmpfs", str(p), "--remount-ro", str(p))]


@cache
def _python() -> tuple[Path, ...]:
    """Return what the interpreter, its environment and its packages need of their folders."""
    prefixes = [sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parent.parent)]
    parts = [Path(prefix, part) for prefix in prefixes for part in OF_PYTHON]
    packages = [p for p in sys.path if Path(p).name in ("site-packages", "dist-packages")]
    found = [Path("/usr")]
    for path in [*parts, *map(Path, packages)]:
        for one in (path, path.resolve()):
            if one.exists() and not any(one.is_relative_to(other) for other in found):
                found.append(one)
    return tuple(found[1:])


def refuse_calls() -> bytes:
    """Return a filter of system calls, without those that are refused."""
    arch, numbers = REFUSED.get(platform.machine(), (0, ()))
    load, equal, least, end, count = 0x20, 0x15, 0x35, 0x06, len(numbers)
    steps = [(load, 0, 0, 4), (equal, 0, count + 3, arch)]  # each: what, two jumps, a number
    steps += [(load, 0, 0, 0), (least, count + 1, 0, 0x40000000)]
    steps += [(equal, count - i, 0, number) for i, number in enumerate(numbers)]
    steps += [(end, 0, 0, 0x7FFF0000), (end, 0, 0, 0x00050000 | 38)]  # allow; no such call
    steps = steps if numbers else steps[-2:-1]  # of another machine, no numbers are known
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def find_excess(pids: Sequence[int]) -> str:
    """Return what one of the sandboxes that these processes started has too much of, or "".

    The limits that a process sets for itself apply to that process alone, not to a hundred.
    """
    for pid in pids:
        with suppress(psutil.Error):  # a process may end while it is looked at
            inside, memory = psutil.Process(pid).children(recursive=True), 0
            if len(inside) > MOST_PROCESSES:
                return f"more than {MOST_PROCESSES} processes"
            for one in inside:
                with suppress(psutil.Error):
                    memory += one.memory_info().rss
            if memory > MOST_MEMORY:
                return f"more than {MOST_MEMORY >> 30} GB of memory"
    return ""


def find_problem() -> str:
    """Return why there is no sandbox on this machine, or an empty string."""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed: apt install bubblewrap (Linux only)"
    with tempfile.TemporaryDirectory() as folder:
        scratch, seen = Path(folder) / "k", [ROOT / "wpedu", ROOT / "datasets"]
        process = start(["-c", "import wpedu"], scratch, seen, [ROOT], stderr=subprocess.PIPE)
        said = process.communicate()[1].decode(errors="replace").strip().splitlines() or ["?"]
    return "" if process.returncode == 0 else f"bubblewrap does not work here: {said[-1]}"
