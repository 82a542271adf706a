"""A BERT tokenizer → the files that `transformers` and `tokenizers` load it from."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from wpedu._files import write_all_atomically
from wpedu.bert.vocab import CONTINUATION, MAX_WORD_LENGTH, SPECIAL_TOKENS
from wpedu.bert.vocab_file import _to_bytes
from wpedu.encoding import UNKNOWN

VOCAB, CONFIG, PIPELINE = "vocab.txt", "tokenizer_config.json", "tokenizer.json"
TOKEN_NAMES = {f"{token.strip('[]').lower()}_token": token for token in SPECIAL_TOKENS}


def _save_pretrained(
    folder: str | os.PathLike[str], vocab: Mapping[str, int], lowercase: bool, cleans_up: bool
) -> None:
    """Write the three files to `folder`, or if that fails, none of them; make the folder.

    `transformers` reads tokenizer_config.json and one of the other two, depending on its version;
    `tokenizers` reads tokenizer.json, or vocab.txt, which does not say whether to lower-case.
    """
    folder = _check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        VOCAB: _to_bytes(vocab),
        CONFIG: _to_json(_config(vocab, lowercase, cleans_up)),
        PIPELINE: _to_json(_pipeline(vocab, lowercase)),
    }
    write_all_atomically(folder, files)


def _check_folder(folder: str | os.PathLike[str]) -> Path:
    """Return the path of `folder`; ValueError if it is empty, which would be the current one."""
    if not os.fspath(folder):
        raise ValueError("the path is empty: name a folder")
    return Path(folder)


def _config(vocab: Iterable[str], lowercase: bool, cleans_up: bool) -> dict[str, Any]:
    """Return what tokenizer_config.json says."""
    return {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": lowercase,
        "strip_accents": None,
        "tokenize_chinese_chars": True,
        "clean_up_tokenization_spaces": cleans_up,
        # A special token that is left out here is added to the vocabulary by `transformers`.
        **{name: token if token in vocab else None for name, token in TOKEN_NAMES.items()},
    }


def _special(vocab: Mapping[str, int]) -> dict[int, str]:
    """Return the special tokens of `vocab` by their ids, in order."""
    return dict(sorted((vocab[token], token) for token in SPECIAL_TOKENS if token in vocab))


def _added_token(token: str) -> dict[str, Any]:
    """Return how a special token is described, in either JSON file."""
    as_is = dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized"], False)
    return {"content": token, **as_is, "special": True}


def _pipeline(vocab: Mapping[str, int], lowercase: bool) -> dict[str, Any]:
    """Return what tokenizer.json says."""
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": number, **_added_token(token)} for number, token in _special(vocab).items()
        ],
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


def _to_json(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
