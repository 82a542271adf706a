"""A Chromium for the tests of the site and of the playground: the system's, or Playwright's own."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
OPTIONS += ["--disable-component-update", "--disable-sync", "--no-first-run"]


def launch() -> Iterator[Any]:
    """Yield a browser; skip the test, with the reason, where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with api.sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, NAMES)), None)
        if found is None and not Path(playwright.chromium.executable_path).is_file():
            pytest.skip("there is no Chromium: apt-get install chromium, or playwright install")
        browser = playwright.chromium.launch(executable_path=found, args=OPTIONS)
        yield browser
        browser.close()
