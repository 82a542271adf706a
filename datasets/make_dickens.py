"""Dickens's texts → dickens/word_counts.tsv, and growth.tsv, novel by novel.

The texts are downloaded, or taken from WPEDU_DATA. To rebuild the files, run in the repository's
folder: `python datasets/make_dickens.py`
"""

from collections import Counter

from wpedu._support.files import write_atomically
from wpedu.corpus import DATASETS, registered_files
from wpedu.pretokenization import count_words

rows, characters, word_counts = ["novels\tcharacters\twords\tdistinct words"], 0, Counter()
for novels, file in enumerate(registered_files("dickens"), 1):
    text = file.fetch().read_text(encoding="utf-8")
    characters += len(text)
    word_counts.update(count_words(text))
    rows.append(f"{novels}\t{characters}\t{word_counts.total()}\t{len(word_counts)}")
write_atomically(DATASETS / "dickens" / "growth.tsv", "\n".join([*rows, ""]).encode())
rows = [f"{word}\t{count}\n" for word, count in word_counts.items()]
write_atomically(DATASETS / "dickens" / "word_counts.tsv", "".join(rows).encode())
