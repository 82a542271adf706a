"""Homer's text → the files in homer/.

The text is downloaded, or taken from WPEDU_DATA. To make the files again, from the
repository's folder: `python datasets/make_homer.py`
"""

from wpedu._files import write_atomically
from wpedu.corpus import DATASETS, load_corpus
from wpedu.pretokenization import count_words, iter_chunks, pretokenize

homer = load_corpus("homer")
rows = "".join(f"{word}\t{count}\n" for word, count in count_words(homer.text).items())
write_atomically(DATASETS / "homer" / "word_counts.tsv", rows.encode())
write_atomically(DATASETS / "homer" / "opening.txt", homer.text[:100].encode())

chunks, words = list(iter_chunks(homer.text)), pretokenize(homer.text)
sizes = {
    "characters": len(homer.text),
    "chunks": len(chunks),
    "distinct chunks": len(set(chunks)),
    "words": len(words),
    "distinct words": len(set(words)),
}
rows = "".join(f"{name}\t{size}\n" for name, size in sizes.items())
write_atomically(DATASETS / "homer" / "sizes.tsv", rows.encode())
