"""A BERT tokenizer → the files that `transformers` and `tokenizers` load it from."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wpedu._files import write_all_atomically
from wpedu.bert.vocab import CONTINUATION, MAX_WORD_LENGTH, SPECIAL_TOKENS
from wpedu.bert.vocab_file import _vocab_to_bytes
from wpedu.encoding import UNKNOWN


def _save_pretrained(
    folder: str | os.PathLike[str],
    vocab: Mapping[str, int],
    special_tokens: Sequence[str],
    lowercase: bool,
) -> None:
    """Write the three files to `folder`, or if that fails, none of them; make the folder.

    Raises ValueError if the path is empty, and OSError if they cannot be written.
    """
    files = _pretrained_files(vocab, special_tokens, lowercase)
    folder = _check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_all_atomically(folder, files)


def _check_folder(folder: str | os.PathLike[str]) -> Path:
    """Return the path of `folder`; ValueError if it is empty, which would be the current one.

    >>> str(_check_folder("saved"))
    'saved'
    """
    if not os.fspath(folder):
        raise ValueError("the path is empty: name a folder")
    return Path(folder)


def _pretrained_files(
    vocab: Mapping[str, int], special_tokens: Sequence[str], lowercase: bool
) -> dict[str, bytes]:
    """Return the content of vocab.txt, tokenizer.json and tokenizer_config.json.

    `transformers` reads tokenizer_config.json and one of the other two, depending on its version;
    `tokenizers` reads tokenizer.json, or vocab.txt, which does not say whether to lower-case.
    """
    return {
        "vocab.txt": _vocab_to_bytes(vocab),
        "tokenizer_config.json": _to_json(_config(vocab, lowercase)),
        "tokenizer.json": _to_json(_pipeline(vocab, special_tokens, lowercase)),
    }


def _config(vocab: Mapping[str, int], lowercase: bool) -> dict[str, Any]:
    """Return what tokenizer_config.json says."""
    # A special token that is left out here is added to the vocabulary by `transformers`.
    names = {f"{token.strip('[]').lower()}_token": token for token in SPECIAL_TOKENS}
    return {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": lowercase,
        "strip_accents": None,
        "tokenize_chinese_chars": True,
        **{name: token if token in vocab else None for name, token in names.items()},
    }


def _pipeline(
    vocab: Mapping[str, int], special_tokens: Sequence[str], lowercase: bool
) -> dict[str, Any]:
    """Return what tokenizer.json says."""
    as_is = dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized"], False)
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": vocab[token], "content": token, **as_is, "special": True}
            for token in sorted(special_tokens, key=vocab.__getitem__)
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
