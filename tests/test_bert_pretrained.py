"""What must hold of the folders that BERT tokenizers are saved to, by this package or by others."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, BertWordPieceTokenizer

import wpedu._files
from wpedu.bert import BertTokenizer
from wpedu.bert.pretrained import CONFIG, PIPELINE, VOCAB

SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
TOKENS = [*SPECIAL_TOKENS, "the", "##s", "É", "e"]
TEXT = "The sé É es [SEP] [MASK] thes"


@pytest.fixture(params=[True, False])
def bert(request):
    return BertTokenizer(TOKENS, lowercase=request.param)


@pytest.fixture
def folder(bert, tmp_path):
    bert.save_pretrained(tmp_path)
    return tmp_path


def check_is(opened, bert):
    assert (opened.vocab, opened.lowercase) == (bert.vocab, bert.lowercase)
    assert opened.encode(TEXT, TEXT) == bert.encode(TEXT, TEXT)


def change(path, *keys, to):
    """Set what `keys` lead to in the JSON file at `path`."""
    saved = json.loads(path.read_bytes())
    inner = saved
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = to
    path.write_text(json.dumps(saved), encoding="utf-8")


# What is saved is loaded


def test_what_is_saved_is_loaded_with_its_case(bert, folder):
    check_is(BertTokenizer.from_pretrained(folder), bert)
    check_is(BertTokenizer.from_pretrained(str(folder)), bert)


@pytest.mark.parametrize("missing", [{VOCAB}, {CONFIG}, {PIPELINE}, {VOCAB, CONFIG}])
def test_the_others_are_enough(bert, folder, missing):
    for name in missing:
        (folder / name).unlink()
    check_is(BertTokenizer.from_pretrained(folder), bert)


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1)),
    st.permutations(SPECIAL_TOKENS),
    st.sampled_from(["[PAD]", "[MASK]", None]),
    st.booleans(),
)
def test_any_vocabulary_comes_back(tmp_path_factory, tokens, special, missing, lowercase):
    folder = tmp_path_factory.mktemp("bert")
    tokens = dict.fromkeys([*special, *tokens])
    bert = BertTokenizer([token for token in tokens if token != missing], lowercase)
    bert.save_pretrained(folder)
    opened = BertTokenizer.from_pretrained(folder)
    assert (opened.vocab, opened.lowercase) == (bert.vocab, lowercase)


def test_homers_comes_back(wp, homer, tmp_path):
    bert = wp.to_bert_tokenizer()
    bert.save_pretrained(tmp_path)
    opened = BertTokenizer.from_pretrained(tmp_path)
    assert opened.encode(homer.opening) == bert.encode(homer.opening)


# What Hugging Face saves is loaded


def test_what_tokenizers_saves_is_loaded(bert, tmp_path):
    theirs = BertWordPieceTokenizer(bert.vocab, lowercase=bert.lowercase)
    theirs.save(str(tmp_path / PIPELINE))
    check_is(BertTokenizer.from_pretrained(tmp_path), bert)


def test_what_transformers_saves_is_loaded(bert, folder, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    transformers = pytest.importorskip("transformers")
    saved = tmp_path_factory.mktemp("saved")
    opened = transformers.AutoTokenizer.from_pretrained(folder)
    opened.save_pretrained(saved)
    check_is(BertTokenizer.from_pretrained(saved), bert)


def test_case_is_uncased_where_only_vocabulary_and_an_older_config_are(tmp_path):
    BertTokenizer(TOKENS).save_pretrained(tmp_path)
    (tmp_path / PIPELINE).unlink()
    (tmp_path / CONFIG).write_text('{"model_max_length": 512}')
    assert BertTokenizer.from_pretrained(tmp_path).lowercase


@pytest.mark.parametrize(
    "change_theirs",
    [
        lambda theirs: theirs.enable_truncation(8),
        lambda theirs: theirs.enable_padding(),
        lambda theirs: theirs.add_special_tokens(["the"]),
        lambda theirs: theirs.add_tokens([AddedToken("[NAME]")]),
    ],
)
def test_what_is_not_done_here_is_refused(tmp_path, change_theirs):
    theirs = BertWordPieceTokenizer({token: i for i, token in enumerate(TOKENS)})
    change_theirs(theirs)
    theirs.save(str(tmp_path / PIPELINE))
    with pytest.raises(ValueError, match=r"tokenizer\.json has a .* that is not done here"):
        BertTokenizer.from_pretrained(tmp_path)


@pytest.mark.parametrize(
    "settings",
    [
        {"strip_accents": False},
        {"clean_text": False},
        {"handle_chinese_chars": False},
        {"wordpieces_prefix": "@@"},
    ],
)
def test_another_pipeline_is_refused(tmp_path, settings):
    vocab = {token: i for i, token in enumerate(TOKENS)}
    BertWordPieceTokenizer(vocab, **settings).save(str(tmp_path / PIPELINE))
    with pytest.raises(ValueError, match=r"tokenizer\.json has a .* that is not done here"):
        BertTokenizer.from_pretrained(tmp_path)


def test_stripping_accents_as_case_does_is_no_other_pipeline(tmp_path):
    vocab = {token: i for i, token in enumerate(TOKENS)}
    theirs = BertWordPieceTokenizer(vocab, lowercase=True, strip_accents=True)
    theirs.save(str(tmp_path / PIPELINE))
    check_is(BertTokenizer.from_pretrained(tmp_path), BertTokenizer(TOKENS))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("do_lower_case", "yes"),
        ("tokenize_chinese_chars", False),
        ("tokenizer_class", "T5Tokenizer"),
        ("do_basic_tokenize", False),
        ("never_split", ["the"]),
        ("additional_special_tokens", ["the"]),
        ("added_tokens_decoder", {"9": {"content": "[NAME]"}}),
        ("added_tokens_decoder", 3),
        ("unk_token", "<unk>"),
        ("mask_token", None),
    ],
)
def test_another_config_is_refused(folder, key, value):
    change(folder / CONFIG, key, to=value)
    with pytest.raises(ValueError, match=rf"tokenizer_config\.json has {key}"):
        BertTokenizer.from_pretrained(folder)


# What is damaged, or not there


def test_files_of_two_tokenizers_are_refused(folder, bert):
    change(folder / CONFIG, "do_lower_case", to=not bert.lowercase)
    with pytest.raises(ValueError, match="not of one tokenizer"):
        BertTokenizer.from_pretrained(folder)
    bert.save_pretrained(folder)
    (folder / VOCAB).write_text("\n".join([*SPECIAL_TOKENS, "the", "##s", "e", "É"]))
    with pytest.raises(ValueError, match="not of one tokenizer"):
        BertTokenizer.from_pretrained(folder)


@pytest.mark.parametrize("missing", [{PIPELINE, VOCAB}, {PIPELINE, CONFIG}])
def test_a_missing_file_is_named(folder, missing):
    for name in missing:
        (folder / name).unlink()
    with pytest.raises(FileNotFoundError, match="has neither"):
        BertTokenizer.from_pretrained(folder)


def test_a_folder_that_is_none_is_refused(tmp_path):
    (tmp_path / "file").write_text("before")
    for name in ("nowhere", "file"):
        with pytest.raises(FileNotFoundError, match=f"{name} has neither"):
            BertTokenizer.from_pretrained(tmp_path / name)


@pytest.mark.parametrize("name", [PIPELINE, CONFIG])
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"3", b"\xff{}", b"[" * 100_000])
def test_damaged_json_is_refused_with_its_path(folder, name, content):
    (folder / name).write_bytes(content)
    with pytest.raises(ValueError, match=name):
        BertTokenizer.from_pretrained(folder)


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (["model"], None),
        (["model", "vocab"], ["[UNK]"]),
        (["model", "vocab"], {"[UNK]": 0}),
        (["model", "vocab", "the"], 99),
        (["model", "vocab", "the"], 5.0),
        (["model", "vocab", "a b"], 9),
        (["model", "unk_token"], "[PAD]"),
        (["model", "max_input_chars_per_word"], 200),
        (["normalizer"], None),
        (["normalizer", "lowercase"], None),
        (["added_tokens"], []),
        (["post_processor", "sep"], ["[SEP]", 4]),
        (["pre_tokenizer", "type"], "Whitespace"),
        (["version"], "2.0"),
        (["something"], "new"),
    ],
)
def test_a_pipeline_that_does_not_fit_together_is_refused(folder, keys, value):
    change(folder / PIPELINE, *keys, to=value)
    with pytest.raises(ValueError, match=r"tokenizer\.json"):
        BertTokenizer.from_pretrained(folder)


def test_whatever_is_cut_off_is_missed(bert, folder):
    for name in (PIPELINE, CONFIG):
        content = (folder / name).read_bytes()
        for length in range(0, len(content) - 1, 7):
            (folder / name).write_bytes(content[:length])
            with pytest.raises(ValueError, match=name):
                BertTokenizer.from_pretrained(folder)
        (folder / name).write_bytes(content)
    check_is(BertTokenizer.from_pretrained(folder), bert)


# Saving


@pytest.mark.parametrize("at", range(3))
def test_a_save_that_fails_leaves_the_set_that_was_there(bert, folder, monkeypatch, at):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    replace, moved = os.replace, []

    def fail(source, target):
        moved.append(target)
        if len(moved) == at + 1:
            raise OSError("no space left on device")
        replace(source, target)

    monkeypatch.setattr(wpedu._files.os, "replace", fail)
    with pytest.raises(OSError):
        BertTokenizer([*SPECIAL_TOKENS, "other"], not bert.lowercase).save_pretrained(folder)
    monkeypatch.undo()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_what_says_how_to_read_the_others_is_written_last(bert, tmp_path, monkeypatch):
    moved = []
    replace = os.replace
    monkeypatch.setattr(
        wpedu._files.os, "replace", lambda a, b: (moved.append(os.path.basename(b)), replace(a, b))
    )
    bert.save_pretrained(tmp_path)
    assert sorted(moved) == sorted([VOCAB, CONFIG, PIPELINE])
    assert moved[-1] == PIPELINE
