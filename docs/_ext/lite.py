"""JupyterLab in the browser, with this package and all notebooks, in the folder lite/ of the site.

Its pages are static files of the site. Python itself is Pyodide: when a notebook is opened, and not
before, the browser asks Pyodide's public server for it, and for the packages in pyodide-lock.json.
This is the lock file of that very Pyodide, out of its npm package (lite/make_lock.py fetches it).
To it are added the wheel of this package, which is built here, and pooch, which Pyodide does not
have. So `import wpedu` finds everything by itself, and no notebook has to install something.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from email.parser import Parser
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from jupyter_core.paths import jupyter_path
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

HERE = Path(__file__).parents[1] / "lite"
ROOT = HERE.parents[1]
VERSION = "314.0.6"  # of Pyodide, for which the pinned jupyterlite-pyodide-kernel is made
SERVER = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
CONTENTS = ["notebooks/*.ipynb", "benchmarks/README.md", "docs/book.md", "docs/glossary.md"]
CONTENTS += ["labs/release/*/*.ipynb", "labs/release/*/*.py"]
# Opened from disk, JupyterLab would be an empty page.
FROM_DISK = """<script>
      if (location.protocol === "file:") addEventListener("DOMContentLoaded", () => {
        document.body.textContent = "JupyterLab in the browser does not open from disk. In the " +
          "folder of the site, the command “python -m http.server” makes a server of it; then " +
          "open http://localhost:8000/";
      });
    </script>"""

Lock = dict[str, Any]


def load_lock() -> Lock:
    """Return Pyodide's own lock file."""
    lock: Lock = json.loads((HERE / "pyodide-lock.json").read_text(encoding="utf-8"))
    return lock


def build_wheel(folder: Path) -> Path:
    """Build the wheel of this package into `folder`."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    _run(command, cwd=ROOT)
    return next(folder.glob("wpedu-*.whl"))


def entry(wheel: Path) -> dict[str, Any]:
    """Return what the lock file has to say of `wheel`."""
    with ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        about = Parser().parsestr(archive.read(metadata).decode("utf-8"))
    needed = [line for line in about.get_all("Requires-Dist", []) if "extra ==" not in line]
    names = [re.match(r"[\w.-]+", line) for line in needed]
    return {
        "depends": [name[0].lower() for name in names if name],
        "file_name": wheel.name,
        "imports": [about["Name"]],
        "install_dir": "site",
        "name": about["Name"],
        "package_type": "package",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "unvendored_tests": False,
        "version": about["Version"],
    }


def make_lock(wheel: Path) -> Lock:
    """Return Pyodide's lock file with `wheel` and pooch in it, and full addresses for the rest."""
    lock = load_lock()
    for package in lock["packages"].values():
        package["file_name"] = SERVER + package["file_name"]
    pooch = tomllib.loads((HERE / "pooch.toml").read_text(encoding="utf-8"))
    lock["packages"] |= {"pooch": pooch, "wpedu": entry(wheel)}
    return lock


def find_extensions() -> list[str]:
    """Return the folders of JupyterLab's extensions for Pyodide and for widgets."""
    found = []
    for name in ("@jupyterlite/pyodide-kernel-extension", "@jupyter-widgets/jupyterlab-manager"):
        folders = [Path(path) / name for path in jupyter_path("labextensions")]
        found += [str(folder) for folder in folders if folder.is_dir()][:1]
    return found


def build(target: Path) -> None:
    """Build it all into the folder `target`."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        static = work / "static" / "pyodide-lock"
        static.mkdir(parents=True)
        wheel = build_wheel(static)
        lock = json.dumps(make_lock(wheel))
        (static / "pyodide-lock.json").write_text(lock, encoding="utf-8")
        for pattern in CONTENTS:
            for path in sorted(ROOT.glob(pattern)):
                copy = work / "contents" / path.relative_to(ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
        options = {"lockFileURL": "./static/pyodide-lock/pyodide-lock.json"}
        kernel = {"pyodideUrl": SERVER + "pyodide.mjs", "loadPyodideOptions": options}
        settings = {
            "jupyter-lite-schema-version": 0,
            "jupyter-config-data": {"litePluginSettings": {KERNEL: kernel}},
        }
        (work / "jupyter-lite.json").write_text(json.dumps(settings), encoding="utf-8")
        # Only these, and not all that happen to be installed beside them.
        extensions = {"ignore_sys_prefix": True, "federated_extensions": find_extensions()}
        config = json.dumps({"LiteBuildConfig": extensions})
        (work / "jupyter_lite_config.json").write_text(config, encoding="utf-8")
        shutil.rmtree(target, ignore_errors=True)
        command = [sys.executable, "-m", "jupyterlite_core", "build", "--apps", "lab"]
        command += ["--lite-dir", ".", "--contents", "contents", "--output-dir", str(target)]
        command += ["--no-sourcemaps", "--no-unused-shared-packages"]
        _run(command, cwd=work)
        shutil.copytree(static, target / "static" / "pyodide-lock", dirs_exist_ok=True)
        page = target / "lab" / "index.html"
        html = page.read_text(encoding="utf-8").replace("<head>", f"<head>\n    {FROM_DISK}", 1)
        page.write_text(html, encoding="utf-8")


def _run(command: list[str], cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        raise ExtensionError(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")


def _build_with_site(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html" and app.config.build_lite:
        build(Path(app.outdir) / "lite")


def setup(app: Sphinx) -> dict[str, bool]:
    """Build JupyterLite after the pages; `-D build_lite=0` leaves it out."""
    app.add_config_value("build_lite", True, "", bool)
    app.connect("build-finished", _build_with_site)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
