"""Sends each type of events with a client that openapi-python-client has made, and reads answers and errors with it.

Usage: client.py DESCRIPTION FOLDER BASE WRITE_KEY READ_KEY. The client is made in FOLDER.
"""

import json
import pathlib
import subprocess
import sys
import uuid

description, folder, base, write_key, read_key = sys.argv[1:6]
folder = pathlib.Path(folder)
configuration = folder / "generator.json"
# Without hooks, which would format the client: that takes longer than all else.
configuration.write_text(json.dumps({"post_hooks": [], "project_name_override": "made", "package_name_override": "made"}))
generated = subprocess.run(
    [pathlib.Path(sys.executable).with_name("openapi-python-client"), "generate", "--path", description, "--meta", "none",
     "--config", configuration, "--output-path", folder / "made"],
    capture_output=True, text=True,
)  # fmt: skip
if generated.returncode != 0:
    sys.exit(generated.stdout + generated.stderr)
sys.path.insert(0, str(folder))

from made import AuthenticatedClient, models  # noqa: E402
from made.api.answers import get_attribution  # noqa: E402
from made.api.events import store_events, store_feed_posts, store_inbound_links  # noqa: E402
from made.api.links import create_links  # noqa: E402
from made.api.reports import get_attribution_report, get_channels_report  # noqa: E402
from made.types import UNSET  # noqa: E402

writer = AuthenticatedClient(base_url=base, token=write_key)
reader = AuthenticatedClient(base_url=base, token=read_key)
faults = []


def expect(what, found, wanted):
    if found != wanted:
        faults.append(f"{what}: {found!r}, not {wanted!r}")


def code(problem):
    """The code of a problem that the client has read."""
    return problem.code.value if isinstance(problem, models.Problem) else problem


# What an event of each type needs beside its type, by the schemas' own examples of what must be there.
known = {
    "inbound_link": {"user_id": "client", "url": "https://shop.example/a?fb_ref=recipe"},
    "link_click": {"url": "https://shop.example/a"},
    "feed_post": {"outcome": "posted", "post_id": f"client_{uuid.uuid4()}", "ref": ["recipe", "gift"]},
    "install": {"device_id": "client-phone", "platform": "ios"},
    "authentication": {"user_id": "client", "device_id": "client-phone", "outcome": "granted"},
    "conversion": {"user_id": "client", "name": "purchase", "value": "19.90", "currency": "EUR"},
    "app_open": {"user_id": "client", "app_version": "4.2.0", "country": "DE", "language": "de-AT"},
}
schemas = {
    name: schema
    for name, schema in vars(models).items()
    if hasattr(schema, "from_dict") and f"{name}Type" in vars(models) and not name.startswith("Untyped") and not name.endswith("Form")
}
types = {}
for name, schema in schemas.items():
    for word in vars(models)[f"{name}Type"]:
        if word.value in known:
            types[word.value] = schema
expect("types", sorted(types), sorted(known))
events = [
    schema.from_dict({"type": word, "event_id": str(uuid.uuid4()), **known[word]}) for word, schema in sorted(types.items())
]

for event in events:
    answer = store_events.sync_detailed(client=writer, body=event)
    expect(f"{event.type_.value} alone", (answer.status_code, getattr(answer.parsed, "accepted", answer.parsed)), (200, 1))
    again = store_events.sync(client=writer, body=event)
    expect(f"{event.type_.value} again", getattr(again, "duplicates", again), 1)
batch = store_events.sync(client=writer, body=models.Batch(events=events))
expect("a batch", (batch.accepted, batch.duplicates), (0, len(events)))
array = store_events.sync(client=writer, body=events)
expect("an array", (array.accepted, array.duplicates), (0, len(events)))

link = store_inbound_links.sync(client=writer, body=models.UntypedInboundLink(user_id="client", url="shop://a"))
expect("an inbound link without a type", getattr(link, "accepted", link), 1)
post = store_feed_posts.sync(client=writer, body=models.UntypedFeedPost(outcome=models.FeedPostOutcome("posted")))
expect("a feed post without a type", getattr(post, "accepted", post), 1)
form = models.InboundLinkForm(user_id="client+1", url="shop://a?b=c", ref=["a", "b"], paid=False, platform=models.Platform("ios"))
link = store_inbound_links.sync(client=writer, body=form)
expect("an inbound link as a form", getattr(link, "accepted", link), 1)

# Errors.
bare = models.Install(type_=models.InstallType("install"))
expect("an event of nobody", code(store_events.sync(client=writer, body=bare)), "no_valid_event")
rejection = store_events.sync(client=writer, body=bare).rejected[0]
expect("its reason", (rejection.code.value, rejection.field), ("missing_field", "user_id"))
expect("an empty batch", code(store_events.sync(client=writer, body=[])), "empty_batch")
expect("the wrong key", code(store_events.sync(client=reader, body=events[0])), "wrong_key_kind")
nobody = AuthenticatedClient(base_url=base, token="trib_w_nobody")
expect("an unknown key", code(store_events.sync(client=nobody, body=events[0])), "unknown_key")
for known_code in models.ProblemCode:
    problem = {"type": "t", "title": "t", "status": 400, "detail": "d", "code": known_code.value}
    expect(known_code.value, models.Problem.from_dict(problem).code, known_code)

# Answers.
report = get_channels_report.sync_detailed(client=reader, from_="7d", where=["platform=ios"])
expect("a report", (report.status_code, b'"report": "channels"' in report.content), (200, True))
unknown = get_attribution_report.sync(client=reader, model="middle")
expect("an unknown model", (code(unknown), getattr(unknown, "field", UNSET)), ("invalid_parameter", "model"))
person = models.GetAttributionPerson(user_id="client")
kind = models.GetAttributionEvent("conversion")
answer = get_attribution.sync(client=reader, person=person, event=kind)
expect("an attribution", getattr(answer, "name", answer), "purchase")
person = models.GetAttributionPerson(user_id="nobody")
expect("an attribution of nobody", code(get_attribution.sync(client=reader, person=person)), "unknown_event")
slug = create_links.sync(client=writer, body=models.NewLink(target_url="https://shop.example/", ref=["gift"]))
expect("a link", getattr(slug, "ref", slug), ["gift"])

print(f"client: {len(types)} types, {len(models.ProblemCode)} codes, faults {len(faults)}")
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
