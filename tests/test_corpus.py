"""Texts and counts come from the package, a file or folder, a local copy, or the network."""

import os
import shutil
import traceback
from hashlib import sha256
from pathlib import Path

import pytest
from chromium import serve
from typed_calls import CALLS

from wpedu import Corpus, count_words, load_corpus
from wpedu._support import downloads
from wpedu.corpus import CORPORA, DATASETS, RegisteredFile, registered_files

CONTENT = b"Sing, O goddess\n" * 1_000


@pytest.fixture
def server(tmp_path):
    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "whole").write_bytes(CONTENT)
    (tmp_path / "served" / "cut").write_bytes(CONTENT[:5_000])
    with serve(tmp_path / "served") as address:
        yield address.removesuffix("index.html")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.delenv("WPEDU_DATA", raising=False)
    monkeypatch.setattr(downloads, "_cache", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def remote_file(server, path):
    return RegisteredFile(
        "songs/sing.txt", server + path, len(CONTENT), sha256(CONTENT).hexdigest()
    )


def files_in(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_text_is_downloaded_once(server, cache, tmp_path):
    file = remote_file(server, "whole")
    assert file.find() is None
    assert file.fetch().read_bytes() == CONTENT
    (tmp_path / "served" / "whole").unlink()
    assert file.fetch() == cache / "songs/sing.txt"


@pytest.mark.parametrize("url", ["cut", "http://127.0.0.1:1/"])
def test_a_failed_download_says_what_to_do_and_leaves_no_file(server, cache, url):
    file = remote_file(server, "cut") if url == "cut" else RegisteredFile("a", url, 1, "0" * 64)
    with pytest.raises(ConnectionError, match=r"could not download .* or set WPEDU_DATA") as caught:
        file.fetch()
    assert files_in(cache) == []
    assert "".join(traceback.format_exception(caught.value)).count("Traceback") == 1


def test_a_local_copy_comes_first(server, cache, tmp_path, monkeypatch):
    (tmp_path / "data/songs").mkdir(parents=True)
    (tmp_path / "data/songs/sing.txt").write_bytes(CONTENT)
    (cache / "songs").mkdir(parents=True)
    (cache / "songs/sing.txt").write_bytes(CONTENT)
    monkeypatch.setenv("WPEDU_DATA", str(tmp_path / "data"))
    assert remote_file(server, "whole").fetch() == tmp_path / "data/songs/sing.txt"


def test_a_text_is_available_when_all_its_files_are(server, cache):
    file = remote_file(server, "whole")
    file.fetch()
    assert Corpus("songs", [file]).has_text
    assert not Corpus("songs", [file, file._replace(path="songs/2")]).has_text


@pytest.mark.parametrize("folder", ["cache", "data"])
def test_a_damaged_local_copy_is_rejected_and_left_alone(server, cache, monkeypatch, folder):
    path = cache.parent / folder / "songs/sing.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"Sing")
    if folder == "data":
        monkeypatch.setenv("WPEDU_DATA", str(cache.parent / "data"))
    with pytest.raises(ValueError, match=r"SHA-256 differs\): delete it"):
        remote_file(server, "whole").fetch()
    assert path.read_bytes() == b"Sing"


def test_a_missing_data_folder_is_named(monkeypatch):
    monkeypatch.setenv("WPEDU_DATA", "/no/such/folder")
    with pytest.raises(ValueError, match="WPEDU_DATA is '/no/such/folder', which is not a folder"):
        load_corpus("homer").text  # noqa: B018


@pytest.mark.parametrize(
    "name, words, different", [("homer", 312_886, 10_319), ("dickens", 4_197_724, 43_111)]
)
def test_word_counts_need_no_text(cache, name, words, different):
    corpus = load_corpus(name)
    assert not corpus.has_text
    assert (corpus.word_counts.total(), len(corpus.word_counts)) == (words, different)


@pytest.mark.long
def test_the_shipped_counts_of_dickens_are_those_of_the_text_in_order():
    dickens = load_corpus("dickens")
    if not dickens.has_text:
        pytest.skip("Dickens' text is not on this machine: set WPEDU_DATA (see the README)")
    assert list(count_words(dickens.text).items()) == list(dickens.word_counts.items())


def test_two_swapped_rows_are_detected(tmp_path, monkeypatch):
    shutil.copytree(DATASETS, tmp_path / "datasets")
    for module in "_support.downloads", "corpus":
        monkeypatch.setattr(f"wpedu.{module}.DATASETS", tmp_path / "datasets")
    assert load_corpus("homer").word_counts
    shipped = tmp_path / "datasets/homer/word_counts.tsv"
    lines = shipped.read_bytes().splitlines(keepends=True)
    lines[200], lines[201] = lines[201], lines[200]
    shipped.write_bytes(b"".join(lines))
    with pytest.raises(ValueError, match=r"tsv has changed since .* install wpedu again"):
        load_corpus("homer").word_counts  # noqa: B018


def test_every_shipped_file_that_is_checked_is_registered():
    files = ("word_counts.tsv", "opening.txt")
    shipped = [
        *(path for name in CORPORA for path in (DATASETS / name).iterdir() if path.name in files),
        *DATASETS.rglob("*.gz"),
    ]
    registered = downloads._read_register()["shipped"]
    assert {path.relative_to(DATASETS).as_posix() for path in shipped} == registered.keys()
    assert all(map(downloads.read_shipped, registered))


PACKED = {"bert/vocab.txt.gz": "bert-base-uncased", "gpt2/merges.txt.gz": "gpt2-merges"}


@pytest.mark.parametrize("path, name", PACKED.items())
def test_a_packed_file_is_the_registered_one(path, name):
    content = downloads.read_shipped(path).encode()
    assert sha256(content).hexdigest() == registered_files(name)[0].sha256


def test_a_folder_is_read_in_the_order_of_its_file_names(tmp_path):
    (tmp_path / "a.txt").write_text("\n the ships \n", encoding="utf-8")
    (tmp_path / "B.txt").write_text("\ufeffSing,\r\nO goddess\n", encoding="utf-8")
    (tmp_path / "C.TXT").write_text("the sea", encoding="utf-8")
    for name in "c.md", ".d.txt", "txt":
        (tmp_path / name).write_text("not a text", encoding="utf-8")
    (tmp_path / "e.txt").mkdir()
    corpus = load_corpus(tmp_path)
    assert corpus.text == " Sing,\nO goddess the sea the ships"
    assert corpus.word_counts == count_words(corpus.text)
    assert corpus.opening == corpus.text
    assert corpus.has_text


def test_a_folder_may_have_the_name_of_a_corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("homer").mkdir()
    Path("homer", "a.txt").write_text("the ships", encoding="utf-8")
    Path("homer", "opening.txt").write_text("O", encoding="utf-8")
    Path("homer", "word_counts.tsv").write_text("Troy\t7\n", encoding="utf-8")
    for path in tmp_path / "homer", "./homer", Path("homer"):
        assert load_corpus(path).word_counts == {"the": 1, "ships": 1, "O": 1}
        assert load_corpus(path).opening == " the ships O"
    assert load_corpus("homer").word_counts.total() == 312_886


def test_a_file_is_a_corpus(tmp_path):
    path = tmp_path / "song.TXT"
    path.write_text("\ufeffSing,\r\nO goddess\n", encoding="utf-8")
    assert load_corpus(path).text == load_corpus(str(path)).text == " Sing,\nO goddess"


def test_an_empty_corpus_is_rejected():
    with pytest.raises(ValueError, match=r"call load_corpus\('homer'\)"):
        Corpus("homer")


@pytest.mark.parametrize(
    "content, message",
    [
        (None, r"has no \.txt file: put the texts there"),
        ("touché".encode("latin-1"), r"sea\.txt is not UTF-8 \(byte 5\): save it as plain text"),
    ],
    ids=["empty folder", "not UTF-8"],
)
def test_a_folder_without_a_text_is_rejected(tmp_path, content, message):
    if content:
        (tmp_path / "sea.txt").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        load_corpus(tmp_path).text  # noqa: B018


@pytest.mark.parametrize("text", ["virgil", "", "Sing\0", "/" * 5_000 + "x"])
def test_a_text_is_not_a_corpus_and_the_error_says_how_to_count_it(text):
    with pytest.raises(
        ValueError, match=r"choose 'homer' or 'dickens' or a path; .* count_words\(text\)"
    ) as caught:
        load_corpus(text)
    assert len(str(caught.value)) < 400


def test_a_missing_path_is_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"odyssey\.txt does not exist"):
        load_corpus(tmp_path / "odyssey.txt")


@pytest.mark.skipif(os.name != "posix", reason="this system has no such files")
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to(path)])
@pytest.mark.parametrize("name", [Path, str])
def test_a_pipe_or_a_link_to_itself_is_not_called_missing(tmp_path, make, name):
    make(tmp_path / "odd.txt")
    with pytest.raises(ValueError, match=r"odd\.txt is neither a file nor a folder, but a pipe"):
        load_corpus(name(tmp_path / "odd.txt"))


@pytest.mark.parametrize("name", [None, b"homer", {"the": 2}])
def test_a_corpus_must_be_a_name_or_a_path(name):
    with pytest.raises(TypeError, match="a name or a path"):
        load_corpus(name)


@pytest.mark.parametrize("name", ["nope", "shipped"])
def test_an_unregistered_name_is_rejected_with_the_registered_ones(name):
    with pytest.raises(ValueError, match=f"'{name}': use one of 'homer', 'dickens', 'bert-base"):
        registered_files(name)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_corpus_can_replace_word_counts(call):
    corpus = Corpus("songs", text="sea seas sea")
    assert call(corpus) == call(corpus.word_counts) == call({"sea": 2, "seas": 1})
