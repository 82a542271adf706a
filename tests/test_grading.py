"""What the grader does with files, names, and rosters, before and after any kernel runs."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

LABS = Path(__file__).parent.parent / "labs"
sys.path.insert(0, str(LABS))
import grade  # noqa: E402
from grader import copies, feedback, notebooks, rosters, submissions, table, wall  # noqa: E402

import wpedu  # noqa: E402

LAB = "lab2_gains"
EMPTY = '{"cells": [{}]}'


def lab(version="source", name=LAB):
    return notebooks.read(name, version)


def as_cells(notebook):
    return notebooks.read_cells(json.dumps(notebook).encode())


# Who handed in what


def arrange(folder, files):
    """Return the rows for these files, each with its content and age in seconds, and the jobs.

    The content of a zip is a dictionary of files.
    """
    for name, (content, age) in files.items():
        path = folder / "submissions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            with zipfile.ZipFile(path, "w") as archive:
                for one in content.items():
                    archive.writestr(*one)
        os.utime(path, (10**9 - age, 10**9 - age))
    unpacked = folder / "unpacked"
    unpacked.mkdir()
    return grade.arrange(submissions.find(folder / "submissions", unpacked), LABS)


def test_a_loose_file_is_beside_the_notebooks_of_its_owner_only(tmp_path):
    rows = arrange(tmp_path, {
        "bob_78_1236_project.ipynb": (EMPTY, 0),
        "lopezana_77_1237_mytext.txt": ("Ana's", 0),
        "lopezana_77_1237_project.ipynb": (EMPTY, 0),
        "bob_78_1236_notes-1.txt": ("Bob's", 0),
    })  # fmt: skip
    beside = {row["student"]: job.beside for row, job in rows}
    assert set(beside) == {"bob_78_1236", "lopezana_77_1237"}
    for name in ("notes.txt", "notes-1.txt"):
        assert beside["bob_78_1236"][name].read_text() == "Bob's"
    assert list(beside["lopezana_77_1237"]) == ["mytext.txt"]


@pytest.mark.parametrize("name", ["998_project.ipynb", "1001_project-1.ipynb"])
def test_of_files_handed_in_again_those_of_the_notebook_count(tmp_path, name):
    files = {"bob_78_999_notes.txt": "old", "bob_78_1000_notes-1.txt": "new", "bob_78_200_x": "",
             "bob_78_2000_notes.txt": "another lab's"}  # fmt: skip
    ((_, job),) = arrange(tmp_path, {
        f"bob_78_{name}": (EMPTY, 0), **{name: (text, 0) for name, text in files.items()}
    })  # fmt: skip
    assert job.beside["notes.txt"].read_text() == ("old" if "998" in name else "new")


@pytest.mark.parametrize("who", ["bob_78", "bo_b_78", "_78", "anon_k3xyz", "LATE_anon_k3xyz"])
def test_files_on_canvas_keep_their_owners_and_numbers(tmp_path, who):
    names = "project.ipynb", "text-1.txt", "text-2.txt"
    files = {f"{who}_{1_000 + n}_{name}": (EMPTY, 0) for n, name in enumerate(names)}
    ((row, job),) = arrange(tmp_path, files)
    assert {*names[1:]} < job.beside.keys() and row["note"] == ""


def test_a_broken_notebook_replaces_none_that_can_be_read(tmp_path):
    files = {"ana/lab1_words.ipynb": (EMPTY, -60), "ana/lab1_words.ipynb.bak": ("", 0)}
    (broken, _), (_, job) = arrange(tmp_path, files)
    assert job and "it is empty" in broken["note"] and "points" not in broken


def test_work_beside_a_notebook_has_a_row(tmp_path):
    names = "lab1_words.ipynb", "Untitled.ipynb", "rest.rar", "sea.png"
    assert len(arrange(tmp_path, {f"ana/{name}": (EMPTY, 0) for name in names})) == 3


@pytest.mark.parametrize("name", ["project", "lab1_words"])
def test_folders_and_modules_beside_a_project_alone_belong_to_it(tmp_path, name):
    files = ["data/text.txt", "helper.py", "tokenizers/tokenizers.abi3.so", "b.zip.txt"]
    named = [f"{name}.ipynb", "__pycache__/helper.pyc", *files]
    ((row, job),) = arrange(tmp_path, {f"ana/{one}": (EMPTY, 0) for one in named})
    assert set(job.beside) == (set(files) if name == "project" else set()) and row["note"] == ""


def test_a_name_cannot_go_on_as_a_note():
    name = "ana” and “the solution\ua4fd \u1426, \ua78c\u3164See x_77.ipynb; हिन्दी"
    assert copies._word(name).count(" ") == copies._word(name).count("\u3164") == 0
    assert "ana__and__the_solution" in copies._word(name) and "हिन्दी”" in copies._word(name)


def test_what_is_nearest_to_a_notebook_comes_first(tmp_path):
    files = {f"ana/env/lib/{number}.py": ("", -60) for number in range(1_000)}
    files |= {"ana/project.ipynb": (EMPTY, 0), "ana/corpus.txt": ("", 0)}
    ((row, job),) = arrange(tmp_path, files)
    assert "corpus.txt" in job.beside and row["note"].endswith("too many): 1")


@pytest.mark.parametrize("name", ["..", ".", "\udcff.txt"])
def test_a_file_with_an_odd_name_keeps_no_notebook_from_being_graded(tmp_path, name):
    files = {f"bob_78_{number}_{own}": (EMPTY, 0) for number, own in
             enumerate(["project.ipynb", "b.txt", name], 100)}  # fmt: skip
    ((row, job),) = arrange(tmp_path, files)
    assert set(job.beside) == {"b.txt"} and row["note"].endswith("too many): 1")


TWICE = {
    "a folder and a zip": ["ana/lab1_words.ipynb", "ana.zip"],
    "Canvas": ["lopezana_77_1234_lab1_words.ipynb", "lopezana_77_1235_lab1_words-1.ipynb"],
    "Canvas, late": ["bob_78_1236_lab1_words.ipynb", "bob_LATE_78_1300_lab1_words.ipynb"],
    "Moodle": [f"Ana_77_assignsubmission_{x}_/lab1_words.ipynb" for x in ("file", "onlinetext")],
    "two spellings": ["jose\u0301/lab1_words.ipynb", "José_lab1_words.ipynb"],
}


@pytest.mark.parametrize("names", TWICE.values(), ids=TWICE)
@pytest.mark.parametrize("newest", [0, 1])
def test_of_several_submissions_of_a_person_the_newest_counts(tmp_path, names, newest):
    if "1234" in names[0] or "1236" in names[0]:  # Canvas numbers them, whatever the date
        newest, ages = 1, [newest * 60, 0]
    else:
        ages = [(n != newest) * 60 for n in range(2)]
    inside = zipfile.ZipInfo("lab1_words.ipynb", (2100 if newest == 1 else 1990, 1, 1, 0, 0, 0))
    files = {name: ({inside: EMPTY} if name.endswith(".zip") else EMPTY, age)
             for name, age in zip(names, ages)}  # fmt: skip
    rows = arrange(tmp_path, files)
    counting = [(row, job) for row, job in rows if job]
    ((row, _),) = counting
    assert row["note"] == "of 2 notebooks, the newest" and row["file"].startswith(names[newest])
    ((other, _),) = [(row, job) for row, job in rows if not job]
    assert other["note"] == "not graded: another one counts" and "points" not in other


def test_two_people_of_one_name_stay_two(tmp_path):
    rows = arrange(tmp_path, {
        "Ana_77_assignsubmission_file_/lab1_words.ipynb": (EMPTY, 0),
        "Ana_78_assignsubmission_file_/lab1_words.ipynb": (EMPTY + " ", 0),
        "Ana/lab1_words.ipynb": (EMPTY, 0),
        "s_2024_001/lab1_words.ipynb": (EMPTY, 0), "s_2024_002_lab1_words.ipynb": (EMPTY, 0),
        "27_11_2026_ana_lab1.ipynb": (EMPTY, 0), "27_11_2026_ben_lab1.ipynb": (EMPTY, 0),
        "lab_1_2026_ana.ipynb": (EMPTY, 0), "lab_1_2026_ben.ipynb": (EMPTY, 0),
    })  # fmt: skip
    assert [bool(job) for _, job in rows] == [True] * 9


def test_a_second_claim_to_a_row_is_said_and_never_lowers_it(tmp_path):
    names = {"b1": "Ana López", "e": "Points PossPoints possibleible"}
    people = [{"id": i, "name": name, "email": "a@x"} for i, name in names.items()]
    rows = [{"student": who, "lab": LAB, "points": points, "of": "15"}
            for who, points in [("b1", "15"), ("lopezana_7_108", "0")]]  # fmt: skip
    for given in (rows, rows[::-1]):
        said = rosters.write_for_platforms(given, people, {LAB: 15}, tmp_path / "g.csv")
        told = f"more than one for Ana López in {LAB}, the best counts: b1, lopezana_7_108"
        assert said == [told]
        assert (tmp_path / "g.moodle.csv").read_text().splitlines()[1] == "b1,a@x,15"
        assert (tmp_path / "g.canvas.csv").read_text().lower().count("points possible") == 1


PEOPLE_IN_CANVAS = [{"id": i, "name": n, "email": ""} for i, n in [("9", "Bob Stone"),
                    ("1005", "Cem"), ("5", "Eve Eve")]]  # fmt: skip


@pytest.mark.parametrize("own", [
    "bob stone_9_assignsubmission_file_lab2_gains.ipynb", "bob stone_9_1_lab2_gains.ipynb",
    "Bob Stone_lab2_gains.ipynb", "9_lab2_gains.ipynb",
])  # fmt: skip
def test_a_file_of_eves_named_after_bob_stays_eves(tmp_path, own):
    rows = arrange(tmp_path, {"stonebob_9_1004_lab2_gains.ipynb": (EMPTY, 60),
                              f"eveeve_5_1005_{own}": (EMPTY, 0)})  # fmt: skip
    assert [bool(job) for _, job in rows] == [True, True]
    owners = [rosters.find_person(PEOPLE_IN_CANVAS, row["student"]) for row, _ in rows]
    assert owners.count(0) == 1


@pytest.mark.parametrize("imitation", [
    "brownbob_78_99999_x_90_1237_lab1_words.ipynb", "brownbob_78_90_1237_lab1_words.ipynb",
    "brownbob_78_99999_x_90_assignsubmission_file_lab1_words.ipynb",
    "brownbob_LATE_90_assignsubmission_file_lab1_words.ipynb",
    "brownbob_78_LATE_90_1237_lab1_words.ipynb", "brownbob_78_9000_lab1_words_90_text.html",
    "brownbob_78_5_x_90_assignsubmission_file_lab1_words.ipynb",
    "brownbob_78_0z_90_1237_lab1_words.ipynb", "brownbob_78_5_x_90_1237_lab1_words.ipynb",
])  # fmt: skip
def test_a_display_name_like_a_file_of_bobs_does_not_replace_it(tmp_path, imitation):
    files = {"brownbob_78_1236_lab1_words.ipynb": (EMPTY, 0), imitation: (EMPTY, 60)}
    rows = arrange(tmp_path, files)
    assert [bool(job) for _, job in rows] == [True, True]
    found = [rosters.find_person([{"id": "", "name": "Bob Brown"}], r["student"]) for r, _ in rows]
    assert sorted(found, key=str) == [0, None]


@pytest.mark.parametrize(
    "label", ["deedee_7_1005", "Bob Stone_1005_assignsubmission_x_7_assignsubmission_file"]
)
def test_a_platforms_number_is_not_a_rosters_id(label):
    assert rosters.find_person(PEOPLE_IN_CANVAS, label) is None


ODD = ["a\u2800\u3164b_lab1_words.ipynb", "a\nb_lab1_words.ipynb", "...zip",
       "=1+1_lab1_words.ipynb", " _lab1_words.ipynb",
       "\x1b[31mred_lab1_words.ipynb", "_", "lab1_words.ipynb", "a" * 240 + ".ipynb"]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_names_have_a_row_and_a_page_of_their_own(tmp_path, name):
    ((row, _),) = arrange(tmp_path, {name: (EMPTY, 0)})
    page = grade.page_of(tmp_path / "feedback", row)
    assert page.parent.parent == tmp_path / "feedback" and ".." not in page.parts
    line = table.Table(tmp_path / "grades.csv")
    line.keep([])
    told = line.add(row)
    assert told.isprintable() and {"\u2800", "\u3164"}.isdisjoint(told)
    assert not row["student"].startswith("=")
    page.parent.mkdir(parents=True)
    page.write_text("")
    with (tmp_path / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [r["file"] for r in csv.DictReader(file)] == [row["file"]]


def test_pages_of_different_students_are_different(tmp_path):
    names = ["..", ".", "...", "a/b", "a:b", "a_b", "x", "X ", "", "a" * 300, "a" * 301]
    pages = [grade.page_of(tmp_path, {"student": name, "lab": LAB}) for name in names]
    assert len({str(page).casefold() for page in pages}) == len(names)
    assert all(page.parent.parent == tmp_path and page.parent.name.strip(".") for page in pages)


def test_folders_in_folders_end_nothing(tmp_path):
    deep = tmp_path / "submissions" / "ana" / "/".join("d" * 60)
    deep.mkdir(parents=True)
    files = {"ben.zip": ({"d/" * 300 + "x": ""}, 0), "cem/lab1_words.ipynb": (EMPTY, 0)}
    notes = [row["note"] for row, _ in arrange(tmp_path, files)]
    assert "more than 20 folders in folders" in notes[0] and "over 50 MB" in notes[1]
    assert notes[2] == ""


# What must not cost a point, or a table


def test_a_corpus_crosses_the_wall_as_word_counts_and_a_kind_of_str_as_str():
    corpus, line = wpedu.load_corpus("homer"), wall.Line.__new__(wall.Line)
    values = [corpus, type("Pattern", (str,), {})("x")]  # such as a StrEnum
    assert wall.unpack(line.pack(values), None) == [corpus.word_counts, "x"]


def test_a_number_of_numpy_may_be_the_number_of_merges(tmp_path, monkeypatch):
    monkeypatch.setattr(wall, "SAVED", tmp_path / "wordpiece.json")
    (wp := wpedu.WordPiece().fit("sea")).num_merges = np.int64(9)
    packed = json.dumps(wall.Line.__new__(wall.Line).pack(wp))
    assert wall.unpack(json.loads(packed), None).num_merges == 9


ROW = {"student": "ana", "lab": LAB, "points": 9, "of": 15, "file": "f", "sha256": "1"}
ROW |= {"version": "v"}


def kept(path, **now):
    """Return the rows of a table that need not be graded again, and how many were graded else."""
    code = f"""import sys; sys.path.insert(0, {str(LABS)!r})
from grader.table import Table
from pathlib import Path
t = Table(Path({str(path)!r})); print(t.keep([{dict(ROW, note="") | now!r}]), len(t.rows))"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return said.stdout.strip() or said.stderr.strip().splitlines()[-1]


def test_what_is_remembered_belongs_to_labs_limits_and_versions(tmp_path):
    path = tmp_path / "grades.csv"
    first = table.Table(path)
    first.keep([])
    first.add(ROW)
    assert "is in use: wait for the other grade.py" in kept(path)  # a second grader
    os.close(first.lock)
    assert kept(path) == "0 1" and kept(path, version="other") == "1 0"
    for columns, told in [(table.COLUMNS[:-1], "1 0"), (table.COLUMNS, "0 1")]:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerow(ROW | {"by hand": 0, "failed": "", "note": ""})
        assert kept(path) == told


def test_a_table_with_a_long_field_odd_points_or_other_titles_is_not_ours(tmp_path):
    path = tmp_path / "grades.csv"
    titles = ",".join(table.COLUMNS) + "\n"
    for text in (titles + "x" * 140_000, titles + 'ana,lab2_gains,"17,5"', "Ask Ana"):
        path.write_text(text)
        assert kept(path).endswith(f"{path} is not a table that grade.py wrote: move it")


def test_a_full_disk_is_no_grade_and_is_graded_again(tmp_path, monkeypatch):
    files = {"ana/lab1_words.ipynb": (EMPTY, 0), "ben.zip": ({"lab1_words.ipynb": EMPTY}, 0)}
    first, _ = arrange(tmp_path, files)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "extract", full)
    with pytest.raises(OSError, match="No space"):
        submissions.find(tmp_path / "submissions", tmp_path)
    monkeypatch.setattr(grade, "Submission", full)
    path = tmp_path / "grades.csv"
    grades = table.Table(path)
    grades.keep([])
    grade.grade_all([first], LABS, tmp_path / "feedback", [], grades)
    (row,) = grades.rows
    assert row["points"] == row["of"] == "" and "not graded yet: this machine failed" in row["note"]
    os.close(grades.lock)
    assert kept(path, **{k: row[k] for k in ("file", "sha256", "version", "lab")}) == "0 0"


def test_a_test_in_which_python_ended_is_not_run_again(tmp_path, monkeypatch):
    job = submissions.Job(as_cells(lab()), {})
    submission = grade.Submission(job, LABS, LAB, tmp_path, [])
    ends = iter([("test_gain", "died"), ("", "")])
    monkeypatch.setattr(submission, "run", lambda until: next(ends))
    assert submission.grade()["notes"] == ["ended, and left out, in test_gain"]


def run_grade(monkeypatch, table, *arguments):
    line = ["grade.py", *map(str, arguments), "--csv", str(table)]
    monkeypatch.setattr(sys, "argv", line)
    monkeypatch.setattr(grade.sandbox, "find_problem", lambda: "")
    with pytest.raises(SystemExit) as error:
        grade.main()
    return str(error.value)


def test_a_table_that_cannot_be_written_and_ctrl_c_end_in_a_sentence(tmp_path, monkeypatch):
    (tmp_path / "in" / "ana").mkdir(parents=True)
    (tmp_path / "in" / "ana" / "lab1_words.ipynb").write_text(EMPTY)
    path = tmp_path / "grades.csv"
    path.write_text(",".join(table.COLUMNS) + "\n")
    path.with_name("a.csv").write_text(",".join(table.COLUMNS) + "\na,lab1_words,9,16,,,,b,1,v\n")
    told = "a.csv is about other files: name another table"
    assert run_grade(monkeypatch, path.with_name("a.csv"), tmp_path / "in").endswith(told)

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "replace", refuse)
    said = run_grade(monkeypatch, path, tmp_path / "in")
    assert "cannot be used (Permission denied)" in said and path.read_text()

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(grade, "find", interrupt)
    assert run_grade(monkeypatch, tmp_path / "b.csv", tmp_path / "in").startswith(
        "stopped: run the same command"
    )


PARENTS = [
    [f"in/{who}/lab1_words.ipynb" for who in ("ana", "ben", "cem")],
    [f"in/ana_{n}_100{n}_lab1_words.ipynb" for n in range(3)],
    [f"in/Ana_{n}_assignsubmission_file_/{n}.ipynb" for n in range(3)],
]


@pytest.mark.parametrize("names", PARENTS, ids=str)
def test_a_parent_of_the_submissions_is_not_one_student(tmp_path, monkeypatch, names):
    arrange(tmp_path, {"grades.csv": ("", 0)} | dict.fromkeys(names, (EMPTY, 0)))
    (tmp_path / "submissions" / names[0]).with_name("data").symlink_to("x" * 300)
    said = run_grade(monkeypatch, tmp_path / "grades.csv", tmp_path / "submissions")
    assert said == "in has several students' work: give it, unpacked, instead"


@pytest.mark.parametrize(
    "other", ["ben.zip", "ben_lab1_words.ipynb", "Ana_7_assignsubmission_file_"]
)
def test_three_versions_in_one_folder_keep_nobody_from_being_graded(tmp_path, other):
    own = "" if other.startswith("ben") else f"{other}/"
    files = [f"{own or 'ana/'}{n}/lab1_words.ipynb" for n in range(3)] + [other] * (not own)
    arrange(tmp_path, dict.fromkeys(files, (EMPTY, 0)))
    found = submissions.find(tmp_path / "submissions", tmp_path / "unpacked")
    assert submissions.find_parent(found) == ""


def test_people_whose_names_differ_in_a_letter_are_two(tmp_path):
    files = {f"{name}/{LAB}.ipynb": (EMPTY, 0) for name in ("Strauß", "Strauss")}
    assert [row["note"] for row, _ in arrange(tmp_path, files)] == ["", ""]


def test_a_notebook_is_graded_again_if_a_file_beside_it_changed(tmp_path):
    path = tmp_path / "corpus.txt"
    row, job = {"lab": LAB, "note": ""}, submissions.Job([], {"corpus.txt": path})
    versions = set()
    for text in ("one", "other"):
        path.write_text(text)
        versions.add(grade.version_of(LABS, row, job))
    assert len(versions) == 2


@pytest.mark.parametrize(
    "name", ["a;=1+1.ipynb", "a,@x", "=1", "a; -1", "a|+1", 'a;"=1', "＝1", "；﹣1"]
)
def test_no_part_of_a_name_begins_a_formula(name):
    shown = table.show(name)
    assert not any(part.strip(' "')[:1] in {*"=+-@＝﹣"} for part in re.split("[;,|；]", shown))


def test_thousands_of_files_in_a_zip_are_few_rows(tmp_path):
    many = {f"{number}.{'zip' if number % 2 else 'txt'}": "x" for number in range(4_999)}
    rows = arrange(tmp_path, {"ana/lab1_words.ipynb": (EMPTY, 0), "eve.zip": (many, 0)})
    assert len(rows) == 22 and "4,979 more files" in rows[-1][0]["note"]


@pytest.mark.parametrize("name", [
    "eve/{}.zip", "eve_79_1240_1_{}00_a.zip", "LATE_anon_eve11_{}000_2024_100_a.zip",
    "_5_{}000_a.zip",
])  # fmt: skip
def test_many_small_zips_are_one_person_s_share(tmp_path, name):
    folder = tmp_path / "submissions"
    (folder / "eve").mkdir(parents=True)
    with zipfile.ZipFile(folder / "zoe.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("lab1_words.ipynb", bytes(49 * 2**20))
    for number in range(1, 11):
        shutil.copy(folder / "zoe.zip", folder / name.format(number))
    notes = [row["note"] for row, _ in arrange(tmp_path, {"ana/lab1_words.ipynb": (EMPTY, 0)})]
    told = "not graded: all zips of one person have more than 200 MB"
    assert notes.count(told) == 5 and "" in notes and told not in notes[-1]
    assert sum(p.stat().st_size for p in (tmp_path / "unpacked").rglob("*.*")) < 300 * 2**20


LONG_ANSWER = "def gaps(text):\n    found = []\n" + "    found.append(text[1:2])\n" * 9
RENAMED = LONG_ANSWER.replace("found", "mine").replace("(text):", "(t): # mine")
RENAMED = RENAMED.replace("text", "t")


def solved_lab(gaps):
    content = lab("release", "lab1_words")
    for name, _, cell in notebooks.cells(content):
        if name == "gaps":
            cell["source"] = gaps
    return json.dumps(content)


def test_copies_are_noted_whatever_their_names_are(tmp_path):
    rows = arrange(tmp_path, {
        "ana/lab1_words.ipynb": (solved_lab(LONG_ANSWER), 0),
        "ben/lab1_words.ipynb": (solved_lab(RENAMED), 0),
        "cem/lab1_words.ipynb": (solved_lab(LONG_ANSWER.replace("1:2", "2:1")), 0),
        "dee/lab1_words.ipynb": (json.dumps(lab("source", "lab1_words")), 0),
        "eve/lab1_words.ipynb": (json.dumps(lab("release", "lab1_words")), 0),
    })  # fmt: skip
    told = "longer answers the same, names aside, as"
    assert [row["note"] for row, _ in rows] == [
        f"{told} “ben”", f"{told} “ana”", "", f"{told} the solution", ""
    ]  # fmt: skip
    mended = {"source": LONG_ANSWER.replace("gaps", "mended_2")}
    assert copies.long_shapes([mended]) == set()


def test_long_blanks_do_not_keep_a_class_waiting():
    assert copies.shape("x" + " \n" * 900_000 + "= 1") == (0, "=", "1")


def test_a_zip_that_opens_without_a_bound_is_not_opened(tmp_path):
    (tmp_path / "submissions").mkdir()
    with zipfile.ZipFile(tmp_path / "submissions" / "eve.zip", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("lab1_words.ipynb", EMPTY)
    rows = arrange(tmp_path, {"ana/lab1_words.ipynb": (EMPTY, 0)})
    assert "compressed in an unusual way" in rows[-1][0]["note"]


def test_names_in_a_zip_are_utf_8_whether_it_says_so_or_not_and_fit_on_linux(tmp_path):
    files = {"project.ipynb": EMPTY, "fran__ais.txt": "", f"{'я' * 150}.txt": ""}
    arrange(tmp_path, {"ana.zip": (files, 0)})
    path = tmp_path / "submissions" / "ana.zip"
    path.write_bytes(path.read_bytes().replace(b"__", "ç".encode()))
    found = [file.own for file in submissions.find(path.parent, tmp_path)]
    assert found == ["français.txt", "project.ipynb", f"{'я' * 56}.txt"]


def test_a_zip_whose_files_overlap_is_not_opened(tmp_path):
    (tmp_path / "submissions").mkdir()
    with zipfile.ZipFile(tmp_path / "submissions" / "eve.zip", "w") as archive:
        archive.writestr("lab1_words.ipynb", EMPTY.ljust(9_000))
        archive.filelist *= 9
    ((row, job),) = arrange(tmp_path, {})
    assert job is None and "in an unusual way" in row["note"]


@pytest.mark.parametrize("rest", ["", "lab2_gains.ipynb"])
def test_a_name_that_looks_like_moodles_is_nobody_elses(rest):
    name = f"Bob_77_assignsubmission_file__78_assignsubmission_file_{rest}"
    assert submissions.tell_owner(name, bool(rest))[:2] == (name, name)


# Notebooks that lost nbgrader's marks


def answered(name):
    """Return a lab as it was handed out, with the answers of the source."""
    answers = {n: cell["source"] for n, _, cell in notebooks.cells(lab("source", name))}
    notebook = lab("release", name)
    for n, grading, cell in notebooks.cells(notebook):
        if not grading["locked"]:
            cell["source"] = answers[n]
    return notebook


LOST = {
    "removed": lambda cell: cell["metadata"].pop("nbgrader", None),
    "renamed": lambda cell: cell["metadata"].get("nbgrader", {}).update(grade_id="x"),
    "all removed": lambda cell: cell["metadata"].clear(),
    "no tests": lambda cell: "nbgrader" in cell["metadata"] and (
        cell.update(source="") if cell["metadata"].pop("nbgrader")["locked"] else None),
    "tests changed": lambda cell: "nbgrader" in cell["metadata"] and (
        cell.update(source=["# mine\n", *cell["source"]])
        if cell["metadata"].pop("nbgrader")["locked"] else None),
}  # fmt: skip


@pytest.mark.parametrize("change", LOST.values(), ids=LOST)
@pytest.mark.parametrize("name", ["lab1_words", LAB, "lab4_encoders", "lab6_scores"])
def test_lost_tests_are_put_back_after_the_answers_before_them(change, name):
    handed_in, before = answered(name), -1
    for cell in handed_in["cells"]:
        change(cell)
    mended = notebooks.mend(as_cells(handed_in), lab("source", name))
    texts, names = zip(*((cell["source"], cell["name"]) for cell in mended))
    for key, grading, cell in notebooks.cells(lab("source", name)):
        if grading["locked"]:
            assert texts[names.index(key)] == cell["source"] and names.index(key) > before
        else:
            before = texts.index(cell["source"])


def test_a_lab_released_before_a_test_changed_its_name_is_told_apart():
    older = json.loads(json.dumps(lab("release")).replace("test_negative", "test_older"))
    assert notebooks.missing_tests(as_cells(older), lab("release")) == ["test_negative"]
    more = [*as_cells(lab("release")), *as_cells(older)]
    less = [cell for cell in as_cells(lab()) if cell["name"] != "test_negative"]
    for cells in (more, less, as_cells(lab())):
        assert notebooks.missing_tests(cells, lab("release")) == []


@pytest.mark.parametrize("key", [b"source", b"id", b"cell_type", b"metadata"])
def test_deep_values_in_a_notebook_end_nothing(key):
    for depth in range(800, 1_000, 5):
        deep = b"[" * depth + b"]" * depth
        with suppress(ValueError):
            cells = notebooks.read_cells(b'{"cells": [{"%b": %b}]}' % (key, deep))
            assert "[[" not in json.dumps(cells)


# Feedback


def test_a_page_says_what_was_wrong_and_runs_nothing():
    run = notebooks.mend(as_cells(lab("release")), lab())
    for cell in run:
        if cell["name"] == "counts":
            cell["source"] = "x = '</pre><script>alert(1)</script>'"
    says = {n: "Count <b> again." * (cell["name"] == "test_counts") for n, cell in enumerate(run)}
    page = feedback.make_page(lab(), run, says)
    assert "<h2>1 · Count, on paper (counts) <span>0 of 2</span></h2>" in page
    assert "Count &lt;b&gt; again.</p>" in page and "13 of 15 points" in page
    assert "<script" not in page and "&lt;script&gt;" in page
    assert "http" not in page.lower().replace("http-equiv", "")
    assert page.index("Count &lt;") < page.index("&lt;script") < page.index("2 · The gain")
    assert "letters = sum(" not in page and "import load_corpus" not in page  # no test, no setup


# Rosters

PEOPLE = [("Ana López", "77", "ana@x.org"), ("Ben", "b2", "ben@x.org")]
ROSTERS = {
    "commas": ("utf-8", "name,id,email", ","),
    "with a mark": ("utf-8-sig", "name,id,email", ","),
    "semicolons": ("utf-8", "name;id;email", ";"),
    "Latin-1": ("latin-1", "name,id,email", ","),
    "UTF-16": ("utf-16", "name\tid\temail", "\t"),
    "UTF-16 without a mark": ("utf-16-le", "name,id,email", ","),
    "spaces": ("utf-8", " name, id , email", ","),
    "as Moodle has them": ("utf-8", "Full name,ID number,Email address", ","),
}


@pytest.mark.parametrize("encoding, titles, separator", ROSTERS.values(), ids=ROSTERS)
def test_a_roster_is_read_as_it_is_saved(tmp_path, encoding, titles, separator):
    lines = [titles, *(separator.join(person) for person in PEOPLE), "", separator * 2]
    path = tmp_path / "students.csv"
    path.write_bytes("\r\n".join(lines).encode(encoding))
    people = rosters.read_roster(path)
    assert [(p["name"], p["id"], p["email"]) for p in people] == PEOPLE
    assert rosters.find_person(people, "Ana López_4_assignsubmission_file_") == 0
    assert rosters.find_person(people, "lopezana_7_108") == 0
    assert rosters.find_person(people, "lopezana_LATE_7_108") == 0
    assert rosters.find_person(people, "b2") == 1 and rosters.find_person(people, "b") is None


def test_a_name_that_may_be_two_peoples_is_nobodys_and_odd_letters_match():
    names = ("López, Ana", "lopezana", "علی\u200cرضا", "सीमा", "सोम")
    people = [{"id": "", "name": name} for name in names]
    for label in ("lopezana_7_108", "lopezana_7_assignsubmission_file_"):
        assert rosters.find_person(people, label) is None
    assert rosters.find_person([*people, {"id": "lopezana", "name": "Zoe"}], "lopezana") is None
    assert rosters.find_person([*people, {"id": "ana-l", "name": "Zoe"}], "ana-l") == 5
    assert rosters.find_person(people, "सीमा_7_108") == 3
    made = [{"id": str(n), "name": f"team{end}"} for n, end in enumerate(["", "_1", "_2"])]
    assert [rosters.find_person(made, one["name"]) for one in made] == [0, 1, 2]
    made.append({"id": "e", "name": "team_7_108"})  # as Canvas names the files of team
    assert rosters.find_person(made, "team_7_108") == 0
    named = [("Ana López", "Ana López (1).ipynb.txt"), ("Projecta", "projecta_project.ipynb")]
    for name, file in named:
        label = submissions.tell_owner(file, True).label
        assert rosters.find_person([{"id": "-1", "name": name}, *made], label) == 0
    assert rosters.find_person([{"id": "-1", "name": "Ana"}], table.show("-1")) == 0
    assert rosters.find_person([{"id": "", "name": "IŞIL ILGAZ"}], "Işıl Ilgaz_7_108") == 0
    assert rosters.find_person(people, table.show("علی\u200cرضا_4_assignsubmission_file_")) == 2


def test_first_and_last_names_may_have_columns_of_their_own(tmp_path):
    path = tmp_path / "students.csv"
    path.write_text("First name,Surname,ID number,Email address\nAna,López,77,a@x\n")
    assert rosters.read_roster(path)[0]["name"] == "Ana López"


WRONG = {
    "empty": ("", "has the columns (none)"),
    "no id": ("name,email\nAna,a@x\n", "has the columns name, email: it needs name (or"),
    "a quote that is open": ('name,id,email\n"Ana,77,a@x\nBen,b2,b@x\n', "close all quotes"),
    "a quote that is open at the end": ('name,id,email\nAna,77,"a@x', "close all quotes"),
    "a quote that swallows": ('name,id,email\n"Ana,77,a@x\nBen","b2",b@x\n', "close all quotes"),
    "too few": ("name,id,email\nAna,77\n", "2 fields in line 2"),
    "too many": ("name,id,email\nLópez, Ana,77,a@x\n", "4 fields in line 2"),
    "the same id": ("name,id,email\nAna,b2,a@x\nBen,B2,b@x\n", "the id b2 twice"),
    "the same email": ("name,id,email\nAna,a,a@x\nBen,b,A@X\n", "the email a@x twice"),
    "two names": ("name,Student,id,email\nAna,A,77,a@x\n", "each once"),
    "a long field": (f"name,id,email\nAna,{'7' * 140_000},a@x\n", "close all quotes"),
    "no text": ("name,id,email\nA\0na,77,a@x\n", "is not text"),
    "named as ours": ("name,id,email\nAna,77,a@x\n", "rename yours"),
}


@pytest.mark.parametrize("text, says", WRONG.values(), ids=WRONG)
def test_a_wrong_roster_is_refused_before_anything_is_graded(
    tmp_path, text, says, monkeypatch, capsys
):
    path, out = tmp_path / f"g.{'canvas' if 'yours' in says else 'is'}.csv", tmp_path / "g.csv"
    path.write_text(text, encoding="utf-8")
    run_grade(monkeypatch, out, tmp_path, "--roster", path)
    assert says in " ".join(capsys.readouterr().err.split()) and not out.exists()


def test_platforms_get_0_for_what_could_not_be_graded_and_nothing_for_nothing(tmp_path):
    people = [{"name": n, "id": n, "email": f"{n}@x"} for n in ("Ana", "Ben", "Cem", "Dee")]
    people[2]["name"] = "=Cem"
    rows = [
        {"student": "Ana", "lab": LAB, "points": "9", "of": "15"},
        {"student": "Ben", "lab": LAB, "points": "0", "of": ""},  # malformed
        {"student": "Ben", "lab": "", "points": "0", "of": ""},
        {"student": "Dee", "lab": LAB, "points": "", "of": ""},  # another one counts
        {"student": "Dee", "lab": LAB, "points": "12", "of": "15"},
        {"student": "Dee", "lab": LAB, "points": "0", "of": ""},  # a picture of that name
    ]
    assert rosters.write_for_platforms(rows, people, {LAB: 15}, tmp_path / "g.csv") == []
    moodle = (tmp_path / "g.moodle.csv").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[-1] for line in moodle] == [LAB, "9", "0", "-", "12"]
    canvas = (tmp_path / "g.canvas.csv").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[-1] for line in canvas] == [LAB, "15", "9", "0", "", "12"]
    assert canvas[4].startswith("'=Cem")


def test_without_bubblewrap_grading_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["grade.py", str(tmp_path), "--csv", str(tmp_path / "g.csv")])
    monkeypatch.setattr(grade.sandbox.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit) as error:
        grade.main()
    told = capsys.readouterr().err
    assert error.value.code == 2 and "bubblewrap is not installed" in told
