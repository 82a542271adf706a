"""A folder that a BERT tokenizer was saved to → its vocabulary, and whether it is uncased.

Only what `BertTokenizer` does in the same way is read; anything else is refused by name.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wpedu.bert.export import _check_folder, _config, _pipeline
from wpedu.bert.vocab import SPECIAL_TOKENS
from wpedu.bert.vocab_file import check_vocab, load_vocab

VOCAB, PIPELINE, CONFIG = "vocab.txt", "tokenizer.json", "tokenizer_config.json"

# What a tokenizer_config.json calls BERT's tokenizer, and lists of tokens that would not be split.
_CLASSES = ("BertTokenizer", "BertTokenizerFast")
_EXTRA_TOKENS = (
    "added_tokens_decoder",
    "additional_special_tokens",
    "extra_special_tokens",
    "never_split",
)


def _load_pretrained(folder: str | os.PathLike[str]) -> tuple[dict[str, int], bool]:
    """Return the vocabulary and `lowercase` of the tokenizer that was saved to `folder`.

    That can be by `save_pretrained`, of this package or of `transformers`. Needed are
    tokenizer.json, or vocab.txt and tokenizer_config.json; where all are there, they have to agree.

    Raises FileNotFoundError if they are not there; ValueError if the path is empty, or if a file
    is damaged, or asks for what `BertTokenizer` does not do: other normalization, other special
    tokens, padding and the like.
    """
    folder = _check_folder(folder)
    there = {name for name in (VOCAB, PIPELINE, CONFIG) if (folder / name).is_file()}
    if PIPELINE not in there and there != {VOCAB, CONFIG}:
        raise FileNotFoundError(
            f"{folder} has neither {PIPELINE} nor both {VOCAB} and {CONFIG}: give a folder that a "
            f"tokenizer was saved to"
        )
    found = []
    if PIPELINE in there:
        found.append(_read_pipeline(folder / PIPELINE))
    vocab = load_vocab(folder / VOCAB) if VOCAB in there else found[0][0]
    lowercase = found[0][1] if found else True
    if CONFIG in there:
        lowercase = _read_config(folder / CONFIG, vocab)
    found.append((vocab, lowercase))
    if found[0] != found[-1]:
        raise ValueError(
            f"the files in {folder} are not of one tokenizer, their vocabularies or their case "
            f"differ: save it again"
        )
    return found[0]


def _read_pipeline(path: Path) -> tuple[dict[str, int], bool]:
    saved = _read_json(path)
    model, normalizer = saved.get("model"), saved.get("normalizer")
    if not isinstance(model, dict) or not isinstance(model.get("vocab"), dict):
        raise ValueError(f"{path} has no model with a vocabulary: save the tokenizer again")
    if not isinstance(normalizer, dict) or not isinstance(normalizer.get("lowercase"), bool):
        raise ValueError(f"{path} has no normalizer that says whether to lower-case: save it again")
    try:
        vocab = check_vocab(model["vocab"])
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path} has a vocabulary that BERT cannot use: {error}") from error
    lowercase: bool = normalizer["lowercase"]
    special_tokens = [token for token in SPECIAL_TOKENS if token in vocab]
    for token in ("[CLS]", "[SEP]"):
        if token not in vocab:
            raise ValueError(f"{path} has no {token} in its vocabulary: BERT needs it")
    expected = _pipeline(vocab, special_tokens, lowercase)
    if normalizer.get("strip_accents") == lowercase:  # None is the same
        normalizer["strip_accents"] = None
    if saved.get("post_processor") == _template(vocab):  # as `transformers` writes it
        saved["post_processor"] = expected["post_processor"]
    expected["model"]["vocab"], model["vocab"] = {}, {}
    for key in sorted({*saved, *expected}):
        if saved.get(key) != expected.get(key):
            raise ValueError(
                f"{path} has a {key} that is not BERT's, and that is not done here: "
                f"{_shorten(saved.get(key))} and not {_shorten(expected.get(key))}"
            )
    return vocab, lowercase


def _read_config(path: Path, vocab: Mapping[str, int]) -> bool:
    saved = _read_json(path)
    lowercase = saved.get("do_lower_case", True)  # as in `transformers`
    if not isinstance(lowercase, bool):
        raise ValueError(f"{path} has do_lower_case {lowercase!r}: it is true or false")
    expected = _config(vocab, lowercase)
    if saved.get("tokenizer_class") in _CLASSES:
        saved["tokenizer_class"] = expected["tokenizer_class"]
    if saved.get("strip_accents") == lowercase:
        saved["strip_accents"] = None
    for key, value in {**expected, "do_basic_tokenize": True}.items():
        if saved.get(key, value) != value:
            raise ValueError(
                f"{path} has {key} {_shorten(saved[key])}, and that is not done here: only "
                f"{_shorten(value)} is"
            )
    added = saved.get("added_tokens_decoder") or {}
    if isinstance(added, dict):
        # `transformers` 4 lists the special tokens here; any other it would match anywhere.
        contents = [token.get("content") for token in added.values() if isinstance(token, dict)]
        saved["added_tokens_decoder"] = [text for text in contents if text not in SPECIAL_TOKENS]
    for key in _EXTRA_TOKENS:
        if saved.get(key):
            raise ValueError(f"{path} has {key}, which is not done here: {_shorten(saved[key])}")
    return lowercase


def _template(vocab: Mapping[str, int]) -> dict[str, Any]:
    """Return [CLS] A [SEP] B [SEP], as TemplateProcessing spells it."""

    def special(token: str, type_id: int) -> dict[str, Any]:
        return {"SpecialToken": {"id": token, "type_id": type_id}}

    def sequence(name: str, type_id: int) -> dict[str, Any]:
        return {"Sequence": {"id": name, "type_id": type_id}}

    single = [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)]
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [*single, sequence("B", 1), special("[SEP]", 1)],
        "special_tokens": {
            token: {"id": token, "ids": [vocab[token]], "tokens": [token]}
            for token in ("[CLS]", "[SEP]")
        },
    }


def _read_json(path: Path) -> dict[str, Any]:
    try:
        saved = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not whole JSON ({error}): save the tokenizer again") from error
    if not isinstance(saved, dict):
        raise ValueError(f"{path} is no JSON object: save the tokenizer again")
    return saved


def _shorten(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else text[:100] + "…"
