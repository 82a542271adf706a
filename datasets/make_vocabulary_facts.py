"""Vocabularies of other models → what they show about their origins, for notebooks 11 and 12.

From the repository's folder: `python datasets/make_vocabulary_facts.py`, with the extra "facts".
The vocabularies are downloaded, or taken from WPEDU_DATA. vocabularies/controls.json takes a
minute, and vocabularies/reconstruction.json half an hour. With `controls` as an argument, the
command makes only the first, and needs no extra.

BERT's vocabulary is rebuilt from the word frequencies of wordfreq, list "large". It has 289,023
words of only a–z, and the result has as many entries of only a–z as BERT's, or up to 1% fewer.
"""

import json
import re
import sys
from bisect import bisect
from collections import Counter
from functools import cached_property, partial
from itertools import chain
from math import log, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from wpedu import load_corpus, train_bert_vocab
from wpedu._support.files import write_atomically
from wpedu.bert.normalization import is_ideograph, normalize_with_positions, split_words
from wpedu.corpus import DATASETS, registered_files
from wpedu.fast.suffixes import Suffixes
from wpedu.pretokenization import START
from wpedu.vocabularies import (
    Vocabulary,
    VocabularyFile,
    find_min_count,
    find_traces,
    greedy_cost,
    open_entries,
    read_making,
    read_vocabulary,
    train_top_down,
    unreachable_entries,
)

NAMES = [
    *("bert-base-uncased", "bert-base-cased", "bert-base-multilingual-cased", "bert-base-chinese"),
    *("gpt2", "blingfire-bpe", "scibert", "koelectra", "kcbert", "norbert", "xlnet", "laser50k"),
    *("tensor2tensor-ende-32k", "tf-text-ted-en", "tf-text-paracrawl-en", "tf-text-ted-pt"),
    "kr-bert-char",
]
ENGLISH = [
    *("bert-base-uncased", "bert-base-cased", "tf-text-paracrawl-en", "tf-text-ted-en", "xlnet"),
    *("gpt2", "scibert", "blingfire-bpe"),
]
SIZES = [3_000, 10_000, 30_000, 100_000]
CUTOFFS = [30, 100, 300]  # of 10^9 words; wordfreq's list ends at 10
NULLS = ["null", "null, words"]
CHECKS = [  # harder pruning; beginnings of one letter; roots of frequencies; one threshold
    *(f"{score} × {margin}" for margin in (3, 4) for score in ("frequency", "gain")),
    *("null, letters", "null, words, letters", "null, roots"),
    *("null, one threshold", "null, one threshold, tail"),
]
TAIL = 100  # occurrences that are added to a word, for rarer words that would leave its remainder
TAILS = [100, 300]  # the same for every word, and every rule
RESAMPLES = 10_000
MARGINS = [1.2, 1.5, 2]
LIMITS = [0.01, 0.05, 0.1, 0.2]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CHARS = [*LETTERS, *("##" + letter for letter in LETTERS)]


def read(name):
    """Return the vocabulary registered under a name."""
    return read_vocabulary(registered_files(name)[0].fetch())


def find_controls():
    """Return the row of each vocabulary, and the facts about BERT's."""
    return {
        "vocabularies": {name: row_of(read(name)) for name in NAMES},
        "of_dickens": {name: row_of(VocabularyFile(v, "##", False)) for name, v in of_dickens()},
        "bert": facts_of(read("bert-base-uncased").entries),
    }


def row_of(file):
    """Return the row of a vocabulary in the control table."""
    traces = find_traces(file.entries)
    return {
        "marker": file.marker,
        "characters": sum(len(entry) == 1 for entry in file.entries),
        **traces._asdict(),
        "parts_first": round(traces.parts_first, 4),
        "making": read_making(file, traces)[0],
    }


def of_dickens(size=8_000):
    """Yield vocabularies that were made here from Dickens, so that their origin is known."""
    words = load_corpus("dickens").word_counts
    for discount, rule in (("kept", "guide"), ("all", "code")):
        min_count = find_min_count(words, size, discount=discount)
        yield rule, train_top_down(words, min_count=min_count, discount=discount)
    for score in ("frequency", "gain"):
        vocab = train_bert_vocab(words, 2 * size, score)
        long = long_of(vocab)
        characters = [entry for entry in vocab if entry not in set(long)]
        for margin in (1, *MARGINS):
            name = f"{score} × {margin:g}" if margin > 1 else score
            yield name, prune(characters, long, size - len(characters), margin, words)


def facts_of(vocab):
    """Return the facts about bert-base-uncased that notebook 11 shows."""
    opened = open_entries(vocab)
    bare = [entry for entry in opened if not entry.startswith("##")]
    first = bare[0]
    cuts = [(first[:place], "##" + first[place:]) for place in range(1, len(first))]
    unreachable = unreachable_entries(vocab, words_of)
    characters = {entry for entry in vocab if len(entry) == 1}
    counts = Counter()
    for text, number in load_corpus("homer").word_counts.items():
        for word in words_of(text):
            if characters.issuperset(word):
                counts[word] += number
    cost = greedy_cost(vocab, counts)
    places = [place for place, entry in enumerate(vocab) if len(entry) == 1]
    return {
        "open_with_twin": len({"##" + entry for entry in opened}.intersection(vocab)),
        "first_bare": bare[:12],
        "first_continuing": [entry for entry in opened if entry.startswith("##")][:8],
        "cuts_of_first": {" ".join(c): [e for e in c if e not in set(vocab)] for c in cuts},
        "characters_at": [places[0], places[-1]],
        "next": vocab[places[-1] + 1 :][:10],
        "unreachable": {
            "continuing_characters": sum(e.startswith("##") and len(e) == 3 for e in unreachable),
            "ideographs": sum(is_ideograph(e.removeprefix("##")) for e in unreachable),
            "others": [e for e in unreachable if not (e.startswith("##") and len(e) == 3)],
            "examples": [*unreachable[:4], *unreachable[-4:]],
        },
        "greedy_cost_on_homer": [round(cost.types, 6), round(cost.tokens, 6)],
    }


def words_of(text):
    """Return the words into which the uncased BERT cuts a text."""
    words = split_words(normalize_with_positions(text))
    return ["".join(char for char, _ in word) for word in words]


def read_words():
    """Return how often each word of a–z occurs among 10^9, in wordfreq's list."""
    from wordfreq import get_frequency_dict

    frequencies = get_frequency_dict("en", wordlist="large")
    return {w: round(f * 1e9) for w, f in frequencies.items() if re.fullmatch("[a-z]+", w)}


def of_letters(name):
    """Return the entries of a–z of the vocabulary registered under a name."""
    return letters_of(read(name))


def letters_of(file):
    """Return a vocabulary's entries of a–z, in ## notation and lowercase, in their order."""
    entries = file.entries
    if file.marker != "##":
        entries = (e[1:] if e.startswith("▁") else "##" + e for e in entries)
    entries = (entry.lower() for entry in entries)
    return list(dict.fromkeys(e for e in entries if re.fullmatch("(##)?[a-z]+", e)))


class Recipes:
    """Ways to make a vocabulary of `size` entries, with the characters, from the same words."""

    def __init__(self, words, largest):
        self.words = words
        self.suffixes = {
            "guide": Suffixes(words, 50, 4, "kept"),
            "code": Suffixes(words, 50, 4, "all"),
            "tensor2tensor": Suffixes({START + w: n for w, n in words.items()}, 51, 4, "kept"),
            "tensor2tensor, its own": Suffixes(
                {START + w + "_": n for w, n in words.items()}, 52, 4, "kept"
            ),
        }
        self.sizes = {rule: {1: 10**9, 10**9: 0} for rule in self.suffixes}
        self.by_count = sorted(words, key=lambda word: (-words[word], word))
        self.vocab_size = round(largest * max(MARGINS)) + 5
        self.merged = {}

    def merge(self, score):
        """Return the merged entries by a score, in order, as many as the largest recipe needs."""
        if score not in self.merged:
            self.merged[score] = long_of(train_bert_vocab(self.words, self.vocab_size, score))
        return self.merged[score]

    @cached_property
    def seeds(self):
        """Return unigram's seeds: the best 300,000 substrings of at most 16 characters, with ▁."""
        counts = Counter()
        for word, count in self.words.items():
            text = START + word
            for start in range(len(text)):
                for end in range(start + 2, min(len(text), start + 16) + 1):
                    counts[text[start:end]] += count
        seeds = sorted(counts, key=lambda text: (-counts[text] * len(text), text))[:300_000]
        return "".join(f"{seed}\t{counts[seed] * len(seed)}\n" for seed in seeds)

    def make(self, name, size, continuing):
        """Return the vocabulary that the recipe called `name` makes, the best entries first.

        Only the null model is told how many of the entries are `continuing`.
        """
        log_line(name, size)
        rule, _, margin = name.partition(" × ")
        if rule in self.suffixes:
            return self.top_down(rule, size)
        if "threshold" in rule:
            return CHARS + self.null_of_one_threshold(size - len(CHARS), rule)
        if rule.startswith("null"):
            bare, remainders = self.null(size - len(CHARS) - continuing, continuing, rule)
            return CHARS + bare + remainders
        if rule == "unigram":
            return self.unigram(size)
        if rule == "words":
            return CHARS + [w for w in self.by_count if len(w) > 1][: size - len(CHARS)]
        return prune(CHARS, self.merge(rule), size - len(CHARS), float(margin or 1), self.words)

    def null(self, bare, continuing, name="null"):
        """Return the most frequent words, and the commonest remainders of all other words."""
        known, remainders = self.remainders(bare, name)
        return known, sorted(remainders, key=lambda r: (-remainders[r], r))[:continuing]

    def remainders(self, bare, name="null"):
        """Return the most frequent words, and the counts of the remainders of all other words.

        A remainder is what the longest of the frequent words leaves of a word that it begins. It
        counts as often as its words occur, or once for each of them in "null, words", or by the
        root of how often they occur in "null, roots"; with "tail", each word counts for TAIL
        occurrences more. With "letters", words may also begin with one letter.
        """
        known = [word for word in self.by_count if len(word) > 1][:bare]
        beginnings = {*known, *(LETTERS if "letters" in name else [])}
        remainders = Counter()
        for word, count in self.words.items():
            ends = range(len(word), 0, -1)
            end = next((end for end in ends if word[:end] in beginnings), None)
            if end is not None and len(word) - end > 1:
                worth = 1 if "words" in name else sqrt(count) if "roots" in name else count
                worth += TAIL if "tail" in name else 0
                remainders["##" + word[end:]] += worth
        return known, remainders

    def null_of_one_threshold(self, number, name):
        """Return at most `number` words and remainders that reach one frequency, by frequency."""

        def reach(threshold):
            bare = sum(len(w) > 1 and count >= threshold for w, count in self.words.items())
            known, remainders = self.remainders(bare, name)
            kept = [entry for entry, count in remainders.items() if count >= threshold]
            return self.by_frequency(known, kept, name)

        low, high = 0, max(self.words.values())
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if len(reach(middle)) > number else (low, middle)
        return reach(high)

    def by_frequency(self, bare, continuing, name="null"):
        """Return the entries of a null model, the most frequent first."""
        _, remainders = self.remainders(len(bare), name)
        entries = [*bare, *continuing]
        return sorted(entries, key=lambda e: (-(remainders.get(e) or self.words[e]), e))

    def top_down(self, rule, size):
        """Return a vocabulary of at most `size` entries, and within 0.2% of it if there is one.

        "tensor2tensor" is the form with ## of kwonmha/bert-vocab-builder. It follows the guide's
        rule, but the mark that begins a word is a character, so that whole words continue it in the
        first round. "tensor2tensor, its own" marks the ends of words instead, and keeps one count
        for a string, wherever in a word the string begins.
        """
        sizes = self.sizes[rule]
        while True:
            low = max(count for count, found in sizes.items() if found > size)
            high = min(count for count, found in sizes.items() if found <= size)
            if high - low <= 1 or size - sizes[high] <= size / 500:
                break
            middle = round((low * high) ** 0.5)
            middle = min(max(middle, low + 1), high - 1)
            sizes[middle] = len(self.learn(rule, middle))
        counts = self.learn(rule, high)
        return sorted(counts, key=lambda entry: (-counts[entry], entry))

    def learn(self, rule, min_count):
        """Return entries with their counts."""
        if rule == "tensor2tensor, its own":
            words = {word + "_": count for word, count in self.words.items()}
            suffixes = self.suffixes["tensor2tensor, its own"]
            entries = suffixes._keep(suffixes.all_suffixes, min_count)
            for _ in range(1, suffixes.rounds):
                entries = suffixes._keep(suffixes._cut(words, entries), min_count)
            return {text: count for text, count in entries.items() if START not in text}
        bare, continuing = self.suffixes[rule].learn(min_count)
        counts = {text.removeprefix(START): count for text, count in bare.items() if text != START}
        return counts | {"##" + t: count for t, count in continuing.items() if t != START}

    def unigram(self, size):
        """Return the entries that SentencePiece learns from seeds that include whole words.

        Its own seeds are the substrings that go on in two different ways, the end of the word being
        one. In a list of words, a whole word is among them only if it begins another.
        """
        from sentencepiece import SentencePieceTrainer

        with TemporaryDirectory() as folder:
            words, seeds, model = (str(Path(folder, name)) for name in ("words", "seeds", "model"))
            lines = "".join(f"{word}\t{count}\n" for word, count in self.words.items())
            Path(words).write_text(lines, encoding="utf-8")
            Path(seeds).write_text(self.seeds, encoding="utf-8")
            SentencePieceTrainer.train(
                input=words,
                input_format="tsv",
                seed_sentencepieces_file=seeds,
                model_prefix=model,
                model_type="unigram",
                vocab_size=size + 60,  # special tokens, and characters that are there twice
                character_coverage=1.0,
                normalization_rule_name="identity",
                num_threads=1,
                minloglevel=2,
            )
            lines = Path(model + ".vocab").read_text(encoding="utf-8").splitlines()[3:]
        pieces = [line.split("\t")[0] for line in lines]
        made = long_of(p[1:] if p[0] == "▁" else "##" + p for p in pieces if p != "▁")
        return CHARS + list(dict.fromkeys(made))[: size - len(CHARS)]


def prune(characters, merged, size, margin, words):
    """Return the characters and the `size` most used of the first `margin` times as many merges."""
    made = merged[: round(size * margin)]
    if margin == 1:
        return [*characters, *made]
    used, _ = use([*characters, *made], words)
    kept = set(sorted(made, key=lambda entry: -used[entry])[:size])
    return [*characters, *(entry for entry in made if entry in kept)]


def use(vocab, words):
    """Return how often longest match uses each entry, and how often at the end of a word."""
    vocabulary = Vocabulary(vocab)
    used, at_end = Counter(), Counter()
    for word, count in words.items():
        entries = vocabulary.cut(word)
        for entry in entries:
            used[entry] += count
        at_end[entries[-1]] += count
    return used, at_end


def describe(vocab, words):
    """Return the shares of 1 and 2, and the order of the ids, of a vocabulary of a–z."""
    known = set(vocab)
    vocab = [*vocab, *(char for char in CHARS if char not in known)]
    used, at_end = use(vocab, words)
    traces = find_traces(vocab)
    long = long_of(vocab)

    def is_seldom(entry, limit):
        return at_end[entry] < limit * used[entry]

    kinds = [[e for e in long if e.startswith("##") == is_continuing] for is_continuing in (0, 1)]
    return {
        "entries": len(long),
        "continuing": len(kinds[1]),
        "open": [round(o / max(of, 1), 4) for o, of in zip(traces.open, traces.long)],
        "in_no_list": share(kinds[0], lambda entry: entry not in words),
        "seldom_the_end": {
            str(limit): [share(kind, partial(is_seldom, limit=limit)) for kind in kinds]
            for limit in LIMITS
        },
        "ids": order_of_ids(vocab, words, used),
    }


def order_of_ids(vocab, words, used):
    """Return how many ids match their entries' frequency as words, and how many match the use.

    Only bare entries used at least four times as often as they occur as words are counted. The
    frequency that matches an id is the middle one of the 50 entries around it for which the two do
    not differ.
    """
    bare = [(p, e) for p, e in enumerate(vocab) if not e.startswith("##") and len(e) > 1]
    bare = [(place, entry) for place, entry in bare if entry in words]
    alike = [(p, log(words[e])) for p, e in bare if used[e] <= 1.02 * words[e]]
    by_word = by_use = 0
    for place, entry in bare:
        middle = bisect(alike, (place, 0))
        around = sorted(worth for _, worth in alike[max(middle - 25, 0) : middle + 25])
        if around and used[entry] >= 4 * words[entry]:
            fits = around[len(around) // 2]
            if abs(log(words[entry]) - fits) < abs(log(used[entry]) - fits):
                by_word += 1
            else:
                by_use += 1
    return [by_word, by_use]


def find_reconstruction():
    """Return the facts about each recipe's vocabulary of the same words, and the real ones."""
    words = read_words()
    real = {name: of_letters(name) for name in ENGLISH}
    size = len(real["bert-base-uncased"])
    recipes = Recipes(words, max(SIZES))
    merged = [
        rule + margin
        for margin in ("", *(f" × {margin:g}" for margin in MARGINS))
        for rule in ("frequency", "gain")
    ]
    names = ["code", "guide", "tensor2tensor", "unigram", *merged, *NULLS, "words"]
    continuing = count_continuing(real["bert-base-uncased"])
    made = {name: recipes.make(name, size, continuing) for name in names}
    facts = {"distinct_words": len(words), "size": size, "real": {}, "made": {}}
    facts["in_no_list"] = [e for e in real["bert-base-uncased"] if e[:2] != "##" and e not in words]
    for name, vocab in real.items():
        log_line("describe", name)
        facts["real"][name] = describe(vocab, words)
    for name, vocab in made.items():
        log_line("describe", name)
        facts["made"][name] = describe(vocab, words) | {
            "overlap": overlap(vocab, real["bert-base-uncased"])
        }
    facts["intervals"] = intervals(made, real["bert-base-uncased"])
    texts = {name: made[name] for name in ("code", "guide", "tensor2tensor", *NULLS, "words")}
    texts["tensor2tensor, its own"] = recipes.make("tensor2tensor, its own", size, None)
    facts["overlap_of_texts"] = {
        name: overlap_of_texts(vocab, real["bert-base-uncased"]) for name, vocab in texts.items()
    }
    split = split_of(made["code"])
    facts["at_the_codes_split"] = {
        name: overlap([*chain(*recipes.null(*split, name))], real["bert-base-uncased"])
        for name in NULLS
    }
    ends = {**real, "code": made["code"], "guide": made["guide"]}
    for name in CHECKS[-2:]:
        ends[name] = recipes.make(name, size, None)
    split = split_of(real["bert-base-uncased"])
    for name in NULLS:
        ends[name] = recipes.by_frequency(*recipes.null(*split, name))
    facts["last_tenth"] = {name: last_tenth(vocab) for name, vocab in ends.items()}
    facts["ids_of_dickens"] = ids_of_dickens(words, (8_000, size))
    facts["checks"] = find_checks(recipes, words, real["bert-base-uncased"])
    facts["cutoffs"] = find_cutoffs(words, real["bert-base-uncased"])
    facts["tails"] = find_tails(words, real["bert-base-uncased"])
    some = [
        "code",
        "guide",
        "tensor2tensor",
        "unigram",
        "frequency",
        "gain",
        "frequency × 1.5",
        "gain × 1.5",
        *NULLS,
        "words",
    ]
    facts["overlap"] = {}
    for name in ENGLISH:
        each = {}
        for recipe in some:
            size = len(set(real[name]) | set(CHARS))
            vocab = recipes.make(recipe, size, count_continuing(real[name]))
            each[recipe] = overlap(vocab, real[name])[0]
        facts["overlap"][name] = each
    facts["growth"] = {}
    for recipe in ("code", "guide", "gain × 1.5"):
        shares = {}
        for size in SIZES:
            traces = find_traces(recipes.make(recipe, size, None))
            shares[str(size)] = [
                round(o / max(of, 1), 4) for o, of in zip(traces.open, traces.long)
            ]
        facts["growth"][recipe] = shares
    return facts


def overlap_of_texts(made, real):
    """Return the Jaccard index of the long entries without their marks."""
    one, other = ({e.strip("#_") for e in vocab} - set(LETTERS) for vocab in (made, real))
    return round(len(one & other) / len(one | other), 4)


def intervals(made, real):
    """Return 95% intervals of each overlap with `real`, and of how far it is below the code's.

    The long entries of all the vocabularies are resampled with replacement RESAMPLES times.
    """
    sets = {name: set(long_of(vocab)) for name, vocab in {"BERT": real, **made}.items()}
    kinds = Counter(tuple(e in of for of in sets.values()) for e in set().union(*sets.values()))
    kinds = dict(sorted(kinds.items()))
    number = sum(kinds.values())
    # NumPy promises that RandomState gives the same numbers in every version.
    draws = np.random.RandomState(0).multinomial(
        number, np.array(list(kinds.values())) / number, RESAMPLES
    )
    rows = np.array(list(kinds))
    shares = {}
    for place, name in enumerate(sets):
        both, either = rows[:, 0] & rows[:, place], rows[:, 0] | rows[:, place]
        shares[name] = draws @ both / (draws @ either)

    def middle(values):
        return [round(float(end), 3) for end in np.percentile(values, [2.5, 97.5])]

    return {name: [middle(shares[name]), middle(shares["code"] - shares[name])] for name in made}


def find_checks(recipes, words, real):
    """Return the overlaps of variants with a real vocabulary, and some of their traces."""
    checks = {}
    for name in CHECKS:
        vocab = recipes.make(name, len(real), count_continuing(real))
        checks[name] = {
            "overlap": overlap(vocab, real),
            "parts_first": round(find_traces(vocab).parts_first, 4),
            "split": split_of(vocab),
        }
        if "×" in name:
            traces = describe(vocab, words)
            checks[name]["seldom_the_end"] = traces["seldom_the_end"]["0.05"]
            checks[name]["ids"] = traces["ids"]
    return checks


def find_cutoffs(words, real):
    """Return the overlaps with a real vocabulary, when rarer words are left out."""
    facts = {}
    for cutoff in CUTOFFS:
        some = {word: count for word, count in words.items() if count >= cutoff}
        names = "code", "guide", "tensor2tensor", "gain × 1.5", *NULLS, "words"
        facts[str(cutoff)] = {"distinct_words": len(some), **overlaps(names, some, real)}
    return facts


def find_tails(words, real):
    """Return the overlaps with a real vocabulary, when every word occurs more often."""
    facts = {}
    for tail in TAILS:
        more = {word: count + tail for word, count in words.items()}
        facts[str(tail)] = overlaps(("code", *NULLS), more, real)
    return facts


def overlaps(names, words, real):
    """Return the overlap with a real vocabulary of each recipe, made from the words."""
    recipes, continuing = Recipes(words, len(real)), count_continuing(real)
    return {name: overlap(recipes.make(name, len(real), continuing), real)[0] for name in names}


def count_continuing(vocab):
    """Return how many long entries have ##."""
    return sum(entry.startswith("##") for entry in long_of(vocab))


def split_of(vocab):
    """Return how many long entries are bare, and how many have ##."""
    continuing = count_continuing(vocab)
    return len(long_of(vocab)) - continuing, continuing


def last_tenth(vocab):
    """Return the share of entries with ## in the last tenth of the long entries."""
    long = long_of(vocab)
    return share(long[-(len(long) // 10) :], lambda entry: entry.startswith("##"))


def ids_of_dickens(words, sizes):
    """Return which frequency the ids match in top-down vocabularies of another text.

    For each rule and each largest size: how many entries of a–z there are, and the ids by the
    frequencies of `words`, and by those of the text itself.
    """
    dickens = load_corpus("dickens").word_counts
    own = Counter()
    for word, count in dickens.items():
        if re.fullmatch("[a-z]+", word.lower()):
            own[word.lower()] += count
    ids = {"guide": {}, "code": {}}
    for (rule, of), discount in zip(ids.items(), ("kept", "all")):
        for size in sizes:
            log_line("Dickens", rule, size)
            min_count = find_min_count(dickens, size, discount=discount)
            vocab = train_top_down(dickens, min_count=min_count, discount=discount)
            letters = letters_of(VocabularyFile(vocab, "##", False))
            by_list, by_text = (describe(letters, counts)["ids"] for counts in (words, own))
            of[str(size)] = {"entries": len(letters), "list": by_list, "text": by_text}
    return ids


def overlap(made, real):
    """Return the Jaccard indexes of all long entries, the bare ones, and the continuing ones."""
    shares = []
    for kind in ((False, True), (False,), (True,)):
        one, other = (
            {e for e in long_of(vocab) if e.startswith("##") in kind} for vocab in (made, real)
        )
        shares.append(round(len(one & other) / max(len(one | other), 1), 4))
    return shares


def long_of(vocab):
    """Return the entries of two or more characters that are not special tokens."""
    return [e for e in vocab if len(e.removeprefix("##")) > 1 and not e.startswith("[")]


def share(entries, is_one):
    """Return the share of the entries for which `is_one` is true."""
    return round(sum(map(is_one, entries)) / max(len(entries), 1), 4)


def log_line(*values):
    """Print the current step to stderr."""
    print(*values, file=sys.stderr, flush=True)


def write(name, facts):
    """Write facts to a file, one line for each fact of the second level."""
    parts = (
        f"{json.dumps(key)}: "
        + (
            "{\n" + ",\n".join(f"  {json.dumps(k)}: {dump(v)}" for k, v in fact.items()) + "\n}"
            if isinstance(fact, dict)
            else dump(fact)
        )
        for key, fact in facts.items()
    )
    content = "{\n" + ",\n".join(parts) + "\n}\n"
    write_atomically(DATASETS / "vocabularies" / name, content.encode())


def dump(value):
    """Return JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    write("controls.json", find_controls())
    if "controls" not in sys.argv:
        write("reconstruction.json", find_reconstruction())
