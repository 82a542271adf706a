"""Says in one line whether this computer is ready for the notebooks: python labs/check_setup.py

If so, it is ready for the labs too, which need less. This script needs no network, and it runs on
any Python 3, so that it can report an old one.
"""

import importlib
import sys

NEEDED = ["regex", "numpy", "pandas", "matplotlib", "jupyterlab", "ipykernel", "wpedu"]
FIRST = [("t", "h"), ("th", "e"), ("a", "n"), ("an", "d")]
PYTHON = "Python %d.%d" % sys.version_info[:2]


def find_problem():
    """Return what is wrong and what to do about it, or an empty string."""
    if sys.version_info < (3, 11):
        told = "this is %s, but the notebooks need 3.11 or later: see the README, 'conda'."
        return told % PYTHON
    for name in NEEDED:
        try:
            importlib.import_module(name)
        except ImportError as error:
            return "%s cannot be imported (%s): pip install -e '.[notebooks]'" % (name, error)
    from wpedu import load_corpus, train

    if train(load_corpus("homer").word_counts, 4) != FIRST:
        return "the first merges of Homer are wrong: get a fresh copy of this repository."
    return ""


if __name__ == "__main__":
    problem = find_problem()
    if problem:
        sys.exit("NOT READY: " + problem)
    print("READY: %s, wpedu %s" % (PYTHON, sys.modules["wpedu"].__version__))
