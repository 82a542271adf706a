"""A BERT tokenizer → the files that `transformers` and `tokenizers` load it from."""

import json
from collections.abc import Mapping, Sequence

from wpedu.bert.vocab import CONTINUATION, MAX_WORD_LENGTH, SPECIAL_TOKENS, vocab_to_bytes
from wpedu.encoding import UNKNOWN


def pretrained_files(
    vocab: Mapping[str, int], special_tokens: Sequence[str], lowercase: bool
) -> dict[str, bytes]:
    """Return the content of vocab.txt, tokenizer.json and tokenizer_config.json.

    `transformers` reads tokenizer_config.json and one of the other two, depending on its version;
    `tokenizers` reads tokenizer.json, or vocab.txt, which does not say whether to lower-case.
    """
    return {
        "vocab.txt": vocab_to_bytes(vocab),
        "tokenizer.json": _to_json(_pipeline(vocab, special_tokens, lowercase)),
        "tokenizer_config.json": _to_json(_config(vocab, lowercase)),
    }


def _config(vocab: Mapping[str, int], lowercase: bool) -> dict:
    # A special token that is left out here is added to the vocabulary by `transformers`.
    names = {f"{token.strip('[]').lower()}_token": token for token in SPECIAL_TOKENS}
    return {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": lowercase,
        "strip_accents": None,
        "tokenize_chinese_chars": True,
        **{name: token if token in vocab else None for name, token in names.items()},
    }


def _pipeline(vocab: Mapping[str, int], special_tokens: Sequence[str], lowercase: bool) -> dict:
    as_is = dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized"], False)
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": vocab[token], "content": token, **as_is, "special": True}
            for token in sorted(special_tokens, key=vocab.get)
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


def _to_json(value: dict) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
