#!/usr/bin/env python3
"""Talks to `tributary mcp` with the protocol's own client, and compares figures with the command line's CSV.

    client.py --program tributary --seed 1      prints what is wrong; exits with 1 then
"""
import argparse
import asyncio
import csv
import io
import json
import random
import subprocess
import sys

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

arguments = argparse.ArgumentParser()
arguments.add_argument("--program", required=True)
arguments.add_argument("--seed", type=int, required=True)
arguments = arguments.parse_args()
faults = []
RANGE = {"from": "2026-10-01", "to": "2026-11-01"}

# What a report cannot be asked for without, and some more.
PARAMETERS = {
    "compare": [{"by": "ref", "a": "ref-1", "b": "ref-2"}],
    "overlap": [{"by": "ref"}],
    "breakdown": [{"by": "ref"}, {"by": ["channel", "ref"], "rates": True}, {"by": "country", "where": ["platform=ios", "ref!=ref-1"]}],
    "channels": [{}, {"by": "week"}, {"compare-previous": True}, {"where": ["ref=ref-1", "platform=ios"], "goal": "purchase"}],
    "funnel": [{"by": "channel"}, {"steps": ["touch", "install"], "times": True}],
    "attribution": [{"model": "all"}],
}


def check(is_good, complaint):
    if not is_good:
        faults.append(complaint)


def csv_of(report, parameters):
    command = [arguments.program, "report", report, "--app", "shop", "--format", "csv"]
    for name, value in parameters.items():
        if value is True:
            command.append(f"--{name}")
        elif isinstance(value, list) and name == "where":
            command += [word for item in value for word in (f"--{name}", item)]
        else:
            command += [f"--{name}", ",".join(value) if isinstance(value, list) else str(value)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return list(csv.DictReader(io.StringIO(output)))


def text(value):
    return "" if value is None else value if isinstance(value, str) else {True: "true", False: "false"}[value]


async def call(client, tool, given):
    result = await client.call_tool(tool, given)
    return result.is_error, result.content[0].text


async def check_figures(client, mode):
    error, answer = await call(client, "list_reports", {})
    reports = [report["report"] for report in json.loads(answer)["reports"]]
    compared = 0
    for report in reports:
        for extra in PARAMETERS.get(report, [{}]):
            parameters = RANGE | extra
            error, answer = await call(client, "run_report", {"report": report, "app": "shop", "parameters": parameters})
            if error:
                faults.append(f"{mode}: {report} {parameters}: {answer}")
                continue
            # Numbers as they are spelled.
            root = json.loads(answer, parse_float=str, parse_int=str)
            rows = [{name: text(value) for name, value in row.items()} for row in root["answer"]["rows"]]
            expected = csv_of(report, parameters)
            check(rows == expected, f"{mode}: {report} {parameters}: {rows[:2]} is not {expected[:2]}")
            check(rows and list(root["definition"]["columns"]) == list(rows[0]), f"{mode}: {report}: columns without meaning")
            compared += len(rows) * len(root["definition"]["columns"])
    return len(reports), compared


async def check_refusals(client, mode):
    for tool, given in [
        ("run_report", {"report": "chanels"}), ("run_report", {"report": "channels", "parameters": {"form": "7d"}}),
        ("run_report", {"report": "channels", "parameters": {"people": "touches"}}), ("run_question", {"question": "week"}),
        ("explain_column", {"column": "x" * 100_000}), ("inspect_link", {}), ("run_report", {"report": "channels", "app": "\u0000"}),
    ]:
        error, answer = await call(client, tool, given)
        check(error and answer, f"{mode}: {tool} {str(given)[:80]} was not refused")
    error, answer = await call(client, "run_report", {"report": "channels", "parameters": {"goal": "purchas"}})
    check("did you mean 'purchase'" in answer, f"{mode}: no warning of a goal that does not occur: {answer[:300]}")
    error, answer = await call(client, "run_question", {"question": "weekly"})
    check(not error and '"weekly"' not in answer and "channels" in answer, f"{mode}: the saved question: {answer[:200]}")
    error, answer = await call(client, "inspect_link", {"url": "https://apps.facebook.com/shop/?fb_source=search"})
    check('"search"' in answer, f"{mode}: inspect_link: {answer[:200]}")
    try:
        await client.call_tool("delete_app", {})
        faults.append(f"{mode}: an unknown tool was run")
    except Exception as error:  # The client's own error for a refused call.
        check("unknown tool" in str(error), f"{mode}: {error}")
    # Many calls at once: each gets an answer, or is told that too many run.
    answers = await asyncio.gather(*(client.call_tool("list_apps", {}) for _ in range(30)), return_exceptions=True)
    check(any(not isinstance(answer, Exception) for answer in answers), f"{mode}: no call beside others was answered")


async def talk(mode):
    server = StdioServerParameters(command=arguments.program, args=["mcp"], env=None)
    async with Client(stdio_client(server_environment(server)), mode=mode) as client:
        tools = (await client.list_tools()).tools
        check(len(tools) >= 7, f"{mode}: {len(tools)} tools")
        reports, cells = await check_figures(client, mode)
        await check_refusals(client, mode)
        print(f"{mode}: {len(tools)} tools, {reports} reports; {cells} cells equal the CSV's")


def server_environment(server):
    import os

    server.env = dict(os.environ)
    return server


def check_random_bytes():
    """Every line that comes back is JSON, and the last request is answered whatever came before."""
    chance = random.Random(arguments.seed)
    valid = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain_column","arguments":{"column":"touches"}}}'
    lines = []
    for _ in range(2000):
        line = bytearray(valid)
        for _ in range(chance.randrange(1, 6)):
            place = chance.randrange(len(line))
            line[place:place + chance.randrange(3)] = bytes(chance.randrange(256) for _ in range(chance.randrange(4)))
        lines.append(bytes(line).replace(b"\n", b" "))
    lines += [b"x" * (3 << 20), b'{"jsonrpc":"2.0","id":"last","method":"ping"}']
    done = subprocess.run([arguments.program, "mcp"], input=b"\n".join(lines) + b"\n", capture_output=True)
    check(done.returncode == 0, f"random bytes: it ended with {done.returncode}: {done.stderr[-300:]}")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    check(any(answer.get("id") == "last" and "result" in answer for answer in answers), "random bytes: no answer to the last")
    print(f"{len(lines)} mutated messages: {len(answers)} answers")


for mode in ["legacy", "auto"]:
    asyncio.run(talk(mode))
check_random_bytes()
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
