"""Files → word counts, for more text than one machine holds.

Training needs only word counts, and counting is a sum: the files are counted apart, by as many
processes or machines as there are, and their counts are added. A sum does not care for order, but
the order of first occurrence does. So counts are only ever added to those of the text right in
front of them, whichever were ready first: `(a + b) + (c + d)`, never `a + c`.
"""

import os
import platform
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import nullcontext
from typing import TextIO

import regex

from wpedu.pretokenization import WORD_PATTERN, count_words

BLOCK = 2**22  # characters: a novel is one block, and a block is nothing to a machine's memory

_find_last_word = regex.compile(f"(?r){WORD_PATTERN}").search


def count_words_distributed(
    paths: Iterable[str | os.PathLike], scheduler: str | None = None
) -> Counter[str]:
    """Return how often each word occurs in the files, in order of first occurrence.

    That is what `count_words` returns for the text that `load_corpus` makes of the files: one
    after the other in the order of `paths`, each stripped of white space and led by one space.
    No process holds more of it at a time than a few million characters, or the longest word with
    the white space after it.

    By default, one process for each core of this machine counts. In a script, though not in a
    notebook, the call then belongs under `if __name__ == "__main__":`, as these processes import
    the script. `scheduler` is the address of a Dask cluster's scheduler, "tcp://host:8786", or
    else what `dask.compute` takes: "synchronous" counts in this process. The files are read where
    they are counted, so each worker of a cluster must see them under the same paths, and have
    wpedu. If it loses a worker midway, Dask has the others count what that one had counted.

    Raises TypeError if `paths` is no list of paths, FileNotFoundError if a file is missing,
    ValueError if one is a folder or not UTF-8, ImportError without Dask, and RuntimeError if a
    process of this machine dies. On a cluster, what is wrong with a file is known only once a
    worker opens it.

    >>> from wpedu.corpus import DATASETS
    >>> opening = DATASETS / "homer" / "opening.txt"
    >>> count_words_distributed([opening, opening], scheduler="synchronous").most_common(2)
    [(',', 6), ('the', 4)]
    """
    if isinstance(paths, (str, bytes, os.PathLike)) or not isinstance(paths, Iterable):
        raise TypeError(f"paths must be a list of paths, not {paths!r}")
    paths = [os.fspath(path) for path in paths]
    bag = _import_bag()
    on_cluster = isinstance(scheduler, str) and ":" in scheduler
    # The workers of a cluster may see files that this machine does not.
    if scheduler is None or (isinstance(scheduler, str) and not on_cluster):
        for path in paths:
            _check_file(path)
    if not paths:
        return Counter()
    word_counts = bag.from_sequence(paths).map(_count_file).reduction(_add, _add)
    try:
        with _connect(scheduler) if on_cluster else nullcontext(scheduler) as workers:
            # One by one, for files differ in size: a process that is done takes the next.
            return word_counts.compute(scheduler=workers or "processes", chunksize=1)
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
    word_counts = Counter()
    with open(path, encoding="utf-8-sig") as file:
        try:
            for block in _read_blocks(file):
                word_counts.update(count_words(block))
        except UnicodeDecodeError as error:
            byte = file.buffer.tell() - len(error.object) + error.start
            raise ValueError(
                f"{path} is not UTF-8 (byte {byte:,}): save it as UTF-8, or remove it"
            ) from error
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
    word_counts = Counter()
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


def _import_bag():
    try:
        import dask.bag
    except ImportError as error:
        raise ImportError(
            'count_words_distributed needs Dask: pip install "wpedu[scale]"'
        ) from error
    return dask.bag


def _connect(address: str):
    from distributed import Client

    # A default client would take over whatever else this program does with Dask.
    return Client(address, set_as_default=False)
