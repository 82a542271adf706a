"""The real BERT: text → tokens, ids and offsets, as Hugging Face's tokenizers gives them.

`normalization` says what happens to the text first, `tokenizer` cuts it, `vocab` turns a
vocabulary with ▁ into one with ## and reads and writes vocab.txt, and `export` writes the files
that Hugging Face's libraries load.
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
