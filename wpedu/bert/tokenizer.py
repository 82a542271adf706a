"""BERT's tokenizer: text and a vocabulary → [CLS] tokens [SEP], ids and offsets, and back.

It gives the same results as Hugging Face's tokenizers. Raise TypeError for an argument of a wrong
type, and ValueError for one that cannot be tokenized or decoded.
"""

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from wpedu._support.checks import check_bool, check_int, check_list, check_str
from wpedu.bert.chunks import Chunks, Offsets
from wpedu.bert.normalization import WHITESPACE
from wpedu.bert.prefixes import to_bert_vocab
from wpedu.bert.pretrained import load_pretrained, save_pretrained
from wpedu.bert.vocab_file import CONTINUATION, SPECIAL_TOKENS, check_vocab

# A token that begins like one of these is decoded without a space before it.
_CLEANED_UP = (" .", " ?", " !", " ,", " n't", " 'm", " 's", " 've", " 're")
_find_surrogate = re.compile("[\ud800-\udfff]").search
_is_special = re.compile(r"\[.+\]|<.+>").fullmatch


class BertEncoding(NamedTuple):
    """The input of BERT: four lists, with one item for each token."""

    tokens: list[str]
    ids: list[int]
    type_ids: list[int]
    offsets: list[Offsets]


class BertTokenizer:
    """BERT's tokenizer, for a vocabulary that contains [UNK], [CLS] and [SEP].

    `vocab` is {token: id}, or the tokens in the order of their ids. `lowercase` lowercases text
    and strips accents, as uncased models need. By default, it does so unless the vocabulary has
    capitals, other than in special tokens such as [unused1]. Neither can be changed later.

    Text that spells a special token becomes that token, as with Hugging Face: `a[SEP]b` becomes a,
    [SEP], b, so the author of a text can end a sentence, which only BERT's caller should do. Remove
    such spellings from text that you do not trust. Case counts: `[sep]` is three words.

    >>> bert = BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e"])
    >>> bert.encode("the").tokens, bert.encode("the").ids
    (['[CLS]', 't', '##h', '##e', '[SEP]'], [2, 5, 7, 9, 3])
    """

    def __init__(self, vocab: Mapping[str, int] | Iterable[str], lowercase: bool | None = None):
        checked = check_vocab(vocab)
        if lowercase is None:
            lowercase = all(token == token.lower() or _is_special(token) for token in checked)
        for token in ("[CLS]", "[SEP]"):
            if token not in checked:
                raise ValueError(f"vocab has no {token}: give it an id")
        self._vocab, self._lowercase = checked, check_bool(lowercase, "lowercase")
        self._special_tokens = tuple(token for token in SPECIAL_TOKENS if token in self._vocab)
        self._tokens = sorted(self._vocab, key=self._vocab.__getitem__)
        self._chunks = Chunks(self._vocab, self._special_tokens, self._lowercase)
        # A chunk is a special token, or text without whitespace and special tokens. Normalization
        # never crosses its ends, so that each chunk can be tokenized once, and remembered.
        special = "|".join(map(re.escape, self._special_tokens))
        chunk = rf"(?:[^{WHITESPACE}\[]++|(?!{special})\[)++|{special}"
        self._iter_chunks = re.compile(chunk).finditer

    def __repr__(self) -> str:
        return f"<BertTokenizer: {len(self._vocab):,} tokens, lowercase={self._lowercase}>"

    @property
    def vocab(self) -> dict[str, int]:
        """A copy of the tokens and their ids, which takes a while to make."""
        return self._vocab.copy()

    @property
    def lowercase(self) -> bool:
        """Whether text is lowercased and loses its accents."""
        return self._lowercase

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """Those of [PAD], [UNK], [CLS], [SEP] and [MASK] in the vocabulary, in this order."""
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
        """Return the tokenizer that `save_pretrained` wrote to `folder`.

        The tokenizer gives the tokens, ids and text that `transformers.BertTokenizerFast` gives
        from the same folder. A folder that Hugging Face's libraries wrote may have settings that
        this package lacks, and is a ValueError: for its vocabulary alone, call `load_vocab`.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     BertTokenizer.from_wordpiece(["▁t", "h", "e"]).save_pretrained(folder)
        ...     BertTokenizer.from_pretrained(folder)
        <BertTokenizer: 8 tokens, lowercase=False>
        """
        return cls(*load_pretrained(folder))

    def save_pretrained(self, folder: str | os.PathLike[str]) -> None:
        """Write vocab.txt, tokenizer.json and tokenizer_config.json to `folder`.

        `transformers` and `tokenizers` can load them. A missing folder is created.
        """
        save_pretrained(folder, self._vocab, self._lowercase)

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of `text`, without [CLS] and [SEP].

        A word becomes [UNK] if the vocabulary cannot spell it, or if it has more than 100
        characters. A lone surrogate, which is not a character of Unicode and which Hugging Face
        rejects, is a ValueError.

        >>> BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e"]).tokenize("the hex")
        ['t', '##h', '##e', '[UNK]']
        """
        return self.encode(text).tokens[1:-1]

    def encode(
        self, text: str, pair: str | None = None, max_length: int | None = None
    ) -> BertEncoding:
        """Return [CLS] text [SEP], or [CLS] text [SEP] pair [SEP], in at most `max_length` tokens.

        Type ids are 0, and 1 from the pair's first token on. Offsets are (start, end) in code
        points of the original `text` or `pair`, and (0, 0) for [CLS] and [SEP]. Texts that are too
        long lose their last tokens: first the longer text, then both in turn. If `max_length` has
        no room for [CLS] and [SEP], it is a ValueError (Hugging Face then does not truncate).

        >>> BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e"]).encode("the", "hé").offsets
        [(0, 0), (0, 1), (1, 2), (2, 3), (0, 0), (0, 2), (0, 0)]
        """
        encoding = BertEncoding(["[CLS]"], [self._vocab["[CLS]"]], [0], [(0, 0)])
        num_first = self._add(text, "text", 0, encoding)
        num_second = self._add(pair, "pair", 1, encoding) if pair is not None else 0
        if max_length is not None:
            num_special = 2 if pair is None else 3
            room = check_int(max_length, "max_length", least=num_special) - num_special
            kept_first, kept_second = _share_room(room, num_first, num_second)
            for column in encoding:
                del column[num_first + 2 + kept_second : num_first + 2 + num_second]
                del column[1 + kept_first : 1 + num_first]
        return encoding

    def decode(self, ids: Iterable[int] | BertEncoding, skip_special_tokens: bool = True) -> str:
        """Return the text of `ids`, with spaces between tokens, but none before a ##.

        `ids` may also be an encoding. As with Hugging Face, special tokens are skipped, including
        [UNK], and there is no space before . ? ! , and English endings such as n't. Accents, case
        and whitespace that the tokens have lost do not come back.

        >>> bert = BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e", "."])
        >>> bert.decode(bert.encode("the  he."))
        'the he.'
        """
        ids = ids.ids if isinstance(ids, BertEncoding) else check_list(ids, "ids", of="int")
        tokens, last = [], len(self._tokens) - 1
        for id in ids:
            if not 0 <= check_int(id, "an id") <= last:
                raise ValueError(f"no token has the id {id}: use ids from 0 to {last}")
            tokens.append(self._tokens[id])
        if check_bool(skip_special_tokens, "skip_special_tokens"):
            tokens = [token for token in tokens if token not in self._special_tokens]
        return "".join(_spell(token, is_first=i == 0) for i, token in enumerate(tokens))

    def _add(self, text: str, name: str, type_id: int, encoding: BertEncoding) -> int:
        """Add the tokens of `text` and [SEP] to `encoding`; return how many tokens `text` has."""
        surrogate = _find_surrogate(check_str(text, name))
        if surrogate:
            raise ValueError(
                f"{name} has the lone surrogate {surrogate.group()!a} at {surrogate.start()}: "
                f"decode its bytes again, with the right encoding"
            )
        tokens, ids, type_ids, offsets = encoding
        for chunk in self._iter_chunks(text):
            found, position = self._chunks[chunk.group()], chunk.start()
            tokens += found.tokens
            ids += found.ids
            for start, end in found.offsets:
                offsets.append(_share_offsets(position + start, position + end))
        num_added = len(ids) - len(type_ids)
        tokens.append("[SEP]")
        ids.append(self._vocab["[SEP]"])
        type_ids += [type_id] * (num_added + 1)
        offsets.append((0, 0))
        return num_added


@lru_cache(maxsize=2**14)
def _share_offsets(start: int, end: int) -> Offsets:
    """Return (start, end); many short texts share the same few tuples, which is faster."""
    return start, end


def _share_room(room: int, num_first: int, num_second: int) -> tuple[int, int]:
    """Return how many tokens of each text to keep, so that they have `room` together."""
    if num_first + num_second <= room:
        return num_first, num_second
    shorter = min(num_first, num_second, room // 2)
    return (shorter, room - shorter) if num_first <= num_second else (room - shorter, shorter)


def _spell(token: str, is_first: bool) -> str:
    spaced = " " + token
    if is_first or spaced.startswith(_CLEANED_UP):
        return token
    return token[len(CONTINUATION) :] if token.startswith(CONTINUATION) else spaced
