"""Files that are there whole or not at all: links, permissions, full disks, killed processes."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import wpedu
from wpedu import WordPiece, _files
from wpedu._files import write_all_atomically, write_atomically

needs_posix = pytest.mark.skipif(os.name != "posix", reason="this system has no such files")
OLD = {"a": b"old a", "b": b"old b", "c": b"old c"}
NEW = {"a": b"new a", "b": b"new b", "c": b"new c"}


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def run(code, *arguments):
    root = Path(wpedu.__file__).parent.parent
    command = [sys.executable, "-c", code, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


# What was there


@needs_posix
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o666, 0o640, 0o200, 0o751])
def test_a_file_keeps_its_permissions(tmp_path, mode):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_atomically(path, b"new")
    assert path.stat().st_mode & 0o7777 == mode
    assert path.read_bytes() == b"new"


@needs_posix
def test_what_is_private_is_never_open_to_others_while_it_is_written(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o600)
    modes = []
    fdopen = os.fdopen

    def look(handle, *how):
        modes.append(os.fstat(handle).st_mode & 0o7777)
        return fdopen(handle, *how)

    monkeypatch.setattr("os.fdopen", look)
    write_atomically(path, b"new")
    assert modes == [0o600]


@needs_posix
def test_a_new_file_has_the_permissions_of_any_new_file_and_the_umask_is_left_alone(tmp_path):
    # In a process of its own, as the umask is everybody's.
    code = """if True:
        import os, sys
        from pathlib import Path
        from wpedu._files import write_atomically
        for umask in (0o000, 0o022, 0o077):
            os.umask(umask)
            os.umask, real = None, os.umask
            path = Path(sys.argv[1], str(umask))
            write_atomically(path, b"new")
            os.umask = real
            print(f"{path.stat().st_mode & 0o7777:o}", end=" ")
    """
    assert (run(code, tmp_path).stdout, contents(tmp_path).keys()) == (
        "666 644 600 ",
        {"0", "18", "63"},
    )


@needs_posix
def test_a_link_is_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a").write_bytes(b"old")
    (tmp_path / "link").symlink_to(Path("folder", "a"))
    (tmp_path / "link to link").symlink_to("link")
    (tmp_path / "link to nothing yet").symlink_to(Path("folder", "b"))
    write_atomically(tmp_path / "link to link", b"new")
    write_atomically(tmp_path / "link to nothing yet", b"new b")
    assert contents(tmp_path / "folder") == {"a": b"new", "b": b"new b"}
    assert all(path.is_symlink() for path in tmp_path.glob("link*"))


# What cannot be written


@pytest.mark.parametrize(
    "make, error, message",
    [
        (lambda path: path.mkdir(), IsADirectoryError, "is a folder: name a file in it"),
        (
            lambda path: (path.write_bytes(b"old"), path.chmod(0o444)),
            PermissionError,
            "is read-only: name another, or make it writable",
        ),
        pytest.param(
            lambda path: os.mkfifo(path), OSError, "is a pipe, a device or the like",
            marks=needs_posix,
        ),
        pytest.param(
            lambda path: path.symlink_to(path), OSError, "symbolic links", marks=needs_posix
        ),
        pytest.param(
            lambda path: path.symlink_to(path.parent), IsADirectoryError, "is a folder",
            marks=needs_posix,
        ),
    ],
    ids=["folder", "read-only", "pipe", "link to itself", "link to a folder"],
)  # fmt: skip
def test_what_cannot_be_replaced_is_named_and_left_alone(tmp_path, make, error, message):
    path = tmp_path / "sea.json"
    make(path)
    before = path.lstat()
    with pytest.raises(error, match=message) as caught:
        WordPiece(num_merges=1).fit("sea").save(path)
    assert str(path) in str(caught.value)
    assert (path.lstat().st_mode, path.lstat().st_ino) == (before.st_mode, before.st_ino)
    assert list(tmp_path.iterdir()) == [path]


def test_an_empty_path_is_refused():
    with pytest.raises(ValueError, match="the path is empty: name a file"):
        WordPiece(num_merges=1).fit("sea").save("")


@needs_posix
def test_names_may_be_as_long_as_the_file_system_lets_them(tmp_path):
    write_atomically(tmp_path / ("a" * 255), b"new")
    assert contents(tmp_path) == {"a" * 255: b"new"}
    with pytest.raises(OSError, match=r"a{256}"):
        write_atomically(tmp_path / ("a" * 256), b"new")


@needs_posix
@pytest.mark.parametrize(
    "then",
    [
        "write_atomically(folder / 'b', b'n' * 5_000)",
        "write_all_atomically(folder, {'a': b'n', 'b': b'n' * 5_000})",
    ],
    ids=["file", "set"],
)
def test_where_there_is_no_room_left_all_is_as_it_was(tmp_path, then):
    code = f"""if True:
        import resource, sys
        from pathlib import Path
        from wpedu._files import write_all_atomically, write_atomically
        folder = Path(sys.argv[1])
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, 4_096))
        try:
            {then}
        except OSError as error:
            print(error.filename)
    """
    (tmp_path / "b").write_bytes(b"old")
    assert run(code, tmp_path).stdout == f"{tmp_path / 'b'}\n"
    assert contents(tmp_path) == {"b": b"old"}


# Several files


@pytest.mark.parametrize("before", [OLD, {"b": b"old b"}, {}], ids=["all", "one", "none"])
@pytest.mark.parametrize("failing", ["a", "b", "c"])
@pytest.mark.parametrize("moved", [False, True], ids=["disk", "Ctrl-C"])
def test_if_one_cannot_be_moved_all_are_as_they_were(tmp_path, monkeypatch, before, failing, moved):
    for name, content in before.items():
        (tmp_path / name).write_bytes(content)
    replace, failures = os.replace, [1]

    def fail_once(source, target):
        if moved or Path(target).name != failing:
            replace(source, target)
        if Path(target).name == failing and failures:
            failures.pop()
            raise KeyboardInterrupt if moved else OSError(errno.EBUSY, "busy", source, 0, target)

    monkeypatch.setattr("os.replace", fail_once)
    error = KeyboardInterrupt if moved else OSError
    with pytest.raises(error, match=None if moved else f"{failing}'$"):
        write_all_atomically(tmp_path, NEW)
    # Interrupted after the last one is moved, it is done.
    assert contents(tmp_path) == (NEW if moved and failing == "c" else before)


def test_files_are_moved_in_their_order_once_all_are_written(tmp_path, monkeypatch):
    replace, order = os.replace, []

    def note(source, target):
        order.append((Path(target).name, len(list(tmp_path.glob(".*")))))
        replace(source, target)

    monkeypatch.setattr("os.replace", note)
    write_all_atomically(tmp_path, {name: NEW[name] for name in "bca"})
    assert order == [("b", 3), ("c", 2), ("a", 1)]


def test_a_set_that_cannot_be_written_in_full_is_not_begun(tmp_path):
    (tmp_path / "c").mkdir()
    with pytest.raises(IsADirectoryError):
        write_all_atomically(tmp_path, NEW)
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


# Several processes


@needs_posix
@pytest.mark.parametrize("when", ["replace", "fdopen"], ids=["written", "empty"])
def test_what_a_killed_process_leaves_is_removed_by_the_next(tmp_path, when):
    code = f"""if True:
        import os, signal, sys
        from pathlib import Path
        from wpedu._files import write_all_atomically
        os.{when} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        write_all_atomically(Path(sys.argv[1]), {{"a": b"new", "b": b"new"}})
    """
    (tmp_path / "a").write_bytes(b"old")
    assert run(code, tmp_path).returncode == -signal.SIGKILL
    assert len(list(tmp_path.glob(".*"))) == (3 if when == "replace" else 1)
    write_atomically(tmp_path / "other", b"new")
    assert contents(tmp_path) == {"a": b"old", "other": b"new"}


def test_without_locks_only_what_is_old_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(_files, "_lock", lambda *_: False)
    for name, age in {"old": 3_700, "young": 3_500}.items():
        path = tmp_path / f".wpedu-{name}.part"
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age,) * 2)
    write_atomically(tmp_path / "a", b"new")
    assert contents(tmp_path) == {"a": b"new", ".wpedu-young.part": b"half"}


@needs_posix
def test_who_waits_too_long_for_another_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setattr(_files, "_WAIT", 0.05)
    with (
        _files._alone_in(tmp_path),
        pytest.raises(TimeoutError, match=r"another process has been writing to .* wait for it"),
    ):
        write_atomically(tmp_path / "a", b"new")
    write_atomically(tmp_path / "a", b"new")
    assert contents(tmp_path) == {"a": b"new"}


@needs_posix
def test_a_forked_process_does_not_keep_the_lock(tmp_path, monkeypatch):
    monkeypatch.setattr(_files, "_WAIT", 0.05)
    with _files._alone_in(tmp_path):
        child = os.fork()
        if not child:
            time.sleep(60)
            os._exit(0)
    try:
        write_atomically(tmp_path / "a", b"new")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@needs_posix
def test_sets_that_are_written_at_once_are_not_mixed(tmp_path):
    def write(number):
        for _ in range(20):
            write_all_atomically(tmp_path, dict.fromkeys("abc", b"%d" % number))

    threads = [threading.Thread(target=write, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert contents(tmp_path).keys() == {*"abc"}
    assert len({*contents(tmp_path).values()}) == 1
