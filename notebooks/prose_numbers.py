"""The numbers that prose states, and those that code and outputs have."""

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
    | \\[,;:!\ ] | \{,\}                         # spaces in formulas
    """,
    re.VERBOSE | re.IGNORECASE,
)
NOTEBOOKS = re.compile(
    r"\bnotebooks?\s+(\d\d(?:(?:,| and| to| or|[ –])+\d\d)*)\b", re.IGNORECASE
)
CODE_SPAN = re.compile(r"(`+)(.+?)\1")
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
YEAR_OR_NOTEBOOK = re.compile(r"(?:19|20)\d\d|0\d")

UNITS = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
_ONES = "one two three four five six seven eight nine ten eleven twelve "
_ONES += "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORDS = {word: value for value, word in enumerate(_ONES.split(), 1)}
WORDS |= {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_UNIT = "|".join(UNITS)
NUMBER = re.compile(
    rf"""(?<![\w.])(?<![A-Za-z][-–.])(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+)
         (?P<decimals>\.\d+)?(?P<percent>\s?%)?(?:st|nd|rd|th)?(?!\w)
         (?:\s(?P<unit>{_UNIT})\b)?
      | \b(?P<first>{_WORD})(?:-(?P<second>{_WORD}))?
         (?P<units>(?:\s(?:{_UNIT}))*)\b""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True)
class Stated:
    """A number as prose states it, and how it may be rounded."""

    text: str
    value: float
    line: str
    decimals: int = 0
    percent: bool = False
    unit: int = 1

    def is_among(self, numbers: set[float]) -> bool:
        """Return whether one of `numbers` is this, or rounds to it."""
        if not (self.percent or self.decimals or self.unit > 1):
            return self.value in numbers
        scales = [1 / self.unit, 100] if self.percent else [1 / self.unit]
        written = round(self.value / self.unit, self.decimals)
        rounded = {
            round(x * scale, self.decimals) for x in numbers for scale in scales
        }
        return self.value in numbers or written in rounded


def stated(markdown: str) -> list[Stated]:
    """Return the numbers in `markdown`: digits, and words above twelve."""
    found = []
    for line in FENCE.sub("", markdown).splitlines():
        for match in NUMBER.finditer(_plain(line)):
            unit = 1
            for name in (match["unit"] or match["units"] or "").lower().split():
                unit *= UNITS[name]
            if match["first"]:
                value = sum(
                    WORDS[word.lower()]
                    for word in (match["first"], match["second"])
                    if word
                )
                if value * unit > 12:
                    found.append(
                        Stated(match[0], value * unit, line, unit=unit)
                    )
                continue
            decimals, percent = match["decimals"] or "", bool(match["percent"])
            is_name = YEAR_OR_NOTEBOOK.fullmatch(match["digits"])
            if decimals or percent or unit > 1 or not is_name:
                value = round(
                    float(match["digits"].replace(",", "") + decimals) * unit, 9
                )
                places = max(0, len(decimals) - 1)
                found.append(
                    Stated(match[0].strip(), value, line, places, percent, unit)
                )
    return found


def _plain(line: str) -> str:
    """Return `line` without code, links, and numbers that are names."""
    line = CODE_SPAN.sub(
        lambda span: " ` " if re.search(r"[^\W\d]", span[2]) else span[2], line
    )
    return NAMES.sub(" ", NOTEBOOKS.sub(" ", line))


def mentioned(line: str) -> set[str]:
    """Return the notebooks that `line` names, as "03" for `notebook 03`."""
    return {
        number
        for match in NOTEBOOKS.finditer(line)
        for number in re.findall(r"\d\d", match[1])
    }


def shown(text: str) -> set[float]:
    """Return the numbers in code or in an output."""
    text = re.sub(r"\[picture [0-9a-f]+:|(?<=\d)_(?=\d)", "", text)
    whole = r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+|\d+)"
    pattern = whole + r"(?:\.\d*)?(?:[eE][+-]?\d+)?(?![\w])"
    return {
        float(number.replace(",", "")) for number in re.findall(pattern, text)
    }
