"""Figures: tokens in boxes and pictures for the notebooks, each with a description in words."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from io import BytesIO
from itertools import cycle
from math import floor, inf, isfinite, log10, nan
from typing import Any
from unicodedata import category, combining

try:
    import matplotlib
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("wpedu.figures needs matplotlib: pip install matplotlib") from error
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import LinearSegmentedColormap, SymLogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, LogFormatter, NullLocator

from wpedu._support.checks import START, check_list, check_pair, check_str, check_strings
from wpedu.encoding import UNKNOWN
from wpedu.scores import Pair
from wpedu.training import join_pair

__all__ = [
    "Picture",
    "TokenStrip",
    "draw_bars",
    "draw_curves",
    "draw_gains",
    "draw_merge_tree",
    "draw_merges",
    "draw_points",
    "draw_ratios",
    "merge_steps",
    "show_tokens",
]
__dir__ = __all__.copy  # what dir() shows

Numbers = Sequence[float]

# From Okabe and Ito (2008), Color Universal Design: distinct with any color vision. They are not
# distinct in gray, so that each curve also has its own dashes and its own marker.
_COLORS = "#0072b2", "#d55e00", "#009e73", "#000000", "#cc79a7", "#e69f00"
_DASHES = "-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3))
_MARKERS = "osD^vP"
# Neighbors differ in lightness: distinct with any color vision, in gray, and on a projector.
_TINTS = "#fff4d2", "#9cc7ee"
_NODE = {"boxstyle": "round,pad=0.3", "facecolor": _TINTS[0], "edgecolor": "#444", "linestyle": "-"}
# From light (negative gain) through gray (zero) to dark (positive): the ends differ in gray, too.
_GAINS = LinearSegmentedColormap.from_list("gains", ["#ffe98a", "#adadad", "#33106b"])

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

        It leaves out the heights of the bars in a picture that `changes` with each run.
        """
        content = "\n".join(_list_content(axes, self.changes) for axes in self.figure.axes)
        return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def png(self) -> bytes:
        """Return the image, with `drawn` and the version of matplotlib in its metadata."""
        notes = {"Drawn": self.drawn, "Software": f"matplotlib {matplotlib.__version__}"}
        if self.changes:
            notes["Changes"] = "at each run"
        png = BytesIO()
        self.figure.savefig(png, format="png", dpi=_DENSITY, facecolor="white", metadata=notes)
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
    """Tokens in boxes; as text, with bars between them."""

    tokens: list[str]

    def __repr__(self) -> str:
        return "|".join(map(_visible, self.tokens))

    def _repr_html_(self) -> str:
        box = "color:#000;border:1px solid #555;border-radius:4px;padding:2px 4px;margin:0"
        box += ";font:inherit;line-height:1.4;box-shadow:none;white-space:pre"
        boxes = []
        for token, tint in zip(self.tokens, cycle(_TINTS)):
            text, color = escape(_visible(token)), f"background:{tint}"
            if token == UNKNOWN:
                text, color = f"<strong>{text}</strong>", "color:#fff;background:#000"
            boxes.append(f'<kbd style="{box};{color}">{text}</kbd>')
        # A line can break at the spaces. The bars appear where styles are dropped, as on GitHub.
        bar = ' <span style="display:none">|</span> '
        font = "font:1.25em monospace;line-height:2.1"
        return f'<div style="{font}">{bar.join(boxes)}</div>'


def show_tokens(tokens: Sequence[str]) -> TokenStrip:
    """Return `tokens` in boxes, with symbols in place of invisible characters.

    >>> show_tokens(["▁The", "re", "fore"])
    ▁The|re|fore
    """
    return TokenStrip(check_strings(tokens, "tokens"))


def draw_gains(gains: Mapping[Pair, float], symbols: str) -> Picture:
    """Return a heat map of the gains of all pairs of `symbols`, and name the ten best pairs.

    A pair's first symbol is on the left. Darker squares mean a higher gain, a minus a negative
    gain, and white squares pairs that do not occur. The scale is logarithmic, except near zero.
    """
    known = {(x, y): float(gains[x, y]) for x in symbols for y in symbols if (x, y) in gains}
    limit = max(map(abs, known.values()), default=0.0)
    if not 0 < limit < inf:
        raise ValueError("no pair of the symbols has a finite gain other than zero: add symbols")
    small = 10.0 ** (floor(log10(limit)) - 1)
    figure, axes = _axes(_WIDTH, _HEIGHT)
    rows = [[known.get((x, y), nan) for y in symbols] for x in symbols]
    scale = SymLogNorm(small, vmin=-limit, vmax=limit, base=10)
    image = axes.imshow(rows, cmap=_GAINS, norm=scale, aspect="auto")
    ranked = sorted(known, key=lambda pair: -known[pair])
    best = [pair for pair in ranked[:10] if known[pair] > 0]
    for (x, y), gain in known.items():
        j, i = symbols.index(y), symbols.index(x)
        if (x, y) in best:
            _write(axes, j, i, x + y, 11, color="white" if gain > small else "black", weight="bold")
        elif gain < 0:
            _write(axes, j, i, "−", 9)
    size = max(6.0, min(14.0, 360 / len(symbols)))
    axes.set_xticks(range(len(symbols)), list(symbols))
    axes.set_yticks(range(len(symbols)), list(symbols))
    for symbol, label in zip(symbols, axes.get_yticklabels()):
        if symbol == START:  # it would touch the symbol below
            label.set_verticalalignment("bottom")
    axes.set(xlabel="second symbol of the pair", ylabel="first symbol of the pair")
    axes.tick_params(labelsize=size)
    ticks = [-10 * small, -small, 0.0, small, 10 * small]
    bar = figure.colorbar(image, ticks=ticks, format=_format)
    bar.set_label("gain (nats); −: negative", fontsize=16)
    bar.ax.tick_params(labelsize=14)
    highest = ", ".join(f"{x}{y} {_format(known[x, y])}" for x, y in ranked[:3])
    negative = sum(gain < 0 for gain in known.values())
    alt = (
        f"Of the {len(symbols) ** 2:,} pairs of {len(symbols)} symbols, {len(known):,} occur. The "
        f"highest gains, in nats: {highest}. Negative gains: {negative:,}"
    )
    if negative:
        alt += f", the lowest {''.join(ranked[-1])} {_format(known[ranked[-1]])}"
    return Picture(figure, f"{alt}.")


def draw_merges(counts: Sequence[int], lengths: Sequence[int]) -> Picture:
    """Return how often the subword of each merge occurs, and how long it is, in merge order."""
    if not counts or len(counts) != len(lengths):
        raise ValueError("counts and lengths do not match: give one of each for every merge")
    figure, (often, long) = _axes(_WIDTH, _HEIGHT, rows=2)
    order = range(1, len(counts) + 1)
    often.plot(order, counts, "o", markersize=4, color=_COLORS[0])
    often.set(yscale="log", ylabel="occurrences")
    _label_powers(often.yaxis)
    long.plot(order, lengths, "s", markersize=4, color=_COLORS[1])
    long.set(xlabel="merge", ylabel="characters")
    most = max(lengths)
    alt = (
        f"{len(counts):,} merges, in their order. Occurrences of their subwords: the first "
        f"{counts[0]:,}, the last {counts[-1]:,}, at most {max(counts):,}, at least "
        f"{min(counts):,}. Characters: from {min(lengths)} to {most}, the most "
        f"first at merge {list(lengths).index(most) + 1:,}."
    )
    return Picture(figure, alt)


def draw_bars(
    values: Mapping[str, float], ylabel: str, xlabel: str = "", shows: str = ""
) -> Picture:
    """Return a bar for each of `values`, without numbers: for times, which change with each run.

    `xlabel` says what the names of the bars mean. `shows` is added to the description: a sentence
    about the bars that is true on every run.
    """
    if not values:
        raise ValueError("values is empty: give a value for each bar")
    figure, axes = _axes(_WIDTH, 4.4)
    positions = range(len(values))
    axes.bar(positions, list(values.values()), color=_COLORS[0], edgecolor="black", width=0.6)
    axes.set_xticks(positions, list(values))
    axes.set(xlabel=xlabel, ylabel=ylabel)
    names = ", ".join(" ".join(name.split()) for name in values)  # without line breaks
    alt = f"{ylabel}, a bar for each {xlabel or 'of these'}: {names}. {shows}"
    return Picture(figure, alt.rstrip(), changes=True)


def draw_curves(
    x: Numbers, curves: Mapping[str, Numbers], xlabel: str, ylabel: str, log_y: bool = False
) -> Picture:
    """Return a line for each of up to six `curves`, over the same logarithmic `x`.

    Each has its own dashes, and short curves have markers, so that no color is needed to tell them
    apart. NaN leaves a gap.
    """
    if not 0 < len(curves) <= 6 or not len(x) or any(len(y) != len(x) for y in curves.values()):
        raise ValueError("these curves cannot be drawn: give 1 to 6, with a number for each of x")
    ends = {name: y[-1] for name, y in curves.items() if isfinite(y[-1])}
    if not ends:
        raise ValueError("no curve has a number at its end: shorten x and the curves")
    figure, axes = _axes(_WIDTH, 4.8)
    for (name, y), color, dashes, marker in zip(curves.items(), _COLORS, _DASHES, _MARKERS):
        style = {"color": color, "linestyle": dashes, "linewidth": 2.5, "markersize": 8}
        axes.plot(x, y, marker=marker if len(x) <= 20 else "", label=name, **style)
    axes.set_xscale("log")
    _label_powers(axes.xaxis)
    if len(x) <= 12 and all(b >= 1.5 * a for a, b in zip(x, x[1:])):
        axes.set_xticks(list(x), [_format(tick) for tick in x])
        axes.xaxis.set_minor_locator(NullLocator())
    if log_y:
        axes.set_yscale("log")
        _label_powers(axes.yaxis)
    else:
        axes.yaxis.set_major_formatter(_format)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.legend(fontsize=16, frameon=False, handlelength=3)
    alt = "; ".join(
        f"{name} goes from {_format(curves[name][0])} to {_format(end)}"
        for name, end in ends.items()
        if isfinite(curves[name][0])
    )
    alt = f"{ylabel}, over {xlabel} from {_format(x[0])} to {_format(x[-1])}: {alt}."
    if len(curves) > 1:
        high, low = max(ends, key=ends.__getitem__), min(ends, key=ends.__getitem__)
        alt += f" At the end {high} is the highest and {low} the lowest."
    return Picture(figure, alt)


def draw_points(
    families: Mapping[str, Mapping[str, tuple[float, float]]], xlabel: str, ylabel: str
) -> Picture:
    """Return a point for each name in each of `families`, which have their own markers.

    Raises ValueError if there is no family, more than six, or one without points.
    """
    if not 0 < len(families) <= 6 or not all(families.values()):
        raise ValueError("these families cannot be drawn: give 1 to 6, each with a point or more")
    figure, axes = _axes(_WIDTH, _HEIGHT)
    style = {"linestyle": "", "markersize": 12, "alpha": 0.75, "markeredgecolor": "black"}
    for (family, points), marker, color in zip(families.items(), _MARKERS, _COLORS):
        axes.plot(*zip(*points.values()), marker=marker, color=color, label=family, **style)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.legend(fontsize=14, frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.45, 1))
    listed = "; ".join(
        f"{family}: "
        + ", ".join(f"{name} {_format(x)} and {_format(y)}" for name, (x, y) in of.items())
        for family, of in families.items()
    )
    return Picture(figure, f"{ylabel}, over {xlabel}. As {xlabel} and {ylabel}, {listed}.")


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
    figure.suptitle(title, x=0.01, ha="left", weight="bold", fontsize=18)
    sides = dict(zip(names, ("left", "right", "center")))
    for y, row in enumerate(rows.values()):
        low, high = min(row.values()), max(row.values())
        axes.plot([low, high], [y, y], color="#ddd6c7", linewidth=5, zorder=1)
        for x, side in ((low / 1.12, "right"), (high * 1.12, "left")):
            axes.text(x, y, f"{low if side == 'right' else high:.1f}", ha=side, va="center")
    for name, color, marker in zip(names, ("#5b5a55", "#1d1d1b", "#c2410c"), _MARKERS):
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
    rows = len(steps) + (2 if strange else 1)
    column, row = min(1.05, _WIDTH / len(word)), min(0.7, _HEIGHT / rows)
    figure, axes = _axes(max(4.0, column * len(word)), max(1.2, row * rows))
    size = max(7.0, min(17.0, 27 * row, 24 * column))
    nodes = [(float(i), 0, char) for i, char in enumerate(word)]
    for i, _, char in nodes:
        dashed = {"facecolor": "white", "linestyle": "--"} if char in strange else {}
        _write(axes, i, 0, char, size, bbox=_NODE | dashed)
    for height, (number, (x, y)) in enumerate(steps, 1):
        merged: list[tuple[float, int, str]] = []
        for node in nodes:
            if merged and merged[-1][2] == x and node[2] == y:
                left, low, _ = merged.pop()
                right, high, _ = node
                node = ((left + right) / 2, height, x + y)
                axes.plot([left, node[0], right], [low, height, high], color="#444", zorder=1)
                box = _NODE | {"facecolor": _TINTS[1]}
                _write(axes, node[0], height, f"{x + y}  {number}", size, bbox=box)
            merged.append(node)
        nodes = merged
    alt = "; ".join(f"merge {number} joins {x} + {y}" for number, (x, y) in steps)
    alt = f"{word} from its characters: {alt or 'no merge joins any of them'}."
    alt += f" What is left: {' '.join(text for _, _, text in nodes)}."
    if strange:
        alt += f" In no merge: {' '.join(strange)}."
        below = f"dashed: in no merge ({' '.join(strange)})"
        _write(axes, (len(word) - 1) / 2, -1, below, size)
    axes.set_ylim(-1.5 if strange else -0.5, len(steps) + 0.5)
    axes.set_xlim(-0.6, len(word) - 0.4)
    axes.axis("off")
    return Picture(figure, alt)


def merge_steps(word: str, merges: Sequence[Pair]) -> list[tuple[int, Pair]]:
    """Return the merges that change the split of `word`, with their numbers, from 1.

    >>> merge_steps("▁the", [("t", "h"), ("a", "n"), ("th", "e")])
    [(1, ('t', 'h')), (3, ('th', 'e'))]
    """
    split, steps = list(check_str(word, "word")), []
    for number, pair in enumerate(check_list(merges, "merges", of="pairs"), 1):
        merged = join_pair(check_pair(pair, "a merge"), split)
        if merged != split:
            steps.append((number, pair))
        split = merged
    return steps


def _visible(token: str) -> str:
    """Return `token` with a symbol for each invisible character, and ◌ under a leading accent."""
    signs = "◌" if token and combining(token[0]) else ""
    for char in token.replace(" ", "␣"):
        # U+200C and U+200D change the shapes of letters and emoji, which makes them visible.
        hidden = category(char)[0] in "CZ" and char not in "\u200c\u200d"
        signs += repr(char)[1:-1] if hidden else char
    return signs


def _format(number: float, _: float | None = None) -> str:
    """Return `number` as in prose: 12,345 or 0.123, with a minus sign, not a hyphen."""
    size = abs(number)
    text = f"{size:,.0f}" if size >= 1000 else f"{size:.3g}"
    return f"−{text}" if number < 0 and text != "0" else text


def _axes(width: float, height: float, rows: int = 1) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.subplots(rows, sharex=True)
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(which="both", labelsize=15)
        axes.xaxis.label.set_fontsize(17)
        axes.yaxis.label.set_fontsize(17)
    return figure, figure.axes if rows > 1 else axes


class _LogFormatter(LogFormatter):
    """Labels the same ticks as matplotlib, but with commas."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return _format(x) if super().__call__(x, pos) else ""


def _label_powers(axis: Axis) -> None:
    axis.set_major_formatter(_LogFormatter())
    axis.set_minor_formatter(_LogFormatter(minor_thresholds=(1, 0.4)))


def _write(axes: Axes, x: float, y: float, text: str, size: float, **style: Any) -> None:
    axes.text(x, y, text, ha="center", va="center", fontsize=size, **style)


def _list_content(axes: Any, changes: bool) -> str:
    """Return everything that was drawn into `axes`, in words and rounded numbers."""
    content = [axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale(), axes.get_yscale()]
    for axis in (axes.xaxis, axes.yaxis):
        if isinstance(axis.get_major_locator(), FixedLocator):
            content.append(_round(axis.get_majorticklocs()))
            content += [label.get_text() for label in axis.get_majorticklabels()]
    if axes.get_legend():
        content += [text.get_text() for text in axes.get_legend().get_texts()]
    content += [f"{_round(text.get_position())} {text.get_text()}" for text in axes.texts]
    for line in axes.lines:
        content += [_round(line.get_xdata()), _round(line.get_ydata())]
    for image in axes.images:
        content += map(_round, image.get_array().filled(nan))
    for bar in axes.patches:
        content.append(_round([bar.get_x(), bar.get_width(), bar.get_height()][: 3 - changes]))
    return "\n".join(content)


def _round(numbers: Iterable[float]) -> str:
    return " ".join(f"{number:.6g}" for number in numbers)
