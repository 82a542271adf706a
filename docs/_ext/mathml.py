r"""Formulas as MathML, which browsers display without a script, a font or another server."""

import re

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

# A function's name gets a thin space after it, unless a parenthesis follows.
_FUNCTION = re.compile(r"(<mi>(?:ln|log|exp|max|min)</mi>)(?!<mo[^>]*>&#x00028;|</mrow>)")


def _visit(self: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    block = isinstance(node, nodes.math_block)
    mathml = convert(node.astext(), display="block" if block else "inline")
    mathml = _FUNCTION.sub(r'\1<mspace width="0.167em" />', mathml)
    # A formula that is too wide scrolls; tabindex lets the keyboard reach it.
    self.body.append(f'<div class="formula" tabindex="0">{mathml}</div>\n' if block else mathml)
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the value "mathml" of `html_math_renderer`."""
    app.add_html_math_renderer("mathml", (_visit, None), (_visit, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
