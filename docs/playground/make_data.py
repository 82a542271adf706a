"""Write data.js, data-bytes.js and data-bert.js, the playground's data, from the package.

Vocabularies nest: the one of 200 merges is the start of the one of 201. So the merges to the end,
in order, are the vocabularies of every position of the slider. From the number of times that each
pair occurred when it was merged, the page works out the counts of all tokens and the gains.

Whitespace and punctuation are the characters that `regex` counts as such: JavaScript counts
others, and which depends on the browser (see `tests/browser/test_playground.py`).

The page loads what is under *More* when a reader opens it: merges of bytes, and BERT's vocabulary
if a copy of the registered file is on this machine. Nothing is downloaded here: without a copy, the
page shows the tokens of some texts in `bert_examples`.

The page opens from disk once the files exist: `python docs/playground/make_data.py`
"""

import argparse
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, groupby
from pathlib import Path

import regex

from wpedu import build_vocab, load_corpus, train
from wpedu._support.files import write_atomically
from wpedu.bert.normalization import IDEOGRAPHS, WHITESPACE, is_punctuation, normalize
from wpedu.corpus import bert_examples, registered_files
from wpedu.fast.linked_tokens import LinkedTokens
from wpedu.pretokenization import START
from wpedu.scores import SCORES, Pair

CORPUS = "homer"
TO_THE_END = 10**9  # training stops as soon as no pair is left
MERGES_OF_BYTES = 2_000  # as in notebook 13
EXAMPLES = ("Sing, O goddess, the anger of Achilles son of Peleus", "unaffordable", "touché")
EXAMPLES += ("Ἀχιλλεύς", "東京")

LICENSE = """\
// The vocabulary of bert-base-uncased, in the form of a string.
// Copyright 2018 The Google AI Language Team Authors.
// Licensed under the Apache License, Version 2.0: LICENSE-bert.txt has its text.
"""


def make_data() -> str:
    """Return the source of data.js."""
    word_counts = load_corpus(CORPUS).word_counts
    row = _row(word_counts)
    alphabet = build_vocab(word_counts, [])
    data = {
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


def make_bytes() -> str:
    """Return the source of data-bytes.js: byte-level BPE, learned from the words in bytes."""
    chars = byte_chars()
    words = load_corpus(CORPUS).word_counts
    in_bytes = {"".join(chars[byte] for byte in word.encode()): words[word] for word in words}
    merges = train(in_bytes, MERGES_OF_BYTES, "frequency")
    vocab = [START, *chars, *map("".join, merges)]
    ids = {token: i for i, token in enumerate(vocab)}
    pairs = (ids[token] for token in chain.from_iterable(merges))
    return f"DATA.bytes = {_to_json({'chars': chars, 'pairs': _spaced(pairs)})};\n"


def byte_chars() -> list[str]:
    """Return the visible character that GPT-2 has for each byte.

    Source: https://github.com/openai/gpt-2/blob/master/src/encoder.py

    >>> byte_chars()[32], byte_chars()[65]
    ('Ġ', 'A')
    """
    visible = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(byte if byte in visible else next(others)) for byte in range(256)]


def make_bert(vocab: str | None) -> str:
    """Return the source of data-bert.js: a vocabulary, a token a line, and classes of characters.

    Without a vocabulary, it has texts whose tokens come with the package.
    """
    if vocab is None:
        known = bert_examples()
        sentences = {
            text: list(zip(known[text]["tokens"], known[text]["ids"], strict=True))
            for text in EXAMPLES
        }
        return f"DATA.bert = {_to_json({'sentences': sentences})};\n"
    removed = ranges(
        r"[\p{Cc}\p{Cf}\p{Co}\ufffd]", lambda char: not normalize(char, lowercase=False)
    )
    data = {
        "space": ranges(f"[{WHITESPACE}]"),
        "removed": removed,
        "ideographs": [(ord(first), ord(last)) for first, last in IDEOGRAPHS],
        "marks": ranges(r"\p{M}", lambda char: not normalize(char)),
        "punctuation": ranges(r"[\p{P}\p{S}\p{M}]", is_punctuation),
        "vocab": vocab,
    }
    return f"{LICENSE}DATA.bert = {_to_json(data)};\n"


def ranges(
    pattern: str, keep: Callable[[str], object] = lambda char: True
) -> list[tuple[int, int]]:
    """Return the first and the last of each run of code points that match `pattern`.

    Of these, only the characters count for which `keep` is true.

    >>> ranges("[a-cx]"), ranges("[a-cx]", lambda char: char != "b")
    ([(97, 99), (120, 120)], [(97, 97), (99, 99), (120, 120)])
    """
    every_char = "".join(map(chr, range(0x110000)))
    codes = [ord(char) for char in regex.findall(pattern, every_char) if keep(char)]
    runs = groupby(enumerate(codes), key=lambda numbered: numbered[1] - numbered[0])
    found = [[code for _, code in run] for _, run in runs]
    return [(run[0], run[-1]) for run in found]


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
    parser.add_argument("path", type=Path, nargs="?", default=here, help="default: beside the page")
    arguments = parser.parse_args()
    (registered,) = registered_files("bert-base-uncased")
    vocab = registered.fetch().read_bytes().decode() if registered.find() else None
    for name, source in {
        "": make_data(),
        "-bytes": make_bytes(),
        "-bert": make_bert(vocab and vocab.removesuffix("\n")),
    }.items():
        write_atomically(arguments.path.with_stem(arguments.path.stem + name), source.encode())
