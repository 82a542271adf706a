"""The whole of WordPiece behind one class: text or word counts → merges, vocabulary, tokens."""

import json
import os
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

from wpedu._checks import START, check_int, check_str, check_strings
from wpedu._chunks import ChunkCache
from wpedu._files import write_atomically
from wpedu.bert import BertTokenizer
from wpedu.encoding import UNKNOWN, LinearEncoder, LoopEncoder
from wpedu.pretokenization import count_words, iter_chunks, split_chunk
from wpedu.scores import Pair, find_score
from wpedu.training import build_vocab, train

FORMAT, VERSION = "wpedu.WordPiece", 1


class WordPiece:
    """A WordPiece tokenizer: `fit` it on a text or on word counts, or `load` a saved one.

    >>> wp = WordPiece(num_merges=2).fit("the ship, the ships, the shop")
    >>> wp.merges
    [('t', 'h'), ('th', 'e')]
    >>> wp.tokenize("the hips")
    ['▁', 'the', '▁', 'h', 'i', 'p', 's']
    """

    def __init__(self, num_merges: int = 200, score: str = "gain"):
        check_int(num_merges, "num_merges", least=0)
        find_score(score)
        self.num_merges = num_merges
        self.score = score
        self._merges: list[Pair] | None = None

    def fit(self, corpus: str | Mapping[str, int], progress: bool = False) -> "WordPiece":
        """Train on a text, or on its word counts, and return self.

        `progress` shows a bar on stderr. Raises what `train` raises, and TypeError if `corpus` is
        neither; the tokenizer is then what it was before.

        >>> WordPiece(num_merges=1).fit({"the": 2, "this": 1}).merges
        [('▁', 't')]
        """
        if not isinstance(corpus, (str, Mapping)):
            raise TypeError(
                f"fit takes a text (str) or word counts (dict), not {type(corpus).__name__}"
            )
        word_counts = count_words(corpus) if isinstance(corpus, str) else corpus
        merges = train(word_counts, self.num_merges, self.score, progress)
        self._set(build_vocab(word_counts, []), merges)
        return self

    @property
    def merges(self) -> list[Pair]:
        """The pairs that were merged, in order."""
        self._check_fitted()
        return list(self._merges)

    @property
    def vocab(self) -> list[str]:
        """The alphabet in order of first occurrence, then the merged pairs in order.

        >>> WordPiece(num_merges=1).fit("the this").vocab
        ['▁', 't', 'h', 'e', 'i', 's', '▁t']
        """
        self._check_fitted()
        return list(self._vocab)

    def encode(self, word: str) -> list[str]:
        """Return the subwords of `word`, or ["[UNK]"]. A word without "▁" continues another.

        >>> WordPiece(num_merges=1).fit("the this").encode("▁these")
        ['▁t', 'h', 'e', 's', 'e']
        """
        self._check_fitted()
        check_str(word, "word")
        return self._chunk_tokens.encode(word)

    def tokenize(self, text: str) -> list[str]:
        """Return the subwords of every word of `text`, one after the other.

        >>> WordPiece(num_merges=1).fit("the this").tokenize("this hat")
        ['▁t', 'h', 'i', 's', '[UNK]']
        """
        self._check_fitted()
        return list(chain.from_iterable(map(self._chunk_tokens.__getitem__, iter_chunks(text))))

    def decode(self, tokens: Iterable[str]) -> str:
        """Return the words of `tokens`, with one space between words.

        White space other than that is not in the tokens, and cannot come back.

        >>> WordPiece().fit("the ship").decode(["▁th", "e", "▁", "ship", "[UNK]"])
        'the ship [UNK]'
        """
        self._check_fitted()
        tokens = check_strings(tokens, "tokens")
        marked = (START + token if token == UNKNOWN else token for token in tokens)
        return "".join(marked).replace(START, " ").removeprefix(" ")

    def to_bert_tokenizer(self) -> BertTokenizer:
        """Return BERT's tokenizer with this vocabulary: the same tokens, with ##.

        Special tokens come first, and case is kept. Raises what `to_bert_vocab` raises.

        >>> WordPiece(num_merges=1).fit("the this").to_bert_tokenizer().tokenize("these")
        ['t', '##h', '##e', '##s', '##e']
        """
        self._check_fitted()
        return BertTokenizer.from_wordpiece(self._vocab)

    def save(self, path: str | os.PathLike) -> None:
        """Write the tokenizer to `path`, in JSON that a person can read.

        Raises OSError if `path` cannot be written; a file that was there is then as it was.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     WordPiece(num_merges=1).fit("the this").save(Path(folder, "tokenizer.json"))
        """
        self._check_fitted()
        merges = ",\n".join(f"  {_to_json(pair)}" for pair in self._merges)
        content = (
            f'{{"format": "{FORMAT}", "version": {VERSION},\n'
            f' "score": {_to_json(self.score)}, "num_merges": {self.num_merges},\n'
            f' "alphabet": {_to_json(self._alphabet)},\n'
            f' "merges": [\n{merges}\n]}}\n'
        )
        # UTF-8 has no lone surrogates. As escapes, two in a row would be read as one character.
        write_atomically(path, content.encode("utf-8", "surrogatepass"))

    @classmethod
    def load(cls, path: str | os.PathLike) -> "WordPiece":
        """Return the tokenizer that `save` wrote to `path`.

        Raises OSError if there is no such file, ValueError if it is damaged or of another version.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "tokenizer.json")
        ...     WordPiece(num_merges=1).fit("the this").save(path)
        ...     WordPiece.load(path).merges
        [('▁', 't')]
        """
        try:
            saved = json.loads(Path(path).read_bytes())
        except (ValueError, RecursionError) as error:
            raise ValueError(
                f"{path} is not whole JSON ({error}): save the tokenizer again"
            ) from error
        _check_saved(path, saved)
        wp = cls(saved["num_merges"], saved["score"])
        wp._set(saved["alphabet"], [tuple(pair) for pair in saved["merges"]])
        return wp

    def _set(self, alphabet: list[str], merges: list[Pair]) -> None:
        self._alphabet, self._merges = alphabet, merges
        self._vocab = alphabet + ["".join(pair) for pair in merges]
        self._chunk_tokens = _ChunkTokens(self._vocab)

    def _check_fitted(self) -> None:
        if self._merges is None:
            raise ValueError("this WordPiece has no vocabulary: call fit, or WordPiece.load")


class _ChunkTokens(ChunkCache[tuple[str, ...]]):
    """White-space chunk → its tokens."""

    def __init__(self, vocab: list[str]):
        super().__init__()
        self._vocab = vocab
        self._encoder = LoopEncoder(vocab)

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
        words = split_chunk(chunk)
        if len(words) == 1:
            return tuple(self.encode(START + chunk))
        return tuple(chain.from_iterable(map(self.__getitem__, words)))


def _to_json(value) -> str:
    return json.dumps(value, ensure_ascii=False)


def _check_saved(path, saved) -> None:
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise ValueError(f"{path} is not a saved WordPiece: give a file that WordPiece.save wrote")
    version = saved.get("version")
    if type(version) is not int or version != VERSION:
        raise ValueError(
            f"{path} is of format version {version!r}, and this wpedu reads version "
            f"{VERSION}: save the tokenizer with this wpedu, or install the one that wrote it"
        )
    if not _is_sound(saved):
        raise ValueError(
            f"{path} is damaged (its parts do not fit together): save the tokenizer again"
        )


def _is_sound(saved: dict) -> bool:
    """Whether the alphabet is ▁ and other characters, and each merge makes a new subword of two."""
    try:
        alphabet, merges = saved["alphabet"], saved["merges"]
        known = set(alphabet)
        sound = isinstance(alphabet, list) and isinstance(merges, list)
        sound &= len(known) == len(alphabet) and all(len(char) == 1 for char in alphabet)
        sound &= alphabet[:1] in ([], [START])
        for pair in merges:
            x, y = pair
            sound &= isinstance(pair, list) and x in known and y in known and START not in y
            sound &= x + y not in known
            known.add(x + y)
        check_int(saved["num_merges"], "num_merges", least=0)
        find_score(saved["score"])
        return sound and len(merges) <= saved["num_merges"]
    except (KeyError, TypeError, ValueError):
        return False
