#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox>=2025.5"]
# ///
"""What takes longer than `pytest`: `nox` runs all of it, `nox -l` lists it, `nox -s lint` runs one.

`.ci/run` runs the README's two commands, and then this, in fresh clones.
"""

import os
import shutil

import nox

nox.needs_version = ">=2025.5"
nox.options.default_venv_backend = "uv|venv"
DEV = nox.project.dependency_groups(nox.project.load_toml("pyproject.toml"), "dev")


def need(session: nox.Session, packages: dict[str, str]) -> None:
    """Install Debian's packages, {program: package}, for programs that are missing, in CI.

    Elsewhere, the tests that need them are skipped, with the reason.
    """
    missing = [package for program, package in packages.items() if not shutil.which(program)]
    if missing and "CI" in os.environ:
        root = [] if os.geteuid() == 0 else ["sudo", "-n"]
        session.run(*root, "apt-get", "update", "-qq", external=True)
        session.run(*root, "apt-get", "install", "-y", "-qq", *missing, external=True, silent=True)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, types, spelling, workflows, and the conventions of scientific Python."""
    session.install("-q", "-e", ".[test]", *DEV)
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy", "--strict", "wpedu", "tests/typed_calls.py")
    folder = session.create_tmp()
    session.run("python", "tests/snippets.py", folder)
    session.run("basedpyright", "--level", "error", folder)
    session.run("codespell")
    session.run("repo-review", ".")
    session.run("zizmor", "--offline", "-q", ".")


@nox.session
def slow(session: nox.Session) -> None:
    """Run the tests that are marked `long`, with every declaration of human rights."""
    session.install("-q", "-e", ".[facts,test]")
    texts = os.path.abspath(session.create_tmp())
    shutil.rmtree(texts)
    os.mkdir(texts)
    if "WPEDU_DATA" in os.environ:
        for there in os.scandir(os.environ["WPEDU_DATA"]):
            if there.name != "udhr":  # it may lack some
                os.symlink(there.path, os.path.join(texts, there.name))
    session.run("python", "datasets/make_udhr.py", texts)
    session.run(
        "pytest", "-o", "addopts=-rs -n 2", "-m", "long", "tests", env={"WPEDU_DATA": texts}
    )


@nox.session
def labs(session: nox.Session) -> None:
    """Run the answers to the questions; grade solutions, blanks and hostile submissions."""
    need(session, {"bwrap": "bubblewrap"})
    session.install("-q", "-e", ".[labs,test]")
    session.run("pytest", "labs/answers")
    session.run("pytest", "-o", "addopts=-rs", "labs/test_nbgrader.py", "labs/test_hostile.py")


@nox.session
def pages(session: nox.Session) -> None:
    """Build the site, and test its pages in browsers."""
    browsers = {"chromium": "chromium", "firefox-esr": "firefox-esr"}
    need(session, browsers | {"WebKitWebDriver": "webkit2gtk-driver", "xvfb-run": "xvfb"})
    session.install("-q", "pip", "-e", ".[browser,docs,labs,test]")
    npm = ["axe-core", "pagefind", "puppeteer-core"]
    session.run("npm", "install", "--silent", "--no-save", *npm, external=True)
    if not os.path.exists("pyodide"):
        session.run("python", "tests/site/get_pyodide.py", "pyodide")
    display = ["xvfb-run", "-a"] if shutil.which("xvfb-run") else []
    session.run(*display, "pytest", "-o", "addopts=-rs", "tests/site", external=bool(display))
    session.run("pytest", "-o", "addopts=-rs -n 2 --dist load", "tests/browser")


@nox.session(venv_backend="uv")
def lowest(session: nox.Session) -> None:
    """Run the tests on the lowest versions that pyproject.toml admits."""
    session.install("-q", "pip>=24", "--resolution", "lowest-direct", "-e", ".[test]")
    session.run("pytest", "-W", "default")  # old versions warn of what new ones changed
    session.run("pytest", "-W", "default", "-m", "long", "tests/test_distributed.py")


if __name__ == "__main__":
    nox.main()
