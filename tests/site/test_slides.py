"""The slides, in a real browser: what is on them is on the stage, and all of it on paper."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OUTSIDE = """() => {
    const slide = Reveal.getCurrentSlide();
    const stage = document.querySelector(".reveal .slides").getBoundingClientRect();
    const outside = [...slide.querySelectorAll(":not(aside, aside *)")].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width && (box.left < stage.left - 1 || box.right > stage.right + 1
            || box.top < stage.top - 1 || box.bottom > stage.bottom + 1
            || element.clientWidth && element.scrollWidth > element.clientWidth + 1);
    });
    return outside.map((element) => slide.innerText.slice(0, 30) + ": " + element.outerHTML);
}"""


@pytest.mark.parametrize("width, height", [(1024, 768), (1280, 720), (1920, 1080)])
def test_no_slide_reaches_beyond_the_stage(site, page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{site.as_uri()}/slides/index.html")
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    places = page.evaluate("Reveal.getSlides().map(slide => Reveal.getIndices(slide))")
    assert len(places) > 20
    for place in places:
        page.evaluate("({h, v}) => Reveal.slide(h, v || 0, 99)", place)
        assert page.evaluate(OUTSIDE) == []


def test_the_pdf_has_a_page_for_each_slide(site, page, tmp_path):
    page.goto(f"{site.as_uri()}/slides/index.html")
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    command = [sys.executable, ROOT / "docs/slides/make_pdf.py"]
    subprocess.run([*command, site / "slides/index.html", tmp_path / "slides.pdf"], check=True)
    pages = re.findall(rb"/Type\s*/Page\b", (tmp_path / "slides.pdf").read_bytes())
    assert len(pages) == page.evaluate("Reveal.getTotalSlides()")
