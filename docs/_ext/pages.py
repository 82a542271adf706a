"""What is written elsewhere in the repository → pages of the site, with links that hold.

A file links to others as they lie in the repository, so that its links hold in JupyterLab and on
GitHub. Here they are turned into links to the pages of the site. What is no page of it is linked to
in the repository, as soon as that has an address; until then its name stands there without a link.
"""

import json
import posixpath
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from address import BRANCH, repository
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
REPOSITORY = repository(
    tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
)

LINK = re.compile(r"(?<!!)\[((?:[^\[\]\\]|\\.)*)\]\((?![a-z]+:|#)([^()\s]+)\)")
ENTRY = re.compile(r"^(?:.*<)?([\w/]+)>?$")

RUN = (
    '\n\n<p class="run"><a href="{}lite/lab/index.html?path={}">Run this notebook in the browser'
    "</a></p>\n"
)

# There when the site is, but no pages that Sphinx makes of this folder.
ASIDE = ("playground", "slides", "handout.html", "lite")


def brought() -> dict[str, str]:
    """Return {a file of the repository: where it lies in docs/ while the site is built}."""
    found = {"benchmarks/README.md": "benchmarks.md", "datasets/README.md": "datasets.md"}
    patterns = ["notebooks/*.ipynb"]
    if (ROOT / "labs" / "README.md").is_file():
        patterns += ["labs/README.md", "labs/release/*/*.ipynb", "labs/source/*/*.ipynb"]
        patterns += ["labs/answers/*.ipynb"]
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            found[name] = name.replace("labs/README.md", "labs/index.md")
    return found


def bring(*_: object) -> None:
    """Copy the pages that are written elsewhere into docs/, and take away those that went."""
    wanted = brought()
    for folder in ("notebooks", "labs"):
        for path in (DOCS / folder).rglob("*"):
            if path.is_file() and path.relative_to(DOCS).as_posix() not in wanted.values():
                path.unlink()
    for source, target in wanted.items():
        old, new = DOCS / target, (ROOT / source).read_bytes()
        if not old.is_file() or old.read_bytes() != new:
            old.parent.mkdir(parents=True, exist_ok=True)
            old.write_bytes(new)


def pages() -> dict[str, str]:
    """Return {a file of the repository: the source of its page, in docs/}."""
    own = [*DOCS.glob("*.md"), *DOCS.glob("*.rst")]
    at_home = {f"docs/{path.name}": path.name for path in own}
    return at_home | brought() | {"README.md": "index.md"}


def mend(text: str, source: str, where: dict[str, str]) -> str:
    """Return the Markdown `text` of the file `source`, with links that hold on the site.

    >>> where = {"notebooks/00.ipynb": "notebooks/00.ipynb", "docs/book.md": "book.md"}
    >>> mend("[00](../notebooks/00.ipynb)", "docs/book.md", where)
    '[00](notebooks/00.ipynb)'
    >>> mend("[them](book.md#how)", "docs/book.md", where)
    '[them](book.md#how)'
    """

    def target(match: re.Match[str]) -> str:
        words, (path, hash_, part) = match[1], match[2].partition("#")
        name = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        page = posixpath.dirname(where.get(source, source))
        if name in where:
            if name.endswith(".ipynb"):  # JupyterLab writes "#The-map", and MyST "#the-map"
                part = re.sub(r"[^\w-]", "", part).lower()
            return f"[{words}]({posixpath.relpath(where[name], page or '.')}{hash_}{part})"
        aside = name.removeprefix("docs/").replace("slides/index.md", "slides/index.html")
        if aside.split("/")[0] in ASIDE:
            address = escape(posixpath.relpath(aside, page or ".") + hash_ + part)
            return f'<a href="{address}">{words}</a>'
        if not (ROOT / name).exists():
            return match[0]  # a broken link, of which Sphinx will warn
        if REPOSITORY:
            kind = "tree" if (ROOT / name).is_dir() else "blob"
            return f"[{words}]({REPOSITORY}/{kind}/{BRANCH}/{name}{hash_}{part})"
        return words

    return LINK.sub(target, text)


def _mend_page(app: Sphinx, docname: str, content: list[str]) -> None:
    where = pages()
    path = Path(app.env.doc2path(docname)).relative_to(DOCS).as_posix()
    source = next((name for name, page in where.items() if page == path), path)
    if path == "index.md":
        source = "docs/index.md"
    repair: Callable[[str], str] = partial(mend, source=source, where=where)
    if path.endswith(".ipynb"):
        notebook = json.loads(content[0])
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = repair("".join(cell["source"]))
        title, line, rest = "".join(notebook["cells"][0]["source"]).partition("\n")
        if path.startswith(("notebooks/", "labs/release/")) and app.config.build_lite:
            up = "../" * path.count("/")
            title += RUN.format(up, escape(path))
        elif path.startswith("labs/source/"):
            title += ": solution"
        notebook["cells"][0]["source"] = title + line + rest
        content[0] = json.dumps(notebook, ensure_ascii=False)
    elif path.endswith(".md"):
        text = repair(content[0])
        if path == "index.md":
            text = _without_missing(re.sub(r"^- .*", _item, text, flags=re.MULTILINE))
        if path == "labs/index.md":
            text += _contents(sorted(where))
        content[0] = text


def _item(match: re.Match[str]) -> str:
    """Leave out what leads to a page that is not written yet."""
    found = re.search(r'\]\(([\w./]+\.md)\)|href="(slides|handout)', match[0])
    paths = found and DOCS.glob(found[1] or f"{found[2]}*")
    return "" if found and not any(paths) else match[0]


LABS = {
    "labs/release/": "Labs, as students get them",
    "labs/source/": "The same, with solutions and hidden tests",
    "labs/answers/": "Answers to the questions of the notebooks",
}


def _contents(names: list[str]) -> str:
    """Return the tables of contents of the labs."""
    text = ""
    for folder, title in LABS.items():
        paths = [name.removeprefix("labs/") for name in names if name.startswith(folder)]
        if paths:
            listed = "\n".join(posixpath.splitext(path)[0] for path in paths)
            text += f"\n\n## {title}\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"
    return text


def _without_missing(text: str) -> str:
    """Leave out of a table of contents what is not written yet."""

    def kept(block: re.Match[str]) -> str:
        lines = block[0].split("\n")
        return "\n".join(line for line in lines if _is_there(line))

    tables = re.compile(r"^```\{toctree\}\n.*?^```$", re.MULTILINE | re.DOTALL)
    return tables.sub(kept, text)


def _is_there(line: str) -> bool:
    entry = ENTRY.match(line)
    return entry is None or any(DOCS.glob(f"{entry[1]}.*"))


def _add_aside(app: Sphinx, exception: Exception | None) -> None:
    """Add the playground with its data, the slides and the handout."""
    if exception is not None or app.builder.format != "html":
        return
    playground, slides, handout = (DOCS / name for name in ASIDE[:3])
    target = Path(app.outdir)
    if playground.is_dir():
        ignore = shutil.ignore_patterns("__pycache__", "make_data.py", "data.js")
        shutil.copytree(playground, target / "playground", ignore=ignore, dirs_exist_ok=True)
        data = str(target / "playground" / "data.js")
        _run("playground", str(playground / "make_data.py"), data, "--home", "../index.html")
    if slides.is_dir():
        _run(
            "slides",
            "-m",
            "sphinx",
            "-W",
            "-q",
            "-b",
            "revealjs",
            str(slides),
            str(target / "slides"),
        )
    if handout.is_file():
        shutil.copyfile(handout, target / handout.name)


def _run(what: str, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, encoding="utf-8", errors="replace"
    )
    if done.returncode:
        raise ExtensionError(f"{what}: {done.stdout}{done.stderr}")


def _name_buttons(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Let the button of a folded answer be called what is written on it."""
    named = '<summary aria-label="Toggle hidden content">'
    if "body" in context:
        context["body"] = context["body"].replace(named, "<summary>")


def _from_plain_text(
    _app: Sphinx, _what: str, _name: str, _obj: object, _options: object, lines: list[str]
) -> None:
    lines[:] = to_rst(lines)


def to_rst(lines: list[str]) -> list[str]:
    """Return a docstring, which is plain text with `code` in it, as reStructuredText.

    >>> to_rst(["|V| holds:", "", "    V, W"])
    ['\\\\|V\\\\| holds::', '', '    V, W']
    """
    done = []
    for line, after, second in zip(lines, [*lines[1:], ""], [*lines[2:], "", ""]):
        is_text = line[:1].strip() and not line.startswith((">>>", "..."))
        block = is_text and not after.strip() and second.startswith("    ")
        if is_text:
            parts = re.split("(`[^`]*`)", line)
            parts[::2] = [re.sub(r"([|*])", r"\\\1", part) for part in parts[::2]]
            line = "".join(parts)
        done.append(line)
        if block and line.endswith(":"):
            done[-1] += ":"
        elif block:
            done += ["", "::"]
    return done


def _outdated(*_: object) -> list[str]:
    return ["index", "labs/index"] if (DOCS / "labs" / "index.md").is_file() else ["index"]


def setup(app: Sphinx) -> dict[str, bool]:
    """Bring the pages before Sphinx looks for them."""
    if not (DOCS / "index.md").is_file():
        raise ExtensionError("docs/index.md is missing")
    app.connect("config-inited", bring)
    app.connect("env-get-outdated", _outdated)  # their contents depend on what is there
    app.connect("source-read", _mend_page)
    app.connect("html-page-context", _name_buttons)
    app.connect("build-finished", _add_aside)
    app.connect("autodoc-process-docstring", _from_plain_text)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
