#!/usr/bin/env python3
"""Prints some hundred events of October 2026 as NDJSON, the same each time."""
import json
import random
import uuid
from datetime import datetime, timedelta, timezone

chance = random.Random(5)
start = datetime(2026, 10, 2, tzinfo=timezone.utc)


def event(kind, person, at, **fields):
    identity = uuid.UUID(int=chance.getrandbits(128), version=4)
    print(json.dumps({"type": kind, "event_id": str(identity), "device_id": person, "platform": chance.choice(["ios", "android"]),
                      "occurred_at": at.isoformat(), **fields}))


for number in range(150):
    person = f"device-{number}"
    at = start + timedelta(minutes=chance.randrange(26 * 1440))
    event("inbound_link", person, at, target_url=f"https://shop.example/{number % 5}", ref=f"ref-{number % 4}",
          channel=chance.choice(["search", "story_links", "other", "bookmarks"]))
    if number % 2:
        event("install", person, at + timedelta(minutes=5))
    if number % 3:
        event("authentication", person, at + timedelta(minutes=9))
    if number % 5 == 0:
        event("conversion", person, at + timedelta(hours=3), name="purchase", value=f"{chance.randrange(9000) / 100}",
              currency="EUR" if number % 25 == 0 else "USD")
    if number % 7 == 0:
        event("feed_post", person, at + timedelta(hours=4), outcome=chance.choice(["posted", "cancelled"]), ref="ref-1")
