"""Checks of arguments: each returns its argument, ready for use, or raises a clear error.

Public functions check their arguments here, once: a wrong type is a TypeError, a wrong value a
ValueError. Internal functions don't check.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from numbers import Real
from operator import index
from typing import Any


def check_str(string: object, name: str) -> str:
    """Return `string` if it is a str."""
    if not isinstance(string, str):
        raise TypeError(f"{name} must be a str, not {type(string).__name__}")
    return string


def check_bool(value: object, name: str) -> bool:
    """Return `value` if it is True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return value


def check_int(value: Any, name: str, least: int | None = None) -> int:
    """Return `value` as an int; accept NumPy's integers, but not True or False."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {value!r}")
    integer = index(value)
    if least is not None and integer < least:
        raise ValueError(f"{name} must be {least} or more, not {integer}")
    return integer


def check_score(score: Any, scores: Mapping[str, Callable[..., float]]) -> Callable[..., float]:
    """Return the function named `score` in `scores`, or `score` if it takes the counts."""
    if isinstance(score, str) and score in scores:
        return scores[score]
    if not callable(score):
        raise ValueError(
            f"there is no score {score!r}: use one of {', '.join(map(repr, scores))}, or a "
            f"function (Cxy, Cx, Cy, N, M)"
        )
    try:
        signature(score).bind(*range(5), **({"joins": 0} if takes_joins(score) else {}))
    except TypeError:
        raise TypeError(
            f"the score {name_of(score)} must take the five counts (Cxy, Cx, Cy, N, M), and may "
            f"take joins: give every other parameter a default"
        ) from None
    except ValueError:  # some built-in functions have no signature
        pass
    function: Callable[..., float] = score
    return function


def takes_joins(score: Callable[..., float]) -> bool:
    """Return whether `score` has a parameter `joins`: see `wpedu.scores`."""
    try:
        return "joins" in signature(score).parameters
    except ValueError:
        return False


def check_value(value: Any, score: Callable[..., Any], pair: tuple[str, str]) -> Any:
    """Return `value`, which `score` gave for `pair`, if it is a real number."""
    is_real = isinstance(value, (float, int, Real))  # float and int first: they are faster to check
    if is_real and value == value:
        return value
    raise (ValueError if is_real else TypeError)(
        f"the score {name_of(score)} gave {value!r} for the pair {pair}: return a real number"
    )


def check_list(values: Any, name: str, of: str = "str") -> list[Any]:
    """Return `values` as a list; reject sets, which have no order, and single strings."""
    if isinstance(values, (set, frozenset)):
        kind = type(values).__name__
        raise TypeError(f"{name} must be a list of {of}, not a {kind}, which has no order")
    if isinstance(values, (str, bytes, os.PathLike)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be an iterable of {of}, not one {type(values).__name__}")
    return list(values)


def check_strings(strings: Any, name: str, ordered: bool = True) -> list[str]:
    """Return `strings` as a list of str; accept a set only if `ordered` is False."""
    unordered = not ordered and isinstance(strings, (set, frozenset))
    checked = list(strings) if unordered else check_list(strings, name)
    for string in checked:
        if not isinstance(string, str):
            raise TypeError(f"{name} must be an iterable of str, and has {string!r} in it")
    return checked


def check_subwords(vocab: Any, name: str = "vocab", ordered: bool = True) -> list[str]:
    """Return `vocab` as a list of non-empty str; {subword: id} in the order of its ids."""
    if ordered and isinstance(vocab, Mapping):
        ids = {subword: check_int(id, f"the id of {subword!r}") for subword, id in vocab.items()}
        if len(set(ids.values())) < len(ids):
            raise ValueError(f"two entries of {name} have the same id: give each its own")
        vocab = sorted(ids, key=ids.__getitem__)
    subwords = check_strings(vocab, name, ordered)
    if "" in subwords:
        raise ValueError(f"{name} contains the empty string: leave it out")
    return subwords


def check_pair(pair: Any, name: str = "pair") -> tuple[str, str]:
    """Return `pair` as a tuple of two subwords."""
    is_sequence = isinstance(pair, (tuple, list))
    if not is_sequence or len(pair) != 2:
        error = ValueError if is_sequence else TypeError
        raise error(f"{name} must be two subwords, not {pair!r}")
    x, y = check_subwords(pair, name)
    return x, y


def check_splits(
    splits: Any, word_counts: Mapping[str, int], mark: str
) -> list[tuple[list[str], int]]:
    """Return each word's split, which spells the word with or without the mark, and its count."""
    if not isinstance(splits, Mapping):
        raise TypeError(f"splits must be a dict, not {type(splits).__name__}")
    checked = []
    for word, count in word_counts.items():
        if word not in splits:
            raise ValueError(f"splits has no {word!r}: give every word of word_counts its split")
        split = check_subwords(splits[word], f"the split of {word!r}")
        if "".join(split) not in (word, mark + word):
            raise ValueError(
                f"the split of {word!r} is {split!r}, which is not that word: give subwords that "
                f"join to it"
            )
        checked.append((split, count))
    return checked


def check_word_counts(word_counts: Any) -> dict[str, int]:
    """Return a copy of `word_counts`, or of the word counts of a `Corpus`."""
    word_counts = getattr(word_counts, "word_counts", word_counts)
    if not isinstance(word_counts, Mapping):
        raise TypeError(
            f"word_counts must be a dict, not {type(word_counts).__name__}: give a Corpus, or what "
            f"count_words(text) returns"
        )
    checked = {}
    for word, count in word_counts.items():
        if not isinstance(word, str):
            raise TypeError(f"words must be str, and {word!r} is {type(word).__name__}")
        if type(count) is not int:
            if isinstance(count, bool) or not hasattr(count, "__index__"):
                raise TypeError(f"counts must be int, and {word!r} has {count!r}")
            count = index(count)
        checked[word] = count
        if count < 1:
            raise ValueError(
                f"the word {word!r} has the count {count}, which must be 1 or more: leave it out"
            )
    return checked


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function for a message or a file."""
    return getattr(function, "__name__", type(function).__name__)
