"""Write data.js, data-bytes.js, data-bert.js and the lists of GPT-2, GPT-4 and GPT-4o.

Vocabularies nest: the one of 200 merges is the start of the one of 201. So the merges to the end,
in order, are the vocabularies of every position of the slider. From the number of times that each
pair occurred when it was merged, the page works out the counts of all tokens and the gains.

Whitespace and punctuation are the characters that `regex` counts as such: JavaScript counts
others, and which depends on the browser (see `tests/browser/test_playground.py`).

The lists of the GPT models are tokens in the order of their ids, in parts that the page loads in
the background. GPT-2's comes with the package. Those of GPT-4 (cl100k_base) and GPT-4o (o200k_base)
are written if a copy of the registered file is on this machine, or with --download; without a list,
the page does not show its row. `categories.txt` has the letters, marks and digits that tiktoken
knows.

The page opens from disk once the files exist: `python docs/playground/make_data.py`
"""

import argparse
import base64
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, groupby, pairwise
from pathlib import Path

import regex

from wpedu import BertTokenizer, build_vocab, load_corpus, load_vocab, merge_pair, train
from wpedu._support.files import write_atomically
from wpedu.bert.normalization import IDEOGRAPHS, WHITESPACE, is_punctuation, normalize
from wpedu.corpus import DATASETS, read_shipped, registered_files
from wpedu.fast.linked_tokens import LinkedTokens
from wpedu.pretokenization import START
from wpedu.scores import SCORES, Pair

CORPUS = "homer"
TO_THE_END = 10**9  # training stops as soon as no pair is left
MERGES_OF_BYTES = 2_000  # learned from the words of CORPUS
FIRST_SENTENCE = "The unlucky strangers wandered homeward, heedless of the rain!"
PART = 40_000  # tokens of a list in one file
GPT_WORD = r" ?\p{L}+|\p{P}"  # what the models' patterns find in the first sentence

LICENSES = {
    "bert": """\
// The vocabulary of bert-base-uncased, in the form of a string.
// Copyright 2018 The Google AI Language Team Authors.
// Licensed under the Apache License, Version 2.0: LICENSE-bert.txt has its text.
""",
    "gpt2": """\
// The tokens that GPT-2's merges make, in the order of their ids. Copyright (c) 2019 OpenAI.
// Source: {url}
// Licensed under OpenAI's modified MIT license: LICENSE-gpt2.txt has its text.
""",
    "tiktoken": """\
// The tokens of {name}, in the order of their ids, as OpenAI's tiktoken loads them.
// Source: {url}
// The list has no license of its own; tiktoken is Copyright (c) 2022 OpenAI, Shantanu Jain, and has
// the MIT license: LICENSE-tiktoken.txt has its text.
""",
}


def make_data(lists: Mapping[str, Sequence[str]]) -> str:
    """Return the source of data.js; `lists` are the tokens of the GPT models."""
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
    data["byteChars"] = "".join(byte_chars())
    data["categories"] = (Path(__file__).parent / "categories.txt").read_text().replace("\n", "")
    vocab = load_vocab("bert-base-uncased")
    bert = BertTokenizer(vocab).encode(FIRST_SENTENCE)
    tokens = list(zip(bert.tokens, bert.ids, strict=True))[1:-1]
    data["models"] = {"real-bert": {"entries": len(vocab), "first": _words(tokens)}}
    for name, tokens in lists.items():
        parts, first = -(-len(tokens) // PART), cut_first_sentence(tokens)
        data["models"][name] = {"entries": len(tokens), "parts": parts, "first": first}
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
    return f'DATA.bytes = "{_spaced(pairs)}";\n'


def byte_chars() -> list[str]:
    """Return the visible character that GPT-2 has for each byte.

    Source: https://github.com/openai/gpt-2/blob/master/src/encoder.py

    >>> byte_chars()[32], byte_chars()[65]
    ('Ġ', 'A')
    """
    visible = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(byte if byte in visible else next(others)) for byte in range(256)]


def read_lists(download: bool = False) -> dict[str, list[str]]:
    """Return the tokens of the GPT models whose lists are here: in byte_chars(), by their ids.

    GPT-2's ids are those of its encoder.py: the characters of the bytes in order, then the merges.
    """
    lines = read_shipped("gpt2/merges.txt.gz").removesuffix("\n").split("\n")
    lists = {"gpt2": [*sorted(byte_chars()), *(line.replace(" ", "") for line in lines[1:])]}
    chars = byte_chars()
    for name in ("cl100k_base", "o200k_base"):
        (registered,) = registered_files(name)
        if download or registered.find():
            rows = (line.split() for line in registered.fetch().read_bytes().splitlines())
            ids = {int(number): base64.b64decode(token) for token, number in rows}
            lists[name] = ["".join(chars[byte] for byte in ids[i]) for i in range(len(ids))]
    return lists


def make_parts(name: str, tokens: Sequence[str]) -> list[str]:
    """Return the sources of the parts of a GPT model's list."""
    (registered,) = registered_files("gpt2-merges" if name == "gpt2" else name)
    license = LICENSES.get(name, LICENSES["tiktoken"]).format(name=name, url=registered.url)
    starts = range(0, len(tokens), PART)
    parts = (json.dumps(" ".join(tokens[i : i + PART]), ensure_ascii=False) for i in starts)
    return [f'{license}addGptPart("{name}", {part});\n' for part in parts]


def cut_first_sentence(tokens: Sequence[str]) -> list[list[tuple[str, int]]]:
    """Return the words of the first sentence, each as (token, id), by byte-pair encoding.

    >>> [[token for token, _ in word] for word in cut_first_sentence(read_lists()["gpt2"])][4]
    [' hom', 'ew', 'ard']
    """
    ids = {token: i for i, token in enumerate(tokens)}
    words = []
    for word in regex.findall(GPT_WORD, FIRST_SENTENCE):
        split = list(word.replace(" ", byte_chars()[32]))
        while known := [pair for pair in pairwise(split) if "".join(pair) in ids]:
            split = merge_pair(min(known, key=lambda pair: ids["".join(pair)]), split)
        words.append([(token.replace(byte_chars()[32], " "), ids[token]) for token in split])
    return words


def make_bert(vocab: str) -> str:
    """Return the source of data-bert.js: a vocabulary, a line each, and classes of characters."""
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
    return f"{LICENSES['bert']}DATA.bert = {_to_json(data)};\n"


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


def _words(tokens: Iterable[tuple[str, int]]) -> list[list[tuple[str, int]]]:
    """Return the words of tokens in ## notation."""
    words: list[list[tuple[str, int]]] = []
    for token in tokens:
        if not token[0].startswith("##"):
            words.append([])
        words[-1].append(token)
    return words


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
    parser.add_argument("--download", action="store_true", help="download what is not here")
    arguments = parser.parse_args()
    lists = read_lists(arguments.download)
    sources = {
        "": make_data(lists),
        "-bytes": make_bytes(),
        "-bert": make_bert("\n".join(load_vocab("bert-base-uncased"))),
    }
    for name, tokens in lists.items():
        parts = enumerate(make_parts(name, tokens))
        sources |= {f"-{name}-{number}": source for number, source in parts}
    for name, source in sources.items():
        write_atomically(arguments.path.with_stem(arguments.path.stem + name), source.encode())
    for name in ("bert", "gpt2"):
        license = (DATASETS / name / "LICENSE.txt").read_bytes()
        write_atomically(arguments.path.with_name(f"LICENSE-{name}.txt"), license)
