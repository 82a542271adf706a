"""Says in one line whether this computer is ready for the notebooks: python labs/check_setup.py

If so, it is ready for the labs too, which need less. This script needs no network, and it runs on
any Python 3, so that it can report an old one.
"""

import importlib
import sys

NEEDED = ["regex", "numpy", "pandas", "matplotlib", "jupyterlab", "ipykernel", "wpedu"]
FIRST = [("t", "h"), ("th", "e"), ("a", "n"), ("an", "d")]


def main():
    """Print the line; end with the code 1 if something is wrong, and say what to do about it."""
    python = "Python %d.%d" % sys.version_info[:2]
    if sys.version_info < (3, 11):
        told = (
            "NOT READY: this is %s, but the notebooks need 3.11 or later: see the README, 'conda'."
        )
        sys.exit(told % python)
    for name in NEEDED:
        try:
            importlib.import_module(name)
        except ImportError as error:
            told = "NOT READY: %s cannot be imported (%s): pip install -e '.[notebooks]'"
            sys.exit(told % (name, error))
    from wpedu import __version__, load_corpus, train

    if train(load_corpus("homer").word_counts, 4) != FIRST:
        told = "the first merges of Homer are wrong: get a fresh copy of this repository."
        sys.exit("NOT READY: " + told)
    print("READY: %s, wpedu %s" % (python, __version__))


if __name__ == "__main__":
    main()
