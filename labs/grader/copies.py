"""Say which answers are the same as the solution's, or as each other's, names aside."""

from collections.abc import Iterable
from keyword import iskeyword
from typing import Any

import regex

from .notebooks import Cell, Notebook, cells
from .submissions import Job, Row

LONG = 80  # tokens: a shorter function leaves too little room to differ, as do bare values


def shape(source: str) -> tuple[Any, ...]:
    """Return the tokens of code, with a number for each name: no comments, no spacing."""
    names: dict[str, int] = {}
    tokens = regex.findall(r'"""(?s:.*?)"""|#[^\n]*|\w+|[^\w\s]', source)  # in linear time
    return tuple(
        names.setdefault(one, len(names)) if one.isidentifier() and not iskeyword(one) else one
        for one in tokens
        if not one.startswith(('"""', "#"))
    )


def long_shapes(cells: Iterable[Cell]) -> set[int]:
    """Return numbers for the shapes of those answers that leave room to differ."""
    # Where lab 4 gives broken code, the fixes leave no room.
    made = [shape(c["source"]) for c in cells if regex.search("def (?!mended)", c["source"])]
    return {hash(one) for one in made if len(one) >= LONG}


def note_copies(rows: list[tuple[Row, Job | None]], solved: dict[str, list[Notebook]]) -> None:
    """Note whose longer answers are the same as others', more than half; no points are lost."""
    for lab, solutions in solved.items():
        right = [{n: c for n, g, c in cells(one) if g["solution"]} for one in solutions]
        known = [("the solution", long_shapes(answers.values())) for answers in right]
        handed_in = []
        for row, job in rows:
            if job and row["lab"] == lab:
                last = {c["name"]: c for c in job.cells if c["name"] in right[0]}
                handed_in.append((row, long_shapes(last.values())))
        for row, mine in handed_in:
            others = known + [(_word(x["student"]), its) for x, its in handed_in if x is not row]
            if same := [*dict.fromkeys(w for w, its in others if 2 * len(mine & its) > len(mine))]:
                more = f" and {len(same) - 3} more" if len(same) > 3 else ""
                told = f"longer answers the same, names aside, as {', '.join(same[:3])}{more}"
                row["note"] = "; ".join(filter(None, [row["note"], told]))


def _word(name: str) -> str:
    """Return a name that somebody chose as one word, so that it cannot go on as a note."""
    return "“" + regex.sub(r"[^\w./-]|\p{DI}", "_", name) + "”"
