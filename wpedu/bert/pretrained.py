"""A BERT tokenizer ↔ its saved folder, for `transformers` and `tokenizers` as well."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wpedu._support.files import write_atomically
from wpedu.bert.vocab_file import (
    CONTINUATION,
    MAX_WORD_LENGTH,
    SPECIAL_TOKENS,
    load_vocab,
    vocab_to_bytes,
)
from wpedu.encoding import UNKNOWN

VOCAB, CONFIG, PIPELINE = "vocab.txt", "tokenizer_config.json", "tokenizer.json"


def save_pretrained(
    folder: str | os.PathLike[str], vocab: Mapping[str, int], lowercase: bool
) -> None:
    """Create `folder`, and write the three files to it.

    `transformers` reads tokenizer_config.json and one of the other two, depending on its version;
    `tokenizers` reads tokenizer.json, or vocab.txt, which does not say whether to lowercase.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in _files(vocab, lowercase).items():
        write_atomically(folder / name, content)


def load_pretrained(folder: str | os.PathLike[str]) -> tuple[dict[str, int], bool]:
    """Return the vocabulary, and whether to lowercase; see `BertTokenizer.from_pretrained`."""
    folder = Path(folder)
    if not (folder / VOCAB).is_file():
        raise FileNotFoundError(
            f"{folder} has no {VOCAB}: name a folder that save_pretrained wrote, or give a "
            f"vocabulary from load_vocab to BertTokenizer"
        )
    vocab = load_vocab(folder / VOCAB)
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    for lowercase in (True, False):
        if _files(vocab, lowercase).items() <= found.items():
            return vocab, lowercase
    raise ValueError(
        f"{folder} is not as save_pretrained writes it, so its settings may differ: open it with "
        f"`transformers`, or give the vocabulary from load_vocab({str(folder / VOCAB)!r}) to "
        f"BertTokenizer"
    )


def _files(vocab: Mapping[str, int], lowercase: bool) -> dict[str, bytes]:
    """Return the content of each file."""
    config = {
        "tokenizer_class": "BertTokenizer",
        "clean_up_tokenization_spaces": False,
        "do_lower_case": lowercase,
        "strip_accents": None,
        "tokenize_chinese_chars": True,
    }
    for token in SPECIAL_TOKENS:
        # `transformers` adds a special token that is not listed here to the vocabulary.
        config[f"{token.strip('[]').lower()}_token"] = token if token in vocab else None
    jsons = {CONFIG: config, PIPELINE: _pipeline(vocab, lowercase)}
    files = {
        name: (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
        for name, value in jsons.items()
    }
    return {VOCAB: vocab_to_bytes(vocab), **files}


def _pipeline(vocab: Mapping[str, int], lowercase: bool) -> dict[str, Any]:
    """Return the content of tokenizer.json."""
    as_is = dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized"], False)
    special = sorted((vocab[token], token) for token in SPECIAL_TOKENS if token in vocab)
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": i, "content": t, **as_is, "special": True} for i, t in special],
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
