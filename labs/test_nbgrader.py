"""The labs with nbgrader itself: it takes a minute, and stands apart from the other tests.

pip install -e '.[labs,test]' && pytest -o addopts="" labs/test_nbgrader.py
"""

import csv
import filecmp
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

LABS = Path(__file__).parent
sys.path.insert(0, str(LABS))
pytest.importorskip("nbgrader")

from grade import NAMES  # noqa: E402
from make_release import make_release  # noqa: E402


def test_the_students_version_is_what_nbgrader_makes(tmp_path):
    make_release(tmp_path / "release")
    for name in NAMES:
        for file in (f"{name}.ipynb", "checks.py"):
            made, committed = tmp_path / "release" / name / file, LABS / "release" / name / file
            assert filecmp.cmp(made, committed, shallow=False), f"run labs/make_release.py: {file}"


def change(notebook, grade_id, source):
    """Put `source` into a cell of a notebook."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == grade_id:
            cell["source"] = source
    notebook.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Hand in good, blank, spoilt and broken notebooks, and grade them by the one command."""
    folder = tmp_path_factory.mktemp("course")
    handed_in = folder / "submissions"
    for name in NAMES:
        # One in nbgrader's way, with a folder for each lab, one in that of a download.
        shutil.copytree(LABS / "source" / name, handed_in / "solved" / name)
        place = handed_in / "Blank, B. (42) + é"
        place.mkdir(exist_ok=True)
        shutil.copy(LABS / "release" / name / f"{name}.ipynb", place / f"blank_{name} (1).ipynb")
    older = handed_in / "solved" / "lab2_gains old.ipynb"
    shutil.copy(LABS / "release" / "lab2_gains" / "lab2_gains.ipynb", older)
    os.utime(older, (0, 0))
    spoilt = handed_in / "spoilt" / "lab4_encoders.ipynb"
    spoilt.parent.mkdir()
    shutil.copy(LABS / "source" / "lab4_encoders" / spoilt.name, spoilt)
    change(spoilt, "breaks_2", "while True:\n    pass")
    change(spoilt, "test_mended_1", "pass  # no tests, full points")
    change(spoilt, "mended_1", "def mended_1(word, vocab):\n    return list(word)")
    (spoilt.parent / "checks.py").write_text(
        "def same(*_):\n    pass\n\n\nbuilt_here = ends = same\n"
    )
    for other in ("named otherwise/Lab 2.ipynb", "lab2_gains loose.ipynb"):
        (handed_in / other).parent.mkdir(exist_ok=True)
        shutil.copy(spoilt, handed_in / other)
    (handed_in / "nothing").mkdir()
    broken = handed_in / "broken" / "lab1_words.ipynb"
    broken.parent.mkdir()
    broken.write_text("{", encoding="utf-8")
    command = [sys.executable, LABS / "grade.py", handed_in, "--csv", folder / "grades.csv"]
    command += ["--feedback", folder / "feedback"]
    before = sorted(LABS.rglob("*"))
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    kept = [path for path in sorted(LABS.rglob("*")) if "__pycache__" not in path.parts]
    assert kept == [path for path in before if "__pycache__" not in path.parts]
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["student"], row["lab"]): row for row in csv.DictReader(file)}
    return rows, folder


@pytest.mark.parametrize("name", NAMES)
def test_solutions_get_all_points(table, name):
    row = table[0]["solved", name]
    assert row["points"] == row["of"] and int(row["of"]) > 0 and row["failed"] == ""
    assert row["note"] == ("of 2 notebooks, the newest" if name == "lab2_gains" else "")
    assert (int(row["by hand"]) > 0) is (name in ("lab6_scores", "project"))


@pytest.mark.parametrize("name", NAMES)
def test_blanks_get_none(table, name):
    row = table[0]["Blank, B. (42) + é", name]
    assert row["points"] == "0" and int(row["of"]) > 0


def test_a_cell_without_end_a_changed_test_and_a_changed_check_cost_what_they_should(table):
    row = table[0]["spoilt", "lab4_encoders"]
    assert row["failed"] == "mended_1 breaks_2"
    assert 0 < int(row["points"]) < int(row["of"])


def test_a_file_that_is_no_notebook_is_named(table):
    row = table[0]["broken", "lab1_words"]
    assert row["points"] == "0" and row["note"].endswith("the file is damaged: ask for it again")


def test_what_cannot_be_graded_has_a_row(table):
    named = table[0]["named otherwise", ""]
    assert named["note"] == "not graded: no notebook is named after a lab (Lab 2.ipynb)"
    assert "the folder is empty" in table[0]["nothing", ""]["note"]
    assert table[0]["", ""]["note"].endswith("lab2_gains loose.ipynb is in no student's folder")


def test_feedback_says_what_was_wrong(table):
    page = (table[1] / "feedback" / "spoilt" / "lab4_encoders.html").read_text(encoding="utf-8")
    assert "No subword fits x" in page or "From the right." in page


HARM = """\
import socket
from pathlib import Path

my_corpus = {{"xy": 5, "x": 50, "y": 50}}
for harm in [
    lambda: Path({file!r}).write_text("here"),
    lambda: socket.create_connection({address}, timeout=2),
]:
    try:
        harm()
    except OSError:
        continue
    my_corpus = None
"""


def can_shut_in() -> bool:
    shut_in = [shutil.which("bwrap") or "false", "--ro-bind", "/", "/", "--unshare-all", "true"]
    return subprocess.run(shut_in, capture_output=True).returncode == 0


@pytest.mark.skipif(not can_shut_in(), reason="bubblewrap is not here, or may not be used")
def test_the_command_that_shuts_grading_in_grades_and_keeps_harm_out(tmp_path):
    readme = (LABS / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^```sh\n(bwrap .*?)^```$", readme, re.DOTALL | re.MULTILINE)
    folder = tmp_path / "grading"
    notebook = folder / "submissions" / "ana" / "lab2_gains.ipynb"
    notebook.parent.mkdir(parents=True)
    shutil.copy(LABS / "source" / "lab2_gains" / notebook.name, notebook)
    command = command.replace('"$PWD/grading"', f"'{folder}'").replace("grading/", f"{folder}/")
    command = command.replace("    python ", f"    {sys.executable} ")
    with socket.create_server(("127.0.0.1", 0)) as server:
        harm = HARM.format(file=str(LABS / "written"), address=server.getsockname())
        change(notebook, "negative", harm)  # no points if any of it can be done
        subprocess.run(["bash", "-c", command], check=True, cwd=LABS.parent, capture_output=True)
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["points"] == row["of"]
    assert (folder / "feedback" / "ana" / "lab2_gains.html").exists()
    assert not (LABS / "written").exists()
