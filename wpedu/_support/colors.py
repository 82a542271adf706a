"""The colors, each with one meaning, wherever the project shows something.

`docs/make_look.py` writes them as variables for style sheets; `figures` draws with them.
"""

__all__ = ["COLORS", "LIGHT"]

# {name of the variable: (on a light page, on a dark page)}
COLORS = {
    "page": ("#fdfcf9", "#17191c"),
    "card": ("#f5f1e8", "#22262b"),
    "line": ("#ddd6c7", "#3a3d42"),
    "ink": ("#1d1d1b", "#ece8df"),
    "soft": ("#5b5a55", "#aaa79f"),
    "link": ("#005a92", "#7cc0ee"),
    "begin": ("#a9d3f2", "#1e5f91"),  # a token that begins a word
    "begin-edge": ("#0a5286", "#b3defa"),  # its bar, and the ▁ in it
    "cont": ("#ffe3a1", "#54400f"),  # a token that continues a word
    "cont-edge": ("#855a06", "#f0c35a"),  # its hairline, and the ## in it
    "unk": ("#2b2926", "#f1ece2"),  # the unknown token
    "unk-ink": ("#ffffff", "#17191c"),
    "now": ("#c2410c", "#ff9a5c"),  # what happens now
    "gain": ("#5b2a86", "#c9a6ee"),
    "gain-soft": ("#e9dff2", "#3a2a4d"),
    "ok": ("#00735c", "#5fcfae"),  # right, the answer
    "ok-soft": ("#dcefe8", "#173d33"),
}
LIGHT = {name: light for name, (light, _) in COLORS.items()}
