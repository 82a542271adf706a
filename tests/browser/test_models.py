"""Below the sentence: its tokens in BERT, and in GPT-2, GPT-4 and GPT-4o as tiktoken cuts it."""

import base64
import json
import os
import random
import re
import shutil
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from urllib.parse import urlencode

import pytest
from chromium import axe, serve
from hard_strings import HARD_STRINGS, LONE_SURROGATES

from wpedu import BertTokenizer, load_vocab
from wpedu.corpus import DATASETS, registered_files

GPT = ("gpt2", "cl100k_base", "o200k_base")
ROWS = ("real-bert", *GPT)
FIRST = {"real-bert": 11, "gpt2": 12, "cl100k_base": 11, "o200k_base": 11}
LANGUAGES = ("fra", "swe", "ell_monotonic", "hin", "arb", "tur", "tha", "jpn")
CODE = """\
    return x|\tif (a&&b) { i++; }\r\n\r\n|x=[1,22,333,4444]\n\n\n|a  b   c    d|' 's 'S 'LL've
don’t 'ſ|don't DON'T|https://a.b/c?d=e//f/\n|12345678 + 87654321|<|endoftext|>
<|fim_prefix|>a| SolidGoldMagikarp
CamelCase XMLHttpRequest iPhone ÉCOLE|\x85a\ufeffb \u3000c|¼Ⅷ٣৪|| |\n""".split("|")
LONG = [
    " " * 20_000,
    "a" * 20_000,
    "\n" * 20_000,
    "the sea " * 2_500,
    "一二三" * 6_667,
    "🙂" * 5_000,
]


def encoding(name: str, command):
    """tiktoken's Encoding, from the list that is on this machine, or skip the test."""
    tiktoken = pytest.importorskip("tiktoken")
    from tiktoken_ext import openai_public

    if name == "gpt2":
        byte_of = {char: byte for byte, char in enumerate(command.byte_chars())}
        tokens = command.read_lists()["gpt2"]
        ranks = {bytes(byte_of[char] for char in token): i for i, token in enumerate(tokens)}
        pattern = openai_public.r50k_pat_str
    else:
        (registered,) = registered_files(name)
        if not registered.find():
            pytest.skip(f"{registered.path} is not on this machine: set WPEDU_DATA")
        rows = (line.split() for line in registered.fetch().read_bytes().splitlines())
        ranks = {base64.b64decode(token): int(number) for token, number in rows}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: ranks)
            pattern = getattr(openai_public, name)()["pat_str"]
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def texts() -> list[str]:
    rng = random.Random(44)
    pool = "".join(HARD_STRINGS.values())
    found = [*HARD_STRINGS.values(), *LONE_SURROGATES, *CODE, *LONG]
    for _ in range(100):
        found.append("".join(rng.choices(pool, k=rng.randint(1, 50))))
        found.append("".join(rng.choices("  \t\n\r\x85 aAbB's'S'LL're12345/!?.<|>éſ", k=40)))
        chars = "".join(chr(rng.randrange(0x110000)) for _ in range(20))
        found.append(re.sub("([\ud800-\udbff])(?=[\udc00-\udfff])", "\\1 ", chars))
    for language in LANGUAGES if "WPEDU_DATA" in os.environ else ():
        path = Path(os.environ["WPEDU_DATA"]) / "udhr" / f"{language}.txt"
        found += path.read_text(encoding="utf-8").splitlines()[:20] if path.is_file() else []
    return found


@pytest.mark.parametrize("name", GPT)
def test_ids_and_counts_are_those_of_tiktoken(page, from_disk, command, name):
    wanted, given = encoding(name, command), texts()
    assert len(given) >= 300
    page.goto(from_disk)
    script = """async ([name, texts]) => {
        const gpt = gptModel(name), found = [];
        await gpt.load();
        for (const codes of JSON.parse(texts)) {
            const text = codes.map((code) => String.fromCodePoint(code)).join("");
            const { count, words } = await gpt.tokenize(text, Infinity);
            const tokens = words.flat().flatMap(({ tokens }) => tokens);
            found.push([count, tokens.map(({ id }) => id)]);
        }
        return found;
    }"""
    coded = json.dumps([list(map(ord, text)) for text in given])  # with lone surrogates
    for text, (count, ids) in zip(given, page.evaluate(script, [name, coded]), strict=True):
        assert ids == wanted.encode_ordinary(text), text[:80]
        assert count == len(ids)


def test_the_categories_are_those_of_tiktoken(folder):
    """`categories.txt` has runs of code points: their number in base 36 unless 1, a letter."""
    tiktoken = pytest.importorskip("tiktoken")
    chars = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    patterns = {"U": r"[\p{Lu}\p{Lt}]", "L": r"\p{Ll}", "O": r"[\p{Lm}\p{Lo}]", "M": r"\p{M}"}
    category = {}
    for name, pattern in (patterns | {"N": r"\p{N}"}).items():
        bytes_ = {bytes([byte]): byte for byte in range(256)}
        finder = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=bytes_, special_tokens={})
        found = finder.decode(finder.encode_ordinary("".join(chars)))
        category |= dict.fromkeys(found, name)
    runs = re.findall(
        "([0-9a-z]*)([-A-Z])", (folder / "categories.txt").read_text().replace("\n", "")
    )
    wanted = groupby(category.get(chr(code), "-") for code in range(0x110000))
    assert [(name, int(length or "1", 36)) for length, name in runs] == [
        (name, len(list(run))) for name, run in wanted
    ]


# ---- The rows


@pytest.fixture(scope="module")
def stand_ins(folder, command, tmp_path_factory):
    """The page with all rows on every machine: those of GPT-4 and GPT-4o have GPT-2's list."""
    place = tmp_path_factory.mktemp("models") / "playground"
    shutil.copytree(folder.parent / "_static", place.parent / "_static")
    shutil.copytree(folder, place, ignore=shutil.ignore_patterns("data*base-*"))
    lists = dict.fromkeys(GPT, command.read_lists()["gpt2"])
    (place / "data.js").write_text(command.make_data(lists), encoding="utf-8")
    for name, tokens in lists.items():
        for number, source in enumerate(command.make_parts(name, tokens)):
            (place / f"data-{name}-{number}.js").write_text(source, encoding="utf-8")
    with serve(place) as address:
        yield address


def asked_for(page) -> list[str]:
    names: list[str] = []
    page.on("request", lambda request: names.append(request.url.rsplit("/", 1)[-1]))
    return names


def told(page, row: str) -> str:
    return page.locator(f"#{row} output").inner_text()


def wait_for(page, row: str, count: int) -> None:
    page.wait_for_function(
        f"document.querySelector('#{row} output').textContent === '{count} tokens'"
    )


def test_rows_open_with_the_first_sentence_and_load_their_lists_later(page, stand_ins):
    asked = asked_for(page)
    page.goto(stand_ins)
    for row in ROWS:
        assert page.locator(f"section#{row}").is_visible()
        assert re.fullmatch(r"\d+ tokens", told(page, row))
    tokens = page.locator("#gpt2 .token").all_inner_texts()
    assert tokens[2:7] == ["␣strangers", "␣wandered", "␣hom", "ew", "ard"]
    page.wait_for_function("document.querySelector('#gpt2').dataset.loaded")
    lists = [name for name in asked if name.startswith("data-")]
    assert lists == ["data-gpt2-0.js", "data-gpt2-1.js"]  # and not before the page was painted
    assert asked.index("data-gpt2-0.js") > asked.index("more.js")
    page.locator("#o200k_base .token").first.click()
    page.wait_for_function("document.querySelector('#o200k_base').dataset.loaded")
    assert "data-cl100k_base-0.js" not in asked
    page.locator("#text").fill("Achilles sulked.")
    bert = BertTokenizer(load_vocab("bert-base-uncased")).tokenize("Achilles sulked.")
    for row in GPT:
        wait_for(page, row, 6)
    wait_for(page, "real-bert", len(bert))
    assert "data-cl100k_base-1.js" in asked
    assert page.locator("#gpt2 .rate").inner_text() == "2.0 per word"


def test_progress_counts_parts_and_a_failure_leaves_the_others_alone(browser, stand_ins):
    page = browser.new_page()
    page.goto(stand_ins)
    page.route("**/data-cl100k_base-1.js", lambda route: route.abort())
    held = []
    page.route("**/data-o200k_base-1.js", lambda route: held.append(route))
    page.locator("#text").fill("Achilles sulked.")
    page.locator("#o200k_base", has_text="list: 1 of 2 parts").wait_for()
    page.locator("#cl100k_base", has_text="its list could not be loaded").wait_for()
    assert told(page, "cl100k_base") == told(page, "o200k_base") == ""
    wait_for(page, "gpt2", 6)
    held[0].continue_()
    wait_for(page, "o200k_base", 6)
    page.unroute("**/data-cl100k_base-1.js")
    page.locator("#text").fill("Achilles sulked!")  # the next change tries again
    wait_for(page, "cl100k_base", 6)
    page.close()


def test_without_a_list_there_is_no_row(page, folder, command, tmp_path):
    place = tmp_path / "playground"
    shutil.copytree(folder.parent / "_static", tmp_path / "_static")
    shutil.copytree(folder, place, ignore=shutil.ignore_patterns("data*base-*"))
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    environment.pop("WPEDU_DATA", None)
    subprocess.run([sys.executable, place / "make_data.py"], check=True, env=environment)
    assert not list(place.glob("data*base-*"))
    page.goto((place / "index.html").as_uri())
    page.locator("#text").fill("Achilles sulked.")
    wait_for(page, "gpt2", 6)
    shown = [row for row in ROWS if page.locator(f"#{row}").is_visible()]
    assert shown == ["real-bert", "gpt2"]


def test_lists_come_with_their_licenses(folder, command):
    parts = {name: command.make_parts(name, ["a"])[0] for name in GPT}
    assert "modified MIT license: LICENSE-gpt2.txt" in parts["gpt2"]
    for name in GPT[1:]:
        assert (
            "LICENSE-tiktoken.txt" in parts[name] and f"/encodings/{name}.tiktoken" in parts[name]
        )
    assert "Apache License" in command.make_bert("a")
    for name in ("bert", "gpt2"):
        license = (DATASETS / name / "LICENSE.txt").read_text(encoding="utf-8")
        assert (folder / f"LICENSE-{name}.txt").read_text(encoding="utf-8") == license
    assert "Permission is hereby granted" in (folder / "LICENSE-tiktoken.txt").read_text()


def test_a_click_says_what_a_token_means(page, stand_ins):
    page.goto(f"{stand_ins}?{urlencode({'text': 'the ပ touché'})}")
    page.locator("#gpt2 .g").wait_for()
    # The bytes of one character are together, with the character below them; a space can be seen.
    assert page.locator("#gpt2 .g .t").all_inner_texts() == ["␣ E1", "80", "95"]
    assert page.locator("#gpt2 .ch").all_inner_texts() == ["ပ"]
    page.locator("#gpt2 .token").nth(1).click()
    meaning = page.locator("#gpt2 .meaning")
    told = "bytes 20 E1 · byte 1 of the 3 of ပ · it begins with a space"
    assert re.fullmatch(rf"id [\d,]+ · {told}", meaning.inner_text())
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "byte 80 · byte 2 of the 3 of ပ" in meaning.inner_text()
    page.locator("#real-bert .token").last.click()
    assert "id " in page.locator("#real-bert .meaning").inner_text()


def test_hostile_texts_are_shown_as_text(page, stand_ins):
    page.goto(stand_ins)
    for text, count in (
        ("<img src=x onerror=alert(1)>", 13),
        ("<|endoftext|>", 7),
        (" " * 2_000, 2_000),
        ("", 0),
    ):
        page.locator("#text").fill(text)
        page.wait_for_function(
            f"document.querySelector('#gpt2 output').textContent.startsWith('{count:,} token')"
        )
        assert page.locator("#models img").count() == 0


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_too_wide(browser, stand_ins, colors):
    page = browser.new_page(color_scheme=colors, viewport={"width": 390, "height": 800})
    text = "Touché, Ἀχιλλεύς! The strangers in 東京 🙂 ပင်လယ်က" + "ï" * 300
    page.goto(f"{stand_ins}?{urlencode({'merges': 200, 'text': text})}")
    page.wait_for_function("document.querySelectorAll('#models [data-loaded]').length === 4")
    page.locator("#more summary").click()
    page.locator("#bytes .token").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.add_script_tag(path=axe())
    violations = page.evaluate("async () => (await axe.run()).violations")
    page.close()
    assert [(v["id"], v["impact"], v["nodes"][0]["html"]) for v in violations] == []
