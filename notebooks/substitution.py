"""Put other words in place of those in notebooks, for editions and labs."""

import json
import re
from collections.abc import Mapping, Sequence
from string import Template

from nbformat import NotebookNode

# A word, a number, or several: with commas between them, and pairs in
# parentheses.
Words = str | int | Sequence["Words"]


def replace(text: str, changes: Mapping[str, str]) -> str:
    """Return `text` with all `changes` made at once, the longest first.

    >>> replace("the sea", {"the": "sea", "sea": "the"})
    'sea the'
    """
    longest_first = sorted(changes, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first)) or r"(?!)"
    return re.sub(pattern, lambda match: changes[match[0]], text)


def quoted(string: str) -> str:
    """Return a string as code: in double quotes, and with its letters."""
    return json.dumps(string, ensure_ascii=False)


def literal(words: Words, inside: bool = False) -> str:
    """Return `words` as a snippet of code has them: a string in its quotes.

    >>> print(literal("sea"), literal(1_000), literal([("q", "u"), "sea"]))
    sea 1_000 ("q", "u"), "sea"
    """
    if isinstance(words, int):
        return f"{words:_}"
    if isinstance(words, str):
        return quoted(words) if inside else quoted(words)[1:-1]
    items = [literal(word, inside=True) for word in words]
    # In a line, strings that run from the right would change places.
    from_the_right = re.search("[\u0590-\u08ff]", "".join(items))
    listed = (",\n    " if from_the_right else ", ").join(items)
    return f"({listed})" if inside else listed


def prose(words: Words) -> str:
    """Return `words` as prose has them."""
    return f"{words:,}" if isinstance(words, int) else str(words)


def roles(snippet: str) -> set[str]:
    """Return the roles in a snippet: those of `"▁$cut", 1` are {"cut"}."""
    return set(Template(snippet).get_identifiers())


def fill(snippet: str, words: Mapping[str, Words], cell_type: str) -> str:
    """Return a snippet of a cell of this type with `words` for its roles."""
    write = literal if cell_type == "code" else prose
    return Template(snippet).substitute(
        {role: write(words[role]) for role in roles(snippet)}
    )


def cell_of(
    snippet: str, notebook: NotebookNode, words: Mapping[str, Words]
) -> NotebookNode:
    """Return the one cell that has a snippet, filled with `words`."""
    having = [
        cell
        for cell in notebook.cells
        if fill(snippet, words, cell.cell_type) in cell.source
    ]
    if len(having) != 1:
        raise ValueError(
            f"{len(having)} cells have the snippet {snippet!r}: correct it in "
            f"notebooks/edition.toml, so that one has it"
        )
    return having[0]
