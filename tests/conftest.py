"""Fixtures of several tests: Homer's counts and text, known facts, and a Python process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from wpedu import WordPiece, load_corpus, load_vocab

# No test fails by chance or because a machine is slow: the examples are the same in every run.
# `pytest --hypothesis-profile=search` looks for new examples.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", untimed)
settings.register_profile("same", untimed, derandomize=True)
settings.load_profile("same")


@pytest.fixture(scope="session")
def facts():
    return json.loads((Path(__file__).parent / "homer.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def homer():
    return load_corpus("homer")


@pytest.fixture(scope="session")
def homer_text(homer):
    if not homer.has_text:
        pytest.skip("Homer's text is not on this machine: set WPEDU_DATA (see the README)")
    return homer.text


@pytest.fixture(scope="session")
def bert_vocab():
    """The tokens of bert-base-uncased, in the order of their ids."""
    return list(load_vocab("bert-base-uncased"))


@pytest.fixture(scope="session")
def wp(homer):
    """The tokenizer of the notebooks: 200 merges on Homer."""
    return WordPiece(num_merges=200).fit(homer.word_counts)


@pytest.fixture(scope="session")
def run_python():
    """Run Python on this checkout in its own process, and return the result with its output."""

    def run(*arguments, check=True, **environment):
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), **environment},
            capture_output=True,
            check=check,
            encoding="utf-8",
        )

    return run
