"""A vocab.txt of BERT → what it shows of how it was made: bert/vocab_facts.json.

bert-base-uncased is downloaded, or taken from WPEDU_DATA. To make the file again, from the
repository's folder: `python datasets/make_bert_facts.py`

For another vocabulary the facts are printed, and nothing is written; `--cased` keeps case and
accents: `python datasets/make_bert_facts.py PATH [--cased]`
"""

import json
import sys
from collections import Counter

from wpedu import load_corpus, load_vocab
from wpedu._files import write_atomically
from wpedu.bert.normalization import normalize_with_places, split_words
from wpedu.corpus import DATASETS
from wpedu.measures import (
    count_tokens,
    dead_entries,
    greedy_cost,
    long_entries,
    open_entries,
    tokens_per_word,
    unreachable_entries,
)


def facts_of(vocab, lowercase=True):
    """Return the facts of a vocabulary, a list of entries in order of their ids."""
    long, opened = long_entries(vocab), open_entries(vocab)
    unexplained = open_without_marks(vocab, opened)
    unreachable = unreachable_entries(vocab, lambda text: words_of(text, lowercase))
    layout = layout_of(vocab)
    return {
        "entries": len(vocab),
        "in_brackets": sum(map(is_in_brackets, vocab)),
        "long": {"bare": count(long, False), "continuing": count(long, True)},
        "open": {"bare": count(opened, False), "continuing": count(opened, True)},
        "open_with_twin": len({"##" + entry for entry in opened}.intersection(vocab)),
        "open_without_marks": {"all": len(unexplained), "first": unexplained[:8]},
        "open_first_bare": [entry for entry in opened if not continues(entry)][:12],
        "open_first_continuing": [entry for entry in opened if continues(entry)][:8],
        "missing_of_first": missing_of(opened[0], vocab) if opened else {},
        "layout": layout,
        "unreachable": {
            "continuing_characters": sum(continues(e) and len(e) == 3 for e in unreachable),
            "others": [e for e in unreachable if not (continues(e) and len(e) == 3)],
            "examples": [e for e in unreachable if continues(e)][:4] + unreachable[-4:],
        },
        "on_homer": on_homer(vocab, lowercase, layout),
    }


def open_without_marks(vocab, opened):
    """Return the open entries that other marks do not explain.

    They are not two entries when all marks are ignored. A trainer by merges leaves none of those,
    whatever marks it writes: to join a mark changes no text, and all else that it joins is two.
    """
    texts = {text_of(entry) for entry in vocab if not is_in_brackets(entry)}
    return [entry for entry in opened if not is_two(text_of(entry), texts)]


def is_two(text, texts):
    """Whether a text is two of the texts, one after the other."""
    places = range(1, len(text))
    return any(text[:place] in texts and text[place:] in texts for place in places)


def missing_of(entry, vocab):
    """Return the cuts of an entry into two, each with what of it is no entry."""
    known, text = set(vocab), text_of(entry)
    mark = "##" if continues(entry) else ""
    cuts = [(mark + text[:place], "##" + text[place:]) for place in range(1, len(text))]
    return {" ".join(cut): [part for part in cut if part not in known] for cut in cuts}


def layout_of(vocab):
    """Return where the characters stand, and which of them close the vocabulary in order."""
    bare = [number for number, entry in enumerate(vocab) if len(entry) == 1]
    characters = [vocab[number] for number in bare]
    continuing = [entry for entry in vocab if continues(entry) and len(entry) == 3]
    closing = []
    for entry in reversed(vocab):
        if entry not in continuing or (closing and entry > closing[-1]):
            break
        closing.append(entry)
    start = len(vocab) - len(closing)
    return {
        "characters": len(characters),
        "first_and_last_id": [bare[0], bare[-1]],
        "in_one_run": bare == list(range(bare[0], bare[-1] + 1)),
        "in_order_of_code_point": characters == sorted(characters),
        "each_also_continuing": sorted(characters) == sorted(entry[2:] for entry in continuing),
        "next": vocab[bare[-1] + 1 :][:10],
        "closing_run": len(closing),
        "closing_run_begins_at": start,
        "before_it": vocab[start - 3 : start],
        "begins_with": vocab[start : start + 3],
        "ends_with": vocab[-3:],
    }


def on_homer(vocab, lowercase, layout):
    """Return the measures on the words that BERT makes of Homer's, where it can cut them.

    Where what is between the characters and the closing run is in order of frequency, most of what
    is used of it is in its first quarter.
    """
    characters = {entry for entry in vocab if len(entry) == 1}
    counts = Counter()
    for text, number in load_corpus("homer").word_counts.items():
        for word in words_of(text, lowercase):
            if characters.issuperset(word):
                counts[word] += number
    cost, used = greedy_cost(vocab, counts), count_tokens(vocab, counts)
    between = vocab[layout["first_and_last_id"][1] + 1 : layout["closing_run_begins_at"]]
    all_used = sum(used[entry] for entry in between)
    first_used = sum(used[entry] for entry in between[: len(between) // 4])
    return {
        "words": counts.total(),
        "distinct_words": len(counts),
        "tokens_per_word": round(tokens_per_word(vocab, counts), 4),
        "greedy_cost_types": round(cost.types, 6),
        "greedy_cost_tokens": round(cost.tokens, 6),
        "dead": len(dead_entries(vocab, counts)),
        "in_first_quarter": round(first_used / all_used, 4) if all_used else None,
    }


def words_of(text, lowercase=True):
    """Return the words that BERT makes of a text."""
    chars = normalize_with_places(text, lowercase)
    return ["".join(placed.char for placed in word) for word in split_words(chars)]


def text_of(entry):
    """Return an entry without its mark."""
    return entry[2:] if continues(entry) else entry


def is_in_brackets(entry):
    """Whether an entry is a special token, or unused."""
    return len(entry) > 2 and entry[0] == "[" and entry[-1] == "]"


def continues(entry):
    """Whether an entry continues a word."""
    return entry.startswith("##") and len(entry) > 2


def count(entries, continuing):
    """Return how many entries continue a word, or how many do not."""
    return sum(continues(entry) == continuing for entry in entries)


if __name__ == "__main__":
    paths = [argument for argument in sys.argv[1:] if argument != "--cased"]
    vocab = list(load_vocab(*paths or ["bert-base-uncased"]))
    facts = facts_of(vocab, lowercase="--cased" not in sys.argv)
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(fact, ensure_ascii=False)}"
        for name, fact in facts.items()
    )
    if paths:
        print(f"{{\n{lines}\n}}")
    else:
        write_atomically(DATASETS / "bert" / "vocab_facts.json", f"{{\n{lines}\n}}\n".encode())
