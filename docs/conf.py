"""The site: `python -m sphinx -W docs site`, with the extra "docs".

The sources stay where they belong: the notebooks in notebooks/, the labs in labs/, the table of
times in benchmarks/. `pages` copies them here and fixes their links; `lite` adds JupyterLab in the
browser. The pages load nothing from other servers.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "notebooks")]

from execute import SITE  # noqa: E402

from wpedu import __version__  # noqa: E402

project = "wpedu"
author = "the authors of wpedu"
version = release = __version__
copyright = f"{author}. Text and figures: CC BY 4.0. Code: MIT"
language = "en"

html_math_renderer = "mathml"
extensions = ["myst_nb", "sphinx.ext.autodoc", "mathml", "pages", "lite", "ask", "search"]
exclude_patterns = [
    "_ext",
    "_static",
    "_templates",
    "lite",
    "playground",
    "slides",
    "Thumbs.db",
    ".DS_Store",
]

# Show the notebooks as they are saved.
nb_execution_mode = "off"
nb_code_prompt_show = "Show the answer"
nb_code_prompt_hide = "Hide the answer"
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3

# Docstrings are plain text with `code`.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
add_module_names = False

html_theme = "sphinx_book_theme"
html_title = "wpedu"
html_baseurl = SITE or ""
html_favicon = "_static/mark.svg"
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["look.css", "site.css", "bar.css", "home.css", "ask.css"]
html_sidebars = {"**": ["sbt-sidebar-nav"], "index": [], "playground/index": [], "ask": []}
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
html_theme_options = {
    "logo": {"image_light": "_static/mark.svg", "image_dark": "_static/mark.svg", "text": "wpedu"},
    "use_download_button": False,
    "use_fullscreen_button": False,
    "navbar_start": ["navbar-logo"],
    "navbar_center": ["bar-links"],
    "navbar_end": [],
    "navbar_persistent": ["search-button-field", "theme-switcher"],
    "article_header_start": [],
    "article_header_end": [],
    "show_toc_level": 2,
    "max_navbar_depth": 1,  # the button that opens deeper levels has no name
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

# `python -m sphinx -b linkcheck docs OUT` checks outside links; -W checks those within the site.
linkcheck_timeout = 20
linkcheck_retries = 2
linkcheck_ignore = [r"^https://(doi|dl\.acm)\.org/"]  # they reject programs
