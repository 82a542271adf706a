"""Files: bytes → a file that is there whole, or not at all."""

import os
import tempfile
from pathlib import Path


def write_atomically(path: str | os.PathLike, content: bytes) -> None:
    """Write `content` to a temporary file beside `path`, then move it into place.

    Raises OSError if the folder does not exist or cannot be written; `path` is then as it was.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(
            f"there is no folder {path.parent} to write {path.name} to: make it"
        )
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        # mkstemp lets nobody else read the file; open() would have asked the umask.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
