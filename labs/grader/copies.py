"""Say which answers are the same as the solution's, or as each other's, names aside."""

from typing import Any

from pygments import lex
from pygments.lexers import PythonLexer
from pygments.token import String, Token

from .notebooks import Notebook, cells
from .submissions import Job, Row

LONG = 80  # tokens: a shorter function leaves too little room to differ, as do bare values
Shapes = dict[str, tuple[Any, ...]]


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


def long_shapes(texts: dict[str, str]) -> Shapes:
    """Return the shapes of those answers that leave room to differ."""
    given = {n: t for n, t in texts.items() if "def " in t and "NotImplementedError" not in t}
    return {name: made for name, text in given.items() if len(made := shape(text)) >= LONG}


def note_copies(rows: list[tuple[Row, Job | None]], solved: dict[str, list[Notebook]]) -> None:
    """Note whose longer answers are the same as others', more than half; no points are lost."""
    for lab, solutions in solved.items():
        texts = [{n: c["source"] for n, g, c in cells(one) if g["solution"]} for one in solutions]
        right = [("the solution", long_shapes(text)) for text in texts]
        handed_in = []
        for row, job in rows:
            if job and row["lab"] == lab:
                mine = {c["name"]: c["source"] for c in job.cells if c["name"] in texts[0]}
                handed_in.append((row, long_shapes(mine)))
        for row, mine in handed_in:
            others = right + [(one["student"], its) for one, its in handed_in if one is not row]
            same = [who for who, its in others if 2 * len(mine.items() & its.items()) > len(mine)]
            if same := list(dict.fromkeys(same)):
                more = f" and {len(same) - 3} more" if len(same) > 3 else ""
                told = f"longer answers the same, names aside, as {', '.join(same[:3])}{more}"
                row["note"] = "; ".join(filter(None, [row["note"], told]))
