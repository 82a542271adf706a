"""Write the questions of the guide as GIFT, for Moodle: `python docs/make_gift.py FILE`.

The format: https://docs.moodle.org/en/GIFT_format
"""

import re
import sys
from pathlib import Path

QUESTIONS = Path(__file__).parent / "guide" / "questions.md"
SECTION = re.compile(r"^## (\d\d · .*)\n((?:(?!^## ).*\n)*)", re.MULTILINE)
QUESTION = re.compile(r"^### (\d\d\.\d) · (.*)\n\n(.*)\n\n((?:\|.*\n)+)", re.MULTILINE)
ROW = re.compile(r"^\| (\*\*)?[A-D](?:\*\*)? \| (.*?) \| (.*?) \|$", re.MULTILINE)


def to_gift(page: str) -> str:
    """Return the questions of `page`, a category for each notebook, with feedback on answers."""
    blocks = []
    for notebook, section in SECTION.findall(page):
        blocks.append(f"$CATEGORY: wpedu/{notebook}")
        for number, title, text, rows in QUESTION.findall(section):
            lines = [f"::{_escape(f'{number} {title}')}:: [markdown]{_escape(text)} {{"]
            for bold, answer, why in ROW.findall(rows):
                told = f"{why[0].upper()}{why[1:]}." if bold else f"This answer assumes that {why}."
                lines.append(f"  {'=' if bold else '~'}{_escape(answer)}#{_escape(told)}")
            blocks.append("\n".join([*lines, "}"]))
    return "\n\n".join(blocks) + "\n"


def _escape(text: str) -> str:
    return re.sub(r"([~=#{}:\\])", r"\\\1", text)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(to_gift(QUESTIONS.read_text(encoding="utf-8")), encoding="utf-8")
