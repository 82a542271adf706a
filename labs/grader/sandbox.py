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
LIBRARIES = ["tokenizers", "transformers", "sentencepiece", "tensorflow_text", "wpedu"]
MOST_WRITTEN = 400 * 2**20  # bytes that a sandbox may write
MOST_PROCESSES = 100  # threads do not count
MOST_MEMORY = 6 * 2**30  # bytes
MOST_FILES = 100_000
KEPT = ["corpus.py", "pretokenization.py", "labs.py", "_support/__init__.py"]
KEPT += ["_support/checks.py", "_support/downloads.py"]
# memfd_create, memfd_secret, shmget, io_uring_setup: memory that no process is seen to have.
REFUSED = {
    "x86_64": (0xC000003E, (319, 447, 29, 425)),
    "aarch64": (0xC00000B7, (279, 447, 194, 425)),
}


def make_absent(folder: Path) -> None:
    """Write a wpedu into `folder` that has corpora and words, and nothing that labs ask for."""
    for name in KEPT:
        (folder / "wpedu" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "wpedu" / name, folder / "wpedu" / name)
    text = "from wpedu.corpus import *\nfrom wpedu.pretokenization import *\n"
    (folder / "wpedu" / "__init__.py").write_text(text, encoding="utf-8")
    (folder / "datasets").symlink_to(ROOT / "datasets")


def environment(scratch: Path, seen: Iterable[Path]) -> dict[str, str]:
    """Return the environment variables, with none of the teacher's own among them."""
    return {
        "PATH": os.pathsep.join([sysconfig.get_path("scripts"), "/usr/bin", "/bin"]),
        "HOME": str(scratch),
        "IPYTHONDIR": str(scratch / ".ipython"),
        "TMPDIR": str(scratch),
        "USER": "student",
        "LANG": "C.UTF-8",
        "MPLBACKEND": "agg",
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_VERBOSITY": "error",
        "OPENBLAS_NUM_THREADS": "1",  # each thread takes memory, which is limited
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join(map(str, seen)),
    }


def command(
    scratch: Path, seen: Sequence[Path], hidden: Sequence[Path] = (), absent: bool = False
) -> list[str]:
    """Return the start of a command line that shuts a program in.

    It sees the system, Python, and `seen`, and can write to `scratch` alone. What is `hidden` it
    does not see, wherever it lies; if `absent`, nor the libraries that have what labs ask for.
    """
    line = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    line += ["--unshare-user", "--disable-userns"] if strict() else []
    bound = [Path(path) for path in SYSTEM if Path(path).exists()]
    for path in bound:
        line += ["--ro-bind", str(path), str(path)]
    import pwd

    home = Path(pwd.getpwuid(os.getuid()).pw_dir).resolve()
    line += _masks([home, ROOT, *hidden], bound)
    pythons = _python()
    for path in pythons:
        line += ["--ro-bind", str(path), str(path)]
    line += _masks([LABS, ROOT / "grading", ROOT / ".git", *hidden], pythons)
    if absent:
        packages = {Path(p) / name for p in sys.path for name in LIBRARIES}
        line += _masks([p for p in packages if p.is_dir()], [*bound, *pythons])
    line += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"]
    line += ["--dev", "/dev", "--remount-ro", "/dev"]
    for path in seen:
        line += ["--ro-bind", str(path), str(path)]
    line += ["--size", str(MOST_WRITTEN), "--tmpfs", str(scratch), "--remount-ro", "/"]
    return [*line, "--chdir", str(scratch), "--"]


def _masks(paths: Iterable[Path], bound: Sequence[Path]) -> list[str]:
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
    found: list[Path] = []
    for path in [*parts, *map(Path, packages)]:
        for one in (path, path.resolve()):
            covered = any(one.is_relative_to(other) for other in [Path("/usr"), *found])
            if one.exists() and not covered:
                found.append(one)
    return tuple(found)


@cache
def strict() -> bool:
    """Return whether bubblewrap here can forbid namespaces within namespaces."""
    tried = ["bwrap", "--ro-bind", "/", "/", "--unshare-user", "--disable-userns", "true"]
    return subprocess.run(tried, capture_output=True).returncode == 0


def refuse_hidden_memory() -> bytes:
    """Return a filter of system calls: memory that belongs to no process cannot be asked for."""
    arch, numbers = REFUSED.get(platform.machine(), (0, ()))
    load, equal, least, end, count = 0x20, 0x15, 0x35, 0x06, len(numbers)
    steps = [(load, 0, 0, 4), (equal, 0, count + 3, arch)]  # each: what, two jumps, a number
    steps += [(load, 0, 0, 0), (least, count + 1, 0, 0x40000000)]
    steps += [(equal, count - i, 0, number) for i, number in enumerate(numbers)]
    steps += [(end, 0, 0, 0x7FFF0000), (end, 0, 0, 0x00050000 | 38)]  # allow; no such call
    return b"".join(struct.pack("HBBI", *step) for step in steps) if numbers else b""


def start(
    program: list[str], box: list[str], env: dict[str, str], cwd: Path, **settings: Any
) -> "subprocess.Popen[bytes]":
    """Start Python with this program, in the box if it is not empty."""
    passed = list(settings.pop("pass_fds", ()))
    with tempfile.TemporaryFile() as rules:
        text = refuse_hidden_memory() if box else b""
        if text:
            rules.write(text)
            rules.seek(0)
            box = [*box[:-1], "--seccomp", str(rules.fileno()), "--"]
            passed.append(rules.fileno())
        return subprocess.Popen(
            [*box, sys.executable, *program], env=env, cwd=None if box else cwd, pass_fds=passed,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True, **settings,
        )  # fmt: skip


def find_excess(pids: Sequence[int], scratch: Path) -> str:
    """Return what one of the sandboxes that these processes started has too much of, or "".

    The limits that a process sets for itself apply to that process alone, not to a hundred.
    """
    for pid in pids:
        with suppress(OSError, psutil.Error):  # a process may end while it is looked at
            inside, memory = psutil.Process(pid).children(recursive=True), 0
            if len(inside) > MOST_PROCESSES:
                return f"more than {MOST_PROCESSES} processes"
            for one in inside:
                with suppress(psutil.Error):
                    memory += one.memory_info().rss
            if memory > MOST_MEMORY:
                return f"more than {MOST_MEMORY >> 30} GB of memory"
            for one in inside[:2]:
                with suppress(OSError):
                    about = os.statvfs(f"/proc/{one.pid}/root{scratch}")
                    if about.f_files - about.f_ffree > MOST_FILES and about.f_files < 2**40:
                        return f"more than {MOST_FILES:,} files"
    return ""


def find_problem() -> str:
    """Return why there is no sandbox on this machine, or an empty string."""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed: apt install bubblewrap (Linux only)"
    with tempfile.TemporaryDirectory() as folder:
        scratch, seen = Path(folder) / "k", [ROOT / "wpedu", ROOT / "datasets"]
        box = command(scratch, seen)
        process = start(["-c", "import wpedu"], box, environment(scratch, [ROOT]), scratch,
                        stderr=subprocess.PIPE)  # fmt: skip
        said = process.communicate()[1].decode(errors="replace").strip().splitlines() or ["?"]
    return "" if process.returncode == 0 else f"bubblewrap does not work here: {said[-1]}"
