"""Downloads: a name in the register → files, each with its registered SHA-256.

A file is looked for in the folder that the environment variable WPEDU_DATA names, where nothing is
ever written, then in the user's cache. Otherwise pooch downloads it into that cache, once.
"""

import gzip
import os
import tomllib
import warnings
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from wpedu._support.checks import check_str

# In a wheel the folder is inside the package; in a checkout, beside it.
_FOLDERS = (parent / "datasets" for parent in Path(__file__).parents[1:3])
DATASETS = next(filter(Path.is_dir, _FOLDERS))


class RegisteredFile(NamedTuple):
    """A file that can be downloaded; `path` is relative to WPEDU_DATA and to the cache."""

    path: str
    url: str
    bytes: int
    sha256: str

    def find(self) -> Path | None:
        """Return the path of a local copy, or None."""
        data = os.environ.get("WPEDU_DATA")
        if data and not Path(data).is_dir():
            raise ValueError(f"WPEDU_DATA is {data!r}, which is not a folder: correct or unset it")
        folders = [Path(data), _cache()] if data else [_cache()]
        return next(filter(Path.is_file, (folder / self.path for folder in folders)), None)

    def fetch(self) -> Path:
        """Return the path of a local copy, after downloading it if necessary.

        Raises ConnectionError if the download fails, which leaves no file behind, and ValueError
        if the local copy is not the registered file.
        """
        path, cache = self.find(), _cache()
        import pooch

        if path is None:
            pooch.get_logger().setLevel("WARNING")
            try:
                pooch.retrieve(self.url, self.sha256, self.path, cache)
            except (OSError, ValueError) as error:
                raise ConnectionError(
                    f"could not download {self.path} ({self.bytes:,} bytes) from {self.url} "
                    f"({error}): connect to the internet, or set WPEDU_DATA to a folder with the "
                    f"file"
                ) from None
        elif pooch.file_hash(path) != self.sha256:
            raise ValueError(
                f"{path} is not the registered file (its SHA-256 differs): delete it, and wpedu "
                f"will download it again"
            )
        return path or cache / self.path


def registered_files(name: str) -> list[RegisteredFile]:
    """Return the files registered under `name`, in order.

    >>> [file.path for file in registered_files("homer")]
    ['classics/iliad.txt', 'classics/odyssey.txt']
    """
    register = _read_register()
    del register["shipped"]
    if check_str(name, "name") not in register:
        known = ", ".join(map(repr, register))
        raise ValueError(f"no files are registered under {name!r}: use one of {known}")
    return [RegisteredFile(**file) for file in register[name]]


def read_shipped(path: str) -> str:
    """Return the text of a registered file in `DATASETS`; ValueError if it has changed.

    A file whose name ends with .gz is unpacked.

    >>> read_shipped("homer/opening.txt")[9:24]
    'Sing, O goddess'
    """
    content = (DATASETS / path).read_bytes()
    if sha256(content).hexdigest() != _read_register()["shipped"][path]:
        raise ValueError(
            f"{DATASETS / path} has changed since wpedu was installed (its SHA-256 differs): "
            f"install wpedu again"
        )
    return (gzip.decompress(content) if path.endswith(".gz") else content).decode()


def _read_register() -> dict[str, Any]:
    return tomllib.loads((DATASETS / "register.toml").read_text(encoding="utf-8"))


def _cache() -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pooch imports tqdm, which warns in a notebook
        import pooch  # here, because it takes long
    return Path(pooch.os_cache("wpedu"))
