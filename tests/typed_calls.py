"""Every function that takes word counts, called with a Corpus or a dict.

`mypy --strict` checks that the annotations admit both, and test_corpus.py that the results agree.
"""

from collections.abc import Callable

from wpedu import Corpus, WordPiece, build_vocab, pair_gains, train, train_bert_vocab, vocabularies

SPLITS = {"sea": ["s", "ea"], "seas": ["s", "ea", "s"]}
VOCAB = ["▁", "s", "e", "a"]

CALLS: dict[str, Callable[[Corpus | dict[str, int]], object]] = {
    "fit": lambda counts: WordPiece(3).fit(counts).vocab,
    "train": lambda counts: train(counts, 3),
    "pair_gains": lambda counts: pair_gains(SPLITS, counts),
    "build_vocab": lambda counts: build_vocab(counts, [("s", "e")]),
    "train_bert_vocab": lambda counts: train_bert_vocab(counts, 20),
    "train_top_down": lambda counts: vocabularies.train_top_down(counts, min_count=1),
    "find_min_count": lambda counts: vocabularies.find_min_count(counts, 12),
    "count_tokens": lambda counts: vocabularies.count_tokens(VOCAB, counts),
    "tokens_per_word": lambda counts: vocabularies.tokens_per_word(VOCAB, counts),
    "greedy_cost": lambda counts: vocabularies.greedy_cost(VOCAB, counts),
}
