"""Figures show what they were given, and can be read by who does not see them, and by tests."""

import re
from base64 import b64decode
from functools import cache
from html import unescape
from io import BytesIO
from itertools import pairwise

import pytest
from color_vision import VISIONS, difference, to_lab
from matplotlib.colors import to_hex
from matplotlib.image import imread
from PIL import Image

from wpedu import figures
from wpedu.figures import (
    draw_bars,
    draw_curves,
    draw_gains,
    draw_merge_tree,
    draw_merges,
    merge_steps,
    show_tokens,
)

MERGES = [("e", "a"), ("▁", "s"), ("▁s", "ea"), ("x", "y"), ("▁sea", "t")]
GAINS = {("a", "b"): 2e4, ("b", "a"): -3.0, ("b", "c"): 50.0}
PICTURES = {
    "merge tree": lambda: draw_merge_tree("▁seas", MERGES),
    "merges": lambda: draw_merges([9, 3], [2, 3]),
    "gains": lambda: draw_gains(GAINS, "abc"),
    "bars": lambda: draw_bars({"slow": 2.0, "fast": 0.1}, "seconds"),
    "curves": lambda: draw_curves([1, 10], {"a": [3, 2], "b": [2, 1]}, "x", "y", log_y=True),
}
every_picture = pytest.mark.parametrize("name", PICTURES)


# Token strips


def boxes(strip):
    return re.findall(r"<kbd.*?</kbd>", strip._repr_html_())


def test_tokens_in_plain_text_have_bars_between_them():
    assert repr(show_tokens(["▁The", "re", "fore"])) == "▁The|re|fore"


def test_tokens_in_boxes_are_escaped():
    html = show_tokens(["<b>", "&", "a"])._repr_html_()
    assert "&lt;b&gt;" in html
    assert "&amp;" in html


def test_a_line_may_break_between_tokens_and_not_in_one():
    html = show_tokens(["▁The", "re", "fore"])._repr_html_()
    assert re.sub(r"<[^>]*>", "", html) == "▁The | re | fore"
    assert all("white-space:pre" in box for box in boxes(show_tokens(["▁The", "re"])))


def test_without_styles_tokens_are_still_apart():
    """GitHub drops styles: then a bar stands between two tokens, each in an element of its own."""
    html = re.sub(r' style="[^"]*"', "", show_tokens(["▁Sit", "▁careless"])._repr_html_())
    assert html == "<div><kbd>▁Sit</kbd> <span>|</span> <kbd>▁careless</kbd></div>"


def test_every_token_has_a_border_and_black_text_of_its_own():
    for box in boxes(show_tokens(["a", "b", "c"])):
        assert "border:1px solid" in box
        assert "color:#000" in box


def test_unknown_tokens_stand_out_without_color():
    known, unknown = boxes(show_tokens(["a", "[UNK]"]))
    assert "<strong>[UNK]</strong>" in unknown
    assert "color:#fff;background:#000" in unknown
    assert "<strong>" not in known


def test_what_cannot_be_seen_is_shown_as_a_sign():
    tokens = ["a b", "\n", "\u200b", "\u0301", "e\u0301", "\u3000", "▁a▁"]
    assert repr(show_tokens(tokens)) == "a␣b|\\n|\\u200b|◌\u0301|e\u0301|\\u3000|▁a▁"
    html = show_tokens(tokens)._repr_html_()
    assert "a␣b" in html
    assert "\u200b" not in html


def test_what_joins_letters_and_emoji_is_left_between_them():
    assert repr(show_tokens(["👩\u200d🚀", "می\u200cروم"])) == "👩\u200d🚀|می\u200cروم"


@pytest.mark.parametrize("tokens", ["▁The", {"a", "b"}, ["a", None], 3])
def test_tokens_are_several_strings_in_an_order(tokens):
    with pytest.raises(TypeError, match="tokens must be"):
        show_tokens(tokens)


# Color vision


def test_color_differences_are_those_of_their_authors():
    """Three pairs of the supplementary data of Sharma, Wu and Dalal."""
    assert difference((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert difference((50, 2.5, 0), (73, 25, -18)) == pytest.approx(27.1492, abs=1e-4)
    assert difference((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514)) == pytest.approx(
        0.9082, abs=1e-4
    )


@pytest.mark.parametrize("vision", VISIONS)
def test_neighboring_tokens_are_told_apart(vision):
    strip = boxes(show_tokens(list("abcde")))
    tints = [re.search(r"background:(#\w+)", box)[1] for box in strip]
    seen = [to_lab(tint, vision) for tint in tints]
    assert min(difference(one, other) for one, other in pairwise(seen)) > 10
    assert min(lightness for lightness, _, _ in seen) > 70  # the text on it is black


@pytest.mark.parametrize("vision", VISIONS)
def test_the_higher_the_gain_the_darker(vision):
    scale = [to_hex(figures._GAINS(level / 10)) for level in range(11)]
    lightness = [to_lab(color, vision)[0] for color in scale]
    assert all(low - high > 2 for low, high in pairwise(lightness))
    negative, zero, positive = lightness[0], lightness[5], lightness[10]
    assert negative - zero > 5
    assert zero - positive > 50


def test_curves_are_told_apart_without_color():
    names = "abcdef"
    many = draw_curves(range(1, 30), {name: range(1, 30) for name in names}, "x", "y").figure
    few = draw_curves([1, 10], {name: [1, 2] for name in names}, "x", "y").figure
    styles = [(line._unscaled_dash_pattern, line.get_marker()) for line in many.axes[0].lines]
    assert len({str(dashes) for dashes, _ in styles}) == len(names)
    assert len({line.get_marker() for line in few.axes[0].lines}) == len(names)


# What is drawn is what was given


def texts(axes):
    return {text.get_position(): text.get_text() for text in axes.texts}


def test_a_heat_map_has_the_first_symbol_in_its_rows():
    axes, _ = draw_gains(GAINS, "abc").figure.axes
    cells = axes.images[0].get_array()
    assert cells.shape == (3, 3)
    assert {(y, x): cells[y, x] for y in range(3) for x in range(3) if not cells.mask[y, x]} == {
        (0, 1): 2e4,
        (1, 0): -3.0,
        (1, 2): 50.0,
    }
    assert texts(axes) == {(1, 0): "ab", (0, 1): "−", (2, 1): "bc"}
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b", "c"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b", "c"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == (
        "second symbol of the pair",
        "first symbol of the pair",
    )
    assert axes.yaxis_inverted()  # the first row is on top


@pytest.mark.parametrize("vision", VISIONS)
def test_what_is_written_in_a_heat_map_can_be_read(vision):
    axes = draw_gains(GAINS, "abc").figure.axes[0]
    colors = axes.images[0].to_rgba(axes.images[0].get_array())
    for text in axes.texts:
        x, y = text.get_position()
        cell, ink = to_lab(to_hex(colors[y, x]), vision), to_lab(to_hex(text.get_color()), vision)
        assert abs(cell[0] - ink[0]) > 50


def test_the_mark_is_not_on_the_label_below_it():
    labels = draw_gains({("▁", "a"): 1.0}, "▁a").figure.axes[0].get_yticklabels()
    assert [label.get_verticalalignment() == "bottom" for label in labels] == [True, False]


@pytest.mark.parametrize(
    "highest, labels",
    [
        (80_231, ["−10,000", "−1,000", "0", "1,000", "10,000"]),
        (12.5, ["−10", "−1", "0", "1", "10"]),
        (3e7, ["−10,000,000", "−1,000,000", "0", "1,000,000", "10,000,000"]),
    ],
)
def test_the_scale_of_a_heat_map_has_ticks_for_any_corpus(highest, labels):
    bar = draw_gains({("a", "b"): highest, ("b", "a"): -0.1}, "ab").figure.axes[1]
    assert [label.get_text() for label in bar.get_yticklabels()] == labels
    low, high = bar.get_ylim()
    assert all(low <= tick <= high for tick in bar.get_yticks())


@pytest.mark.parametrize("gains", [{}, {("a", "b"): 0.0}, {("x", "y"): 1.0}])
def test_a_heat_map_without_gains_is_refused(gains):
    with pytest.raises(ValueError, match="draw_gains needs"):
        draw_gains(gains, "ab")


def test_merges_are_drawn_in_their_order_counts_above_lengths_below():
    often, long = draw_merges([9, 3, 7], [2, 3, 2]).figure.axes
    assert often.lines[0].get_xydata().tolist() == [[1, 9], [2, 3], [3, 7]]
    assert long.lines[0].get_xydata().tolist() == [[1, 2], [2, 3], [3, 2]]
    assert often.get_ylabel() == "occurrences"
    assert long.get_ylabel() == "characters"


@pytest.mark.parametrize("counts, lengths", [([], []), ([9], [2, 3])])
def test_merges_have_a_count_and_a_length_each(counts, lengths):
    with pytest.raises(ValueError, match="one count and one length"):
        draw_merges(counts, lengths)


def test_bars_are_as_high_as_their_values():
    axes = draw_bars({"slow": 2.0, "fast": 0.5}, "seconds", "trainer").figure.axes[0]
    assert [bar.get_height() for bar in axes.patches] == [2.0, 0.5]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["slow", "fast"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("trainer", "seconds")


def test_bars_of_different_numbers_say_on_the_axis_what_these_count():
    seconds = {"naive (50)": 3.0, "package (15,490)": 1.0}
    with pytest.raises(ValueError, match="say in xlabel what these count"):
        draw_bars(seconds, "seconds")
    axes = draw_bars(seconds, "seconds", "trainer (merges)").figure.axes[0]
    assert axes.get_xlabel() == "trainer (merges)"


@pytest.mark.parametrize("values, ylabel", [({}, "seconds"), ({"a": 1.0}, "")])
def test_bars_say_what_they_measure(values, ylabel):
    with pytest.raises(ValueError, match="draw_bars needs"):
        draw_bars(values, ylabel)


def test_curves_go_through_their_points():
    picture = draw_curves([1, 10, 100], {"a": [3, 1, 2], "b": [2, 5, 4]}, "merges", "tokens")
    axes = picture.figure.axes[0]
    assert [line.get_xydata().tolist() for line in axes.lines] == [
        [[1, 3], [10, 1], [100, 2]],
        [[1, 2], [10, 5], [100, 4]],
    ]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "b"]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("merges", "tokens")


@pytest.mark.parametrize("curves", [{}, {"a": [1]}, {str(i): [1, 2] for i in range(7)}])
def test_curves_that_cannot_be_drawn_are_refused(curves):
    with pytest.raises(ValueError, match="curves"):
        draw_curves([1, 10], curves, "x", "y")


def test_a_merge_tree_has_its_merges_at_their_heights():
    axes = draw_merge_tree("▁seas", MERGES).figure.axes[0]
    assert texts(axes) == {
        (0, 0): "▁",
        (1, 0): "s",
        (2, 0): "e",
        (3, 0): "a",
        (4, 0): "s",
        (2.5, 1): "ea  1",
        (0.5, 2): "▁s  2",
        (1.5, 3): "▁sea  3",
    }
    assert [line.get_xydata().tolist() for line in axes.lines] == [
        [[2, 0], [2.5, 1], [3, 0]],
        [[0, 0], [0.5, 2], [1, 0]],
        [[0.5, 2], [1.5, 3], [2.5, 1]],
    ]


def test_merge_steps_are_the_merges_that_change_the_word():
    assert merge_steps("▁seat", MERGES) == [
        (1, ("e", "a")),
        (2, ("▁", "s")),
        (3, ("▁s", "ea")),
        (5, ("▁sea", "t")),
    ]


@pytest.mark.parametrize("word", ["Trojans", "", "▁"])
def test_a_tree_is_drawn_of_a_word_with_its_mark(word):
    with pytest.raises(ValueError, match="a word is drawn with its '▁' in front"):
        draw_merge_tree(word, MERGES)


@pytest.mark.parametrize("show", [draw_merge_tree, merge_steps])
def test_a_tree_is_drawn_of_a_string_and_of_pairs_in_their_order(show):
    with pytest.raises(TypeError, match="word must be a str"):
        show(["▁", "s"], MERGES)
    with pytest.raises(ValueError, match="a merge must be two subwords"):
        show("▁sea", [("e", "a", "t")])
    with pytest.raises(TypeError, match="merges must be a list of pairs, not a set"):
        show("▁sea", set(MERGES))


def test_characters_that_no_merge_has_are_named_in_the_picture():
    picture = draw_merge_tree("▁queue", MERGES)
    axes = picture.figure.axes[0]
    assert texts(axes)[2.5, -1] == "dashed: in no merge (q u)"
    lines = [(text.get_text(), text.get_bbox_patch().get_linestyle()) for text in axes.texts[:6]]
    assert [text for text, line in lines if line == "--"] == ["q", "u", "u"]
    assert picture.alt == (
        "▁queue from its characters: no merge joins any of them. What is left: ▁ q u e u e. "
        "In no merge: q u."
    )


# What reaches the reader


@pytest.mark.parametrize(
    "name, alt",
    [
        (
            "merge tree",
            "▁seas from its characters: merge 1 joins e + a; merge 2 joins ▁ + s; merge 3 joins "
            "▁s + ea. What is left: ▁sea s.",
        ),
        (
            "merges",
            "2 merges, in their order. The subword of the first occurs 9 times, that of the last "
            "3 times; the most frequent 9 times, the least frequent 3 times. They are from 2 to 3 "
            "characters long; the first of 3 is that of merge 2.",
        ),
        (
            "gains",
            "Of the 9 pairs of 3 symbols, 3 occur. The highest gains, in nats: ab 20,000, bc 50, "
            "ba −3. Negative gains: 1, the lowest ba −3.",
        ),
        ("bars", "seconds, a bar for each of these: slow, fast."),
        (
            "curves",
            "y, over x from 1 to 10: a goes from 3 to 2; b goes from 2 to 1. At the end a is the "
            "highest and b the lowest.",
        ),
    ],
)
def test_a_picture_says_what_it_shows(name, alt):
    assert PICTURES[name]().alt == alt


def test_the_description_of_bars_says_what_holds_at_each_run():
    picture = draw_bars({"slow": 2.0, "fast": 0.1}, "seconds", "way", "The fast way wins.")
    assert picture.alt == "seconds, a bar for each way: slow, fast. The fast way wins."


def test_the_description_of_bars_is_one_line():
    picture = draw_bars({"slow\n9 times": 2.0, "fast\n9 times": 0.1}, "seconds")
    assert picture.alt == "seconds, a bar for each of these: slow 9 times, fast 9 times."


@cache
def shown(name):
    """Return the width, the description and the PNG of the image that a notebook shows."""
    data = PICTURES[name]()._repr_mimebundle_()
    assert set(data) == {"text/html", "text/plain"}
    image = re.fullmatch(
        r'<img width="(\d+)" alt="([^"]+)" src="data:image/png;base64,([^"]+)">', data["text/html"]
    )
    return int(image[1]), unescape(image[2]), b64decode(image[3])


@every_picture
def test_the_description_reaches_the_reader(name):
    assert shown(name)[1] == PICTURES[name]().alt


@every_picture
def test_a_picture_fits_a_projector_and_is_sharp_when_enlarged(name):
    width, _, png = shown(name)
    height, pixels = imread(BytesIO(png)).shape[:2]
    assert 300 <= width <= 848
    assert pixels == 2 * width
    assert height <= 2 * 550


@pytest.mark.parametrize("letters", [2, 12, 40])
def test_a_tree_fits_however_long_the_word(letters):
    word = "▁" + "ab" * letters
    merges = [("▁", "a"), ("▁a", "b")]
    for _ in range(2 * letters - 2):
        grown = "".join(merges[-1])
        merges.append((grown, word[len(grown)]))
    width, height = draw_merge_tree(word, merges).figure.get_size_inches()
    assert width <= 8.48
    assert height <= 5.5


@every_picture
def test_a_picture_is_the_same_bytes_each_time(name):
    assert PICTURES[name]().png() == shown(name)[2]


# What stands for the image where outputs are compared


@every_picture
def test_the_image_and_the_text_carry_the_digest_of_what_is_drawn(name):
    picture = PICTURES[name]()
    assert Image.open(BytesIO(shown(name)[2])).info["Drawn"] == picture.drawn
    assert repr(picture) == f"[picture {picture.drawn}: {picture.alt}]"


DIFFERENT = {
    "merges reversed": (draw_merges([9, 3], [2, 3]), draw_merges([3, 9], [3, 2])),
    "merges exchanged": (draw_merges([9, 3], [2, 3]), draw_merges([2, 3], [9, 3])),
    "counts sorted": (draw_merges([9, 3, 5], [2, 2, 2]), draw_merges([9, 5, 3], [2, 2, 2])),
    "gains transposed": (
        draw_gains(GAINS, "abc"),
        draw_gains({(y, x): gain for (x, y), gain in GAINS.items()}, "abc"),
    ),
    "a gain changed": (draw_gains(GAINS, "abc"), draw_gains(GAINS | {("b", "a"): -4.0}, "abc")),
    "another curve": (
        draw_curves([1, 2, 3], {"a": [1, 2, 3]}, "x", "y"),
        draw_curves([1, 2, 3], {"a": [1, 4, 3]}, "x", "y"),
    ),
    "another name": (
        draw_curves([1, 2], {"a": [1, 2], "b": [1, 2]}, "x", "y"),
        draw_curves([1, 2], {"b": [1, 2], "a": [1, 2]}, "x", "y"),
    ),
    "another scale": (
        draw_curves([1, 2], {"a": [1, 2]}, "x", "y"),
        draw_curves([1, 2], {"a": [1, 2]}, "x", "y", log_y=True),
    ),
    "other merges": (draw_merge_tree("▁sea", MERGES), draw_merge_tree("▁sea", MERGES[::-1])),
    "other bars": (draw_bars({"a": 1, "b": 2}, "s"), draw_bars({"b": 2, "a": 1}, "s")),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_the_digest_changes_with_what_is_drawn(name):
    one, other = DIFFERENT[name]
    assert one.drawn != other.drawn


def test_the_digest_changes_when_only_the_drawing_does():
    """A tree whose lines are at wrong heights has the same words."""
    picture = draw_merge_tree("▁seas", MERGES)
    before = picture.drawn
    line = picture.figure.axes[0].lines[0]
    line.set_ydata([0, 2, 0])
    assert picture.drawn != before


def test_the_digest_of_times_does_not_change():
    fast, slow = draw_bars({"a": 1.0}, "seconds"), draw_bars({"a": 9.0}, "seconds")
    assert fast.drawn == slow.drawn
    assert Image.open(BytesIO(fast.png())).info["Changes"] == "at each run"


@pytest.mark.parametrize(
    "name, drawn",
    [
        ("merge tree", "a9e932bffcd3"),
        ("merges", "403e5cd329f0"),
        ("gains", "bae1d2d773d3"),
        ("bars", "365a70f439c2"),
        ("curves", "819cabe02e72"),
    ],
)
def test_the_digest_is_the_same_with_every_version_of_matplotlib(name, drawn):
    assert PICTURES[name]().drawn == drawn
