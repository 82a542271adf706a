"""Figures: what the notebooks draw, each with a sentence that says what it shows.

Lists of tokens become strips of boxes, numbers become pictures. Both can be read as text.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from io import BytesIO
from math import floor, inf, isfinite, log10, nan
from typing import Any
from unicodedata import category, combining

import matplotlib
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import LinearSegmentedColormap, SymLogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, LogFormatter, NullLocator

from wpedu._checks import START, check_list, check_pair, check_str, check_strings
from wpedu.encoding import UNKNOWN
from wpedu.scores import Pair
from wpedu.training import merge_pair

# Of Okabe and Ito (2008), Color Universal Design: told apart with any color vision. In gray they
# are not, so that a curve has its own dashes and its own marker as well.
_COLORS = "#0072b2", "#d55e00", "#009e73", "#000000", "#cc79a7", "#e69f00"
_DASHES = "-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3))
_MARKERS = "osD^vP"
# Neighbors differ in lightness, and so with any color vision, in gray and on a projector.
_TINTS = "#fff4d2", "#9cc7ee"
# Light is a negative gain, dark a positive one, and gray is none: in gray too, the ends differ.
_GAINS = LinearSegmentedColormap.from_list("gains", ["#ffe98a", "#adadad", "#33106b"])

_WIDTH = 8.4  # inches, of 100 pixels on the screen: as wide as the output of a notebook's cell
_HEIGHT = 5.4
_DENSITY = 200  # two pixels of the PNG to one of the screen, so that it can be enlarged


class Picture:
    """A matplotlib figure that shows itself as an image, and says in words what it shows.

    Where outputs are compared, the description and `drawn` stand for the image.
    """

    def __init__(self, figure: Figure, alt: str, changes: bool = False):
        self.figure = figure
        self.alt = alt
        self.changes = changes

    @property
    def drawn(self) -> str:
        """A digest of what is drawn: every point, bar, color value and word, and where it stands.

        It is the same with every version of matplotlib. In a picture that `changes` at each run,
        the sizes of the bars are left out.
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

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> dict[str, dict[str, str]] | dict[str, str]:
        # As HTML, because JupyterLab and nbconvert drop the description of an `image/png`.
        source = f"data:image/png;base64,{b64encode(self.png()).decode()}"
        width = round(100 * self.figure.get_figwidth())
        html = f'<img width="{width}" alt="{escape(self.alt)}" src="{source}">'
        return {"text/html": html, "text/plain": repr(self)}


class TokenStrip:
    """Tokens in boxes; as text, with a bar between them."""

    def __init__(self, tokens: Sequence[str]):
        self.tokens = list(tokens)

    def __repr__(self) -> str:
        return "|".join(map(_visible, self.tokens))

    def _repr_html_(self) -> str:
        box = "color:#000;border:1px solid #555;border-radius:4px;padding:2px 4px;margin:0"
        box += ";font:inherit;line-height:1.4;box-shadow:none;white-space:pre"
        boxes = []
        for i, token in enumerate(self.tokens):
            text, tint = escape(_visible(token)), _TINTS[i % len(_TINTS)]
            if token == UNKNOWN:
                boxes.append(
                    f'<kbd style="{box};color:#fff;background:#000"><strong>{text}</strong></kbd>'
                )
            else:
                boxes.append(f'<kbd style="{box};background:{tint}">{text}</kbd>')
        # The spaces are where a line may break. The bars are seen where styles are dropped, as on
        # GitHub, and with them the borders.
        bar = ' <span style="display:none">|</span> '
        font = "font:1.25em monospace;line-height:2.1"
        return f'<div style="{font}">{bar.join(boxes)}</div>'


def show_tokens(tokens: Sequence[str]) -> TokenStrip:
    """Return `tokens` in a form that a notebook shows in boxes, and text with a bar between them.

    White space and invisible characters in a token are shown as signs. Raises TypeError unless
    `tokens` are several str in an order.

    >>> show_tokens(["▁The", "re", "fore"])
    ▁The|re|fore
    """
    return TokenStrip(check_strings(tokens, "tokens"))


def draw_gains(gains: Mapping[Pair, float], symbols: str) -> Picture:
    """Return a heat map of the gains of the pairs of `symbols`, the ten best of them named.

    The first symbol of a pair is on the left. The darker, the higher; a minus marks a negative
    gain; a pair that does not occur is white. The scale is logarithmic, except near zero. Raises
    ValueError if no pair of `symbols` has a gain other than zero.
    """
    known = {
        (x, y): float(gains[x, y]) for x in symbols for y in symbols if (x, y) in gains
    }  # in the order of rows and columns
    limit = max(map(abs, known.values()), default=0.0)
    if not 0 < limit < inf:
        raise ValueError("draw_gains needs a pair of the symbols whose gain is a number, not zero")
    small = 10.0 ** (floor(log10(limit)) - 1)
    figure, axes = _axes(_WIDTH, _HEIGHT)
    image = axes.imshow(
        [[known.get((x, y), nan) for y in symbols] for x in symbols],
        cmap=_GAINS,
        norm=SymLogNorm(small, vmin=-limit, vmax=limit, base=10),
        aspect="auto",
    )
    best = sorted(known, key=lambda pair: -known[pair])
    best = [pair for pair in best[:10] if known[pair] > 0]
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
    ends = [small, 10 * small]
    ticks = [-tick for tick in reversed(ends)] + [0.0] + ends
    bar = figure.colorbar(image, ticks=ticks, format=_commas)
    bar.set_label("gain (nats); −: negative", fontsize=16)
    bar.ax.tick_params(labelsize=14)
    return Picture(figure, _describe_gains(known, len(symbols)))


def draw_merges(counts: Sequence[int], lengths: Sequence[int]) -> Picture:
    """Return how often, and how long, the subword of each merge is, in the order of the merges.

    Raises ValueError if there is no merge, or not one count and one length for each.
    """
    if not counts or len(counts) != len(lengths):
        raise ValueError("draw_merges needs one count and one length for each of the merges")
    figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    often, long = figure.subplots(2, sharex=True)
    order = range(1, len(counts) + 1)
    often.plot(order, counts, "o", markersize=4, color=_COLORS[0])
    often.set_yscale("log")
    _name_powers(often.yaxis)
    often.set_ylabel("occurrences")
    long.plot(order, lengths, "s", markersize=4, color=_COLORS[1])
    long.set_ylabel("characters")
    long.set_xlabel("merge")
    for axes in (often, long):
        _plain(axes)
    longest = max(lengths)
    told = (
        f"{len(counts):,} merges, in their order. The subword of the first occurs "
        f"{_times(counts[0])}, that of the last {_times(counts[-1])}; the most frequent "
        f"{_times(max(counts))}, the least frequent {_times(min(counts))}. They are from "
        f"{min(lengths)} to {longest} characters long; the first of {longest} is that of merge "
        f"{list(lengths).index(longest) + 1:,}."
    )
    return Picture(figure, told)


def draw_bars(
    values: Mapping[str, float], ylabel: str, xlabel: str = "", shows: str = ""
) -> Picture:
    """Return a bar for each of `values`, without their numbers: for times, which change.

    `xlabel` says what the names of the bars mean. It must be there if they have numbers in them
    that differ: who compares 50 merges with 15,490 has to say so. `shows` is a sentence for who
    does not see the picture, on what the bars show at every run. Raises ValueError without
    `values` or `ylabel`, or if the names need an `xlabel`.
    """
    if not values or not ylabel:
        raise ValueError("draw_bars needs values, and a ylabel that says what they measure")
    numbers = {tuple(re.findall(r"\d[\d,.]*", name)) for name in values}
    if len(numbers) > 1 and not xlabel:
        raise ValueError("the bars are of different numbers: say in xlabel what these count")
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
    x: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    xlabel: str,
    ylabel: str,
    log_y: bool = False,
) -> Picture:
    """Return a line for each of `curves`, over the same logarithmic `x`.

    Each has its own dashes, and short ones have markers, so that they can be told apart without
    color. Raises ValueError if there is no curve, more than six, or one that is not as long as
    `x`.
    """
    if not 0 < len(curves) <= len(_COLORS):
        raise ValueError(f"draw_curves needs from 1 to {len(_COLORS)} curves, not {len(curves)}")
    if any(len(y) != len(x) for y in curves.values()) or not len(x):
        raise ValueError("each of the curves must have a number for each of x")
    figure, axes = _axes(_WIDTH, 4.8)
    for number, (name, y) in enumerate(curves.items()):
        axes.plot(
            x,
            y,
            color=_COLORS[number],
            linestyle=_DASHES[number],
            marker=_MARKERS[number] if len(x) <= 20 else "",
            markersize=8,
            linewidth=2.5,
            label=name,
        )
    axes.set_xscale("log")
    _name_powers(axes.xaxis)
    if len(x) <= 12 and all(b >= 1.5 * a for a, b in zip(x, x[1:])):
        axes.set_xticks(list(x), [_say(tick) for tick in x])
        axes.xaxis.set_minor_locator(NullLocator())
    if log_y:
        axes.set_yscale("log")
        _name_powers(axes.yaxis)
    else:
        axes.yaxis.set_major_formatter(_commas)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.legend(fontsize=16, frameon=False, handlelength=3)
    return Picture(figure, _describe_curves(x, curves, xlabel, ylabel))


def draw_merge_tree(word: str, merges: Sequence[Pair]) -> Picture:
    """Return the tree of the merges that build `word`, which starts with its "▁".

    Its leaves are the characters, its roots the subwords that are left after all merges; each
    knot carries the number of its merge. A character that is in no merge has a dashed box, and is
    named in the picture: it may be a rare one, or one that the merges have never seen. Raises what
    `merge_steps` raises, and ValueError if `word` does not start with "▁" or is nothing else.
    """
    check_str(word, "word")
    merges = check_list(merges, "merges", of="pairs")
    if not word.startswith(START) or word == START:
        raise ValueError(f"a word is drawn with its {START!r} in front, as '▁sea', not {word!r}")
    steps = merge_steps(word, merges)
    merged_somewhere = set("".join(x + y for x, y in merges))
    strange = list(dict.fromkeys(char for char in word if char not in merged_somewhere))
    rows = len(steps) + (2 if strange else 1)
    column = min(1.05, _WIDTH / len(word))
    row = min(0.7, _HEIGHT / rows)
    figure, axes = _axes(max(4.0, column * len(word)), max(1.2, row * rows))
    size = max(7.0, min(17.0, 27 * row, 24 * column))
    nodes = [(float(place), 0, char) for place, char in enumerate(word)]
    for place, _, char in nodes:
        _knot(axes, place, 0, char, _TINTS[0], size, dashed=char in strange)
    for height, (number, pair) in enumerate(steps, 1):
        split = [text for _, _, text in nodes]
        merged, i = [], 0
        for text in merge_pair(pair, split):
            if text == split[i]:
                merged.append(nodes[i])
                i += 1
                continue
            (left, low, _), (right, high, _) = nodes[i : i + 2]
            middle = (left + right) / 2
            axes.plot([left, middle, right], [low, height, high], color="#444", zorder=1)
            _knot(axes, middle, height, f"{text}  {number}", _TINTS[1], size)
            merged.append((middle, height, text))
            i += 2
        nodes = merged
    if strange:
        told = f"dashed: in no merge ({' '.join(strange)})"
        _write(axes, (len(word) - 1) / 2, -1, told, size)
    axes.set_ylim(-1.5 if strange else -0.5, len(steps) + 0.5)
    axes.set_xlim(-0.6, len(word) - 0.4)
    axes.axis("off")
    return Picture(figure, _describe_tree(word, steps, [text for _, _, text in nodes], strange))


def merge_steps(word: str, merges: Sequence[Pair]) -> list[tuple[int, Pair]]:
    """Return the merges that change the split of `word`, each with its number, from 1.

    Raises TypeError or ValueError unless `word` is a str and `merges` a list of pairs of subwords.

    >>> merge_steps("▁the", [("t", "h"), ("a", "n"), ("th", "e")])
    [(1, ('t', 'h')), (3, ('th', 'e'))]
    """
    split, steps = list(check_str(word, "word")), []
    pairs = [check_pair(pair, "a merge") for pair in check_list(merges, "merges", of="pairs")]
    for number, pair in enumerate(pairs, 1):
        merged = merge_pair(pair, split)
        if merged != split:
            steps.append((number, pair))
        split = merged
    return steps


def _visible(token: str) -> str:
    """Return `token` with a sign for each character that cannot be seen, or not alone."""
    signs = ["␣" if char == " " else repr(char)[1:-1] if _hidden(char) else char for char in token]
    return ("◌" if token and combining(token[0]) else "") + "".join(signs)


def _hidden(char: str) -> bool:
    # U+200C and U+200D join letters and emoji, whose shapes show them.
    return category(char)[0] in "CZ" and char not in "\u200c\u200d"


def _describe_gains(known: Mapping[Pair, float], symbols: int) -> str:
    ranked = sorted(known, key=lambda pair: -known[pair])
    lowest = ranked[-1]
    negative = sum(gain < 0 for gain in known.values())
    best = ", ".join(f"{x}{y} {_say(known[x, y])}" for x, y in ranked[:3])
    told = (
        f"Of the {symbols * symbols:,} pairs of {symbols} symbols, {len(known):,} occur. The "
        f"highest gains, in nats: {best}. Negative gains: {negative:,}"
    )
    if negative:
        told += f", the lowest {''.join(lowest)} {_say(known[lowest])}"
    return told + "."


def _describe_curves(
    x: Sequence[float], curves: Mapping[str, Sequence[float]], xlabel: str, ylabel: str
) -> str:
    told = [
        f"{name} goes from {_say(y[0])} to {_say(y[-1])}"
        for name, y in curves.items()
        if isfinite(y[0]) and isfinite(y[-1])
    ]
    lines = f"{ylabel}, over {xlabel} from {_say(x[0])} to {_say(x[-1])}: {'; '.join(told)}."
    if len(curves) > 1:
        ends = {name: y[-1] for name, y in curves.items() if isfinite(y[-1])}
        high, low = max(ends, key=ends.__getitem__), min(ends, key=ends.__getitem__)
        lines += f" At the end {high} is the highest and {low} the lowest."
    return lines


def _describe_tree(
    word: str, steps: Sequence[tuple[int, Pair]], left: Sequence[str], strange: Sequence[str]
) -> str:
    told = "; ".join(f"merge {number} joins {x} + {y}" for number, (x, y) in steps)
    lines = f"{word} from its characters: {told or 'no merge joins any of them'}."
    lines += f" What is left: {' '.join(left)}."
    if strange:
        lines += f" In no merge: {' '.join(strange)}."
    return lines


def _say(number: float) -> str:
    """Return `number` as prose has it: 12,345 or 0.123, with a minus that is one."""
    size = abs(number)
    told = f"{size:,.0f}" if size >= 1000 else f"{size:.3g}"
    return f"−{told}" if number < 0 and told != "0" else told


def _times(count: int) -> str:
    return f"{count:,} time{'' if count == 1 else 's'}"


def _axes(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    _plain(axes)
    return figure, axes


class _LogFormatter(LogFormatter):
    """Chooses the ticks to be named as matplotlib does, and names them with commas."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return _say(x) if super().__call__(x, pos) else ""


def _name_powers(axis: Axis) -> None:
    axis.set_major_formatter(_LogFormatter())
    axis.set_minor_formatter(_LogFormatter(minor_thresholds=(1, 0.4)))


def _commas(tick: float, _: float | None = None) -> str:
    return _say(tick)


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(which="both", labelsize=15)
    axes.xaxis.label.set_fontsize(17)
    axes.yaxis.label.set_fontsize(17)


def _knot(
    axes: Axes, x: float, y: float, text: str, tint: str, size: float, dashed: bool = False
) -> None:
    box = {"boxstyle": "round,pad=0.3", "facecolor": "white" if dashed else tint}
    box |= {"edgecolor": "#444", "linestyle": "--" if dashed else "-"}
    _write(axes, x, y, text, size, bbox=box)


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
