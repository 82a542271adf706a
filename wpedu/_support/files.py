"""Files: bytes → complete files, or none.

New content is written beside the old file, under a hidden name, and then moved into place.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write `content` to the file `path`; if that fails, leave the file unchanged.

    Links are followed, and an existing file keeps its permissions. Raises TypeError if `path` is
    not a path, ValueError if it is empty, and OSError if the file cannot be written.
    """
    _write({path: content})


def write_all_atomically(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write `files` (name → content) to `folder`; if one cannot be written, write none of them.

    Complete files are moved into place in order: put the one that describes the others last.
    Raises what `write_atomically` raises.
    """
    _write({folder / name: content for name, content in files.items()})


def _write(contents: Mapping[str | os.PathLike[str], bytes]) -> None:
    targets = [_find_target(path) for path in contents]
    parts = [target.with_name(f".wpedu-{token_hex(8)}.part") for target in targets]
    try:
        for target, part, content in zip(targets, parts, contents.values()):
            try:
                _write_part(part, target, content)
            except OSError as error:
                error.filename = str(target)  # not the hidden name
                raise
        for target, part in zip(targets, parts):
            os.replace(part, target)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


def _find_target(path: str | os.PathLike[str]) -> Path:
    """Return the file that `path` leads to, existing or not; raise if it cannot be replaced."""
    if not os.fspath(path):
        raise ValueError("the path is empty: name a file")
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"{target.parent} does not exist, so {target.name} cannot be written there: create it"
        )
    if target.exists() and not target.is_file():
        raise OSError(f"{path} is not a regular file, but a folder or a pipe: name another path")
    if target.exists() and not target.stat().st_mode & 0o200:
        raise PermissionError(f"{path} is read-only: make it writable, or name another path")
    return target


def _write_part(part: Path, target: Path, content: bytes) -> None:
    # Opened with the final permissions, so that nobody else can read it in the meantime.
    mode = S_IMODE(target.stat().st_mode) if target.exists() else 0o666
    with open(part, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if target.exists():
        part.chmod(mode)
