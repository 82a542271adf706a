"""WordPiece tokenization, taught by building it, on Homer."""

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
from wpedu.encoding import (
    UNKNOWN,
    LinearEncoder,
    LoopEncoder,
    RegexEncoder,
    subword_tokenize,
)
from wpedu.fast.distributed import count_words_distributed
from wpedu.pretokenization import START, count_words, pretokenize, pretokenize_with_offsets
from wpedu.scores import SCORES, Pair, pair_gains
from wpedu.training import build_vocab, merge_pair, train
from wpedu.wordpiece import WordPiece

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
]
