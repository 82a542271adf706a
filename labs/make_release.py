"""Makes the students' version of the labs from `source/`, with nbgrader; run it after a change.

    python labs/make_release.py                       the public version, into labs/release
    python labs/make_release.py --class SEED FOLDER   a class's version, whose rules SEED draws

The last command makes FOLDER/release to hand out, and FOLDER/source with the solutions and hidden
tests that `grade.py --course FOLDER` grades by. With `--corpus PATH`, a text in UTF-8 or a folder
of them, the labs are about this text instead of Homer. A copy of the text goes beside each lab but
the project.
"""

import argparse
import shutil
from pathlib import Path

import nbformat
from grader.notebooks import LABS, NAMES, OWN_TEXT, Notebook, read
from nbgrader import preprocessors as steps
from own_corpus import FEWEST
from versions import Run, for_class, settle

from wpedu import load_corpus

HAND_OUT = [steps.CheckCellMetadata, steps.LockCells, steps.ClearSolutions, steps.ClearOutput]
HAND_OUT += [steps.ClearHiddenTests, steps.ComputeChecksums]


def make_release(folder: Path, seed: str | None = None, text: str | None = None) -> None:
    """Write the students' version of each lab into `folder`, or both versions of a class.

    A class's labs are about `text`, if it is given; the project is about the student's own.
    """
    made: dict[Path, Notebook] = {}
    for name in NAMES:
        if seed is None:
            made[folder / name] = settle(Run(read(name)), strict=True)
        else:
            made[folder / "source" / name], rules = for_class(name, seed, text)
            made[folder / "release" / name] = made[folder / "source" / name]
            print(rules, flush=True)
    for target, notebook in made.items():
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        content = nbformat.from_dict(notebook)
        for step in [] if target.parent.name == "source" else HAND_OUT:
            content, _ = step().preprocess(content, {})
        (target / f"{target.name}.ipynb").write_text(nbformat.writes(content) + "\n", "utf-8")
        if text is not None and target.name != "project":  # whose text is the student's
            (target / OWN_TEXT).write_text(text, encoding="utf-8", newline="")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told = {"metavar": ("SEED", "FOLDER"), "help": "any text to keep secret, and where to write"}
    parser.add_argument("--class", dest="course", nargs=2, default=(None, LABS / "release"), **told)
    parser.add_argument("--corpus", type=Path, help="a text in UTF-8, or a folder of .txt files")
    given = parser.parse_args()
    seed, folder = given.course
    if given.corpus is not None and seed is None:
        parser.error("the public version is about Homer: add --class SEED to --corpus")
    try:
        text = given.corpus and load_corpus(given.corpus).text
    except (ValueError, OSError) as error:
        parser.error(str(error))
    if text is not None and len(text) < FEWEST:
        parser.error(f"{given.corpus} is too short: give at least {FEWEST:,} characters")
    make_release(Path(folder), seed, text)
