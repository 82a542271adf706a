"""Turn files from the whole repository into pages of the site, with working links.

A file's links follow the layout of the repository, so they work in JupyterLab and on GitHub. Here
they become links to pages of the site. If the target has no page, only the words of the link stay.
"""

import json
import posixpath
import re
import shutil
import sys
from collections.abc import Iterator
from html import escape
from itertools import count
from pathlib import Path
from typing import Any

import home
from docutils import nodes
from lite import run
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from wpedu.figures import show_tokens
from wpedu.pretokenization import START

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
LINK = re.compile(r"(?<!!)\[((?:[^\[\]\\]|\\.)*)\]\((?![a-z]+:|#)([^()\s]+)\)")

# {a file: its copy in docs/ while the site is built}, and folders that are copied.
BROUGHT = {"benchmarks/README.md": "benchmarks.md", "datasets/README.md": "datasets.md"}
BROUGHT["labs/README.md"] = "labs/index.md"
FOLDERS = ["notebooks", "labs/release/*", "labs/source/*", "labs/answers"]

# On the site, but not built by Sphinx from this folder.
ASIDE = {"docs/handout.html": "handout.html", "docs/slides/index.md": "slides/index.html"}
ASIDE["docs/playground/index.html"] = "playground/index.html"

CELL = re.compile(r'<div class="(cell [^"]*docutils container")')
HOME_SCRIPTS = "data", "vocabularies", "tokenizer", "draw", "bert", "gpt", "home"

RUN = """</h1>
<p class="run"><a href="{}lite/lab/index.html?path={}.ipynb">Run it in the browser</a></p>
"""

# {a page: (text in the code of a cell, the live figure above its saved output)}
LIVE = {
    "notebooks/02_pair_gains": ("gains = pair_gains(splits, toy)", "pairs"),
    "notebooks/03_merge_training": ("num_merges=100)", "merges"),
}


def bring(*_: object) -> None:
    """Copy the pages from other folders into docs/, in place of earlier copies."""
    for folder in ("notebooks", "labs"):
        shutil.rmtree(DOCS / folder, ignore_errors=True)
    for source, page in pages().items():
        if not source.startswith("docs/") and source != "README.md":
            (DOCS / page).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / source, DOCS / page)


def pages() -> dict[str, str]:
    """Return {a file of the repository: the source of its page in docs/, or its page}."""
    paths = (path for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.ipynb"))
    names = (path.relative_to(ROOT).as_posix() for path in paths)
    texts = (path for folder in (".", "guide") for path in (DOCS / folder).glob("*.md"))
    own = {f"docs/{name}": name for name in (t.relative_to(DOCS).as_posix() for t in texts)}
    return BROUGHT | {name: name for name in names} | own | ASIDE | {"README.md": "index.md"}


def mend(text: str, source: str, pages: dict[str, str]) -> str:
    """Return the `text` of the file `source`, with links that work on its page.

    >>> pages = {"notebooks/00.ipynb": "notebooks/00.ipynb", "docs/book.md": "book.md"}
    >>> mend("[00](../notebooks/00.ipynb), [this](book.md#how)", "docs/book.md", pages)
    '[00](notebooks/00.ipynb), [this](book.md#how)'
    """

    def target(match: re.Match[str]) -> str:
        words = match[1]
        path, sign, part = re.split("([?#]|$)", match[2], maxsplit=1)
        name = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if name not in pages:  # Sphinx warns if the target does not exist
            return words if (ROOT / name).exists() else match[0]
        if name.endswith(".ipynb"):  # JupyterLab writes "#The-map", and MyST "#the-map"
            part = re.sub(r"[^\w-]", "", part).lower()
        start = posixpath.dirname(pages[source]) or "."
        address = posixpath.relpath(pages[name], start) + sign + part
        aside = pages[name].endswith(".html")
        # In a notebook, double quotes would have to be escaped for JSON.
        address = address.replace("'", "%27") if aside else address
        return f"<a href='{address}'>{words}</a>" if aside else f"[{words}]({address})"

    return LINK.sub(target, text)


def number(tree: object) -> str:
    """Return the sidebar's `tree` of pages, with the numbers of notebooks apart.

    >>> number('<a href="#">02 · Pair gains</a>')
    '<a href="#"><b>02</b> Pair gains</a>'
    """
    return re.sub(r">(\d\d) · ", r"><b>\1</b> ", str(tree))


def _mend_page(app: Sphinx, docname: str, content: list[str]) -> None:
    where = pages()
    path = Path(app.env.doc2path(docname)).relative_to(DOCS).as_posix()
    source = next(name for name, page in where.items() if page == path)
    content[0] = mend(content[0], source, where)
    if docname == "labs/index":
        content[0] += (DOCS / "_templates" / "labs.md").read_text(encoding="utf-8")
    elif docname in LIVE:
        notebook = json.loads(content[0])
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        cell = next(cell for cell in cells if LIVE[docname][0] in "".join(cell["source"]))
        cell["metadata"].setdefault("tags", []).append("live")
        content[0] = json.dumps(notebook)
    elif docname.startswith("labs/source/"):
        content[0] = re.sub(r'"# [^"\\]*', r"\g<0>: solution", content[0], count=1)


class Tokens(SphinxDirective):
    """Lines of tokens in boxes: on GitHub, they are plain text. The argument is their language."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return one strip for each line, from the right if its script is."""
        strips = "".join(
            f'<div class="toks" dir="auto">{_boxes(line)}</div>' for line in self.content
        )
        return [nodes.raw("", f'<div class="strips">{strips}</div>', format="html")]


def _boxes(line: str) -> str:
    tokens = str(show_tokens(line.split())).split("|")  # with symbols for invisible characters
    boxes = [f'<span class="t{" b" * (t[0] == START)}">{escape(t)}</span>' for t in tokens]
    return f'<span class="w">{"".join(boxes)}</span>'.replace(START, f"<i>{START}</i>")


def _home(app: Sphinx) -> str:
    """Return what is below the title of the home page."""
    part = app.builder.templates.render("home.html", home.content())
    scripts = [
        f'<script defer id="{name}-script" src="playground/{name}.js"></script>'
        for name in HOME_SCRIPTS
    ]
    return "\n".join([part, *scripts])


def _playground(_app: Sphinx) -> Iterator[tuple[str, dict[str, str], str]]:
    """Put the playground below the bar of the site."""
    page = (DOCS / "playground" / "index.html").read_text(encoding="utf-8")
    _, part, _ = re.split(
        r"(<!-- playground:.*<!-- end of the playground -->)", page, flags=re.DOTALL
    )
    yield "playground/index", {"title": "Playground", "body": part}, "page.html"


def _finish_page(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    body = context.get("body", "")
    # Name the button of a folded answer by its visible text.
    body = body.replace('<summary aria-label="Toggle hidden content">', "<summary>")
    # The empty corner of a table is not a header.
    body = re.sub(r"<th\b([^>]*)>(?:<p></p>)?</th>", r"<td\1></td>", body)
    if page.startswith(("notebooks/", "labs/release/")) and app.config.build_lite:
        body = body.replace("</h1>", RUN.format("../" * page.count("/"), page), 1)
    if page.startswith(("notebooks/", "labs/answers/")):
        cells = count(1)  # as JupyterLab numbers them
        body = CELL.sub(lambda div: f'<div id="cell-{next(cells)}" class="{div[1]}', body)
    if page == "index":
        body = body.replace('<div id="home"></div>', _home(app))
    if page in LIVE:
        before, output, after = re.split('(?s)(tag_live .*?)(?=<div class="cell_output)', body)
        figure = f'<div class="live-figure" data-figure="{LIVE[page][1]}"></div>\n'
        script = '<script src="../playground/live.js"></script>'
        body = before + output + figure + after + script
    context["body"] = body
    context["number"] = number


def _add_aside(app: Sphinx, exception: Exception | None) -> None:
    """Add the playground with its data, the slides, and the handout."""
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    ignore = shutil.ignore_patterns("__pycache__", "make_data.py", "data*.js", "index.html")
    shutil.copytree(DOCS / "playground", site / "playground", ignore=ignore, dirs_exist_ok=True)
    data = str(site / "playground" / "data.js")
    run([sys.executable, "docs/playground/make_data.py", data], cwd=ROOT)
    slides = ["-b", "revealjs", "docs/slides", str(site / "slides")]
    run([sys.executable, "-m", "sphinx", "-W", "-q", *slides], cwd=ROOT)
    shutil.copyfile(DOCS / "handout.html", site / "handout.html")
    for page in (site / "handout.html", *(site / "slides").glob("*.html")):
        html = page.read_text(encoding="utf-8")
        address = "_static/mark.svg" if page.parent == site else "../_static/mark.svg"
        mark = f'<link rel="icon" href="{address}">\n</head>'
        page.write_text(html.replace("</head>", mark, 1), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Copy the pages before Sphinx looks for them."""
    app.add_directive("tokens", Tokens)
    app.connect("config-inited", bring)
    app.connect("source-read", _mend_page)
    app.connect("html-collect-pages", _playground)
    app.connect("html-page-context", _finish_page)
    app.connect("build-finished", _add_aside)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
