"""End a sandbox whose processes together take what the others need."""

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

MOST_PROCESSES = 100  # threads do not count
MOST_MEMORY = 6 * 2**30  # bytes
MOST_FILES = 100_000


class Watch(threading.Thread):
    """Looks twice a second at sandboxes, from outside, and ends one if need be.

    The limits that a process sets for itself apply to that process alone, not to a hundred.
    """

    def __init__(self, pids: Sequence[int], scratch: Path):
        super().__init__(daemon=True)
        self.pids, self.scratch = pids, scratch
        self.reason = ""
        self.over = threading.Event()

    def run(self) -> None:
        """Look until `over` is set."""
        while not self.over.wait(0.5) and not self.reason:
            for pid in self.pids:
                with suppress(OSError, ValueError):  # a process may end while it is looked at
                    self.reason = self.reason or self._find_reason(pid)
        if self.reason:
            for pid in self.pids:
                with suppress(OSError):
                    os.kill(pid, 9)  # and everything inside ends with it

    def _find_reason(self, pid: int) -> str:
        inside = _descendants(pid)
        if len(inside) > MOST_PROCESSES:
            return f"more than {MOST_PROCESSES} processes"
        pages = sum(_memory(one) for one in inside)
        if pages * os.sysconf("SC_PAGE_SIZE") > MOST_MEMORY:
            return f"more than {MOST_MEMORY >> 30} GB of memory"
        for one in inside[:2]:
            with suppress(OSError):
                about = os.statvfs(f"/proc/{one}/root{self.scratch}")
                if about.f_files - about.f_ffree > MOST_FILES and about.f_files < 2**40:
                    return f"more than {MOST_FILES:,} files"
        return ""


def _memory(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return 0


def _descendants(pid: int) -> list[int]:
    """Return the processes below this one, in whatever namespace they are."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            parent = int((path / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(path.name))
    found = [pid]
    for one in found:  # it grows
        found += parents.get(one, [])
    return found[1:]
