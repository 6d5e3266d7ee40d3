#!/usr/bin/env python3
"""Stands between the kits for apps and the daemon, and makes trouble. It answers the POSTs of each kit in this order:

1. 503 with Retry-After: 1
2. the daemon gets the request, but its answer is lost
3. 429 with Retry-After: 1
4. the daemon's answer, from then on

Questions (GET) go to the daemon at once. A kit is named by the first part of the path: /swift/v1/events.

    app_stub.py --daemon http://127.0.0.1:8080 --log FILE      prints its address
"""
import argparse
import http.server
import json
import threading
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
        headers = {name: self.headers[name] for name in ("Authorization", "Content-Type") if self.headers[name]}
        path = "/" + self.path.split("/", 2)[2]
        try:
            with urllib.request.urlopen(urllib.request.Request(arguments.daemon + path, body, headers)) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def do_GET(self):
        status, text = self.forward(None)
        self.answer(status, {"Content-Type": "application/json"}, text)

    def do_POST(self):
        kit = self.path.split("/")[1]
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not body:
            # URLSession on Linux repeats a request by itself, and then without its body.
            return self.answer(400, {}, b"{}")
        with lock:
            counts[kit] = number = counts.get(kit, 0) + 1
            with open(arguments.log, "a") as log:
                log.write(json.dumps({"kit": kit, "number": number, "body": json.loads(body)}) + "\n")
        if number == 1:
            self.answer(503, {"Retry-After": "1"}, b"{}")
        elif number == 2:
            self.forward(body)
            self.close_connection = True
        elif number == 3:
            self.answer(429, {"Retry-After": "1"}, b"{}")
        else:
            status, text = self.forward(body)
            self.answer(status, {"Content-Type": "application/json"}, text)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
