"""Checks what a schema cannot: that the manifests in deploy/kubernetes name each other correctly.

    python kubernetes.py FOLDER
"""
import glob
import os
import sys

import yaml

folder = sys.argv[1]
documents = []
for path in sorted(glob.glob(os.path.join(folder, "*.yaml"))):
    with open(path, encoding="utf-8") as file:
        documents += [(os.path.basename(path), document) for document in yaml.safe_load_all(file) if document]
problems = []


def of_kind(kind):
    return [document for _, document in documents if document["kind"] == kind]


kustomization = of_kind("Kustomization")[0]
files = {name for name, _ in documents} - {"kustomization.yaml"}
if set(kustomization["resources"]) != files:
    problems.append(f"kustomization.yaml names {sorted(kustomization['resources'])}, the folder has {sorted(files)}")

pods = {}
for kind in ("StatefulSet", "Job"):
    for document in of_kind(kind):
        pods[document["metadata"]["name"]] = document["spec"]["template"]
for document in of_kind("CronJob"):
    pods[document["metadata"]["name"]] = document["spec"]["jobTemplate"]["spec"]["template"]
accounts = {document["metadata"]["name"] for document in of_kind("ServiceAccount")}
services = {document["metadata"]["name"] for document in of_kind("Service")}

for name, template in pods.items():
    spec = template["spec"]
    if spec["serviceAccountName"] not in accounts:
        problems.append(f"{name}: the service account {spec['serviceAccountName']} does not exist")
    if not spec["securityContext"]["runAsNonRoot"]:
        problems.append(f"{name} may run as root")
    volumes = {volume["name"] for volume in spec.get("volumes", [])}
    for container in spec["containers"] + spec.get("initContainers", []):
        where = f"{name}/{container['name']}"
        context = container["securityContext"]
        if context["allowPrivilegeEscalation"] or not context["readOnlyRootFilesystem"] or context["capabilities"] != {"drop": ["ALL"]}:
            problems.append(f"{where} has more rights than it needs")
        if "memory" not in container["resources"]["limits"]:
            problems.append(f"{where} has no memory limit")

for document in of_kind("StatefulSet"):
    spec = document["spec"]
    claims = {claim["metadata"]["name"] for claim in spec["volumeClaimTemplates"]}
    container = spec["template"]["spec"]["containers"][0]
    ports = {port["name"] for port in container["ports"]}
    if spec["serviceName"] not in services:
        problems.append(f"the service {spec['serviceName']} does not exist")
    for probe in ("livenessProbe", "readinessProbe", "startupProbe"):
        if container[probe]["httpGet"]["port"] not in ports:
            problems.append(f"{probe} asks a port that the container does not have")
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    known = claims | {volume["name"] for volume in spec["template"]["spec"]["volumes"]}
    if mounted - known or claims - mounted:
        problems.append(f"the volumes are {sorted(known)}, the mounts {sorted(mounted)}")
    if spec["selector"]["matchLabels"].items() - spec["template"]["metadata"]["labels"].items():
        problems.append("the StatefulSet does not select its own pods")

labels = [template["metadata"]["labels"] for template in pods.values()]
for kind, selector in [("Service", lambda s: s["selector"]), ("PodDisruptionBudget", lambda s: s["selector"]["matchLabels"])]:
    for document in of_kind(kind):
        wanted = selector(document["spec"]).items()
        if not any(wanted <= each.items() for each in labels):
            problems.append(f"{kind} {document['metadata']['name']} selects no pod")
for document in of_kind("Ingress"):
    for rule in document["spec"]["rules"]:
        for path in rule["http"]["paths"]:
            if path["backend"]["service"]["name"] not in services:
                problems.append(f"the ingress names the service {path['backend']['service']['name']}, which does not exist")

# What the daemons send outward: https, and mails by TLS or STARTTLS.
outward = {443, 465, 587}
for document in of_kind("NetworkPolicy"):
    if document["metadata"]["name"] == "tributaryd-outward":
        for rule in document["spec"]["egress"]:
            outward -= {port["port"] for port in rule["ports"] if port["protocol"] == "TCP"}
if outward:
    problems.append(f"the network policy tributaryd-outward does not let out what goes to the ports {sorted(outward)}")

if problems:
    sys.exit("\n".join(problems))
print(f"{folder}: {len(documents)} documents, consistent")
