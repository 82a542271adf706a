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
import tomllib
from collections.abc import Callable
from pathlib import Path

import nbformat
from choose_words import Choice, choose_words, script
from execute import execute
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from prose_numbers import CODE_SPAN, shown, stated
from right_to_left import isolate
from substitution import cell_of, fill, replace, roles

from wpedu import load_corpus
from wpedu._support.fonts import legible

NOTEBOOKS = Path(__file__).resolve().parent
PROJECT = NOTEBOOKS.parent
EXECUTED = ("00", "01", "02", "03", "04", "05", "06", "08", "10")
LOADING = 'load_corpus("homer")'
FEWEST = 2_000  # characters
ENOUGH = 8_000
EDITION = tomllib.loads((NOTEBOOKS / "edition.toml").read_text("utf-8"))

FIRST_LINE = """\
> **An edition for {name}.** The code runs on {name} ({size:,} characters), \
not on Homer. Where a paragraph marked **Homer:** tells his words and numbers, \
the outputs here show those of {name}.{more}

"""
FIRST_LINE_OF_OTHERS = """\
> **An edition for {name}.** Notebooks 00 to 06, 08 and 10 run on {name}. This \
notebook is the original, and does not use {name}.

"""
UNSPACED = (
    " {name} puts no spaces between words: most of its words are phrases."
)
NOTE = "> **Note:** {}"

NAMES = re.compile(
    r"\b(?:Homer|Iliad|Odyssey|Butler|Achilles|Ulysses|Odysseus|Trojans?|Troy|Achaeans"
    r"|English(?! word))\b"
)
FENCED = re.compile(r"(^```.*?^```$|^\$\$.*?\$\$$)", re.DOTALL | re.MULTILINE)
PART = re.compile(r"[^\n]+(?:\n(?!\s*(?:[-*]|\d+\.) )[^\n]+)*")
ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")
UNMARKED = ("#", "<", "|", "    ", ">")  # headings, HTML, tables, code, quotes
LINK = re.compile(r"(!?)\[([^]]*)\]\((?!\w+:|#)([^)\s#?]+)[^)\s]*\)")


def mark_homer(markdown: str, homers: str = "", others: str = "") -> str:
    """Mark the paragraphs, and the items of lists, that speak of Homer.

    They name him, or quote what only `homers` has, not `others`: a word in a
    code span, or a number.

    >>> mark_homer("A pair.\\n\\nThe best is `th`.", "th 301", "ka 77")
    'A pair.\\n\\n> **Homer:** The best is `th`.'
    """
    his_words, his_numbers = words(homers) - words(others), shown(homers)
    other_numbers = shown(others)

    def mark(part: re.Match[str]) -> str:
        text = part[0]
        spans = " ".join(span[2] for span in CODE_SPAN.finditer(text))
        is_his = (
            NAMES.search(text)
            or words(spans) & his_words
            or any(
                number.is_among(his_numbers)
                and not number.is_among(other_numbers)
                for number in stated(text)
            )
            or text.startswith(tuple(EDITION["homers"]["marked"]))
        )
        unmarked = (*UNMARKED, *EDITION["homers"]["unmarked"])
        if not is_his or text.startswith(unmarked):
            return text
        if item := ITEM.match(text):
            return f"{item[0]}**Homer:** {text[item.end() :]}"
        return "> **Homer:** " + text.replace("\n", "\n> ")

    parts = FENCED.split(markdown)
    parts[::2] = [PART.sub(mark, part) for part in parts[::2]]
    return "".join(parts)


def words(text: str) -> set[str]:
    """Return the words in code or in an output, without a ▁ or ## before."""
    return set(re.findall(r"[^\W\d_]+", text))


def output(cell: NotebookNode) -> str:
    """Return what a code cell shows, as text."""
    return "\n".join(
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for output in cell.outputs
    )


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def compared(homer: NotebookNode, edition: NotebookNode) -> tuple[str, str]:
    """Return what only Homer's cells may show, and what others show as well.

    The first is the code and the output of each cell that an edition changes;
    the second is the edition's code, and the lines that are the same.
    """
    homers, others = [], []
    for ours, theirs in zip(
        code_cells(homer), code_cells(edition), strict=True
    ):
        same = set(output(theirs).splitlines())
        others += [theirs.source, *same.intersection(output(ours).splitlines())]
        if ours.source != theirs.source or output(ours) != output(theirs):
            homers += [ours.source, output(ours)]
    return "\n".join(homers), "\n".join(others)


def substitute(notebook: NotebookNode, number: str, choice: Choice) -> None:
    """Put a text's words in place of Homer's.

    Prose about a word that is not good for its role stays Homer's, and a note
    below the cell says why.
    """
    old, notes = EDITION["words"], EDITION["notes"]
    changes: dict[str, dict[str, str]] = {}
    below: dict[str, list[str]] = {}
    for snippet in EDITION["snippets"].get(number, []):
        cell = cell_of(snippet, notebook, old)
        poor = roles(snippet) & choice.poor
        if cell.cell_type == "code" or not poor:
            was = fill(snippet, old, cell.cell_type)
            new = fill(snippet, choice.words, cell.cell_type)
            if cell.cell_type == "markdown":
                new = isolate(new)
            changes.setdefault(cell.id, {})[was] = new
        if cell.cell_type == "code":
            below.setdefault(cell.id, []).extend(sorted(poor))
    for cell in list(notebook.cells):
        cell.source = replace(cell.source, changes.get(cell.id, {}))
        told = [notes[role] for role in below.get(cell.id, []) if role in notes]
        for note in dict.fromkeys(told):
            text = NOTE.format(note.format_map(choice.words))
            index = notebook.cells.index(cell) + 1
            notebook.cells.insert(index, new_markdown_cell(text))


def check(path: Path, folder: Path) -> int:
    """Return the length of the text at `path`, or raise an error."""
    size = len(load_corpus(path).text)
    if size < FEWEST:
        raise ValueError(
            f"{path} has only {size:,} characters: give at least {FEWEST:,}, "
            f"or better 8,000"
        )
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise ValueError(f"{folder} is not an empty folder: give a new one")
    if not folder.resolve().parent.is_dir():
        raise ValueError(f"{folder.parent} does not exist: create it first")
    return size


def make_edition(path: Path, folder: Path) -> None:
    """Write the edition for the text at `path` into `folder`, or nothing."""
    size = check(path, folder)
    choice = choose_words(load_corpus(path))
    name = f"`{path.resolve().name.replace('`', '')}`"
    for told in warnings(load_corpus(path).text, choice):
        print(told, flush=True)
    folder = folder.resolve()
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        edition = Path(temporary, folder.name)
        copy_corpus(path, edition / "notebooks" / "corpus")
        line_of_others = FIRST_LINE_OF_OTHERS.format(name=name)
        if choice.from_the_right:
            module = NOTEBOOKS / "right_to_left.py"
            shutil.copyfile(module, edition / "notebooks" / module.name)
        more = UNSPACED.format(name=name) if choice.unspaced else ""
        if "short" in choice.poor:
            more += f" {EDITION['notes']['short']}"
        line = FIRST_LINE.format(name=name, size=size, more=more)
        copy_linked(edition, line_of_others)
        for source in sorted(NOTEBOOKS.glob("*.ipynb")):
            target = edition / "notebooks" / source.name
            if source.name[:2] in EXECUTED:
                write(source, target, line, choice)
            else:
                shutil.copyfile(source, target)
                change_prose(target, without_playground, line_of_others)
            print(source.name, flush=True)
        if folder.exists():
            folder.rmdir()
        os.replace(edition, folder)


def warnings(text: str, choice: Choice) -> list[str]:
    """Return what a teacher should know of a text before it is an edition."""
    told = []
    if len(text) < ENOUGH:
        told.append(
            f"The text has only {len(text):,} characters: few words repeat, so "
            f"many examples are rare words; {ENOUGH:,} or more are better."
        )
    blank = [char for char in sorted({*text}) if char.isalpha()]
    blank = [char for char in blank if legible(char) != char]
    if blank:
        font = f"Noto Sans {script(blank[0]).capitalize()}"
        told.append(
            f"Figures will show {legible(blank[0])} for {blank[0]}, and the "
            f"like for {len(blank)} characters: install the font {font} first "
            f"(Debian and Ubuntu: fonts-noto-core; fonts-noto-cjk for Chinese, "
            f"Japanese and Korean)."
        )
    return told + [
        note.format_map(choice.words)
        for role, note in EDITION["notes"].items()
        if role in choice.poor
    ]


def without_playground(markdown: str) -> str:
    """Remove what leads to a page that an edition does not have."""

    def without_page(link: re.Match[str]) -> str:
        return link[2] if link[3].endswith(".html") else link[0]

    links = r"\*\*Play with it\.\*\*[^\n]*\n*|\[Playground\]\([^)]*\) · "
    markdown = re.sub(links, "", markdown)
    return LINK.sub(without_page, markdown)


def write(source: Path, target: Path, line: str, choice: Choice) -> None:
    """Write a notebook that is about the text, executed and marked."""
    homer = nbformat.read(source, as_version=4)
    notebook = nbformat.read(source, as_version=4)
    substitute(notebook, source.name[:2], choice)
    for cell in code_cells(notebook):
        cell.source = cell.source.replace(LOADING, 'load_corpus("corpus")')
    if choice.from_the_right:
        first = code_cells(notebook)[0]
        first.source = f"import right_to_left\n\n{first.source}"
    nbformat.write(notebook, target)
    try:
        execute(target)
    except CellExecutionError as error:
        raise ValueError(
            f"{source.name} fails on this text ({error.ename}: {error.evalue}):"
            f" give another, or longer, text"
        ) from error
    homers, others = compared(homer, nbformat.read(target, as_version=4))
    good = sorted(choice.words.keys() - choice.poor)  # which prose may name
    others += f"\n{[choice.words[role] for role in good]}"
    change_prose(
        target,
        lambda prose: mark_homer(without_playground(prose), homers, others),
        line,
    )


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
                prose = without_playground(cell.source)
                for link in LINK.finditer(prose):
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
        change_prose(target, lambda prose: LINK.sub(relink, prose), first_line)


def change_prose(
    path: Path, change: Callable[[str], str], first_line: str
) -> None:
    """Change the Markdown of a notebook or a page; leave other files alone.

    A notebook then begins with `first_line`.
    """
    if path.suffix == ".md":
        text = path.read_text(encoding="utf-8")
        path.write_text(change(text), encoding="utf-8")
    elif path.suffix == ".ipynb":
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = change(cell.source)
        notebook.cells[0].source = first_line + notebook.cells[0].source
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
