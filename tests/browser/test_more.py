"""The tokens of the real BERT, and under *More* those of byte-pair encoding of bytes."""

import doctest
from itertools import chain
from urllib.parse import urlencode

import pytest
from hard_strings import HARD_STRINGS
from reference import WORD_COUNTS

from wpedu import BertTokenizer, load_vocab, merge_pair, pretokenize, train

# What a browser may lowercase or decompose in another way than the package, which follows the
# versions of Unicode that Hugging Face's tokenizers does.
YOUNG = ("decomposition younger than Unicode 9", "capitals younger than Unicode 15")
TEXTS = {
    **{name: text for name, text in HARD_STRINGS.items() if name not in YOUNG},
    "accents, fractions, symbols": "touché Ἀχιλλεύς ⅛ 50 ㎎ $5 don't 東京",
    "hashes inside": "a##b C#",
    "a capital sigma at an end": "ΟΔΟΣ, ΣΟΦΟΣ",
}


def test_the_command_does_what_its_docstrings_show(command):
    result = doctest.testmod(command)
    assert result.attempted and not result.failed


def small_vocab() -> list[str]:
    """Characters of the texts, as starts and as continuations, and a few longer entries."""
    alone = dict.fromkeys(chain.from_iterable(TEXTS.values()))
    chars = [char for char in alone if not char.isspace() and not "\ud800" <= char <= "\udfff"]
    kept = [char for i, char in enumerate(chars) if i % 7]
    longer = ["the", "##ing", "an", "##ger", "[unused1]", "##οσ", "##ος"]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    entries = [*special, *kept, *(f"##{char}" for char in kept), *longer]
    return list(dict.fromkeys(entries))


@pytest.mark.parametrize("vocab", [small_vocab(), list(load_vocab("bert-base-uncased"))])
def test_bert_gives_what_the_package_gives(page, from_disk, command, vocab):
    bert = BertTokenizer(vocab, lowercase=True)  # as the page does, whatever the vocabulary
    page.goto(from_disk)
    page.evaluate(command.make_bert("\n".join(vocab)))
    script = """(texts) => {
        const tokenize = bertTokenizer(DATA.bert);
        return texts.map((text) => tokenize(text).flat().map(({ token, id }) => [token, id]));
    }"""
    shown = page.evaluate(script, list(TEXTS.values()))
    for (name, text), tokens in zip(TEXTS.items(), shown, strict=True):
        encoding = bert.encode(text)
        wanted = list(map(list, zip(encoding.tokens, encoding.ids, strict=True)))
        assert tokens == wanted, name


def test_bytes_are_cut_by_replaying_the_merges(page, from_disk, command):
    chars = command.byte_chars()
    assert len(set(chars)) == 256

    def in_bytes(word: str) -> str:
        return "".join(chars[byte] for byte in word.encode())

    merges = train(
        {in_bytes(word): count for word, count in WORD_COUNTS.items()}, 2_000, "frequency"
    )
    words = [*list(WORD_COUNTS)[::9], *chain.from_iterable(map(pretokenize, TEXTS.values()))]
    splits = {word: ["▁", *in_bytes(word)] for word in dict.fromkeys(words) if len(word) < 1_000}
    wanted = dict(splits)
    for x, y in merges:
        for word, split in wanted.items():
            if x in split and y in split:
                wanted[word] = merge_pair((x, y), split)
    page.goto(from_disk)
    page.evaluate(command.make_bytes())
    script = """(words) => {
        const tokenize = byteTokenizer(DATA.byteChars, DATA.bytes);
        return words.map((word) => tokenize(word).flat().map(({ token }) => token));
    }"""
    shown = page.evaluate(script, list(splits))
    assert dict(zip(splits, shown, strict=True)) == wanted
    assert "[UNK]" not in set(chain.from_iterable(shown))


def test_bytes_are_loaded_when_they_are_opened_and_follow_the_sentence(page, from_disk):
    asked = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    page.goto(f"{from_disk}?{urlencode({'merges': 200, 'text': 'ὀ'})}")
    assert "data-bytes.js" not in asked
    page.locator("#more summary").click()
    page.locator("#bytes .token").first.wait_for()
    tokens = page.locator("#bytes .token")
    token_of = "(all) => all.map((one) => [one.dataset.token, one.title])"
    assert tokens.evaluate_all(token_of) == [
        ["▁", "start of word"], ["á", "byte E1"], ["½", "byte BD"], ["Ģ", "byte 80"]
    ]  # fmt: skip
    page.locator("#text").fill("the")
    page.wait_for_function("byId('bytes').querySelector('.token').dataset.token === '▁the'")
    assert page.locator("#bytes output").inner_text() == "1 token"
    assert "learned from Homer" in page.locator("#bytes h2").inner_text()
