"""The sandbox of a kernel: its files, where it can write, and how it starts.

Only the kernel runs in here. nbgrader, the gradebook, the sources, and the results stay outside,
and talk to the kernel through sockets in a folder that both sides see.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

LABS = Path(__file__).resolve().parent.parent
SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"]
SYSTEM += ["/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime"]
PASSED_ON = ["PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "COMSPEC", "PATHEXT"]


class Place:
    """The folder of one kernel: sockets, a copy of the student's files, and a home."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.sockets, self.work, self.home = (folder / name for name in ("s", "work", "home"))
        startup = self.home / "ipython" / "profile_default" / "startup"
        for made in (self.sockets, self.work, startup, self.home / "tmp"):
            made.mkdir(parents=True)
        shutil.copy(LABS / "limits.py", startup)

    @property
    def connection_file(self) -> Path:
        """Where the grader writes how to reach the kernel."""
        return self.sockets / "c.json"

    def environment(self) -> dict[str, str]:
        """Return the kernel's environment variables, none of the teacher's own among them."""
        kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        kept["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), kept.get("PATH", "")])
        home = str(self.home)
        return kept | {
            "HOME": home,
            "USERPROFILE": home,
            "USER": "student",
            "IPYTHONDIR": str(self.home / "ipython"),
            "JUPYTER_RUNTIME_DIR": str(self.home / "tmp"),
            "TMPDIR": str(self.home / "tmp"),
            "LANG": "C.UTF-8",
            "HF_HUB_OFFLINE": "1",
            "OPENBLAS_NUM_THREADS": "1",  # each thread takes memory, which is limited
            "PYTHONPATH": str(LABS.parent),  # the tests use this wpedu
            "WPEDU_SECONDS": os.environ.get("WPEDU_SECONDS", "60"),
        }

    def write_kernelspec(self, folder: Path, sandbox: bool) -> None:
        """Write the kernel `python3` into `folder`, where JUPYTER_PATH finds it first."""
        start = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        spec = {
            "argv": [*(self.command() if sandbox else []), *start],
            "display_name": "Python 3",
            "language": "python",
            "interrupt_mode": "message",  # a signal would reach bubblewrap, not Python
        }
        path = folder / "kernels" / "python3" / "kernel.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(spec), encoding="utf-8")

    def command(self) -> list[str]:
        """Return the start of a command line that shuts a program in this place."""
        command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session"]
        command += ["--cap-drop", "ALL", "--unsetenv", "JPY_PARENT_PID"]
        seen = [Path(path) for path in SYSTEM if Path(path).exists()]
        for path in (*seen, *_python()):
            command += ["--ro-bind", str(path), str(path)]
        for name in ("wpedu", "datasets"):
            command += ["--ro-bind", str(LABS.parent / name), str(LABS.parent / name)]
        import pwd  # not on Windows

        home = Path(pwd.getpwuid(os.getuid()).pw_dir).resolve()
        for part in (LABS, home):  # if they lie in what was bound
            if any(part.is_relative_to(path) for path in seen):
                command += ["--tmpfs", str(part), "--remount-ro", str(part)]
        command += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
        command += ["--bind", str(self.folder), str(self.folder), "--remount-ro", "/"]
        return [*command, "--chdir", str(self.work), "--"]


def _python() -> list[Path]:
    """Return the folders of the interpreter, of its environment, and of installed packages."""
    prefixes = [sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parent.parent)]
    packages = [p for p in sys.path if Path(p).name in ("site-packages", "dist-packages")]
    found: list[Path] = []
    for path in map(Path, [*prefixes, *packages]):
        for one in (path, path.resolve()):
            covered = any(one.is_relative_to(other) for other in [Path("/usr"), *found])
            if one.is_dir() and not covered:
                found.append(one)
    return found


def find_problem() -> str:
    """Return why there is no sandbox on this machine, or an empty string."""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed: apt install bubblewrap (Linux only)"
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder) / "k")
        command = [*place.command(), sys.executable, "-c", "import wpedu"]
        tried = subprocess.run(command, capture_output=True, env=place.environment())
    said = tried.stderr.decode(errors="replace").strip().splitlines() or ["?"]
    return "" if tried.returncode == 0 else f"bubblewrap does not work here: {said[-1]}"
