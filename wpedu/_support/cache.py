"""A cache: chunk (text between whitespace) → a tokenizer's result for it, computed once."""

from typing import TypeVar

Made = TypeVar("Made")


class ChunkCache(dict[str, Made]):
    """Chunk → what `make` returns for it, computed at the first look-up and kept.

    A text has few different chunks, and most of them occur often. The cache keeps at most
    MAX_CHUNKS chunks of at most MAX_LENGTH characters each (and briefly one more for every other
    thread that adds one). When it is full, it is emptied. So even a text whose chunks all
    differ takes no longer than it would without a cache.

    >>> class Lengths(ChunkCache[int]):
    ...     def make(self, chunk):
    ...         return len(chunk)
    >>> lengths = Lengths()
    >>> lengths["ship"], lengths
    (4, {'ship': 4})
    """

    MAX_CHUNKS = 2**17
    MAX_LENGTH = 64

    def make(self, chunk: str) -> Made:
        """Return the value for `chunk`."""
        raise NotImplementedError

    def __missing__(self, chunk: str) -> Made:
        made = self.make(chunk)
        if len(chunk) <= self.MAX_LENGTH:
            # Not ==: two threads that add at once may pass the limit.
            if len(self) >= self.MAX_CHUNKS:
                self.clear()
            self[chunk] = made
        return made
