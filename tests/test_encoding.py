"""All encoders give the same subwords, for any word and vocabulary."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wpedu.encoding import UNKNOWN, LinearEncoder, LoopEncoder, RegexEncoder, subword_tokenize
from wpedu.fast.trie import FailureTrie
from wpedu.pretokenization import START

ENCODERS = [RegexEncoder, LoopEncoder, LinearEncoder]

ALPHABETS = [
    ["a"],
    ["a", "b"],
    ["a", "b", START],
    ["a", "b", "c", "d", START],
    ["[", "U", "N", "K", "]", UNKNOWN, START],
    [*r".^$*+?{}[]\|()-#&~ ", "\n", "\0", "a", START],
    ["e", "é", "\u0301", "\u0323", "ß", "\u017f", "s", "S", "İ", "i", START],
    ["\ud83d", "\ude00", "😀", "\udfff", "a", START],
]

MARKED = [START, "a", "b", "▁a", "▁b", "a▁", "▁▁", "▁a▁b", "a▁b"]

every_encoder = pytest.mark.parametrize("encoder", ENCODERS)


def texts(alphabet, longest, shortest=0):
    return st.lists(st.sampled_from(alphabet), min_size=shortest, max_size=longest).map("".join)


@st.composite
def words_and_vocabs(draw):
    alphabet = draw(st.sampled_from(ALPHABETS))
    vocab = draw(st.lists(texts(alphabet, 6, shortest=1), max_size=12))
    with_alphabet = draw(st.booleans())
    word = draw(st.sampled_from(["", START])) + draw(texts(alphabet, 25))
    return word, vocab + alphabet * with_alphabet


def greedy(word, vocab):
    """Return the subwords by the definition."""
    subwords, rest = [], word
    while rest:
        matches = [subword for subword in vocab if rest.startswith(subword) and subword != UNKNOWN]
        if not matches:
            return [UNKNOWN]
        subwords.append(max(matches, key=len))
        rest = rest[len(subwords[-1]) :]
    return [UNKNOWN] if START in word[1:] else subwords


@given(words_and_vocabs(), st.randoms())
@example(("", []), None)
@example(("a", []), None)
@example(("▁ships", ["▁sh", "ip", "s", "▁shipped"]), None)
@example(("abcd", ["a", "abc", "bcdf", "b", "cd"]), None)
@example(("aaab", ["a", "aaaa", "b"]), None)
def test_every_encoder_is_greedy_for_any_order_of_the_subwords(word_and_vocab, random):
    word, vocab = word_and_vocab
    shuffled = vocab + vocab[:3]
    if random:
        random.shuffle(shuffled)
    assert [encoder(shuffled).encode(word) for encoder in ENCODERS] == [greedy(word, vocab)] * 3


@every_encoder
@pytest.mark.parametrize(
    ("word", "vocab", "subwords"),
    [
        ("▁e\u0301", [START, "é", "ß", "S", "."], [UNKNOWN]),  # é in two characters
        ("▁ss", [START, "é", "ß", "S", "."], [UNKNOWN]),
        ("▁s", [START, "é", "ß", "S", "."], [UNKNOWN]),
        # A mark can only start a word.
        *((word, MARKED, [UNKNOWN]) for word in ["▁▁", "▁a▁", "a▁", "▁a▁b", "a▁b"]),
        ("ab", ["▁a", "a", "b"], ["a", "b"]),
        (START, [START], [START]),
        # The unknown token is a result, but not a subword.
        ("a[UNK]", [UNKNOWN, "a"], [UNKNOWN]),
        (UNKNOWN, [UNKNOWN, *UNKNOWN], list(UNKNOWN)),
        ("", [], []),
        ("", ["a"], []),
        ("a", [], [UNKNOWN]),
    ],
)
def test_a_known_result(encoder, word, vocab, subwords):
    assert encoder(vocab).encode(word) == subwords


@pytest.mark.parametrize("build", [*ENCODERS, lambda vocab: subword_tokenize("", vocab)])
def test_a_non_vocabulary_is_rejected(build):
    for vocab in ("abc", b"abc", None, 3, ["a", 1], ["a", None], [["a"]]):
        with pytest.raises(TypeError, match="must be"):
            build(vocab)
    with pytest.raises(ValueError, match="empty string"):
        build(["a", ""])


@every_encoder
def test_a_non_word_or_non_text_is_rejected(encoder):
    with pytest.raises(TypeError, match="word must be a str"):
        encoder(["a"]).encode(b"a")
    with pytest.raises(TypeError, match="text must be a str"):
        subword_tokenize(["a"], ["a"])


def test_subword_tokenize_has_no_mark_and_no_unknown_token():
    assert subword_tokenize("a▁ [UNK]", ["a▁", " ", "[UNK]"]) == ["a▁", " ", "[UNK]"]
    assert subword_tokenize("", []) == []
    for text, vocab, position in [
        ("cap", ["c", "a", "t"], "'p' at position 2"),
        ("abd", ["a", "abc"], "'b' at position 1"),
        ("a\ud800", ["a"], r"'\\ud800' at position 1"),
    ]:
        with pytest.raises(ValueError, match=position + r".* add it"):
            subword_tokenize(text, vocab)


class Counting(dict):
    """A dict that counts the look-ups in all dicts of its class."""

    lookups = 0

    def get(self, key):
        Counting.lookups += 1
        return super().get(key)


@given(words_and_vocabs())
@example(("a" * 399 + "b", ["a", "b", "a" * 198 + "ba"]))  # quadratic for the loop
def test_the_trie_is_linear_in_look_ups_and_in_size(case):
    word, vocab = case
    trie, characters = FailureTrie(vocab), sum(map(len, set(vocab)))
    assert max(len(trie._children), len(trie._pops)) <= characters + 1
    trie._children = [Counting(children) for children in trie._children]
    Counting.lookups = 0
    trie.split(word)
    assert Counting.lookups <= 2 * len(word) + 1
