"""Examples: a corpus → the words and the sentence that the notebooks show.

Homer's and Dickens's examples come with the package, which does not have their texts. The examples
of any other corpus are chosen from its text, with a vocabulary of 200 merges. The choice needs no
dictionary, and does not depend on the language's name.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice, permutations, takewhile
from typing import Any

import regex

from wpedu.corpus import Corpus
from wpedu.encoding import LoopEncoder
from wpedu.pretokenization import START, pretokenize
from wpedu.training import build_vocab, merge_pair, train

__all__ = ["Examples", "choose_examples"]
__dir__ = __all__.copy  # what dir() shows


@dataclass(frozen=True)
class Examples:
    """The examples of a corpus. "Cut" and "token" refer to its vocabulary after 200 merges."""

    sentence: str
    """A short sentence of the corpus, or a few of its words if no sentence is short."""
    cut: str
    """A word of the corpus that is cut into a few tokens, three if possible."""
    frequent: tuple[str, ...]
    """Three frequent words of the corpus that are cut."""
    steps: str
    """A frequent word of the corpus, to follow through training."""
    family: tuple[str, ...]
    """Words of the corpus with the same beginning, five if possible."""
    unseen: tuple[str, str]
    """Two words that the corpus lacks, and has the characters of."""
    missing: str
    """A character that the corpus lacks, of its script if possible."""
    unspellable: str
    """A word of which the corpus lacks only `missing`."""
    also_unspellable: str
    """Another word of which the corpus lacks only `missing`."""
    foreign: str
    """A word in another script, of which the corpus lacks several characters."""
    shorter: str | None
    """A word of the corpus that can be cut into fewer tokens, if there is one."""
    replayed: tuple[str, ...]
    """Up to three words of the corpus that training and encoding cut differently."""
    misled: tuple[str, ...]
    """Up to two words of the corpus that a naive BERT vocabulary cuts differently."""
    lone: str | None
    """A word of the corpus whose first token is a lone ▁, if there is one."""
    texts: tuple[str, str, str, str]
    """To decode: words, words around punctuation, `unspellable`, and two lines."""
    note: str
    """A line that says that the corpus puts no spaces between words; otherwise empty."""


def choose_examples(corpus: Corpus) -> Examples:
    """Return the examples of a corpus, as the notebooks show them.

    Raises TypeError if `corpus` is not a Corpus, and ValueError if it has fewer than ten distinct
    words of letters.

    >>> from wpedu import load_corpus
    >>> choose_examples(load_corpus("homer")).family
    ('god', 'gods', 'goddess', 'goddesses', 'godlike')
    """
    if not isinstance(corpus, Corpus):
        kind = type(corpus).__name__
        raise TypeError(f"corpus must be a Corpus, not {kind}: give what load_corpus returns")
    shipped = corpus.read_shipped("examples.json")
    if shipped is not None:
        fields: dict[str, Any] = {}
        for name, value in json.loads(shipped).items():
            fields[name] = tuple(value) if isinstance(value, list) else value
        return Examples(**fields)
    return _Chooser(corpus).choose()


# Words with one character that texts in their script often lack.
_UNSPELLABLE = {
    "LATIN": [("touché", "café"), ("señor", "mañana"), ("Zürich", "Lübeck")],
    "GREEK": [("καὶ", "περὶ")],
    "CYRILLIC": [("їхати", "країна"), ("сыр", "рыба")],
    "ARABIC": [("پدر", "پسر"), ("مدرسة", "جملة")],
    "HEBREW": [("װער", "װעט")],
    "DEVANAGARI": [("काळा", "बाळ")],
    "CJK": [("熊的", "熊和"), ("猫的", "猫和"), ("狐的", "狐和")],
    "HIRAGANA": [("熊と", "熊が"), ("猫と", "猫が"), ("狐と", "狐が")],
    "HANGUL": [("꽃이", "꽃은"), ("빵이", "빵은"), ("곰이", "곰은")],
    "THAI": [("ฌาน", "เฌอ")],
    "GEORGIAN": [("ჴელი", "ჴარი")],
    "ETHIOPIC": [("ጳጳስ", "ጳጳሳት")],
    "TAMIL": [("அஃது", "இஃது")],
}
_FOREIGN = ("Ἀχιλλεύς", "Пушкин", "თბილისი", "Shakespeare")

_LETTERS = regex.compile(r"[\p{L}\p{M}\u200c\u200d]+")  # and what joins or separates letters
_SENTENCE = regex.compile(
    r"(?<![^\s\p{P}])[\p{L}\p{M}\u200c\u200d\u0f0b\u1361\s,،、，'’-]+[\p{Sentence_Terminal};:]"
)
_UNSPACED = {"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR"}
_NOTE = 'This corpus puts no spaces between words: each of its "words" is a phrase or sentence.\n'


def _script(char: str) -> str:
    """Return the first word of the character's Unicode name, such as "LATIN"."""
    return unicodedata.name(char, "UNNAMED").split()[0]


def _letter_words(words: Iterable[str]) -> list[str]:
    return [word for word in words if _LETTERS.fullmatch(word)]


def _shared(pair: tuple[str, str]) -> int:
    """Return how many characters both words begin with."""
    return len(list(takewhile(lambda chars: chars[0] == chars[1], zip(*pair))))


class _Chooser:
    """The choices for one corpus, and the vocabulary that they need."""

    def __init__(self, corpus: Corpus):
        counts = Counter(corpus.word_counts)
        # The most frequent words first; only short ones, if there are enough.
        words = _letter_words(word for word, _ in counts.most_common())
        if len(words) < 10:
            raise ValueError(
                f"{corpus!r} has {len(words)} distinct words of letters, too few to choose "
                f"examples: take a text of about 8,000 characters or more"
            )
        short = [word for word in words if 2 <= len(word) <= 20]
        self.words = words if len(short) < 10 else short
        self.text, self.counts = corpus.text, counts
        merges = train(counts)
        self.order = {pair: i for i, pair in enumerate(merges)}
        self.known = frozenset(build_vocab(counts, merges))
        self.encoder = LoopEncoder(self.known)
        self.alphabet = frozenset("".join(counts))
        self.letters = Counter[str]()
        for word, count in counts.items():
            for char in word:
                self.letters[char] += count * char.isalpha()
        scripts = Counter[str]()
        for char, count in self.letters.items():
            scripts[_script(char)] += count
        self.script = max(scripts, key=scripts.__getitem__)
        self.tokens = {word: self.encoder.encode(START + word) for word in self.words}

    def choose(self) -> Examples:
        missing, unspellable, also_unspellable = self.unspellable()
        sentence = self.sentence()
        return Examples(
            sentence=sentence,
            cut=self.cut(),
            frequent=self.frequent(),
            steps=min(self.words, key=lambda word: len(word) < 4),
            family=self.family(),
            unseen=self.unseen(),
            missing=missing,
            unspellable=unspellable,
            also_unspellable=also_unspellable,
            foreign=max(_FOREIGN, key=lambda word: len({*word} - self.alphabet) / len({*word})),
            shorter=next(filter(self.has_shorter_cut, self.words), None),
            replayed=tuple(islice(filter(self.is_replayed, self.words), 3)),
            misled=self.misled(),
            lone=self.lone(),
            texts=self.texts(sentence, unspellable),
            note=_NOTE if self.is_unspaced() else "",
        )

    def sentence(self) -> str:
        """Return the sentence, or words in a row, closest to six words and fifteen tokens."""
        between = r"\n\s*\n" if regex.search(r"\n\s*\n", self.text) else "\n"
        paragraphs = [" ".join(lines.split()) for lines in regex.split(between, self.text)]
        sentences = [s.lstrip(" ,،、，'’-") for p in paragraphs for s in _SENTENCE.findall(p)]
        words = _letter_words(pretokenize(self.text))
        n = 2 if self.is_unspaced() else 5
        rows = [" ".join(words[i : i + n]) for i in range(0, min(100 * n, len(words)), n)]

        def cost(sentence: str) -> int:
            parts = pretokenize(sentence)
            split = [self.encoder.encode(START + part) for part in parts]
            lengths = list(map(len, split))
            flaws = [
                not regex.fullmatch(r"\p{P}", parts[-1]),
                not regex.fullmatch(r"\p{Sentence_Terminal}", parts[-1]),
                len(parts[-2:][0]) < 3,  # it may be an abbreviation
                not sentence[0].isupper() and (sentence[0].islower() or len(parts[0]) == 1),
                len(parts) < 3,
                1 not in lengths,
                max(lengths) < 3,
                all(tokens[0] != START for tokens in split),
            ]
            return abs(sum(lengths) - 15) + 2 * abs(len(parts) - 6) + 5 * sum(flaws)

        best: str = min(sentences[:5_000] + rows, key=cost)
        return best

    def cut(self) -> str:
        """Return a word of about three tokens, the shortest of which is as long as possible."""

        def cost(word: str) -> tuple[int, int]:
            tokens = self.tokens[word]
            return abs(len(tokens) - 3), -min(len(token.strip(START)) for token in tokens)

        return min(self.words, key=cost)

    def frequent(self) -> tuple[str, ...]:
        def cost(word: str) -> tuple[bool, bool]:
            return len(self.tokens[word]) == 1, len(word) < 5

        return tuple(sorted(self.words, key=cost)[:3])

    def family(self) -> tuple[str, ...]:
        """Return a word and up to four that begin with it: many of them, and a long stem."""
        words, families = sorted(self.words), []
        for i, stem in enumerate(words):
            family = []
            for word in words[i + 1 :]:
                if not word.startswith(stem):
                    break
                if len(word) <= len(stem) + 8:
                    family.append(word)
            families.append((stem, sorted(family, key=self.counts.__getitem__)[-4:]))
        stem, family = max(families, key=lambda found: len(found[1]) * min(len(found[0]), 6))
        if not family:
            stem, *family = max(zip(words, words[1:]), key=_shared)
        return (stem, *sorted(family, key=len))

    def unseen(self) -> tuple[str, str]:
        """Return two compounds of frequent words."""
        short = [word for word in self.words if 4 <= len(word) <= 8 and word == word.lower()]
        pairs = chain(zip(short[::2], short[1::2]), permutations(self.words, 2))
        compounds = (x + y for x, y in pairs if x + y not in self.counts)
        return next(compounds), next(compounds)

    def unspellable(self) -> tuple[str, str, str]:
        """Return a missing character and two words of which the corpus lacks only this one."""
        for pair in _UNSPELLABLE.get(self.script, ()):
            missing = {*pair[0]} - self.alphabet
            if len(missing) == 1 and missing == {*pair[1]} - self.alphabet:
                return missing.pop(), *pair
        often = ord(max(self.letters, key=self.letters.__getitem__))
        letters = filter(str.isalpha, map(chr, range(0x20000)))
        small = (char for char in letters if char == char.lower() and char not in self.alphabet)
        letter = min(small, key=lambda c: (_script(c) != self.script, abs(ord(c) - often)))
        first, second = sorted(self.words, key=lambda word: len(word) < 3)[:2]
        return letter, first + letter, second + letter

    def has_shorter_cut(self, word: str) -> bool:
        """Return whether fewer subwords than the encoder's join to the word."""
        fewest = [0]
        for end in range(1, len(START + word) + 1):
            prefix = (START + word)[:end]
            fits = [fewest[i] for i in range(end) if prefix[i:] in self.known]
            fewest.append(1 + min(fits, default=end))
        return fewest[-1] < len(self.tokens[word])

    def is_replayed(self, word: str) -> bool:
        """Return whether training leaves the word split otherwise than it is encoded."""
        split = list(START + word)
        while learned := [pair for pair in zip(split, split[1:]) if pair in self.order]:
            split = merge_pair(min(learned, key=self.order.__getitem__), split)
        return split != self.tokens[word]

    def bare(self, word: str) -> str:
        """Return the longest subword without a mark that the word begins with."""
        return next(word[:end] for end in range(len(word), 0, -1) if word[:end] in self.known)

    def misled(self) -> tuple[str, ...]:
        found: dict[str, str] = {}
        for word in self.words:
            first, bare = self.tokens[word][0].removeprefix(START), self.bare(word)
            if 0 < len(first) < len(bare):
                found.setdefault(bare, word)
        return tuple(islice(found.values(), 2))

    def lone(self) -> str | None:
        words = [word for word in self.words if self.tokens[word][0] == START]
        return min(words, key=lambda word: not 1 < len(self.bare(word)) < len(word), default=None)

    def texts(self, sentence: str, unspellable: str) -> tuple[str, str, str, str]:
        chunks = [regex.sub(r"^\p{P}+|\p{P}+$", "", chunk) for chunk in sentence.split()]
        words = _letter_words(chunks)[:4]
        x, y, z, *more = words if len(words) > 2 else [*words, *self.words][:3]
        marks = [word for word, _ in self.counts.most_common() if regex.fullmatch(r"\p{P}", word)]
        mark = next((mark for mark in ["-", ",", *marks] if mark in marks), "-")
        return " ".join((x, y, z, *more)), x + mark + y, unspellable, f"{x} {y}\n{z}"

    def is_unspaced(self) -> bool:
        """Return whether the script has no spaces between words, and the text has none either."""
        words = _letter_words(self.counts)
        return self.script in _UNSPACED and sum(map(len, words)) > 4 * len(words)
