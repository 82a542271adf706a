"""BERT's tokenizer: text and a vocabulary → tokens, ids and where they are in the text.

Gives what Hugging Face's tokenizers gives. What happens to the text first is in
`normalization`, how a vocabulary with ▁ becomes one with ## in `vocab`, and the files
that Hugging Face's libraries load in `export`.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from pathlib import Path

import regex

from wpedu._checks import check_bool, check_str
from wpedu._files import write_atomically
from wpedu.bert.chunks import ChunkTokens
from wpedu.bert.export import pretrained_files
from wpedu.bert.vocab import CONTINUATION, SPECIAL_TOKENS, check_vocab, to_bert_vocab

Offsets = tuple[int, int]

# What lies between the white space that BERT knows. Normalization never reaches over that, so a
# chunk can be tokenized once, and remembered.
_iter_chunks = regex.compile(r"[^\t\n\r\p{Z}]+").finditer


@dataclass(frozen=True)
class BertEncoding:
    """What BERT reads: four lists, with one item for each token."""

    tokens: list[str]
    ids: list[int]
    type_ids: list[int]
    offsets: list[Offsets]


class BertTokenizer:
    """BERT's tokenizer, for a vocabulary of {token: id} with [UNK], [CLS] and [SEP] in it.

    `lowercase` lower-cases and strips accents, as uncased models need. Raises what `check_vocab`
    raises, ValueError if [CLS] or [SEP] is missing, and TypeError if `lowercase` is no bool.

    Text that spells a special token becomes that token, as with Hugging Face: `a[SEP]b` is a,
    [SEP], b, and whoever wrote the text has ended a sentence where BERT believes that only its
    caller can. Take such spellings out of text that you do not trust. Case counts: `[sep]` is
    three words.

    >>> bert = BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e"])
    >>> bert.encode("the").tokens, bert.encode("the").ids
    (['[CLS]', 't', '##h', '##e', '[SEP]'], [2, 5, 7, 9, 3])
    """

    def __init__(self, vocab: Mapping[str, int], lowercase: bool = True):
        self.vocab = dict(check_vocab(vocab))
        for token in ("[CLS]", "[SEP]"):
            if token not in self.vocab:
                raise ValueError(f"vocab has no {token}: give it an id")
        self.lowercase = check_bool(lowercase, "lowercase")
        self.special_tokens = [token for token in SPECIAL_TOKENS if token in self.vocab]
        self._tokens = sorted(self.vocab, key=self.vocab.get)
        self._iter_special = regex.compile(
            "|".join(map(regex.escape, self.special_tokens))
        ).finditer
        self._chunks = ChunkTokens(self.vocab, self.lowercase)

    def __repr__(self) -> str:
        return f"<BertTokenizer: {len(self.vocab):,} tokens, lowercase={self.lowercase}>"

    @classmethod
    def from_wordpiece(cls, vocab: Iterable[str]) -> "BertTokenizer":
        """Return a cased tokenizer for a vocabulary with ▁: special tokens, then `to_bert_vocab`.

        Raises what `to_bert_vocab` raises.

        >>> BertTokenizer.from_wordpiece(["▁t", "h", "e"]).vocab
        {'[PAD]': 0, '[UNK]': 1, '[CLS]': 2, '[SEP]': 3, '[MASK]': 4, 't': 5, '##h': 6, '##e': 7}
        """
        tokens = dict.fromkeys([*SPECIAL_TOKENS, *to_bert_vocab(vocab)])
        return cls({token: number for number, token in enumerate(tokens)}, lowercase=False)

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of `text`, without [CLS] and [SEP].

        A word that the vocabulary cannot spell, or of more than 100 characters, is [UNK]. Raises
        TypeError if `text` is no str; ValueError if it has a lone surrogate in it, for which
        Unicode has no meaning and Hugging Face no answer.

        >>> BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e"]).tokenize("the hex")
        ['t', '##h', '##e', '[UNK]']
        """
        return [token for token, _ in self._tokenize(text)]

    def encode(
        self, text: str, pair: str | None = None, max_length: int | None = None
    ) -> BertEncoding:
        """Return [CLS] text [SEP], or [CLS] text [SEP] pair [SEP], in at most `max_length` tokens.

        Type ids are 0, and 1 from the pair's first token on. Offsets are (start, end) in code
        points of `text` or of `pair` as they were given, (0, 0) for the tokens that were put in.
        What is too long loses its last tokens: first the longer text, then both by turns.

        Raises what `tokenize` raises, TypeError if `max_length` is no int, and ValueError if it
        leaves no place for [CLS] and [SEP] (where Hugging Face does not cut at all).

        >>> BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e"]).encode("the", "hé").offsets
        [(0, 0), (0, 1), (1, 2), (2, 3), (0, 0), (0, 2), (0, 0)]
        """
        first = self._tokenize(text)
        second = [] if pair is None else self._tokenize(pair)
        if max_length is not None:
            room = _check_max_length(max_length, 2 if pair is None else 3)
            num_first, num_second = _truncate(len(first), len(second), room)
            first, second = first[:num_first], second[:num_second]
        start, end = ("[CLS]", (0, 0)), ("[SEP]", (0, 0))
        parts = [[start, *first, end]] if pair is None else [[start, *first, end], [*second, end]]
        return BertEncoding(
            tokens=[token for part in parts for token, _ in part],
            ids=[self.vocab[token] for part in parts for token, _ in part],
            type_ids=[type_id for type_id, part in enumerate(parts) for _ in part],
            offsets=[offsets for part in parts for _, offsets in part],
        )

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """Return the text of `ids`: ## joined to what is before, else a space between tokens.

        As with Hugging Face, special tokens are skipped, [UNK] among them, and there is no space
        before . ? ! , and English endings such as n't. Accents, case and white space that the
        tokens have lost do not come back. Raises TypeError if an id is no int, ValueError if the
        vocabulary does not have it.

        >>> bert = BertTokenizer.from_wordpiece(["▁", "▁t", "h", "e", "."])
        >>> bert.decode(bert.encode("the  he.").ids)
        'the he.'
        """
        if isinstance(ids, str) or not isinstance(ids, Iterable):
            raise TypeError(f"ids must be a list of int, not one {type(ids).__name__}")
        tokens = map(self._id_to_token, ids)
        if skip_special_tokens:
            tokens = (token for token in tokens if token not in self.special_tokens)
        return "".join(_spell(token, is_first=i == 0) for i, token in enumerate(tokens))

    def save_pretrained(self, folder: str | os.PathLike) -> None:
        """Write what `transformers` and `tokenizers` load this tokenizer from, into `folder`.

        These are vocab.txt, tokenizer.json and tokenizer_config.json; the folder is made if it is
        not there. Raises OSError if they cannot be written.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     BertTokenizer.from_wordpiece(["▁t", "h", "e"]).save_pretrained(folder)
        """
        files = pretrained_files(self.vocab, self.special_tokens, self.lowercase)
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_atomically(folder / name, content)

    def _tokenize(self, text: str) -> list[tuple[str, Offsets]]:
        _check_text(text)
        tokens, end = [], 0
        for special in self._iter_special(text):
            tokens += self._tokenize_plain(text, end, special.start())
            tokens.append((special.group(), special.span()))
            end = special.end()
        return tokens + self._tokenize_plain(text, end, len(text))

    def _tokenize_plain(self, text: str, start: int, end: int) -> list[tuple[str, Offsets]]:
        return [
            (token, (chunk.start() + token_start, chunk.start() + token_end))
            for chunk in _iter_chunks(text, start, end)
            for token, token_start, token_end in self._chunks[chunk.group()]
        ]

    def _id_to_token(self, number: int) -> str:
        if isinstance(number, bool) or not hasattr(number, "__index__"):
            raise TypeError(f"an id must be an int, not {number!r}")
        number = index(number)
        if not 0 <= number < len(self._tokens):
            raise ValueError(f"no token has the id {number}: ids are 0 to {len(self._tokens) - 1}")
        return self._tokens[number]


def _truncate(num_first: int, num_second: int, room: int) -> tuple[int, int]:
    """Return how many tokens of each text to keep, so that there are `room` together."""
    if num_first + num_second <= room:
        return num_first, num_second
    shorter = min(num_first, num_second, room // 2)
    return (shorter, room - shorter) if num_first <= num_second else (room - shorter, shorter)


def _spell(token: str, is_first: bool) -> str:
    if is_first:
        return token
    if token.startswith(CONTINUATION):
        return token.removeprefix(CONTINUATION)
    joins = token.startswith((".", "?", "!", ",", "n't", "'m", "'s", "'ve", "'re"))
    return token if joins else " " + token


def _check_text(text: str) -> None:
    check_str(text, "text")
    surrogate = regex.search(r"\p{Cs}", text)
    if surrogate:
        raise ValueError(
            f"text has a lone surrogate, {surrogate.group()!a}, at {surrogate.start()}: decode it "
            f"from its bytes again, with the encoding that they are in"
        )


def _check_max_length(max_length: int, num_special: int) -> int:
    """Return the room that `max_length` leaves for the text."""
    if isinstance(max_length, bool) or not isinstance(max_length, int):
        raise TypeError(f"max_length is an int or None, not {max_length!r}")
    if max_length < num_special:
        raise ValueError(
            f"max_length is {max_length}, and [CLS] and [SEP] alone are {num_special} tokens: give "
            f"{num_special} or more"
        )
    return max_length - num_special
