"""What must hold of the cache of chunks: it is bounded, and never shows."""

import pytest

from wpedu._support.chunks import ChunkCache


class Lengths(ChunkCache[int]):
    MAX_CHUNKS = 10
    made = 0

    def make(self, chunk):
        self.made += 1
        return len(chunk)


def test_a_chunk_is_made_once():
    lengths = Lengths()
    assert (lengths["the"], lengths["the"], lengths.made) == (3, 3, 1)


def test_it_holds_no_more_chunks_than_it_may():
    lengths = Lengths()
    for number in range(100):
        assert lengths[str(number)] == len(str(number))
        assert len(lengths) <= Lengths.MAX_CHUNKS


@pytest.mark.parametrize(("beyond", "kept"), [(0, True), (1, False)])
def test_long_chunks_are_made_and_not_kept(beyond, kept):
    lengths, chunk = Lengths(), "a" * (Lengths.MAX_LENGTH + beyond)
    assert lengths[chunk] == len(chunk)
    assert (chunk in lengths) is kept


def test_more_than_it_may_hold_is_not_kept_for_long():
    lengths = Lengths()
    lengths.update({str(number): 0 for number in range(50)})  # as if threads had stepped over it
    lengths["the"]
    assert len(lengths) == 1
