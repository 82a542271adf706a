"""The playground loads the files that `WordPiece.load` loads, and refuses damaged ones, too."""

import base64
import json
import re
from hashlib import sha256

import pytest

from wpedu import WordPiece

GOOD = {
    "format": "wpedu.WordPiece",
    "version": 1,
    "score": "gain",
    "num_merges": 3,
    "alphabet": ["▁", "t", "h", "🙂"],
    "merges": [["t", "h"], ["▁", "th"]],
}
LONE = ["\ud83d", "a", "\ude00", "\\ud800"]


def seal(**changes) -> dict:
    """A file's content with `changes`, and the SHA-256 that fits."""
    saved = GOOD | changes
    parts = [saved[part] for part in ("score", "num_merges", "alphabet", "merges")]
    content = json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return saved | {"sha256": sha256(content).hexdigest()}


def write(saved: object, encoding: str = "utf-8") -> bytes:
    return json.dumps(saved, ensure_ascii=False).encode(encoding, "surrogatepass")


def without(name: str) -> dict:
    return {key: value for key, value in seal().items() if key != name}


TEXT = write(seal()).decode()
ACCEPTED = {
    "as it is": write(seal()),
    "escaped": json.dumps(seal()).encode(),
    "other layout": json.dumps(seal(), indent=1).encode() + b"\r\n\t ",
    **{name: write(seal(), name) for name in ("utf-8-sig", "utf-16", "utf-16-be", "utf-32-le")},
    "another score": write(seal(score="likelihood")),
    "a function": write(seal(score="function <lambda>")),
    "lone surrogates": write(seal(alphabet=["▁", *LONE[:3]], merges=[["\ude00", "\ud83d"]])),
}
REFUSED = {
    "empty": b"",
    "cut off": write(seal())[:-2],
    "a character more": write(seal()) + b"}",
    "not UTF-8": write(seal()).replace("▁".encode(), b"\xff"),
    "another format": write(seal() | {"format": "other"}),
    "version 2": write(seal() | {"version": 2}),
    **{f"without {part}": write(without(part)) for part in [*GOOD, "sha256"]},
    "score HTML": write(seal(score="<img src=x onerror=alert(1)>")),
    "num_merges too small": write(seal(num_merges=1)),
    "alphabet of an emoji in two parts": write(seal(alphabet=["▁", "👍🏽"])),
    "alphabet with a character twice": write(seal(alphabet=["▁", "t", "t"])),
    "alphabet without the mark": write(seal(alphabet=["t", "h"], merges=[["t", "h"]])),
    **{f"merge {merge!r}": write(seal(merges=[["t", "h"], merge])) for merge in (
        "th", None, ["t"], ["t", 1], ["t", "h"], ["th", "x"], ["th", "▁"], ["", "t"],
    )},
    "a later merge first": write(seal(merges=[["▁", "th"], ["t", "h"]])),
    "merges changed": write(seal() | {"merges": [["t", "h"]]}),
}  # fmt: skip


def load(path) -> str:
    """What `WordPiece.load` says; "" if it loads the file."""
    try:
        WordPiece.load(path)
    except ValueError as error:
        # What JSON's own reader says is its own.
        return re.sub(r"JSON \(.*\): save", "JSON: save", str(error), flags=re.DOTALL)
    return ""


def test_the_page_refuses_what_the_package_refuses_and_what_only_a_forger_seals(
    page, from_disk, tmp_path
):
    page.goto(from_disk)
    files = ACCEPTED | REFUSED
    path = tmp_path / "file.json"
    script = """(files) => files.map((coded) => {
        try {
            const bytes = Uint8Array.from(atob(coded), (c) => c.charCodeAt(0));
            vocabularyOf(readSaved(bytes, "“file.json”"));
            return "";
        } catch (error) {
            return error.message;
        }
    })"""
    shown = page.evaluate(
        script, [base64.b64encode(content).decode() for content in files.values()]
    )
    said = dict(zip(files, shown, strict=True))
    assert {name for name, sentence in said.items() if not sentence} == set(ACCEPTED)
    for content in ACCEPTED.values():
        path.write_bytes(content)
        assert load(path) == ""
    # What has its own SHA-256 was not damaged: the package reads it as it is.
    kinds = ["empty", "cut off", "not UTF-8", "without format", "version 2", "merges changed"]
    for name in kinds:
        path.write_bytes(REFUSED[name])
        assert load(path).replace(str(path), "“file.json”") == said[name]


@pytest.mark.parametrize("name", ["as it is", "lone surrogates"])
def test_what_was_loaded_can_be_saved(page, from_disk, tmp_path, name):
    page.goto(from_disk)
    path = tmp_path / "file.json"
    path.write_bytes(ACCEPTED[name])
    page.locator("#saved-file").set_input_files(path)
    page.get_by_text("“file.json” is loaded").wait_for()
    with page.expect_download() as download:
        page.locator("#save").click()
    download.value.save_as(tmp_path / "again.json")
    WordPiece.load(path).save(tmp_path / "wanted.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "wanted.json").read_bytes()


def test_what_a_file_says_is_shown_as_text(page, from_disk, tmp_path):
    page.goto(from_disk)
    (tmp_path / "file.json").write_bytes(REFUSED["score HTML"])
    page.locator("#saved-file").set_input_files(tmp_path / "file.json")
    page.get_by_text("there is no score '<img src=x onerror=alert(1)>'").wait_for()
    assert page.locator("#own-status *").count() == 0
