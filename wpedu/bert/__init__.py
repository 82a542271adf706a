"""The real BERT: text → tokens, ids and offsets, as Hugging Face's tokenizers gives them.

`prefixes` turns tokens and a vocabulary with ▁ into those with ##, or trains one, and `vocab_file`
reads and writes it. `normalization` prepares the text, `chunks` turns the text between whitespace
into tokens, `tokenizer` joins these, and `pretrained` reads and writes the files of Hugging Face's
libraries.
"""

from wpedu.bert.prefixes import to_bert, to_bert_vocab, train_bert_vocab
from wpedu.bert.tokenizer import BertEncoding, BertTokenizer
from wpedu.bert.vocab_file import SPECIAL_TOKENS, load_vocab, save_vocab

__all__ = [
    "SPECIAL_TOKENS",
    "BertEncoding",
    "BertTokenizer",
    "load_vocab",
    "save_vocab",
    "to_bert",
    "to_bert_vocab",
    "train_bert_vocab",
]
