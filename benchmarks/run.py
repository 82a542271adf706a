"""Time wpedu beside other tokenizers, in one run: `WPEDU_DATA=… python benchmarks/run.py`.

Needs the extra `bench`. Prints two tables; `--write` puts them into README.md as well.
"""

import argparse
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from cases import encoding_cases, learning_cases, tokenizing_cases, training_cases
from peers import Alphabet

from wpedu import load_corpus, train

FOLDER = Path(__file__).parent
MARKS = "<!-- tables -->", "<!-- /tables -->"
PACKAGES = ("wpedu", "numpy", "regex", "tokenizers", "sentencepiece")
OURS = ("wpedu, gain", "wpedu, cold", "wpedu, warm", "wpedu, top-down")  # what ratios are of
AIMS = [  # the ratio of which two, and what it should be at most
    ("train", "wpedu, gain", "HF WordPieceTrainer", 1.0),
    ("train", "wpedu, gain", "notebooks 01 to 03, one round", 0.02),
    ("tokenize", "wpedu, cold", "HF encode_batch, lines", 0.7),
    ("tokenize", "wpedu, warm", "HF encode_batch, lines", 0.7),
    ("tokenize", "wpedu, cold", "SentencePiece ids, lines", 1.5),
    ("tokenize", "wpedu, warm", "SentencePiece ids, lines", 1.5),
    ("encode", "wpedu, cold", "HF encode, line by line", 1.5),
    ("encode", "wpedu, warm", "HF encode, line by line", 1.0),
    ("learn, kept", "wpedu, top-down", "the notebooks, one round", 0.333),
    ("learn, all", "wpedu, top-down", "the notebooks, one round", 0.333),
]
HEADER = """\
| task | merges | system | seconds | wpedu / it | wpedu warm / it |
| --- | ---: | --- | ---: | ---: | ---: |"""


def main():
    """Print the tables, and write them if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    count = {"type": int, "choices": range(1, 101), "metavar": "N"}
    parser.add_argument("--rounds", **count, default=7, help="of the first table (default 7)")
    parser.add_argument("--growth-rounds", **count, default=3, help="of the second (default 3)")
    parser.add_argument("--write", action="store_true", help="put the tables into README.md")
    options = parser.parse_args()
    conditions = (
        f"{machine()}. Medians of {options.rounds} rounds in the first table, of "
        f"{options.growth_rounds} in the second. All results that must be equal were equal."
    )
    cases, growth = time_cases(options.rounds), growth_table(options.growth_rounds)
    table = "\n".join([HEADER, *(case_row(case, cases) for case in cases)])
    tables = "\n\n".join([conditions, aims(cases, growth), table, growth])
    print(tables)
    if options.write:
        write(FOLDER / "README.md", tables)


def machine():
    """Return the versions, the number of cores, and how busy they are with other work."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    load = f"load average at the start {os.getloadavg()[0]:.1f}"
    return f"Python {platform.python_version()}, {versions}; {system}, {load}"


def time_cases(rounds):
    """Return the cases of the first table, for Homer, with their times."""
    homer = load_corpus("homer")
    alphabet = Alphabet.of(homer.word_counts)
    merges = train(homer.word_counts, 1_000_000)
    with TemporaryDirectory() as folder:
        cases = [*training_cases(homer.text, alphabet, merges)]
        cases += tokenizing_cases(homer.text, alphabet, folder)
        cases += encoding_cases(homer.text)
        cases += learning_cases(homer.word_counts)
        time_by_turns(cases, rounds)
    return cases


def aims(cases, growth):
    """Return a sentence for each of AIMS: the ratios that reach it, then those above it.

    The aims for a wpedu that has just been loaded apply to the second table, too.
    """
    times = {(case.task, case.system, case.merges): case.times for case in cases}
    rows = [[cell.strip() for cell in line.split("|")] for line in growth.splitlines()[2:]]
    sentences = []
    for task, ours, theirs, most in AIMS:
        found = []
        for case in cases:
            if (case.task, case.system) == (task, theirs):
                value = ratio(times[task, ours, case.merges], case.times).split()[0]
                found.append((float(value), f" at {case.merges:,} merges" if case.merges else ""))
        if (task, ours) == ("tokenize", "wpedu, cold"):
            column = 6 if theirs.startswith("HF") else 7
            found += [
                (float(row[column]), f" for {row[2].partition(',')[0]}")
                for row in rows
                if row[1] == task
            ]
        within = [f"{value:#.2g}{where}" for value, where in found if value <= most]
        above = [f"{value:#.2g}{where}" for value, where in found if value > most]
        sentence = "; above it ".join(
            ", ".join(some) for some in (within or ["none"], above) if some
        )
        sentences.append(f"- {task}, {ours} : {theirs}, at most {most}: {sentence}.")
    return "\n".join(sentences)


def time_by_turns(cases, rounds):
    """Check every case, which warms it up as well, then time each of them once a round."""
    for case in cases:
        case.check()
    repeated = [case for case in cases if not case.once]
    for number in range(rounds):
        # Every other round runs backward, so that no case always follows the same one.
        for case in repeated[:: -1 if number % 2 else 1]:
            case.time()


def case_row(case, cases):
    """Return the row of `case`; a peer's has the ratios of OURS to it."""
    ratios = []
    if not case.system.startswith("wpedu"):
        same = [c for c in cases if (c.task, c.merges) == (case.task, case.merges)]
        ratios = [ratio(c.times, case.times) for c in same if c.system in OURS]
    merges = "" if case.merges is None else f"{case.merges:,}"
    cells = [case.task, merges, case.system, f"{median(case.times):.3f}", *ratios]
    return f"| {' | '.join([*cells, '', ''][:6])} |"


def ratio(ours, theirs):
    """Return the median, lowest and highest ratio of the times of one round."""
    if len(theirs) == 1:
        return f"{median(ours) / theirs[0]:#.3g}"
    ratios = [our / their for our, their in zip(ours, theirs)]
    return f"{median(ratios):#.3g} ({min(ratios):#.3g}–{max(ratios):#.3g})"


def growth_table(rounds):
    """Return the second table, from a process of its own: see `growth.py`."""
    command = [sys.executable, FOLDER / "growth.py", str(rounds)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def write(path, tables):
    """Replace what is between the marks of the file at `path`."""
    before, _, rest = path.read_text(encoding="utf-8").partition(MARKS[0])
    _, mark, after = rest.partition(MARKS[1])
    if not mark:
        raise ValueError(f"{path.name} has no {MARKS[0]} … {MARKS[1]}: put them where tables go")
    path.write_text(f"{before}{MARKS[0]}\n\n{tables}\n\n{mark}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
