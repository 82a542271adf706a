"""Vocabularies of other models → what they show about their origins, for notebooks 11 and 12.

From the repository's folder: `python datasets/make_vocabulary_facts.py`, with the extra "facts".
The vocabularies are downloaded, or taken from WPEDU_DATA. vocabularies/controls.json takes a
minute, and vocabularies/reconstruction.json half an hour. With `controls` as an argument, the
command makes only the first, and needs no extra.

BERT's vocabulary is rebuilt from the lists of words in vocabularies/lists.toml, which also says
what was fixed beforehand. Only entries of a–z count, and the result has as many as BERT's, or up to
1% fewer.
"""

import gzip
import json
import re
import runpy
import sys
import tomllib
from bisect import bisect
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache, cached_property, partial
from importlib.resources import files
from itertools import chain, permutations
from math import log, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

from wpedu import load_corpus, train_bert_vocab
from wpedu._support.files import write_atomically
from wpedu.bert import SPECIAL_TOKENS
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
CUTOFFS = [30, 100, 300]  # of 10^9 words; wordfreq's list ends at 10
NULLS = ["null", "null, words"]
VARIANTS = [
    *("null, letters", "null, words, letters", "null, roots", "null, roots, letters"),
    *("null, one threshold", "null, one threshold, tail"),
]
TRIAL = {  # the mixtures of a review's trial, and the other way round; lists.toml has their mean
    "wordfreq and Wikipedia of 2012, 25 : 75": {"wordfreq": 1, "wikipedia-2012": 3},
    "wordfreq and Wikipedia of 2012, 75 : 25": {"wordfreq": 3, "wikipedia-2012": 1},
}
TAILS = [100, 300]  # occurrences added to each word, for the rarer words that the list lacks
MARGINS = [1.2, 1.5, 2]
LISTS = tomllib.loads((DATASETS / "vocabularies" / "lists.toml").read_text(encoding="utf-8"))
RULES = [  # what one worker makes from a list
    *(["code"], ["guide", "tensor2tensor"], ["unigram"]),
    *([rule, *(f"{rule} × {margin:g}" for margin in MARGINS)] for rule in ("frequency", "gain")),
    ["null", "null, words", "words"],
]
SIZES = [8_000]  # of vocabularies by the code's rule, as from Dickens
LIMITS = [0.01, 0.05, 0.1, 0.2]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CHARS = [*LETTERS, *("##" + letter for letter in LETTERS)]


def read(name):
    """Return the vocabulary registered under a name."""
    return read_vocabulary(registered_files(name)[0].fetch())


def find_controls():
    """Return the row of each vocabulary, and the facts about BERT's."""
    dickens = dict(of_dickens())
    return {
        "vocabularies": {name: row_of(read(name)) for name in NAMES},
        "of_dickens": {name: row_of(VocabularyFile(v, "##", False)) for name, v in dickens.items()},
        "parts_first_by_use": {name: parts_first_by_use(v) for name, v in dickens.items()},
        "bert": facts_of(read("bert-base-uncased").entries),
    }


def parts_first_by_use(vocab):
    """Return the share of entries whose parts come first, if Dickens's use gives the order."""
    used, _ = use(vocab, load_corpus("dickens").word_counts)
    return round(find_traces(sorted(vocab, key=lambda entry: -used[entry])).parts_first, 6)


def row_of(file):
    """Return the row of a vocabulary in the control table."""
    traces, entries = find_traces(file.entries), set(file.entries)
    characters = [entry for entry in file.entries if len(entry) == 1]
    return {
        "marker": file.marker,
        "characters": len(characters),
        "in_both_forms": sum("##" + char in entries for char in characters),
        **traces._asdict(),
        "parts_first": round(traces.parts_first, 6),
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


def read_words(name="wordfreq"):
    """Return how often each word of a–z occurs among 10^9, in a list or a mixture of lists."""
    if shares := LISTS[name].get("of"):
        return mix(shares)
    if name == "wordfreq":
        from wordfreq import get_frequency_dict

        counts, total = get_frequency_dict("en", wordlist="large"), 1
    elif name == "wikipedia-2012":
        from wikiwords.occdb import db as counts
    else:
        package, path = {
            "wikipedia-2021": ("pywordfreq", "word_frequencies.gz"),
            "books": ("symspellpy", "frequency_dictionary_en_82_765.txt"),
        }[name]
        content = files(package).joinpath(path).read_bytes()
        text = gzip.decompress(content) if path.endswith(".gz") else content
        lines = re.findall("(?m)^([a-z]+)[ ;]([0-9]+)$", text.decode("utf-8-sig").replace("\r", ""))
        counts = {word: int(count) for word, count in lines}
    counts = {word: count for word, count in counts.items() if re.fullmatch("[a-z]+", word)}
    if name != "wordfreq":
        total = sum(counts.values())
    words = {word: round(count / total * 1e9) for word, count in counts.items()}
    return {word: n for word, n in words.items() if n >= LISTS[name].get("cutoff", 1)}


def mix(shares):
    """Return how often each word of a–z occurs among 10^9, in a mixture of lists."""
    parts = [(read_words(part), share / sum(shares.values())) for part, share in shares.items()]
    words = dict.fromkeys(chain.from_iterable(words for words, _ in parts))
    return {w: round(sum(words.get(w, 0) * of for words, of in parts)) for w in words}


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
            "guide": partial(Suffixes, words, 50, 4, "kept"),
            "code": partial(Suffixes, words, 50, 4, "all"),
            "tensor2tensor": partial(
                Suffixes, {START + w: n for w, n in words.items()}, 51, 4, "kept"
            ),
        }
        self.sizes = {rule: {1: 10**9, 10**9: 0} for rule in ("guide", "code")}
        self.by_count = sorted(words, key=lambda word: (-words[word], word))
        self.vocab_size = 2 * largest + 5
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
        root of how often they occur in "null, roots"; with "tail", each word counts for TAILS[0]
        occurrences more. With "letters", words may begin with one.
        """
        known = [word for word in self.by_count if len(word) > 1][:bare]
        beginnings = {*known, *(LETTERS if "letters" in name else [])}
        remainders = Counter()
        for word, count in self.words.items():
            ends = range(len(word), 0, -1)
            end = next((end for end in ends if word[:end] in beginnings), None)
            if end is not None and len(word) - end > 1:
                worth = 1 if "words" in name else sqrt(count) if "roots" in name else count
                remainders["##" + word[end:]] += worth + (TAILS[0] if "tail" in name else 0)
        return known, remainders

    def null_of_one_threshold(self, number, name):
        """Return at most `number` words and remainders that reach one frequency."""

        def reach(threshold):
            bare = sum(len(w) > 1 and count >= threshold for w, count in self.words.items())
            known, remainders = self.remainders(bare, name)
            return known + [entry for entry, count in remainders.items() if count >= threshold]

        low, high = 0, max(self.words.values())
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if len(reach(middle)) > number else (low, middle)
        return reach(high)

    def top_down(self, rule, size):
        """Return a vocabulary of at most `size` entries, and within 0.2% of it if there is one.

        "tensor2tensor" is the form with ## of kwonmha/bert-vocab-builder. It follows the guide's
        rule, but the mark that begins a word is a character, so that whole words continue it in the
        first round. It has the guide's threshold.
        """
        sizes = self.sizes["guide" if rule == "tensor2tensor" else rule]
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
        if isinstance(self.suffixes[rule], partial):
            self.suffixes[rule] = self.suffixes[rule]()
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
    """Return which kinds of entries a vocabulary of a–z has, and what the order of its ids fits."""
    vocab = list(dict.fromkeys([*vocab, *CHARS]))
    used, at_end = use(vocab, words)
    long = long_of(vocab)

    def is_seldom(entry, limit):
        return at_end[entry] < limit * used[entry]

    kinds = [[e for e in long if e.startswith("##") == is_continuing] for is_continuing in (0, 1)]
    return count_open(vocab) | {
        "in_no_list": share(kinds[0], lambda entry: entry not in words),
        "seldom_the_end": {
            str(limit): [share(kind, partial(is_seldom, limit=limit)) for kind in kinds]
            for limit in LIMITS
        },
        "ids": order_of_ids(vocab, words, used),
    }


def count_open(vocab):
    """Return the number of long entries, of those with ##, and the shares that are open."""
    traces = find_traces(list(dict.fromkeys([*vocab, *CHARS])))
    return {
        "entries": sum(traces.long),
        "continuing": traces.long[1],
        "open": [round(o / max(of, 1), 6) for o, of in zip(traces.open, traces.long)],
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
    """Return the facts about the vocabularies made from each list, and about the real ones."""
    controls = [*ENGLISH[1:], "TensorFlow Text's program", "gain × 2"]
    registered_files("tf-text-program")[0].fetch()  # or fail now, not in half an hour
    with ProcessPoolExecutor() as pool:
        rest = {"overlap": [pool.submit(find_overlaps, controls[i::3]) for i in range(3)]}
        scores = "frequency", "gain"
        rest["pruned_harder"] = [pool.submit(prune_harder, score) for score in scores]
        for name, find in FINDERS.items():
            rest[name] = [pool.submit(find)]
        made = {name: [pool.submit(make_from, name, rules) for rules in RULES] for name in LISTS}
        real = {name: pool.submit(find_real, name) for name in LISTS}
        made = {name: [task.result() for task in tasks] for name, tasks in made.items()}
        real = {name: task.result() for name, task in real.items()}
        vocabs = {
            name: {k: v for of, _ in parts for k, v in of.items()} for name, parts in made.items()
        }
        own = {name: vocab for name, vocab in vocabs.items() if "of" not in LISTS[name]}
        splits = {name: split_of(vocab["code"]) for name, vocab in vocabs.items()}
        rest["variants"] = [pool.submit(find_variants, name, of) for name, of in splits.items()]
        rest["ids_by_others"] = [pool.submit(ids_by_others, own, by) for by in own]
        leads = {by: pool.submit(find_leads, own, by) for by in own}
        rest = {
            name: {k: v for task in tasks for k, v in task.result().items()}
            for name, tasks in rest.items()
        }
        leads = {by: task.result() for by, task in leads.items()}
    rest["overlap"] = {name: rest["overlap"][name] for name in controls}
    rows = {name: {k: v for _, of in parts for k, v in of.items()} for name, parts in made.items()}
    return {
        "size": len(of_letters("bert-base-uncased")),
        "lists": {name: real[name] | {"made": rows[name]} for name in LISTS},
        "recognized": {
            rule: {k: v for of in leads.values() for k, v in of["recognized"][rule].items()}
            for rule in chain(*RULES)
        },
        "recognized_recipe": find_recognized(own),
        "leads": {by: of["leads"] for by, of in leads.items()},
        **rest,
    }


@cache
def recipes_of(name):
    """Return the recipes for the words of a list."""
    return Recipes(read_words(name), len(of_letters("bert-base-uncased")))


def make_from(name, rules):
    """Return what some rules make from a list, at the size of BERT's, and the facts about it."""
    bert, recipes, made, rows = of_letters("bert-base-uncased"), recipes_of(name), {}, {}
    for rule in rules:
        made[rule] = vocab = recipes.make(rule, len(bert), count_continuing(bert))
        row = describe(vocab, recipes.words) if name == "wordfreq" else count_open(vocab)
        rows[rule] = row | {"overlap": overlap(vocab, bert)}
        log_line(name, rule, rows[rule])
    return made, rows


def find_real(name):
    """Return the facts about the real vocabularies by the words of a list."""
    words = read_words(name)
    some = ENGLISH if name == "wordfreq" else ENGLISH[:4]
    bert = of_letters("bert-base-uncased")
    return {
        "distinct_words": len(words),
        "rarest": min(words.values()),
        "longest_word": max(map(len, words)),
        "in_no_list": [e for e in long_of(bert) if e[:2] != "##" and e not in words],
        "real": {of: describe(of_letters(of), words) for of in some},
    }


def idea_of(recipe):
    """Return the idea of a recipe, as the report pools them.

    Ideas are "merged", "pruned", "guide" (with Tensor2Tensor's rule), "code", "unigram" and "null".
    """
    rule, _, margin = recipe.partition(" × ")
    merged = "pruned" if margin else "merged"
    names = {"frequency": merged, "gain": merged, "tensor2tensor": "guide", "words": "null"}
    return names.get(rule, rule.partition(",")[0])


def find_recognized(made):
    """Return, for each recipe and each pair of lists, the recipe's own lead, and its rival.

    A vocabulary made from one list is compared with those that all recipes make from another. The
    lead is that of its own recipe over the nearest other, its rival.
    """
    sets = sets_of(made)
    return {
        rule: {
            f"{of} by {by}": lead_of(rule, nearness(sets[of][rule], sets[by], str))
            for of, by in permutations(made, 2)
        }
        for rule in chain(*RULES)
    }


def find_leads(made, by):
    """Return the leads of ideas by the words of one list, each over the nearest other idea.

    They are those of each recipe's idea, for what the recipe made from each other list; and those
    of the code's rule, with the square root among the null models, for BERT's vocabulary and for
    what the code's rule and each null model made. Null models are told the split of the vocabulary
    that is compared.
    """
    bert, sets = of_letters("bert-base-uncased"), sets_of(made)
    others = [of for of in made if of != by]
    for of in others:
        sets[of]["null, roots"] = {*chain(*recipes_of(of).null(*split_of(bert), "null, roots"))}

    def near(entries, nulls):
        split = split_of(entries)
        log_line("leads by", by, *split)
        told = {name: {*chain(*recipes_of(by).null(*split, name))} for name in nulls}
        return nearness(entries, sets[by] | told, idea_of)

    def code(entries):
        return lead_of("code", near(entries, [*NULLS, "null, roots"]))[0]

    return {
        "recognized": {
            rule: {
                f"{of} by {by}": lead_of(idea_of(rule), near(sets[of][rule], NULLS))
                for of in others
            }
            for rule in chain(*RULES)
        },
        "leads": {"BERT": code(set(long_of(bert)))}
        | {
            rule: {of: code(sets[of][rule]) for of in others}
            for rule in ("code", *NULLS, "null, roots")
        },
    }


def lead_of(name, near):
    """Return the lead of a name over the nearest other, and that one's name."""
    share, rival = max((share, other) for other, share in near.items() if other != name)
    return [round(near[name] - share, 6), rival]


def sets_of(made):
    """Return the sets of the long entries of vocabularies, by list and rule."""
    return {
        of: {rule: set(long_of(v)) for rule, v in vocabs.items()} for of, vocabs in made.items()
    }


def nearness(target, sets, idea):
    """Return the largest overlap of a set of entries with those of each idea."""
    near = {}
    for rule, entries in sets.items():
        share = len(target & entries) / len(target | entries)
        near[idea(rule)] = max(near.get(idea(rule), 0), share)
    return near


def find_variants(name, split):
    """Return the overlaps of variants of the null models, one told the code's split, on a list."""
    recipes, bert = recipes_of(name), of_letters("bert-base-uncased")
    made = {of: recipes.make(of, len(bert), count_continuing(bert)) for of in VARIANTS}
    for of in (*NULLS, "null, roots"):
        made[f"{of}, at the code's split"] = [*chain(*recipes.null(*split, of))]
    return {name: {of: overlap(vocab, bert) for of, vocab in made.items()}}


def prune_harder(score):
    """Return the overlap and parts first, when three or four times as many are merged."""
    bert, facts = of_letters("bert-base-uncased"), {}
    recipes = Recipes(read_words(), 2 * len(bert))
    for name in (f"{score} × 3", f"{score} × 4"):
        made = recipes.make(name, len(bert), None)
        parts_first = round(find_traces(made).parts_first, 6)
        facts[name] = {"overlap": overlap(made, bert), "parts_first": parts_first}
    return facts


def ids_by_others(made, by):
    """Return which frequency of one list the ids match in what is made from the others."""
    words, facts = read_words(by), {}
    for of in made:
        if of != by:
            some = {rule: made[of][rule] for rule in ("code", "guide", "null")}
            facts[f"{of} by {by}"] = {r: describe(v, words)["ids"] for r, v in some.items()}
    return facts


def find_overlaps(names):
    """Return controls' overlaps with what some rules make from Wikipedia of 2012, at their sizes.

    wordfreq's list is nearly three times as long, and each rule would take as much longer.
    """
    controls = {name: of_letters(name) for name in names if name in ENGLISH}
    if "TensorFlow Text's program" in names:
        controls["TensorFlow Text's program"] = run_program()
    if "gain × 2" in names:
        pruned = dict(of_dickens())["gain × 2"]
        controls["gain × 2"] = letters_of(VocabularyFile(pruned, "##", False))
    recipes = Recipes(read_words("wikipedia-2012"), max(map(len, controls.values())))
    rules = "code", "guide", "unigram", "frequency", "gain", "gain × 2", *NULLS, "null, roots"
    facts = {}
    for name, vocab in controls.items():
        size, continuing = len(set(vocab) | set(CHARS)), count_continuing(vocab)
        facts[name] = {
            rule: overlap(recipes.make(rule, size, continuing), vocab)[0] for rule in rules
        }
        log_line(name, facts[name])
    return facts


def run_program():
    """Return what TensorFlow Text's program learns from Dickens, as ours does."""
    program = runpy.run_path(str(registered_files("tf-text-program")[0].fetch()))
    counts = of_dickens_letters()
    min_count = find_min_count(counts, 8_000, discount="all")
    settings = dict.fromkeys(program["Params"]._fields) | {
        "num_iterations": 4,
        "max_token_length": 50,
        "include_joiner_token": True,
        "joiner": "##",
        "reserved_tokens": SPECIAL_TOKENS,
    }
    params = program["Params"](**settings)
    learned = program["learn_with_thresh"](list(counts.items()), min_count, params)
    assert learned == train_top_down(counts, min_count=min_count, discount="all")
    return letters_of(VocabularyFile(learned, "##", False))


def find_cutoffs():
    """Return the overlaps with BERT's vocabulary, when rarer words of wordfreq are left out."""
    words = read_words()
    some = {c: {word: count for word, count in words.items() if count >= c} for c in CUTOFFS}
    return {str(c): {"distinct_words": len(some[c]), **overlaps(some[c])} for c in CUTOFFS}


def find_tails():
    """Return the overlaps with BERT's vocabulary, when every word of wordfreq occurs more often."""
    words = read_words()
    return {str(t): overlaps({word: count + t for word, count in words.items()}) for t in TAILS}


def find_trial():
    """Return the overlaps with BERT's vocabulary, from mixtures that a review tried."""
    return {name: overlaps(mix(shares), [*NULLS, "null, roots"]) for name, shares in TRIAL.items()}


def find_open_at():
    """Return the rows of what the code's rule makes from wordfreq at smaller sizes."""
    recipes = recipes_of("wordfreq")
    return {str(size): count_open(recipes.make("code", size, None)) for size in SIZES}


def overlaps(words, nulls=NULLS):
    """Return overlaps of the code's rule and null models, and the rule's number of ## entries."""
    real = of_letters("bert-base-uncased")
    recipes, continuing = Recipes(words, len(real)), count_continuing(real)
    made = {name: recipes.make(name, len(real), continuing) for name in ("code", *nulls)}
    facts = {name: overlap(vocab, real)[0] for name, vocab in made.items()}
    return facts | {"continuing": count_continuing(made["code"])}


def count_continuing(vocab):
    """Return how many long entries have ##."""
    return sum(entry.startswith("##") for entry in long_of(vocab))


def split_of(vocab):
    """Return how many long entries are bare, and how many have ##."""
    continuing = count_continuing(vocab)
    return len(long_of(vocab)) - continuing, continuing


def ids_of_dickens():
    """Return which frequency the ids match in top-down vocabularies of another text.

    For each rule and each largest size: how many entries of a–z there are, and the ids by the
    frequencies of wordfreq, and by those of the text itself.
    """
    words, sizes = read_words(), (8_000, len(of_letters("bert-base-uncased")))
    dickens, own = load_corpus("dickens").word_counts, of_dickens_letters()
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


def of_dickens_letters():
    """Return how often each word of a–z occurs in Dickens, in lowercase."""
    counts = Counter()
    for word, count in load_corpus("dickens").word_counts.items():
        if re.fullmatch("[a-z]+", word.lower()):
            counts[word.lower()] += count
    return counts


def overlap(made, real):
    """Return the Jaccard indexes of all long entries, the bare ones, and the continuing ones."""
    shares = []
    for kind in ((False, True), (False,), (True,)):
        one, other = (
            {e for e in long_of(vocab) if e.startswith("##") in kind} for vocab in (made, real)
        )
        shares.append(round(len(one & other) / max(len(one | other), 1), 6))
    return shares


def long_of(vocab):
    """Return the entries of two or more characters that are not special tokens."""
    return [e for e in vocab if len(e.removeprefix("##")) > 1 and not e.startswith("[")]


def share(entries, is_one):
    """Return the share of the entries for which `is_one` is true."""
    return round(sum(map(is_one, entries)) / max(len(entries), 1), 6)


FINDERS = {
    "cutoffs": find_cutoffs,
    "tails": find_tails,
    "ids_of_dickens": ids_of_dickens,
    "trial": find_trial,
    "open_at": find_open_at,
}


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
