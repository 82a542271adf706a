"""The report's tables, figure and PDF, from the facts in `datasets/vocabularies`.

    python docs/make_report.py                  the tables in report.md, and report_figure.png
    python docs/make_report.py report.pdf       the report as a PDF

The figure comes from notebook 11, as saved there. The PDF needs the extras "docs" and
"browser", and Chromium.
"""

import json
import re
import sys
import tomllib
from base64 import b64decode
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

FOLDER = Path(__file__).resolve().parent
REPORT, FIGURE = FOLDER / "report.md", FOLDER / "report_figure.png"
NOTEBOOK = FOLDER.parent / "notebooks" / "11_was_bert_merged.ipynb"
DATA = FOLDER.parent / "datasets" / "vocabularies"
RULES = {"code": "code", "guide": "guide", "tensor2tensor": "T2T", "unigram": "unigram"}
RULES |= {"frequency": "freq.", "gain": "gain", "gain × 1.5": "pruned", "null": "null"}
RULES |= {"null, words": "null, w.", "words": "words"}
LOOK = FOLDER / "_static" / "look.css"  # the fonts and colors
CSS = """
:root { color-scheme: light }
@page { size: A4; margin: 13mm 17mm }
body { font: 9pt/1.3 'Source Serif 4', 'DejaVu Serif', serif; color: var(--ink); margin: 0 }
h1, h2, h3, th { font-family: 'Source Sans 3', 'DejaVu Sans', sans-serif; break-after: avoid }
h1 { font-size: 17pt } h2 { font-size: 11.5pt; margin: 9pt 0 3pt } p, ul, ol { margin: 0 0 4pt }
code { font: 7.5pt 'IBM Plex Mono', 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere }
pre { background: var(--card); padding: 6pt } a { color: var(--link); text-decoration: none }
table { border-collapse: collapse; font-size: 7.5pt; margin: 4pt 0 6pt; width: 100% }
th, td { border-bottom: .5pt solid var(--line); padding: .4pt 4pt; text-align: left }
td p { margin: 0 } tr { break-inside: avoid } img { width: 60%; break-inside: avoid }
"""


def read(name):
    """Return the facts in a file."""
    text = (DATA / name).read_text(encoding="utf-8")
    return tomllib.loads(text) if name.endswith(".toml") else json.loads(text)


def percent(share, digits=1):
    """Return a share as the tables write it."""
    return f"{share:.{digits}%}"


def tables():
    """Return the tables of the report, by name."""
    controls, made, facts = (
        read(name) for name in ("controls.json", "made.toml", "reconstruction.json")
    )
    both = facts["real"] | {f"*{name}*": row for name, row in facts["made"].items()}
    bert = facts["real"]["bert-base-uncased"]
    return {
        "controls": table(
            ["vocabulary", "made", "marks", "open", "ignoring marks", "parts first", "run"],
            [control(name, row, made[name]) for name, row in controls["vocabularies"].items()],
        ),
        "kinds": table(
            ["vocabulary", "no word", "seldom the word", "seldom the end", "ids: word : use"],
            [[f"`{n}`" if n[0] != "*" else n, *kinds(row)] for n, row in both.items()],
        ),
        "made": table(
            ["rule", "all", "95%", "bare", "##", "open", "number of ##"],
            [
                [
                    name,
                    percent(row["overlap"][0]),
                    "–".join(f"{100 * end:.1f}" for end in facts["intervals"][name][0]),
                    *map(percent, row["overlap"][1:]),
                    ", ".join(map(percent, row["open"])),
                    f"{row['continuing']:,}",
                ]
                for name, row in facts["made"].items()
            ]
            + [["**BERT**", *4 * [""], ", ".join(map(percent, bert["open"])), "4,732"]],
        ),
        "every": table(
            ["vocabulary", *RULES.values()],
            [
                [f"`{name}`", *(f"{100 * row[rule]:.1f}" for rule in RULES)]
                for name, row in facts["overlap"].items()
            ],
        ),
        "cutoffs": table(
            [
                "at least, of 10⁹",
                "distinct words",
                *(RULES[rule] for rule in list(cutoffs(facts)["10"])[1:]),
            ],
            [
                [
                    cutoff,
                    f"{row['distinct_words']:,}",
                    *(percent(row[rule]) for rule in list(row)[1:]),
                ]
                for cutoff, row in cutoffs(facts).items()
            ],
        ),
        "growth": table(
            ["entries", *facts["growth"]],
            [
                [
                    f"{int(size):,}",
                    *(", ".join(map(percent, of[size])) for of in facts["growth"].values()),
                ]
                for size in facts["growth"]["code"]
            ],
        ),
    }


def cutoffs(facts):
    """Return the overlaps by cut-off, the whole list first."""
    rules = list(facts["cutoffs"]["30"])[1:]
    whole = {rule: facts["made"][rule]["overlap"][0] for rule in rules}
    return {"10": {"distinct_words": facts["distinct_words"], **whole}} | facts["cutoffs"]


def control(name, row, made):
    """Return the cells of a vocabulary in the table of the controls."""
    opened = ", ".join(percent(o / max(of, 1)) for o, of in zip(row["open"], row["long"]))
    aside = row["open_unmarked"] / sum(row["long"])
    stated = made["made"] + ("*" if "inferred" in made else "")
    marks = [row["marker"], opened, percent(aside), percent(row["parts_first"], 0)]
    return [f"`{name}`", stated, *marks, f"{row['closing_run']:,}"]


def kinds(row):
    """Return which kinds of entries a vocabulary has, and what its ids fit."""
    shares = row["in_no_list"], *row["seldom_the_end"]["0.05"]
    return [*map(percent, shares), " : ".join(f"{number:,}" for number in row["ids"])]


def table(heads, rows):
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_tables():
    """Put the tables into the report, each after the comment with its name."""
    text = REPORT.read_text(encoding="utf-8")
    for name, lines in tables().items():
        text, number = re.subn(rf"(?<=<!-- table: {name} -->\n)(?:\|.*\n)*", f"{lines}\n", text)
        assert number == 1, name
    REPORT.write_text(text, encoding="utf-8")


def figure():
    """Return the one picture of notebook 11 that shows the controls, as it is saved there."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    html = [
        "".join(o["data"].get("text/html", []))
        for c in cells
        for o in c.get("outputs", [])
        if "data" in o
    ]
    (picture,) = [source for source in html if "whose parts come first" in source]
    return b64decode(re.search(r"base64,([^\"]+)", picture)[1])


def make_pdf(path):
    """Print the report."""
    from docutils.core import publish_string
    from myst_parser.docutils_ import Parser
    from playwright.sync_api import sync_playwright

    text = REPORT.read_text(encoding="utf-8")
    body = publish_string(
        re.sub(r"\[([^]]+)\]\(\.\./[^)]+\)", r"\1", text),  # the notebooks are not in the PDF
        parser=Parser(),
        writer="html5",
        settings_overrides={
            "output_encoding": "unicode",
            "report_level": 4,
            "stylesheet_path": None,
        },
    )
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder, "report.html")
        style = f'<link rel="stylesheet" href="{LOOK.as_uri()}"><style>{CSS}</style>'
        page.write_text(body.replace("</head>", f"{style}</head>"), encoding="utf-8")
        Path(folder, FIGURE.name).write_bytes(FIGURE.read_bytes())
        browser = playwright.chromium.launch(
            executable_path=which("chromium") or which("google-chrome"), args=["--no-sandbox"]
        )
        tab = browser.new_page()
        tab.goto(page.as_uri())
        tab.evaluate("document.fonts.ready")
        tab.pdf(path=path, prefer_css_page_size=True, print_background=True)
        browser.close()


if __name__ == "__main__":
    if sys.argv[1:]:
        make_pdf(sys.argv[1])
    else:
        write_tables()
        FIGURE.write_bytes(figure())
