"""The playground shows what the package gives, to the mouse, the keyboard and a screen reader.

JavaScript's own classes of characters would not do: its \\s has U+FEFF and lacks U+0085, and its
\\p{P} is that of the Unicode edition which the browser knows, not of the one that `regex` knows.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from itertools import islice
from math import exp
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from chromium import axe
from hard_strings import HARD_STRINGS, LONE_SURROGATES
from reference import (
    MERGES,
    ROWS,
    SCORES,
    WORD_COUNTS,
    Reference,
    bert_ids,
    next_score,
    replay_homer,
    token_counts,
    vocab,
)

from wpedu import WordPiece, count_words, pretokenize, train
from wpedu.encoding import UNKNOWN
from wpedu.pretokenization import START

END = len(MERGES["gain"])
POSITIONS = (0, 1, 200, 8_000, END)
SENTENCE = "Sit careless in the shade, Ἀχιλλεύς!"


def address(page_address: str, **asked) -> str:
    return f"{page_address}?{urlencode(asked)}"


def in_page(page, expression: str, texts=(), n: int = 0):
    """The value of a JavaScript expression about `texts` and `n`.

    It goes there and back as JSON, which is quick; and characters go as numbers, since lone
    surrogates do not get through.
    """
    given = json.dumps([[list(map(ord, text)) for text in texts], n])
    script = f"""(given) => {{
        const [coded, n] = JSON.parse(given);
        const texts = coded.map((codes) => codes.map((c) => String.fromCodePoint(c)).join(""));
        return JSON.stringify({expression});
    }}"""
    return json.loads(page.evaluate(script, given))


def show_all_rows(page) -> None:
    page.evaluate("() => { byId('more').open = true; }")
    for box in page.locator("[data-row]").all():
        box.check()


def shown_tokens(page) -> dict[str, list[str]]:
    """What stands in the rows of the page."""
    tokens = "[...byId(row).querySelectorAll('.token')].map((token) => token.dataset.token)"
    return in_page(page, f"Object.fromEntries(Object.keys(ROWS).map((row) => [row, {tokens}]))")


def random_texts(seed: int, number: int) -> list[str]:
    """Characters of all planes, of Homer, and of what a tokenizer looks at, in any mixture."""
    rng = random.Random(seed)
    words = list(WORD_COUNTS)
    special = "▁# [UNK]\t\n\r\x00\x1c\x1f\x85\xa0\u180e\u200b\u2028\u3000\ufeff\ufffd\U0010ffff-—'»"
    kinds = [
        lambda: rng.choice(words),
        lambda: "".join(rng.choice(rng.choice(words)) for _ in range(5)),
        lambda: rng.choice(special),
        lambda: chr(rng.randrange(0x3000)),
        lambda: chr(rng.randrange(0x110000)),
    ]
    texts = ["".join(rng.choice(kinds)() for _ in range(rng.randint(0, 12))) for _ in range(number)]
    # Two surrogates in a row are one character to JavaScript, and cannot be two.
    return [re.sub("([\ud800-\udbff])(?=[\udc00-\udfff])", "\\1 ", text) for text in texts]


# ---- What the package gives


def test_every_character_is_to_the_page_what_it_is_to_regex(page, from_disk):
    page.goto(from_disk)
    # Between two letters, white space gives two words, punctuation three, the others one.
    count = "pretokenize(`a${String.fromCodePoint(c)}b`).length"
    counted = page.evaluate(f"[...Array(0x110000).keys()].map((c) => {count}).join('')")
    assert counted == "".join(str(len(pretokenize(f"a{chr(c)}b"))) for c in range(0x110000))


@pytest.mark.parametrize("n", POSITIONS)
def test_all_words_of_homer_and_random_unicode(page, from_disk, n):
    page.goto(from_disk)
    reference = Reference(n)
    replayed = replay_homer("frequency", n)
    reference.replayed = {START + word: split for word, split in replayed.items()}
    texts = [*WORD_COUNTS, *HARD_STRINGS.values(), *LONE_SURROGATES, *random_texts(n, 3_000)]
    rows = "Object.fromEntries(Object.keys(ROWS).map((row) => [row, tokenize(text, row, n)]))"
    shown = in_page(page, f"texts.map((text) => {rows})", texts, n)
    for text, tokens in zip(texts, shown, strict=True):
        assert tokens == reference.tokenize(text), text


@pytest.mark.parametrize("n", [0, 200, 1_858, END - 1])
def test_gain_of_the_next_merge(page, from_disk, n):
    page.goto(address(from_disk, merges=n, text=""))
    gain = next_score("gain", n)
    assert page.evaluate("(n) => model.main.merge(n).gain", n) == pytest.approx(gain, rel=1e-14)
    # Python rounds a half to even, JavaScript up; a minus sign is not a hyphen.
    why = page.locator("#next-merge .why").inner_text()
    assert f"gain ({gain:,.1f})".replace("-", "−") in why
    ratio = exp(gain / page.evaluate("(n) => model.main.merges[n].count", n))
    assert f"{ratio:,.{int(ratio < 10)}f} times as often as chance predicts" in why


# ---- The page


def test_unknown_tokens_and_white_space_can_be_seen(page, from_disk):
    page.goto(address(from_disk, merges=200, text="the  東京\ta\u200bb\n"))
    show_all_rows(page)
    assert page.locator("#gain .token.u").count() == 2
    assert page.locator("#words .unknown-character").all_inner_texts() == ["東", "京", "U+200B"]
    assert page.locator("#words .space").all_inner_texts() == ["·", "·", "→", "↵"]


def test_the_address_follows(page, from_disk):
    page.goto(from_disk)
    show_all_rows(page)
    for n, text in ((7, "a b&c=d#e+f%20"), (END, "Ἀχιλλεύς 🙂\x00\n▁")):
        page.locator("#text").fill(text)
        page.locator("#merges").fill(str(n))
        page.wait_for_function(f"location.search.includes('merges={n}&')")
        asked = parse_qs(urlsplit(page.url).query, keep_blank_values=True)
        assert asked == {"merges": [str(n)], "text": [text]}
        page.reload()
        assert page.locator("#text").input_value() == text
        assert page.locator("#merges").input_value() == str(n)
        show_all_rows(page)
        assert shown_tokens(page) == Reference(n).tokenize(text)


# ---- The first screen


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
@pytest.mark.parametrize("n", [0, 200])
def test_the_result_is_in_the_first_screen(page, from_disk, width, height, n):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address(from_disk, merges=n))
    for part in ("#text", "#merges", "#count", "#gain .line"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, part


@pytest.mark.parametrize("width", [1280, 390, 320])
@pytest.mark.parametrize("text", [SENTENCE, "a" * 300, "ï" * 300, HARD_STRINGS["emoji"]])
def test_nothing_is_wider_than_the_screen(page, from_disk, width, text):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(address(from_disk, merges=1_000, text=text))
    show_all_rows(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("touch", ["#play", "#next"])
def test_a_button_stops_play(page, from_disk, touch):
    page.goto(from_disk)
    page.locator("#play").click()
    page.wait_for_function("state.n >= 2")
    page.locator(touch).click()
    assert page.locator("#play").inner_text() == "Play"
    n = page.locator("#merges").input_value()
    page.wait_for_timeout(1_500)
    assert page.locator("#merges").input_value() == n


@pytest.mark.parametrize("n, ring", [(0, "t h"), (200, None), (294, "g er")])
def test_what_the_next_merge_changes_is_ringed(page, from_disk, n, ring):
    page.goto(address(from_disk, merges=n))
    rings = page.locator("#gain .ring").all()
    found = {" ".join(one.locator(".token").all_text_contents()) for one in rings}
    assert found == {ring} - {None}
    why = page.locator("#next-merge .why").inner_text()
    assert ("It doesn’t change your sentence" in why) == (ring is None)


def test_motion_is_off_where_the_reader_wants_it_reduced(browser, from_disk):
    page = browser.new_page(reduced_motion="reduce")
    page.goto(address(from_disk, merges=0, text="the"))
    page.locator("#next").click()
    assert page.locator("#gain .token.changed").all_inner_texts() == ["th"]
    assert page.locator(".ghost").count() == page.evaluate("document.getAnimations().length") == 0
    page.close()


# ---- Slider, steps and play


def test_one_merge_on_and_back(page, from_disk):
    page.goto(address(from_disk, merges=0, text="the"))
    page.locator("#next").click()
    assert page.locator("#gain .token.changed").all_inner_texts() == ["th"]
    said = page.locator("#status").inner_text()
    assert said.startswith("1 merge. Next, merge 2") and "It will change one of your words" in said
    page.locator("#merges").press("ArrowLeft")
    assert page.locator("#made").inner_text() == "0 merges"
    page.locator("#merges").fill(str(END))
    assert page.locator("#next").is_disabled()
    assert page.locator("#next-merge").inner_text().startswith(f"All {END:,} merges")


def test_play_goes_from_change_to_change_and_begins_again_at_the_end(page, from_disk):
    text = "careless shepherds"
    page.goto(address(from_disk, merges=0, text=text))
    changed = [n for n in range(1, END + 1) if changes(text, n)]
    assert page.evaluate("state.stops") == changed and len(changed) > 15
    assert page.locator(".changes path").get_attribute("d").count("M") == len(changed)
    page.locator("#merges").fill(str(changed[-2]))
    page.locator("#play").click()
    page.wait_for_function(f"state.n === {changed[-1]} && state.timer === null")
    page.locator("#play").click()
    page.wait_for_function(f"state.n === {changed[0]}")


def changes(text: str, n: int) -> bool:
    """Whether the n-th merge changes the tokens."""
    made = "".join(MERGES["gain"][n - 1])
    if not any(made in START + word for word in pretokenize(text)):
        return False
    before, after = (Reference(m).tokenize(text)["gain"] for m in (n - 1, n))
    return before != after


# ---- Long texts


def test_beyond_what_is_drawn_it_says_how_much_is_not(page, from_disk):
    text = " ".join(islice(WORD_COUNTS, 3_000))[:20_000]
    page.goto(address(from_disk, merges=200, text=""))
    page.locator("#text").fill(text)
    page.wait_for_function("byId('count').innerText.endsWith('not drawn')")
    words, tokens = pretokenize(text), Reference(200).tokenize(text)["gain"]
    drawn = page.locator("#gain .word").count()
    told = f"{len(tokens):,} tokens · {len(words):,} words, of which the last "
    assert page.locator("#count").inner_text() == f"{told}{len(words) - drawn:,} are not drawn"
    assert sum(map(len, words[:drawn])) < 2_100
    shown = shown_tokens(page)["gain"]
    assert shown == tokens[: len(shown)]


@pytest.mark.parametrize("letter", ["ï", "a"])
def test_a_word_of_70_000_letters(page, from_disk, letter):
    page.goto(address(from_disk, merges=200, text="the"))
    show_all_rows(page)
    page.evaluate("(text) => show({ text })", letter * 70_000)
    tokens = shown_tokens(page)["gain"]
    assert tokens == ([UNKNOWN] if letter == "ï" else ["▁a", *"a" * 1_999])
    assert page.locator("#count").inner_text().split()[0] == ("1" if letter == "ï" else "70,000")


# ---- One's own text


def learn(page, text: str, n: int, score: str = "gain") -> list[tuple[str, str]]:
    page.locator(f"[name=own-score][value={score}]").check()
    page.evaluate("(text) => { byId('own-text').value = text; }", text)
    page.locator("#own-merges").fill(str(n))
    page.locator("#train").click()
    page.wait_for_selector("#learned[data-done]", timeout=120_000, state="attached")
    pairs = "[...byId('learned').children].map((li) => [li.dataset.x, li.dataset.y])"
    merges = [(x, y) for x, y in page.evaluate(pairs)]
    assert page.locator("#learned").get_attribute("data-done") == str(len(merges))
    return merges


SCRIPTS = "ab abc' αβγδ абвг שלום مرحبا न\u092e\u0938\u094d\u0924 東京大阪 ภาษ 🙂🙃𝒜e\u0301".split()

# Pairs with different counts and, on paper, the same gain: in the first ones it is the same to the
# last bit, and the first occurrence decides; in the others, rounding does.
TIES = [
    {"bcaa": 1, "bcb": 1, "b": 1, "ccaa": 1},
    {"cab": 4, "ccb": 2, "c": 5, "aa": 3},
    {"bb": 2, "cbbb": 1, "ab": 1, "abc": 2, "bac": 1},
    {"cb": 3, "a": 3, "b": 2, "bbcc": 4},
    {"cbab": 5, "ca": 3, "bbac": 1, "ba": 3, "aaab": 3},
    {"aacc": 4, "baac": 1, "bccc": 4, "cbb": 3},
]


def test_own_texts_learn_what_the_package_learns(page, from_disk):
    page.goto(address(from_disk, merges=200))
    rng = random.Random(21)
    for i in range(1, 50):
        letters = SCRIPTS[i % len(SCRIPTS)] + rng.choice(["", ".", "Aé"])
        words = ["".join(rng.choices(letters, k=rng.randint(1, 7))) for _ in range(12)]
        text = "".join(
            rng.choice(words) + rng.choice(" \n\x1c\x85\u3000") for _ in range(6 * i // 5)
        )
        score = rng.choice(["gain", "frequency"])
        assert learn(page, text, 100, score) == train(count_words(text), 100, score), text
    for counts in TIES:
        text = " ".join(word for word, count in counts.items() for _ in range(count))
        assert learn(page, text, 100) == train(counts, 100), counts
    wp = WordPiece(100).fit(text)
    assert shown_tokens(page)["gain"] == wp.tokenize(page.locator("#text").input_value())


def test_homer_as_own_text(page, from_disk):
    page.goto(address(from_disk, merges=200))
    # Of so long a text, the field shows the beginning.
    text = " ".join(word for word, count in WORD_COUNTS.items() for _ in range(count))
    for score, merges in MERGES.items():
        assert learn(page, text, 200, score) == merges[:200]
    # What was learned by the other score comes after it, for the row that compares them.
    page.wait_for_function("!document.querySelector('[data-row=frequency]').disabled")
    show_all_rows(page)
    tokens = Reference(200).tokenize(page.locator("#text").input_value())
    shown = shown_tokens(page)
    assert (shown["gain"], shown["frequency"]) == (tokens["frequency"], tokens["gain"])
    page.locator("#homer").click()
    assert page.locator("#text").input_value().startswith("The unlucky strangers")


FRENCH = """CHAPITRE I

La petite maison   du bord de la mer était vide.
Personne ne venait plus la voir, ni en été ni en hiver.
"""


def test_after_ones_own_text_nothing_speaks_of_homer(page, from_disk):
    page.goto(address(from_disk, merges=200, text="Achilles"))
    for text, sentence in (
        (FRENCH, "La petite maison du bord de la mer était vide."),
        ("sea " * 40, "sea " * 21 + "sea"),
    ):
        learn(page, text, 100)
        assert page.locator("#text").input_value() == sentence
        assert shown_tokens(page)["gain"] == WordPiece(100).fit(text).tokenize(sentence)
        page.evaluate("() => { byId('more').open = true; byId('glossary').open = true; }")
        page.locator("#gain .token").first.click()
        said = page.locator("body").inner_text() + page.locator("#status").inner_text()
        assert "× in your text" in said and not re.search("Homer|Iliad|Odyssey", said)


def test_what_cannot_be_learned_from_is_refused(page, from_disk):
    page.goto(address(from_disk, merges=200, text="the"))
    for text, n, told in (
        ("sea a▁b", "3", "“a▁b” has a ▁ in it"),
        ("sea", "-1", "must be a whole number"),
        ("é" * 1_000_001, "3", "larger than 2 MB"),
        ("", "3", "There is no text to learn from"),
        (" \n", "3", "There is no text to learn from"),
    ):
        page.evaluate("(text) => { byId('own-text').value = text; }", text)
        page.locator("#own-merges").fill(n)
        page.locator("#train").click()
        page.get_by_text(told).wait_for()
        assert shown_tokens(page)["gain"] == ["▁the"]


def test_it_is_saved_as_the_package_does_it(page, from_disk, tmp_path):
    page.goto(from_disk)
    text = 'the sea "the" seas \\ 🙂🙂 \x07 ▂ tea'
    learn(page, text, 20, "frequency")
    with page.expect_download() as download:
        page.locator("#save").click()
    download.value.save_as(tmp_path / "saved.json")
    WordPiece(20, "frequency").fit(text).save(tmp_path / "wanted.json")
    assert (tmp_path / "saved.json").read_bytes() == (tmp_path / "wanted.json").read_bytes()


def test_the_field_shows_the_beginning_of_a_long_text(page, from_disk, tmp_path):
    page.goto(from_disk)
    field, note = page.locator("#own-text"), page.locator("#own-rest")
    text = "x" * 9_999 + "🙂" + " שלום" * 200_000  # in one line, of both directions
    held = "byId('own-text').value"
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    page.locator("#own-file").set_input_files(tmp_path / "text.txt")
    note.wait_for()
    # Playwright reads what is there to be drawn; a longer line would take the browser seconds.
    assert len(field.input_value()) == 10_000 and page.evaluate(held) == text
    # What is changed in front leaves the rest; what replaces all that is shown, replaces all.
    field.press("Control+Home")
    page.keyboard.type("a ")
    assert page.evaluate(held) == "a " + text
    field.press("Control+a")
    page.keyboard.type("c")
    assert (page.evaluate(held), note.is_hidden()) == ("c", True)
    field.fill(text)
    assert page.evaluate(held) == text and note.is_visible()


# ---- Tokens: hover, focus, keyboard, tree


@pytest.mark.parametrize("row", ROWS)
def test_a_click_shows_the_id_and_the_count(page, from_disk, row):
    page.goto(address(from_disk, merges=200, text=SENTENCE))
    show_all_rows(page)
    ids = bert_ids(200) if row == "bert" else {t: i for i, t in enumerate(vocab(SCORES[row], 200))}
    counts = token_counts(SCORES[row], 200)
    tree = page.locator("#tree")
    for i, token in enumerate(Reference(200).tokenize(SENTENCE)[row]):
        shown = page.locator(f"#{row} .token").nth(i)
        shown.click()
        told = tree.locator(".about").inner_text()
        assert tree.locator("h2 .token").get_attribute("data-token") == token
        assert (f"id {ids[token]:,}" in told) if token in ids else "id" not in told
        assert row != "gain" or shown.get_attribute("data-id") == str(ids.get(token, "–"))
        if token == UNKNOWN:
            assert "not in Homer: Ἀ χ ι λ ε …" in told
        elif row != "bert":
            assert f"{counts[token]:,} × in Homer" in told
        shown.click()
        assert tree.is_hidden()


def test_with_the_keyboard_alone(page, from_disk):
    page.goto(address(from_disk, merges=200, text="Sit careless there"))
    press = page.keyboard.press
    focused = "[document.activeElement.closest('.strip')?.id, document.activeElement.dataset.token]"

    def tab_to(place):
        for _ in range(40):
            if page.evaluate("(place) => document.activeElement.matches(place)", place):
                return
            press("Tab")
        raise AssertionError(f"the Tab key does not come to {place}")

    tab_to("#merges")
    press("ArrowRight")
    assert page.locator("#merges").get_attribute("aria-valuetext") == "201 merges"
    page.locator("#merges").fill("200")
    page.locator("#more summary").focus()
    press("Enter")
    for name in ("bert", "bpe"):
        tab_to(f"[data-row={name}]")
        if not page.locator(f"[data-row={name}]").is_checked():
            press("Space")
    page.locator("#text").focus()
    press("Tab")
    press("Home")
    tokens = Reference(200).tokenize("Sit careless there")
    for token in tokens["gain"]:
        assert page.evaluate(focused) == ["gain", token]
        press("ArrowRight")
    assert page.evaluate(focused) == ["gain", tokens["gain"][-1]]  # and no further
    press("ArrowDown")
    assert page.evaluate(focused) == ["bert", "the"]  # of the same word
    press("Enter")
    assert page.locator("#tree").is_visible()
    press("Escape")
    assert page.locator("#tree").is_hidden() and page.evaluate(focused) == ["bert", "the"]
    tab_to("#own-text")
    page.keyboard.type("sea seas")
    tab_to("#train")
    press("Enter")
    page.wait_for_selector("#learned[data-done]")


def test_the_tree_of_the_chosen_token(page, from_disk):
    page.goto(address(from_disk, merges=200, text="the careless"))
    tree = page.locator("#tree")
    page.locator("#gain .token").first.click()
    assert tree.locator("h2").inner_text() == "How ▁the was made"
    number = MERGES["gain"].index(("▁", "the")) + 1
    label = tree.locator("svg").get_attribute("aria-label")
    assert label == f"The merges of ▁the: 1: t + h; 2: th + e; {number}: ▁ + the"
    page.locator("#merges").fill("2")
    assert tree.is_hidden()
    page.locator("#gain .token").first.click()
    assert "needs no merges" in tree.locator(".about").inner_text()
    page.locator("#close").click()
    assert tree.is_hidden()
    # What cannot be seen, or would disturb what stands beside it, is spelled out.
    page.locator("#text").fill("ab\u202ec\u0301")
    page.locator("#gain .token").first.click()
    assert "the word “abU+202EcU+0301” (not in Homer" in tree.inner_text()


# ---- For everybody


@pytest.mark.parametrize("colors", ["light", "dark"])
@pytest.mark.parametrize("text", [SENTENCE, "", "  \tAchilles ▁ wine-dark\n"])
def test_axe_finds_nothing(browser, from_disk, colors, text):
    context = browser.new_context(color_scheme=colors)
    page = context.new_page()
    page.goto(address(from_disk, merges=200, text=text))
    if text == SENTENCE:
        learn(page, "the sea, the seas", 5)
        page.locator("#homer").click()
    show_all_rows(page)
    page.locator("#ids").check()
    page.locator("#glossary summary").click()
    if text:
        page.locator("#gain .token").first.click()
    page.add_script_tag(path=axe())
    violations = page.evaluate("async () => (await axe.run()).violations")
    context.close()
    assert [(v["id"], v["impact"], v["nodes"][0]["html"]) for v in violations] == []


def test_without_javascript_or_data_it_says_so(browser, folder, from_disk, tmp_path):
    shutil.copytree(folder, tmp_path, ignore=shutil.ignore_patterns("data*"), dirs_exist_ok=True)
    for has_script, place, place_of_page, told in (
        (False, "noscript .notice", from_disk, "needs JavaScript"),
        (True, "#missing", (tmp_path / "index.html").as_uri(), "playground/make_data.py"),
    ):
        page = browser.new_page(java_script_enabled=has_script)
        page.goto(place_of_page)
        assert told in page.locator(place).inner_text()
        assert page.locator("#instrument").is_hidden() and page.locator("#own").is_hidden()
        page.close()


def test_the_data_are_the_same_wherever_they_are_made(folder, tmp_path):
    command = [sys.executable, folder / "make_data.py", tmp_path / "data.js"]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "13"})
    files = sorted(path.name for path in folder.glob("data*.js"))
    assert files == sorted(path.name for path in tmp_path.glob("data*.js")) and len(files) >= 5
    for name in files:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), name
