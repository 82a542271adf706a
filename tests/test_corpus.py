"""Where texts and counts come from: the package, a folder, a local copy, the network."""

import http.server
import threading
from hashlib import sha256

import pytest

from wpedu import corpus as corpus_module
from wpedu import count_words, load_corpus
from wpedu.corpus import RegisteredFile, registered_files

CONTENT = b"Sing, O goddess\n" * 1_000


class Handler(http.server.BaseHTTPRequestHandler):
    """Sends CONTENT: whole, cut off in the middle, changed, or not at all."""

    def do_GET(self):
        if self.path == "/missing":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        body = {"/cut": CONTENT[:5_000], "/changed": CONTENT.swapcase()}.get(self.path, CONTENT)
        self.wfile.write(body)
        self.server.requests.append(self.path)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.requests = []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.delenv("WPEDU_DATA", raising=False)
    monkeypatch.setattr(corpus_module, "_cache", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def remote_file(server, path):
    url = f"http://127.0.0.1:{server.server_port}/{path}"
    return RegisteredFile("songs/sing.txt", url, len(CONTENT), sha256(CONTENT).hexdigest())


def files_in(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_text_is_downloaded_once(server, cache):
    file = remote_file(server, "whole")
    assert file.find() is None
    assert file.fetch().read_bytes() == CONTENT
    assert file.fetch() == cache / "songs/sing.txt"
    assert server.requests == ["/whole"]


@pytest.mark.parametrize(
    "path, error, message",
    [
        ("cut", (ConnectionError, ValueError), "set WPEDU_DATA"),
        ("changed", ValueError, "SHA-256 differs"),
        ("missing", ConnectionError, "could not download songs/sing.txt"),
    ],
)
def test_a_failed_download_says_what_to_do_and_leaves_no_file(server, cache, path, error, message):
    with pytest.raises(error, match=message):
        remote_file(server, path).fetch()
    assert files_in(cache) == []


def test_without_a_network_the_error_names_the_remedy(cache):
    file = RegisteredFile("songs/sing.txt", "http://127.0.0.1:1/sing.txt", 1, "0" * 64)
    with pytest.raises(ConnectionError, match="connect to the internet, or set WPEDU_DATA"):
        file.fetch()
    assert files_in(cache) == []


def test_a_local_copy_is_taken_first(server, cache, tmp_path, monkeypatch):
    (tmp_path / "data/songs").mkdir(parents=True)
    (tmp_path / "data/songs/sing.txt").write_bytes(CONTENT)
    monkeypatch.setenv("WPEDU_DATA", str(tmp_path / "data"))
    assert remote_file(server, "whole").fetch() == tmp_path / "data/songs/sing.txt"
    assert server.requests == []


def test_a_damaged_local_copy_is_refused_and_left_alone(server, cache):
    path = cache / "songs/sing.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"Sing")
    with pytest.raises(ValueError, match="SHA-256 differs"):
        remote_file(server, "whole").fetch()
    assert path.read_bytes() == b"Sing"


def test_a_data_folder_that_is_not_there_is_refused(monkeypatch):
    monkeypatch.setenv("WPEDU_DATA", "/no/such/folder")
    with pytest.raises(ValueError, match="WPEDU_DATA names '/no/such/folder'"):
        load_corpus("homer").text  # noqa: B018


def test_homer_needs_no_text_for_his_counts_and_opening(cache):
    homer = load_corpus("homer")
    assert not homer.has_text
    assert homer.word_counts.total() == 312_886
    assert len(homer.opening) == 100


def test_the_register_names_homer_dickens_and_bert():
    assert [len(registered_files(name)) for name in ("homer", "dickens", "bert-base-uncased")] == [
        2,
        14,
        1,
    ]


@pytest.mark.parametrize("name", ["homer", "dickens", "bert-base-uncased"])
def test_local_copies_are_the_registered_files(name):
    files = registered_files(name)
    if not all(file.find() for file in files):
        pytest.skip(f"{name} is not on this machine: set WPEDU_DATA (see the README)")
    assert [file.fetch().stat().st_size for file in files] == [file.bytes for file in files]


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path):
    (tmp_path / "b.txt").write_text("\n the ships \n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("\ufeffSing,\r\nO goddess\n", encoding="utf-8")
    (tmp_path / "c.md").write_text("not a text", encoding="utf-8")
    corpus = load_corpus(tmp_path)
    assert corpus.text == " Sing,\nO goddess the ships"
    assert corpus.word_counts == count_words(corpus.text)
    assert corpus.opening == corpus.text
    assert corpus.has_text


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"holds no \.txt file: put the texts there"):
        load_corpus(tmp_path)


def test_a_file_that_is_not_utf_8_is_named(tmp_path):
    (tmp_path / "latin1.txt").write_bytes("touché".encode("latin-1"))
    with pytest.raises(ValueError, match=r"latin1\.txt is not UTF-8 .* save it as UTF-8"):
        load_corpus(tmp_path)


def test_an_unknown_corpus_is_refused_with_the_known_names():
    with pytest.raises(ValueError, match="'virgil': corpora are 'homer' and 'dickens'"):
        load_corpus("virgil")


@pytest.mark.parametrize("name", [None, 7, ["homer"]])
def test_a_corpus_that_is_neither_name_nor_folder_is_refused(name):
    with pytest.raises(TypeError, match="a name or a folder"):
        load_corpus(name)
