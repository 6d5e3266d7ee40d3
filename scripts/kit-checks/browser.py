#!/usr/bin/env python3
"""Opens a page with docs/recipes/tributary.js in Chromium: from an origin that the key lists, and from another one. Only
the first may store events, and the browser shows the other no answer.

    browser.py --tributary PROGRAM --daemon http://127.0.0.1:8080      prints what is wrong; exits with 1 then
"""
import argparse
import http.server
import json
import shutil
import subprocess
import sys
import threading
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

arguments = argparse.ArgumentParser()
arguments.add_argument("--tributary", required=True)
arguments.add_argument("--daemon", required=True)
arguments = arguments.parse_args()
with open("docs/recipes/tributary.js") as file:
    snippet = file.read()
page = ""


class Site(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        body = page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)


def tributary(*words):
    return subprocess.run([arguments.tributary, *words], check=True, capture_output=True, text=True).stdout


def stored(path):
    """The events of visits of a page."""
    events = [json.loads(line) for line in tributary("export", "events", "--app", "shop", "--format", "ndjson").splitlines()]
    return [event for event in events if event.get("referer_url") == path or path in (event.get("target_url") or "")]


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
port = server.server_port
listed, other = f"http://localhost:{port}", f"http://127.0.0.1:{port}"
key = json.loads(tributary("app", "add-key", "shop", "--scope", "app", "--origin", listed, "--format", "json"))["app_key"]
page = f"<!doctype html><html lang=en><title>Page</title><script>{snippet}\nwindow.t = tributary({json.dumps(arguments.daemon)}, {json.dumps(key)}, true)</script>"

options = webdriver.ChromeOptions()
for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"):
    options.add_argument(word)
browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
faults = []
try:
    waiting = {}
    for origin in (listed, other):
        browser.get(f"{origin}/?click_id=0199f0a4-5b7c-7d3e-8f01-23456789abcd&from={'listed' if origin == listed else 'other'}")
        for _ in range(50):
            waiting[origin] = len(json.loads(browser.execute_script("return localStorage.tributary"))["events"])
            if waiting[origin] == 0 or origin == other and _ == 10:
                break
            time.sleep(0.1)
    if waiting[listed] != 0:
        faults.append(f"browser: a page of the listed origin still has {waiting[listed]} events")
    if waiting[other] != 1:
        faults.append(f"browser: a page of another origin got an answer: {waiting[other]} events wait, expected 1")
finally:
    browser.quit()
if len(stored("from=listed")) != 1 or stored("from=other"):
    faults.append(f"browser: stored {stored('from=listed')} and {stored('from=other')}")
for fault in faults:
    print(fault)
if not faults:
    print("browser: only the listed origin may send")
sys.exit(1 if faults else 0)
