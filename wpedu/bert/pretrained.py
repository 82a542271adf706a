"""A folder that a BERT tokenizer was saved to → its vocabulary, and how it treats text.

What is known to be done here as `transformers` does it is read, by 4.57 and by 5, and anything else
is refused by name.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from wpedu.bert.export import (
    CONFIG,
    PIPELINE,
    TOKEN_NAMES,
    VOCAB,
    _added_token,
    _check_folder,
    _config,
    _pipeline,
    _special,
)
from wpedu.bert.vocab_file import _to_bytes, check_vocab, load_vocab

ADDED_TOKENS, TOKEN_MAP = "added_tokens.json", "special_tokens_map.json"

# What else a tokenizer_config.json may say, as it is what is done here; and what may have any
# value of its type, as neither tokens nor text depend on it.
_UNDERSTOOD: dict[str, list[Any]] = {
    "tokenizer_class": ["BertTokenizer", "BertTokenizerFast"],
    "do_lower_case": [True, False],
    "clean_up_tokenization_spaces": [True, False, None],
    "do_basic_tokenize": [True],
    "never_split": [None, []],
    "additional_special_tokens": [None, []],
    "extra_special_tokens": [{}],
    "split_special_tokens": [False],
    "truncation_side": ["right"],
    "padding_side": ["right", "left"],
    "tokenizer_file": [None],
    "backend": ["tokenizers"],
    "init_inputs": [[]],
    "is_local": [True, False],
    "local_files_only": [True, False],
}
_OF_ANY_VALUE = {
    "model_max_length": int | float,
    "name_or_path": str,
    "processor_class": str,
    "special_tokens_map_file": str | None,
}


class Pretrained(NamedTuple):
    """A vocabulary, whether text is lower-cased, and whether it is cleaned up when decoded."""

    vocab: dict[str, int]
    lowercase: bool
    cleans_up: bool


def _load_pretrained(folder: str | os.PathLike[str]) -> Pretrained:
    """Return what was saved to `folder`; see `BertTokenizer.from_pretrained`."""
    folder = _check_folder(folder)
    names = (VOCAB, CONFIG, PIPELINE, ADDED_TOKENS, TOKEN_MAP)
    there = {name for name in names if (folder / name).is_file()}
    if PIPELINE not in there and not {VOCAB, CONFIG} <= there:
        raise FileNotFoundError(
            f"{folder} has neither {PIPELINE} nor both {VOCAB} and {CONFIG}: give a folder that a "
            f"tokenizer was saved to"
        )
    if ADDED_TOKENS in there:
        raise ValueError(f"{folder} has {ADDED_TOKENS}, and no token is added to BERT's here")
    config = _read_json(folder / CONFIG) if CONFIG in there else {}
    lowercase = config.get("do_lower_case", True)  # as in `transformers`
    if PIPELINE in there:
        vocab, is_uncased = _read_pipeline(folder / PIPELINE)
    else:
        vocab, is_uncased = _read_vocab(folder / VOCAB), lowercase
    if CONFIG not in there:
        lowercase = is_uncased
    _check_config(folder / CONFIG, config, vocab, lowercase)
    if TOKEN_MAP in there:
        _check_token_map(folder / TOKEN_MAP, vocab)
    if lowercase != is_uncased or (VOCAB in there and _read_vocab(folder / VOCAB) != vocab):
        raise ValueError(
            f"the files in {folder} are not of one tokenizer, their vocabularies or their case "
            f"differ: save it again"
        )
    return Pretrained(vocab, lowercase, bool(config.get("clean_up_tokenization_spaces")))


def _read_vocab(path: Path) -> dict[str, int]:
    vocab = load_vocab(path)
    # Where this differs, it is part of a token for `transformers`, or was for version 4.
    if path.read_bytes().replace(b"\r\n", b"\n").removesuffix(b"\n") != _to_bytes(vocab)[:-1]:
        raise ValueError(
            f"{path} has a byte order mark, or white space at the end of a line: take it out"
        )
    return vocab


def _read_pipeline(path: Path) -> tuple[dict[str, int], bool]:
    saved = _read_json(path)
    model, normalizer = saved.get("model"), saved.get("normalizer")
    if not isinstance(model, dict) or not isinstance(model.get("vocab"), dict):
        raise ValueError(f"{path} has no model with a vocabulary: save the tokenizer again")
    if not isinstance(normalizer, dict) or not isinstance(normalizer.get("lowercase"), bool):
        raise ValueError(f"{path} has no normalizer that says whether to lower-case: save it again")
    try:
        vocab = check_vocab(model.pop("vocab"))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path} has a vocabulary that BERT cannot use: {error}") from error
    for token in ("[CLS]", "[SEP]"):
        if token not in vocab:
            raise ValueError(f"{path} has no {token} in its vocabulary: BERT needs it")
    lowercase: bool = normalizer["lowercase"]
    expected = _pipeline(vocab, lowercase)
    del expected["model"]["vocab"]
    understood = {key: [value] for key, value in expected.items()}
    understood["normalizer"].append({**expected["normalizer"], "strip_accents": lowercase})
    understood["post_processor"].append(_template(vocab))  # as `transformers` writes it
    _check(path, {**dict.fromkeys(expected), **saved}, understood)
    return vocab, lowercase


def _check_config(
    path: Path, saved: Mapping[str, Any], vocab: Mapping[str, int], lowercase: bool
) -> None:
    expected = _config(vocab, lowercase, cleans_up=False)
    for name, token in TOKEN_NAMES.items():
        if token not in vocab and name not in saved:
            raise ValueError(
                f"{path.parent} has a vocabulary without {token}, and `transformers` adds one to "
                f"it unless {path.name} says that {name} is null: put either in"
            )
    special = {str(number): _added_token(token) for number, token in _special(vocab).items()}
    understood: dict[str, list[Any]] = {key: [value] for key, value in expected.items()}
    understood |= _UNDERSTOOD
    understood |= {"strip_accents": [None, lowercase], "added_tokens_decoder": [{}, special]}
    understood |= {k: [v] for k, v in saved.items() if isinstance(v, _OF_ANY_VALUE.get(k, ()))}
    _check(path, saved, understood)


def _check_token_map(path: Path, vocab: Mapping[str, int]) -> None:
    understood = {}
    for name, token in TOKEN_NAMES.items():
        described = _added_token(token)
        is_special = described.pop("special")
        forms = [token, described, {**described, "special": is_special}]
        understood[name] = forms if token in vocab else [None]
    _check(path, _read_json(path), understood)


def _check(path: Path, saved: Mapping[str, Any], understood: Mapping[str, list[Any]]) -> None:
    """Raise ValueError unless each value of `saved` is one that is understood for its key."""
    for key, value in saved.items():
        if key not in understood:
            raise ValueError(f"{path} has {key} {_shorten(value)}, which is not known here")
        # As JSON, so that 1 is not true.
        if _to_json(value) not in map(_to_json, understood[key]):
            raise ValueError(
                f"{path} has {key} {_shorten(value)}, and that is not done here: only "
                f"{' or '.join(map(_shorten, understood[key]))} is"
            )


def _template(vocab: Mapping[str, int]) -> dict[str, Any]:
    """Return [CLS] A [SEP] B [SEP], as TemplateProcessing spells it."""
    cls, sep, pair_sep = (
        {"SpecialToken": {"id": token, "type_id": type_id}}
        for token, type_id in (("[CLS]", 0), ("[SEP]", 0), ("[SEP]", 1))
    )
    first, second = ({"Sequence": {"id": name, "type_id": i}} for i, name in enumerate("AB"))
    return {
        "type": "TemplateProcessing",
        "single": [cls, first, sep],
        "pair": [cls, first, sep, second, pair_sep],
        "special_tokens": {
            token: {"id": token, "ids": [vocab[token]], "tokens": [token]}
            for token in ("[CLS]", "[SEP]")
        },
    }


def _read_json(path: Path) -> dict[str, Any]:
    try:
        saved = json.loads(path.read_bytes().decode())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not whole JSON ({error}): save the tokenizer again") from error
    if not isinstance(saved, dict):
        raise ValueError(f"{path} is no JSON object: save the tokenizer again")
    return saved


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _shorten(value: object) -> str:
    text = _to_json(value)
    return text if len(text) <= 100 else text[:100] + "…"
