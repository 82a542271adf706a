"""A cache: chunk (what lies between white space) → what a tokenizer makes of it, made once."""

from typing import TypeVar

Made = TypeVar("Made")


class ChunkCache(dict[str, Made]):
    """Chunk → what `make` makes of it; what is not there yet is made and kept.

    A text has few different chunks, and most of them often. At most MAX_CHUNKS are kept, each of at
    most MAX_LENGTH characters (and for a moment one more for each other thread that is adding).
    When it is full it starts again from nothing, so that a text whose chunks all differ costs what
    it would without it.

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
        """Return what is to be kept for `chunk`."""
        raise NotImplementedError

    def __missing__(self, chunk: str) -> Made:
        made = self.make(chunk)
        if len(chunk) <= self.MAX_LENGTH:
            # Not ==: two threads may add at once, and step over it.
            if len(self) >= self.MAX_CHUNKS:
                self.clear()
            self[chunk] = made
        return made
