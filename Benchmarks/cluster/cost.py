"""Measures what a Citus cluster costs beside one machine, with all servers on this machine.

    cost.py FOLDER_OF_PROGRAMS WORK [--seconds 8] [--runs 3] [--json FILE]

Needs PostgreSQL with the extension citus, and wrk. Two databases with the same settings: of one server, and of a
coordinator with two workers. Each has two apps, on the cluster one on each worker, and a daemon of its own. The loads
take turns; both daemons run all the time, but only one is loaded. Each load comes from two wrk, one for each app.
Afterwards both pack the same number of events, and answer the same reports. Prints a table in Markdown.

Processor time is that of all processes of a server. A second worker gains nothing here, because all servers share one
machine.
"""
import argparse
import atexit
import itertools
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "ingest")]
import machine  # noqa: E402
import run as ingest  # noqa: E402

LOADS = {"batches of 100": (400, 100, 16), "one event a request": (20_000, 1, 64)}
REPORTS = {
    "`funnel --by channel`": ["funnel", "--by", "channel", "--window", "3d"],
    "`channels`": ["channels"],
    "`installs`": ["installs"],
}


class Server:
    """A server of PostgreSQL with a folder of its own."""

    def __init__(self, folder, port):
        self.folder, self.port = folder, port
        binaries = subprocess.run(["pg_config", "--bindir"], check=True, capture_output=True, text=True).stdout.strip()
        # PostgreSQL refuses to run as root.
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
        os.makedirs(folder)
        if user:
            shutil.chown(folder, "postgres")
        with open(f"{folder}.log", "w") as log:
            subprocess.run(
                [
                    *user, f"{binaries}/initdb", "-D", f"{folder}/data", "--username=tributary", "--auth=trust",
                    "--encoding=UTF8", "--locale=C",
                ],
                check=True, stdout=log, stderr=log,
            )
            settings = {
                "shared_preload_libraries": "citus", "listen_addresses": "127.0.0.1", "port": port,
                "unix_socket_directories": folder, "shared_buffers": "512MB", "max_connections": 300,
                "wal_level": "logical", "max_prepared_transactions": 200, "max_wal_size": "4GB", "jit": "off",
                "lc_messages": "C", "citus.node_conninfo": "sslmode=disable", "citus.recover_2pc_interval": "5s",
                "citus.node_connection_timeout": "5s",
            }
            self.process = subprocess.Popen(
                [*user, f"{binaries}/postgres", "-D", f"{folder}/data",
                 *(part for name, value in settings.items() for part in ("-c", f"{name}={value}"))],
                stdout=log, stderr=log,
            )
        atexit.register(self.stop)
        for _ in range(300):
            if subprocess.run(["pg_isready", "-q", "-h", folder, "-p", str(port)]).returncode == 0:
                return
            time.sleep(0.1)
        sys.exit(f"PostgreSQL does not start; see {folder}.log")

    def address(self, database):
        return f"postgresql://tributary@127.0.0.1:{self.port}/{database}"

    def sql(self, statement, database="tributary"):
        return subprocess.run(
            ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement, self.address(database)],
            check=True, capture_output=True, text=True,
        ).stdout.strip()

    def cpu(self):
        return ingest.server_cpu(self.process.pid)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


class Database:
    """A migrated database with two apps and a daemon. `servers`: the coordinator first."""

    def __init__(self, name, programs, work, servers, port):
        self.name, self.programs, self.servers, self.port = name, programs, servers, port
        self.url = servers[0].address("tributary")
        self.environment = {**os.environ, "DATABASE_URL": self.url, "TRIBUTARY_SPOOL_FOLDER": f"{work}/spool-{port}"}
        is_cluster = len(servers) > 1
        for server in servers:
            server.sql("create database tributary", "postgres")
            if is_cluster:
                server.sql("create extension citus")
        if is_cluster:
            servers[0].sql(f"select citus_set_coordinator_host('127.0.0.1', {servers[0].port})")
            for worker in servers[1:]:
                servers[0].sql(f"select citus_add_node('127.0.0.1', {worker.port})")
        self.tributary("migrate", *(["--citus"] if is_cluster else []))
        # The first app, and the first after it that has another worker.
        keys = {}
        for app in map("bench-{}".format, itertools.count()):
            shown = self.tributary("app", "create", "--id", app, "--name", app)
            keys.setdefault(self.worker(app) if is_cluster else app, (app, ingest.write_key(shown)))
            if len(keys) == 2:
                break
        self.apps = list(keys.values())
        self.log = open(f"{work}/daemon-{port}.log", "w")
        self.daemon = subprocess.Popen(
            [f"{programs}/tributaryd", "--port", str(port)], env=self.environment, stderr=self.log
        )
        atexit.register(self.stop)
        ingest.wait_until_ready(port, self.log)

    def worker(self, app):
        number = self.servers[0].sql(f"select app_number from app where app_id = '{app}'")
        return self.servers[0].sql(
            "select nodeport from citus_shards where table_name = 'event_key'::regclass"
            f" and shardid = get_shard_id_for_distribution_column('event_key', {number})"
        )

    def tributary(self, *arguments):
        return ingest.run_tributary(self.programs, self.environment, *arguments)

    def load(self, connections, seconds, file, seed):
        """Events a second and processor time an event, in microseconds."""
        os.sync()
        before, daemon, servers = self.events(), ingest.stat(self.daemon.pid)[0], self.cpu()
        started = time.monotonic()
        clients = [
            subprocess.Popen(
                ingest.wrk_command(self.port, connections // 2, seconds, "load.lua", [file, key, str(seed)]),
                stdout=subprocess.PIPE, text=True,
            )
            for _, key in self.apps
        ]
        texts = [client.communicate()[0] for client in clients]
        elapsed = time.monotonic() - started
        daemon = ingest.stat(self.daemon.pid)[0] - daemon
        servers = [after - before for after, before in zip(self.cpu(), servers)]
        stored = self.events() - before
        if stored == 0 or any(map(ingest.wrk_failures, texts)):
            sys.exit(f"{self.name}: requests failed; see {self.log.name}\n" + "\n".join(texts))
        return {
            "events/s": stored / elapsed,
            "p50, ms": statistics.mean(ingest.wrk_percentiles(text)["50"] for text in texts),
            "daemon, µs an event": daemon / stored * 1e6,
            "server or coordinator, µs an event": servers[0] / stored * 1e6,
            "workers, µs an event": sum(servers[1:]) / stored * 1e6,
        }

    def events(self):
        return int(self.servers[0].sql("select count(*) from event"))

    def cpu(self):
        return [server.cpu() for server in self.servers]

    def seconds(self, *arguments):
        started = time.monotonic()
        self.tributary(*arguments)
        return time.monotonic() - started

    def stop(self):
        self.daemon.terminate()
        self.daemon.wait()


def measure(databases, work, runs, seconds):
    """Rows of the table: what, and a value for each database."""
    for number, (title, (count, events, connections)) in enumerate(LOADS.items()):
        file = f"{work}/{events}.txt"
        ingest.make_bodies(file, count, events)
        loads = {database.name: [] for database in databases}
        for run in range(-1, runs):
            for database in databases:
                load = database.load(connections, max(5, seconds) if run < 0 else seconds, file, 100 * number + run + 2)
                # The first load fills caches.
                if run >= 0:
                    loads[database.name].append(load)
        medians = [ingest.median(loads[database.name]) for database in databases]
        for value in medians[0]:
            yield f"{title}: {value}", [f"{values[value]:,.1f}" for values in medians]
    # As many events in both, for the reports.
    counts = {database: database.events() for database in databases}
    seed = 1000
    while min(counts.values()) < 0.95 * max(counts.values()):
        fewest = min(databases, key=counts.get)
        fewest.load(16, 5, f"{work}/100.txt", seed)
        counts[fewest] = fewest.events()
        seed += 1
    for database in databases:
        database.stop()
    events = [counts[database] for database in databases]
    yield "events", [f"{value:,}" for value in events]
    rebuilds = [sum(database.seconds("rebuild", "--app", app) for app, _ in database.apps) for database in databases]
    yield "`rebuild` of both apps, µs an event", [f"{1e6 * s / count:.1f}" for s, count in zip(rebuilds, events)]
    for name, arguments in REPORTS.items():
        times = {
            database.name: [
                database.seconds("report", *arguments, "--app", database.apps[0][0], "--format", "csv")
                for _ in range(runs)
            ]
            for database in databases
        }
        yield f"{name}, s", [f"{statistics.median(times[database.name]):.2f}" for database in databases]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", help="the folder of tributary and tributaryd")
    parser.add_argument("work", type=os.path.abspath, help="a folder for the servers and files; it is emptied")
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json")
    options = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("wrk is missing. On Debian: apt-get install wrk")
    # So that the servers and daemons are stopped then too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    print(machine.describe(machine.processors_taken()))
    servers = [Server(f"{options.work}/server-{port}", port) for port in range(8411, 8415)]
    databases = [
        Database("one machine", options.programs, options.work, servers[:1], 8398),
        Database("a cluster", options.programs, options.work, servers[1:], 8399),
    ]
    print("\n| | " + " | ".join(database.name for database in databases) + " |\n|---|---|---|")
    rows = []
    for name, values in measure(databases, options.work, options.runs, options.seconds):
        rows.append([name, *values])
        print(f"| {name} | {' | '.join(values)} |", flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
