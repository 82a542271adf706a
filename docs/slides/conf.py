"""The slides: `python -m sphinx -W -b revealjs docs/slides OUT`.

sphinx-revealjs includes reveal.js, so the slides load nothing from the network.
"""

import sys
from pathlib import Path

DOCS = Path(__file__).parent.parent
sys.path += [str(DOCS), str(DOCS / "_ext"), str(DOCS / "slides"), str(DOCS.parent / "notebooks")]

project = "wpedu"
author = "the authors of wpedu"
language = "en"

extensions = ["myst_parser", "sphinx_revealjs", "from_sources"]
smartquotes = False  # an apostrophe that a pattern cuts is straight
pygments_style = "friendly"

html_static_path = ["_static", "../_static"]
revealjs_static_path = ["_static", "../_static"]
revealjs_css_files = ["look.css", "slides.css"]
revealjs_script_files = ["timer.js"]
revealjs_style_theme = "white"
revealjs_script_plugins = [{"name": "RevealNotes", "src": "revealjs/plugin/notes/notes.js"}]
revealjs_script_conf = {
    "width": 1280,
    "height": 720,
    "margin": 0,
    "center": False,
    "controls": False,
    "progress": False,
    "hash": True,
    "pdfSeparateFragments": False,
    "transition": "none",
}
