"""Receives webhooks of Tributary and pays each settled credit without doubt once (docs/webhooks.md).

Python 3.9 or newer:

    WEBHOOK_SECRET=whsec_… python3 webhook.py 8090 rewards.db
"""

import base64
import hashlib
import hmac
import json
import os
import sqlite3
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
DATABASE = sqlite3.connect(sys.argv[2])
DATABASE.execute("create table if not exists reward (event_id text, touch_id text, user_id text, credit real,"
                 " primary key (event_id, touch_id))")


def is_signed(headers, body):
    """Whether Tributary signed this body within the last five minutes."""
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdigit() or abs(time.time() - int(stamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, one) for one in headers.get("webhook-signature", "").split())


def pay(word):
    """Pays once: the key of the table refuses a second time. Anybody can send an event with the app's key."""
    if word["event"].get("sent_by") != "server":
        return
    doubt = word["event"]["doubt"] + [reason for credit in word["credits"] or [] for reason in credit["doubt"]]
    if doubt:
        print(f"not paid, look at event {word['event']['id']}: {', '.join(dict.fromkeys(doubt))}", flush=True)
        return
    with DATABASE:
        for credit in word["credits"] or []:
            if credit["poster"] and credit["poster"]["user_id"]:
                DATABASE.execute("insert into reward values (?, ?, ?, ?) on conflict do nothing",
                                 (word["event"]["id"], credit["touch_id"], credit["poster"]["user_id"], credit["credit"]))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_signed(self.headers, body):
            return self.answer(401)
        word = json.loads(body)
        if word["type"] == "credit.settled":
            pay(word)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
