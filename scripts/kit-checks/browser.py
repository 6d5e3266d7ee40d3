#!/usr/bin/env python3
"""Opens pages with kits/web in Chromium: from an origin that the key lists and from another one, a page
that changes its route and is reloaded, one that is made in advance, and one with a long queue. Only the listed origin
may store events, and the browser shows the other no answer.

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
page = ""
CLICK = "click_id=0199f0a4-5b7c-7d3e-8f01-23456789abcd"
ADVANCE = '<script type=speculationrules>{"prerender":[{"urls":["/advance?' + CLICK + '"],"eagerness":"immediate"}]}</script>'
asked = []


class Site(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        asked.append(self.path)
        if self.path in ("/kit/page.js", "/kit/core.js"):
            return self.answer("text/javascript", open("kits/web" + self.path[4:], "rb").read())
        self.answer("text/html; charset=utf-8", (page + (ADVANCE if self.path == "/advancing" else "")).encode())

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)


def tributary(*words):
    return subprocess.run([arguments.tributary, *words], check=True, capture_output=True, text=True).stdout


def stored(text):
    """The events of visits whose page has a text in its address."""
    events = [json.loads(line) for line in tributary("export", "events", "--app", "shop", "--format", "ndjson").splitlines()]
    return [event for event in events if text in (event.get("target_url") or "")]


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
port = server.server_port
listed, other = f"http://localhost:{port}", f"http://127.0.0.1:{port}"
key = json.loads(tributary("app", "add-key", "shop", "--scope", "app", "--origin", listed, "--format", "json"))["app_key"]
page = f"""<!doctype html><html lang=en><title>Page</title><script type=module>
import {{ TributaryApp }} from "/kit/page.js";
const t = new TributaryApp({json.dumps(arguments.daemon)}, {json.dumps(key)});
t.setConsent(true);
t.opened();
window.t = t;
</script>"""

options = webdriver.ChromeOptions()
for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"):
    options.add_argument(word)
browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
faults = []


def waiting(until=0, tries=100):
    """How many events wait, once these are `until` or after some seconds."""
    for _ in range(tries):
        count = len(json.loads(browser.execute_script("return localStorage.tributary"))["events"])
        if count == until:
            break
        time.sleep(0.1)
    return count


def expect(what, found, expected):
    if found != expected:
        faults.append(f"browser: {what}: {found}, expected {expected}")


try:
    browser.get(f"{listed}/?{CLICK}&from=listed")
    expect("waiting events of a page of the listed origin", waiting(), 0)
    for _ in range(2):
        browser.execute_script("history.pushState(null, '', location.href + '&route=1'); t.opened()")
    expect("waiting events of a page that changes its route", waiting(), 0)
    for _ in range(3):
        browser.refresh()
    browser.get(f"{listed}/advancing")
    browser.back()
    expect("waiting events of a page that is shown again", waiting(), 0)
    expect("visits of a page that is shown again", len(stored("from=listed")), 1)

    browser.get(f"{other}/?{CLICK}&from=other")
    expect("waiting events of a page of another origin", waiting(until=-1, tries=10), 1)
    expect("visits of a page of another origin", len(stored("from=other")), 0)

    # Longer than what may outlive its page in one request.
    browser.get(f"{listed}/robots.txt")
    browser.execute_script("""
        const state = JSON.parse(localStorage.tributary);
        for (let number = 0; number < 60; number++) state.events.push({
          type: "inbound_link", event_id: crypto.randomUUID(), device_id: state.device,
          url: "https://shop.example/queue?from=queue&text=" + "x".repeat(1450),
        });
        localStorage.tributary = JSON.stringify(state);""")
    browser.get(f"{listed}/")
    expect("waiting events of a long queue", waiting(), 0)
    expect("stored events of a long queue", len(stored("from=queue")), 60)

    browser.get(f"{listed}/advancing")
    for _ in range(50):
        if any(path.startswith("/advance?") for path in asked):
            break
        time.sleep(0.1)
    else:
        print("SKIPPED: browser: Chromium makes no page in advance")
    time.sleep(1)
    waiting()
    expect("visits of a page that is made in advance", len(stored("/advance")), 0)
    browser.execute_script("location.href = '/advance?" + CLICK + "'")
    time.sleep(1)
    expect("waiting events of a page that is shown after it was made", waiting(), 0)
    expect("visits of a page that is shown after it was made", len(stored("/advance")), 1)
finally:
    browser.quit()
for fault in faults:
    print(fault)
if not faults:
    print("browser: only the listed origin may send, and each visit is told once")
sys.exit(1 if faults else 0)
