"""`python -m wpedu.vocabularies PATH ...`: a row for each vocabulary file, and its reading."""

import argparse
import json
import signal
import sys
from io import TextIOWrapper
from pathlib import Path

from wpedu.vocabularies.provenance import find_traces, read_making, read_vocabulary


def main() -> int:
    """Print a row for each file; return 1 if one of them has no vocabulary, else 0."""
    parser = argparse.ArgumentParser(
        prog="python -m wpedu.vocabularies",
        description="Print what vocabulary files show about how they were made.",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a vocabulary file")
    parser.add_argument(
        "--json", action="store_true", help="print an object of JSON for each file, on one line"
    )
    args = parser.parse_args()
    if not args.json:
        print(
            f"{'':24} marker   entries  open: bare  continuing   unmarked  parts first  closing run"
        )
    failed = False
    for path in args.paths:
        try:
            lines = as_json(path) if args.json else describe(path)
        except OSError as error:
            failed = True
            print(f"{path} cannot be read ({error.strerror}): give a text file", file=sys.stderr)
        except ValueError as error:
            failed = True
            print(f"{path}: {error}" if path not in str(error) else error, file=sys.stderr)
        else:
            print(lines)
    return failed


def as_json(path: str) -> str:
    """Return everything about the file at `path` as JSON; pairs are bare and continuing."""
    file = read_vocabulary(path)
    traces = find_traces(file.entries)
    facts = {"path": path, "marker": file.marker, **traces._asdict()}
    return json.dumps(facts | read_making(file, traces)._asdict())


def describe(path: str) -> str:
    """Return a row about the file at `path`, and below it the origin that it looks like."""
    file = read_vocabulary(path)
    traces = find_traces(file.entries)
    bare, continuing = (o / max(of, 1) for o, of in zip(traces.open, traces.long))
    looks_like, because, as_would = read_making(file, traces)
    row = (
        f"{Path(path).name[:24]:24} {file.marker:7} {traces.entries:8,} {bare:11.1%} "
        f"{continuing:11.1%} {traces.share_unmarked:10.1%} {traces.parts_first:12.1%} "
        f"{traces.closing_run:12,}"
    )
    if not as_would:
        return f"{row}\n    {looks_like}: {because}"
    return f"{row}\n    looks like {looks_like}: {because}\n    so would {as_would}"


if __name__ == "__main__":
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # not every encoding has a ▁
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends the program, as any other
    sys.exit(main())
