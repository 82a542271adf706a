"""Execute the notebooks in place: each in a fresh kernel, then normalized.

A notebook keeps its cells and their outputs, and no trace of the machine
that ran them. The README's table of the notebooks is written anew. Where
pyproject.toml names the address of the published site, as `Documentation` in
`[project.urls]`, notebooks and README link there, and else to local files.

    python notebooks/execute.py                 all of them
    python notebooks/execute.py PATH ...        some

To fold a cell whose output settles a question, give it the tag `hide-output`;
the rest is done here. The explanation is folded too, in the Markdown cell
below, with the blank lines:

    <details><summary>Why</summary>

    `▁t` is 2.61 times as frequent as chance predicts.

    </details>
"""

import re
import sys
import tomllib
from pathlib import Path

import nbformat
from nbclient import NotebookClient

PROJECT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
SITE = SETTINGS["project"].get("urls", {}).get("Documentation")
METADATA = {
    "kernelspec": {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
FOLDED = {"jupyter": {"outputs_hidden": True}, "tags": ["hide-output"]}
WIDGET = "application/vnd.jupyter.widget-view+json"
# JupyterLab shows the first line of a folded output, and that of this one is
# empty. nbval ignores it, and running the cell removes it.
NOTHING = {"output_type": "display_data", "data": {}, "metadata": {}}


def execute(path: Path) -> None:
    """Execute the notebook at `path` and write it back, unless it fails."""
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": path.parent}}
    # What a cell prints in several steps is one output, however it was sent.
    client = NotebookClient(notebook, resources=place, coalesce_streams=True)
    # Without this, each kernel warns that its connection is not encrypted.
    client.extra_arguments = ["--log-level=ERROR"]
    client.execute()
    normalize(notebook)
    nbformat.write(notebook, path)


def normalize(notebook: nbformat.NotebookNode) -> None:
    """Drop what depends on kernel and clock; name cells by their indices.

    A cell that is folded stays folded.
    """
    notebook.metadata = nbformat.from_dict(METADATA)
    for i, cell in enumerate(notebook.cells):
        cell.id = f"cell-{i}"
        folded = cell.cell_type == "code" and is_folded(cell)
        cell.metadata = nbformat.from_dict(FOLDED if folded else {})
        if cell.cell_type == "code":
            cell.outputs = without_progress(cell.outputs)
            if folded:
                cell.outputs.insert(0, nbformat.from_dict(NOTHING))
        elif cell.cell_type == "markdown":
            cell.source = linked(cell.source, SITE)


def linked(text: str, site: str | None) -> str:
    """Return `text` with links to the site at that address, if there is one.

    >>> linked("[Play](../docs/playground/index.html?text=a)", "https://x.org")
    '[Play](https://x.org/playground/index.html?text=a)'
    """
    playground = r"\]\([^)\s]*/playground/index\.html"
    folder = site or "../docs"
    text = re.sub(playground, f"]({folder}/playground/index.html", text)
    named = f"[The site]({site}) contains" if site else "The site contains"
    return re.sub(r"(\[The site\]\(\S+\)|The site) contains", named, text)


def is_folded(cell: nbformat.NotebookNode) -> bool:
    """Return whether the output of `cell` is hidden until it is asked for."""
    hidden = cell.metadata.get("jupyter", {}).get("outputs_hidden", False)
    return bool(hidden) or "hide-output" in cell.metadata.get("tags", [])


def without_progress(
    outputs: list[nbformat.NotebookNode],
) -> list[nbformat.NotebookNode]:
    """Return `outputs` without progress bars and without the empty one.

    Progress bars are widgets, and lines that overwrite themselves.
    """
    kept = []
    for output in outputs:
        if WIDGET in output.get("data", {}) or output == NOTHING:
            continue
        if output.output_type == "stream" and "\r" in output.text:
            text = re.sub(r"[^\n]*\r[^\n]*\n?", "", output.text)
            if not text.strip():
                continue
            output = nbformat.from_dict({**output, "text": text})
        kept.append(output)
    return kept


def table(paths: list[Path]) -> str:
    """Return the README's table of the notebooks, with their questions."""
    rows = ["| notebook | its question |", "| --- | --- |"]
    for path in paths:
        opening = nbformat.read(path, as_version=4).cells[0].source
        question = re.search(r"^\*\*(.+)\*\*$", opening, re.MULTILINE)
        rows.append(f"| [{path.stem}](notebooks/{path.name}) | {question[1]} |")
    return "\n".join(rows)


if __name__ == "__main__":
    everything = sorted(Path(__file__).parent.glob("*.ipynb"))
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else everything:
        execute(path)
        print(path.name)
    readme = PROJECT / "README.md"
    text = readme.read_text(encoding="utf-8")
    old = re.search(r"\| notebook \|.*?(?=\n\n)", text, re.DOTALL)[0]
    new = linked(text.replace(old, table(everything)), SITE)
    readme.write_text(new, encoding="utf-8", newline="\n")
