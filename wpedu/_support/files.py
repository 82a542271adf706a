"""Files: bytes → files that are there whole, or not at all.

What is new is written beside what is old, under a hidden name, and then moved into its place.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write `content` to the file `path`, which is as it was if that fails.

    A link is followed, and a file keeps its permissions. Raises TypeError if `path` is no path,
    ValueError if it is empty, and OSError if it cannot be written.
    """
    _write({path: content})


def write_all_atomically(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all `files`, names and contents, to `folder`; none of them, if one cannot be written.

    Once all are written, they are moved into place in their order: put last the one that says
    how to read the others. Raises what `write_atomically` raises.
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
    """Return the file that `path` leads to, there or not; raise if it cannot be replaced."""
    if not os.fspath(path):
        raise ValueError("the path is empty: name a file")
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"there is no folder {target.parent} to write {target.name} to: make it"
        )
    if target.exists() and not target.is_file():
        raise OSError(f"{path} is a folder, a pipe or the like: name a regular file")
    if target.exists() and not target.stat().st_mode & 0o200:
        raise PermissionError(f"{path} is read-only: name another, or make it writable")
    return target


def _write_part(part: Path, target: Path, content: bytes) -> None:
    # Opened as `target` is or, as any new file, as the umask lets it; so that no one else reads it.
    mode = S_IMODE(target.stat().st_mode) if target.exists() else 0o666
    with open(part, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if target.exists():
        part.chmod(mode)
