"""Figures: what the notebooks draw. Every one can also be read as text."""

from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO
from math import inf, nan

from matplotlib.colors import SymLogNorm
from matplotlib.figure import Figure

from wpedu.encoding import UNKNOWN
from wpedu.scores import Pair
from wpedu.training import merge_pair

# Okabe and Ito (2008), Color Universal Design: told apart with any color vision.
_COLORS = "#0072b2", "#e69f00", "#009e73", "#cc79a7"
_TINTS = "#cfe8f7", "#fbe3b4", "#bfe6d9", "#f2d5e4"  # the same four, light enough for black text


class Picture:
    """A matplotlib figure that shows itself as a PNG, and says in a sentence what it shows."""

    def __init__(self, figure: Figure, alt: str):
        self.figure = figure
        self.alt = alt

    def __repr__(self) -> str:
        return f"[picture: {self.alt}]"

    def _repr_mimebundle_(self, include=None, exclude=None):
        png = BytesIO()
        # Without the version of matplotlib, the same picture is the same bytes.
        self.figure.savefig(png, format="png", bbox_inches="tight", metadata={"Software": None})
        data = {"image/png": png.getvalue(), "text/plain": repr(self)}
        return data, {"image/png": {"alt": self.alt}}


class TokenStrip:
    """Tokens in color; as text, with a bar between them."""

    def __init__(self, tokens: Sequence[str]):
        self.tokens = list(tokens)

    def __repr__(self) -> str:
        return "|".join(self.tokens)

    def _repr_html_(self) -> str:
        style = "color:#000;padding:2px 4px;border-radius:4px;white-space:pre;line-height:2.1"
        spans = []
        for i, token in enumerate(self.tokens):
            tint = "#000;color:#fff" if token == UNKNOWN else _TINTS[i % len(_TINTS)]
            spans.append(f'<span style="{style};background:{tint}">{escape(token)}</span>')
        return f'<div style="font:1.25em monospace">{"".join(spans)}</div>'


def show_tokens(tokens: Sequence[str]) -> TokenStrip:
    """Return `tokens` in a form that a notebook shows in color, and text with a bar between them.

    >>> show_tokens(["▁The", "re", "fore"])
    ▁The|re|fore
    """
    return TokenStrip(tokens)


def draw_gains(gains: Mapping[Pair, float], symbols: str) -> Picture:
    """Return a heat map of the gains of the pairs of `symbols`, the ten best of them named.

    The first symbol of a pair is on the left. Purple is a gain, orange a loss, gray a pair that
    does not occur. The color scale is logarithmic beyond ±1,000.
    """
    rows = [[gains.get((x, y), nan) for y in symbols] for x in symbols]
    limit = max(abs(gains.get((x, y), 0.0)) for x in symbols for y in symbols)
    figure, axes = _axes(11, 9)
    axes.set_facecolor("#d0d0d0")
    image = axes.imshow(rows, cmap="PuOr", norm=SymLogNorm(1_000, vmin=-limit, vmax=limit))
    named = [
        (gains.get((x, y), -inf), i, j)
        for i, x in enumerate(symbols)
        for j, y in enumerate(symbols)
    ]
    for gain, i, j in sorted(named, reverse=True)[:10]:
        if gain > 0:
            text = symbols[i] + symbols[j]
            style = {"color": "white", "fontsize": 14, "weight": "bold"}
            axes.text(j, i, text, ha="center", va="center", **style)
    axes.set_xticks(range(len(symbols)), symbols)
    axes.set_yticks(range(len(symbols)), symbols)
    axes.set_xlabel("second symbol of the pair")
    axes.set_ylabel("first symbol of the pair")
    bar = figure.colorbar(image, shrink=0.85, ticks=[-10_000, -1_000, 0, 1_000, 10_000])
    bar.set_label("gain (nats)", fontsize=16)
    bar.ax.tick_params(labelsize=14)
    return Picture(figure, f"heat map of the gains of the pairs of {len(symbols)} symbols")


def draw_merges(counts: Sequence[int], lengths: Sequence[int]) -> Picture:
    """Return how often, and how long, the subword of each merge is, in the order of the merges."""
    figure = Figure(figsize=(11, 7), layout="constrained")
    often, long = figure.subplots(2, sharex=True)
    order = range(1, len(counts) + 1)
    often.plot(order, counts, ".", markersize=9, color=_COLORS[0])
    often.set_yscale("log")
    often.set_ylabel("occurrences", fontsize=16)
    long.plot(order, lengths, ".", markersize=9, color=_COLORS[1])
    long.set_ylabel("characters", fontsize=16)
    long.set_xlabel("merge", fontsize=16)
    for axes in (often, long):
        _plain(axes)
    return Picture(figure, f"occurrences and lengths of the subwords of {len(counts)} merges")


def draw_bars(values: Mapping[str, float], ylabel: str) -> Picture:
    """Return a bar for each of `values`, without their numbers: for times, which change."""
    figure, axes = _axes(8, 5)
    axes.bar(list(values), list(values.values()), color=list(_COLORS[: len(values)]))
    axes.set_ylabel(ylabel)
    return Picture(figure, f"{ylabel}: {', '.join(values)}")


def draw_curves(
    x: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    xlabel: str,
    ylabel: str,
    log_y: bool = False,
) -> Picture:
    """Return a line for each of `curves`, over the same logarithmic `x`.

    Short curves have markers, so that they can be told apart without color.
    """
    figure, axes = _axes(11, 6)
    for (name, y), color, marker in zip(curves.items(), _COLORS, "osD^"):
        marker = marker if len(x) <= 20 else ""
        axes.plot(x, y, color=color, marker=marker, markersize=9, linewidth=2.5, label=name)
    axes.set_xscale("log")
    if log_y:
        axes.set_yscale("log")
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.legend(fontsize=16, frameon=False)
    return Picture(figure, f"{ylabel}, over {xlabel}: {', '.join(curves)}")


def draw_merge_tree(word: str, merges: Sequence[Pair]) -> Picture:
    """Return the tree of the merges that build `word`, which starts with its "▁".

    Its leaves are the characters, its roots the subwords that are left after all merges; each
    knot carries the number of its merge.
    """
    steps = merge_steps(word, merges)
    figure, axes = _axes(max(6, 1.1 * len(word)), 1.2 + 0.75 * (1 + len(steps)))
    nodes = [(i, 0, char) for i, char in enumerate(word)]
    for i, (_, char_height, char) in enumerate(nodes):
        _knot(axes, i, char_height, char, _TINTS[1])
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
            axes.plot([left, middle, right], [low, height, high], color="#666", zorder=1)
            _knot(axes, middle, height, f"{text}  {number}", _TINTS[0])
            merged.append((middle, height, text))
            i += 2
        nodes = merged
    axes.set_ylim(-0.5, len(steps) + 0.6)
    axes.set_xlim(-0.7, len(word) - 0.3)
    axes.axis("off")
    told = "; ".join(f"{number}: {x} + {y}" for number, (x, y) in steps) or "none"
    return Picture(figure, f"the merges of {word}: {told}")


def merge_steps(word: str, merges: Sequence[Pair]) -> list[tuple[int, Pair]]:
    """Return the merges that change the split of `word`, each with its number, from 1.

    >>> merge_steps("▁the", [("t", "h"), ("a", "n"), ("th", "e")])
    [(1, ('t', 'h')), (3, ('th', 'e'))]
    """
    split, steps = list(word), []
    for number, pair in enumerate(merges, 1):
        merged = merge_pair(pair, split)
        if merged != split:
            steps.append((number, pair))
        split = merged
    return steps


def _axes(width: float, height: float):
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    _plain(axes)
    return figure, axes


def _plain(axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=14)
    axes.xaxis.label.set_fontsize(16)
    axes.yaxis.label.set_fontsize(16)


def _knot(axes, x: float, y: float, text: str, tint: str) -> None:
    box = {"boxstyle": "round,pad=0.3", "facecolor": tint, "edgecolor": "#666"}
    axes.text(x, y, text, ha="center", va="center", fontsize=16, bbox=box)
