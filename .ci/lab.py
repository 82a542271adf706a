"""Start JupyterLab by the command given, and ask it for its page and its list of notebooks.

The command is the one that the README shows, without a browser and on a free port.
"""

import json
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen


def main(command: str) -> None:
    """Start the server, check what it serves, and stop it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    options += ["--IdentityProvider.token=", "--ServerApp.port_retries=0"]
    server = subprocess.Popen([*shlex.split(command), *options], stderr=subprocess.DEVNULL)
    try:
        check(f"http://127.0.0.1:{port}")
    finally:
        server.terminate()
        server.wait(60)


def check(url: str) -> None:
    """Ask for the page that opens, for the list of notebooks, and for what they link to."""
    page = get(url, wait=120)
    assert "JupyterLab" in page, page[:500]
    listed = json.loads(get(f"{url}/api/contents/notebooks"))["content"]
    served = sorted(item["name"] for item in listed if item["name"].endswith(".ipynb"))
    assert served == sorted(path.name for path in Path("notebooks").glob("*.ipynb")), served
    json.loads(get(f"{url}/api/contents/benchmarks/README.md?content=0"))
    print(f"JupyterLab serves {len(served)} notebooks")


def get(url: str, wait: float = 0) -> str:
    """Return what `url` answers with; for `wait` seconds, ask again if nobody answers."""
    end = time.monotonic() + wait
    while True:
        try:
            with urlopen(url, timeout=60) as answer:
                return answer.read().decode()
        except URLError:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


main(sys.argv[1])
