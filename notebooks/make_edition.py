"""Write the series for another corpus: a folder to hand out.

    python notebooks/make_edition.py PATH FOLDER

PATH is a text in UTF-8 or a folder of .txt files, and FOLDER is new or empty.
Open FOLDER/notebooks/00_start_here.ipynb. Notebooks 00 to 06, 08 and 10 are
executed on a copy of the text, FOLDER/notebooks/corpus. Paragraphs about
Homer are marked there, because the outputs beside them are about the text.
The other notebooks are copied, and so are the files that they link to. Each
copied notebook begins by saying that it does not use the text.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import nbformat
from execute import execute
from nbclient.exceptions import CellExecutionError

from wpedu import load_corpus

NOTEBOOKS = Path(__file__).resolve().parent
PROJECT = NOTEBOOKS.parent
EXECUTED = ("00", "01", "02", "03", "04", "05", "06", "08", "10")
LOADING = 'load_corpus("homer")'
FEWEST = 2_000  # characters

FIRST_LINE = """\
> **An edition for {name}.** The code runs on {name} ({size:,} characters), \
not on Homer. Where a paragraph marked **Homer:** tells his words and numbers, \
the outputs here show those of {name}.

"""
FIRST_LINE_OF_OTHERS = """\
> **An edition for {name}.** Notebooks 00 to 06, 08 and 10 run on {name}. This \
notebook is the original, and does not use {name}.

"""

HOMER = re.compile(r"\b(?:Homer|Iliad|Odyssey|Butler)\b")
FENCED = re.compile(r"(^```.*?^```$|^\$\$.*?\$\$$)", re.DOTALL | re.MULTILINE)
PART = re.compile(r"[^\n]+(?:\n(?!\s*(?:[-*]|\d+\.) )[^\n]+)*")
ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")
UNMARKED = ("#", "<", "|", "    ", ">")  # headings, HTML, tables, code, quotes
LINK = re.compile(r"(!?)\[([^]]*)\]\((?!\w+:|#)([^)\s#?]+)[^)\s]*\)")


def mark_homer(markdown: str) -> str:
    """Mark the paragraphs, and the items of lists, that name Homer.

    >>> mark_homer("A pair.\\n\\nIn Homer, it is `th`.")
    'A pair.\\n\\n> **Homer:** In Homer, it is `th`.'
    """
    parts = FENCED.split(markdown)
    parts[::2] = [PART.sub(_mark, part) for part in parts[::2]]
    return "".join(parts)


def _mark(part: re.Match[str]) -> str:
    text = part[0]
    if not HOMER.search(text) or text.startswith(UNMARKED):
        return text
    if item := ITEM.match(text):
        return f"{item[0]}**Homer:** {text[item.end() :]}"
    return "> **Homer:** " + text.replace("\n", "\n> ")


def check(path: Path, folder: Path) -> int:
    """Return the length of the text at `path`, or raise an error."""
    size = len(load_corpus(path).text)
    if size < FEWEST:
        raise ValueError(
            f"{path} has only {size:,} characters: give at least {FEWEST:,}, "
            f"or better 8,000"
        )
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file: give a new folder")
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"{folder} is not empty: give a new folder")
    if not folder.resolve().parent.is_dir():
        raise ValueError(f"{folder.parent} does not exist: create it first")
    return size


def make_edition(path: Path, folder: Path) -> None:
    """Write the edition for the text at `path` into `folder`, or nothing."""
    size = check(path, folder)
    folder = folder.resolve()
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        edition = Path(temporary, folder.name)
        copy_corpus(path, edition / "notebooks" / "corpus")
        names = {
            "name": f"`{path.resolve().stem.replace('`', '')}`",
            "size": size,
        }
        copy_linked(edition, FIRST_LINE_OF_OTHERS.format_map(names))
        for source in sorted(NOTEBOOKS.glob("*.ipynb")):
            write(source, edition / "notebooks" / source.name, names)
            print(source.name, flush=True)
        if folder.exists():
            folder.rmdir()
        os.replace(edition, folder)


def write(source: Path, target: Path, names: dict[str, object]) -> None:
    """Write a notebook of the edition, executed if it runs on any corpus."""
    notebook = nbformat.read(source, as_version=4)
    if source.name[:2] not in EXECUTED:
        line = FIRST_LINE_OF_OTHERS.format_map(names)
        notebook.cells[0].source = line + notebook.cells[0].source
        nbformat.write(notebook, target)
        return
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = mark_homer(cell.source)
        else:
            cell.source = cell.source.replace(LOADING, 'load_corpus("corpus")')
    line = FIRST_LINE.format_map(names)
    notebook.cells[0].source = line + notebook.cells[0].source
    nbformat.write(notebook, target)
    try:
        execute(target)
    except CellExecutionError as error:
        raise ValueError(
            f"{source.name} fails on this text ({error.ename}: {error.evalue}):"
            f" give another, or longer, text"
        ) from error


def copy_corpus(path: Path, target: Path) -> None:
    """Copy a text, or those of a folder, into the new folder `target`."""
    target.mkdir(parents=True)
    texts = [path] if path.is_file() else path.glob("*.txt")
    for text in filter(Path.is_file, texts):
        shutil.copyfile(text, target / f"{text.stem}.txt")


def copy_linked(edition: Path, first_line: str) -> None:
    """Copy the files that the notebooks link to, with their pictures.

    Links that lead from these files to others become plain text, and notebooks
    among them begin with `first_line`.
    """
    notebooks = sorted(NOTEBOOKS.glob("*.ipynb"))
    linked = dict.fromkeys(notebooks)
    for notebook in notebooks:
        for cell in nbformat.read(notebook, as_version=4).cells:
            if cell.cell_type == "markdown":
                for link in LINK.finditer(cell.source):
                    linked[(NOTEBOOKS / link[3]).resolve()] = None

    for source in list(linked)[len(notebooks) :]:
        target = edition / source.relative_to(PROJECT)
        target.parent.mkdir(parents=True, exist_ok=True)

        def relink(link: re.Match[str], source: Path = source) -> str:
            file = (source.parent / link[3]).resolve()
            if link[1]:
                shutil.copyfile(file, edition / file.relative_to(PROJECT))
            return link[0] if link[1] or file in linked else link[2]

        shutil.copyfile(source, target)
        change_prose(target, lambda prose: LINK.sub(relink, prose))
        if target.suffix == ".ipynb":
            notebook = nbformat.read(target, as_version=4)
            notebook.cells[0].source = first_line + notebook.cells[0].source
            nbformat.write(notebook, target)


def change_prose(path: Path, change: Callable[[str], str]) -> None:
    """Change the Markdown of a notebook or a page; leave other files alone."""
    if path.suffix == ".md":
        text = path.read_text(encoding="utf-8")
        path.write_text(change(text), encoding="utf-8")
    elif path.suffix == ".ipynb":
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = change(cell.source)
        nbformat.write(notebook, path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told = "a text in UTF-8, or a folder of .txt files"
    parser.add_argument("path", type=Path, help=told)
    told = "a new folder for the edition"
    parser.add_argument("folder", type=Path, help=told)
    arguments = parser.parse_args()
    try:
        make_edition(arguments.path, arguments.folder)
    except (ValueError, OSError) as error:
        sys.exit(f"{parser.prog}: {error}")
