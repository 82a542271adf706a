"""Files → word counts, for more text than fits on one machine.

Training needs only word counts, and those of several files can be added: several processes or
machines count the files, and their counts are summed. A sum doesn't depend on the order of its
parts, but the order of first occurrence does. So counts are added only to those of the text
directly before theirs, no matter which are ready first: `(a + b) + (c + d)`, never `a + c`.
"""

import io
import os
import platform
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TextIO

import regex

from wpedu._support.checks import check_list, check_str
from wpedu.pretokenization import WORD_PATTERN, count_words

BLOCK = 2**22  # characters: enough for a novel, and little for a machine's memory

_LOCAL = ("processes", "threads", "synchronous")
_SECONDS = 10  # for a scheduler to answer

_find_last_word = regex.compile(f"(?r){WORD_PATTERN}").search


def count_words_distributed(
    paths: Iterable[str | os.PathLike[str]], scheduler: str | None = None
) -> Counter[str]:
    """Return how often each word occurs in the files, in order of first occurrence.

    The result is that of `count_words` for the text that `load_corpus` makes of the files: one
    after the other in the order of `paths`, each stripped of whitespace and after one space. A
    process has at most a few million characters in memory, or the longest word with the
    whitespace after it.

    By default, one process for each core of this machine counts. In a script, but not in a
    notebook, the call then belongs under `if __name__ == "__main__":`, because these processes
    import the script. `scheduler` is the address of a Dask cluster's scheduler,
    "tcp://host:8786", or else "processes", "threads" or "synchronous", which counts in this
    process. The workers read the files, so every worker of a cluster needs them under the same
    paths, and needs wpedu. If a worker is lost, Dask has the others repeat its work.

    Raises ConnectionError if no scheduler answers in ten seconds, ImportError without Dask, and
    RuntimeError if a process of this machine dies.

    >>> from wpedu.corpus import DATASETS
    >>> opening = DATASETS / "homer" / "opening.txt"
    >>> count_words_distributed([opening, opening], scheduler="synchronous").most_common(2)
    [(',', 6), ('the', 4)]
    """
    files = [check_str(os.fspath(path), "a path") for path in check_list(paths, "paths", "paths")]
    scheduler = "processes" if scheduler is None else check_str(scheduler, "scheduler")
    if scheduler not in _LOCAL and "://" not in scheduler:
        raise ValueError(
            f"there is no scheduler {scheduler!r}: use an address like 'tcp://host:8786', or "
            f"'processes', 'threads' or 'synchronous'"
        )
    try:
        import dask.bag

        if scheduler not in _LOCAL:
            import distributed  # noqa: F401
    except ImportError:
        raise ImportError(
            "count_words_distributed needs Dask: pip install 'wpedu[scale]'"
        ) from None
    if not files:
        return Counter()
    bag: Any = dask.bag
    word_counts = bag.from_sequence(files).map(_count_file).reduction(add_counts, add_counts)
    try:
        with _connect(scheduler) as workers:
            # One at a time: files differ in size, and a process that is ready takes the next.
            counted: Counter[str] = word_counts.compute(scheduler=workers, chunksize=1)
            return counted
    except BrokenExecutor as error:
        raise RuntimeError(
            "a process that counts words died: in a script, call count_words_distributed under "
            '`if __name__ == "__main__":`; in a notebook, check that there is memory left'
        ) from error
    except (OSError, ValueError) as error:
        # The sentence says what is wrong with a file; Dask's traceback adds nothing.
        raise error.with_traceback(None) from None


def _count_file(path: str) -> Counter[str]:
    if os.path.isdir(path):
        raise ValueError(f"{path} is a folder: name the files in it")
    if not os.path.exists(path):
        raise FileNotFoundError(
            f"{path} does not exist on {platform.node()}: correct the path, or put the file there"
        )
    word_counts: Counter[str] = Counter()
    with open(path, "rb") as raw, io.TextIOWrapper(raw, encoding="utf-8-sig") as file:
        try:
            for block in read_blocks(file):
                word_counts.update(count_words(block))
        except UnicodeDecodeError as error:
            byte = raw.tell() - len(error.object) + error.start
            raise ValueError(
                f"{path} is not UTF-8 (byte {byte:,}): save it as plain text in UTF-8, or remove it"
            ) from None
    return word_counts


def read_blocks(file: TextIO) -> Iterator[str]:
    """Yield the file's text, stripped of whitespace, in blocks that end between words."""
    held = ""  # from the last word on, which may continue; empty only before the first word
    # If each read took one block, a word of many blocks would take quadratic time.
    while block := file.read(max(BLOCK, len(held))):
        held = held + block if held else block.lstrip()
        if last := _find_last_word(held.rstrip()):
            yield held[: last.start()]
            held = held[last.start() :]
    yield held.rstrip()


def add_counts(several: Iterable[Counter[str]]) -> Counter[str]:
    """Return the sum of the counts, as a new Counter, because Dask may use its arguments again."""
    word_counts: Counter[str] = Counter()
    for more in several:
        word_counts.update(more)
    return word_counts


def _connect(scheduler: str) -> AbstractContextManager[Any]:
    """Return the scheduler for Dask; raise ConnectionError if it does not answer."""
    if scheduler in _LOCAL:
        return nullcontext(scheduler)
    import distributed

    make_client: Any = distributed.Client
    try:
        # A default client would also run the rest of this program's work in Dask.
        client: AbstractContextManager[Any] = make_client(
            scheduler, timeout=_SECONDS, set_as_default=False
        )
        return client
    except (OSError, ValueError) as error:
        raise ConnectionError(
            f"no Dask scheduler answered at {scheduler} within {_SECONDS} seconds ({error}): "
            f"correct the address, or start one there with `dask scheduler`"
        ) from None
