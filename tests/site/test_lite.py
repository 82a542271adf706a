"""JupyterLab in the browser: all is there, and Python in the browser gives what Python gives.

Run here: the package without its compiled dependencies, in bare Pyodide. Not run here: a notebook
in the browser with the real numpy, regex, pandas and matplotlib. Their files are on Pyodide's
server, to which a test does not go; that the lock file names them all, and that they are new
enough, is tested.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PYODIDE_LOCK = ROOT / "docs" / "lite" / "pyodide-lock.json"
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
lite = pytest.importorskip("lite", reason='the extra "docs" is not installed')


@pytest.fixture(scope="module")
def lab(site):
    return site / "lite"


@pytest.fixture(scope="module")
def settings(lab):
    config = json.loads((lab / "jupyter-lite.json").read_text(encoding="utf-8"))
    return config["jupyter-config-data"]["litePluginSettings"][lite.KERNEL]


@pytest.fixture(scope="module")
def lock(lab, settings):
    return json.loads((lab / settings["loadPyodideOptions"]["lockFileURL"]).read_text("utf-8"))


def test_every_notebook_is_in_it_as_it_is_saved(lab):
    names = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    listed = json.loads((lab / "api" / "contents" / "notebooks" / "all.json").read_text("utf-8"))
    assert sorted(entry["name"] for entry in listed["content"]) == names
    for name in names:
        there = (lab / "files" / "notebooks" / name).read_bytes()
        assert there == (ROOT / "notebooks" / name).read_bytes()


def test_what_the_notebooks_link_to_is_in_it_too(lab):
    assert (lab / "files" / "benchmarks" / "README.md").is_file()
    assert (lab / "files" / "docs" / "book.md").is_file()


def test_the_kernel_asks_for_the_pyodide_whose_lock_file_this_is(settings):
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

    assert PYODIDE_VERSION == lite.VERSION
    assert settings["pyodideUrl"] == f"{lite.SERVER}pyodide.mjs"


def test_the_lock_file_is_pyodides_own_and_two_more(lock):
    own = lite.load_lock()
    assert lock["info"] == own["info"]
    assert lock["packages"].keys() == own["packages"].keys() | {"pooch", "wpedu"}
    for name, package in own["packages"].items():
        assert lock["packages"][name] == package | {"file_name": lite.SERVER + package["file_name"]}


def test_all_that_the_package_needs_is_in_the_lock_file(lock):
    waiting, seen = ["wpedu", "matplotlib", "pandas"], set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += lock["packages"][name]["depends"]
    assert {"numpy", "pooch", "regex", "tqdm"} <= seen


def test_the_wheel_is_there_and_is_the_one_that_is_named(lab, settings, lock):
    package = lock["packages"]["wpedu"]
    folder = (lab / settings["loadPyodideOptions"]["lockFileURL"]).parent
    wheel = (folder / package["file_name"]).read_bytes()
    assert hashlib.sha256(wheel).hexdigest() == package["sha256"]
    assert package["imports"] == ["wpedu"]


def test_jupyterlab_opens_and_asks_only_here_before_a_notebook_is_opened(page, server):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}/lite/lab/index.html")
    page.get_by_text("notebooks", exact=True).first.wait_for(timeout=120_000)
    assert [u for u in asked if not u.startswith((server, "data:", "blob:"))] == []


def test_opened_from_disk_it_says_that_it_needs_a_server(page, lab):
    page.goto(f"{(lab / 'lab' / 'index.html').as_uri()}?path=notebooks/00_start_here.ipynb")
    assert "python -m http.server" in page.locator("body").inner_text()


@pytest.fixture(scope="module")
def pyodide():
    places = [os.environ.get("PYODIDE", ""), "node_modules/pyodide"]
    folder = next((Path(p) for p in places if p and (Path(p) / "pyodide.mjs").is_file()), None)
    if folder is None or shutil.which("node") is None:
        pytest.skip(f"not here: npm install --no-save pyodide@{lite.VERSION}, or set PYODIDE")
    return folder.resolve()


def test_the_lock_file_is_that_of_the_npm_package(pyodide):
    assert (pyodide / "pyodide-lock.json").read_bytes() == PYODIDE_LOCK.read_bytes()


def test_the_package_gives_in_bare_pyodide_what_it_gives_here(pyodide, tmp_path):
    """Without NumPy, so training takes the plain loop; and `regex` is a stand-in on top of `re`."""
    program, wheel = HERE / "program.py", lite.build_wheel(tmp_path)
    node = ["node", HERE / "in_pyodide.mjs", pyodide, wheel, HERE / "stand_ins", program]
    there, here = (
        json.loads(
            subprocess.run(command, capture_output=True, check=True, cwd=ROOT, env=env).stdout
        )
        for command, env in [
            (node, None),
            ([sys.executable, program], os.environ | {"PYTHONPATH": str(ROOT)}),
        ]
    )
    assert there[:2] == ["emscripten", False] and here[1]
    assert there[2] == here[2]
