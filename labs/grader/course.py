"""A course of nbgrader in a folder: its settings, and handing out its labs."""

import logging
import os
import sysconfig
import warnings
from pathlib import Path
from typing import Any

SETTINGS = Path(__file__).resolve().parent.parent / "nbgrader_config.py"


def open_course(folder: Path) -> Any:
    """Return nbgrader's API for the course in `folder`."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import PyFileConfigLoader

    # nbgrader calls programs that are installed beside it, even if no environment is active.
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    warnings.filterwarnings("ignore", module=r"nbgrader\.")  # addressed to nbgrader's authors
    config = PyFileConfigLoader(SETTINGS.name, path=str(SETTINGS.parent)).load_config()
    config.CourseDirectory.root = str(folder)
    config.CourseDirectory.db_url = f"sqlite:///{folder / 'gradebook.db'}"
    api = NbGraderAPI(config=config)
    api.log.setLevel(logging.ERROR)
    return api


def must(result: dict[str, Any]) -> None:
    """Raise RuntimeError unless nbgrader reports success."""
    if not result["success"]:
        raise RuntimeError(f"{result.get('log')}\n{result.get('error')}")


def start_course(folder: Path, names: list[str]) -> None:
    """Hand out these labs in the course in `folder`, which has their sources."""
    api = open_course(folder)
    for name in names:
        must(api.generate_assignment(name, create=True))
