"""Training in `##` notation agrees with published vocabularies and with other trainers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from wpedu import merge_pair, pair_gains, to_bert, train_bert_vocab
from wpedu.scores import SCORES

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

# Hugging Face course, chapter 6, section 6: a toy corpus, and the words of four sentences.
TOY = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
SENTENCES = dict.fromkeys(
    "This is the Hugging Face Course . chapter about tokenization section shows several tokenizer "
    "algorithms Hopefully , you will be able to understand how they are trained and generate "
    "tokens".split(),
    1,
) | {"This": 3, "is": 2, ".": 4}
PUBLISHED = (
    "ab ##fu Fa Fac ##ct ##ful ##full ##fully Th ch ##hm cha chap chapt ##thm Hu Hug Hugg sh th is "
    "##thms ##za ##zat ##ut"
)


def test_the_sentences_of_the_course_give_its_vocabulary_of_70():
    vocab = train_bert_vocab(SENTENCES, vocab_size=70, score="ratio")
    assert len(vocab) == 70
    assert vocab[:5] == SPECIAL
    assert vocab[-25:] == PUBLISHED.split()


def test_the_toy_corpus_of_the_course_begins_with_gs_and_hu():
    splits = {word: ["▁" + word[0], *word[1:]] for word in TOY}
    scores = pair_gains(splits, TOY, "ratio")
    assert scores["u", "g"] == scores["u", "n"] == 1 / 36
    assert max(scores, key=scores.get) == ("g", "s")
    assert scores["g", "s"] == 1 / 20
    assert train_bert_vocab(TOY, 14, "ratio")[-2:] == ["##gs", "hu"]


def test_the_trainer_of_hugging_face_merges_by_frequency(homer):
    judge = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    judge.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(vocab_size=306, special_tokens=SPECIAL, show_progress=False)
    judge.train_from_iterator([" ".join(homer.word_counts.elements())], trainer)
    assert set(judge.get_vocab()) == set(train_bert_vocab(homer.word_counts, 306, "frequency"))


words = st.text(st.sampled_from("ab"), min_size=1, max_size=9)


@given(st.dictionaries(words, st.integers(1, 9), max_size=5), st.sampled_from(list(SCORES)))
@settings(max_examples=50)
def test_each_entry_is_the_best_pair_of_the_splits_so_far(word_counts, score):
    vocab = train_bert_vocab(word_counts, 1_000, score)
    splits = {word: ["▁" + word[0], *word[1:]] for word in word_counts}
    expected = SPECIAL + list(dict.fromkeys(to_bert(t for split in splits.values() for t in split)))
    while gains := pair_gains(splits, word_counts, score):
        best = max(gains, key=gains.get)
        expected += to_bert(["".join(best)])
        splits = {word: merge_pair(best, split) for word, split in splits.items()}
    assert vocab == expected


@pytest.mark.parametrize(
    ("vocab_size", "error", "says"),
    [
        (11, ValueError, "the alphabet alone are 12: give 12 or more"),
        (70.0, TypeError, "vocab_size must be an int"),
    ],
)
def test_a_bad_vocab_size_is_rejected(vocab_size, error, says):
    with pytest.raises(error, match=says):
        train_bert_vocab(TOY, vocab_size)


@pytest.mark.parametrize(
    "word", ["", "hu▁g", "##a", *SPECIAL, "[SEP]s", "a b", "a\n", "a\u2028b", "a\x85", "\ud800"]
)
def test_a_bad_word_is_rejected(word):
    with pytest.raises(ValueError, match=r"leave it out|replace it"):
        train_bert_vocab({word: 5}, 70)
