"""Uses the dashboard in headless Chromium as people do, and compares its figures with the reports over HTTP."""

import argparse
import csv
import datetime
import io
import itertools
import json
import math
import pathlib
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from axe_core_python.selenium import Axe
from PIL import Image
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

VIEWS = {
    "Overview": "/",
    "Posts": "/posts",
    "Viral": "/viral",
    "Generations": "/generations",
    "Funnels": "/funnels",
    "Paths": "/paths",
    "Retention": "/retention",
    "Activity": "/activity",
    "Overlap": "/overlap",
    "Logins": "/logins",
    "Questions": "/questions",
    "Links": "/links",
    "Live": "/live",
}
# The figures of the page Explore.
EXPLORE = {"Groups": "/breakdown", "Credits": "/attribution", "Comparison": "/compare", "Goals": "/goals"}
VIEWS |= EXPLORE
# Pages of these views that have tables of their own.
OTHERS = {
    "Funnels by ref": "/funnels?by=ref&sort=rate",
    "Funnels by day": "/funnels?by=day&order=any",
    "Funnels by week": "/funnels?by=week",
    "Logins by platform": "/logins?by=platform",
    "Posts of a platform": "/posts?where=platform%3Dios&where=composer%3Dstories",
    "Credits by two keys": "/attribution?by=ref%2Cchannel",
    "Hours of a week": "/breakdown?by=weekday%2Chour",
    "Compare versions": "/compare?by=app_version",
    "Compare channels": "/compare?by=channel",
    "Compare ranges": "/compare?by=range&group=ref",
    "Each post": "/posts?each=true&sort=touches%3Areverse",
    "Breakdown by post": "/breakdown?by=post",
    "Groups beside the range before": "/breakdown?by=ref&compare-previous=on",
    "Breakdown with rates": "/breakdown?by=page&sort=conversion_rate",
    "Breakdown by two keys": "/breakdown?by=target_url%2Cchannel",
    "Breakdown by post and poster": "/breakdown?by=post%2Cposter",
    "Compare counts": "/compare?by=range&report=refs",
    "Viral by age": "/viral?within=7d&matured=on",
    "Generations by channel": "/generations?by=channel&depth=2",
    "Retention by day": "/retention?period=day&periods=20",
    "Retention by ref": "/retention?by=ref&show=value&cohort=install",
    "Activity by ref": "/activity?by=ref",
    "Activity by month": "/activity?period=month&from={year_ago}",
    "Overlap by platform": "/overlap?by=platform",
    "Changes of a rate": "/changes?metric=install_rate&by=ref%2Cplatform",
    "Chosen columns": "/?columns=touches%2Cinstalls",
    "Chosen groups": "/funnels?by=channel&groups=search%2Crequests",
    "People": "/people?report=channels&people=touches&group=search",
    "A page that is not there": "/nothing",
    "A wrong value": "/?where=ref%3Dgivaway",
    "A long name": "/funnels?steps=inbound_link%2Cconversion%3A{long}&by=ref",
    "A long goal": "/compare?a=giveaway&b=recipe&steps=inbound_link%2Cconversion%3A{long}",
    "Deleting a question": "/questions/delete?name=k-by-platform",
    "A year": "/?from={year_ago}",
    "Filtered": "/funnels?where=channel%3Dstory_links&where=ref%21%3Drecipe&add=ref",
}
# A question that check_questions saves.
QUESTION = "/questions/question?name=k-by-platform"
# A short link that check_links creates.
LINK = "/links/link?host=go.recipes.example&slug=spring"


parser = argparse.ArgumentParser()
parser.add_argument("--base", required=True)
parser.add_argument("--read-key", required=True)
parser.add_argument("--write-key", required=True)
parser.add_argument("--manage-key", required=True)
parser.add_argument("--other-read-key", required=True, help="of an app without events")
parser.add_argument("--other-write-key", required=True)
parser.add_argument("--screenshots", action="store_true")
parser.add_argument("--only", nargs="+", help="the names of checks, such as check_clicks: only these, at one width")
arguments = parser.parse_args()

faults = []
checks = 0
# Bytes of each page, and seconds of each check.
sizes, seconds = {}, {}


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        faults.append(what)
        print(f"FAILED: {what}")


def browser(width, height, dark=False, scripts=True):
    options = webdriver.ChromeOptions()
    for flag in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=2"]:
        options.add_argument(flag)
    options.add_argument(f"--window-size={width},{height}")
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    driver.set_script_timeout(120)
    set_size(driver, width, height)
    set_colours(driver, "dark" if dark else "light")
    return driver


def leave(driver, act):
    """Performs an action that opens another page, and waits for that page. A click may return before the page opens.

    Each page has its own time of origin, so a new time means a new page. `staleness_of` sometimes fails with an error of
    the driver (SeleniumHQ/selenium, issue 15401). A script may fail between two pages, so it is tried again.
    """
    old = driver.execute_script("return performance.timeOrigin")
    act()
    arrived = "return document.readyState === 'complete' && performance.timeOrigin !== arguments[0]"
    WebDriverWait(driver, 60, ignored_exceptions=[WebDriverException]).until(lambda d: d.execute_script(arrived, old))


def sign_in(driver, key, path="/"):
    driver.get(arguments.base + path)
    field = driver.find_element(By.NAME, "key")
    field.send_keys(key)
    leave(driver, lambda: field.send_keys(Keys.ENTER))


def report(name, **parameters):
    """The report's rows over HTTP, as dictionaries."""
    query = urllib.parse.urlencode({**parameters, "format": "csv"})
    request = urllib.request.Request(f"{arguments.base}/v1/reports/{name}?{query}")
    request.add_header("Authorization", f"Bearer {arguments.read_key}")
    with urllib.request.urlopen(request) as answer:
        return list(csv.DictReader(io.StringIO(answer.read().decode())))


def csv_link(driver, section):
    """The rows that a signed-in person downloads."""
    link = section.find_element(By.CSS_SELECTOR, ".tools a[download]").get_attribute("href")
    cookie = driver.get_cookie("tributary_session")["value"]
    request = urllib.request.Request(link, headers={"Cookie": f"tributary_session={cookie}"})
    with urllib.request.urlopen(request) as answer:
        return list(csv.DictReader(io.StringIO(answer.read().decode())))


def text_of(driver, element):
    return driver.execute_script("return arguments[0].textContent", element).strip()


def table_rows(driver, table):
    return [
        [text_of(driver, cell) for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
        for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")
    ]


def grouped(value, decimals=2, fixed=False):
    """A number as the page writes it. Halves are rounded up; Python's own formats round them to even."""
    number, scale = float(value), 10**decimals
    scaled = math.floor(abs(number) * scale + 0.5)
    whole, fraction = divmod(scaled, scale)
    digits = f"{fraction:0{decimals}d}" if decimals else ""
    digits = digits if fixed else digits.rstrip("0")
    return ("−" if number < 0 and scaled else "") + f"{whole:,}" + (f".{digits}" if digits else "")


def percent(rate, fixed=True):
    return f"{grouped(float(rate) * 100, 1, fixed)} %"


def no_errors(driver, where):
    errors = [entry for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    check(not errors, f"{where}: console: {errors}")


def no_overflow(driver, where):
    widths = driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    check(widths[0] <= widths[1], f"{where}: {widths[0]} px wide in a window of {widths[1]} px")


def small_enough(driver, where):
    """A page with its styles and scripts, as compressed, without what a cache would save."""
    size = driver.execute_script(
        "return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
        ".reduce((sum, e) => sum + e.encodedBodySize, 0)"
    )
    sizes[where] = size
    check(0 < size <= 60 * 1024, f"{where}: {size} bytes over the wire")


def open_all(driver):
    driver.execute_script("for (const e of document.querySelectorAll('details')) e.open = true")


def whole_tables(driver, where):
    """Checks that each table shows all its columns, or on a phone, that the first one stays in sight."""
    open_all(driver)
    cut = driver.execute_script(
        "return [...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1)"
        ".map(e => `${e.ariaLabel}: ${e.scrollWidth} of ${e.clientWidth} px`)"
    )
    if driver.execute_script("return window.innerWidth") > 1000:
        check(not cut, f"{where}: a table loses columns: {cut}")
    lost = driver.execute_script(
        "const lost = [];"
        "for (const e of document.querySelectorAll('.scroll')) {"
        "  e.scrollLeft = 400;"
        "  const head = e.querySelector('tbody th');"
        "  if (head && getComputedStyle(head).display !== 'block'"
        "      && Math.abs(head.getBoundingClientRect().left - e.getBoundingClientRect().left) > 2) lost.push(e.ariaLabel);"
        "  e.scrollLeft = 0;"
        "}"
        "return lost"
    )
    check(not lost, f"{where}: the first column leaves the window: {lost}")


def whole_words(driver, where):
    """Checks that no name in a table or beside a bar breaks inside a word. A `_`, a `:` and the like end one."""
    broken = driver.execute_script(
        "const broken = [];"
        "for (const e of document.querySelectorAll('tbody th, tbody td:not(.number), .bars .name')) {"
        "  if (e.closest('.visitors, .tags')) continue;"
        "  const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);"
        "  while (texts.nextNode()) {"
        "    for (const word of texts.currentNode.data.matchAll(/[^\\s_:\\/\\-.,?&=|]{1,24}/g)) {"
        "      const range = document.createRange();"
        "      range.setStart(texts.currentNode, word.index);"
        "      range.setEnd(texts.currentNode, word.index + word[0].length);"
        "      const tops = new Set([...range.getClientRects()].map(r => Math.round(r.top)));"
        "      if (tops.size > 1) broken.push(word[0]);"
        "    }"
        "  }"
        "}"
        "return broken"
    )
    check(not broken, f"{where}: broken inside: {broken[:5]}")


def set_size(driver, width, height):
    metrics = {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def set_colours(driver, scheme):
    media = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})


def screenshot(driver, name):
    """Saves the page as it looks before anyone scrolls or clicks; of a long page, the top."""
    if not arguments.screenshots:
        return
    width = driver.execute_script("return window.innerWidth")
    usual = driver.execute_script("return window.innerHeight")
    height = driver.execute_script("return document.documentElement.scrollHeight")
    set_size(driver, width, min(height, 1500))
    driver.execute_script(
        "window.scrollTo(0, 0); document.activeElement.blur();"
        "for (const e of document.querySelectorAll('.scroll, .doors, .views')) e.scrollLeft = 0"
    )
    path = pathlib.Path(__file__).resolve().parents[2] / "docs" / "images" / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    # 256 colours are enough for these pages, and take a third of the bytes.
    picture.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    set_size(driver, width, usual)
    print(f"wrote docs/images/{path.name}")


def check_signing_in(driver):
    driver.get(arguments.base + "/funnels?window=3d")
    check("/sign-in" in driver.current_url, "without a session, the sign-in page opens")
    sign_in(driver, "nonsense")
    check("no" in driver.find_element(By.CSS_SELECTOR, "[role=alert]").text.lower(), "a wrong key is reported")
    sign_in(driver, arguments.write_key)
    check("read key" in driver.find_element(By.CSS_SELECTOR, "[role=alert]").text, "a write key is reported as such")
    driver.get_log("browser")  # The refused sign-ins are in the console, as they should be.
    sign_in(driver, arguments.read_key, "/funnels?window=3d")
    check(driver.current_url.endswith("/funnels?window=3d"), "after signing in, the requested view opens")
    cookie = driver.get_cookie("tributary_session")
    check(arguments.read_key not in cookie["value"], "the cookie does not hold the key")
    check(cookie["httpOnly"] and cookie["sameSite"] == "Lax", f"the cookie is protected: {cookie}")
    check(arguments.read_key not in driver.current_url, "no key in the address bar")
    check(driver.execute_script("return document.cookie") == "", "scripts cannot read the cookie")


def span(driver):
    fields = [driver.find_element(By.NAME, name).get_attribute("value") for name in ("from", "through")]
    end = datetime.date.fromisoformat(fields[1]) + datetime.timedelta(days=1)
    return {"from": fields[0], "to": end.isoformat()}


def cards_of(driver):
    return {
        text_of(driver, card.find_element(By.TAG_NAME, "dt")): text_of(driver, card.find_element(By.TAG_NAME, "dd"))
        for card in driver.find_elements(By.CSS_SELECTOR, ".card")
    }


def bars_of(driver, section):
    """The bars of a chart: name and figure."""
    return {
        text_of(driver, bar.find_element(By.CSS_SELECTOR, ".name")): text_of(driver, bar.find_element(By.CSS_SELECTOR, ".figure"))
        for bar in section.find_elements(By.CSS_SELECTOR, ".bars li")
    }


def check_day_apart(driver, section, lines):
    """The day that is not over is drawn apart in each of the lines, and named."""
    today = span(driver)["to"]
    today = (datetime.date.fromisoformat(today) - datetime.timedelta(days=1)).isoformat()
    check(len(section.find_elements(By.CSS_SELECTOR, "path.dashed")) == lines, "the open day is dashed in each panel")
    check(len(section.find_elements(By.CSS_SELECTOR, "path.previous")) == lines, "the range before is a line in each panel")
    check(f"not over yet: {today}" in section.text, f"the open day is named: {section.text}")
    last = table_rows(driver, section.find_element(By.TAG_NAME, "table"))[-1]
    check(last[0] == f"{today} · not over", f"the open day is named in the table: {last[0]}")


def check_overview(driver):
    driver.get(arguments.base + "/")
    days = span(driver)
    channels = {row["channel"]: row for row in report("channels", **days)}
    refs = {row["ref"]: row for row in report("refs", **days)}
    cards = cards_of(driver)
    total = channels["total"]
    for card, column in [("Touches", "touches"), ("People", "people"), ("Installs", "installs"), ("Conversions", "conversions")]:
        check(cards[card] == grouped(total[column]), f"{card}: {cards[card]} is {total[column]}")
    check(cards["Post rate"].startswith(percent(refs["total"]["post_rate"], fixed=False)), f"the post rate: {cards['Post rate']}")
    k = next(row["k"] for row in report("viral", within="7d", matured="on", **days) if row["group"] == "total")
    shown = grouped(k) if k else "–"
    check(cards["K, traced"] == shown, f"the tile K is that of the report viral: {cards['K, traced']} is {k}")
    sections = driver.find_elements(By.CSS_SELECTOR, "section.panel")
    check(len(sections) == 4, "four panels")
    check_day_apart(driver, sections[0], 1)
    chart = sections[0].find_element(By.CSS_SELECTOR, "svg.chart")
    check(f"Touches: {grouped(total['touches'])} in all" in chart.get_attribute("aria-label"), "the chart of days adds up")
    for section, rows, key in [(sections[1], refs, "ref"), (sections[2], channels, "channel")]:
        own = {"cohort": "touch_in_range", "period": "day", "at": 7, "return": "after", "pooled": "on", "by": key, "limit": 100}
        stayed = {row["group"]: row for row in report("retention", **own, **days)}
        shown = {row[0]: row[1:] for row in table_rows(driver, section.find_element(By.TAG_NAME, "table"))}
        named = [name for name in shown if name not in ("(none)", "(others)", "direct", "total")]
        check(len(named) <= 6 and len(shown) > 2 and list(shown)[-1] == "total", f"{key}: six rows and the rest: {list(shown)}")
        for name, (people, installs, retained, rate, worth) in shown.items():
            row, back = rows[name], stayed.get(name)
            check([people, installs] == [grouped(row["people"]) if row["people"] else "–", installs], f"{key} {name}: {people} people is {row}")
            check(float(installs.replace(",", "")) == float(row["installs"]), f"{key} {name}: {installs} installs is {row}")
            check(retained == (grouped(back["retained"]) if back else "–"), f"{key} {name}: {retained} came back is {back}")
            check(not back or not back["rate"] or rate == percent(back["rate"]), f"{key} {name}: {rate} is {back}")
        own = [int(stayed[name]["retained"]) for name in named if name in stayed]
        check(own == sorted(own, reverse=True), f"{key}: most came back first: {own}")
        names = ["people", "installs"]
        check([[row[name] for name in names] for row in csv_link(driver, section)] == [[row[name] for name in names] for row in rows.values()], f"{key}: the CSV link has the report")
    countries = report("breakdown", by="country", sort="people", limit=6, **days)
    shown = [row[:2] for row in table_rows(driver, sections[3].find_element(By.TAG_NAME, "table"))]
    check(shown == [[row["country"], grouped(row["people"])] for row in countries], f"countries: {shown} is {countries}")
    check_tips(driver, sections[0])
    no_errors(driver, "Overview")
    screenshot(driver, "overview")
    leave(driver, driver.find_element(By.CSS_SELECTOR, "main").find_element(By.LINK_TEXT, "Installs").click)
    label = driver.find_element(By.CSS_SELECTOR, "svg.chart").get_attribute("aria-label")
    check(f"Installs: {grouped(total['installs'])} in all" in label, f"a tile chooses the picture: {label}")
    leave(driver, driver.find_element(By.LINK_TEXT, "Pages").click)
    check("picture=installs" in driver.current_url and "card=page" in driver.current_url, f"a card: {driver.current_url}")
    check(driver.find_elements(By.LINK_TEXT, "All pages"), "all pages are a click away")
    driver.get(arguments.base + "/?where=channel%3Dsearch")
    cards = cards_of(driver)
    check(cards["Post rate"] == "–" and cards["K, traced"] == "–" and cards["Touches"] != "–", f"a post comes from no channel: {cards}")
    notes = [text_of(driver, one) for one in driver.find_elements(By.CSS_SELECTOR, ".card .change")]
    check(notes.count("not filtered by channel: a post has none") == 2, f"why there is no figure: {notes}")


def check_clicks(driver):
    """The frequent questions take at most two clicks from the first page: the names of what is clicked, and the answer.

    A choice from a list is one. The answer is a part of the page that the question has been answered by.
    """
    questions = [
        ("This week against last?", ["This week"], ".cards .change"),
        ("Which channel brings buyers?", ["Explore"], "//th[contains(., 'paying')]"),
        ("What is K of a ref?", ["Posts", "Viral"], "//h2[contains(., 'K by ref')]"),
        ("Which ref keeps people?", [], "//section[contains(., 'Refs')]//th[contains(., 'came back')]"),
        ("Where are people of a platform lost?", ["People", ("by", "platform")], "//figcaption[contains(., 'ios')]"),
        ("How many people are active in a week?", ["People", "Activity"], "//h2[contains(., 'week')]"),
        ("Who brings most installs?", ["Posts", "posters"], "//th[@aria-sort][contains(., 'installs')]"),
        ("Which posts did nobody tap?", ["Posts", "those that nobody tapped"], "//th[@aria-sort='ascending'][contains(., 'touches')]"),
        ("Is the largest ref better than the others?", ["Explore", "Comparison"], "//*[@id='differences']"),
        ("Which short link works?", ["Posts", "Links"], "//th[contains(., 'clicks')]"),
        ("Who brings whom?", ["Posts", "Generations"], "//th[contains(., 'invited')]"),
        ("What carries the change?", ["Explore", "Changes"], "//th[contains(., 'share of change')]"),
    ]
    for question, clicks, answer in questions:
        driver.get(arguments.base + "/")
        for click in clicks:
            if isinstance(click, str):
                links = [link for link in driver.find_elements(By.LINK_TEXT, click) if link.is_displayed()]
                check(links, f"{question} no link {click}")
                leave(driver, links[0].click)
            else:
                leave(driver, lambda: Select(driver.find_element(By.NAME, click[0])).select_by_value(click[1]))
        found = driver.find_elements(By.XPATH if answer.startswith("/") else By.CSS_SELECTOR, answer)
        check(len(clicks) <= 2 and found, f"{question} {' → '.join(map(str, clicks))}: {answer} is at {driver.current_url}")
    # Only one country: one click on its row.
    driver.get(arguments.base + "/")
    row = driver.find_elements(By.CSS_SELECTOR, "section.panel")[3].find_element(By.CSS_SELECTOR, "tbody th a")
    country = text_of(driver, row)
    leave(driver, row.click)
    check(f"where=country%3D{country}" in driver.current_url, f"only {country}: {driver.current_url}")
    no_errors(driver, "Clicks")


def check_tips(driver, section):
    """A value appears under the pointer and with the arrow keys."""
    tip = driver.find_element(By.CSS_SELECTOR, ".tip")
    chart = section.find_element(By.CSS_SELECTOR, "svg.chart")
    places = chart.find_elements(By.CSS_SELECTOR, ".hover")
    ActionChains(driver).move_to_element(places[3]).perform()
    said = tip.text
    check(tip.is_displayed() and " touches" in said, f"a value under the pointer: {said}")
    driver.execute_script("arguments[0].focus({focusVisible: true})", chart)
    chart.send_keys(Keys.HOME)
    first = tip.text
    chart.send_keys(Keys.ARROW_RIGHT)
    check(tip.is_displayed() and tip.text != first and first[:3] in "Mon Tue Wed Thu Fri Sat Sun", f"keys: {first}, {tip.text}")
    chart.send_keys(Keys.ESCAPE)
    check(not tip.is_displayed(), "a key takes the value away")
    driver.execute_script("document.activeElement.blur()")
    ActionChains(driver).move_to_element(driver.find_element(By.CSS_SELECTOR, ".brand")).perform()


def focus(driver, element):
    driver.execute_script("arguments[0].focus({focusVisible: true})", element)


def check_values(driver):
    """Every chart has values under the pointer and for the arrow keys, which are announced."""
    tip, voice = (lambda: text_of(driver, driver.find_element(By.CSS_SELECTOR, one)) for one in (".tip", ".unseen[role=status]"))
    for path, chart, said in [
        ("/funnels", "svg.funnel", "people"),
        ("/attribution", "svg.models", "%"),
        ("/compare", "svg.intervals", "points (95 %: "),
        ("/activity", "svg.activity", "active, of them"),
    ]:
        driver.get(arguments.base + path)
        drawn = driver.find_element(By.CSS_SELECTOR, chart)
        focus(driver, drawn)
        drawn.send_keys(Keys.HOME)
        first = voice()
        drawn.send_keys(Keys.ARROW_RIGHT)
        check(said in first and tip() == voice() != first, f"{path}: values by key: {first}, {voice()}")
    driver.get(arguments.base + "/retention?period=day")
    region = driver.find_element(By.CSS_SELECTOR, ".scroll:has(.heat)")
    focus(driver, region)
    region.send_keys(Keys.HOME)
    first = voice()
    region.send_keys(Keys.ARROW_DOWN)
    check("people came back" in first and first != voice() and "day 1" in voice(), f"cells by key: {first}, {voice()}")
    no_errors(driver, "Values")


def column(driver, section, number):
    return [row[number] for row in table_rows(driver, section.find_element(By.CSS_SELECTOR, "table.figures, table.links"))]


def check_sorting(driver):
    """A click on a heading sorts each table: numbers, names and dates; the total stays at the end."""
    driver.get(arguments.base + "/posts")
    section = driver.find_elements(By.CSS_SELECTOR, "section.panel")[1]
    head = lambda name: section.find_element(By.XPATH, f".//thead//*[self::a or self::button][normalize-space()='{name}']")
    number = lambda text: float(text.replace(",", ""))
    posted = section.find_element(By.CSS_SELECTOR, "thead th:nth-child(3)")
    for order in ["descending", "ascending"]:
        head("posted").click()
        sorted_by = [number(text) for text in column(driver, section, 2)][:-1]
        check(sorted_by == sorted(sorted_by, reverse=order == "descending"), f"{order}: {sorted_by}")
        check(posted.get_attribute("aria-sort") == order, f"the heading says {order}")
        check(column(driver, section, 0)[-1] == "total", "the total stays at the end")
    check("refs_sort=posted" in driver.current_url, f"the address has the order: {driver.current_url}")
    focus(driver, head("ref"))
    head("ref").send_keys(Keys.ENTER)
    names = column(driver, section, 0)[:-1]
    check(names == sorted(names) and not posted.get_attribute("aria-sort"), f"names by a key: {names}")
    said = text_of(driver, driver.find_element(By.CSS_SELECTOR, ".tip"))
    check(said, "what a column counts, by key")
    # Of a report that has more rows, the report sorts.
    driver.get(arguments.base + "/breakdown?by=ref")
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    check(head("installs").tag_name == "a", "a heading leads to the report in another order")
    # A table without an order of its own.
    driver.get(arguments.base + "/funnels?by=channel")
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    open_all(driver)
    head("median time").click()
    check(column(driver, section, 0)[-1] == "total", "funnels: the total stays at the end")
    driver.get(arguments.base + "/links")
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    for name in ["short link", "created"]:
        head(name).click()
        position = ["short link", "target", "refs", "state", "created"].index(name)
        values = column(driver, section, position)
        check(len(values) > 3 and values == sorted(values, key=str.lower), f"links by {name}: {values}")
    no_errors(driver, "Sorting")


def check_choices(driver):
    """Which columns a page shows, and which groups it draws."""
    driver.get(arguments.base + "/viral")
    driver.find_element(By.CSS_SELECTOR, ".chooser summary").click()
    boxes = driver.find_elements(By.CSS_SELECTOR, ".chooser input[type=checkbox]")
    for box in boxes:
        if box.get_attribute("value") not in ("posts", "k"):
            box.click()
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".chooser button").click)
    check("columns=posts%2Ck" in driver.current_url, f"columns are chosen: {driver.current_url}")
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    heads = [text_of(driver, head) for head in section.find_elements(By.CSS_SELECTOR, "thead th")]
    check(heads == ["ref", "posts", "K"], f"columns: {heads}")
    check(list(csv_link(driver, section)[0]) == ["group", "posts", "k"], "the CSV has the same columns")
    leave(driver, lambda: Select(driver.find_element(By.CSS_SELECTOR, "select[name=by]")).select_by_value("platform"))
    check("columns=posts%2Ck" in driver.current_url, "another choice keeps the columns")
    check(driver.switch_to.active_element.get_attribute("name") == "by", "the cursor is where it was")
    driver.get(arguments.base + "/funnels?by=channel")
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    groups = len({row["group"] for row in report("funnel", by="channel", **span(driver))} - {"total"})
    check(f"5 of {groups} groups" in section.text, f"some groups are not drawn: {section.text}")
    section.find_element(By.CSS_SELECTOR, ".chooser summary").click()
    for box in section.find_elements(By.CSS_SELECTOR, ".chooser input[type=checkbox]"):
        if box.is_selected() != (box.get_attribute("value") in ("other", "unattributed")):
            box.click()
    leave(driver, section.find_element(By.CSS_SELECTOR, ".chooser button").click)
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    drawn = [text_of(driver, one) for one in section.find_elements(By.TAG_NAME, "figcaption")]
    check(sorted(drawn) == ["other", "total", "unattributed"], f"the chosen groups are drawn: {drawn}")
    check(f"2 of {groups} groups, as chosen" in section.text, f"and that is said: {section.text}")
    no_errors(driver, "Choices")


def check_loading(driver):
    """A slow view says that it loads, and can be stopped."""
    driver.get(arguments.base + "/viral")
    slow = {"offline": False, "latency": 5000, "downloadThroughput": -1, "uploadThroughput": -1}
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", slow)
    # In one script, because the driver waits for the page that comes.
    shown, said, chosen = driver.execute_async_script(
        "const done = arguments[0], wait = document.getElementById('wait'), by = document.querySelector('select[name=by]');"
        "by.value = 'platform'; by.dispatchEvent(new Event('change'));"
        "setTimeout(() => { const shown = !wait.hidden; wait.querySelector('button').click();"
        "  setTimeout(() => done([shown, wait.innerText + wait.textContent, by.value]), 300) }, 900)"
    )
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**slow, "latency": 0})
    check(shown, "a slow view says that it loads")
    check("Stopped" in said and chosen == "ref" and "by=" not in driver.current_url, f"it is stopped: {said}, {chosen}")
    driver.get_log("browser")


def check_activity(driver):
    driver.get(arguments.base + "/activity")
    days = {"period": "week", **span(driver)}
    check(datetime.date.fromisoformat(days["from"]).weekday() == 0, f"activity: whole weeks by default: {days}")
    rows = [row for row in report("activity", **days) if row["group"] == "total"]
    row, before = rows[-2], rows[-3]
    cards = cards_of(driver)
    for name in ["active", "new", "returning", "resurrected", "dormant"]:
        check(cards[name.capitalize()] == grouped(row[name]), f"activity: {name}: {cards} is {row}")
    hints = driver.execute_script("return [...document.querySelectorAll('svg.activity .hover')].map(e => e.dataset.tip)")
    check(len(hints) == len(rows), "activity: a value for each week")
    said = f"{grouped(before['active'])} active, of them {grouped(before['new'])} new"
    check(before["period"] in hints[-3] and said in hints[-3], f"activity: {hints[-3]} is {before}")
    check(csv_link(driver, driver.find_element(By.CSS_SELECTOR, "section.panel")) == report("activity", by="none", **days), "activity: the CSV link")
    no_errors(driver, "Activity")
    screenshot(driver, "activity")


def check_overlap(driver):
    driver.get(arguments.base + "/overlap")
    rows = report("overlap", by="ref", **span(driver))
    heat = {row[0]: row for row in table_rows(driver, driver.find_element(By.CSS_SELECTOR, "table.heat"))}
    heads = [text_of(driver, head) for head in driver.find_elements(By.CSS_SELECTOR, "table.heat thead th")]
    for row in rows:
        share = percent(float(row["both"]) / float(row["people_a"]))
        check(heat[row["a"]][heads.index(row["b"])] == share, f"overlap: {row} is {heat[row['a']]}")
    check(csv_link(driver, driver.find_element(By.CSS_SELECTOR, "section.panel")) == rows, "overlap: the CSV link")
    leave(driver, lambda: Select(driver.find_element(By.NAME, "by")).select_by_value("channel"))
    check("by=channel" in driver.current_url and driver.find_elements(By.CSS_SELECTOR, "table.heat"), "overlap by channel")
    check("What the channels mean" in driver.page_source, "overlap: the channels are explained")
    no_errors(driver, "Overlap")
    driver.get(arguments.base + "/overlap")
    screenshot(driver, "overlap")


def check_changes(driver):
    driver.get(arguments.base + "/changes")
    # Of today, both ranges have as much as there is: until now.
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    rows = csv_link(driver, section)
    shown = [row[0] for row in table_rows(driver, section.find_element(By.TAG_NAME, "table"))]
    check(shown == [row["channel"] for row in rows] and len(rows) > 2, f"changes: the CSV link has the table: {shown}")
    total = rows[-1]
    if total["change"]:
        sums = [sum(float(row[name]) for row in rows[:-1]) for name in ("before", "after", "change")]
        for name, found in zip(("before", "after", "change"), sums):
            check(abs(found - float(total[name])) < 1e-6, f"changes: {name} sums to {found}, not {total[name]}")
    leave(driver, lambda: Select(driver.find_element(By.NAME, "metric")).select_by_value("install_rate"))
    check("metric=install_rate" in driver.current_url, "changes of a rate")
    check("What carries the change of install rate" in driver.page_source, "changes: the heading of a rate")
    no_errors(driver, "Changes")
    screenshot(driver, "changes")


def check_first_steps(driver):
    """An app without events says how to send some, and names of any kind keep their places."""
    sign_in(driver, arguments.other_read_key)
    for title, path in VIEWS.items():
        driver.get(arguments.base + path)
        if title not in ("Questions", "Links"):
            check("tributary app add-key other --scope write" in driver.page_source, f"{title}: how to send the first event")
        check_accessibility(driver, f"{title} of an empty app")
        no_overflow(driver, f"{title} of an empty app")
    dice = random.Random(7)
    names = ["<script>alert(1)</script>", '"quoted" & more', "שלום עולם", "🎉 party", "x" * 250, "a,b", "back\\slash"]
    names += [f"campaign_{n}_of_{'the_' * (n % 6)}spring" for n in range(80)]
    now = datetime.datetime.now(datetime.timezone.utc)
    for batch in range(4):
        events = []
        for n in range(250):
            at = lambda hours: (now - datetime.timedelta(hours=hours)).isoformat()
            name, hours, user = dice.choice(names), dice.uniform(5, 600), f"user-{dice.randrange(300)}"
            events += [{"type": "inbound_link", "user_id": user, "channel": "search", "ref": [name], "occurred_at": at(hours)}]
            events += [{"type": "conversion", "user_id": user, "name": "goal_" * 12, "occurred_at": at(hours - 2)}]
        send(events, arguments.other_write_key)
    for width, others in [(1280, {}), (390, {})]:
        set_size(driver, width, 844)
        for path in ["/", "/funnels?by=ref", "/attribution?by=ref", "/activity?by=ref", "/overlap", "/compare", "/breakdown?by=ref", "/viral"]:
            driver.get(arguments.base + path)
            where = f"names of any kind, {width} px, {path}"
            open_all(driver)
            no_overflow(driver, where)
            check_accessibility(driver, where)
            no_errors(driver, where)


def check_posts(driver):
    driver.get(arguments.base + "/posts")
    days = span(driver)
    rows = report("posts", **days)
    total, cards = rows[-1], cards_of(driver)
    for card, column in [("Posted", "posted"), ("Cancelled", "cancelled"), ("Posters", "posters")]:
        check(cards[card] == grouped(total[column]), f"posts: {card}: {cards[card]} is {total[column]}")
    sections = driver.find_elements(By.CSS_SELECTOR, "section.panel")
    label = sections[0].find_element(By.CSS_SELECTOR, "svg.chart").get_attribute("aria-label")
    check(f"Posted: {grouped(total['posted'])} in all" in label, f"posts: the chart adds up: {label}")
    check_day_apart(driver, sections[0], 3)
    shown = [row[:2] for row in table_rows(driver, sections[1].find_element(By.TAG_NAME, "table"))]
    check(shown == [[row["ref"], row["composer"] or "–"] for row in rows], "posts: the rows of the report in their order")
    check(csv_link(driver, sections[1]) == rows, "posts: the CSV link has the report")
    no_errors(driver, "Posts")
    screenshot(driver, "posts")
    # Which posts did nobody tap?
    leave(driver, driver.find_element(By.LINK_TEXT, "each post").click)
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    leave(driver, section.find_element(By.CSS_SELECTOR, "thead").find_element(By.LINK_TEXT, "touches").click)
    check("sort=touches%3Areverse" in driver.current_url, f"posts: the opposite order: {driver.current_url}")
    rows = report("posts", each="true", sort="touches:reverse", **days)
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    shown = table_rows(driver, section.find_element(By.TAG_NAME, "table"))
    check([row[0] for row in shown] == [row["post"] for row in rows], "posts: each post in the order of the report")
    heads = [text_of(driver, head) for head in section.find_elements(By.CSS_SELECTOR, "thead th")]
    check(shown[0][heads.index("touches")] == "0" == rows[0]["touches"], f"posts: dead posts come first: {shown[0]}")
    check(csv_link(driver, section) == rows, "posts: the CSV link has each post")
    leave(driver, lambda: Select(driver.find_element(By.NAME, "sort")).select_by_value("installs"))
    row = report("posts", each="true", sort="installs", **days)[0]
    leave(driver, driver.find_element(By.CSS_SELECTOR, "section.panel tbody td.number a").click)
    check(len(table_rows(driver, driver.find_element(By.CSS_SELECTOR, "main table"))) == int(row["people"]), "posts: the people of a post")
    no_errors(driver, "Each post")


def check_generations(driver):
    driver.get(arguments.base + "/generations")
    rows = report("generations", **span(driver))
    cards = cards_of(driver)
    for card, column in [("People", "people"), ("Invited", "invited"), ("Doubtful", "doubtful")]:
        check(cards[card] == grouped(rows[-1][column]), f"generations: {card}: {cards[card]} is {rows[-1][column]}")
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    bars = bars_of(driver, section)
    wanted = {row["generation"]: row for row in rows if row["generation"] != "total" and int(row["people"]) > 0}
    check(set(bars) == set(wanted) and len(bars) > 1, f"generations: a bar for each with people: {bars}")
    for name, figure in bars.items():
        check(figure.startswith(grouped(wanted[name]["people"])), f"generations: {name}: {figure} is {wanted[name]['people']}")
    check(csv_link(driver, section) == rows, "generations: the CSV link has the report")
    no_errors(driver, "Generations")


def check_viral(driver):
    driver.get(arguments.base + "/viral")
    rows = {row["group"]: row for row in report("viral", **span(driver))}
    cards = cards_of(driver)
    for card, column in [("Posters", "posters"), ("Touches", "touches"), ("Installs", "installs")]:
        check(cards[card] == grouped(rows["total"][column]), f"viral: {card}: {cards[card]} is {rows['total'][column]}")
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    bars = bars_of(driver, section)
    wanted = {name for name, row in rows.items() if name != "total" and float(row["k"] or 0) > 0}
    check(set(bars) == wanted and bars, f"viral: a bar for each ref with K: {bars}")
    for name, figure in bars.items():
        check(figure.startswith(grouped(rows[name]["k"], fixed=True)), f"viral: {name}: {figure} is {rows[name]['k']}")
    check(csv_link(driver, section) == list(rows.values()), "viral: the CSV link has the report")
    no_errors(driver, "Viral")
    screenshot(driver, "viral")
    leave(driver, lambda: Select(driver.find_element(By.NAME, "by")).select_by_value("platform"))
    check("by=platform" in driver.current_url and "from=" in driver.current_url, "a choice keeps the days")


    driver.get(arguments.base + "/viral")
    leave(driver, lambda: Select(driver.find_element(By.CSS_SELECTOR, "select[name=within]")).select_by_value("7d"))
    leave(driver, lambda: Select(driver.find_element(By.CSS_SELECTOR, "select[name=matured]")).select_by_value("on"))
    check("within=7d" in driver.current_url and "matured=on" in driver.current_url, f"viral: {driver.current_url}")
    total = report("viral", within="7d", matured="on", **span(driver))[-1]
    cards = cards_of(driver)
    for card, column in [("Posters", "posters"), ("Installs", "installs"), ("Untraced touches", "untraced_touches")]:
        check(cards[card] == grouped(total[column]), f"viral within 7d: {card}: {cards[card]} is {total[column]}")
    said = driver.find_element(By.CSS_SELECTOR, "section.panel").text
    check("older than 7d" in said, f"viral: which posts count: {said}")
    check(f"{grouped(total['untraced_touches'])} touches have a ref, but came from no known post" in said, "viral: untraced")
    leave(driver, lambda: Select(driver.find_element(By.CSS_SELECTOR, "select[name=within]")).select_by_value(""))
    check("from no known post" in driver.page_source and not driver.find_elements(By.CSS_SELECTOR, "select[name=matured]"), "viral: any time")
    no_errors(driver, "Viral within a time")


def check_warnings(driver):
    """A value that occurs nowhere is said once above the figures, with the nearest names."""
    for path, name, nearest in [
        ("/?where=ref%3Dgivaway", "givaway", "giveaway"),
        ("/funnels?steps=inbound_link%2Cconversion%3Apremuim", "premuim", None),
        ("/breakdown?by=ref&where=target_url%3Dhttps%3A%2F%2Fnowhere.example%2F%2A", "https://nowhere.example/*", None),
        ("/compare?a=givaway&b=recipe", "givaway", "giveaway"),
    ]:
        driver.get(arguments.base + path)
        [said] = [one.text for one in driver.find_elements(By.CSS_SELECTOR, "p.problem[role=status]")] or [""]
        check(f"'{name}' occurs in no event of the app" in said, f"{path}: a warning: {said}")
        check(nearest is None or f"did you mean '{nearest}'" in said, f"{path}: the nearest name: {said}")
        no_errors(driver, path)
    driver.get(arguments.base + "/?where=ref%3Dgiveaway")
    said = [one.text for one in driver.find_elements(By.CSS_SELECTOR, "p.problem")]
    check(not any("occurs in no event" in text for text in said), f"a value that occurs is no warning: {said}")


def check_paths(driver):
    driver.get(arguments.base + "/paths?lookback=3d")
    rows = report("paths", lookback="3d", **span(driver))
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    bars = bars_of(driver, section)
    check(len(bars) == min(12, len(rows) - 1), f"paths: a bar for each of the largest: {len(bars)}")
    for row in rows[:5]:
        folded = [(name, len(list(same))) for name, same in itertools.groupby(row["path"].split(" > "))]
        row["path"] = " > ".join(name if count == 1 else f"{name} × {count}" for name, count in folded)
        check(bars.get(row["path"], "").startswith(grouped(row["conversions"])), f"paths: {row['path']}: {bars}")
    rows = report("paths", lookback="3d", **span(driver))
    check(csv_link(driver, section) == rows, "paths: the CSV link has the report")
    no_errors(driver, "Paths")


def check_compare(driver):
    driver.get(arguments.base + "/compare")
    refs = [option.get_attribute("value") for option in Select(driver.find_element(By.NAME, "a")).options]
    wanted = {row["ref"] for row in report("refs", **span(driver)) if float(row["touches"]) > 0}
    check(set(refs) == wanted - {"(none)", "direct", "total"}, f"compare: the refs that exist are offered: {refs}")
    leave(driver, lambda: Select(driver.find_element(By.NAME, "b")).select_by_value(refs[1]))
    check(f"b={urllib.parse.quote(refs[1])}" in driver.current_url, "compare: the choice appears in the address bar")
    driver.get(arguments.base + "/compare?" + urllib.parse.urlencode({"a": refs[1], "b": refs[0], "window": "3d"}))
    [row] = rows = report("compare", a=refs[1], b=refs[0], by="ref", window="3d", **span(driver))
    sections = driver.find_elements(By.CSS_SELECTOR, "section.panel")
    bars = bars_of(driver, sections[0])
    for name, side in [(refs[1], "a"), (refs[0], "b")]:
        figure = f"{percent(row[side + '_rate'])} of {grouped(row[side + '_people'])} people"
        check(bars[name] == figure, f"compare: {name}: {bars[name]} is {figure}")
    label = sections[1].find_element(By.CSS_SELECTOR, "svg.chart").get_attribute("aria-label")
    p = row["p_value"]
    chance = "too few people" if p == "" else "more than chance" if float(p) < 0.05 else "may be chance"
    check(chance in label, f"compare: p is {row['p_value']}: {label}")
    points = grouped(abs(float(row["difference"])) * 100, 1, fixed=True) + " points"
    check(f"{refs[0]}: " in label and points in label, f"compare: the other − the chosen: {points} in {label}")
    check(csv_link(driver, sections[1]) == rows, "compare: the CSV link has the report")
    no_errors(driver, "Compare")
    driver.get(arguments.base + "/compare")
    leave(driver, lambda: Select(driver.find_element(By.CSS_SELECTOR, "select[name=key1]")).select_by_value("platform"))
    offered = [option.get_attribute("value") for option in Select(driver.find_element(By.NAME, "a")).options]
    check("ios" in offered and refs[0] not in offered, f"compare: platforms: {offered}")
    no_errors(driver, "Compare platforms")
    driver.get(arguments.base + "/compare?by=channel")
    no_errors(driver, "Compare channels")
    screenshot(driver, "compare")
    leave(driver, driver.find_element(By.LINK_TEXT, "the range before").click)
    rows = report("funnel", **{"by": "channel", "compare-previous": "true"}, **span(driver))
    last = [row for row in rows if row["step"] == "3" and row["difference"]]
    label = driver.find_element(By.CSS_SELECTOR, "svg.chart").get_attribute("aria-label")
    for row in last:
        name = row["group"]
        rates = f"{percent(row['rate_from_first'])}, before {percent(row['previous_rate_from_first'])}"
        check(f"{name}: " in label and rates in label, f"two ranges: {name}, {rates} in {label}")
    said = driver.find_element(By.CSS_SELECTOR, "section.panel").text
    check("Like with like" in said and "window of 7d is over" in said, f"two ranges: like with like in words: {said}")
    leave(driver, lambda: Select(driver.find_element(By.CSS_SELECTOR, "select[name=matured]")).select_by_value("off"))
    check("matured=off" in driver.current_url and "Like with like" not in driver.page_source, "two ranges: all people")
    leave(driver, lambda: Select(driver.find_element(By.CSS_SELECTOR, "select[name=report]")).select_by_value("channels"))
    days = span(driver)
    rows = report("channels", **{"from": days["from"], "to": "now", "compare-previous": "true"})
    shown = {row[0]: row for row in table_rows(driver, driver.find_element(By.CSS_SELECTOR, "section table"))}
    check(list(shown) == [row["channel"] for row in rows], f"two ranges: a row for each channel: {list(shown)}")
    for row in rows:
        pair = [grouped(row["touches"]), grouped(row["previous_touches"])]
        check(shown[row["channel"]][1:3] == pair, f"two ranges: {row['channel']}: {shown[row['channel']]} has {pair}")
    check(cards_of(driver)["Touches"] == grouped(rows[-1]["touches"]), "two ranges: the tile is that of the report")
    check("at the same time of day as now" in driver.page_source, "two ranges: up to the same time of day")
    no_errors(driver, "Two ranges")


def check_breakdown(driver):
    driver.get(arguments.base + "/breakdown")
    days = span(driver)
    leave(driver, lambda: Select(driver.find_element(By.NAME, "key1")).select_by_value("ref"))
    leave(driver, lambda: Select(driver.find_element(By.NAME, "key2")).select_by_value("channel"))
    check("by=ref%2Cchannel" in driver.current_url, f"breakdown: two keys are chosen: {driver.current_url}")
    rates = {"rates": "true", "per-touch": "true"}
    rows = report("breakdown", by="ref,channel", **rates, **days)
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    shown = [row[:2] for row in table_rows(driver, section.find_element(By.TAG_NAME, "table"))]
    check(shown == [[row["ref"], row["channel"] or "–"] for row in rows], "breakdown: the rows of the report in their order")
    leave(driver, section.find_element(By.CSS_SELECTOR, "thead").find_element(By.LINK_TEXT, "installs").click)
    check("sort=installs" in driver.current_url, "breakdown: a click on a column sorts by it")
    rows = report("breakdown", by="ref,channel", sort="installs", **rates, **days)
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    shown = [row[:2] for row in table_rows(driver, section.find_element(By.TAG_NAME, "table"))]
    check(shown == [[row["ref"], row["channel"] or "–"] for row in rows], "breakdown: the rows are sorted")
    head = section.find_element(By.CSS_SELECTOR, "[aria-sort]").text
    check(head.startswith("installs"), f"breakdown: the sorted column is marked: {head}")
    check(csv_link(driver, section) == rows, "breakdown: the CSV link has the report")
    no_errors(driver, "Breakdown")
    screenshot(driver, "breakdown")
    leave(driver, section.find_element(By.CSS_SELECTOR, "tbody").find_element(By.LINK_TEXT, "story_links").click)
    check("where=channel%3Dstory_links" in driver.current_url, "breakdown: a cell leads to its own figures")
    kept = "where=channel%3Dstory_links&by=ref%2Cchannel"
    for name in ["Credits", "Comparison", "Goals", "Groups"]:
        leave(driver, driver.find_element(By.CSS_SELECTOR, ".options").find_element(By.LINK_TEXT, name).click)
        here = urllib.parse.urlparse(driver.current_url)
        check(here.path == EXPLORE[name] and here.query.endswith(kept), f"explore: {name} keeps keys and filter: {here}")
        no_errors(driver, f"Explore, {name}")


def check_questions(driver):
    """A table is saved as a question, which a program then reads."""
    driver.get(arguments.base + "/viral?by=platform")
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".tools a").click)
    check_accessibility(driver, "the form for a question")
    name = driver.find_element(By.NAME, "name")
    name.send_keys("k-by-platform")
    leave(driver, lambda: name.send_keys(Keys.ENTER))
    check("The question is saved" in driver.find_element(By.CSS_SELECTOR, ".notice").text, "a question is saved")
    check_accessibility(driver, "a question")
    no_overflow(driver, "a question")
    request = urllib.request.Request(f"{arguments.base}/v1/questions/k-by-platform.csv")
    request.add_header("Authorization", f"Bearer {arguments.read_key}")
    with urllib.request.urlopen(request) as answer:
        rows = list(csv.DictReader(io.StringIO(answer.read().decode())))
    shown = table_rows(driver, driver.find_element(By.CSS_SELECTOR, "section table"))
    check([row[0] for row in shown] == [row["group"] for row in rows] and rows, "the answer over HTTP has the same rows")
    leave(driver, driver.find_element(By.PARTIAL_LINK_TEXT, "Open it in").click)
    check(urllib.parse.urlparse(driver.current_url).path == "/viral" and "by=platform" in driver.current_url, "a question opens its view")
    driver.get(arguments.base + "/questions/schedule?name=k-by-platform")
    check_accessibility(driver, "the form for a schedule")
    no_overflow(driver, "the form for a schedule")
    driver.find_element(By.NAME, "to").send_keys("mail:ann@example.com")
    driver.find_element(By.NAME, "key").send_keys(arguments.write_key)
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".entry button").click)
    check("every week:monday at 08:00: mail to example.com" in driver.page_source, "a question is sent from now on")
    check_accessibility(driver, "a question that is sent")
    leave(driver, driver.find_element(By.LINK_TEXT, "End").click)
    check_accessibility(driver, "ending a schedule")
    driver.find_element(By.NAME, "key").send_keys(arguments.write_key)
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".entry button").click)
    check("mail to example.com" not in driver.page_source, "and no more")
    driver.get(arguments.base + "/questions/notes")
    driver.find_element(By.NAME, "text").send_keys("version 2 out")
    driver.find_element(By.NAME, "key").send_keys(arguments.write_key)
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".entry button").click)
    check("version 2 out" in driver.find_element(By.CSS_SELECTOR, "tbody").text, "a note is added")
    check_accessibility(driver, "notes")
    driver.get(arguments.base + "/money")
    driver.find_element(By.NAME, "name").send_keys("recipe")
    driver.find_element(By.NAME, "amount").send_keys("12.50")
    driver.find_element(By.NAME, "key").send_keys(arguments.write_key)
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".entry button").click)
    check("recipe" in driver.find_element(By.CSS_SELECTOR, "tbody").text, "a cost is added")
    check_accessibility(driver, "costs")
    leave(driver, driver.find_element(By.LINK_TEXT, "Import a file").click)
    check_accessibility(driver, "costs of a file")
    driver.get(arguments.base + "/money/rates")
    driver.find_element(By.NAME, "lines").send_keys("date,currency,rate\n2026-01-05,EUR,1.5")
    driver.find_element(By.NAME, "key").send_keys(arguments.manage_key)
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".entry button").click)
    check("EUR" in driver.find_element(By.CSS_SELECTOR, "tbody").text, "a rate is imported")
    check_accessibility(driver, "exchange rates")
    driver.get(arguments.base + "/")
    check("version 2 out" in driver.find_element(By.CSS_SELECTOR, "main").text, "a note stands below the chart")
    driver.get(arguments.base + "/questions")
    check(driver.find_element(By.CSS_SELECTOR, "tbody th").text == "k-by-platform", "the question is listed")
    leave(driver, driver.find_element(By.LINK_TEXT, "Delete").click)
    check_accessibility(driver, "deleting a question")
    driver.find_element(By.NAME, "key").send_keys(arguments.write_key)
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".entry button").click)
    check("No questions yet" in driver.page_source and "Deleted questions" in driver.page_source, "a question is deleted")
    check_accessibility(driver, "deleted questions")
    leave(driver, driver.find_element(By.LINK_TEXT, "Restore").click)
    check_accessibility(driver, "restoring a question")
    driver.find_element(By.NAME, "key").send_keys(arguments.write_key)
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".entry button").click)
    check(driver.current_url.endswith("name=k-by-platform"), f"a question is restored: {driver.current_url}")
    no_errors(driver, "Questions")


def check_unknown_parameters(driver):
    for path in ["/?form=2026-01-01", "/funnels?bye=ref", "/links?txt=a", "/live?window=3d"]:
        driver.get(arguments.base + path)
        name = path.split("?")[1].split("=")[0]
        check(f"no parameter ‘{name}’" in driver.find_element(By.CSS_SELECTOR, "[role=alert]").text, f"{path}: refused")
    driver.get(arguments.base + "/funnels?bye=ref")
    check("Did you mean ‘by’?" in driver.find_element(By.CSS_SELECTOR, "[role=alert]").text, "the closest name is offered")
    driver.get_log("browser")


def check_steps(driver):
    """The steps of a funnel are chosen one by one."""
    driver.get(arguments.base + "/funnels?window=3d")
    leave(driver, lambda: Select(driver.find_element(By.NAME, "step4")).select_by_value("feed_post"))
    check("steps=inbound_link%2Cauthentication%2Cconversion%2Cfeed_post" in driver.current_url, f"a step is added: {driver.current_url}")
    check("step4" not in driver.current_url and "window=3d" in driver.current_url, "the address stays tidy")
    leave(driver, lambda: Select(driver.find_element(By.NAME, "step2")).select_by_value(""))
    check("steps=inbound_link%2Cconversion%2Cfeed_post" in driver.current_url, "a step is taken off")
    driver.find_element(By.CSS_SELECTOR, ".more summary").click()
    condition = driver.find_element(By.NAME, "condition1")
    condition.send_keys("channel=search")
    leave(driver, lambda: condition.send_keys(Keys.ENTER))
    check("steps=inbound_link%5Bchannel%3Dsearch%5D%2Cconversion" in driver.current_url, f"a condition: {driver.current_url}")
    days = span(driver)
    first = report("funnel", steps="inbound_link[channel=search],conversion,feed_post", window="3d", **days)[0]
    label = driver.find_element(By.CSS_SELECTOR, "svg.funnel").get_attribute("aria-label")
    check(f"{grouped(first['people'])} people" in label, f"a condition has its people: {first} in {label}")
    no_errors(driver, "Steps")


def check_filters(driver):
    """Conditions are added by a click on a row or by a form, stay on the way to other views, and are taken off."""
    driver.get(arguments.base + "/")
    days = span(driver)
    sections = driver.find_elements(By.CSS_SELECTOR, "section.panel")
    leave(driver, sections[2].find_element(By.LINK_TEXT, "story_links").click)
    check("where=channel%3Dstory_links" in driver.current_url, f"a click on a row adds a filter: {driver.current_url}")
    wanted = next(row for row in report("channels", where="channel=story_links", **days) if row["channel"] == "total")
    check(cards_of(driver)["Touches"] == grouped(wanted["touches"]), "the tiles are those of the filter")
    leave(driver, driver.find_element(By.LINK_TEXT, "People").click)
    label = driver.find_element(By.CSS_SELECTOR, "svg.funnel").get_attribute("aria-label")
    wanted = report("funnel", where="channel=story_links", **days)[0]
    check(f"{grouped(wanted['people'])} people" in label, f"the filter stays on the way to another view: {label}")
    leave(driver, lambda: Select(driver.find_element(By.NAME, "add")).select_by_value("platform"))
    Select(driver.find_element(By.NAME, "not")).select_by_value("1")
    Select(driver.find_element(By.NAME, "value")).select_by_value("ios")
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".filters button").click)
    check("where=platform%21%3Dios" in driver.current_url and "add=" not in driver.current_url, "a form adds a filter")
    words = [text_of(driver, one) for one in driver.find_elements(By.CSS_SELECTOR, ".filters li")]
    check(words == ["channel is story_links ×", "platform is not ios ×"], f"the filters are on top: {words}")
    check_accessibility(driver, "filters")
    cross = driver.find_element(By.CSS_SELECTOR, ".filters li a")
    leave(driver, lambda: cross.send_keys(Keys.ENTER))
    check("story_links" not in driver.current_url and "ios" in driver.current_url, "a key takes one filter off")
    driver.get(arguments.base + "/?where=moon%3D1")
    check("moon" in driver.find_element(By.CSS_SELECTOR, "[role=alert]").text, "an unknown key is reported")
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".filters li a").click)
    check(not driver.find_elements(By.CSS_SELECTOR, "[role=alert]"), "a wrong filter can be taken off")
    driver.get_log("browser")
    # Three clicks to those who have paid and are gone.
    driver.get(arguments.base + "/")
    leave(driver, driver.find_element(By.LINK_TEXT, "Explore").click)
    leave(driver, lambda: Select(driver.find_element(By.NAME, "add")).select_by_visible_text("paid, gone for 30 days"))
    gone = {"with": "conversion[outcome=paid]", "without": "touch|app_open|conversion@30d"}
    total = report("breakdown", **gone, **span(driver))[-1]
    last = driver.find_elements(By.CSS_SELECTOR, "section.panel tbody tr")[-1]
    leave(driver, last.find_element(By.LINK_TEXT, grouped(total["conversions"])).click)
    check("people=conversions" in driver.current_url, f"a figure leads to who paid and is gone: {driver.current_url}")
    check_accessibility(driver, "people who paid and are gone")
    driver.get(arguments.base + "/")
    driver.find_element(By.CSS_SELECTOR, ".numbers summary").click()
    row = driver.find_elements(By.CSS_SELECTOR, "section.panel tbody th a")[0]
    day = row.text
    leave(driver, row.click)
    check(span(driver)["from"] == day, f"a click on a day leads to that day: {driver.current_url}")
    no_errors(driver, "Filters")


def check_funnels(driver):
    driver.get(arguments.base + "/funnels?by=channel&window=3d")
    days = span(driver)
    for section, name in zip(driver.find_elements(By.CSS_SELECTOR, "section.panel"), ["funnel", "installs"], strict=True):
        rows = report(name, by="channel", window="3d", **days)
        pictures = section.find_elements(By.CSS_SELECTOR, "svg.funnel")
        check(len(pictures) > 1, f"{name}: a chart for the total and for groups")
        label = pictures[0].get_attribute("aria-label")
        for row in rows:
            if row["group"] == "total":
                check(f"{grouped(row['people'])} people" in label, f"{name}: {row['name']} has {row['people']} people")
        linked = csv_link(driver, section)
        # Windows close as time passes, so the rows may match the report before or after the download.
        same = linked == rows or linked == report(name, by="channel", window="3d", **days)
        check(same, f"{name}: the CSV link has the report")
        check(not section.find_element(By.TAG_NAME, "table").is_displayed(), f"{name}: the table is hidden at first")
        summary = section.find_element(By.CSS_SELECTOR, ".numbers summary")
        summary.send_keys(Keys.ENTER)
        check(section.find_element(By.TAG_NAME, "table").is_displayed(), f"{name}: a key opens the table")
        summary.send_keys(Keys.ENTER)
    no_errors(driver, "Funnels")
    screenshot(driver, "funnels")
    driver.get(arguments.base + "/funnels?by=day")
    lines = driver.find_elements(By.CSS_SELECTOR, "svg.chart path.line.series-1")
    check(lines, "funnels: over time")
    driver.get(arguments.base + "/funnels")
    leave(driver, lambda: Select(driver.find_element(By.NAME, "by")).select_by_value("platform"))
    check("by=platform" in driver.current_url, "a choice appears in the address bar")
    check(any("ios" in figure.text for figure in driver.find_elements(By.TAG_NAME, "figcaption")), "a choice changes the charts immediately")
    driver.get(arguments.base + "/funnels?steps=install,nonsense")
    check("nonsense" in driver.find_element(By.CSS_SELECTOR, "[role=alert]").text, "a wrong step is reported")
    driver.get_log("browser")


def check_attribution(driver):
    driver.get(arguments.base + "/attribution?event=conversion&by=ref")
    rows = report("attribution", event="conversion", by="ref", model="all", **span(driver))
    section = driver.find_element(By.CSS_SELECTOR, "section.panel")
    check(len(section.find_elements(By.CSS_SELECTOR, ".legend li")) == 5, "five models")
    pictures = section.find_elements(By.CSS_SELECTOR, "svg.chart")
    label = pictures[0].get_attribute("aria-label")
    largest = max((row for row in rows if row["group"] not in ("total",)), key=lambda row: float(row["share"] or 0))
    check(largest["group"] in label, "the largest group is drawn first")
    for row in rows:
        if row["group"] == largest["group"]:
            # Halves are rounded up, as the page does it.
            share = grouped(float(row["share"]) * 100, 1)
            check(f"{row['model']} {share} %" in label, f"{row['model']}: {share} % of {largest['group']} in {label}")
    check(csv_link(driver, section) == rows, "attribution: the CSV link has the report")
    driver.get(arguments.base + "/attribution?event=conversion")
    no_errors(driver, "Attribution")
    screenshot(driver, "attribution")


def check_logins(driver):
    driver.get(arguments.base + "/logins?by=platform")
    days = span(driver)
    total = report("logins", **days)[-1]
    sections = driver.find_elements(By.CSS_SELECTOR, "section.panel")
    label = sections[0].find_element(By.CSS_SELECTOR, "svg.chart").get_attribute("aria-label")
    check(f"Attempts: {grouped(total['attempts'])} in all" in label, f"logins: the chart adds up: {label}")
    check(csv_link(driver, sections[0]) == report("logins", by="day", **days), "logins: the CSV link has the days")
    check(csv_link(driver, sections[1]) == report("logins", by="platform", **days), "logins: the CSV link has the report")
    no_errors(driver, "Logins")


def check_retention(driver):
    driver.get(arguments.base + "/")
    month = f"from={span(driver)['from']}"
    driver.get(arguments.base + f"/retention?period=day&{month}")
    rows = report("retention", period="day", **span(driver))
    cohorts = {row["cohort"]: row["people"] for row in rows if row["group"] == "total" and row["cohort"] != "total"}
    heat = table_rows(driver, driver.find_element(By.CSS_SELECTOR, "table.heat"))
    shown = {row[0].split()[0]: row[1] for row in heat}
    check(shown == {cohort: grouped(people) for cohort, people in cohorts.items()}, "retention: every cohort with its people")
    check(heat[-1][0].endswith("not over") and not any(heat[-1][2:]), f"retention: the open day is apart: {heat[-1]}")
    check(all(heat[0][2:]), f"retention: periods that are over are shown: {heat[0]}")
    said = driver.find_element(By.CSS_SELECTOR, "section.panel").text
    check("Empty cells: periods that are not over yet." in said and "Still growing" in said, f"retention: in words: {said}")
    driver.get(arguments.base + f"/retention?period=week&cohort=install&show=value&{month}")
    rows = report("retention", period="week", cohort="install", **span(driver))
    first = min(row["cohort"] for row in rows)
    worth = next(row["value_per_person"] for row in rows if row["cohort"] == first and row["period"] == "1")
    shown = table_rows(driver, driver.find_element(By.CSS_SELECTOR, "table.heat"))[0]
    check(shown[0].split()[0] == first and shown[2] == grouped(worth, fixed=True), f"retention: what a cohort is worth: {shown} is {worth}")
    # Whose people still come after two weeks?
    driver.get(arguments.base + f"/retention?at=2&{month}")
    leave(driver, lambda: Select(driver.find_element(By.NAME, "by")).select_by_value("ref"))
    rows = report("retention", period="week", by="ref", pooled="on", at="2", **span(driver))
    groups = {row["group"]: [grouped(row["people"]), percent(row["rate"])] for row in rows if row["people"] != "0"}
    shown = {row[0]: row[1:] for row in table_rows(driver, driver.find_element(By.CSS_SELECTOR, "table.heat"))}
    check(shown == groups and len(shown) > 3, f"retention: each ref with its rate: {shown} is {groups}")
    no_errors(driver, "Retention by ref")
    driver.get(arguments.base + "/retention")
    weeks = table_rows(driver, driver.find_element(By.CSS_SELECTOR, "table.heat"))
    check(len(weeks) <= 13 and datetime.date.fromisoformat(weeks[0][0].split()[0]).weekday() == 0, f"retention: 12 weeks: {weeks[0]}")
    no_errors(driver, "Retention")
    screenshot(driver, "retention")


def fill(driver, **values):
    """Fills the form for a link and sends it."""
    for name, value in {**values, "key": arguments.write_key}.items():
        field = driver.find_element(By.NAME, name)
        # A field below a heading is shown when the heading is opened.
        driver.execute_script("arguments[0].closest('details')?.setAttribute('open', '')", field)
        field.clear()
        field.send_keys(value)
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".entry button[type=submit]").click)


def fill_plainly(driver):
    """Creates a link in a browser that runs no scripts."""
    driver.find_element(By.NAME, "slug").send_keys("plain")
    driver.find_element(By.NAME, "target_url").send_keys("https://www.example.com/plain")
    driver.find_element(By.NAME, "key").send_keys(arguments.write_key, Keys.ENTER)
    WebDriverWait(driver, 60).until(lambda d: "new=1" in d.current_url)


def check_plainly(driver):
    """A choice, a filter and a sorted column in a browser that runs no scripts."""
    driver.get(arguments.base + "/viral")
    Select(driver.find_element(By.CSS_SELECTOR, "select[name=within]")).select_by_value("7d")
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".options button").click)
    check("within=7d" in driver.current_url, f"without scripts: a choice: {driver.current_url}")
    Select(driver.find_element(By.NAME, "add")).select_by_value("platform")
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".options button").click)
    Select(driver.find_element(By.NAME, "value")).select_by_value("ios")
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".filters button").click)
    kept = "where=platform%3Dios" in driver.current_url and "within=7d" in driver.current_url
    check(kept, f"without scripts: a filter is added: {driver.current_url}")
    leave(driver, driver.find_element(By.CSS_SELECTOR, ".filters li a").click)
    check("where=" not in driver.current_url, f"without scripts: a filter is taken off: {driver.current_url}")
    driver.get(arguments.base + "/breakdown?by=ref")
    leave(driver, driver.find_element(By.CSS_SELECTOR, "thead").find_element(By.LINK_TEXT, "installs").click)
    check("sort=installs" in driver.current_url, "without scripts: a click on a column sorts by it")


def check_links(driver):
    driver.get(arguments.base + "/links")
    leave(driver, driver.find_element(By.LINK_TEXT, "Create a link").click)
    preview = {"title": "Spring sale", "description": "Everything for less.", "image_url": "https://www.example.com/a.png"}
    values = {"slug": "spring", "ref": "gift, spring", "app_url": "demo://sale", **preview}
    fill(driver, target_url="nonsense", **values)
    fault = driver.find_element(By.ID, "target_url-problem")
    check("must be a whole URL" in fault.text, f"a wrong target is reported at its field: {fault.text}")
    check(driver.switch_to.active_element.get_attribute("name") == "target_url", "the cursor is in the wrong field")
    check(driver.find_element(By.NAME, "key").get_attribute("value") == "", "the key does not come back")
    check(arguments.write_key not in driver.page_source + driver.current_url, "the key is nowhere in the page")
    check_accessibility(driver, "the form with a fault")
    driver.get_log("browser")  # The refused form is in the console.
    fill(driver, target_url="https://www.example.com/sale", **values)
    check("The link is created" in driver.find_element(By.CSS_SELECTOR, ".notice").text, "the link is created")
    driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    button = driver.find_element(By.CSS_SELECTOR, "[data-copies]")
    button.click()
    WebDriverWait(driver, 20).until(lambda d: button.text == "Copied")
    copied = driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    check(copied == "https://go.recipes.example/spring", f"the short link is copied: {copied}")
    check(driver.find_element(By.CSS_SELECTOR, ".code svg path").is_displayed(), "the QR code is shown")
    check(len(driver.find_elements(By.CSS_SELECTOR, ".visitors tbody tr")) == 8, "eight visitors")
    title = driver.find_element(By.CSS_SELECTOR, ".preview .title").text
    check(title == "Spring sale", f"the preview: {title}")
    driver.get(arguments.base + LINK)
    no_errors(driver, "One link")
    driver.get(arguments.base + LINK.replace("spring", "plum-cake"))
    rows = {row["link"]: row for row in report("links", **span(driver))}
    cards = {
        text_of(driver, card.find_element(By.TAG_NAME, "dt")): text_of(driver, card.find_element(By.TAG_NAME, "dd"))
        for card in driver.find_elements(By.CSS_SELECTOR, ".card")
    }
    for column in ["clicks", "people", "previews", "bots", "installs", "authentications", "conversions"]:
        wanted = rows["go.recipes.example/plum-cake"][column]
        check(cards[column.capitalize()] == grouped(wanted), f"what a link brought: {column}: {cards} is {wanted}")
    check(csv_link(driver, driver.find_element(By.TAG_NAME, "main")) == list(rows.values()), "links: the CSV link")
    no_errors(driver, "What a link brought")
    screenshot(driver, "link")
    driver.get(arguments.base + "/links")
    search = driver.find_element(By.NAME, "text")
    search.send_keys("no such link")
    leave(driver, lambda: search.send_keys(Keys.ENTER))
    check("No link has this text" in driver.page_source, "a search without a result says so")
    driver.get(arguments.base + "/links?text=SPRING")
    check(len(driver.find_elements(By.CSS_SELECTOR, ".links tbody tr")) == 1, "a search finds the link")
    no_errors(driver, "Links")


def check_live(driver):
    driver.get(arguments.base + "/live")
    send([{"type": "install", "user_id": f"live-{n}"} for n in range(37)] + [{"type": "visit"}])
    # In one script, because the page replaces this element every two seconds.
    live = lambda d: d.execute_script(
        "const live = document.getElementById('live'); return live.querySelector('svg.chart')?.ariaLabel + live.innerText"
    )
    WebDriverWait(driver, 60).until(lambda d: "37 accepted and 1 rejected" in live(d))
    check("unknown_type" in live(driver), "live: rejections by code")
    newest = driver.execute_script("return [...document.querySelectorAll('#live tbody tr')].map(e => e.innerText)")
    check(len(newest) == 20 and any("live-" in row for row in newest), f"live: the last events: {newest[:3]}")
    check(" ago" in driver.find_element(By.CSS_SELECTOR, ".pulse .ago").text, "the dot says when the last event came")
    no_errors(driver, "Live")


def send(events, key=arguments.write_key):
    request = urllib.request.Request(f"{arguments.base}/v1/events", data=json.dumps({"events": events}).encode())
    request.add_header("Authorization", f"Bearer {key}")
    request.add_header("Content-Type", "application/json")
    urllib.request.urlopen(request).read()


def picture_live(driver):
    """Takes a screenshot of the live view, after some minutes of traffic."""
    began = time.monotonic()
    dice = random.Random(1)
    number = 0
    while (second := time.monotonic() - began) < 240:
        count = int(60 + 25 * math.sin(second / 25) + dice.gauss(0, 8))
        events = [{"type": "link_click", "click_id": f"tap-{number + n}", "channel": "search"} for n in range(count)]
        number += count
        if dice.random() < 0.15:
            wrong = [{"type": "conversion", "user_id": "a"}, {"type": "visit"}, {"type": "install", "user_id": "null"}]
            events += dice.choices(wrong, weights=[5, 2, 3], k=dice.randint(1, 6))
        send(events)
        time.sleep(max(0, 1 - (time.monotonic() - began - second)))
    driver.get(arguments.base + "/live")
    screenshot(driver, "live-dark")


def check_range(driver):
    driver.get(arguments.base + "/")
    leave(driver, driver.find_element(By.LINK_TEXT, "7 days").click)
    days = span(driver)
    length = datetime.date.fromisoformat(days["to"]) - datetime.date.fromisoformat(days["from"])
    check(length.days == 7 and f"from={days['from']}" in driver.current_url, "a preset range appears in the address bar")
    total = next(row for row in report("channels", **days) if row["channel"] == "total")
    check(text_of(driver, driver.find_element(By.CSS_SELECTOR, ".card dd")) == grouped(total["touches"]), "a preset range has its own figures")
    leave(driver, driver.find_element(By.LINK_TEXT, "Last week").click)
    first, last = (datetime.date.fromisoformat(date) for date in span(driver).values())
    check(first.weekday() == 0 and (last - first).days == 7 and last <= datetime.date.today(), f"last week: {first} to {last}")
    driver.get(arguments.base + "/?from=2020-01-01&through=2020-01-02")
    check("Nothing came in" in driver.page_source, "a range without data says so")
    driver.get(arguments.base + "/?from=2026-02-01&through=2026-01-01")
    check("reversed" in driver.find_element(By.CSS_SELECTOR, "[role=alert]").text, "a reversed range is reported")
    driver.get_log("browser")


def check_accessibility(driver, where, **options):
    # axe takes long to name what is right.
    violations = Axe().run(driver, options={"resultTypes": ["violations"], **options})["violations"]
    said = [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in violations]
    check(not violations, f"{where}: axe: {said}")


# What a person with a mouse can use: the Tab key must stop there, in this order. Of the choices of a radio group it stops
# at one.
STOPS = """
    const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
        .filter((one) => one.tabIndex >= 0 && !one.disabled && one.type !== "hidden")
        .filter((one) => one.matches(".skip") || one.checkVisibility({ visibilityProperty: true }))
        .filter((one) => one.type !== "radio" || one.checked);
    const named = (one) => `${one.localName} ${(one.getAttribute("aria-label") || one.name || one.textContent).trim().slice(0, 40)}`;
    window.stopped = [];
    const shows = (one) => one && (getComputedStyle(one).outlineStyle !== "none" || shows(one.parentElement));
    document.addEventListener("focusin", ({ target }) => {
        const box = target.getBoundingClientRect();
        const isOnScreen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
        stopped.push({ number: stops.indexOf(target), name: named(target), shows: shows(target), isOnScreen });
    });
    return stops.map(named);
"""


def check_keyboard(driver):
    """Goes through every view with the Tab key alone, and opens what is folded with the Enter key."""
    for title, path in VIEWS.items():
        driver.get(arguments.base + path)
        expected = driver.execute_script(STOPS)
        # The browser stops four times within a date.
        dates = len(driver.find_elements(By.CSS_SELECTOR, "input[type=date]"))
        ActionChains(driver).send_keys(*[Keys.TAB] * (len(expected) + 3 * dates)).perform()
        stopped = driver.execute_script("return stopped")
        numbers = [stop["number"] for stop in stopped]
        missing = [name for number, name in enumerate(expected) if number not in numbers]
        check(not missing, f"by keyboard: {title}: never at {missing}")
        check(numbers == sorted(numbers), f"by keyboard: {title}: the order {numbers}")
        for wrong, words in [("shows", "does not show the focus"), ("isOnScreen", "is not on the screen")]:
            names = [stop["name"] for stop in stopped if not stop[wrong]]
            check(not names, f"by keyboard: {title}: {words}: {names}")
    driver.get(arguments.base + "/funnels")
    for each in driver.find_elements(By.CSS_SELECTOR, "main summary"):
        if each.is_displayed():
            was_open = driver.execute_script("return arguments[0].parentElement.open", each)
            each.send_keys(Keys.ENTER)
            is_open = driver.execute_script("return arguments[0].parentElement.open", each)
            check(is_open != was_open, f"by keyboard: Enter opens and closes: {each.text}")


def check_first_figure(driver):
    """On a phone, the first figure stands in sight, and days and filters are one line that a key opens."""
    set_size(driver, 390, 844)
    driver.get(arguments.base + "/")
    top = driver.execute_script("return document.querySelector('.card dd').getBoundingClientRect().bottom")
    check(top < 500, f"the first figure ends at {top} px")
    days = driver.find_element(By.CSS_SELECTOR, ".days")
    check(not days.is_displayed(), "the days are folded")
    driver.find_element(By.CSS_SELECTOR, ".fold input").send_keys(Keys.SPACE)
    check(days.is_displayed() and driver.find_element(By.CSS_SELECTOR, ".filters").is_displayed(), "a key opens them")
    check_accessibility(driver, "days and filters on a phone")
    no_overflow(driver, "days and filters on a phone")
    set_size(driver, 375, 812)


def heading(title):
    return "Explore" if title in EXPLORE else title


def check_each(driver, where, pictures=None):
    year_ago = (datetime.date.today() - datetime.timedelta(days=364)).isoformat()
    others = {**OTHERS, "One link": LINK, "A new link": "/links/new", "A question": QUESTION}
    for title, path in {**VIEWS, **others}.items():
        driver.get(arguments.base + path.format(year_ago=year_ago, long="goal_of_the_app_" * 5 + "x"))
        if title in VIEWS:
            check(driver.find_element(By.TAG_NAME, "h1").text == heading(title), f"{where}: {title}")
        if pictures and title in pictures:
            screenshot(driver, pictures[title])
        if title == "A page that is not there":
            there = driver.find_elements(By.CSS_SELECTOR, ".doors a")
            check(len(there) == 5 and "There is no page at this address" in driver.page_source, f"{where}: {title}")
            driver.get_log("browser")
        if title != "Live":
            # The script of this view replaces its tables.
            whole_tables(driver, f"{where}, {title}")
            whole_words(driver, f"{where}, {title}")
        no_overflow(driver, f"{where}, {title}")
        small_enough(driver, f"{where}, {title}")
        check_accessibility(driver, f"{where}, {title}")
        # Nothing but the colours is other in the dark.
        set_colours(driver, "dark")
        check_accessibility(driver, f"{where}, dark, {title}", runOnly=["color-contrast"])
        set_colours(driver, "light")
        no_errors(driver, f"{where}, {title}")


def timed(act, *given):
    began = time.monotonic()
    act(*given)
    seconds[" ".join([act.__name__, *(each for each in given if isinstance(each, str))])] = time.monotonic() - began


CHECKS = [
    check_signing_in,
    check_overview,
    check_clicks,
    check_posts,
    check_viral,
    check_generations,
    check_warnings,
    check_funnels,
    check_steps,
    check_attribution,
    check_logins,
    check_paths,
    check_compare,
    check_breakdown,
    check_questions,
    check_filters,
    check_unknown_parameters,
    check_retention,
    check_activity,
    check_overlap,
    check_changes,
    check_values,
    check_choices,
    check_loading,
    check_links,
    check_sorting,
    check_live,
    check_range,
    check_keyboard,
]


def main():
    if arguments.only:
        driver = browser(1280, 900)
        try:
            sign_in(driver, arguments.read_key)
            for each in CHECKS:
                if each.__name__ in arguments.only:
                    timed(each, driver)
        finally:
            driver.quit()
        end()
    desktop = browser(1280, 900)
    try:
        for each in CHECKS:
            timed(each, desktop)
        timed(check_each, desktop, "desktop")
        leave(desktop, desktop.find_element(By.CSS_SELECTOR, ".sign-out button").click)
        check("/sign-in" in desktop.current_url and not desktop.get_cookies(), "signing out")
        check_accessibility(desktop, "sign-in")
        screenshot(desktop, "sign-in")
    finally:
        desktop.quit()
    other = browser(1280, 900)
    try:
        timed(check_first_steps, other)
    finally:
        other.quit()
    phone = browser(375, 812)
    try:
        sign_in(phone, arguments.read_key)
        check_first_figure(phone)
        timed(check_each, phone, "phone", {"Overview": "overview-phone", "Funnels": "funnels-phone"})
    finally:
        phone.quit()
    if arguments.screenshots:
        dark = browser(1280, 900, dark=True)
        try:
            sign_in(dark, arguments.read_key)
            screenshot(dark, "overview-dark")
            picture_live(dark)
        finally:
            dark.quit()
    plain = browser(1280, 900, scripts=False)
    try:
        sign_in(plain, arguments.read_key)
        for title, path in VIEWS.items():
            plain.get(arguments.base + path)
            shown = plain.find_elements(By.CSS_SELECTOR, "main svg, main table, main .lines")
            check(plain.find_element(By.TAG_NAME, "h1").text == heading(title) and shown, f"without scripts: {title}")
        check_plainly(plain)
        plain.get(arguments.base + "/links/new")
        fill_plainly(plain)
        shown = plain.find_element(By.ID, "short-link")
        check(shown.get_attribute("value") == "https://go.recipes.example/plain", "without scripts: a link is created and shown")
        check(not plain.find_element(By.CSS_SELECTOR, "[data-copies]").is_displayed(), "without scripts: no button that does nothing")
    finally:
        plain.quit()
    largest = max(sizes, key=sizes.get)
    print(f"largest page: {largest}, {sizes[largest]} bytes")
    end()


def end():
    print("seconds: " + ", ".join(f"{name} {spent:.0f}" for name, spent in sorted(seconds.items(), key=lambda one: -one[1])))
    print(f"dashboard: {checks} checks, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
