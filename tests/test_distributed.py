"""Dask gives the word counts that `count_words` gives on the joined text, on any scheduler."""

import io
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wpedu import count_words, load_corpus
from wpedu.corpus import registered_files
from wpedu.fast import distributed as distributed_module
from wpedu.fast.distributed import count_words_distributed, read_blocks

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'wpedu[scale]'")

import dask
from distributed import Client, LocalCluster

pytestmark = pytest.mark.long
WORKS = [
    "Sing, O goddess, the anger of Achilles son of Peleus,\r\nthat brought countless ills\r\n",
    "\ufeffTell me, O muse, of that ingenious hero who travelled far and wide\n",
    "Tell me, too, about all these things, O daughter of Jove, from whatsoever source\n",
]
# All kinds of whitespace and similar characters, characters of one to four bytes, and marks.
CHARACTERS = "aab,.!▁é𝄞\u0301\ufeff\0 \t\r\n\x0b\x1c\x1f\x85\xa0\u2028\u3000\u200b"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    options = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1"}
    options |= {"dashboard_address": "127.0.0.1:0", "silence_logs": "CRITICAL"}
    with (
        dask.config.set({"temporary-directory": str(tmp_path_factory.mktemp("cluster"))}),
        LocalCluster(**options) as cluster,
    ):
        yield cluster.scheduler_address


def write(folder, works):
    paths = [Path(folder) / f"{i}.txt" for i in range(len(works))]
    for path, work in zip(paths, works):
        path.write_bytes(work.encode())
    return paths


def counts_of_joined(works):
    text = "".join(" " + work.removeprefix("\ufeff").strip() for work in works)
    return list(count_words(text).items())


# \x1c is whitespace to str.strip(), but not between words: it is stripped at the ends of a file,
# wherever blocks end, and is a word elsewhere.
@example(works=["\x1c \x1c a \x1c b \x1c \x1c", "\x1c"], block=1)
@given(works=st.lists(st.text(st.sampled_from(CHARACTERS)), max_size=4), block=st.integers(1, 9))
def test_counts_equal_those_of_the_joined_text_wherever_blocks_end(works, block):
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(distributed_module, "BLOCK", block),
    ):
        word_counts = count_words_distributed(write(folder, works), scheduler="synchronous")
    assert list(word_counts.items()) == counts_of_joined(works)


def test_many_paths_keep_their_order_and_may_repeat(tmp_path):
    # More files than Dask adds at once, and more than it makes partitions.
    works = [f"{i} {i % 7} {-i}" for i in range(150)]
    paths = write(tmp_path, works)
    word_counts = count_words_distributed((path for path in [*paths, *paths]), "threads")
    assert list(word_counts.items()) == counts_of_joined([*works, *works])


@pytest.mark.parametrize("name", ["homer", "dickens"])
def test_processes_count_a_corpus_as_one_process_does(name):
    corpus = load_corpus(name)
    if not corpus.has_text:
        pytest.skip(f"the text of {corpus} is not on this machine: set WPEDU_DATA (see the README)")
    word_counts = count_words_distributed([file.fetch() for file in registered_files(name)])
    assert list(word_counts.items()) == list(count_words(corpus.text).items())


def test_a_cluster_counts_as_one_process_does(cluster, tmp_path):
    word_counts = count_words_distributed(write(tmp_path, WORKS), cluster)
    assert list(word_counts.items()) == counts_of_joined(WORKS)


@pytest.mark.skipif(os.name != "posix", reason="this system has no pipes with names")
def test_a_worker_may_die_in_the_middle_of_a_count(cluster, tmp_path):
    paths = write(tmp_path, WORKS)
    paths[1].unlink()
    os.mkfifo(paths[1])  # a worker that opens it waits
    with Client(cluster) as client, ThreadPoolExecutor() as pool:
        pids = client.run(os.getpid)
        counting = pool.submit(count_words_distributed, paths, cluster)
        pipe = open_once_somebody_reads(paths[1])
        while len(busy := [name for name, tasks in client.processing().items() if tasks]) > 1:
            time.sleep(0.1)  # the other worker counts the other files
        os.kill(pids[busy[0]], signal.SIGKILL)
        os.close(pipe)
        while busy[0] in client.processing():
            time.sleep(0.1)
        with open(paths[1], "wb") as again:  # once another worker reads
            again.write(WORKS[1].encode())
        assert list(counting.result(timeout=60).items()) == counts_of_joined(WORKS)


def open_once_somebody_reads(path):
    for _ in range(600):
        with suppress(OSError):  # nobody reads yet
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.1)
    raise TimeoutError(path)


# More text than fits on one machine


def test_blocks_are_small_and_end_between_words(monkeypatch):
    monkeypatch.setattr(distributed_module, "BLOCK", 1_000)
    text = "Sing,\r\nO goddess " * 3_000
    for spaced in text, text.replace(" ", "。").replace("\r\n", "、"):
        blocks = list(read_blocks(io.StringIO(spaced)))
        assert max(map(len, blocks)) < 1_020
        assert sum(map(count_words, blocks), Counter()) == count_words(spaced)


def test_a_word_of_many_blocks_is_read_in_linear_time(monkeypatch):
    monkeypatch.setattr(distributed_module, "BLOCK", 1_000)
    file = mock.Mock(wraps=io.StringIO("a" * 1_000_000))
    assert "".join(read_blocks(file)) == "a" * 1_000_000
    assert file.read.call_count < 15


# Bad input


@pytest.mark.parametrize(
    "paths, scheduler, error, message",
    [
        ("iliad.txt", None, TypeError, "paths must be an iterable of paths, not one str"),
        ([1], None, TypeError, "not int"),
        ([], 0, TypeError, "scheduler must be a str, not int"),
        ([], "fastest", ValueError, r"no scheduler 'fastest': use an address like"),
    ],
)
def test_bad_input_is_rejected_before_anything_is_counted(paths, scheduler, error, message):
    with (
        mock.patch.object(distributed_module, "_connect", side_effect=AssertionError),
        pytest.raises(error, match=message),
    ):
        count_words_distributed(paths, scheduler)


@pytest.mark.parametrize("where", [None, "cluster"])
def test_an_error_in_a_worker_arrives_as_one_sentence(where, cluster, tmp_path):
    good, bad = write(tmp_path, ["Sing", "\ufeff"])
    bad.write_bytes("\ufeffêtre ".encode() * 10_000 + b"\xe9t\xe9")
    sentence = rf"^{bad} is not UTF-8 \(byte 90,000\): save it as plain text"
    with pytest.raises(ValueError, match=sentence):
        count_words_distributed([good, bad], where and cluster)
    with pytest.raises(FileNotFoundError, match=r"^\S*odyssey.txt does not exist on "):
        count_words_distributed([good, tmp_path / "odyssey.txt"], where and cluster)
    with pytest.raises(ValueError, match="is a folder: name the files in it"):
        count_words_distributed([tmp_path], where and cluster)


def test_if_no_scheduler_answers_the_address_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(distributed_module, "_SECONDS", 0.2)
    with pytest.raises(ConnectionError, match=r"no Dask scheduler answered at tcp:.*:1 wi"):
        count_words_distributed(write(tmp_path, WORKS), "tcp://127.0.0.1:1")


def test_a_script_without_a_guard_gets_a_clear_error(run_python, tmp_path):
    code = "import sys, wpedu\nprint(wpedu.count_words_distributed(sys.argv[1:]))"
    (tmp_path / "script.py").write_text(code)
    run = run_python(tmp_path / "script.py", *write(tmp_path, ["b a", "c b"]), check=False)
    assert run.stdout == ""
    errors = [line for line in run.stderr.splitlines() if line.startswith("RuntimeError")]
    assert errors[-1].startswith(
        "RuntimeError: a process that counts words died: in a script, call"
    )


@pytest.mark.parametrize("module", ["dask.bag", "distributed"])
def test_without_dask_the_error_says_what_to_install(monkeypatch, tmp_path, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"pip install 'wpedu\[scale\]'"):
        count_words_distributed(write(tmp_path, WORKS), "tcp://127.0.0.1:8786")
