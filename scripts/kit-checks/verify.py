#!/usr/bin/env python3
"""Compares what the kits have sent with what the daemon has stored. Prints what is wrong; exits with 1 then.

    verify.py LOG EVENTS CLICK KIT…      EVENTS is `tributary export events --format ndjson`
"""
import json
import sys

log, events, click, kits = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
with open(log) as lines:
    requests = [json.loads(line) for line in lines]
with open(events) as lines:
    stored = [json.loads(line) for line in lines]
expected = {
    "swift": ["app_open", "feed_post", "inbound_link", "install"],
    "kotlin": ["app_open", "feed_post", "inbound_link", "install"],
    "native": ["app_open", "feed_post", "inbound_link", "install"],
    "web": ["app_open", "feed_post", "inbound_link"],
}
faults = []
for kit in kits:
    own = [request for request in requests if request["sender"] == kit]
    sent = {}
    for request in own:
        for event in request["body"]["events"]:
            known = sent.setdefault(event["event_id"], event)
            if known != event:
                faults.append(f"{kit}: {event['event_id']} was sent in two ways: {known} {event}")
    if len(own) < 4:
        faults.append(f"{kit}: sent {len(own)} requests, expected 4 at least")
    types = sorted(event["type"] for event in sent.values())
    if types != expected[kit]:
        faults.append(f"{kit}: sent {types}, expected {expected[kit]}")
    devices = {event["device_id"] for event in sent.values()}
    if len(devices) != 1:
        faults.append(f"{kit}: sent the devices {devices}, expected one")
    for event_id, event in sent.items():
        count = sum(row["event_id"] == event_id for row in stored)
        if count != 1:
            faults.append(f"{kit}: the event {event} is stored {count} times")
    # What Facebook puts beside a link says where it comes from.
    if kit == "kotlin" and [row["channel"] for row in stored if row["event_id"] in sent and row["type"] == "inbound_link"] != ["story_links"]:
        faults.append(f"{kit}: the link of Facebook is not of story_links")
    clicks = [event.get("click_id") for event in sent.values() if event.get("click_id")]
    if kit != "web" and clicks != [click]:
        faults.append(f"{kit}: the events name the clicks {clicks}, expected {click} once")
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
