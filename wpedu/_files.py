"""Files: bytes → files that are there whole, or not at all.

What is new is written beside what is old, under a hidden name, and then moved into its place.
"""

import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex

if sys.platform != "win32":
    import fcntl

_PREFIX, _SUFFIX = ".wpedu-", ".part"  # of the hidden names, which are short whatever the file's
_WAIT = 10  # seconds, for another process that writes to the same folder
_OLD = 3_600  # seconds, after which nobody is still writing a hidden file


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write `content` to the file `path`, which is as it was if anything fails.

    A link is followed, and a file keeps its permissions. Raises TypeError if `path` is no path,
    ValueError if it is empty, and OSError if there is no folder for it, if it is a folder,
    read-only or no regular file, or if it cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder, "ship.txt"), b"black")
    ...     Path(folder, "ship.txt").read_bytes()
    b'black'
    """
    _write({path: content})


def write_all_atomically(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all `files`, names and contents, to `folder`; if one fails, all are as they were.

    Once all are written, they are moved into place in their order: put last the one that says
    how to read the others. Raises what `write_atomically` raises.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_all_atomically(Path(folder), {"ship.txt": b"black", "sea.txt": b"wine-dark"})
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['sea.txt', 'ship.txt']
    """
    _write({folder / name: content for name, content in files.items()})


def _write(contents: Mapping[str | os.PathLike[str], bytes]) -> None:
    targets = [_find_target(path) for path in contents]
    with ExitStack() as stack:
        for folder in sorted({target.parent for target in targets}):
            stack.enter_context(_alone_in(folder))
        parts = [
            stack.enter_context(_part(target, content))
            for target, content in zip(targets, contents.values())
        ]
        # When the last is moved, nothing can fail any more: what it replaces needs no copy.
        copies = [
            stack.enter_context(_part(target, target.read_bytes())) if target.exists() else None
            for target in targets[:-1]
        ]
        try:
            for part, target in zip(parts, targets):
                with _naming(target):
                    os.replace(part, target)
        except BaseException:
            # What is gone was moved, even if Ctrl-C came before that could be noted.
            if parts[-1].exists():
                for part, copy, target in zip(parts, copies, targets):
                    if not part.exists():
                        _restore(copy, target)
            raise


def _restore(copy: Path | None, target: Path) -> None:
    if copy is None:
        target.unlink()
    else:
        os.replace(copy, target)


def _find_target(path: str | os.PathLike[str]) -> Path:
    """Return the file that `path` leads to, there or not; raise if it cannot be replaced."""
    if not os.fspath(path):
        raise ValueError("the path is empty: name a file")
    given, target = Path(path), Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"there is no folder {target.parent} to write {target.name} to: make it"
        )
    with _naming(given):
        try:
            mode = target.stat().st_mode
        except FileNotFoundError:
            return target
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(f"{given} is a folder: name a file in it")
    if not stat.S_ISREG(mode):
        raise OSError(f"{given} is a pipe, a device or the like: name a regular file")
    if not mode & 0o222 or not os.access(target, os.W_OK):
        raise PermissionError(f"{given} is read-only: name another, or make it writable")
    return target


@contextmanager
def _part(target: Path, content: bytes) -> Iterator[Path]:
    """Write `content` to a hidden file beside `target`; remove it, if it is not moved by then."""
    part = target.parent / f"{_PREFIX}{token_hex(8)}{_SUFFIX}"
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    # As with any new file, the umask is taken off: it is never open to more people than `target`.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with _naming(target):
            with os.fdopen(os.open(part, flags, 0o666 if mode is None else mode), "wb") as file:
                file.write(content)
            if mode is not None:
                part.chmod(mode)
        yield part
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep others from writing to `folder`, and remove the hidden files that killed ones left."""
    with ExitStack() as stack:
        is_alone = False
        with suppress(PermissionError):  # on Windows, as no folder can be opened there
            handle = os.open(folder, os.O_RDONLY)
            stack.callback(_unlock, handle)
            is_alone = _lock(handle, folder)
        with suppress(OSError):
            for part in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
                if is_alone or time.time() - part.stat().st_mtime > _OLD:
                    part.unlink()
        yield


def _lock(handle: int, folder: Path) -> bool:
    """Lock an open folder; return False if its file system has no locks."""
    if sys.platform == "win32":
        return False
    else:  # for mypy, which knows no fcntl on Windows
        deadline = time.monotonic() + _WAIT
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise TimeoutError(
                        f"another process has been writing to {folder} for {_WAIT} seconds: wait "
                        f"for it, or name another folder"
                    ) from None
                time.sleep(0.01)
            except OSError:
                return False


def _unlock(handle: int) -> None:
    if sys.platform != "win32":
        with suppress(OSError):  # closing is not enough: a forked process may have it open too
            fcntl.flock(handle, fcntl.LOCK_UN)
    os.close(handle)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let errors name `path`, and not a hidden file."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from None
