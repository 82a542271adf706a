"""The playground shows what the package gives, to the mouse, the keyboard and a screen reader.

JavaScript's own classes of characters would not do. Over all code points, `regex` 2026.11.15
against Chromium 156 (`pytest tests/browser -n 0 -s -k javascript_differs` prints this for what is
installed):

    class   only regex                 only JavaScript
    \\s      U+0085                     U+FEFF
    \\p{P}   U+2E60 … U+2E63            –

The first line is the languages' own definition of white space. The second is four marks of a
Unicode edition that this regex knows and this browser does not; with other versions it is others.
"""

import json
import os
import random
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import regex
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

from wpedu import pretokenize
from wpedu.encoding import UNKNOWN
from wpedu.pretokenization import START

END = len(MERGES["gain"])
POSITIONS = (0, 1, 200, 1_000, 8_000, END)
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


def page_tokens(page, texts: list[str], n: int) -> list[dict[str, list[str]]]:
    """What the page's own functions make of `texts`."""
    rows = "Object.fromEntries(Object.keys(ROWS).map((row) => [row, tokenize(text, row, n)]))"
    return in_page(page, f"texts.map((text) => {rows})", texts, n)


def shown_tokens(page) -> dict[str, list[str]]:
    """What stands in the rows of the page."""
    tokens = "[...byId(row).querySelectorAll('.token')].map((token) => token.dataset.token)"
    return in_page(page, f"Object.fromEntries(Object.keys(ROWS).map((row) => [row, {tokens}]))")


def random_texts(seed: int, number: int) -> list[str]:
    """Characters of all planes, of Homer, and of what a tokenizer looks at, in any mixture."""
    rng = random.Random(seed)
    words = list(WORD_COUNTS)
    special = "▁# [UNK]\t\n\r\x00\x1c\x1f\x85\xa0\u180e\u200b\u2028\u3000\ufeff\ufffd\U0010ffff-—'»"
    letters = "".join(sorted(set("".join(words))))

    def part():
        kind = rng.random()
        if kind < 0.3:
            return rng.choice(words)
        if kind < 0.5:
            return "".join(rng.choices(letters, k=rng.randint(1, 12)))
        if kind < 0.8:
            return rng.choice(special)
        if kind < 0.9:
            return chr(rng.randrange(0x3000))
        return chr(rng.randrange(0x110000))

    texts = ["".join(part() for _ in range(rng.randint(0, 12))) for _ in range(number)]
    # Two surrogates in a row are one character to JavaScript, and cannot be two.
    return [re.sub("([\ud800-\udbff])(?=[\udc00-\udfff])", "\\1 ", text) for text in texts]


# ---- What the package gives


def test_where_javascript_differs(page, from_disk):
    page.goto(from_disk)
    differences = {}
    for pattern in (r"\s", r"\p{P}", r"\p{Cn}"):
        matches = regex.compile(pattern).match
        ours = {c for c in range(0x110000) if matches(chr(c))}
        is_one = f"/{pattern}/u.test(String.fromCodePoint(c))"
        theirs = set(in_page(page, f"[...Array(0x110000).keys()].filter((c) => {is_one})"))
        differences[pattern] = ours - theirs, theirs - ours
    for pattern in (r"\s", r"\p{P}"):
        ours, theirs = ([f"U+{c:04X}" for c in sorted(side)] for side in differences[pattern])
        print(f"\n{pattern}: only regex {ours}, only JavaScript {theirs}")
    assert differences[r"\s"] == ({0x85}, {0xFEFF})
    # Unicode's editions: characters that the other one does not know yet.
    new_in_regex, new_in_browser = differences[r"\p{Cn}"][1], differences[r"\p{Cn}"][0]
    assert differences[r"\p{P}"][0] <= new_in_regex
    assert differences[r"\p{P}"][1] <= new_in_browser


def test_every_character_is_to_the_page_what_it_is_to_regex(page, from_disk):
    page.goto(from_disk)
    # Between two letters, white space gives two words, punctuation three, the others one.
    counted = page.evaluate(
        """() => [...Array(0x110000).keys()].map(
            (c) => pretokenize(`a${String.fromCodePoint(c)}b`).length).join("")"""
    )
    assert counted == "".join(str(len(pretokenize(f"a{chr(c)}b"))) for c in range(0x110000))


@pytest.mark.parametrize("n", POSITIONS)
def test_all_words_of_homer(page, from_disk, n):
    page.goto(from_disk)
    words = list(WORD_COUNTS)
    reference = Reference(n)
    replayed = replay_homer("frequency", n)
    reference.replayed = {START + word: split for word, split in replayed.items()}
    for word, tokens in zip(words, page_tokens(page, words, n), strict=True):
        assert tokens == reference.tokenize(word), word


@pytest.mark.parametrize("n", POSITIONS)
def test_hard_strings(page, from_disk, n):
    page.goto(from_disk)
    reference = Reference(n)
    texts = [*HARD_STRINGS.values(), *LONE_SURROGATES[:2], LONE_SURROGATES[3]]
    for text, tokens in zip(texts, page_tokens(page, texts, n), strict=True):
        assert tokens == reference.tokenize(text), text


def test_lone_surrogates_in_either_order(page, from_disk):
    page.goto(from_disk)
    assert page_tokens(page, LONE_SURROGATES, 200) == list(
        map(Reference(200).tokenize, LONE_SURROGATES)
    )


@pytest.mark.parametrize("n", POSITIONS)
def test_random_unicode(page, from_disk, n):
    page.goto(from_disk)
    reference = Reference(n)
    texts = random_texts(seed=n, number=3_000)
    for text, tokens in zip(texts, page_tokens(page, texts, n), strict=True):
        assert tokens == reference.tokenize(text), text


def test_words_of_random_unicode(page, from_disk):
    page.goto(from_disk)
    texts = random_texts(seed=13, number=20_000)
    words = in_page(
        page, "texts.map((t) => pretokenize(t).map((w) => Array.from(w, codeOf)))", texts
    )
    assert words == [
        [[f"U+{ord(char):04X}" for char in word] for word in pretokenize(text)] for text in texts
    ]


@pytest.mark.parametrize("n", POSITIONS)
def test_ids(page, from_disk, n):
    page.goto(from_disk)
    for name, score in (("GAIN", "gain"), ("FREQUENCY", "frequency")):
        tokens = in_page(page, f"{name}.tokens.slice(0, {name}.size(n))", n=n)
        assert tokens == vocab(score, n)
        assert page.evaluate(f"() => {name}.tokens.every((t, id) => {name}.ids.get(t) === id)")
    assert dict(in_page(page, "[...GAIN.bertIds(n)]", n=n)) == bert_ids(n)


@pytest.mark.parametrize("n", POSITIONS)
def test_counts_of_all_tokens(page, from_disk, n):
    page.goto(from_disk)
    for name, score in (("GAIN", "gain"), ("FREQUENCY", "frequency")):
        counts = in_page(page, f"{name}.counts(n)", n=n)
        assert dict(zip(vocab(score, n), counts, strict=True)) == token_counts(score, n)


@pytest.mark.parametrize("n", [0, 1, 10, 200, 1_000, 1_858, 8_000, END - 1])
def test_gain_of_the_next_merge(page, from_disk, n):
    page.goto(address(from_disk, merges=n, text=""))
    gain = next_score("gain", n)
    assert page.evaluate("(n) => GAIN.merge(n).gain", n) == pytest.approx(gain, rel=1e-14)
    shown = page.locator("#next-merges dd").first.inner_text()
    # Python rounds a half to even, JavaScript up; a minus sign is not a hyphen.
    assert f"gain {gain:,.1f}".replace("-", "−") in shown
    x, y = MERGES["gain"][n]
    assert re.sub(r"\s", "", shown).startswith(f"{x}+{y}→{x}{y}")


def test_merge_trees(page, from_disk):
    page.goto(from_disk)
    for name, score in (("GAIN", "gain"), ("FREQUENCY", "frequency")):
        pairs = {x + y: (x, y) for x, y in MERGES[score]}
        numbers = {x + y: number for number, (x, y) in enumerate(MERGES[score], 1)}

        def expand(token, pairs=pairs):
            if token not in pairs:
                return set()
            return {token}.union(*map(expand, pairs[token]))

        tokens = list(islice(reversed(vocab(score, END)), 0, None, 25))
        steps = f"mergeSteps(mergeTree(text, {name})).map((m) => [m.number, m.x, m.y])"
        steps = in_page(page, f"texts.map((text) => {steps})", tokens)
        for token, shown in zip(tokens, steps, strict=True):
            wanted = sorted((numbers[part], *pairs[part]) for part in expand(token))
            assert shown == list(map(list, wanted))


# ---- The page


@pytest.mark.parametrize("n", [0, 200, END])
@pytest.mark.parametrize(
    "name", ["plain", "code", "start mark", "white space", "emoji", "101 letters", "empty", "blank"]
)
def test_what_is_shown_is_what_the_package_gives(page, from_server, n, name):
    text = HARD_STRINGS[name]
    page.goto(address(from_server, merges=n, text=text))
    assert shown_tokens(page) == Reference(n).tokenize(text)


def test_opened_from_disk_it_shows_the_same(page, from_disk):
    page.goto(address(from_disk, merges=200, text=SENTENCE))
    assert shown_tokens(page) == Reference(200).tokenize(SENTENCE)


def test_the_text_of_a_token_is_the_token(page, from_disk):
    page.goto(address(from_disk, merges=200, text=SENTENCE))
    tokens = [token for row in shown_tokens(page).values() for token in row]
    assert page.locator(".token").all_text_contents() == tokens


def test_typing_and_sliding(page, from_disk):
    page.goto(from_disk)
    for n, text in ((200, "careless"), (1_000, "wine-dark sea\tnaïve"), (0, ""), (END, "Achilles")):
        page.locator("#text").fill(text)
        page.locator("#merges").fill(str(n))
        assert shown_tokens(page) == Reference(n).tokenize(text)


def test_a_word_is_marked_where_rows_split_it_differently(page, from_disk):
    text = "The strangers wandered homeward, careless of the black ships"
    page.goto(address(from_disk, merges=200, text=text))
    reference = Reference(200)
    seen = set()
    for i, word in enumerate(pretokenize(text)):
        tokens = reference.tokenize(word)
        ways = {row: tokens["gain" if row == "bert" else row] for row in ROWS}
        marks = {
            row: page.locator(f"#{row} .split").nth(i).get_attribute("data-same") for row in ROWS
        }
        differs = len(set(map(tuple, ways.values()))) > 1
        seen.add(differs)
        for one in ROWS:
            assert (marks[one] is not None) == differs
            for other in ROWS:
                assert (marks[one] == marks[other]) == (ways[one] == ways[other])
    assert seen == {True, False}


def test_nothing_is_asked_for_outside(page, from_server, from_disk):
    asked = []
    page.context.on("request", lambda request: asked.append(request.url))
    for start in (from_server, from_disk):
        page.goto(start)
        page.locator("#text").fill("the ships")
        page.locator("#play").click()
        page.wait_for_timeout(300)
        folder = start.rsplit("/", 1)[0]
        assert all(url.startswith((folder, "data:")) for url in asked)
        asked.clear()


def test_unknown_tokens_and_white_space_can_be_seen(page, from_disk):
    page.goto(address(from_disk, merges=200, text="the  東京\ta\u200bb\n"))
    assert page.locator("#gain .token.unknown").count() == 2
    assert page.locator("#words .unknown-character").all_inner_texts() == ["東", "京", "U+200B"]
    assert page.locator("#words .space").all_inner_texts() == ["·", "·", "→", "↵"]


# ---- The address


def test_the_address_follows(page, from_disk):
    page.goto(from_disk)
    for n, text in ((7, "a b&c=d#e+f%20"), (END, "Ἀχιλλεύς 🙂\x00\n▁")):
        page.locator("#text").fill(text)
        page.locator("#merges").fill(str(n))
        page.wait_for_function(f"location.search.includes('merges={n}&')")
        asked = parse_qs(urlsplit(page.url).query, keep_blank_values=True)
        assert asked == {"merges": [str(n)], "text": [text]}
        before = shown_tokens(page)
        page.reload()
        assert page.locator("#text").input_value() == text
        assert page.locator("#merges").input_value() == str(n)
        assert shown_tokens(page) == before == Reference(n).tokenize(text)


@pytest.mark.parametrize(
    ("asked", "n"),
    [
        ("merges=0", 0),
        ("merges=15490", END),
        ("merges=99999999999999999999", END),
        ("merges=-1", 200),
        ("merges=", 200),
        ("merges=many", 200),
        ("merges=1e3", 200),
        ("", 200),
    ],
)
def test_merges_of_any_address(page, from_disk, asked, n):
    page.goto(f"{from_disk}?{asked}")
    assert page.locator("#merges").input_value() == str(n)
    assert shown_tokens(page)["gain"]


def test_an_empty_sentence_is_a_sentence(page, from_disk):
    page.goto(address(from_disk, text=""))
    assert page.locator("#text").input_value() == ""
    assert shown_tokens(page) == {row: [] for row in ROWS}


def test_a_lone_surrogate_keeps_its_tokens_in_the_address(page, from_disk):
    page.goto(address(from_disk, merges=200, text=""))
    page.evaluate(
        """() => { const text = document.getElementById("text");
            text.value = "the \\ud800 sea"; text.dispatchEvent(new Event("input")); }"""
    )
    before = shown_tokens(page)
    page.wait_for_function("location.search.includes('sea')")
    page.reload()
    assert shown_tokens(page) == before == Reference(200).tokenize("the \ud800 sea")


# ---- Slider and play


def test_the_slider_is_logarithmic(page, from_disk):
    page.goto(from_disk)
    box = page.locator("#merges").bounding_box()
    for part, n in ((0.0, 0), (0.25, 10), (0.5, 123), (0.75, 1_387), (0.999, 15_340)):
        page.mouse.click(box["x"] + part * box["width"], box["y"] + box["height"] / 2)
        value = int(page.locator("#merges").input_value())
        assert value == pytest.approx(n, rel=0.06, abs=1)


def test_the_slider_is_dragged(page, from_disk):
    page.goto(from_disk)
    box = page.locator("#merges").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + 50, middle, steps=4)
    page.mouse.up()
    assert page.locator("#merges").input_value() == str(END)


def test_the_slider_on_the_keyboard(page, from_disk):
    page.goto(address(from_disk, merges=200, text="the"))
    slider = page.locator("#merges")
    slider.focus()
    for key, n in (
        ("ArrowRight", 201),
        ("ArrowLeft", 200),
        ("ArrowUp", 201),
        ("Home", 0),
        ("PageUp", 1),
        ("End", END),
        ("PageDown", 9_562),
    ):
        page.keyboard.press(key)
        assert slider.input_value() == str(n)
    assert slider.get_attribute("aria-valuetext") == "9,562 merges"


def test_the_number_can_be_typed(page, from_disk):
    page.goto(address(from_disk, merges=200, text="the"))
    page.locator("#number").fill("1234")
    assert page.locator("#merges").input_value() == "1234"
    page.locator("#number").fill("99999")
    assert page.locator("#merges").input_value() == "1234"
    page.locator("#number").blur()
    assert page.locator("#number").input_value() == "1234"


def test_one_merge_on_and_back(page, from_disk):
    page.goto(address(from_disk, merges=0, text="the"))
    assert page.locator("#back").is_disabled()
    page.locator("#next").click()
    assert page.locator("#merges").input_value() == "1"
    assert page.locator("#gain .token.changed").all_inner_texts() == ["th"]
    assert "2 merges" not in page.locator("#status").inner_text()
    assert (
        page.locator("#status").inner_text().startswith("1 merge. Next by gain: th + e → the; gain")
    )
    page.locator("#back").click()
    assert page.locator("#merges").input_value() == "0"
    page.locator("#merges").fill(str(END))
    assert page.locator("#next").is_disabled()
    assert "no pair is left" in page.locator("#next-merges").inner_text()


def test_what_the_next_merge_changes_is_said_before(page, from_disk):
    page.goto(address(from_disk, merges=1, text="the sea, the sea"))
    line = page.locator("#next-merges dd").first
    assert line.locator(".spelled").inner_text() == "▁ th e → ▁ the"
    page.locator("#merges").fill("0")
    assert line.locator(".spelled").inner_text() == "▁ t h e → ▁ th e"


@pytest.mark.parametrize(
    ("n", "text", "changed", "told"),
    [
        (1, "the", {"frequency", "bpe"}, "changes ▁t h e → ▁t he"),
        (200, "the", set(), "changes nothing in the sentence"),
        (
            30,
            "wandered",
            {"frequency"},
            "changes by longest match ▁w a nd e re d → ▁w an d e re d",
        ),
        (155, "wandered", {"bpe"}, "changes by replaying ▁w a nd e re d → ▁w a nd e red"),
        (
            77,
            "shepherds",
            {"frequency", "bpe"},
            "changes by longest match ▁sh e p he r d s → ▁sh e p her d s; "
            "by replaying ▁s he p he r d s → ▁s he p her d s",
        ),
    ],
)
def test_what_a_merge_by_frequency_changes_is_said_of_both_rows(
    page, from_disk, n, text, changed, told
):
    before, after = (Reference(m).tokenize(text) for m in (n, n + 1))
    assert {row for row in ("frequency", "bpe") if before[row] != after[row]} == changed
    page.goto(address(from_disk, merges=n, text=text))
    assert page.locator("#next-merges dd .changes").last.inner_text() == told


def test_play_stays_with_what_changes_and_can_be_stopped(page, from_disk):
    page.goto(address(from_disk, merges=0, text="the"))
    play = page.locator("#play")
    play.click()
    assert play.inner_text() == "Pause"
    page.wait_for_function("document.getElementById('merges').value === '1'")
    assert page.locator("#gain .token.changed").all_inner_texts() == ["th"]
    page.wait_for_function("document.getElementById('merges').value === '2'")
    play.click()
    assert play.inner_text() == "Play"
    n = int(page.locator("#merges").input_value())
    page.wait_for_timeout(1_200)
    assert page.locator("#merges").input_value() == str(n)
    assert page.locator("#status").inner_text().startswith(f"{n} merge")
    assert shown_tokens(page) == Reference(n).tokenize("the")


def test_play_never_passes_over_a_change(page, from_disk):
    page.goto(address(from_disk, merges=0, text="careless shepherds"))
    # Every position that play shows, without waiting between them.
    page.evaluate(
        """() => {
            window.shown = [];
            new MutationObserver(() => shown.push(state.n)).observe(
                document.getElementById("next-merges"), { childList: true });
            const wait = window.setTimeout;
            window.setTimeout = (act) => wait(act, 0);
            document.getElementById("play").click();
        }"""
    )
    page.wait_for_function(f"state.n === {END} && state.timer === null", timeout=120_000)
    shown = page.evaluate("shown")
    assert shown == sorted(shown) and len(shown) < 2_000
    words = ("careless", "shepherds")
    changed = [n for n in range(1, END + 1) if any(changes(word, n) for word in words)]
    assert len(changed) > 20 and set(changed) <= set(shown)


def test_play_begins_again_at_the_end(page, from_disk):
    page.goto(address(from_disk, merges=END, text="the"))
    page.locator("#play").click()
    page.wait_for_function("Number(document.getElementById('merges').value) < 100")


def test_reduced_motion(browser, from_disk):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(address(from_disk, merges=20, text="anger"))
    page.locator("#play").click()
    # One step, from change to change.
    first = next(n for n in range(21, END) if changes("anger", n))
    page.wait_for_function(f"document.getElementById('merges').value === '{first}'")
    page.locator("#play").click()
    running = page.evaluate("document.getAnimations().length")
    context.close()
    assert running == 0


def changes(text: str, n: int) -> bool:
    """Whether the n-th merges change the tokens of a word in any row."""
    made = ("".join(pair) for merges in MERGES.values() for pair in merges[n - 1 : n])
    if not any(token in START + text for token in made):
        return False
    return Reference(n).tokenize(text) != Reference(n - 1).tokenize(text)


# ---- Tokens: hover, focus, keyboard, tree


@pytest.mark.parametrize("row", ROWS)
def test_ids_and_counts_on_hover_and_on_focus(page, from_disk, row):
    n = 200
    page.goto(address(from_disk, merges=n, text=SENTENCE))
    ids = bert_ids(n) if row == "bert" else {t: i for i, t in enumerate(vocab(SCORES[row], n))}
    counts = token_counts(SCORES[row], n)
    tip = page.locator("#tip")
    for i, token in enumerate(Reference(n).tokenize(SENTENCE)[row]):
        shown = page.locator(f"#{row} .token").nth(i)
        page.mouse.move(0, 0)
        page.keyboard.press("Escape")
        assert tip.is_hidden()
        shown.hover()
        on_hover = tip.inner_text()
        page.mouse.move(0, 0)
        page.keyboard.press("Escape")
        shown.focus()
        assert tip.inner_text() == on_hover
        assert shown.get_attribute("aria-describedby") == "tip"
        assert on_hover.startswith(token)
        assert (f"id {ids[token]:,}" in on_hover) if token in ids else "id" not in on_hover
        if token == UNKNOWN:
            assert "not in Homer: Ἀ χ ι λ ε …" in on_hover
        elif row != "bert":
            assert f"{counts[token]:,} × in Homer" in on_hover


def test_the_note_goes_away_and_can_be_reached(page, from_disk):
    page.goto(address(from_disk, merges=200, text="the ships"))
    page.locator("#gain .token").first.hover()
    page.locator("#tip").hover()
    page.wait_for_timeout(400)
    assert page.locator("#tip").is_visible()
    page.mouse.move(0, 0)
    page.wait_for_timeout(400)
    assert page.locator("#tip").is_hidden()


def test_tokens_on_the_keyboard(page, from_disk):
    page.goto(address(from_disk, merges=200, text="Sit careless there"))

    def at():
        return page.evaluate(
            "[document.activeElement.closest('.row')?.id, document.activeElement.dataset.token]"
        )

    page.locator("#next").focus()
    page.keyboard.press("Tab")  # the slider
    page.keyboard.press("Tab")
    assert at()[0] == "gain"
    tokens = Reference(200).tokenize("Sit careless there")
    page.keyboard.press("Home")
    for token in tokens["gain"]:
        assert at() == ["gain", token]
        page.keyboard.press("ArrowRight")
    assert at() == ["gain", tokens["gain"][-1]]  # and no further
    page.keyboard.press("Tab")
    assert at() == ["bert", tokens["bert"][0]]
    page.keyboard.press("End")
    assert at() == ["bert", tokens["bert"][-1]]
    page.keyboard.press("ArrowUp")
    assert at() == ["gain", "▁the"]  # of the same word
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert at()[0] == "bpe"
    assert page.locator("[aria-selected=true]").count() == 1
    assert page.locator("[role=option][tabindex='0']").count() == len(ROWS)


def test_the_tree_of_the_chosen_token(page, from_disk):
    page.goto(address(from_disk, merges=200, text="the careless"))
    page.locator("#gain .token").first.click()
    tree = page.locator("#tree")
    assert tree.locator("h2").inner_text() == "How ▁the came about"
    numbers = {x + y: number for number, (x, y) in enumerate(MERGES["gain"], 1)}
    cells = tree.locator("tbody tr").all_inner_texts()
    assert [cell.split("\t")[0] for cell in cells] == [
        str(numbers[token]) for token in ("th", "the", "▁the")
    ]
    label = tree.locator("svg").get_attribute("aria-label")
    assert label == "The merges of ▁the: 1: t + h; 2: th + e; " + f"{numbers['▁the']}: ▁ + the"
    texts = tree.locator("svg text:not(.number)").all_text_contents()
    assert sorted(texts) == sorted(["▁the", "▁", "the", "th", "t", "h", "e"])


def test_the_tree_grows_with_the_merges(page, from_disk):
    page.goto(address(from_disk, merges=0, text="the"))
    page.locator("#gain .token").nth(1).click()
    assert "is a character" in page.locator("#tree .about").inner_text()
    page.locator("#merges").fill("2")
    assert page.locator("#tree h2").inner_text() == "How the came about"
    page.locator("#merges").fill("1000")
    assert page.locator("#tree h2").inner_text() == "How ▁the came about"


def test_an_unknown_token_has_no_tree_and_says_why(page, from_disk):
    page.goto(address(from_disk, merges=200, text="naïve"))
    page.locator("#bpe .token").click()
    assert "not in Homer: ï" in page.locator("#tree").inner_text()
    assert page.locator("#tree svg").is_hidden()
    # What cannot be seen, or would disturb what stands beside it, is spelled out here too.
    page.locator("#text").fill("ab\u202ec\u0301")
    assert "the word “abU+202EcU+0301” (not in Homer" in page.locator("#tree").inner_text()


def test_focus_stays_while_tokens_change(page, from_disk):
    page.goto(address(from_disk, merges=0, text="the"))
    page.locator("#bpe .token").nth(1).focus()
    page.evaluate("show({ n: 2 })")
    assert page.evaluate("document.activeElement.closest('.row').id") == "bpe"


# ---- For everybody


@pytest.mark.parametrize("width", [1280, 800, 390, 320])
@pytest.mark.parametrize("text", [SENTENCE, "a" * 300, "ï" * 300, HARD_STRINGS["emoji"]])
def test_nothing_is_wider_than_the_screen(browser, from_disk, width, text):
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto(address(from_disk, merges=1_000, text=text))
    wide = page.evaluate("document.documentElement.scrollWidth")
    context.close()
    assert wide <= width


def test_a_long_text_leaves_the_slider_in_sight(page, from_disk):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(address(from_disk, merges=200, text="by the shore of the sea " * 100))
    box = page.locator("#merges").bounding_box()
    assert box["y"] + box["height"] <= 800


def test_a_sentence_runs_in_its_own_direction(page, from_disk):
    direction = "getComputedStyle(document.getElementById('text')).direction"
    for text, runs in (("שלום", "rtl"), ("the sea", "ltr")):
        page.goto(address(from_disk, text=text))
        assert page.evaluate(direction) == runs


def test_the_slider_has_its_track_where_the_reader_sets_the_colors(browser, from_disk):
    context = browser.new_context(forced_colors="active")
    page = context.new_page()
    page.goto(from_disk)
    track = page.evaluate("getComputedStyle(document.getElementById('merges')).backgroundImage")
    context.close()
    assert track.count("gradient") == 2


def test_words_stand_below_each_other(page, from_disk):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(address(from_disk, merges=200, text="  Sit careless  in the shade, by the shore!"))
    places = {
        row: page.evaluate(
            """(row) => { const line = document.querySelector(`#${row} .line`);
                const top = line.getBoundingClientRect().top;
                return [...line.querySelectorAll(".word")].map((word) => {
                    const box = word.getBoundingClientRect();
                    return Math.round(box.left);
                }); }""",
            row,
        )
        for row in ("words", *ROWS)
    }
    assert all(place == places["words"] for place in places.values()), places


@pytest.mark.parametrize("colors", ["light", "dark"])
@pytest.mark.parametrize(
    ("n", "text"), [(200, SENTENCE), (0, ""), (END, "  \tAchilles ▁ wine-dark\n")]
)
def test_axe_finds_nothing(browser, from_disk, colors, n, text):
    places = [os.environ.get("AXE_CORE", ""), "node_modules/axe-core/axe.min.js"]
    axe = next((path for path in map(Path, filter(None, places)) if path.is_file()), None)
    if axe is None:
        pytest.skip("axe-core is not here: npm install --no-save axe-core, or set AXE_CORE")
    context = browser.new_context(color_scheme=colors)
    page = context.new_page()
    page.goto(address(from_disk, merges=n, text=text))
    page.locator("#glossary summary").click()
    if text:
        page.locator("#gain .token").first.hover()
    page.add_script_tag(path=axe)
    violations = page.evaluate("async () => (await axe.run()).violations")
    context.close()
    assert [(v["id"], v["impact"], v["nodes"][0]["html"]) for v in violations] == []


def test_without_javascript_it_says_so(browser, from_disk):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(from_disk)
    notice, main = page.locator("noscript .notice"), page.locator("main")
    told, is_hidden = notice.inner_text(), main.is_hidden()
    context.close()
    assert "needs JavaScript" in told and is_hidden


# ---- The data


def test_without_data_it_says_how_to_make_it(browser, folder, tmp_path):
    for file in folder.iterdir():
        if file.name != "data.js" and file.is_file():
            (tmp_path / file.name).write_bytes(file.read_bytes())
    context = browser.new_context()
    page = context.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    told = page.locator("#missing").inner_text()
    main = page.locator("main").is_hidden()
    context.close()
    assert "python docs/playground/make_data.py" in told and main


def test_the_data_are_the_same_wherever_they_are_made(browser, folder, tmp_path):
    for file in folder.iterdir():
        if file.is_file():
            (tmp_path / file.name).write_bytes(file.read_bytes())
    command = [sys.executable, folder / "make_data.py", tmp_path / "data.js"]
    command += ["--home", "../index.html"]  # the way back to the site, which a clone has not
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "13"})
    made = (tmp_path / "data.js").read_text().replace('home: "../index.html"', 'home: ""')
    assert made == (folder / "data.js").read_text()
    page = browser.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    link = page.locator("#home a")
    visible, target = link.is_visible(), link.get_attribute("href")
    page.goto((folder / "index.html").as_uri())
    visible_in_clone = page.locator("#home a").is_visible()
    page.close()
    assert visible and target == "../index.html" and not visible_in_clone


def test_the_data_hold_the_merges_to_the_end(folder):
    source = (folder / "data.js").read_text()
    lines = dict(re.findall(r"^(\w+): (.*?),?$", source, re.MULTILINE))
    for score, merges in MERGES.items():
        ids = list(map(int, json.loads(lines[score])["pairs"].split()))
        tokens = vocab(score, END)
        assert [(tokens[x], tokens[y]) for x, y in zip(ids[::2], ids[1::2])] == merges
