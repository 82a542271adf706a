"""Files → word counts, for more text than one machine holds.

Training needs only word counts, and counting is a sum: the files are counted apart, by as many
processes or machines as there are, and their counts are added. A sum does not care for order, but
the order of first occurrence does. So counts are only ever added to those of the text right in
front of them, whichever were ready first: `(a + b) + (c + d)`, never `a + c`.
"""

import asyncio
import io
import os
import platform
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from types import ModuleType
from typing import Any, TextIO, cast
from urllib.parse import urlsplit

import regex

from wpedu._checks import check_list, check_str
from wpedu.pretokenization import WORD_PATTERN, count_words

BLOCK = 2**22  # characters: a novel is one block, and a block is nothing to a machine's memory

_LOCAL = ("processes", "threads", "synchronous")
_SCHEMES = ("tcp", "tls", "ws", "wss")
_SECONDS = 10  # in which a scheduler must answer

_find_last_word = regex.compile(f"(?r){WORD_PATTERN}").search


def count_words_distributed(
    paths: Iterable[str | os.PathLike[str]], scheduler: str | None = None
) -> Counter[str]:
    """Return how often each word occurs in the files, in order of first occurrence.

    That is what `count_words` returns for the text that `load_corpus` makes of the files: one
    after the other in the order of `paths`, each stripped of white space and led by one space.
    No process holds more of it at a time than a few million characters, or the longest word with
    the white space after it.

    By default, one process for each core of this machine counts. In a script, though not in a
    notebook, the call then belongs under `if __name__ == "__main__":`, as these processes import
    the script. `scheduler` is the address of a Dask cluster's scheduler, "tcp://host:8786", or
    else "processes", "threads" or "synchronous", which counts in this process. The files are read
    where they are counted, so each worker of a cluster must see them under the same paths, and
    have wpedu. If it loses a worker midway, Dask has the others count what that one had counted.

    Raises TypeError if `paths` is no list of paths, or a set, which has no order; ValueError if
    `scheduler` is none of the above; FileNotFoundError if a file is missing, ValueError if one is
    a folder or not UTF-8; ConnectionError if no scheduler answers in ten seconds; ImportError
    without Dask; and RuntimeError if a process of this machine dies. On a cluster, what is wrong
    with a file is known only once a worker opens it.

    >>> from wpedu.corpus import DATASETS
    >>> opening = DATASETS / "homer" / "opening.txt"
    >>> count_words_distributed([opening, opening], scheduler="synchronous").most_common(2)
    [(',', 6), ('the', 4)]
    """
    files = [
        check_str(os.fspath(path), "a path") for path in check_list(paths, "paths", of="paths")
    ]
    scheduler = "processes" if scheduler is None else _check_scheduler(scheduler)
    bag = _import_bag(with_cluster=scheduler not in _LOCAL)
    if scheduler in _LOCAL:  # the workers of a cluster may see files that this machine does not
        for file in files:
            _check_file(file)
    if not files:
        return Counter()
    word_counts = bag.from_sequence(files).map(_count_file).reduction(_add, _add)
    try:
        with _connect(scheduler) as workers:
            # One by one, for files differ in size: a process that is done takes the next.
            counted: Counter[str] = word_counts.compute(scheduler=workers, chunksize=1)
            return counted
    except BrokenExecutor as error:
        raise RuntimeError(
            "a process that counts words died: in a script, call count_words_distributed under "
            '`if __name__ == "__main__":`; in a notebook, see if there is memory left'
        ) from error
    except (OSError, ValueError) as error:
        # What is wrong with a file is said in one sentence; how Dask came upon it is no help.
        raise error.with_traceback(None) from None


def _count_file(path: str) -> Counter[str]:
    _check_file(path)
    word_counts: Counter[str] = Counter()
    with open(path, "rb") as raw, io.TextIOWrapper(raw, encoding="utf-8-sig") as file:
        try:
            for block in _read_blocks(file):
                word_counts.update(count_words(block))
        except UnicodeDecodeError as error:
            byte = raw.tell() - len(error.object) + error.start
            raise ValueError(
                f"{path} is not UTF-8 (byte {byte:,}): save it as UTF-8, or remove it"
            ) from None
    return word_counts


def _read_blocks(file: TextIO) -> Iterator[str]:
    """Yield the file's text, stripped of white space, in blocks that end between words."""
    held = ""  # from the last word on, which may not be over; empty only before the first word
    # Were no more read than a block, a word of many blocks would take quadratic time.
    while block := file.read(max(BLOCK, len(held))):
        held = held + block if held else block.lstrip()
        if last := _find_last_word(held.rstrip()):
            yield held[: last.start()]
            held = held[last.start() :]
    yield held.rstrip()


def _add(several: Iterable[Counter[str]]) -> Counter[str]:
    # Into a new Counter: Dask may need those it was given again.
    word_counts: Counter[str] = Counter()
    for more in several:
        word_counts.update(more)
    return word_counts


def _check_file(path: str) -> None:
    if os.path.isdir(path):
        raise ValueError(f"{path} is a folder: name the files in it")
    if not os.path.exists(path):
        raise FileNotFoundError(
            f"there is no file {path} on {platform.node()}: correct the path, or put the file there"
        )


def _check_scheduler(scheduler: str) -> str:
    try:
        address = urlsplit(check_str(scheduler, "scheduler"))
        is_address = address.scheme in _SCHEMES and address.hostname and address.port
    except ValueError:  # its port is no number
        is_address = False
    if not is_address and scheduler not in _LOCAL:
        raise ValueError(
            f"scheduler is an address like 'tcp://host:8786', or else 'processes', 'threads' or "
            f"'synchronous', not {scheduler!r}"
        )
    return scheduler


def _import_bag(with_cluster: bool) -> ModuleType:
    try:
        import dask.bag

        if with_cluster:
            import distributed  # noqa: F401
    except ImportError:
        raise ImportError(
            "count_words_distributed needs Dask: in the folder of wpedu, pip install -e '.[scale]'"
        ) from None
    return dask.bag


def _connect(scheduler: str) -> AbstractContextManager[Any]:
    """Return what Dask computes with; raise ConnectionError if that is nowhere to be found."""
    if scheduler in _LOCAL:
        return nullcontext(scheduler)
    from distributed import Client
    from distributed.comm.core import connect

    async def ask() -> None:
        comm = await asyncio.wait_for(connect(scheduler), _SECONDS)  # type: ignore[no-untyped-call]
        comm.abort()

    # A client waits without end for what answers, but not as Dask does. A notebook, where asyncio
    # runs already, can ask only from another thread.
    with ThreadPoolExecutor(1) as thread:
        error = thread.submit(asyncio.run, ask()).exception()
    if error is not None:
        reason = f" ({error})" if str(error) else ""
        raise ConnectionError(
            f"no Dask scheduler answered at {scheduler} within {_SECONDS} seconds{reason}: correct "
            f"the address, or start one there with `dask scheduler`"
        )
    # A default client would take over whatever else this program does with Dask.
    return cast(
        AbstractContextManager[Any],
        Client(scheduler, set_as_default=False),  # type: ignore[no-untyped-call]
    )
