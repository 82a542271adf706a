"""Build JupyterLab in the browser, with this package and all notebooks, in the site's lite/.

Its pages are static files of the site. Python is Pyodide. Only when a reader opens a notebook does
the browser fetch Pyodide and the packages in pyodide-lock.json from Pyodide's public
server. The lock file comes from the npm package of the same version: `npm pack pyodide@VERSION`,
then `tar -xzOf pyodide-VERSION.tgz package/pyodide-lock.json > docs/lite/pyodide-lock.json`.
`make_lock` adds the packages of lite/wheels.toml, and this package's wheel, which is built here.
The kernel loads the imports of a cell with their dependencies, so no notebook installs anything.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from jupyter_core.paths import jupyter_path
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL as SERVER
from jupyterlite_pyodide_kernel.constants import PYODIDE_KERNEL_PLUGIN_ID as KERNEL
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from wpedu import __version__

HERE = Path(__file__).parents[1] / "lite"
ROOT = HERE.parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = "static/pyodide-lock/pyodide-lock.json"
CONTENTS = ["notebooks/*.ipynb", "benchmarks/README.md", "docs/book.md", "docs/glossary.md"]
CONTENTS += ["labs/release/*/*.ipynb"]
EXTENSIONS = ["@jupyterlite/pyodide-kernel-extension", "@jupyter-widgets/jupyterlab-manager"]


def build_wheel(folder: Path) -> Path:
    """Build the wheel of this package into `folder`."""
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT)
    return next(folder.glob("wpedu-*.whl"))


def make_lock(wheel: Path) -> dict[str, Any]:
    """Return Pyodide's lock file with full addresses, the packages it lacks, and `wheel`."""
    lock = json.loads((HERE / "pyodide-lock.json").read_text(encoding="utf-8"))
    for package in lock["packages"].values():
        package["file_name"] = f"{SERVER}/{package['file_name']}"
    wheels = tomllib.loads((HERE / "wheels.toml").read_text(encoding="utf-8"))
    needed = [re.split(r"[^\w.-]", line)[0] for line in PROJECT["dependencies"]]
    wpedu = {
        "name": "wpedu",
        "version": __version__,
        "file_name": wheel.name,
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "imports": ["wpedu"],
        "depends": [*needed, "matplotlib"],  # wpedu.figures imports it, but no cell does
        "install_dir": "site",
        "package_type": "package",
        "unvendored_tests": False,
    }
    lock["packages"] |= wheels | {"wpedu": wpedu}
    return lock


def build(target: Path) -> None:
    """Build JupyterLab into the folder `target`."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for path in sorted(path for pattern in CONTENTS for path in ROOT.glob(pattern)):
            copy = work / "contents" / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        kernel = {"pyodideUrl": f"{SERVER}/pyodide.mjs"}
        kernel |= {"loadPyodideOptions": {"lockFileURL": f"./{LOCK}"}}
        settings = {"litePluginSettings": {KERNEL: kernel}}
        lite = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
        (work / "jupyter-lite.json").write_text(json.dumps(lite), encoding="utf-8")
        # Only these extensions, whatever else is installed.
        folders = map(Path, jupyter_path("labextensions"))
        found = [str(f / name) for f in folders for name in EXTENSIONS if (f / name).is_dir()]
        config = {"LiteBuildConfig": {"ignore_sys_prefix": True, "federated_extensions": found}}
        (work / "jupyter_lite_config.json").write_text(json.dumps(config), encoding="utf-8")
        shutil.rmtree(target, ignore_errors=True)
        command = [sys.executable, "-m", "jupyterlite_core", "build", "--apps", "lab"]
        command += ["--lite-dir", ".", "--contents", "contents", "--output-dir", str(target)]
        run([*command, "--no-sourcemaps", "--no-unused-shared-packages"], cwd=work)
    (target / LOCK).parent.mkdir(parents=True)
    lock = make_lock(build_wheel((target / LOCK).parent))
    (target / LOCK).write_text(json.dumps(lock), encoding="utf-8")
    page, head = target / "lab" / "index.html", (HERE / "head.html").read_text(encoding="utf-8")
    html = page.read_text(encoding="utf-8").replace("<head>", f"<head>\n{head}", 1)
    page.write_text(html, encoding="utf-8")


def run(command: list[str], cwd: Path) -> None:
    """Run `command` in the folder `cwd`; if it fails, stop the build and show its output."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        raise ExtensionError(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")


def _build_with_site(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html" and app.config.build_lite:
        build(Path(app.outdir) / "lite")


def setup(app: Sphinx) -> dict[str, bool]:
    """Build JupyterLite after the pages, unless `-D build_lite=0` is given."""
    app.add_config_value("build_lite", True, "", bool)
    app.connect("build-finished", _build_with_site)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
