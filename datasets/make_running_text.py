"""Homer's text → homer/running_text.json: figures for notebook 14 that word counts do not give.

The text is downloaded, or taken from WPEDU_DATA. To rebuild the file, run in the repository's
folder: `python datasets/make_running_text.py`
"""

import json
from math import ceil
from typing import Any

from wpedu import BertTokenizer, WordPiece, count_words, load_corpus, load_vocab, pretokenize
from wpedu._support.files import write_atomically
from wpedu.corpus import DATASETS

LIMITS = [256, 512]  # of all-MiniLM-L6-v2 and BERT; [CLS] and [SEP] count
SAMPLES = [4_000, 16_000, 63_000, 253_000]  # words to learn from; the words after the last judge
MERGES = 1_000


def find_facts(text: str) -> dict[str, Any]:
    """Return how far BERT's limits reach into `text`, and how much of it training needs."""
    encoding = BertTokenizer(load_vocab("bert-base-uncased")).encode(text)
    tokens, offsets = encoding.tokens[1:-1], encoding.offsets[1:-1]
    first = {}
    for limit in LIMITS:
        read = text[: offsets[limit - 3][1]]
        words = {"words": len(pretokenize(read)), "between_spaces": len(read.split())}
        first[str(limit)] = words | {"characters": len(read)}
    size = max(LIMITS) - 2
    cuts = [tokens[place] for place in range(size, len(tokens), size)]
    return {
        "tokens": len(tokens),
        "first": first,
        "chunks": ceil(len(tokens) / size),
        "cuts_inside_a_word": sum(token.startswith("##") for token in cuts),
        "learned_from": {str(sample): _judge(text, sample) for sample in SAMPLES},
    }


def _judge(text: str, sample: int) -> dict[str, float]:
    words = pretokenize(text)
    left_out = count_words(" ".join(words[SAMPLES[-1] :]))
    wp = WordPiece(MERGES).fit(count_words(" ".join(words[:sample])))
    pieces = {word: wp.encode("▁" + word) for word in left_out}
    tokens = sum(len(pieces[word]) * count for word, count in left_out.items())
    unknown = sum(count for word, count in left_out.items() if pieces[word] == ["[UNK]"])
    return {"tokens_per_word": round(tokens / left_out.total(), 3), "unknown_words": unknown}


if __name__ == "__main__":
    facts = json.dumps(find_facts(load_corpus("homer").text), indent=1) + "\n"
    write_atomically(DATASETS / "homer" / "running_text.json", facts.encode())
