"""What a reader sees: in other scripts, in the tree, on a phone, and of a whole file."""

import re
from pathlib import Path

import pytest
from test_playground import address, learn

from wpedu import pretokenize

HEBREW = "שלום עולם, המים רחבים 12345678"
LEFT = "(all) => all.map((one) => one.getBoundingClientRect().left)"


def boxes(page, place: str) -> list[float]:
    return page.locator(place).evaluate_all(LEFT)


@pytest.mark.parametrize("text", [HEBREW, "البحر واسع، يا صديقي 12345678"])
def test_a_sentence_from_right_to_left_has_its_tokens_in_its_order(page, from_disk, text):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(address(from_disk, merges=0, text=""))
    learn(page, f"{text} {text}", 30)
    page.locator("#text").fill(text)
    page.wait_for_function("document.querySelectorAll('#gpt2 .token').length > 5")
    for row in ("gain", "gpt2"):
        words = boxes(page, f"#{row} .line > .word")
        assert len(words) > 2 and words == sorted(words, reverse=True)
        pieces = boxes(page, f"#{row} .line > .word:first-child .token")
        assert pieces == sorted(pieces, reverse=True)
    digits = boxes(page, "#gpt2 .line > .word:last-child .token")
    assert len(digits) > 1 and digits == sorted(digits)
    page.locator("#gain .token").nth(1).focus()
    page.keyboard.press("ArrowLeft")  # to the next one
    tokens = "[...document.querySelectorAll('#gain .token')]"
    assert page.evaluate(f"{tokens}.indexOf(document.activeElement)") == 2
    assert page.locator(".hint").is_hidden()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (390, 844)])
def test_the_tree_moves_no_button_and_no_line_strikes_its_numbers(page, from_disk, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address(from_disk, merges=2_000, text="homeward strangers"))
    places = [page.locator(place).bounding_box() for place in ("#next", "#play", "#merges")]
    page.locator("#gain .token").first.click()
    page.locator("#tree svg").wait_for()
    assert [page.locator(p).bounding_box() for p in ("#next", "#play", "#merges")] == places
    struck = page.evaluate(
        """() => [...document.querySelectorAll("#tree .number")].filter((number) => {
            const { left, right, top, bottom } = number.getBoundingClientRect();
            return [...document.querySelectorAll("#tree rect")].some((one) => {
                const box = one.getBoundingClientRect();
                return box.left < right && left < box.right && box.top < bottom && top < box.bottom;
            });
        }).map((number) => number.textContent)"""
    )
    assert struck == []
    if width == 390:
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_mark_without_a_letter_has_a_dotted_circle(page, from_disk):
    page.goto(address(from_disk, merges=0, text=""))
    learn(page, "ကုံး ကုံး", 0)
    page.locator("#text").fill("ကုံး")
    texts = page.locator("#gain .token").all_text_contents()
    assert texts == ["▁", "က", "◌ု", "◌ံ", "◌း"]


def test_a_file_is_counted_whole_and_its_beginning_is_drawn(page, from_disk, tmp_path):
    page.goto(from_disk)
    text = "The strangers wandered homeward, careless of the weather!\n" * 20_000  # 1.2 MB
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    page.locator("#sentence-file").set_input_files(tmp_path / "text.txt")
    words = len(pretokenize(text))
    page.get_by_text(f"“text.txt”: {words:,} words").wait_for()
    page.wait_for_function(
        "document.querySelector('#gpt2 output').textContent === '260,000 tokens'", timeout=60_000
    )
    assert page.locator("#gpt2 .rate").inner_text() == "1.3 per word"
    assert page.locator("#gpt2 .token").count() < 1_000
    assert page.locator("#count").inner_text().count("not drawn") == 1
    page.evaluate(
        """() => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(["the ship"], "ship.txt"));
            byId("text").dispatchEvent(new DragEvent("drop", { dataTransfer }));
        }"""
    )
    page.wait_for_function("state.text === 'the ship'")
    page.evaluate(
        """() => {
            const file = new File(["a".repeat(2_000_001)], "large.txt");
            openSentence(file);
        }"""
    )
    page.get_by_text("“large.txt” is larger than 2 MB").wait_for()


def test_what_read_oddly_is_said_clearly(page, from_disk):
    page.goto(address(from_disk, merges=0, text=",. the"))
    page.locator("#next").click()
    page.locator("#merges").fill("0")
    assert "one of your words: “the”." in page.locator("#next-merge").inner_text()
    page.locator("#text").fill("国")
    page.locator("#gain .token").click()
    assert "(not in Homer: 国)" in page.locator("#tree .about").inner_text()
    replayed = page.locator("label:has([data-row=bpe])")
    assert "merge by merge, in the order they were learned" in replayed.text_content()
    learn(page, "sea sea", 3)
    for token in ("se", "a"):  # one that was merged, and a character
        page.locator("#text").fill(token)
        page.locator("#gain .token", has_text=token).click()
        told = page.locator("#tree .about").inner_text()
        assert "none is left in your text" in told and "0 ×" not in told


def test_a_button_that_was_tapped_does_not_stay_blue(browser, from_disk):
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(address(from_disk, merges=0, text="the"))
    color = "getComputedStyle(byId('next')).backgroundColor"
    before = page.evaluate(color)
    page.locator("#next").tap()
    page.get_by_text("1 merge", exact=True).first.wait_for()
    assert page.evaluate(color) == before
    context.close()


@pytest.mark.parametrize("version", ["", "#solution"])
def test_the_handout_has_three_pages(page, version):
    handout = Path(__file__).parents[2] / "docs" / "handout.html"
    page.goto(handout.as_uri() + version)
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) == 3
