"""Measures reports beside ClickHouse (chdb) and DuckDB on the same events. All must give equal answers.

    run.py TRIBUTARY DATABASE_URL FOLDER [--runs 3]

DATABASE_URL names a migrated database with one app, `bench`, and no events. FOLDER holds the files of generate.py. The
script loads the events, packs them (`tributary rebuild`), and measures every report in three stages:

1. All events are packed.
2. There are more events in the delta: as many as a running daemon leaves there.
3. There are 5 % more events in the delta.

The ratios of stages 2 and 3 to the packed time include these additional events.

Every time is the median of the runs, in seconds. For Tributary it is a whole process of `tributary report`, with its
start and its connection. For the others it is a query in an open session. Beside it are the CPU seconds of all cores,
which a noisy machine disturbs less. In stage 3 the others run once, only to compare answers.

Exits with 1 if answers differ.
"""
import argparse
import csv
import io
import json
import os
import resource
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import machine  # noqa: E402

DAY = 86_400_000_000
FROM = 1767225600000000
TO = FROM + 90 * DAY
WINDOW = 3 * DAY
STEPS = "'inbound_link', 'authentication', 'conversion'"
CHANNELS = ["search", "bookmarks", "requests", "story_attribution", "story_links", "other", "unattributed"]
DAEMON_DELTA, LARGE_DELTA, PACKED = "delta of a daemon", "delta of 5 %", "packed"
QUESTIONS = [
    ("funnel by channel", ["funnel", "--by", "channel", "--window", "3d"]),
    ("funnel by ref", ["funnel", "--by", "ref", "--limit", "1000", "--window", "3d"]),
    ("channels", ["channels"]),
    ("refs", ["refs"]),
    ("installs", ["installs"]),
    ("attribution, all models", ["attribution", "--event", "conversion", "--model", "all"]),
]


class ClickHouse:
    name = "ClickHouse"

    def __init__(self):
        import chdb
        import chdb.session

        self.session = chdb.session.Session()
        self.version = str(chdb.query("select version()")).strip().strip('"')

    def load(self, file):
        types = "'inbound_link', 'feed_post', 'link_click', 'install', 'authentication', 'conversion'"
        channels = ", ".join(f"'{name}' = {i}" for i, name in enumerate(["none", *CHANNELS]))
        self.session.query("drop table if exists event")
        self.session.query(f"""
            create table event (
                type Enum8({types}), t UInt64, person Int64, channel Enum8({channels}),
                refs Array(LowCardinality(String))
            ) engine = MergeTree order by (person, t)""")
        self.session.query(f"""
            insert into event
            select type, t, person, coalesce(channel, 'none'), if(refs is null, [], splitByChar(',', assumeNotNull(refs)))
            from file('{file}')""")
        self.session.query("optimize table event final")

    def rows(self, sql):
        return json.loads(str(self.session.query(sql + " settings max_threads = 2", "JSONCompact")))["data"]

    def start(self, condition):
        return f"type = 'inbound_link' and t >= {FROM} and t < {TO} and {condition}, type = 'authentication', type = 'conversion'"

    def funnel_by_channel(self):
        """One windowFunnel for each channel and one for the total: the fastest of three ways that were tried."""
        funnels = [f"windowFunnel({WINDOW})(t, {self.start(f'channel = {i + 1}')})" for i in range(7)]
        funnels.append(f"windowFunnel({WINDOW})(t, {self.start('true')})")
        names = [f"f{i}" for i in range(8)]
        columns = ", ".join(f"{funnel} as {name}" for funnel, name in zip(funnels, names))
        return self.rows(f"""
            select groups, level, count() from (
                select {columns} from event where type in ({STEPS}) and person <> -1 group by person
            ) array join {[*CHANNELS, 'total']} as groups, [{', '.join(names)}] as level
            where level > 0 group by groups, level""")

    def funnel_by_ref(self):
        return self.rows(f"""
            select ref, level, count() from (
                select person, ref, windowFunnel({WINDOW})(t, {self.start('has(refs, ref)')}) as level
                from event join (
                    select distinct person, arrayJoin(refs) as ref from event where type = 'inbound_link'
                ) as start using person
                where type in ({STEPS}) group by person, ref
            ) where level > 0 group by ref, level""")


class DuckDB:
    """DuckDB has no funnel function. Each start finds the earliest next event by ASOF joins, which these steps allow."""

    name = "DuckDB"

    def __init__(self):
        import duckdb

        self.version = duckdb.__version__
        self.database = duckdb.connect()
        self.database.execute("set threads = 2; set memory_limit = '8GB'")

    def load(self, file):
        self.database.execute(f"""
            create or replace table event as
            select type, t, person, channel, string_split(refs, ',') as refs
            from '{file}' order by person, t""")

    def rows(self, groups):
        return self.database.execute(f"""
            with start as (
                select person, t, {groups} as groups
                from event where type = 'inbound_link' and t >= {FROM} and t < {TO} and person <> -1
            ),
            authentication as (select person, t from event where type = 'authentication'),
            conversion as (select person, t from event where type = 'conversion'),
            reached as (
                select start.person, start.groups,
                    case
                        when third.t <= start.t + {WINDOW} then 3
                        when second.t <= start.t + {WINDOW} then 2
                        else 1
                    end as level
                from start
                asof left join authentication as second on start.person = second.person and start.t <= second.t
                asof left join conversion as third on second.person = third.person and second.t <= third.t
            ),
            each as (select person, unnest(groups) as g, level from reached),
            best as (select person, g, max(level) as level from each group by person, g)
            select g, level, count(*) from best group by g, level""").fetchall()

    def funnel_by_channel(self):
        return self.rows("[channel, 'total']")

    def funnel_by_ref(self):
        return self.rows("refs")


def cpu():
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def server_cpu(folder="/proc"):
    """CPU seconds of all PostgreSQL processes, and of those that have ended, which their parent counts."""
    ticks = 0
    for process in filter(str.isdigit, os.listdir(folder)):
        try:
            fields = open(f"{folder}/{process}/stat").read().rsplit(")", 1)
        except OSError:
            continue
        if "(postgres" in fields[0]:
            numbers = fields[1].split()
            ticks += sum(map(int, numbers[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def timed(ask, runs):
    times, cpus, answer = [], [], None
    for _ in range(runs):
        cpu_before, started = cpu(), time.monotonic()
        answer = ask()
        times.append(time.monotonic() - started)
        cpus.append(cpu() - cpu_before)
    return answer, statistics.median(times), statistics.median(cpus)


class Tributary:
    name = "Tributary"

    def __init__(self, program, database):
        self.program, self.database = program, database

    def rebuild(self):
        subprocess.run([self.program, "rebuild", "--database", self.database], check=True)

    def ask(self, arguments):
        command = [
            self.program, "report", *arguments, "--database", self.database, "--app", "bench", "--from", "2026-01-01",
            "--to", "2026-04-01", "--tz", "UTC", "--format", "csv",
        ]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def levels(report):
    """People by group and the last step they reached, from the cumulative rows of a funnel."""
    people = {}
    for row in csv.DictReader(io.StringIO(report)):
        people[row["group"], int(row["step"])] = int(row["people"])
    return {
        (group, step): count - people.get((group, step + 1), 0)
        for (group, step), count in people.items()
        if count - people.get((group, step + 1), 0)
    }


def compare(name, ours, theirs, who):
    theirs = {(group, level): count for group, level, count in theirs if group is not None}
    ours = {key: count for key, count in levels(ours).items() if key in theirs or key[0] not in ("(none)", "total")}
    if ours != theirs:
        different = {key: (ours.get(key), theirs.get(key)) for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key)}
        sys.exit(f"{name}: Tributary and {who} give different answers: {dict(list(different.items())[:10])}")


def ask_all(stage, tributary, runs, peers=(), peer_runs=1):
    """For every question its seconds, and the name and seconds of each peer that can answer it."""
    print(f"\n{stage:26}{'Tributary':>20}" + "".join(f"{peer.name + ' ' + peer.version:>24}" for peer in peers))
    measured = {}
    for name, arguments in QUESTIONS:
        server = server_cpu()
        answer, seconds, used = timed(lambda: tributary.ask(arguments), runs)
        time.sleep(0.2)  # until the last server process has ended
        used += (server_cpu() - server) / runs
        line = f"{name:26}{seconds:9.2f} s ({used:5.2f} s)"
        others = []
        for peer in peers:
            method = getattr(peer, name.replace(" ", "_"), None)
            if method is None:
                continue
            other, other_seconds, other_used = timed(method, peer_runs)
            compare(name, answer, other, peer.name)
            line += f"{other_seconds:11.2f} s ({other_used:5.2f} s)"
            others.append((f"{peer.name} {peer.version}", other_seconds))
        print(line, flush=True)
        measured[name] = (seconds, others)
    return measured


def table(stages):
    """Compares packed reports with the peers, and reports with a delta with packed ones."""

    def row(stage, name, against, theirs, target):
        ours = stages[stage][name][0]
        return {
            "figure": f"{name}, {stage}", "ours": ours, "unit": "s", "against": against, "theirs": theirs,
            "ratio": theirs and ours / theirs, "target": target,
        }

    rows = []
    for name, (seconds, others) in stages[PACKED].items():
        compared = [row(PACKED, name, who, theirs, "no slower than ClickHouse") for who, theirs in others]
        rows += compared or [row(PACKED, name, "", None, "under 1 s")]
    for stage in stages:
        if stage != PACKED:
            rows += [row(stage, name, PACKED, stages[PACKED][name][0], "at most 1.5 times") for name in stages[stage]]
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tributary")
    parser.add_argument("database")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", help="a file for Benchmarks/table.py")
    options = parser.parse_args()
    load = lambda *parts: subprocess.run([f"{HERE}/load.sh", options.database, options.folder, *parts], check=True)
    tributary = Tributary(options.tributary, options.database)

    taken = machine.processors_taken()
    print(machine.describe(taken))
    load("base-1", "base-2")
    tributary.rebuild()
    peers = [ClickHouse(), DuckDB()]
    for peer in peers:
        peer.load(f"{options.folder}/base.parquet")
    stages = {PACKED: ask_all(PACKED, tributary, options.runs, peers, options.runs)}
    load("delta-first")
    stages[DAEMON_DELTA] = ask_all(DAEMON_DELTA, tributary, options.runs)
    load("delta-rest")
    for peer in peers:
        peer.load(f"{options.folder}/events.parquet")
    stages[LARGE_DELTA] = ask_all(LARGE_DELTA, tributary, options.runs, peers)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"taken": taken, "rows": table(stages)}, file, indent=1)


if __name__ == "__main__":
    main()
