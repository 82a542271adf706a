"""The site, built once, a server for it, and a browser.

These tests are not part of the plain `pytest`, as they take longer and need the extra "docs" and a
Chromium: `pytest -o addopts="-rs" tests/site`. `SITE=folder` tests a site that is built already.
"""

import os
import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
OPTIONS += ["--disable-component-update", "--disable-sync", "--no-first-run"]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site as its one command makes it: without a warning, and without a network."""
    if "SITE" in os.environ:
        return Path(os.environ["SITE"]).resolve()
    pytest.importorskip("sphinx", reason='the extra "docs" is not installed')
    folder = tmp_path_factory.mktemp("site")
    nowhere = "http://127.0.0.1:9"
    offline = {"HTTP_PROXY": nowhere, "HTTPS_PROXY": nowhere, "NO_PROXY": ""}
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "-q", "docs", str(folder)],
        cwd=ROOT,
        env=os.environ | offline | {name.lower(): value for name, value in offline.items()},
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


@pytest.fixture(scope="session")
def server(site):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(params=["disk", "server"])
def address(request, site):
    """Where the site begins: in a folder, and on a server."""
    return site.as_uri() if request.param == "disk" else request.getfixturevalue("server")


@pytest.fixture(scope="session")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with api.sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, NAMES)), None)
        if found is None and not Path(playwright.chromium.executable_path).is_file():
            pytest.skip("there is no Chromium: apt-get install chromium, or playwright install")
        browser = playwright.chromium.launch(executable_path=found, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()
