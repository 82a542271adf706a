"""Makes the labs as students get them, from `source/`, with nbgrader; run it after a change.

    python labs/make_release.py                       for all who study alone, into labs/release
    python labs/make_release.py FOLDER                the same, elsewhere
    python labs/make_release.py --class SEED FOLDER   for one class, whose rules SEED draws

The last makes FOLDER/release, to be handed out, and FOLDER/source, with the solutions and hidden
tests, by which `grade.py --course FOLDER` grades.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

from grade_one import start_course
from versions import LABS, NAMES, Run, for_class, read, settle, write


def make_release(folder: Path, seed: str | None = None) -> None:
    """Write the students' version of each lab into `folder`, or both versions of a class."""
    with tempfile.TemporaryDirectory() as temporary:
        course = Path(temporary)
        for name in NAMES:
            if seed is None:
                notebook = settle(Run(read(name)), strict=True)
            else:
                notebook, rules = for_class(name, seed)
                print(rules, flush=True)
            write(notebook, course / "source" / name / f"{name}.ipynb")
        start_course(course, NAMES)
        for made in ["release"] if seed is None else ["release", "source"]:
            target = folder if seed is None else folder / made
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(course / made, target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--class", dest="seed", help="any number, or word; keep it to yourself")
    parser.add_argument("folder", nargs="?", type=Path, default=LABS / "release")
    arguments = parser.parse_args()
    if arguments.seed is not None and arguments.folder == LABS / "release":
        parser.error("--class needs a folder: labs/release has the version for all")
    make_release(arguments.folder, arguments.seed)
