"""A class that tries to cheat, to stop the grading, and to read secrets.

Every submission is a short lab without a single answer, except for what one cell does: so anyone
who gets a point without a note that asks a person to look has forged it. It takes minutes:

    pip install -e '.[labs,test]' && pytest -o addopts="" labs/test_hostile.py
"""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LABS = Path(__file__).parent
sys.path.insert(0, str(LABS))
pytest.importorskip("nbgrader")

from grader import sandbox  # noqa: E402

# The attacks that README.md names, under "What tests cannot prevent". They may get points, and then
# their row asks a person to look.
IN_THE_KERNEL = {"threads", "async", "changes the test's names", "answers in the kernel's place"}
LAB = "lab2_gains"
LAST = "test_gain"
OF = 7
SECRET = "the-teachers-own-secret"
BOXED = not sandbox.find_problem()

EVERYWHERE = """\
import os
from pathlib import Path
here = {Path.cwd(), Path.home(), Path("/tmp"), *Path.cwd().parents, *Path.home().parents}
here |= {path for folder in list(here) for path in folder.glob("*") if path.is_dir()}
def everywhere(name):
    for folder in here:
        yield folder / name
"""
ALL = '{"points": 7, "of": 7, "by hand": 0, "failed": "", "notes": []}'
CLAIM = """\
class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __repr__(self): return "9.79"
    def __sub__(self, other): return 0
    def __abs__(self): return 0
    __rsub__ = __float__ = __lt__ = __le__ = __sub__
    def __gt__(self, other): return False
    def __getattr__(self, name): return 9.79
C_a = C_t = C_at = N = M = gain_of_at = Yes()
gain_in_bits = lambda *_: Yes()
"""
IN_TEST = """\
def gain_in_bits(*counts):
    {}
C_a = C_t = C_at = N = M = gain_of_at = 1
"""
# What one cell does, and nothing is answered.
KERNEL = {
    "result and kill": EVERYWHERE + f"""
for path in everywhere("result.json"):
    try:
        path.write_text('{ALL}')
    except OSError:
        pass
for process in Path("/proc").glob("[0-9]*"):
    try:
        if "grade_one" in (process / "cmdline").read_text() or int(process.name) == os.getppid():
            os.kill(int(process.name), 9)
    except OSError:
        pass
""",
    "child keeps writing": EVERYWHERE + f"""
import time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            for path in everywhere("result.json"):
                try:
                    path.write_text('{ALL}')
                except OSError:
                    pass
            time.sleep(0.1)
""",
    "triggers": EVERYWHERE + """
import sqlite3
for path in [*everywhere("gradebook.db"), *everywhere("course/gradebook.db")]:
    if path.exists():
        base = sqlite3.connect(path, timeout=1)
        try:
            for event in ("insert", "update"):
                base.execute(f"create trigger t{event} after {event} on grade when "
                             "new.auto_score = 0 begin update grade set auto_score = 2 "
                             "where id = new.id; end")
            base.commit()
        except sqlite3.Error:
            pass
""",
    "broken result": EVERYWHERE + """
for path in everywhere("result.json"):
    try:
        path.write_text("{broken")
    except OSError:
        pass
os._exit(0)
""",
    "list as result": EVERYWHERE + """
for path in everywhere("result.json"):
    try:
        path.write_text("[1,2]")
    except OSError:
        pass
os._exit(0)
""",
    "pipe": EVERYWHERE + """
for name in ("result.json", "page.html", "cell", "incoming"):
    for path in everywhere(name):
        try:
            os.mkfifo(path)
        except OSError:
            pass
""",
    "link in feedback": EVERYWHERE + """
names = ["page.html", "result.json"]
names += ["feedback/student/lab2_gains/lab2_gains.html", "autograded/student/lab2_gains/x.ipynb"]
for name in names:
    for path in everywhere(name):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to("{secret}")
        except OSError:
            pass
""",
    "runs the solutions": EVERYWHERE + """
import json
for root in ("{labs}", Path.home(), *list(Path.cwd().parents)[:3]):
    for folder, _, files in os.walk(root):
        for name in files:
            if name.endswith(".ipynb"):
                for cell in json.load(open(os.path.join(folder, name)))["cells"]:
                    if "BEGIN SOLUTION" in "".join(cell["source"]):
                        try:
                            exec("".join(cell["source"]), globals())
                        except Exception:
                            pass
""",
    "cleanup": 'get_ipython().input_transformers_cleanup.append(lambda lines: ["pass\\n"])',
    "post": 'get_ipython().input_transformers_post.append(lambda lines: ["pass\\n"])',
    "line transforms": """
manager = get_ipython().input_transformer_manager
manager.line_transforms.append(lambda lines: ["pass\\n"])
manager.transform_cell = lambda cell: "pass\\n"
""",
    "new manager": """
class Manager:
    def transform_cell(self, cell):
        return "pass\\n"
get_ipython().input_transformer_manager = Manager()
""",
    "transform_cell": 'type(get_ipython()).transform_cell = lambda self, cell: "pass\\n"',
    "syntax trees": """
import ast
class NoTests(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass()
    def visit_Expr(self, node):
        return node if "print" in ast.unparse(node) else ast.Pass()
get_ipython().ast_transformers.append(NoTests())
""",
    "agreeable": CLAIM,
    "agreeable subclasses": CLAIM + """
class Number(Yes, float):
    pass
class Whole(Yes, int):
    pass
C_a = C_t = C_at = N = M = Whole(1)
gain_of_at = Number(9.0)
gain_in_bits = lambda *_: Number(1.0)
""",
    "same is patched": """
import wpedu.labs
for name in ("same", "close", "secret", "built_here", "_fail", "_plain", "digest"):
    setattr(wpedu.labs, name, lambda *_, **__: None)
""",
    "same is redefined": "same = close = secret = built_here = lambda *_, **__: None",
    "another module": """
import sys, types
fake = types.ModuleType("wpedu.labs")
fake.same = fake.close = fake.secret = fake.built_here = fake.digest = lambda *_, **__: None
fake.labs = fake
sys.modules["wpedu.labs"] = sys.modules["wpedu"] = fake
""",
    "sha256": """
import hashlib, wpedu.labs
class Same:
    def hexdigest(self):
        return "0" * 64
hashlib.sha256 = wpedu.labs.sha256 = lambda *_: Same()
C_a = C_t = C_at = N = M = gain_of_at = 1
""",
    "isclose": """
import math, wpedu.labs
math.isclose = wpedu.labs.isclose = lambda *_, **__: True
gain_of_at, gain_in_bits = 1.0, lambda *_: 1.0
""",
    "isinstance": """
import builtins
builtins.isinstance = lambda *_: True
""",
    "isinstance is False": """
import builtins
builtins.isinstance = lambda *_: False
builtins.len = lambda *_: 0
""",
    "no AssertionError": """
import builtins
class Quiet(BaseException):
    pass
builtins.AssertionError = Quiet
builtins.BaseException = Quiet
""",
    "no builtins": "__builtins__ = {}; import builtins; builtins.__import__ = None",
    "all builtins are gone": """
import builtins
for name in dir(builtins):
    if name.islower() and not name.startswith("_") and name not in ("setattr",):
        setattr(builtins, name, lambda *_, **__: 1)
""",
    "print": 'import builtins; builtins.print = lambda *_, **__: None',
    "showtraceback": """
shell = get_ipython()
type(shell).showtraceback = type(shell)._showtraceback = lambda *_, **__: None
shell.showtraceback = shell._showtraceback = lambda *_, **__: None
""",
    "run_cell": """
shell = get_ipython()
class Fine:
    success, error_before_exec, error_in_exec = True, None, None
for one in (shell, *type(shell).mro()[:3]):
    one.run_cell = lambda *_, **__: Fine()
async def run(*_, **__):
    return Fine()
shell.run_cell_async = run
""",
    "do_execute": """
async def fine(*_, **__):
    return {"status": "ok", "execution_count": 1, "user_expressions": {}, "payload": []}
kernel = get_ipython().kernel
kernel.do_execute = fine
type(kernel).do_execute = fine
""",
    "no callbacks": "get_ipython().events.callbacks.clear()",
    "a result first": IN_TEST.format("import sys; sys.displayhook('7'); return 0"),
    "a result by message": IN_TEST.format("""
    kernel = get_ipython().kernel
    data = {"execution_count": 1, "data": {"text/plain": "7"}, "metadata": {}}
    kernel.session.send(kernel.iopub_socket, "execute_result", data, kernel.get_parent())
    return 0"""),
    "clears its errors": """
import threading, time
from IPython.display import clear_output
def clear():
    while True:
        clear_output()
        time.sleep(0.001)
threading.Thread(target=clear, daemon=True).start()
""",
    "reads the proof": IN_TEST.format("""
    import re
    print(*re.findall("[0-9a-f]{16}", In[-1]), sep="")
    return 0"""),
    "jumps to the end": """
import sys
def jump(frame, event, argument):
    if event == "line" and "test" in frame.f_code.co_name:
        frame.f_lineno = 10_000
    return jump
sys.settrace(jump)
""",
    "ends": "import os\nos._exit(0)",
    "kills all": "import os\nos.kill(-1, 9)",
    "kills its parent": "import os\nos.kill(os.getppid(), 9)",
    "SystemExit": "raise SystemExit",
    "exit in a test": IN_TEST.format("raise SystemExit(0)"),
    "interrupts": IN_TEST.format("raise KeyboardInterrupt"),
    "exit": "exit()",
    "many children": "import os, time\nfor _ in range(150):\n    if os.fork() == 0:\n"
                        "        time.sleep(600)\n        os._exit(0)",
    "memory": "all_of_it = [0] * 10**10",
    "large files": "for i in range(9):\n    open(f'large {i}', 'wb').write(bytes(180 * 2**20))\n"
                   "import time\ntime.sleep(3)",
    "many lines": "!ls\n" * 4_000,
    "a long string": "x = '" + "__a" * 5_000 + "'",
    "a long cell": "x = 1\n" * 100_000,
    "deep code": "x = " + "-" * 15_000 + "1",
    "a module of its own": """
from pathlib import Path
Path("statistics.py").write_text("raise SystemExit('imported')")
import statistics
""",
    "a large file": "open('large', 'wb').write(bytes(300 * 2**20))",
    "many files": "for i in range(20_000):\n    open(f'file {i}', 'w').close()",
    "deep folders": "import os\nfor _ in range(3_000):\n    os.mkdir('d')\n    os.chdir('d')",
    "no permissions": "import os\nos.mkdir('shut')\nos.chmod('shut', 0)\nos.chmod('.', 0)",
    "no end": "while True:\n    pass",
    "no limit": "import signal\nsignal.signal(signal.SIGPROF, signal.SIG_IGN)\n"
                "signal.setitimer(signal.ITIMER_PROF, 0)\nwhile True:\n    pass",
    "sleeps": "import time\ntime.sleep(10**6)",
    "waits for input": "input()",
    "reads files": """
import os
from pathlib import Path
for path in ("{secret}", "{other}", "/etc/shadow", "/proc/1/environ", "/proc/self/mountinfo"):
    try:
        print(Path(path).read_text())
    except Exception as error:
        print(error)
for folder, _, names in os.walk("{folder}"):
    print(folder, names)
print(dict(os.environ))
raise ValueError(str(dict(os.environ)))
""",
    "writes files": """
from pathlib import Path
import wpedu, sys
for path in ("{folder}/written", wpedu.__file__, sys.prefix + "/written", "/usr/written"):
    try:
        with open(path, "a") as file:
            file.write("# written")
    except OSError:
        pass
""",
    "network": """
import socket
for address in [{address}, ("127.0.0.1", 22), ("1.1.1.1", 53)]:
    try:
        socket.create_connection(address, timeout=1).send(b"caught")
    except OSError:
        pass
""",
    "profile": """
from pathlib import Path
for folder in (Path.home(), Path.home() / "ipython"):
    startup = folder / "profile_default" / "startup"
    startup.mkdir(parents=True, exist_ok=True)
    (startup / "00.py").write_text("raise SystemExit")
""",
    "shell": "!kill -9 $PPID; touch result.json",
    "reset": "%reset -f",
    "floods": "while True:\n    print('x' * 10_000)",
    "floods by display": "while True:\n    display('x' * 100_000)",
    "floods by messages": """
kernel = get_ipython().kernel
for _ in range(3_000):
    data = {"name": "stdout", "text": "x" * 1_000_000}
    kernel.session.send(kernel.iopub_socket, "stream", data, kernel.get_parent())
""",
    "malformed messages": """
kernel = get_ipython().kernel
for kind in ("stream", "display_data", "execute_result", "error", "status", "comm_open"):
    kernel.session.send(kernel.iopub_socket, kind, {}, kernel.get_parent())
""",
    "a long error": "raise ValueError('x' * 10_000_000)",
    "an error that cannot be told": """
class Odd(Exception):
    def __str__(self): raise Odd
    __repr__ = __str__
raise Odd
""",
    "markup": """raise ValueError("</pre><script src='https://x.org/x.js'></script><img src=x>")""",
    "no sockets": """
import os
from pathlib import Path
for path in (Path.home().parent / "s").iterdir():
    path.unlink()
    path.symlink_to("/etc/passwd")
""",
    "closes everything": "import os\nos.closerange(0, 1_000)",
    "not a number": "gain_of_at = float('nan')\ngain_in_bits = lambda *_: float('nan')",
    "infinite": "gain_of_at = float('inf')\ngain_in_bits = lambda *_: float('inf')",
    "fake numpy": """
import sys, types
class All(float):
    def item(self): return 9.79
fake = types.ModuleType("numpy")
for name in "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64".split():
    setattr(fake, name, All)
for name in "float16 float32 float64 str_".split():
    setattr(fake, name, All)
sys.modules["numpy"] = fake
gain_in_bits = lambda *_: All()
""",
    "threads": """
import threading, time, wpedu.labs
def patch():
    while True:
        for name in ("same", "close", "secret", "built_here"):
            setattr(wpedu.labs, name, lambda *_, **__: None)
        time.sleep(0)
threading.Thread(target=patch, daemon=True).start()
""",
    "async": """
import asyncio, wpedu.labs
async def patch():
    while True:
        wpedu.labs.same = wpedu.labs.secret = lambda *_: None
        await asyncio.sleep(0)
task = asyncio.ensure_future(patch())
""",
    "changes the test's names": """
def gain_in_bits(*counts):
    global close, exact
    close = lambda *_, **__: None
    exact = 1
    return 1
""",
    "no scores": """
from wpedu.scores import SCORES
SCORES.clear()
""",
    "answers in the kernel's place": r"""
import re, threading, time
kernel = get_ipython().kernel
old = kernel.do_execute
async def fake(code, *arguments, **settings):
    words = re.findall(r'assert not "(\w+)"|same\("(\w+)"', code)
    if words:
        code = f'print("", "{words[0][0]}{words[1][1]}", sep="\\n")'
    return await old(code, *arguments, **settings)
def again():
    while True:
        kernel.do_execute = fake
        time.sleep(0)
threading.Thread(target=again, daemon=True).start()
""",
    "through a string": """
code = "".join(map(chr, [103, 101, 116, 95, 105, 112, 121, 116, 104, 111, 110]))
shell = [c for c in (1).__class__.__mro__[1].__subclasses__() if "Shell" in c.__name__]
for one in shell:
    one.transform_cell = lambda self, cell: "pass"
""",
}  # fmt: skip


def notebook(version="release"):
    """Return the short lab, as it is handed out or with its solutions."""
    path = LABS / version / LAB / f"{LAB}.ipynb"
    content = json.loads(path.read_text(encoding="utf-8"))
    names = [c["metadata"].get("nbgrader", {}).get("grade_id") for c in content["cells"]]
    content["cells"] = content["cells"][: names.index(LAST) + 1]
    return content


def with_cell(source, content=None):
    """Return a notebook with this in place of the first answer, and no other answer."""
    content = content or notebook()
    for cell in content["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"], source = source, "pass"
    return content


def cells_of(change):
    """Return a blank notebook, each cell of which was changed."""
    content = notebook()
    for cell in content["cells"]:
        change(cell)
    return content


def grading(**new):
    def change(cell):
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"] |= new

    return cells_of(change)  # fmt: skip


def test_cells(change):
    def change_tests(cell):
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            change(cell)

    return cells_of(change_tests)  # fmt: skip


test_cells.__test__ = False
FILES = {  # what the file itself does
    "worth more": grading(points=1_000),
    "nothing is locked": grading(locked=False, grade=False, solution=True),
    "all is locked": grading(locked=True, grade=True, points=9),
    "tests are empty": test_cells(lambda cell: cell.update(source="pass")),
    "tests are text": test_cells(lambda cell: cell.update(cell_type="markdown")),
    "tests passed before": test_cells(lambda cell: cell.update(outputs=[
        {"output_type": "execute_result", "data": {"text/plain": "7"}, "metadata": {}}])),
    "odd numbers": grading(points=float("nan"), schema_version=-1),
    "kernel": notebook() | {"metadata": {"kernelspec": {"name": "bash", "display_name": "x"}}},
    "no cells known": cells_of(lambda cell: cell["metadata"].clear()),
    "tests twice": notebook() | {"cells": notebook()["cells"] * 3},
    "tests first": notebook() | {"cells": notebook()["cells"][::-1]},
    "an answer that is called a test": with_cell("pass") | {"cells": [
        *notebook()["cells"], {"cell_type": "code", "source": "1", "outputs": [],
        "metadata": {"nbgrader": {"grade_id": "test_counts", "grade": True, "points": 9}}}]},
    "surrogates": with_cell("text = '\ud800'"),
    "null bytes": with_cell("\0"),
    "odd types": notebook() | {
        "cells": [[], {"source": {}}, {"metadata": 7}, *notebook()["cells"]]},
    "2,000 cells": {"cells": [{"cell_type": "code", "source": "1", "metadata": {}}] * 2_000},
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade all of them between two good ones; return the rows, the folder, what was caught."""
    folder = tmp_path_factory.mktemp("hostile")
    source = folder / "course" / "source" / LAB / f"{LAB}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(json.dumps(notebook("source")), encoding="utf-8")
    (folder / "secret.txt").write_text(SECRET, encoding="utf-8")
    words = {"secret": folder / "secret.txt", "labs": LABS, "folder": folder}
    words |= {"other": folder / "submissions" / "good first" / f"{LAB}.ipynb"}
    handed_in = {"good first": notebook("source"), "zz good last": notebook("source")}
    handed_in |= FILES
    for name, code in KERNEL.items():
        for word, value in words.items():
            code = code.replace("{" + word + "}", str(value))
        handed_in[name] = with_cell(code.replace("{address}", "('127.0.0.1', 9)"))
    for name, content in handed_in.items():
        path = folder / "submissions" / name / f"{LAB}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    command = [sys.executable, LABS / "grade.py", "submissions", "--csv", "out/grades.csv"]
    command += ["--feedback", "out/feedback", "--course", "course"]
    command += [] if BOXED else ["--without-sandbox"]
    environment = os.environ | {"WPEDU_SECONDS": "2", "WPEDU_TEST": SECRET}
    said = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    with (folder / "out" / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}, folder


def test_every_submission_has_a_row_and_the_good_ones_all_points(graded):
    rows, _ = graded
    assert set(rows) == {"good first", "zz good last", *KERNEL, *FILES} and len(rows) > 62
    for name in ("good first", "zz good last"):
        assert (rows[name]["points"], rows[name]["of"]) == (str(OF), str(OF))
        assert "look at it" not in rows[name]["note"]


@pytest.mark.parametrize("name", [*KERNEL, *FILES])
def test_nobody_gets_a_point_for_nothing(graded, name):
    rows, _ = graded
    row = rows[name]
    if name in IN_THE_KERNEL:
        assert "look at it" in row["note"], row
    else:
        assert row["points"] == "0", row


def test_the_readme_names_what_can_get_points(graded):
    rows, _ = graded
    assert rows["answers in the kernel's place"]["points"] == str(OF)  # else the README is wrong
    readme = (LABS / "README.md").read_text(encoding="utf-8")
    assert "A kernel replaced by a program that reads the tests" in readme


@pytest.mark.skipif(not BOXED, reason="bubblewrap is not here, or may not be used")
def test_nothing_of_the_teachers_is_read_or_written(graded):
    _, folder = graded
    pages = [path for path in (folder / "out").rglob("*") if path.is_file()]
    assert len(pages) > 50
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert SECRET not in text and not page.is_symlink(), page
    assert {path.name for path in folder.iterdir()} == {
        "course",
        "out",
        "secret.txt",
        "submissions",
    }
    assert "# written" not in (LABS.parent / "wpedu" / "__init__.py").read_text(encoding="utf-8")


def test_pages_ask_for_nothing_and_run_nothing(graded):
    _, folder = graded
    for page in (folder / "out" / "feedback").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "<script" not in text and "<img" not in text and "<link" not in text
        assert "src=" not in text.replace("src=&#x27;", "").replace("src=x&gt;", "")
        assert "default-src 'none'" in text
