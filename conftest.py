"""Have nbval compare pictures too: by what they draw and, if possible, by how they look.

Progress bars are not compared: they change, and are not saved.
"""

import sys
from pathlib import Path

import pytest
from nbval.plugin import IPyNbCell

FOLDER = Path(__file__).parent
sys.path += [str(FOLDER / name) for name in ("tests", "notebooks", "docs")]
from execute import without_progress  # noqa: E402
from pictures import images, look_the_same, name_images  # noqa: E402


def pytest_collection_modifyitems(items):
    """Compare the names of images instead of their bytes."""
    for item in items:
        if isinstance(item, IPyNbCell):
            item.sanitize = name_images
            item.compare_outputs = _without_progress(item.compare_outputs)


def _without_progress(compare):
    return lambda fresh, stored: compare(without_progress(fresh), stored)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """After a cell has run and its text is right, compare how its pictures look."""
    result = yield
    if isinstance(item, IPyNbCell):
        pairs = zip(images(item.cell.outputs), images(item.test_outputs or []))
        for (alt, stored), (_, fresh) in pairs:
            if not look_the_same(stored, fresh):
                item.raise_cell_error(f"The picture that is saved does not look like this: {alt}")
    return result
