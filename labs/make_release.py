"""Makes the students' version of the labs from `source/`, with nbgrader; run it after a change.

    python labs/make_release.py                       the public version, into labs/release
    python labs/make_release.py FOLDER                the public version, into FOLDER
    python labs/make_release.py --class SEED FOLDER   a class's version, whose rules SEED draws

The last command makes FOLDER/release to hand out, and FOLDER/source with the solutions and hidden
tests that `grade.py --course FOLDER` grades by. With `--corpus PATH`, a text in UTF-8 or a folder
of them, the labs are about this text instead of Homer. A copy of the text goes beside each lab.
"""

import argparse
import logging
import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

from own_corpus import FEWEST, FILE
from versions import LABS, NAMES, Run, for_class, read, settle, write

from wpedu import load_corpus


def make_release(folder: Path, seed: str | None = None, text: str | None = None) -> None:
    """Write the students' version of each lab into `folder`, or both versions of a class.

    A class's labs are about `text`, if it is given.
    """
    with tempfile.TemporaryDirectory() as temporary:
        course = Path(temporary)
        for name in NAMES:
            if seed is None:
                notebook = settle(Run(read(name)), strict=True)
            else:
                notebook, rules = for_class(name, seed, text)
                print(rules, flush=True)
            write(notebook, course / "source" / name / f"{name}.ipynb")
            if text is not None:
                target = course / "source" / name / FILE
                target.write_text(text, encoding="utf-8", newline="")
        hand_out(course)
        for made in ["release"] if seed is None else ["release", "source"]:
            target = folder if seed is None else folder / made
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(course / made, target)


def hand_out(course: Path) -> None:
    """Make the students' version of all labs of an nbgrader course."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import PyFileConfigLoader

    config = PyFileConfigLoader("nbgrader_config.py", path=str(LABS)).load_config()
    config.CourseDirectory.root = str(course)
    config.CourseDirectory.db_url = f"sqlite:///{course / 'gradebook.db'}"
    # nbgrader calls programs that are installed beside it, even if no environment is active.
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    api = NbGraderAPI(config=config)
    api.log.setLevel(logging.ERROR)
    for name in NAMES:
        result = api.generate_assignment(name, create=True)
        if not result["success"]:
            raise RuntimeError(f"{result.get('log')}\n{result.get('error')}")


def read_text(path: Path) -> str:
    """Return the text at `path`, or raise an error if it is too short."""
    text = load_corpus(path).text
    if len(text) < FEWEST:
        told = f"{path} has only {len(text):,} characters"
        raise ValueError(f"{told}: give at least {FEWEST:,}, or better 8,000")
    return text


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--class", dest="seed", help="any text; keep it secret")
    parser.add_argument("folder", nargs="?", type=Path, default=LABS / "release")
    parser.add_argument("--corpus", type=Path, help="a text in UTF-8, or a folder of .txt files")
    arguments = parser.parse_args()
    if arguments.seed is not None and arguments.folder == LABS / "release":
        parser.error("labs/release is for the public version: give a class a folder of its own")
    if arguments.corpus is not None and arguments.seed is None:
        parser.error("the public version is about Homer: add --class SEED to --corpus")
    try:
        text = arguments.corpus and read_text(arguments.corpus)
    except (ValueError, OSError) as error:
        sys.exit(f"{parser.prog}: {error}")
    make_release(arguments.folder, arguments.seed, text)
