"""A corpus → the words that an edition shows in place of Homer's.

Each word has a role, such as "a word in three pieces". The choice uses a
vocabulary of 200 merges; it needs no dictionary, and does not depend on the
name of the language. Where a text has no word that is good for a role, the
choice says so.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice, permutations

import regex
from substitution import Words

from wpedu import (
    START,
    Corpus,
    LoopEncoder,
    Pair,
    build_vocab,
    load_corpus,
    merge_pair,
    pair_gains,
    pretokenize,
    train,
)

FEWEST_WORDS = 10  # distinct ones

PUNCTUATION = regex.compile(r"\p{Po}|\p{Pd}").fullmatch

# Words with one character that texts in their script often lack.
UNSPELLABLE = {
    "LATIN": [("touché", "café"), ("señor", "mañana"), ("Zürich", "Lübeck")],
    "GREEK": [("πρωτεΐνη", "καφεΐνη"), ("αϋπνία", "προϋπόθεση")],
    "CYRILLIC": [("їхати", "країна"), ("сыр", "рыба")],
    "ARMENIAN": [("ֆիզիկա", "ֆիլմ")],
    "ARABIC": [("پيتزا", "پيپسي"), ("پدر", "پسر"), ("مدرسة", "جملة")],
    "HEBREW": [("װער", "װעט")],
    "DEVANAGARI": [("ऋषि", "ऋण"), ("डॉक्टर", "कॉफ़ी"), ("काळा", "बाळ")],
    "CJK": [("熊的", "熊和"), ("猫的", "猫和"), ("狐的", "狐和")],
    "HIRAGANA": [("熊は", "熊が"), ("猫は", "猫が"), ("狐は", "狐が")],
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
    r"(?<![^\s\p{P}])\p{L}[\p{L}\p{M}\u200c\u200d\u0f0b\u1361\s,،、，'’-]+"
    r"[\p{Sentence_Terminal};:]"
)
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
        self.vocab = build_vocab(counts, self.merges)
        self.known = frozenset(self.vocab)
        self.encoder = LoopEncoder(self.known)
        self.alphabet = frozenset("".join(counts))
        self.letters, scripts = Counter[str](), Counter[str]()
        for word, count in counts.items():
            for char in filter(str.isalpha, word):
                self.letters[char] += count
        for char, count in self.letters.items():
            scripts[script(char)] += count
        self.script = max(scripts, key=scripts.__getitem__)
        encode = self.encoder.encode
        self.tokens = {word: encode(START + word) for word in self.words}
        running = sum(len(word) * counts[word] for word in words)
        self.usual = min(6, running / sum(counts[word] for word in words))
        # Neither the script nor this text has spaces between words.
        mean = sum(map(len, words)) / len(words)
        self.is_unspaced = self.script in UNSPACED and mean > 4
        self.poor: set[str] = set()

    def choose(self) -> Choice:
        """Return a word, or words, for each role."""
        cut, sentence, frequent = self.cut(), self.sentence(), self.frequent()
        often = frequent[0]
        first, whole = self.helped(often)
        missing, unspellable, also_unspellable = self.unspellable()
        misled, lone = self.misled(), self.lone() or cut
        late, bare = misled[-1] if misled else cut, self.bare(lone)
        ways = [f"no `▁{bare[:end]}`" for end in range(len(bare), 0, -1)]
        loyal, passed_over = self.passed_over()
        encoded = (*frequent, *self.unseen())
        if not {*"strawberry"} <= self.alphabet:
            self.poor.add("strawberry")
        if regex.search(r"\p{Han}", sentence):
            self.poor.add("last")
        scores = ("frequency", "gain", "likelihood")
        merges = (len(train(self.counts, 2_000, score)) for score in scores)
        if max(merges) < 2_000:
            self.poor.add("short")
        ignoring_case = "ignoring case"
        if all(char == char.lower() for char in self.alphabet):
            ignoring_case += " (this script has none, so nothing changes)"
        if "İ" in self.alphabet:
            ignoring_case += " (`lower` makes two characters of `İ`)"
        dickens = load_corpus("dickens").word_counts
        marks = (w for w, _ in self.counts.most_common() if PUNCTUATION(w))
        mark = next(marks, "-")
        x, y, z = frequent
        words: dict[str, Words] = {
            "opener": sentence,
            "tried": (unspellable, also_unspellable, often),
            "hector": encoded[-1],
            "asked": (),
            "spam": self.spam(),
            "sentence": sentence,
            "last": sentence,
            "widest": cut,
            "cut": cut,
            "printed": (often, unspellable),
            "other": "homer" if self.counts == dickens else "dickens",
            "longest_word": max(self.words, key=len),
            "family": self.family(),
            "unfinished": frequent,
            "strawberry": "strawberry",
            "first": first,
            "whole": whole,
            "compared": (first, whole),
            "long_subword": max(
                (s[1:] for s in self.vocab if s[1:] in self.counts), key=len
            ),
            "encoded_first": (
                cut,
                encoded[-2] if "strawberry" in self.poor else "strawberry",
                unspellable,
            ),
            "doses": self.doses(),
            "encoded": encoded,
            "unseen_are": "The last two, each glued together from two words, "
            "don't occur in the corpus",
            "ignoring_case": ignoring_case,
            "replayed": self.replayed(),
            "missing": missing,
            "missing_at": 1 + unspellable.index(missing),
            "unspellable": unspellable,
            "also_unspellable": also_unspellable,
            "foreign": min(
                FOREIGN, key=lambda word: len({*word} & self.alphabet)
            ),
            "of_the_foreign": "of a word in another script",
            "shorter": self.shorter() or cut,
            "misled": misled,
            "late": late,
            "culprit": self.bare(late),
            "start": self.tokens[late][0].removeprefix(START),
            "lone": lone,
            "lone_letter": lone[0],
            "after_lone": bare,
            "in_the_way": ", ".join(ways),
            "texts": (
                f"{x} {y} {z}",
                f"{x} {y}\n{z}",
                x + mark + y,
                unspellable,
            ),
            "changing": z,
            "passed_over": passed_over,
            "most_loyal": "One of the most loyal letters in this text",
            "faithful": "".join(loyal),
            "follows": loyal[0],
            "faithful_to": loyal[1],
            "best": "".join(passed_over[-1]),
            # In a shorter text, most pairs that are left then occur once.
            "late_merges": 2_000 if self.counts.total() > 20_000 else 200,
            "bounds": (1, 10, 100),
        }
        right = any(
            unicodedata.bidirectional(char) in ("R", "AL")
            for char in self.alphabet
        )
        return Choice(words, frozenset(self.poor), self.is_unspaced, right)

    def sentence(self) -> str:
        """Return what is closest to six words and fifteen tokens.

        It is a sentence, or a few words in a row if no sentence is short.
        """
        paragraphs = regex.split(r"\n\s*\n", self.text)
        if len(paragraphs) == 1:
            paragraphs = self.text.splitlines()
        paragraphs = [" ".join(part.split()) for part in paragraphs]
        sentences = [*chain.from_iterable(map(SENTENCE.findall, paragraphs))]
        words = letter_words(pretokenize(self.text))
        n = 2 if self.is_unspaced else 5
        starts = range(0, min(100 * n, len(words)), n)
        rows = [" ".join(words[i : i + n]) for i in starts]

        def cost(sentence: str) -> int:
            parts = pretokenize(sentence)
            tokens = sum(len(self.encoder.encode(START + p)) for p in parts)
            flaws = [
                not regex.fullmatch(r"\p{Sentence_Terminal}", parts[-1]),
                len(parts[-2:][0]) < 3,  # it may be an abbreviation
                sentence[0].islower(),
            ]
            return abs(tokens - 15) + 2 * abs(len(parts) - 6) + 5 * sum(flaws)

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
            tokens = len(self.tokens[word])
            begun = tokens < len(word) - 1
            whole = tokens == 1 or word in self.known
            return whole, len(word) < self.usual, not begun

        three = tuple(sorted(self.words, key=cost)[:3])
        if any(self.counts[word] < 2 for word in three):
            three = tuple(sorted(self.words, key=lambda w: cost(w)[::2])[:3])
        if any(self.counts[word] < 4 for word in three):
            self.poor.add("unfinished")
        return three

    def helped(self, often: str) -> tuple[str, str]:
        """Return a word that is cut, and a rarer one that others help.

        More occurrences of other words begin like the second, with the same
        three letters, and one of the last hundred merges made it. Otherwise,
        the first is `often`, and the second a word in one piece.
        """
        begin = Counter[str]()
        for word, count in self.counts.items():
            begin[word[:3]] += count
        helpers = {w: begin[w[:3]] - self.counts[w] for w in self.words}
        late = {"".join(pair) for pair in self.merges[100:]}
        whole = [w for w in self.words if START + w in late]
        for word in [w for w in self.words if len(w) >= self.usual][:200]:
            best = max(
                (
                    w
                    for w in whole
                    if self.counts[w] < self.counts[word] and w[:3] != word[:3]
                ),
                key=lambda w: (helpers[w] > helpers[word], len(w)),
                default=word,
            )
            begun = 1 < len(self.tokens[word]) < len(word) - 1
            begun &= word not in self.known
            if begun and helpers[best] > helpers[word]:
                return word, best
        self.poor |= {"whole", "compared"}
        whole += [w for w in self.words if len(self.tokens[w]) == 1]
        return often, max(whole or self.words, key=len)

    def doses(self) -> tuple[int, int]:
        """Return two counts, at which 1,000 merges cut `metformin`, and don't.

        The second is a power of two, and the first its half.
        """

        count = self.doubled("metformin", 1, 1_000)
        if count == 1:
            self.poor.add("doses")
        return max(count // 2, 1), max(count, 2)

    def spam(self) -> int:
        """Return how often a name occurs that both scores merge within 200."""
        name = "SolidGoldMagikarp"
        return max(
            self.doubled(name, 1_000, 200, score)
            for score in ("gain", "frequency")
        )

    def doubled(
        self, word: str, count: int, merges: int, score: str = "gain"
    ) -> int:
        """Double a count until training makes so frequent a word whole."""
        while START + word not in map(
            "".join, train({**self.counts, word: count}, merges, score)
        ):
            count *= 2
        return count

    def family(self) -> list[str]:
        """Return a word and up to four that begin with it, the shortest first.

        It is no shorter than words usually are, or than four characters, and
        frequent, because looking at all words would take long.
        """
        families = [self.words[:2]]
        for least in (self.usual, 4):
            if max(map(len, families)) > 2:
                break
            for stem in [w for w in self.words if len(w) >= least][:500]:
                longer = [w for w in self.words if w.startswith(stem)]
                families.append(longer[:5])
        family = max(families, key=len)
        if len(family) < 3:
            self.poor.add("family")
        return sorted(family, key=len)

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
        new = (c for c in letters if c == c.lower() and c not in self.alphabet)
        letter = min(
            new, key=lambda c: (script(c) != self.script, abs(ord(c) - often))
        )
        first, second = sorted(self.words, key=lambda word: len(word) < 3)[:2]
        return letter, first + letter, second + letter

    def shorter(self) -> str | None:
        """Return a word that fewer subwords than the loop's make up."""
        for word in self.words:
            fewest, marked = [0], START + word
            for end in range(1, len(marked) + 1):
                starts = [i for i in range(end) if marked[i:end] in self.known]
                fewest.append(1 + min(fewest[i] for i in starts))
            if fewest[-1] < len(self.encoder.encode(marked)):
                return word
        self.poor.add("shorter")
        return None

    def replayed(self) -> tuple[str, ...]:
        """Return up to three words that training and encoding cut apart."""

        def is_replayed(word: str) -> bool:
            split = list(START + word)
            for pair in self.merges:
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
            if 0 < len(first) < len(self.bare(word)) < len(word):
                found.setdefault(self.bare(word), word)
        if len(found) < 2:
            self.poor |= {"misled", "late", "culprit", "start"}
        return tuple(islice(found.values(), 2))

    def lone(self) -> str | None:
        """Return a word whose first token is a lone ▁, if there is one."""
        words = [word for word in self.words if self.tokens[word][0] == START]
        if not words:
            self.poor |= {"lone", "lone_letter", "after_lone", "in_the_way"}
        return min(
            words,
            key=lambda word: not 1 < len(self.bare(word)) < len(word),
            default=None,
        )

    def passed_over(self) -> tuple[Pair, tuple[Pair, ...]]:
        """Return a loyal pair, and two that the ratio passes over at first.

        The loyal pair is not among the ten best; no other pair there has a
        first letter that its second follows more often. The two are this
        pair, if no other letter follows, and the first merge.
        """
        splits = {word: list(START + word) for word in self.counts}
        often = pair_gains(splits, self.counts, "frequency")
        gains = pair_gains(splits, self.counts)
        best = sorted(gains, key=gains.__getitem__, reverse=True)[:10]
        loyal = max(
            (p for p in often if self.letters[p[0]] > 9 and p not in best),
            key=lambda p: (often[p] / self.letters[p[0]], often[p]),
            default=self.merges[0],
        )
        if often[loyal] == self.letters[loyal[0]]:
            return loyal, (loyal, self.merges[0])
        self.poor |= {"passed_over", "faithful", "faithful_to", "follows"}
        return loyal, (self.merges[0],)
