"""A browser, the page with its data from this package, and what the package says it must show.

The tests of this folder need Chromium: that of the system, or Playwright's own. They are not part
of the plain `pytest`, as they take longer: `pytest tests/browser --dist load`.
"""

import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from chromium import launch

PAGE = Path(__file__).parents[2] / "docs" / "playground"


@pytest.fixture(scope="session")
def browser():
    yield from launch()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The page, after its one command."""
    folder = tmp_path_factory.mktemp("site") / "playground"
    shutil.copytree(PAGE, folder, ignore=shutil.ignore_patterns("data*.js", "__pycache__"))
    shutil.copytree(PAGE.parent / "_static", folder.parent / "_static")
    subprocess.run([sys.executable, folder / "make_data.py"], check=True)
    return folder


@pytest.fixture(scope="session")
def from_disk(folder):
    return (folder / "index.html").as_uri()


@pytest.fixture(scope="session")
def from_server(folder):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/playground/index.html"
    server.shutdown()


@pytest.fixture
def page(browser):
    """A page of its own, which must not report an error."""
    context = browser.new_context()
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    yield page
    context.close()
    assert errors == []
