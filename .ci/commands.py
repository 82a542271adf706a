"""Do what the README's two commands do, or one of them: `python .ci/commands.py [1|2]`.

They are read out of the README, so that what is tested is what a reader pastes. JupyterLab is
started without a browser, and asked for its notebooks. On Windows they are changed as the README
says.
"""

import json
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

URL = "http://127.0.0.1:8797"
OPTIONS = " --no-browser --allow-root --ip=127.0.0.1 --port=8797 --ServerApp.port_retries=0"
OPTIONS += " --IdentityProvider.token="


def main(numbers: list[int]) -> None:
    """Run the commands with these numbers; if one fails, so does this."""
    readme = Path("README.md").read_text(encoding="utf-8")
    commands = re.findall("^python3 -m venv .*$", readme, re.MULTILINE)
    assert len(commands) == 2, "the README must show two commands"
    for number in numbers:
        command = commands[number - 1]
        if sys.platform == "win32":
            command = command.replace("python3", "py").replace("'", '"')
            command = command.replace(".venv/bin/", ".venv\\Scripts\\")
        print(f"\n== {command}", flush=True)
        prepare, _, last = command.rpartition(" && ")
        code = subprocess.run(prepare, shell=True).returncode
        if not code and number == 1:
            serve(last + OPTIONS)
        elif not code:
            code = subprocess.run(last, shell=True).returncode
        if code:
            sys.exit(code)


def serve(command: str) -> None:
    """Start JupyterLab, ask it for its page and for its list of notebooks, and stop it."""
    start = command if sys.platform == "win32" else shlex.split(command)
    server = subprocess.Popen(start, stderr=subprocess.DEVNULL)
    try:
        assert "JupyterLab" in get("", time.monotonic() + 120)
        listed = json.loads(get("/api/contents/notebooks"))["content"]
    finally:
        server.terminate()
        server.wait(60)
    served = sorted(item["name"] for item in listed if item["name"].endswith(".ipynb"))
    assert served == sorted(path.name for path in Path("notebooks").glob("*.ipynb")), served
    print(f"JupyterLab serves {len(served)} notebooks")


def get(path: str, until: float = 0) -> str:
    """Return what the server answers; until then, ask again if nobody does."""
    while True:
        try:
            with urlopen(URL + path, timeout=60) as answer:
                return answer.read().decode()
        except URLError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


main([int(number) for number in sys.argv[1:]] or [1, 2])
