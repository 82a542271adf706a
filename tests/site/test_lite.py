"""JupyterLab in the browser: every notebook runs to its end there, and shows what is saved.

With Pyodide itself, and its NumPy, pandas, matplotlib and regex; what a reader's browser fetches
from Pyodide's own server comes from a folder: `python tests/site/get_pyodide.py FOLDER`, and
`PYODIDE=FOLDER`. How long each takes is printed with `-rP`.
"""

import json
import os
import re
import sys
import time
from pathlib import Path

import nbformat
import pytest
from chromium import absent

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
lite = pytest.importorskip("lite", reason='the extra "docs" is not installed')

START = """() => {
    const session = window.jupyterapp?.shell?.currentWidget?.sessionContext?.session;
    return session?.kernel?.status === "idle";
}"""
RUN = """async () => {
    await jupyterapp.commands.execute("notebook:run-all-cells");
    return jupyterapp.shell.currentWidget.content.model.toJSON();
}"""


def test_every_notebook_is_in_it_as_it_is_saved(site):
    for path in NOTEBOOKS:
        assert (site / "lite" / "files" / "notebooks" / path.name).read_bytes() == path.read_bytes()


def test_jupyterlab_asks_only_here_before_a_notebook_is_opened(page, server):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}/lite/lab/index.html")
    page.get_by_text("notebooks", exact=True).first.wait_for(timeout=300_000)
    assert [u for u in asked if not u.startswith((server, "data:", "blob:"))] == []


def test_opened_from_disk_it_says_that_it_needs_a_server(page, site):
    page.goto(f"{(site / 'lite/lab/index.html').as_uri()}?path=notebooks/00_start_here.ipynb")
    assert "python -m http.server" in page.locator("body").inner_text()


def test_it_says_so_where_python_cannot_be_fetched(page, server):
    page.route(lambda url: not url.startswith(server), lambda route: route.abort())
    page.goto(f"{server}/lite/lab/index.html?path=notebooks/00_start_here.ipynb")
    said = page.get_by_role("alert").filter(has_text="could not fetch Python from cdn.jsdelivr.net")
    said.wait_for(timeout=300_000)


@pytest.fixture(scope="module")
def here(site, server, instead):
    """The server also has a Pyodide, and JupyterLab asks it for all."""
    folder = Path(os.environ.get("PYODIDE", "pyodide")).resolve()
    if not (folder / "pyodide.mjs").is_file():
        absent("Pyodide is not here: python tests/site/get_pyodide.py FOLDER, and PYODIDE=FOLDER")
    for path in folder.iterdir():
        instead[f"/pyodide/{path.name}"] = path.read_bytes()
    lock = json.loads((site / "lite" / lite.LOCK).read_text(encoding="utf-8"))
    there = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    for package in there.values():
        package["file_name"] = f"{server}/pyodide/{package['file_name']}"
    lock["packages"] |= there
    settings = json.loads((site / "lite" / "jupyter-lite.json").read_text(encoding="utf-8"))
    data = settings["jupyter-config-data"]
    data["exposeAppInBrowser"] = True
    data["litePluginSettings"][lite.KERNEL]["pyodideUrl"] = f"{server}/pyodide/pyodide.mjs"
    changed = {lite.LOCK: lock, "jupyter-lite.json": settings}
    instead |= {f"/lite/{name}": json.dumps(v).encode() for name, v in changed.items()}
    yield server
    instead.clear()


def shown(cell):
    """Return what a cell shows, but for the points of its pictures."""
    outputs = [o.get("text") or o.get("data") or o.get("ename") for o in cell.get("outputs", [])]
    text = json.dumps([output for output in outputs if output], sort_keys=True)
    return re.sub(r'(base64,|"image/png": ")[\w+/=\\]+', r"\1…", text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_to_its_end_in_the_browser_and_shows_what_is_saved(page, here, path):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    times = [time.monotonic()]
    page.goto(f"{here}/lite/lab/index.html?path=notebooks/{path.name}")
    page.wait_for_function(START, timeout=300_000)
    times.append(time.monotonic())
    there = nbformat.from_dict(page.evaluate(RUN))
    times.append(time.monotonic())
    print(f"{path.stem}: started in {times[1] - times[0]:.0f} s, ran {times[2] - times[1]:.0f} s")
    assert [u for u in asked if not u.startswith((here, "data:", "blob:"))] == []
    saved = nbformat.read(path, as_version=4)
    assert list(map(shown, there.cells)) == list(map(shown, saved.cells))
