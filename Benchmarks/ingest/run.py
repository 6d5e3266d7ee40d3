"""Measures ingest, export and start-up against their limits.

    run.py FOLDER_OF_PROGRAMS WORK [--seconds 10] [--runs 3] [--long MINUTES]
    run.py FOLDER_OF_PROGRAMS WORK --only history --old MILLIONS [--memory MIB]

Load (wrk, load.lua), the daemon and PostgreSQL share the machine; `fsync` and `synchronous_commit` are on. Every figure
is the median of the runs, except COPY into the four tables beside `event`, which runs once. The limits are measured in
the same run:

- `psql \\copy` of the rows that the daemon stored, into the same tables of an empty database: once into `event` alone,
  with its indexes, and once into all tables that the daemon fills (`event`, `event_key`, `feed_post_key`,
  `device_link`, `click_link`);
- a Hummingbird route that only reads the body (Benchmarks/BodyReader), under the same load;
- a Hummingbird route that only redirects (Benchmarks/BodyReader), under the same load as short links (visit.lua);
- `psql \\copy (select …) to` of the columns that `tributary export events` writes.

wrk is a closed loop: each connection sends its next request when the last one is answered. wrk corrects its percentiles
for coordinated omission: a slow request also counts for the requests that the connection would have sent meanwhile.

Prints a table. With --json FILE it also writes the figures.
"""
import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import machine  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")
PORT = 8397
LINKS, LINK_HOST = 200, "go.bench.example"
TABLES = ["event", "event_key", "feed_post_key", "device_link", "click_link"]


def stat(pid):
    """CPU seconds of a process and of its children that have ended."""
    try:
        fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0, 0.0
    return sum(map(int, fields[11:13])) / TICK, sum(map(int, fields[13:15])) / TICK


def resident(pid):
    """Resident megabytes: now, and at most so far."""
    status = open(f"/proc/{pid}/status").read()
    return tuple(int(re.search(rf"{name}:\s+(\d+)", status)[1]) / 1024 for name in ("VmRSS", "VmHWM"))


def server_cpu(postmaster):
    """CPU seconds of a server of PostgreSQL, by the process id of its postmaster."""
    processes = subprocess.run(["pgrep", "-P", str(postmaster)], capture_output=True, text=True).stdout.split()
    return sum(stat(process)[0] for process in processes) + sum(stat(postmaster))


def run_tributary(programs, environment, *arguments):
    """What a command prints."""
    done = subprocess.run([f"{programs}/tributary", *arguments], env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"tributary {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def write_key(shown):
    """The key that `tributary app create` has printed."""
    return re.search(r"write_key: (\S+)", shown)[1]


def wait_until_ready(port, log):
    """Waits until a daemon stores events in PostgreSQL."""
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz").close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit(f"the daemon is not ready; see {log.name}")


def wrk_command(port, connections, seconds, script, arguments):
    return [
        "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s", "--latency", "-s",
        f"{HERE}/{script}", f"http://127.0.0.1:{port}", "--", *arguments,
    ]


def wrk_failures(text):
    """The requests that failed, by what wrk has printed."""
    return sum(
        sum(map(int, re.findall(pattern, text)))
        for pattern in (r"Non-2xx or 3xx responses: (\d+)", r"(?:connect|read|write|timeout) (\d+)")
    )


def wrk_percentiles(text):
    """Percentiles in milliseconds, by what wrk has printed."""
    units = {"us": 0.001, "ms": 1, "s": 1000}
    return {name: float(value) * units[unit] for name, value, unit in re.findall(r"(\d+)%\s+([\d.]+)(us|ms|s)\s", text)}


def make_bodies(file, count, events):
    """Writes COUNT bodies of requests, each with so many events, for load.lua."""
    arguments = [file, str(count), str(events), "1", str(time.time())]
    subprocess.run([sys.executable, f"{HERE}/generate.py", *arguments], check=True)


class Bench:
    def __init__(self, programs, work):
        self.programs, self.work = programs, work
        self.home = f"{work}/home"
        self.environment = {**os.environ, "TRIBUTARY_HOME": self.home}
        self.environment.pop("DATABASE_URL", None)
        self.daemon = None
        self.failures = 0

    def tributary(self, *arguments):
        return run_tributary(self.programs, self.environment, *arguments)

    def psql(self, sql, database="tributary"):
        return subprocess.run(
            ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", f"{self.home}/postgres/run", "-U", "tributary", database],
            input=sql, check=True, capture_output=True, text=True,
        ).stdout.strip()

    def stop_server(self):
        """Stops PostgreSQL and waits until it is gone. It removes its socket last, which must not be the next server's."""
        file = f"{self.home}/postgres/data/postmaster.pid"
        try:
            os.kill(int(open(file).readline()), 2)
        except (OSError, ValueError):
            return
        while os.path.exists(file):
            time.sleep(0.05)

    def __enter__(self):
        self.stop_server()
        shutil.rmtree(self.home, ignore_errors=True)
        os.makedirs(self.work, exist_ok=True)
        shown = self.tributary(
            "app", "create", "--id", "bench", "--name", "Bench", "--link-host", LINK_HOST, "--iphone-store-id", "111111111",
            "--android-package", "com.example.bench",
        )
        self.key = write_key(shown)
        self.log = open(f"{self.work}/daemon.log", "w")
        self.start_daemon()
        self.postmaster = int(open(f"{self.home}/postgres/data/postmaster.pid").readline())
        return self

    def __exit__(self, *_):
        self.stop_daemon()
        self.stop_server()

    def start_daemon(self, **settings):
        self.daemon = subprocess.Popen(
            [f"{self.programs}/tributaryd", "--port", str(PORT)], env={**self.environment, **settings}, stderr=self.log
        )
        self.wait_for_port(PORT)

    def stop_daemon(self):
        if self.daemon:
            self.daemon.terminate()
            self.daemon.wait()

    def wait_for_port(self, port):
        import socket

        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("the daemon does not answer; see " + self.log.name)

    def wait_until_packed(self):
        """Waits until the daemon has packed all but a small delta."""
        for _ in range(120):
            time.sleep(1)
            delta = self.psql(
                "select count(*) from event where transaction_number >= (select max(packed_through) from timeline_state)"
            )
            if int(delta) < 100_000:
                return
        sys.exit("the daemon does not pack; see " + self.log.name)

    def wrk(self, port, connections, seconds, file, seed):
        return self.run_wrk(port, connections, seconds, "load.lua", [file, self.key, str(seed)])[:2]

    def run_wrk(self, port, connections, seconds, script, arguments):
        """Requests a second, percentiles in milliseconds, and all that wrk has printed."""
        os.sync()  # Writes of the measurement before must not slow this one.
        command = wrk_command(port, connections, seconds, script, arguments)
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        self.failures += wrk_failures(text)
        return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), wrk_percentiles(text), text

    def load(self, connections, seconds, file, seed):
        """One run of load on the daemon: its rates, CPU time and memory."""
        before = int(self.psql("select count(*) from event"))
        daemon, server, started = stat(self.daemon.pid)[0], server_cpu(self.postmaster), time.monotonic()
        client = resource.getrusage(resource.RUSAGE_CHILDREN)
        requests, percentile = self.wrk(PORT, connections, seconds, file, seed)
        elapsed = time.monotonic() - started
        after_client = resource.getrusage(resource.RUSAGE_CHILDREN)
        daemon, server = stat(self.daemon.pid)[0] - daemon, server_cpu(self.postmaster) - server
        stored = int(self.psql("select count(*) from event")) - before
        used = after_client.ru_utime + after_client.ru_stime - client.ru_utime - client.ru_stime
        now, most = resident(self.daemon.pid)
        return {
            "events/s": stored / elapsed, "requests/s": requests, "p50 ms": percentile["50"], "p99 ms": percentile["99"],
            "daemon us/event": daemon / stored * 1e6, "postgres us/event": server / stored * 1e6,
            "wrk us/event": used / stored * 1e6, "resident MB": now, "most resident MB": most,
        }


def median(runs):
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def show(title, figures):
    print(f"\n{title}")
    for name, value in figures.items():
        print(f"  {name:42}{value:14,.2f}" if value < 100 else f"  {name:42}{value:14,.0f}", flush=True)


def copy_limit(bench, runs):
    """COPY of the same rows into an empty migrated database with the same tables and indexes.

    `event` is measured in every run, the other tables once.
    """
    folder = f"{bench.work}/rows"
    os.makedirs(folder, exist_ok=True)
    for table in TABLES:
        bench.psql(f"\\copy (select * from {table}) to '{folder}/{table}'")
    rows = int(bench.psql("select count(*) from event"))
    seconds = {table: [] for table in TABLES}
    for run in range(runs):
        bench.psql("drop database if exists limits", "postgres")
        bench.psql("create database limits", "postgres")
        socket = f"postgresql://tributary@/limits?host={bench.home}/postgres/run"
        bench.tributary("migrate", "--database", socket)
        months = bench.psql("select distinct date_trunc('month', occurred_at at time zone 'UTC')::date from event")
        for month in months.split():
            bench.psql(f"select ensure_event_partition('{month}')", "limits")
        for table in TABLES if run == 0 else ["event"]:
            os.sync()
            started = time.monotonic()
            bench.psql(f"\\copy {table} from '{folder}/{table}'", "limits")
            seconds[table].append(time.monotonic() - started)
    bench.psql("drop database limits", "postgres")
    shutil.rmtree(folder)
    alone = statistics.median(seconds["event"])
    return {
        "rows": rows,
        "event, rows/s": rows / alone,
        "all five, events/s": rows / sum(statistics.median(values) for values in seconds.values()),
    }


def export(bench, runs):
    """The events as CSV into a file, by psql and by tributary."""
    columns = (
        "event_id, type, occurred_at, received_at, user_id, device_id, click_id, platform, channel, channel_rule, link_form, "
        "refs, url, target_url, referer_app, referer_url, authenticated, deferred, clicked_at, paid, test_traffic, "
        "link_details, post_id, outcome, composer, post_link, action_type, object_id, error_code, error_message, "
        "limit_ad_tracking, goal, value, currency, properties"
    )
    rows = int(bench.psql("select count(*) from event"))
    ours, theirs = [], []
    for _ in range(runs):
        # Neither must wait for the disk to write earlier data.
        os.sync()
        started = time.monotonic()
        bench.psql(f"\\copy (select {columns} from event) to '{bench.work}/copied.csv' (format csv, header)")
        theirs.append(time.monotonic() - started)
        os.sync()
        started = time.monotonic()
        bench.tributary(
            "export", "events", "--app", "bench", "--from", "2000-01-01", "--to", "2100-01-01", "--format", "csv",
            "--output", f"{bench.work}/exported.csv",
        )
        ours.append(time.monotonic() - started)
    lines = sum(1 for _ in open(f"{bench.work}/exported.csv", newline="")) - 1
    if lines != rows:
        sys.exit(f"the export has {lines} rows and the database {rows}")
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    return {"export, rows/s": rows / ours, "psql, rows/s": rows / theirs, "ratio": theirs / ours}


def packing(bench, file, runs, seconds):
    """Batches while the daemon packs timelines, and while another session holds the packing lock and prevents that.

    The two alternate, and each starts from a packed state. The daemon refreshes no figures here, because a refresh would
    disturb some of the runs.
    """
    bench.stop_daemon()
    bench.start_daemon(TRIBUTARY_FIGURES_INTERVAL="0")
    socket = ["-h", f"{bench.home}/postgres/run", "-U", "tributary", "tributary"]
    loads = {"with": [], "without": []}
    for run in range(runs):
        for name in ("with", "without") if run % 2 else ("without", "with"):
            bench.wait_until_packed()
            holder = None
            if name == "without":
                holder = subprocess.Popen(
                    ["psql", "-XAtq", *socket], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
                )
                # The daemon releases the lock for a moment before each of its rounds.
                holder.stdin.write("select 'held' from pg_advisory_lock(hashtextextended('tributary packing', 0));\n")
                holder.stdin.flush()
                holder.stdout.readline()
            # A seed of its own, because the ids of an earlier run would be duplicates.
            seed = 50 + 2 * run + (name == "with")
            loads[name].append(bench.load(16, seconds, file, seed))
            if holder:
                holder.stdin.close()
                holder.wait()
    bench.stop_daemon()
    bench.start_daemon()
    figures = {name: median(runs) for name, runs in loads.items()}
    return {
        **{f"{name}, events/s": values["events/s"] for name, values in figures.items()},
        # A disk with changing speed disturbs CPU time less than rates.
        **{
            f"{name}, us of CPU/event": values["daemon us/event"] + values["postgres us/event"]
            for name, values in figures.items()
        },
    }


class MemoryLimit:
    """A limit of the memory of PostgreSQL, its pages in the cache of the system included: a control group. Needs root."""

    def __init__(self, bench):
        unified = os.path.exists("/sys/fs/cgroup/cgroup.controllers")
        self.bench = bench
        self.folder = "/sys/fs/cgroup/tributary-bench" if unified else "/sys/fs/cgroup/memory/tributary-bench"
        self.limit = "memory.max" if unified else "memory.limit_in_bytes"
        self.none = "max" if unified else "-1"
        os.makedirs(self.folder, exist_ok=True)

    def set(self, mebibytes):
        """Nothing is limited with None."""
        with open(f"{self.folder}/{self.limit}", "w") as file:
            file.write(self.none if mebibytes is None else str(mebibytes << 20))
        children = subprocess.run(["pgrep", "-P", str(self.bench.postmaster)], capture_output=True, text=True).stdout
        for process in [str(self.bench.postmaster), *children.split()]:
            try:
                with open(f"{self.folder}/cgroup.procs", "w") as file:
                    file.write(process)
            except ProcessLookupError:
                pass


def history(bench, file, old, memory, runs, seconds):
    """Batches without a history, with `old` events of the last 13 months, and with the keys of these too.

    PostgreSQL has `memory` MiB, the cache of the system included. Its old events are of another app, so that the daemon
    does not pack them. Their keys are no longer in `event_key`.
    """
    bench.psql("alter system set shared_buffers = '256MB'")
    bench.stop_daemon()
    bench.stop_server()
    bench.start_daemon()
    wait_until_ready(PORT, bench.log)
    bench.postmaster = int(open(f"{bench.home}/postgres/data/postmaster.pid").readline())
    limit = MemoryLimit(bench)
    figures = {}

    def measure(name, seed):
        limit.set(memory)
        bench.load(16, 5, file, seed)
        run = median([bench.load(16, seconds, file, seed + 1 + run) for run in range(runs)])
        figures[f"{name}, events/s"] = run["events/s"]
        figures[f"{name}, p99 ms"] = run["p99 ms"]
        figures[f"{name}, us of PostgreSQL/event"] = run["postgres us/event"]
        print(f"{name}: {run}", flush=True)
        limit.set(None)

    def megabytes(relation):
        return int(bench.psql(
            "select (sum(pg_total_relation_size(relid)) / 1048576)::bigint from"
            f" (select '{relation}'::regclass as relid union select relid from pg_partition_tree('{relation}')) as tables"
        ))

    measure("none", 100)
    months = bench.psql(
        "select date_trunc('month', now() at time zone 'UTC')::date - n * interval '1 month' from generate_series(0, 12) as n"
    ).split("\n")
    socket = ["-h", f"{bench.home}/postgres/run", "-U", "tributary", "tributary"]
    each = old // len(months)
    for first in range(0, len(months), 2):
        fills = [
            subprocess.Popen(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", *socket, "-c", f"""
                set synchronous_commit = off;
                select ensure_event_partition('{month}');
                insert into event (app_number, event_id, type, occurred_at, received_at, transaction_number)
                select 2, gen_random_uuid(), 'authentication', moment, moment, 0
                from generate_series(0, {each - 1}) as n
                cross join lateral (select timestamptz '{month}+00' + n * interval '28 days' / {each} as moment) as time
                """], stdout=subprocess.DEVNULL)
            for month in months[first:first + 2]
        ]
        if any(fill.wait() for fill in fills):
            sys.exit("the old events could not be stored")
    bench.psql("vacuum analyze event")
    bench.psql("checkpoint")
    figures["old events"] = each * len(months)
    figures["all events, MB"] = megabytes("event")
    figures["keys, MB"] = megabytes("event_key")
    measure("old events", 200)
    bench.psql("alter table event_key drop constraint event_key_pkey")
    bench.psql("insert into event_key select app_number, event_id, received_at from event where app_number = 2")
    bench.psql("set maintenance_work_mem = '1GB'; "
               "alter table event_key add constraint event_key_pkey primary key (app_number, event_id); checkpoint")
    figures["keys with those of old events, MB"] = megabytes("event_key")
    measure("old events with keys", 300)
    return figures


def redirects(bench, reader, runs, seconds):
    """Visits of random short links. Every click is in the database before its answer.

    The run fails if the database has other clicks than the daemon has counted or the load has sent.
    """
    file = f"{bench.work}/links.ndjson"
    with open(file, "w") as links:
        for number in range(1, LINKS + 1):
            link = {
                "host": LINK_HOST, "slug": f"b{number}", "target_url": f"https://www.example.com/item/{number}",
                "ref": [f"ref{number % 20}"], "title": f"Item {number}", "description": "What a preview shows.",
            }
            # A third has a place in the app, so that some phones get a page with buttons.
            if number % 3 == 0:
                link["app_url"] = f"bench://item/{number}"
            links.write(json.dumps(link) + "\n")
    bench.tributary("link", "import", "--app", "bench", file)
    # Packing what another part has stored would share the processors with the visits.
    bench.wait_until_packed()
    bench.stop_daemon()
    # All visitors come from one address.
    bench.start_daemon(TRIBUTARY_LINK_RATE_LIMIT="0")
    connections, arguments = 64, [LINK_HOST, str(LINKS)]

    def clicks():
        """Of the metrics and of the database, when the spool is empty."""
        for _ in range(600):
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/metrics") as answer:
                text = answer.read().decode()
            values = {
                name: int(float(re.search(rf"^tributary_{pattern} (\S+)$", text, re.M)[1]))
                for name, pattern in [
                    ("database", r'clicks_total\{stored="database"\}'), ("spool", r'clicks_total\{stored="spool"\}'),
                    ("lost", "clicks_lost_total"), ("waiting", "spool_events"),
                ]
            }
            if values["waiting"] == 0:
                break
            time.sleep(0.1)
        values["stored"] = int(bench.psql("select count(*) from event where type = 'link_click' and click_id = event_id::text"))
        return values

    server = subprocess.Popen([reader, str(PORT + 1)], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    results, bare = [], []
    try:
        bench.wait_for_port(PORT + 1)
        bench.run_wrk(PORT, connections, 2, "visit.lua", [*arguments, "90"])
        for run in range(runs):
            bare.append(bench.run_wrk(PORT + 1, connections, max(2, seconds // 2), "visit.lua", [*arguments, str(run)])[0])
            before, daemon, postgres = clicks(), stat(bench.daemon.pid)[0], server_cpu(bench.postmaster)
            rate, percentile, text = bench.run_wrk(PORT, connections, seconds, "visit.lua", [*arguments, str(run)])
            used = stat(bench.daemon.pid)[0] - daemon, server_cpu(bench.postmaster) - postgres
            after = clicks()
            made = {name: after[name] - before[name] for name in after}
            sent = int(re.search(r"clicks sent: (\d+)", text)[1])
            counted = made["database"] + made["spool"]
            # wrk leaves at most one request of each connection without waiting for its answer.
            if made["stored"] != counted or made["lost"] or not sent - connections <= counted <= sent:
                sys.exit(f"{sent} clicks were sent, {counted} counted, {made['stored']} stored, {made['lost']} lost")
            results.append({
                "redirects/s": rate, "p50 ms": percentile["50"], "p99 ms": percentile["99"],
                "clicks/s": made["stored"] / seconds, "clicks that waited in the spool": made["spool"],
                "daemon us/redirect": used[0] / (rate * seconds) * 1e6,
                "postgres us/redirect": used[1] / (rate * seconds) * 1e6, "resident MB": resident(bench.daemon.pid)[0],
            })
    finally:
        server.terminate()
        server.wait()
    bench.stop_daemon()
    bench.start_daemon()
    return {**median(results), "a route that only redirects, requests/s": statistics.median(bare)}


def startup(bench, runs):
    """Milliseconds from the start of the process to its first byte, for an app without events."""
    bench.tributary("app", "create", "--id", "empty", "--name", "Empty")
    times = []
    for _ in range(runs):
        started = time.monotonic()
        process = subprocess.Popen(
            [f"{bench.programs}/tributary", "report", "channels", "--app", "empty", "--format", "csv"],
            env=bench.environment, stdout=subprocess.PIPE,
        )
        process.stdout.read(1)
        times.append((time.monotonic() - started) * 1000)
        process.stdout.read()
        process.wait()
    return {"median ms": statistics.median(times), "slowest ms": max(times)}


def http_limit(bench, reader, seconds, files, runs):
    server = subprocess.Popen([reader, str(PORT + 1)], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        bench.wait_for_port(PORT + 1)
        result = {}
        for name, connections, file in files:
            before = stat(server.pid)[0]
            rates = [bench.wrk(PORT + 1, connections, seconds, file, 1)[0] for _ in range(runs)]
            result[f"{name}, requests/s"] = statistics.median(rates)
            result[f"{name}, us of CPU/request"] = (stat(server.pid)[0] - before) / (sum(rates) * seconds) * 1e6
        return result
    finally:
        server.terminate()
        server.wait()


BATCHES, SINGLES = "Batches of 100, 16 connections", "One event a request, 64 connections"
PACKING = "Batches with and without packing"
REDIRECTS = "Visits of 200 short links, 64 connections"
HISTORY = "Batches of 100 over a long history"
COPY, EXPORT, STARTUP, HTTP = "COPY of the same rows", "Export", "Start-up", "A route that only reads its body"


def rows(figures):
    """Rows for Benchmarks/table.py: figure, ours, against what, theirs, ratio, target."""
    result = []

    def add(figure, ours, unit, against="", theirs=None, target=""):
        result.append({
            "figure": figure, "ours": ours, "unit": unit, "against": against, "theirs": theirs,
            "ratio": ours / theirs if theirs else None, "target": target,
        })

    batches, singles = figures.get(BATCHES), figures.get(SINGLES)
    copy, http = figures.get(COPY), figures.get(HTTP, {})
    if batches:
        title = "ingest, batches of 100"
        if copy:
            add(title, batches["events/s"], "events/s", "psql \\copy, table event", copy["event, rows/s"], "ratio 0.5")
            add(title, batches["events/s"], "events/s", "psql \\copy, all five tables", copy["all five, events/s"])
        if "batches, requests/s" in http:
            add(title, batches["requests/s"], "requests/s", "a route that reads the body", http["batches, requests/s"])
        add("daemon's memory, batches", batches["most resident MB"], "MB", target="under 80")
    if PACKING in figures:
        title, packing = "ingest while timelines are packed", figures[PACKING]
        add(title, packing["with, events/s"], "events/s", "the same without", packing["without, events/s"], "ratio 0.9")
        add(title + ", CPU an event", packing["with, us of CPU/event"], "µs", "the same without",
            packing["without, us of CPU/event"])
    if singles:
        title = "ingest, one event a request"
        add(title, singles["requests/s"], "requests/s", "a route that reads the body", http.get("singles, requests/s"),
            "20,000 requests/s")
        add(title + ", p50", singles["p50 ms"], "ms")
        add(title + ", p99", singles["p99 ms"], "ms", target="under 20")
        add("daemon's memory, one event a request", singles["most resident MB"], "MB", target="under 80")
    if REDIRECTS in figures:
        title, visits = "short links, each click durable", figures[REDIRECTS]
        bare = visits["a route that only redirects, requests/s"]
        # A slow machine cannot be asked for the rate of a fast one.
        target = "15,000 redirects/s" if bare >= 40_000 else "ratio 0.35"
        add(title, visits["redirects/s"], "redirects/s", "a route that only redirects", bare, target)
        add(title + ", p50", visits["p50 ms"], "ms")
        add(title + ", p99", visits["p99 ms"], "ms", target="under 10")
    if EXPORT in figures:
        export = figures[EXPORT]
        add("export events", export["export, rows/s"], "rows/s", "psql \\copy (select …) to", export["psql, rows/s"],
            "ratio 0.8")
    if STARTUP in figures:
        add("report on an empty app, first byte", figures[STARTUP]["median ms"], "ms", target="under 60")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", help="the folder of tributary, tributaryd and body-reader")
    parser.add_argument("work", type=os.path.abspath, help="a folder for the cluster and files")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="batches,singles,http,copy,export,startup,packing,redirects")
    parser.add_argument("--old", type=int, default=100, metavar="MILLIONS", help="old events of the part 'history'")
    parser.add_argument("--memory", type=int, default=2048, metavar="MIB", help="PostgreSQL's memory in the part 'history'")
    parser.add_argument("--long", type=int, default=0, metavar="MINUTES", help="how long to watch the daemon's memory")
    parser.add_argument("--json")
    options = parser.parse_args()
    only = options.only.split(",")
    taken = machine.processors_taken()
    print(machine.describe(taken))
    figures = {}

    def record(title, values):
        figures[title] = values
        show(title, values)

    with Bench(options.programs, options.work) as bench:
        batches, singles = f"{options.work}/batches.txt", f"{options.work}/singles.txt"
        make_bodies(batches, 400, 100)
        make_bodies(singles, 20_000, 1)
        settings = bench.psql("select string_agg(name || '=' || setting, ' ') from pg_settings where name in"
                              " ('fsync', 'synchronous_commit', 'full_page_writes', 'server_version')")
        print(settings)
        if "startup" in only:
            record(STARTUP, startup(bench, 11))
        if "batches" in only:
            bench.load(16, 2, batches, 99)
            record(BATCHES,
                   median([bench.load(16, options.seconds, batches, run) for run in range(options.runs)]))
        if "copy" in only:
            record(COPY, copy_limit(bench, options.runs))
        if "export" in only:
            record(EXPORT, export(bench, options.runs))
        if "singles" in only:
            bench.load(64, 2, singles, 98)
            record(SINGLES,
                   median([bench.load(64, options.seconds, singles, 10 + run) for run in range(options.runs)]))
        if "http" in only:
            record(HTTP, http_limit(
                bench, f"{options.programs}/body-reader", max(2, options.seconds // 2),
                [("batches", 16, batches), ("singles", 64, singles)], options.runs))
        if "packing" in only:
            record(PACKING, packing(bench, batches, options.runs, options.seconds))
        if "redirects" in only:
            record(REDIRECTS, redirects(bench, f"{options.programs}/body-reader", options.runs, options.seconds))
        if "history" in only:
            record(HISTORY, history(bench, batches, options.old * 1_000_000, options.memory, options.runs, options.seconds))
        for minute in range(options.long):
            run = bench.load(16, 30, batches, 1000 + minute)
            other = bench.load(64, 28, singles, 2000 + minute)
            record(f"Minute {minute + 1}", {
                "resident MB after batches": run["resident MB"], "resident MB after singles": other["resident MB"],
                "most resident MB so far": other["most resident MB"],
                "batches, events/s": run["events/s"], "singles, requests/s": other["requests/s"],
            })
    if bench.failures:
        sys.exit(f"{bench.failures} requests failed")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"taken": taken, "settings": settings, "rows": rows(figures), "figures": figures}, file, indent=1)


if __name__ == "__main__":
    main()
