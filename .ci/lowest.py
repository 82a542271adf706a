"""Print pip constraints that pin each dependency of pyproject.toml to its lowest version."""

import tomllib

with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)["project"]
extras = project["optional-dependencies"]
for dependency in [*project["dependencies"], *(d for extra in extras.values() for d in extra)]:
    if not dependency.startswith("wpedu["):
        print(dependency.replace(">=", "=="))
