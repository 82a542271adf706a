"""BERT's vocabulary → bert/examples.json: the tokens and ids of the notebooks' texts.

The vocabulary is downloaded, or taken from WPEDU_DATA. To rebuild the file, run in the
repository's folder: `python datasets/make_bert_examples.py`
"""

import json

from wpedu import BertTokenizer, WordPiece, load_corpus, load_vocab
from wpedu._support.files import write_atomically
from wpedu.corpus import DATASETS

TEXTS = [
    "Hello world",
    *(
        "tokenization",
        "transformer",
        "unhappy",
        "unaffordable",
        "unbelievable",
        "playing",
        "replay",
        "unaffable",
        "afford",
        "play",
        "horseplay",
        "methotrexate",
    ),
    *("touché", "naïve", "Ἀχιλλεύς", "東京", "don't", "$5"),
    *("½ tablet", "⅛ tablet", "50 ㎎", "50 ㎍"),
    "Sing, O goddess, the anger of Achilles son of Peleus",
    "The strangers wandered homeward, careless of the weather!",
]

vocab = load_vocab("bert-base-uncased")
bert = BertTokenizer(vocab)
examples = {}
for text in TEXTS:
    encoding = bert.encode(text)
    examples[text] = {"tokens": encoding.tokens, "ids": encoding.ids}

homer = WordPiece(num_merges=200).fit(load_corpus("homer").word_counts).to_bert_tokenizer()
tokens = list(vocab)
ids = homer.encode("Sing").ids
examples["ids of Sing by Homer's vocabulary"] = {"tokens": [tokens[i] for i in ids], "ids": ids}

ids = [0, 1, 99, 100, 101, 102, 103, 104, len(vocab) - 1]
examples["ids of the first tokens and the last"] = {"tokens": [tokens[i] for i in ids], "ids": ids}

lines = ",\n".join(
    f"{json.dumps(k, ensure_ascii=False)}: {json.dumps(v, ensure_ascii=False)}"
    for k, v in examples.items()
)
write_atomically(DATASETS / "bert" / "examples.json", f"{{\n{lines}\n}}\n".encode())
