"""Learning top-down, sooner: the same entries as the loop in `wpedu.top_down`.

No substring is counted. It occurs as often as the tails of words that begin with it; so, from the
longest to the shortest, each hands its count to its prefix one character shorter, unless it is
kept: what arrives is what nobody longer has taken. And since a word always begins a piece, the
entries that begin words are the same in every round.
"""

from collections import defaultdict
from collections.abc import Mapping

Counts = dict[str, int]


class Tails:
    """Words to learn from, of `longest` characters at most, for any number of `min_count`."""

    def __init__(self, words: Mapping[str, int], longest: int, rounds: int, discount: str) -> None:
        self.words, self.longest, self.rounds = dict(words), longest, rounds
        self.hands_on = discount == "kept"
        self.chars = dict.fromkeys("".join(words), 1)
        self.all_tails = self._all_tails()

    def learn(self, min_count: int) -> tuple[Counts, Counts]:
        """Return what may begin a word and what may continue one, each with its count."""
        bare = self._keep(self.words, min_count)
        longest = max(map(len, bare))
        rests: Counts = defaultdict(int)
        for word, count in self.words.items():
            rests[word[_longest_match(word, bare, longest) :]] += count
        rests.pop("", None)
        continuing = self._keep(self.all_tails, min_count)
        for _ in range(1, self.rounds):
            continuing = self._keep(self._cut(rests, continuing), min_count)
        return bare, continuing

    def _all_tails(self) -> Counts:
        """What is left of each word from each place on, but for the words themselves."""
        by_length = self._by_length({})
        for word, count in self.words.items():
            _add(by_length, word[1:], count)
        for length in range(self.longest, 1, -1):
            for tail, count in by_length[length].items():
                _add(by_length, tail[1:], count)
        return _in_one(by_length[1:])

    def _keep(self, tails: Counts, min_count: int) -> Counts:
        """Return what is kept of the substrings that begin `tails`, and the characters."""
        kept, by_length = {}, self._by_length(tails)
        for length in range(self.longest, 0, -1):
            prefixes = by_length[length - 1]
            for piece, count in by_length[length].items():
                if count >= min_count:
                    kept[piece] = count
                elif self.hands_on:
                    prefix = piece[:-1]
                    prefixes[prefix] = prefixes.get(prefix, 0) + count
        return {**self.chars, **kept}

    def _cut(self, tails: Counts, pieces: Counts) -> Counts:
        """Return every tail at which a piece begins, when `tails` are cut by longest match."""
        by_length, longest = self._by_length(tails), max(map(len, pieces))
        for length in range(self.longest, 0, -1):
            for tail, count in by_length[length].items():
                _add(by_length, tail[_longest_match(tail, pieces, longest) :], count)
        return _in_one(by_length[1:])

    def _by_length(self, counts: Counts) -> list[Counts]:
        by_length: list[Counts] = [{} for _ in range(self.longest + 1)]
        for string, count in counts.items():
            by_length[len(string)][string] = count
        return by_length


def _longest_match(text: str, pieces: Counts, longest: int) -> int:
    """Return the length of the longest piece that `text` begins with; its first character is one.

    `longest` is the length of the longest piece of all.
    """
    for end in range(min(longest, len(text)), 1, -1):
        if text[:end] in pieces:
            return end
    return 1


def _add(by_length: list[Counts], string: str, count: int) -> None:
    counts = by_length[len(string)]
    counts[string] = counts.get(string, 0) + count


def _in_one(by_length: list[Counts]) -> Counts:
    return {string: count for counts in by_length for string, count in counts.items()}
