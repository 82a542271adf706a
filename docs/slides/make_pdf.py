"""Print the slides: `python docs/slides/make_pdf.py site/slides/index.html FOLDER`.

In FOLDER, `slides.pdf` has the slides alone, and `slides-and-notes.pdf` each with its notes.
"""

import sys
from pathlib import Path
from shutil import which

from playwright.sync_api import sync_playwright


def make_pdfs(page: Path, folder: Path) -> None:
    """Print each slide of `page` on a page of its own, and once more with the notes after it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=which("chromium") or which("google-chrome"), args=["--no-sandbox"]
        )
        tab = browser.new_page()
        for name, notes in [("slides", "false"), ("slides-and-notes", "separate-page")]:
            tab.goto(f"{page.resolve().as_uri()}?print-pdf&showNotes={notes}")
            tab.wait_for_selector(".pdf-page")
            count = tab.locator(
                ".pdf-page, .speaker-notes-pdf"
            ).count()  # without an empty last one
            tab.pdf(
                path=folder / f"{name}.pdf",
                page_ranges=f"1-{count}",
                prefer_css_page_size=True,
                print_background=True,
            )
        browser.close()


if __name__ == "__main__":
    make_pdfs(*map(Path, sys.argv[1:]))
