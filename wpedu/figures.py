"""Figures: tokens in boxes and pictures for the notebooks, each with a description in words."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from io import BytesIO
from itertools import accumulate
from math import inf, isfinite, log10, nan
from textwrap import fill
from typing import Any
from unicodedata import bidirectional, category

try:
    import matplotlib
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("wpedu.figures needs matplotlib: pip install matplotlib") from error
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

from wpedu._support.checks import (
    check_bool,
    check_list,
    check_pair,
    check_str,
    check_strings,
    check_word_counts,
)
from wpedu._support.colors import LIGHT
from wpedu._support.fonts import FAMILY, MONO, family_for, legible
from wpedu.bert.vocab_file import CONTINUATION
from wpedu.encoding import UNKNOWN
from wpedu.pretokenization import START, WordCounts
from wpedu.scores import Pair
from wpedu.training import merge_pair

__all__ = [
    "Picture",
    "TokenStrip",
    "draw_bars",
    "draw_curves",
    "draw_gains",
    "draw_merge_tree",
    "draw_points",
    "draw_ratios",
    "merge_steps",
    "rank_frequency",
    "show_tokens",
]

Numbers = Sequence[float]

# The first is what a picture is about. They are not distinct in gray, so that each curve also has
# its own dashes and its own marker.
_COLORS = LIGHT["now"], LIGHT["ink"], LIGHT["ok"], LIGHT["soft"], LIGHT["link"], LIGHT["gain"]
_DASHES = "-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3))
_MARKERS = "osD^vP"
_GAINS = LinearSegmentedColormap.from_list("gains", ["#f1eaf5", "#8a5fb0", "#3f1666"], gamma=1.8)
_in_style = matplotlib.rc_context(
    {
        "font.family": FAMILY,
        "font.size": 15,
        "axes.axisbelow": True,
        "grid.color": LIGHT["line"],
        **dict.fromkeys(["figure.facecolor", "savefig.facecolor"], LIGHT["page"]),
        "axes.facecolor": LIGHT["page"],
        **dict.fromkeys(["axes.edgecolor", "xtick.color", "ytick.color"], LIGHT["soft"]),
        **dict.fromkeys(["text.color", "axes.labelcolor"], LIGHT["ink"]),
        **dict.fromkeys(["xtick.labelcolor", "ytick.labelcolor"], LIGHT["ink"]),
        **dict.fromkeys(["axes.spines.top", "axes.spines.right"], False),
        **dict.fromkeys(["xtick.major.size", "xtick.minor.size"], 0),
        **dict.fromkeys(["ytick.major.size", "ytick.minor.size"], 0),
    }
)
_SPECIAL = "[CLS]", "[SEP]", "[MASK]", "[PAD]"

_NO_FONT = "U+…: a character that no font of this machine has"
_WIDTH = 8.4  # inches of 100 pixels on the screen: the width of a notebook's output
_HEIGHT = 5.4
_DENSITY = 200  # two pixels of the PNG for each pixel of the screen, so that it can be enlarged


@dataclass
class Picture:
    """A matplotlib figure that notebooks show as an image with the description `alt`.

    Tests of notebooks compare `alt` and `drawn` instead of the image.
    """

    figure: Figure
    alt: str
    changes: bool = False

    @property
    def drawn(self) -> str:
        """A digest of the drawing, the same with every version of matplotlib.

        It has only the labels of a picture that `changes` with each run.
        """
        content = "\n".join(_list_content(axes, self.changes) for axes in self.figure.axes)
        content += self.figure.get_suptitle()
        return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @_in_style
    def png(self) -> bytes:
        """Return the image, with `drawn` and the version of matplotlib in its metadata."""
        notes = {"Drawn": self.drawn, "Software": f"matplotlib {matplotlib.__version__}"}
        if self.changes:
            notes["Changes"] = "at each run"
        png = BytesIO()
        self.figure.savefig(png, format="png", dpi=_DENSITY, metadata=notes)
        return png.getvalue()

    def __repr__(self) -> str:
        return f"[picture {self.drawn}: {self.alt}]"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        # HTML, because JupyterLab and nbconvert drop the description of an `image/png`.
        source = f"data:image/png;base64,{b64encode(self.png()).decode()}"
        width = round(100 * self.figure.get_figwidth())
        html = f'<img width="{width}" alt="{escape(self.alt)}" src="{source}">'
        return {"text/html": html, "text/plain": repr(self)}


@dataclass
class TokenStrip:
    """Tokens in boxes; as text, with bars between them.

    A box that begins a word has a bar at its start, and one that continues it is close to the one
    before, unless all are `apart`. The unknown token is reversed, and special tokens are dashed.
    Arabic and Hebrew boxes follow one another from the right.
    """

    tokens: list[str]
    apart: bool = False

    def __repr__(self) -> str:
        return "|".join(map(_visible, self.tokens))

    def _repr_html_(self) -> str:
        # A line can break at the spaces. The bars appear where styles are dropped, as on GitHub.
        bar = ' <span style="display:none">|</span> '
        right = _is_rtl("".join(self.tokens))
        side, towards = ("right", ' dir="rtl"') if right else ("left", "")
        font = "font:500 1.25em 'IBM Plex Mono',monospace"
        font += f";line-height:2.1;word-spacing:-.5em;margin-{side}:-.4em"
        boxes = bar.join(self._box(token, side) for token in self.tokens)
        return f'<div{towards} style="{font}">{boxes}</div>'

    def _box(self, token: str, side: str) -> str:
        text = escape(_visible(token))
        style = {
            **{"border": "0", "border-radius": ".1em", "padding": ".1em .3em", "font": "inherit"},
            **{"line-height": "1.4", "box-shadow": "none", "white-space": "pre"},
            **{"word-spacing": "normal", "margin": "0", "color": LIGHT["ink"]},
            "display": "inline-block",
        }
        apart = {f"margin-{side}": ".4em"}
        edge = ""
        if self.apart:
            style |= apart
        if token == UNKNOWN:
            style |= {"color": LIGHT["unk-ink"], "background": LIGHT["unk"], **apart}
        elif token in _SPECIAL:
            style |= {"color": "inherit", "background": "none", "border": "2px dashed", **apart}
        elif self._begins(token):
            edge = LIGHT["begin-edge"]
            style |= {
                "background": LIGHT["begin"],
                f"border-{side}": f".14em solid {edge}",
                **apart,
            }
        else:
            edge = LIGHT["cont-edge"]
            style |= {"background": LIGHT["cont"], "box-shadow": f"inset 0 0 0 1px {edge}8c"}
        for mark in (START, CONTINUATION):
            if edge and len(token) > len(mark) and token.startswith(mark):
                text = f'<span style="color:{edge}">{mark}</span>{text.removeprefix(mark)}'
        listed = ";".join(f"{name}:{value}" for name, value in style.items())
        return f'<kbd style="{listed}">{text}</kbd>'

    def _begins(self, token: str) -> bool:
        if any(token.startswith(START) for token in self.tokens):
            return token.startswith(START)
        return not token.startswith(CONTINUATION)


def show_tokens(tokens: Sequence[str], *, apart: bool = False) -> TokenStrip:
    """Return `tokens` in boxes, with symbols in place of invisible characters.

    If they are not from one text, but entries of a list, set them `apart`.

    >>> show_tokens(["▁The", "re", "fore"])
    ▁The|re|fore
    """
    return TokenStrip(check_strings(tokens, "tokens"), check_bool(apart, "apart"))


@_in_style
def rank_frequency(word_counts: WordCounts) -> Picture:
    """Return how often each word occurs, by its rank: the most frequent word has rank 1.

    Both axes are logarithmic. The words of rank 1, 2, 10, 100 and so on have their names. The gray
    line has the same sum, and falls to a tenth at ten times the rank (Zipf's law).
    """
    ranked = sorted(check_word_counts(word_counts).items(), key=lambda item: -item[1])
    if not ranked:
        raise ValueError("word_counts is empty: give a count for each word")
    counts = [count for _, count in ranked]
    total, once = sum(counts), counts.count(1)
    half = next(rank for rank, some in enumerate(accumulate(counts), 1) if 2 * some >= total)
    figure, axes = _axes(_WIDTH, _HEIGHT)
    _title(figure, f"{half:,} of {len(ranked):,} words make up half of the text")
    ranks = range(1, len(ranked) + 1)
    first = total / sum(1 / rank for rank in ranks)
    line = [1, len(ranked)], [first, first / len(ranked)]
    axes.plot(*line, color=LIGHT["line"], linewidth=7, solid_capstyle="round")
    axes.plot(ranks, counts, ".", color=LIGHT["ink"], markersize=7)
    note = {"textcoords": "offset points", "va": "center"}
    named = [rank for rank in (1, 2, 10, 100, 1000, 10_000) if rank <= len(ranked) - once]
    text = "gray: at ten times the rank,\na tenth of the count"
    if any(legible(ranked[rank - 1][0]) != ranked[rank - 1][0] for rank in named):
        text += f"\n{_NO_FONT}"
    axes.text(0.03, 0.18, text, color=LIGHT["soft"], transform=axes.transAxes)
    for rank in named:
        word, count = ranked[rank - 1]
        axes.plot([rank], [count], "o", color=LIGHT["now"], markersize=9)
        style = {"family": family_for([word]), "bbox": _frame(LIGHT["page"], LIGHT["soft"], 0.15)}
        at = (-3, 30) if rank == 1 else (12, 17)
        shown = axes.annotate(_lettered(word), (rank, count), at, **style, **note)
        _write_beside(axes, shown, f"{count:,}", LIGHT["now"])
    if once:
        at = (len(ranked) - once + 1, 1)
        axes.annotate(f"{once:,} words occur once", at, (-10, 0), ha="right", weight="bold", **note)
    axes.set(xscale="log", yscale="log", xlabel="rank of the word", ylabel="occurrences")
    axes.set_ylim(0.6, 4 * max(first, counts[0]))
    _label_powers(axes.xaxis, ranks)
    _label_powers(axes.yaxis, counts)
    told = ", ".join(f"{rank:,}: {' '.join(map(str, ranked[rank - 1]))}" for rank in named)
    alt = f"{half:,} of {len(ranked):,} words make up half of the text, and {once:,} occur once."
    return Picture(figure, f"{alt} Words and counts by rank: {told}.")


@_in_style
def draw_gains(gains: Mapping[Pair, float], symbols: str) -> Picture:
    """Return a map of the gains of all pairs of `symbols`, and name or dot the ten best pairs.

    A pair's first symbol is on the left. Darker squares mean a higher gain, on a logarithmic scale,
    a dash a gain of zero or less, and a blank square a pair that does not occur.
    """
    known = {(x, y): float(gains[x, y]) for x in symbols for y in symbols if (x, y) in gains}
    limit = max(known.values(), default=0.0)
    if not 0 < limit < inf:
        raise ValueError("no pair of the symbols has a finite gain above zero: add symbols")
    columns = [y for y in symbols if any((x, y) in known for x in symbols)]
    side = min(0.8, 6.4 / len(symbols))  # of a square, in inches
    width, height = max(5.0, side * len(columns) + 0.6), side * len(symbols) + 2.0
    figure, axes = _axes(width, height)
    positive = {pair: gain for pair, gain in known.items() if gain > 0}
    rows = [[positive.get((x, y), nan) for y in columns] for x in symbols]
    image = axes.imshow(rows, cmap=_GAINS, norm=LogNorm(limit / 1000, limit, clip=True))
    scale = figure.colorbar(image, location="bottom", aspect=30, pad=0.02)
    ticks = [limit / 10**power for power in (3, 2, 1, 0)]
    scale.set_ticks(ticks, labels=[f"{'≤ ' * (not i)}{_format(t)}" for i, t in enumerate(ticks)])
    scale.minorticks_off()
    scale.outline.set_visible(False)
    scale.set_label("gain in nats")
    ranked = sorted(known, key=lambda pair: -known[pair])
    family = [MONO, *family_for(symbols)]
    size = max(12.0, min(19.0, 42 * side))
    for x, y in known:
        i, j = symbols.index(x), columns.index(y)
        if (x, y) in ranked[:10] and (x, y) in positive:
            color = LIGHT["page"] if known[x, y] > limit / 30 else LIGHT["ink"]
            name = x + y if legible(x + y) == x + y else "•"
            _write(axes, j, i, name, max(12.0, size - 4), color=color, weight="bold", family=family)
        elif (x, y) not in positive:
            _write(axes, j, i, "–", 12, color=LIGHT["soft"])
    heads = list(map(_lettered, columns))
    turned = 90 * any(len(head) > 2 for head in heads)  # U+1234
    axes.set_xticks(range(len(columns)), heads, family=family, size=size, rotation=turned)
    axes.set_yticks(range(len(symbols)), list(map(_lettered, symbols)), family=family, size=size)
    for grid in (axes.set_xticks, axes.set_yticks):
        grid([i - 0.5 for i in range(1, len(symbols))], minor=True)
    axes.grid(which="minor", color=LIGHT["page"], linewidth=2)
    axes.set_axisbelow(False)
    axes.xaxis.tick_top()
    axes.tick_params(pad=8)
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        if label.get_text() == START:  # so that it is not taken for a dash
            label.set_bbox(_frame(LIGHT["begin"], LIGHT["begin-edge"], 0.15))
    note = "Row first, column second.\n–: no more than by chance; blank: never."
    note += f"\n{_NO_FONT}" * bool(turned)
    axes.set_xlabel(note, color=LIGHT["soft"])
    axes.spines[:].set_visible(False)
    best = "".join(map(_lettered, ranked[0]))
    _title(figure, f"At {_format(limit)} nats, the best pair here is {best}")
    highest = ", ".join(f"{x}{y} {_format(known[x, y])}" for x, y in ranked[:3])
    negative = sum(gain < 0 for gain in known.values())
    alt = (
        f"Of the {len(symbols) ** 2:,} pairs of {len(symbols)} symbols, {len(known):,} occur. The "
        f"highest gains, in nats: {highest}. Negative gains: {negative:,}"
    )
    if negative:
        alt += f", the lowest {''.join(ranked[-1])} {_format(known[ranked[-1]])}"
    return Picture(figure, f"{alt}.")


@_in_style
def draw_bars(values: Mapping[str, float], unit: str, title: str) -> Picture:
    """Return a bar for each of `values`: for times, which change with each run.

    Each says its value, and how many times as fast it is as the first. The last, which the picture
    is about, has its own color. Neither the description nor the digest has the values, and `title`
    is true on every run.
    """
    if not values:
        raise ValueError("values is empty: give a value for each bar")
    figure, axes = _axes(_WIDTH, 1.2 + 0.8 * len(values))
    _title(figure, title)
    colors = [*[LIGHT["soft"]] * (len(values) - 1), LIGHT["now"]]
    bars = axes.barh(list(values), list(values.values()), 0.6, color=colors, ec=colors, lw=3)
    first, *others = values.values()

    def rounded(value: float, digits: int) -> str:
        return f"{float(f'{value:.{digits}g}'):,g}"

    told = [f"{rounded(first, 3)} {unit}"]
    told += [f"{rounded(v, 3)} {unit}, {rounded(first / v, 2)} × as fast" for v in others]
    *_, last = axes.bar_label(bars, told, padding=6, weight="bold")
    last.set_color(LIGHT["now"])
    axes.invert_yaxis()
    axes.margins(x=0.2)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    return Picture(figure, f"{title}. A bar for each, in {unit}: {', '.join(values)}.", True)


@_in_style
def draw_curves(
    x: Numbers,
    curves: Mapping[str, Numbers],
    xlabel: str,
    ylabel: str,
    *,
    title: str,
    log_y: bool = False,
    above: str = "",
) -> Picture:
    """Return a line for each of up to six `curves`, over the same logarithmic `x`.

    Each of several has its name at its end, its own dashes and markers, so that no color is needed
    to tell them apart; one of more than fifty numbers has dots only. What is `above` zero is green.
    """
    heights = [y for curve in curves.values() for y in curve]
    if not (0 < len(curves) <= 6 and all(0 < len(x) == len(y) for y in curves.values())):
        raise ValueError("these curves cannot be drawn: give 1 to 6, with a number for each of x")
    if not all(map(isfinite, heights)):
        raise ValueError("a curve has an infinite number or NaN: leave out its x")
    figure, axes = _axes(_WIDTH, _HEIGHT)
    _title(figure, title)
    axes.grid(axis="y")
    ends = {name: y[-1] for name, y in curves.items()}
    labels = _spread(ends, min(heights), max(heights), log_y)
    for name, color, dashes, marker in zip(curves, _COLORS, _DASHES, _MARKERS):
        color = LIGHT["gain"] if name.startswith("gain") else color
        line = {"linestyle": dashes, "linewidth": 2.4, "markersize": 8}
        if len(x) > 50:
            line |= {"linestyle": "", "markersize": 5}
        axes.plot(x, curves[name], marker=marker, color=color, **line)
        at = {"transform": axes.transAxes, "color": color, "weight": "bold"}
        if len(curves) > 1:
            axes.text(1.02, labels[name], name, **at)
    if above:
        axes.fill_between(x, 1.6 * max(heights), color=LIGHT["ok-soft"], zorder=0)
        axes.text(x[0], 1.2 * max(heights), f" {above}", color=LIGHT["ok"], weight="bold")
    axes.set_xscale("log")
    _label_powers(axes.xaxis, x)
    if len(x) <= 12 and all(b >= 1.5 * a for a, b in zip(x, x[1:])):
        axes.set_xticks(list(x), [_format(tick) for tick in x])
    if log_y:
        axes.set_yscale("log")
        _label_powers(axes.yaxis, heights)
    else:
        axes.yaxis.set_major_formatter(_format)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    changes = [f"{n} goes from {_format(y[0])} to {_format(y[-1])}" for n, y in curves.items()]
    span = f"{ylabel}, over {xlabel} from {_format(x[0])} to {_format(x[-1])}"
    alt = f"{span}: {'; '.join(changes)}."
    high, low = max(ends, key=ends.__getitem__), min(ends, key=ends.__getitem__)
    if ends[low] < ends[high]:
        alt += f" At the end {high} is the highest and {low} the lowest."
    return Picture(figure, alt.replace("\n", " "))


@_in_style
def draw_points(
    families: Mapping[str, Mapping[str, tuple[float, float]]],
    xlabel: str,
    ylabel: str,
    *,
    title: str,
) -> Picture:
    """Return a point for each name in each of `families`, which have their own markers.

    The first family, which the picture is about, has stars, and its name is beside the lowest. The
    names of the others are below their lowest points. Raises ValueError if there is no family, more
    than six, or one without points.
    """
    if not 0 < len(families) <= 6 or not all(families.values()):
        raise ValueError("these families cannot be drawn: give 1 to 6, each with a point or more")
    figure, axes = _axes(_WIDTH, _HEIGHT)
    _title(figure, title)
    axes.margins(y=0.16)
    style = {"linestyle": "", "markeredgecolor": LIGHT["page"], "clip_on": False}
    for (family, points), marker, color in zip(families.items(), "*osD^v", _COLORS):
        size = 20 if marker == "*" else 10
        axes.plot(*zip(*points.values()), marker, color=color, markersize=size, **style)
        at: dict[str, Any] = {"textcoords": "offset points", "color": color, "weight": "bold"}
        at["bbox"] = {"boxstyle": "square,pad=0", "facecolor": LIGHT["page"], "linewidth": 0}
        lowest = min(points.values(), key=lambda point: point[1])
        at |= {"ha": "right", "va": "center"} if marker == "*" else {"ha": "left", "va": "top"}
        axes.annotate(family, lowest, (-14, 0) if marker == "*" else (-6, -8), **at)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    listed = "; ".join(
        f"{family}: "
        + ", ".join(f"{name} {_format(x)} and {_format(y)}" for name, (x, y) in of.items())
        for family, of in families.items()
    )
    return Picture(figure, f"{ylabel}, over {xlabel}. As {xlabel} and {ylabel}, {listed}.")


@_in_style
def draw_ratios(rows: Mapping[str, Mapping[str, float]], base: str, title: str) -> Picture:
    """Return the values of each row on one line, as multiples of `base`, from the top down.

    Every row has the same names for its one to three values. Raises ValueError otherwise, or if a
    value is not a number above zero.
    """
    names = list(next(iter(rows.values()), ()))
    values = [value for row in rows.values() for value in row.values()]
    if not 0 < len(names) <= 3 or any(list(row) != names for row in rows.values()):
        raise ValueError(
            "the rows cannot be drawn: give one to three values in each, with the same names"
        )
    if not all(0 < value < inf for value in values):
        raise ValueError("a ratio is not a number above zero: leave out its row")
    figure, axes = _axes(_WIDTH, _HEIGHT)
    _title(figure, title)
    sides = dict(zip(names, ("left", "right", "center")))
    for y, row in enumerate(rows.values()):
        low, high = min(row.values()), max(row.values())
        axes.plot([low, high], [y, y], color=LIGHT["line"], linewidth=5, zorder=1)
        for x, side in ((low / 1.12, "right"), (high * 1.12, "left")):
            axes.text(x, y, f"{low if side == 'right' else high:.1f}", ha=side, va="center")
    for name, color, marker in zip(names, (LIGHT["soft"], LIGHT["ink"], LIGHT["now"]), _MARKERS):
        line = [row[name] for row in rows.values()]
        axes.plot(line, range(len(line)), marker, color=color, markersize=13)
        axes.text(line[0], -0.8, name, color=color, ha=sides[name])
    axes.set(xscale="log", xlim=(min(values) / 1.6, max(values) * 1.6))
    axes.set_ylim(len(rows) - 0.4, -1.3)
    axes.minorticks_off()
    ticks = [2**k for k in range(12) if 2**k < max(values) * 1.3]
    axes.set_xticks(ticks, [base if tick == 1 else f"{tick} ×" for tick in ticks])
    axes.set_yticks(range(len(rows)), list(rows))
    axes.tick_params(length=0, labelsize=19)
    axes.spines["left"].set_visible(False)
    for text in axes.texts:
        text.set_fontsize(19)
    told = "; ".join(
        f"{name} " + ", ".join(f"{value:.1f}" for value in row.values())
        for name, row in rows.items()
    )
    return Picture(figure, f"{title}. Multiples of {base}, in {', '.join(names)}: {told}.")


@_in_style
def draw_merge_tree(word: str, merges: Sequence[Pair]) -> Picture:
    """Return the tree of the merges that build `word`, which starts with "▁".

    The leaves are the characters, and the roots are the subwords after all merges. Each node shows
    its merge number. A character that is in no merge has a dashed box.
    """
    steps = merge_steps(word, merges)
    if not word.startswith(START) or word == START:
        raise ValueError(f"{word!r} is not a word with {START} in front: give one like '▁sea'")
    known = set("".join(x + y for x, y in merges))
    strange = list(dict.fromkeys(char for char in word if char not in known))
    notes = []
    if strange:
        notes.append(f"dashed: in no merge ({' '.join(map(_lettered, strange))})")
    if legible(word) != word:
        notes.append(_NO_FONT)
    rows = len(steps) + 1 + len(notes)
    column, row = min(1.05, _WIDTH / len(word)), max(0.42, min(0.7, (_HEIGHT - 0.6) / rows))
    figure, axes = _axes(max(6.0, column * len(word)), max(1.2, row * rows) + 0.6)
    longest = max(len(_lettered(char)) for char in word)
    size = max(12.0, min(17.0, 27 * row, 24 * column))
    if longest > 2:  # U+1234
        size = min(size, 90 * column / longest)
    families = [MONO, *family_for([word])]
    nodes = [(float(i), 0, char) for i, char in enumerate(word)]
    for i, _, char in nodes:
        _write_node(axes, i, 0, char, "", size, families, dashed=char in strange)
    for height, (number, (x, y)) in enumerate(steps, 1):
        merged: list[tuple[float, int, str]] = []
        for node in nodes:
            if merged and merged[-1][2] == x and node[2] == y:
                halves = merged.pop(), node
                node = ((halves[0][0] + halves[1][0]) / 2, height, x + y)
                for half in halves:
                    line = _bend(half[:2], node[:2])
                    axes.plot(*line, color=LIGHT["soft"], linewidth=1.5, zorder=1)
                _write_node(axes, node[0], height, x + y, f"{number:,}", size, families)
            merged.append(node)
        nodes = merged
    # A title runs from the left, and would put the mark of an Arabic word at the word's end.
    this = "this word" if _is_rtl(word) or legible(word) != word else word
    if len(nodes) == 1:
        title = f"Merge {steps[-1][0]:,} makes {this} one subword"
    else:
        title = f"After merge {len(merges):,}, {this} is cut into {len(nodes)} subwords"
    _title(figure, title)
    alt = "; ".join(f"merge {number} joins {x} + {y}" for number, (x, y) in steps)
    alt = f"{word} from its characters: {alt or 'no merge joins any of them'}."
    alt += f" What is left: {' '.join(text for _, _, text in nodes)}."
    if strange:
        alt += f" In no merge: {' '.join(strange)}."
    for depth, note in enumerate(notes, 1):
        _write(axes, (len(word) - 1) / 2, -depth, note, 13, family=families[1:])
    axes.set_ylim(-0.5 - len(notes), len(steps) + 0.5)
    axes.set_xlim(-0.6, len(word) - 0.2)
    if _is_rtl(word):
        axes.invert_xaxis()
    axes.axis("off")
    return Picture(figure, alt)


def merge_steps(word: str, merges: Sequence[Pair]) -> list[tuple[int, Pair]]:
    """Return the merges that change the split of `word`, with their numbers, from 1.

    >>> merge_steps("▁the", [("t", "h"), ("a", "n"), ("th", "e")])
    [(1, ('t', 'h')), (3, ('th', 'e'))]
    """
    split, steps = list(check_str(word, "word")), []
    for number, pair in enumerate(check_list(merges, "merges", of="pairs"), 1):
        merged = merge_pair(check_pair(pair, "a merge"), split)
        if merged != split:
            steps.append((number, pair))
        split = merged
    return steps


def _visible(token: str) -> str:
    """Return `token` with a symbol for each invisible character, and ◌ for a mark's own letter."""
    signs = ""
    for char in token.replace(" ", "␣"):
        # U+200C and U+200D change the shapes of letters and emoji, which makes them visible.
        hidden = category(char)[0] in "CZ" and char not in "\u200c\u200d"
        alone = category(char)[0] == "M" and signs in ("", START, CONTINUATION)
        signs += repr(char)[1:-1] if hidden else "◌" * alone + char
    return signs


def _is_rtl(text: str) -> bool:
    """Return whether `text` runs from right to left."""
    return any(bidirectional(char) in ("R", "AL") for char in text)


def _format(number: float, _: float | None = None) -> str:
    """Return `number` as in prose: 12,345 or 0.123, with a minus sign, not a hyphen."""
    size = abs(number)
    text = f"{size:,.0f}" if size >= 1000 else f"{size:.3g}"
    return f"−{text}" if number < 0 and text != "0" else text


def _lettered(text: str) -> str:
    """Return `text` as a figure can show it: visible, and with U+… where there is no font."""
    return legible(_visible(text))


def _axes(width: float, height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _title(figure: Figure, title: str) -> None:
    figure.suptitle(
        fill(title, 64), x=0.01, ha="left", weight="bold", fontsize=18, family=family_for([title])
    )


def _spread(ends: Mapping[str, float], low: float, high: float, log: bool) -> dict[str, float]:
    """Return heights from 0 to 1 for labels at these `ends`, at least a line apart."""
    low, high = (log10(low), log10(high)) if log else (low, high)
    heights: dict[str, float] = {}
    least = 0.0
    for name in sorted(ends, key=ends.__getitem__):
        end = log10(ends[name]) if log else ends[name]
        share = (end - low) / (high - low) if high > low else 0.5
        heights[name] = round(max(least, 0.03 + 0.9 * share), 3)
        least = heights[name] + 0.075
    return heights


def _label_powers(axis: Axis, values: Numbers) -> None:
    """Label 10, 100 and so on, and between them 20 and 50 if there is room for them."""
    steps = (1, 2, 5) if max(values) < 1000 * min(values) else (1,)
    axis.set_major_locator(LogLocator(subs=steps, numticks=99))
    axis.set_major_formatter(_format)
    axis.set_minor_locator(NullLocator())


def _write(axes: Axes, x: float, y: float, text: str, size: float, **style: Any) -> None:
    axes.text(x, y, text, ha="center", va="center", fontsize=size, **style)


def _write_node(
    axes: Axes,
    x: float,
    y: float,
    subword: str,
    number: str,
    size: float,
    family: list[str],
    dashed: bool = False,
) -> None:
    kind = "begin" if subword.startswith(START) else "cont"
    fill, edge = (LIGHT["page"], LIGHT["soft"]) if dashed else (LIGHT[kind], LIGHT[f"{kind}-edge"])
    box = _frame(fill, edge) | {"linestyle": "--" if dashed else "-"}
    style: dict[str, Any] = {"ha": "center", "va": "center", "family": family, "bbox": box}
    text = axes.text(x, y, _lettered(subword), fontsize=size, **style)
    if number:  # at the left, where no line is
        at: dict[str, Any] = {"xycoords": text, "textcoords": "offset points", "weight": "bold"}
        at |= {"va": "center", "ha": "right", "color": LIGHT["soft"]}
        axes.annotate(number, (0, 0.5), (-8, 0), **at)


def _bend(low: tuple[float, float], high: tuple[float, float]) -> tuple[Numbers, Numbers]:
    """Return points of a line that goes straight up, then bends within the last level.

    So it passes behind no box of another branch.
    """
    shares = [i / 24 for i in range(25)]
    (x, y), (x2, y2) = low, high
    xs = [x + (x2 - x) * (3 - 2 * share) * share**2 for share in shares]
    return [x, *xs], [y, *(y2 - 1 + share for share in shares)]


def _frame(fill: str, edge: str, pad: float = 0.3) -> dict[str, Any]:
    return {"boxstyle": f"round,pad={pad}", "facecolor": fill, "edgecolor": edge}


def _write_beside(axes: Axes, box: Any, text: str, color: str) -> None:
    at = {"xycoords": box, "textcoords": "offset points", "va": "center"}
    ground = {"boxstyle": "square,pad=0.1", "facecolor": LIGHT["page"], "linewidth": 0}
    axes.annotate(text, (1, 0.5), (9, 0), weight="bold", color=color, bbox=ground, **at)


def _list_content(axes: Any, changes: bool) -> str:
    """Return everything that was drawn into `axes`, in words and rounded numbers."""
    content = [axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale(), axes.get_yscale()]
    for axis in (axes.xaxis, axes.yaxis):
        if isinstance(axis.get_major_locator(), FixedLocator):
            content.append(_round(axis.get_majorticklocs()))
            content += [label.get_text() for label in axis.get_majorticklabels()]
    if changes:
        return "\n".join(content)
    content += [f"{_round(text.get_position())} {text.get_text()}" for text in axes.texts]
    for line in axes.lines:
        content += [_round(line.get_xdata()), _round(line.get_ydata())]
    for image in axes.images:
        content += map(_round, image.get_array().filled(nan))
    for bar in axes.patches:
        content.append(_round([bar.get_x(), bar.get_width(), bar.get_height()]))
    return "\n".join(content)


def _round(numbers: Iterable[float]) -> str:
    return " ".join(f"{number:.6g}" for number in numbers)
