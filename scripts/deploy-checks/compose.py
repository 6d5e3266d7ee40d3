"""Checks a compose file: the schema of the compose specification, and that everything it names exists.

    python compose.py FILE

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

path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    text = file.read()
document = yaml.safe_load(text)
model = next(getattr(schema, name) for name in ("ComposeSpecification", "Model") if hasattr(schema, name))
# The specification allows extensions (x-...), but these models reject them.
known = {key: value for key, value in document.items() if not key.startswith("x-")}
model.model_validate(known)
# As compose reads it without .env.
interpolated = yaml.safe_load(re.sub(r"\$\{[A-Z_]+:-([^}]*)\}", r"\1", text))
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
