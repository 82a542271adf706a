"""The numbers that a notebook's prose states, and the numbers that its code and outputs have.

A number in prose must be one of them, or be in `sourced_facts.toml` with its source.
"""

import re
from dataclasses import dataclass

# Numbers are not numbers where they are names.
NAMES = re.compile(
    r"""
      \[\d\d\s[^\]]*\]\(\d\d_\w+\.ipynb\)        # notebooks
    | ^\#\s\d\d\s·
    | \]\([^)]*\)                                # where a link goes
    | <[^<>]*>                                   # HTML, and <addresses>
    | https?://\S+
    | U\+[0-9A-F]{4,6}                           # code points
    | ^\s*\d+\.\s                                # the numbers of a list
    | ^Time:.*                                   # how long a reader needs
    | \b(?:sections?|chapters?|pages?|figures?|tables?|appendix|version|Python)
      \s+\d+(?:[.:]\d+)*(?:(?:,|\s+and|\s+to|[–-])\s*\d+(?:\.\d+)*)*
    | (?:[Ii]ssues?|[Pp]ull\ requests?|PR)\s*\#?\d+ | \#\d+
    """,
    re.VERBOSE | re.IGNORECASE,
)
_AND = r"(?:,\s*|,?\s+(?:and|to|or)\s+|\s*–\s*)"
NOTEBOOKS = re.compile(rf"\bnotebooks?\s+(\d\d(?:{_AND}\d\d)*)\b", re.IGNORECASE)
CODE_SPAN = re.compile(r"(`+)(.+?)\1")
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(
    r"(?<![\w.])(?<![A-Za-z][-–.])(?P<digits>\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?P<decimals>\.\d+)?"
    r"(?P<percent>\s?%)?(?:st|nd|rd|th)?(?![\w])"
    r"(?:\s(?P<unit>thousand|million|billion)\b)?"
)
YEAR = re.compile(r"(?:19|20)\d\d")

UNITS = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
_ONES += "sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORDS = {word: value for value, word in enumerate(_ONES.split(), 1)}
WORDS |= {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
SPELLED = re.compile(
    rf"\b(?P<first>{_WORD})(?:-(?P<second>{_WORD}))?(?P<units>(?:\s(?:hundred|thousand|million))*)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Stated:
    """A number as prose states it: how it is written, what it is, and what may round to it."""

    text: str
    value: float
    decimals: int
    line: str
    percent: bool = False
    unit: int = 1

    def is_among(self, numbers: set[float]) -> bool:
        """Return whether one of `numbers` is this, or rounds to it as it is written."""
        if self.value in numbers:
            return True
        if not (self.percent or self.decimals or self.unit > 1):
            return False
        scales = [1 / self.unit, 100] if self.percent else [1 / self.unit]
        written = self.value / self.unit
        return any(
            round(number * scale, self.decimals) == round(written, self.decimals)
            for number in numbers
            for scale in scales
        )


def stated(markdown: str) -> list[Stated]:
    """Return the numbers that `markdown` states, in digits or in words above twelve."""
    return [
        number
        for line in FENCE.sub("", markdown).splitlines()
        for number in _in_digits(line) + _in_words(line)
    ]


def _in_digits(line: str) -> list[Stated]:
    found = []
    for match in NUMBER.finditer(_plain(line)):
        digits, decimals = match["digits"], match["decimals"] or ""
        percent, unit = bool(match["percent"]), UNITS.get(match["unit"], 1)
        is_year = YEAR.fullmatch(digits) and not (decimals or percent or unit > 1)
        is_notebook = re.fullmatch(r"0\d", digits) and not decimals
        if not is_year and not is_notebook:
            value = round(float(digits.replace(",", "") + decimals) * unit, 9)
            places = max(0, len(decimals) - 1)
            found.append(Stated(match[0].strip(), value, places, line, percent, unit))
    return found


def _plain(line: str) -> str:
    """Return `line` without code, links, and numbers that are names."""
    line = CODE_SPAN.sub(lambda span: f" {span[2]} " if _is_number(span[2]) else " ` ", line)
    line = NAMES.sub(" ", NOTEBOOKS.sub(" ", line))
    return re.sub(r"\\[,;:! ]|\{,\}", "", line)  # spaces in formulas


def _in_words(line: str) -> list[Stated]:
    found = []
    for match in SPELLED.finditer(_plain(line)):
        value, unit = WORDS[match["first"].lower()], 1
        if match["second"]:
            value += WORDS[match["second"].lower()]
        for name in match["units"].split():
            unit *= UNITS.get(name.lower(), 100)
        if value * unit > 12:
            found.append(Stated(match[0], value * unit, 0, line, unit=unit))
    return found


def _is_number(code: str) -> bool:
    return not re.search(r"[^\W\d]", code)


def mentioned(line: str) -> set[str]:
    """Return the notebooks that `line` names, as "03" for `notebook 03`."""
    named = " ".join(match[1] for match in NOTEBOOKS.finditer(line))
    return set(re.findall(r"\d\d", named))


def shown(text: str) -> set[float]:
    """Return the numbers in code or in an output."""
    text = re.sub(r"\[picture [0-9a-f]+:", "", text)
    text = re.sub(r"(?<=\d)_(?=\d)", "", text)
    pattern = r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?(?:[eE][+-]?\d+)?(?![\w])"
    return {float(number.replace(",", "")) for number in re.findall(pattern, text)}
