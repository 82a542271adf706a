"""Scores: splits and word counts → how much each pair is worth.

`splits` is {word: its current subwords}, `word_counts` is {word: count}. A score is a function of
exact integer counts, with the letters of the formulas:

- Cxy: how often the pair xy occurs; Cx, Cy: how often its two subwords occur;
- N: the number of subword tokens; M: the number of pairs;
- Cz: how often the joined subword z occurs already. ("all" is "a" + "ll", and "al" + "l".)
- n: for a pair of equal subwords, how many joins merging makes: one in "aaa", which has two pairs.
  For any other pair it is Cxy, and n is not given.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import fsum, log

from wpedu._checks import check_word_counts

Pair = tuple[str, str]


def gain(Cxy: int, Cx: int, Cy: int, N: int, M: int, Cz: int = 0, n: int = 0) -> float:
    """Return Cxy · ln( Cxy·N² / (M·Cx·Cy) ), in nats.

    It is Cxy · (ln P(xy) − ln P(x) − ln P(y)), written with one logarithm of one quotient of
    integers, so that pairs which are equal on paper are equal here.

    Source: Nugues, Python for Natural Language Processing (2024), section 13.3.

    >>> round(gain(8, 8, 8, 35, 27), 3)
    13.883
    """
    return Cxy * log(Cxy * N * N / (M * Cx * Cy))


def ratio(Cxy: int, Cx: int, Cy: int, N: int, M: int, Cz: int = 0, n: int = 0) -> float:
    """Return Cxy / (Cx·Cy): without its count, its logarithm and its constants, the gain.

    Source: the Hugging Face course, chapter 6, section 6.

    >>> ratio(5, 20, 5, 0, 0)
    0.05
    """
    return Cxy / (Cx * Cy)


def frequency(Cxy: int, Cx: int, Cy: int, N: int, M: int, Cz: int = 0, n: int = 0) -> int:
    """Return Cxy, as byte-pair encoding does.

    Source: Sennrich, Haddow and Birch, Neural Machine Translation of Rare Words with Subword
    Units (2016), section 3.2.

    >>> frequency(8, 8, 8, 35, 27)
    8
    """
    return Cxy


def likelihood(Cxy: int, Cx: int, Cy: int, N: int, M: int, Cz: int = 0, n: int = 0) -> float:
    """Return by how much merging the pair changes the log-likelihood of the corpus, in nats.

    Where each token t has the probability C(t)/N, the corpus has the log-likelihood
    Σ f(C(t)) − f(N), with f(t) = t·ln t and f(0) = 0. The n joins change these terms:

        f(Cx−n) − f(Cx)  +  f(Cy−n) − f(Cy)  +  f(Cz+n) − f(Cz)  +  f(N) − f(N−n)

    Where x and y are equal, the first four are f(Cx−2n) − f(Cx). The sum is rounded once, so that
    it does not depend on the order of its terms.

    Source: the criterion in words is Schuster and Nakajima, Japanese and Korean Voice Search
    (2012), section 3; notebook 07 derives the formula.

    >>> likelihood(2, 2, 2, 4, 2)  # x y x y → z z, from 4·ln ½ to 0
    2.772588722239781
    """
    terms = (-_f(Cx), _f(Cx - 2 * n)) if n else (-_f(Cx), _f(Cx - Cxy), -_f(Cy), _f(Cy - Cxy))
    n = n or Cxy
    return fsum((*terms, _f(Cz + n), -_f(Cz), _f(N), -_f(N - n)))


SCORES = {"gain": gain, "ratio": ratio, "frequency": frequency, "likelihood": likelihood}


def pair_gains(
    splits: Mapping[str, Sequence[str]], word_counts: Mapping[str, int], score: str = "gain"
) -> dict[Pair, float]:
    """Return the score of every adjacent pair, in order of first occurrence.

    Raises ValueError if `score` is not one of SCORES or a word has no split, and what
    `check_word_counts` raises.

    >>> pair_gains({"hug": ["h", "ug"], "hum": ["h", "u", "m"]}, {"hug": 2, "hum": 1}, "frequency")
    {('h', 'ug'): 2, ('h', 'u'): 1, ('u', 'm'): 1}
    """
    check_score(score)
    check_word_counts(word_counts)
    token_counts, pair_counts, join_counts = Counter(), Counter(), Counter()
    for word, count in word_counts.items():
        if word not in splits:
            raise ValueError(f"splits has no {word!r}: every word of word_counts needs its split")
        split = splits[word]
        for token in split:
            token_counts[token] += count
        for pair in zip(split, split[1:]):
            pair_counts[pair] += count
        if len(set(split)) < len(split):
            for token, run in groupby(split):
                join_counts[token, token] += len(list(run)) // 2 * count
    N, M = token_counts.total(), pair_counts.total()
    scored = SCORES[score]
    return {
        (x, y): scored(
            Cxy, token_counts[x], token_counts[y], N, M, token_counts[x + y], join_counts[x, y]
        )
        for (x, y), Cxy in pair_counts.items()
    }


def check_score(score: str) -> None:
    """Raise ValueError unless `score` is the name of a score.

    >>> check_score("gain")
    """
    if not isinstance(score, str) or score not in SCORES:
        raise ValueError(f"there is no score {score!r}: use one of {', '.join(map(repr, SCORES))}")


def _f(t: int) -> float:
    return t * log(t) if t else 0.0
