"""Says in one line whether this computer is ready for the notebooks: python labs/check_setup.py

If so, it is ready for the labs too, which need less. This script needs no network, and it runs on
any Python 3, so that it can report an old one.
"""

import importlib
import sys

NEEDED = ["regex", "numpy", "pandas", "matplotlib", "jupyterlab", "ipykernel", "wpedu"]
FIRST = [("t", "h"), ("th", "e"), ("a", "n"), ("an", "d")]
PYTHON = "Python %d.%d" % sys.version_info[:2]

if sys.version_info < (3, 11):
    told = "NOT READY: this is %s, but the notebooks need 3.11 or later: see the README, 'conda'."
    sys.exit(told % PYTHON)
for name in NEEDED:
    try:
        importlib.import_module(name)
    except ImportError as error:
        told = "NOT READY: %s cannot be imported (%s): pip install -e '.[notebooks]'"
        sys.exit(told % (name, error))
wpedu = sys.modules["wpedu"]
if wpedu.train(wpedu.load_corpus("homer").word_counts, 4) != FIRST:
    sys.exit("NOT READY: the first merges of Homer are wrong: get a fresh copy of this repository.")
print("READY: %s, wpedu %s" % (PYTHON, wpedu.__version__))
