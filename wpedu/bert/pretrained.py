"""A BERT tokenizer ↔ the folder that it is saved to, for `transformers` and `tokenizers` as well.

`_config` and `_pipeline` give the content of the files. A folder is read if its settings have the
same values.
"""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from wpedu._support.checks import check_bool
from wpedu._support.files import write_atomically
from wpedu.bert.vocab_file import (
    CONTINUATION,
    MAX_WORD_LENGTH,
    SPECIAL_TOKENS,
    check_vocab,
    vocab_to_bytes,
)
from wpedu.encoding import UNKNOWN

VOCAB, CONFIG, PIPELINE = "vocab.txt", "tokenizer_config.json", "tokenizer.json"
TOKEN_NAMES = {f"{token.strip('[]').lower()}_token": token for token in SPECIAL_TOKENS}
# Settings of tokenizer_config.json that cut texts differently, unless they are empty.
NEEDLESS = ("never_split", "additional_special_tokens", "extra_special_tokens")


def save_pretrained(
    folder: str | os.PathLike[str], vocab: Mapping[str, int], lowercase: bool, cleans_up: bool
) -> None:
    """Create `folder`, and write the three files to it.

    `transformers` reads tokenizer_config.json and one of the other two, depending on its version;
    `tokenizers` reads tokenizer.json, or vocab.txt, which does not say whether to lowercase.
    """
    config = {
        "tokenizer_class": "BertTokenizer",
        "clean_up_tokenization_spaces": cleans_up,
        **_config(vocab, lowercase),
    }
    folder = _check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / VOCAB, vocab_to_bytes(vocab))
    for name, value in ((CONFIG, config), (PIPELINE, _pipeline(vocab, lowercase))):
        content = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
        write_atomically(folder / name, content.encode())


def load_pretrained(folder: str | os.PathLike[str]) -> tuple[dict[str, int], bool, bool]:
    """Return what `save_pretrained` takes; see `BertTokenizer.from_pretrained`."""
    path, config_path = (_check_folder(folder) / name for name in (PIPELINE, CONFIG))
    if not path.is_file():
        raise FileNotFoundError(
            f"{folder} has no {PIPELINE}: name a folder that a tokenizer was saved to, or give a "
            f"vocabulary from load_vocab to BertTokenizer"
        )
    saved = _read_json(path)
    config = _read_json(config_path) if config_path.is_file() else {}
    try:
        vocab = check_vocab(dict(saved["model"]["vocab"]))
        lowercase = check_bool(saved["normalizer"]["lowercase"], "lowercase")
        expected = _pipeline(vocab, lowercase)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path} is not a saved BERT tokenizer ({error!r}): save it again"
        ) from error
    if saved.get("post_processor") == _template(vocab):  # it does the same
        saved["post_processor"] = expected["post_processor"]
    _check(path, saved, expected)
    expected = _config(vocab, lowercase)
    given = {key: config[key] or None if key in NEEDLESS else config[key] for key in config}
    _check(config_path, {**expected, **given}, {**expected, **dict.fromkeys(NEEDLESS)})
    return vocab, lowercase, bool(config.get("clean_up_tokenization_spaces"))


def _check_folder(folder: str | os.PathLike[str]) -> Path:
    if not os.fspath(folder):  # Path("") is the current folder
        raise ValueError("the path is empty: name a folder")
    return Path(folder)


def _check(path: Path, saved: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Raise ValueError unless the settings in `saved` are those expected."""
    for key, value in expected.items():
        if saved.get(key) != value:
            shown = json.dumps(saved.get(key), ensure_ascii=False)
            raise ValueError(
                f"{path} has {key} {shown[:100] + '…' * (len(shown) > 100)}, which wpedu does not "
                f"support: load this folder with `transformers`"
            )


def _config(vocab: Iterable[str], lowercase: bool) -> dict[str, Any]:
    """Return the settings in tokenizer_config.json that decide about tokens."""
    return {
        "do_lower_case": lowercase,
        "strip_accents": None,
        "tokenize_chinese_chars": True,
        # `transformers` adds a special token that is not listed here to the vocabulary.
        **{name: token if token in vocab else None for name, token in TOKEN_NAMES.items()},
    }


def _pipeline(vocab: Mapping[str, int], lowercase: bool) -> dict[str, Any]:
    """Return the content of tokenizer.json."""
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": id, **_added_token(t)} for id, t in _special(vocab).items()],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": lowercase,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "BertProcessing",
            "sep": ["[SEP]", vocab["[SEP]"]],
            "cls": ["[CLS]", vocab["[CLS]"]],
        },
        "decoder": {"type": "WordPiece", "prefix": CONTINUATION, "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": UNKNOWN,
            "continuing_subword_prefix": CONTINUATION,
            "max_input_chars_per_word": MAX_WORD_LENGTH,
            "vocab": dict(sorted(vocab.items(), key=lambda entry: entry[1])),
        },
    }


def _template(vocab: Mapping[str, int]) -> dict[str, Any]:
    """Return [CLS] A [SEP] B [SEP], as `transformers` writes the post-processor."""
    cls, sep, last = (
        {"SpecialToken": {"id": token, "type_id": type_id}}
        for token, type_id in (("[CLS]", 0), ("[SEP]", 0), ("[SEP]", 1))
    )
    first, second = ({"Sequence": {"id": name, "type_id": i}} for i, name in enumerate("AB"))
    special = {t: {"id": t, "ids": [vocab[t]], "tokens": [t]} for t in ("[CLS]", "[SEP]")}
    single, pair = [cls, first, sep], [cls, first, sep, second, last]
    return {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": special}


def _special(vocab: Mapping[str, int]) -> dict[int, str]:
    """Return the special tokens in `vocab` by their ids, in order."""
    return dict(sorted((vocab[token], token) for token in SPECIAL_TOKENS if token in vocab))


def _added_token(token: str) -> dict[str, Any]:
    """Return the description of a special token in any of the files."""
    as_is = dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized"], False)
    return {"content": token, **as_is, "special": True}


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text("utf-8")).items())
    except (AttributeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"{path} is not a complete JSON object ({error}): save it again"
        ) from error
