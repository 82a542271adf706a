"""WordPiece tokenization, taught by building it, on Homer.

The walk, one module for each step, in this order::

    corpus           a name, a file or a folder → text, word counts
    pretokenization  text → words → word counts; the mark ▁
    scores           splits and word counts → counts of pairs → what a pair is worth
    training         word counts → merges → vocabulary, in the loop of notebook 03
    encoding         word and vocabulary → subwords
    wordpiece        all of it in one class

and in addition::

    bert             the real BERT: ▁ → ## (in prefixes); text → tokens, ids and offsets
    vocabularies     for the curious: how good a vocabulary is, and how it was made
    figures          pictures for the notebooks
    labs             what the test cells of the labs call
    fast             the same results faster, or for more text: here is what `train` runs
"""

from importlib import import_module
from types import ModuleType

from wpedu.bert import (
    BertEncoding,
    BertTokenizer,
    load_vocab,
    save_vocab,
    to_bert,
    to_bert_vocab,
    train_bert_vocab,
)
from wpedu.corpus import Corpus, load_corpus
from wpedu.encoding import UNKNOWN, LinearEncoder, LoopEncoder, RegexEncoder, subword_tokenize
from wpedu.fast.distributed import count_words_distributed
from wpedu.pretokenization import START, count_words, pretokenize, pretokenize_with_offsets
from wpedu.scores import SCORES, Pair, pair_gains
from wpedu.training import build_vocab, merge_pair, train
from wpedu.vocabularies import train_top_down
from wpedu.wordpiece import WordPiece

__version__ = "1.0.0"

__all__ = [
    "SCORES",
    "START",
    "UNKNOWN",
    "BertEncoding",
    "BertTokenizer",
    "Corpus",
    "LinearEncoder",
    "LoopEncoder",
    "Pair",
    "RegexEncoder",
    "WordPiece",
    "build_vocab",
    "count_words",
    "count_words_distributed",
    "load_corpus",
    "load_vocab",
    "merge_pair",
    "pair_gains",
    "pretokenize",
    "pretokenize_with_offsets",
    "save_vocab",
    "subword_tokenize",
    "to_bert",
    "to_bert_vocab",
    "train",
    "train_bert_vocab",
    "train_top_down",
]

_LATER = "figures", "labs"  # loaded when asked for, because figures loads matplotlib


def __getattr__(name: str) -> ModuleType:
    if name not in _LATER:
        raise AttributeError(f"module 'wpedu' has no attribute {name!r}")
    try:
        return import_module(f"wpedu.{name}")
    except ImportError as error:
        raise AttributeError(error) from None  # so that `help` and `hasattr` work


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
