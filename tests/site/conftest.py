"""The site, built once, a server for it, and a browser.

These tests are not part of the plain `pytest`, as they take longer and need the extra "docs" and a
Chromium: `pytest -o addopts="-rs" tests/site`. `SITE=folder` tests a site that is built already.
"""

import os
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from chromium import launch

ROOT = Path(__file__).parents[2]


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
    yield from launch()


@pytest.fixture
def page(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()
