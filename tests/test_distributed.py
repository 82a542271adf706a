"""Counting with Dask: what `count_words` gives on the joined text, wherever it is counted."""

import io
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import wpedu
from wpedu import count_words, load_corpus
from wpedu.corpus import registered_files
from wpedu.fast import distributed as distributed_module
from wpedu.fast.distributed import (
    _add,
    _check_scheduler,
    _read_blocks,
    count_words_distributed,
)

pytest.importorskip("distributed", reason="Dask is not installed: pip install -e '.[scale]'")

import dask
from distributed import Client, LocalCluster

WORKS = [
    "Sing, O goddess, the anger of Achilles son of Peleus,\r\nthat brought countless ills\r\n",
    "\ufeffTell me, O muse, of that ingenious hero who travelled far and wide\n",
    "Tell me, too, about all these things, O daughter of Jove, from whatsoever source\n",
]
# Every kind of white space and of near white space, characters of one to four bytes, and marks.
CHARACTERS = "aab,.!▁é𝄞\u0301\ufeff\0 \t\r\n\x0b\x1c\x1f\x85\xa0\u2028\u3000\u200b"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with local_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


def local_cluster(folder):
    with dask.config.set({"temporary-directory": str(folder)}):
        return LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # None asks for port 8787
            # What the others log about a killed worker is expected.
            silence_logs="CRITICAL",
        )


def write(folder, works):
    paths = [Path(folder) / f"{number}.txt" for number in range(len(works))]
    for path, work in zip(paths, works):
        path.write_bytes(work.encode())
    return paths


def counts_of_joined(works):
    text = "".join(" " + work.removeprefix("\ufeff").strip() for work in works)
    return list(count_words(text).items())


# The counts


# To str.strip(), but not to a word, \x1c is white space: at a file's ends it goes, however blocks
# end, and elsewhere it is a word.
@example(works=["\x1c \x1c a \x1c b \x1c \x1c", "\x1c"], block=1)
@given(
    works=st.lists(st.text(st.sampled_from(CHARACTERS)), max_size=4),
    block=st.integers(min_value=1, max_value=9),
)
def test_equals_count_words_of_the_joined_text_wherever_blocks_end(works, block):
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(distributed_module, "BLOCK", block),
    ):
        word_counts = count_words_distributed(write(folder, works), scheduler="synchronous")
    assert list(word_counts.items()) == counts_of_joined(works)


def test_keeps_the_order_of_many_files(tmp_path):
    # More files than Dask adds at once, and than it makes partitions of.
    works = [f"{number} {number % 7} {-number}" for number in range(250)]
    word_counts = count_words_distributed(write(tmp_path, works), scheduler="synchronous")
    assert list(word_counts.items()) == counts_of_joined(works)


def test_paths_keep_their_order_and_may_repeat(tmp_path):
    first, second = write(tmp_path, ["b a", "c b"])
    paths = (path for path in [second, first, second])
    word_counts = count_words_distributed(paths, scheduler="synchronous")
    assert list(word_counts.items()) == [("c", 2), ("b", 3), ("a", 1)]


def test_adding_changes_none_of_what_is_added():
    first, second = Counter("ba"), Counter("cb")
    assert list(_add([first, second]).items()) == [("b", 2), ("a", 1), ("c", 1)]
    assert (first, second) == (Counter("ba"), Counter("cb"))


def test_no_files_have_no_words():
    assert count_words_distributed([]) == Counter()


@pytest.mark.parametrize("name", ["homer", pytest.param("dickens", marks=pytest.mark.long)])
def test_processes_count_a_corpus_as_one_process_does(name):
    corpus = load_corpus(name)
    if not corpus.has_text:
        pytest.skip(f"the text of {corpus} is not on this machine: set WPEDU_DATA (see the README)")
    word_counts = count_words_distributed([file.fetch() for file in registered_files(name)])
    assert list(word_counts.items()) == list(count_words(corpus.text).items())


# More text than one machine holds


def test_blocks_are_small_and_end_between_words(monkeypatch):
    monkeypatch.setattr(distributed_module, "BLOCK", 1_000)
    text = "Sing,\r\nO goddess " * 10_000
    for spaced in text, text.replace(" ", "。").replace("\r\n", "、"):
        blocks = list(_read_blocks(io.StringIO(spaced)))
        assert max(map(len, blocks)) < 1_020
        assert sum(map(count_words, blocks), Counter()) == count_words(spaced)


def test_a_word_of_many_blocks_is_read_in_linear_time(monkeypatch):
    monkeypatch.setattr(distributed_module, "BLOCK", 1_000)
    file = mock.Mock(wraps=io.StringIO("a" * 1_000_000))
    assert "".join(_read_blocks(file)) == "a" * 1_000_000
    assert file.read.call_count < 15


# Processes and clusters


def test_a_cluster_counts_as_one_process_does(cluster, tmp_path):
    word_counts = count_words_distributed(write(tmp_path, WORKS), cluster.scheduler_address)
    assert list(word_counts.items()) == counts_of_joined(WORKS)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_counts_are_right_after_a_worker_was_killed_midway(tmp_path):
    first, *_ = paths = write(tmp_path, WORKS * 3)
    whole = first.rename(tmp_path / "whole.txt")
    # The first file is now a pipe, which holds the worker that reads it, half read, until we say
    # so: the worker that is killed is in the middle of a file, whose words come first of all.
    os.mkfifo(first)
    with (
        ThreadPoolExecutor() as thread,
        local_cluster(tmp_path) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        counting = thread.submit(count_words_distributed, paths, cluster.scheduler_address)
        pipe = wait_for(lambda: open_once_read(first))
        os.write(pipe, whole.read_bytes()[:40])
        victim = wait_for(lambda: find_reader(client, first))
        whole.replace(first)
        os.kill(victim, signal.SIGKILL)
        wait_for(lambda: has_lost_its_reader(pipe))
        os.close(pipe)
        assert list(counting.result(timeout=20).items()) == counts_of_joined(WORKS * 3)


def wait_for(condition):
    deadline = time.monotonic() + 20
    while not (value := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return value


def open_once_read(pipe):
    try:
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:  # nobody has opened it to read
        return None


def find_reader(client, pipe):
    def process_if_reading(status):
        for descriptor in range(1_024):
            try:
                if os.path.samestat(os.fstat(descriptor), status):
                    return os.getpid()
            except OSError:
                continue
        return None

    return next(filter(None, client.run(process_if_reading, os.stat(pipe)).values()), None)


def has_lost_its_reader(pipe):
    try:
        os.write(pipe, b" ")
    except BrokenPipeError:
        return True
    return False


SCRIPT = """
import sys
from wpedu.fast.distributed import count_words_distributed
{guard}print(count_words_distributed(sys.argv[1:]))
"""


def run_script(folder, guard):
    script = folder / "script.py"
    script.write_text(SCRIPT.format(guard=guard))
    root = Path(wpedu.__file__).parent.parent
    command = [sys.executable, script, *write(folder, ["b a", "c b"])]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


def test_a_guarded_script_counts(tmp_path):
    run = run_script(tmp_path, guard='if __name__ == "__main__": ')
    assert (run.stdout, run.stderr) == ("Counter({'b': 2, 'a': 1, 'c': 1})\n", "")


def test_a_script_without_a_guard_is_told_so(tmp_path):
    run = run_script(tmp_path, guard="")
    assert run.stdout == ""
    last_line = run.stderr.splitlines()[-1]
    assert last_line.startswith("RuntimeError: a process that counts words died: in a script, call")


# What is wrong is said


@pytest.mark.parametrize("paths", ["iliad.txt", b"iliad.txt", Path("iliad.txt"), None])
def test_what_is_no_list_of_paths_is_refused(paths):
    with pytest.raises(TypeError, match="paths must be an iterable of paths, not one "):
        count_words_distributed(paths)


@pytest.mark.parametrize("kind", [set, frozenset])
def test_a_set_of_paths_is_refused_for_it_has_no_order(kind, tmp_path):
    with pytest.raises(TypeError, match=r"a list of paths, not a .*set, which has no order"):
        count_words_distributed(kind(write(tmp_path, WORKS)), scheduler="synchronous")


@pytest.mark.parametrize("path", [1, b"iliad.txt"])
def test_paths_are_paths(path):
    with pytest.raises(TypeError, match=f"not {type(path).__name__}"):
        count_words_distributed([path])


def test_a_missing_file_and_a_folder_are_refused_before_anything_is_counted(tmp_path):
    not_read = tmp_path / "latin-1.txt"
    not_read.write_bytes(b"\xe9")
    with pytest.raises(FileNotFoundError, match=r"no file .*odyssey.txt"):
        count_words_distributed([not_read, tmp_path / "odyssey.txt"])
    with pytest.raises(ValueError, match="is a folder: name the files in it"):
        count_words_distributed([not_read, tmp_path])


@pytest.mark.parametrize("where", ["synchronous", None, "cluster"])
def test_what_a_worker_finds_wrong_arrives_as_one_sentence(where, cluster, tmp_path):
    scheduler = cluster.scheduler_address if where == "cluster" else where
    good, bad = write(tmp_path, ["Sing", "\ufeff"])
    bad.write_bytes("\ufeffêtre ".encode() * 10_000 + b"\xe9t\xe9")
    with pytest.raises(ValueError) as caught:
        count_words_distributed([good, bad], scheduler)
    sentence = f"{bad} is not UTF-8 (byte 90,000): save it as UTF-8, or remove it"
    assert (type(caught.value), str(caught.value)) == (ValueError, sentence)


def test_a_file_that_no_worker_finds_is_named(cluster, tmp_path):
    missing = tmp_path / "odyssey.txt"
    with pytest.raises(FileNotFoundError, match=r"^there is no file .*odyssey.txt on "):
        count_words_distributed([*write(tmp_path, WORKS), missing], cluster.scheduler_address)


@pytest.mark.parametrize(
    "scheduler",
    ["fastest", "", "0", "a:b", "http://127.0.0.1:8786", "tcp://127.0.0.1", "tcp://:8786",
     "tcp://127.0.0.1:a", "tcp://127.0.0.1:65536", "tcp://[::1", "127.0.0.1:8786"],
)  # fmt: skip
def test_an_unknown_scheduler_is_refused(scheduler, tmp_path, monkeypatch):
    # At the door: before Dask is there to start what would be waited for at the end.
    monkeypatch.setitem(sys.modules, "dask.bag", None)
    with pytest.raises(ValueError, match=r"an address like 'tcp://host:8786', or else 'processes'"):
        count_words_distributed(write(tmp_path, WORKS), scheduler)


@pytest.mark.parametrize("scheme", ["tcp", "tls", "ws", "wss"])
def test_dasks_four_kinds_of_address_are_taken(scheme):
    assert _check_scheduler(f"{scheme}://127.0.0.1:8786") == f"{scheme}://127.0.0.1:8786"


@pytest.mark.parametrize("scheduler", [0, [], False, b"tcp://127.0.0.1:8786"])
def test_a_scheduler_is_a_str(scheduler, tmp_path):
    with pytest.raises(TypeError, match="scheduler must be a str, not "):
        count_words_distributed(write(tmp_path, WORKS), scheduler)


def test_threads_count_as_one_process_does(tmp_path):
    word_counts = count_words_distributed(write(tmp_path, WORKS), "threads")
    assert list(word_counts.items()) == counts_of_joined(WORKS)


@pytest.mark.parametrize("listens", [False, True], ids=["nobody", "not Dask"])
def test_where_no_scheduler_answers_the_address_is_named(listens, tmp_path, monkeypatch):
    monkeypatch.setattr(distributed_module, "_SECONDS", 0.2)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if listens:
            server.listen()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ConnectionError, match=f"no Dask scheduler answered at {address} with"):
            count_words_distributed(write(tmp_path, WORKS), address)


@pytest.mark.parametrize("module", ["dask.bag", "distributed"])
def test_without_dask_it_says_what_to_install(monkeypatch, tmp_path, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"pip install -e '\.\[scale\]'"):
        count_words_distributed(write(tmp_path, WORKS), "tcp://127.0.0.1:8786")


def test_importing_the_package_does_not_import_dask():
    code = (
        "import sys, wpedu, wpedu.fast.distributed; print({'dask', 'distributed'} & {*sys.modules})"
    )
    root = Path(wpedu.__file__).parent.parent
    run = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("set()\n", "")
