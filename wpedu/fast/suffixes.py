"""Learning top-down, faster: the same entries as the loop in `wpedu.vocabularies.top_down`.

No substring is counted by itself. A substring occurs as often as the suffixes of words that begin
with it. So go from the longest to the shortest, and let each one that is not kept hand its count to
its prefix one character shorter: counts that longer kept substrings took never arrive. And since an
entry always begins where a word does, the entries that begin words are the same in every round.
"""

from collections import defaultdict
from collections.abc import Mapping


class Suffixes:
    """Words of at most `longest` characters, to learn from with any `min_count`.

    >>> Suffixes({"sea": 3, "seat": 1}, 50, 4, "kept").learn(4)[0]
    {'s': 1, 'e': 1, 'a': 1, 't': 1, 'sea': 4}
    """

    def __init__(self, words: Mapping[str, int], longest: int, rounds: int, discount: str) -> None:
        self.words, self.longest, self.rounds = dict(words), longest, rounds
        self.hands_on = discount == "kept"
        self.chars = dict.fromkeys("".join(words), 1)
        self.all_suffixes = self._count_suffixes()

    def learn(self, min_count: int) -> tuple[dict[str, int], dict[str, int]]:
        """Return the entries that may begin a word, and those that may continue one."""
        bare = self._keep(self.words, min_count)
        longest = max(map(len, bare))
        rests: dict[str, int] = defaultdict(int)
        for word, count in self.words.items():
            rests[word[_longest_match(word, bare, longest) :]] += count
        rests.pop("", None)
        continuing = self._keep(self.all_suffixes, min_count)
        for _ in range(1, self.rounds):
            continuing = self._keep(self._cut(rests, continuing), min_count)
        return bare, continuing

    def _count_suffixes(self) -> dict[str, int]:
        """Count the suffixes of all words, except the words themselves."""
        by_length = self._by_length({})
        for word, count in self.words.items():
            _add(by_length, word[1:], count)
        for length in range(self.longest, 1, -1):
            for suffix, count in by_length[length].items():
                _add(by_length, suffix[1:], count)
        return _flatten(by_length[1:])

    def _keep(self, suffixes: dict[str, int], min_count: int) -> dict[str, int]:
        """Return the characters, and the kept substrings at the beginning of `suffixes`."""
        kept, by_length = {}, self._by_length(suffixes)
        for length in range(self.longest, 0, -1):
            prefixes = by_length[length - 1]
            for substring, count in by_length[length].items():
                if count >= min_count:
                    kept[substring] = count
                elif self.hands_on:
                    prefix = substring[:-1]
                    prefixes[prefix] = prefixes.get(prefix, 0) + count
        return {**self.chars, **kept}

    def _cut(self, suffixes: dict[str, int], entries: dict[str, int]) -> dict[str, int]:
        """Count the suffixes that begin where longest match begins an entry in `suffixes`."""
        by_length, longest = self._by_length(suffixes), max(map(len, entries))
        for length in range(self.longest, 0, -1):
            for suffix, count in by_length[length].items():
                _add(by_length, suffix[_longest_match(suffix, entries, longest) :], count)
        return _flatten(by_length[1:])

    def _by_length(self, counts: dict[str, int]) -> list[dict[str, int]]:
        by_length: list[dict[str, int]] = [{} for _ in range(self.longest + 1)]
        for string, count in counts.items():
            by_length[len(string)][string] = count
        return by_length


def _longest_match(text: str, entries: dict[str, int], longest: int) -> int:
    """Return the length of the longest entry that begins `text`; a single character always is one.

    `longest` is the length of the longest entry.
    """
    for end in range(min(longest, len(text)), 1, -1):
        if text[:end] in entries:
            return end
    return 1


def _add(by_length: list[dict[str, int]], string: str, count: int) -> None:
    counts = by_length[len(string)]
    counts[string] = counts.get(string, 0) + count


def _flatten(by_length: list[dict[str, int]]) -> dict[str, int]:
    return {string: count for counts in by_length for string, count in counts.items()}
