"""From ▁ to BERT's ##: tokens, a whole vocabulary, or a vocabulary trained in that notation.

▁ is `START` in `wpedu.pretokenization`, and ## is `CONTINUATION` in `wpedu.bert.vocab_file`.
"""

from collections.abc import Iterable

from wpedu._support.checks import check_int, check_subwords
from wpedu.bert.vocab_file import CONTINUATION, SPECIAL_TOKENS, is_token
from wpedu.encoding import UNKNOWN
from wpedu.pretokenization import START, WordCounts, check_words
from wpedu.scores import Score
from wpedu.training import train_splits


def to_bert(tokens: Iterable[str]) -> list[str]:
    """Return `tokens` in BERT's notation: ## before tokens that continue a word, and no ▁.

    A lone ▁ makes the next token the start of a word. If no token follows, or one that starts a
    word itself, ▁ is an empty word, and is left out: BERT has no token for it. Tokens that have ##
    already, and no ▁, are a ValueError.

    >>> to_bert(["▁S", "it", "▁", "!", "[UNK]"])
    ['S', '##it', '!', '[UNK]']
    """
    bert, starts = [], False
    for token in _check_ours(tokens, "tokens"):
        if token.startswith(START):
            starts, token = True, token[len(START) :]
        if token:
            starts = starts or token == UNKNOWN
            bert.append(token if starts else CONTINUATION + token)
            starts = False
    return bert


def to_bert_vocab(vocab: Iterable[str]) -> list[str]:
    """Return the entries with which BERT's greedy loop gives `to_bert` of our loop's tokens.

    They are, in the order of `vocab`: s for ▁s; ##u for u without a mark; and a bare u, if ▁ is
    in `vocab`, and ▁p is not for any prefix p of u. If ▁p is in `vocab` and a word starts with
    p, our loop never takes ▁ alone, so u never comes first. But BERT's loop would take a bare u,
    because u is a longer match than p. Two kinds of entries are left out: a subword with a ▁
    after its start, because neither loop can encode a word that contains it, and [UNK], because it
    is not a subword.

    This holds for words of up to 100 characters that contain no ▁ and do not start with ##, as no
    word from `pretokenize` does. And no word start from the vocabulary (s or a bare u) may begin
    with ##, because BERT's loop would also find such an entry inside words: given ▁, b and ##a,
    our loop cuts "ba" into [UNK], and BERT's into b ##a. Such a vocabulary is a ValueError.

    >>> to_bert_vocab(["▁", "▁t", "t", "he", "th"])
    ['t', '##t', 'he', '##he', '##th']
    """
    subwords = [
        subword
        for subword in _check_ours(vocab, "vocab")
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
    word_counts: WordCounts, vocab_size: int, score: str | Score = "gain"
) -> list[str]:
    """Return a vocabulary trained in `##` notation: special tokens, alphabet, then the merges.

    Words start without ▁: their first character is bare, and the others begin with ##. So training
    starts as if ▁ had been merged with every first character. The alphabet is in order of first
    occurrence. The vocabulary is smaller than `vocab_size` if no pair is left. Raises ValueError if
    the special tokens and the alphabet alone exceed `vocab_size`, or if BERT's vocabulary cannot
    contain a word, for instance because it contains whitespace or begins with ##.

    Source: Hugging Face course, chapter 6, section 6, which trains in this notation.

    >>> train_bert_vocab({"hug": 10, "pug": 5}, vocab_size=11, score="frequency")[5:]
    ['h', '##u', '##g', 'p', '##ug', 'hug']
    """
    words = check_bert_words(word_counts)
    splits = {word: [START + word[0], *word[1:]] for word in words}
    start = [
        *SPECIAL_TOKENS,
        *dict.fromkeys(to_bert(token for split in splits.values() for token in split)),
    ]
    vocab_size = check_int(vocab_size, "vocab_size")
    if vocab_size < len(start):
        raise ValueError(
            f"vocab_size is {vocab_size}, but the special tokens and the alphabet alone are "
            f"{len(start)}: give {len(start)} or more"
        )
    merges = train_splits(splits, words, vocab_size - len(start), score)
    return start + to_bert("".join(pair) for pair in merges)


def check_bert_words(word_counts: WordCounts) -> dict[str, int]:
    """Return a copy of `word_counts`; ValueError if a word cannot be a token of BERT."""
    checked = check_words(word_counts)
    for word in checked:
        if word.startswith((CONTINUATION, *SPECIAL_TOKENS)):
            raise ValueError(
                f"the word {word!r} begins like a continuation or a special token: leave it out"
            )
        if not is_token(word):
            raise ValueError(
                f"the word {word!r} contains whitespace or a lone surrogate, which no token of "
                f"BERT can: split it there, or leave it out"
            )
    return checked


def _check_ours(subwords: Iterable[str], name: str) -> list[str]:
    """Return `subwords` as a list; ValueError if they are in BERT's notation."""
    checked = check_subwords(subwords, name)
    prefixed = next((s for s in checked if s.startswith(CONTINUATION) and s != CONTINUATION), None)
    if prefixed and not any(subword.startswith(START) for subword in checked):
        raise ValueError(
            f"{name} has {prefixed!r}, and so is in BERT's notation already: give the {name} of a "
            f"WordPiece, with {START}"
        )
    return checked


def _check_start(subword: str) -> str:
    if subword.startswith(CONTINUATION):
        raise ValueError(
            f"{subword!r} starts a word in this vocabulary, but BERT would read it as a "
            f"continuation: train on words that do not begin with {CONTINUATION}"
        )
    return subword
