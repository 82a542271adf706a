"""From ▁ to BERT's ##: tokens, or a whole vocabulary; or one that is learned in that form."""

from collections.abc import Iterable

from wpedu._support.checks import (
    START,
    WordCounts,
    check_int,
    check_score,
    check_subwords,
    check_words,
)
from wpedu.bert.vocab_file import is_token
from wpedu.encoding import UNKNOWN
from wpedu.scores import SCORES, ScoreFunction
from wpedu.training import train_splits

CONTINUATION = "##"
SPECIAL_TOKENS = ("[PAD]", UNKNOWN, "[CLS]", "[SEP]", "[MASK]")
MAX_WORD_LENGTH = 100  # characters; a longer word is [UNK]


def to_bert(tokens: Iterable[str]) -> list[str]:
    """Return `tokens` with ## in front of what continues a word, and no ▁.

    A ▁ on its own makes the token after it the start of a word; where no token follows, or one
    that starts a word itself, it is an empty word, for which BERT has no token.

    >>> to_bert(["▁S", "it", "▁", "!", "[UNK]"])
    ['S', '##it', '!', '[UNK]']
    """
    bert, previous = [], None
    for token in check_subwords(tokens, "tokens"):
        if token.startswith(START):
            bert.append(token[len(START) :])
        elif previous == START or token == UNKNOWN:
            bert.append(token)
        else:
            bert.append(CONTINUATION + token)
        previous = token
    return [token for token in bert if token]


def to_bert_vocab(vocab: Iterable[str]) -> list[str]:
    """Return the subwords with which BERT's greedy loop finds `to_bert` of what ours finds.

    Those are, in the order of `vocab`: s for ▁s; ##u for u without a mark; and u bare, if ▁ is in
    `vocab` and ▁p is not, for any p that u starts with. Where ▁p is there and the word starts
    with p, our loop never takes ▁ alone, so u never comes first; a bare u would be a longer match
    than p, and BERT's loop would take it. A subword with a ▁ after its start is left out, as it
    is in no word that either loop can encode, and [UNK], which is no subword.

    It holds for every word of up to 100 characters that has no ▁ in it and does not start with ##,
    as no word of `pretokenize` does; and for every vocabulary that gives no start of word, s or
    bare u, that begins with ##. BERT's loop would find such a one inside of words as well: with
    ▁, b and ##a, the loops would cut "ba" into [UNK] and into b ##a. It is a ValueError.

    >>> to_bert_vocab(["▁", "▁t", "t", "he", "th"])
    ['t', '##t', 'he', '##he', '##th']
    """
    subwords = [
        subword
        for subword in check_subwords(vocab, "vocab")
        if START not in subword[len(START) :] and subword != UNKNOWN
    ]
    starts = {subword[len(START) :] for subword in subwords if subword.startswith(START)}
    bert: dict[str, None] = {}
    for subword in subwords:
        if subword.startswith(START):
            bert[_check_start(subword[len(START) :])] = None
            continue
        prefixes = (subword[:end] for end in range(1, len(subword) + 1))
        if "" in starts and starts.isdisjoint(prefixes):
            bert[_check_start(subword)] = None
        bert[CONTINUATION + subword] = None
    bert.pop("", None)
    return list(bert)


def train_bert_vocab(
    word_counts: WordCounts, vocab_size: int, score: str | ScoreFunction = "gain"
) -> list[str]:
    """Return a vocabulary trained in BERT's form: special tokens, alphabet, then the merges.

    Words start without ▁: their first character stays as it is, and the others begin with ##. So
    it is as if ▁ had been merged with every first character, and training does the rest. The
    alphabet is in order of first occurrence. The vocabulary is smaller than `vocab_size` if no pair
    is left. Raises ValueError if special tokens and alphabet are more than that already, or if a
    word cannot be in BERT's vocabulary: it has white space in it, say, or begins with ##.

    Source: the form of the Hugging Face course, chapter 6, section 6.

    >>> train_bert_vocab({"hug": 10, "pug": 5}, vocab_size=11, score="frequency")[5:]
    ['h', '##u', '##g', 'p', '##ug', 'hug']
    """
    words = check_bert_words(word_counts)
    score = check_score(score, SCORES)
    splits = {word: [START + word[0], *word[1:]] for word in words}
    start = [
        *SPECIAL_TOKENS,
        *dict.fromkeys(to_bert(token for split in splits.values() for token in split)),
    ]
    vocab_size = check_int(vocab_size, "vocab_size")
    if vocab_size < len(start):
        raise ValueError(
            f"vocab_size is {vocab_size}, and special tokens and alphabet alone are {len(start)}: "
            f"give that or more"
        )
    merges = train_splits(splits, words, vocab_size - len(start), score)
    return start + to_bert("".join(pair) for pair in merges)


def check_bert_words(word_counts: WordCounts) -> dict[str, int]:
    """Return a copy; ValueError if a word is no token for BERT."""
    checked = check_words(word_counts)
    for word in checked:
        if word.startswith((CONTINUATION, *SPECIAL_TOKENS)):
            raise ValueError(
                f"the word {word!r} begins as a continuation or a special token does: leave it out"
            )
        if not is_token(word):
            raise ValueError(
                f"the word {word!r} has white space or a lone surrogate in it, which no token of "
                f"BERT's may: split it there, or leave it out"
            )
    return checked


def _check_start(subword: str) -> str:
    if subword.startswith(CONTINUATION):
        raise ValueError(
            f"{subword!r} starts a word in this vocabulary, and BERT would take it for a "
            f"continuation: train on words that do not begin with {CONTINUATION}"
        )
    return subword
