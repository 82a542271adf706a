r"""Formulas as MathML, which browsers show by themselves: no script, no font, no other server."""

import re

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

# After the name of a function stands a thin space, unless a parenthesis follows.
_FUNCTION = re.compile(r"(<mi>(?:ln|log|exp|max|min)</mi>)(?!<mo[^>]*>&#x00028;|</mrow>)")


def to_mathml(formula: str, *, display: bool) -> str:
    """Return `formula`, which is LaTeX, as MathML.

    >>> "<mfrac>" in to_mathml(r"\\frac{N^2}{M}", display=True)
    True
    """
    mathml = convert(formula, display="block" if display else "inline")
    return _FUNCTION.sub(r'\1<mspace width="0.167em" />', mathml)


def _visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(to_mathml(node.astext(), display=False))
    raise nodes.SkipNode


def _visit_display(self: HTML5Translator, node: nodes.math_block) -> None:
    # A formula that is too wide scrolls by itself, so it can be reached with the keyboard.
    formula = to_mathml(node.astext(), display=True)
    self.body.append(f'<div class="formula" tabindex="0">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer this as `html_math_renderer`."""
    app.add_html_math_renderer(
        "mathml",
        inline_renderers=(_visit_inline, None),
        block_renderers=(_visit_display, None),
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
