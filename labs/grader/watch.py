"""End a sandbox whose processes together take what the others need."""

import os
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

MOST_PROCESSES = 100  # threads do not count
MOST_MEMORY = 6 * 2**30  # bytes
MOST_DISK = 2**30  # bytes


class Watch(threading.Thread):
    """Looks twice a second at a sandbox, from outside, and ends it if need be.

    The limits that a process sets for itself apply to that process alone, not to a hundred.
    """

    def __init__(self, pid: int, folder: Path):
        super().__init__(daemon=True)
        self.pid, self.folder = pid, folder
        self.free = self._free()
        self.reason = ""
        self.over = threading.Event()

    def run(self) -> None:
        """Look until `over` is set."""
        while not self.over.wait(0.5):
            with suppress(OSError, ValueError):  # a process may end while it is looked at
                self.reason = self._find_reason()
            if self.reason:
                os.kill(self.pid, 9)  # and everything inside ends with it
                return

    def _find_reason(self) -> str:
        inside = self._processes()
        if len(inside) > MOST_PROCESSES:
            return f"more than {MOST_PROCESSES} processes"
        pages = sum(int((path / "statm").read_text().split()[1]) for path in inside)
        if pages * os.sysconf("SC_PAGE_SIZE") > MOST_MEMORY:
            return f"more than {MOST_MEMORY >> 30} GB of memory"
        if self.free - self._free() > MOST_DISK:  # by this submission, or by somebody else
            command = ["du", "-s", "-B1", str(self.folder)]
            took = subprocess.run(command, capture_output=True, timeout=60).stdout.split()
            if took and int(took[0]) > MOST_DISK:
                return f"more than {MOST_DISK >> 30} GB of files"
        return ""

    def _processes(self) -> list[Path]:
        """Return the processes of the sandbox: they share the namespace of its first one."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        spaces = {os.readlink(f"/proc/{child}/ns/pid") for child in children}
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if os.readlink(path / "ns" / "pid") in spaces:
                    found.append(path)
        return found

    def _free(self) -> int:
        about = os.statvfs(self.folder)
        return about.f_bavail * about.f_frsize
