"""The page "What people ask": questions in ask.toml → folds with tokens, an answer, and links.

Every picture is computed, and each cell that is named by its code must exist exactly once.
"""

import json
import re
import tomllib
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from wpedu import BertTokenizer, WordPiece, load_corpus, load_vocab
from wpedu.corpus import DATASETS
from wpedu.pretokenization import START

DOCS = Path(__file__).parents[1]
LINK = re.compile(r"\[([^]]+)\]\(((?:http|\w+[/.])[^)]*)\)")
GPT = {"gpt2": "gpt2", "gpt4o": "o200k_base"}

FIELD = """<div class="asked-top" hidden>
<input id="find" type="search" placeholder="half a word, 512, strawberry …"
 aria-label="Find a question" autocomplete="off">
<p id="topics" role="group" aria-label="Topics">{topics}</p>
<p class="count" role="status"></p></div>
"""


def questions() -> list[dict[str, Any]]:
    """Return the questions of ask.toml, in order."""
    return tomllib.loads((DOCS / "ask.toml").read_text(encoding="utf-8"))["question"]


@cache
def tokenizers() -> dict[str, Any]:
    """Return {a name in `show`: a function from a text to its tokens}."""
    path = DATASETS / "languages" / "facts.json"
    gpt = json.loads(path.read_text(encoding="utf-8"))["gpt_tokens"]
    found = {name: lambda text, key=key: gpt[text][key] for name, key in GPT.items()}
    bert = BertTokenizer(load_vocab("bert-base-uncased"))
    homer = WordPiece(200).fit(load_corpus("homer"))
    return {**found, "bert": bert.tokenize, "homer": homer.tokenize}


def boxes(tokens: list[str], by: str, labels: list[str] = ()) -> str:
    """Return `tokens` as boxes in the look of the site, each with its label below.

    >>> boxes(["the", "##se"], "bert")
    '<span class="w"><span class="t b">the</span><span class="t"><i>##</i>se</span></span>'
    """
    words: list[list[str]] = []
    for number, token in enumerate(tokens):
        mark = next((m for m in (START, "##", " ") if token.startswith(m) and token != m), "")
        begins = number == 0 or (mark != "##" if by == "bert" else mark in (START, " ") and mark)
        kind = "t b" if begins else "t"
        if token.startswith("[") and token.endswith("]") and by in ("bert", "homer"):
            kind = "t u" if token == "[UNK]" else "t s"
        text = escape(token[len(mark) :].replace(" ", "␣")).replace("�", "·")
        sign = f"<i>{mark.replace(' ', '␣')}</i>" if mark else ""
        box = f'<span class="{kind}">{sign}{text}</span>'
        if labels:
            box = f'<span class="over">{box}<small>{escape(labels[number])}</small></span>'
        if begins:
            words.append([])
        words[-1].append(box)
    return "".join(f'<span class="w">{"".join(word)}</span>' for word in words)


def picture(shown: dict[str, str]) -> str:
    """Return a row of `show`."""
    by = next(name for name in tokenizers() if name in shown)
    tokens = tokenizers()[by](shown[by])
    labels = shown.get("labels", "").split()
    if labels and len(labels) != len(tokens):
        raise ValueError(f"{shown} has {len(tokens)} tokens: give one label for each")
    note = f"<small>{escape(shown['note'])}</small>" if "note" in shown else ""
    return f'<span class="toks">{boxes(tokens, by, labels)}{note}</span>'


def cell_of(reference: str) -> tuple[str, int]:
    """Return the notebook of "14: some code" or "A14: some code", and the number of its cell."""
    number, _, code = reference.partition(": ")
    folder = "labs/answers" if number.startswith("A") else "notebooks"
    (path,) = (DOCS.parent / folder).glob(f"{number.removeprefix('A')}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found = [
        cell["execution_count"]
        for cell in cells
        if cell["cell_type"] == "code" and code in "".join(cell["source"])
    ]
    if len(found) != 1:
        raise ValueError(f"{reference!r} is in {len(found)} cells: quote code of exactly one")
    return f"{folder}/{path.stem}", found[0]


def links(question: dict[str, Any]) -> str:
    """Return the links below an answer: to the cell, to the playground, to the threads."""
    page, number = cell_of(question["cell"])
    kind = "Notebook" if page.startswith("n") else "Answers to"
    name = f"{kind} {Path(page).name[:2]}"
    found = [f'<a href="{page}.html#cell-{number}">{name}, cell {number}</a>']
    text = next((row["bert"] for row in question["show"] if "bert" in row), None)
    if text and "[" not in text:
        found.append(f'<a href="playground/index.html?text={quote(text.strip())}">Try it</a>')
    for address in question["threads"]:
        host = re.sub(r"^https://(?:github\.com/)?", "", address).split("/")
        is_thread = re.search(r"/(issues|discussions|pull|questions)/", address)
        kind = "asked at" if is_thread else "source:"
        found.append(f'<a class="thread" href="{address}">{kind} {"/".join(host[:2])}</a>')
    return "".join(found)


def to_html(text: str) -> str:
    """Return `text` with its `code`, **bold** and [links](api.html) in HTML.

    >>> to_html("`'<'` isn't **bold**: [see](api.html)")
    "<code>'&lt;'</code> isn’t <b>bold</b>: <a href='api.html'>see</a>"
    """
    pieces = escape(text, quote=False).split("`")
    pieces[::2] = [piece.replace("'", "’") for piece in pieces[::2]]
    pieces[1::2] = [f"<code>{piece}</code>" for piece in pieces[1::2]]
    html = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", "".join(pieces))
    return LINK.sub(r"<a href='\2'>\1</a>", html)


def fold(question: dict[str, Any]) -> str:
    """Return a question as an open fold."""
    rows = "".join(picture(shown) for shown in question["show"])
    return (
        f'<details class="asked" id="{question["id"]}" data-topic="{question["topic"]}" open>'
        f'<summary><h2 id="{question["id"]}-">{to_html(question["ask"])}</h2>'
        f'<span class="picture">{rows}</span></summary>'
        f'<p>{to_html(question["answer"])}</p><p class="links">{links(question)}</p>'
        f'<p class="also">Also: {to_html(question["also"])}</p></details>'
    )


class Ask(SphinxDirective):
    """The field, the topics, and all questions, in place of a sentence for other viewers."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the page's content."""
        self.env.note_dependency(str(DOCS / "ask.toml"))
        asked = questions()
        topics = ["All", *dict.fromkeys(question["topic"] for question in asked)]
        buttons = "".join(f'<button type="button">{topic}</button>' for topic in topics)
        html = FIELD.format(topics=buttons) + "\n".join(map(fold, asked))
        script = '<script src="_static/ask.js"></script>'
        return [nodes.raw("", f'<div id="asked">{html}</div>{script}', format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("ask", Ask)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
