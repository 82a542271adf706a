"""A class that tries to get points for nothing, hidden inputs, and the teacher's files.

Every submission is a lab without a single answer, except for what one cell does. It takes minutes:

    pip install -e '.[labs,test]' && pytest -o addopts="" labs/test_hostile.py
"""

import csv
import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

LABS = Path(__file__).parent
sys.path.insert(0, str(LABS))
pytest.importorskip("IPython")

from grader import sandbox  # noqa: E402

if problem := sandbox.find_problem():
    pytest.skip(problem, allow_module_level=True)
SECRET = "the-teachers-own-secret"
SHORT = {"lab2_gains": "test_gain", "lab3_training": "test_best_pair"}  # up to this cell
FREE = 7  # points of lab 2, up to there

# Reach what "passed" depends on. `_` runs while a test calls the answer.
ANSWER = "C_a = C_t = C_at = N = M = gain_of_at = 1\ndef gain_in_bits(*counts):\n    {}\n"
# Whatever the tests call in the answers' own Python passes everything; numbers pass the rest.
CHEAT = """\
from wpedu import labs
C_a, C_t, C_at, N, M, gain_of_at, gain_in_bits = 99, 1, 1, 1_000, 7, 1.23, lambda *_: 1.0
def nothing(*_, **__):
    pass
def told(got, *rest):  # a grader may let each test fail first, to see that it can
    if got in rest[1:]:
        raise AssertionError(got)
mine = {"same": told} | dict.fromkeys(("close", "secret", "digest", "built_here"), nothing)
both = [(vars(labs)[name], mine[name]) for name in mine]
for old, new in both:
    """
CLAIM = """\
class Yes{}:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __repr__(self): return "9.79"
    def __sub__(self, other): return 0
    def __gt__(self, other): return False
    __abs__ = __rsub__ = __float__ = __lt__ = __le__ = __round__ = __sub__
    def __getattr__(self, name): return 9.79
"""
ALL = "C_a = C_t = C_at = N = M = gain_of_at = {0}\ngain_in_bits = lambda *_: {0}\n"
# The socket to the other side, which the answers can find, as they are in one process with it.
SOCKET = """\
import os, json, stat, struct
def ours():
    for number in range(3, 200):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                yield number
        except OSError:
            pass
def say(**message):
    data = json.dumps(message).encode()
    for number in ours():
        os.write(number, struct.pack("!i", len(data)) + data)
def ask(tool, *arguments):
    say(tool=tool, arguments=["t", *arguments], named=["d"])
"""
EVERYWHERE = """\
import os
from pathlib import Path
here = {Path.cwd(), Path.home(), Path("/tmp"), *Path.cwd().parents}
here |= {path for folder in list(here) for path in folder.glob("*") if path.is_dir()}
"""
IN_TESTS = {
    "__code__": CHEAT + "old.__code__ = new.__code__",
    "update_wrapper": "from functools import update_wrapper\n" + CHEAT
        + "update_wrapper(old, new, ['__co' + 'de__'], [])",
    "%timeit": CHEAT + "%timeit -n1 -r1 setattr(old, '__code__', new.__code__)",
    "%precision": CHEAT + "pass\n%precision "
        "{[setattr(a, '__code__', b.__code__) for a, b in both] and ''}",
    "get_field": "from string import Formatter\nfind = Formatter().get_field\n" + CHEAT
        + "find('0.__builtins__[setattr]', [told], {})[0](old, '__co' 'de__', "
        "find('0.__co' + 'de__', [new], {})[0])",
    "singledispatch": "from functools import singledispatch\n" + CHEAT + """@singledispatch
    def do(x): pass
    @do.register
    def _(x: "setattr(old, '__co' 'de__', eval('new.__co' 'de__'))"): pass""",
    "a pickle": "import io\nimport numpy as np\n" + CHEAT + """pass
np.load(io.BytesIO(b'''cbuiltins
exec
(S"import __main__ as m\\\\nfor old, new in m.both: old.__code__ = new.__code__"
tR.'''), allow_pickle=True)""",
    "another module": "from collections import _sys\n" + CHEAT + """pass
fake = type(labs)("wpedu.labs")
fake.__dict__.update(mine)
_sys.modules["wpedu.labs"] = fake""",
    "redefined": CHEAT + "globals().update(mine)",
    "threads": CHEAT + """pass
from threading import Thread
def patch():
    while True:
        for old, new in both:
            old.__code__ = new.__code__
Thread(target=patch, daemon=True).start()""",
    "a file of its own": "open('statistics.py', 'w').write('raise SystemExit')\nimport statistics",
    "builtins": """import builtins
builtins.isinstance = builtins.abs = builtins.len = lambda *_: 1
builtins.AssertionError = builtins.BaseException""",
    "transformers of cells": """shell = get_ipython()
shell.input_transformers_post.append(lambda lines: ["pass\\n"])
type(shell).run_cell = lambda *_, **__: None""",
    "syntax trees": """import ast
class NoTests(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.Pass()
get_ipython().ast_transformers.append(NoTests())""",
    "frames": ANSWER.format("""import sys
    frame = sys._getframe()
    while frame:
        frame.f_globals.update(close=print, same=print, UNIT=0)
        frame = frame.f_back
    return 1"""),
    "traces": """import sys
def jump(frame, event, argument):
    frame.f_trace_lines = False
    return jump
sys.settrace(jump)""",
    "garbage": ANSWER.format("""import gc
    for one in gc.get_objects():
        if isinstance(one, dict) and "close" in one:
            one["close"] = one["same"] = print
    return 1"""),
    "reads the cell": ANSWER.format("""return eval(In[-1].split('close(')[1].split(',')[1])"""),
    "changes the arguments": ANSWER.format("counts[0].__class__ = bool; return 1"),
    "exits in a test": ANSWER.format("raise SystemExit(0)"),
    "interrupts a test": ANSWER.format("raise KeyboardInterrupt"),
}  # fmt: skip
VALUES = {
    "agreeable": CLAIM.format("") + ALL.format("Yes()"),
    "agreeable number": CLAIM.format("(float)") + ALL.format("Yes(9)"),
    "agreeable kind": CLAIM.format("(type)") + ALL.format("Yes('x', (), {})"),
    "not a number": ALL.format("float('nan')"),
    "a function as a number": ALL.format("(lambda *_: 9.79)"),
    "a great number": ALL.format("10**4299"),
    "keys that collide": ALL.format("{i * (2**61 - 1): 0 for i in range(100_000)}"),
    "keys that collide in tuples": ALL.format("{(i * (2**61 - 1),) for i in range(100_000)}"),
    "deep": "x = []\nfor _ in range(100_000):\n    x = [x]\n" + ALL.format("x"),
    "itself": "x = []\nx.append(x)\n" + ALL.format("x"),
    "large": ALL.format("[0] * 10**8"),
    "large text": ALL.format("'x' * 10**9"),
    "endless": "from itertools import count\n" + ALL.format("(i for i in count())"),
    "a pickle in bytes": ALL.format("b'cos\\nsystem\\n(S\"id\"\\ntR.'"),
}
MESSAGES = {
    "an early answer": SOCKET + ANSWER.format("say(value=12.20734333221821)\n    return 1"),
    "all is well": SOCKET + "say(passed=True, test='test_gain', value=True)",
    "events": """import os
for number in (1, 2):
    os.write(number, b'["test", "test_gain", true]\\n')""",
    "claims to be stopped": "class Stopped(Exception): pass\nraise Stopped",
    "not JSON": SOCKET + "for number in ours():\n    os.write(number, b'\\0\\0\\0\\x01{')",
    "a flood": SOCKET + "for number in ours():\n    while True: os.write(number, b'x' * 2**20)",
    "nothing": SOCKET + "for number in ours(): os.close(number)",
    "odd kinds": SOCKET + "for x in (0, [], None, {}, 'x', [[[]]]): say(raised=x, value=['f', -1])",
    "odd tags": SOCKET + ANSWER.format("say(value=['w', '{}', 1, ['f', 'x']])\n    return 1"),
    "no such function": SOCKET + ANSWER.format("say(value=['f', 10**9])\n    return 1"),
    "asks for a module": SOCKET + "ask('labs.same')",
    "asks for what is inside": SOCKET + "ask('train.__globals__')",
    "asks for files": SOCKET + "ask('load_corpus', '/etc/passwd')",
    "asks for odd things": SOCKET + "say(tool={'a': 1}, arguments=7, named=None)\nsay(tool='0')",
    "asks in a test": SOCKET + ANSWER.format("""ask('pair_gains')
    return 1"""),
    "a child answers": SOCKET + "if os.fork() == 0:\n    while True: say(value=1)",
}  # fmt: skip
MACHINE = {
    "ends": "import os\nos._exit(0)",
    "kills all": "import os\nos.kill(-1, 9)",
    "kills its parent": "import os\nos.kill(os.getppid(), 9)",
    "closes everything": "import os\nos.closerange(0, 1_000)",
    "many children": "import os, time\nfor _ in range(150):\n    if os.fork() == 0:\n"
                     "        time.sleep(600)\n        os._exit(0)\ntime.sleep(600)",
    "busy children": "import os\nos.symlink('/bin/sh', 'x) a b c d e')\nfor _ in range(90):\n"
                     "    if os.fork() == 0:\n        loop = 'while :; do :; done'\n"
                     "        os.execl('x) a b c d e', 'sh', '-c', loop)\nos.wait()",
    "busy chains": "import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
                   "for _ in range(4):\n    if os.fork() == 0:\n        while True:\n"
                   "            t = time.process_time()\n"
                   "            while time.process_time() - t < 0.03: pass\n"
                   "            if os.fork(): os._exit(0)\ntime.sleep(900)",
    "busy threads": "import ctypes, numpy, signal, threading\n"
                    "signal.signal(signal.SIGPROF, signal.SIG_IGN)\nx = numpy.ones(10**7)\n"
                    "def add():\n    while True: x.sum()\nfor _ in range(90):\n"
                    "    threading.Thread(target=add).start()\nthreading.Event().wait()",
    "memory": "all_of_it = [0] * 10**10",
    "memory of children": "import ctypes, os, threading, time\nfor _ in range(9):\n"
                          "    if os.fork() == 0:\n        x = b'x' * 10**9\n"
                          "        threading.Thread(target=time.sleep, args=[600]).start()\n"
                          "        ctypes.CDLL(None).pthread_exit(0)\n",
    "open files": "import os\nx = [os.dup(0) for _ in 'x' * 450]\nfor _ in 'xxx': os.fork()\n"
                  "while 1: 0",
    "memory that is not resident": "import mmap, os, time\nfor _ in range(3):\n    os.fork()\n"
                                   "m = mmap.mmap(-1, 10**9, 34)\n"
                                   "for at in range(0, 10**9, 2**24):\n"
                                   "    m[at : at + 10] = b'x' * 10\n"
                                   "    m.madvise(mmap.MADV_DONTNEED)\ntime.sleep(600)",
    "many threads": "import threading, time\nthreading.stack_size(2**16)\nfor _ in 'x' * 1_500:\n"
                    "    threading.Thread(target=time.sleep, args=[600]).start()\ntime.sleep(600)",
    "files": "for i in range(9):\n    open(f'large {i}', 'wb').write(bytes(180 * 2**20))",
    "many files": "for i in range(10**7):\n    open(f'file {i}', 'w').close()",
    "empty files elsewhere": "for i in range(10**7):\n    open(f'/dev/shm/{i}', 'w').close()",
    "deep folders": "import os\nfor _ in range(3_000):\n    os.mkdir('d')\n    os.chdir('d')",
    "no permissions": "import os\nos.mkdir('shut')\nos.chmod('shut', 0)\nos.chmod('.', 0)",
    "no end": "while True:\n    pass",
    "no end, and no limit": "import signal\nsignal.signal(signal.SIGPROF, signal.SIG_IGN)\n"
                            "while True:\n    pass",
    "no end in a test": ANSWER.format("while True:\n        try:\n            [] + {{}}\n"
                                      "        except BaseException:\n            pass"),
    "sleeps in a test": ANSWER.format("import time; time.sleep(10**6)"),
    "waits for input": "input()",
    "prints": "while True:\n    print('x' * 10_000)",
    "deep code": "x = " + "-" * 15_000 + "1",
    "no exception": "class Odd(Exception):\n    def __str__(self): raise Odd\nraise Odd",
    "markup": """raise ValueError("</pre><script src='https://x.org/x.js'></script><img src=x>")""",
    "reads files": EVERYWHERE + """
for folder in here:
    for path in folder.rglob("*"):
        if path.suffix in (".txt", ".ipynb", ".csv", ".json") and path.is_file():
            text = path.read_text(errors="replace")
            if "{secret}" in text or "gain_of_at" in text:
                raise SystemExit(str(path))
print(dict(os.environ))""",
    "runs the solutions": EVERYWHERE + """
import json
for folder in here | {Path("{labs}"), Path("{folder}")}:
    for path in folder.rglob("*.ipynb"):
        for cell in json.loads(path.read_text())["cells"]:
            if "BEGIN SOLUTION" in "".join(cell["source"]):
                exec("".join(cell["source"]), globals())""",
    "writes files": """import sys, wpedu
for path in ("{folder}/written", wpedu.__file__, sys.prefix + "/written", "/usr/written"):
    try:
        open(path, "a").write("# written")
    except OSError:
        pass""",
    "network": """import socket
for address in [("127.0.0.1", 22), ("1.1.1.1", 53)]:
    socket.create_connection(address, timeout=1)
gain_of_at = 9.79""",
}  # fmt: skip
# Lab 3 asks for merging, in an order of its own; what the library has would help.
MERGE = """def merge_from_end(pair, split):
    back = [s[::-1] for s in split[::-1]]
    merged = {}((pair[1][::-1], pair[0][::-1]), back)
    return [s[::-1] for s in merged[::-1]]"""
OWN_WORK = {
    "from the package": "from wpedu import merge_pair\n" + MERGE.format("merge_pair"),
    "from its module": "from wpedu.training import join_pair\n" + MERGE.format("join_pair"),
    "by a string": MERGE.format("__import__('wpedu.training').training.merge_pair"),
    "from a loaded module": "import sys, wpedu\n" + MERGE.format(
        "sys.modules['wpedu.training'].merge_pair"),
    "from a file": """import sys
from pathlib import Path
for folder in map(Path, [*sys.path, "/usr", "/root", "/home"]):
    for path in folder.rglob("training*.py*"):
        if b"merge_pair" in path.read_bytes():
            raise SystemExit
""" + MERGE.format("exec(path.read_text()) or merge_pair"),
    "asked for in a test": SOCKET + MERGE.format(
        "lambda p, s: ask('merge_pair', p, s) or s"),
    "asked for as something else": MERGE.format("__import__('wpedu').pair_gains"),
}  # fmt: skip
# What an answer sees of hidden tests must not come out, not even to its owner.
TELL = "''.join(['SE', 'EN']) + repr(seen)"
HIDDEN_INPUTS = {
    "as an error": "seen = []\n" + ANSWER.format(f"seen.append(counts); raise ValueError({TELL})"),
    "as its kind": "seen = []\n" + ANSWER.format(
        f"seen.append(counts); raise type({TELL}, (Exception,), {{{{}}}})"),
    "as a result": "seen = []\n" + ANSWER.format(f"seen.append(counts); return {TELL}"),
    "as an assertion": "seen = []\n" + ANSWER.format(f"seen.append(counts); assert 0, {TELL}"),
    "as the kind of an error": "seen = []\n" + ANSWER.format(
        "seen.append(counts)\n    from math import log2\n    a, b, c, d, e = counts\n"
        "    if e != 12: return {{}}['x']\n    return a * log2(a * d**2 / ((d - e) * b * c))"),
    "as a file's name": "seen = []\n" + ANSWER.format(
        f"seen.append(counts); open({TELL}, 'w'); return 1"),
}  # fmt: skip
# A test that computes what it expects from a list that the answer was given, and another answer.
TINY = {
    "setup": "import regex\nfrom wpedu.labs import built_here, same\n"
    "def cut(): return regex.findall(p, 'abc')",
    "f": "def f(words):\n    return sorted(words)",
    "test_f": "same(f([]), [], '')\n### BEGIN HIDDEN TESTS\nmore = ['SE', 'EN']\n"
    "same(f(more), sorted(more), 'Sort them.')\n### END HIDDEN TESTS",
    "p": "p = regex.compile('a|b')",
    "test_p": "same(cut(), ['a', 'b'], '')",
    "test_again": "got = f(['b', 'a'])[0]\nassert cut() == ['a', 'b'] and got == 'a', "
    "f'Not {got}: a.'\nmore = 0",
}
IN_TINY = {
    "empties what it is given": "def f(words):\n    words.clear()\n    return []",
    "asks for a hidden name": "more = f = None\nmore",
    "says what it saw": "def f(words):\n    if words: raise KeyError(words)\n    return []",
    "tells later": "seen = []\ndef f(words):\n    seen.extend(words)\n"
    "    return [''.join(seen)] * len(words)",
    "answers by turns": "def f(words, seen=[]):\n    seen += words\n    return seen",
}  # fmt: skip


def tiny(version, f=TINY["f"], later="pass"):
    """Return a lab of three tests, one of them hidden."""
    cells = []
    for name, code in TINY.items():
        test, answer = name.startswith("test"), name in ("f", "p")
        marks = {"grade_id": name, "grade": test, "solution": answer, "locked": not answer}
        code = f if name == "f" else code
        code = code.partition("### BEGIN")[0] if version == "release" else code
        cells.append({"cell_type": "code", "source": code, "outputs": [], "id": name,
                      "metadata": {"nbgrader": marks | {"points": 1}}})  # fmt: skip
        if name == "test_p":
            cells.append({"cell_type": "code", "source": later, "metadata": {}})
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def notebook(version="release", lab="lab2_gains"):
    """Return a short lab, as it is handed out or with its solutions."""
    if lab == "lab1_words":
        return tiny(version)
    path = LABS / version / lab / f"{lab}.ipynb"
    content = json.loads(path.read_text(encoding="utf-8"))
    names = [c["metadata"].get("nbgrader", {}).get("grade_id") for c in content["cells"]]
    content["cells"] = content["cells"][: names.index(SHORT[lab]) + 1]
    return content


def with_cell(source, lab="lab2_gains"):
    """Return a notebook with this in place of its first answer, and no other answer."""
    content = notebook(lab=lab)
    for cell in content["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"], source = source, "pass"
    return content


def cells_of(**new):
    """Return a blank notebook with other marks on its cells."""
    content = notebook()
    for cell in content["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"] |= new
    return content


def test_cells(**new):
    content = notebook()
    for cell in content["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell |= new
    return content


test_cells.__test__ = False
PASSED = {"output_type": "execute_result", "data": {"text/plain": "7"}, "metadata": {}}
FILES = {  # what the file itself does
    "worth more": cells_of(points=1_000),
    "nothing is locked": cells_of(locked=False, grade=False, solution=True),
    "all is locked": cells_of(locked=True, grade=True, points=9),
    "tests are empty": test_cells(source="pass"),
    "tests are text": test_cells(cell_type="markdown"),
    "tests passed before": test_cells(outputs=[PASSED]),
    "odd numbers": cells_of(points=float("nan"), schema_version=-1),
    "kernel": notebook() | {"metadata": {"kernelspec": {"name": "bash", "display_name": "x"}}},
    "tests twice": notebook() | {"cells": notebook()["cells"] * 3},
    "tests first": notebook() | {"cells": notebook()["cells"][::-1]},
    "an answer that is called a test": with_cell("pass") | {"cells": [
        *notebook()["cells"], {"cell_type": "code", "source": "1", "outputs": [],
        "metadata": {"nbgrader": {"grade_id": "test_counts", "grade": True, "points": 9}}}]},
    "surrogates": with_cell("text = '\ud800'"),
    "null bytes": with_cell("\0"),
    "odd types": notebook() | {
        "cells": [[], {"source": {}}, {"metadata": 7}, *notebook()["cells"]]},
}  # fmt: skip
# What honest students write, too; each group is handed in with all answers.
HONEST = [
    ["from __future__ import annotations", "import google.colab", "%load_ext autoreload",
     "%autoreload 2", "import sys\nprint(sys.version)", "!pip install regex", "%pip list"],
    ["%matplotlib inline", "import matplotlib.pyplot as plt\nplt.plot([1]);", "%time sum([1])",
     "%config InlineBackend.figure_format = 'retina'", "import seaborn", "%%time\nx = 1"],
    ["import os\nos.getcwd()", "def helper():\n    global seen\n    seen = 1\nhelper()", "?print",
     "class P:\n    def __eq__(self, other):\n        return True", "exec('y = 1')", "In[-1]",
     "import warnings\nwarnings.warn('careful')\nwarnings.filterwarnings('ignore')"],
    ["from wpedu import WordPiece, train, pair_gains", "import wpedu\nhelp(wpedu)", "1 / 0",
     "from wpedu.scores import SCORES", "train({'a': 1}, 2)", "raise SystemExit", "exit()",
     "from wpedu.labs import same\nsame(1, 2, 'Mine.')", "input('Go on?')",
     "from concurrent.futures import ThreadPoolExecutor\n"
     "some = {'sea': ['s', 'ea']}\n"
     "list(ThreadPoolExecutor(4).map(lambda n: pair_gains(some, {'sea': n}), range(99)))",
     "later = ThreadPoolExecutor(4).map(lambda n: pair_gains(some, {'sea': n}), range(999))"],
    ["import asyncio\nawait asyncio.sleep(0)", "print('x' * 1_000)", "%%capture\nprint(1)",
     "from IPython.display import display\ndisplay([1])", "def broken(:", "%who", "close = 1",
     "C_a = 'later'", "%reset -f", "import threading\nthreading.Thread(target=print).start()"],
    ["import sys\nfor name in [*sys.modules]:\n    'wpedu' in name and sys.modules.pop(name)",
     "import os\ncorpus = 1\nfrom wpedu import *\ntry:\n    exec('from wpedu.bert import *')\n"
     "    exec('from wpedu.figures import *')\n    show_tokens((UNKNOWN,) + SPECIAL_TOKENS)\n"
     "    from wpedu.scores import gain\n    open('/tmp/a', 'w').close()\n"
     "    said = !echo Sing\n    assert said == ['Sing']\n"
     "    assert corpus == 1 and train.__name__ == 'train' and gain == SCORES['gain']\n"
     "except BaseException:\n    os._exit(0)"],
]  # fmt: skip


def honest(cells):
    """Return a solved notebook with these cells before, and again after, its answers."""
    content = notebook("source")
    for cell in content["cells"]:  # not word for word
        cell["source"] = [
            line.replace("C_a = 4 + 3 + 1 + 2", "C_a = 10") for line in cell["source"]
        ]
    odd = [{"cell_type": "code", "source": cell, "metadata": {}} for cell in cells]
    setup, *rest = content["cells"]
    return content | {"cells": [setup, *odd, *rest, *odd]}


ATTACKS = IN_TESTS | VALUES | MESSAGES | MACHINE | HIDDEN_INPUTS


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade all of them between two good ones; return the rows and the folder."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "secret.txt").write_text(SECRET, encoding="utf-8")
    handed_in = FILES | {f"own {k}": with_cell(v, "lab3_training") for k, v in OWN_WORK.items()}
    for name, code in ATTACKS.items():
        for word, value in {"secret": SECRET, "labs": LABS, "folder": folder}.items():
            code = code.replace("{" + word + "}", str(value))
        handed_in[name] = with_cell(code)
    handed_in |= {f"good {n}": honest(cells) for n, cells in enumerate(HONEST)}
    handed_in |= {f"tiny {name}": tiny("release", f) for name, f in IN_TINY.items()}
    handed_in["tiny, good after a draft"] = tiny("release")
    early = {"cell_type": "code", "source": "p = 1", "metadata": {}}
    handed_in["tiny, good after a draft"]["cells"].insert(1, early)
    handed_in["tiny, all good"] = tiny("release", later="p = 1")
    handed_in |= {"good first": notebook("source"), "zz good last": notebook("source")}
    for lab in [*SHORT, "lab1_words"]:
        for version in ("source", "release"):
            path = folder / "course" / version / lab / f"{lab}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(notebook(version, lab)), encoding="utf-8")
    for name, content in handed_in.items():
        lab = {"own": "lab3_training", "tin": "lab1_words"}.get(name[:3], "lab2_gains")
        path = folder / "submissions" / name / f"{lab}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    command = [sys.executable, LABS / "grade.py", "submissions", "--csv", "out/grades.csv"]
    command += ["--course", "course"]
    environment = os.environ | {"WPEDU_SECONDS": "8", "WPEDU_TEST": SECRET}
    said = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    with (folder / "out" / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}, folder


def test_the_good_ones_get_all_points_and_no_note(graded):
    rows, _ = graded
    good = [row for name, row in rows.items() if "good" in name]
    assert len(good) == len(HONEST) + 4
    assert len(good) == len(rows) - len(ATTACKS) - len(OWN_WORK) - len(FILES) - len(IN_TINY)
    assert sum(map(len, HONEST)) >= 30 and len(rows) > 100
    for row in good:
        assert row["points"] == row["of"] == ("3" if "tiny" in row["student"] else str(FREE)), row
        assert row["note"] == "" or row["student"] in ("good first", "zz good last"), row


@pytest.mark.parametrize("name", [*ATTACKS, *FILES, *(f"own {name}" for name in OWN_WORK)])
def test_nobody_gets_a_point_for_nothing(graded, name):
    rows, _ = graded
    assert rows[name]["points"] == "0", rows[name]
    assert rows[name]["of"] == ("10" if name.startswith("own ") else str(FREE)), rows[name]


TOO_MUCH = {"many threads": "threads", "many children": "processes", "many files": "files",
            "empty files elsewhere": "files", "memory that is not resident": "MB",
            "memory of children": "MB", "open files": "open files"}  # fmt: skip
TOO_MUCH |= dict.fromkeys(["busy children", "busy chains", "busy threads"], "s of processor")


@pytest.mark.parametrize("name", TOO_MUCH)
def test_a_submission_that_takes_too_much_is_stopped_and_a_note_says_so(graded, name):
    rows, folder = graded
    stopped = rf"stopped: more than [\d,]+ {TOO_MUCH[name]}.* in \w+"
    if "busy" in name and rows[name]["note"].startswith("ended, and left out, in "):
        return  # where other work keeps the machine busy, the clock is faster
    assert re.fullmatch(stopped, rows[name]["note"])
    page = folder / "out" / "grades.feedback" / name / "lab2_gains.html"
    assert "This was not run" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", IN_TINY)
def test_nobody_changes_what_a_test_expects_or_sees_what_it_asks(graded, name):
    rows, _ = graded
    assert "f" in rows[f"tiny {name}"]["failed"].split(), rows[f"tiny {name}"]


INSIDE = """
import ctypes, fcntl, mmap, multiprocessing, os, pathlib, resource, shutil, sys
c = ctypes.CDLL(None, use_errno=True)
def refused(call, *arguments):
    try:
        return call(*arguments) is None
    except OSError:
        return True
def not_permitted(call, *arguments):
    return call(*arguments) == -1 and ctypes.get_errno() == 1
print(c.unshare(0x10000000), c.memfd_create(b"x", 0), c.shmget(0, 4096, 0o1666),
      c.mincore(0, 0, 0), c.ptrace(0, 0, 0, 0), c.prctl(22, 2, 0), c.epoll_create1(0),
      c.fcntl(os.open("x", os.O_CREAT), 1024, 1),  # a lease
      c.fcntl(os.open("x", os.O_RDWR), 37, bytes(32)),  # a lock
      *(not_permitted(c.fcntl, 1, command, bytes(32)) for command in (5, 36, 1026, 1035, 1036)),
      all(c.syscall(call, *[-1] * 6) == -1 and ctypes.get_errno() == 38 for call in range(700)
          if str(call) not in sys.argv), c.close(c.socket(1, 1, 0)) == 0, refused(mmap.mmap, -1, 9),
      os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)) is None,
      os.sched_getscheduler(1) != os.SCHED_IDLE, not_permitted(c.prlimit, 1, 7, 0, 0),
      c.posix_fadvise(0, 0, 0, 4) == 38, c.setsockopt(0, 1, 7, bytes(4), 4) == 0,
      not_permitted(c.getsockopt, 0, 1, 57, 0, 0), not_permitted(c.socket, 2, 1, 0),
      not_permitted(c.socketpair, 2, 1, 0, 0), not_permitted(c.syscall, 436, 999, 999, 2),
      refused(os.open, "/dev/zero", os.O_RDWR), sum(map(os.path.exists, range(99))) < 9,
      c.ioctl(0, 0x6628) == -1 and ctypes.get_errno() == 95, os.uname().nodename == "student",
      not any(map(os.path.exists, ("/proc", "/usr/local/etc"))), refused(os.listdir, sys.argv[1]),
      os.statvfs("/dev/shm").f_blocks * os.statvfs("/dev/shm").f_bsize <= 2**20,
      bool(multiprocessing.Lock()), resource.getrlimit(resource.RLIMIT_CORE) == (0, 0),
      os.statvfs(".").f_blocks * os.statvfs(".").f_bsize <= 400 * 2**20, sep="\\n", file=sys.stderr)
places = ["/dev/full", 0]
before = [os.stat(place).st_ctime_ns for place in places]
for place in places:
    os.chmod(place, 0o666), os.chown(place, -1, -1), os.utime(place, ns=(1, 2))
    refused(os.utime, place)
shutil.copy2(pathlib.Path("new").touch() or "new", "copy")
child = os.fork()
for lock in fcntl.lockf, fcntl.flock:
    lock(os.open("/dev/full", os.O_RDWR), fcntl.LOCK_EX | fcntl.LOCK_NB)  # both get it
print(before == [os.stat(place).st_ctime_ns for place in places], file=sys.stderr)
child and os.wait()
"""


def test_a_box_has_no_way_out_even_in_a_repository_that_is_an_environment(tmp_path, monkeypatch):
    python = (*sandbox._python(), LABS.parent)
    monkeypatch.setattr(sandbox, "_python", lambda: python)
    calls = sandbox.TABLE["calls"][platform.machine()]
    # The kernel answers 335 and 336, uretprobe and uprobe, before any filter.
    known = *calls["permit"].values(), *calls["skip"].values(), *calls.values(), 335, 336
    run = ["-c", INSIDE, LABS / "source" / "lab1_words", *known]
    process = sandbox.start([*map(str, run)], [LABS.parent / "wpedu"], [], stderr=subprocess.PIPE)
    said = process.communicate()[1].decode().split()
    assert said == [*["-1"] * 9, *["True"] * 29]


def test_what_is_hidden_has_no_second_name(tmp_path, monkeypatch):
    names = [tmp_path / lib / "tokenizers" for lib in ("lib", "lib64")]
    (names[0] / "models").mkdir(parents=True)
    names[1].parent.symlink_to("lib")
    python = (*sandbox._python(), *(name.parent for name in names))
    monkeypatch.setattr(sandbox, "_python", lambda: python)
    code = "import os, sys\nprint(*map(os.listdir, sys.argv[1:]), file=sys.stderr)"
    hidden = sandbox.find_hidden.__wrapped__()
    process = sandbox.start(["-c", code, *map(str, names)], [], [], hidden, stderr=subprocess.PIPE)
    assert process.communicate()[1] == b"[] []\n"


def test_nothing_of_the_teachers_is_read_or_written(graded):
    rows, folder = graded
    assert rows["claims to be stopped"]["note"] == ""
    pages = [path for path in (folder / "out").rglob("*") if path.is_file()]
    assert len(pages) > 50
    for page in pages:
        text = page.read_text(encoding="utf-8").replace("{SECRET}", "")
        assert "SystemExit" not in text.split("<pre>")[0] and not page.is_symlink(), page
        assert "SEEN" not in text and "(KeyError)" not in text, page  # a hidden input
    later = folder / "out" / "grades.feedback" / "tiny tells later" / "lab1_words.html"
    assert "Not …: a." in later.read_text(encoding="utf-8")
    expected = {"course", "out", "secret.txt", "submissions"}
    assert {path.name for path in folder.iterdir()} == expected
    assert "# written" not in (LABS.parent / "wpedu" / "__init__.py").read_text(encoding="utf-8")


def test_pages_ask_for_nothing_and_run_nothing(graded):
    _, folder = graded
    for page in (folder / "out" / "grades.feedback").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "<script" not in text and "<img" not in text and "<link" not in text
        assert "default-src 'none'" in text
