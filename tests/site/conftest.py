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
    folder, nowhere = tmp_path_factory.mktemp("site"), "http://127.0.0.1:9"
    names = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
    offline = dict.fromkeys(names, nowhere) | {"NO_PROXY": "", "no_proxy": ""}
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "docs", folder]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | offline, capture_output=True, encoding="utf-8"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


@pytest.fixture(scope="session")
def instead():
    """{A path: what the server answers in place of the site's file, or where there is none}."""
    return {}


@pytest.fixture(scope="session")
def server(site, instead):
    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

        def do_GET(self):
            path = self.path.partition("?")[0]
            if path not in instead:
                return super().do_GET()
            self.send_response(200)
            self.send_header("Content-Type", self.guess_type(path))
            self.send_header("Content-Length", str(len(instead[path])))
            self.end_headers()
            self.wfile.write(instead[path])

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


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
