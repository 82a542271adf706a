"""Write the questions of the guide as GIFT, for Moodle: `python docs/make_gift.py FILE`.

The format: https://docs.moodle.org/en/GIFT_format
"""

import re
import sys
from pathlib import Path

QUESTIONS = Path(__file__).parent / "guide" / "questions.md"
QUESTION = re.compile(r"^\*\*Question (\d\d\.\d)\*\* (.*)\n\n((?:\|.*\n)+)", re.MULTILINE)
ROW = re.compile(r"^\| (\*\*)?[A-D](?:\*\*)? \| (.*?) \| (.*?) \|$", re.MULTILINE)


def to_gift(page: str) -> str:
    """Return the questions of `page`, each with its answers and feedback on every answer."""
    blocks = []
    for number, text, rows in QUESTION.findall(page):
        answers = ROW.findall(rows)
        reason = next(why for bold, _, why in answers if bold)
        lines = [f"::{number}:: [markdown]{_escape(text)} {{"]
        for bold, answer, why in answers:
            told = reason if bold else f"wrong; this answer assumes: {why}"
            lines.append(f"  {'=' if bold else '~'}{_escape(answer)}#{_escape(told)}")
        blocks.append("\n".join([*lines, "}"]))
    return "\n\n".join(blocks) + "\n"


def _escape(text: str) -> str:
    return re.sub(r"([~=#{}:\\])", r"\\\1", text)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(to_gift(QUESTIONS.read_text(encoding="utf-8")), encoding="utf-8")
