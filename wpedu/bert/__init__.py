"""The real BERT: text → tokens, ids and offsets, as Hugging Face's tokenizers gives them.

`vocab` turns a vocabulary with ▁ into one with ##, or learns one, and `vocab_file` reads and writes
it. `normalization` says what happens to a text first, `chunks` makes tokens of what is between
white space, `tokenizer` puts them together, and `pretrained` is about the files that Hugging Face's
libraries write and load.
"""

from wpedu.bert.tokenizer import BertEncoding, BertTokenizer
from wpedu.bert.vocab import to_bert, to_bert_vocab, train_bert_vocab
from wpedu.bert.vocab_file import load_vocab, save_vocab

__all__ = [
    "BertEncoding",
    "BertTokenizer",
    "load_vocab",
    "save_vocab",
    "to_bert",
    "to_bert_vocab",
    "train_bert_vocab",
]
