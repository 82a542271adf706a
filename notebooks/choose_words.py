"""A corpus → the words that an edition shows in place of Homer's.

Each word has a role, such as "a word in three pieces". The choice uses a
vocabulary of 200 merges; it needs no dictionary, and does not depend on the
name of the language. Where a text has no word that is good for a role, the
choice says so.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, islice, permutations, takewhile

import regex
from substitution import Words

from wpedu import (
    START,
    Corpus,
    LoopEncoder,
    build_vocab,
    merge_pair,
    pair_gains,
    pretokenize,
    to_bert,
    train,
)

FEWEST_WORDS = 10  # distinct ones

# Words with one character that texts in their script often lack.
UNSPELLABLE = {
    "LATIN": [("touché", "café"), ("señor", "mañana"), ("Zürich", "Lübeck")],
    "GREEK": [("καὶ", "περὶ")],
    "CYRILLIC": [("їхати", "країна"), ("сыр", "рыба")],
    "ARMENIAN": [("ֆիզիկա", "ֆիլմ")],
    "ARABIC": [("پدر", "پسر"), ("مدرسة", "جملة")],
    "HEBREW": [("װער", "װעט")],
    "DEVANAGARI": [("काळा", "बाळ")],
    "CJK": [("熊的", "熊和"), ("猫的", "猫和"), ("狐的", "狐和")],
    "HIRAGANA": [("熊と", "熊が"), ("猫と", "猫が"), ("狐と", "狐が")],
    "HANGUL": [("꽃이", "꽃은"), ("빵이", "빵은"), ("곰이", "곰은")],
    "THAI": [("ฌาน", "เฌอ")],
    "MYANMAR": [("ဗမာ", "ဗိုလ်")],
    "GEORGIAN": [("ჴელი", "ჴარი")],
    "ETHIOPIC": [("ጳጳስ", "ጳጳሳት")],
    "TAMIL": [("அஃது", "இஃது")],
}
FOREIGN = ("Ἀχιλλεύς", "Пушкин", "თბილისი", "Shakespeare")

LETTERS = regex.compile(r"[\p{L}\p{M}\u200c\u200d]+")  # and joiners of letters
SENTENCE = regex.compile(
    r"(?<![^\s\p{P}])[\p{L}\p{M}\u200c\u200d\u0f0b\u1361\s,،、，'’-]+"
    r"[\p{Sentence_Terminal};:]"
)
# Roles without a good word together.
TOGETHER = {
    "family": {"kin"},
    "frequent": {"unfinished"},
    "misled": {"late", "culprit", "start"},
    "lone": {"lone_letter", "after_lone", "in_the_way"},
    "passed_over": {"faithful", "faithful_to", "follows"},
}
UNSPACED = {"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR"}


@dataclass(frozen=True)
class Choice:
    """A text's words by their roles, and the roles that have no good one."""

    words: dict[str, Words]
    poor: frozenset[str]
    unspaced: bool
    from_the_right: bool


def choose_words(corpus: Corpus) -> Choice:
    """Return what an edition shows of a corpus.

    Raises ValueError for fewer than ten distinct words of letters.
    """
    return Chooser(corpus).choose()


def script(char: str) -> str:
    """Return the first word of a character's Unicode name: "LATIN"."""
    return unicodedata.name(char, "UNNAMED").split()[0]


def is_from_the_right(text: str) -> bool:
    """Return whether `text` has letters that are written right to left."""
    return any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)


def letter_words(words: Iterable[str]) -> list[str]:
    """Return those of `words` that consist of letters and their marks."""
    return [word for word in words if LETTERS.fullmatch(word)]


class Chooser:
    """The choices for one corpus, and the vocabulary that they need."""

    def __init__(self, corpus: Corpus):
        counts = Counter(corpus.word_counts)
        # The most frequent first; only short ones, if there are enough.
        words = letter_words(word for word, _ in counts.most_common())
        if len(words) < FEWEST_WORDS:
            raise ValueError(
                f"{corpus!r} has {len(words)} distinct words of letters, too "
                f"few to choose examples: take a text of about 8,000 "
                f"characters or more"
            )
        short = [word for word in words if 2 <= len(word) <= 20]
        self.words = words if len(short) < FEWEST_WORDS else short
        self.text, self.counts = corpus.text, counts
        self.merges = train(counts)
        self.order = {pair: i for i, pair in enumerate(self.merges)}
        self.vocab = build_vocab(counts, self.merges)
        self.known = frozenset(self.vocab)
        self.encoder = LoopEncoder(self.known)
        self.alphabet = frozenset("".join(counts))
        self.letters = Counter[str]()
        for word, count in counts.items():
            for char in word:
                self.letters[char] += count * char.isalpha()
        scripts = Counter[str]()
        for char, count in self.letters.items():
            scripts[script(char)] += count
        self.script = max(scripts, key=scripts.__getitem__)
        encode = self.encoder.encode
        self.tokens = {word: encode(START + word) for word in self.words}
        running = [(len(word), counts[word]) for word in words]
        total = sum(count for _, count in running)
        self.usual = sum(length * count for length, count in running) / total
        self.poor: set[str] = set()

    def choose(self) -> Choice:
        """Return a word, or words, for each role."""
        cut, sentence, frequent = self.cut(), self.sentence(), self.frequent()
        missing, unspellable, also_unspellable = self.unspellable()
        misled, lone = self.misled(), self.lone() or cut
        bare = self.bare(lone)
        late, whole = misled[-1] if misled else cut, self.whole(frequent[0])
        (inside, around), family = self.inside(), self.family()
        marked = [s[1:] for s in self.vocab if s[0] == START and len(s) > 1]
        passed_over = self.passed_over()
        encoded = (*frequent, *self.unseen())
        has_case = any(char != char.lower() for char in self.alphabet)
        words: dict[str, Words] = {
            "opener": sentence,
            "names": (unspellable, encoded[-1], frequent[0]),
            "sentence": sentence,
            "widest": max(pretokenize(sentence), key=self.length_in_bert),
            "cut": cut,
            "often": frequent[0],
            "somebody": frequent[1],
            "longest": max(marked, key=len, default=cut),
            "longest_word": max(self.counts, key=len),
            "family": family,
            "kin": family[0],
            "other_kin": family[1],
            "unfinished": frequent,
            "first": frequent[0],
            "whole": whole,
            "encoded": encoded,
            "unseen_are": "The last two, each glued together from two words, "
            "don't occur in the corpus",
            "ignoring_case": "ignoring case"
            if has_case
            else "ignoring case (this script has none)",
            "replayed": self.replayed(),
            "missing": missing,
            "missing_at": 1 + unspellable.index(missing),
            "unspellable": unspellable,
            "also_unspellable": also_unspellable,
            "foreign": max(FOREIGN, key=self.strangeness),
            "of_the_foreign": "of a word in another script",
            "shorter": self.find("shorter", self.has_shorter_cut) or cut,
            "inside": inside,
            "around": around,
            "misled": misled,
            "late": late,
            "culprit": self.bare(late),
            "start": self.tokens[late][0].removeprefix(START),
            "lone": lone,
            "lone_letter": lone[0],
            "after_lone": bare,
            "in_the_way": ", ".join(
                f"no `▁{bare[:end]}`" for end in range(1, len(bare) + 1)
            ),
            "texts": self.texts(sentence, unspellable),
            "changing": self.changing(),
            "passed_over": passed_over,
            "most_loyal": "The most loyal letter in this text",
            "faithful": "".join(passed_over[0]),
            "follows": passed_over[0][0],
            "faithful_to": passed_over[0][1],
            "best": "".join(passed_over[-1]),
            "late_merges": self.late_merges(),
            "bounds": self.bounds(),
        }
        for role, others in TOGETHER.items():
            if role in self.poor:
                self.poor |= others
        unspaced = self.is_unspaced()
        right = is_from_the_right("".join(self.letters))
        return Choice(words, frozenset(self.poor), unspaced, right)

    def find(self, role: str, is_good: Callable[[str], bool]) -> str | None:
        """Return the most frequent good word, or note that there is none."""
        word = next(filter(is_good, self.words), None)
        if word is None:
            self.poor.add(role)
        return word

    def length_in_bert(self, word: str) -> int:
        return len(to_bert(self.encoder.encode(START + word)))

    def strangeness(self, word: str) -> float:
        """Return the share of a word's characters that the corpus lacks."""
        return len({*word} - self.alphabet) / len({*word})

    def sentence(self) -> str:
        """Return what is closest to six words and fifteen tokens.

        It is a sentence, or a few words in a row if no sentence is short.
        """
        between = r"\n\s*\n" if regex.search(r"\n\s*\n", self.text) else "\n"
        parts = regex.split(between, self.text)
        paragraphs = [" ".join(part.split()) for part in parts]
        found = chain.from_iterable(map(SENTENCE.findall, paragraphs))
        sentences = [sentence.lstrip(" ,،、，'’-") for sentence in found]
        words = letter_words(pretokenize(self.text))
        n = 2 if self.is_unspaced() else 5
        starts = range(0, min(100 * n, len(words)), n)
        rows = [" ".join(words[i : i + n]) for i in starts]

        def cost(sentence: str) -> int:
            parts = pretokenize(sentence)
            split = [self.encoder.encode(START + part) for part in parts]
            lengths = list(map(len, split))
            is_small = sentence[0].islower() or len(parts[0]) == 1
            flaws = [
                not regex.fullmatch(r"\p{P}", parts[-1]),
                not regex.fullmatch(r"\p{Sentence_Terminal}", parts[-1]),
                len(parts[-2:][0]) < 3,  # it may be an abbreviation
                not sentence[0].isupper() and is_small,
                len(parts) < 3,
                1 not in lengths,
                max(lengths) < 3,
                all(tokens[0] != START for tokens in split),
            ]
            length = abs(sum(lengths) - 15) + 2 * abs(len(parts) - 6)
            return length + 5 * sum(flaws)

        best: str = min(sentences[:5_000] + rows, key=cost)
        return best

    def cut(self) -> str:
        """Return a word of about three tokens, none of them short."""

        def cost(word: str) -> tuple[int, int]:
            lengths = [len(token.strip(START)) for token in self.tokens[word]]
            return abs(len(lengths) - 3), -min(lengths)

        return min(self.words, key=cost)

    def frequent(self) -> tuple[str, ...]:
        """Return the three most frequent words that are cut.

        None is shorter than words usually are, and some merges have begun
        to build it, if there are three such words.
        """

        def cost(word: str) -> tuple[bool, bool, bool]:
            begun = len(self.tokens[word]) < len(word) - 1
            whole = len(self.tokens[word]) == 1
            return whole, len(word) < min(self.usual, 6), not begun

        three = tuple(sorted(self.words, key=cost)[:3])
        if any(self.counts[word] < 4 for word in three):
            self.poor.add("frequent")
        return three

    def whole(self, frequent: str) -> str:
        """Return the longest single token that is rarer than `frequent`."""
        whole = [word for word in self.words if len(self.tokens[word]) == 1]
        often = self.counts[frequent]
        rarer = [word for word in whole if self.counts[word] < often]
        if not rarer:
            self.poor.add("whole")
        return max(rarer or whole or self.words, key=len)

    def family(self) -> tuple[str, ...]:
        """Return a word and up to four that begin with it.

        Many of them, and a stem that is not shorter than words usually are.
        """
        words, families = sorted(self.words), []
        for i, stem in enumerate(words):
            family = []
            for word in words[i + 1 :]:
                if not word.startswith(stem):
                    break
                if len(word) <= len(stem) + 8:
                    family.append(word)
            if len(stem) >= min(self.usual, 6):
                last = sorted(family, key=self.counts.__getitem__)[-4:]
                families.append((stem, last))
        families.sort(key=lambda f: -len(f[1]) * min(len(f[0]), 6))
        stem, family = families[0] if families else ("", [])
        if len(family) < 2:
            self.poor.add("family")
        if not family:
            stem, *family = max(zip(words, words[1:]), key=shared)
        return (stem, *sorted(family, key=len))

    def unseen(self) -> tuple[str, str]:
        """Return two compounds of frequent words."""
        short = [w for w in self.words if 4 <= len(w) <= 8 and w == w.lower()]
        pairs = chain(zip(short[::2], short[1::2]), permutations(self.words, 2))
        glued = (x + y for x, y in pairs if x + y not in self.counts)
        return next(glued), next(glued)

    def unspellable(self) -> tuple[str, str, str]:
        """Return a missing character, and two words that need only this one.

        The words are real if the list above has a good pair.
        """
        for pair in UNSPELLABLE.get(self.script, ()):
            missing = {*pair[0]} - self.alphabet
            if len(missing) == 1 and missing == {*pair[1]} - self.alphabet:
                return missing.pop(), *pair
        self.poor.add("unspellable")
        often = ord(max(self.letters, key=self.letters.__getitem__))
        letters = filter(str.isalpha, map(chr, range(0x20000)))
        new = (char for char in letters if char not in self.alphabet)
        letter = min(
            (char for char in new if char == char.lower()),
            key=lambda c: (script(c) != self.script, abs(ord(c) - often)),
        )
        first, second = sorted(self.words, key=lambda word: len(word) < 3)[:2]
        return letter, first + letter, second + letter

    def has_shorter_cut(self, word: str) -> bool:
        """Return whether fewer subwords than the loop's make up the word."""
        fewest = [0]
        for end in range(1, len(START + word) + 1):
            prefix = (START + word)[:end]
            ends = [fewest[i] for i in range(end) if prefix[i:] in self.known]
            fewest.append(1 + min(ends, default=end))
        return fewest[-1] < len(self.tokens[word])

    def replayed(self) -> tuple[str, ...]:
        """Return up to three words that training and encoding cut apart."""

        def is_replayed(word: str) -> bool:
            split = list(START + word)
            for pair, _ in replay(word, self.order):
                split = merge_pair(pair, split)
            return split != self.tokens[word]

        found = tuple(islice(filter(is_replayed, self.words), 3))
        if len(found) < 3:
            self.poor.add("replayed")
        return found

    def bare(self, word: str) -> str:
        """Return the longest subword without a mark that begins the word."""
        ends = range(len(word), 0, -1)
        return next(word[:end] for end in ends if word[:end] in self.known)

    def misled(self) -> tuple[str, ...]:
        """Return up to two words that a naive BERT vocabulary cuts wrongly."""
        found: dict[str, str] = {}
        for word in self.words:
            first = self.tokens[word][0].removeprefix(START)
            if 0 < len(first) < len(self.bare(word)):
                found.setdefault(self.bare(word), word)
        if len(found) < 2:
            self.poor.add("misled")
        return tuple(islice(found.values(), 2))

    def lone(self) -> str | None:
        """Return a word whose first token is a lone ▁, if there is one."""
        words = [word for word in self.words if self.tokens[word][0] == START]
        if not words:
            self.poor.add("lone")
        return min(
            words,
            key=lambda word: not 1 < len(self.bare(word)) < len(word),
            default=None,
        )

    def inside(self) -> tuple[str, str]:
        """Return a subword with and without ▁, and a word that has it inside.

        The longest one that is a word of the corpus, if there is one.
        """
        both = [s for s in self.vocab if START + s in self.known]
        both.sort(key=lambda s: (s not in self.counts, -len(s)))
        for subword in both:
            for word in self.words:
                if subword in self.tokens[word][1:]:
                    return subword, word
        self.poor.add("inside")
        return self.words[0], self.words[0]

    def texts(self, sentence: str, unspellable: str) -> tuple[str, ...]:
        """Return words, words around punctuation, `unspellable`, two lines."""
        chunks = [
            regex.sub(r"^\p{P}+|\p{P}+$", "", c) for c in sentence.split()
        ]
        words = letter_words(chunks)[:4]
        x, y, z, *more = words if len(words) > 2 else [*words, *self.words][:3]
        often = [word for word, _ in self.counts.most_common()]
        marks = [word for word in often if regex.fullmatch(r"\p{P}", word)]
        mark = next((m for m in ["-", ",", *marks] if m in marks), "-")
        return (
            " ".join((x, y, z, *more)),
            x + mark + y,
            unspellable,
            f"{x} {y}\n{z}",
        )

    def changing(self) -> str:
        """Return a frequent word that changes late in 2,000 merges."""
        merges = train(self.counts, 2_000)
        number = {pair: i for i, pair in enumerate(merges, 1)}

        def last(word: str) -> int:
            return max((n for _, n in replay(word, number)), default=0)

        found = (word for word in self.words if last(word) > 0.3 * len(merges))
        return next(found, self.words[0])

    def passed_over(self) -> tuple[tuple[str, str], ...]:
        """Return two pairs that the ratio passes over.

        The most frequent one whose first half is always followed by its
        second, if it occurs ten times, and the first merge.
        """
        splits = {word: list(START + word) for word in self.counts}
        often = pair_gains(splits, self.counts, "frequency")
        letters = Counter[str]()
        for word, count in self.counts.items():
            for char in START + word:
                letters[char] += count
        x, y = max(often, key=lambda p: (often[p] == letters[p[0]], often[p]))
        best = self.merges[0]
        if often[x, y] == letters[x] > 9 and START not in (x, y):
            return (x, y), (best[0], best[1])
        self.poor.add("passed_over")
        return ((best[0], best[1]),)

    def late_merges(self) -> int:
        """Return a size of notebook 08 at which many words are still cut."""
        half = len(train(self.counts, 4_000, "frequency")) // 2
        sizes = [10, 50, 100, 200, 500, 1_000, 2_000]
        return max((size for size in sizes if size <= half), default=10)

    def bounds(self) -> tuple[int, ...]:
        """Return three counts of pairs: powers of ten, if they occur."""
        splits = {word: list(START + word) for word in self.counts}
        most = int(max(pair_gains(splits, self.counts, "frequency").values()))
        powers = [10**k for k in range(9) if 10**k <= most]
        return tuple(powers[-3:]) if len(powers) > 2 else (1, most // 2, most)

    def is_unspaced(self) -> bool:
        """Return whether neither script nor text has spaces between words."""
        words = letter_words(self.counts)
        return self.script in UNSPACED and sum(map(len, words)) > 4 * len(words)


def replay(
    word: str, number: dict[tuple[str, str], int]
) -> Iterable[tuple[tuple[str, str], int]]:
    """Yield the merges that build a word in training, with their numbers."""
    split = list(START + word)
    while learned := [p for p in zip(split, split[1:]) if p in number]:
        pair = min(learned, key=number.__getitem__)
        split = merge_pair(pair, split)
        yield pair, number[pair]


def shared(pair: tuple[str, str]) -> int:
    """Return how many characters both words begin with."""
    same = takewhile(lambda chars: chars[0] == chars[1], zip(*pair))
    return len(list(same))
