"""The report's tables, figures and PDF, from the facts in `datasets/vocabularies`.

    python docs/make_report.py                  the tables in report.md, and the figures
    python docs/make_report.py report.pdf       the report as a PDF

The figures come from notebooks 11 and 12, as saved there. The PDF needs the extras "docs" and
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
REPORT = FOLDER / "report.md"
FIGURES = {  # file → notebook, and the beginning of the picture's description
    "report_traces.png": ("11_was_bert_merged", "% whose parts come first"),
    "report_overlaps.png": ("12_how_was_it_made", "overlap in %"),
    "report_ids.png": ("12_how_was_it_made", "% of testable ids"),
}
DATA = FOLDER.parent / "datasets" / "vocabularies"
KINDS = ["code", "guide", "unigram", "frequency", "gain", "gain × 2", "null", "null, words"]
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
td p { margin: 0 } p:has(+ table) { break-after: avoid; break-inside: avoid }
tr { break-inside: avoid } img { width: 70%; break-inside: avoid }
#appendix-not-fixed-beforehand { break-before: page }
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
    facts, lists = read("reconstruction.json"), read("lists.toml")
    of_words = facts["lists"]["wordfreq"]
    both = {f"`{name}`": row for name, row in of_words["real"].items()}
    both |= {f"*{name}*": of_words["made"][name] for name in KINDS}
    return {
        "lists": table(
            [
                "list",
                "words from",
                "package",
                "words of a–z",
                "longest",
                "rarest, of 10⁹",
                "BERT's bare lacking",
            ],
            [
                [
                    name,
                    lists[name]["text"],
                    lists[name].get("package", ""),
                    f"{row['distinct_words']:,}",
                    str(row["longest_word"]),
                    str(row["rarest"]),
                    f"{len(row['in_no_list']):,}",
                ]
                for name, row in facts["lists"].items()
            ],
        ),
        "kinds": table(
            ["vocabulary", "no word", "seldom the word", "seldom the end"],
            [[name, *kinds(row)] for name, row in both.items()],
        ),
        "made": table(
            ["recipe", *facts["lists"], "range", "recognized"],
            [made(rule, facts) for rule in (*of_words["made"], "null, roots")],
        ),
        "controls": table(
            ["vocabulary", *facts["overlap"]["xlnet"], "nearest", "lead"],
            [
                [
                    f"`{name}`" if name in of_words["real"] else name,
                    *map(hundred, row.values()),
                    *lead(row),
                ]
                for name, row in facts["overlap"].items()
            ],
        ),
    }


def lead(row):
    """Return the nearest rule, and its lead over the best null model, in points."""
    points = {name: round(100 * share, 1) for name, share in row.items()}
    nulls = [points.pop(name) for name in list(points) if name.startswith("null")]
    nearest = max(points, key=points.__getitem__)
    return nearest, f"{points[nearest] - max(nulls):+.1f}"


def hundred(share):
    """Return a share in percent, without the sign."""
    return f"{100 * share:.1f}"


def made(recipe, facts):
    """Return a recipe's overlaps on each list, their range, and in how many pairs it is found."""
    if leads := facts["recognized_recipe"].get(recipe):
        shares = [of["made"][recipe]["overlap"][0] for of in facts["lists"].values()]
        found = str(sum(lead > 0 for lead, _ in leads.values()))
    else:  # a variant
        shares, found = [facts["variants"][name][recipe][0] for name in facts["lists"]], "–"
    return [recipe, *map(hundred, shares), hundred(max(shares) - min(shares)), found]


def kinds(row):
    """Return which kinds of entries a vocabulary has."""
    return map(percent, (row["in_no_list"], *row["seldom_the_end"]["0.05"]))


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


def figures():
    """Return the pictures of notebooks 11 and 12 that the report shows, as they are saved there."""
    found = {}
    for name, (notebook, description) in FIGURES.items():
        path = FOLDER.parent / "notebooks" / f"{notebook}.ipynb"
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        outputs = [o["data"] for c in cells for o in c.get("outputs", []) if "data" in o]
        html = ["".join(data.get("text/html", "")) for data in outputs]
        (picture,) = [source for source in html if f'alt="{description}' in source]
        found[FOLDER / name] = b64decode(re.search(r"base64,([^\"]+)", picture)[1])
    return found


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
        for name in FIGURES:
            Path(folder, name).write_bytes((FOLDER / name).read_bytes())
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
        for path, png in figures().items():
            path.write_bytes(png)
