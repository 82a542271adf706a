"""A token has the colors of its kind wherever the site shows it, in the light and in the dark."""

import pytest

from wpedu._support.colors import COLORS

# [text, colors of its ground] of every token. Saved outputs have <kbd>, and pages have .t.
TOKENS = """() => [...document.querySelectorAll(".cell_output kbd, .t")].map((token) => {
    const style = getComputedStyle(token);
    return [token.textContent, `${style.backgroundColor} ${style.backgroundImage}`];
})"""


def rgb(color: str) -> str:
    return f"rgb({', '.join(str(int(color[i : i + 2], 16)) for i in (1, 3, 5))})"


@pytest.mark.parametrize("colors", ["light", "dark"])
@pytest.mark.parametrize(
    "kind", ["notebooks/00_start_here", "slides/index", "playground/index", "index"]
)
def test_tokens_have_the_colors_of_the_one_definition(browser, server, kind, colors):
    page = browser.new_page(color_scheme=colors)
    page.goto(f"{server}/{kind}.html")
    page.locator(".cell_output kbd, .t").first.wait_for(state="attached")
    tokens = page.evaluate(TOKENS)
    page.close()
    saved = kind.startswith("notebooks")  # its colors are in the output, and do not change
    begin, cont = (rgb(COLORS[name][colors == "dark" and not saved]) for name in ("begin", "cont"))
    begins = [ground for text, ground in tokens if text.startswith("▁")]
    continues = [ground for text, ground in tokens if text.startswith("##")]
    assert begins and all(begin in ground for ground in begins)
    assert continues and all(cont in ground for ground in continues)
