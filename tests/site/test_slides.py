"""The slides, in a real browser: on the stage, legible from the back row, and on paper."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# What reaches into the margins or, unless it is the foot, into the foot, or is cut off by its box.
OUTSIDE = """() => {
    const slide = Reveal.getCurrentSlide();
    const stage = document.querySelector(".reveal .slides").getBoundingClientRect();
    const margin = 50 * stage.width / 1280;
    const foot = slide.querySelector(".foot").getBoundingClientRect();
    const drawn = [...slide.querySelectorAll(":not(aside, aside *, defs, defs *)")];
    const outside = drawn.filter((element) => {
        const box = element.getBoundingClientRect();
        const clips = getComputedStyle(element).overflowX != "visible";
        return box.width && (box.left < stage.left + margin || box.right > stage.right - margin
            || box.top < stage.top + margin || box.bottom > stage.bottom
            || !element.closest(".foot") && box.bottom > foot.top - margin / 2
            || clips && element.scrollWidth > element.clientWidth + 1);
    });
    return outside.map((element) => slide.innerText.slice(0, 30) + ": " + element.outerHTML);
}"""

# Each text but the foot and what is muted on purpose, with its size.
TEXTS = """() => {
    const walker = document.createTreeWalker(Reveal.getCurrentSlide(), NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        const words = walker.currentNode.data.trim();
        if (!words || element.closest("aside, .foot .toks, [aria-hidden]")) continue;
        texts.push([words, parseFloat(getComputedStyle(element).fontSize)]);
    }
    return texts;
}"""


@pytest.fixture
def slides(site, page):
    """Open the slides; a function then goes to each, with all of its parts shown."""
    page.goto(f"{site.as_uri()}/slides/index.html")
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    page.evaluate("document.fonts.ready")

    def each():
        places = page.evaluate("Reveal.getSlides().map(slide => Reveal.getIndices(slide))")
        assert len(places) > 20
        for place in places:
            page.evaluate("({h, v}) => Reveal.slide(h, v || 0, 99)", place)
            yield place

    return each


@pytest.mark.parametrize("width, height", [(1024, 768), (1280, 720), (1920, 1080)])
def test_no_slide_reaches_beyond_the_stage_or_into_the_foot(slides, page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    for _ in slides():
        assert page.evaluate(OUTSIDE) == []


def test_the_back_row_can_read_every_text(slides, page):
    page.set_viewport_size({"width": 1280, "height": 720})
    for _ in slides():
        texts = page.evaluate(TEXTS)
        assert texts
        assert [text for text, size in texts if size < 26] == []


def test_the_timer_of_a_vote_runs_from_its_key_to_the_next_slide(site, page):
    page.emulate_media(reduced_motion="reduce")
    page.clock.install()
    page.goto(f"{site.as_uri()}/slides/index.html")
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    page.clock.run_for(100)
    page.evaluate("Reveal.slide(2)")
    shown = page.locator("section.present .timer text")
    assert shown.is_hidden()
    for key, seconds in [("t", 30), ("T", 120), ("t", 30)]:
        page.keyboard.press(key)
        page.clock.run_for(1_200)
        assert shown.text_content() == str(seconds - 1)
        arc = page.locator("section.present .arc").get_attribute("stroke-dasharray").split()
        assert float(arc[0]) / float(arc[1]) == pytest.approx((seconds - 1) / seconds)
    page.clock.run_for(31_000)
    assert shown.text_content() == "Handsup"
    page.evaluate("Reveal.slide(3); Reveal.slide(2)")
    assert shown.is_hidden()


def test_a_key_turns_the_slides_dark_and_light_again(slides, page):
    grounds = [page.evaluate("getComputedStyle(document.body).backgroundColor")]
    for _ in range(2):
        page.keyboard.press("d")
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert grounds[0] == grounds[2] != grounds[1]


def test_a_reader_can_enlarge_the_slides(slides, page):
    contents = page.eval_on_selector_all("meta[name=viewport]", "all => all.map(m => m.content)")
    assert contents and not re.search("maximum-scale|user-scalable", " ".join(contents))


def test_one_pdf_has_a_page_for_each_slide_and_one_has_its_notes_too(slides, page, site, tmp_path):
    command = [sys.executable, ROOT / "docs/slides/make_pdf.py"]
    subprocess.run([*command, site / "slides/index.html", tmp_path], check=True)
    for name, each in [("slides", 1), ("slides-and-notes", 2)]:
        pages = re.findall(rb"/Type\s*/Page\b", (tmp_path / f"{name}.pdf").read_bytes())
        assert len(pages) == each * page.evaluate("Reveal.getTotalSlides()")
