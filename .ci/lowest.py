"""Print pip constraints that pin what the tests need to the lowest versions of pyproject.toml."""

import tomllib

with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)["project"]
extras = project["optional-dependencies"]
tested = extras["notebooks"] + extras["scale"] + extras["test"]
for dependency in project["dependencies"] + tested:
    if not dependency.startswith("wpedu["):
        print(dependency.replace(">=", "=="))
