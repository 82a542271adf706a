"""The site holds together: from a folder, from a server, and with nothing from elsewhere."""

import doctest
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import nbformat
import pytest
from chromium import axe

from wpedu import BertTokenizer, WordPiece, load_corpus, load_vocab
from wpedu.corpus import DATASETS

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
DEFAULT = "The unlucky strangers wandered homeward, heedless of the rain!"
KINDS = ["index.html", "notebooks/02_pair_gains.html", "api.html", "ask.html", "search.html?q=gain"]
LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What a page links to, what it loads, and the parts that it can be linked to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.parts, self.marks = [], [], set(), 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        have = dict(attributes)
        self.parts.add(have.get("id"))
        self.marks += have.get("rel") in ("icon", "shortcut icon")
        if tag == "a" and have.get("href"):
            self.links.append(have["href"])
        if have.get("rel") not in ("canonical", "prev", "next", "search", "index"):
            self.loaded += filter(None, [have.get(LOADS.get(tag))])


@pytest.fixture(scope="module")
def pages(site):
    """Every page but those of JupyterLab."""
    others = {"lite", "_static"}
    paths = (p for p in site.rglob("*.html") if not others & {*p.relative_to(site).parts})
    return {path.resolve(): Page(path) for path in paths}


@pytest.mark.parametrize("name", ["pages", "home"])
def test_the_modules_of_the_site_do_what_their_docstrings_show(name):
    module = pytest.importorskip(name, reason='the extra "docs" is not installed')
    result = doctest.testmod(module)
    assert result.attempted and not result.failed


def test_the_home_page_has_a_station_for_every_notebook(page, site):
    page.goto(f"{site.as_uri()}/index.html")
    links = page.locator(":is(.stations, .curious) a")
    addresses = links.evaluate_all("(links) => links.map((a) => a.getAttribute('href'))")
    assert addresses == [f"notebooks/{path.stem}.html" for path in NOTEBOOKS]
    assert page.locator(".stations .drawing").count() == page.locator(".stations li").count() == 7
    drawn = page.locator(".stations li").nth(5).locator(".token").all_inner_texts()
    assert drawn == WordPiece(200).fit(load_corpus("homer")).tokenize("shade")


FACTS = json.loads((DATASETS / "languages" / "facts.json").read_text(encoding="utf-8"))
BERT, HOMER = BertTokenizer(load_vocab("bert-base-uncased")), WordPiece(1_000)
HOMER.fit(load_corpus("homer"))
FIRST = {
    "real-bert": BERT.tokenize(DEFAULT),
    "o200k_base": FACTS["gpt_tokens"][DEFAULT]["o200k_base"],
    "gain": HOMER.tokenize(DEFAULT),
}


def home_tokens(page, row: str) -> list[str]:
    tokens = page.locator(f"#{row} .token").all_text_contents()
    return [token.replace("␣", " ") for token in tokens]


def test_the_home_page_shows_the_tokens_without_a_script(browser, site):
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{site.as_uri()}/index.html")
    assert "Chatbots" in page.locator(".bd-article h1").inner_text()
    assert {row: home_tokens(page, row) for row in FIRST} == FIRST
    assert page.locator("#text").input_value() == DEFAULT and page.locator("#play").is_hidden()
    page.close()


SCREENS = [(1280, 800), (390, 844)]
INSTRUMENT = "document.getElementById('instrument').getBoundingClientRect().height"
LOWEST = """() => Math.max(...[...document.querySelectorAll("#gain .token, .ways a")]
    .map((token) => token.getBoundingClientRect().bottom))"""


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_home_page_rewinds_and_explains_a_merge_in_the_first_screen(
    browser, site, width, height
):
    page = browser.new_page(viewport={"width": width, "height": height})
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.goto(f"{site.as_uri()}/index.html")
    homer, said = load_corpus("homer"), page.locator("#instrument .say")
    heights, passed = set(), 0
    for second, n, told in ((1, 1_000, "Blue"), (2, 0, "Rewind"), (5, 6, "Merge 6: ▁ + the")):
        page.clock.run_for(1_000 * (second - passed))
        passed = second
        assert home_tokens(page, "gain") == WordPiece(n).fit(homer).tokenize(DEFAULT)
        assert said.inner_text().startswith(told)
        heights.add(page.evaluate(INSTRUMENT))
        assert page.evaluate(LOWEST) < height
    assert page.locator("#gain .now").all_inner_texts() == ["▁the"] and len(heights) == 1
    page.close()


def test_the_playgrounds_first_screen_has_a_whole_row_for_each_model(browser, site):
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{site.as_uri()}/playground/index.html")
    rows = page.locator("#models section:visible")
    page.locator("#gpt2 .token").first.wait_for()
    assert rows.count() in (2, 4)  # without the lists of GPT-4 and GPT-4o, and with them
    box = rows.last.bounding_box()
    assert box["y"] + box["height"] <= 900
    page.close()


def test_the_home_page_stands_still_where_motion_is_reduced(browser, site):
    page = browser.new_page(reduced_motion="reduce")
    page.clock.install()
    page.goto(f"{site.as_uri()}/index.html")
    page.clock.run_for(60_000)
    assert page.locator("#gain .of").inner_text() == "1,000 merges so far; you build it"
    page.close()


@pytest.mark.parametrize("row", ["real-bert", "o200k_base"])
def test_the_home_page_never_guesses_what_a_model_does(browser, site, server, row):
    page = browser.new_page(reduced_motion="reduce")
    held, text = [], "975019769 + 8584821"
    typed = BERT.tokenize(text) if row == "real-bert" else FACTS["gpt_tokens"][text][row]
    page.route(re.compile(r"/data-(bert|o200k_base-\d)\.js$"), lambda route: held.append(route))
    page.goto(f"{server}/index.html")
    said = page.locator(f"#{row} .of")
    page.locator("#text").fill(text)
    page.wait_for_timeout(200)
    has_list = row == "real-bert" or (site / "playground" / "data-o200k_base-0.js").is_file()
    assert home_tokens(page, row) == FIRST[row]
    assert home_tokens(page, "gain") == HOMER.tokenize(text)
    assert said.inner_text().startswith("for the first sentence: yours ")
    assert ("is coming" in said.inner_text()) == has_list
    for route in held:
        route.abort()
    page.locator(f"#{row} .of", has_text="yours needs a list that is not here").wait_for()
    assert home_tokens(page, row) == FIRST[row]
    page.unroute_all()
    page.locator("#text").fill(f"{text} ")
    page.locator("#text").fill(text)
    if has_list:
        page.locator(f"#{row} .count", has_text=f"{len(typed)} tokens").wait_for()
        assert home_tokens(page, row) == typed
    address = page.locator("#instrument .all").get_attribute("href")
    assert parse_qs(urlsplit(address).query) == {"merges": ["1000"], "text": [text]}
    page.locator("#text").fill(DEFAULT)
    page.wait_for_timeout(200)
    assert home_tokens(page, row) == FIRST[row] and "entries" in said.inner_text()
    page.close()


@pytest.mark.parametrize("name", ["02_pair_gains", "03_merge_training"])
def test_a_live_figure_stands_above_the_answer_that_it_shows(page, address, name):
    page.goto(f"{address}/notebooks/{name}.html")
    answer = page.locator("details:has(.live-figure)")
    answer.locator("summary").click()
    answer.locator(".live-figure .pairs").wait_for()
    assert answer.locator(".live-figure + .cell_output").is_visible()


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
    assert [path.name for path, page in pages.items() if page.marks != 1] == []  # a browser asks
    for path in (site / "_static").rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//[^)]*", text) == []


@pytest.mark.parametrize("kind", [*KINDS, "playground/index.html"])
def test_no_page_asks_for_anything_elsewhere(page, site, address, kind):
    asked, failed = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.goto(f"{address}/{kind}", wait_until="load")
    page.wait_for_timeout(500)
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    if address.startswith("file:") and kind.startswith("search"):
        failed = [error for error in failed if error != "Failed to fetch"]  # what each page says
    assert failed == []


ICONS = """() => [...document.querySelectorAll(".fa-solid")].filter((i) => i.checkVisibility())
    .map((icon) => getComputedStyle(icon, "::before").maskImage)"""


@pytest.mark.parametrize("kind", [*KINDS[:2], "playground/index.html"])
def test_a_page_loads_little_and_has_its_icons(browser, server, kind):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(f"{server}/{kind}", wait_until="networkidle")
    # GPT-2's list is loaded in the background, once the page can be used.
    sizes = [len(answer.body()) for answer in answers if "data-gpt2" not in answer.url]
    assert sum(sizes) < 1_600_000
    icons = page.evaluate(ICONS)
    assert len(icons) >= 3 and not {"none"} & {*icons}  # search, light or dark, menu
    page.close()


def folded(path) -> int:
    cells = nbformat.read(path, as_version=4).cells
    return sum("hide-output" in cell.metadata.get("tags", []) for cell in cells)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_folded_answer_has_its_button(site, path):
    html = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
    assert html.count('<details class="admonition hide below-input">') == folded(path)
    assert "<summary aria" not in html  # it is named by its text


def test_search_finds_gain(page, address):
    page.goto(f"{address}/search.html?q=gain")
    found = page.locator("ul.search li a, #found li a")
    found.first.wait_for()
    pages = found.evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    assert any(page.startswith("notebooks/02_pair_gains.html") for page in pages)


def test_formulas_are_mathml(page, address):
    page.goto(f"{address}/notebooks/02_pair_gains.html")
    formula = page.locator(".formula math").first
    assert formula.is_visible() and formula.bounding_box()["height"] > 25  # it has a fraction


WIDE = """() => [...document.querySelectorAll("html, .highlight pre")]
    .filter((element) => element.clientWidth && element.scrollWidth > element.clientWidth)
    .map((element) => element.textContent.slice(0, 50))"""


@pytest.mark.parametrize("width", [1280, 800, 390])
def test_nothing_is_wider_than_the_page_and_no_code_is_cut_off(browser, pages, width):
    page = browser.new_page(viewport={"width": width, "height": 800})
    wide = []
    for path in pages:
        if "slides" in path.parts:  # of a size of their own
            continue
        page.goto(path.as_uri())
        wide += [f"{path.name}: {text}" for text in page.evaluate(WIDE)]
    page.close()
    assert wide == []


@pytest.mark.parametrize(("colors", "names"), [("light", ""), ("dark", "index api 00_start_here")])
def test_axe_finds_nothing(browser, pages, colors, names):
    page = browser.new_page(color_scheme=colors, reduced_motion="reduce")
    found = []
    for path in pages:
        if names and path.stem not in names.split():
            continue
        if path.parent.name == "playground":  # tests/browser waits until its rows are drawn
            continue
        page.goto(path.as_uri())
        page.add_script_tag(path=axe())
        for violation in page.evaluate("async () => (await axe.run()).violations"):
            nodes = [node["html"][:120] for node in violation["nodes"]]
            found.append(f"{path.name}: {violation['help']}: {nodes}")
    page.close()
    assert found == []
