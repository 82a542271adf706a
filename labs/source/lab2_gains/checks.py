"""What the test cells of the labs use: comparing, ending, and whose work it is.

This file travels with every lab. Nothing in it is secret. `built_here` looks at the syntax tree of
the cell that an answer stands in, and of the cells which that one uses, and refuses whatever comes
from a library that has the answer already.
"""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from types import ModuleType
from typing import Any

LIBRARIES = ("wpedu", "tokenizers", "transformers", "sentencepiece", "tensorflow_text")
BY_NAME = ("__import__", "import_module", "exec", "eval")  # ways to import by a string


def same(got: Any, expected: Any, sentence: str) -> None:
    """Raise AssertionError, with a sentence that says why, unless `got` is `expected`.

    >>> same(["a", "aa"], ["aa", "a"], "Begin at the left.")
    Traceback (most recent call last):
        ...
    AssertionError: Begin at the left.
      expected: ['aa', 'a']
      got:      ['a', 'aa']
    """
    if got != expected:
        raise AssertionError(
            f"{sentence}\n  expected: {_short(expected)}\n  got:      {_short(got)}"
        )


def close(got: Any, expected: float, sentence: str, within: float = 1e-9) -> None:
    """Raise AssertionError unless `got` is a number, at most `within` times `expected` off.

    >>> close(1 / 3, 0.333, "Count again.", within=0.01)
    """
    if not isinstance(got, (int, float)) or abs(got - expected) > within * max(1, abs(expected)):
        raise AssertionError(f"{sentence}\n  expected: {expected}\n  got:      {_short(got)}")


def secret(got: Any, digest: str, sentence: str) -> None:
    """Raise AssertionError unless `got` is what `digest` was made from.

    So a test can tell you that your answer is right, and you cannot read the answer in the test.

    >>> secret(("e", "a"), "43619cdda18d", "Not the best pair.")
    """
    if sha256(repr(got).encode()).hexdigest()[:12] != digest:
        raise AssertionError(f"{sentence}\n  got:      {_short(got)}")


def ends(function: Callable[..., Any], *arguments: Any, lines: int = 100_000) -> Any:
    """Return `function(*arguments)`; raise AssertionError if it runs through too many lines.

    A loop that never ends is stopped, and the message says what it was called with.

    >>> ends(str.upper, "a")
    'A'
    """
    left = lines

    def count(frame: Any, event: str, argument: Any) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            called = ", ".join(map(_short, arguments))
            raise AssertionError(
                f"After {lines:,} lines of code there is no answer yet with {called}: "
                f"it takes too long, or never comes to an end."
            )
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return function(*arguments)
    finally:
        sys.settrace(before)


def built_here(name: str, notebook: Mapping[str, Any], may_use: Iterable[str] = ()) -> None:
    """Raise AssertionError unless the notebook has `name`, and built it without the libraries.

    `notebook` is the notebook's `globals()`; Jupyter keeps the cells that were run in it, as `In`.
    From the libraries, the names in `may_use` may be used, and no others.
    """
    allowed, seen, names = set(may_use), set(), [name]
    if name not in notebook:
        raise AssertionError(f"There is no `{name}` yet: run the cell that you wrote it in.")
    trees = [tree for tree in map(_parse, notebook["In"]) if tree]
    while names:
        used = names.pop()
        if used in seen or used in allowed:
            continue
        seen.add(used)
        _refuse(_library(notebook.get(used)), used, name)
        for node in _work(used, trees, whole=used == name):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    _refuse(alias.name.split(".")[0] in LIBRARIES, alias.name, name)
            elif isinstance(node, ast.ImportFrom):
                known = (node.module or "").split(".")[0] in LIBRARIES
                for alias in node.names:
                    _refuse(known and alias.name not in allowed, alias.name, name)
            elif isinstance(node, ast.Name) and _is_load(node):
                _refuse(node.id in BY_NAME, node.id, name)
                names.append(node.id)
            elif isinstance(node, ast.Attribute):
                _refuse(node.attr in BY_NAME, node.attr, name)


def _refuse(refused: bool, used: str, name: str) -> None:
    if refused:
        raise AssertionError(
            f"`{name}` is what this task builds, and its cell uses `{used}`: write it yourself."
        )


def _library(value: Any) -> bool:
    """Whether `value` is a module, a function or a class of one of the libraries."""
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    is_code = callable(value) or isinstance(value, ModuleType)
    return is_code and str(module).split(".")[0] in LIBRARIES


def _work(name: str, trees: list[ast.Module], whole: bool) -> Iterator[ast.AST]:
    """Yield what is in the last cell that defines `name`, or in its statements that do.

    Names that are local to a function are left out.
    """
    for tree in reversed(trees):
        defining = [statement for statement in tree.body if name in _defined(statement)]
        for statement in tree.body if whole and defining else defining:
            nodes = list(ast.walk(statement))
            local = {node.arg for node in nodes if isinstance(node, ast.arg)}
            if isinstance(statement, ast.FunctionDef):
                local |= {n.id for n in nodes if isinstance(n, ast.Name) and not _is_load(n)}
            yield from (n for n in nodes if not isinstance(n, ast.Name) or n.id not in local)
        if defining:
            return


def _is_load(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _parse(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


def _defined(statement: ast.stmt) -> set[str]:
    """Return the names that a statement at the top level of a cell gives a value."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.split(".")[0] for alias in statement.names}
    names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
    return {node.id for node in names if not _is_load(node)}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 300 else text[:300] + " …"
