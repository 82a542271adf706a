"""Find answers that a person should look at: those that could deceive the tests, or copies.

The tests run in the same kernel as the answers, so no test can be safe from them. This reads the
answers, without running them, and lists the names that no answer in these labs needs.
"""

import ast
import re
from collections.abc import Iterator
from typing import Any

from .notebooks import Cell, graded_cells

USUAL = """abc argparse ast bisect collections contextlib copy csv dataclasses decimal difflib
email enum fractions functools heapq io itertools json math matplotlib numbers numpy operator
pandas pathlib pprint random re regex statistics string textwrap time tqdm
typing unicodedata urllib warnings wpedu"""
UNUSUAL = """get_ipython builtins sys os ctypes gc inspect subprocess importlib threading signal
socket exec eval compile globals locals vars setattr delattr getattr In Out open_code breakpoint
f_globals f_locals f_back f_builtins gi_frame cr_frame ag_frame tb_frame f_lineno settrace
setprofile import_module displayhook excepthook ast_transformers input_transformers_cleanup
input_transformers_post clear_output attrgetter methodcaller get_type_hints ForwardRef
read_pickle ctypeslib"""
LONGEST = 20_000  # characters of a cell, and 1,000 of a string: reading longer ones takes too long
MODULES = set(USUAL.split())
NAMES = set(UNUSUAL.split())
TOLD = NAMES - {"In", "Out", "sys", "os", "signal", "compile"}  # also as a string
CHECKS = {"same", "close", "secret", "digest", "ends", "built_here", "AssertionError"}
HARMLESS = {"time", "timeit", "matplotlib", "pip", "conda", "precision", "who", "whos", "pinfo"}
DUNDERS = {"__init__", "__post_init__", "__name__", "__file__", "__doc__", "__main__"}
PRIVATE = {"_", "_asdict", "_replace", "_fields"}


def unusual(notebook: Any) -> list[str]:
    """Return the names in a matched notebook that no answer needs, in order of first occurrence."""
    found: dict[str, None] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code" and not _locked(cell):  # locked ones are the lab's own
            found.update(dict.fromkeys(_unusual(cell.source)))
    return list(found)


def _locked(cell: Any) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("locked"))


def _unusual(source: str, depth: int = 0) -> Iterator[str]:
    from IPython.core.inputtransformer2 import TransformerManager

    if len(source) > LONGEST:
        yield f"a cell of {len(source):,} characters"
        return
    commands = len(re.findall(r"^\s*[%!]|=\s*[%!]|\?\s*$", source, re.M))
    if commands > 50:
        yield f"a cell of {commands:,} commands"
        return
    try:
        nodes = list(ast.walk(ast.parse(TransformerManager().transform_cell(source))))
    except (SyntaxError, ValueError):
        return  # Python will not run it either
    except (RecursionError, MemoryError, RuntimeError) as error:
        yield f"a cell that cannot be read ({type(error).__name__})"
        return
    magic = {}
    for node in nodes:
        for shell, name, texts in _magics(node):
            magic[shell] = True
            if name in HARMLESS and depth < 3:
                for text in texts:
                    yield from _unusual(text, depth + 1)
            else:
                yield f"%{name}"
    imports = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    modules = {alias.asname or alias.name for node in imports for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.split(".")[0] not in MODULES)
            yield from (a.asname for a in node.names if a.asname in CHECKS)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or "."
            if module.split(".")[0] not in MODULES:
                yield module
            elif module != "wpedu.labs":
                names = [name for a in node.names for name in (a.name, a.asname or a.name)]
                yield from (name for name in names if name in CHECKS)
            for alias in node.names:
                yield from _named(alias.name)
        elif isinstance(node, ast.Global):  # a test's names are global
            yield "global"
        elif isinstance(node, ast.Name):
            if node not in magic:
                yield from _named(node.id)
            if node.id in CHECKS and not isinstance(node.ctx, ast.Load):
                yield node.id
        elif isinstance(node, ast.Attribute):
            if not (node.attr == "compile" and getattr(node.value, "id", "") in ("re", "regex")):
                yield from _named(node.attr)
            if not isinstance(node.ctx, ast.Load):
                owner = getattr(node.value, "id", "")
                yield from [node.attr] * (node.attr in CHECKS)
                yield from [f"{owner}.{node.attr} ="] * (owner in modules)
            private = re.match("_[a-zA-Z]", node.attr) and node.attr not in PRIVATE
            if private and getattr(node.value, "id", "") != "self":
                yield node.attr
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node.name in CHECKS:
                yield node.name
            yield from _named(node.name)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            dunders = re.findall(r"(?<!\w)__[a-z]\w*__(?!\w)", node.value[:1_000])
            yield from (name for name in dunders if name not in DUNDERS)
            if len(node.value) > 1_000 and "__" in node.value:
                yield f"a string of {len(node.value):,} characters"
            if node.value in TOLD:
                yield node.value


def _named(name: str) -> Iterator[str]:
    dunder = re.fullmatch("__[a-z]\\w*__", name) and name not in DUNDERS
    if name in NAMES or dunder:
        yield name


def _magics(node: ast.AST) -> Iterator[tuple[ast.Name, str, list[str]]]:
    """Yield for a magic command, as IPython writes it: its `get_ipython`, its name, and texts."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return
    shell = node.func.value.func if isinstance(node.func.value, ast.Call) else None
    texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if not (isinstance(shell, ast.Name) and shell.id == "get_ipython"):
        return
    if node.func.attr in ("run_line_magic", "run_cell_magic") and len(texts) == len(node.args):
        code = texts[1:] if texts[0] in ("time", "timeit") else texts[2:]
        yield shell, texts[0], code
    elif node.func.attr in ("system", "getoutput"):
        yield shell, "system", []


def copied(cells: list[Cell], source: Any) -> str:
    """Return a sentence if more than half of the answers are those of `source`, or ""."""
    right = {
        cell.metadata.nbgrader.grade_id: _plain(cell.source)
        for cell in graded_cells(source)
        if cell.cell_type == "code" and not _locked(cell)
    }
    given = {cell["id"]: _plain(cell["source"]) for cell in cells if cell["id"] in right}
    equal = sum(given.get(name) == answer for name, answer in right.items())
    if 2 * equal <= len(right):
        return ""
    return f"{equal} of {len(right)} answers are those of the public solution, word for word"


def _plain(source: str) -> str:
    """Return code without comments and layout, so that only its tokens are compared."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
