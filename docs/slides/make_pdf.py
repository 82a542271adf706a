"""Print the slides: `python docs/slides/make_pdf.py site/slides/index.html slides.pdf`."""

import sys
from pathlib import Path
from shutil import which

from playwright.sync_api import sync_playwright


def make_pdf(page: Path, pdf: Path) -> None:
    """Print each slide of `page` on a page of `pdf`, with all hidden parts shown."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=which("chromium") or which("google-chrome"), args=["--no-sandbox"]
        )
        tab = browser.new_page()
        tab.goto(f"{page.resolve().as_uri()}?print-pdf")
        tab.wait_for_selector(".pdf-page")
        pages = f"1-{tab.locator('.pdf-page').count()}"  # without the empty page at the end
        tab.pdf(path=pdf, page_ranges=pages, prefer_css_page_size=True, print_background=True)
        browser.close()


if __name__ == "__main__":
    make_pdf(*map(Path, sys.argv[1:]))
