"""What docs/book.md says of the book's program and of ours is so."""

import re
from math import log
from pathlib import Path

import wpedu
from wpedu import WordPiece, merge_pair, pair_gains, to_bert, train
from wpedu.fast.linked_tokens import LinkedTokens

PAGE = (Path(__file__).parent.parent / "docs" / "book.md").read_text(encoding="utf-8")


def row_of(word_counts):
    return LinkedTokens((["▁", *word] for word in word_counts), word_counts.values())


def gains_by_hand(row, pair):
    """Return a pair's gain with one logarithm, and with three, as the book writes it."""
    Cxy, Cx, Cy = row.pair_counts[pair], row.token_counts[pair[0]], row.token_counts[pair[1]]
    N, M = row.num_tokens, row.num_pairs
    one = Cxy * log(Cxy * N**2 / (M * Cx * Cy))
    return one, Cxy * (log(Cxy / M) - log(Cx / N) - log(Cy / N))


def test_every_function_that_the_page_names_as_ours_is_there():
    ours = " ".join(re.findall(r"^\|[^|]*\|([^|]*)\|", PAGE, re.MULTILINE))
    called = set(re.findall(r"`(\w+)\(", ours)) - {"sorted"}
    assert len(called) > 10
    assert [name for name in called if not hasattr(wpedu, name)] == []
    assert all(hasattr(WordPiece, name) for name in re.findall(r"`wp\.(\w+)", ours))


def test_what_the_program_of_the_book_does_otherwise(wp):
    assert "▁." in wp.vocab and "▁\\." not in wp.vocab
    assert wp.vocab[:2] == ["▁", "B"]
    assert to_bert(["[UNK]"]) == ["[UNK]"]
    assert to_bert(["▁the", "▁"]) == ["the"]
    assert train({"an": 1}, 10) == [("▁", "a"), ("▁a", "n")]
    assert pair_gains({"an": list("▁an")}, {"an": 1}).keys() == {("▁", "a"), ("a", "n")}
    assert merge_pair(["a", "n"], list("▁an")) == merge_pair(("a", "n"), list("▁an")) == ["▁", "an"]
    assert {type(pair) for pair in wp.merges} == {tuple}
    assert [name for name in dir(wpedu.RegexEncoder(wp.vocab)) if name[0] != "_"] == ["encode"]
    assert wp.tokenize("the▁the") == ["[UNK]"]


def test_at_the_3056th_merge_three_pairs_are_equal_on_paper(homer):
    row, merges = row_of(homer.word_counts), train(homer.word_counts, 3_056)
    for pair in merges[:-1]:
        row.merge(pair)
    pairs = []
    for line in re.findall(r"^\| (`\S+` `\S+` \| [\d,]+ .*) \|$", PAGE, re.MULTILINE):
        pair, *counts = line.split(" | ")
        x, y = re.findall(r"`([^`]+)`", pair)
        Cx, Cy = row.token_counts[x], row.token_counts[y]
        assert counts == [f"{Cx:,}", f"{Cy:,}", f"{Cx * Cy:,}"]
        pairs.append((x, y))
    assert {row.pair_counts[pair] for pair in pairs} == {23}
    one, three = zip(*(gains_by_hand(row, pair) for pair in pairs))
    assert one == (126.68839861889758,) * 3
    assert three == (126.68839861889758, 126.68839861889761, 126.68839861889761)
    assert merges[-1] == min(pairs, key=row.find_first) == pairs[0]
    assert min(pairs[1:], key=row.find_first) == ("▁show", "ed")
