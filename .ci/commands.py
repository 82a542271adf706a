"""Do what the README's two commands do, or one of them: `python .ci/commands.py [1|2]`.

They are read out of the README, so that what is tested is what a reader pastes. The first is run
up to JupyterLab, which is started by `lab.py`. On Windows they are changed as the README says.
"""

import subprocess
import sys
from pathlib import Path


def main(numbers: list[int]) -> None:
    """Run the commands with these numbers."""
    lines = Path("README.md").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line.startswith("python3 -m venv ")]
    assert len(commands) == 2, "the README must show two commands"
    for number in numbers:
        command = commands[number - 1]
        if sys.platform == "win32":
            command = command.replace("python3", "py").replace("'", '"')
            command = command.replace(".venv/bin/", ".venv\\Scripts\\")
        print(f"\n== {command}", flush=True)
        prepare, _, last = command.rpartition(" && ")
        run(prepare, shell=True)
        if "jupyter" in last:
            run([sys.executable, ".ci/lab.py", last])
        else:
            run(last, shell=True)


def run(command: str | list[str], shell: bool = False) -> None:
    """Run `command`; if it fails, so does this."""
    code = subprocess.run(command, shell=shell, check=False).returncode
    if code:
        sys.exit(code)


main([int(number) for number in sys.argv[1:]] or [1, 2])
