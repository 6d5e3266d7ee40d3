#!/usr/bin/env python3
"""Checks dashboards/ and deploy/prometheus/rules with a real database and a real Prometheus.

1. promtool runs each alert rule on its example (deploy/prometheus/tests). Each alert has a section in docs/alerts.md.
2. The JSON of the dashboards is what Grafana expects.
3. The demo fills a private database, and the figures are refreshed. Every SQL query of every panel and variable runs as
   the role of BI tools, with Grafana's macros and variables replaced as Grafana replaces them.
4. A real Prometheus scrapes a real daemon with some traffic, and evaluates every alert and every PromQL query of every
   panel.

A query without a result fails. scripts/check-dashboards installs the tools and runs this file.
"""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ["BIN"])
RULES = ROOT / "deploy/prometheus/rules/tributary.yml"
RULE_TESTS = ROOT / "deploy/prometheus/tests/tributary_test.yml"

failures = []


def fail(message):
    failures.append(message)
    print(f"  FAILED  {message}", flush=True)


def step(text):
    print(f"-- {text}", flush=True)


# ── Checks without a service ─────────────────────────────────────────────────────────────────────────────────────────


def check_alerts():
    step("alert rules: promtool, an example of each, a section of docs/alerts.md for each")
    for arguments in (["check", "rules", RULES], ["test", "rules", RULE_TESTS]):
        done = subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            fail(f"promtool {arguments[0]} rules: {done.stdout}{done.stderr}")
    names = re.findall(r"- alert: (\w+)", RULES.read_text())
    tested = re.findall(r"- alertname: (\w+)", RULE_TESTS.read_text())
    sections = re.findall(r"^### (\w+)$", (ROOT / "docs/alerts.md").read_text(), re.M)
    for name in names:
        if name not in tested:
            fail(f"{name} has no example in {RULE_TESTS.name}")
        if name not in sections:
            fail(f"{name} has no section in docs/alerts.md")
    for name in set(sections) - set(names):
        fail(f"docs/alerts.md has a section for {name}, which is not an alert")


def panels(dashboard):
    for panel in dashboard["panels"]:
        yield panel
        yield from panel.get("panels", [])


KNOWN_PANELS = {"row", "timeseries", "stat", "table", "bargauge", "barchart"}
KNOWN_TRANSFORMATIONS = {"renameByRegex", "groupingToMatrix"}


def check_json(name, dashboard):
    def expect(condition, what):
        if not condition:
            fail(f"{name}: {what}")

    expect(dashboard["uid"] == f"tributary-{name}", f"the uid must stay tributary-{name}, because it is part of the address")
    expect("id" not in dashboard, "it has an id, but Grafana assigns ids")
    expect(dashboard["schemaVersion"] == 39, "schemaVersion is not 39")
    variables = {variable["name"]: variable for variable in dashboard["templating"]["list"]}
    sources = {f"${{{n}}}": v["query"] for n, v in variables.items() if v["type"] == "datasource"}
    ids = [panel["id"] for panel in panels(dashboard)]
    expect(len(set(ids)) == len(ids), "two panels have the same id")
    taken = set()
    for panel in panels(dashboard):
        title = panel["title"]
        expect(panel["type"] in KNOWN_PANELS, f"{title}: unknown type {panel['type']}")
        place = panel["gridPos"]
        expect(place["x"] >= 0 and place["x"] + place["w"] <= 24 and place["h"] > 0, f"{title}: outside of the grid")
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                expect((x, y) not in taken, f"{title}: overlaps another panel")
                taken.add((x, y))
        if panel["type"] == "row":
            continue
        expect(panel.get("description"), f"{title}: no description")
        expect(panel["targets"], f"{title}: no query")
        expect(
            {t["id"] for t in panel.get("transformations", [])} <= KNOWN_TRANSFORMATIONS,
            f"{title}: unknown transformation",
        )
        letters = [target["refId"] for target in panel["targets"]]
        expect(len(set(letters)) == len(letters), f"{title}: queries share a refId")
        for holder in [panel, *panel["targets"]]:
            source = holder["datasource"]
            expect(source["uid"] in sources, f"{title}: its data source is not a variable")
            expect(sources.get(source["uid"]) == source["type"], f"{title}: its data source is of another type")
    text = json.dumps(dashboard)
    for used in set(re.findall(r"\$\{?(\w+)", text)):
        known = used.startswith("__") or used in variables or re.fullmatch(r"\d", used)
        expect(known, f"uses ${used}, which is not a variable")
    for used in variables:
        expect(re.search(rf"\$\{{?{used}\b", text), f"has the variable {used}, which nothing uses")


# ── SQL ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def quoted(values):
    """The values in Grafana's format `sqlstring`."""
    return ",".join("'" + value.replace("'", "''") + "'" for value in values)


def sql_text(query, values, start, end):
    """The query as Grafana sends it."""
    def time_filter(match):
        return f"{match.group(1)} BETWEEN '{start}' AND '{end}'"

    query = re.sub(r"\$__timeFilter\(([^)]*)\)", time_filter, query)
    query = query.replace("$__timeFrom()", f"'{start}'").replace("$__timeTo()", f"'{end}'").replace("$__interval", "1h")
    for name, value in values.items():
        query = query.replace("${" + name + ":sqlstring}", quoted(value))
        query = re.sub(rf"\$\{{{name}\}}|\${name}\b", lambda _, value=value: ",".join(value), query)
    return query


class Database:
    def __init__(self, home):
        self.home = home
        self.environment = {**os.environ, "TRIBUTARY_HOME": str(home)}
        for name in ("DATABASE_URL", "TRIBUTARY_DATABASE_URL"):
            self.environment.pop(name, None)

    def program(self, name, *arguments):
        done = subprocess.run(
            [BIN / name, *arguments], env=self.environment, capture_output=True, text=True, cwd=self.home
        )
        if done.returncode != 0:
            sys.exit(f"{name} {' '.join(arguments)}: {done.returncode}\n{done.stderr}")
        return done.stdout

    def rows(self, query):
        """Runs a query as the role of BI tools. Raises the server's error."""
        script = f"set role tributary_bi;\nset statement_timeout = '10s';\n{query}"
        done = subprocess.run(
            [
                "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
                "-h", str(self.home / "postgres/run"), "-U", "tributary", "-d", "tributary", "-f", "-",
            ],
            input=script, capture_output=True, text=True,
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return [line for line in done.stdout.split("\n") if line]

    def stop(self):
        data = self.home / "postgres/data"
        postmaster = data / "postmaster.pid"
        if postmaster.exists():
            # SIGINT: PostgreSQL's fast shutdown.
            os.kill(int(postmaster.read_text().split("\n")[0]), 2)
            for _ in range(100):
                if not postmaster.exists():
                    break
                time.sleep(0.1)


def check_sql(dashboard, database):
    now = time.time()
    # 62 days always include the first day of a month.
    start, end = (
        time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)) for seconds in (now - 62 * 86_400, now)
    )
    values = {}
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "custom":
            values[variable["name"]] = [variable["current"]["value"]]
        elif variable["type"] == "query":
            # The query may use the variables before it.
            found = database.rows(sql_text(variable["query"], values, start, end))
            if not found:
                fail(f"variable {variable['name']}: no rows")
            values[variable["name"]] = found if variable["includeAll"] else found[:1]
    count = 0
    for by in ("day", "week", "month"):
        values["by"] = [by]
        for panel in panels(dashboard):
            for target in panel.get("targets", []):
                query = sql_text(target["rawSql"], values, start, end)
                try:
                    rows = database.rows(query)
                    if not rows and "period_ended" in query:
                        # The demo is of one day, so no period has ended yet.
                        rows = database.rows(query.replace("period_ended", "true"))
                    if not rows:
                        fail(f"{panel['title']} (by {by}): no rows\n{query}")
                except RuntimeError as error:
                    fail(f"{panel['title']} (by {by}): {error}\n{query}")
                count += 1
    print(f"   {count} queries")


# ── PromQL ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def ask(url, body=None, key=None, kind="application/json"):
    headers = {"Content-Type": kind} if body else {}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(url, data=body.encode() if body else None, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def wait_until(what, is_so, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if is_so():
                return
        except OSError:
            pass
        time.sleep(0.1)
    sys.exit(f"timed out: {what}")


def send_traffic(daemon, write_key, read_key):
    """Sends some traffic of each kind that the panels show."""
    good = [{"type": "install", "user_id": f"u{n}", "event_id": f"00000000-0000-4000-8000-{n:012d}"} for n in range(20)]
    for _ in range(2):
        ask(f"{daemon}/v1/events", json.dumps(good), write_key)
    ask(f"{daemon}/v1/events", json.dumps([*good, {"type": "conversion", "user_id": "u1"}]), write_key)
    ask(f"{daemon}/v1/events", json.dumps(good), "trib_w_nobodys")
    ask(f"{daemon}/v1/reports/channels", key=read_key)


def promql(url, expression):
    answer = json.loads(ask(f"{url}/api/v1/query?{urllib.parse.urlencode({'query': expression})}")[1])
    if answer["status"] != "success":
        raise RuntimeError(answer.get("error"))
    return answer["data"]["result"]


def check_promql(dashboard, url):
    count = 0
    for variable in dashboard["templating"]["list"]:
        if variable["type"] != "query":
            continue
        metric, label = re.fullmatch(r"label_values\((.*), (\w+)\)", variable["query"]["query"]).groups()
        if not any(label in series["metric"] for series in promql(url, re.sub(r"\$\w+", ".+", metric))):
            fail(f"variable {variable['name']}: no values")
    for panel in panels(dashboard):
        for target in panel.get("targets", []):
            expression = target["expr"].replace("$__rate_interval", "20s").replace("$__interval", "5s")
            expression = re.sub(r"\$(job|instance)\b", ".+", expression)
            try:
                result = promql(url, expression)
                if not result:
                    fail(f"{panel['title']}: no result\n{expression}")
                elif all(series["value"][1] == "NaN" for series in result):
                    fail(f"{panel['title']}: only NaN\n{expression}")
            except RuntimeError as error:
                fail(f"{panel['title']}: {error}\n{expression}")
            count += 1
    print(f"   {count} queries")


def check_metric_names(text, url):
    """Checks that the daemon has every metric that a query or an alert names. A misspelt alert would never fire."""
    known = {series["metric"]["__name__"] for series in promql(url, '{job="tributary"}')}
    for name in sorted(set(re.findall(r"\b(?:tributary_\w+|process_\w+)\b(?=[{\[ )])", text))):
        if name not in known:
            fail(f"the daemon has no metric {name}")


def check_rules_run(url):
    groups = json.loads(ask(f"{url}/api/v1/rules")[1])["data"]["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    for rule in rules:
        if rule["health"] != "ok":
            fail(f"{rule['name']}: {rule.get('lastError') or rule['health']}")
        elif rule["state"] == "firing":
            fail(f"{rule['name']} fires although the daemon is healthy")
    print(f"   {len(rules)} alerts evaluated, none fires")


def with_services(database, body):
    keys = dict(
        line.split(": ", 1)
        for line in database.program("tributary", "app", "create", "--id", "probe", "--name", "Probe").splitlines()
    )
    log = database.home / "daemon.log"
    port, prometheus_port = free_port(), free_port()
    configuration = database.home / "prometheus.yml"
    configuration.write_text(
        json.dumps(
            {
                "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
                "rule_files": [str(RULES)],
                "scrape_configs": [
                    {"job_name": "tributary", "static_configs": [{"targets": [f"127.0.0.1:{port}"]}]}
                ],
            }
        )
    )
    processes = []
    try:
        with open(log, "w") as output:
            processes.append(
                subprocess.Popen(
                    [BIN / "tributaryd", "--port", str(port)],
                    env={**database.environment, "TRIBUTARY_FIGURES_INTERVAL": "1"},
                    cwd=database.home, stderr=output, stdout=output,
                )
            )
            processes.append(
                subprocess.Popen(
                    [
                        "prometheus", f"--config.file={configuration}", f"--storage.tsdb.path={database.home}/tsdb",
                        f"--web.listen-address=127.0.0.1:{prometheus_port}", "--log.level=error",
                    ],
                    stderr=output, stdout=output,
                )
            )
        daemon, url = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{prometheus_port}"
        wait_until("the daemon is ready", lambda: ask(f"{daemon}/readyz")[0] == 200)
        wait_until("Prometheus is ready", lambda: ask(f"{url}/-/ready")[0] == 200)
        # A rate needs two scraped values.
        send_traffic(daemon, keys["write_key"], keys["read_key"])
        answered = 'tributary_http_request_duration_seconds_count{route="/v1/events"}'
        wait_until("it has been scraped", lambda: promql(url, f"count_over_time({answered}[1m]) >= 2"))
        send_traffic(daemon, keys["write_key"], keys["read_key"])
        counters = ["tributary_http_problems_total", "tributary_store_commit_events_count", answered]
        rates = " and ".join(f"sum(rate({counter}[20s])) > 0" for counter in counters)
        wait_until("there are rates", lambda: promql(url, rates))
        body(url)
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def main():
    dashboards = {
        path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "dashboards").glob("*.json"))
    }
    check_alerts()
    step(f"dashboards: {', '.join(dashboards)}")
    for name, dashboard in dashboards.items():
        check_json(name, dashboard)

    # Short: the path of a Unix socket has 107 bytes.
    home = pathlib.Path(tempfile.mkdtemp(prefix="trib-"))
    # If root runs this, the cluster runs as another account.
    home.chmod(0o755)
    database = Database(home)
    try:
        step("the demo, and its figures")
        database.program("tributary", "demo", "--people", "1500", "--output", str(home / "reports"))
        database.program("tributary", "refresh")
        database.program("tributary", "refresh", "--check")
        step("SQL of every panel, as the role tributary_bi")
        check_sql(dashboards["acquisition"], database)
        step("PromQL of every panel and every alert, by a Prometheus that scrapes the daemon")

        def ask_prometheus(url):
            check_promql(dashboards["operations"], url)
            text = " ".join(
                target["expr"] for panel in panels(dashboards["operations"]) for target in panel.get("targets", [])
            )
            check_metric_names(text + " " + RULES.read_text(), url)
            check_rules_run(url)

        with_services(database, ask_prometheus)
    finally:
        database.stop()
        shutil.rmtree(home, ignore_errors=True)
    if failures:
        sys.exit(f"{len(failures)} failed")
    print("dashboards and alerts: all good")


main()
