"""The whole of WordPiece behind one class: text or word counts → merges, vocabulary, tokens."""

import json
import os
from collections.abc import Iterable
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from wpedu._checks import (
    START,
    WordCounts,
    check_int,
    check_score,
    check_str,
    check_strings,
    check_words,
    name_of,
)
from wpedu._chunks import ChunkCache
from wpedu._files import write_atomically
from wpedu.bert import BertTokenizer
from wpedu.encoding import UNKNOWN, LinearEncoder, LoopEncoder
from wpedu.pretokenization import _find_space, _split_chunk, count_words, iter_chunks
from wpedu.scores import SCORES, Pair, ScoreFunction
from wpedu.training import build_vocab, train

__all__ = ["NotFittedError", "WordPiece"]
__dir__ = __all__.copy  # what dir() shows

FORMAT, VERSION = "wpedu.WordPiece", 1
PARTS = {"score": str, "num_merges": int, "alphabet": list, "merges": list}
FUNCTION = "function "  # what the note of a score that has no name here begins with


class NotFittedError(ValueError, AttributeError):
    """What only `fit` gives is asked for; an AttributeError too, so that `hasattr` works."""


class WordPiece:
    """A WordPiece tokenizer: `fit` it on a text or on word counts, or `load` a saved one.

    `num_merges` and `score` are what `train` takes. They are for `fit`: changing one afterwards
    changes nothing that was learned, nor what is saved.

    >>> wp = WordPiece(num_merges=2).fit("the ship, the ships, the shop")
    >>> wp
    <WordPiece: 11 subwords, 2 merges by gain>
    >>> wp.merges
    [('t', 'h'), ('th', 'e')]
    >>> wp.tokenize("the hips")
    ['▁', 'the', '▁', 'h', 'i', 'p', 's']
    """

    def __init__(self, num_merges: int = 200, score: str | ScoreFunction = "gain"):
        self.num_merges = check_int(num_merges, "num_merges", least=0)
        check_score(score, SCORES)
        self.score = score
        self._model: _Model | None = None

    def __repr__(self) -> str:
        if self._model is None:
            return f"<WordPiece: not fitted, {self.num_merges} merges by {_note(self.score)}>"
        vocab_size, num_merges = len(self._model.vocab), len(self._model.merges)
        return f"<WordPiece: {vocab_size:,} subwords, {num_merges:,} merges by {self._model.score}>"

    def fit(self, corpus: str | WordCounts, progress: bool = False) -> "WordPiece":
        """Train on a text, or on word counts or a Corpus, and return self.

        `progress` shows a bar. If `train` raises an error, the tokenizer is what it was before.

        >>> WordPiece(num_merges=1).fit({"the": 2, "this": 1}).merges
        [('▁', 't')]
        """
        word_counts = check_words(count_words(corpus) if isinstance(corpus, str) else corpus)
        merges = train(word_counts, self.num_merges, self.score, progress)
        alphabet = build_vocab(word_counts, [])
        self._model = _Model(_note(self.score), int(self.num_merges), alphabet, merges)
        return self

    @property
    def vocab_size(self) -> int:
        """How many subwords the vocabulary has."""
        return len(self._fitted.vocab)

    @property
    def merges(self) -> list[Pair]:
        """The pairs that were merged, in order."""
        return list(self._fitted.merges)

    @property
    def vocab(self) -> list[str]:
        """The alphabet in order of first occurrence, then the merged pairs in order.

        >>> WordPiece(num_merges=1).fit("the this").vocab
        ['▁', 't', 'h', 'e', 'i', 's', '▁t']
        """
        return list(self._fitted.vocab)

    def encode(self, word: str) -> list[str]:
        """Return the subwords of `word`, or ["[UNK]"]. A word without "▁" continues another.

        >>> WordPiece(num_merges=1).fit("the this").encode("▁these")
        ['▁t', 'h', 'e', 's', 'e']
        """
        chunk_tokens = self._fitted.chunk_tokens
        if _find_space(check_str(word, "word")):
            raise ValueError(f"encode takes one word, and {word!r} has white space: use tokenize")
        return chunk_tokens.encode(word)

    def tokenize(self, text: str) -> list[str]:
        """Return the subwords of every word of `text`, one after the other.

        >>> WordPiece(num_merges=1).fit("the this").tokenize("this hat")
        ['▁t', 'h', 'i', 's', '[UNK]']
        """
        chunk_tokens = self._fitted.chunk_tokens
        return list(chain.from_iterable(map(chunk_tokens.__getitem__, iter_chunks(text))))

    def decode(self, tokens: Iterable[str]) -> str:
        """Return the words of `tokens`, with one space between words.

        White space other than that is not in the tokens, and cannot come back.

        >>> WordPiece().fit("the ship").decode(["▁th", "e", "▁", "ship", "[UNK]"])
        'the ship [UNK]'
        """
        self._fitted  # noqa: B018
        tokens = check_strings(tokens, "tokens")
        marked = (START + token if token == UNKNOWN else token for token in tokens)
        return "".join(marked).replace(START, " ").removeprefix(" ")

    def to_bert_tokenizer(self) -> BertTokenizer:
        """Return BERT's tokenizer with this vocabulary: special tokens first, case kept.

        It gives `to_bert` of the same tokens for every word that BERT takes for one word as well:
        of up to 100 letters, digits and marks, no ideographs, or one mark of punctuation. For the
        rest it splits and drops what BERT does: `a+b` and `$5` at the symbols of ASCII, `東京` at
        every ideograph; control and format characters, such as U+200B, go. Punctuation is that of
        Unicode 8: some younger characters are none, and U+111C9, which has become a mark, is one.
        Raises what `to_bert_vocab` raises.

        >>> WordPiece(num_merges=1).fit("the this").to_bert_tokenizer().tokenize("these")
        ['t', '##h', '##e', '##s', '##e']
        """
        return BertTokenizer.from_wordpiece(self._fitted.vocab)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tokenizer to `path`, in JSON that a person can read.

        If that fails, a file that was there is as it was. Of a score that is a function, only the
        name is saved.
        """
        saved = {part: getattr(self._fitted, part) for part in PARTS}
        merges = ",\n".join(f"  {_to_json(pair)}" for pair in saved["merges"])
        content = (
            f'{{"format": "{FORMAT}", "version": {VERSION}, "sha256": "{_digest(saved)}",\n'
            f' "score": {_to_json(saved["score"])}, "num_merges": {saved["num_merges"]},\n'
            f' "alphabet": {_to_json(saved["alphabet"])},\n'
            f' "merges": [\n{merges}\n]}}\n'
        )
        # UTF-8 has no lone surrogates. As escapes, two in a row would be read as one character.
        write_atomically(path, content.encode("utf-8", "surrogatepass"))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "WordPiece":
        """Return the tokenizer that `save` wrote to `path`.

        It tokenizes as that one did. If that one was trained by a function, set `score` to it
        before you `fit` this one. Raises ValueError if the content of the file, though not if its
        layout, was changed since.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "tokenizer.json")
        ...     WordPiece(num_merges=1).fit("the this").save(path)
        ...     WordPiece.load(path).merges
        [('▁', 't')]
        """
        saved = _read(path)
        score = saved["score"]
        wp = cls(saved["num_merges"], score if score in SCORES else _forgotten(score))
        wp._model = _Model(**saved)
        return wp

    @property
    def _fitted(self) -> "_Model":
        if self._model is None:
            raise NotFittedError("this WordPiece has no vocabulary: call fit, or WordPiece.load")
        return self._model


class _Model:
    """What was learned, and from what was asked for."""

    def __init__(self, score: str, num_merges: int, alphabet: list[str], merges: Iterable[Pair]):
        self.score, self.num_merges = score, num_merges
        self.alphabet, self.merges = alphabet, [(x, y) for x, y in merges]
        self.vocab = alphabet + ["".join(pair) for pair in self.merges]
        self.chunk_tokens = _ChunkTokens(self.vocab)


class _ChunkTokens(ChunkCache[tuple[str, ...]]):
    """White-space chunk → its tokens."""

    def __init__(self, vocab: list[str]):
        super().__init__()
        self._vocab = vocab
        self._encoder: LoopEncoder | LinearEncoder = LoopEncoder(vocab)

    def encode(self, word: str) -> list[str]:
        """Return the subwords of `word`, by the encoder that is fastest for what it is given.

        That is the loop as long as words are short and few. A long word might take it quadratic
        time; and once four times as many chunks as subwords are kept, building the trie has paid.
        """
        if isinstance(self._encoder, LoopEncoder) and (
            len(word) > self.MAX_LENGTH or len(self) > 4 * len(self._vocab)
        ):
            self._encoder = LinearEncoder(self._vocab)
        return self._encoder.encode(word)

    def make(self, chunk: str) -> tuple[str, ...]:
        """Return the tokens of the words of `chunk`."""
        words = _split_chunk(chunk)
        if len(words) == 1:
            return tuple(self.encode(START + chunk))
        return tuple(chain.from_iterable(map(self.__getitem__, words)))


def _note(score: str | ScoreFunction) -> str:
    """Return what a file says of `score`: its name, and whether it is a function."""
    score = check_score(score, SCORES)
    named = (name for name, function in SCORES.items() if function is score)
    return next(named, FUNCTION + name_of(score))


def _forgotten(note: str) -> ScoreFunction:
    """Return what stands for a function of which a file has only the name."""

    def score(*counts: int) -> float:
        raise ValueError(f"the score was the {note}, which is not in the file: set score to it")

    score.__name__ = note.removeprefix(FUNCTION)
    return score


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _digest(saved: dict[str, Any]) -> str:
    """Return the SHA-256 of what is saved, whatever its layout."""
    parts = _to_json([saved[part] for part in PARTS])
    return sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


def _read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what `save` wrote to `path`; ValueError if it is not that, with what is damaged."""
    try:
        saved = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not whole JSON ({error}): save the tokenizer again") from None
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise ValueError(f"{path} is not a saved WordPiece: give a file that WordPiece.save wrote")
    if saved.get("version") != VERSION:
        raise ValueError(
            f"{path} is of format version {saved.get('version')!r}, and this wpedu reads version "
            f"{VERSION}: save the tokenizer with this wpedu, or install the one that wrote it"
        )
    if damage := _find_damage(saved):
        raise ValueError(f"{path} is damaged ({damage}): save the tokenizer again")
    return {part: saved[part] for part in PARTS}


def _find_damage(saved: dict[str, Any]) -> str | None:
    """Return what is missing, which merge does not fit, or else that the SHA-256 differs."""
    for part, kind in PARTS.items():
        if not isinstance(saved.get(part), kind):
            return f"{part} is not there, or no {kind.__name__}"
    if saved.get("sha256") == _digest(saved):
        return None
    known = set(map(str, saved["alphabet"]))
    for number, pair in enumerate(saved["merges"], 1):
        parts = [str(part) for part in pair] if isinstance(pair, list) else []
        if len(parts) != 2 or not known.issuperset(parts):
            return f"merge {number}, {_to_json(pair)}, is no pair of subwords that stand before it"
        known.add("".join(parts))
    return f"{', '.join(PARTS)} are not all as they were saved: their SHA-256 differs"
