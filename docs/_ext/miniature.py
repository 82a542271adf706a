"""A sentence after more and more merges: the playground in miniature, drawn with the package."""

from html import escape
from itertools import chain
from urllib.parse import urlencode

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from wpedu import START, LinearEncoder, build_vocab, load_corpus, pretokenize, train

ROW = """<tr><th scope="row"><a href="{}" aria-label="Open the playground at {:,} merges">{:,}</a>
</th><td>{}</td><td>{}</td></tr>"""
TABLE = """<div class="miniature"><table><thead><tr><th scope="col">merges</th><th scope="col">
{}</th><th scope="col">tokens</th></tr></thead><tbody>{}</tbody></table></div>"""


class Miniature(SphinxDirective):
    """A directive whose content is the sentence; each number leads to the playground."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the table as it is to stand in the page."""
        text, counts, rows = " ".join(self.content), load_corpus("homer").word_counts, []
        merges = train(counts, 15_490)
        for number in (0, 20, 200, 2_000, 15_490):
            encode = LinearEncoder(build_vocab(counts, merges[:number])).encode
            tokens = list(chain.from_iterable(encode(START + word) for word in pretokenize(text)))
            kinds = ("token start" if token.startswith(START) else "token" for token in tokens)
            drawn = (f'<span class="{k}">{escape(token)}</span>' for k, token in zip(kinds, tokens))
            address = "playground/index.html?" + urlencode({"merges": number, "text": text})
            rows.append(ROW.format(escape(address), number, number, " ".join(drawn), len(tokens)))
        return [nodes.raw("", TABLE.format(escape(text), "".join(rows)), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("miniature", Miniature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
