"""Says in one line whether this computer is ready for the notebooks: python labs/check_setup.py

If so, it is ready for the labs too, which need less. This script needs no network, and it runs on
any Python 3, so that it can report an old one.
"""

import importlib
import sys

NEEDED = ["regex", "numpy", "pandas", "matplotlib", "jupyterlab", "ipykernel", "wpedu"]
FIRST = [("t", "h"), ("th", "e"), ("a", "n"), ("an", "d")]


def find_problem():
    """Return what is wrong and what to do about it, in a sentence, or None."""
    if sys.version_info < (3, 11):
        return (
            "this is Python %d.%d, but the notebooks need 3.11 or later: see the README, 'conda'."
            % (sys.version_info[:2])
        )
    for name in NEEDED:
        try:
            importlib.import_module(name)
        except ImportError as error:
            reason = "%s cannot be imported (%s)" % (name, error)
            return reason + ": pip install -e '.[notebooks]'"
    from wpedu import load_corpus, train

    if train(load_corpus("homer").word_counts, 4) != FIRST:
        return "the first merges of Homer are wrong: get a fresh copy of this repository."
    return None


def main():
    """Print the line; end with the code 1 if something is wrong."""
    problem = find_problem()
    if problem:
        sys.exit("NOT READY: " + problem)
    from wpedu import __version__

    print("READY: Python %d.%d, wpedu %s" % (*sys.version_info[:2], __version__))


if __name__ == "__main__":
    main()
