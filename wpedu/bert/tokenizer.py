"""BERT's tokenizer: text and a vocabulary → [CLS] tokens [SEP], ids and offsets, and back.

Gives what Hugging Face's tokenizers gives. Whatever it is given is checked: of another type it is
a TypeError, and a ValueError if nothing can be made of it.
"""

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from wpedu._support.checks import check_bool, check_int, check_list, check_str
from wpedu.bert.chunks import Chunks, Offsets
from wpedu.bert.normalization import WHITE_SPACE
from wpedu.bert.pretrained import load_pretrained, save_pretrained
from wpedu.bert.vocab import CONTINUATION, SPECIAL_TOKENS, to_bert_vocab
from wpedu.bert.vocab_file import check_vocab

# What loses its spaces in decoded text, in the order in which `transformers` goes about it.
_CLEANED_UP = (" .", " ?", " !", " ,", " ' ", " n't", " 'm", " 's", " 've", " 're")
_find_surrogate = re.compile("[\ud800-\udfff]").search


class BertEncoding(NamedTuple):
    """What BERT reads: four lists, with one item for each token."""

    tokens: list[str]
    ids: list[int]
    type_ids: list[int]
    offsets: list[Offsets]


class BertTokenizer:
    """BERT's tokenizer, for a vocabulary with [UNK], [CLS] and [SEP] in it.

    `vocab` is {token: id}, or the tokens in the order of their ids. `lowercase` lower-cases and
    strips accents, as uncased models need. Neither changes afterwards.

    Text that spells a special token becomes that token, as with Hugging Face: `a[SEP]b` is a,
    [SEP], b, and whoever wrote the text has ended a sentence where BERT believes that only its
    caller can. Take such spellings out of text that you do not trust. Case counts: `[sep]` is
    three words.

    >>> bert = BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e"])
    >>> bert.encode("the").tokens, bert.encode("the").ids
    (['[CLS]', 't', '##h', '##e', '[SEP]'], [2, 5, 7, 9, 3])
    """

    def __init__(self, vocab: Mapping[str, int] | Iterable[str], lowercase: bool = True):
        self._vocab = check_vocab(vocab)
        for token in ("[CLS]", "[SEP]"):
            if token not in self._vocab:
                raise ValueError(
                    f"vocab has no {token}: give it an id, or a vocabulary with ▁ to "
                    f"BertTokenizer.from_wordpiece"
                )
        self._lowercase = check_bool(lowercase, "lowercase")
        self._special_tokens = tuple(token for token in SPECIAL_TOKENS if token in self._vocab)
        self._tokens = sorted(self._vocab, key=self._vocab.__getitem__)
        self._cleans_up = False  # decoded text, as some folders ask for
        self._chunks = Chunks(self._vocab, self._special_tokens, self._lowercase)
        # A special token, or what lies between white space and has none in it. Normalization never
        # reaches over either, so that each chunk can be tokenized once, and remembered.
        special = "|".join(map(re.escape, self._special_tokens))
        chunk = rf"(?:[^{WHITE_SPACE}\[]++|(?!{special})\[)++|{special}"
        self._iter_chunks = re.compile(chunk).finditer

    def __repr__(self) -> str:
        return f"<BertTokenizer: {len(self._vocab):,} tokens, lowercase={self._lowercase}>"

    @property
    def vocab(self) -> dict[str, int]:
        """The tokens and their ids. It is a copy: take it once, not for each token."""
        return self._vocab.copy()

    @property
    def lowercase(self) -> bool:
        """Whether text is lower-cased and loses its accents."""
        return self._lowercase

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """What the vocabulary has of [PAD], [UNK], [CLS], [SEP] and [MASK], in this order."""
        return self._special_tokens

    @classmethod
    def from_wordpiece(cls, vocab: Iterable[str]) -> "BertTokenizer":
        """Return a cased tokenizer for a vocabulary with ▁: special tokens, then `to_bert_vocab`.

        >>> BertTokenizer.from_wordpiece(["▁t", "h", "e"]).vocab
        {'[PAD]': 0, '[UNK]': 1, '[CLS]': 2, '[SEP]': 3, '[MASK]': 4, 't': 5, '##h': 6, '##e': 7}
        """
        return cls(dict.fromkeys([*SPECIAL_TOKENS, *to_bert_vocab(vocab)]).keys(), lowercase=False)

    @classmethod
    def from_pretrained(cls, folder: str | os.PathLike[str]) -> "BertTokenizer":
        """Return the tokenizer that was saved to `folder`, by this package or by Hugging Face's.

        Needed are tokenizer.json, or vocab.txt and tokenizer_config.json; where more is there, it
        has to agree. It gives the tokens, ids and text that `transformers.BertTokenizerFast` gives
        from the same folder, or is refused with a ValueError that names what is not done here:
        other normalization, other special tokens, padding and the like. Only where there is no
        tokenizer_config.json, tokenizer.json decides about the case, as for `tokenizers`;
        `transformers` would lower-case whatever it says.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     BertTokenizer.from_wordpiece(["▁t", "h", "e"]).save_pretrained(folder)
        ...     BertTokenizer.from_pretrained(folder)
        <BertTokenizer: 8 tokens, lowercase=False>
        """
        vocab, lowercase, cleans_up = load_pretrained(folder)
        bert = cls(vocab, lowercase)
        bert._cleans_up = cleans_up
        return bert

    def save_pretrained(self, folder: str | os.PathLike[str]) -> None:
        """Write what `transformers` and `tokenizers` load this tokenizer from, into `folder`.

        These are vocab.txt, tokenizer.json and tokenizer_config.json; the folder is made if it is
        not there.
        """
        save_pretrained(folder, self._vocab, self._lowercase, self._cleans_up)

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of `text`, without [CLS] and [SEP].

        A word that the vocabulary cannot spell, or of more than 100 characters, is [UNK]. A lone
        surrogate, for which Unicode has no meaning and Hugging Face no answer, is a ValueError.

        >>> BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e"]).tokenize("the hex")
        ['t', '##h', '##e', '[UNK]']
        """
        return self.encode(text).tokens[1:-1]

    def encode(
        self, text: str, pair: str | None = None, max_length: int | None = None
    ) -> BertEncoding:
        """Return [CLS] text [SEP], or [CLS] text [SEP] pair [SEP], in at most `max_length` tokens.

        Type ids are 0, and 1 from the pair's first token on. Offsets are (start, end) in code
        points of `text` or of `pair` as they were given, (0, 0) for the tokens that were put in.
        What is too long loses its last tokens: first the longer text, then both by turns. If there
        is no place for [CLS] and [SEP], that is a ValueError (Hugging Face does not cut at all).

        >>> BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e"]).encode("the", "hé").offsets
        [(0, 0), (0, 1), (1, 2), (2, 3), (0, 0), (0, 2), (0, 0)]
        """
        encoding = BertEncoding(["[CLS]"], [self._vocab["[CLS]"]], [0], [(0, 0)])
        num_first = self._add(text, "text", 0, encoding)
        num_second = self._add(pair, "pair", 1, encoding) if pair is not None else 0
        if max_length is not None:
            num_special = 2 if pair is None else 3
            room = check_int(max_length, "max_length", least=num_special) - num_special
            kept_first, kept_second = _share(room, num_first, num_second)
            for column in encoding:
                del column[num_first + 2 + kept_second : num_first + 2 + num_second]
                del column[1 + kept_first : 1 + num_first]
        return encoding

    def decode(self, ids: Iterable[int] | BertEncoding, skip_special_tokens: bool = True) -> str:
        """Return the text of `ids`: ## joined to what is before, else a space between tokens.

        `ids` may be an encoding too. As with Hugging Face, special tokens are skipped, [UNK] among
        them, and there is no space before . ? ! , and English endings such as n't. Accents, case
        and white space that the tokens have lost do not come back.

        >>> bert = BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e", "."])
        >>> bert.decode(bert.encode("the  he."))
        'the he.'
        """
        numbers = ids.ids if isinstance(ids, BertEncoding) else check_list(ids, "ids", of="int")
        tokens, last = [], len(self._tokens) - 1
        for number in numbers:
            if not 0 <= check_int(number, "an id") <= last:
                raise ValueError(f"no token has the id {number}: ids are 0 to {last}")
            tokens.append(self._tokens[number])
        if check_bool(skip_special_tokens, "skip_special_tokens"):
            tokens = [token for token in tokens if token not in self._special_tokens]
        text = "".join(_spell(token, is_first=i == 0) for i, token in enumerate(tokens))
        return _clean_up(text) if self._cleans_up else text

    def _add(self, text: str, name: str, type_id: int, encoding: BertEncoding) -> int:
        """Add the tokens of `text` and [SEP] to `encoding`; return how many those of `text` are."""
        surrogate = _find_surrogate(check_str(text, name))
        if surrogate:
            raise ValueError(
                f"{name} has a lone surrogate, {surrogate.group()!a}, at {surrogate.start()}: "
                f"decode it from its bytes again, with the encoding that they are in"
            )
        tokens, ids, type_ids, offsets = encoding
        for chunk in self._iter_chunks(text):
            found, place = self._chunks[chunk.group()], chunk.start()
            tokens += found.tokens
            ids += found.ids
            for start, end in found.offsets:
                offsets.append(_place(place + start, place + end))
        num_added = len(ids) - len(type_ids)
        tokens.append("[SEP]")
        ids.append(self._vocab["[SEP]"])
        type_ids += [type_id] * (num_added + 1)
        offsets.append((0, 0))
        return num_added


@lru_cache(maxsize=2**14)
def _place(start: int, end: int) -> Offsets:
    """Return (start, end): of many short texts the same few objects, which is quicker to keep."""
    return start, end


def _share(room: int, num_first: int, num_second: int) -> tuple[int, int]:
    """Return how many tokens of each text to keep, so that there are `room` together."""
    if num_first + num_second <= room:
        return num_first, num_second
    shorter = min(num_first, num_second, room // 2)
    return (shorter, room - shorter) if num_first <= num_second else (room - shorter, shorter)


def _spell(token: str, is_first: bool) -> str:
    spaced = " " + token
    if is_first or spaced.startswith(_CLEANED_UP):
        return token
    return token[len(CONTINUATION) :] if token.startswith(CONTINUATION) else spaced


def _clean_up(text: str) -> str:
    """Return `text` as `transformers` does where tokenizer_config.json asks it to clean up."""
    for spaced in _CLEANED_UP:
        text = text.replace(spaced, spaced.strip())
    return text
