"""Who is in the class: reading a roster, and writing points as Moodle and Canvas import them."""

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

import regex

from .submissions import PLATFORMS, plain
from .table import show

Person = dict[str, str]


def read_roster(path: Path) -> list[Person]:
    """Return the people in a table: each with id, email, and name or folder.

    Raise ValueError with a sentence that says what is wrong.
    """
    text = _decode(path).lstrip()
    separator = max(",;\t|", key=text.partition("\n")[0].count)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        rows = [(reader.line_num, row) for row in reader if any(field.strip() for field in row)]
    except csv.Error as error:
        raise ValueError(f"{path} is not a table ({error}): close all quotes") from None
    known = {name: title for title, names in PLATFORMS["columns"].items() for name in names}
    titles = [known.get(plain(field), plain(field)) for field in rows[0][1]] if rows else []
    lacks = {"id", "email"} - {*titles} or not {"name", "folder", "first", "last"} & {*titles}
    if lacks or any(title in known.values() and titles.count(title) > 1 for title in titles):
        told = "it needs name (or folder), id and email, each once"
        raise ValueError(f"{path} has the columns {', '.join(titles)[:200] or '(none)'}: {told}")
    people = []
    for line, row in rows[1:]:
        broken = any("\n" in field or "\r" in field for field in row)
        if broken or len(row) != len(titles):
            told = f"{path} has {len(row)} fields in line {line}, and {len(titles)} titles"
            raise ValueError(f"{told}: close all quotes, and quote names with a separator in them")
        person = dict(zip(titles, map(str.strip, row)))
        both = f"{person.get('first', '')} {person.get('last', '')}".strip()
        person.setdefault("name", both or person.get("folder", ""))
        people.append(person)
    for title in ("id", "email", "folder"):
        for value, times in Counter(plain(person.get(title, "")) for person in people).items():
            if value and times > 1:
                raise ValueError(f"{path} has the {title} {show(value)} twice: change one")
    return people


def _decode(path: Path) -> str:
    data = path.read_bytes()
    for encoding in ["utf-16"] if b"\0" in data[:4] else ["utf-8-sig", "cp1252"]:
        with suppress(UnicodeDecodeError):
            if "\0" not in (text := data.decode(encoding)):
                return text
    raise ValueError(f"{path} is not text: save the table as CSV, in UTF-8")


def find_person(people: list[Person], label: str) -> int | None:
    """Return the owner of a submission, or None: by folder, or else by name or the roster's id.

    A platform's numbers at the end belong to no name. What fits two people is nobody's.
    """
    owner, whole = re.sub(PLATFORMS["files"]["label_end"], "", label), plain(label) or None
    ours = {plain(owner), _letters(owner)} - {""}
    fits = [n for n, p in enumerate(people) if plain(show(p.get("folder", ""))) == whole] or [
        n for n, p in enumerate(people) if ours & {plain(show(p["id"])), *_spellings(p["name"])}
    ]
    return fits[0] if len(fits) == 1 else None


def _letters(name: str) -> str:
    """Return the letters of a name without accents; marks of other scripts are letters."""
    name = normalize("NFD", name.casefold()).replace("ı", "i")  # a small I in Turkish
    return regex.sub(r"[^\p{L}\p{M}\p{N}]|[\u0300-\u036f]", "", name)


@cache
def _spellings(name: str) -> set[str]:
    """Return a name, and its letters, whichever of its words comes first, as Canvas has them."""
    words = (name := show(name)).replace(",", " ").split()
    return {plain(name)} | {_letters("".join(words[n:] + words[:n])) for n in range(len(words))}


def write_for_platforms(
    rows: list[Mapping[str, Any]], people: list[Person], worth: Mapping[str, int], grades: Path
) -> list[str]:
    """Write two tables beside `grades`; return what to look at, such as submissions of nobody.

    `worth` has the points of each lab. README.md says what the platforms' imports expect, and
    links to the sources.
    """
    claims, said = dict[tuple[int, str], list[Mapping[str, Any]]](), set[str]()
    for row in rows:
        if (person := find_person(people, row["student"])) is None:
            said.add(f"not in the roster, or not once: {row['student']}")
        elif row["lab"] and row["points"] != "":  # a replaced notebook has no points
            claims.setdefault((person, row["lab"]), []).append(row)
    got = {key: max((row["points"] for row in some), key=float) for key, some in claims.items()}
    for (person, lab), some in claims.items():
        # Canvas numbers each file of a person.
        labels = {re.sub(r"(?:_LATE)?(_\d+)_\d+$", r"\1", r["student"]): r["student"] for r in some}
        if len(labels) > 1:  # the best counts, so that nobody can lower another's
            told = f"more than one for {show(people[person]['name'])} in {lab}, the best counts"
            said.add(f"{told}: {', '.join(sorted(labels.values()))}")
    labs = sorted({lab for _, lab in claims})
    moodle = [["ID number", "Email address", *labs]]
    canvas = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *labs]]
    canvas.append(["    Points Possible", "", "", "", "", *(str(worth[lab]) for lab in labs)])
    for number, person in enumerate(people):
        ours, theirs = ([got.get((number, lab), none) for lab in labs] for none in ("-", ""))
        moodle.append([person["id"], person["email"], *ours])
        # Canvas takes a row with these words for the one above.
        name = re.sub("(?i)(points) (possible)", r"\1_\2", show(person["name"]))
        canvas.append([name, "", person["id"], person["email"], "", *theirs])
    for platform, table in {"moodle": moodle, "canvas": canvas}.items():
        with grades.with_suffix(f".{platform}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(table)
    return sorted(said)
