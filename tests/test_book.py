"""What docs/book.md says of the book's program and of ours is so."""

import importlib
import re
from math import log
from pathlib import Path

import pytest

import wpedu
from wpedu import WordPiece, merge_pair, pair_gains, to_bert, train
from wpedu.fast.row import Row

PAGE = Path(__file__).parent.parent / "docs" / "book.md"
BOOK = """PATH CORPUS folder get_files files text pattern words pretokenize word_cnts most_common
merge_cnt _wp_init words_wp freq swords vocab _calc_pair_gains pair_gains sword_cnts sword_cnt
pair_cnt _merge_pair fit best_pair merge_ops _build_vocab _create_regex sword_regex findall encode
unk_word tokenize cache bert_wp"""


def tables():
    """Return the page's tables, each as a list of rows, each as a list of cells."""
    blocks = re.findall(r"(?:^\|.*\n)+", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [
        [[cell.strip() for cell in line.strip("|").split(" | ")] for line in block.splitlines()]
        for block in blocks
    ]


def gains_by_hand(row, pair):
    """Return a pair's gain with one logarithm, and with three, as the book writes it."""
    Cxy, Cx, Cy = row.pair_counts[pair], row.token_counts[pair[0]], row.token_counts[pair[1]]
    N, M = row.num_tokens, row.num_pairs
    one = Cxy * log(Cxy * N**2 / (M * Cx * Cy))
    three = Cxy * (log(Cxy / M) - log(Cx / N) - log(Cy / N))
    return one, three


@pytest.fixture(scope="module")
def row_after_3055(homer):
    row = Row((["▁", *word] for word in homer.word_counts), homer.word_counts.values())
    for pair in train(homer.word_counts, 3_055):
        row.merge(pair)
    return row


def test_every_name_of_the_book_is_in_the_table():
    listings = " ".join(row[0] for row in tables()[0])
    assert [name for name in BOOK.split() if not re.search(rf"\b{name}\b", listings)] == []


def test_every_function_that_the_table_names_as_ours_is_there():
    ours = " ".join(row[1] for row in tables()[0])
    called = set(re.findall(r"`(\w+)\(", ours)) | {"UNKNOWN"}
    assert len(called) > 10
    assert [name for name in called if not hasattr(wpedu, name)] == []
    assert hasattr(importlib.import_module("wpedu.pretokenization"), "WORD_PATTERN")
    assert all(hasattr(WordPiece, name) for name in re.findall(r"`wp\.(\w+)", ours))


def test_every_link_into_the_repository_leads_somewhere():
    links = re.findall(r"\]\((\.\./[^)#]+)", PAGE.read_text(encoding="utf-8"))
    assert links
    assert [link for link in set(links) if not (PAGE.parent / link).exists()] == []


def test_our_vocabulary_is_not_escaped_and_not_sorted(wp):
    assert "▁." in wp.vocab
    assert "▁\\." not in wp.vocab
    assert wp.vocab[:2] == ["▁", "B"]


def test_what_becomes_of_an_unknown_word_and_of_a_lone_mark():
    assert to_bert(["[UNK]"]) == ["[UNK]"]
    assert to_bert(["▁the", "▁"]) == ["the"]


def test_training_ends_with_the_last_pair():
    assert train({"an": 1}, 10) == [("▁", "a"), ("▁a", "n")]


def test_the_keys_of_splits_have_no_mark():
    assert pair_gains({"an": list("▁an")}, {"an": 1}).keys() == {("▁", "a"), ("a", "n")}


def test_a_pair_may_be_a_list_and_no_mistake_is_silent():
    assert merge_pair(["a", "n"], list("▁an")) == merge_pair(("a", "n"), list("▁an")) == ["▁", "an"]
    with pytest.raises(TypeError, match="pair must be two subwords"):
        merge_pair("an", list("▁an"))


def test_the_merges_are_tuples_and_the_encoder_shows_no_regex(wp):
    assert {type(pair) for pair in wp.merges} == {tuple}
    assert [name for name in dir(wpedu.RegexEncoder(wp.vocab)) if name[0] != "_"] == ["encode"]


def test_a_mark_in_the_text_does_not_start_a_word(wp):
    assert wp.tokenize("the▁the") == ["[UNK]"]


def test_at_the_3056th_merge_three_pairs_are_equal_on_paper(homer, row_after_3055):
    table = tables()[2][2:]
    pairs = [tuple(re.findall(r"`([^`]+)`", row[0])) for row in table]
    counts = [[int(cell.replace(",", "")) for cell in row[1:]] for row in table]
    row = row_after_3055
    assert counts == [
        [row.token_counts[x], row.token_counts[y], row.token_counts[x] * row.token_counts[y]]
        for x, y in pairs
    ]
    assert {row.pair_counts[pair] for pair in pairs} == {23}
    one, three = zip(*(gains_by_hand(row, pair) for pair in pairs))
    assert one == (126.68839861889758,) * 3
    assert three == (126.68839861889758, 126.68839861889761, 126.68839861889761)
    assert min(pairs, key=row.first_place) == pairs[0]
    assert min(pairs[1:], key=row.first_place) == ("▁show", "ed")
    assert train(homer.word_counts, 3_056)[-1] == pairs[0]


def test_the_gains_of_the_first_pairs_are_those_of_three_logarithms_but_for_rounding(homer):
    row = Row((["▁", *word] for word in homer.word_counts), homer.word_counts.values())
    gains = pair_gains({word: ["▁", *word] for word in homer.word_counts}, homer.word_counts)
    for pair, gain in gains.items():
        assert gains_by_hand(row, pair) == (gain, pytest.approx(gain, rel=1e-9))
