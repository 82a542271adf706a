"""Under *More*: the tokens of the real BERT, and of byte-pair encoding of bytes."""

import doctest
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from itertools import chain
from urllib.parse import urlencode

import pytest
from chromium import axe
from hard_strings import HARD_STRINGS
from reference import WORD_COUNTS

from wpedu import BertTokenizer, merge_pair, pretokenize, train
from wpedu.corpus import bert_examples, registered_files

# What a browser may lowercase or decompose in another way than the package, which follows the
# versions of Unicode that Hugging Face's tokenizers does.
YOUNG = ("decomposition younger than Unicode 9", "capitals younger than Unicode 15")
TEXTS = {
    **{name: text for name, text in HARD_STRINGS.items() if name not in YOUNG},
    **{f"example: {text}": text for text in bert_examples()},
    "hashes inside": "a##b C#",
    "a capital sigma at an end": "ΟΔΟΣ, ΣΟΦΟΣ",
}
SENTENCE = "Touché, Ἀχιλλεύς! The strangers wandered in 東京 🙂"


@pytest.fixture(scope="module")
def command(folder):
    spec = importlib.util.spec_from_file_location("make_data", folder / "make_data.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_command_does_what_its_docstrings_show(command):
    result = doctest.testmod(command)
    assert result.attempted and not result.failed


def small_vocab() -> list[str]:
    """Characters of the texts, as starts and as continuations, and a few longer entries."""
    alone = dict.fromkeys(chain.from_iterable(TEXTS.values()))
    chars = [char for char in alone if not char.isspace() and not "\ud800" <= char <= "\udfff"]
    kept = [char for i, char in enumerate(chars) if i % 7]
    longer = ["the", "##ing", "an", "##ger", "[unused1]", "##οσ", "##ος"]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    entries = [*special, *kept, *(f"##{char}" for char in kept), *longer]
    return list(dict.fromkeys(entries))


@pytest.mark.parametrize("kind", ["small", "registered"])
def test_bert_gives_what_the_package_gives(page, from_disk, command, kind):
    (registered,) = registered_files("bert-base-uncased")
    if kind == "small":
        vocab = small_vocab()
    elif registered.find():
        vocab = registered.find().read_bytes().decode().removesuffix("\n").split("\n")
    else:
        pytest.skip("BERT's vocabulary is not on this machine: the small one was tried")
    bert = BertTokenizer(vocab)
    page.goto(from_disk)
    page.evaluate(command.make_bert("\n".join(vocab)))
    script = """(texts) => {
        const tokenize = bertTokenizer(DATA.bert);
        return texts.map((text) => tokenize(text).flat().map(({ token, id }) => [token, id]));
    }"""
    shown = page.evaluate(script, list(TEXTS.values()))
    for (name, text), tokens in zip(TEXTS.items(), shown, strict=True):
        encoding = bert.encode(text)
        wanted = list(map(list, zip(encoding.tokens, encoding.ids, strict=True)))
        assert tokens == wanted, name


def test_bytes_are_cut_by_replaying_the_merges(page, from_disk, command):
    chars = command.byte_chars()
    assert len(set(chars)) == 256

    def in_bytes(word: str) -> str:
        return "".join(chars[byte] for byte in word.encode())

    merges = train(
        {in_bytes(word): count for word, count in WORD_COUNTS.items()}, 2_000, "frequency"
    )
    words = [*list(WORD_COUNTS)[::9], *chain.from_iterable(map(pretokenize, TEXTS.values()))]
    splits = {word: ["▁", *in_bytes(word)] for word in dict.fromkeys(words) if len(word) < 1_000}
    wanted = dict(splits)
    for x, y in merges:
        for word, split in wanted.items():
            if x in split and y in split:
                wanted[word] = merge_pair((x, y), split)
    page.goto(from_disk)
    page.evaluate(command.make_bytes())
    script = """(words) => {
        const tokenize = byteTokenizer(DATA.bytes);
        return words.map((word) => tokenize(word).flat().map(({ token }) => token));
    }"""
    shown = page.evaluate(script, list(splits))
    assert dict(zip(splits, shown, strict=True)) == wanted
    assert "[UNK]" not in set(chain.from_iterable(shown))


def made(folder, data, place) -> str:
    """The page in `place`, with data of the command where `data` are the files on the machine."""
    shutil.copytree(folder.parent / "_static", place / "_static")
    place = place / "playground"
    shutil.copytree(folder, place, ignore=shutil.ignore_patterns("data*"))
    environment = os.environ | {"XDG_CACHE_HOME": str(place / "cache")}
    environment.pop("WPEDU_DATA", None)
    if data:
        environment["WPEDU_DATA"] = str(data)
    subprocess.run([sys.executable, folder / "make_data.py", place / "data.js"], check=True,
                   env=environment)  # fmt: skip
    return (place / "index.html").as_uri()


@pytest.fixture(scope="module")
def without_vocabulary(folder, tmp_path_factory):
    return made(folder, None, tmp_path_factory.mktemp("without"))


@pytest.fixture(scope="module")
def with_vocabulary(folder, command, tmp_path_factory):
    """The page with the small vocabulary in place of BERT's."""
    place = tmp_path_factory.mktemp("with")
    address = made(folder, None, place)
    source = command.make_bert("\n".join(small_vocab()))
    (place / "playground" / "data-bert.js").write_text(source, encoding="utf-8")
    return address


def tokens_of(page, row: str) -> list[str]:
    tokens = page.locator(f"#{row} .token")
    return tokens.evaluate_all("(all) => all.map((one) => one.dataset.token)")


def test_it_is_loaded_when_it_is_opened_and_follows_the_sentence(page, with_vocabulary):
    asked = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    page.goto(f"{with_vocabulary}?{urlencode({'merges': 200, 'text': SENTENCE})}")
    assert not [name for name in asked if name.startswith("data-")]
    page.locator("#more summary").click()
    page.wait_for_selector("#more[data-done]")
    assert sorted(name for name in asked if name.startswith("data-")) == [
        "data-bert.js",
        "data-bytes.js",
    ]
    bert = BertTokenizer(small_vocab())
    for text in (SENTENCE, "", "the ⅛ Sea"):
        page.locator("#text").fill(text)
        tokens = bert.encode(text)
        assert tokens_of(page, "real-bert") == tokens.tokens
        ids = page.locator("#real-bert .token").evaluate_all(
            "(all) => all.map((t) => t.dataset.id)"
        )
        assert ids == list(map(str, tokens.ids))
        unknown = tokens.tokens.count("[UNK]")
        assert page.locator("#real-bert .u").count() == unknown
        told = page.locator("#real-bert output").inner_text()
        assert told.startswith(f"{len(tokens.ids)} tokens")
        assert told.endswith(f", {unknown} of them unknown") or not unknown
    page.locator("#text").fill("ὀ")
    assert tokens_of(page, "bytes") == ["▁", "á", "½", "Ģ"]
    titles = page.locator("#bytes .token").evaluate_all("(all) => all.map((one) => one.title)")
    assert titles == ["start of word", "byte E1", "byte BD", "byte 80"]
    page.locator("#more summary").click()
    page.locator("#text").fill("the")  # nothing is worked out for what nobody sees
    assert tokens_of(page, "bytes") == ["▁", "á", "½", "Ģ"]
    page.locator("#more summary").click()
    page.wait_for_function("byId('bytes').querySelector('.token').dataset.token === '▁the'")


def test_without_the_vocabulary_fixed_sentences_are_shown(page, command, without_vocabulary):
    page.goto(without_vocabulary)
    page.locator("#more summary").click()
    page.wait_for_selector("#more[data-done]")
    shown = page.locator("#real-bert [data-text]").evaluate_all(
        "(rows) => rows.map((row) => [row.dataset.text, [...row.querySelectorAll('.token')]"
        ".map(({ dataset }) => [dataset.token, Number(dataset.id)])])"
    )
    examples = bert_examples()
    assert shown == [
        [text, list(map(list, zip(examples[text]["tokens"], examples[text]["ids"], strict=True)))]
        for text in command.EXAMPLES
    ]
    assert "not part of this copy" in page.locator("#real-bert .about").first.inner_text()
    assert tokens_of(page, "bytes")


def test_the_vocabulary_comes_with_its_license(folder, command):
    source = command.make_bert("[UNK]\n[CLS]\n[SEP]")
    assert source.startswith("// The vocabulary of bert-base-uncased")
    assert "Apache License, Version 2.0" in source and "LICENSE-bert.txt" in source
    assert "Apache License" in (folder / "LICENSE-bert.txt").read_text(encoding="utf-8")
    data = json.loads(source[source.index("{") : source.rindex("}") + 1])
    assert data["vocab"].split("\n") == ["[UNK]", "[CLS]", "[SEP]"]


def test_without_its_data_it_says_so(browser, folder, with_vocabulary, tmp_path):
    for path in folder.glob("*.*"):
        if not path.name.startswith("data-"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    page = browser.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    page.locator("#more summary").click()
    page.locator("#more-status", has_text="make_data.py").wait_for()
    page.close()


@pytest.mark.parametrize("colors", ["light", "dark"])
@pytest.mark.parametrize("kind", ["with_vocabulary", "without_vocabulary"])
def test_axe_finds_nothing_and_nothing_is_too_wide(browser, request, kind, colors):
    page = browser.new_page(color_scheme=colors, viewport={"width": 390, "height": 800})
    address = request.getfixturevalue(kind)
    page.goto(f"{address}?{urlencode({'merges': 200, 'text': SENTENCE + 'ï' * 300})}")
    page.locator("#more summary").click()
    page.wait_for_selector("#more[data-done]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.add_script_tag(path=axe())
    violations = page.evaluate("async () => (await axe.run()).violations")
    page.close()
    assert [(v["id"], v["impact"], v["nodes"][0]["html"]) for v in violations] == []
