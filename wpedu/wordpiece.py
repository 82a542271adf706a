"""The whole of WordPiece behind one class: text or word counts → merges, vocabulary, tokens."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from wpedu._checks import (
    MOST,
    START,
    WordCounts,
    check_int,
    check_score,
    check_str,
    check_strings,
    name_of,
)
from wpedu._chunks import ChunkCache
from wpedu._files import write_atomically
from wpedu.bert import BertTokenizer
from wpedu.encoding import UNKNOWN, LinearEncoder, LoopEncoder
from wpedu.pretokenization import _find_space, _split_chunk, count_words, iter_chunks
from wpedu.scores import SCORES, Pair, ScoreFunction
from wpedu.training import _alphabet, train

FORMAT, VERSION = "wpedu.WordPiece", 2
FUNCTION = "function "  # what the note of a score that has no name here begins with


class NotFittedError(ValueError, AttributeError):
    """A tokenizer is asked for what only `fit` gives it.

    It is an AttributeError as well, so that `hasattr` and `help` work.
    """


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
        self.num_merges = check_int(num_merges, "num_merges", least=0, most=MOST)
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

        `progress` shows a bar. Raises what `train` raises;
        the tokenizer is then what it was before.

        >>> WordPiece(num_merges=1).fit({"the": 2, "this": 1}).merges
        [('▁', 't')]
        """
        num_merges = check_int(self.num_merges, "num_merges", least=0, most=MOST)
        if isinstance(corpus, str):
            corpus = count_words(corpus)
        merges = train(corpus, num_merges, self.score, progress)
        words = corpus if isinstance(corpus, Mapping) else corpus.word_counts
        self._model = _Model(_alphabet(words), merges, num_merges, _note(self.score))
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

        Raises TypeError if `word` is no str, ValueError if it has white space, as no word has.

        >>> WordPiece(num_merges=1).fit("the this").encode("▁these")
        ['▁t', 'h', 'e', 's', 'e']
        """
        model = self._fitted
        if _find_space(check_str(word, "word")):
            raise ValueError(f"encode takes one word, and {word!r} has white space: use tokenize")
        return model.chunk_tokens.encode(word)

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

        Raises OSError if `path` cannot be written; a file that was there is then as it was. Of a
        score that is a function, the name is saved as a note.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     WordPiece(num_merges=1).fit("the this").save(Path(folder, "tokenizer.json"))
        """
        model = self._fitted
        merges = ",\n".join(f"  {_to_json(pair)}" for pair in model.merges)
        content = (
            f' "score": {_to_json(model.score)}, "num_merges": {model.num_merges},\n'
            f' "alphabet": {_to_json(model.alphabet)},\n'
            f' "merges": [\n{merges}\n]}}\n'
        )
        # UTF-8 has no lone surrogates. As escapes, two in a row would be read as one character.
        rest = content.encode("utf-8", "surrogatepass")
        head = f'{{"format": "{FORMAT}", "version": {VERSION}, "sha256": "{_digest(rest)}",\n'
        write_atomically(path, head.encode() + rest)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "WordPiece":
        """Return the tokenizer that `save` wrote to `path`.

        It tokenizes as that one did. If that one was trained by a function, set `score` to it
        before you `fit` this one. Raises OSError if there is no such file, ValueError if it was
        changed since it was saved, or is of another version.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "tokenizer.json")
        ...     WordPiece(num_merges=1).fit("the this").save(path)
        ...     WordPiece.load(path).merges
        [('▁', 't')]
        """
        saved = _read(path)
        wp = cls(saved["num_merges"])
        wp.score = saved["score"]
        merges = [(x, y) for x, y in saved["merges"]]
        wp._model = _Model(saved["alphabet"], merges, saved["num_merges"], saved["score"])
        return wp

    @property
    def _fitted(self) -> "_Model":
        if self._model is None:
            raise NotFittedError("this WordPiece has no vocabulary: call fit, or WordPiece.load")
        return self._model


class _Model:
    """What was learned, and from what was asked for."""

    def __init__(self, alphabet: list[str], merges: list[Pair], num_merges: int, score: str):
        self.alphabet, self.merges = alphabet, merges
        self.num_merges, self.score = num_merges, score
        self.vocab = alphabet + ["".join(pair) for pair in merges]
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
        (A vocabulary of more than MAX_CHUNKS / 4 subwords never comes to that.)
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
    if isinstance(score, str):
        return score
    name = name_of(score)
    return name if SCORES.get(name) is score else FUNCTION + name


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _digest(content: bytes) -> str:
    return sha256(content.replace(b"\r\n", b"\n")).hexdigest()


def _read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what `save` wrote to `path`; the cheapest checks come first."""
    content = Path(path).read_bytes()
    head, _, rest = content.partition(b"\n")
    named = re.search(rb'"sha256": "(\w+)"', head)
    if named and named[1].decode() != _digest(rest):
        raise ValueError(f"{path} is damaged (its SHA-256 differs): save the tokenizer again")
    try:
        saved = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not whole JSON ({error}): save the tokenizer again") from None
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise ValueError(f"{path} is not a saved WordPiece: give a file that WordPiece.save wrote")
    version = saved.get("version")
    if type(version) is not int or version not in (1, VERSION):
        raise ValueError(
            f"{path} is of format version {version!r}, and this wpedu reads versions 1 and "
            f"{VERSION}: save the tokenizer with this wpedu, or install the one that wrote it"
        )
    if (version == 1) is not (named is None) or not _is_sound(saved):
        raise ValueError(
            f"{path} is damaged (its parts do not fit together): save the tokenizer again"
        )
    return saved


def _is_sound(saved: dict[str, Any]) -> bool:
    """Whether the alphabet is ▁ and other characters, and each merge makes a new subword of two."""
    try:
        alphabet, merges, score = saved["alphabet"], saved["merges"], saved["score"]
        if not (isinstance(alphabet, list) and isinstance(merges, list)):
            return False
        if len(merges) > check_int(saved["num_merges"], "num_merges", least=0, most=MOST):
            return False
        if not (score in SCORES or score.startswith(FUNCTION)):
            return False
        known = set(alphabet)
        if len(known) < len(alphabet) or any(len(char) != 1 for char in alphabet):
            return False
        if alphabet[:1] not in ([], [START]):
            return False
        for pair in merges:
            x, y = pair
            if not isinstance(pair, list) or x not in known or y not in known or START in y:
                return False
            if x + y in known:
                return False
            known.add(x + y)
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    return True
