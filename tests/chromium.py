"""A Chromium for the tests of the site and of the playground: the system's, or Playwright's own."""

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NoReturn

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
OPTIONS += ["--disable-component-update", "--disable-sync", "--no-first-run"]


def absent(reason: str) -> NoReturn:
    """Skip the test, with the reason; where CI is set, fail."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


def launch() -> Iterator[Any]:
    """Yield a browser."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with api.sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, NAMES)), None)
        if found is None and not Path(playwright.chromium.executable_path).is_file():
            absent("there is no Chromium: apt-get install chromium, or playwright install")
        browser = playwright.chromium.launch(executable_path=found, args=OPTIONS)
        yield browser
        browser.close()


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """The address of a server for the page in `folder`."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{folder.name}/index.html"
    server.shutdown()
    server.server_close()


def axe() -> Path:
    """Return axe-core, which finds what keeps people from using a page."""
    path = Path(os.environ.get("AXE_CORE", "node_modules/axe-core/axe.min.js"))
    if not path.is_file():
        absent("axe-core is not here: npm install --no-save axe-core, or set AXE_CORE")
    return path
