"""Print pip constraints that pin each dependency of pyproject.toml to its lowest version."""

import tomllib

with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)["project"]
for dependency in project["dependencies"] + project["optional-dependencies"]["test"]:
    print(dependency.replace(">=", "=="))
