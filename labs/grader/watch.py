"""Find a sandbox whose processes together take what the others need."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

MOST_PROCESSES = 100  # threads do not count
MOST_MEMORY = 6 * 2**30  # bytes
MOST_FILES = 100_000


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
