"""What crosses the wall between a student's Python and the tests: plain data, within limits.

Values become tagged JSON, and are rebuilt as Python's own types; functions become numbers. Nothing
that comes over is evaluated or unpickled. Both sides run this code, and neither trusts the other.
"""

import json
import socket
import sys
import tempfile
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from itertools import chain, islice
from pathlib import Path
from typing import Any

import regex

LONGEST = 64 * 2**20  # bytes of a message
MOST = 4_000_000  # values in a message
DEEPEST = 50  # lists in lists
TAGS = {list: "l", tuple: "t", set: "s", frozenset: "z"}
TAGS |= {dict: "d", OrderedDict: "d", defaultdict: "d", Counter: "c"}
MAKE: dict[str, Callable[[Any], Any]] = {"l": list, "t": tuple, "s": set, "z": frozenset, "i": iter}
MAKE |= {"r": lambda rest: range(*rest), "b": lambda rest: bytes.fromhex(*rest)}
MAKE |= {"p": lambda rest: regex.compile(*rest)}
FLAT = frozenset({type(None), bool, str, float, int})
VIEWS = tuple(type(view) for view in ({}.keys(), {}.values(), {}.items()))


class Opaque:
    """A value that cannot cross: it equals nothing."""


class Packer:
    """Turns values into tagged JSON; `hold` turns what can be called into a number, or None."""

    def __init__(self, hold: Callable[[Any], int | None]):
        self.hold, self.left = hold, MOST

    def __call__(self, value: Any, depth: int = 0) -> Any:
        """Return `value` as JSON can hold it; raise ValueError if it is too large."""
        kind = type(value)
        self.left -= 1
        if self.left < 0:
            raise ValueError(f"more than {MOST:,} values")
        if kind in FLAT:
            return value  # json itself refuses whole numbers of more than 4,300 digits
        if depth > DEEPEST:
            return ["o"]
        if kind is range:
            return ["r", value.start, value.stop, value.step]
        if kind is bytes:
            return ["b", value.hex()]
        if kind in VIEWS or hasattr(kind, "__next__"):
            return ["i", *(self(item, depth + 1) for item in islice(value, MOST))]
        if kind in TAGS:
            items = chain.from_iterable(dict.items(value)) if TAGS[kind] in "dc" else value
            items = list(items)
            if FLAT.issuperset(map(type, items)):
                self.left -= len(items)
                return [TAGS[kind], *items]
            return [TAGS[kind], *(self(item, depth + 1) for item in items)]
        if kind.__module__ == "_regex" and kind.__name__ == "Pattern":
            return ["p", value.pattern, value.flags]
        if kind.__module__ == "numpy" and isinstance(value, sys.modules["numpy"].generic):
            return self(value.item(), depth + 1)
        if (kind.__module__, kind.__name__) == ("wpedu.wordpiece", "WordPiece"):
            with tempfile.TemporaryDirectory() as folder:
                value.save(f"{folder}/wp")
                saved = Path(f"{folder}/wp").read_text("utf-8", "surrogatepass")
            return ["w", saved, value.num_merges, self(value.score, depth + 1)]
        held = self.hold(value)
        return ["o"] if held is None else ["f", held]


def unpack(packed: Any, proxy: Callable[[int], Any]) -> Any:
    """Return the value; `proxy` makes something that can be called out of a number.

    Anything may be wrong with `packed`: catch `UNREADABLE`.
    """
    if type(packed) in FLAT:
        return packed
    tag, rest = packed[0], packed[1:]
    if tag in MAKE or tag in ("d", "c"):
        items = rest
        if not FLAT.issuperset(map(type, rest)):
            items = [unpack(item, proxy) for item in rest]
        keys = items[::2] if tag in "dc" else items if tag in "sz" else []
        if len(keys) > 1_000 + 2 * len(set(map(hash, keys))):
            raise ValueError("keys that collide")  # a dictionary of them would take hours
        if tag in MAKE:
            return MAKE[tag](items)
        return (Counter if tag == "c" else dict)(dict(zip(items[::2], items[1::2], strict=True)))
    if tag == "f":
        return proxy(int(rest[0]))
    if tag == "w":
        from wpedu import WordPiece

        with tempfile.TemporaryDirectory() as folder:
            Path(f"{folder}/wp").write_text(rest[0], "utf-8", "surrogatepass")
            wp = WordPiece.load(f"{folder}/wp")
        wp.num_merges, wp.score = rest[1], unpack(rest[2], proxy)
        return wp
    return Opaque()


UNREADABLE = (
    ValueError, TypeError, LookupError, AttributeError, OSError, RecursionError, MemoryError,
    OverflowError, regex.error,
)  # fmt: skip


class Line:
    """A socket with one JSON value in each line."""

    def __init__(self, sock: socket.socket):
        self.sock, self.buffer = sock, bytearray()

    def send(self, message: Any) -> None:
        """Send a message."""
        self.sock.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> Any:
        """Return the next message; raise EOFError or ValueError if there is none."""
        found = self.buffer.find(b"\n")
        while found < 0:
            if len(self.buffer) > LONGEST:
                raise ValueError("too long a message")
            data, before = self.sock.recv(2**20), len(self.buffer)
            if not data:
                raise EOFError
            self.buffer += data
            found = self.buffer.find(b"\n", before)
        line = bytes(self.buffer[:found])
        del self.buffer[: found + 1]
        if line.count(b"[") + line.count(b"{") + line.count(b",") > 2 * MOST:
            raise ValueError("too many values")
        return json.loads(line)
