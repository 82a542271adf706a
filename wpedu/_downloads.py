"""Downloads: a name in the register → files, each with the SHA-256 that is registered.

A file is looked for in the folder that the environment variable WPEDU_DATA names, then in the
user's cache, and is else downloaded into that cache, once.
"""

import os
import tomllib
import warnings
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any, NamedTuple

from wpedu._checks import check_str
from wpedu._files import write_atomically

# In a wheel the folder is inside the package; in a checkout, beside it.
_PLACES = Path(__file__).parent / "datasets", Path(__file__).parent.parent / "datasets"
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
        folders = (_data_folder(), _cache())
        paths = (folder / self.path for folder in folders if folder is not None)
        return next(filter(Path.is_file, paths), None)

    def fetch(self) -> Path:
        """Return where a local copy is, after downloading it if there was none.

        Raises ValueError if the copy or the download has another SHA-256 than the register,
        ConnectionError if the download fails or takes more than two minutes, and OSError if it
        cannot be kept in the cache. What failed leaves no file behind.
        """
        path = self.find()
        if path is None:
            return _download(self)
        if sha256(path.read_bytes()).hexdigest() != self.sha256:
            raise ValueError(
                f"{path} is not the registered text (its SHA-256 differs): delete it, and it "
                f"will be downloaded again"
            )
        return path


def registered_files(name: str) -> list[RegisteredFile]:
    """Return the files registered under `name`, in their order.

    Raises TypeError if `name` is no str, and ValueError if nothing is registered under it.

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
            f"{DATASETS / path} is not what wpedu came with (its SHA-256 differs): restore it, or "
            f"install wpedu again"
        )
    return content.decode()


def _read_register() -> dict[str, Any]:
    return tomllib.loads((DATASETS / "register.toml").read_text(encoding="utf-8"))


def _download(file: RegisteredFile) -> Path:
    path = _cache() / file.path
    remedy = f"set WPEDU_DATA to a folder that holds {file.path}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, _receive(file, remedy))
    except ConnectionError:
        raise
    except OSError as error:
        raise type(error)(
            f"could not keep {file.path} in the cache ({error}): mend that, or {remedy}"
        ) from None
    return path


def _receive(file: RegisteredFile, remedy: str) -> bytes:
    received = _Limited(file.bytes)
    try:
        _receive_into(received, file.url)
    except OSError as error:
        raise ConnectionError(
            f"could not download {file.path} ({file.bytes:,} bytes) from {file.url}: connect to "
            f"the internet, or {remedy} ({error})"
        ) from None
    content = received.getvalue()
    if sha256(content).hexdigest() != file.sha256:
        raise ValueError(
            f"{file.url} did not send the registered {file.path} (its SHA-256 differs); it was "
            f"thrown away: {remedy}"
        )
    return content


class _Limited(BytesIO):
    """Takes what is written until it is over, or is more than `size` bytes."""

    def __init__(self, size: int):
        super().__init__()
        self.size = size
        self.is_over = False

    def write(self, content: Any) -> int:
        if self.is_over or self.tell() > self.size:
            raise EOFError
        return super().write(content)


def _receive_into(received: _Limited, url: str) -> None:
    """Download `url`; raise OSError if that fails, or is not over in time."""
    download = _import_pooch().HTTPDownloader(timeout=30)  # from one byte to the next
    errors: list[Exception] = []

    def receive() -> None:
        try:
            download(url, received, None)
        except EOFError:
            pass
        except Exception as error:
            errors.append(error)

    # In a thread of its own, or else a server that sends one byte a second is waited for.
    thread = Thread(target=receive, daemon=True)
    thread.start()
    thread.join(_SECONDS)
    received.is_over = True
    if thread.is_alive():
        raise TimeoutError(f"it was not over after {_SECONDS} seconds")
    for error in errors:
        raise error


def _data_folder() -> Path | None:
    named = os.environ.get("WPEDU_DATA")
    if named and not Path(named).is_dir():
        raise ValueError(f"WPEDU_DATA names {named!r}, which is not a folder: correct or unset it")
    return Path(named) if named else None


def _cache() -> Path:
    return Path(_import_pooch().os_cache("wpedu"))


def _import_pooch() -> ModuleType:
    """Import pooch late, for it is slow, and in silence: in a notebook its tqdm warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pooch

    module: ModuleType = pooch
    return module
