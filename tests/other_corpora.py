"""Texts that are not Homer, and the code of a notebook run on them in this process."""

import re

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from wpedu import load_corpus

# Dickens's words in other letters: with accents; in an alphabet; and with vowel signs, which are
# marks.
LETTERS = {
    "in Latin letters": {},
    "with accents": str.maketrans("wkyEU", "éçàÉÊ"),
    "in Georgian letters": {ord("a") + i: ord("ა") + i for i in range(26)},
    "in Devanagari": str.maketrans("abcdefghijklmnopqrstuvwxyz", "ाबचदेफगहिजकलमनोपखरसतुवथङयझ"),
}


def made_up(letters: str) -> str:
    """Return a text of a few pages, in letters that `LETTERS` names."""
    words = [word for word, count in load_corpus("dickens").word_counts.items() if count > 9]
    text = " ".join(2 * words[:1_500])
    if letters in ("in Georgian letters", "in Devanagari"):
        text = text.lower()
    return text.translate(LETTERS[letters])


LOADING = 'load_corpus("homer")'


def outputs_on(notebook, path=None) -> dict[int, str]:
    """Return what each code cell shows as text, by its index; with the corpus at `path`."""
    shell = InteractiveShell.instance()
    shell.reset()
    shown = {}
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            source = cell.source
            if path is not None:
                source = source.replace(LOADING, f"load_corpus({str(path)!r})")
            with capture_output() as captured:
                result = shell.run_cell(source)
            try:
                result.raise_error()
            except Exception as error:
                error.add_note(f"in cell {i}:\n{cell.source}")
                raise
            displayed = [output.data.get("text/plain", "") for output in captured.outputs]
            shown[i] = re.sub(r"^Out\[\d+\]: ?", "", captured.stdout, flags=re.MULTILINE)
            shown[i] = "".join([shown[i], *displayed]).strip()
    return shown
