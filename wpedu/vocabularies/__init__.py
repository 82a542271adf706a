"""For the curious: what a vocabulary shows, what it is worth, and how to learn one top-down.

`vocabulary` says which entries begin a word and which continue one, `measures` says what a
vocabulary is worth, `provenance` reads from a file how its vocabulary was made, and `top_down`
learns a vocabulary without merges. `python -m wpedu.vocabularies PATH` prints a reading.
"""

from wpedu.vocabularies.measures import (
    GreedyCost,
    characters_per_token,
    count_tokens,
    dead_entries,
    greedy_cost,
    multi_character_entries,
    open_entries,
    renyi_efficiency,
    tokens_per_word,
    unreachable_entries,
)
from wpedu.vocabularies.provenance import (
    Traces,
    VocabularyFile,
    find_traces,
    read_making,
    read_vocabulary,
)
from wpedu.vocabularies.top_down import find_min_count, train_top_down
from wpedu.vocabularies.vocabulary import Vocabulary

__all__ = [
    "GreedyCost",
    "Traces",
    "Vocabulary",
    "VocabularyFile",
    "characters_per_token",
    "count_tokens",
    "dead_entries",
    "find_min_count",
    "find_traces",
    "greedy_cost",
    "multi_character_entries",
    "open_entries",
    "read_making",
    "read_vocabulary",
    "renyi_efficiency",
    "tokens_per_word",
    "train_top_down",
    "unreachable_entries",
]
__dir__ = __all__.copy  # what dir() shows
