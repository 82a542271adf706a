"""What a vocabulary looks like: file → entries → traces → a reading of how it was made.

Four origins are distinguished: merged and kept, as Hugging Face's BPE and WordPiece trainers do;
merged and pruned; unigram, as SentencePiece does; and top-down, as `wpedu.vocabularies.top_down`
does. The limits in `read_making` were set with vocabularies of known origin: docs/report.md shows
them. A reading is a resemblance, not a proof, and names other origins that would look the same.
"""

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from wpedu.bert.vocab_file import CONTINUATION
from wpedu.pretokenization import START
from wpedu.vocabularies.vocabulary import Vocabulary

__all__ = ["Reading", "Traces", "VocabularyFile", "find_traces", "read_making", "read_vocabulary"]

CLOSED = 0.01  # the largest open share of merged and kept entries: a few were added or respelled
PARTS_FIRST = 0.9  # the smallest share of merged entries whose parts have lower ids
CLOSING_RUN = 20  # the smallest number of characters that end a vocabulary learned top-down
ENOUGH = 200  # the fewest entries on which a reading may be based
# Marks at the end of a token → what precedes it when it is reversed, with the mark and without.
ENDINGS = {"_": (START, ""), "</w>": ("", CONTINUATION), "@@": (CONTINUATION, "")}


class VocabularyFile(NamedTuple):
    """The entries of a file in the order of their ids, and how it marks words.

    `marker` is ##, ▁, Ġ (bytes, as in GPT-2), _ (ends a word, as in Tensor2Tensor), </w>, @@, or
    "" if nothing is marked. Special tokens are left out, but those in square brackets and, if the
    marker is ##, those in angle brackets may remain. `entries` have ## or ▁, or no marks. If the
    *end* of a word is marked, by _, </w> or @@, entries are reversed, so that ▁ precedes those that
    end a word, or ## those that do not.
    """

    entries: list[str]
    marker: str
    has_log_probabilities: bool


class Traces(NamedTuple):
    """The counts of a vocabulary; each pair is for beginning entries, then continuing ones.

    Long entries have two or more characters; open ones are not two entries put together, and
    `open_unmarked` are not two put together even when all marks are ignored. `in_two` entries can
    be cut into two entries of two or more characters, not counting marks, and in no other way;
    `parts_first` is the share of them whose parts both have lower ids. `closing_run` is how many
    characters in order of code point end the vocabulary.
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


class Reading(NamedTuple):
    """What a vocabulary looks like, the reason, and what else would look the same."""

    looks_like: str
    because: str
    as_would: str = ""


def read_vocabulary(path: str | os.PathLike[str]) -> VocabularyFile:
    """Return the vocabulary in a text file.

    The file has one token per line, like BERT's vocab.txt and Tensor2Tensor's .subwords; or token,
    tab, score, like SentencePiece's .vocab; or merges, two tokens per line; or it is JSON:
    {token: id}, or a tokenizer.json.

    Raises OSError if the file cannot be read, and ValueError if it is none of these.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(
            f"{path} is not UTF-8 text: save it as UTF-8, or export a SentencePiece .model as "
            f".vocab with spm_export_vocab"
        ) from None
    try:
        is_json = text.lstrip().startswith("{")
        tokens, scores = _from_content(json.loads(text)) if is_json else _from_lines(text)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise ValueError(
            f"{path} is neither {{token: id}} nor a tokenizer.json: give the file as its tokenizer "
            f"saved it"
        ) from None
    if len(tokens) < 2:
        raise ValueError(f"{path} holds no vocabulary: it should have one token a line, or be JSON")
    return _with_our_marks(tokens, any(score % 1 for score in scores))


def _from_lines(text: str) -> tuple[list[str], list[float]]:
    lines = [line.strip(" \r") for line in text.split("\n")]
    lines = [line for line in lines if line and not line.startswith(("#version", "### "))]
    scored = [re.fullmatch(r"([^\t]*)\t(-?\d+(?:\.\d*)?(?:e[+-]?\d+)?)", line) for line in lines]
    if lines and all(scored):
        rows = [match.groups() for match in scored if match]
        return [token for token, _ in rows], [float(score) for _, score in rows]
    if sum(line.count(" ") == 1 for line in lines) > 0.99 * len(lines) > 0:
        merges = [line.split(" ") for line in lines if line.count(" ") == 1]
        made = ["".join(merge) for merge in merges]
        parts = dict.fromkeys(part for merge in merges for part in merge)
        return [part for part in parts if part not in set(made)] + made, []
    if all(line[0] == line[-1] and line[0] in "'\"" for line in lines):
        return [line[1:-1] for line in lines], []
    return lines, []


def _from_content(content: dict[str, Any]) -> tuple[list[str], list[float]]:
    special = set()
    vocab: Any = content
    if isinstance(content.get("model"), dict):
        special = {t["content"] for t in content.get("added_tokens", []) if t.get("special")}
        vocab = content["model"]["vocab"]
    if isinstance(vocab, list):
        rows = [(str(token), float(score)) for token, score in vocab if token not in special]
        return [token for token, _ in rows], [score for _, score in rows]
    if not all(type(id) is int for id in vocab.values()):
        raise ValueError
    return [token for token in sorted(vocab, key=vocab.__getitem__) if token not in special], []


def _with_our_marks(tokens: list[str], has_log_probabilities: bool) -> VocabularyFile:
    counts = {
        CONTINUATION: sum(re.match("##[^#]", token) is not None for token in tokens),
        START: sum(token.startswith(START) for token in tokens),
        "Ġ": sum(token.startswith("Ġ") for token in tokens),
    }
    for mark in ENDINGS:
        counts[mark] = sum(token.endswith(mark) and token != mark for token in tokens)
    marker = max(counts, key=counts.__getitem__)
    if counts[marker] < len(tokens) / 100:
        marker = ""
    if marker != CONTINUATION:
        tokens = [token for token in tokens if not re.fullmatch(r"<[|/]?\w+\|?>", token)]
    if marker == "Ġ":
        tokens = [token.replace("Ġ", START) for token in tokens]
    elif marker in ENDINGS:
        marked, unmarked = ENDINGS[marker]
        tokens = [
            (marked if token.endswith(marker) else unmarked) + token.removesuffix(marker)[::-1]
            for token in tokens
        ]
    return VocabularyFile(list(dict.fromkeys(filter(None, tokens))), marker, has_log_probabilities)


def find_traces(vocab: Iterable[str]) -> Traces:
    """Return what a vocabulary, in the order of its ids, shows about its origin.

    Raises what `Vocabulary` raises.

    >>> find_traces(["s", "e", "a", "##s", "##e", "##a", "##ea", "sea", "eas"]).open
    (1, 0)
    """
    vocabulary = Vocabulary(vocab)
    bare_texts = {entry: vocabulary.text(entry) for entry in vocabulary.entries}
    if vocabulary.start:
        bare_texts = {entry: text.removeprefix(START) for entry, text in bare_texts.items()}
    unmarked = set(bare_texts.values())
    lengths = set(map(len, unmarked))
    ids = {entry: id for id, entry in enumerate(vocabulary.entries)}
    long, opened, open_unmarked, orders = [0, 0], [0, 0], 0, []
    for entry, bare in bare_texts.items():
        text = vocabulary.text(entry)
        if len(text) < 2:
            continue
        continues = vocabulary.continuing.get(text) == entry != vocabulary.beginning.get(text)
        long[continues] += 1
        cuts = vocabulary.cuts(entry)
        if not cuts:
            opened[continues] += 1
            ends = (i for i in lengths if 0 < i < len(bare))
            if not any(bare[:i] in unmarked and bare[i:] in unmarked for i in ends):
                open_unmarked += len(bare) > 1
        elif len(cuts) == 1 and all(len(bare_texts[part]) > 1 for part in cuts[0]):
            orders.append(max(ids[part] for part in cuts[0]) < ids[entry])
    return Traces(
        len(vocabulary.entries),
        (long[False], long[True]),
        (opened[False], opened[True]),
        open_unmarked,
        len(orders),
        sum(orders) / max(len(orders), 1),
        _count_closing_run([vocabulary.text(entry) for entry in vocabulary.entries]),
    )


def _count_closing_run(texts: list[str]) -> int:
    run, following = 0, ""
    for text in reversed(texts):
        if len(text) > 1 or (following and text > following):
            break
        following, run = text, run + 1
    return run


def read_making(file: VocabularyFile, traces: Traces) -> Reading:
    """Return which origin a vocabulary looks like, why, and what else would look the same.

    The answer is "unclear" if there are too few entries, or if the traces contradict each
    other. Traces can be made by other means, and adding entries, respelling or sorting a file
    afterward changes them.
    """
    if sum(traces.long) < ENOUGH:
        return Reading("unclear", f"it has fewer than {ENOUGH} entries of two or more characters")
    if traces.share_unmarked <= CLOSED:
        return Reading(
            "merged and kept",
            f"ignoring marks, {1 - CLOSED:.0%} or more of its long entries are two entries each",
            "a merged vocabulary without its last merges, or with its ids in another order",
        )
    not_closed = "it is not closed, and"
    if not file.marker:
        return Reading("unclear", f"{not_closed} marks no beginnings of words, like a word list")
    if file.has_log_probabilities:
        return Reading(
            "unigram",
            f"{not_closed} its scores are log probabilities",
            "another learner's vocabulary with such scores",
        )
    if traces.in_two < ENOUGH:
        return Reading(
            "unclear",
            f"{not_closed} fewer than {ENOUGH} entries can show whether parts come first",
        )
    parts_first = traces.parts_first >= PARTS_FIRST
    put_back = traces.closing_run >= CLOSING_RUN or file.marker == "_"
    if parts_first == put_back:
        return Reading("unclear", f"{not_closed} the rest fits more than one origin")
    if parts_first:
        return Reading(
            "merged and pruned",
            f"{not_closed} parts come first in {PARTS_FIRST:.0%} or more of the entries that can "
            "show it",
            "a merged vocabulary with many words added, or a unigram one without its scores",
        )
    return Reading(
        "top-down",
        f"it is not closed, parts come first in fewer than {PARTS_FIRST:.0%} of the entries that "
        "can show it, and it is written as a learner that starts from words writes it",
        "another vocabulary, sorted anew, with its characters at the end",
    )
