"""Put a teacher's text in place of Homer, and its words into the tasks on paper.

The text is `corpus.txt`, beside each lab. `own_corpus.toml` has the strings that change, and this
module computes the words and numbers in them.
"""

import sys
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from string import Template
from typing import Any

import regex

import wpedu

sys.path.append(str(Path(__file__).resolve().parent.parent / "notebooks"))
from substitution import quoted

TABLE = Path(__file__).with_suffix(".toml")
FEWEST = 2_000  # characters
FEWEST_WORDS = 100  # for BERT's loop
TRIES = 20_000  # until the words of a task fit
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

Counts = dict[str, int]


def changes_for(lab: str, text: str, drawn: str, random: Random) -> dict[str, str]:
    """Return what to change in a lab, so that it is about `text`.

    `drawn` shows the other rules of the class. Lab 5 stays as it is for a text whose
    words BERT splits before its loop sees them, such as Chinese.
    """
    counts: Counts = Counter(wpedu.pretokenize(text))
    words: dict[str, Any] = {}
    if lab == "lab2_gains":
        words = _in_lab_2(counts, random)
    elif lab == "lab3_training":
        of_words = "dict.fromkeys(zip" in drawn
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
    changes = table["every"] | table[lab]
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
        gains = wpedu.pair_gains(_start(toy), toy)
        gain = round(gains[x, y], 2)
        decimals = abs(gain - round(gain, 1)) > 0.011
        often_in_a_word = _count(toy, x) != sum(x in word for word in toy)
        if len(toy) == 4 and _count(toy, x + y) > 2 and gain > 5 and decimals and often_in_a_word:
            other = next(pair for pair in gains if pair[0] != "▁" and pair != (x, y))
            shown = {"x": x, "y": y, "other_x": other[0], "other_y": other[1]}
            return shown | {"high": high, "low": low} | _toy(toy, counts)
    raise ValueError("no four words fit the task on paper in lab 2: give a longer text")


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
        total = sum(toy.values())
        before = wpedu.pair_gains(_start(toy), toy)
        after = wpedu.pair_gains({word: ["▁" + x, *word[1:]] for word in toy}, toy)
        first, of_pair, second = before["▁", x], before[x, y], after["▁" + x, y]
        once = _count(toy, start) == total != _count(toy, y)
        in_order = _is_highest(first, before) and _is_highest(second, after)
        apart = abs(second - of_pair) > 0.05
        if len(toy) == 3 and total > 3 and once and in_order and of_pair > 1.3 and apart:
            gains = {"gain_of_start": first, "gain_of_pair": of_pair, "gain_of_second": second}
            shown = {name: f"{gain:.2f}" for name, gain in gains.items()}
            return shown | {"x": x, "y": y} | _toy(toy, counts)
    raise ValueError("no three words fit the task on paper in lab 3: give a longer text")


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


def _toy(toy: Counts, counts: Counts) -> dict[str, str]:
    """Return how the labs write the words and counts of a task on paper."""
    cut = "" if toy.keys() <= counts.keys() else ", cut out of longer ones in our text"
    word, *others = toy
    shown = {"toy": quoted(toy), "cut": cut, "word": word, "split": quoted(["▁", *word])}
    shown |= {"others": ", ".join(f"{quoted(other)}: …" for other in others)}
    shown |= {"words": " | ".join(f"`{word}`" for word in toy)}
    return shown | {"numbers": " | ".join(map(str, toy.values()))}


def _is_highest(gain: float, gains: Mapping[Any, float]) -> bool:
    """Return whether a gain is the highest by far, so that rounding cannot make it a tie."""
    return gain == max(gains.values()) and sum(other > gain - 0.05 for other in gains.values()) == 1


def _short_words(counts: Counts) -> list[str]:
    """Return words of two to six characters; parts of long ones, where few are short.

    They are composed, and have only letters and marks.
    """
    composed = (word for word in counts if unicodedata.is_normalized("NFC", word))
    words = [word for word in composed if regex.fullmatch(r"\p{L}[\p{L}\p{M}]*", word)]
    short = [word for word in words if 2 <= len(word) <= 6]
    if len(short) < 100:
        parts = [word[i : i + 4] for word in words for i in range(0, len(word) - 3, 2)]
        short += [part for part in parts if part[0].isalpha()]
    return list(dict.fromkeys(short))


def _start(words: Iterable[str]) -> dict[str, list[str]]:
    return {word: ["▁", *word] for word in words}


def _sorted_pairs(counts: Counts) -> list[tuple[tuple[str, str], int]]:
    """Return the pairs and their counts, the most frequent first."""
    return Counter(wpedu.pair_gains(_start(counts), counts, "frequency")).most_common()


def _count(toy: Counts, part: str) -> int:
    return sum(word.count(part) * n for word, n in toy.items())


def _pick(options: list[Any], random: Random) -> Any:
    return options[int(random.random() * len(options))]
