"""BERT's vocabulary: ours, with ▁ → BERT's, with ##; and vocab.txt, read and written."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import regex

from wpedu._checks import START, check_int, check_subwords, check_words
from wpedu._files import write_atomically
from wpedu.corpus import registered_files
from wpedu.encoding import UNKNOWN
from wpedu.scores import find_score
from wpedu.training import _iter_merges

CONTINUATION = "##"
SPECIAL_TOKENS = ("[PAD]", UNKNOWN, "[CLS]", "[SEP]", "[MASK]")
MAX_WORD_LENGTH = 100  # characters; a longer word is [UNK]


def to_bert(tokens: Iterable[str]) -> list[str]:
    """Return `tokens` with ## in front of what continues a word, and no ▁.

    A ▁ on its own makes the token after it the start of a word; where no token follows, or one
    that starts a word itself, it is an empty word, for which BERT has no token. Raises TypeError
    if `tokens` is not a list of str.

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

    It holds for every word of up to 100 characters that does not start with ##, as no word of
    `pretokenize` does. Raises TypeError if `vocab` is not a collection of str; ValueError if it
    has an empty string, or a start of word that begins with ##, which BERT would take for a
    continuation.

    >>> to_bert_vocab(["▁", "▁t", "t", "he", "th"])
    ['t', '##t', 'he', '##he', '##th']
    """
    subwords = [
        subword
        for subword in check_subwords(vocab, "vocab")
        if START not in subword[len(START) :] and subword != UNKNOWN
    ]
    starts = {subword[len(START) :] for subword in subwords if subword.startswith(START)}
    bert = {}
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
    word_counts: Mapping[str, int], vocab_size: int, score: str = "gain"
) -> list[str]:
    """Return a vocabulary trained in BERT's form: special tokens, alphabet, then the merges.

    Words start without ▁: their first character stays as it is, and the others begin with ##. So
    it is as if ▁ had been merged with every first character, and `_iter_merges` does the rest. The
    alphabet is in order of first occurrence. The vocabulary is smaller than `vocab_size` if no pair
    is left. Raises what `train` raises, TypeError if `vocab_size` is no int, and ValueError if
    special tokens and alphabet are more than that already.

    Source: the form of the Hugging Face course, chapter 6, section 6.

    >>> train_bert_vocab({"hug": 10, "pug": 5}, vocab_size=11, score="frequency")[5:]
    ['h', '##u', '##g', 'p', '##ug', 'hug']
    """
    word_counts = check_words(word_counts)
    scored = find_score(score)
    for word in word_counts:
        if word.startswith((CONTINUATION, *SPECIAL_TOKENS)):
            raise ValueError(
                f"the word {word!r} begins as a continuation or a special token does: leave it out"
            )
    splits = [[START + word[0], *word[1:]] for word in word_counts]
    start = [*SPECIAL_TOKENS, *dict.fromkeys(to_bert(token for split in splits for token in split))]
    vocab_size = check_int(vocab_size, "vocab_size")
    if vocab_size < len(start):
        raise ValueError(
            f"vocab_size is {vocab_size}, and special tokens and alphabet alone are {len(start)}: "
            f"give that or more"
        )
    merges = _iter_merges(splits, word_counts.values(), vocab_size - len(start), scored)
    return start + to_bert("".join(pair) for pair in merges)


def load_vocab(path: str | os.PathLike) -> dict[str, int]:
    """Return the tokens of a vocab.txt with their ids: the first line is 0.

    `path` is that of the file, or "bert-base-uncased", which is found or downloaded as the texts
    of `load_corpus` are.

    Raises OSError if there is no such file; ValueError, with the line, if a line is empty or holds
    white space between characters, if a token is there twice, if there is no [UNK] or no line at
    all, or if the file is not UTF-8. White space at the end of a line does not count, as for
    Hugging Face.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "vocab.txt")
    ...     save_vocab({"[UNK]": 0, "the": 1, "##se": 2}, path)
    ...     load_vocab(path)
    {'[UNK]': 0, 'the': 1, '##se': 2}
    """
    if path == "bert-base-uncased":
        path = registered_files(path)[0].fetch()
    lines = _read_lines(path)
    vocab = {}
    for number, line in enumerate(lines, start=1):
        token = line.rstrip()
        if token.split() != [token]:
            raise ValueError(f"line {number} of {path} is {line!r}: a line is one token")
        if token in vocab:
            raise ValueError(
                f"line {number} of {path} is {token!r}, which is on line {vocab[token] + 1} "
                f"already: a token has one id"
            )
        vocab[token] = number - 1
    if UNKNOWN not in vocab:
        raise ValueError(
            f"{path} has no {UNKNOWN} on any of its lines 1 to {len(lines)}: BERT's vocab.txt has "
            f"one token a line, and {UNKNOWN} is one of them"
        )
    return vocab


def save_vocab(vocab: Mapping[str, int], path: str | os.PathLike) -> None:
    """Write `vocab` to `path` in the order of its ids, one token a line.

    Raises what `check_vocab` raises, and OSError if `path` cannot be written; a file that was
    there is then as it was.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_vocab({"[UNK]": 0, "the": 1}, Path(folder, "vocab.txt"))
    """
    write_atomically(path, vocab_to_bytes(check_vocab(vocab)))


def vocab_to_bytes(vocab: Mapping[str, int]) -> bytes:
    """Return the content of the vocab.txt of `vocab`.

    >>> vocab_to_bytes({"[UNK]": 0, "the": 1})
    b'[UNK]\\nthe\\n'
    """
    return "".join(token + "\n" for token in sorted(vocab, key=vocab.get)).encode()


def check_vocab(vocab: Mapping[str, int]) -> Mapping[str, int]:
    """Return `vocab` if BERT can use it and a vocab.txt can hold it.

    Raises TypeError unless `vocab` maps str to int; ValueError if a token is empty or has white
    space or a lone surrogate in it, if the ids are not 0, 1, 2 … each once, or if [UNK] is missing.

    >>> check_vocab({"[UNK]": 0, "the": 1})
    {'[UNK]': 0, 'the': 1}
    """
    if not isinstance(vocab, Mapping):
        raise TypeError(f"vocab is a dict from token to id, not {type(vocab).__name__}")
    for token, number in vocab.items():
        if not isinstance(token, str) or type(number) is not int:
            raise TypeError(f"vocab maps str to int, and has {token!r}: {number!r}")
        if token.split() != [token] or regex.search(r"\p{Cs}", token):
            raise ValueError(
                f"{token!r} cannot be a token: a token has a character, no white space, and no "
                f"lone surrogate"
            )
    missing = set(range(len(vocab))).difference(vocab.values())
    if missing:
        raise ValueError(f"ids are 0 to {len(vocab) - 1}, each once: no token has {min(missing)}")
    if UNKNOWN not in vocab:
        raise ValueError(f"vocab has no {UNKNOWN}: give it an id")
    return vocab


def _read_lines(path: str | os.PathLike) -> list[str]:
    content = Path(path).read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} of {path} is not UTF-8: save the file as UTF-8") from error
    # Not splitlines, which takes U+0085 and U+2028 for ends of lines.
    lines = text.removesuffix("\n").split("\n")
    if lines == [""]:
        raise ValueError(f"{path} has no line 1, it is empty: it should hold one token a line")
    return lines


def _check_start(subword: str) -> str:
    if subword.startswith(CONTINUATION) and subword != CONTINUATION:
        raise ValueError(
            f"{subword!r} starts a word in this vocabulary, and BERT would take it for a "
            f"continuation: train on words that do not begin with {CONTINUATION}"
        )
    return subword
