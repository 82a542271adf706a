"""Directives that put notebook cells, questions of the guide and tokens on the slides.

The slides contain no copies, so they cannot differ from their sources:

    {cell} 05 trace("cats"       the code of the first cell of notebook 05 that contains this text
    {output} 05 trace("cats"     the output of that cell: text, a table, boxes or a picture
    {question} 05.2              a question of the guide with its options; a click shows the answer
    {tokens}                     each line as boxes, tokenized with the given number of merges
    {notes}                      notes for the speaker's view
"""

import re
from functools import cache
from pathlib import Path
from textwrap import dedent

import nbformat
from docutils import nodes
from make_gift import QUESTION, ROW
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from wpedu import WordPiece, load_corpus, to_bert
from wpedu.figures import show_tokens

DOCS = Path(__file__).parent.parent


def raw(html: str) -> nodes.raw:
    """Return a node that contains only `html`."""
    return nodes.raw("", html, format="html")


@cache
def _cells(number: str) -> list[nbformat.NotebookNode]:
    (path,) = (DOCS.parent / "notebooks").glob(f"{number}_*.ipynb")
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]


class Cell(SphinxDirective):
    """The code of a cell. The content gives the beginnings of the first and last line to show."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def find(self) -> nbformat.NotebookNode:
        """Return the first cell that contains the text of the argument."""
        number, _, part = self.arguments[0].partition(" ")
        found = [cell for cell in _cells(number) if part in cell.source]
        if not found:
            raise self.error(f"no code cell of notebook {number} has {part!r}: correct the slide")
        return found[0]

    def run(self) -> list[nodes.Node]:
        lines = self.find().source.splitlines()
        if self.content:
            first, last = self.content[0], self.content[-1]
            start = next(i for i, line in enumerate(lines) if line.strip().startswith(first))
            end = next(i for i, line in enumerate(lines) if line.strip().startswith(last))
            lines = lines[start : end + 1]
        code = dedent("\n".join(lines))
        return [nodes.literal_block(code, code, language="python")]


class Output(Cell):
    """The saved output of a cell."""

    def run(self) -> list[nodes.Node]:
        shown: list[nodes.Node] = []
        for output in self.find().outputs:
            data = output.get("data", {})
            if "text/html" in data:
                shown.append(raw(f'<div class="shown">{data["text/html"]}</div>'))
            elif text := output.get("text") or data.get("text/plain"):
                shown.append(nodes.literal_block(text.rstrip(), text.rstrip(), language="text"))
        return shown


class Question(SphinxDirective):
    """A question of the guide: first the options, at a click the right one and its reason."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        page = DOCS / "guide" / "questions.md"
        self.env.note_dependency(str(page))
        questions = QUESTION.findall(page.read_text(encoding="utf-8"))
        text, rows = next(q[1:] for q in questions if q[0] == self.arguments[0])
        answers = ROW.findall(rows)
        html = [f'<p class="question">{_inline(text)}</p><ol type="A">']
        for bold, answer, _ in answers:
            html.append(f"<li{' class=right' if bold else ''}>{_inline(answer)}</li>")
        why = next(why for bold, _, why in answers if bold).removeprefix("right").lstrip(": ")
        told = "".join(f"<li>{_inline(why)}</li>" for *_, why in answers)
        html.append("</ol>")
        html.append(f'<p class="fragment why">{_inline(why)}</p>')
        html.append(f'<aside class="notes"><ol type="A">{told}</ol></aside>')
        return [raw("".join(html))]


def _inline(markdown: str) -> str:
    escaped = markdown.replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)


@cache
def _homer(num_merges: int) -> WordPiece:
    return WordPiece(num_merges=num_merges).fit(load_corpus("homer"))


class Tokens(SphinxDirective):
    """Lines like `200 Sit careless`, or `200 ## Sit careless` for `##` notation."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        strips = []
        for line in self.content:
            num_merges, bert, text = re.fullmatch(r"(\d+) (## )?(.*)", line).groups()
            tokens = _homer(int(num_merges)).tokenize(text)
            tokens = to_bert(tokens) if bert else tokens
            label = f"{int(num_merges):,} merges, {len(tokens)} tokens"
            strip = show_tokens(tokens)._repr_html_()
            strips.append(f'<div class="strip"><small>{label}</small>{strip}</div>')
        return [raw("".join(strips))]


class Notes(SphinxDirective):
    """Notes that only the speaker sees."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        container = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, container)
        return [raw('<aside class="notes">'), *container.children, raw("</aside>")]


def setup(app: Sphinx) -> None:
    """Register the directives."""
    for directive in (Cell, Output, Question, Tokens, Notes):
        app.add_directive(directive.__name__.lower(), directive)
