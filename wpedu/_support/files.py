"""Files: bytes → a complete file, or none."""

import os
from pathlib import Path


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write `content` beside the file `path`, and move it there; if that fails, change nothing.

    Links are followed. Raises OSError if the file cannot be written.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(f"{path} is not a regular file, but a folder or a pipe: name another path")
    if target.exists() and not target.stat().st_mode & 0o200:
        raise PermissionError(f"{path} is read-only: make it writable, or name another path")
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_bytes(content)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
