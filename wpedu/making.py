"""What a vocabulary shows of how it was made: file → entries → traces → a reading.

Four makings are told apart: merged and kept, as by BPE and WordPiece trainers; merged and pruned;
unigram, as by SentencePiece; top-down, as `wpedu.top_down` has it. The limits in `read_making` were
set on vocabularies whose making is stated, and on ones made for it: docs/report.md has both.
"""

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from wpedu._checks import START
from wpedu.bert.vocab import CONTINUATION
from wpedu.measures import _Pieces

__all__ = [
    "Traces",
    "VocabularyFile",
    "find_traces",
    "main",
    "read_making",
    "read_vocabulary",
]
__dir__ = __all__.copy  # what dir() shows

CLOSED = 0.01  # open at most, of what was merged and kept: a few were added, or respelled
PARTS_FIRST = 0.9  # at least, of what was merged: the parts of an entry have lower ids
CLOSING_RUN = 20  # characters at least that end what was learned top-down
ENOUGH = 200  # entries of two or more characters at least


class VocabularyFile(NamedTuple):
    """The entries of a file in the order of their ids, and how it marks words.

    `writing` is ##, ▁, Ġ (bytes, as GPT-2's), _ (ends a word, as Tensor2Tensor's), </w> or @@, or
    "" where nothing is marked. Special tokens are left out. `entries` have ## or ▁, or no marks;
    where the *end* of a word is marked by </w> or @@, they are reversed, so that ## stands before
    what does not end one.
    """

    entries: list[str]
    writing: str
    has_log_probabilities: bool


class Traces(NamedTuple):
    """What can be counted of an entry's making; pairs are of bare entries, and continuing ones.

    Long entries have two or more characters; open ones are not two entries. `open_unmarked` are not
    even two when all marks are ignored. `parts_first` is the share of those whose two parts have
    lower ids, among the `in_two` entries that can be cut into two long ones, and not otherwise.
    `closing_run` is how many characters in order of code point end the vocabulary.
    """

    entries: int
    long: tuple[int, int]
    open: tuple[int, int]
    open_unmarked: int
    in_two: int
    parts_first: float
    closing_run: int

    @property
    def share_unmarked(self) -> float:
        """The share of long entries that are open when all marks are ignored."""
        return self.open_unmarked / max(sum(self.long), 1)


def read_vocabulary(path: str | os.PathLike[str]) -> VocabularyFile:
    """Return the vocabulary in a file, however it is written.

    One token a line, as BERT's vocab.txt and Tensor2Tensor's .subwords; token, tab, score, as
    SentencePiece's .vocab; {token: id}; a tokenizer.json; or merges, two tokens a line.

    Raises OSError if there is no such file, and ValueError if it is none of these.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(
            f"{path} is no text: of a SentencePiece .model, export the .vocab (spm_export_vocab)"
        ) from None
    scores: list[float] = []
    if text.lstrip().startswith("{"):
        tokens, scores = _from_json(json.loads(text), path)
    else:
        lines = [line.strip(" \r") for line in text.split("\n")]
        lines = [line for line in lines if line and not line.startswith(("#version", "### "))]
        if lines and all(re.fullmatch(r"[^\t]*\t-?[\d.e+-]+", line) for line in lines):
            rows = [line.rsplit("\t", 1) for line in lines]
            tokens, scores = [token for token, _ in rows], [float(score) for _, score in rows]
        elif sum(line.count(" ") == 1 for line in lines) > 0.99 * len(lines) > 0:
            merges = [line.split(" ") for line in lines if line.count(" ") == 1]
            parts = dict.fromkeys(part for merge in merges for part in merge)
            made = {"".join(merge) for merge in merges}
            tokens = [part for part in parts if part not in made] + ["".join(m) for m in merges]
        elif all(line[0] == line[-1] and line[0] in "'\"" for line in lines):
            tokens = [line[1:-1] for line in lines]
        else:
            tokens = lines
    if len(tokens) < 2:
        raise ValueError(f"{path} holds no vocabulary: it should have one token a line, or be JSON")
    return _with_our_marks(tokens, any(score % 1 for score in scores))


def _from_json(content: Any, path: str | os.PathLike[str]) -> tuple[list[str], list[float]]:
    special = set()
    if isinstance(content.get("model"), dict):
        special = {token["content"] for token in content["added_tokens"] if token["special"]}
        content = content["model"]["vocab"]
    if isinstance(content, list):
        content = [(token, score) for token, score in content if token not in special]
        return [token for token, _ in content], [score for _, score in content]
    if not all(isinstance(number, int) for number in content.values()):
        raise ValueError(f"{path} is JSON, and neither {{token: id}} nor a tokenizer.json")
    return [token for token in sorted(content, key=content.get) if token not in special], []


def _with_our_marks(tokens: list[str], has_log_probabilities: bool) -> VocabularyFile:
    def ends(mark: str) -> int:
        return sum(token.endswith(mark) and token != mark for token in tokens)

    counts = {
        "##": sum(re.match("##[^#]", token) is not None for token in tokens),
        "▁": sum(token.startswith("▁") for token in tokens),
        "Ġ": sum(token.startswith("Ġ") for token in tokens),
        "_": ends("_"),
        "</w>": ends("</w>"),
        "@@": ends("@@"),
    }
    writing = max(counts, key=counts.__getitem__)
    if counts[writing] < len(tokens) / 100:
        writing = ""
    if writing != "##":
        tokens = [token for token in tokens if not re.fullmatch(r"<[|/]?\w+\|?>", token)]
    if writing == "Ġ":
        tokens = [token.replace("Ġ", START) for token in tokens]
    elif writing == "</w>":
        tokens = [
            token.removesuffix("</w>")[::-1]
            if token.endswith("</w>")
            else CONTINUATION + token[::-1]
            for token in tokens
        ]
    elif writing == "@@":
        tokens = [
            CONTINUATION + token[:-2][::-1] if token.endswith("@@") else token[::-1]
            for token in tokens
        ]
    return VocabularyFile(list(dict.fromkeys(filter(None, tokens))), writing, has_log_probabilities)


def find_traces(vocab: Iterable[str]) -> Traces:
    """Return what a vocabulary, in the order of its ids, shows of its making.

    Raises TypeError or ValueError if `vocab` is not what `wpedu.measures` takes.

    >>> find_traces(["s", "e", "a", "##s", "##e", "##a", "##ea", "sea", "eas"]).open
    (1, 0)
    """
    pieces = _Pieces(vocab)
    texts = {pieces.text(entry).removeprefix(pieces.mark) for entry in pieces.entries}
    number = {entry: place for place, entry in enumerate(pieces.entries)}
    long, opened, unmarked, orders = [0, 0], [0, 0], 0, []
    for entry in pieces.entries:
        text = pieces.text(entry)
        if len(text) < 2:
            continue
        continues = text in pieces.go_on and pieces.go_on[text] == entry != pieces.begin.get(text)
        long[continues] += 1
        cuts = pieces.cuts(entry)
        if not cuts:
            opened[continues] += 1
            bare = text.removeprefix(pieces.mark)
            places = range(1, len(bare))
            two = any(bare[:place] in texts and bare[place:] in texts for place in places)
            unmarked += len(bare) > 1 and not two
        elif all(len(pieces.text(p).removeprefix(pieces.mark)) > 1 for cut in cuts for p in cut):
            latest = min(max(number[part] for part in cut) for cut in cuts)
            orders.append(latest < number[entry])
    run, last = 0, ""
    for entry in reversed(pieces.entries):
        text = pieces.text(entry)
        if len(text) > 1 or (last and text > last):
            break
        last, run = text, run + 1
    return Traces(
        len(pieces.entries),
        (long[False], long[True]),
        (opened[False], opened[True]),
        unmarked,
        len(orders),
        sum(orders) / max(len(orders), 1),
        run,
    )


def read_making(file: VocabularyFile, traces: Traces) -> tuple[str, str]:
    """Return how a vocabulary was made, as far as it can be told, and what that rests on."""
    if sum(traces.long) < ENOUGH:
        return "cannot be told", f"it has fewer than {ENOUGH} entries of two or more characters"
    if traces.share_unmarked <= CLOSED:
        return "merged and kept", "it is closed: its entries are two entries each, marks aside"
    if file.has_log_probabilities:
        return "unigram", "it is not closed, and its scores are log probabilities"
    parts_first = traces.in_two >= ENOUGH and traces.parts_first >= PARTS_FIRST
    put_back = traces.closing_run >= CLOSING_RUN or file.writing == "_"
    if parts_first and not put_back:
        return "merged and pruned", "it is not closed, and the parts of its entries stand before"
    if put_back and not parts_first:
        return "top-down", (
            "it is not closed, parts do not stand before, and it is written as by a learner "
            "that starts from words; another that writes the same would be taken for one"
        )
    return "cannot be told", "it is not closed; what else it shows fits more than one making"


def main(paths: Iterable[str]) -> None:
    """Print a row of the control table for each file, and what can be said of its making."""
    print(
        f"{'':24} writing  entries  open: bare  continuing  marks aside  parts first  closing run"
    )
    for path in paths:
        file = read_vocabulary(path)
        traces = find_traces(file.entries)
        shares = [o / max(of, 1) for o, of in zip(traces.open, traces.long)]
        print(
            f"{Path(path).name[:24]:24} {file.writing:7} {traces.entries:8,} {shares[0]:11.1%} "
            f"{shares[1]:11.1%} {traces.share_unmarked:12.1%} {traces.parts_first:12.1%} "
            f"{traces.closing_run:12,}"
        )
        making, why = read_making(file, traces)
        print(f"    {making}: {why}")
