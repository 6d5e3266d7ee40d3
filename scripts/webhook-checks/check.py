"""See scripts/check-webhooks."""

import argparse
import collections
import datetime
import http.server
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import traceback
import urllib.error
import urllib.request
import uuid

import standardwebhooks

# Two webhooks about the same events: one that is not settled while the check runs, and one that soon is.
SETTLES = {"open": "1d", "soon": "4s"}


class Receiver:
    """Keeps every word that it accepts, and misbehaves at random."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.secrets, self.recipes = {}, []
        self.words = {name: collections.defaultdict(dict) for name in SETTLES}
        self.behaviour = collections.Counter()
        self.is_kind = False
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                receiver.receive(self)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, request, client_address):
                # A killed daemon ends its connections.
                error = sys.exc_info()[1]
                if not isinstance(error, ConnectionError):
                    receiver.failures.append("".join(traceback.format_exception(error)))

        self.failures = []
        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def receive(self, request):
        name = request.path.strip("/")
        length = int(request.headers["content-length"])
        body = request.rfile.read(length)
        if len(body) < length:
            raise ConnectionError("killed while it sent the body")
        headers = {key.lower(): value for key, value in request.headers.items()}
        standardwebhooks.Webhook(self.secrets[name]).verify(body.decode(), headers)
        with self.lock:
            chance = 1 if self.is_kind else self.random.random()
            what = ("refused" if chance < 0.08 else "hung" if chance < 0.085 else "lost" if chance < 0.13 else "answered")
            self.behaviour[what] += 1
        if what == "refused":
            return self.answer(request, 503)
        if what == "hung":
            time.sleep(12)
            request.close_connection = True
            return None
        word = json.loads(body)
        assert headers["webhook-id"] == word["id"], headers
        with self.lock:
            known = self.words[name][word["event"]["id"]]
            # A word that comes again is the same; a new one is newer than all before.
            if word["sequence"] in known:
                assert known[word["sequence"]] == word, word
            else:
                assert not known or max(known) < word["sequence"], (known, word)
            known[word["sequence"]] = word
        if name == "soon":
            for recipe in self.recipes:
                assert recipe.pass_on(body, headers) == 204
        if what == "lost":
            request.close_connection = True
            return None
        return self.answer(request, 204)

    @staticmethod
    def answer(request, status):
        request.send_response(status)
        request.send_header("content-length", "0")
        request.end_headers()


class Recipe:
    """A receiver of docs/recipes."""

    def __init__(self, command, store, secret):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.store = store
        self.process = subprocess.Popen(
            [*command, str(self.port), str(store)], env={**os.environ, "WEBHOOK_SECRET": secret}
        )
        for _ in range(200):
            try:
                assert self.pass_on(b"{}", {}) == 401
                break
            except urllib.error.URLError:
                time.sleep(0.05)

    def pass_on(self, body, headers):
        kept = {key: value for key, value in headers.items() if key.startswith("webhook-")}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/", body, kept)
        try:
            return urllib.request.urlopen(request, timeout=20).status
        except urllib.error.HTTPError as error:
            return error.code

    def paid(self):
        if self.store.suffix == ".db":
            rows = sqlite3.connect(self.store).execute("select event_id, touch_id from reward").fetchall()
            return sorted(f"{event} {touch}" for event, touch in rows)
        lines = self.store.read_text().splitlines() if self.store.exists() else []
        return sorted(json.loads(line)["key"] for line in lines)


class Daemon:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.process, self.base = binary, folder, None, None
        self.start()

    def start(self):
        log = self.folder / f"daemon-{uuid.uuid4()}.log"
        with open(log, "w") as output:
            self.process = subprocess.Popen([self.binary / "tributaryd", "--port", "0"], stderr=output)
        while "address=" not in log.read_text():
            assert self.process.poll() is None, log.read_text()
            time.sleep(0.02)
        self.base = "http://" + log.read_text().split("address=")[1].split()[0]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.start()

    def kill_database(self):
        home = pathlib.Path(os.environ["TRIBUTARY_HOME"])
        location = home / "postgres/location"
        place = pathlib.Path(location.read_text().splitlines()[0]) if location.exists() else home / "postgres"
        try:
            os.kill(int((place / "data/postmaster.pid").read_text().splitlines()[0]), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass


def events(rng, count, people):
    """Some days of some people: what links them to their devices often comes late."""
    now = datetime.datetime.now(datetime.timezone.utc)
    for number in range(count):
        at = now - datetime.timedelta(seconds=rng.uniform(0, 5 * 86_400))
        user, device = rng.randrange(people), rng.randrange(people * 3 // 2)
        event = {"event_id": str(uuid.UUID(int=rng.getrandbits(128), version=4)), "occurred_at": at.isoformat()}
        keys = rng.choice([{"user_id": f"u{user}"}, {"device_id": f"d{device}"},
                           {"user_id": f"u{user}", "device_id": f"d{user}"}])
        kind = rng.random()
        if kind < 0.45:
            event |= {"type": "inbound_link", **keys, "channel": rng.choice(["story_links", "search", "requests"])}
            if rng.random() < 0.6:
                event |= {"post_id": f"p{rng.randrange(80)}", "target_url": "https://www.example.com/a"}
            elif rng.random() < 0.5:
                event |= {"ref": [rng.choice(["a", "b"])]}
        elif kind < 0.6:
            event |= {"type": "feed_post", "user_id": f"u{user}", "post_id": f"p{number % 80}", "ref": [rng.choice("xyz")]}
        elif kind < 0.7:
            event |= {"type": "authentication", "user_id": f"u{user}", "device_id": f"d{device}"}
        else:
            event |= {"type": "conversion", **keys, "name": "buy", "value": "9.90", "currency": "USD"}
        yield event


def send(daemon, key, batch):
    """Until it is stored: then it counts."""
    while True:
        request = urllib.request.Request(
            daemon.base + "/v1/events",
            json.dumps({"events": batch}).encode(),
            {"authorization": f"Bearer {key}", "content-type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                assert not json.load(answer)["rejected"]
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
            if isinstance(error, urllib.error.HTTPError) and error.code not in (429, 503):
                raise AssertionError(error.read()) from error
            time.sleep(0.1)


def run(arguments, seed):
    processes = []
    try:
        check(arguments, seed, processes)
    finally:
        for running in processes:
            running.process.kill()


def check(arguments, seed, processes):
    folder = arguments.folder / f"seed-{seed}"
    folder.mkdir()
    rng = random.Random(seed)
    receiver = Receiver(seed)
    os.environ["TRIBUTARY_WEBHOOK_ALLOW_PRIVATE"] = "on"
    app = f"shop-{seed}"

    def tributary(*words):
        return subprocess.run([arguments.bin / "tributary", *words], check=True, capture_output=True, text=True).stdout

    key = json.loads(tributary("app", "create", "--id", app, "--name", "Shop", "--format", "json"))["write_key"]
    hooks = {}
    for name, settle in SETTLES.items():
        hook = json.loads(tributary("webhook", "add", "--app", app, "--url", f"{receiver.url}/{name}", "--on",
                                    "conversion:buy", "--model", "linear", "--settle", settle, "--format", "json"))
        hooks[name], receiver.secrets[name] = hook["id"], hook["secret"]
    recipes = [Recipe([sys.executable, "docs/recipes/webhook.py"], folder / "rewards.db", receiver.secrets["soon"])]
    if shutil.which("node"):
        recipes.append(Recipe(["node", "docs/recipes/webhook.mjs"], folder / "rewards.ndjson", receiver.secrets["soon"]))
    receiver.recipes = recipes

    daemon = Daemon(arguments.bin, folder)
    processes += [*recipes, daemon]
    kills = collections.Counter()
    end = time.monotonic() + (8 if arguments.quick else 60)
    stored, started = 0, time.monotonic()
    next_kill = time.monotonic() + rng.uniform(2, 4)
    stream = events(rng, 1_000_000, 40 if arguments.quick else 400)
    while time.monotonic() < end:
        batch = [next(stream) for _ in range(rng.randint(1, 40))]
        send(daemon, key, batch)
        stored += len(batch)
        if time.monotonic() > next_kill:
            next_kill = time.monotonic() + rng.uniform(3, 8)
            what = rng.choice(["daemon", "postgres"])
            kills[what] += 1
            (daemon.kill if what == "daemon" else daemon.kill_database)()
        time.sleep(rng.uniform(0, 0.05))
    spent = time.monotonic() - started
    receiver.is_kind = True

    # Until nothing waits: words that failed are sent again at once, so that the check need not wait for hours.
    quiet, deadline, state = 0, time.monotonic() + (180 if arguments.quick else 600), ""
    while quiet < 3:
        assert time.monotonic() < deadline, f"not all is told: {state}"
        time.sleep(2)
        try:
            waiting = 0
            for hook in hooks.values():
                tributary("webhook", "retry", hook)
                waiting += len(json.loads(tributary("webhook", "deliveries", hook, "--format", "json")))
            with receiver.lock:
                settled = {event for event, words in receiver.words["soon"].items()
                           if words and words[max(words)]["type"] == "credit.settled"}
            state = f"{waiting} words wait, {len(settled)} of {len(receiver.words['soon'])} known events are settled"
            quiet = 0 if waiting or len(settled) != len(receiver.words["soon"]) else quiet + 1
        except subprocess.CalledProcessError:
            quiet = 0

    assert not receiver.failures, receiver.failures[0]
    exported = collections.defaultdict(list)
    for line in tributary("export", "credits", "--app", app, "--model", "linear", "--event", "conversion", "--goal", "buy", "--from",
                          "2000-01-01", "--format", "ndjson").splitlines():
        row = json.loads(line)
        exported[row["event_id"]] += [[row["touch_id"], float(row["credit"]), row["channel"], row["refs"]]] \
            if row["touch_id"] else []
    told = {event: words[max(words)] for event, words in receiver.words["open"].items()}
    for event in exported.keys() | told.keys():
        assert event in told, f"{event} was never told"
        said = [[credit["touch_id"], float(credit["credit"]), credit["channel"], credit["refs"]]
                for credit in told[event]["credits"]]
        assert said == exported[event], (event, said, exported[event])
    assert set(receiver.words["soon"]) == set(exported), "the second webhook did not tell the same events"
    due = set()
    for event, words in receiver.words["soon"].items():
        kinds = [words[number]["type"] for number in sorted(words)]
        assert kinds[0] == "credit.made" and kinds.count("credit.settled") == 1, kinds
        assert kinds[-1] == "credit.settled", kinds
        word = words[max(words)]
        if word["event"]["doubt"] or any(credit["doubt"] for credit in word["credits"]):
            continue
        for credit in word["credits"]:
            if credit["poster"] and credit["poster"]["user_id"]:
                due.add(f"{event} {credit['touch_id']}")
    for recipe in recipes:
        assert recipe.paid() == sorted(due), "a recipe has paid something else"
        assert recipe.pass_on(b'{"type":"credit.settled"}', {"webhook-id": "x", "webhook-timestamp": str(int(time.time())),
                                                            "webhook-signature": "v1,AAAA"}) == 401
        recipe.process.terminate()
    daemon.process.send_signal(signal.SIGTERM)
    assert daemon.process.wait() == 0
    words = {name: sum(len(words) for words in known.values()) for name, known in receiver.words.items()}
    print(f"seed {seed}: {stored} events in {spent:.0f} s, {len(exported)} conversions, words {words}, "
          f"requests {dict(receiver.behaviour)}, kills {dict(kills)}, {len(due)} credits paid once")


parser = argparse.ArgumentParser()
parser.add_argument("--bin", type=pathlib.Path, required=True)
parser.add_argument("--folder", type=pathlib.Path, required=True)
parser.add_argument("--quick", action="store_true")
parser.add_argument("--seed", type=int, action="append")
options = parser.parse_args()
for chosen in options.seed or [1]:
    run(options, chosen)
