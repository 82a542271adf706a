"""A BERT tokenizer ↔ the folder that it is saved to, for `transformers` and `tokenizers` as well.

`_config` and `_pipeline` give the content of the files. When a folder is read, any setting must
have the value given there, or one that changes nothing in `transformers` 4.57 and 5; every other
setting is rejected by name.
"""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from wpedu._support.checks import check_bool
from wpedu._support.files import write_all_atomically
from wpedu.bert.vocab_file import (
    CONTINUATION,
    MAX_WORD_LENGTH,
    SPECIAL_TOKENS,
    check_vocab,
    load_vocab,
    vocab_to_bytes,
)
from wpedu.encoding import UNKNOWN

VOCAB, CONFIG, PIPELINE = "vocab.txt", "tokenizer_config.json", "tokenizer.json"
ADDED_TOKENS, TOKEN_MAP = "added_tokens.json", "special_tokens_map.json"
TOKEN_NAMES = {f"{token.strip('[]').lower()}_token": token for token in SPECIAL_TOKENS}

# Settings in a tokenizer_config.json that change neither tokens nor text, with any value, and other
# values that change nothing.
IGNORED = {"is_local", "local_files_only", "model_max_length", "name_or_path", "processor_class"}
IGNORED |= {"special_tokens_map_file"}
_HARMLESS: dict[str, list[Any]] = {
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
}


def save_pretrained(
    folder: str | os.PathLike[str], vocab: Mapping[str, int], lowercase: bool, cleans_up: bool
) -> None:
    """Create `folder` and write the three files to it; if one cannot be written, write none.

    `transformers` reads tokenizer_config.json and one of the other two, depending on its version;
    `tokenizers` reads tokenizer.json, or vocab.txt, which does not say whether to lowercase.
    """
    files = {VOCAB: vocab_to_bytes(vocab)}
    config, pipeline = _config(vocab, lowercase, cleans_up), _pipeline(vocab, lowercase)
    for name, value in ((CONFIG, config), (PIPELINE, pipeline)):
        files[name] = (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
    folder = _check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_all_atomically(folder, files)


def load_pretrained(folder: str | os.PathLike[str]) -> tuple[dict[str, int], bool, bool]:
    """Return what `save_pretrained` takes; see `BertTokenizer.from_pretrained`."""
    folder = _check_folder(folder)
    names = (VOCAB, CONFIG, PIPELINE, ADDED_TOKENS, TOKEN_MAP)
    there = {name for name in names if (folder / name).is_file()}
    if PIPELINE not in there and not {VOCAB, CONFIG} <= there:
        raise FileNotFoundError(
            f"{folder} has neither {PIPELINE} nor both {VOCAB} and {CONFIG}: name a folder that a "
            f"tokenizer was saved to, or give a vocabulary from load_vocab to BertTokenizer"
        )
    if ADDED_TOKENS in there:
        raise ValueError(f"{folder} has {ADDED_TOKENS}: add no tokens to those of BERT")
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
            f"the files in {folder} differ in vocabulary or case: save the tokenizer again"
        )
    return vocab, lowercase, bool(config.get("clean_up_tokenization_spaces"))


def _check_folder(folder: str | os.PathLike[str]) -> Path:
    if not os.fspath(folder):  # Path("") is the current folder
        raise ValueError("the path is empty: name a folder")
    return Path(folder)


def _read_vocab(path: Path) -> dict[str, int]:
    vocab = load_vocab(path)
    # `transformers`, at least in version 4, reads any other bytes as parts of tokens.
    if path.read_bytes().replace(b"\r\n", b"\n").removesuffix(b"\n") != vocab_to_bytes(vocab)[:-1]:
        raise ValueError(
            f"{path} has a byte order mark, or whitespace at the end of a line: remove it"
        )
    return vocab


def _read_pipeline(path: Path) -> tuple[dict[str, int], bool]:
    saved = _read_json(path)
    try:
        vocab = check_vocab(dict(saved["model"].pop("vocab")))
        lowercase = check_bool(saved["normalizer"]["lowercase"], "lowercase")
        expected = _pipeline(vocab, lowercase)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path} is not a saved BERT tokenizer ({error!r}): save it again"
        ) from error
    del expected["model"]["vocab"]
    allowed = {key: [value] for key, value in expected.items()}
    allowed["normalizer"].append({**expected["normalizer"], "strip_accents": lowercase})
    allowed["post_processor"].append(_template(vocab))
    _check(path, {**dict.fromkeys(expected), **saved}, allowed)
    return vocab, lowercase


def _check_config(
    path: Path, saved: Mapping[str, Any], vocab: Mapping[str, int], lowercase: bool
) -> None:
    for name, token in TOKEN_NAMES.items():
        if token not in vocab and name not in saved:
            raise ValueError(
                f"the vocabulary in {path.parent} has no {token}, and `transformers` would add it: "
                f"add it yourself, or set {name} to null in {CONFIG}"
            )
    special = {str(id): _added_token(token) for id, token in _special(vocab).items()}
    allowed: dict[str, list[Any]] = {
        **{key: [value] for key, value in _config(vocab, lowercase, cleans_up=False).items()},
        **_HARMLESS,
        "strip_accents": [None, lowercase],
        "added_tokens_decoder": [{}, special],
    }
    _check(path, {key: saved[key] for key in saved if key not in IGNORED}, allowed)


def _check_token_map(path: Path, vocab: Mapping[str, int]) -> None:
    allowed = {}
    for name, token in TOKEN_NAMES.items():
        added = _added_token(token)
        flags = {key: value for key, value in added.items() if key != "special"}
        allowed[name] = [token, added, flags] if token in vocab else [None]
    _check(path, _read_json(path), allowed)


def _check(path: Path, saved: Mapping[str, Any], allowed: Mapping[str, list[Any]]) -> None:
    """Raise ValueError unless each value of `saved` is allowed for its key."""
    for key, value in saved.items():
        shown = _to_json(value)  # in which 1 is not True
        if shown not in map(_to_json, allowed.get(key, ())):
            raise ValueError(
                f"{path} has {key} {shown[:100] + '…' * (len(shown) > 100)}, which wpedu does not "
                f"support: load this folder with `transformers`"
            )


def _config(vocab: Iterable[str], lowercase: bool, cleans_up: bool) -> dict[str, Any]:
    """Return the content of tokenizer_config.json."""
    return {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": lowercase,
        "strip_accents": None,
        "tokenize_chinese_chars": True,
        "clean_up_tokenization_spaces": cleans_up,
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


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
