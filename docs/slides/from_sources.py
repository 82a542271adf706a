"""Functions that index.md calls in double braces: tokens, numbers, votes and drawings.

Jinja puts their results on the slides. Each number is computed here, read from the output of a
notebook's cell, or checked by a test, so the slides cannot differ from their sources.
"""

import re
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from html import escape
from itertools import combinations
from math import exp, log, log2, prod
from pathlib import Path
from typing import Any

import nbformat
import regex
from docutils import nodes
from execute import SITE
from home import split
from make_gift import QUESTION, ROW
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from wpedu import (
    BertTokenizer,
    LoopEncoder,
    WordPiece,
    build_vocab,
    load_corpus,
    load_vocab,
    merge_pair,
    pair_gains,
    pretokenize,
    to_bert,
    train,
)
from wpedu.figures import merge_steps

DOCS = Path(__file__).parent.parent
QUESTIONS = DOCS / "guide" / "questions.md"
HOMER = load_corpus("homer")
BOARD = {"sea": 3, "seas": 2, "seat": 1, "eat": 1, "tea": 1}
METFORMIN = "Metformin lowers HbA1c by 1.1% in type 2 diabetes."
START = "▁"
BERT_LIST = load_vocab("bert-base-uncased")
BERT = BertTokenizer(BERT_LIST)


# Tokens


def box(token: str, bert: bool = False, now: bool = False) -> str:
    """Return one token. Its class says whether it begins a word; `bert` reads `##` notation."""
    (((begins, mark, rest),),) = split([token], bert=bert)
    kind = " u" if token == "[UNK]" else " b" * begins
    shown = f"<i>{mark}</i>" * bool(mark) + escape(rest)
    return f'<span class="t{kind}{" now" * now}">{shown}</span>'


def toks(
    tokens: str | Iterable[str], bert: bool = False, apart: bool = False, now: str = ""
) -> str:
    """Return tokens, those of a word close together, or each by itself."""
    words = split(tokens.split() if isinstance(tokens, str) else [*tokens], bert=bert, alone=apart)
    drawn = ("".join(box(m + t, bert, m + t == now) for _, m, t in word) for word in words)
    inside = "".join(f'<span class="w">{word}</span>' for word in drawn)
    return f'<span class="toks">{inside}</span>'


def plain(words: str | Iterable[str]) -> str:
    """Return words in boxes without color, since they are not tokens."""
    words = words.split() if isinstance(words, str) else words
    return '<span class="plain">' + "".join(f"<b>{escape(w)}</b>" for w in words) + "</span>"


def bert(text: str) -> str:
    """Return the real BERT's tokens."""
    return toks(BERT.tokenize(text), bert=True)


def with_ids(text: str) -> str:
    """Return the real BERT's tokens, with their ids below them."""
    encoding = BERT.encode(text)
    pairs = list(zip(encoding.tokens, encoding.ids))[1:-1]
    columns = (f"<span>{box(t, bert=True)}<b>{i}</b></span>" for t, i in pairs)
    return f'<div class="ids">{"".join(columns)}</div>'


@cache
def homer(num_merges: int) -> WordPiece:
    """Return WordPiece trained on Homer."""
    return WordPiece(num_merges=num_merges).fit(HOMER)


def cut(text: str, num_merges: int = 200, in_bert: bool = False, now: str = "") -> str:
    """Return the tokens of `text` after training on Homer."""
    tokens = homer(num_merges).tokenize(text)
    return toks(to_bert(tokens) if in_bert else tokens, bert=in_bert, now=now)


def is_unknown(word: str) -> bool:
    """Return whether Homer's list cannot spell `word`."""
    return homer(200).encode(START + word) == ["[UNK]"]


def unknown(text: str) -> str:
    """Return how many words of `text` are unknown, as in "5 of 13"."""
    words = pretokenize(text)
    return f"{sum(map(is_unknown, words))} of {len(words)}"


def numbered(text: str) -> str:
    """Return the words of `text` with their numbers, and those unknown to Homer's list reversed."""
    words = (
        f"<span><small>{i}</small><b{' class=u' * is_unknown(word)}>{word}</b></span>"
        for i, word in enumerate(pretokenize(text), 1)
    )
    return f'<div class="numbered">{"".join(words)}</div>'


def merges(count: int) -> str:
    """Return the first merges of Homer, each with its number."""
    pairs = enumerate(homer(count).merges, 1)
    return "".join(f"<span>{toks(x + y)}<small>{i}</small></span>" for i, (x, y) in pairs)


def first_merge_of(subword: str) -> int:
    """Return the number of the merge that makes `subword`."""
    made = ["".join(pair) for pair in homer(1000).merges]
    return made.index(subword) + 1


# Numbers


class Pairs:
    """The counts of a corpus and of its pairs, after some merges."""

    def __init__(self, word_counts: dict[str, int], merged: Iterable[tuple[str, str]] = ()) -> None:
        self.splits = {word: [START, *word] for word in word_counts}
        for pair in merged:
            self.splits = {word: merge_pair(pair, s) for word, s in self.splits.items()}
        self.gains = pair_gains(self.splits, word_counts)
        self.counts = pair_gains(self.splits, word_counts, "frequency")
        self.tokens: Counter[str] = Counter()
        for word, subwords in self.splits.items():
            for token in subwords:
                self.tokens[token] += word_counts[word]
        self.N = self.tokens.total()
        self.M = int(sum(self.counts.values()))

    def count(self, pair: str) -> int:
        """Return how often the pair occurs, written like `t h`."""
        x, y = pair.split()
        return int(self.counts[x, y])

    def times(self, pair: str) -> float:
        """Return how many times as often the pair occurs as chance predicts."""
        return exp(self.gain(pair) / self.count(pair))

    def gain(self, pair: str) -> float:
        """Return the gain of the pair."""
        x, y = pair.split()
        return self.gains[x, y]


@cache
def pairs_of_homer(num_merges: int = 0) -> Pairs:
    """Return the counts of Homer's pairs after the first merges."""
    return Pairs(HOMER.word_counts, homer(num_merges).merges if num_merges else ())


def number(value: float, digits: int = 0) -> str:
    """Return 12,345 or 0.12, with a minus sign, not a hyphen."""
    return f"{value:,.{digits}f}".replace("-", "−")


def spelled(value: int) -> str:
    """Return a number up to nine as a word that begins a sentence."""
    return ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"][value]


@cache
def _cells(notebook: str) -> list[Any]:
    (path,) = (DOCS.parent / "notebooks").glob(f"{notebook}_*.ipynb")
    return nbformat.read(path, as_version=4).cells


@cache
def _outputs(notebook: str) -> list[str]:
    outputs = (o for cell in _cells(notebook) for o in cell.get("outputs", []))
    return [o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs]


def printed(notebook: str, pattern: str) -> str:
    """Return the part of a notebook's output that the group of `pattern` matches."""
    (found,) = {m[1] for text in _outputs(notebook) if (m := re.search(pattern, text, re.M))}
    return found


# Votes


def cards(name: str, **how: bool) -> str:
    """Return the four answers to a question of the guide, each on a card."""
    text = QUESTIONS.read_text(encoding="utf-8")
    (rows,) = (rows for found, *_, rows in QUESTION.findall(text) if found == name)
    html = []
    for letter, (_, answer, _) in zip("ABCD", ROW.findall(rows)):
        first, *rest = answer.split(", ")  # a pair's numbers are on lines of their own
        if "`" in "".join(rest):  # what each of two tokenizers makes of a word
            first, rest = " ".join(f"<em>{one}</em>" for one in (first, *rest)), []
        small = f"<small>{'<br>'.join(rest)}</small>" if rest else ""
        inside = f"<b>{letter}</b><span>{_spans(first, **how)}{small}</span>"
        html.append(f'<div class="card">{inside}</div>')
    return f'<div class="cards">{"".join(html)}</div>'


def _spans(markdown: str, words: bool = False, bert: bool = False, apart: bool = False) -> str:
    """Return `code` as boxes; spans with only a space between them are of one text."""

    def boxes(match: re.Match[str]) -> str:
        spans = re.findall("`([^`]+)`", match[0])
        return plain(spans) if words else toks(spans, bert=bert, apart=apart)

    return re.sub("`[^`]+`(?: `[^`]+`)*", boxes, markdown)


def bars(rows: list[tuple[str, str, Pairs]], best: str) -> str:
    """Return rows of `count · ln times = gain` with bars. A row: (its name, a pair, where)."""
    top = max(of.gain(pair) for _, pair, of in rows)
    html = []
    narrow = " letters" * (max(len(name) for name, *_ in rows) == 1)
    for name, pair, of in rows:
        width = round(of.gain(pair) / top * 230)
        x, y = pair.split()
        html.append(
            f'<div class="bar{" best" * (name == best)}"><b>{name}</b>'
            f'<span class="pair">{toks(x)}<em>+</em>{toks(y)}</span>'
            f"<span class=calc><span>{number(of.count(pair))}</span><em>· ln</em>"
            f"<span>{number(of.times(pair), 2)}</span></span>"
            f'<span class="gain"><i style="width:{width}px"></i>{number(of.gain(pair))}</span>'
            "</div>"
        )
    return f'<div class="bars{narrow}">{"".join(html)}</div>'


# Drawings


def line(pairs: str) -> str:
    """Return a line of "how many times as often as chance predicts", with pairs of Homer on it."""

    def at(times: float) -> float:
        return round(70 + (log2(times) + 3) / 9.2 * 1010, 1)

    one, of = at(1), pairs_of_homer()
    svg = f'<rect class="low" x="40" y="92" width="{one - 40}" height="14"/>'
    svg += f'<rect class="high" x="{one}" y="92" width="{1100 - one}" height="14"/>'
    for power in range(-3, 7):
        x, label = at(2**power), str(2**power) if power >= 0 else f"1/{2**-power}"
        bold = ' class="one"' * (power == 0)
        svg += f'<path{bold} d="M{x} 84v30"/><text{bold} x="{x}" y="146">{label}</text>'
    svg += f'<text class="one" x="{one}" y="182">chance</text>'
    svg += '<text class="rare" x="40" y="182">rarer: ln &lt; 0</text>'
    svg += '<text class="often" x="1100" y="182">more often: ln &gt; 0</text>'
    marks = "".join(
        f'<span style="left:{at(of.times(" ".join(pair)))}px">{toks([*pair])}</span>'
        for pair in pairs.split()
    )
    return f'<div class="line"><svg viewBox="0 0 1136 190">{svg}</svg>{marks}</div>'


def matrix(rows: str, columns: str, rings: str) -> str:
    """Return the gains of Homer's pairs as squares, with the names of the six best."""
    of, side = pairs_of_homer(), 56
    known = {x + y: of.gains.get((x, y)) for x in rows for y in columns}
    ranked = sorted((g for g in known.values() if g), reverse=True)
    width, height = side * len(columns) + 56, side * len(rows) + 46
    svg = []
    for j, y in enumerate(columns):
        svg.append(f'<text x="{56 + side * j + 26}" y="30">{y}</text>')
    for i, x in enumerate(rows):
        top = 42 + side * i
        svg.append(f'<text x="28" y="{top + (22 if x == START else 36)}">{x}</text>')
        for j, y in enumerate(columns):
            gain, left = known[x + y], 56 + side * j
            if gain is None:
                continue
            place = f'x="{left}" y="{top}" width="52" height="52" rx="6"'
            if gain > 0:
                share = (gain / ranked[0]) ** 0.33
                color = f"color-mix(in oklab,var(--gain) {8 + 92 * share:.0f}%,var(--page))"
                svg.append(f'<rect {place} style="fill:{color}"/>')
                if gain >= ranked[5]:
                    svg.append(f'<text class="name" x="{left + 26}" y="{top + 35}">{x}{y}</text>')
            else:
                svg.append(f'<rect class="less" {place}/>')
                svg.append(f'<path d="M{left + 17} {top + 26}h18"/>')
    for x, y in rings.split():
        left, top = 52 + side * columns.index(y), 38 + side * rows.index(x)
        svg.append(f'<rect class="ring" x="{left}" y="{top}" width="60" height="60" rx="9"/>')
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg class="matrix" {size}>{"".join(svg)}</svg>'


def tree(word: str) -> str:
    """Return the merges of Homer that make `word`, each above its halves, with their numbers."""
    nodes_ = [[char, 40 + i * 104, 478] for i, char in enumerate(word)]
    edges, boxes = [], [(char, x, y, "") for char, x, y in nodes_]
    for step, pair in merge_steps(word, homer(200).merges):
        i = next(i for i in range(len(nodes_)) if (nodes_[i][0], nodes_[i + 1][0]) == pair)
        left, right = nodes_[i : i + 2]
        x, y = (left[1] + right[1]) / 2, min(left[2], right[2]) - 106
        for _, x2, y2 in (left, right):
            middle = (y + y2) / 2
            edges.append(f'<path d="M{x} {y}C{x} {middle} {x2} {middle} {x2} {y2}"/>')
        boxes.append(("".join(pair), x, y, str(step)))
        nodes_[i : i + 2] = [["".join(pair), x, y]]
    html = [f'<svg width="880" height="515">{"".join(edges)}</svg>']
    for token, x, y, step in boxes:
        html.append(
            f'<span style="left:{x}px;top:{y}px"{" class=top" * (token == word)}>'
            f"{toks([token], now=word)}<b>{step}</b></span>"
        )
    return f'<div class="tree">{"".join(html)}</div>'


def cycle() -> str:
    """Return training as a circle of three steps."""
    return (
        '<svg class="cycle" width="440" height="310" viewBox="-20 0 440 310">'
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="5" '
        'markerHeight="5" orient="auto"><path d="M0 0L10 5L0 10z"/></marker></defs>'
        '<g><path d="M296 62Q366 96 338 182"/><path d="M290 244Q200 300 112 246"/>'
        '<path d="M60 182Q34 96 92 64"/></g><text class="score" x="195" y="70">score pairs</text>'
        '<text x="330" y="224">join best</text><text x="62" y="224">repeat</text>'
        '<text class="often" x="200" y="164">200×</text></svg>'
    )


def stairs(word: str) -> str:
    """Return the strings of `word` that the loop looks up, one below the other."""
    vocab, start, html = set(homer(200).vocab), 0, []
    while start < len(word):
        for end in range(len(word), start, -1):
            found = word[start:end] in vocab
            kind = ("b" if word[start] == START else "c") if found else "no"
            before, inside, after = word[:start], word[start:end], word[end:]
            spans = f'<span aria-hidden="true">{_letters(before)}</span>'
            spans += f'<span class="{kind}">{_letters(inside)}</span>'
            spans += f'<span aria-hidden="true">{_letters(after)}</span>'
            answer = "<b>yes</b>" if found else "<b>no</b>"
            html.append(f"<div{' class=found' * found}>{spans}{answer}</div>")
            if found:
                break
        start = end
    return f'<div class="stairs">{"".join(html)}</div>'


def _letters(text: str) -> str:
    return "".join(f"<i{' class=mark' * (c == START)}>{c}</i>" for c in text)


def lookups(word: str) -> int:
    """Return how many strings the loop looks up."""
    return stairs(word).count("<b>")


def claims() -> str:
    """Return the cuts that texts about BERT print, beside BERT's own (notebook 09)."""
    table = next(text for text in _outputs("09") if re.search(r"said +BERT$", text, re.M))
    listed = next(cell.source for cell in _cells("09") if cell.source.count("said = {"))
    source, rows = "", ["<div class=head><span>published cut</span><b></b>"]
    rows[0] += "<span>bert-base-uncased</span><span>source</span></div>"
    for word, said, done in re.findall(r"^(\w+)  +(.+?)  +(.+)$", table, re.M):
        named = re.search(rf'"{word}": .*# (the |BERT\'s own )(\w+)', listed)
        source = (
            {"section": "a tutorial", "essay": "an essay", "code": "Google’s code"}[named[2]]
            if named
            else source
        )
        kind = "same" if said == done else "other"
        sign = "✓" if said == done else "✗"
        rows.append(
            f'<div class="{kind}">{toks(said, bert=True)}<b>{sign}</b>{toks(done, bert=True)}'
            f"<span>{source}</span></div>"
        )
    return f'<div class="claims">{"".join(rows)}</div>'


def wrong_claims() -> str:
    """Return how many of these cuts are not BERT's, as in "Five of seven"."""
    wrong, right = claims().count("✗"), claims().count("✓")
    return f"{spelled(wrong)} of {spelled(wrong + right).lower()}"


def prices(languages: str) -> str:
    """Return the tokens of one text in several languages, as multiples of English (notebook 13)."""
    drawn = next(text for text in _outputs("13") if "Multiples of English" in text)
    models = re.search(r"in (GPT[\w, -]+):", drawn)[1].split(", ")

    def at(times: float) -> int:
        return round(200 + log2(times) * 185)

    svg = ""
    for times in (1, 2, 4, 8, 16):
        name, kind = ("1 = English", "one") if times == 1 else (f"{times} ×", "")
        svg += f'<path class="{kind}" d="M{at(times)} 44v300"/>'
        svg += f'<text class="scale" x="{at(times)}" y="376">{name}</text>'
    for row, language in enumerate(languages.split()):
        listed = re.search(rf"{language} ([\d., ]+)", drawn)[1].strip(" ,.")
        y, values = 80 + 61 * row, list(map(float, listed.split(", ")))
        x, low, high = list(map(at, values)), min(values), max(values)
        svg += f'<text class="language" x="0" y="{y + 11}">{language}</text>'
        svg += (
            f'<path class="range" d="M{min(x)} {y}H{max(x)}"/><circle cx="{x[0]}" cy="{y}" r="13"/>'
        )
        svg += f'<rect x="{x[1] - 12}" y="{y - 12}" width="24" height="24"/>'
        svg += f'<path class="last" d="M{x[2]} {y - 17}l17 17l-17 17l-17 -17z"/>'
        svg += f'<text class="low" x="{min(x) - 22}" y="{y + 10}">{low}</text>'
        svg += f'<text class="between" x="{x[1]}" y="{y - 17}">{values[1]}</text>'
        svg += f'<text x="{max(x) + 26}" y="{y + 10}">{high}</text>'
        if row == 0:
            names = zip(models, x, ("", "", "low"))
            svg += "".join(
                f'<text class="model {kind}" x="{left}" y="28">{model}</text>'
                for model, left, kind in names
            )
    return f'<svg class="prices" width="1136" height="384">{svg}</svg>'


SCORES = {
    "frequency": ("count", "C(xy)", "BPE, as in GPT and Llama"),
    "ratio": ("ratio", "C(xy) / (C(x) · C(y))", "“WordPiece” in tutorials"),
    "gain": ("gain", "count · ln (times chance)", "WordPiece in this course"),
}


def three_scores(word: str) -> str:
    """Return what three scores merge first, how they cut `word`, and how many tokens Homer has."""
    table = next(text for text in _outputs("08") if re.search(r"^1,000 +[\d,]{7}", text, re.M))
    columns = dict(zip(table.split(), re.search(r"^1,000 +(.*)", table, re.M)[1].split()))
    tokens = {score: int(columns[score].replace(",", "")) for score in SCORES}
    html = "<p class=head><span>score</span><span>first merge</span>"
    html += f"<span><em>{word[1:]}</em>, 1,000 merges</span>"
    html += "<span>tokens of Homer,<br>cut as in training</span></p>"
    for score, (name, formula, note) in SCORES.items():
        merged = train(HOMER, 1000, score=score)
        split = list(word)
        for pair in merged:
            split = merge_pair(pair, split)
        times = pairs_of_homer().count(" ".join(merged[0]))
        width = round(tokens[score] / max(tokens.values()) * 200)
        html += (
            f'<p class="{score}"><span><b>{name} <em>{formula}</em></b><small>{note}</small></span>'
            f"<span>{toks(merged[0])}<small>{number(times)} ×</small></span>{toks(split)}"
            f'<span><i style="width:{width}px"></i>{number(round(tokens[score], -3))}</span></p>'
        )
    return f'<div class="scores">{html}</div>'


def three_cuts(word: str) -> str:
    """Return `word` as three rules cut it, and how many tokens Homer takes then (notebook 13)."""
    table = next(text for text in _outputs("13") if text.startswith("longest match "))
    users = {"longest match": "BERT", "replay": "GPT, Llama", "Unigram": "T5, XLM-R"}
    html = f"<p class=head><span>rule</span><span>{word}</span>"
    html += "<span>the rule of</span><span>tokens of Homer</span></p>"
    for rule, user in users.items():
        total, tokens = re.search(rf"^{rule} +([\d,]+) tokens +(.*)$", table, re.M).groups()
        html += f"<p><b>{rule}</b>{toks(tokens)}<span>{user}</span><span>{total}</span></p>"
    return f'<div class="three-cuts">{html}</div>'


def picks() -> str:
    """Return the first five merges of the board, by count and by gain, with their scores."""
    html = "<p class=head><span>merge</span><span>BPE: the most frequent</span>"
    html += "<span>our gain: the best</span></p>"
    merges = [train(BOARD, 5, score=score) for score in ("frequency", "gain")]
    for i, (often, best) in enumerate(zip(*merges)):
        count = Pairs(BOARD, merges[0][:i]).count(" ".join(often))
        gain = number(Pairs(BOARD, merges[1][:i]).gain(" ".join(best)), 2)
        html += f"<p{' class=gain' * (often != best)}><b>{i + 1}</b>"
        html += f"<span>{toks(often, apart=True)}<em>{count} ×</em></span>"
        html += f"<span>{toks(best, apart=True)}<em>{gain}</em></span></p>"
    return f'<div class="picks">{html}</div>'


@cache
def _most_probable() -> Callable[[str, dict[str, float]], list[str]]:
    names: dict[str, Any] = {}
    exec(next(c.source for c in _cells("13") if "def most_probable" in c.source), names)
    return names["most_probable"]


def logs(counts: dict[str, float]) -> dict[str, float]:
    """Return the logarithm of each token's share."""
    return {token: log(count / sum(counts.values())) for token, count in counts.items()}


def probable(word: str, counts: dict[str, float]) -> list[str]:
    """Return the most probable cut of `word`, by notebook 13's function."""
    return _most_probable()(START + word, logs(counts))


def seed() -> dict[str, float]:
    """Return the strings that occur at least twice in the board's words, with their counts."""
    counts: Counter[str] = Counter()
    for word, count in BOARD.items():
        for start, end in combinations(range(len(word) + 2), 2):
            counts[(START + word)[start:end]] += count
    return {string: count for string, count in counts.items() if count > 1}


def losses() -> dict[str, float]:
    """Return the strings that the board's most probable cuts use, and what dropping each costs."""
    counts = dict.fromkeys(seed(), 0.1)  # as in notebook 13, no string becomes impossible
    for word, count in BOARD.items():
        for token in probable(word, seed()):
            counts[token] += count
    counts = {token: count for token, count in counts.items() if count > 1 or len(token) == 1}

    def likelihood(counts: dict[str, float]) -> float:
        logs_ = logs(counts)
        return sum(n * sum(logs_[t] for t in probable(w, counts)) for w, n in BOARD.items())

    def without(token: str) -> dict[str, float]:
        return {other: count for other, count in counts.items() if other != token}

    all_ = likelihood(counts)
    cost = {token: all_ - likelihood(without(token)) for token in counts if len(token) > 1}
    return dict(sorted(cost.items(), key=lambda item: item[1]))


def chances(word: str) -> str:
    """Return `word` by longest match and as its most probable cut, with counts and products."""
    counts, html = seed(), ""
    ways = {"longest match": LoopEncoder(counts).encode(START + word)}
    ways["Unigram"] = probable(word, counts)
    for rule, cut_ in ways.items():
        columns = "".join(f"<span>{box(token)}<b>{counts[token]}</b></span>" for token in cut_)
        below = f" / {sum(counts.values())}<sup>{len(cut_)}</sup>"
        factors = " · ".join(str(counts[token]) for token in cut_)
        product = number(prod(counts[token] for token in cut_))
        html += f"<p><span>{rule}</span><span class=ids>{columns}</span>"
        html += f"<span>({factors}){below}<br>= {product}{below}</span></p>"
    return f'<div class="chances">{html}</div>'


# The page

FUNCTIONS: dict[str, Any] = {
    function.__name__: function
    for function in (
        *(bars, bert, cards, claims, cut, cycle, first_merge_of, homer, line),
        *(literal_eval, lookups, matrix, merges, number, numbered, pairs_of_homer, plain),
        *(chances, losses, picks, probable, seed),
        *(pretokenize, prices, printed, spelled, stairs, three_cuts, three_scores, toks, tree),
        *(unknown, with_ids, wrong_claims, merge_steps),
    )
}
FUNCTIONS |= {"board": Pairs(BOARD), "BOARD": BOARD, "HOMER": HOMER, "findall": regex.findall}
FUNCTIONS |= {"BERT_SIZE": len(BERT_LIST), "METFORMIN": METFORMIN}


class Notes(SphinxDirective):
    """Notes that only the speaker sees."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        container = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, container)
        before, after = '<aside class="notes">', "</aside>"
        return [_raw(before), *container.children, _raw(after)]


def _raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


def _fill(app: Sphinx, _docname: str, source: list[str]) -> None:
    source[0] = app.builder.templates.render_string(source[0], FUNCTIONS)
    app.env.note_dependency(str(QUESTIONS))


def _add_feet(_app: Sphinx, doctree: nodes.document) -> None:
    """Put the slide's number at its foot, and the title as Homer's merges would cut it."""
    slides = list(doctree.findall(nodes.section))
    for i, slide in enumerate(slides):
        count = round(1000 ** (i / (len(slides) - 1)))
        vocab = build_vocab(HOMER, homer(1000).merges[:count])
        word = toks(LoopEncoder(vocab).encode("▁wordpiece"))
        said = f"“wordpiece” after {count:,} merge{'s' * (count > 1)} on Homer"
        where = f'<a href="{SITE}">{SITE}</a> · ' if SITE else ""
        number = f"<span>{where}slide {i + 1}</span>"
        foot = f'<div class="foot"><span>{word}{said}</span>{number}</div>'
        inner = next((c for c in slide.children if isinstance(c, nodes.section)), None)
        slide.insert(slide.index(inner) if inner else len(slide.children), _raw(foot))


def _mend_page(app: Sphinx, _exception: Exception | None) -> None:
    """Let readers enlarge the theme's page, and put its main part where a landmark belongs."""
    for page in Path(app.outdir).glob("*.html"):
        html = page.read_text(encoding="utf-8")
        html = html.replace(", maximum-scale=1.0, user-scalable=no", "")
        html = html.replace('<div class="slides" role="main">', '<div class="slides">')
        html = html.replace('<div class="reveal">', '<main><div class="reveal">', 1)
        html = html.replace("    <script", "    </main>\n    <script", 1)
        page.write_text(html, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Fill in the braces, and add the feet."""
    app.add_directive("notes", Notes)
    app.connect("source-read", _fill)
    app.connect("doctree-read", _add_feet)
    app.connect("build-finished", _mend_page)
