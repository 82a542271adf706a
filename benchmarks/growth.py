"""Training and tokenizing ever more text → a table of times and peak memory.

Each measurement has a process of its own. This process starts it, and imports nothing large: a
process's peak memory cannot be less than that of the process that started it.
"""

import json
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

NUM_MERGES = 8_000
NOVELS = {"Homer": 0, "1 novel": 1, "3 novels": 3, "7 novels": 7, "14 novels": 14}
SYSTEMS = ("Wpedu", "HuggingFace", "SentencePiece")
HEADER = """\
| task | text, characters | wpedu | Hugging Face | SentencePiece | wpedu / HF | wpedu / SP \
| peak: text only | wpedu | Hugging Face | SentencePiece |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""


def growth_rows(name, rounds):
    """Return the table's two rows for one text: medians of `rounds`, the systems by turns."""
    read = _in_process(task="read", novels=NOVELS[name])
    found = {}
    with TemporaryDirectory() as folder:
        for _ in range(rounds):
            for system in SYSTEMS:
                given = {"system": system, "path": str(Path(folder, system))}
                given |= {"novels": NOVELS[name], "alphabet": read["alphabet"]}
                for task in ("train", "tokenize"):  # tokenize loads what train has saved
                    found.setdefault((task, system), []).append(_in_process(task=task, **given))
    label = f"{name}, {read['chars'] / 1e6:.1f} M"
    return [_row(task, label, read["peak"], found) for task in ("train", "tokenize")]


def measure(task, novels, system=None, path=None, alphabet=None):
    """Return the seconds of one task, and this process's peak memory in bytes."""
    import peers  # not at the top: see the module's docstring

    text = _load_text(novels)
    if task == "read":
        peak = _peak()  # before the words are counted
        alphabet = peers.Alphabet.of(peers.naive_training()[0](text))
        return {"peak": peak, "chars": len(text), "alphabet": alphabet}
    tokenizer = getattr(peers, system)
    given = tokenizer.prepare(text)
    if task == "train":
        call = partial(tokenizer.train, given, NUM_MERGES, peers.Alphabet(*alphabet))
    else:
        call = partial(tokenizer.tokenize, tokenizer.load(path), given)
    seconds, result = peers.timed(call)
    found = {"seconds": seconds, "peak": _peak()}
    if task == "train":
        tokenizer.save(result, path)
    return found


def _row(task, label, peak, found):
    times = [median(run["seconds"] for run in found[task, system]) for system in SYSTEMS]
    peaks = [median(run["peak"] for run in found[task, system]) for system in SYSTEMS]
    cells = [task, label, *(f"{time:.2f} s" for time in times)]
    cells += [f"{times[0] / time:.2f}" for time in times[1:]]
    cells += [f"{size / 1e6:,.0f} MB" for size in (peak, *peaks)]
    return f"| {' | '.join(cells)} |"


def _load_text(novels):
    from wpedu.corpus import Corpus, registered_files

    files = registered_files("dickens" if novels else "homer")
    if novels:  # the longest first, because the register's first one is shorter than Homer
        files = sorted(files, key=lambda file: file.bytes, reverse=True)[:novels]
    return Corpus("some", files).text


def _peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _in_process(**given):
    command = [sys.executable, __file__, json.dumps(given)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


if __name__ == "__main__":
    if sys.argv[1].isdigit():
        rows = [row for name in NOVELS for row in growth_rows(name, int(sys.argv[1]))]
        print(HEADER, *rows, sep="\n")
    else:
        print(json.dumps(measure(**json.loads(sys.argv[1]))))
