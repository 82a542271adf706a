"""Encoding, faster: subwords → a trie → the longest-match split of a word, in linear time.

The greedy loop reads characters again and again: when the longest match is shorter than the text
read so far, it goes back to the end of that match. The second reading brings nothing new: its
result depends only on how far down the trie the loop had come. So the result is worked out once for
each node, when the trie is built.

Take the subwords "▁sh", "ip", "s", "▁shipped" and the word "▁ships". The first five characters lead
down to the node of "▁ship", and from there "s" leads nowhere. The loop would now take "▁sh" and
read "ip" once more. The node of "▁ship" has it ready:

- its failure pops, ["▁sh"], are the subwords that are certain once the word goes on differently;
- its failure link, the node of "ip", is where the rest of what was read leads from the root.

So "▁sh" goes to the result, and "s" is tried from the node of "ip". It leads nowhere from there
either; that node is itself a subword, pops "ip" and links to the root, and there "s" is read.

Source: Song et al., Fast WordPiece Tokenization (EMNLP 2021), section 3, LinMaxMatch.
"""

from collections.abc import Iterable
from itertools import chain

_ROOT = 0
_NO_POP = 0
_END = ""  # not a character, so no node has a child for it


class FailureTrie:
    """The trie of some subwords, each node with a failure link and failure pops.

    With L the total length of the subwords, building takes O(L) steps and O(L) memory: at most
    L + 1 nodes and L pops. One list of pops for each node could take O(L²): the nodes of
    {a, b, …, z, abc…z} pop a, then a b, then a b c, and so on. But a node that is a subword pops
    itself, and any other pops what its parent pops, and then perhaps more. So a node keeps only
    its last pop, and every pop knows the one before it. On the way down to one subword, a new pop
    covers at least one character that no pop before it covered: each subword adds no more pops than
    it has characters.
    """

    def __init__(self, subwords: Iterable[str]):
        """Build the trie from non-empty strings."""
        self._children: list[dict[str, int]] = [{}]  # node → {character: node}
        subword_at = {self._grow(subword): subword for subword in subwords}
        self._failure_link: list[int | None] = [None] * len(self._children)
        self._last_pop = [_NO_POP] * len(self._children)
        self._pops = [(_NO_POP, "")]  # pop → (the pop before it, subword)
        self._link(subword_at)

    def split(self, word: str) -> list[str]:
        """Return the greedy longest-match split of `word`.

        If it has none, the subwords returned do not reach its end.

        Every lookup of a child either reads a character or fails, and every failed one but the last
        pops a subword. There are no more subwords than characters: at most 2 · len(word) + 1
        lookups.

        >>> FailureTrie(["▁sh", "ip", "s", "▁shipped"]).split("▁ships")
        ['▁sh', 'ip', 's']
        """
        children, failure_link = self._children, self._failure_link
        last_pop, pops = self._last_pop, self._pops
        subwords: list[str] = []
        node = _ROOT
        for char in chain(word, [_END]):
            while (child := children[node].get(char)) is None:
                link = failure_link[node]
                if link is None:
                    return subwords
                before, subword = pops[last_pop[node]]
                if before == _NO_POP:  # as for most nodes
                    subwords.append(subword)
                else:
                    subwords += self._failure_pops(node)
                node = link
            node = child
        return subwords  # never: from _END on, no child is left to go to

    def _grow(self, subword: str) -> int:
        """Add the path of `subword` and return the node it ends at."""
        node = _ROOT
        for char in subword:
            children = self._children[node]
            if char not in children:
                children[char] = len(self._children)
                self._children.append({})
            node = children[char]
        return node

    def _link(self, subword_at: dict[int, str]) -> None:
        """Set the failure link and pops of every node, from the shallow nodes to the deep.

        No link (None) says that the rest cannot be split. The root has none: a character that
        leads nowhere from there is in no split.
        """
        queue = [_ROOT]
        for parent in queue:
            for char, node in self._children[parent].items():
                queue.append(node)
                if node in subword_at:
                    self._last_pop[node] = self._pop_after(_NO_POP, subword_at[node])
                    self._failure_link[node] = _ROOT
                    continue
                # The word was `parent`'s, and now goes on with `char`: as in `split`, follow the
                # links from there until `char` leads somewhere.
                link, popped = self._failure_link[parent], []
                while link is not None and char not in self._children[link]:
                    popped += self._failure_pops(link)
                    link = self._failure_link[link]
                if link is not None:
                    self._failure_link[node] = self._children[link][char]
                    self._last_pop[node] = self._last_pop[parent]
                    for subword in popped:
                        self._last_pop[node] = self._pop_after(self._last_pop[node], subword)

    def _pop_after(self, pop: int, subword: str) -> int:
        self._pops.append((pop, subword))
        return len(self._pops) - 1

    def _failure_pops(self, node: int) -> list[str]:
        subwords, pop = [], self._last_pop[node]
        while pop != _NO_POP:
            pop, subword = self._pops[pop]
            subwords.append(subword)
        subwords.reverse()
        return subwords
