"""Follows short links in headless Chromium, as many kinds of visitors, to a target site on this machine.

Nothing leaves the machine: the names of the stores lead to this program, and others that are not below localhost are
not found.
"""

import argparse
import collections
import csv
import http.server
import io
import json
import os
import pathlib
import signal
import ssl
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib

from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

parser = argparse.ArgumentParser()
parser.add_argument("--base", required=True)
parser.add_argument("--write-key", required=True)
parser.add_argument("--tributary", required=True)
parser.add_argument("--certificate", required=True, help="certificate and key of the stores, which browsers ignore")
parser.add_argument("--carry-keys", required=True, help="the write key and the read key of the app carry, with a comma")
parser.add_argument("--postmaster", required=True, help="the file with the process id of the database server")
parser.add_argument("--pictures", type=pathlib.Path)
arguments = parser.parse_args()

PORT = urllib.parse.urlsplit(arguments.base).port
SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
IPHONE = f"Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) {SAFARI} Version/26.0 Mobile/15E148 Safari/604.1"
FACEBOOK_IPHONE = (
    f"Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) {SAFARI} Mobile/15E148 "
    "[FBAN/FBIOS;FBAV/536.0.0.40.102;FBBV/802106105;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.7;FBSS/3]"
)
# A headless Chromium says so, and would be a bot.
DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
MAC = f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {SAFARI} Version/26.0 Safari/605.1.15"
ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36"
)
FACEBOOK_ANDROID = (
    "Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/BP1A.250505.005; wv) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Version/4.0 Chrome/142.0.7444.48 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/536.0.0.46.77;]"
)
# Android's browser says what it is in a header too, which overrides the agent.
ANDROID_HINTS = {
    "platform": "Android",
    "platformVersion": "15",
    "architecture": "",
    "model": "Pixel 8",
    "mobile": True,
}

faults = []
checks = 0
# Visits of people by path, which must be exactly the clicks in the database.
visits = collections.Counter()


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        faults.append(what)
        print(f"FAILED: {what}")


def png(size, pixel):
    """A picture of one colour, without a library."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + pixel * size) * size
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


LOGO = png(64, bytes([124, 58, 237]))


class Site(http.server.BaseHTTPRequestHandler):
    """The target site, and the site with the posts. It notes what it was asked for."""

    requests = []
    pages = {}

    def do_GET(self):
        Site.requests.append((self.path, dict(self.headers)))
        if self.path == "/logo.png":
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.end_headers()
            self.wfile.write(LOGO)
            return
        body = Site.pages.get(self.path.split("?")[0], "<p>arrived</p>")
        html = f"<!doctype html><html lang=en><title>Site</title><link rel=icon href='data:,'>{body}"
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(html.encode())

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
stores = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(arguments.certificate)
stores.socket = context.wrap_socket(stores.socket, server_side=True)
threading.Thread(target=stores.serve_forever, daemon=True).start()
SITE = f"http://www.localhost:{server.server_port}"
POSTS = f"http://posts.localhost:{server.server_port}"


def short(slug, query="", host="go.localhost"):
    return f"http://{host}:{PORT}/{slug}" + (f"?{query}" if query else "")


def create(**link):
    request = urllib.request.Request(f"{arguments.base}/v1/links", data=json.dumps(link).encode())
    request.add_header("Authorization", f"Bearer {arguments.write_key}")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request) as answer:
        answer.read()


def create_elsewhere(app, **link):
    options = [f"--{name.replace('_', '-')}={value}" for name, value in link.items()]
    subprocess.run([arguments.tributary, "link", "create", "--app", app, *options], check=True, capture_output=True)


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def ask(url, agent, method="GET", **headers):
    """One request, without a browser."""
    address = urllib.parse.urlsplit(url)
    request = urllib.request.Request(f"{arguments.base}{url[url.index('/', 8):]}", method=method)
    request.add_header("Host", address.netloc)
    request.add_header("User-Agent", agent)
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urllib.request.build_opener(NoRedirects).open(request) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def browser(agent, phone=False, touches=0, dark=False, scripts=True, hints=None):
    options = webdriver.ChromeOptions()
    for flag in [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--host-resolver-rules=MAP apps.apple.com 127.0.0.1:{stores.server_port} , "
        f"MAP play.google.com 127.0.0.1:{stores.server_port} , MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE *.localhost , "
        "EXCLUDE 127.0.0.1",
        "--ignore-certificate-errors",
    ]:
        options.add_argument(flag)
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    driver.set_page_load_timeout(60)
    width, height = (390, 844) if phone else (1280, 900)
    metrics = {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": phone}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    override = {"userAgent": agent}
    if hints:
        override["userAgentMetadata"] = hints
    driver.execute_cdp_cmd("Emulation.setUserAgentOverride", override)
    if touches:
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": touches})
    set_dark(driver, dark)
    return driver


def set_dark(driver, dark):
    media = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})


def count(url):
    visits[urllib.parse.unquote(urllib.parse.urlsplit(url).path)[1:].lower()] += 1


def visit(driver, url, counts=True):
    """Opens an address as a person does who types or taps it."""
    if counts:
        count(url)
    driver.get(url)


def arrives(driver, part, what):
    """Waits until the address bar has a text."""
    try:
        WebDriverWait(driver, 20).until(lambda d: part in d.current_url)
    except WebDriverException:
        pass
    check(part in driver.current_url, f"{what}: {driver.current_url} instead of {part}")


def no_errors(driver, where):
    entries = [entry for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    # The status of the page itself.
    expected = ("responded with a status of 404", "responded with a status of 410")
    errors = [entry["message"] for entry in entries if not any(text in entry["message"] for text in expected)]
    check(not errors, f"{where}: console: {errors}")


def looks_well(driver, where, name):
    """Nothing is too wide, the rules of accessibility hold, and there is a picture, by day and by night."""
    for mode, dark in [("light", False), ("dark", True)]:
        set_dark(driver, dark)
        widths = driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        check(widths[0] <= widths[1], f"{where}: {widths[0]} px wide in a window of {widths[1]} px")
        violations = [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in Axe().run(driver)["violations"]]
        check(not violations, f"{where}, {mode}: axe: {violations}")
        picture(driver, f"{name}-{mode}")
    set_dark(driver, False)


def picture(driver, name):
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
        driver.save_screenshot(str(arguments.pictures / f"{name}.png"))


def buttons(driver):
    return [(a.text, a.get_attribute("href")) for a in driver.find_elements(By.CSS_SELECTOR, "nav a") if a.is_displayed()]


def tap(driver, text):
    """Taps a link of a page, and waits for another page."""
    old = driver.current_url
    driver.find_element(By.PARTIAL_LINK_TEXT, text).click()
    try:
        WebDriverWait(driver, 20).until(lambda d: d.current_url != old)
    except WebDriverException:
        pass


def back_to(driver, url, where):
    driver.back()
    arrives(driver, url, f"{where}: back")


def check_desktop():
    driver = browser(DESKTOP)
    try:
        visit(driver, short("sale", "utm_source=a%20b&x=1&keep=2"))
        check(driver.current_url == f"{SITE}/item?x=own&utm_source=a%20b&keep=2#part", f"desktop: {driver.current_url}")
        path, headers = Site.requests[-1]
        check(path == "/item?x=own&utm_source=a%20b&keep=2", f"the site is asked for {path}")
        check("Referer" not in headers and "Cookie" not in headers, f"the site gets no more than usual: {headers}")
        check(driver.get_cookies() == [], "no cookies")
        no_errors(driver, "desktop")
        visit(driver, short("with-id", "click_id=mine"))
        check("click_id=0" in driver.current_url and "mine" not in driver.current_url, f"click id: {driver.current_url}")
        # Of a post on another site. Back leads to the post, and not into a loop.
        Site.pages["/post"] = f'<h1>A post</h1><a href="{short("sale")}">Look</a>'
        driver.get(f"{POSTS}/post")
        count(short("sale"))
        tap(driver, "Look")
        arrives(driver, f"{SITE}/item", "desktop, from a post")
        check(Site.requests[-1][1].get("Referer") == f"{POSTS}/", f"the site sees the post's site: {Site.requests[-1]}")
        back_to(driver, f"{POSTS}/post", "desktop")
        driver.forward()
        arrives(driver, f"{SITE}/item", "desktop: forward")
        visit(driver, short("%C3%BCber"))
        arrives(driver, f"{SITE}/umlaut", "a slug with an umlaut")
        visit(driver, short("SALE"))
        arrives(driver, f"{SITE}/item", "a slug in capital letters, as QR codes have it")
        # Links that are loaded and not visited.
        Site.pages["/embedding"] = (
            f'<h1>Embedded</h1><img alt="" src="{short("sale")}"><iframe title="a" src="{short("sale")}"></iframe>'
            f'<link rel="prefetch" href="{short("sale")}">'
        )
        driver.get(f"{POSTS}/embedding")
        WebDriverWait(driver, 20).until(lambda d: d.execute_script("return document.readyState") == "complete")
        driver.get_log("browser")
        for slug, heading, name in [("ended", "", "expired"), ("nothing", "", "not-found")]:
            visit(driver, short(slug), counts=False)
            check(driver.find_element(By.TAG_NAME, "h1").text != "", f"{name}: a heading")
            check("Sample Shop" in driver.page_source, f"{name}: names the app")
            looks_well(driver, name, name)
            no_errors(driver, name)
        visit(driver, short("moved-on"), counts=False)
        arrives(driver, f"{SITE}/ended", "an expired link with a page for afterwards")
        visit(driver, short("app-only"))
        check("Sample Shop" in driver.page_source, "not available: names the app")
        looks_well(driver, "not available", "not-available")
        no_errors(driver, "not available")
    finally:
        driver.quit()


def check_iphone():
    driver = browser(IPHONE, phone=True, touches=5)
    try:
        visit(driver, short("in-app", "campaign=spring"))
        address = short("in-app", "campaign=spring")
        texts = [text for text, _ in buttons(driver)]
        wanted = ["Open in Sample Shop", "Get the app: App Store", "Continue on the web"]
        check(texts == wanted, f"iPhone: {texts}")
        addresses = [href for _, href in buttons(driver)]
        check(addresses[0].startswith("shop://item/42?click_id=0"), f"iPhone, the app: {addresses}")
        check(addresses[1] == "https://apps.apple.com/app/id111111111", f"iPhone, the store: {addresses}")
        check("Everything for less" in driver.page_source, "iPhone: the description")
        looks_well(driver, "iPhone, interstitial", "interstitial-iphone")
        # Nothing opens without a tap.
        time.sleep(2)
        check(driver.current_url == address, f"iPhone: opened by itself: {driver.current_url}")
        no_errors(driver, "iPhone, interstitial")
        tap(driver, "Continue on the web")
        arrives(driver, f"{SITE}/mobile?campaign=spring", "iPhone, the web")
        check(Site.requests[-1][1].get("Referer") == f"http://go.localhost:{PORT}/", f"referer: {Site.requests[-1]}")
        driver.back()
        arrives(driver, address, "iPhone: back to the buttons")
            # Going back asks again, unless the browser still has the page in memory.
        if driver.execute_script("return performance.getEntriesByType('navigation')[0].type") == "back_forward":
            count(address)
        visit(driver, short("store"))
        arrives(driver, "https://apps.apple.com/app/id111111111", "iPhone, no place in the app")
        visit(driver, short("web-first"))
        arrives(driver, f"{SITE}/item", "iPhone, fallback web")
    finally:
        driver.quit()


def check_android():
    driver = browser(ANDROID, phone=True, touches=5, hints=ANDROID_HINTS)
    try:
        visit(driver, short("in-app"))
        labels = dict(buttons(driver))
        intent = labels.get("Open in Sample Shop", "")
        check(intent.startswith("intent://item/42?click_id=0"), f"Android, the app: {labels}")
        check(";scheme=shop;package=com.example.shop;" in intent and intent.endswith(";end"), f"Android: {intent}")
        fallback = urllib.parse.unquote(intent.split("S.browser_fallback_url=")[-1].split(";")[0])
        store = labels.get("Get the app: Google Play", "")
        check(fallback == store, f"Android, without the app: {fallback} and {store}")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(store).query)
        referrer = urllib.parse.parse_qs(query.get("referrer", [""])[0])
        check(query.get("id") == ["com.example.shop"], f"Android, the store: {store}")
        check(referrer.get("utm_source") == ["gift"] and referrer.get("utm_medium") == ["link"], f"referrer: {referrer}")
        check(referrer.get("click_id", [""])[0] in intent, "Android: the store and the app get the same click id")
        looks_well(driver, "Android, interstitial", "interstitial-android")
        no_errors(driver, "Android, interstitial")
        visit(driver, short("store"))
        arrives(driver, "https://play.google.com/store/apps/details?id=com.example.shop&referrer=", "Android, store")
    finally:
        driver.quit()


def check_inside_apps():
    for name, agent, store, hints in [
        ("Facebook on an iPhone", FACEBOOK_IPHONE, "App Store", None),
        ("Facebook on Android", FACEBOOK_ANDROID, "Google Play", ANDROID_HINTS),
    ]:
        driver = browser(agent, phone=True, touches=5, hints=hints)
        try:
            # Without a place in the app, the store is the way into it.
            visit(driver, short("store"))
            texts = [text for text, _ in buttons(driver)]
            check(texts == [f"Open or get the app: {store}", "Continue on the web"], f"{name}: {texts}")
            # The host names this app, and the browser inside of Facebook does not ask it.
            visit(driver, short("item", host="linked.localhost"), counts=False)
            texts = [text for text, _ in buttons(driver)]
            check(texts[:1] == ["Open in Linked App"], f"{name}, associated: {texts}")
            no_errors(driver, name)
        finally:
            driver.quit()
    driver = browser(IPHONE, phone=True, touches=5)
    try:
        visit(driver, short("item", host="linked.localhost"), counts=False)
        # The system would have opened the app, so it is not there.
        arrives(driver, "https://apps.apple.com/app/id333333333", "iPhone, associated")
    finally:
        driver.quit()


def check_ipad():
    for name, touches in [("Mac", 0), ("iPad", 5)]:
        driver = browser(MAC, touches=touches)
        try:
            Site.pages["/post"] = f'<h1>A post</h1><a href="{short("store")}">Look</a>'
            driver.get(f"{POSTS}/post")
            count(short("store"))
            tap(driver, "Look")
            if touches:
                arrives(driver, "https://apps.apple.com/app/id222222222", name)
            else:
                arrives(driver, f"{SITE}/item", name)
                # The page in between replaced itself, so it does not catch the way back.
                back_to(driver, f"{POSTS}/post", name)
            no_errors(driver, name)
            visit(driver, short("in-app"))
            if touches:
                texts = [text for text, _ in buttons(driver)]
                check(texts[:1] == ["Open in Sample Shop"] and len(texts) == 3, f"iPad, with a place in the app: {texts}")
                looks_well(driver, "iPad, interstitial", "interstitial-ipad")
            else:
                arrives(driver, f"{SITE}/item", "Mac, with a place in the app")
            no_errors(driver, name)
            if not touches:
                # Without a web page, the page itself stays.
                visit(driver, short("app-only"))
                check("Not available on this device" in driver.page_source, "Mac: an app that is only for phones")
                looks_well(driver, "iPad check", "ipad-check")
                no_errors(driver, "iPad check")
        finally:
            driver.quit()
    driver = browser(MAC, scripts=False)
    try:
        visit(driver, short("store"))
        arrives(driver, f"{SITE}/item", "Mac, without scripts")
    finally:
        driver.quit()


def api(path, body=None):
    """A request to the API for the app carry."""
    write_key, read_key = arguments.carry_keys.split(",")
    request = urllib.request.Request(arguments.base + path, data=json.dumps(body).encode() if body else None)
    request.add_header("Authorization", f"Bearer {read_key if path.startswith('/v1/attributions') else write_key}")
    request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def find(name, value, **more):
    return api("/v1/deferred-links?" + urllib.parse.urlencode({name: value, **more}))


def finds_its_tap(found, device, where, link="carry.localhost/sale"):
    """An install with the id of the answer is credited to the link."""
    status, answer = found
    check(status == 200 and answer["link"] == link, f"{where}: {status} {answer}")
    if status != 200:
        return
    api("/v1/events", {"type": "install", "device_id": device, "click_id": answer["click_id"], "platform": "ios"})
    _, credited = api(f"/v1/attributions?device_id={device}&event=install")
    credits = credited.get("credits", [])
    check([(c["link"], c["refs"]) for c in credits] == [(link, ["gift"])], f"{where}: {credited}")


def shown_code(driver):
    return " ".join(e.text for e in driver.find_elements(By.ID, "code"))


def clipboard(driver):
    driver.get(f"{SITE}/paste")
    driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite"], "origin": SITE})
    read = "navigator.clipboard.readText().then(arguments[0], e => arguments[0]('failed: ' + e))"
    return driver.execute_async_script(read)


class Hanging:
    """The database server, which does not respond meanwhile."""

    def __enter__(self):
        server = int(pathlib.Path(arguments.postmaster).read_text().split()[0])
        children = pathlib.Path(f"/proc/{server}/task/{server}/children").read_text().split()
        self.processes = [server, *map(int, children)]
        for process in self.processes:
            os.kill(process, signal.SIGSTOP)

    def __exit__(self, *_):
        for process in self.processes:
            os.kill(process, signal.SIGCONT)


def check_carry():
    url = short("sale", host="carry.localhost")
    driver = browser(IPHONE, phone=True, touches=5)
    try:
        driver.get(url)
        check(driver.find_element(By.TAG_NAME, "h1").text == "Spring sale", "carry: the title")
        check([text for text, _ in buttons(driver)] == ["Get the app"], f"carry: {buttons(driver)}")
        check(driver.find_element(By.ID, "copy").is_displayed(), "carry: says that it copies the link")
        code = shown_code(driver)
        check(len(code.replace(" ", "")) == 8, f"carry, the code: {code}")
        # As a screen reader goes through the page.
        texts = driver.find_element(By.TAG_NAME, "main").text.split("\n")
        check(texts.index(code) < texts.index("Get the app"), f"carry, the order: {texts}")
        check(driver.get_cookies() == [], "carry: no cookies")
        looks_well(driver, "carry", "get-app-iphone")
        time.sleep(1)
        check(driver.current_url == url, f"carry: left by itself: {driver.current_url}")
        no_errors(driver, "carry")
        tap(driver, "Get the app")
        arrives(driver, "https://apps.apple.com/app/id444444444", "carry: the store")
        # Back, and once more: the button still works.
        driver.back()
        arrives(driver, url, "carry: back")
        copied_of = driver.find_element(By.ID, "get").get_attribute("data-copied")
        tap(driver, "Get the app")
        arrives(driver, "https://apps.apple.com/app/id444444444", "carry: the store, again")
        pasted = clipboard(driver)
        check(pasted == copied_of and pasted.startswith("https://carry.localhost/sale?click_id=0"), f"pasted: {pasted}")
        finds_its_tap(find("text", f"I pasted {pasted}"), "paste", "by paste")
        # The click belongs to one device, so no other one installs by it.
        status, typed = find("code", code.lower(), device_id="paste")
        check(status == 200 and typed["click_id"] in pasted, f"by code: {status} {typed}")
        check(find("code", code, device_id="another")[0] == 404, "a code is for one installation")
        with Hanging():
            driver.get(short("sale", host="carry.localhost"))
            check(shown_code(driver) == "", "the database away: no code")
            picture(driver, "get-app-without-database")
            tap(driver, "Get the app")
            arrives(driver, "https://apps.apple.com/app/id444444444", "the database away")
        pasted = clipboard(driver)
        deadline = time.monotonic() + 30
        while find("text", pasted)[0] != 200 and time.monotonic() < deadline:
            time.sleep(0.1)
        finds_its_tap(find("text", pasted), "away", "the database away, by paste")
    finally:
        driver.quit()
    driver = browser(IPHONE, phone=True, touches=5, scripts=False)
    try:
        driver.get(url)
        code = shown_code(driver)
        check(not driver.find_element(By.ID, "copy").is_displayed(), "without scripts: does not say that it copies")
        picture(driver, "get-app-without-scripts")
        tap(driver, "Get the app")
        arrives(driver, "https://apps.apple.com/app/id444444444", "without scripts")
        finds_its_tap(find("code", code, device_id="plain"), "plain", "without scripts, by code")
    finally:
        driver.quit()
    # An iPad says that it is a Mac, and shows so by its screen.
    driver = browser(MAC, touches=5)
    try:
        driver.get(url)
        check([text for text, _ in buttons(driver)] == ["Get the app"], f"carry, iPad: {buttons(driver)}")
        looks_well(driver, "carry, iPad", "get-app-ipad")
        code = shown_code(driver)
        tap(driver, "Get the app")
        arrives(driver, "https://apps.apple.com/app/id444444444", "carry, iPad")
        finds_its_tap(find("code", code, device_id="ipad"), "ipad", "an iPad, by code")
        no_errors(driver, "carry, iPad")
    finally:
        driver.quit()
    # The page with buttons: inside of Facebook's app, and on an iPad that may have the app.
    url = short("open", host="carry.localhost")
    for name, agent in [("Facebook", FACEBOOK_IPHONE), ("iPad", MAC)]:
        driver = browser(agent, phone=agent != MAC, touches=5)
        try:
            driver.get(url)
            texts = [text for text, _ in buttons(driver)]
            wanted = ["Open in Carried App", "Get the app: App Store", "Continue on the web"]
            check(texts == wanted, f"carry, {name}: {texts}")
            code = shown_code(driver)
            check(len(code.replace(" ", "")) == 8, f"carry, {name}, the code: {code}")
            texts = driver.find_element(By.CSS_SELECTOR, "nav div").text.split("\n")
            places = [texts.index(text) for text in (code, wanted[1], driver.find_element(By.ID, "copy").text.split("\n")[0])]
            check(places == sorted(places), f"carry, {name}, the order: {texts}")
            looks_well(driver, f"carry, {name}", f"carry-interstitial-{name.lower()}")
            no_errors(driver, f"carry, {name}")
            tap(driver, "Get the app")
            arrives(driver, "https://apps.apple.com/app/id444444444", f"carry, {name}: the store")
            pasted = clipboard(driver)
            check(pasted.startswith("https://carry.localhost/open?click_id=0"), f"carry, {name}, pasted: {pasted}")
            link = "carry.localhost/open"
            finds_its_tap(find("code", code, device_id=name), name, f"{name}, by code", link)
            finds_its_tap(find("text", pasted), name, f"{name}, by paste", link)
        finally:
            driver.quit()
    # The words, the colour and the picture of the app.
    url = short("sale", host="carry.localhost")
    words = "de:\n  get: App holen\n  code: 'Wenn die App da ist, gib in ihr diesen Code ein:'\n"
    logo = "https://apps.apple.com/logo.png"
    subprocess.run(
        [arguments.tributary, "app", "update", "carry", "--page-words", "-", "--page-color", "#7c3aed", "--page-logo", logo],
        input=words, text=True, check=True, capture_output=True,
    )
    deadline = time.monotonic() + 10
    while "#7c3aed" not in ask(url, IPHONE)[2] and time.monotonic() < deadline:
        time.sleep(0.05)
    driver = browser(IPHONE, phone=True, touches=5)
    try:
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": "de-DE,de;q=0.9"}})
        driver.get(url)
        check(driver.find_element(By.TAG_NAME, "html").get_attribute("lang") == "de", "German: lang")
        check([text for text, _ in buttons(driver)] == ["App holen"], f"German: {buttons(driver)}")
        looks_well(driver, "German", "get-app-german")
        loaded = driver.execute_script("return document.images[0].naturalWidth")
        check(loaded == 64, f"the picture is not loaded: {loaded}")
        no_errors(driver, "German")
    finally:
        driver.quit()


def check_without_a_browser():
    """What is no visit of a person, and what a person can ask for."""
    crawler = "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"
    status, headers, body = ask(short("sale"), crawler)
    check(status == 200 and 'content="https://go.localhost/sale"' in body, f"a crawler: {status}")
    check(headers["Cache-Control"] == "no-store" and headers["X-Robots-Tag"] == "noindex", f"a crawler: {headers}")
    status, headers, body = ask(short("sale"), IPHONE, method="HEAD")
    check(status == 302 and body == "", f"HEAD: {status}")
    check(headers["Location"].startswith("https://apps.apple.com"), f"HEAD: {headers['Location']}")
    status, headers, _ = ask(short("sale"), "curl/8.9.1")
    check(status == 302 and headers["Location"].startswith(SITE), f"curl: {status}, {headers['Location']}")
    status, headers, body = ask(short("sale"), ANDROID, Sec_Purpose="prefetch")
    check(status == 503 and body == "", f"a prefetch: {status}")
    status, headers, _ = ask(short("sale"), ANDROID, method="POST")
    check(status == 405, f"POST: {status}")
    status, headers, _ = ask(short("sale"), ANDROID, Sec_GPC="1")
    count(short("sale"))
    check(status == 302 and "click_id" not in headers["Location"], f"a person who objects: {headers['Location']}")
    for field in ("Set-Cookie", "Accept-CH"):
        check(headers[field] is None, f"no {field}")


def count_clicks():
    """The clicks of the app in the database."""
    output = subprocess.run(
        [arguments.tributary, "export", "events", "--app", "shop", "--from", "1d"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return [row for row in csv.DictReader(io.StringIO(output)) if row["type"] == "link_click"]


def main():
    create(slug="sale", target_url=f"{SITE}/item?x=own#part", ref=["gift"])
    create(slug="with-id", target_url=f"{SITE}/item", append_click_id=True)
    create(slug="über", target_url=f"{SITE}/umlaut")
    create(slug="ended", target_url=f"{SITE}/item", expires_at="2020-01-01T00:00:00Z")
    create(slug="moved-on", target_url=f"{SITE}/item", disabled=True, expired_url=f"{SITE}/ended")
    create(slug="app-only", app_url="shop://item/42")
    place = {"target_url": f"{SITE}/item", "mobile_url": f"{SITE}/mobile", "app_url": "shop://item/42"}
    create(slug="in-app", ref=["gift"], title="Spring sale", description="Everything for less.", **place)
    create(slug="store", target_url=f"{SITE}/item")
    create(slug="web-first", target_url=f"{SITE}/item", fallback="web")
    create_elsewhere("linked", slug="item", target_url=f"{SITE}/item", app_url="linked://item")
    sale = {"title": "Spring sale", "description": "Everything for less."}
    create_elsewhere("carry", slug="sale", target_url=f"{SITE}/item", ref="gift", **sale)
    create_elsewhere("carry", slug="open", target_url=f"{SITE}/item", app_url="carry://x", ref="gift", **sale)
    # A change is served within a second.
    deadline = time.monotonic() + 10
    while ask(short("item", host="linked.localhost"), "curl/8.9.1")[0] == 404 and time.monotonic() < deadline:
        time.sleep(0.05)
    check_without_a_browser()
    check_desktop()
    check_iphone()
    check_android()
    check_inside_apps()
    check_ipad()
    check_carry()
    clicks = count_clicks()
    stored = collections.Counter(json.loads(row["properties"])["link"] for row in clicks)
    for slug in sorted(stored.keys() | visits.keys()):
        check(stored[slug] == visits[slug], f"{slug}: {visits[slug]} visits of people, and {stored[slug]} clicks")
    print(f"redirects: {checks} checks, {len(faults)} faults, {len(clicks)} clicks")
    sys.exit(1 if faults else 0)


main()
