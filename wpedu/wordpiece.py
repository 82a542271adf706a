"""All of WordPiece in one class: text or word counts → merges, vocabulary, tokens."""

import json
import os
from collections.abc import Iterable
from hashlib import sha256
from itertools import chain
from operator import index
from pathlib import Path
from typing import Any

from wpedu._support.cache import ChunkCache
from wpedu._support.checks import check_int, check_score, check_str, check_strings, name_of
from wpedu._support.files import write_atomically
from wpedu.bert import BertTokenizer
from wpedu.corpus import CORPORA
from wpedu.encoding import UNKNOWN, LinearEncoder, LoopEncoder
from wpedu.pretokenization import (
    START,
    WordCounts,
    check_words,
    count_words,
    find_whitespace,
    iter_chunks,
    split_chunk,
)
from wpedu.scores import SCORES, Pair, Score
from wpedu.training import find_alphabet, train_splits

__all__ = ["NotFittedError", "WordPiece"]

FORMAT, VERSION = "wpedu.WordPiece", 1
PARTS = ("score", "num_merges", "alphabet", "merges")
FUNCTION = "function "  # begins the note on a score that is not in SCORES


class NotFittedError(ValueError, AttributeError):
    """Raised when an attribute needs `fit`; also an AttributeError, so that `hasattr` works."""


class WordPiece:
    """A WordPiece tokenizer: `fit` it on a text or on word counts, or `load` a saved one.

    `num_merges` and `score` are those of `train`, and are used by `fit`: changing one afterward
    changes neither what was learned nor what is saved.

    >>> wp = WordPiece(num_merges=2).fit("the ship, the ships, the shop")
    >>> wp
    <WordPiece: 11 subwords, 2 merges by gain>
    >>> wp.merges
    [('t', 'h'), ('th', 'e')]
    >>> wp.tokenize("the hips")
    ['▁', 'the', '▁', 'h', 'i', 'p', 's']
    """

    def __init__(self, num_merges: int = 200, score: str | Score = "gain"):
        self.num_merges = check_int(num_merges, "num_merges", least=0)
        check_score(score, SCORES)
        self.score = score
        self._model: _Model | None = None

    def __repr__(self) -> str:
        if self._model is None:
            return f"<WordPiece: not fitted, {self.num_merges} merges by {_score_name(self.score)}>"
        vocab_size, num_merges = len(self._model.vocab), len(self._model.merges)
        return f"<WordPiece: {vocab_size:,} subwords, {num_merges:,} merges by {self._model.score}>"

    def fit(self, corpus: str | WordCounts, progress: bool = False) -> "WordPiece":
        """Train on a text, on word counts or on a Corpus, and return self.

        `progress` shows a bar. If `train` raises an error, the tokenizer stays as it was.

        >>> WordPiece(num_merges=1).fit({"the": 2, "this": 1}).merges
        [('▁', 't')]
        """
        if isinstance(corpus, str):
            if corpus in CORPORA or os.path.lexists(corpus):
                raise ValueError(
                    f"fit takes a text, and {corpus!r} is the name of a corpus or a path: give "
                    f"load_corpus({corpus!r})"
                )
            corpus = count_words(corpus)
        word_counts = check_words(corpus)
        splits = {word: [START, *word] for word in word_counts}
        merges = train_splits(splits, word_counts, self.num_merges, self.score, progress)
        self._model = _Model(
            _score_name(self.score), index(self.num_merges), find_alphabet(word_counts), merges
        )
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
        """Return the subwords of `word`, or ["[UNK]"]; a word without "▁" continues another.

        >>> WordPiece(num_merges=1).fit("the this").encode("▁these")
        ['▁t', 'h', 'e', 's', 'e']
        """
        chunk_tokens = self._fitted.chunk_tokens
        if find_whitespace(check_str(word, "word")):
            raise ValueError(
                f"encode takes one word, and {word!r} has whitespace in it: use tokenize"
            )
        return chunk_tokens.encode(word)

    def tokenize(self, text: str) -> list[str]:
        """Return the subwords of every word of `text`, in order.

        >>> WordPiece(num_merges=1).fit("the this").tokenize("this hat")
        ['▁t', 'h', 'i', 's', '[UNK]']
        """
        chunk_tokens = self._fitted.chunk_tokens
        return list(chain.from_iterable(map(chunk_tokens.__getitem__, iter_chunks(text))))

    def decode(self, tokens: Iterable[str]) -> str:
        """Return the words of `tokens`, with one space between words.

        Any other whitespace is not in the tokens, and cannot come back. If a word lacks its ▁, as
        in BERT's notation, it is a ValueError.

        >>> WordPiece().fit("the ship").decode(["▁th", "e", "▁", "ship", "[UNK]"])
        'the ship [UNK]'
        """
        self._fitted  # noqa: B018
        tokens = check_strings(tokens, "tokens")
        for previous, token in zip([UNKNOWN, *tokens], tokens):
            if previous == UNKNOWN != token and not token.startswith(START):
                raise ValueError(
                    f"no word begins at {token!r}, which lacks {START}, as in BERT's notation: "
                    f"give the tokens of whole words, as tokenize returns them"
                )
        marked = (START + token if token == UNKNOWN else token for token in tokens)
        return "".join(marked).replace(START, " ").removeprefix(" ")

    def to_bert_tokenizer(self) -> BertTokenizer:
        """Return BERT's tokenizer with this vocabulary: special tokens first, case kept.

        It gives `to_bert` of the same tokens for every word that is also one word to BERT: up to
        100 letters, digits and marks without ideographs, or one punctuation mark. It splits or
        drops everything else as BERT does: it splits `a+b` and `$5` at ASCII symbols, and `東京`
        at every ideograph, and drops control and format characters such as U+200B. Punctuation is
        that of Unicode 8, which lacks some newer characters, and includes U+111C9, now a
        combining mark.
        Raises what `to_bert_vocab` raises.

        >>> WordPiece(num_merges=1).fit("the this").to_bert_tokenizer().tokenize("these")
        ['t', '##h', '##e', '##s', '##e']
        """
        return BertTokenizer.from_wordpiece(self._fitted.vocab)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tokenizer to `path`, as human-readable JSON.

        If that fails, a file at `path` stays as it was. If the score is a function, only its name
        is saved. Raises what `open` raises.
        """
        saved = {part: getattr(self._fitted, part) for part in PARTS}
        merges = ",\n".join(f"  {_to_json(pair)}" for pair in saved["merges"])
        content = (
            f'{{"format": "{FORMAT}", "version": {VERSION}, "sha256": "{_digest(saved)}",\n'
            f' "score": {_to_json(saved["score"])}, "num_merges": {saved["num_merges"]},\n'
            f' "alphabet": {_to_json(saved["alphabet"])},\n'
            f' "merges": [\n{merges}\n]}}\n'
        )
        # UTF-8 has no lone surrogates; two in a row, escaped, would be read as one character.
        write_atomically(path, content.encode("utf-8", "surrogatepass"))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "WordPiece":
        """Return the tokenizer that `save` wrote to `path`.

        It tokenizes as the saved one did. After training by a function, its `score` is only a
        note: set it to that function before you `fit` again. Raises ValueError for a file that
        `save` cannot have written, or whose content has changed since; its layout may change.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = f"{folder}/tokenizer.json"
        ...     WordPiece(num_merges=1).fit("the this").save(path)
        ...     WordPiece.load(path).merges
        [('▁', 't')]
        """
        saved = _read(path)
        wp = cls.__new__(cls)  # a subclass may have an `__init__` of its own
        wp.num_merges, wp.score = saved["num_merges"], saved["score"]
        wp._model = _Model(**saved)
        return wp

    @property
    def _fitted(self) -> "_Model":
        if self._model is None:
            raise NotFittedError("this WordPiece has no vocabulary: call fit, or WordPiece.load")
        return self._model


class _Model:
    """What `fit` learned, and with which settings."""

    def __init__(self, score: str, num_merges: int, alphabet: list[str], merges: Iterable[Pair]):
        self.score, self.num_merges = score, num_merges
        self.alphabet, self.merges = alphabet, [(x, y) for x, y in merges]
        self.vocab = alphabet + ["".join(pair) for pair in self.merges]
        self.chunk_tokens = _ChunkTokens(self.vocab)


class _ChunkTokens(ChunkCache[tuple[str, ...]]):
    """Chunk between whitespace → its tokens."""

    def __init__(self, vocab: list[str]):
        super().__init__()
        self._vocab = vocab
        self._encoder: LoopEncoder | LinearEncoder = LoopEncoder(vocab)

    def encode(self, word: str) -> list[str]:
        """Return the subwords of `word`, by the encoder that is fastest for the text so far.

        The loop is fastest while words are short and few. It might take quadratic time for a long
        word; and with four times as many different chunks as subwords, the trie has paid off.
        """
        if isinstance(self._encoder, LoopEncoder) and (
            len(word) > self.MAX_LENGTH or len(self) > 4 * len(self._vocab)
        ):
            self._encoder = LinearEncoder(self._vocab)
        return self._encoder.encode(word)

    def make(self, chunk: str) -> tuple[str, ...]:
        """Return the tokens of the words of `chunk`."""
        words = split_chunk(chunk)
        if len(words) == 1:
            return tuple(self.encode(START + chunk))
        return tuple(chain.from_iterable(map(self.__getitem__, words)))


def _score_name(score: str | Score) -> str:
    """Return how a file names `score`, which may be a function of the user's."""
    score = check_score(score, SCORES)
    named = (name for name, function in SCORES.items() if function is score)
    return next(named, FUNCTION + name_of(score))


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _digest(saved: dict[str, Any]) -> str:
    """Return the SHA-256 of the saved content, whatever its layout."""
    parts = _to_json([saved.get(part) for part in PARTS])
    return sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


def _read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what `save` wrote to `path`; ValueError if it is anything else."""
    try:
        saved = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{path} is not complete JSON ({error}): save the tokenizer again"
        ) from None
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise ValueError(f"{path} is not a saved WordPiece: give a file that WordPiece.save wrote")
    if saved.get("version") != VERSION:
        raise ValueError(
            f"{path} has format version {saved.get('version')!r}, and this wpedu reads version "
            f"{VERSION}: save the tokenizer with this wpedu, or install the one that wrote it"
        )
    if saved.get("sha256") != _digest(saved):
        raise ValueError(f"{path} is damaged (its SHA-256 differs): save the tokenizer again")
    score = str(saved["score"])  # a file may have anything in it
    if score not in SCORES and not score.startswith(FUNCTION):
        raise ValueError(
            f"{path} was trained by the score {saved['score']!r}, which is not known here: add it "
            f"to wpedu.scores.SCORES"
        )
    return {part: saved[part] for part in PARTS}
