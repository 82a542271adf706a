"""What the home page shows before any script runs: tokens, and a drawing for each notebook.

The package computes all of it, and the notebooks' titles and questions are those of the README's
table. `_templates/home.html` has the words around it.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wpedu import (
    BertTokenizer,
    RegexEncoder,
    WordPiece,
    load_corpus,
    load_vocab,
    merge_pair,
    pair_gains,
    pretokenize,
    to_bert,
)
from wpedu.corpus import DATASETS
from wpedu.encoding import UNKNOWN
from wpedu.pretokenization import START

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"\| \[(\w+)\]\(notebooks/\w+\.ipynb\) \| (.*?) \|")
SENTENCE = "The unlucky strangers wandered homeward, heedless of the rain!"
MERGES = 1_000

Token = tuple[bool, str, str]  # whether it begins a word, its mark, and the rest


def content() -> dict[str, Any]:
    """Return what `_templates/home.html` shows."""
    homer = load_corpus("homer")
    wp, small = (WordPiece(n).fit(homer) for n in (MERGES, 200))
    gains = pair_gains({word: [START, *word] for word in homer.word_counts}, homer.word_counts)
    few = [f"{START}sea", "s", "t"]
    facts = json.loads((DATASETS / "languages" / "facts.json").read_text(encoding="utf-8"))
    return {
        "sentence": SENTENCE,
        "merges": MERGES,
        "bert": split(BertTokenizer(load_vocab("bert-base-uncased")).tokenize(SENTENCE)),
        "gpt": split_gpt(facts["gpt_tokens"][SENTENCE]["o200k_base"]),
        "learned": split(wp.tokenize(SENTENCE)),
        "notebooks": notebooks(),
        "sit": split(small.tokenize("Sit!")),
        "words": pretokenize("don't"),
        "pair": split(wp.merges[0], alone=True),
        "gain": f"{gains[wp.merges[0]]:,.0f}",
        "grown": [split(row, alone=True) for row in grow("the", wp.merges)],
        "pattern": "|".join(few),
        "found": split(RegexEncoder(few).encode(f"{START}seats")),
        "shade": split(small.tokenize("shade")),
        "prefixed": split(to_bert(small.tokenize("shade"))),
    }


def notebooks() -> list[tuple[str, str, str]]:
    """Return the stem, the title and the question of each notebook, in the README's order.

    >>> notebooks()[2]
    ('02_pair_gains', 'Pair gains', 'How much is a pair worth?')
    """
    rows = ROW.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    return [(stem, _title(stem), re.sub("`(.*?)`", r"\1", question)) for stem, question in rows]


def _title(stem: str) -> str:
    path = ROOT / "notebooks" / f"{stem}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "".join(cells[0]["source"]).partition("\n")[0].partition(" · ")[2].replace("'", "’")


def grow(token: str, merges: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return the tokens of `token` at first, and after each of the `merges` that joins some.

    >>> grow("the", [("t", "h"), ("a", "n"), ("th", "e")])
    [['t', 'h', 'e'], ['th', 'e'], ['the']]
    """
    rows = [list(token)]
    for pair in merges:
        merged = merge_pair(pair, rows[-1])
        if merged != rows[-1]:
            rows.append(merged)
    return rows


def split(
    tokens: Sequence[str], *, alone: bool = False, bert: bool | None = None
) -> list[list[Token]]:
    """Return the words of `tokens`: a new one begins at a `▁`, or in ## notation without `##`.

    Tokens without any `▁` are in ## notation, unless `bert` says so or not. With `alone`, every
    token is one by itself, and continues a word unless it has a `▁`. [UNK] always is a word.

    >>> split(["home", "##ward"])
    [[(True, '', 'home'), (False, '##', 'ward')]]
    >>> split(["▁Sit", "▁", "!"])
    [[(True, '▁', 'Sit')], [(True, '▁', ''), (False, '', '!')]]
    """
    if bert is None:
        bert = not alone and not any(token.startswith(START) for token in tokens)
    words: list[list[Token]] = []
    for previous, token in zip([UNKNOWN, *tokens], tokens):
        mark = next((mark for mark in (START, "##") if token.startswith(mark)), "")
        begins = mark == START or (bert and not mark)
        if begins or alone or UNKNOWN in (previous, token):
            words.append([])
        words[-1].append((begins, mark, token[len(mark) :]))
    return words


def split_gpt(tokens: Sequence[str]) -> list[list[Token]]:
    """Return the words of a GPT model's `tokens`: letters without a space continue a word.

    >>> split_gpt(["Sit", " home", "ward"])
    [[(True, '', 'Sit')], [(True, '␣', 'home'), (False, '', 'ward')]]
    """
    words: list[list[Token]] = []
    for token in tokens:
        begins = not words or not token.isalpha()
        if begins:
            words.append([])
        words[-1].append((begins, "␣" * token.startswith(" "), token.removeprefix(" ")))
    return words
