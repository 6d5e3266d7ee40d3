#!/usr/bin/env python3
"""Stands between the recipes and the daemon, and makes trouble. It answers the requests of each recipe in this order:

1. 503 with Retry-After: 2
2. the daemon gets the request, but its answer is lost
3. 408
4. 429 with Retry-After: 1
5. the daemon's answer

A recipe is named by the first part of the path: /python/v1/events. Under /python-refused/ everything goes to the daemon.

    stub.py --daemon http://127.0.0.1:8080 --log FILE      prints its address
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
        headers = {"Authorization": self.headers["Authorization"], "Content-Type": self.headers["Content-Type"]}
        path = "/" + self.path.split("/", 2)[2]
        try:
            with urllib.request.urlopen(urllib.request.Request(arguments.daemon + path, body, headers)) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def do_POST(self):
        recipe = self.path.split("/")[1]
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            counts[recipe] = number = counts.get(recipe, 0) + 1
            with open(arguments.log, "a") as log:
                entry = {"recipe": recipe, "number": number, "time": time.monotonic(), "body": json.loads(body)}
                log.write(json.dumps(entry) + "\n")
        if recipe.endswith("-refused") or number > 4:
            status, text = self.forward(body)
            self.answer(status, {"Content-Type": "application/json"}, text)
        elif number == 1:
            self.answer(503, {"Retry-After": "2"}, b"{}")
        elif number == 2:
            self.forward(body)
            self.close_connection = True
        elif number == 3:
            self.answer(408, {}, b"{}")
        else:
            self.answer(429, {"Retry-After": "1"}, b"{}")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
