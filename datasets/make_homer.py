"""Homer's text → the files in homer/.

The text is downloaded, or taken from WPEDU_DATA. To rebuild the files, run in the
repository's folder: `python datasets/make_homer.py`
"""

from wpedu._support.files import write_atomically
from wpedu.corpus import DATASETS, load_corpus
from wpedu.pretokenization import count_words

homer = load_corpus("homer")
rows = "".join(f"{word}\t{count}\n" for word, count in count_words(homer.text).items())
write_atomically(DATASETS / "homer" / "word_counts.tsv", rows.encode())
write_atomically(DATASETS / "homer" / "opening.txt", homer.text[:100].encode())
