"""The labs with nbgrader itself, as a teacher grades them; it takes minutes, so it runs separately.

pip install -e '.[labs,test]' && pytest -o addopts="" labs/test_nbgrader.py
"""

import csv
import filecmp
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

LABS = Path(__file__).parent
sys.path.insert(0, str(LABS))
pytest.importorskip("nbgrader")

from grader import sandbox  # noqa: E402
from grader.table import COLUMNS  # noqa: E402
from make_release import make_release  # noqa: E402
from other_corpora import made_up  # noqa: E402

NAMES = sorted(path.parent.name for path in LABS.glob("source/*/*.ipynb"))
LAB = "lab2_gains"


def changed(version="source", name=LAB, **sources):
    """Return a notebook with other sources in some cells; None removes a cell."""
    path = LABS / version / name / f"{name}.ipynb"
    content = json.loads(path.read_text(encoding="utf-8"))
    for cell in list(content["cells"]):
        key = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if key in sources:
            cell["source"] = sources[key]
            if sources[key] is None:
                content["cells"].remove(cell)
    return content


def solution(key):
    cells = changed()["cells"]
    named = {cell["metadata"].get("nbgrader", {}).get("grade_id"): cell for cell in cells}
    return "".join(named[key]["source"])


def saved(content):
    return json.dumps(content, ensure_ascii=False).encode()


def packed(**files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def copied():
    content = changed()
    some = [c for c in content["cells"] if "test_paper" in str(c) or "'setup'" in str(c)]
    return saved(content | {"cells": content["cells"] + some})


def without_marks():
    content = changed()
    for cell in content["cells"]:
        cell["metadata"].pop("nbgrader", None)
    return saved(content)


GOOD = saved(changed())
UNGRADEABLE = {  # each in a folder of its own, as what name, what it is, and what the note says
    "object": ("lab1_words.ipynb", b"{}", "it has no cells"),
    "cells empty": ("lab1_words.ipynb", b'{"cells": []}', "it has no cells"),
    "deep": ("lab1_words.ipynb", b"[" * 100_000, "it is not JSON"),
    "deep and closed": ("lab1_words.ipynb", b"[" * 100_000 + b"]" * 100_000, "it is not JSON"),
    "empty": ("lab1_words.ipynb", b"", "it is empty"),
    "cut short": ("lab1_words.ipynb", GOOD[:900], "it is not JSON"),
    "binary": ("lab1_words.ipynb", bytes(range(256)) * 99, "it is not JSON"),
    "conflict": ("lab1_words.ipynb", b"<<<<<<< HEAD\n{}", "it is not JSON"),
    "number only": ("Lab 1.ipynb", b"{}", "it has no cells"),
    "as text": ("lab1_words.ipynb.txt", b"{}", "it has no cells"),
    "nested": ("a/b c/lab1_words (1).ipynb", b"{}", "it has no cells"),
    "zipped": ("a.zip", packed(**{"../../lab1_words.ipynb": b"{}"}), "it has no cells"),
    "word": ("lab1_words.docx", b"PK", "it is not a notebook"),
    "pdf": ("answers.pdf", b"%PDF", "it is not a notebook of a lab"),
    "not a lab": ("mine.ipynb", b'{"cells": [{"source": "1"}]}', "it is not a notebook of a lab"),
    "no zip": ("a.zip", b"no zip", "it cannot be opened"),
    "zip in zip": ("a.zip", packed(**{"b.zip": packed(a="a")}), "it is not a notebook of a lab"),
    "zip too large": ("a.zip", packed(a=bytes(60 * 2**20)), "over 50 MB"),
}
INT64 = "import numpy as np\nC_a = C_t = np.int64(10)\nC_at, N, M = np.int64([7, 45, 35])"
NAN = """\
def all_gains(word_counts):
    return {pair: float("nan") for pair in pair_gains_of(word_counts)}

def pair_gains_of(word_counts):
    splits = ["▁" + word for word in word_counts]
    return dict.fromkeys(pair for split in splits for pair in zip(split, split[1:]))
"""
SPOILS = """
right = all_gains
def all_gains(word_counts):
    found = right(word_counts)
    word_counts.clear()
    return found
"""
LOOKS = "import wpedu\nwpedu.pair_gains({}, {})\nlb = math.log2\n"
LOOKS += solution("gain").replace("log2", "lb")
DRAFT = "\nassert gain_in_bits(1, 1, 1, 2, 1) == 0\ndef gain_in_bits(*_):\n    return 0"
ENDLESS = "while True:\n    try:\n        [] + {}\n    except Exception:\n        pass"
FLOOD = "while True:\n    print('x' * 1_000)"
GRADED = {  # what name, what it is, its points of 15, and what the note says
    "good": (f"{LAB}.ipynb", GOOD, "15", ""),
    "renamed": ("Untitled3.ipynb", b"\xef\xbb\xbf" + GOOD, "15", ""),
    "copied": (f"{LAB}.ipynb", copied(), "15", ""),
    "draft": (f"{LAB}.ipynb", saved(changed(gain=solution("gain") + DRAFT)), "15", ""),
    "own import": (f"{LAB}.ipynb", saved(changed(setup="import math", gain=LOOKS)), "15", ""),
    "without tests": (f"{LAB}.ipynb", saved(changed(test_paper=None, setup=None)), "15", ""),
    "own test": (f"{LAB}.ipynb", saved(changed(test_paper="", paper="gain_of_at = 1")), "13", ""),
    "no kinds": (f"{LAB}.ipynb", b'{"cells": [{"source": "1"}, 7, null]}', "0", ""),
    "ends": (f"{LAB}.ipynb", saved(changed(paper="import os\nos._exit(0)")), "13",
             "ended, and left out, in paper"),
    "no end": (f"{LAB}.ipynb", saved(changed(paper=ENDLESS)), "13",
               "timed out after 2 s of processor time in paper"),
    "no end in C": (f"{LAB}.ipynb", saved(changed(paper="sum(range(10**12))")), "13",
                    "ended, and left out, in paper"),
    "too much": (f"{LAB}.ipynb", saved(changed(paper="[0] * 10**10", negative=FLOOD)), "11",
                 "timed out after 2 s of processor time in negative"),
    "older": (f"{LAB}.ipynb", GOOD.replace(b'"test_negative"', b'"test_older"'), "15",
              "another version of this lab, without test_negative"),
    "without marks": (f"{LAB}.ipynb", without_marks(), "15", ""),
    "int64": (f"{LAB}.ipynb", saved(changed(counts=INT64)), "15", ""),
    "NaN": (f"{LAB}.ipynb", saved(changed(all_gains=NAN)), "12", ""),
    "spoils": (f"{LAB}.ipynb", saved(changed(all_gains=solution("all_gains") + SPOILS)), "12", ""),
    "zzz good": (f"{LAB}.ipynb", GOOD, "15", "same, names aside, as the solution"),
}  # fmt: skip


@pytest.fixture(scope="module")
def class_of_all_kinds(tmp_path_factory):
    """Hand in good, odd and malformed files, and grade them by the one command."""
    folder = tmp_path_factory.mktemp("class")
    handed_in = folder / "submissions"
    for student, (name, data, *_) in (UNGRADEABLE | GRADED).items():
        path = handed_in / student / name
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    older = handed_in / "good" / f"old {LAB}.ipynb"
    older.write_bytes(saved(changed("release")))
    os.utime(older, (0, 0))
    (handed_in / "nothing").mkdir()
    (handed_in / "folder" / "lab1_words.ipynb").mkdir(parents=True)
    (handed_in / "links").mkdir()
    (handed_in / "links" / "lab1_words.ipynb").symlink_to("nowhere")
    (handed_in / "links" / "lab2_gains.ipynb").symlink_to("lab2_gains.ipynb")
    (handed_in / "links" / "others").symlink_to(handed_in / "zzz good")
    os.mkfifo(handed_in / "links" / "lab3_training.ipynb")
    odd = Path(os.fsdecode(os.fsencode(handed_in) + b"/not \xff UTF-8"))
    shutil.copytree(handed_in / "object", odd)
    mac = {f"__MACOSX/._{LAB}.ipynb": b"\0\5", f"bob/._{LAB}.ipynb": b"\0\5"}
    bobs = {f"bob/{LAB}.ipynb": saved(changed("release")), "bob/notes.txt": b"x"}
    (handed_in / "bob.zip").write_bytes(packed(**bobs | mac))
    (handed_in / "é, b. (42)_77_assignsubmission_file_lab1_words.ipynb").write_bytes(b"{}")
    return folder


def grade(folder, *arguments, **settings):
    """Grade by the one command; return the rows of its table, and what it said."""
    if problem := sandbox.find_problem():
        pytest.skip(problem)
    command = [sys.executable, LABS / "grade.py", "submissions", "--csv", "out/grades.csv"]
    command += arguments
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, **settings)
    with (folder / "out" / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file)), said


@pytest.fixture(scope="module")
def table(class_of_all_kinds):
    before = {*LABS.rglob("*")}
    environment = os.environ | {"WPEDU_SECONDS": "2", "LC_ALL": "C"}
    rows, said = grade(class_of_all_kinds, env=environment)
    assert said.returncode == 0, said.stderr
    assert all("__pycache__" in str(path) for path in {*LABS.rglob("*")} - before)
    return rows


def rows_of(table, student):
    return [row for row in table if row["student"] == student]


def test_every_file_that_was_found_has_a_row(table, class_of_all_kinds):
    assert len(table) >= len(UNGRADEABLE) + len(GRADED) + 8 >= 42 + 2
    assert len({row["file"] for row in table}) == len(table)


@pytest.mark.parametrize("student", UNGRADEABLE)
def test_what_cannot_be_graded_says_why(table, student):
    (row,) = rows_of(table, student)
    assert row["points"] == "0" and row["of"] == ""
    assert row["note"].startswith("not graded: ") and UNGRADEABLE[student][2] in row["note"]
    named = "1" in UNGRADEABLE[student][0] or student == "zipped"
    assert row["lab"] == ("lab1_words" if named else "")


@pytest.mark.parametrize("student", GRADED)
def test_what_can_be_graded_gets_the_points_that_it_deserves(table, student):
    row = max(rows_of(table, student), key=lambda row: row["points"])
    _, _, points, says = GRADED[student]
    assert (row["lab"], row["points"]) == (LAB, points)
    assert row["of"] == "15"
    assert says in row["note"]


def test_folders_links_older_ones_and_odd_names_have_rows(table):
    (folder,) = rows_of(table, "folder")
    assert "there is nothing in it" in folder["note"]
    kinds = [row["note"].removeprefix("not graded: ") for row in rows_of(table, "links")]
    assert kinds == [*["it is a link"] * 2, "it is not a regular file", "it is a link"]
    assert "there is nothing in it" in rows_of(table, "nothing")[0]["note"]
    assert "it has no cells" in rows_of(table, "not \\xff UTF-8")[0]["note"]
    assert "it has no cells" in rows_of(table, "é, b. (42)_77_assignsubmission_file")[0]["note"]
    older, newest = sorted(rows_of(table, "good"), key=lambda row: row["points"])
    assert older["note"] == "not graded: another one counts" and older["points"] == ""
    assert newest["note"].startswith("of 2 notebooks, the newest; longer answers the same, ")


def test_a_zip_of_a_student_is_one(table, class_of_all_kinds):
    (row,) = rows_of(table, "bob")
    assert (row["file"], row["points"], row["of"]) == (f"bob.zip/bob/{LAB}.ipynb", "0", "15")
    assert [path.name for path in class_of_all_kinds.iterdir()] == ["submissions", "out"]


def test_feedback_says_what_was_wrong(table, class_of_all_kinds):
    page = class_of_all_kinds / "out" / "grades.feedback" / "own test" / f"{LAB}.html"
    text = page.read_text(encoding="utf-8")
    assert "<span>0 of 2</span></h2>" in text and "gain_of_at = 1</pre>" in text
    assert '<p class="not-yet">' in text and "13 of 15 points" in text
    assert "Test cell" not in text and "://" not in text


def test_a_second_run_goes_on_where_the_first_stopped(tmp_path):
    for student in ("ana", "ben"):
        (tmp_path / "submissions" / student).mkdir(parents=True)
        (tmp_path / "submissions" / student / f"{LAB}.ipynb").write_bytes(saved(changed("release")))
    first, said = grade(tmp_path)
    assert "2/2" in said.stderr
    path = tmp_path / "out" / "grades.csv"
    text = path.read_text(encoding="utf-8").replace(",0,15,", ",7,15,")
    path.write_text(text[:-9], encoding="utf-8")  # ben's row was cut short
    again, _ = grade(tmp_path)
    assert [(row["student"], row["points"]) for row in again] == [("ana", "7"), ("ben", "0")]
    assert list(first[0]) == COLUMNS


def test_all_files_of_a_project_but_the_largest_reach_its_tests(tmp_path):
    content = changed(name="project")
    work = "import os\nfor i in range(2):\n    open(f'{i}', 'wb').write(os.urandom(30 * 2**20))\n"
    work += "os.utime('0', (0, 0))\nopen(b'M\\xe9.txt', 'w').close()\nfrom helper import nothing"
    content["cells"].insert(1, {"cell_type": "code", "source": work, "metadata": {}})
    (tmp_path / "submissions" / "ana").mkdir(parents=True)
    (tmp_path / "submissions" / "ana" / "project.ipynb").write_bytes(saved(content))
    (tmp_path / "submissions" / "ana" / "helper.py").write_text("nothing = None")
    ((row,), _) = grade(tmp_path)
    assert row["points"] == row["of"]
    assert "tests did not see all files" in row["note"]


def test_points_go_back_to_moodle_and_canvas(tmp_path):
    roster = "name,id,email\nAna López,77,ana@x.org\nBen,b2,ben@x.org\nCem,c3,cem@x.org\n"
    (tmp_path / "students.csv").write_text(roster, encoding="utf-8-sig")
    none = saved(changed("release"))
    for student, data in {"Ana López_4_assignsubmission_file_": GOOD, "b2": none, "?": b""}.items():
        (tmp_path / "submissions" / student).mkdir(parents=True)
        (tmp_path / "submissions" / student / f"{LAB}.ipynb").write_bytes(data)
    _, said = grade(tmp_path, "--roster", "students.csv")
    assert "Look at these:\n  not in the roster, or not once: ?\n" in said.stderr
    assert (tmp_path / "out" / "grades.moodle.csv").read_text(encoding="utf-8").splitlines() == [
        "ID number,Email address,lab2_gains",
        "77,ana@x.org,15",
        "b2,ben@x.org,0",
        "c3,cem@x.org,-",
    ]
    assert (tmp_path / "out" / "grades.canvas.csv").read_text(encoding="utf-8").splitlines() == [
        "Student,ID,SIS User ID,SIS Login ID,Section,lab2_gains",
        "    Points Possible,,,,,15",
        "Ana López,,77,ana@x.org,,15",
        "Ben,,b2,ben@x.org,,0",
        "Cem,,c3,cem@x.org,,",
    ]


def test_the_students_version_is_what_nbgrader_makes(tmp_path):
    make_release(tmp_path / "release")
    for name in NAMES:
        made, committed = (
            f / name / f"{name}.ipynb" for f in (tmp_path / "release", LABS / "release")
        )
        assert filecmp.cmp(made, committed, shallow=False), f"run labs/make_release.py: {name}"


@pytest.mark.parametrize(
    "seed, letters", [("1", None), ("autumn", "in Devanagari"), ("2027-B", "with accents")]
)
def test_a_class_has_labs_of_its_own(tmp_path, seed, letters):
    make_release(tmp_path / "course", seed, letters and made_up(letters))
    for student, labs in [("own", tmp_path / "course/source"), ("public", LABS / "source"),
                          ("blank", tmp_path / "course/release")]:  # fmt: skip
        ignore = shutil.ignore_patterns("ruff.toml", "corpus.txt")  # who forgets it gets ours
        shutil.copytree(labs, tmp_path / "submissions" / student, ignore=ignore)
    rows, _ = grade(tmp_path, "--course", "course")
    assert sorted((row["student"], row["lab"]) for row in rows) == [
        (student, name) for student in ("blank", "own", "public") for name in NAMES
    ]
    for row in rows:
        got, of = int(row["points"]), int(row["of"])
        right = {"own": got == of, "public": 2 * got < of, "blank": got == 0}
        assert right[row["student"]], row
    release = "".join(p.read_text("utf-8") for p in tmp_path.glob("course/release/*/*.ipynb"))
    assert "../source" not in release and "BEGIN" not in release
    assert not [*tmp_path.glob("course/*/project/corpus.txt")]
