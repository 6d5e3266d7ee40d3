"""Sends batches of events to one or more daemons, as a careful backend does, until SIGTERM.

A batch that was not answered with 200 or 202 is sent again, unchanged, to the next daemon. After an answer, the ids of
the batch go to the ledger, one a line. Exits with 1 at an answer that a careful sender must never receive.

Uses only the standard library.
"""
import argparse
import collections
import datetime
import http.client
import json
import random
import signal
import sys
import time
import urllib.parse
import uuid

parser = argparse.ArgumentParser()
parser.add_argument("--bases", required=True)
parser.add_argument("--key", required=True)
parser.add_argument("--ledger", required=True)
parser.add_argument("--seed", default="1")
parser.add_argument("--batch", type=int, default=20)
arguments = parser.parse_args()

stopping = False


def stop(*_):
    global stopping
    stopping = True


signal.signal(signal.SIGTERM, stop)
random.seed(arguments.seed)
bases = [urllib.parse.urlsplit(base).netloc for base in arguments.bases.split(",")]
counts = collections.Counter()
slowest = 0.0


def event(number):
    person = random.randrange(500)
    identity = {"user_id": f"user-{person}"} if random.random() < 0.5 else {"device_id": f"device-{person}"}
    made = {
        "event_id": str(uuid.UUID(int=random.getrandbits(128), version=4)),
        "occurred_at": (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=random.randrange(60))).isoformat(),
        **identity,
    }
    kind = number % 6
    if kind == 0:
        made |= {"type": "inbound_link", "url": f"fb1://authorize#target_url=https%3A%2F%2Fshop.example%2F{person}%3Ffb_ref%3Da"}
    elif kind == 1:
        made |= {"type": "feed_post", "callback_url": f"fbconnect://success?post_id={random.getrandbits(60)}", "ref": "a"}
    elif kind == 2:
        made |= {"type": "link_click", "url": "https://shop.example/?fb_source=feed"}
    elif kind == 3:
        made |= {"type": "install", "platform": "ios"}
    elif kind == 4:
        made |= {"type": "authentication", "user_id": f"user-{person}", "device_id": f"device-{person}"}
    else:
        made |= {"type": "conversion", "name": "purchase", "value": "9.90", "currency": "USD"}
    return made


def send(turn, body):
    global slowest
    connection = http.client.HTTPConnection(bases[turn % len(bases)], timeout=30)
    began = time.monotonic()
    try:
        connection.request(
            "POST", "/v1/events", body,
            {"Authorization": "Bearer " + arguments.key, "Content-Type": "application/json"},
        )
        answer = connection.getresponse()
        text = answer.read().decode()
    except (OSError, http.client.HTTPException):
        return None, ""
    finally:
        connection.close()
        slowest = max(slowest, time.monotonic() - began)
    return answer.status, text


turn = 0
number = 0
with open(arguments.ledger, "w", encoding="ascii") as ledger:
    while not stopping:
        events = [event(number + index) for index in range(arguments.batch)]
        number += arguments.batch
        body = json.dumps({"events": events})
        deadline = time.monotonic() + 60
        while True:
            turn += 1
            status, text = send(turn, body)
            counts[str(status or "no answer")] += 1
            if status in (200, 202):
                answer = json.loads(text)
                if answer["rejected"]:
                    sys.exit(f"rejected: {text}")
                ledger.writelines(made["event_id"] + "\n" for made in events)
                ledger.flush()
                break
            if status not in (None, 429, 503):
                sys.exit(f"answered with {status}: {text}")
            if time.monotonic() > deadline:
                sys.exit(f"not accepted within 60 s; the last answer was {status}: {text}")
            time.sleep(0.05)
print(json.dumps({"events": number, "requests": dict(counts), "slowest_seconds": round(slowest, 3)}))
