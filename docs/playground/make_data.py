"""The package → data.js: what the playground knows.

Vocabularies nest: the one of 200 merges is the start of the one of 201. So the merges to the end,
in order, are the vocabularies of every position of the slider. With how often each pair occurred
when it was merged, the counts of all tokens and the gains follow, and the page works them out.

White space and punctuation are what `regex` takes for them, character by character: JavaScript
takes others, and which depends on the browser (see `tests/browser/test_playground.py`).

The page opens from disk as soon as the file is there: `python docs/playground/make_data.py`
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import regex

from wpedu import build_vocab, load_corpus, train
from wpedu._support.files import write_atomically
from wpedu.fast.linked_tokens import LinkedTokens
from wpedu.pretokenization import START
from wpedu.scores import SCORES, Pair

CORPUS = "homer"
TO_THE_END = 10**9  # training stops as soon as no pair is left


def make_data(home: str = "") -> str:
    """Return the source of data.js; `home` is the address of the site, for a link to it."""
    word_counts = load_corpus(CORPUS).word_counts
    row = _row(word_counts)
    alphabet = build_vocab(word_counts, [])
    data = {
        "home": home,
        "words": len(word_counts),
        "scores": list(SCORES),
        "occurrences": sum(word_counts.values()),
        "space": ranges(r"\s"),
        "punctuation": ranges(r"\p{P}"),
        "alphabet": alphabet,
        "counts": [row.token_counts[char] for char in alphabet],
    }
    for score in ("gain", "frequency"):
        data[score] = _merges(word_counts, train(word_counts, TO_THE_END, score))
    lines = ",\n".join(f"{name}: {_to_json(value)}" for name, value in data.items())
    return f"// Made by make_data.py, which says what it is.\nconst DATA = {{\n{lines}\n}};\n"


def ranges(pattern: str) -> list[tuple[int, int]]:
    """Return the first and the last of each run of code points that match `pattern`.

    >>> ranges("[a-cx]")
    [(97, 99), (120, 120)]
    """
    every_char = "".join(map(chr, range(0x110000)))
    runs = regex.finditer(f"(?:{pattern})+", every_char)
    return [(match.start(), match.end() - 1) for match in runs]


def _merges(word_counts: Mapping[str, int], merges: Sequence[Pair]) -> dict:
    """Return the ids of each pair, how often it occurred, and, where that differs, the joins.

    A pair of equal tokens can overlap itself: "aaa" has it twice, and is joined once.
    """
    ids = {token: i for i, token in enumerate(build_vocab(word_counts, merges))}
    row = _row(word_counts)
    counts, joins = [], {}
    for number, pair in enumerate(merges):
        counts.append(row.pair_counts[pair])
        if row.count_joins(pair) != counts[-1]:
            joins[number] = row.count_joins(pair)
        row.merge(pair)
    pairs = (ids[token] for token in chain.from_iterable(merges))
    return {"pairs": _spaced(pairs), "counts": _spaced(counts), "joins": joins}


def _row(word_counts: Mapping[str, int]) -> LinkedTokens:
    return LinkedTokens(([START, *word] for word in word_counts), word_counts.values())


def _spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _to_json(value) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the data of the playground.")
    here = Path(__file__).parent / "data.js"
    parser.add_argument("path", nargs="?", default=here, help="default: beside the page")
    parser.add_argument("--home", default="", help="address that the page links back to")
    arguments = parser.parse_args()
    write_atomically(arguments.path, make_data(arguments.home).encode())
