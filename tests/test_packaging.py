"""The project can be installed, described and run elsewhere."""

import ast
import doctest
import os
import re
import shutil
import tomllib
import zipfile
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.metadata import distributions
from pathlib import Path

import pytest
import yaml
from execute import table
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from snippets import write_snippets

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_environment_yml_has_the_dependencies_of_pyproject():
    listed = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    conda = {
        name.replace("matplotlib-base", "matplotlib")
        for name in listed
        if name != "pip" and isinstance(name, str)
    }
    extras = PROJECT["optional-dependencies"]
    needed = {*PROJECT["dependencies"], *extras["notebooks"], *extras["scale"], *extras["test"]}
    assert "wpedu[notebooks,scale]" in needed
    python = f"python{PROJECT['requires-python']}"
    assert conda == {python, *needed} - {"wpedu[notebooks,scale]"}


def test_constraints_txt_pins_every_dependency_and_ci_runs_those_versions():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line) for line in lines if not line.startswith("#")]
    here = {
        canonicalize_name(p.name): p.specifier for p in pins if not p.marker or p.marker.evaluate()
    }
    direct = sum(PROJECT["optional-dependencies"].values(), PROJECT["dependencies"])
    names = {canonicalize_name(Requirement(line).name) for line in direct}
    assert names - {"wpedu"} <= {*here}
    if "PIP_CONSTRAINT" in os.environ:  # as .ci/run sets it
        for installed in distributions():
            name = canonicalize_name(installed.name)
            assert (
                name in ("pip", "setuptools", "wheel", "wpedu") or installed.version in here[name]
            ), name


# A room (a module or a folder) may import the rooms in the lines above it.
ROOMS = """
_support
pretokenization
scores
fast
corpus
training encoding
bert
wordpiece vocabularies
figures labs
"""
ROOM_LINES = {room: i for i, line in enumerate(ROOMS.strip().splitlines()) for room in line.split()}
MODULES = {
    ".".join(path.relative_to(ROOT / "wpedu").with_suffix("").parts): path
    for path in sorted((ROOT / "wpedu").rglob("*.py"))
}


def imported(source, start="wpedu"):
    """Return (module, name) for each import of a module with this start; name may be None."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            found += [(node.module or "", alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.Call) and "import" in ast.unparse(node.func):
            found += [(str(a.value), None) for a in node.args if isinstance(a, ast.Constant)]
    return [(module, name) for module, name in found if module.startswith(start)]


def rooms_imported(source):
    """Return the names in MODULES that a source imports, except the package itself."""
    found = set()
    for module, name in imported(source):
        inside = module.removeprefix("wpedu").removeprefix(".")
        found |= {inside, f"{inside}.{name}".removeprefix("."), f"{inside}.__init__"} & {*MODULES}
    return found - {"__init__"}


def test_imports_follow_the_rooms_and_never_go_in_a_circle():
    graph = {name: rooms_imported(path.read_text("utf-8")) for name, path in MODULES.items()}
    graph = {name: others - {name} for name, others in graph.items()}
    for name, others in graph.items():
        for other in others if name != "__init__" else ():
            here, there = name.split(".")[0], other.split(".")[0]
            allowed = here == there or ROOM_LINES[there] < ROOM_LINES[here]
            assert allowed, f"{name} imports {other}"
    TopologicalSorter(graph).prepare()  # raises CycleError


def test_every_name_taken_from_the_package_is_there_and_has_no_underscore():
    for path in ROOT.rglob("*.py"):
        if not {".nox", ".venv", "node_modules"} & {*path.parts}:
            for module, name in imported(path.read_text("utf-8")):
                private = re.fullmatch("_(?!support$|_).*", name or "")
                assert not private, f"{path} imports {module}.{name}"
                known = name in (None, "*") or hasattr(import_module(module), name)
                assert known, f"{path} imports {module}.{name}, which is not there"


def test_the_plain_loops_work_without_fast(run_python, tmp_path):
    shutil.copytree(ROOT / "wpedu", tmp_path / "wpedu")
    shutil.copytree(ROOT / "datasets", tmp_path / "datasets")
    shutil.rmtree(tmp_path / "wpedu" / "fast")
    start = tmp_path / "wpedu" / "__init__.py"
    lines = start.read_text(encoding="utf-8").splitlines(keepends=True)
    start.write_text("".join(x for x in lines if "wpedu.fast" not in x), encoding="utf-8")
    code = """
from wpedu.corpus import load_corpus
from wpedu.encoding import LoopEncoder
from wpedu.training import build_vocab, train_plain
counts = load_corpus("homer").word_counts
merges = train_plain(counts, 3)
print(merges, LoopEncoder(build_vocab(counts, merges)).encode("▁the"))
"""
    out = run_python("-P", "-c", code, PYTHONPATH=str(tmp_path), PYTHONUTF8="1").stdout
    assert out.strip() == "[('t', 'h'), ('th', 'e'), ('a', 'n')] ['▁', 'the']"


def test_the_readme_lists_every_notebook_with_its_question():
    assert table(sorted((ROOT / "notebooks").glob("*.ipynb"))) in README, "run notebooks/execute.py"


def test_the_site_documents_every_public_module():
    api = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    documented = re.findall(r"automodule:: wpedu\.?(\S*)", api)
    rooms = {name for name in MODULES if not re.search(r"(^|\.)_(?!_init__)", name)}
    assert {*documented} == {re.sub(r"\.?__init__$", "", name) for name in rooms}


def test_the_examples_of_the_readme_are_right():
    readme = str(ROOT / "README.md")
    assert doctest.testfile(readme, module_relative=False, encoding="utf-8").failed == 0


@pytest.mark.long
def test_what_the_readme_and_the_docstrings_show_passes_mypy(run_python, tmp_path):
    write_snippets(tmp_path)
    run = run_python("-m", "mypy", "--cache-dir", tmp_path / "cache", tmp_path, check=False)
    assert run.stdout.startswith("Success"), run.stdout


def test_import_is_light(run_python):
    heavy = "{'numpy', 'pandas', 'matplotlib', 'pooch', 'requests', 'tqdm', 'dask', 'distributed'}"
    code = f"import sys, wpedu; print(sorted({heavy} & set(sys.modules)))"
    assert run_python("-c", code).stdout.strip() == "[]"


def test_without_matplotlib_figures_say_what_to_install_and_help_works(run_python):
    code = "import sys; sys.modules['matplotlib'] = None; import wpedu; help(wpedu); wpedu.figures"
    run = run_python("-c", code, check=False)
    assert "The walk, one module for each step" in run.stdout
    assert run.stderr.splitlines()[-1].endswith("matplotlib: pip install matplotlib")


PIPELINE = """
from wpedu import *
homer = load_corpus("homer")
wp = WordPiece(num_merges=300).fit(homer.word_counts)
splits = {word: list("▁" + word) for word in homer.word_counts}
print(ascii(wp.merges), ascii(wp.vocab), ascii(to_bert_vocab(wp.vocab)))
print(ascii(wp.tokenize(homer.opening)), ascii(pair_gains(splits, homer.word_counts)))
"""


def test_output_does_not_depend_on_hash_seed_or_locale(run_python):
    outputs = {
        run_python("-c", PIPELINE, PYTHONHASHSEED=seed, LC_ALL=locale).stdout
        for seed, locale in [("0", "C"), ("1", "C.UTF-8")]
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 10_000


def test_the_wheel_holds_the_package_and_its_data(run_python, tmp_path):
    options = ["-q", "--no-deps", "--no-build-isolation", "-w", tmp_path]
    run_python("-m", "pip", "wheel", *options, ROOT)
    wheel = zipfile.ZipFile(next(tmp_path.glob("*.whl")))
    wheel.extractall(tmp_path)
    data = {path for path in wheel.namelist() if "/datasets/" in path}
    folders = (ROOT / "datasets").glob("*/*")
    tracked = [*folders, ROOT / "datasets" / "register.toml"]
    assert data == {f"wpedu/{path.relative_to(ROOT).as_posix()}" for path in tracked}
    code = """
import wpedu
from wpedu.corpus import registered_files
homer = wpedu.load_corpus("homer")
print(wpedu.__file__, homer.word_counts.total(), len(homer.opening))
print(len(wpedu.load_vocab("bert-base-uncased")))
print(len(registered_files("dickens")), len(wpedu.load_corpus("dickens").word_counts))
"""
    out = run_python("-P", "-c", code, PYTHONPATH=str(tmp_path)).stdout.split()
    assert out == [str(tmp_path / "wpedu" / "__init__.py"), "312886", "100", "30522", "14", "43111"]
