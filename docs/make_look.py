"""Write docs/_static/look.css: the colors of `wpedu._support.colors`, the fonts, and the tokens.

    python docs/make_look.py

The site, the slides and the playground all load it. Light and dark follow the `color-scheme`.
"""

from pathlib import Path

from wpedu._support.colors import COLORS
from wpedu._support.files import write_atomically

LOOK = Path(__file__).parent / "_static" / "look.css"
FACE = """@font-face {{
  font-family: "{}"; src: url(fonts/{}.woff2); font-weight: {}; font-style: {}; font-display: swap;
}}"""
FACES = [
    ("Source Serif 4", "source-serif-4-latin-wght-normal", "200 900", "normal"),
    ("Source Sans 3", "source-sans-3-latin-wght-normal", "200 900", "normal"),
    ("Source Sans 3", "source-sans-3-latin-wght-italic", "200 900", "italic"),
    ("IBM Plex Mono", "IBMPlexMono-Regular", "400", "normal"),
    ("IBM Plex Mono", "IBMPlexMono-Medium", "500", "normal"),
]
REST = """
  --serif: "Source Serif 4", Charter, Georgia, serif;
  --sans: "Source Sans 3", system-ui, sans-serif;
  --mono: "IBM Plex Mono", ui-monospace, "DejaVu Sans Mono", monospace;
}

/* Tokens: the color says what a token is, and so do the bar, the gap between words, and the edges.
   .toks > .w (a word) > .t, with .b (begins a word), .u (unknown), .s (special), .now; <i>▁</i> */
.toks { display: flex; flex-wrap: wrap; gap: .34em .5em; font: 500 1em/1.2 var(--mono); }
.toks .w { display: inline-flex; gap: .1em; }
.t {
  display: inline-block; padding: .14em .3em .18em; border-radius: .07em; white-space: pre;
  background: var(--cont); color: var(--ink); font: 500 1em/1.2 var(--mono);
  box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--cont-edge) 38%, transparent);
}
.t.b {
  padding-left: .42em; border-radius: .26em .07em .07em .26em; box-shadow: none;
  background: linear-gradient(90deg, var(--begin-edge) .14em, var(--begin) .14em);
}
.w > .t:last-child { border-top-right-radius: .26em; border-bottom-right-radius: .26em; }
.t i { font-style: normal; color: var(--cont-edge); }
.t.b i { color: var(--begin-edge); }
.t.u { border-radius: .26em; box-shadow: none; background: var(--unk); color: var(--unk-ink); }
.t.s {
  border-radius: .26em; box-shadow: none; background: none; color: var(--soft);
  outline: 2px dashed var(--soft); outline-offset: -2px;
}
/* Bytes of a character that no token has as a whole, in hex; the character is below a brace:
   .g (a group) > .gt (its tokens, .x), .gc (the brace), .ch (the character) */
.t.x { font-size: max(15px, .7em); line-height: 1.7; letter-spacing: .01em; }
.g { display: inline-flex; flex-direction: column; }
.gt { display: inline-flex; gap: .1em; }
.gc {
  height: .28em; margin: .16em .12em 0; border: 1.5px solid var(--soft); border-top: 0;
  border-radius: 0 0 .2em .2em;
}
.ch { margin-top: .1em; font: 500 .84em/1.25 var(--sans); text-align: center; }
/* From right to left, the bar is at the right. */
.t.b:dir(rtl) {
  padding: .14em .42em .18em .3em; border-radius: .07em .26em .26em .07em;
  background: linear-gradient(270deg, var(--begin-edge) .14em, var(--begin) .14em);
}
.w:dir(rtl) > .t:last-child { border-radius: .26em .07em .07em .26em; }
.t.now { position: relative; outline: .11em solid var(--now); outline-offset: .05em; z-index: 1; }
"""


def look_css() -> str:
    """Return the style sheet."""
    faces = "\n".join(FACE.format(*face) for face in FACES)
    colors = "".join(f"\n  --{name}: light-dark({a}, {b});" for name, (a, b) in COLORS.items())
    return f"/* Written by docs/make_look.py. */\n{faces}\n:root {{{colors}{REST}"


if __name__ == "__main__":
    write_atomically(LOOK, look_css().encode())
