"""Sends fuzzed bodies, and bytes that are not HTTP, to a daemon.

Every status must be below 500, and the daemon's memory must not grow. The same seed sends the same bytes.

Uses only the standard library.
"""

import argparse
import collections
import gzip
import json
import multiprocessing
import random
import socket
import sys
import time
import uuid
import zlib

WORKERS = 3

WORDS = [
    b"access_token", b"REDACTED", b"inbound_link", b"feed_post", b"link_click", b"install", b"authentication",
    b"conversion", b"type", b"event_id", b"occurred_at", b"user_id", b"device_id", b"click_id", b"platform", b"install_referrer",
    b"properties", b"url", b"target_url", b"ref", b"channel", b"callback_url", b"dialog", b"outcome", b"post_id",
    b"composer", b"name", b"value", b"currency", b"events", b"sent_at", b"null", b"true", b"[", b"]", b"{", b"}",
    b"[[[[[[[[[[[[[[[[", b"\"", b"\\", b"\\u0000", b"\\ud800", b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\x80",
    b"%", b"%00", b"%25", b"&", b"=", b"#", b":", b",", b"\n", b"\r\n", b"-1", b"1e999", b"1e-999", b"9" * 40,
    b"0.1", b"-0", b"NaN", b"2026-11-21T10:00:00Z", b"9999-12-31T23:59:60+14:00", b"0000-00-00T00:00:00Z",
    b"al_applink_data=", b"fb_applink_args=", b"fb1://authorize#", b"fbconnect://success?", b"A" * 300,
    "\U0001F600\u202e\u0301".encode(),
]

URLS = [
    "fb123://authorize#target_url=http%3A%2F%2Fshop.example%2F%3Fref%3Dabc&access_token=T",
    "https://apps.facebook.com/shop/?fb_source=search&fb_ref=a,b",
    "myapp://x?al_applink_data=%7B%22target_url%22%3A%22myapp%3A%2F%2Fy%22%2C%22extras%22%3A%7B%22fb_app_id%22%3A1%7D%7D",
    'myapp://x?fb_applink_args={"version":2,"bridge_args":{"method":"applink"},"method_args":{"ref":"r"}}',
    "fb123://authorize?code=C&state=S", "/?fb_source=feed", "",
]
CALLBACKS = [
    "fbconnect://success?post_id=1_2", "fbconnect://cancel?error_code=4201", "fbconnect://success?request=1&to[0]=2",
    'fb1://bridge/share?bridge_args={"action_id":"1"}&method_results={"completionGesture":"post"}', "nothing",
]
TYPES = ["inbound_link", "feed_post", "link_click", "install", "authentication", "conversion", "app_open", "visit"]


def value(r):
    return r.choice([
        lambda: None, lambda: r.random() < 0.5, lambda: r.randint(-(2**63), 2**63), lambda: r.random() * 10 ** r.randint(-300, 300),
        lambda: "", lambda: "x" * r.choice([1, 255, 256, 257, 9000]), lambda: "\x00", lambda: "null", lambda: r.choice(URLS),
        lambda: [], lambda: {}, lambda: [[[]]], lambda: {"a": {"b": [1, "x"]}}, lambda: "é\u202e\U0001F600", lambda: "0",
        lambda: "".join(chr(r.randrange(1, 0xD800)) for _ in range(r.randint(1, 30))),
    ])()


def event(r):
    kind = r.choice(TYPES)
    fields = {"type": kind, "user_id": f"u{r.randrange(2000)}", "event_id": str(uuid.UUID(int=r.getrandbits(128)))}
    if kind in ("inbound_link", "link_click"):
        fields["url"] = r.choice(URLS)
    elif kind == "feed_post":
        fields["callback_url"] = r.choice(CALLBACKS)
    elif kind == "conversion":
        fields.update(name="buy", value=r.choice(["1.5", 2, -3, "x"]), currency=r.choice(["EUR", "eur", "E"]))
    if r.random() < 0.3:
        fields["properties"] = {"a": value(r), "b": [1, 2, {"c": None}]}
    if r.random() < 0.2:
        fields["occurred_at"] = r.choice(["2026-11-01T10:00:00.123456+02:00", "2300-01-01T00:00:00Z", "yesterday", 5])
    for _ in range(r.choice([0, 0, 0, 1, 3])):
        fields[r.choice(WORDS).decode("utf-8", "replace")] = value(r)
    return fields


def mutate(r, body):
    body = bytearray(body)
    for _ in range(r.choice([1, 1, 2, 4, 16])):
        place = r.randrange(len(body) + 1)
        action = r.randrange(6)
        if action == 0 and body:
            body[min(place, len(body) - 1)] ^= 1 << r.randrange(8)
        elif action == 1:
            body[place:place] = r.choice(WORDS)
        elif action == 2:
            del body[place:place + r.choice([1, 2, 8, 64])]
        elif action == 3:
            body[place:place] = r.randbytes(r.choice([1, 2, 8]))
        elif action == 4:
            body[place:place] = body[place:place + r.randint(1, 64)]
        else:
            del body[place:]
    return bytes(body)


def form(r):
    quote = lambda text: "".join(c if c.isalnum() and c.isascii() else "".join(f"%{b:02X}" for b in c.encode("utf-8", "replace")) for c in text)
    pairs = [(name, str(v)) for name, v in event(r).items()]
    return "&".join(f"{quote(k)}={quote(v)}" for k, v in pairs).encode()


def body(r):
    """A body and the media type to send it as."""
    kind = r.randrange(20)
    if kind < 2:
        return r.randbytes(r.choice([0, 1, 7, 100, 2000])), "application/json"
    if kind < 6:
        return mutate(r, json.dumps(event(r), ensure_ascii=r.random() < 0.5).encode("utf-8", "replace")), "application/json"
    if kind < 8:
        return json.dumps(event(r)).encode(), "application/json"
    if kind < 11:
        text = json.dumps({"events": [event(r) for _ in range(r.randint(0, 6))], "sent_at": value(r) if r.random() < 0.2 else "2026-11-21T10:00:00Z"})
        return mutate(r, text.encode()) if r.random() < 0.7 else text.encode(), "application/json"
    if kind < 14:
        text = "\n".join(json.dumps(event(r)) for _ in range(r.randint(0, 6))).encode()
        return mutate(r, text) if r.random() < 0.7 else text, "application/x-ndjson"
    if kind < 17:
        return mutate(r, form(r)) if r.random() < 0.5 else form(r), "application/x-www-form-urlencoded"
    if kind < 18:
        deep = r.choice([10, 500, 3000])
        opening = r.choice([b"[", b'{"a":', b'[{"properties":'])
        return opening * deep + r.choice([b"", b"1", b"]" * deep]), "application/json"
    if kind < 19:
        return json.dumps(value(r)).encode("utf-8", "replace"), "application/json"
    return b"".join(r.choice(WORDS) for _ in range(r.randint(1, 60))), r.choice(["application/json", "application/x-ndjson", "application/x-www-form-urlencoded", "text/plain", ""])


class Bombs:
    """Small gzip bodies that decompress to many bytes."""

    def __init__(self):
        squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
        chunk = b" " * (1 << 20)
        self.blanks = b"".join(squeeze.compress(chunk) for _ in range(256)) + squeeze.flush()
        line = b'{"type":"install","user_id":"u"}\n' * 30000
        self.lines = gzip.compress(line * 40, 9)
        self.twice = gzip.compress(self.blanks, 9)
        self.members = gzip.compress(b"[" * 100) * 20000

    def all(self):
        return [self.blanks, self.lines, self.twice, self.members]


class Client:
    """One keep-alive connection. It opens again whenever the daemon closes it."""

    def __init__(self, host, port, key):
        self.address = (host, port)
        self.key = key.encode()
        self.socket = None
        self.buffer = b""

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None
        self.buffer = b""

    def connect(self):
        self.socket = socket.create_connection(self.address, timeout=40)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def post(self, path, body, media_type, encoding=None):
        head = b"POST %s HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n" % (path, self.key, len(body))
        if media_type:
            head += b"Content-Type: %s\r\n" % media_type.encode()
        if encoding:
            head += b"Content-Encoding: %s\r\n" % encoding
        return self.exchange(head + b"\r\n" + body)

    def exchange(self, request):
        """Status, header fields and body of the answer. If the connection was closed, tries again on a new one."""
        for attempt in (0, 1):
            fresh = self.socket is None
            if fresh:
                self.connect()
            try:
                try:
                    self.socket.sendall(request)
                except OSError:
                    pass  # The daemon refused the request early; its answer can still be read.
                return self.answer()
            except (ConnectionError, EOFError):
                self.close()
                if fresh:
                    raise
        raise EOFError

    def fill(self):
        part = self.socket.recv(1 << 16)
        if not part:
            raise EOFError("closed without an answer")
        self.buffer += part

    def answer(self):
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, _, rest = self.buffer.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): text.strip() for name, _, text in (line.partition(":") for line in lines[1:])}
        length = int(fields.get("content-length", "0"))
        self.buffer = rest
        while len(self.buffer) < length:
            self.fill()
        body, self.buffer = self.buffer[:length], self.buffer[length:]
        if fields.get("connection", "").lower() == "close":
            self.close()
        return int(lines[0].split()[1]), fields, body


def faults_of(status, fields, body):
    if status >= 500:
        return f"{status}: {body[:300]!r}"
    try:
        document = json.loads(body)
    except ValueError:
        return f"{status}, not JSON: {body[:300]!r}"
    if status in (200, 202):
        return None if set(document) >= {"accepted", "duplicates", "stored", "rejected"} else f"not a receipt: {body[:300]!r}"
    if fields.get("content-type") != "application/problem+json" or document.get("status") != status:
        return f"{status}, not a problem document: {body[:300]!r}"
    return None


def work(arguments, number, results):
    r = random.Random(arguments.seed * 1000 + number)
    client = Client(arguments.host, arguments.port, arguments.write_key)
    bombs = Bombs().all() if arguments.rubbish else []
    paths = [b"/v1/events", b"/v1/inbound-links", b"/v1/feed-posts"]
    count = arguments.bodies // WORKERS + (number < arguments.bodies % WORKERS)
    statuses, faults = collections.Counter(), []
    for sent in range(1, count + 1):
        payload, media_type = body(r)
        encoding = None
        chance = r.random()
        if chance < 0.1:
            payload, encoding = gzip.compress(payload, 1), b"gzip"
            if r.random() < 0.5:
                payload = mutate(r, payload)
        elif chance < 0.11:
            encoding = r.choice([b"gzip", b"br", b"deflate", b"gzip, gzip", b"identity"])
        elif bombs and sent % 1000 == 500:
            payload, encoding = r.choice(bombs), b"gzip"
        try:
            status, fields, answer = client.post(r.choice(paths), payload, media_type, encoding)
            statuses[status] += 1
            fault = faults_of(status, fields, answer)
        except (OSError, EOFError, ValueError) as error:
            statuses["closed"] += 1
            fault = f"no answer: {error!r}"
        if fault and len(faults) < 5:
            faults.append(f"{fault}\n  body ({media_type}, {encoding}): {payload[:500]!r}")
        if sent % 200 == 0 or sent == count:
            results.put(("progress", number, sent))
    results.put(("done", statuses, faults))


def rubbish_requests(key):
    """Requests that proxies and servers are known to read differently, and bytes that are not a request."""
    head = b"POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer " + key.encode() + b"\r\nContent-Type: application/json\r\n"
    smuggled = b"GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n"
    good = b'{"type":"install","user_id":"u"}'
    chunked = head + b"Transfer-Encoding: chunked\r\n\r\n"
    yield "both lengths", head + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled
    yield "both lengths, the other way round", head + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + smuggled
    yield "two lengths", head + b"Content-Length: 5\r\nContent-Length: 50\r\n\r\n" + smuggled
    yield "two lengths in one field", head + b"Content-Length: 5, 50\r\n\r\n" + smuggled
    for length in [b"-1", b"+5", b"0x10", b"5 5", b"99999999999999999999", b"5e1", b"", b"five", b"\x0b5"]:
        yield f"length {length}", head + b"Content-Length: " + length + b"\r\n\r\n" + good
    for coding in [b"xchunked", b"chunked, identity", b"gzip", b"identity", b"chunked, chunked", b" chunked\x00", b"\x0bchunked"]:
        yield f"coding {coding}", head + b"Transfer-Encoding: " + coding + b"\r\n\r\n0\r\n\r\n" + smuggled
    for size in [b"zz", b"-1", b"FFFFFFFFFFFFFFFFF", b"", b"0x5", b"5 5", b"\x00", b"1" * 5000]:
        yield f"chunk size {size[:20]}", chunked + size + b"\r\n" + good + b"\r\n0\r\n\r\n"
    yield "chunk without its end", chunked + b"5\r\n{\"a\":XX5\r\n"
    yield "chunk extension without end", chunked + b"5;" + b"a" * 100_000
    yield "trailers without end", chunked + b"0\r\n" + b"X-A: b\r\n" * 20_000
    yield "a bare line feed", head.replace(b"\r\n", b"\n") + b"Content-Length: 0\n\n"
    yield "a bare carriage return", head.replace(b"\r\n", b"\r") + b"\r\r"
    yield "a blank before the colon", head + b"Content-Length : 5\r\n\r\n" + good
    yield "a folded field", head + b"X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n"
    yield "a NUL in a field", head + b"X-A: b\x00c\r\nContent-Length: 0\r\n\r\n"
    yield "no host", b"POST /v1/events HTTP/1.1\r\nContent-Length: 0\r\n\r\n"
    yield "two hosts", b"POST /v1/events HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 0\r\n\r\n"
    for version in [b"HTTP/0.9", b"HTTP/1.2", b"HTTP/2.0", b"HTTP/9.9", b"HTTP/1.1 x", b"http/1.1", b"ICY/1.0", b""]:
        yield f"version {version}", b"GET /healthz " + version + b"\r\nHost: h\r\n\r\n"
    yield "HTTP/2 at once", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00" * 50
    yield "TLS", bytes.fromhex("16030100c8010000c40303") + bytes(200)
    yield "a long target", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: h\r\n\r\n"
    yield "a long method", b"A" * 100_000 + b" / HTTP/1.1\r\n\r\n"
    yield "a long field", head + b"X-A: " + b"b" * 200_000 + b"\r\n\r\n"
    yield "many fields", head + b"X-A: b\r\n" * 20_000 + b"\r\n"
    yield "a field without end", head + b"X-A: " + b"b" * 1_000_000
    for target in [b"*", b"http://h/healthz", b"h:80", b"/\x00", b"/%00", b"/%zz", b"//", b"/../../etc/passwd", b"/\xff\xfe", b"?", b"#"]:
        yield f"target {target}", b"GET " + target + b" HTTP/1.1\r\nHost: h\r\n\r\n"
    for method in [b"TRACE", b"CONNECT", b"OPTIONS", b"PURGE", b"get", b"G\x00T"]:
        yield f"method {method}", method + b" /v1/events HTTP/1.1\r\nHost: h\r\n\r\n"
    yield "an upgrade", b"GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n" + bytes(100)
    yield "expect the impossible", head + b"Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}"
    yield "a body that stops", head + b"Content-Length: 500\r\n\r\n{"
    yield "only blank lines", b"\r\n" * 5000
    yield "nothing", b""


def rubbish(arguments, r):
    """Sends each on its own connection. The daemon must answer below 500 or not at all, and close the connection."""
    counts, faults = collections.Counter(), []
    cases = list(rubbish_requests(arguments.write_key))
    base = [request for _, request in cases if len(request) < 2000]
    cases += [("random bytes", r.randbytes(r.randint(1, 400))) for _ in range(200)]
    cases += [("mutated request", mutate(r, r.choice(base))) for _ in range(arguments.bodies // 50)]
    for name, request in cases:
        try:
            with socket.create_connection((arguments.host, arguments.port), timeout=20) as connection:
                try:
                    connection.sendall(request)
                    connection.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                received = b""
                try:
                    while part := connection.recv(1 << 16):
                        received += part
                except ConnectionError:
                    pass
        except TimeoutError:
            faults.append(f"{name}: neither answered nor closed within 20 s: {request[:200]!r}")
            continue
        statuses = [int(line[9:12]) for line in received.split(b"\r\n") if line.startswith(b"HTTP/1.1 ") and line[9:12].isdigit()]
        for status in statuses or ["closed"]:
            counts[status] += 1
        if any(status >= 500 for status in statuses):
            faults.append(f"{name}: {statuses}: {request[:300]!r}\n  {received[:600]!r}")
        # A mutated request may have become two valid ones.
        if name != "mutated request" and b"# HELP" in received:
            faults.append(f"{name}: the daemon answered a request hidden in the body: {request[:300]!r}")
    print(f"rubbish: {len(cases)} connections, answers {dict(sorted(counts.items(), key=str))}, faults {len(faults)}")
    for fault in faults[:10]:
        print(fault)
    return not faults


def memory(process):
    """Resident KiB of a process, or None if the system does not say."""
    try:
        with open(f"/proc/{process}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    except (OSError, StopIteration):
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", required=True)
    parser.add_argument("--write-key", required=True)
    parser.add_argument("--bodies", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--process", type=int)
    parser.add_argument("--rubbish", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    arguments = parser.parse_args()
    arguments.host, _, port = arguments.base.removeprefix("http://").rpartition(":")
    arguments.port = int(port)

    began = time.monotonic()
    results = multiprocessing.Queue()
    workers = [multiprocessing.Process(target=work, args=(arguments, number, results)) for number in range(WORKERS)]
    for worker in workers:
        worker.start()
    statuses, faults, progress, samples = collections.Counter(), [], [0] * WORKERS, []
    done, next_sample = 0, 0.1
    while done < WORKERS:
        what, first, second = results.get(timeout=120)
        if what == "done":
            done += 1
            statuses += first
            faults += second
            continue
        progress[first] = second
        share = sum(progress) / max(1, arguments.bodies)
        while share >= next_sample - 1e-9 and next_sample <= 1.001:
            samples.append(memory(arguments.process) if arguments.process else None)
            next_sample += 0.1
    for worker in workers:
        worker.join()
    seconds = time.monotonic() - began
    holds = not faults and sum(statuses.values()) == arguments.bodies
    if not arguments.quiet or not holds:
        print(f"fuzz: {sum(statuses.values())} bodies in {seconds:.0f} s, seed {arguments.seed}, answers {dict(sorted(statuses.items(), key=str))}, faults {len(faults)}")
        for fault in faults[:10]:
            print(fault)
    if arguments.rubbish:
        holds = rubbish(arguments, random.Random(arguments.seed)) and holds
    known = [sample for sample in samples if sample]
    if known:
        known.append(memory(arguments.process) or known[-1])
        print("memory: resident MiB after each tenth and at the end: " + " ".join(f"{sample / 1024:.0f}" for sample in known))
        # During the first tenths, pools, caches and the allocator's arenas grow. After that memory must be flat.
        warm = max(known[:4])
        if known[-1] > warm * 1.2 + 16 * 1024:
            print(f"memory grew from {warm // 1024} MiB to {known[-1] // 1024} MiB")
            holds = False
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
