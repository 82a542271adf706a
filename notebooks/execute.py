"""Execute the notebooks in place: each top to bottom in a fresh kernel, then normalized.

What is left in a notebook is its cells, their outputs and nothing of the machine that ran them.

    python notebooks/execute.py                 all of them
    python notebooks/execute.py PATH ...        some
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def execute(path: Path) -> None:
    """Execute the notebook at `path` and write it back; on an error, leave it as it was."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, resources={"metadata": {"path": path.parent}}).execute()
    normalize(notebook)
    nbformat.write(notebook, path)


def normalize(notebook: nbformat.NotebookNode) -> None:
    """Drop what depends on the kernel and the clock; name the cells by their places."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for i, cell in enumerate(notebook.cells):
        cell.id = f"cell-{i}"
        cell.metadata = nbformat.from_dict({})


if __name__ == "__main__":
    for path in (
        map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(Path(__file__).parent.glob("*.ipynb"))
    ):
        execute(path)
        print(path.name)
