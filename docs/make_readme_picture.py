"""Draw docs/readme.png, the picture at the top of the README: `python docs/make_readme_picture.py`.

It is a sentence in BERT's tokens, and in three stages of what is learned from Homer. The package
computes the tokens, the look is that of the site, and a Chromium draws it, which needs the extra
"docs". The tokens are also in the PNG's metadata, under "tokens", so that a test can compare them
on any machine.
"""

import argparse
import json
import shutil
import sys
from io import BytesIO
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

from home import SENTENCE, split  # noqa: E402

from wpedu import BertTokenizer, WordPiece, load_corpus, load_vocab  # noqa: E402

STAGES = 0, 100, 1_000
WIDTH = 980  # pixels of the screen; the picture has two for each

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<link rel="stylesheet" href="{{ look }}">
<style>
html { color-scheme: light; }
body {
  box-sizing: border-box; width: {{ width }}px; margin: 0; padding: 22px 28px 26px;
  background: var(--card); color: var(--ink); font: 18px/1.4 var(--sans);
}
p { display: flex; margin: 14px 0 7px; }
p:first-child { margin: 0; font: 600 29px/1.2 var(--serif); }
p b { font-weight: 600; }
p span { margin-left: auto; color: var(--soft); }
.toks { font-size: 20px; }
</style>
{%- from "tokens.html" import toks %}
<p>{{ sentence }}</p>
{%- for label, tokens in rows %}
<p><b>{{ label }}</b><span>{{ tokens | length }} tokens</span></p>{{ toks(split(tokens)) }}
{%- endfor %}
"""


def rows() -> list[tuple[str, list[str]]]:
    """Return the rows of the picture: a label and tokens."""
    homer = load_corpus("homer")
    bert = BertTokenizer(load_vocab("bert-base-uncased")).tokenize(SENTENCE)
    stages = [(f"Learned from Homer, {n:,} merges", WordPiece(n).fit(homer)) for n in STAGES]
    return [("BERT", bert), *((label, wp.tokenize(SENTENCE)) for label, wp in stages)]


def alt() -> str:
    """Return the text that describes the picture."""
    (_, bert), *learned = rows()
    counts = [str(len(tokens)) for _, tokens in learned]
    stages = f"{', '.join(counts[:-1])} and {counts[-1]}"
    merges = f"{', '.join(f'{n:,}' for n in STAGES[:-1])} and {STAGES[-1]:,}"
    return (
        f"“{SENTENCE}”: {len(bert)} tokens in BERT; {stages} tokens after {merges} merges learned "
        "from Homer"
    )


def draw() -> bytes:
    """Return the picture as a PNG."""
    from jinja2 import Environment, FileSystemLoader
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo
    from playwright.sync_api import sync_playwright

    environment = Environment(loader=FileSystemLoader(HERE / "_templates"), autoescape=True)
    look = (HERE / "_static" / "look.css").as_uri()
    values = {"look": look, "width": WIDTH, "sentence": SENTENCE, "rows": rows(), "split": split}
    page_file = HERE / "_static" / "readme_picture.html"  # beside its fonts
    page_file.write_text(environment.from_string(PAGE).render(values), encoding="utf-8")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            size = {"width": WIDTH, "height": 100}
            page = browser.new_page(viewport=size, device_scale_factor=2)
            page.goto(page_file.as_uri())
            page.evaluate("document.fonts.ready")
            shot = page.screenshot(full_page=True)
            browser.close()
    finally:
        page_file.unlink()
    note, png = PngInfo(), BytesIO()
    note.add_text("tokens", json.dumps(rows()))  # ASCII
    Image.open(BytesIO(shot)).convert("RGB").quantize(256).save(
        png, "PNG", pnginfo=note, optimize=True
    )
    return png.getvalue()


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    (HERE / "readme.png").write_bytes(draw())
    print(f"![{alt()}](docs/readme.png)")
