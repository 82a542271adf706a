"""The measures are what they say; where it is decided rather than counted, a second way agrees."""

from collections import Counter, defaultdict
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wpedu import (
    BertTokenizer,
    LoopEncoder,
    build_vocab,
    pretokenize,
    to_bert_vocab,
    train,
    train_bert_vocab,
)
from wpedu.vocabularies import (
    Vocabulary,
    count_tokens,
    find_traces,
    greedy_cost,
    multi_character_entries,
    open_entries,
    tokens_per_word,
    unreachable_entries,
)

FIVE_WORDS = {"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}
CHARS = ["s", "e", "a", "t", "##s", "##e", "##a", "##t"]

pieces = st.lists(st.text("ab!", min_size=1, max_size=3), unique=True, max_size=8)
berts_vocabs = st.builds(
    lambda x, y: ["a", "b", "!", "##a", *x, *("##" + p for p in y)], pieces, pieces
)
our_vocabs = st.builds(lambda x, y: ["▁", "a", "b", "!", *y, *("▁" + p for p in x)], pieces, pieces)
word_counts = st.dictionaries(st.text("ab", min_size=1, max_size=7), st.integers(1, 9), min_size=1)


# A second implementation of each, written for nothing but to be different.


def shortest_by_trying(text, is_piece, start=0):
    """The fewest pieces, by trying every way to cut, longest first, from the right end."""
    ways = [len(text) + 1] if start < len(text) else [0]
    for end in range(len(text), start, -1):
        if is_piece(text[start:end], start):
            ways.append(1 + shortest_by_trying(text, is_piece, end))
    return min(ways)


def cut(vocab, word):
    """What longest match gives, by a loop as in BERT's own tokenization.py; [] if it finds none."""
    mark = "▁" if any(entry.startswith("▁") for entry in vocab) else ""
    text, start, output = mark + word, 0, []
    while start < len(text):
        for end in range(len(text), start, -1):
            piece = text[start:end]
            entry = "##" + piece if start and not mark else piece
            if entry in vocab and (start or piece.startswith(mark)):
                break
        else:
            return []
        output.append(entry)
        start = end
    return output


ALL_WORDS = ["".join(letters) for n in range(1, 8) for letters in product("ab", repeat=n)] + ["!"]


@given(st.one_of(berts_vocabs, our_vocabs))
def test_unreachable_entries_are_those_that_no_word_gives(vocab):
    found = {entry for word in ALL_WORDS for entry in cut(set(vocab), word)}
    assert unreachable_entries(vocab, pretokenize) == [
        entry for entry in dict.fromkeys(vocab) if entry not in found
    ]


@given(berts_vocabs)
def test_without_a_normalization_longest_match_reaches_every_entry_of_berts(vocab):
    assert unreachable_entries(vocab) == []


def test_a_lone_mark_may_be_unreachable():
    assert unreachable_entries(["▁", "a", "b", "▁a", "▁b"]) == ["▁"]
    assert unreachable_entries(["▁", "a", "b", "▁a"]) == []


@given(berts_vocabs.map(lambda vocab: [*vocab, "##b"]), word_counts)
def test_greedy_costs_what_trying_all_segmentations_says(vocab, word_counts):
    entries = set(vocab)

    def is_piece(text, start):
        return ("##" + text if start else text) in entries

    tokens = {word: len(cut(entries, word)) for word in word_counts}
    fewest = {word: shortest_by_trying(word, is_piece) for word in word_counts}
    types = sum(tokens.values()) / sum(fewest.values()) - 1
    weighed = sum(tokens[w] * n for w, n in word_counts.items())
    weighed = weighed / sum(fewest[w] * n for w, n in word_counts.items()) - 1
    assert greedy_cost(vocab, word_counts) == pytest.approx((types, weighed))


# One vocabulary in two spellings, and facts known of it.


def test_ours_and_berts_spelling_measure_the_same(homer):
    words = dict(list(homer.word_counts.items())[:2000])
    vocab = build_vocab(words, train(words, 200))
    ours = [LoopEncoder(vocab).encode("▁" + word) for word in words]
    assert count_tokens(vocab, words) == sum_up(ours, words.values())
    tokenizer = BertTokenizer.from_wordpiece(vocab)
    theirs = [tokenizer.tokenize(word) for word in words]
    assert count_tokens(list(tokenizer.vocab), words) == sum_up(theirs, words.values())


def sum_up(outputs, counts):
    total = Counter()
    for output, count in zip(outputs, counts):
        for entry in output:
            total[entry] += count
    return total


def test_a_vocabulary_tells_only_of_its_own_entries():
    vocabulary = Vocabulary(["[UNK]", "s", "sea", "##a", "##s", "sea"])
    assert vocabulary.entries == ["s", "sea", "##a", "##s"]
    for ask in (vocabulary.text, vocabulary.cuts, vocabulary.is_open):
        with pytest.raises(ValueError, match="'seas' is not in the vocabulary: give one of its"):
            ask("seas")
        with pytest.raises(TypeError, match="entry must be a str, not list"):
            ask(["sea"])
    with pytest.raises(ValueError, match="the word 'seat' cannot be cut into entries"):
        vocabulary.cut("seat")


# Closed vocabularies.


@pytest.mark.parametrize("score", ["gain", "ratio", "frequency", "likelihood"])
def test_our_trainers_leave_closed_vocabularies(homer, score):
    assert open_entries(build_vocab(homer.word_counts, train(homer.word_counts, 1000, score))) == []
    assert open_entries(train_bert_vocab(homer.word_counts, 1000, score)) == []


def not_two_texts(texts):
    """The texts of two or more characters that are not two of the texts, by concatenation."""
    known, ways = set(texts), defaultdict(set)
    for text in known:
        for end in range(1, len(text)):
            ways[text].add((text[:end], text[end:]))
    return {text for text in ways if not any(x in known and y in known for x, y in ways[text])}


def learn(name, words, **keywords):
    """What a trainer of Hugging Face's tokenizers learns from the words, in the order of ids."""
    tokenizers = pytest.importorskip("tokenizers")
    model = tokenizers.models.BPE() if name == "BpeTrainer" else tokenizers.models.WordPiece()
    tokenizer = tokenizers.Tokenizer(model)
    trainer = getattr(tokenizers.trainers, name)(show_progress=False, **keywords)
    tokenizer.train_from_iterator(words, trainer)
    vocab = tokenizer.get_vocab()
    return sorted(vocab, key=vocab.get)


HUGGING_FACES = pytest.mark.parametrize("name", ["BpeTrainer", "WordPieceTrainer"])


@HUGGING_FACES
def test_when_marks_are_ignored_merging_leaves_two_texts_wherever_it_writes_them(homer, name):
    merged = build_vocab(homer.word_counts, train(homer.word_counts, 3000))
    assert not_two_texts([entry.removeprefix("##") for entry in to_bert_vocab(merged)]) == set()

    marks = {"end_of_word_suffix": "</w>", "continuing_subword_prefix": ""}
    vocab = learn(name, homer.word_counts, vocab_size=3000, **marks)
    texts = [entry.removesuffix("</w>") for entry in vocab]
    assert len(set(texts)) < len(texts) and not_two_texts(texts) == set()


@pytest.mark.parametrize("prefix", ["", "##"])
@HUGGING_FACES
def test_the_trainers_of_hugging_face_leave_closed_vocabularies(homer, name, prefix):
    words = [("" if prefix else "▁") + word for word in homer.word_counts]
    keywords = {"continuing_subword_prefix": prefix, "special_tokens": ["[UNK]"]}
    vocab = learn(name, words, vocab_size=3000, **keywords)
    assert len(multi_character_entries(vocab)) > 2000
    assert open_entries(vocab) == []


def test_without_marks_an_entry_may_stand_anywhere(homer):
    vocab = ["a", "b", "c", "ab", "abc", "cab"]
    assert open_entries(vocab) == [] and open_entries([*vocab, "aca"]) == ["aca"]
    assert dict(count_tokens(vocab, {"abab": 2, "cabc": 1})) == {"ab": 4, "cab": 1, "c": 1}
    assert unreachable_entries(vocab) == []
    assert open_entries(learn("BpeTrainer", homer.word_counts, vocab_size=1000)) == []


words_in_two_cases = st.dictionaries(
    st.text("abAB", min_size=1, max_size=6), st.integers(1, 9)
).map(lambda words: {"b": 1, **words})


@given(words_in_two_cases, words_in_two_cases)
def test_what_is_done_to_a_merged_vocabulary_opens_nothing(some, others):
    """Lowercasing (letter for letter), leaving a character out, and a union; not so pruning."""
    first, second = train_bert_vocab(some, 40), train_bert_vocab(others, 40, "frequency")
    assert open_entries([entry.lower() for entry in first if entry[0] != "["]) == []
    assert open_entries([entry for entry in first if "A" not in entry]) == []
    assert open_entries(list(dict.fromkeys(first + second))) == []


def test_ids_decide_the_order_not_the_mapping():
    ids = {"sea": 9, "##a": 4, "s": 0, "##e": 2, "##ea": 7}
    in_order = ["s", "##e", "##a", "##ea", "sea"]
    assert Vocabulary(ids).entries == in_order
    ids |= {"ships": 8, "##ips": 5, "sh": 1}  # whose parts come first by id alone
    assert find_traces(ids).parts_first == 1.0
    with pytest.raises(ValueError, match="two entries of vocab have the same id: give each its"):
        Vocabulary({"s": 1, "##e": 1})
    with pytest.raises(TypeError, match="the id of 's' must be an int"):
        Vocabulary({"s": "1"})


def test_special_tokens_are_not_counted():
    assert multi_character_entries(["[UNK]", "[unused1]", "[", "]", "a", "ab", "##a", "[]"]) == [
        "ab",
        "[]",
    ]
    assert open_entries(["[UNK]", "a", "##b"]) == []


MEASURES = [count_tokens, tokens_per_word, greedy_cost]


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__name__)
def test_bad_input_has_one_clear_sentence(measure):
    with pytest.raises(ValueError, match="word_counts is empty: give words to measure on"):
        measure(CHARS, {})
    with pytest.raises(ValueError, match=r"the word 'seen' cannot be cut .*: leave it"):
        measure(CHARS, {"sea": 1, "seen": 1})
    with pytest.raises(TypeError, match="word_counts must be a dict, not str"):
        measure(CHARS, "sea")


def test_a_vocabulary_has_single_characters():
    with pytest.raises(ValueError, match=r"vocab has no single characters: .* so add them"):
        open_entries(["[UNK]", "sea", "##ea"])
    with pytest.raises(TypeError, match="vocab must be an iterable of str, not one str"):
        open_entries("sea")


def test_normalize_gives_a_list_of_words():
    assert unreachable_entries(CHARS, lambda text: (text,)) == []
    with pytest.raises(TypeError, match="what normalize gives must be an iterable of str, not one"):
        unreachable_entries(CHARS, str.lower)
