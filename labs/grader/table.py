"""The rows of `grades.csv`, each written as soon as its notebook is graded."""

import csv
import fcntl
import io
import os
import re
from pathlib import Path
from typing import Any

import regex

from .submissions import Row

COLUMNS = ["student", "lab", "points", "of", "by hand", "failed", "note", "file", "sha256"]
COLUMNS += ["version"]
AGAIN = "not graded yet"  # how the note on a failure of the machine begins


def show(text: Any) -> str:
    """Return `text` so that it is safe to write, print, and open in a spreadsheet.

    A file's name need not be UTF-8, can contain lines or a hundred spaces, or begin like a formula.
    """
    text = os.fsencode(str(text)).decode("utf-8", "backslashreplace")
    hidden = [c for c in text if not c.isprintable() or regex.match(r"[\p{DI}\u2800]", c)]
    text = " ".join(text.split()).translate({ord(c): ascii(c)[1:-1] for c in hidden})
    # A formula may begin after what separates fields.
    return re.sub(r"(^|[;,|；，])([\s\"]*)(?=[=+@＝＋＠－﹦﹢﹫﹣-])", r"\1\2'", text)


class Table:
    """The rows, in memory and in a CSV file."""

    def __init__(self, path: Path):
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self.lock = os.open(path.with_name(f".{path.name}.lock"), os.O_CREAT | os.O_RDWR)
        try:  # until this process ends
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{path} is in use: wait for the other grade.py") from None
        text = path.read_text("utf-8-sig", "replace") if path.exists() else ""
        try:
            self.rows: list[Row] = [*(reader := csv.DictReader(io.StringIO(text, newline="")))]
            graded = all(re.fullmatch(r"(\d+(\.\d+)?)?", r.get("points") or "") for r in self.rows)
            if not graded or reader.fieldnames not in (None, COLUMNS, COLUMNS[:-1]):
                raise csv.Error
        except csv.Error:  # of a field that is too long, too
            raise ValueError(f"{path} is not a table that grade.py wrote: move it") from None

    def keep(self, wanted: list[Row]) -> int:
        """Drop all rows except those that would be graded as they were; begin to write.

        Return how many of these files were graded, but in another way.
        """
        graded_by = {(row["file"], row["sha256"]): [row["version"], row["lab"]] for row in wanted}
        before = [(row, graded_by.get((row["file"], row["sha256"]))) for row in self.rows]
        same = [row for row, now in before if [row.get("version"), row["lab"]] == now]
        self.rows = [row for row in same if not row["note"].startswith(AGAIN)]
        new = self.path.with_name(self.path.name + ".new")
        with new.open("w", encoding="utf-8-sig", newline="") as file:  # Excel wants the mark
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(self.rows)
        new.replace(self.path)
        return sum(now is not None for _, now in before) - len(same)

    def add(self, row: Row) -> str:
        """Write a row, and return it as a line to print."""
        row = {c: "" if row.get(c) is None else show(row[c]) for c in COLUMNS}
        self.rows.append(row)
        with self.path.open("a", encoding="utf-8", newline="") as file:
            csv.DictWriter(file, COLUMNS).writerow(row)
        got = f"{row['points'] or '-'} of {row['of'] or '-'}"
        return "  ".join([row["student"], row["lab"] or row["file"], got, row["note"]])
