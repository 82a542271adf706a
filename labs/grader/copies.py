"""Say which answers are the same as the solution's, or as each other's, names aside."""

import keyword
import re
from typing import Any

from .notebooks import Notebook, cells, read_cells
from .submissions import Job, Row

LONG = 80  # tokens: a shorter function leaves too little room to differ, as do bare values
LARGEST = 20 * 2**20  # bytes of a notebook that is compared
Shapes = dict[str, tuple[Any, ...]]
TOKEN = re.compile(
    r"(?s)\"{3}.*?\"{3}|'{3}.*?'{3}|#[^\n]*|[^\W\d]\w*|\"[^\"\n]*\"|'[^'\n]*'|[\w.]+|[^\s\w]"
)


def shape(source: str) -> tuple[Any, ...]:
    """Return the tokens of code, with a number for each name: no comments, no spacing."""
    names: dict[str, int] = {}
    found = []
    for token in TOKEN.findall(source):
        if token[0] != "#" and token[:3] not in ('"""', "'''"):
            is_name = token.isidentifier() and not keyword.iskeyword(token)
            found.append(names.setdefault(token, len(names)) if is_name else token)
    return tuple(found)


def long_shapes(answers: dict[str, str]) -> Shapes:
    """Return the shapes of those answers that leave room to differ."""
    given = {n: t for n, t in answers.items() if "def " in t and "NotImplementedError" not in t}
    shapes = {name: shape(text) for name, text in given.items()}
    return {name: made for name, made in shapes.items() if len(made) >= LONG}


def note_copies(rows: list[tuple[Row, Job | None]], solved: dict[str, list[Notebook]]) -> None:
    """Add to each row whose longer answers are the same as others'; no points are lost."""
    found: dict[str, list[tuple[Row, Shapes]]] = {}
    for row, job in rows:
        if job and job.path.stat().st_size <= LARGEST:
            try:
                given = read_cells(job.path.read_bytes())
            except ValueError:
                continue
            answers = {n for n, g, _ in cells(solved[row["lab"]][0]) if not g["locked"]}
            mine = {cell["name"]: cell["source"] for cell in given if cell["name"] in answers}
            found.setdefault(row["lab"], []).append((row, long_shapes(mine)))
    for lab, handed_in in found.items():
        texts = [{n: c["source"] for n, _, c in cells(notebook)} for notebook in solved[lab]]
        solutions = [("the solution", long_shapes(text)) for text in texts]
        for row, mine in handed_in:
            others = [(other["student"], theirs) for other, theirs in handed_in if other is not row]
            same = _same(mine, solutions)[:1] or _same(mine, others)
            if same:
                more = f" and {len(same) - 3} more" if len(same) > 3 else ""
                told = f"longer answers the same, names aside, as {', '.join(same[:3])}{more}"
                row["note"] = "; ".join(filter(None, [row["note"], told]))


def _same(mine: Shapes, others: list[tuple[str, Shapes]]) -> list[str]:
    """Return those who have the same in more than half of the answers."""
    same = []
    for who, theirs in others:
        equal = sum(theirs.get(name) == made for name, made in mine.items())
        if 2 * equal > len(mine):
            same.append(who)
    return same
