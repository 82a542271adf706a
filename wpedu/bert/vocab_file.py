"""vocab.txt: BERT's vocabulary, one token a line, read and written.

What is no vocabulary is a TypeError, and what no file can hold a ValueError that says what to do.
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from wpedu._support.checks import check_int, check_strings
from wpedu._support.files import write_atomically
from wpedu.bert.normalization import WHITE_SPACE
from wpedu.corpus import registered_files
from wpedu.encoding import UNKNOWN

PRETRAINED = (
    "bert-base-uncased",
    "bert-base-cased",
    "bert-base-multilingual-cased",
    "bert-base-chinese",
)

_BYTE_ORDER_MARK = "\ufeff"

# At the end of a line Hugging Face's tokenizers takes off what Unicode calls white space, and not
# U+001C to U+001F, which Python's `rstrip` would take off too.
_WHITE_SPACE = WHITE_SPACE + "\x0b\x0c\x85"
# U+2028 alone is an entry of bert-base-chinese.
_matches_token = re.compile(f"\u2028|[^{_WHITE_SPACE}\ud800-\udfff]+").fullmatch


def load_vocab(path: str | os.PathLike[str]) -> dict[str, int]:
    """Return the tokens of a vocab.txt with their ids: the first line is 0.

    `path` is that of the file, or a name in `PRETRAINED`, as "bert-base-uncased": such a file is
    found or downloaded as the texts of `load_corpus` are.

    A line that is no token, or one that was there already, is a ValueError that names it. White
    space at the end of a line does not count, as for Hugging Face, nor does a byte order mark at
    the start of the file.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "vocab.txt")
    ...     save_vocab(["[UNK]", "the", "##se"], path)
    ...     load_vocab(path)
    {'[UNK]': 0, 'the': 1, '##se': 2}
    """
    if isinstance(path, str) and path in PRETRAINED:
        path = registered_files(path)[0].fetch()
    lines = _read_lines(path)
    vocab: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        token = line.rstrip(_WHITE_SPACE) or line
        if not is_token(token):
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


def save_vocab(vocab: Mapping[str, int] | Iterable[str], path: str | os.PathLike[str]) -> None:
    """Write `vocab` to `path` in the order of its ids, one token a line.

    It is {token: id}, or the tokens in the order of their ids. If it cannot be written, a file
    that was there is as it was.

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
    return "".join(token + "\n" for token in sorted(vocab, key=vocab.__getitem__)).encode()


def check_vocab(vocab: Mapping[str, int] | Iterable[str]) -> dict[str, int]:
    """Return the tokens of `vocab` with their ids, if BERT can use it and a vocab.txt can hold it.

    `vocab` maps str to int, or is a list of str, whose ids are its places.

    >>> check_vocab({"[UNK]": 0, "the": 1}) == check_vocab(["[UNK]", "the"])
    True
    """
    if not isinstance(vocab, Mapping):
        tokens = check_strings(vocab, "vocab")
        vocab = {token: place for place, token in enumerate(tokens)}
        for i, token in enumerate(tokens):
            if vocab[token] != i:
                places = f"at {i} and at {vocab[token]}"
                raise ValueError(f"{token!r} is in vocab twice, {places}: a token has one id")
    checked: dict[str, int] = {}
    for token, number in vocab.items():
        if not isinstance(token, str):
            raise TypeError(f"vocab maps str to int, and has {token!r}: {number!r}")
        if not is_token(token):
            raise ValueError(
                f"{token!r} cannot be a token: a token has a character, no white space, and no "
                f"lone surrogate"
            )
        checked[token] = check_int(number, f"the id of {token!r}")
        if number == 0 and token.startswith(_BYTE_ORDER_MARK):
            raise ValueError(f"{token!r} cannot have the id 0: a file that begins so loses U+FEFF")
    missing = set(range(len(checked))).difference(checked.values())
    if missing:
        raise ValueError(f"ids are 0 to {len(checked) - 1}, each once: no token has {min(missing)}")
    if UNKNOWN not in checked:
        raise ValueError(f"vocab has no {UNKNOWN}: give it an id")
    return checked


def is_token(string: str) -> bool:
    """Return whether a line of a vocab.txt can hold `string`."""
    return _matches_token(string) is not None


def _read_lines(path: str | os.PathLike[str]) -> list[str]:
    content = Path(path).read_bytes()
    try:
        text = content.decode().removeprefix(_BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} of {path} is not UTF-8: save the file as UTF-8") from error
    # Not splitlines, which takes U+0085 and U+2028 for ends of lines.
    lines = text.removesuffix("\n").split("\n")
    if lines == [""]:
        raise ValueError(f"{path} has no line 1, it is empty: it should hold one token a line")
    return lines
