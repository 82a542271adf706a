"""Encoding, faster: subwords → a trie → the longest-match split of a word, in linear time.

The greedy loop reads many characters more than once: when no longer subword matches, it returns to
the end of the longest match. The outcome of the second reading depends only on the node of the trie
that the loop had reached. So it is computed once for each node, when the trie is built.

Take the subwords "▁sh", "ip", "s", "▁shipped" and the word "▁ships". The first five characters lead
down to the node of "▁ship", which has no child for "s". The loop would now take "▁sh" and read "ip"
once more. The node of "▁ship" stores two things instead:

- its failure pops, ["▁sh"]: the subwords that are certain if the word continues differently;
- its failure link, the node of "ip": the node to which the remaining characters lead from the root.

So "▁sh" goes to the result, and "s" is tried from the node of "ip". This node has no child for "s"
either; it is a subword, so it pops "ip" and links to the root, where "s" is read.

Source: Song et al., Fast WordPiece Tokenization (EMNLP 2021), section 3, LinMaxMatch.
"""

from collections.abc import Iterable
from itertools import chain

_ROOT = 0
_NO_POP = 0
_END = ""  # not a character, so no node has a child for it


class FailureTrie:
    """The trie of some subwords, with a failure link and failure pops for each node.

    If the subwords have L characters in total, building takes O(L) steps and O(L) memory, for at
    most L + 1 nodes and L pops. A list of pops for each node could take O(L²): the nodes of
    {a, b, …, z, abc…z} pop a, then a b, then a b c, and so on. But a node that is a subword pops
    itself, and any other node pops the same as its parent, and perhaps more. So a node keeps only
    its last pop, and every pop knows the preceding one. On the way down to one subword, each new
    pop covers at least one character that no earlier pop covered, so that a subword adds no more
    pops than it has characters.
    """

    def __init__(self, subwords: Iterable[str]):
        """Build the trie from non-empty strings."""
        self._children: list[dict[str, int]] = [{}]  # node → {character: node}
        subword_at = {self._grow(subword): subword for subword in subwords}
        self._failure_link: list[int | None] = [None] * len(self._children)
        self._last_pop = [_NO_POP] * len(self._children)
        self._pops = [(_NO_POP, "")]  # pop → (the preceding pop, subword)
        self._link(subword_at)

    def split(self, word: str) -> list[str]:
        """Return the greedy longest-match split of `word`.

        If it has none, the returned subwords end before the word does.

        Every look-up of a child either reads a character or fails, and all failures but one pop a
        subword. There are no more subwords than characters: at most 2 · len(word) + 1 look-ups.

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
                if before == _NO_POP:  # true of most nodes
                    subwords.append(subword)
                else:
                    subwords += self._failure_pops(node)
                node = link
            node = child
        return subwords  # never reached: no node has a child for _END

    def _grow(self, subword: str) -> int:
        """Add the path of `subword`, and return its last node."""
        node = _ROOT
        for char in subword:
            children = self._children[node]
            if char not in children:
                children[char] = len(self._children)
                self._children.append({})
            node = children[char]
        return node

    def _link(self, subword_at: dict[int, str]) -> None:
        """Set the failure link and pops of every node, from the root downward.

        The link None means that the rest cannot be split. The root has this link: if it has no
        child for a character, no split contains the character there.
        """
        queue = [_ROOT]
        for parent in queue:
            for char, node in self._children[parent].items():
                queue.append(node)
                if node in subword_at:
                    self._last_pop[node] = self._pop_after(_NO_POP, subword_at[node])
                    self._failure_link[node] = _ROOT
                    continue
                # The parent's string continues with `char`: as in `split`, follow the links from
                # the parent until a node has a child for `char`.
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
