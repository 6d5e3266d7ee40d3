#!/usr/bin/env python3
"""Stands between senders and the daemon, and makes trouble. It gives the POSTs of each sender these answers, in order:

503:2   503 with Retry-After: 2; without a number, no Retry-After
lost    the daemon gets the request, but its answer is lost

From then on, and to each GET, the daemon's answer. A sender is named by the first part of the path: /python/v1/events.
Under /python-refused/ everything goes to the daemon.

    stub.py --daemon http://127.0.0.1:8080 --log FILE ANSWER…      prints its address
"""
import argparse
import http.server
import json
import threading
import time
import urllib.error
import urllib.request

arguments = argparse.ArgumentParser()
arguments.add_argument("--daemon", required=True)
arguments.add_argument("--log", required=True)
arguments.add_argument("answers", nargs="*")
arguments = arguments.parse_args()

lock = threading.Lock()
counts = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def forward(self, body):
        headers = {name: self.headers[name] for name in ("Authorization", "Content-Type") if self.headers[name]}
        path = "/" + self.path.split("/", 2)[2]
        try:
            with urllib.request.urlopen(urllib.request.Request(arguments.daemon + path, body, headers)) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def do_GET(self, body=None):
        status, text = self.forward(body)
        self.answer(status, {"Content-Type": "application/json"}, text)

    def do_POST(self):
        sender = self.path.split("/")[1]
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not body:
            # URLSession on Linux repeats a request by itself, and then without its body.
            return self.answer(400, {}, b"{}")
        with lock:
            counts[sender] = number = counts.get(sender, 0) + 1
            with open(arguments.log, "a") as log:
                entry = {"sender": sender, "number": number, "time": time.monotonic(), "body": json.loads(body)}
                log.write(json.dumps(entry) + "\n")
        if sender.endswith("-refused") or number > len(arguments.answers):
            return self.do_GET(body)
        status, _, pause = arguments.answers[number - 1].partition(":")
        if status == "lost":
            self.forward(body)
            self.close_connection = True
        else:
            self.answer(int(status), {"Retry-After": pause} if pause else {}, b"{}")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
