"""Write the code that the README and the public docstrings show as modules for a type checker.

`python tests/snippets.py FOLDER`, then `basedpyright FOLDER`; test_packaging.py asks mypy.
"""

import ast
import doctest
import re
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parent.parent
# The names that the README's sentences leave to the reader.
README_START = """import wpedu
from wpedu import *
wp, path, folder, paths = WordPiece(), "a", "b", ["c"]
word_counts = {"a": 1}
"""


def write_snippets(folder: Path) -> None:
    """Write a module for the README, and one for the examples of each public name."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = [example.source for example in doctest.DocTestParser().get_examples(readme)]
    shown += [f"{span}\n" for span in re.findall(r"`([^`\n]+)`", readme) if _calls(span)]
    (folder / "readme.py").write_text(README_START + "".join(shown), encoding="utf-8")
    for path in sorted((ROOT / "wpedu").rglob("[!_]*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        module = import_module(name)
        for test in doctest.DocTestFinder().find(module, name):
            names = test.name.removeprefix(name).split(".")[1:]
            if test.examples and names and names[0] in getattr(module, "__all__", []):
                source = "".join(example.source for example in test.examples)
                file = folder / f"{test.name.replace('.', '_')}.py"
                file.write_text(f"from {name} import *\n{source}", encoding="utf-8")


def _calls(span: str) -> bool:
    try:
        return any(isinstance(node, ast.Call) for node in ast.walk(ast.parse(span)))
    except SyntaxError:
        return False


if __name__ == "__main__":
    write_snippets(Path(sys.argv[1]))
