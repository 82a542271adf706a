"""The questions: complete without JavaScript, filtered as one types; the search that finds them."""

import sys
from urllib.parse import quote

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import ask

QUESTIONS = ask.questions()
FIRST = {
    "##": "ask.html#hash-marks",
    "512": "ask.html#cut-at-512",
    "typo": "ask.html#typos",
    "glitch token": "ask.html#glitch-token",
    "add_tokens": "ask.html#entry-or-added-token",
    "strawberry": "ask.html#strawberry",
    "NER": "ask.html#ner-labels",
    "chunk": "ask.html#chunks",
    "How do I shrink a multilingual vocabulary to one or two languages?": "ask.html#shrink",
    "How should SMILES strings of molecules be tokenized?": "ask.html#smiles",
}


def test_without_javascript_every_answer_is_open(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/ask.html")
    assert page.locator("details.asked[open] .links:visible").count() == len(QUESTIONS)
    context.close()


def test_typing_filters_and_the_best_match_comes_first(page, address):
    page.goto(f"{address}/ask.html")
    shown = page.locator("details.asked:visible")
    assert shown.count() == len(QUESTIONS)
    for words in ("##", "add_tok", "strawb", "Token indices sequence length"):
        page.locator("#find").fill(words)
        assert 0 < shown.count() < len(QUESTIONS)
        everything = shown.evaluate_all("(all) => all.map((one) => one.textContent.toLowerCase())")
        assert words.lower() in everything[0]
    for question in [{"ask": "NER", "id": "ner-labels"}, *QUESTIONS]:
        page.locator("#find").fill(question["ask"])
        assert shown.first.get_attribute("id") == question["id"]
    page.locator("#find").fill("zzz")
    assert shown.count() == 0 and "Nothing found" in page.locator("#asked .count").inner_text()


def test_the_address_of_a_question_opens_it(page, address):
    page.goto(f"{address}/ask.html#typos")
    assert page.locator("details[open]").evaluate_all("(all) => all.map((one) => one.id)") == [
        "typos"
    ]
    page.locator("#typos .links a").first.click()
    cell = page.locator(":target")
    assert "typos = " in cell.inner_text()


def found(page, server, words):
    """Return where the results lead: to sections, and to no solution of a lab."""
    page.goto(f"{server}/search.html?q={quote(words)}")
    page.locator("#found li").first.wait_for()
    links = page.locator("#found li a")
    found = links.evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    assert all("#" in place and not place.startswith("labs/source/") for place in found)
    assert "<img" not in page.locator("#found").inner_text()
    return found


def test_the_search_leads_to_the_question_first(site, page, server):
    if not (site / "pagefind").is_dir():
        pytest.skip("the site was built without Pagefind: npm install --no-save pagefind")
    for words, first in FIRST.items():
        assert found(page, server, words)[0] == first, words
    for question in QUESTIONS:
        assert f"ask.html#{question['id']}" in found(page, server, question["ask"])[:3]


def test_from_disk_the_search_says_where_questions_are_filtered(site, page):
    page.goto(f"{site.as_uri()}/search.html?q=typo")
    link = page.locator(".bd-search-container p a", has_text="What people ask")
    link.click()
    page.locator("#asked .count", has_text=" of ").wait_for()
    assert page.locator("details.asked:visible").first.get_attribute("id") == "typos"
