"""Runs a lab in this process: its cells, one after the other, and the points that they give.

What nbgrader does in a kernel: a test cell gives its points if it ends without an error, and
writes nothing to stderr.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

LABS = Path(__file__).parent.parent / "labs"
NAMES = sorted(path.parent.name for path in LABS.glob("source/*/*.ipynb"))


class Lab:
    """A lab with one namespace, as a kernel has it."""

    def __init__(self, name, version="source"):
        self.name = name
        path = LABS / version / name / f"{name}.ipynb"
        self.cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        self.namespace = {"__name__": "__main__", "In": [""]}
        self.output = io.StringIO()

    def code_cells(self):
        """Return what each code cell is called, and its source."""
        return {
            cell["metadata"]["nbgrader"]["grade_id"]: "".join(cell["source"])
            for cell in self.cells
            if cell["cell_type"] == "code"
        }

    def graded(self, manually=False):
        """Return the points of the cells that are graded by running them, or by a person."""
        points = {}
        for cell in self.cells:
            grading = cell["metadata"].get("nbgrader", {})
            if grading.get("grade") and grading["solution"] is manually:
                points[grading["grade_id"]] = grading["points"]
        return points

    def run(self, source):
        """Run a cell; return the error that it ends in, or None."""
        self.namespace["In"].append(source)
        sys.path.insert(0, str(LABS))
        warnings = io.StringIO()
        try:
            with contextlib.redirect_stdout(self.output), contextlib.redirect_stderr(warnings):
                exec(compile(source, f"<a cell of {self.name}>", "exec"), self.namespace)
        except Exception as error:
            return error
        finally:
            sys.path.remove(str(LABS))
        return RuntimeError(warnings.getvalue()) if warnings.getvalue() else None

    def run_all(self):
        """Run all cells; return the error of each cell that ended in one."""
        errors = {}
        for name, source in self.code_cells().items():
            errors[name] = self.run(source)
        return {name: error for name, error in errors.items() if error is not None}
