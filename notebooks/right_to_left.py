"""Show words that are written from right to left one after the other.

In a line of output, neighbors such as the tokens of an Arabic word would
change places, and so would brackets and numbers beside them. So this puts
Unicode's isolates around each string that a cell prints or shows. Editions
for such a text import it in their first cell.
"""

import builtins

import regex
from IPython import get_ipython

LETTER = r"[\p{Bidi_Class=R}\p{Bidi_Class=AL}]"
INNER = rf"(?:{LETTER}|[\p{{M}}▁#.,،־-]| (?! ))*"
END = r"(?: ?[.!؟۔](?=[\s'`\"]|$))?"
RUN = regex.compile(
    rf"[▁#]*\p{{M}}*{LETTER}(?:{INNER}(?:{LETTER}|\p{{M}}))?{END}"
)


def isolate(text: str) -> str:
    """Return `text` with isolates around what runs from the right.

    >>> ascii(isolate("1 → ▁א"))
    "'1 \\\\u2192 \\\\u2068\\\\u2581\\\\u05d0\\\\u2069'"
    """
    return RUN.sub("\u2068\\g<0>\u2069", text)


def print_isolated(*values: object, **options: object) -> None:
    """Print each value in isolation."""
    print_plainly(*(isolate(str(value)) for value in values), **options)


if shell := get_ipython():
    isolates = str.maketrans("", "", "\u2068\u2069")  # in words that are copied
    shell.input_transformers_cleanup.append(
        lambda lines: [line.translate(isolates) for line in lines]
    )
    print_plainly, builtins.print = builtins.print, print_isolated
    shown = shell.display_formatter.formatters["text/plain"]
    shown.for_type(str, lambda text, out, _: out.text(isolate(repr(text))))
    tables = shell.display_formatter.formatters["text/html"]
    tables.for_type_by_name(
        "pandas", "DataFrame", lambda table: isolate(table._repr_html_())
    )
