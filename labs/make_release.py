"""Makes the students' version of the labs from `source/`, with nbgrader; run it after a change.

    python labs/make_release.py                       the public version, into labs/release
    python labs/make_release.py FOLDER                the public version, into FOLDER
    python labs/make_release.py --class SEED FOLDER   a class's version, whose rules SEED draws

The last command makes FOLDER/release to hand out, and FOLDER/source with the solutions and hidden
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
    parser.add_argument("--class", dest="seed", help="any text; keep it secret")
    parser.add_argument("folder", nargs="?", type=Path, default=LABS / "release")
    arguments = parser.parse_args()
    if arguments.seed is not None and arguments.folder == LABS / "release":
        parser.error("labs/release is for the public version: give a class a folder of its own")
    make_release(arguments.folder, arguments.seed)
