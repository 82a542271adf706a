"""Files are written completely or not at all: links, permissions, full disks."""

import errno
import os
from pathlib import Path

import pytest

from wpedu import WordPiece
from wpedu._support.files import write_all_atomically, write_atomically

needs_posix = pytest.mark.skipif(os.name != "posix", reason="this system has no such files")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@needs_posix
@pytest.mark.parametrize("mode", [0o600, 0o606, None])  # private, unlike any umask, a new file
def test_a_file_keeps_its_permissions_and_a_link_is_followed(tmp_path, monkeypatch, mode):
    path, link, modes, fsync = tmp_path / "a", tmp_path / "link", [], os.fsync
    path.touch()
    usual = path.stat().st_mode & 0o777
    path.unlink() if mode is None else path.chmod(mode)
    link.symlink_to("a")
    monkeypatch.setattr("os.fsync", lambda file: (modes.append(os.fstat(file)), fsync(file)))
    write_atomically(link, b"new")
    assert link.is_symlink() and contents(tmp_path) == {"a": b"new", "link": b"new"}
    assert path.stat().st_mode & 0o777 == (mode or usual)
    assert modes[0].st_mode & 0o777 & ~(mode or usual) == 0  # never more open than at the end


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda path: path.mkdir(), "is not a regular file, but a folder or a pipe: name another"),
        pytest.param(lambda path: os.mkfifo(path), "is not a regular file", marks=needs_posix),
        (lambda path: (path.touch(), path.chmod(0o444)), "is read-only: make it writable, or"),
        pytest.param(lambda path: (path.touch(), path.chmod(0o466)), "is read", marks=needs_posix),
    ],
    ids=["folder", "pipe", "read-only", "read-only for its owner"],
)
def test_a_path_that_cannot_be_replaced_is_named_and_left_alone(tmp_path, make, message):
    path = tmp_path / "sea.json"
    make(path)
    with pytest.raises(OSError, match=rf"sea\.json {message}"):
        WordPiece(num_merges=1).fit("sea").save(path)
    assert list(tmp_path.iterdir()) == [path] and not (path.is_file() and path.read_bytes())


def test_an_empty_path_and_a_missing_folder_are_named(tmp_path):
    with pytest.raises(ValueError, match="the path is empty: name a file"):
        write_atomically("", b"new")
    with pytest.raises(FileNotFoundError, match=r"nowhere does not exist, .* create it"):
        write_atomically(tmp_path / "nowhere" / "a", b"new")


def test_a_full_disk_leaves_every_file_unchanged(tmp_path, monkeypatch):
    def full(file):
        if os.fstat(file).st_size > 4:
            raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr("os.fsync", full)
    (tmp_path / "b").write_bytes(b"old")
    with pytest.raises(OSError, match=r"no space left on device: .*b'$"):
        write_all_atomically(tmp_path, {"a": b"new", "b": b"newer"})
    assert contents(tmp_path) == {"b": b"old"}


def test_files_are_moved_in_order_once_all_are_written(tmp_path, monkeypatch):
    replace, order = os.replace, []

    def note(source, target):
        order.append((Path(target).name, sorted(contents(tmp_path).values())))
        replace(source, target)
        if len(order) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", note)
    with pytest.raises(KeyboardInterrupt):
        write_all_atomically(tmp_path, {"b": b"1", "c": b"2", "a": b"3"})
    assert order == [("b", [b"1", b"2", b"3"]), ("c", [b"1", b"2", b"3"])]
    assert contents(tmp_path) == {"b": b"1", "c": b"2"}
