"""Measures pages of the dashboard beside the report `channels`, over the same events and days.

    pages.py TRIBUTARY DATABASE_URL FOLDER [--runs 3] [--json FILE]

PAGES='/ /v1/reports/refs?by=day' names those to measure, or reports over HTTP, with their parameters.

Takes the same database and files as run.py: `Benchmarks/reports/bench 10000000 pages.py` makes both. A daemon of the
same build serves the pages, and `channels` over HTTP; it keeps no answers. Prints the median seconds of each, the
daemon's processor seconds, and the ratio of the seconds to those of `channels`.
"""
import argparse
import http.cookiejar
import json
import os
import re
import statistics
import subprocess
import sys
import time
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import machine  # noqa: E402

PAGES = ["/", "/posts", "/viral", "/funnels", "/retention", "/activity", "/attribution", "/paths", "/compare", "/breakdown"]


class Daemon:
    def __init__(self, program, database):
        self.process = subprocess.Popen(
            [os.path.join(os.path.dirname(program), "tributaryd"), "--database", database, "--port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            # Figures for BI tools are computed beside the first pages, which would be measured with them.
            env=os.environ | {"TRIBUTARY_FIGURES_INTERVAL": "0"},
        )
        for line in self.process.stdout:
            if found := re.search(r"address=([0-9.:]+)", line):
                self.base = f"http://{found[1]}"
                break
        else:
            sys.exit("the daemon ended before it listened")

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.terminate()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tributary")
    parser.add_argument("database")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", help="a file for the figures")
    options = parser.parse_args()
    print(machine.describe(machine.processors_taken()))
    subprocess.run([f"{HERE}/load.sh", options.database, options.folder, "base-1", "base-2"], check=True)
    subprocess.run([options.tributary, "rebuild", "--database", options.database], check=True)
    made = subprocess.run(
        [options.tributary, "app", "add-key", "bench", "--scope", "read", "--database", options.database],
        check=True, capture_output=True, text=True,
    ).stdout
    key = re.search(r"trib_r_\S+", made)[0]
    daemon = Daemon(options.tributary, options.database)
    try:
        measure(daemon, key, options)
    finally:
        daemon.end()


def measure(daemon, key, options):
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    form = urllib.parse.urlencode({"key": key, "then": "/"}).encode()
    browser.open(urllib.request.Request(daemon.base + "/sign-in", form, {"Origin": daemon.base})).read()

    def timed(path):
        seconds, processor = [], []
        end = {"to": "2026-04-01", "tz": "UTC"} if path.startswith("/v1/") else {"through": "2026-03-31"}
        query = urllib.parse.urlencode({"from": "2026-01-01", **end})
        for _ in range(options.runs):
            request = urllib.request.Request(daemon.base + path + ("&" if "?" in path else "?") + query)
            if path.startswith("/v1/"):
                request.add_header("Authorization", f"Bearer {key}")
            began, used = time.monotonic(), daemon.processor_seconds()
            with browser.open(request, timeout=600) as answer:
                answer.read()
            seconds.append(time.monotonic() - began)
            processor.append(daemon.processor_seconds() - used)
        return statistics.median(seconds), statistics.median(processor)

    channels = timed("/v1/reports/channels")
    measured = {"channels": channels}
    print(f"{'':60}{'seconds':>9}{'processor':>11}{'ratio':>8}")
    for page in os.environ.get("PAGES", "").split() or PAGES:
        measured[page] = timed(page)
    for name, (seconds, processor) in measured.items():
        print(f"{name:60}{seconds:9.2f}{processor:11.2f}{seconds / channels[0]:8.2f}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(measured, file, indent=1)


if __name__ == "__main__":
    main()
