"""Print the slides: `python docs/slides/make_pdf.py site/slides/index.html slides.pdf`."""

import sys
from pathlib import Path
from shutil import which

from playwright.sync_api import sync_playwright


def make_pdf(page: Path, pdf: Path) -> None:
    """Print each slide of `page` on a page of `pdf`, and the speaker's notes on the next."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=which("chromium") or which("google-chrome"), args=["--no-sandbox"]
        )
        tab = browser.new_page()
        tab.goto(f"{page.resolve().as_uri()}?print-pdf&showNotes=separate-page")
        tab.wait_for_selector(".pdf-page")
        count = tab.locator(".pdf-page, .speaker-notes-pdf").count()  # without an empty last page
        tab.pdf(
            path=pdf, page_ranges=f"1-{count}", prefer_css_page_size=True, print_background=True
        )
        browser.close()


if __name__ == "__main__":
    make_pdf(*map(Path, sys.argv[1:]))
