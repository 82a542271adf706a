"""Print the questions of the guide as GIFT, which Moodle imports: `python docs/make_gift.py`.

The format: https://docs.moodle.org/en/GIFT_format
"""

import re
from pathlib import Path

GUIDE = Path(__file__).with_name("guide.md")
QUESTION = re.compile(r"^\*\*Question (\d\d\.\d)\*\* (.*)\n\n((?:\|.*\n)+)", re.MULTILINE)
ROW = re.compile(r"^\| (\*\*)?[A-D](?:\*\*)? \| (.*?) \| (.*?) \|$", re.MULTILINE)


def to_gift(guide: str) -> str:
    """Return the questions of `guide`: each with its answers, and to each what it tells."""
    blocks = []
    for number, text, rows in QUESTION.findall(guide):
        answers = [
            f"  {'=' if bold else '~'}{_escape(answer)}#{_escape(why)}"
            for bold, answer, why in ROW.findall(rows)
        ]
        blocks.append("\n".join([f"::{number}:: [markdown]{_escape(text)} {{", *answers, "}"]))
    return "\n\n".join(blocks) + "\n"


def _escape(text: str) -> str:
    return re.sub(r"([~=#{}:\\])", r"\\\1", text)


if __name__ == "__main__":
    print(to_gift(GUIDE.read_text(encoding="utf-8")), end="")
