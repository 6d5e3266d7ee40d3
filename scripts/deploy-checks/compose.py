"""Checks a compose file: the schema of the compose specification, and that everything it names exists.

    python compose.py FILE [OVERRIDE...]      checks them together, as `docker compose -f FILE -f OVERRIDE` reads them

Uses compose-viz (models made from compose-spec.json) and compose-spec (names of networks, volumes, secrets and configs)
from PyPI.
"""
import json
import os
import re
import sys

import compose_spec
import yaml
from compose_viz.spec import compose_spec as schema

REPLACED = {"command", "entrypoint"}


def merged(key, base, override):
    """As compose merges files: mappings key by key, lists one after the other, all else is replaced."""
    if isinstance(base, dict) and isinstance(override, dict):
        return base | {name: merged(name, base[name], value) if name in base else value for name, value in override.items()}
    if isinstance(base, list) and isinstance(override, list) and key not in REPLACED:
        return base + [item for item in override if item not in base]
    return override


def read(path, change=lambda text: text):
    with open(path, encoding="utf-8") as file:
        return yaml.safe_load(change(file.read()))


paths = sys.argv[1:]
path = paths[-1]
document = {}
interpolated = {}
for name in paths:
    document = merged("", document, read(name))
    # As compose reads it without .env.
    interpolated = merged("", interpolated, read(name, lambda text: re.sub(r"\$\{[A-Z_]+:-([^}]*)\}", r"\1", text)))
model = next(getattr(schema, name) for name in ("ComposeSpecification", "Model") if hasattr(schema, name))
# The specification allows extensions (x-...), but these models reject them.
known = {key: value for key, value in document.items() if not key.startswith("x-")}
model.model_validate(known)
compose_spec.PyCompose.from_json(json.dumps(interpolated)).validate()

folder = os.path.dirname(path)
missing = []
for name, service in document["services"].items():
    for dependency in service.get("depends_on", {}):
        if dependency not in document["services"]:
            missing.append(f"{name} depends on {dependency}, which is not a service")
    build = service.get("build")
    if build:
        context = os.path.join(folder, build["context"])
        if not os.path.exists(os.path.join(context, build["dockerfile"])):
            missing.append(f"{name} is built from {build['dockerfile']}, which does not exist")
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        if source.startswith(".") and not os.path.exists(os.path.join(folder, source)):
            missing.append(f"{name} mounts {source}, which does not exist")
for name, service in document["services"].items():
    # pin-images can name every image of others by digest, and each container does without what it does not need.
    image = service["image"]
    if not image.startswith("tributary:") and not re.fullmatch(r"\$\{[A-Z]+_IMAGE:-[^@}]+(@sha256:[0-9a-f]{64})?\}", image):
        missing.append(f"{name}'s image {image} has no variable for pin-images")
    hardening = {"read_only": True, "cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"]}
    for key, value in hardening.items():
        if service.get(key) != value:
            missing.append(f"{name} has {key} {service.get(key)} instead of {value}")
    if service.get("cap_add") or service.get("privileged"):
        missing.append(f"{name} has more capabilities than none")
for name, config in document.get("configs", {}).items():
    if "file" in config and not os.path.exists(os.path.join(folder, config["file"])):
        missing.append(f"the config {name} is {config['file']}, which does not exist")
if missing:
    sys.exit("\n".join(missing))
print(f"{path}: {len(document['services'])} services, valid")
