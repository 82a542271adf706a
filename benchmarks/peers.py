"""Text → trained tokenizer → tokens, by each of the tokenizers that are timed.

`Wpedu`, `HuggingFace` and `SentencePiece` have the same five functions. wpedu takes a text whole,
and its peers take it in lines: `prepare` makes the input that each is fastest with, untimed.
"""

import ast
import gc
import json
from collections import Counter
from functools import partial
from io import BytesIO
from math import log
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import regex
from sentencepiece import SentencePieceProcessor, SentencePieceTrainer
from tokenizers import Regex, Tokenizer, models, trainers
from tokenizers.pre_tokenizers import Split

from wpedu import WordPiece
from wpedu.bert import SPECIAL_TOKENS
from wpedu.pretokenization import WORD_PATTERN

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
NAIVE = {"pretokenize", "count_words"}  # notebook 01
NAIVE |= {"gain", "count_tokens_and_pairs", "pair_gains", "merge_pair", "train"}  # 02, 03
LEARNING = {
    "count_substrings",
    "all_starts",
    "keep",
    "starts_of_entries",
    "train_top_down",
}  # 11 or 12


class Alphabet(NamedTuple):
    """How many characters words have, and how many of them continue a word."""

    chars: int
    continuations: int

    @classmethod
    def of(cls, words):
        """Count the characters of `words`."""
        return cls(len(set("".join(words))), len(set("".join(word[1:] for word in words))))


class Wpedu:
    """This package."""

    prepare = str
    tokenize, save, load = WordPiece.tokenize, WordPiece.save, WordPiece.load

    @staticmethod
    def train(text, num_merges, alphabet=None, score="gain"):
        """Return a `WordPiece` that is trained on `text`."""
        return WordPiece(num_merges, score).fit(text)


class HuggingFace:
    """The package tokenizers: WordPiece whose merges are chosen by frequency, as in BPE."""

    prepare = str.splitlines
    tokenize, save, load = Tokenizer.encode_batch, Tokenizer.save, Tokenizer.from_file

    @classmethod
    def train(cls, lines, num_merges, alphabet):
        """Return a `Tokenizer` with the alphabet's two forms, bare and with ##, and the merges."""
        tokenizer = cls.from_tokens([])
        size = num_merges + alphabet.chars + alphabet.continuations
        trainer = trainers.WordPieceTrainer(vocab_size=size, show_progress=False)
        tokenizer.train_from_iterator(lines, trainer)
        return tokenizer

    @staticmethod
    def from_tokens(tokens):
        """Return a `Tokenizer` with these tokens, for the words that wpedu makes."""
        vocab = {token: i for i, token in enumerate(["[UNK]", *tokens])}
        model = models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=1_000_000)
        tokenizer = Tokenizer(model)
        # Its own WhitespaceSplit with Punctuation, and its BertPreTokenizer, are slower than this.
        tokenizer.pre_tokenizer = Split(Regex(WORD_PATTERN), "removed", invert=True)
        return tokenizer


class SentencePiece:
    """The package sentencepiece: BPE, with settings as close to wpedu's as it has."""

    prepare = str.splitlines
    tokenize, load = SentencePieceProcessor.encode, SentencePieceProcessor

    @staticmethod
    def train(lines, num_merges, alphabet):
        """Return a `SentencePieceProcessor` with [UNK], "▁", the characters and the merges."""
        model = BytesIO()
        SentencePieceTrainer.train(
            sentence_iterator=iter(lines),
            model_writer=model,
            model_type="bpe",
            vocab_size=num_merges + alphabet.chars + 2,
            bos_id=-1,
            eos_id=-1,
            character_coverage=1.0,
            normalization_rule_name="identity",
            max_sentence_length=1_000_000,  # it would leave longer lines out
            max_sentencepiece_length=100,  # so that long words can become whole
            minloglevel=2,
        )
        return SentencePieceProcessor(model_proto=model.getvalue())

    @staticmethod
    def save(processor, path):
        """Write `processor` to `path`."""
        Path(path).write_bytes(processor.serialized_model_proto())


def num_merged(model):
    """Return how many entries of a vocabulary are longer than one character."""
    if isinstance(model, Tokenizer):
        entries = [entry.removeprefix("##") for entry in model.get_vocab()]
    else:
        entries = [model.id_to_piece(i) for i in range(1, len(model))]  # 0 is unknown
    return sum(len(entry) > 1 for entry in entries)


def naive_training():
    """Return `count_words` and `train` as the cells of notebooks 01 to 03 define them."""
    namespace = {"regex": regex, "WORD_PATTERN": WORD_PATTERN, "Counter": Counter, "log": log}
    _define("0[123]_*.ipynb", NAIVE, namespace)
    return namespace["count_words"], namespace["train"]


def naive_learning():
    """Return `train_top_down` as the cells of the notebook on its making define it."""
    namespace = {"Counter": Counter, "partial": partial, "SPECIAL_TOKENS": SPECIAL_TOKENS}
    _define("1[12]_*.ipynb", LEARNING, namespace)
    return namespace["train_top_down"]


def _define(notebooks, names, namespace):
    for path in sorted(NOTEBOOKS.glob(notebooks)):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            nodes = ast.parse("".join(cell["source"])).body if cell["cell_type"] == "code" else []
            found = [node for node in nodes if getattr(node, "name", None) in names]
            exec(compile(ast.Module(found, []), path.name, "exec"), namespace)


def timed(call):
    """Return the seconds that `call()` takes, and its result."""
    gc.collect()
    start = perf_counter()
    result = call()
    return perf_counter() - start, result
