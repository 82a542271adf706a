"""What must hold of the cache of chunks: it is bounded, and never shows."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from wpedu._chunks import ChunkCache

NUM_THREADS = 8


class Lengths(ChunkCache[int]):
    def make(self, chunk):
        return len(chunk)


class Small(Lengths):
    MAX_CHUNKS = 10


def test_a_chunk_is_made_once():
    class Made(ChunkCache[object]):
        def make(self, chunk):
            return object()

    made = Made()
    assert made["the"] is made["the"]


def test_it_holds_no_more_chunks_than_it_may():
    small = Small()
    for number in range(100):
        assert small[str(number)] == len(str(number))
        assert len(small) <= Small.MAX_CHUNKS


@pytest.mark.parametrize(("beyond", "kept"), [(0, True), (1, False)])
def test_long_chunks_are_made_and_not_kept(beyond, kept):
    lengths, chunk = Lengths(), "a" * (Lengths.MAX_LENGTH + beyond)
    assert lengths[chunk] == len(chunk)
    assert (chunk in lengths) is kept


def test_more_than_it_may_hold_is_not_kept_for_long():
    small = Small()
    small.update({str(number): 0 for number in range(50)})  # as if threads had stepped over it
    small["the"]
    assert len(small) == 1


def test_threads_do_not_step_over_the_bound():
    small, interval = Small(), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def add(thread):
        sizes = []
        for number in range(5_000):
            small[f"{thread} {number}"]
            sizes.append(len(small))
        return max(sizes)

    try:
        with ThreadPoolExecutor(NUM_THREADS) as pool:
            most = max(pool.map(add, range(NUM_THREADS)))
    finally:
        sys.setswitchinterval(interval)
    assert most < Small.MAX_CHUNKS + NUM_THREADS
