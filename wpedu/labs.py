"""The checks that the labs' test cells call: is it right, does it end, and whose work is it?

Nothing in here is secret. Answers are compared only after they are reduced to values of Python's
own types, so an object that claims to equal everything is rejected. A message ends with the
sentence that says what is wrong. `__tracebackhide__` tells IPython to hide a function in
tracebacks; it always shows the last one, which is `_fail`.
"""

import re
import sys
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from math import isclose, isnan
from random import Random
from string import ascii_lowercase
from types import ModuleType
from typing import Any, NoReturn

__all__ = ["agree", "built_here", "close", "digest", "ends", "same", "secret", "solution"]

LIBRARIES = ("wpedu", "tokenizers", "transformers", "sentencepiece", "tensorflow_text")
HERE = ("wpedu.corpus", "wpedu.pretokenization", "wpedu.labs")
# What `agree` puts in place of small letters: as many as share no factor with its steps, 2 and 3.
OTHERS = (
    "aAáÁeé\u0301ÉE\u0327nñoóÖøcÇsßæœσςΩΣжёЖЕiıİIאבال\u0640\u064e漢か。、가\u1100क\u093fก\u0e4809"
    "٣²½ªﬁﬂＡ１$€£°&@#[]{}()*+?|^\\/'’‘“”«»\"`.,;:!…-–—_~=<>%·\u00ad\u200b\u200c\u200d\ufeff🙂𝐀\ue000™№"
)
IMPORTED = rf"^\s*(?:import|from)\s+({'|'.join(LIBRARIES[1:])})\b"


def same(got: Any, expected: Any, sentence: str) -> None:
    """Raise AssertionError, with a sentence that says why, unless `got` equals `expected`.

    >>> same(["a", "aa"], ["aa", "a"], "Begin at the left.")
    Traceback (most recent call last):
        ...
    AssertionError: expected: ['aa', 'a']
                    got:      ['a', 'aa']
    Begin at the left.
    """
    __tracebackhide__ = True
    if _plain(got) != _plain(expected):
        _fail(sentence, got, expected)


def close(got: Any, expected: float, sentence: str, within: float = 1e-9) -> None:
    """Raise AssertionError unless `got` is a number, at most `within` times `expected` off.

    >>> close(1 / 3, 0.333, "Count again.", within=0.01)
    """
    __tracebackhide__ = True
    number = _plain(got)
    if type(number) not in (int, float) or not isclose(
        number, _plain(expected), rel_tol=within, abs_tol=within
    ):
        _fail(sentence, got, expected)


def digest(value: Any) -> str:
    """Return a fingerprint of `value`, so that a test need not contain the answer itself.

    >>> digest(("e", "a"))
    '43619cdda18d'
    """
    return sha256(repr(_plain(value)).encode()).hexdigest()[:12]


def secret(got: Any, right: str, sentence: str, mistakes: Mapping[str, str] = {}) -> None:
    """Raise AssertionError unless the digest `right` was made from `got`.

    A number may be 0.01 off, from rounding along the way. `mistakes` has sentences for some wrong
    answers.

    >>> secret(0.36, digest(0.37), "Count again.")
    """
    __tracebackhide__ = True
    value = _plain(got)
    near = [digest(value)]
    if type(value) in (int, float):
        near += [digest(round(value + more, 2)) for more in (0.0, -0.01, 0.01)]
    if right not in near:
        told = next((mistakes[wrong] for wrong in near if wrong in mistakes), sentence)
        _fail(f"got: {_short(got)}\n{told}")


def ends(function: Callable[..., Any], *arguments: Any, lines: int = 100_000) -> Any:
    """Return `function(*arguments)`; raise AssertionError if it runs too many lines of code.

    >>> ends(str.upper, "a")
    'A'
    """
    __tracebackhide__ = True
    left = lines

    def count(frame: Any, event: str, argument: Any) -> Any:
        __tracebackhide__ = True
        nonlocal left
        left -= event == "line"
        if left < 0:
            _fail(
                f"After {lines:,} lines of code there is no answer yet with "
                f"{', '.join(map(_short, arguments))}: it takes too long, or never ends."
            )
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return function(*arguments)
    finally:
        sys.settrace(before)


def solution(name: str, notebook: Mapping[str, Any]) -> Any:
    """Return the teacher's answer: where labs are graded, that is not the notebook's."""
    return notebook[name]


def agree(
    name: str,
    notebook: Mapping[str, Any],
    draw: Callable[[Random], tuple[Any, ...]],
    times: int = 3 * len(OTHERS),
) -> None:
    """Raise AssertionError unless an answer and the solution agree on arguments from `draw`.

    In two of three calls, these have other characters in place of small letters: in the usual
    number of calls, each twice in place of each letter.

    >>> agree("double", {"double": lambda n: 2 * n}, lambda random: (random.randrange(9),))
    """
    __tracebackhide__ = True
    right = solution(name, notebook)
    for seed in range(times):
        others = dict(zip(map(ord, ascii_lowercase), (2 * OTHERS)[2 * seed % len(OTHERS) :]))
        names = others if seed % 3 else {}
        mine, theirs = (_renamed(draw(Random(f"{name} {seed}")), names) for _ in range(2))
        got, expected = notebook[name](*mine), right(*theirs)
        same(got, expected, "For other inputs, the solution gives another result.")


def built_here(name: str, notebook: Mapping[str, Any], may_use: Iterable[str] = ()) -> None:
    """Raise AssertionError unless the notebook, `globals()`, defines `name` without the libraries.

    Answers are graded where the libraries are absent, except for the names in `may_use`. This
    declares these names, and tells students beforehand: it reads only the names in the answer.
    """
    __tracebackhide__ = True
    if name not in notebook:
        _fail(f"`{name}` is not defined yet: run the cell in which you wrote it.")
    used = [name]
    for one in used:  # it grows by the names that functions use
        value = notebook.get(one)
        names = getattr(getattr(value, "__code__", None), "co_names", ())
        module = getattr(value, "__name__" if isinstance(value, ModuleType) else "__module__", None)
        partly = isinstance(value, ModuleType) and {*used} & {*may_use}
        if str(module).split(".")[0] not in LIBRARIES:
            used += [other for other in names if other not in used]
        elif not partly and one not in may_use and (one == name or module not in HERE):
            _fail(f"`{name}` is what this task builds, and it uses `{one}`: write it yourself.")
    imported = re.search(IMPORTED, "\n".join(notebook.get("In", ())), re.M)
    if imported:
        told = f"Your notebook imports `{imported[1]}`, which is absent where it is graded"
        _fail(f"{told}: remove that line.")


def _renamed(value: Any, names: Mapping[int, str]) -> Any:
    kind = type(value)
    if kind is dict:
        return dict(_renamed(list(value.items()), names))
    if kind in (list, tuple):
        return kind(_renamed(one, names) for one in value)
    return value.translate(names) if kind is str else value


def _plain(value: Any, depth: int = 0) -> Any:
    """Return `value` built only from Python's own types, with NumPy's scalars as Python's.

    A NaN, and an object of any other class, become an object that equals nothing. Methods are
    called on Python's classes, not on the value, so that no answer can bring its own.
    """
    kind = type(value)
    if depth > 50:
        return object()
    if kind in _SIMPLE:
        return object() if kind is float and isnan(value) else value
    if kind in (list, tuple):
        return kind(_plain(item, depth + 1) for item in kind.__iter__(value))
    if kind in (set, frozenset):
        return frozenset(_plain(item, depth + 1) for item in kind.__iter__(value))
    if kind in _DICTS:
        items = dict.items(value)
        return {_plain(key, depth + 1): _plain(item, depth + 1) for key, item in items}
    if kind in _numpy_scalars():
        return _plain(value.item(), depth + 1)
    return object()


_SIMPLE = (int, float, complex, str, bytes, bool, type(None), range)
_DICTS = (dict, Counter, defaultdict, OrderedDict)


def _numpy_scalars() -> tuple[type, ...]:
    """Return NumPy's types for single numbers, truth values, and strings, if it was imported."""
    numpy = sys.modules.get("numpy")
    kinds = "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 str_"
    return tuple(getattr(numpy, kind) for kind in kinds.split()) if numpy else ()


def _fail(sentence: str, *compared: Any) -> NoReturn:
    if compared:
        got, expected = map(_short, compared)
        under = " " * len("AssertionError: ")
        sentence = f"expected: {expected}\n{under}got:      {got}\n{sentence}"
    raise AssertionError(sentence)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 300 else text[:300] + " …"
