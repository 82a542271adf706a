"""The home page, a notebook, the slides and the playground, with training, in Firefox and WebKit.

Chromium has tests of its own; here, pages are only opened and tried once.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from chromium import absent

from wpedu import count_words, train

TEXT = "Sing, O goddess, the anger of Achilles son of Peleus: שלום, שלום; मान्य मान है।"
TRAIN = f"""
document.getElementById("own-text").value = {json.dumps(TEXT)};
document.getElementById("own-merges").value = 20;
document.getElementById("train").click();
"""
TOKENS = "[...document.querySelectorAll('#gain .token')].map((token) => token.textContent)"
# {a page: what is done there, what is waited for, and what is asked then}, in JavaScript.
VISITS = {
    "index.html": ("0", f"{TOKENS}.length > 5", TOKENS),
    "notebooks/03_merge_training.html": (
        "0",
        "document.querySelectorAll('.token').length > 5",
        "1",
    ),
    "slides/index.html": ("0", "window.Reveal?.isReady()", "Reveal.getTotalSlides() > 30"),
    "playground/index.html": (
        TRAIN,
        "document.querySelector('#learned[data-done]')",
        "[...document.querySelectorAll('#learned li')].map((li) => [li.dataset.x, li.dataset.y])",
    ),
}


def in_firefox(server):
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None or not Path("node_modules/puppeteer-core").is_dir():
        absent("Firefox or puppeteer-core is missing: apt-get install firefox-esr, npm install")
    keys = "url", "act", "until", "result"
    visits = [dict(zip(keys, (f"{server}/{page}", *steps))) for page, steps in VISITS.items()]
    command = ["node", "tests/site/firefox.mjs", program]
    run = subprocess.run(command, input=json.dumps(visits), capture_output=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    answers = json.loads(run.stdout)
    assert [answer["errors"] for answer in answers] == [[]] * len(VISITS)
    return [answer["result"] for answer in answers]


def in_webkit(server):
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from selenium.webdriver.support.wait import WebDriverWait

    if not (driver := shutil.which("WebKitWebDriver")):
        absent("WebKit is missing: apt-get install webkit2gtk-driver")
    if "DISPLAY" not in os.environ:
        absent("WebKit needs a display: run the tests with xvfb-run")
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(next(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser")))
    options.add_argument("--automation")
    service = webdriver.webkitgtk.service.Service(driver)
    with webdriver.WebKitGTK(options=options, service=service) as browser:
        browser.set_script_timeout(120)
        results = []
        for page, (act, until, result) in VISITS.items():
            browser.get(f"{server}/{page}")
            browser.execute_script(act)
            WebDriverWait(browser, 120).until(
                lambda b, until=until: b.execute_script(f"return Boolean({until})")
            )
            results.append(browser.execute_script(f"return {result}"))
    return results


@pytest.mark.filterwarnings("default")  # selenium deprecates a call of its own
@pytest.mark.parametrize("visit", [in_firefox, in_webkit])
def test_pages_open_and_texts_train(visit, server):
    home, notebook, slides, learned = visit(server)
    assert home and notebook and slides
    assert [tuple(pair) for pair in learned] == train(count_words(TEXT), 20)
