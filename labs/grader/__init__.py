"""The parts of `grade.py`, one idea per module."""

import sys

# jsonschema, which nbformat imports, would compile 38 grammars for this, for seconds, in each of
# the processes that grade a submission; no notebook has an address that it could check.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
