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
tr { break-inside: avoid } img { width: 76%; break-inside: avoid }
#appendix-what-was-not-fixed { break-before: page }
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
    names = list(facts["lists"])
    return {
        "lists": table(
            [
                "list",
                "words from",
                "package",
                "words of a–z",
                "rarest, of 10⁹",
                "BERT's bare lacking",
            ],
            [
                [
                    name,
                    lists[name]["text"],
                    lists[name].get("package", ""),
                    f"{row['distinct_words']:,}",
                    str(lists[name].get("cutoff", lists[name].get("end", ""))),
                    f"{len(row['in_no_list']):,}",
                ]
                for name, row in facts["lists"].items()
            ],
        ),
        "leads": table(
            ["by the words of", "BERT", "made by the code's rule", "made by a null model"],
            [[name, *leads(row)] for name, row in facts["leads"].items()],
        ),
        "kinds": table(
            ["vocabulary", "no word", "seldom the word", "seldom the end"],
            [[name, *kinds(row)] for name, row in both.items()],
        ),
        "made": table(
            ["recipe", *names, "range", "open", "##", "recognized", "by"],
            [
                [rule, *overlaps(rule, facts), *recognized(facts["recognized"][rule])]
                for rule in of_words["made"]
            ],
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


def leads(row):
    """Return the lead for BERT's vocabulary, and the ranges for the code's and the null models'."""
    bert, code, *nulls = row.values()
    made = [*code.values()], [lead for of in nulls for lead in of.values()]
    ranges = (f"{points(min(leads))} to {points(max(leads))}" for leads in made)
    return points(bert), *ranges


def points(share):
    """Return a difference of shares in points, with its sign."""
    return f"{100 * share:+.2f}".replace("-", "−")


def hundred(share):
    """Return a share in percent, without the sign."""
    return f"{100 * share:.1f}"


def overlaps(rule, facts):
    """Return the overlaps of a rule on each list, their range, and its openness on the first."""
    rows = [of["made"][rule] for of in facts["lists"].values()]
    shares = [row["overlap"][0] for row in rows]
    return [
        *map(hundred, shares),
        hundred(max(shares) - min(shares)),
        ", ".join(map(percent, rows[0]["open"])),
        f"{rows[0]['continuing']:,}",
    ]


def recognized(leads):
    """Return in how many pairs of lists a rule is recognized, and its smallest lead."""
    leads = [lead for lead, _ in leads.values()]
    return [f"{sum(lead > 0 for lead in leads)} of {len(leads)}", f"{100 * min(leads):+.1f}"]


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
