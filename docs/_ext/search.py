"""Index the questions and the sections of all pages with Pagefind, where npm has installed it.

`npm install --no-save pagefind` in the repository's folder does. Without it, the site keeps
Sphinx's search, which knows no symbols, few numbers, and pages rather than sections. Solutions of
labs are in neither.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from html import unescape

import ask
from docutils import nodes
from sphinx.application import Sphinx

ROOT = ask.DOCS.parent
SOLUTIONS = "labs/source/"
INDEX = """
import { createIndex } from "pagefind";
import { readFileSync } from "node:fs";
const { index } = await createIndex({ includeCharacters: "#_▁[]!", forceLanguage: "en" });
for (const record of JSON.parse(readFileSync(0, "utf-8"))) {
  const { errors } = await index.addCustomRecord({ language: "en", ...record });
  if (errors.length) throw new Error(errors.join("; "));
}
await index.writeFiles({ outputPath: process.argv.at(-1) });
process.exit(0);
"""


def text_of(part: nodes.Node) -> str:
    """Return the text of `part`; of its HTML, such as a picture, without the tags.

    >>> text_of(nodes.raw("", '<p><img alt="A tree &amp; you" src="data:…"></p>', format="html"))
    'A tree & you'
    """
    for raw in [*part.findall(nodes.raw)]:
        tags = r"""<style.*?</style>|<[^>]*?alt="([^"]*)"[^>]*>|<[^>]*>"""
        text = re.sub(tags, r" \1 ", raw.astext(), flags=re.DOTALL)
        raw.children = [nodes.Text(unescape(text))]
    return " ".join(part.astext().split())


def records(app: Sphinx) -> Iterator[dict[str, object]]:
    """Yield each question, and each section of the other pages, as Pagefind wants them."""
    for question in ask.questions():
        words = (question["ask"], question["also"], question["answer"], question["topic"])
        meta = {"title": question["ask"], "page": "What people ask"}
        url = f"ask.html#{question['id']}"
        yield {
            "url": url,
            "content": text_of(nodes.raw("", ask.to_html(" ".join(words)), format="html")),
            "meta": meta,
            "filters": {"is": ["question"]},
        }
    for page in sorted(app.env.found_docs):
        if page.startswith(SOLUTIONS) or page == "ask":
            continue
        top = app.env.titles[page].astext()
        for section in app.env.get_doctree(page).findall(nodes.section):
            own = [text_of(part) for part in section if not isinstance(part, nodes.section)]
            title = f"Your turn {own[0]}" if own[0].isdigit() else own[0]  # of a notebook's answers
            meta = {"title": title, "page": top}
            url = f"{page}.html#{section['ids'][0]}"
            kind = "reference" if page == "api" else "section"
            yield {"url": url, "content": "\n".join(own), "meta": meta, "filters": {"is": [kind]}}


def _leave_out_solutions(app: Sphinx, *_: object) -> None:
    for page in app.env.found_docs:
        if page.startswith(SOLUTIONS):
            app.env.metadata[page]["nosearch"] = True


def _add_script(app: Sphinx, page: str, *_: object) -> None:
    if page == "search":
        app.add_js_file("search.js")


def _index(app: Sphinx, exception: Exception | None) -> None:
    has_pagefind = (ROOT / "node_modules" / "pagefind").is_dir() and shutil.which("node")
    if exception is None and app.builder.format == "html" and has_pagefind:
        command = ["node", "--input-type=module", "-e", INDEX, f"{app.outdir}/pagefind"]
        content = json.dumps(list(records(app)))
        subprocess.run(command, cwd=ROOT, input=content, check=True, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Index the site after it is built."""
    app.connect("env-updated", _leave_out_solutions)
    app.connect("html-page-context", _add_script)
    app.connect("build-finished", _index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
