"""Say which answers are the same as the solution's, or as each other's, names aside."""

from collections.abc import Iterable
from typing import Any

from pygments import lex
from pygments.lexers import PythonLexer
from pygments.token import String, Token

from .notebooks import Cell, Notebook, cells
from .submissions import Job, Row

LONG = 80  # tokens: a shorter function leaves too little room to differ, as do bare values


def shape(source: str) -> tuple[Any, ...]:
    """Return the tokens of code, with a number for each name: no comments, no spacing."""
    names: dict[str, int] = {}
    found: list[Any] = []
    for kind, text in lex(source, PythonLexer()):
        if kind in Token.Name:
            found.append(names.setdefault(text, len(names)))
        elif text.strip() and kind not in Token.Comment and kind not in String.Doc:
            found.append(text)
    return tuple(found)


def long_shapes(cells: Iterable[Cell]) -> set[tuple[Any, ...]]:
    """Return the shapes of those answers that leave room to differ."""
    texts = [cell["source"] for cell in cells if "def " in cell["source"]]
    made = [shape(text) for text in texts if "NotImplementedError" not in text]
    return {one for one in made if len(one) >= LONG}


def note_copies(rows: list[tuple[Row, Job | None]], solved: dict[str, list[Notebook]]) -> None:
    """Note whose longer answers are the same as others', more than half; no points are lost."""
    for lab, solutions in solved.items():
        right = [{n: c for n, g, c in cells(one) if g["solution"]} for one in solutions]
        known = [("the solution", long_shapes(answers.values())) for answers in right]
        handed_in = []
        for row, job in rows:
            if job and row["lab"] == lab:
                handed_in.append((row, long_shapes(c for c in job.cells if c["name"] in right[0])))
        for row, mine in handed_in:
            others = known + [(one["student"], its) for one, its in handed_in if one is not row]
            same = [who for who, its in others if 2 * len(mine & its) > len(mine)]
            if same := list(dict.fromkeys(same)):
                more = f" and {len(same) - 3} more" if len(same) > 3 else ""
                told = f"longer answers the same, names aside, as {', '.join(same[:3])}{more}"
                row["note"] = "; ".join(filter(None, [row["note"], told]))
