#!/usr/bin/env python3
"""Compares what the stub has seen with what the daemon has stored. Prints what is wrong; exits with 1 then.

    verify.py LOG EVENTS RECIPE…      EVENTS is `tributary export events --format ndjson`
"""
import json
import sys

seen = {}
with open(sys.argv[1]) as log:
    for line in log:
        entry = json.loads(line)
        seen.setdefault(entry["sender"], []).append(entry)
stored = []
with open(sys.argv[2]) as events:
    stored = [json.loads(line)["event_id"] for line in events]

faults = []
for recipe in sys.argv[3:]:
    requests = seen.get(recipe, [])
    ids = {event["event_id"] for request in requests for event in request["body"]["events"]}
    if len(requests) != 5:
        faults.append(f"{recipe}: sent {len(requests)} requests, expected 5")
    if len(ids) != 1:
        faults.append(f"{recipe}: sent {len(ids)} event ids, expected the same one each time")
    if [stored.count(id) for id in ids] != [1]:
        faults.append(f"{recipe}: the event is not stored once: {[stored.count(id) for id in ids]}")
    times = [request["time"] for request in requests]
    if len(times) > 1 and times[1] - times[0] < 1.9:
        faults.append(f"{recipe}: did not wait for Retry-After")
    refused = seen.get(f"{recipe}-refused", [])
    if len(refused) != 1:
        faults.append(f"{recipe}: sent {len(refused)} requests with an unknown key, expected 1")
if len(stored) != len(sys.argv[3:]):
    faults.append(f"{len(stored)} events are stored, expected {len(sys.argv[3:])}")
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
