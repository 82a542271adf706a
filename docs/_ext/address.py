"""Where the repository is: `[project.urls]` of pyproject.toml says it, and nothing else does."""

from collections.abc import Mapping
from typing import Any

BRANCH = "main"


def repository(urls: Mapping[str, str]) -> str | None:
    """Return the address of the repository, or None while there is none.

    >>> repository({"Repository": "https://github.com/someone/wpedu/"})
    'https://github.com/someone/wpedu'
    """
    return urls.get("Repository", "").rstrip("/") or None


def launch_options(urls: Mapping[str, str]) -> dict[str, Any]:
    """Return what the theme needs to link to the repository and to run a notebook elsewhere.

    >>> launch_options({})
    {}
    """
    address = repository(urls)
    if address is None:
        return {}
    return {
        "repository_url": address,
        "repository_branch": BRANCH,
        "use_repository_button": True,
        "launch_buttons": {
            "binderhub_url": "https://mybinder.org",
            "colab_url": "https://colab.research.google.com",
            "notebook_interface": "jupyterlab",
        },
    }
