"""Reads the crawler's page of many links with readers that are not ours. Run by scripts/check-links.

extruct and linkpreview (PyPI) read Open Graph, html5lib reads the page as browsers do, and the App Links tags are read
by the rules of applinks.org. Each must find what the settings of the link say. At last the pages are damaged in many
ways: a check that finds no fault in a damaged page is a fault itself.
"""

import argparse
import concurrent.futures
import html
import itertools
import json
import re
import subprocess
import sys
import urllib.parse

import extruct
import html5lib
import linkpreview

# Previewers that read little read this much.
HEAD_BYTES = 4096

TEXTS = {
    "plain": "Tomato soup",
    "quotes": "Soup \"with\" 'bread' & <b>butter</b>",
    "accent after a quotation mark": "\"\u0301 onload=alert(1) x=\"",
    "accent after an ampersand and a bracket": "&\u0301 <\u0301script>alert(1)</script>",
    "end of the head": '"></title></head><body><script>alert(1)</script><meta property="og:url" content="https://evil.example/">',
    "references": "&quot; &amp;amp; &#39; &lt; &notit; &copy",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301",
    "right to left": "مرحبا \"بالعالم\" שלום \u202eabc\u202c",
    "line break": "one\ntwo",
    "no-break space": "a\u00a0b\u2028c",
    "mustache": "{{title}} {{{nonce}}} {{> head}}",
    "long": "ä\"&" * 51,
}
# As long as the limits of a link allow: each of its characters takes six bytes on the page.
LONGEST = {"title": '"' * 256, "site_name": "'" * 256, "description": "<" * 1024}

APPS = [
    {},
    {"app_url": "myapp://item/42?a=1&b='2'"},
    {"app_url": "myapp://item/42", "fallback": "web"},
    {"app_url": "myapp://item/42", "ipad_store_id": None},
    {"app_url": "myapp://item/42", "ipad_store_id": "111111111", "iphone_store_id": "111111111"},
    {"app_url": "myapp://item/42", "ipad_store_id": "0"},
    {"app_url": "myapp://item/42", "iphone_store_id": "0"},
    {"app_url": "myapp://item/42", "iphone_store_id": "0", "ipad_store_id": "0"},
    {"app_url": "myapp://item/42", "iphone_store_id": None, "ipad_store_id": None},
    {"app_url": "myapp://item/42", "android_package": None},
    {"app_url": "myapp://item/42", "android_package": "0", "iphone_store_id": "0", "ipad_store_id": "0"},
    {"app_url": "myapp://item/42", "deep_linking": False},
    {"app_url": "https://app.example.com/x", "target_url": None, "mobile_url": None},
    {"app": "1234567890"},
]
AGENTS = ["facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "Twitterbot/1.0", "Slackbot 1.0"]


def cases():
    for app in APPS:
        yield app
    for text, field in itertools.product(TEXTS.values(), ["title", "description", "site_name", "app_name"]):
        yield {field: text, "image_url": "https://img.example/a.png?x=1&y='2'", "app_url": "myapp://x"}
    yield {"og_type": "video.other", "slug": "über-👍", "title": "T", "description": "D"}
    yield {"app_url": "myapp://" + "a" * 1000, "image_url": "https://img.example/" + "b" * 1000, **LONGEST}
    yield {"app_url": "myapp://" + "&" * 1000, "title": "T", "description": LONGEST["description"]}


def crawler_page(tributary, settings, agent):
    command = [tributary, "link", "try", "--page", "--user-agent", agent, "--settings", json.dumps(settings)]
    result = subprocess.run(command, capture_output=True)
    if result.returncode != 0:
        sys.exit(f"FAILED: {settings}: {result.stderr.decode()}")
    return result.stdout


# What the settings say. The defaults are those of `tributary link try`.


class Wanted:
    def __init__(self, settings):
        default = {
            "slug": "abc", "app_name": "Example", "app": "example", "deep_linking": True, "fallback": "store",
            "iphone_store_id": "111111111", "ipad_store_id": "222222222", "android_package": "com.example.app",
        }
        self.settings = s = {**default, **settings}
        self.url = "https://links.example.com/" + urllib.parse.quote(s["slug"])
        self.title = s.get("title") or s["app_name"]
        self.open_graph = {
            "og:url": self.url, "og:type": s.get("og_type", "website"), "og:title": self.title,
            "og:image": s.get("image_url"), "og:site_name": s.get("site_name") or s["app_name"],
            "og:description": s.get("description"),
        }
        self.apps = {}
        if s["deep_linking"] and s.get("app_url"):
            iphone = s["iphone_store_id"]
            ipad = s["ipad_store_id"] if s["ipad_store_id"] is not None else iphone
            for device, store in [("iphone", iphone), ("ipad", ipad)]:
                if store != "0":
                    self.apps[device] = {"url": s["app_url"], "app_store_id": store, "app_name": s["app_name"]}
            if s["android_package"] not in (None, "0"):
                self.apps["android"] = {"url": s["app_url"], "package": s["android_package"], "app_name": s["app_name"]}
        # Only an app that can be opened makes the web unwanted.
        self.should_fallback = not (self.apps and s["fallback"] == "store")


# Readers


class AppLinks:
    """App Links as a navigator reads them (applinks.org/documentation): each device type is a list of apps, a property
    that its last app has already begins another app, and the first app wins. `iphone` and `ipad` go before `ios`."""

    PROPERTIES = {
        "ios": {"url", "app_store_id", "app_name"}, "iphone": {"url", "app_store_id", "app_name"},
        "ipad": {"url", "app_store_id", "app_name"}, "android": {"url", "package", "class", "app_name"},
        "web": {"url", "should_fallback"},
    }

    def __init__(self, tags, page_url):
        self.faults = []
        apps = {}
        for name, content in tags:
            parts = name.split(":")
            if parts[0] != "al":
                continue
            if len(parts) != 3 or parts[2] not in self.PROPERTIES.get(parts[1], ()):
                self.faults.append(f"there is no property {name}")
                continue
            found = apps.setdefault(parts[1], [])
            if not found or parts[2] in found[-1]:
                found.append({})
            found[-1][parts[2]] = content
        for device, found in apps.items():
            for app in found:
                if device == "android" and not app.get("package"):
                    self.faults.append("an Android app needs a package")
                if device.startswith("i") and not app.get("url"):
                    self.faults.append(f"an app for {device} needs a url")
                if not app.get("app_store_id", "1").isdigit() or app.get("app_store_id") == "0":
                    self.faults.append(f"no App Store id: {app}")
        first = lambda device: next(iter(apps.get(device, [])), None)
        self.apps = {
            device: app
            for device, app in [
                ("iphone", first("iphone") or first("ios")), ("ipad", first("ipad") or first("ios")),
                ("android", first("android")),
            ]
            if app
        }
        web = first("web") or {}
        self.web = web.get("url", page_url)
        if web.get("should_fallback") not in (None, "true", "false"):
            self.faults.append(f"should_fallback: {web}")
        self.should_fallback = web.get("should_fallback") != "false"


def same(text):
    """Readers trim texts and join blanks."""
    return " ".join(text.split()) if text is not None else None


def faults(page, wanted):
    """Everything that the readers find otherwise than the settings say."""
    found = []

    def check(holds, what):
        if not holds:
            found.append(what)

    try:
        text = page.decode()
    except UnicodeDecodeError as error:
        return [str(error)]
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    document = parser.parse(text)
    # A charset that is declared in the page although the text is decoded already, is no fault.
    check(not parser.errors, f"html5lib: {[(place, code) for place, code, _ in parser.errors]}")
    head, body = document.find("head"), document.find("body")
    names = {element.tag for element in document.iter() if isinstance(element.tag, str)}
    check(names <= {"html", "head", "body", "meta", "title", "link", "style", "main", "h1", "p", "nav", "a"}, f"elements {names}")
    allowed = {"charset", "property", "name", "content", "rel", "href", "class", "nonce", "lang"}
    attributes = {name for element in document.iter() for name in getattr(element, "attrib", {})}
    check(attributes <= allowed, f"attributes {attributes - allowed}")
    check(not list(body.iter("meta")), "a meta element in the body")
    check((head.findtext("title") or "").strip() == wanted.title.strip(), f"title {head.findtext('title')!r}")
    metas = [(m.get("property") or m.get("name"), m.get("content")) for m in head.iter("meta") if m.get("content")]
    tags = dict(metas)
    check(len(metas) == len(tags), "a tag is there twice")

    # What does not fit into the first bytes is left out, but never the name of the link, and never a part of an app.
    used = max(page.find(b"<title>"), 0)
    fits = lambda *texts: used + sum(len(html.escape(t).encode()) + 60 for t in texts) <= HEAD_BYTES
    open_graph = {}
    for name, value in wanted.open_graph.items():
        if value is None or name in tags or name in ("og:url", "og:type", "og:title") or fits(value):
            open_graph[name] = value
            check(tags.get(name) == value, f"html5lib: {name} is {tags.get(name)!r}")
    open_graph = {name: value for name, value in open_graph.items() if value is not None}
    if wanted.settings.get("image_url") and "og:image" not in open_graph:
        check("twitter:card" not in tags, "twitter:card without its image")
    else:
        check(tags.get("twitter:card") == ("summary_large_image" if "og:image" in tags else "summary"), "twitter:card")
    check(tags.get("robots") == "noindex", "robots")
    app = wanted.settings["app"]
    check(tags.get("fb:app_id") == (app if app.isdigit() else None), "fb:app_id")

    # The whole page, and as much of it as hasty readers take.
    for part in [text, page[:HEAD_BYTES].decode(errors="ignore")]:
        read = extruct.extract(part, syntaxes=["opengraph"])["opengraph"]
        properties = read[0]["properties"] if len(read) == 1 else []
        read = {name: same(value) for name, value in properties if name.startswith("og:")}
        check(read == {name: same(value) for name, value in open_graph.items()}, f"extruct: {read}")
    preview = linkpreview.link_preview(wanted.url, text)
    check(same(preview.title) == same(wanted.title), f"linkpreview: title {preview.title!r}")
    check(preview.image == open_graph.get("og:image"), f"linkpreview: image {preview.image!r}")
    if "og:description" in open_graph:
        check(same(preview.description) == same(open_graph["og:description"]), f"linkpreview: {preview.description!r}")

    links = AppLinks(metas, wanted.url)
    found += links.faults
    for device in ["iphone", "ipad", "android"]:
        app = {name: value for name, value in wanted.apps.get(device, {}).items() if value is not None}
        if device in links.apps or fits(*app.values()):
            check(links.apps.get(device, {}) == app, f"App Links for {device}: {links.apps.get(device)}")
    check(links.web == wanted.url, f"App Links: web {links.web}")
    check(links.should_fallback == (wanted.should_fallback or not links.apps), "App Links: should_fallback")
    return found


def damaged(page):
    """The page with one thing wrong, in many ways."""
    text = page.decode()
    for match in re.finditer(r'<meta (property|name)="([^"]+)" content="([^"]*)">\n', text):
        if match[2] in ("viewport", "color-scheme", "description"):
            continue
        if match[2] != "al:web:url":  # By default it is the page's own.
            yield f"without {match[2]}", text.replace(match[0], "", 1)
        yield f"another {match[2]}", text.replace(match[0], match[0].replace(match[3], "other", 1), 1)
        yield f"{match[2]} twice", text.replace(match[0], match[0] * 2, 1)
        yield f"{match[2]} at the end", text.replace(match[0], "", 1).replace("</body>", match[0] + "</body>")
    yield "an attribute more", text.replace(" content=", " onload=x content=", 1)
    yield "a script", text.replace("</main>", "<script>alert(1)</script></main>")
    yield "unescaped", text.replace("&quot;", '"', 1)
    yield "no title", re.sub(r"<title>.*?</title>", "<title></title>", text, flags=re.DOTALL)
    yield "late tags", text.replace("<head>\n", "<head>\n<!--" + "x" * HEAD_BYTES + "-->\n", 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tributary", required=True)
    tributary = parser.parse_args().tributary
    given = list(cases())
    asked = [(settings, AGENTS[number % len(AGENTS)]) for number, settings in enumerate(given)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(lambda case: crawler_page(tributary, *case), asked))
    wrong = 0
    for settings, page in zip(given, pages, strict=True):
        for fault in faults(page, Wanted(settings)):
            wrong += 1
            print(f"FAILED: {json.dumps(settings, ensure_ascii=False)[:200]}: {fault}")

    settings = {
        "title": 'A "soup"', "description": "D", "image_url": "https://img.example/a.png", "site_name": "S",
        "app_url": "myapp://x", "app": "123",
    }
    page = crawler_page(tributary, settings, AGENTS[0])
    assert not faults(page, Wanted(settings))
    count = 0
    for what, text in damaged(page):
        count += 1
        if not faults(text.encode(), Wanted(settings)):
            wrong += 1
            print(f"FAILED: the readers find nothing wrong with a page: {what}")
    print(f"previews: {len(pages)} pages read by four readers, {count} damaged pages, {wrong} faults")
    sys.exit(1 if wrong else 0)


main()
