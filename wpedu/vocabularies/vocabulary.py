"""A vocabulary as longest match sees it: which entries begin a word, and which continue one."""

from collections.abc import Iterable, Mapping

from wpedu._support.checks import check_str, check_subwords
from wpedu.bert.vocab_file import CONTINUATION
from wpedu.encoding import longest_matches
from wpedu.pretokenization import START

__all__ = ["Vocabulary"]


class Vocabulary:
    """The entries of a vocabulary, sorted by where in a word they may occur.

    `entries` is a list, or {entry: id}, which is read in the order of its ids.

    `marker` is "##" if an entry such as ##s is there, as in BERT's vocabularies; else "▁" if an
    entry begins with it, as in ours; else "", and every entry may occur anywhere in a word.

    `beginning` and `continuing` map the text of an entry to the entry. The text has no ##; ▁ is
    part of it, because our word sea is ▁sea. Entries in brackets, such as [UNK] and [unused1],
    match no text and are left out, and so are duplicates.

    Raises TypeError if `entries` is neither, and ValueError if one of them is empty, or if none is
    a single character.

    >>> bert = Vocabulary(["[UNK]", "s", "sea", "##s", "##as"])
    >>> bert.marker, bert.beginning, bert.continuing
    ('##', {'s': 's', 'sea': 'sea'}, {'s': '##s', 'as': '##as'})
    """

    def __init__(self, entries: Iterable[str] | Mapping[str, int]):
        subwords = check_subwords(entries, "vocab")
        self.entries = list(dict.fromkeys(entry for entry in subwords if not _in_brackets(entry)))
        if any(_has_prefix(entry) and entry[2] != "#" for entry in self.entries):
            self.marker = CONTINUATION
        else:
            self.marker = START if any(entry.startswith(START) for entry in self.entries) else ""
        self.start = START if self.marker == START else ""  # in front of every word
        self._texts = {entry: self._text(entry) for entry in self.entries}
        self.lengths = sorted(set(map(len, self._texts.values())))  # few, even with a long entry
        self.beginning: dict[str, str] = {}
        self.continuing: dict[str, str] = {}
        for entry, text in self._texts.items():
            begins = entry.startswith(START) if self.start else not _has_prefix(entry)
            (self.beginning if begins else self.continuing)[text] = entry
        if not self.marker:
            self.continuing = self.beginning
        # What may follow inside one of our entries: ▁▁ is ▁ and ▁.
        self._following = self.beginning | self.continuing if self.start else self.continuing
        if not any(len(text) == 1 for text in self._texts.values()):
            raise ValueError(
                "vocab has no single characters: longest match needs those of its text, so add them"
            )
        self._longest_beginning = max(map(len, self.beginning), default=0)
        self._longest_continuing = max(map(len, self.continuing), default=0)

    def __repr__(self) -> str:
        return f"<Vocabulary: {len(self.entries):,} entries, marker {self.marker!r}>"

    def text(self, entry: str) -> str:
        """Return the characters that `entry` matches; ValueError if it is not in the vocabulary.

        >>> Vocabulary(["s", "##ea"]).text("##ea")
        'ea'
        """
        text = self._texts.get(check_str(entry, "entry"))
        if text is None:
            raise ValueError(f"{entry!r} is not in the vocabulary: give one of its entries")
        return text

    def cut(self, word: str) -> list[str]:
        """Return the entries of `word` by longest match; ValueError if there are none.

        >>> Vocabulary(["s", "sea", "##s"]).cut("seas")
        ['sea', '##s']
        """
        entries = self.longest_match(self.start + check_str(word, "word"))
        if not entries:
            raise ValueError(
                f"the word {word!r} cannot be cut into entries of the vocabulary: leave it out, or "
                f"give a vocabulary that has all of its characters"
            )
        return entries

    def cuts(self, entry: str) -> list[tuple[str, str]]:
        """Return the ways to cut `entry` into two entries; ValueError if it is not one itself.

        >>> Vocabulary(["s", "se", "sea", "##a", "##ea"]).cuts("sea")
        [('s', '##ea'), ('se', '##a')]
        """
        text = self.text(entry)
        first = self.beginning if self.beginning.get(text) == entry else self.continuing
        return [
            (first[text[:i]], self._following[text[i:]])
            for i in self.lengths
            if text[:i] in first and text[i:] in self._following
        ]

    def is_open(self, entry: str) -> bool:
        """Return whether `entry` has two or more characters and cannot be cut into two entries.

        >>> Vocabulary(["s", "sea", "##a"]).is_open("sea")
        True
        """
        return len(self.text(entry)) > 1 and not self.cuts(entry)

    def longest_match(self, text: str) -> list[str]:
        """Return the entries that longest match cuts `text` into, or [] if it cannot.

        Unlike the word in `cut`, `text` includes its ▁ where the vocabulary has one.
        """
        longest = max(self._longest_beginning, self._longest_continuing)
        matches = longest_matches(text, self.beginning, longest, self.continuing)
        if not matches or sum(map(len, matches)) < len(text):
            return []
        first, *rest = matches
        return [self.beginning[first], *map(self.continuing.__getitem__, rest)]

    def count_shortest(self, word: str) -> int:
        """Return the smallest number of entries that make `word`; it must have a cut."""
        text = self.start + word
        fewest = [0] + [len(text)] * len(text)  # of the first i characters
        entries, longest = self.beginning, self._longest_beginning
        for start in range(len(text)):
            for end in range(start + 1, min(start + longest, len(text)) + 1):
                if fewest[start] + 1 < fewest[end] and text[start:end] in entries:
                    fewest[end] = fewest[start] + 1
            entries, longest = self.continuing, self._longest_continuing
        return fewest[-1]

    def _text(self, entry: str) -> str:
        return entry[len(CONTINUATION) :] if not self.start and _has_prefix(entry) else entry


def _has_prefix(entry: str) -> bool:
    return entry.startswith(CONTINUATION) and entry != CONTINUATION


def _in_brackets(entry: str) -> bool:
    return len(entry) > 2 and entry[0] == "[" and entry[-1] == "]"
