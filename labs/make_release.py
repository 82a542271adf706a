"""Makes the labs as students get them, from `source/`, with nbgrader; run it after a change.

python labs/make_release.py          into labs/release
python labs/make_release.py FOLDER   elsewhere
"""

import shutil
import sys
import tempfile
from pathlib import Path

from grade import LABS, open_course


def make_release(folder: Path) -> None:
    """Write the students' version of each lab into `folder`, and nothing else."""
    for path in (LABS / "source").iterdir():
        shutil.copy(LABS / "checks.py", path)
    with tempfile.TemporaryDirectory() as temporary:
        open_course(Path(temporary))
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(Path(temporary) / "release", folder)


if __name__ == "__main__":
    make_release(Path(sys.argv[1]) if sys.argv[1:] else LABS / "release")
