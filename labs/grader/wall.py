"""What crosses the wall between a student's Python and the tests: plain data, within limits.

Values become tagged JSON, and are rebuilt as Python's own types; functions become numbers. Nothing
that comes over is evaluated or unpickled. Both sides run this code, and neither trusts the other.
"""

import json
import resource
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, MappingView, MutableSequence
from itertools import chain, islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import regex

MOST_MEMORY = 4 * 2**30  # bytes of a side
LONGEST = 64 * 2**20  # bytes of a message
MOST = 4_000_000  # values in a list, or keys and values in a dictionary
SAVED = Path(tempfile.gettempdir(), "wordpiece.json")  # each side has a folder of its own
TAGS = {list: "l", tuple: "t", set: "s", frozenset: "z", Counter: "c", dict: "d", Iterator: "i"}
TAGS |= {range: "l", MappingView: "l", MutableSequence: "l", Mapping: "d"}  # such as a deque
MAKE: dict[str, Callable[[Any], Any]] = {"l": list, "t": tuple, "s": set, "z": frozenset, "i": iter}
MAKE |= {"p": lambda rest: regex.compile(*rest[:2], **rest[2])}
MAKE |= {"d": lambda rest: dict(zip(rest[::2], rest[1::2], strict=True))}
MAKE |= {"c": lambda rest: Counter(MAKE["d"](rest))}
FLAT = frozenset({type(None), bool, str, float, int})


class Stopped(BaseException):
    """A limit was exceeded; not an Exception, so that no `except Exception` catches it."""


def unpack(packed: Any, proxy: Callable[[int], Any]) -> Any:
    """Return the value; `proxy` makes something that can be called out of a number.

    Anything may be wrong with `packed`: catch all errors.
    """
    if type(packed) in FLAT:
        return packed
    tag, rest = packed[0], packed[1:]
    if tag in MAKE:
        flat = FLAT.issuperset(map(type, rest))
        items = rest if flat else [unpack(item, proxy) for item in rest]
        keys = items[::2] if tag in "dc" else items if tag in "sz" else []
        if keys and max(Counter(map(hash, keys)).values()) > 1_000:  # a dictionary would take hours
            raise ValueError("keys that collide")
        return MAKE[tag](items)
    if tag == "f":
        return proxy(int(rest[0]))
    if tag == "w":
        from wpedu import WordPiece

        SAVED.write_text(rest[0], "utf-8", "surrogatepass")
        wp = WordPiece.load(SAVED)
        wp.num_merges, wp.score = rest[1], unpack(rest[2], proxy)
        return wp
    return object()  # which cannot cross, and equals nothing


class Line:
    """The way to the other side: a socket, with one JSON value in each message."""

    hold: Callable[[Any], int | None]  # the number that a function has on this side

    def __init__(self) -> None:
        """Take the socket that the command line names; a timer of this process stops it."""
        self.sock = Connection(int(sys.argv[1]))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        signal.signal(signal.SIGPROF, self.stop)

    def stop(self, *_: Any) -> None:
        """End what runs."""
        raise Stopped("time")

    def pack(self, value: Any) -> Any:
        """Return `value` as JSON can hold it, and what can be called by the number it has here."""
        kind = type(value)
        if kind in FLAT:
            return value  # json itself refuses whole numbers of more than 4,300 digits
        if isinstance(value, str):
            return str.__str__(value)
        tag = next((TAGS[base] for base in TAGS if issubclass(kind, base)), None)
        if tag:
            each = chain.from_iterable(value.items()) if tag in "dc" else value
            items = list(islice(each, MOST))
            flat = FLAT.issuperset(map(type, items))
            return [tag, *(items if flat else map(self.pack, items))]
        if kind.__module__ == "_regex" and kind.__name__ == "Pattern":
            return ["p", value.pattern, value.flags, self.pack(value.named_lists)]
        if kind.__module__ == "numpy" and hasattr(kind, "tolist"):
            return self.pack(value.tolist())
        if kind.__module__ == "wpedu.corpus":
            return self.pack(value.word_counts)
        if "wpedu.wordpiece.WordPiece" in [f"{b.__module__}.{b.__name__}" for b in kind.__mro__]:
            value.save(SAVED)
            saved = SAVED.read_text("utf-8", "surrogatepass")
            return ["w", saved, self.pack(value.num_merges), self.pack(value.score)]
        held = self.hold(value) if callable(value) else None
        return ["o"] if held is None else ["f", held]

    def encode(self, message: Any) -> bytes:
        """Return a message as it is sent."""
        data = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if len(data) > LONGEST:
            raise ValueError("a message is too large to be sent")
        return data

    def send(self, message: Any) -> None:
        """Send a message."""
        self.sock.send_bytes(self.encode(message))

    def receive(self) -> Any:
        """Return the next message; raise EOFError, OSError or ValueError if there is none."""
        return json.loads(self.sock.recv_bytes(LONGEST))
