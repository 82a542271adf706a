"""All merges of Homer → merge_digests.json: how many merges there are to the end, and which.

The scores are given as functions, and so computed for every pair and every merge, which takes from
minutes to an hour a score. From the repository's folder: `python tests/make_merge_digests.py`, for
all that are quick, or with their names, for some.
"""

import json
import sys
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from pathlib import Path

from wpedu import Pair, load_corpus, train
from wpedu.scores import SCORES

PATH = Path(__file__).with_name("merge_digests.json")


def digest(merges: Iterable[Pair]) -> str:
    """Return the SHA-256 of the merges, in order.

    Their subwords are joined by spaces and their pairs by line feeds: Homer's words have neither.
    """
    return sha256("\n".join(" ".join(pair) for pair in merges).encode()).hexdigest()


if __name__ == "__main__":
    digests = json.loads(PATH.read_text(encoding="utf-8"))
    for name in sys.argv[1:] or list(digests):
        # A partial has no estimate, which would tell which scores need not be computed.
        merges = train(load_corpus("homer").word_counts, 10**6, partial(SCORES[name]))
        digests[name] = {"merges": len(merges), "sha256": digest(merges)}
        print(name, digests[name])
        PATH.write_text(json.dumps(digests, indent=2) + "\n", encoding="utf-8")
