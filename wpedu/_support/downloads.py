"""Downloads: a name in the register → files, each with the SHA-256 that is registered.

A file is looked for in the folder that the environment variable WPEDU_DATA names, then in the
user's cache, and is else downloaded into that cache, once.
"""

import os
import tomllib
import warnings
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from wpedu._support.checks import check_str

# In a wheel the folder is inside the package; in a checkout, beside it.
_PLACES = Path(__file__).parents[1] / "datasets", Path(__file__).parents[2] / "datasets"
DATASETS = next(filter(Path.is_dir, _PLACES))
_SECONDS = 120  # after which a download is given up; the largest file has two million bytes


class RegisteredFile(NamedTuple):
    """A file that can be downloaded; `path` is its place in WPEDU_DATA and in the cache."""

    path: str
    url: str
    bytes: int
    sha256: str

    def find(self) -> Path | None:
        """Return where a local copy is, or None if there is none."""
        named = os.environ.get("WPEDU_DATA")
        if named and not Path(named).is_dir():
            raise ValueError(f"WPEDU_DATA names {named!r}, which is no folder: correct or unset it")
        folders = [Path(named), _cache()] if named else [_cache()]
        return next(filter(Path.is_file, (folder / self.path for folder in folders)), None)

    def fetch(self) -> Path:
        """Return where a local copy is, after downloading it if there was none.

        Raises ConnectionError if that fails, which leaves no file behind, and ValueError if the
        copy is not what is registered.
        """
        path = self.find() or self._download(_cache())
        if sha256(path.read_bytes()).hexdigest() != self.sha256:
            raise ValueError(
                f"{path} is not the registered text (its SHA-256 differs): delete it, and it "
                f"will be downloaded again"
            )
        return path

    def _download(self, cache: Path) -> Path:
        import pooch

        pooch.get_logger().setLevel("WARNING")
        try:
            pooch.retrieve(self.url, self.sha256, self.path, cache, downloader=self._receive)
        except (OSError, ValueError) as error:
            raise ConnectionError(
                f"could not download {self.path} ({self.bytes:,} bytes) from {self.url}: connect "
                f"to the internet, or set WPEDU_DATA to a folder that holds it ({error})"
            ) from None
        return cache / self.path

    def _receive(self, url: str, part: str, _: object) -> None:
        """Write to `part` what `url` sends, but not more than is registered, nor for ever."""
        import requests

        end = monotonic() + _SECONDS
        with requests.get(url, stream=True, timeout=30) as response, open(part, "wb") as file:
            response.raise_for_status()
            for content in response.iter_content(2**8):  # few, as some send one byte a second
                if monotonic() > end:
                    raise requests.Timeout(f"it was not over after {_SECONDS} seconds")
                file.write(content)
                if file.tell() > self.bytes:
                    break


def registered_files(name: str) -> list[RegisteredFile]:
    """Return the files registered under `name`, in their order.

    >>> [file.path for file in registered_files("homer")]
    ['classics/iliad.txt', 'classics/odyssey.txt']
    """
    register = _read_register()
    del register["shipped"]
    if check_str(name, "name") not in register:
        known = ", ".join(map(repr, register))
        raise ValueError(f"nothing is registered under {name!r}, but under {known}")
    return [RegisteredFile(**file) for file in register[name]]


def read_shipped(path: str) -> str:
    """Return the text of a file in `DATASETS`; raise ValueError if it is not the registered one.

    >>> read_shipped("homer/opening.txt")[9:24]
    'Sing, O goddess'
    """
    content = (DATASETS / path).read_bytes()
    if sha256(content).hexdigest() != _read_register()["shipped"][path]:
        raise ValueError(
            f"{DATASETS / path} is not what came with wpedu (its SHA-256 differs): install it again"
        )
    return content.decode()


def _read_register() -> dict[str, Any]:
    return tomllib.loads((DATASETS / "register.toml").read_text(encoding="utf-8"))


def _cache() -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # in a notebook, its tqdm warns
        import pooch  # late, for it is slow
    return Path(pooch.os_cache("wpedu"))
