"""Start JupyterLab by the command given, ask it for every notebook, and run the first one.

The command is the one that the README shows, without a browser and on a free port. The notebook
runs in a kernel of that server, as it does when a reader presses Shift + Enter in every cell.
"""

import json
import shlex
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path

import nbformat
import requests
from websocket import create_connection

TOKEN = "ci"


def main(command: str) -> None:
    """Start the server, check what it serves, and stop it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program, *arguments = shlex.split(command)
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    options += [f"--IdentityProvider.token={TOKEN}", "--ServerApp.port_retries=0"]
    server = subprocess.Popen([program, *arguments, *options], stderr=subprocess.DEVNULL)
    try:
        check(f"http://127.0.0.1:{port}", opened=arguments[-1])
    finally:
        server.terminate()
        server.wait(60)


def check(url: str, opened: str) -> None:
    """Ask for every notebook and for the page that opens, and run the notebook that it opens."""
    session = requests.Session()
    session.headers["Authorization"] = f"token {TOKEN}"
    wait_for(session, f"{url}/api/status")
    # JupyterLab's root folder is that of the notebook it was given.
    names = sorted(path.name for path in Path("notebooks").glob("*.ipynb"))
    for name in names:
        served = get(session, f"{url}/api/contents/{name}").json()
        assert served["type"] == "notebook" and served["content"]["cells"], name
    get(session, f"{url}/lab/tree/{Path(opened).name}")
    print(f"JupyterLab serves {len(names)} notebooks")

    kernel = session.post(f"{url}/api/kernels", json={"name": "python3"}, timeout=60)
    kernel.raise_for_status()
    channel = f"{url.replace('http', 'ws')}/api/kernels/{kernel.json()['id']}/channels"
    socket = create_connection(f"{channel}?token={TOKEN}", timeout=120)
    cells = [c for c in nbformat.read(opened, 4).cells if c.cell_type == "code"]
    for cell in cells:
        reply = execute(socket, cell.source)
        assert reply["status"] == "ok", reply
    socket.close()
    print(f"{opened}: {len(cells)} cells run through its kernel")


def wait_for(session: requests.Session, url: str) -> None:
    """Return as soon as `url` answers; raise TimeoutError if it does not within a minute."""
    for _ in range(120):
        try:
            get(session, url)
            return
        except requests.ConnectionError:
            time.sleep(0.5)
    raise TimeoutError(url)


def get(session: requests.Session, url: str) -> requests.Response:
    """Return the answer of `url`, if it is not an error."""
    answer = session.get(url, timeout=60)
    answer.raise_for_status()
    return answer


def execute(socket, code: str) -> dict:
    """Run `code` in the kernel behind `socket` and return the content of its reply."""
    header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "session": "ci"}
    header |= {"username": "ci", "version": "5.3"}
    content = {"code": code, "silent": False, "store_history": True}
    message = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
    socket.send(json.dumps(message | {"channel": "shell"}))
    while True:
        reply = json.loads(socket.recv())
        answered = reply["parent_header"].get("msg_id") == header["msg_id"]
        if answered and reply["msg_type"] == "execute_reply":
            return reply["content"]


main(sys.argv[1])
