"""Corpora: a name, or a folder of texts → text and word counts.

Homer's word counts and first 100 characters come with the package, so that whatever trains on
them works offline. A full text is looked for in the folder that the environment variable
WPEDU_DATA names, then in the user's cache, and is else downloaded into that cache, once.
Wherever it comes from, its SHA-256 is checked against `datasets/register.toml`.
"""

import json
import os
import tomllib
import warnings
from collections import Counter
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from wpedu.pretokenization import count_words

# In a wheel the folder is inside the package; in a checkout, beside it.
_PLACES = Path(__file__).parent / "datasets", Path(__file__).parent.parent / "datasets"
DATASETS = next(filter(Path.is_dir, _PLACES))
CORPORA = ("homer", "dickens")


class RegisteredFile(NamedTuple):
    """A file that can be downloaded; `path` is its place in WPEDU_DATA and in the cache."""

    path: str
    url: str
    bytes: int
    sha256: str

    def find(self) -> Path | None:
        """Return where a local copy is, or None if there is none."""
        folders = (_data_folder(), _cache())
        paths = (folder / self.path for folder in folders if folder is not None)
        return next(filter(Path.is_file, paths), None)

    def fetch(self) -> Path:
        """Return where a local copy is, after downloading it if there was none.

        Raises ValueError if the copy or the download has another SHA-256 than the register, and
        ConnectionError if the download fails. A failed download leaves no file behind.
        """
        path = self.find() or self._download()
        if sha256(path.read_bytes()).hexdigest() != self.sha256:
            raise ValueError(
                f"{path} is not the registered text (its SHA-256 differs): delete it, and it "
                f"will be downloaded again"
            )
        return path

    def _download(self) -> Path:
        pooch = _import_pooch()
        pooch.get_logger().setLevel("WARNING")
        path = _cache() / self.path
        try:
            pooch.retrieve(self.url, f"sha256:{self.sha256}", path.name, path.parent)
        except OSError as error:
            raise ConnectionError(
                f"could not download {self.path} ({self.bytes:,} bytes) from {self.url}: connect "
                f"to the internet, or set WPEDU_DATA to a folder that holds {self.path}"
            ) from error
        except ValueError as error:
            raise ValueError(
                f"{self.url} did not send the registered {self.path} (its SHA-256 differs); it "
                f"was thrown away: set WPEDU_DATA to a folder that holds {self.path}"
            ) from error
        return path


class Corpus:
    """A text and what is known of it; `load_corpus` makes one.

    >>> load_corpus("homer").opening[8:24]
    '\\nSing, O goddess'
    """

    def __init__(self, name: str, files: list[RegisteredFile], text: str | None = None):
        self.name = name
        self._files = files
        if text is not None:
            self.text = text

    def __repr__(self) -> str:
        return f"load_corpus({self.name!r})"

    @property
    def has_text(self) -> bool:
        """Whether `text` can be had without downloading anything."""
        return all(file.find() for file in self._files)

    @cached_property
    def text(self) -> str:
        """The files one after the other, each stripped of white space and led by one space.

        Raises what `RegisteredFile.fetch` raises.
        """
        return _join(file.fetch() for file in self._files)

    @cached_property
    def word_counts(self) -> Counter[str]:
        """How often each word occurs, in order of first occurrence."""
        shipped = DATASETS / self.name / "word_counts.tsv"
        return read_word_counts(shipped) if shipped.is_file() else count_words(self.text)

    @cached_property
    def opening(self) -> str:
        """The first 100 characters of the text."""
        shipped = DATASETS / self.name / "opening.txt"
        return shipped.read_bytes().decode() if shipped.is_file() else self.text[:100]


def load_corpus(name: str | os.PathLike) -> Corpus:
    """Return the corpus called "homer" or "dickens", or that of a folder's .txt files.

    A folder's files are read in UTF-8 and taken in the order of their names. Raises TypeError if
    `name` is neither str nor path; ValueError if there is no such corpus or folder, if the folder
    holds no .txt file, or if one of them is not UTF-8.

    >>> load_corpus("homer").word_counts.most_common(2)
    [(',', 19920), ('the', 15258)]
    """
    if name in CORPORA:
        return Corpus(name, registered_files(name))
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"a corpus is a name or a folder, not {type(name).__name__}")
    folder = Path(name)
    if not folder.is_dir():
        known = " and ".join(map(repr, CORPORA))
        raise ValueError(f"no corpus and no folder is called {str(name)!r}: corpora are {known}")
    paths = [path for path in folder.iterdir() if path.suffix == ".txt" and path.is_file()]
    paths.sort(key=lambda path: path.name)
    if not paths:
        raise ValueError(f"the folder {folder} holds no .txt file: put the texts there")
    return Corpus(os.fspath(name), [], text=_join(paths))


def registered_files(name: str) -> list[RegisteredFile]:
    """Return the files registered under `name`, in their order.

    >>> [file.path for file in registered_files("homer")]
    ['classics/iliad.txt', 'classics/odyssey.txt']
    """
    register = tomllib.loads((DATASETS / "register.toml").read_text(encoding="utf-8"))
    return [RegisteredFile(**file) for file in register[name]]


def bert_examples() -> dict[str, dict[str, list]]:
    """Return what bert-base-uncased makes of some texts: {text: {"tokens": …, "ids": …}}.

    These facts come with the package, so that a notebook can show them without the vocabulary.

    >>> bert_examples()["Hello world"]["ids"]
    [101, 7592, 2088, 102]
    """
    return json.loads((DATASETS / "bert" / "examples.json").read_text(encoding="utf-8"))


def read_word_counts(path: Path) -> Counter[str]:
    """Return the counts in a file of lines `word, tab, count`, in the order of the lines.

    >>> read_word_counts(DATASETS / "homer" / "word_counts.tsv").most_common(1)
    [(',', 19920)]
    """
    lines = path.read_bytes().decode().removesuffix("\n").split("\n")
    rows = (line.split("\t") for line in lines)
    return Counter({word: int(count) for word, count in rows})


def _join(paths) -> str:
    return "".join(" " + _read(path).strip() for path in paths)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not UTF-8 (byte {error.start:,}): save it as UTF-8, or remove it"
        ) from error


def _data_folder() -> Path | None:
    named = os.environ.get("WPEDU_DATA")
    if named and not Path(named).is_dir():
        raise ValueError(f"WPEDU_DATA names {named!r}, which is not a folder: correct or unset it")
    return Path(named) if named else None


def _cache() -> Path:
    return Path(_import_pooch().os_cache("wpedu"))


def _import_pooch():
    """Import pooch late, for it is slow, and in silence: in a notebook its tqdm warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pooch
    return pooch
