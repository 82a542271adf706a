"""A browser, the page with its data from this package, and what the package says it must show.

The tests of this folder need Chromium: that of the system, or Playwright's own. They are not part
of the plain `pytest`, as they take longer: `pytest tests/browser --dist load`.
"""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from chromium import launch, serve

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
def command(folder):
    """make_data.py."""
    spec = importlib.util.spec_from_file_location("make_data", folder / "make_data.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def from_disk(folder):
    return (folder / "index.html").as_uri()


@pytest.fixture(scope="session")
def from_server(folder):
    with serve(folder) as address:
        yield address


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
