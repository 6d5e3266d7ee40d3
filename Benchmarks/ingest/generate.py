"""Makes request bodies: generate.py FILE COUNT EVENTS SEED NOW

Writes COUNT lines, each a JSON body with EVENTS events. The same arguments give the same bytes. NOW is the time of the
latest event, in seconds since 1970.

The events have all six types, 200,000 people, 50 refs and every form of link. Some people come much more often than
others. Nine of ten events happened in the last two minutes. The tenth, of a device that was offline, happened within
the last two days.

`@` marks the place of an event id, and `~` that of a post id. load.lua fills them in, so that it can send a body more
than once.
"""
import json
import random
import sys
import time

TYPES = {"inbound_link": 30, "link_click": 20, "feed_post": 10, "install": 5, "authentication": 20, "conversion": 15}
PEOPLE = 200_000
REFS = [f"campaign-{number:02d}" for number in range(50)]


def link(r, ref):
    item, other = r.randint(1, 999), r.randint(1, 999)
    return r.choice([
        f"fb123456://authorize#target_url=https%3A%2F%2Fshop.example%2Fitem%2F{item}%3Fref%3D{ref}"
        f"&access_token=EAAB{r.getrandbits(80):x}&expires_in=5183999",
        f"https://apps.facebook.com/shop/?fb_source=search&ref={ref}&fb_ref={ref}",
        f"https://shop.example/item/{item}?fb_ref={ref}&fb_source=feed&utm_source=x",
        f"shop://item/{item}?al_applink_data=%7B%22target_url%22%3A%22https%3A%5C%2F%5C%2Fshop.example%5C%2Fitem%5C%2F{other}"
        f"%22%2C%22extras%22%3A%7B%22fb_ref%22%3A%22{ref}%22%7D%2C%22referer_app_link%22%3A%7B%22url%22%3A%22fb%3A%5C%2F%5C%2F"
        f"%5C%2F%22%2C%22app_name%22%3A%22Facebook%22%7D%7D",
    ])


def event(r, now):
    person = int(PEOPLE * r.random() ** 2)
    kind = r.choices(list(TYPES), list(TYPES.values()))[0]
    occurred = now - (r.random() * 120 if r.random() < 0.9 else r.random() * 2 * 86_400)
    result = {
        "type": kind,
        "event_id": "@",
        "occurred_at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(occurred)) + f".{int(occurred % 1 * 1e6):06d}Z",
    }
    if kind == "link_click":
        result["click_id"] = f"click-{r.getrandbits(32):08x}"
    else:
        if r.random() < 0.7:
            result["user_id"] = f"user-{person}"
        result["device_id"] = f"device-{person:08x}"
        if kind == "install" and r.random() < 0.5:
            result["click_id"] = f"click-{r.getrandbits(32):08x}"
    result["platform"] = r.choice(["ios", "android", "web"])
    ref = r.choice(REFS)
    if kind in ("inbound_link", "link_click"):
        result["url"] = link(r, ref)
    elif kind == "feed_post":
        result.update(post_id=f"{person}_~", ref=[ref], composer="feed_dialog")
    elif kind == "conversion":
        result.update(name=r.choice(["purchase", "signup"]), value=f"{r.randint(1, 9999) / 100:.2f}", currency="USD")
    if r.random() < 0.2:
        result["properties"] = {"screen": r.choice(["home", "item"]), "build": r.randint(100, 200)}
    return result


def main():
    path, count, events, seed, now = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
    r = random.Random(seed)
    with open(path, "w") as file:
        for _ in range(count):
            body = event(r, now) if events == 1 else {"events": [event(r, now) for _ in range(events)]}
            file.write(json.dumps(body, separators=(",", ":")) + "\n")


main()
