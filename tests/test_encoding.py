"""What must hold of the encoders: one answer, whatever the word and the vocabulary."""

import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wpedu.encoding import (
    UNKNOWN,
    LinearEncoder,
    LoopEncoder,
    RegexEncoder,
    subword_tokenize,
)
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
    """Return the answer as the definition has it."""
    subwords, rest = [], word
    while rest:
        fitting = [subword for subword in vocab if rest.startswith(subword) and subword != UNKNOWN]
        if not fitting:
            return [UNKNOWN]
        subwords.append(max(fitting, key=len))
        rest = rest[len(subwords[-1]) :]
    return [UNKNOWN] if START in word[1:] else subwords


class TestOneAnswer:
    """The three encoders and the definition."""

    @given(words_and_vocabs())
    @example(("", []))
    @example(("a", []))
    @example(("▁ships", ["▁sh", "ip", "s", "▁shipped"]))
    @example(("abcd", ["a", "abc", "bcdf", "b", "cd"]))
    @example(("aaab", ["a", "aaaa", "b"]))
    def test_is_the_greedy_one(self, word_and_vocab):
        word, vocab = word_and_vocab
        expected = greedy(word, vocab)
        assert [encoder(vocab).encode(word) for encoder in ENCODERS] == [expected] * 3

    @given(words_and_vocabs())
    def test_concatenates_to_the_word_or_is_unknown(self, word_and_vocab):
        word, vocab = word_and_vocab
        for encoder in ENCODERS:
            subwords = encoder(vocab).encode(word)
            if subwords != [UNKNOWN]:
                assert "".join(subwords) == word
                assert set(subwords) <= set(vocab)

    @given(words_and_vocabs(), st.randoms())
    def test_does_not_depend_on_the_vocabulary_s_order_or_duplicates(self, word_and_vocab, random):
        word, vocab = word_and_vocab
        shuffled = vocab + vocab[:3]
        random.shuffle(shuffled)
        for encoder in ENCODERS:
            assert encoder(shuffled).encode(word) == encoder(vocab).encode(word)

    @every_encoder
    def test_is_exact_about_characters(self, encoder):
        encode = encoder([START, "é", "ß", "S", "."]).encode
        assert encode("▁e\u0301") == [UNKNOWN]  # é in two characters
        assert encode("▁ss") == encode("▁s") == encode("▁x") == [UNKNOWN]

    @every_encoder
    def test_takes_any_iterable(self, encoder):
        vocab = [START, "a", "ab"]
        for same in (iter(vocab), tuple(vocab), set(vocab), dict.fromkeys(vocab)):
            assert encoder(same).encode("▁aba") == [START, "ab", "a"]


class TestMark:
    """A "▁" is a start of word at the start of a word, and nowhere else."""

    @every_encoder
    @pytest.mark.parametrize("word", ["▁▁", "▁a▁", "a▁", "▁a▁b", "a▁b"])
    def test_inside_makes_a_word_unknown(self, encoder, word):
        vocab = [START, "a", "b", "▁a", "▁b", "a▁", "▁▁", "▁a▁b", "a▁b"]
        assert encoder(vocab).encode(word) == [UNKNOWN]

    @every_encoder
    def test_may_be_missing_in_front(self, encoder):
        assert encoder(["▁a", "a", "b"]).encode("ab") == ["a", "b"]

    @every_encoder
    def test_alone_is_a_word(self, encoder):
        assert encoder([START]).encode(START) == [START]


class TestUnknown:
    """The unknown token is an answer and never a subword."""

    @every_encoder
    def test_does_not_match_its_own_letters(self, encoder):
        assert encoder([UNKNOWN, "a"]).encode("a[UNK]") == [UNKNOWN]
        assert encoder([UNKNOWN, *UNKNOWN]).encode(UNKNOWN) == list(UNKNOWN)

    @every_encoder
    def test_empty_vocabulary_knows_only_the_empty_word(self, encoder):
        assert encoder([]).encode("") == []
        assert encoder([]).encode("a") == [UNKNOWN]

    @every_encoder
    def test_empty_word_has_no_subwords(self, encoder):
        assert encoder(["a"]).encode("") == []


class TestBadInput:
    """It is refused at the door."""

    @pytest.mark.parametrize("build", [*ENCODERS, lambda vocab: subword_tokenize("", vocab)])
    @pytest.mark.parametrize("vocab", ["abc", b"abc", None, 3, ["a", 1], ["a", None], [["a"]]])
    def test_vocabulary_of_a_wrong_type(self, build, vocab):
        with pytest.raises(TypeError, match="must be"):
            build(vocab)

    @pytest.mark.parametrize("build", [*ENCODERS, lambda vocab: subword_tokenize("", vocab)])
    def test_empty_subword(self, build):
        with pytest.raises(ValueError, match="empty string"):
            build(["a", ""])

    @every_encoder
    @pytest.mark.parametrize("word", [None, b"a", ["a"], 1])
    def test_word_of_a_wrong_type(self, encoder, word):
        with pytest.raises(TypeError, match="word must be a str"):
            encoder(["a"]).encode(word)

    def test_text_of_a_wrong_type(self):
        with pytest.raises(TypeError, match="text must be a str"):
            subword_tokenize(["a"], ["a"])


class TestSubwordTokenize:
    """Greedy longest-prefix matching, without mark and unknown token."""

    @pytest.mark.parametrize(
        ("text", "vocab", "tokens"),
        [
            ("cat", ["c", "a", "t", "ca", "cat"], ["cat"]),
            ("cats", ["c", "a", "t", "s", "ca", "cat"], ["cat", "s"]),
            ("abc", ["a", "b", "c"], ["a", "b", "c"]),
            ("", ["a"], []),
            ("", [], []),
            ("a▁ [UNK]", ["a▁", " ", "[UNK]"], ["a▁", " ", "[UNK]"]),
        ],
    )
    def test_examples(self, text, vocab, tokens):
        assert subword_tokenize(text, vocab) == tokens

    @given(st.sampled_from(ALPHABETS), st.data())
    def test_concatenates_to_the_text(self, alphabet, data):
        vocab = alphabet + data.draw(st.lists(texts(alphabet, 6, shortest=1)))
        text = data.draw(texts(alphabet, 30))
        assert "".join(subword_tokenize(text, vocab)) == text

    @pytest.mark.parametrize(
        ("text", "vocab", "message"),
        [
            ("cap", ["c", "a", "t"], "'p' at position 2"),
            ("aba", ["ab", "b"], "'a' at position 2"),
            ("abd", ["a", "abc"], "'b' at position 1"),
            ("a\ud800", ["a"], r"'\\ud800' at position 1"),
            ("a", [], "'a' at position 0"),
        ],
    )
    def test_names_the_character_its_position_and_the_remedy(self, text, vocab, message):
        with pytest.raises(ValueError, match=message + r".* add it"):
            subword_tokenize(text, vocab)


class CountingDict(dict):
    """Counts its look-ups, together with all others."""

    lookups = 0

    def get(self, key, default=None):
        CountingDict.lookups += 1
        return super().get(key, default)


class CountingSet(frozenset):
    """Counts its look-ups, together with all others."""

    lookups = 0

    def __contains__(self, key):
        CountingSet.lookups += 1
        return super().__contains__(key)


def linear_lookups(vocab, word):
    encoder = LinearEncoder(vocab)
    encoder._trie._children = [CountingDict(children) for children in encoder._trie._children]
    CountingDict.lookups = 0
    encoder.encode(word)
    return CountingDict.lookups


def loop_lookups(vocab, word):
    encoder = LoopEncoder(vocab)
    encoder._subwords = CountingSet(encoder._subwords)
    CountingSet.lookups = 0
    encoder.encode(word)
    return CountingSet.lookups


def slow_vocab(k):
    """Return subwords for which the loop tries k lengths at each letter of aaa…b."""
    return ["a", "b", "a" * (k - 2) + "ba"]


class TestLinearTime:
    """Look-ups are counted, not timed."""

    @given(words_and_vocabs())
    def test_at_most_two_lookups_a_character(self, word_and_vocab):
        word, vocab = word_and_vocab
        assert linear_lookups(vocab, word) <= 2 * len(word) + 1

    @pytest.mark.parametrize("n", [100, 10_000, 1_000_000])
    def test_grows_with_the_word_alone(self, n):
        word = "a" * (n - 1) + "b"
        counts = {linear_lookups(slow_vocab(k), word) for k in (10, 20, 40)}
        assert max(counts) <= 2 * n + 1

    @pytest.mark.parametrize("n", [100, 1_000, 10_000])
    def test_loop_grows_with_the_longest_subword_too(self, n):
        word = "a" * (n - 1) + "b"
        for k in (10, 20, 40):
            # At each letter every length is tried, but near the end, where fewer are left.
            assert k * (n - k) <= loop_lookups(slow_vocab(k), word) <= k * n

    def test_where_the_longest_subword_grows_with_the_word_the_loop_is_quadratic(self):
        loop, linear = [], []
        for n in (100, 200, 400):
            word, vocab = "a" * (n - 1) + "b", slow_vocab(n // 2)
            loop.append(loop_lookups(vocab, word))
            linear.append(linear_lookups(vocab, word))
        assert loop[1] > 3.9 * loop[0] and loop[2] > 3.9 * loop[1]
        assert linear[1] < 2.1 * linear[0] and linear[2] < 2.1 * linear[1]

    @every_encoder
    def test_a_million_letters(self, encoder):
        vocab = [START, "a", "b", "aa", "aaab"]
        word = START + "a" * 999_998 + "b"
        subwords = encoder(vocab).encode(word)
        assert subwords == [START] + ["aa"] * 499_999 + ["b"]
        assert encoder(vocab).encode(word + "c") == [UNKNOWN]

    def test_a_million_letters_and_subwords_of_a_thousand(self):
        subwords = LinearEncoder(slow_vocab(1_000)).encode("a" * 999_999 + "b")
        assert subwords == ["a"] * 999_999 + ["b"]


class TestLinearMemory:
    """The trie is no larger than the subwords it is made of."""

    @given(words_and_vocabs())
    def test_nodes_and_pops_are_bounded_by_the_subwords_total_length(self, word_and_vocab):
        _, vocab = word_and_vocab
        trie = FailureTrie(vocab)
        letters = sum(map(len, set(vocab)))
        assert len(trie._children) <= letters + 1
        assert len(trie._pops) <= letters + 1

    def test_subwords_whose_pops_written_out_are_half_a_million(self):
        alphabet = [chr(0x4E00 + i) for i in range(1_000)]
        trie = FailureTrie([*alphabet, "".join(alphabet) + "!"])
        written_out = [trie._failure_pops(node) for node in range(len(trie._children))]
        assert sum(map(len, written_out)) > 499_000
        assert len(trie._pops) <= 2_001

    def test_pops_of_a_aa_aaa(self):
        trie = FailureTrie("a" * k for k in range(1, 500))
        assert len(trie._children) == len(trie._pops) == 500

    def test_a_long_subword_can_be_pickled(self):
        alphabet = [chr(0x4E00 + i) for i in range(5_000)]
        encoder = LinearEncoder([*alphabet, "".join(alphabet) + "!"])
        word = "".join(alphabet)
        assert pickle.loads(pickle.dumps(encoder)).encode(word) == alphabet
