"""Measures what grows with the number of events: time, memory and disk of what people and operators do.

    growth.py TRIBUTARY DATABASE_URL FOLDER [--runs 3] [--loaded] [--json FILE]

Takes the same database and files as run.py: `Benchmarks/reports/bench 10000000 growth.py` makes both. Prints seconds,
the program's most memory, and bytes. Reports are whole processes of `tributary report`, medians of the runs; the rest
runs once. Prints one line for each value, and at the end all of them as one column of a table in Markdown.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import machine  # noqa: E402
from run import QUESTIONS  # noqa: E402

# The range of the same length before it has events from its first day on.
SECOND_HALF = ["--from", "2026-02-16"]
RANGE = ["--from", "2026-01-01", "--to", "2026-04-01", "--tz", "UTC", "--format", "csv"]
REPORTS = [
    *QUESTIONS,
    ("viral", ["viral"]),
    ("breakdown by post", ["breakdown", "--by", "post"]),
    ("breakdown by poster", ["breakdown", "--by", "poster"]),
    ("breakdown by week, platform", ["breakdown", "--by", "week,platform"]),
    ("generations", ["generations"]),
    ("changes by ref, platform", ["changes", "--by", "ref,platform", *SECOND_HALF]),
    ("changes of a rate", ["changes", "--by", "ref", "--metric", "install_rate", *SECOND_HALF]),
    ("channels of people who paid", ["channels", "--with", "conversion:purchase"]),
    ("channels of people gone", ["channels", "--without", "conversion"]),
    ("funnel, a step twice", ["funnel", "--steps", "touch,conversion,conversion", "--by", "channel"]),
    ("retention within", ["retention", "--by", "channel", "--return", "within"]),
    ("activity by ref", ["activity", "--by", "ref"]),
    ("channels, compared", ["channels", "--compare-previous", *SECOND_HALF]),
]


class Growth:
    def __init__(self, program, database, folder):
        self.program, self.database, self.folder = program, database, folder
        self.rows = []

    def add(self, name, value):
        self.rows.append((name, value))
        print(f"{name:40} {value}", flush=True)

    def sql(self, statement):
        return subprocess.run(
            ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement, self.database],
            check=True, capture_output=True, text=True,
        ).stdout.strip()

    def process(self, command):
        """Seconds, and the most memory in MB."""
        started = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            sys.exit(f"ended with {child.returncode}: {' '.join(command)}")
        return time.monotonic() - started, usage.ru_maxrss / 1024

    def tributary(self, name, *arguments, runs=1):
        command = [self.program, *arguments, "--database", self.database]
        results = [self.process(command) for _ in range(runs)]
        seconds = statistics.median(result[0] for result in results)
        self.add(name, f"{seconds:.2f} s, {max(result[1] for result in results):.0f} MB")

    def bytes(self, name, relations):
        """Of an event, indexes and TOAST included."""
        total = self.sql(f"select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class where {relations}")
        self.add(name, f"{float(total) / self.events:.0f}")

    def load(self):
        started = time.monotonic()
        subprocess.run([f"{HERE}/load.sh", self.database, self.folder, "base-1", "base-2"], check=True)
        print(f"loaded in {time.monotonic() - started:.0f} s")

    def measure(self, runs):
        self.events = int(self.sql("select count(*) from event"))
        self.add("events", f"{self.events:,}")
        self.tributary("rebuild", "rebuild", "--app", "bench")
        subprocess.run(["sync"], check=True)
        self.bytes("bytes an event, packed timelines", "relname = 'timeline_segment'")
        self.bytes("bytes an event, events and indexes", "relkind = 'r' and relname ~ '^event_[0-9]'")
        self.bytes("bytes an event, links and post ids", "relname in ('device_link', 'click_link', 'feed_post_key')")
        for name, arguments in REPORTS:
            self.tributary(name, "report", "--app", "bench", *RANGE, *arguments, runs=runs)
        self.tributary("rebuild --check", "rebuild", "--check", "--app", "bench")
        user = self.sql("select user_id from event where user_id is not null order by event_id limit 1")
        self.tributary("erasure of a person", "person", "delete", "--app", "bench", "--user", user, "--yes")
        dump = f"{self.folder}/growth.dump"
        seconds, _ = self.process(["pg_dump", "-Fc", "-Z", "1", "-f", dump, self.database])
        self.add("pg_dump -Fc -Z 1", f"{seconds:.0f} s, {os.path.getsize(dump) / self.events:.0f} bytes an event")
        os.remove(dump)
        # All of January, and some days of February.
        days = int(self.sql("select extract(day from now() - '2026-02-04')"))
        self.tributary("retention: a month and 3 days", "prune", "--older-than", f"{days}d", "--yes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="tributary")
    parser.add_argument("database")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--loaded", action="store_true", help="the database has the events already")
    parser.add_argument("--json")
    options = parser.parse_args()
    print(machine.describe(machine.processors_taken()))
    growth = Growth(options.program, options.database, options.folder)
    if not options.loaded:
        growth.load()
    growth.measure(options.runs)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(dict(growth.rows), file, indent=1)
    print("\n| | " + growth.rows[0][1] + " |\n|---|---|")
    for name, value in growth.rows[1:]:
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
