"""vocab.txt: read and write BERT's vocabulary, one token per line.

Raise TypeError for a non-vocabulary, and ValueError for a vocabulary that no file can contain.
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from wpedu._support.checks import check_int, check_strings
from wpedu._support.downloads import read_shipped, registered_files
from wpedu._support.files import write_atomically
from wpedu.bert.normalization import WHITESPACE
from wpedu.encoding import UNKNOWN
from wpedu.pretokenization import START

PRETRAINED = (
    "bert-base-uncased",
    "bert-base-cased",
    "bert-base-multilingual-cased",
    "bert-base-chinese",
)

CONTINUATION = "##"
SPECIAL_TOKENS = ("[PAD]", UNKNOWN, "[CLS]", "[SEP]", "[MASK]")
MAX_WORD_LENGTH = 100  # characters; longer words become [UNK]

_BYTE_ORDER_MARK = "\ufeff"

# Hugging Face's tokenizers strips Unicode's whitespace at the end of a line. Python's `rstrip`
# would strip U+001C to U+001F as well.
_WHITESPACE = WHITESPACE + "\x0b\x0c\x85"
# A lone U+2028 is an entry of bert-base-chinese.
_matches_token = re.compile(f"\u2028|[^{_WHITESPACE}\ud800-\udfff]+").fullmatch


def load_vocab(path: str | os.PathLike[str]) -> dict[str, int]:
    """Return the tokens of a vocab.txt with their ids: the first line is 0.

    `path` is a path, or a name in `PRETRAINED`. The vocabulary of "bert-base-uncased" comes with
    the package; the others are found or downloaded like the texts of `load_corpus`.

    Raises ValueError, naming the line, if a line is not a token or repeats an earlier one.
    Whitespace at the end of a line is ignored, as by Hugging Face, and so is a byte order mark at
    the start of the file.

    >>> load_vocab("bert-base-uncased")["hello"]
    7592
    """
    if path == "bert-base-uncased":
        content = read_shipped("bert/vocab.txt.gz").encode()
    elif isinstance(path, str) and path in PRETRAINED:
        content = registered_files(path)[0].fetch().read_bytes()
    elif Path(path).exists():
        content = Path(path).read_bytes()
    else:
        raise FileNotFoundError(
            f"{path} does not exist: give a path, or one of {', '.join(map(repr, PRETRAINED))}"
        )
    lines = _to_lines(content, path)
    vocab: dict[str, int] = {}
    for id, line in enumerate(lines):
        token = line.rstrip(_WHITESPACE) or line
        if not is_token(token):
            raise ValueError(f"line {id + 1} of {path} is {line!r}: write one token per line")
        if token in vocab:
            raise ValueError(
                f"line {id + 1} of {path} is {token!r}, like line {vocab[token] + 1}: "
                f"remove one of them"
            )
        vocab[token] = id
    if UNKNOWN not in vocab:
        raise ValueError(
            f"{path} has no {UNKNOWN} on any of its lines 1 to {len(lines)}: name a vocab.txt of "
            f"BERT, which has one token per line"
        )
    return vocab


def save_vocab(vocab: Mapping[str, int] | Iterable[str], path: str | os.PathLike[str]) -> None:
    """Write `vocab` to `path` in the order of its ids, one token per line.

    `vocab` is {token: id}, or the tokens in the order of their ids. If it cannot be written, an
    existing file stays unchanged.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_vocab({"[UNK]": 0, "the": 1}, Path(folder, "vocab.txt"))
    """
    write_atomically(path, vocab_to_bytes(check_vocab(vocab)))


def vocab_to_bytes(vocab: Mapping[str, int]) -> bytes:
    """Return the content of the vocab.txt for `vocab`.

    >>> vocab_to_bytes({"[UNK]": 0, "the": 1})
    b'[UNK]\\nthe\\n'
    """
    return "".join(token + "\n" for token in sorted(vocab, key=vocab.__getitem__)).encode()


def check_vocab(vocab: Mapping[str, int] | Iterable[str]) -> dict[str, int]:
    """Return the tokens of `vocab` with their ids, if BERT can use it and a file can contain it.

    `vocab` maps str to int, or is a list of str in the order of their ids.

    >>> check_vocab({"[UNK]": 0, "the": 1}) == check_vocab(["[UNK]", "the"])
    True
    """
    if not isinstance(vocab, Mapping):
        tokens = check_strings(vocab, "vocab")
        vocab = {token: id for id, token in enumerate(tokens)}
        if len(vocab) < len(tokens):
            twice = next(token for id, token in enumerate(tokens) if vocab[token] != id)
            raise ValueError(f"{twice!r} is in vocab twice: remove one of them")
    checked: dict[str, int] = {}
    for token, id in vocab.items():
        if not isinstance(token, str):
            raise TypeError(f"vocab has {token!r}: {id!r} in it: map str to int")
        if not is_token(token):
            raise ValueError(
                f"{token!r} cannot be a token: give each token a character, but no whitespace and "
                f"no lone surrogate"
            )
        checked[token] = check_int(id, f"the id of {token!r}")
        if id == 0 and token.startswith(_BYTE_ORDER_MARK):
            raise ValueError(f"{token!r} would lose its U+FEFF at the start of a file: move it")
    starts = {token[: len(CONTINUATION)] for token in checked}
    if CONTINUATION not in starts and any(start.startswith(START) for start in starts):
        raise ValueError(
            f"vocab marks words with {START}, and BERT's has {CONTINUATION} instead: call "
            f"wp.to_bert_tokenizer(), or BertTokenizer.from_wordpiece(vocab)"
        )
    missing = set(range(len(checked))).difference(checked.values())
    if missing:
        raise ValueError(
            f"no token has the id {min(missing)}: use each id from 0 to {len(checked) - 1} once"
        )
    if UNKNOWN not in checked:
        raise ValueError(f"vocab has no {UNKNOWN}: give it an id")
    return checked


def is_token(string: str) -> bool:
    """Return whether a line of a vocab.txt can contain `string`."""
    return _matches_token(string) is not None


def _to_lines(content: bytes, path: str | os.PathLike[str]) -> list[str]:
    try:
        text = content.decode().removeprefix(_BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} of {path} is not UTF-8: save the file as UTF-8") from error
    # Not splitlines, which also splits at U+0085 and U+2028.
    lines = text.removesuffix("\n").split("\n")
    if lines == [""]:
        raise ValueError(f"{path} is empty: write one token per line")
    return lines
