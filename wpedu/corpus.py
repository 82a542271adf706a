"""Corpora: a name, a file or a folder → text and word counts.

The word counts of Homer and Dickens, and Homer's first 100 characters, come with the package, so
that training on them works offline. A full text that is not on this machine is downloaded once.
Every file's SHA-256 is checked against `datasets/register.toml`.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from wpedu._support.checks import check_str
from wpedu._support.downloads import DATASETS, RegisteredFile, read_shipped, registered_files
from wpedu.pretokenization import count_words

__all__ = [
    "CORPORA",
    "DATASETS",
    "Corpus",
    "RegisteredFile",
    "load_corpus",
    "read_shipped",
    "registered_files",
]

CORPORA = ("homer", "dickens")


class Corpus:
    """A text and its word counts, as `load_corpus` returns them.

    >>> load_corpus("homer").opening[8:24]
    '\\nSing, O goddess'
    """

    def __init__(self, name: str, files: Iterable[RegisteredFile] = (), text: str | None = None):
        self.name = name
        self._files = list(files)
        if text is not None:
            self.text = check_str(text, "text")
        elif not self._files:
            raise ValueError(f"a Corpus needs files or a text: call load_corpus({name!r})")

    def __repr__(self) -> str:
        return f"load_corpus({self.name!r})"

    @property
    def has_text(self) -> bool:
        """Whether `text` is available without a download."""
        return all(file.find() for file in self._files)

    @cached_property
    def text(self) -> str:
        """The texts of the files in order, each stripped of whitespace and after one space."""
        return _join(file.fetch() for file in self._files)

    @property
    def word_counts(self) -> Counter[str]:
        """How often each word occurs, in order of first occurrence."""
        return self._word_counts

    @cached_property
    def _word_counts(self) -> Counter[str]:
        shipped = self.read_shipped("word_counts.tsv")
        if shipped is None:
            return count_words(self.text)
        rows = (line.split("\t") for line in shipped.removesuffix("\n").split("\n"))
        return Counter({word: int(count) for word, count in rows})

    @cached_property
    def opening(self) -> str:
        """The first 100 characters of the text, or fewer, so that no word is cut."""
        if (shipped := self.read_shipped("opening.txt")) is not None:
            return shipped
        whole = re.match(r".{1,100}(?!\S)", self.text, re.DOTALL)
        return whole[0] if whole else self.text[:100]

    def read_shipped(self, file: str) -> str | None:
        """Return the text of a file that the package has for this corpus, or None.

        >>> print(load_corpus("homer").read_shipped("another.txt"))
        None
        """
        # A user's folder may have the name of a shipped corpus, but gets none of its files.
        path = f"{self.name}/{file}"
        return read_shipped(path) if self._files and (DATASETS / path).is_file() else None


def load_corpus(name: str | os.PathLike[str]) -> Corpus:
    """Return the corpus "homer" or "dickens", or the corpus of a text file or a folder of them.

    From a folder, it takes the .txt files in the order of their names, without hidden ones. Texts
    are in UTF-8. Names of corpora come first: load a folder called homer as "./homer" or
    `Path("homer")`.

    Raises TypeError if `name` is not a str or a path, FileNotFoundError for a missing path,
    and ValueError for an unknown name, a folder without texts, or a text that is not UTF-8.

    >>> load_corpus("homer").word_counts.most_common(2)
    [(',', 19920), ('the', 15258)]
    """
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(
            f"a corpus is a name or a path, not {type(name).__name__}: give a str or a Path"
        )
    if name in CORPORA:
        return Corpus(str(name), registered_files(name))
    path = check_str(os.fspath(name), "the path of a corpus")
    if os.path.isdir(path):
        paths = sorted(filter(_is_text, Path(path).iterdir()), key=lambda file: file.name)
        if not paths:
            raise ValueError(f"the folder {path} has no .txt file: put the texts there")
    elif os.path.isfile(path):
        paths = [Path(path)]
    elif os.path.lexists(path):
        raise ValueError(
            f"{path} is neither a file nor a folder, but a pipe, a device or a broken link: name a "
            f"text file or a folder"
        )
    elif isinstance(name, os.PathLike):
        raise FileNotFoundError(f"{path} does not exist: correct the path")
    else:
        known = " or ".join(map(repr, CORPORA))
        shown = path if len(path) <= 100 else path[:100] + "…"
        raise ValueError(
            f"no corpus, file or folder is called {shown!r}: choose {known} or a path; or count "
            f"the words of a text with count_words(text)"
        )
    return Corpus(path, text=_join(paths))


def _is_text(path: Path) -> bool:
    return path.suffix.lower() == ".txt" and not path.name.startswith(".") and path.is_file()


def _join(paths: Iterable[Path]) -> str:
    return "".join(" " + _read(path).strip() for path in paths)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not UTF-8 (byte {error.start:,}): save it as plain text in UTF-8, or "
            f"remove it"
        ) from None
