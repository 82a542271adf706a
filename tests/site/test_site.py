"""The site holds together: from a folder, from a server, and with nothing from elsewhere."""

import doctest
import json
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
KINDS = ["index.html", "notebooks/02_pair_gains.html", "api.html", "search.html?q=gain"]
LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What a page links to, what it loads, and the parts that it can be linked to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.parts = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        have = dict(attributes)
        self.parts.add(have.get("id"))
        if tag == "a" and have.get("href"):
            self.links.append(have["href"])
        if have.get("rel") not in ("canonical", "prev", "next", "search", "index"):
            self.loaded += filter(None, [have.get(LOADS.get(tag))])


@pytest.fixture(scope="module")
def pages(site):
    """Every page but those of JupyterLab."""
    others = {"lite", "_static"}
    paths = (p for p in site.rglob("*.html") if p.relative_to(site).parts[0] not in others)
    return {path.resolve(): Page(path) for path in paths}


@pytest.mark.parametrize("name", ["address", "mathml", "pages"])
def test_what_makes_the_site_does_what_it_shows(name):
    module = pytest.importorskip(name, reason='the extra "docs" is not installed')
    result = doctest.testmod(module)
    assert result.attempted and not result.failed


def test_every_notebook_has_a_page(site):
    for path in NOTEBOOKS:
        assert (site / "notebooks" / f"{path.stem}.html").is_file()


def test_the_home_page_has_the_question_of_every_notebook(page, site):
    page.goto(f"{site.as_uri()}/index.html")
    rows = page.locator("#the-notebooks tbody tr")
    links = rows.locator("a").evaluate_all("(links) => links.map((a) => a.getAttribute('href'))")
    assert links == [f"notebooks/{path.stem}.html" for path in NOTEBOOKS]
    assert all(text.endswith("?") for text in rows.locator("td:nth-child(2)").all_inner_texts())


def test_every_link_within_the_site_leads_somewhere(site, pages):
    broken = []
    for path, page in pages.items():
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if parts.scheme or link == "#":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            where = target / "index.html" if target.is_dir() else target
            missing = parts.fragment and where in pages and "lite" not in where.parts
            if not where.is_file() or (
                missing and unquote(parts.fragment) not in pages[where].parts
            ):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_no_page_names_a_file_from_elsewhere(site, pages):
    assert {u for page in pages.values() for u in page.loaded if urlsplit(u).netloc} == set()
    for path in (site / "_static").rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//[^)]*", text) == []


@pytest.mark.parametrize("kind", [*KINDS, "playground/index.html"])
def test_no_page_asks_for_anything_elsewhere(page, site, address, kind):
    if not (site / kind.partition("?")[0]).is_file():
        pytest.skip(f"{kind} is not there yet")
    asked, failed = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.goto(f"{address}/{kind}", wait_until="load")
    page.wait_for_timeout(500)
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    if address.startswith("file:") and kind.startswith("search"):
        failed = [error for error in failed if error != "Failed to fetch"]  # what each page says
    assert failed == []


def test_repository_and_launch_buttons_are_left_out_while_there_is_no_address(pages):
    links = " ".join(link for page in pages.values() for link in page.links)
    if not re.search(
        r'^Repository = "', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE
    ):
        assert "mybinder" not in links and "colab.research" not in links


def folded(path) -> int:
    cells = nbformat.read(path, as_version=4).cells
    return sum("hide-output" in cell.metadata.get("tags", []) for cell in cells)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_folded_answer_has_its_button(site, path):
    html = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
    assert html.count('<details class="admonition hide below-input">') == folded(path)
    assert html.count("<summary>") == folded(path)  # named by its text


def test_a_folded_answer_opens_by_its_button_and_by_the_keyboard(page, address):
    page.goto(f"{address}/notebooks/00_start_here.html")
    button = page.locator("details.hide summary").first
    answer = page.locator("details.hide .cell_output").first
    assert button.inner_text().strip() == "Show the answer" and not answer.is_visible()
    button.click()
    assert button.inner_text().strip() == "Hide the answer" and answer.is_visible()
    button.focus()
    page.keyboard.press("Enter")
    assert not answer.is_visible()


def test_search_finds_gain(page, address):
    page.goto(f"{address}/search.html?q=gain")
    found = page.locator("ul.search li a")
    found.first.wait_for()
    assert "02 · Pair gains" in found.all_inner_texts()


def test_formulas_are_mathml(page, address):
    page.goto(f"{address}/notebooks/02_pair_gains.html")
    formula = page.locator(".formula math").first
    assert formula.is_visible() and formula.bounding_box()["height"] > 25  # it has a fraction


@pytest.mark.parametrize("width", [1280, 800, 390])
def test_nothing_is_wider_than_the_page(browser, pages, width):
    page = browser.new_page(viewport={"width": width, "height": 800})
    wide = []
    for path in pages:
        if path.name == "handout.html" or "slides" in path.parts:  # of a size of their own
            continue
        page.goto(path.as_uri())
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wide.append(path.name)
    page.close()
    assert wide == []


@pytest.mark.parametrize("colors", ["light", "dark"])
@pytest.mark.parametrize("kind", ["index.html", "notebooks/00_start_here.html"])
def test_axe_finds_nothing_serious(browser, site, kind, colors):
    places = [os.environ.get("AXE_CORE", ""), "node_modules/axe-core/axe.min.js"]
    axe = next((path for path in map(Path, filter(None, places)) if path.is_file()), None)
    if axe is None:
        pytest.skip("axe-core is not here: npm install --no-save axe-core, or set AXE_CORE")
    page = browser.new_page(color_scheme=colors)
    page.goto(f"{site.as_uri()}/{kind}")
    page.add_script_tag(path=axe)
    violations = page.evaluate("async () => (await axe.run()).violations")
    page.close()
    serious = [v for v in violations if v["impact"] in ("serious", "critical")]
    assert [f"{v['id']}: {node['html'][:120]}" for v in serious for node in v["nodes"]] == [], (
        json.dumps([v["help"] for v in serious])
    )
