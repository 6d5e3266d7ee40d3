"""Validates the two files by which a host says that an app may open its links, as Apple and Google document them."""

import argparse
import http.client
import json
import sys
import urllib.parse

import jsonschema

# developer.apple.com, "Supporting associated domains": details with appIDs and components.
APPLE = {
    "type": "object",
    "required": ["applinks"],
    "additionalProperties": False,
    "properties": {
        "applinks": {
            "type": "object",
            "required": ["details"],
            "additionalProperties": False,
            "properties": {
                "details": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "required": ["appIDs", "components"],
                        "additionalProperties": False,
                        "properties": {
                            "appIDs": {
                                "type": "array",
                                "minItems": 1,
                                "items": {"type": "string", "pattern": r"^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$"},
                            },
                            "components": {
                                "type": "array",
                                "minItems": 1,
                                "items": {
                                    "type": "object",
                                    "minProperties": 1,
                                    "additionalProperties": False,
                                    "properties": {
                                        "/": {"type": "string", "pattern": "^[/*?]"},
                                        "?": {"type": ["string", "object"]},
                                        "#": {"type": "string"},
                                        "exclude": {"type": "boolean"},
                                        "comment": {"type": "string"},
                                        "caseSensitive": {"type": "boolean"},
                                        "percentEncoded": {"type": "boolean"},
                                    },
                                },
                            },
                        },
                    },
                }
            },
        }
    },
}

# developers.google.com/digital-asset-links: a list of statements.
GOOGLE = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "required": ["relation", "target"],
        "additionalProperties": False,
        "properties": {
            "relation": {"type": "array", "contains": {"const": "delegate_permission/common.handle_all_urls"}},
            "target": {
                "type": "object",
                "required": ["namespace", "package_name", "sha256_cert_fingerprints"],
                "additionalProperties": False,
                "properties": {
                    "namespace": {"const": "android_app"},
                    "package_name": {"type": "string", "pattern": r"^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$"},
                    "sha256_cert_fingerprints": {
                        "type": "array",
                        "minItems": 1,
                        # Android compares them as text, in upper case.
                        "items": {"type": "string", "pattern": "^([0-9A-F]{2}:){31}[0-9A-F]{2}$"},
                    },
                },
            },
        },
    },
}

# Apple: at most 128 KB uncompressed.
LIMIT = 128_000

parser = argparse.ArgumentParser()
parser.add_argument("--base", required=True)
arguments = parser.parse_args()
faults = []
checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        faults.append(what)
        print(f"FAILED: {what}")


def ask(method, path, host):
    address = urllib.parse.urlsplit(arguments.base)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    # Android's verifier, which follows no redirects.
    connection.request(method, path, headers={"Host": host, "User-Agent": "GoogleAssociationService"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


FILES = {
    "/.well-known/apple-app-site-association": APPLE,
    "/apple-app-site-association": APPLE,
    "/.well-known/assetlinks.json": GOOGLE,
}
for path, schema in FILES.items():
    status, headers, body = ask("GET", path, "linked.localhost")
    check(status == 200, f"{path}: {status}")
    check(headers.get("content-type") == "application/json", f"{path}: {headers.get('content-type')}")
    check(headers.get("cache-control") == "max-age=3600", f"{path}: {headers.get('cache-control')}")
    check(len(body) <= LIMIT, f"{path}: {len(body)} bytes")
    try:
        content = json.loads(body)
        errors = [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(content)]
    except ValueError as error:
        errors = [str(error)]
        content = None
    check(not errors, f"{path}: {errors}")
    if schema is APPLE and content:
        detail = content["applinks"]["details"][0]
        check(detail["appIDs"] == ["ABCDE12345.com.example.linked"], f"{path}: {detail['appIDs']}")
        first = next((c for c in detail["components"] if c["/"] in ("/*", "/?*")), None)
        excluded = [c["/"] for c in detail["components"] if c.get("exclude")]
        check(first is not None and "/v1/*" in excluded, f"{path}: links open the app, the API does not: {detail}")
        check(detail["components"][-1] == first, f"{path}: the first component that fits decides, so links come last")
    if schema is GOOGLE and content:
        check(content[0]["target"]["package_name"] == "com.example.linked", f"{path}: {content}")
    status, head, body = ask("HEAD", path, "linked.localhost")
    check(status == 200 and body == b"", f"HEAD {path}: {status}, {len(body)} bytes")
    # An app that is not associated has none, and neither has a host of no app.
    for host in ("go.localhost", "127.0.0.1"):
        status, _, _ = ask("GET", path, host)
        check(status == 404, f"{host}{path}: {status}")
print(f"association files: {checks} checks, {len(faults)} faults")
sys.exit(1 if faults else 0)
