"""Files are written completely or not at all; links are followed."""

import os

import pytest

from wpedu._support.files import write_atomically

needs_posix = pytest.mark.skipif(os.name != "posix", reason="this system has no such files")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@needs_posix
def test_a_link_is_followed(tmp_path):
    (tmp_path / "link").symlink_to("a")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and contents(tmp_path) == {"a": b"new", "link": b"new"}


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda path: path.mkdir(), "is not a regular file, but a folder or a pipe: name another"),
        pytest.param(os.mkfifo, "is not a regular file", marks=needs_posix),
        (lambda path: (path.touch(), path.chmod(0o444)), "is read-only: make it writable, or"),
    ],
    ids=["folder", "pipe", "read-only"],
)
def test_a_path_that_cannot_be_replaced_is_named_and_left_alone(tmp_path, make, message):
    path = tmp_path / "sea.json"
    make(path)
    with pytest.raises(OSError, match=rf"sea\.json {message}"):
        write_atomically(path, b"new")
    assert list(tmp_path.iterdir()) == [path] and not (path.is_file() and path.read_bytes())


def test_a_failure_leaves_the_file_unchanged(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(TypeError):
        write_atomically(tmp_path / "a", "not bytes")
    assert contents(tmp_path) == {"a": b"old"}
