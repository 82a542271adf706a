"""A sentence after more and more merges: the playground in miniature, drawn with the package."""

from functools import lru_cache
from html import escape
from itertools import chain
from urllib.parse import urlencode

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from wpedu import START, LinearEncoder, build_vocab, load_corpus, pretokenize, train
from wpedu.scores import Pair

MERGES = (0, 20, 200, 2_000, 15_490)


@lru_cache
def _merges() -> list[Pair]:
    return train(load_corpus("homer").word_counts, MERGES[-1])


def rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the tokens of `text` after each number of merges."""
    counts, merges = load_corpus("homer").word_counts, _merges()
    found = []
    for number in MERGES:
        encoder = LinearEncoder(build_vocab(counts, merges[:number]))
        words = [encoder.encode(START + word) for word in pretokenize(text)]
        found.append((number, list(chain.from_iterable(words))))
    return found


def _token(token: str) -> str:
    start = " start" if token.startswith(START) else ""
    return f'<span class="token{start}">{escape(token)}</span>'


def to_html(text: str) -> str:
    """Return the table, in which each number leads to the playground."""
    lines = []
    for number, tokens in rows(text):
        address = escape("playground/index.html?" + urlencode({"merges": number, "text": text}))
        spoken = f'aria-label="Open the playground at {number:,} merges"'
        drawn = " ".join(map(_token, tokens))
        lines.append(
            f'<tr><th scope="row"><a href="{address}" {spoken}>{number:,}</a></th>'
            f"<td>{drawn}</td><td>{len(tokens)}</td></tr>"
        )
    head = '<tr><th scope="col">merges</th><th scope="col">{}</th><th scope="col">tokens</th></tr>'
    return (
        f'<div class="miniature"><table><thead>{head.format(escape(text))}</thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


class Miniature(SphinxDirective):
    """A directive whose content is the sentence."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the table as it is to stand in the page."""
        return [nodes.raw("", to_html(" ".join(self.content)), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("miniature", Miniature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
