"""Reading how a vocabulary was made: every format is understood, and the figures are reproduced."""

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from wpedu import build_vocab, load_corpus, load_vocab, save_vocab, train, train_bert_vocab
from wpedu.bert.vocab_file import PRETRAINED
from wpedu.corpus import DATASETS, read_shipped, registered_files
from wpedu.vocabularies import (
    Traces,
    VocabularyFile,
    count_tokens,
    find_traces,
    multi_character_entries,
    open_entries,
    read_making,
    read_vocabulary,
    train_top_down,
)

pytestmark = pytest.mark.long
FOLDER = DATASETS / "vocabularies"
CONTROLS = json.loads((FOLDER / "controls.json").read_text(encoding="utf-8"))
ROWS = CONTROLS["vocabularies"]
MADE = tomllib.loads((FOLDER / "made.toml").read_text(encoding="utf-8"))


def read(name):
    if name == "bert-base-uncased":
        with tempfile.TemporaryDirectory() as folder:
            return written(Path(folder), "vocab.txt", read_shipped("bert/vocab.txt.gz"))
    path = registered_files(name)[0].find()
    if path is None:
        pytest.skip(f"{name} is not on this machine: set WPEDU_DATA (see the README)")
    return read_vocabulary(path)


@pytest.fixture(scope="module")
def command():
    sys.path.insert(0, str(DATASETS))
    import make_vocabulary_facts

    return make_vocabulary_facts


@pytest.fixture(scope="module")
def report():
    sys.path.insert(0, str(DATASETS.parent / "docs"))
    import make_report

    return make_report


# The sixteen, and BERT's.


@pytest.mark.parametrize("name", ROWS)
def test_a_row_is_that_of_the_command(command, name):
    assert json.loads(json.dumps(command.row_of(read(name)))) == ROWS[name]


def test_facts_of_berts_are_those_of_the_command(command):
    assert command.facts_of(read("bert-base-uncased").entries) == CONTROLS["bert"]


def test_those_of_dickens_are_those_of_the_command(command):
    for name, vocab in command.of_dickens():
        row = command.row_of(VocabularyFile(vocab, "##", False))
        assert json.loads(json.dumps(row)) == CONTROLS["of_dickens"][name]
        assert command.parts_first_by_use(vocab) == CONTROLS["parts_first_by_use"][name]


@pytest.mark.parametrize("name", PRETRAINED)
def test_googles_can_be_loaded_by_name(name):
    entries = read(name).entries
    assert list(load_vocab(name)) == [entry.rstrip("\u2028") or entry for entry in entries]
    assert len(open_entries(entries)) == sum(ROWS[name]["open"])


def test_the_reading_is_that_of_the_makers_where_they_state_one():
    """An origin inferred from a trace can't check a reading of the same trace."""
    stated = {name for name, made in MADE.items() if not made["made"].startswith("not")}
    stated -= {name for name, made in MADE.items() if made.get("inferred")}
    assert stated >= {"scibert", "xlnet", "tf-text-paracrawl-en"} and "laser50k" not in stated
    for name in stated:
        assert ROWS[name]["making"] == MADE[name]["made"]
    assert MADE.keys() == ROWS.keys()


def test_merged_and_kept_is_apart_from_all_else_without_exception():
    for rows in (ROWS, CONTROLS["of_dickens"]):
        for row in rows.values():
            assert (row["open_unmarked"] == 0) == (row["making"] == "merged and kept")


def test_the_null_model_is_that_of_notebook_12(command, homer):
    path = DATASETS.parent / "notebooks" / "12_how_was_it_made.ipynb"
    cells = ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]]
    (source,) = [cell for cell in cells if cell.startswith("def null_model")]
    names = {"Counter": Counter, "homer": homer.word_counts, "print": lambda *_: None}
    exec(source, names)
    made = command.Recipes(homer.word_counts, 0).null(3_000, 500)
    assert names["null_model"](homer.word_counts, 3_000, 500) == made
    assert made[1][:3] == ["##ing", "##ed", "##ly"]


def test_the_reconstruction_is_that_of_the_command(command):
    pytest.importorskip("wordfreq")
    facts = json.loads((FOLDER / "reconstruction.json").read_text(encoding="utf-8"))
    for rules in (["code"], ["guide", "tensor2tensor"], [*command.NULLS, "words"]):
        for rule, row in command.make_from("wordfreq", rules)[1].items():
            assert row == facts["lists"]["wordfreq"]["made"][rule]
    split = command.split_of(command.make_from("wordfreq", ["code"])[0]["code"])
    assert command.find_variants("wordfreq", split)["wordfreq"] == facts["variants"]["wordfreq"]
    assert command.find_open_at() == facts["open_at"]
    assert command.find_trial() == facts["trial"]


# The report.


def test_the_tables_of_the_report_are_those_of_the_facts(report):
    text = report.REPORT.read_text(encoding="utf-8")
    for name, table in report.tables().items():
        assert f"<!-- table: {name} -->\n{table}\n\n" in text


def test_the_figures_of_the_report_are_those_of_the_notebooks(report):
    text = report.REPORT.read_text(encoding="utf-8")
    for path, png in report.figures().items():
        assert path.read_bytes() == png and len(png) < 250_000
        assert f"]({path.name})" in text


# Files in every format.


@pytest.fixture(scope="module")
def merges():
    return train(load_corpus("homer").word_counts, 500)


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_vocabulary(path)


def test_one_vocabulary_is_read_alike_in_every_format(tmp_path, merges):
    vocab = build_vocab(load_corpus("homer").word_counts, merges)
    ids = {entry: number for number, entry in enumerate(vocab)}
    in_bytes = {entry.replace("▁", "Ġ"): number for entry, number in ids.items()}
    model = {"added_tokens": [{"content": "<s>", "special": True}], "model": {"vocab": ids}}
    scores = [[entry, -float(number)] for entry, number in ids.items()]
    texts = {
        "vocab.txt": "".join(entry + "\r\n" for entry in vocab),
        "sp.vocab": "<s>\t0\n" + "".join(f"{entry}\t{-n}\n" for entry, n in ids.items()),
        "vocab.json": json.dumps(in_bytes),
        "tokenizer.json": json.dumps(model),
        "unigram.json": json.dumps({"added_tokens": [], "model": {"vocab": scores}}),
    }
    for name, text in texts.items():
        file = written(tmp_path, name, text)
        assert file.entries == vocab and not file.has_log_probabilities
        assert read_making(file, find_traces(file.entries)).looks_like == "merged and kept"

    lines = "#version: 0.2\n" + "".join(f"{x} {y}\n" for x, y in merges)
    file = written(tmp_path, "merges.txt", lines)
    assert set(file.entries) == {entry for entry in vocab if entry in "".join(map("".join, merges))}


@pytest.mark.parametrize("mark", ["</w>", "@@"])
def test_marks_at_the_end_of_words_are_read_from_there(tmp_path, mark):
    backwards = {word[::-1]: count for word, count in load_corpus("homer").word_counts.items()}
    vocab = train_bert_vocab(backwards, 600)[5:]
    lines = []
    for entry in vocab:
        text = entry.removeprefix("##")[::-1]
        ends = text == entry[::-1]
        lines.append(text + ("" if ends == (mark == "@@") else mark))
    file = written(tmp_path, "vocab.txt", "\n".join(lines))
    assert (file.entries, file.marker) == (vocab, mark)


def test_tensor2tensors_quotes_and_marks_are_read(tmp_path):
    lines = ["'<pad>'", "'the_'", "'_'", "'the'", "'t'", "'h'", "'e'", "'he'", "'et_'"]
    file = written(tmp_path, "t2t.subwords", "\n".join(lines))
    assert file.entries == ["▁eht", "▁", "eht", "t", "h", "e", "eh", "▁te"]
    assert file.marker == "_"
    traces = find_traces(file.entries)
    assert (traces.open, traces.open_unmarked) == ((1, 0), 0)  # et_ is e and t, ignoring marks


def test_pruning_is_read_from_the_order_of_the_parts(homer):
    vocab = train_bert_vocab(homer.word_counts, 4000)
    used, long = count_tokens(vocab, homer.word_counts), set(multi_character_entries(vocab))
    kept = [entry for entry in vocab if entry not in long or used[entry] >= 10]
    file = VocabularyFile(kept, "##", False)
    assert read_making(file, find_traces(kept))[0] == "merged and pruned"


@pytest.mark.parametrize("length_first", [True, False])
def test_a_list_of_words_is_not_read_as_learned(homer, length_first):
    words = [word for word, _ in homer.word_counts.most_common(5_000) if len(word) > 1]
    chars = sorted(set("".join(words)))
    listed = sorted([*chars, *words], key=len) if length_first else [*words, *chars]
    reading = read_making(VocabularyFile(listed, "", False), find_traces(listed))
    assert (reading.looks_like, reading.as_would) == ("unclear", "")
    assert "like a word list" in reading.because


@pytest.mark.parametrize("discount", ["kept", "all"])
def test_what_is_learned_top_down_is_read_so(homer, discount):
    vocab = train_top_down(homer.word_counts, min_count=10, discount=discount)
    file = VocabularyFile(vocab, "##", False)
    assert read_making(file, find_traces(vocab))[0] == "top-down"


def traces(**counted):
    """Return the traces of a vocabulary with 1,000 entries, a third of which are open."""
    some = Traces(1_000, (600, 0), (200, 0), 200, in_two=300, parts_first=0.0, closing_run=0)
    return some._replace(**counted)


@pytest.mark.parametrize(
    "counted, making",
    [
        ({"parts_first": 0.9}, "merged and pruned"),
        ({"parts_first": 1.0, "in_two": 199}, "unclear"),
        ({"closing_run": 20}, "top-down"),
        ({"closing_run": 20, "parts_first": 0.9}, "unclear"),
        ({"long": (199, 0)}, "unclear"),
    ],
)
def test_the_limits_of_the_reading(counted, making):
    assert read_making(VocabularyFile([], "##", False), traces(**counted))[0] == making


# The command.


def test_the_command_prints_a_row_or_json(run_python, tmp_path, homer):
    path = tmp_path / "homer.txt"
    save_vocab(train_bert_vocab(homer.word_counts, 500), path)
    output = run_python("-m", "wpedu.vocabularies", path).stdout
    assert "homer.txt" in output and "looks like merged and kept: ignoring marks, 99%" in output
    assert "so would a merged vocabulary without its last merges" in output
    rows = run_python("-m", "wpedu.vocabularies", "--json", path, path).stdout.splitlines()
    file = read_vocabulary(path)
    traces = find_traces(file.entries)
    expected = traces._asdict() | read_making(file, traces)._asdict()
    expected = json.loads(json.dumps({"path": str(path), "marker": "##", **expected}))
    assert list(map(json.loads, rows)) == [expected, expected]


ODD = {
    "no model.json": '{"model": {}}',
    "broken.json": '{"a": 1',
    "deep.json": '{"a":' * 100_000,
    "UTF-16.txt": "a\nb\n".encode("utf-16"),
    "empty.txt": "",
    "no characters.txt": "abc\nabd\n",
}


def test_the_command_has_one_sentence_for_each_odd_file(run_python, tmp_path):
    for name, content in ODD.items():
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "folder").mkdir()
    paths = [*sorted(tmp_path.iterdir()), tmp_path / "missing"]
    run = run_python("-m", "wpedu.vocabularies", *paths, check=False)
    assert run.returncode == 1 and len(run.stdout.splitlines()) == 1
    lines = run.stderr.splitlines()
    assert len(lines) == len(paths) == len(ODD) + 2
    for path, line in zip(paths, lines):
        assert re.fullmatch(rf"{re.escape(str(path))}\b.*[^:]: \w.*", line)


def test_the_command_prints_to_a_stream_without_a_mark(run_python, tmp_path):
    (tmp_path / "vocab.txt").write_text("▁\na\nb\n▁a\n", encoding="utf-8")
    command = ("-m", "wpedu.vocabularies", tmp_path / "vocab.txt")
    assert r" \u2581 " in run_python(*command, PYTHONIOENCODING="cp1252").stdout


@pytest.mark.skipif(os.name != "posix", reason="this system has no such signal")
def test_the_command_ends_quietly_when_its_pipe_is_closed(tmp_path):
    (tmp_path / "vocab.txt").write_text("▁\na\nb\n▁a\n", encoding="utf-8")
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "wpedu.vocabularies", tmp_path / "vocab.txt"]
    run = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert run.stderr == b""


def test_a_line_of_a_million_letters_is_no_more_work_than_its_length():
    long = "sea" * 300_000
    found = find_traces(["s", "e", "a", long, long[:-1], long + "s"])
    assert found.open == (1, 0)  # the other two are long[:-1] and a, and long and s
