"""The report as a PDF."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_the_pdf_of_the_report_has_the_length_of_a_paper_and_its_figure(tmp_path):
    path = tmp_path / "report.pdf"
    subprocess.run([sys.executable, ROOT / "docs/make_report.py", path], check=True)
    content = path.read_bytes()
    assert 6 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 9  # with an appendix
    assert re.search(rb"/Subtype\s*/Image\b", content)
