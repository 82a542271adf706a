"""Figures: what the notebooks draw, each with a sentence that says what it shows.

Lists of tokens become strips of boxes, numbers become pictures. Both can be read as text.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from io import BytesIO
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
from wpedu.training import merge_pair

__all__ = [
    "Picture",
    "TokenStrip",
    "draw_bars",
    "draw_curves",
    "draw_gains",
    "draw_merge_tree",
    "draw_merges",
    "draw_points",
    "merge_steps",
    "show_tokens",
]
__dir__ = __all__.copy  # what dir() shows

Numbers = Sequence[float]

# Of Okabe and Ito (2008), Color Universal Design: told apart with any color vision. In gray they
# are not, so that a curve has its own dashes and its own marker as well.
_COLORS = "#0072b2", "#d55e00", "#009e73", "#000000", "#cc79a7", "#e69f00"
_DASHES = "-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3))
_MARKERS = "osD^vP"
# Neighbors differ in lightness, and so with any color vision, in gray and on a projector.
_TINTS = "#fff4d2", "#9cc7ee"
_KNOT = {"boxstyle": "round,pad=0.3", "facecolor": _TINTS[0], "edgecolor": "#444", "linestyle": "-"}
# Light is a negative gain, dark a positive one, and gray is none: in gray too, the ends differ.
_GAINS = LinearSegmentedColormap.from_list("gains", ["#ffe98a", "#adadad", "#33106b"])

_WIDTH = 8.4  # inches, of 100 pixels on the screen: as wide as the output of a notebook's cell
_HEIGHT = 5.4
_DENSITY = 200  # two pixels of the PNG to one of the screen, so that it can be enlarged


@dataclass
class Picture:
    """A matplotlib figure that shows itself as an image, and says in words what it shows.

    Where outputs are compared, the description and `drawn` stand for the image.
    """

    figure: Figure
    alt: str
    changes: bool = False

    @property
    def drawn(self) -> str:
        """A digest of what is drawn and where, the same with every version of matplotlib.

        In a picture that `changes` at each run, the sizes of the bars are left out.
        """
        told = "\n".join(_told(axes, self.changes) for axes in self.figure.axes)
        return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def png(self) -> bytes:
        """Return the image, which carries `drawn` and the version of matplotlib with it."""
        notes = {"Drawn": self.drawn, "Software": f"matplotlib {matplotlib.__version__}"}
        if self.changes:
            notes["Changes"] = "at each run"
        png = BytesIO()
        self.figure.savefig(png, format="png", dpi=_DENSITY, facecolor="white", metadata=notes)
        return png.getvalue()

    def __repr__(self) -> str:
        return f"[picture {self.drawn}: {self.alt}]"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        # As HTML, because JupyterLab and nbconvert drop the description of an `image/png`.
        source = f"data:image/png;base64,{b64encode(self.png()).decode()}"
        width = round(100 * self.figure.get_figwidth())
        html = f'<img width="{width}" alt="{escape(self.alt)}" src="{source}">'
        return {"text/html": html, "text/plain": repr(self)}


@dataclass
class TokenStrip:
    """Tokens in boxes; as text, with a bar between them."""

    tokens: list[str]

    def __repr__(self) -> str:
        return "|".join(map(_visible, self.tokens))

    def _repr_html_(self) -> str:
        box = "color:#000;border:1px solid #555;border-radius:4px;padding:2px 4px;margin:0"
        box += ";font:inherit;line-height:1.4;box-shadow:none;white-space:pre"
        boxes = []
        for i, token in enumerate(self.tokens):
            text, tint = escape(_visible(token)), _TINTS[i % len(_TINTS)]
            if token == UNKNOWN:
                text, tint = f"<strong>{text}</strong>", "#000"
            ink = ";color:#fff" if token == UNKNOWN else ""
            boxes.append(f'<kbd style="{box}{ink};background:{tint}">{text}</kbd>')
        # The spaces are where a line may break. The bars are seen where styles are dropped, as on
        # GitHub, and with them the borders.
        bar = ' <span style="display:none">|</span> '
        font = "font:1.25em monospace;line-height:2.1"
        return f'<div style="{font}">{bar.join(boxes)}</div>'


def show_tokens(tokens: Sequence[str]) -> TokenStrip:
    """Return `tokens` for a notebook to show in boxes; signs stand for what cannot be seen.

    >>> show_tokens(["▁The", "re", "fore"])
    ▁The|re|fore
    """
    return TokenStrip(list(check_strings(tokens, "tokens")))


def draw_gains(gains: Mapping[Pair, float], symbols: str) -> Picture:
    """Return a heat map of the gains of the pairs of `symbols`, the ten best of them named.

    The first symbol of a pair is on the left. The darker, the higher; a minus marks a negative
    gain; a pair that does not occur is white. The scale is logarithmic, except near zero.
    """
    known = {(x, y): float(gains[x, y]) for x in symbols for y in symbols if (x, y) in gains}
    limit = max(map(abs, known.values()), default=0.0)
    if not 0 < limit < inf:
        raise ValueError("draw_gains needs a pair of the symbols whose gain is a number, not zero")
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
        if symbol == START:  # a line under nothing, which would lie on the symbol below
            label.set_verticalalignment("bottom")
    axes.set_xlabel("second symbol of the pair")
    axes.set_ylabel("first symbol of the pair")
    axes.tick_params(labelsize=size)
    ticks = [-10 * small, -small, 0.0, small, 10 * small]
    bar = figure.colorbar(image, ticks=ticks, format=_say)
    bar.set_label("gain (nats); −: negative", fontsize=16)
    bar.ax.tick_params(labelsize=14)
    highest = ", ".join(f"{x}{y} {_say(known[x, y])}" for x, y in ranked[:3])
    negative = sum(gain < 0 for gain in known.values())
    told = (
        f"Of the {len(symbols) ** 2:,} pairs of {len(symbols)} symbols, {len(known):,} occur. The "
        f"highest gains, in nats: {highest}. Negative gains: {negative:,}"
    )
    if negative:
        told += f", the lowest {''.join(ranked[-1])} {_say(known[ranked[-1]])}"
    return Picture(figure, f"{told}.")


def draw_merges(counts: Sequence[int], lengths: Sequence[int]) -> Picture:
    """Return how often, and how long, the subword of each merge is, in the order of the merges."""
    if not counts or len(counts) != len(lengths):
        raise ValueError("draw_merges needs one count and one length for each of the merges")
    figure, (often, long) = _axes(_WIDTH, _HEIGHT, rows=2)
    order = range(1, len(counts) + 1)
    often.plot(order, counts, "o", markersize=4, color=_COLORS[0])
    often.set_yscale("log")
    _name_powers(often.yaxis)
    often.set_ylabel("occurrences")
    long.plot(order, lengths, "s", markersize=4, color=_COLORS[1])
    long.set_ylabel("characters")
    long.set_xlabel("merge")
    most = max(lengths)
    told = (
        f"{len(counts):,} merges, in their order. Occurrences of their subwords: the first "
        f"{counts[0]:,}, the last {counts[-1]:,}, at most {max(counts):,}, at least "
        f"{min(counts):,}. Characters: from {min(lengths)} to {most}, the most "
        f"first at merge {list(lengths).index(most) + 1:,}."
    )
    return Picture(figure, told)


def draw_bars(
    values: Mapping[str, float], ylabel: str, xlabel: str = "", shows: str = ""
) -> Picture:
    """Return a bar for each of `values`, without their numbers: for times, which change.

    `xlabel` says what the names of the bars mean; `shows` is a sentence for who does not see the
    picture, on what holds at every run.
    """
    if not values:
        raise ValueError("draw_bars needs a value for each of its bars, and has none")
    figure, axes = _axes(_WIDTH, 4.4)
    places = range(len(values))
    axes.bar(places, list(values.values()), color=_COLORS[0], edgecolor="black", width=0.6)
    axes.set_xticks(places, list(values))
    axes.set_ylabel(ylabel)
    axes.set_xlabel(xlabel)
    names = ", ".join(" ".join(name.split()) for name in values)  # they may be on several lines
    told = f"{ylabel}, a bar for each {xlabel or 'of these'}: {names}. {shows}"
    return Picture(figure, told.rstrip(), changes=True)


def draw_curves(
    x: Numbers, curves: Mapping[str, Numbers], xlabel: str, ylabel: str, log_y: bool = False
) -> Picture:
    """Return a line for each of up to six `curves`, over the same logarithmic `x`.

    Each has its own dashes, and short ones have markers: they are told apart without color.
    """
    if not 0 < len(curves) <= 6 or not len(x) or any(len(y) != len(x) for y in curves.values()):
        raise ValueError("draw_curves needs from 1 to 6 curves, with a number for each of x")
    figure, axes = _axes(_WIDTH, 4.8)
    for number, (name, y) in enumerate(curves.items()):
        style = {"color": _COLORS[number], "linestyle": _DASHES[number], "linewidth": 2.5}
        marker = _MARKERS[number] if len(x) <= 20 else ""
        axes.plot(x, y, marker=marker, markersize=8, label=name, **style)
    axes.set_xscale("log")
    _name_powers(axes.xaxis)
    if len(x) <= 12 and all(b >= 1.5 * a for a, b in zip(x, x[1:])):
        axes.set_xticks(list(x), [_say(tick) for tick in x])
        axes.xaxis.set_minor_locator(NullLocator())
    if log_y:
        axes.set_yscale("log")
        _name_powers(axes.yaxis)
    else:
        axes.yaxis.set_major_formatter(_say)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.legend(fontsize=16, frameon=False, handlelength=3)
    ends = {name: y[-1] for name, y in curves.items() if isfinite(y[-1])}
    told = "; ".join(
        f"{name} goes from {_say(curves[name][0])} to {_say(end)}"
        for name, end in ends.items()
        if isfinite(curves[name][0])
    )
    told = f"{ylabel}, over {xlabel} from {_say(x[0])} to {_say(x[-1])}: {told}."
    if len(curves) > 1:
        high, low = max(ends, key=ends.__getitem__), min(ends, key=ends.__getitem__)
        told += f" At the end {high} is the highest and {low} the lowest."
    return Picture(figure, told)


def draw_points(
    families: Mapping[str, Mapping[str, tuple[float, float]]], xlabel: str, ylabel: str
) -> Picture:
    """Return a point for each name of each of `families`, at its place; families have a marker.

    Raises ValueError if there is no family, or more than six.
    """
    if not 0 < len(families) <= len(_COLORS):
        raise ValueError(f"draw_points needs from 1 to {len(_COLORS)} families")
    figure, axes = _axes(_WIDTH, _HEIGHT)
    for number, (family, points) in enumerate(families.items()):
        x, y = zip(*points.values())
        marker, color = _MARKERS[number], _COLORS[number]
        style = {"linestyle": "", "markersize": 12, "alpha": 0.75, "markeredgecolor": "black"}
        axes.plot(x, y, marker=marker, color=color, label=family, **style)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.legend(fontsize=14, frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.45, 1))
    told = "; ".join(
        f"{family}: " + ", ".join(f"{name} {_say(x)} and {_say(y)}" for name, (x, y) in of.items())
        for family, of in families.items()
    )
    return Picture(figure, f"{ylabel}, over {xlabel}. As {xlabel} and {ylabel}, {told}.")


def draw_merge_tree(word: str, merges: Sequence[Pair]) -> Picture:
    """Return the tree of the merges that build `word`, which starts with its "▁".

    Its leaves are the characters, its roots the subwords that are left after all merges; each
    knot carries the number of its merge. A character that is in no merge has a dashed box.
    """
    steps = merge_steps(word, merges)
    if not word.startswith(START) or word == START:
        raise ValueError(f"a word is drawn with its {START!r} in front, as '▁sea', not {word!r}")
    merged_somewhere = set("".join(x + y for x, y in merges))
    strange = list(dict.fromkeys(char for char in word if char not in merged_somewhere))
    rows = len(steps) + (2 if strange else 1)
    column, row = min(1.05, _WIDTH / len(word)), min(0.7, _HEIGHT / rows)
    figure, axes = _axes(max(4.0, column * len(word)), max(1.2, row * rows))
    size = max(7.0, min(17.0, 27 * row, 24 * column))
    nodes = [(float(place), 0, char) for place, char in enumerate(word)]
    for place, _, char in nodes:
        dashed = {"facecolor": "white", "linestyle": "--"} if char in strange else {}
        _write(axes, place, 0, char, size, bbox=_KNOT | dashed)
    for height, (number, (x, y)) in enumerate(steps, 1):
        merged: list[tuple[float, int, str]] = []
        for node in nodes:
            if merged and merged[-1][2] == x and node[2] == y:
                left, low, _ = merged.pop()
                right, high, _ = node
                node = ((left + right) / 2, height, x + y)
                axes.plot([left, node[0], right], [low, height, high], color="#444", zorder=1)
                box = _KNOT | {"facecolor": _TINTS[1]}
                _write(axes, node[0], height, f"{x + y}  {number}", size, bbox=box)
            merged.append(node)
        nodes = merged
    told = "; ".join(f"merge {number} joins {x} + {y}" for number, (x, y) in steps)
    told = f"{word} from its characters: {told or 'no merge joins any of them'}."
    told += f" What is left: {' '.join(text for _, _, text in nodes)}."
    if strange:
        told += f" In no merge: {' '.join(strange)}."
        below = f"dashed: in no merge ({' '.join(strange)})"
        _write(axes, (len(word) - 1) / 2, -1, below, size)
    axes.set_ylim(-1.5 if strange else -0.5, len(steps) + 0.5)
    axes.set_xlim(-0.6, len(word) - 0.4)
    axes.axis("off")
    return Picture(figure, told)


def merge_steps(word: str, merges: Sequence[Pair]) -> list[tuple[int, Pair]]:
    """Return the merges that change the split of `word`, each with its number, from 1.

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
    """Return `token` with a sign for each character that cannot be seen, or not alone."""
    signs = "◌" if token and combining(token[0]) else ""
    for char in token.replace(" ", "␣"):
        # U+200C and U+200D join letters and emoji, whose shapes show them.
        hidden = category(char)[0] in "CZ" and char not in "\u200c\u200d"
        signs += repr(char)[1:-1] if hidden else char
    return signs


def _say(number: float, _: float | None = None) -> str:
    """Return `number` as prose has it: 12,345 or 0.123, with a minus that is one."""
    size = abs(number)
    told = f"{size:,.0f}" if size >= 1000 else f"{size:.3g}"
    return f"−{told}" if number < 0 and told != "0" else told


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
    """Chooses the ticks to be named as matplotlib does, and names them with commas."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return _say(x) if super().__call__(x, pos) else ""


def _name_powers(axis: Axis) -> None:
    axis.set_major_formatter(_LogFormatter())
    axis.set_minor_formatter(_LogFormatter(minor_thresholds=(1, 0.4)))


def _write(axes: Axes, x: float, y: float, text: str, size: float, **style: Any) -> None:
    axes.text(x, y, text, ha="center", va="center", fontsize=size, **style)


def _told(axes: Any, changes: bool) -> str:
    """Return all that was drawn into `axes`, in words and rounded numbers."""
    told = [axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale(), axes.get_yscale()]
    for axis in (axes.xaxis, axes.yaxis):
        if isinstance(axis.get_major_locator(), FixedLocator):
            told.append(_rounded(axis.get_majorticklocs()))
            told += [label.get_text() for label in axis.get_majorticklabels()]
    if axes.get_legend():
        told += [text.get_text() for text in axes.get_legend().get_texts()]
    for text in axes.texts:
        told.append(f"{_rounded(text.get_position())} {text.get_text()}")
    for line in axes.lines:
        told += [_rounded(line.get_xdata()), _rounded(line.get_ydata())]
    for image in axes.images:
        told += [_rounded(row) for row in image.get_array().filled(nan)]
    for bar in axes.patches:
        sizes = [bar.get_x(), bar.get_width()] + ([] if changes else [bar.get_height()])
        told.append(_rounded(sizes))
    return "\n".join(told)


def _rounded(numbers: Iterable[float]) -> str:
    return " ".join(f"{number:.6g}" for number in numbers)
