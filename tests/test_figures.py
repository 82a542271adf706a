"""Figures show their data, and describe themselves for tests and for readers who can't see them."""

import re
from base64 import b64decode
from html import unescape
from io import BytesIO
from math import nan

import pytest
from matplotlib.font_manager import fontManager
from PIL import Image

from wpedu._support import fonts
from wpedu._support.colors import LIGHT
from wpedu.figures import (
    draw_bars,
    draw_curves,
    draw_gains,
    draw_merge_tree,
    draw_points,
    draw_ratios,
    merge_steps,
    rank_frequency,
    show_tokens,
)

MERGES = [("e", "a"), ("▁", "s"), ("▁s", "ea"), ("x", "y"), ("▁sea", "t")]
GAINS = {("a", "b"): 2e4, ("b", "a"): -3.0, ("b", "c"): 50.0}


def test_tokens_are_escaped_and_apart_even_without_styles():
    html = show_tokens(["▁<b>", "&", "[UNK]"])._repr_html_()
    html = re.sub(r' style="[^"]*"', "", html)
    known = "<kbd><span>▁</span>&lt;b&gt;</kbd> <span>|</span> <kbd>&amp;</kbd>"
    assert html == f"<div>{known} <span>|</span> <kbd>[UNK]</kbd></div>"


@pytest.mark.parametrize(
    ("tokens", "colors"),
    [
        (["▁c", "ar", "[UNK]"], ["begin", "cont", "unk"]),
        (["car", "##e", "[CLS]"], ["begin", "cont", None]),
        (["in", "the"], ["begin", "begin"]),
    ],
)
def test_a_token_has_the_color_of_what_it_is(tokens, colors):
    html = show_tokens(tokens)._repr_html_()
    grounds = re.findall(r'<kbd[^>]*;background:([^;"]*)', html)
    assert grounds == [LIGHT[color] if color else "none" for color in colors]
    dashed = [bool(re.search("dashed", box)) for box in html.split("</kbd>")[:-1]]
    assert dashed == [color is None for color in colors]


def test_invisible_characters_are_shown_as_signs():
    tokens = [
        "a b",
        "\n",
        "\u200b",
        "\u0301",
        "e\u0301",
        "▁a▁",
        "👩\u200d🚀",
        "##\u102f",
        "▁\u093f",
    ]
    shown = "a␣b|\\n|\\u200b|◌\u0301|e\u0301|▁a▁|👩\u200d🚀|##◌\u102f|▁◌\u093f"
    assert repr(show_tokens(tokens)) == shown


def test_a_heat_map_has_the_first_symbol_in_its_rows():
    axes = draw_gains(GAINS, "abc").figure.axes[0]
    cells = axes.images[0].get_array()
    filled = {(y, x): cells[y, x] for y in range(3) for x in range(3) if not cells.mask[y, x]}
    assert filled == {(0, 1): 2e4, (1, 2): 50.0}
    named = {text.get_position(): text.get_text() for text in axes.texts}
    assert named == {(1, 0): "ab", (0, 1): "–", (2, 1): "bc"}
    assert [label.get_text() for label in axes.get_yticklabels()][:3] == ["a", "b", "c"]
    assert axes.yaxis_inverted()  # the first row is on top


def test_bars_and_curves_show_their_numbers():
    bars = draw_bars({"slow": 2.0, "fast": 0.5}, "s", "Title").figure.axes[0]
    assert [bar.get_width() for bar in bars.patches] == [2.0, 0.5]
    assert [text.get_text() for text in bars.texts] == ["2 s", "0.5 s, 4 × as fast"]
    curves = {"a": [3, 1], "b": [2, 5]}
    axes = draw_curves([1, 10], curves, "merges", "tokens", title="").figure.axes[0]
    assert [line.get_ydata().tolist() for line in axes.lines] == [[3, 1], [2, 5]]
    assert [(text.get_text(), text.get_position()[1]) for text in axes.texts] == [
        ("a", 0.03),
        ("b", 0.93),
    ]
    tie = draw_curves([1, 10], {"a": [3, 1], "b": [2, 1]}, "merges", "tokens", title="")
    assert "highest" not in tie.alt


def test_ratios_are_shown_from_the_top_down_as_multiples():
    picture = draw_ratios({"a": {"x": 3, "y": 1}, "b": {"x": 2, "y": 5}}, "c", "Title")
    (axes,) = picture.figure.axes
    assert axes.yaxis_inverted() and [t.get_text() for t in axes.get_yticklabels()] == ["a", "b"]
    assert [t.get_text() for t in axes.get_xticklabels()] == ["c", "2 ×", "4 ×"]
    assert picture.alt == "Title. Multiples of c, in x, y: a 3.0, 1.0; b 2.0, 5.0."


def test_a_merge_tree_shows_each_merge_at_its_height():
    picture = draw_merge_tree("▁seasq", MERGES)
    axes = picture.figure.axes[0]
    texts = [text.get_text() for text in axes.texts]
    assert texts[:12] == [*"▁seasq", "ea", "1", "▁s", "2", "▁sea", "3"]
    assert texts[12:] == ["dashed: in no merge (q)"]
    nodes = {text.get_text(): text.get_position() for text in axes.texts[6:11:2]}
    assert nodes == {"ea": (2.5, 1), "▁s": (0.5, 2), "▁sea": (1.5, 3)}
    assert picture.figure.get_suptitle() == "After merge 5, ▁seasq is cut into 3 subwords"
    ends = [line.get_xydata()[[0, -1]].tolist() for line in axes.lines]
    assert ends[:4] == [
        [[2, 0], [2.5, 1]],
        [[3, 0], [2.5, 1]],
        [[0, 0], [0.5, 2]],
        [[1, 0], [0.5, 2]],
    ]
    assert ends[4:] == [[[0.5, 2], [1.5, 3]], [[2.5, 1], [1.5, 3]]]
    hebrew = draw_merge_tree("▁של", MERGES).figure
    assert hebrew.get_suptitle() == "After merge 5, this word is cut into 3 subwords"
    assert hebrew.axes[0].xaxis_inverted()


def test_a_character_without_a_font_is_named_by_its_code_point(caplog, monkeypatch):
    own = [font for font in fontManager.ttflist if font.name in (*fonts.FAMILY, fonts.MONO)]
    monkeypatch.setattr(fontManager, "ttflist", own)
    fonts._family_of.cache_clear()
    picture = draw_merge_tree("▁aक", [("▁", "a")])
    fonts._family_of.cache_clear()
    texts = [text.get_text() for text in picture.figure.axes[0].texts]
    assert {"U+0915", "U+…: a character that no font of this machine has"} <= {*texts}
    picture.png()
    assert not caplog.records  # such as "findfont: Font family not found"


BAD = {
    "no pair .* has a finite gain .*: add": lambda: draw_gains({("a", "b"): 0.0}, "ab"),
    "values is empty: give a value": lambda: draw_bars({}, "s", ""),
    "curves cannot be drawn: give 1": lambda: draw_curves([1, 10], {"a": [1]}, "x", "y", title=""),
    "infinite number or NaN: leave": lambda: draw_curves([1], {"a": [nan]}, "x", "y", title=""),
    "families cannot be drawn: give 1": lambda: draw_points({"a": {}}, "x", "y", title=""),
    "rows cannot be drawn: give one": lambda: draw_ratios({"a": {"x": 1}, "b": {}}, "c", "d"),
    "a ratio is not a number above zero: leave": lambda: draw_ratios({"a": {"x": 0}}, "c", "d"),
    "'Trojans' is not a word with ▁": lambda: draw_merge_tree("Trojans", MERGES),
    "must be two subwords": lambda: merge_steps("▁sea", [("e", "a", "t")]),
}


@pytest.mark.parametrize("message", BAD)
def test_data_that_cannot_be_drawn_is_rejected(message):
    with pytest.raises(ValueError, match=message):
        BAD[message]()


# Digests of drawings, which are the same with every version of matplotlib.
PICTURES = {
    "f412dc420a1b": draw_merge_tree("▁seas", MERGES),
    "736b121161e5": draw_gains(GAINS, "abc"),
    "aa7f222fa346": draw_bars({"slow": 2.0, "fast": 0.1}, "s", "Title"),
    "69a64e162abf": draw_curves(
        [1, 10], {"a": [3, 2], "b": [2, 1]}, "x", "y", title="", log_y=True
    ),
}


@pytest.mark.parametrize("drawn", PICTURES)
def test_a_picture_has_its_description_and_fits_a_projector(drawn):
    picture = PICTURES[drawn]
    image = r'<img width="(\d+)" alt="([^"]+)" src="data:image/png;base64,([^"]+)">'
    width, alt, png = re.fullmatch(image, picture._repr_mimebundle_()["text/html"]).groups()
    assert unescape(alt) == picture.alt
    assert repr(picture) == f"[picture {drawn}: {picture.alt}]"
    shown = Image.open(BytesIO(b64decode(png)))
    assert shown.info["Drawn"] == drawn
    assert shown.size[0] == 2 * int(width) <= 2 * 848 and shown.size[1] <= 2 * 550
    assert shown.getchannel("A").getextrema() == (255, 255)  # opaque, also in dark mode


def test_the_digest_covers_everything_but_the_heights_of_times():
    picture = draw_merge_tree("▁seas", MERGES)
    before = picture.drawn
    picture.figure.axes[0].lines[0].set_ydata([0, 2, 0])
    assert picture.drawn != before
    ranked = [rank_frequency(counts).drawn for counts in ({"a": 3, "b": 2}, {"a": 3, "c": 2})]
    assert ranked[0] != ranked[1]
    one, nine = (draw_bars({"a": height}, "s", "Title") for height in (1.0, 9.0))
    assert one.drawn == nine.drawn


def test_words_are_ranked_by_their_counts_and_the_half_is_counted():
    picture = rank_frequency({"b": 3, "a": 5, **dict.fromkeys("cdef", 1)})
    axes = picture.figure.axes[0]
    assert picture.figure.get_suptitle() == "2 of 6 words make up half of the text"
    assert axes.lines[1].get_xydata().tolist() == [[1, 5], [2, 3], *([r, 1] for r in range(3, 7))]
    assert axes.lines[0].get_ydata()[1] == pytest.approx(axes.lines[0].get_ydata()[0] / 6)
    assert {"a", "5", "b", "3", "4 words occur once"} <= {text.get_text() for text in axes.texts}
    with pytest.raises(ValueError, match="word_counts is empty: give"):
        rank_frequency({})
