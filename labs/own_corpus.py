"""Put a teacher's text in place of Homer.

The text is `corpus.txt`, beside each lab but the project. `own_corpus.toml` has the strings that
change, and this module computes the words and numbers in them.
"""

import sys
import tomllib
from collections import Counter
from pathlib import Path
from string import Template
from typing import Any

import wpedu

sys.path.append(str(Path(__file__).resolve().parent.parent / "notebooks"))
from substitution import quoted

FEWEST = 2_000  # characters


def changes_for(lab: str, text: str, drawn: str) -> dict[str, str]:
    """Return what to change in a lab, so that it is about `text`.

    `drawn` shows the rules of the class. Lab 5 stays as it is for a text whose
    words BERT splits before its loop sees them, such as Chinese.
    """
    counts: dict[str, int] = Counter(wpedu.pretokenize(text))
    words: dict[str, Any] = {}
    if lab == "lab2_gains":  # thresholds that 4 and 7 of 12 pairs reach
        often = _sorted_pairs(counts)
        words = {"high": often[len(often) // 3][1], "low": often[len(often) * 7 // 12][1]}
    elif lab == "lab3_training":  # a threshold that three pairs reach
        of_words = "dict.fromkeys(zip" in drawn
        words = {"least": _sorted_pairs(dict.fromkeys(counts, 1) if of_words else counts)[2][1]}
    elif lab == "lab5_bert":
        whole = wpedu.BertTokenizer([*wpedu.bert.SPECIAL_TOKENS, *counts], lowercase=False)
        counts = {word: counts[word] for word in counts if whole.tokenize(word) == [word]}
        if len(counts) < 100:  # too few for BERT's loop
            return {}
        words = _in_lab_5(counts)
    elif lab == "lab6_scores":
        words = {"frequent": ", ".join(quoted(x + y) for (x, y), _ in _sorted_pairs(counts)[:4])}
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    changes = table["every"] | table[lab]
    return {old: Template(new).substitute(words) for old, new in changes.items()}


def _in_lab_5(counts: dict[str, int]) -> dict[str, Any]:
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


def _sorted_pairs(counts: dict[str, int]) -> list[tuple[tuple[str, str], int]]:
    """Return the pairs and their counts, the most frequent first."""
    splits = {word: ["▁", *word] for word in counts}
    return Counter(wpedu.pair_gains(splits, counts, "frequency")).most_common()
