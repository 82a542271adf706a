"""What is folded in a saved notebook cannot be read in a real JupyterLab, until it is run."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import nbformat
import pytest

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NAMES = [path.stem for path in sorted(NOTEBOOKS.glob("*.ipynb"))]
FLAGS = "--no-browser --allow-root --IdentityProvider.token= --ServerApp.port_retries=0".split()


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Return the address of a JupyterLab that has a copy of the notebooks, and no settings."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(NOTEBOOKS, folder / "notebooks")
    private = "CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR"
    environment = os.environ | {f"JUPYTER_{name}": str(folder / name) for name in private}
    for name in ("SETTINGS_DIR", "WORKSPACES_DIR"):
        environment[f"JUPYTERLAB_{name}"] = str(folder / name)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", *FLAGS]
    command += [f"--port={port}", f"--ServerApp.root_dir={folder}"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stderr=log)
    address = f"http://127.0.0.1:{port}"
    while not _answers(f"{address}/api/status"):
        assert server.poll() is None, (folder / "log").read_text()
        time.sleep(0.2)
    yield address
    server.terminate()
    server.wait()


def _answers(address):
    try:
        return urlopen(address).status == 200
    except OSError:
        return False


@pytest.fixture
def cells(name):
    return nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells


@pytest.fixture
def opened(lab, browser, name, cells):
    """Return the cells on the screen of a notebook that was opened, and of which none was run."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{lab}/doc/tree/notebooks/{name}.ipynb?reset", timeout=120_000)
    found = page.locator(".jp-Notebook .jp-Cell")
    found.nth(len(cells) - 1).wait_for(state="attached", timeout=120_000)
    yield found.all()
    page.close()


def shown(cell):
    """Return what can be read below a code cell, and whether its output is folded."""
    cell.scroll_into_view_if_needed()  # JupyterLab renders what is looked at
    output = cell.locator(".jp-Cell-outputWrapper")
    return output.inner_text().strip(), output.locator(".jp-OutputPlaceholder").count() == 1


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_is_folded_can_be_read(opened, cells):
    expect = pytest.importorskip("playwright.sync_api").expect
    for cell, saved in zip(opened, cells, strict=True):
        if saved.cell_type == "code":
            text, is_folded = shown(cell)
            assert is_folded == ("hide-output" in saved.metadata.get("tags", []))
            assert not (is_folded and text)
        else:
            cell.scroll_into_view_if_needed()
            closed = cell.locator("details")
            expect(closed).to_have_count(saved.source.count("<details>"), timeout=30_000)
            for details in closed.all():
                assert details.inner_text() == details.locator("summary").inner_text()


@pytest.mark.parametrize("name", NAMES[:1])
def test_what_was_run_is_shown_at_once(opened, cells):
    expect = pytest.importorskip("playwright.sync_api").expect
    page = opened[0].page
    ready = page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]')
    ready.wait_for(timeout=120_000)  # before its kernel is there, a notebook runs nothing
    for _ in range(2):  # on a busy machine, nothing may come of the first click
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.wait_for_timeout(10_000)
    for cell, saved in zip(opened, cells):
        if "hide-output" in saved.metadata.get("tags", []):
            cell.scroll_into_view_if_needed()
            output = cell.locator(".jp-Cell-outputWrapper")
            expect(output).to_have_text(re.compile(r"\S"), use_inner_text=True, timeout=120_000)
