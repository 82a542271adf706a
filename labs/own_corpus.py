"""Put a teacher's text in place of Homer, and its words into the tasks on paper.

The text is `corpus.txt`, beside each lab. `own_corpus.toml` has the strings that change, and this
module computes the words and numbers in them.
"""

import sys
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from string import Template
from typing import Any

from grader.notebooks import Notebook

import wpedu

sys.path.append(str(Path(__file__).resolve().parent.parent / "notebooks"))
from substitution import quoted

TABLE = Path(__file__).with_suffix(".toml")
FEWEST = 2_000  # characters
FEWEST_WORDS = 100  # for BERT's loop
TRIES = 20_000  # until the words of a task fit
CUT = ", cut out of longer ones in our text"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

Counts = dict[str, int]


def changes_for(
    lab: str, notebook: Notebook, text: str, drawn: Iterable[str], random: Random
) -> dict[str, str]:
    """Return what to change in a lab, so that it is about `text`.

    `drawn` has the strings of the other rules of the class. Lab 5 stays as it is for a text whose
    words BERT splits before its loop sees them, such as Chinese.
    """
    counts: Counts = Counter(wpedu.pretokenize(text))
    words: dict[str, Any] = {}
    if lab == "lab2_gains":
        words = _in_lab_2(counts, random)
    elif lab == "lab3_training":
        of_words = any("dict.fromkeys(zip" in string for string in drawn)
        often = _sorted_pairs(dict.fromkeys(counts, 1) if of_words else counts)
        words = _in_lab_3(counts, random) | {"least": often[2][1]}  # three pairs reach it
    elif lab == "lab5_bert":
        whole = wpedu.BertTokenizer([*SPECIAL, *counts], lowercase=False)
        counts = {word: counts[word] for word in counts if whole.tokenize(word) == [word]}
        if len(counts) < FEWEST_WORDS:
            return {}
        words = _in_lab_5(counts)
    elif lab == "lab6_scores":
        pairs = [quoted(x + y) for (x, y), _ in _sorted_pairs(counts)[:4]]
        words = {"frequent": ", ".join(pairs)}
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    source = "\n".join(cell["source"] for cell in notebook["cells"])
    changes = {old: new for old, new in table["every"].items() if old in source} | table[lab]
    return {old: Template(new).substitute(words) for old, new in changes.items()}


def _in_lab_2(counts: Counts, random: Random) -> dict[str, Any]:
    """Return four words for the task on paper, and thresholds that 4 and 7 of 12 pairs reach."""
    often = _sorted_pairs(counts)
    high, low = (often[len(often) * share // 12][1] for share in (4, 7))
    words = _short_words(counts)
    neighbors = dict.fromkeys(pair for word in words for pair in zip(word, word[1:]))
    letters = [(x, y) for x, y in neighbors if x != y and (x + y).isalpha()]
    for _ in range(TRIES):
        x, y = _pick(letters, random)
        own = [word for word in words if x + y in word]
        near = [word for word in words if x in word or y in word]
        drawn = [_pick(some, random) for some in (own, own, near, near)]
        toy = {word: 1 + int(random.random() * 5) for word in drawn}
        gains = _gains(toy)
        gain = round(gains[x, y], 2)
        decimals = abs(gain - round(gain, 1)) > 0.011
        often_in_a_word = _count(toy, x) != sum(x in word for word in toy)
        if len(toy) == 4 and _count(toy, x + y) > 2 and gain > 5 and decimals and often_in_a_word:
            break
    else:
        raise ValueError("no four words fit the task on paper in lab 2: give a longer text")
    other = next(pair for pair in gains if pair[0] != "▁" and pair != (x, y))
    words = {"high": high, "high_times": _times(high), "low": low, "low_times": _times(low)}
    words |= {"x": x, "y": y, "other_x": other[0], "other_y": other[1]}
    words |= {"toy": quoted(toy), "gain": f"{gains[x, y]:.2f}"}
    words |= {"cut": "" if toy.keys() <= counts.keys() else CUT}
    words |= {"words": " | ".join(f"`{word}`" for word in toy)}
    words |= {"numbers": " | ".join(map(str, toy.values()))}
    for key, part in {"sum_x": x, "sum_y": y, "sum_xy": x + y}.items():
        terms = (f"{n} * {word.count(part)}" for word, n in toy.items() if part in word)
        words[key] = " + ".join(terms)
    for key, more in {"symbols": 1, "pairs": 0}.items():
        words[key] = " + ".join(f"{n} * {len(word) + more}" for word, n in toy.items())
    return words


def _in_lab_3(counts: Counts, random: Random) -> dict[str, Any]:
    """Return three words that begin alike, for the task on paper, and the gains of two rounds."""
    families: dict[str, list[str]] = {}
    for word in _short_words(counts):
        if word[:2].isalpha() and word[0] != word[1]:
            families.setdefault(word[:2], []).append(word)
    large = [start for start, words in families.items() if len(words) > 2]
    for _ in range(TRIES):
        x, y = start = _pick(large, random)
        drawn = [_pick(families[start], random) for _ in range(3)]
        toy = {word: 1 + int(random.random() * 3) for word in drawn}
        total, of_pair = sum(toy.values()), _gains(toy)[x, y]
        (first, gain), (second, next_gain) = _two_rounds(toy)
        once = _count(toy, start) == total != _count(toy, y)
        in_order = (first, second) == (("▁", x), ("▁" + x, y))
        apart = min(abs(gain - of_pair), abs(next_gain - of_pair)) > 0.05
        if len(toy) == 3 and total > 3 and once and in_order and of_pair > 1.3 and apart:
            break
    else:
        raise ValueError("no three words fit the task on paper in lab 3: give a longer text")
    word, *others = toy
    return {
        "x": x,
        "y": y,
        "toy": quoted(toy),
        "cut": "" if toy.keys() <= counts.keys() else CUT,
        "word": word,
        "split": quoted(["▁", *word]),
        "others": ", ".join(f"{quoted(other)}: …" for other in others),
        "gain_of_start": f"{gain:.2f}",
        "gain_of_pair": f"{of_pair:.2f}",
        "gain_of_second": f"{next_gain:.2f}",
    }


def _in_lab_5(counts: Counts) -> dict[str, Any]:
    """Return five subwords, of which two are bare if there are two."""
    vocab = wpedu.build_vocab(counts, wpedu.train(counts, 300))
    inner = [s for s in vocab if s[0] != "▁" and 2 <= len(s) <= 4 and s[0].isalpha()]
    starts = {s: [f"▁{s[:i]}" for i in range(1, len(s) + 1) if f"▁{s[:i]}" in vocab] for s in inner}
    bare, others = ([s for s in inner if bool(starts[s]) is kind] for kind in (False, True))
    five = [*others[: 5 - min(2, len(bare))], *bare[:2]]
    return {
        "five": ", ".join(f"`{s}`" for s in five),
        "five_in_code": ", ".join(map(quoted, five)),
        "bare": [s for s in five if s in bare],
        "wrong": five[0],
        "start": starts[five[0]][0],
        "size": len(wpedu.to_bert_vocab(wpedu.build_vocab(counts, wpedu.train(counts, 200)))),
    }


def _two_rounds(toy: Counts) -> list[tuple[tuple[str, str], float]]:
    """Return the best pair of two rounds, each with its gain."""
    splits, rounds = _start(toy), []
    for _ in range(2):
        gains = wpedu.pair_gains(splits, toy)
        best = max(gains, key=gains.__getitem__)
        tied = [pair for pair in gains if gains[pair] > gains[best] - 0.05]
        rounds.append((best if len(tied) == 1 else ("", ""), gains[best]))
        splits = {word: wpedu.merge_pair(best, splits[word]) for word in toy}
    return rounds


def _short_words(counts: Counts) -> list[str]:
    """Return words of two to six characters; parts of long ones, where few are short."""
    words = [word for word in counts if word[0].isalpha() and _is_word(word)]
    short = [word for word in words if 2 <= len(word) <= 6]
    if len(short) < 100:
        parts = [word[i : i + 4] for word in words for i in range(0, len(word) - 3, 2)]
        short += [part for part in parts if part[0].isalpha()]
    return list(dict.fromkeys(short))


def _is_word(string: str) -> bool:
    """Return whether a string is composed, and has only letters and marks."""
    marks = all(unicodedata.category(char)[0] in "LM" for char in string)
    return marks and unicodedata.is_normalized("NFC", string)


def _start(words: Iterable[str]) -> dict[str, list[str]]:
    return {word: ["▁", *word] for word in words}


def _gains(toy: Counts) -> dict[tuple[str, str], float]:
    return wpedu.pair_gains(_start(toy), toy)


def _sorted_pairs(counts: Counts) -> list[tuple[tuple[str, str], int]]:
    """Return the pairs and their counts, the most frequent first."""
    often = wpedu.pair_gains(_start(counts), counts, "frequency")
    return sorted(((pair, int(n)) for pair, n in often.items()), key=lambda item: -item[1])


def _count(toy: Counts, part: str) -> int:
    return sum(word.count(part) * n for word, n in toy.items())


def _pick(options: list[Any], random: Random) -> Any:
    return options[int(random.random() * len(options))]


def _times(number: int) -> str:
    return f"{number:,} occurrence" + "s" * (number != 1)
