"""The playground loads the files that `WordPiece.load` loads, and refuses damaged ones, too."""

import base64
import codecs
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
ONE = seal(num_merges=0, merges=[])
ACCEPTED = {
    "as it is": write(seal()),
    "escaped": json.dumps(seal()).encode(),
    "other layout": json.dumps(seal(), indent=1).encode() + b"\r\n\t ",
    "UTF-8 with a mark": codecs.BOM_UTF8 + write(seal()),
    **{name: write(seal(), name) for name in ("utf-16", "utf-16-be", "utf-32", "utf-32-le")},
    "another key": write(seal() | {"note": [None, 1.5, {"a": float("nan")}]}),
    "a key twice, the last one right": TEXT.replace('"score"', '"score": 5, "score"').encode(),
    "version true": write(seal() | {"version": True}),
    "version 1.0": write(seal() | {"version": 1.0}),
    "another score": write(seal(score="likelihood")),
    "a function": write(seal(score="function <lambda>")),
    "a function without a name": write(seal(score="function ")),
    "more merges than there are": write(seal(num_merges=10**40)),
    "no merges": write(ONE),
    "minus zero": write(ONE).replace(b'"num_merges": 0', b'"num_merges": -0'),
    "no alphabet": write(seal(alphabet=[], num_merges=0, merges=[])),
    "lone surrogates": write(seal(alphabet=["▁", *LONE[:3]], merges=[["\ude00", "\ud83d"]])),
    "lone surrogates, escaped": json.dumps(seal(alphabet=["▁", *LONE[:3]], merges=[])).encode(),
    "white space in the alphabet": write(seal(alphabet=["▁", " ", "\n", "\x00"], merges=[])),
}
REFUSED = {
    "empty": b"",
    "one byte": b"{",
    "two zeros": b"\0\0",
    "cut off": write(seal())[:-2],
    "a character more": write(seal()) + b"}",
    "not UTF-8": write(seal()).replace("▁".encode(), b"\xff"),
    "cut off UTF-16": write(seal(), "utf-16")[:-1],
    "a control character": TEXT.replace("gain", "ga\nin").encode(),
    "an open quotation mark": TEXT.replace('gain"', "gain").encode(),
    "a zero in front": TEXT.replace('"num_merges": 3', '"num_merges": 03').encode(),
    "too many digits": TEXT.replace('"num_merges": 3', '"num_merges": ' + "3" * 4301).encode(),
    "too deep": TEXT.replace('"score"', f'"a": {"[" * 10**5}{"]" * 10**5}, "score"').encode(),
    "a list": b"[]",
    "null": b"null",
    "no format": write(without("format")),
    "another format": write(seal() | {"format": "other"}),
    **{f"version {version!r}": write(seal() | {"version": version})
       for version in (2, None, False, "1", "it's\n\u200b", 1.5, 2.0, [1, "a", {"b": None}])},
    "no version": write(without("version")),
    **{f"without {part}": write(without(part)) for part in list(GOOD)[2:]},
    "no sha256": write(without("sha256")),
    "sha256 of another type": write(seal() | {"sha256": 5}),
    "score null": write(seal(score=None)),
    "score unknown": write(seal(score="gains")),
    "score HTML": write(seal(score="<img src=x onerror=alert(1)>")),
    "score with quotation marks": write(seal(score="a'b\"c\\d\t\x00é🙂\u2028")),
    "num_merges negative": write(seal(num_merges=-5)),
    "num_merges too small": write(seal(num_merges=1)),
    "num_merges true": write(seal(num_merges=True)),
    "num_merges a float": write(seal(num_merges=3.0)),
    "num_merges with an exponent": TEXT.replace('"num_merges": 3', '"num_merges": 3e0').encode(),
    "num_merges NaN": write(seal(num_merges=float("nan"))),
    "num_merges HTML": write(seal(num_merges="<b>3</b>")),
    "num_merges null": write(seal(num_merges=None)),
    "alphabet a string": write(seal(alphabet="▁th")),
    "alphabet an object": write(seal(alphabet={"▁": 0})),
    "alphabet of numbers": write(seal(alphabet=["▁", 1])),
    "alphabet of two characters": write(seal(alphabet=["▁", "th"])),
    "alphabet of an emoji in two parts": write(seal(alphabet=["▁", "👍🏽"])),
    "alphabet with an empty string": write(seal(alphabet=["▁", ""])),
    "alphabet with a character twice": write(seal(alphabet=["▁", "t", "t"])),
    "alphabet without the mark": write(seal(alphabet=["t", "h"], merges=[["t", "h"]])),
    "alphabet with the mark behind": write(seal(alphabet=["t", "h", "▁"], merges=[])),
    "merges an object": write(seal(merges={})),
    **{f"merge {merge!r}": write(seal(merges=[["t", "h"], merge])) for merge in (
        "th", None, [], ["t"], ["t", "h", "th"], ["t", 1], ["t", ["h"]], ["t", None], [True, "h"],
        ["t", "h"], ["th", "x"], ["t", "th\ud800"], ["th", "▁"], ["", "t"], ["t", ""],
        {"x": "t", "y": "h", "2": 1, "1": 2},
    )},
    "a mark in a right half": write(seal(merges=[["▁", "t"], ["h", "▁t"]])),
    "a later merge first": write(seal(merges=[["▁", "th"], ["t", "h"]])),
    "no merges of no alphabet": write(seal(alphabet=[])),
    **{f"{part} changed": write(seal() | change) for part, change in {
        "score": {"score": "ratio"}, "num_merges": {"num_merges": 4},
        "alphabet": {"alphabet": ["▁", "t", "h", "🙃"]}, "merges": {"merges": [["t", "h"]]},
    }.items()},
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
    assert len(files) == len(ACCEPTED) + len(REFUSED)
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
    kinds = ["empty", "cut off", "not UTF-8", "no format", "version 2", "merges changed"]
    for name in kinds:
        path.write_bytes(REFUSED[name])
        assert load(path).replace(str(path), "“file.json”") == said[name]


def test_two_lone_surrogates_that_would_become_one_character_are_refused(page, from_disk, tmp_path):
    page.goto(from_disk)
    path = tmp_path / "file.json"
    path.write_bytes(write(seal(alphabet=["▁", *LONE[:3]], merges=[["\ud83d", "\ude00"]])))
    assert load(path) == ""
    page.locator("#saved-file").set_input_files(path)
    page.get_by_text("“file.json” is damaged (merge 1,").wait_for()


@pytest.mark.parametrize("name", ["as it is", "lone surrogates", "no alphabet", "minus zero"])
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
