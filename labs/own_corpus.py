"""Put a teacher's text in place of Homer, and its words into the tasks on paper.

The text is `corpus.txt`, beside each lab.
"""

import json
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import TypeVar

from wpedu import (
    BertTokenizer,
    build_vocab,
    merge_pair,
    pair_gains,
    pretokenize,
    to_bert_vocab,
    train,
)

sys.path.append(str(Path(__file__).resolve().parent.parent / "notebooks"))
from substitution import quoted

FILE = "corpus.txt"
FEWEST = 2_000  # characters
FEWEST_WORDS = 100  # for BERT's loop
TRIES = 20_000  # until the words of a task fit
_CUT = "cut out of longer ones in our text"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

T = TypeVar("T")
Counts = dict[str, int]
Change = tuple[str, str]  # a string of the source, and the one that replaces it


def changes_for(lab: str, source: str, text: str, drawn: list[str], random: Random) -> list[Change]:
    """Return what to change in the source of a lab, so that it is about `text`.

    `drawn` has the strings of the other rules of the class. Lab 5 stays as it is for a text whose
    words BERT splits before its loop sees them, such as Chinese.
    """
    counts: Counts = Counter(pretokenize(text))
    if lab == "lab5_bert":
        counts = _as_bert_reads(counts)
        if len(counts) < FEWEST_WORDS:
            return []
    changes = [
        ('load_corpus("homer")', f'load_corpus("{FILE}")'),
        ('"Homer must', '"Our text must'),
        ("Homer's", "our text's"),
        ("Homer", "our text"),
    ]
    changes = [(old, new) for old, new in changes if old in source]
    if lab == "lab1_words":
        changes += _of_lab_1()
    elif lab == "lab2_gains":
        changes += [*_of_lab_2(counts), *_on_paper_in_lab_2(counts, random)]
    elif lab == "lab3_training":
        changes += [*_of_lab_3(counts, drawn), *_on_paper_in_lab_3(counts, random)]
    elif lab == "lab5_bert":
        changes += _of_lab_5(counts)
    elif lab == "lab6_scores":
        changes += _of_lab_6(counts)
    return changes


def _of_lab_1() -> Iterator[Change]:
    yield "`wpedu` comes with the word counts of both. The test", "The test"
    told = "each word of Dickens's novels, which `wpedu` ships, twice"
    yield "each of Dickens's words twice", told


def _of_lab_2(counts: Counts) -> Iterator[Change]:
    """Yield two thresholds, which 4 and 7 of 12 pairs reach."""
    often = _sorted_pairs(counts)
    high, low = (often[len(often) * share // 12][1] for share in (4, 7))
    yield "avoided(book, 3, 1_000)", f"avoided(book, 3, {high})"
    yield "at least 1,000 occurrences", f"at least {_times(high)}"
    yield "avoided(book, 12, 100)", f"avoided(book, 12, {low})"
    yield "at least 100 occurrences", f"at least {_times(low)}"


def _of_lab_3(counts: Counts, drawn: Iterable[str]) -> Iterator[Change]:
    """Yield a threshold that three pairs reach, counted as this class counts."""
    of_words = any("dict.fromkeys(zip" in string for string in drawn)
    threshold = _sorted_pairs(dict.fromkeys(counts, 1) if of_words else counts)[2][1]
    yield "least=28_000", f"least={threshold}"


def _as_bert_reads(counts: Counts) -> Counts:
    """Return the counts of the words that BERT's loop gets as they are, up to 100 characters."""
    whole = BertTokenizer([*SPECIAL, *counts], lowercase=False)
    return {word: counts[word] for word in counts if whole.tokenize(word) == [word]}


def _of_lab_5(counts: Counts) -> Iterator[Change]:
    """Yield the words that BERT reads, and five subwords, of which two are bare if two are."""
    yield (
        'homer = load_corpus("homer").word_counts\n',
        f'''from wpedu import BertTokenizer

counts = load_corpus("{FILE}").word_counts
special = {json.dumps(SPECIAL)}
whole = BertTokenizer([*special, *counts], lowercase=False)
# BERT's loop never sees the other words as a whole.
homer = {{word: counts[word] for word in counts if whole.tokenize(word) == [word]}}
''',
    )
    vocab = build_vocab(counts, train(counts, 300))
    inner = [s for s in vocab if s[0] != "▁" and 2 <= len(s) <= 4 and _is_letters(s[0])]
    starts = {s: [f"▁{s[:i]}" for i in range(1, len(s) + 1) if f"▁{s[:i]}" in vocab] for s in inner}
    bare, others = ([s for s in inner if bool(starts[s]) is kind] for kind in (False, True))
    five = [*others[: 5 - min(2, len(bare))], *bare[:2]]
    wrong = five[0]
    size = len(to_bert_vocab(build_vocab(counts, train(counts, 200))))
    yield "`ans`, `Uly`, `out`, `ould`, `qu`", ", ".join(f"`{s}`" for s in five)
    yield '{"ans", "Uly", "out", "ould", "qu"}', "{" + ", ".join(map(quoted, five)) + "}"
    yield '("▁", "▁a", "▁an", "▁ans", "▁U")', f'("▁", {quoted(starts[wrong][0])})'
    yield 'bare_ones = ["ould", "qu"]', f"bare_ones = {[s for s in five if s in bare]!r}"
    yield '"ans" not in bare_ones', f"{quoted(wrong)} not in bare_ones"
    yield "`▁an` is in larger", f"`{starts[wrong][0]}` is in larger"
    yield "with `ans` starts with `▁an`", f"with `{wrong}` starts with `{starts[wrong][0]}`"
    yield 'assert "Uly" not in bare_ones, "`▁Uly` is in larger, unlike in notebook 06."\n', ""
    yield "5 + 327", f"5 + {size}"
    yield "the 327 from notebook 06", f"{size} others"


def _of_lab_6(counts: Counts) -> Iterator[Change]:
    """Yield four frequent pairs, and what a teacher should know about the sample answer."""
    pairs = [quoted(x + y) for (x, y), _ in _sorted_pairs(counts)[:4]]
    yield '("th", "▁t", "qu", "XX")', f"({', '.join(pairs)})"
    yield "`th` comes first: it takes", "(These numbers are Homer's.) `th` comes first: it takes"


def _on_paper_in_lab_2(counts: Counts, random: Random) -> Iterator[Change]:
    """Yield four words, their counts, and the solution for them."""
    words = _short_words(counts)
    pairs = dict.fromkeys(pair for word in words for pair in zip(word, word[1:]))
    letters = [(x, y) for x, y in pairs if x != y and _is_letters(x + y)]

    def draw() -> tuple[str, str, Counts]:
        x, y = _pick(letters, random)
        own = [word for word in words if x + y in word]
        near = [word for word in words if x in word or y in word]
        drawn = [_pick(own, random), _pick(own, random), _pick(near, random), _pick(near, random)]
        return x, y, {word: 1 + int(random.random() * 5) for word in drawn}

    def fits(x: str, y: str, toy: Counts) -> bool:
        gain = round(_gains(toy)[x, y], 2)
        of_words = sum(x in word for word in toy)
        return (
            len(toy) == 4
            and _count(toy, x + y) > 2
            and gain > 5
            and abs(gain - round(gain, 1)) > 0.011
            and of_words != _count(toy, x)
        )

    x, y, toy = next(drawn for drawn in (draw() for _ in range(TRIES)) if fits(*drawn))
    other = next(pair for pair in _gains(toy) if pair[0] != "▁" and pair != (x, y))
    sums = [
        " + ".join(f"{n} * {word.count(part)}" for word, n in toy.items() if part in word)
        for part in (x, y, x + y)
    ]
    totals = [" + ".join(f"{n} * {len(word) + k}" for word, n in toy.items()) for k in (1, 0)]
    yield 'corpus = {"oat": 4, "boat": 3, "taboo": 1, "tab": 2}', f"corpus = {_json(toy)}"
    if not toy.keys() <= counts.keys():
        yield "four distinct words.", f"four distinct words, {_CUT}."
    yield "`oat` | `boat` | `taboo` | `tab`", " | ".join(f"`{word}`" for word in toy)
    yield "count | 4 | 3 | 1 | 2 |", " | ".join(["count", *map(str, toy.values()), ""]).rstrip()
    yield (
        "C_a = 4 + 3 + 1 + 2\nC_t = 4 + 3 + 1 + 2\nC_at = 4 + 3\n",
        "C_first = {}\nC_second = {}\nC_pair = {}\n".format(*sums),
    )
    yield (
        "N = 4 * 4 + 3 * 5 + 1 * 6 + 2 * 4\nM = 4 * 3 + 3 * 4 + 1 * 5 + 2 * 3",
        "N = {}\nM = {}".format(*totals),
    )
    yield "9.79  # 7 · ln(7 · 45 · 45 / (35 · 10 · 10)) = 7 · ln 4.05", f"{_gains(toy)[x, y]:.2f}"
    task = f"How often does `{x}` occur, the first half of a pair, and how often `{y}`, the second?"
    yield "How often do `a` and `t` occur?", task
    for old, new in (("a", x), ("t", y), ("at", x + y)):
        yield f"`{old}`", f"`{new}`"
    for old, new in (("a", "first"), ("t", "second"), ("at", "pair")):
        yield f"C_{old}", f"C_{new}"
        yield f"C({old})", f"C({new})"
    yield "distinct words contain an `a`", f"distinct words contain `{x}`"
    yield "gain_of_at", "gain_of_pair"
    yield '"a" in word', f"{quoted(x)} in word"
    yield 'gains["b", "o"]', f"gains[{quoted(other[0])}, {quoted(other[1])}]"
    yield "gain of `bo`", f"gain of `{''.join(other)}`"


def _on_paper_in_lab_3(counts: Counts, random: Random) -> Iterator[Change]:
    """Yield three words that begin alike, and the solution for two rounds."""
    families: dict[str, list[str]] = {}
    for word in _short_words(counts):
        if _is_letters(word[:2]) and word[0] != word[1]:
            families.setdefault(word[:2], []).append(word)
    large = [start for start, words in families.items() if len(words) > 2]

    def draw() -> tuple[str, Counts]:
        start = _pick(large, random)
        drawn = [_pick(families[start], random) for _ in range(3)]
        return start, {word: 1 + int(random.random() * 3) for word in drawn}

    def fits(start: str, toy: Counts) -> bool:
        total, (x, y) = sum(toy.values()), start
        if len(toy) < 3 or total < 4 or _count(toy, start) != total or _count(toy, y) == total:
            return False
        first, second = _two_rounds(toy)
        of_pair = _gains(toy)[x, y]
        return (
            [pair for pair, _ in (first, second)] == [("▁", x), ("▁" + x, y)]
            and of_pair > 1.3
            and min(abs(first[1] - of_pair), abs(second[1] - of_pair)) > 0.05
        )

    start, toy = next(drawn for drawn in (draw() for _ in range(TRIES)) if fits(*drawn))
    (x, y), (first, second) = start, _two_rounds(toy)
    _, *others = toy
    split = json.dumps(["▁", *next(iter(toy))], ensure_ascii=False)
    yield (
        '# such as {"no": ["▁", "n", "o"], "non": …, "noon": …}',
        f"# such as {{{quoted(next(iter(toy)))}: {split}, "
        + ", ".join(f"{quoted(word)}: …" for word in others) + "}",
    )  # fmt: skip
    yield 'corpus = {"no": 2, "non": 1, "noon": 1}', f"corpus = {_json(toy)}"
    if not toy.keys() <= counts.keys():
        yield "three distinct words.", f"three distinct words, {_CUT}."
    yield "Each `n` before an `o`", f"Each `{x}` before `{y}`"
    yield (
        "gain_of_mark_n = 4.91  # 4 · ln(4 · 15 · 15 / (11 · 4 · 6))",
        f"gain_of_start = {first[1]:.2f}",
    )
    yield (
        "gain_of_no = 4.01  # 4 · ln(4 · 15 · 15 / (11 · 6 · 5))",
        f"gain_of_pair = {_gains(toy)[x, y]:.2f}",
    )
    yield (
        "gain_of_second = 4.96  # 4 · ln(4 · 11 · 11 / (7 · 4 · 5))",
        f"gain_of_second = {second[1]:.2f}",
    )
    yield "gain_of_mark_n", "gain_of_start"
    yield "gain_of_no", "gain_of_pair"
    yield "# the gains of ▁n and no", f"# the gains of ▁{x} and {x}{y}"
    for old, new in (("▁n", f"▁{x}"), ("no", x + y), ("n", x), ("o", y)):
        yield f"`{old}`", f"`{new}`"
    yield '("▁", "n")', f'("▁", {quoted(x)})'
    yield '("▁n", "o")', f"({quoted('▁' + x)}, {quoted(y)})"
    yield '("n", "o")', f"({quoted(x)}, {quoted(y)})"
    yield 'gains["n", "o"]', f"gains[{quoted(x)}, {quoted(y)}]"
    yield 'gains["▁", "n"]', f'gains["▁", {quoted(x)}]'
    yield '["▁n", *word[1:]]', f"[{quoted('▁' + x)}, *word[1:]]"


def _two_rounds(toy: Counts) -> list[tuple[tuple[str, str], float]]:
    """Return the best pair of two rounds, each with its gain."""
    splits, rounds = _start(toy), []
    for _ in range(2):
        gains = pair_gains(splits, toy)
        best = max(gains, key=gains.__getitem__)
        tied = [pair for pair in gains if gains[pair] > gains[best] - 0.05]
        rounds.append((best if len(tied) == 1 else ("", ""), gains[best]))
        splits = {word: merge_pair(best, splits[word]) for word in toy}
    return rounds


def _short_words(counts: Counts) -> list[str]:
    """Return words of two to six characters; parts of long ones, where few are short."""
    words = [word for word in counts if _is_letters(word[0]) and _is_word(word)]
    short = [word for word in words if 2 <= len(word) <= 6]
    if len(short) < 100:
        parts = [word[i : i + 4] for word in words for i in range(0, len(word) - 3, 2)]
        short += [part for part in parts if _is_letters(part[0])]
    return list(dict.fromkeys(short))


def _is_word(string: str) -> bool:
    """Return whether a string is composed, and has only letters and marks."""
    marks = all(unicodedata.category(char)[0] in "LM" for char in string)
    return marks and unicodedata.is_normalized("NFC", string)


def _is_letters(string: str) -> bool:
    return all(unicodedata.category(char)[0] == "L" for char in string)


def _start(words: Iterable[str]) -> dict[str, list[str]]:
    return {word: ["▁", *word] for word in words}


def _gains(toy: Counts) -> dict[tuple[str, str], float]:
    return pair_gains(_start(toy), toy)


def _sorted_pairs(counts: Counts) -> list[tuple[tuple[str, str], int]]:
    """Return the pairs and their counts, the most frequent first."""
    often = pair_gains(_start(counts), counts, "frequency")
    return sorted(((pair, int(n)) for pair, n in often.items()), key=lambda item: -item[1])


def _count(toy: Counts, part: str) -> int:
    return sum(word.count(part) * n for word, n in toy.items())


def _pick(options: list[T], random: Random) -> T:
    return options[int(random.random() * len(options))]


def _times(number: int) -> str:
    return f"{number:,} occurrence" + "s" * (number != 1)


def _json(toy: Counts) -> str:
    return json.dumps(toy, ensure_ascii=False)
