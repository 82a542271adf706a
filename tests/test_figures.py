"""Figures can be read by people who do not see them, and by tests."""

from io import BytesIO

import pytest
from matplotlib.image import imread

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


def test_tokens_in_plain_text_have_bars_between_them():
    assert repr(show_tokens(["▁The", "re", "fore"])) == "▁The|re|fore"


def test_tokens_in_color_are_escaped_and_neighbors_differ():
    html = show_tokens(["<b>", "&", "a"])._repr_html_()
    assert "&lt;b&gt;" in html
    assert "&amp;" in html
    colors = [part.split('"')[0] for part in html.split("background:")[1:]]
    assert len(colors) == 3
    assert colors[0] != colors[1] != colors[2]


def test_unknown_tokens_stand_out():
    known, unknown = show_tokens(["a", "[UNK]"])._repr_html_().split("</span>")[:2]
    assert "color:#fff" in unknown
    assert "color:#fff" not in known


def test_merge_steps_are_the_merges_that_change_the_word():
    assert merge_steps("▁seat", MERGES) == [
        (1, ("e", "a")),
        (2, ("▁", "s")),
        (3, ("▁s", "ea")),
        (5, ("▁sea", "t")),
    ]


@pytest.mark.parametrize(
    "picture, alt",
    [
        (
            lambda: draw_merge_tree("▁seas", MERGES),
            "the merges of ▁seas: 1: e + a; 2: ▁ + s; 3: ▁s + ea",
        ),
        (
            lambda: draw_merges([9, 3], [2, 3]),
            "occurrences and lengths of the subwords of 2 merges",
        ),
        (
            lambda: draw_gains({("a", "b"): 2e4, ("b", "a"): -3.0}, "ab"),
            "heat map of the gains of the pairs of 2 symbols",
        ),
        (lambda: draw_bars({"slow": 2.0, "fast": 0.1}, "seconds"), "seconds: slow, fast"),
        (
            lambda: draw_curves([1, 10], {"a": [3, 2], "b": [2, 1]}, "x", "y", log_y=True),
            "y, over x: a, b",
        ),
    ],
    ids=["merge tree", "merges", "gains", "bars", "curves"],
)
def test_a_picture_is_a_png_with_alt_text_and_the_same_bytes_each_time(picture, alt):
    data, metadata = picture()._repr_mimebundle_()
    assert metadata == {"image/png": {"alt": alt}}
    assert data["text/plain"] == f"[picture: {alt}]"
    height, width = imread(BytesIO(data["image/png"])).shape[:2]
    assert min(height, width) > 300
    assert picture()._repr_mimebundle_()[0] == data


def test_a_word_without_merges_is_drawn_as_its_characters():
    assert draw_merge_tree("▁q", MERGES).alt == "the merges of ▁q: none"
