"""Who is in the class: reading a roster, and writing points as Moodle and Canvas import them."""

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .submissions import plain, tell_owner

NAMES = {  # possible names of the columns, in lowercase
    "id": ("id", "id number", "idnumber", "student id", "sis user id", "matriculation number"),
    "email": ("email", "e-mail", "mail", "email address", "e-mail address", "sis login id"),
    "name": ("name", "student", "full name", "fullname", "student name"),
    "folder": ("folder",),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name", "last name/surname"),
}

Person = dict[str, str]


def read_roster(path: Path) -> list[Person]:
    """Return the people in a table: each with id, email, and name or folder.

    Raise ValueError with a sentence that says what is wrong.
    """
    text = _decode(path)
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise ValueError(f"{path} is empty: write a line of titles, and one for each student")
    separator = max(",;\t|", key=lines[0].count)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        rows = [(reader.line_num, row) for row in reader if any(field.strip() for field in row)]
    except csv.Error as error:
        raise ValueError(f"{path} is not a table ({error}): close all quotes") from None
    titles = [_title(field) for field in rows[0][1]]
    if not {"id", "email"} <= set(titles) or not {"name", "folder", "first", "last"} & set(titles):
        has = ", ".join(field.strip() for field in rows[0][1])[:200]
        raise ValueError(f"{path} has the columns {has}: it needs name (or folder), id, email")
    twice = [title for title in titles if title in NAMES and titles.count(title) > 1]
    if twice:
        raise ValueError(f"{path} has two columns for {twice[0]}: leave one of them out")
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
    if not people:
        raise ValueError(f"{path} has titles only: write a line for each student")
    for title in ("id", "folder"):
        for value, times in Counter(person.get(title) for person in people).items():
            if value and times > 1:
                raise ValueError(f"{path} has the {title} {value} twice: each needs their own")
    return people


def _decode(path: Path) -> str:
    data = path.read_bytes()
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[1:2] == b"\0"
    for encoding in ["utf-16"] if wide else ["utf-8-sig", "cp1252", "latin-1"]:
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            if "\0" not in text:
                return text
    raise ValueError(f"{path} is not text: save the table as CSV, in UTF-8")


def _title(field: str) -> str:
    name = " ".join(field.strip().casefold().split())
    return next((title for title, names in NAMES.items() if name in names), name)


def find_person(people: list[Person], label: str) -> int | None:
    """Return the owner of a submission, or None: by name or folder, or else by the roster's id.

    A platform's own numbers are not the roster's ids.
    """
    owner = tell_owner(label, loose=False)
    names = {plain(label), plain(owner.name)} - {""}
    letters = _letters(owner.name)
    ids = {plain(label), plain(owner.own_id)} - {""}
    tries = [
        [n for n, p in enumerate(people) if {plain(p.get("folder", "")), plain(p["name"])} & names],
        [n for n, p in enumerate(people) if letters and letters in _turned(p["name"])],
        [n for n, p in enumerate(people) if plain(p["id"]) in ids],
    ]
    fits = next(filter(None, tries), [])
    if len(fits) > 1:  # of one name: only the id can tell them apart
        fits = [n for n in fits if plain(people[n]["id"]) in ids]
    return fits[0] if len(fits) == 1 else None


def _letters(name: str) -> str:
    kept = unicodedata.normalize("NFD", name.casefold())
    return re.sub(r"[\W_]|[\u0300-\u036f]", "", kept)


def _turned(name: str) -> set[str]:
    """Return the letters of a name, whichever of its words comes first, as Canvas has them."""
    words = name.replace(",", " ").split()
    return {_letters("".join(words[n:] + words[:n])) for n in range(len(words))}


def write_for_platforms(
    rows: list[Mapping[str, Any]], people: list[Person], worth: Mapping[str, int], folder: Path
) -> list[str]:
    """Write `moodle.csv` and `canvas.csv`; return what to look at, such as submissions of nobody.

    `worth` has the points of each lab. README.md says what the platforms' imports expect, and
    links to the sources.
    """
    got: dict[int, dict[str, str]] = {}
    claims: dict[tuple[int, str], set[str]] = {}
    said = set()
    for row in rows:
        person = find_person(people, row["student"])
        if person is None:
            said.add(f"not in the roster, or not once: {row['student']}")
        elif row["lab"] and row["points"] != "":  # a replaced notebook has no points
            graded, lab = got.setdefault(person, {}), row["lab"]
            graded[lab] = max(graded.get(lab, "0"), row["points"], key=float)
            if row["of"]:
                claims.setdefault((person, lab), set()).add(row["student"])
    for (person, lab), labels in claims.items():
        if len(labels) > 1:  # the best counts, so that nobody can lower another's
            told = f"more than one for {people[person]['name']} in {lab}, the best counts"
            said.add(f"{told}: {', '.join(sorted(labels))}")
    labs = sorted({lab for graded in got.values() for lab in graded})
    moodle = [["ID number", "Email address", *labs]]
    canvas = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *labs]]
    canvas.append(["    Points Possible", "", "", "", "", *(str(worth[lab]) for lab in labs)])
    for number, person in enumerate(people):
        graded = got.get(number, {})
        who = [person["name"], "", person["id"], person["email"], ""]
        moodle.append([person["id"], person["email"], *(graded.get(lab, "-") for lab in labs)])
        canvas.append([*who, *(graded.get(lab, "") for lab in labs)])
    for platform, table in {"moodle": moodle, "canvas": canvas}.items():
        with (folder / f"{platform}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(table)
    return sorted(said)
