"""The cache of chunks is bounded, and changes no result."""

import pytest

from wpedu._support.cache import ChunkCache


class Lengths(ChunkCache[int]):
    MAX_CHUNKS = 10
    made = 0

    def make(self, chunk):
        self.made += 1
        return len(chunk)


def test_a_chunk_is_computed_once():
    lengths = Lengths()
    assert (lengths["the"], lengths["the"], lengths.made) == (3, 3, 1)


def test_the_cache_never_exceeds_its_limit():
    lengths = Lengths()
    for chunk in map(str, range(100)):
        assert lengths[chunk] == len(chunk)
        assert len(lengths) <= Lengths.MAX_CHUNKS


@pytest.mark.parametrize(("beyond", "kept"), [(0, True), (1, False)])
def test_long_chunks_are_computed_but_not_kept(beyond, kept):
    lengths, chunk = Lengths(), "a" * (Lengths.MAX_LENGTH + beyond)
    assert lengths[chunk] == len(chunk)
    assert (chunk in lengths) is kept


def test_a_cache_beyond_its_limit_is_emptied():
    lengths = Lengths()
    lengths.update({str(i): 0 for i in range(50)})  # as if threads had passed the limit together
    lengths["the"]
    assert len(lengths) == 1
