"""Run the code of a notebook in this process, on Homer or on another corpus."""

import re

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

LOADING = 'load_corpus("homer")'


def outputs_on(notebook, path=None) -> dict[int, str]:
    """Return what each code cell shows as text, by its index; with the corpus at `path`."""
    shell = InteractiveShell.instance()
    shell.reset()
    shell.colors = "NoColor"
    shown = {}
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            source = cell.source
            if path is not None:
                source = source.replace(LOADING, f"load_corpus({str(path)!r})")
            with capture_output() as captured:
                result = shell.run_cell(source)
            try:
                result.raise_error()
            except Exception as error:
                error.add_note(f"in cell {i}:\n{cell.source}")
                raise
            shown[i] = captured.stdout + "".join(
                output.data.get("text/plain", "") for output in captured.outputs
            )
    return shown
