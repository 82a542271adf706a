"""The series in the browser: what Pyodide has is enough, and no notebook asks for more.

That the site's JupyterLite is complete, and that Pyodide runs the package, is in tests/site.
"""

import ast
import json
import re
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LITE = ROOT / "docs" / "lite"
LOCK = json.loads((LITE / "pyodide-lock.json").read_text(encoding="utf-8"))
LOCK["packages"] |= tomllib.loads((LITE / "wheels.toml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# What a page in a browser does not have: other processes, and connections of its own.
OUT_OF_REACH = {"dask", "distributed", "multiprocessing", "socket", "subprocess", "urllib"}
# What a notebook uses where it is installed, and does without where it is not.
OPTIONAL = {"tokenizers", "transformers"}


def test_pyodide_has_what_the_package_and_its_notebooks_need():
    extras = PROJECT["optional-dependencies"]["notebooks"]
    needed = [Requirement(line) for line in [*PROJECT["dependencies"], *extras]]
    versions = {name: package["version"] for name, package in LOCK["packages"].items()}
    too_old = {
        str(need): versions.get(need.name)
        for need in needed
        if need.name != "jupyterlab"  # which is the page itself
        and not need.specifier.contains(versions.get(need.name, "0"))
    }
    assert too_old == {}


def test_pyodide_has_a_python_that_the_package_admits():
    python = Requirement(f"python{PROJECT['requires-python']}")
    assert python.specifier.contains(LOCK["info"]["python"])


def code_of(path) -> str:
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_part_of_a_notebook_needs_a_process_or_a_connection(path):
    code = code_of(path)
    assert re.findall(r"^\s*[!%].*", code, re.MULTILINE) == []
    imported = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    tops = {name.split(".")[0] for name in imported}
    assert tops & OUT_OF_REACH == set()
    pyodide_has = {name for package in LOCK["packages"].values() for name in package["imports"]}
    assert tops <= {*sys.stdlib_module_names, *pyodide_has, "wpedu", *OPTIONAL}
