"""Fetch the lock file of the Pyodide that _ext/lite.py names, from its npm package.

`python docs/lite/make_lock.py`, after a change of the version; needs npm.
"""

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "_ext"))

from lite import VERSION  # noqa: E402


def main() -> None:
    """Write pyodide-lock.json beside this file."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", f"pyodide@{VERSION}"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(next(Path(folder).glob("pyodide-*.tgz"))) as archive:
            file = archive.extractfile("package/pyodide-lock.json")
            assert file is not None
            (HERE / "pyodide-lock.json").write_bytes(file.read())


if __name__ == "__main__":
    main()
