"""The cache of chunks is bounded, and changes no result."""

from wpedu._support.cache import ChunkCache


class Lengths(ChunkCache[int]):
    MAX_CHUNKS = 10
    made = 0

    def make(self, chunk):
        self.made += 1
        return len(chunk)


def test_a_chunk_is_computed_once_and_kept_if_it_is_short():
    lengths = Lengths()
    assert [lengths["a" * n] for n in (64, 64, 65, 65)] == [64, 64, 65, 65]
    assert (lengths.made, [*lengths]) == (3, ["a" * 64])


def test_the_cache_never_exceeds_its_limit_and_is_emptied_beyond_it():
    lengths = Lengths()
    for chunk in map(str, range(100)):
        assert lengths[chunk] == len(chunk)
        assert len(lengths) <= Lengths.MAX_CHUNKS
    lengths.update({str(i): 0 for i in range(50)})  # as if threads had passed the limit together
    lengths["the"]
    assert len(lengths) == 1
