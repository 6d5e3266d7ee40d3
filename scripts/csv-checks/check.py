"""Checks that DuckDB and pandas read every CSV file without options. Run by scripts/check-csv.

Writes every export, and every report with many parameters, as CSV. Loads the files in both tools, and checks columns,
types, and that the parts add up to the totals. Intervals, p-values and Holm's correction must be those of statsmodels.
"""

import argparse
import csv
import datetime
import itertools
import json
import math
import pathlib
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal

import duckdb
import pandas
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest

# The credit units of one event (`CreditUnits.one`).
UNITS = 2597186592000
MODELS = ["last", "first", "linear", "position", "decay"]
GROUPINGS = ["none", "channel", "ref", "referer_app", "platform", "day", "target_url"]

# Reports with their parameters, beside the examples in the help of every report. --short makes only those in SHORT.
SHORT = [
    "channels",
    "channels --goal cookbook --lookback 1h --tz Asia/Tokyo",
    "refs",
    "funnel --by ref",
    "installs --by channel",
    "attribution --event conversion --model all",
    "attribution --model all --by ref --event install --lookback 30d",
    "posts",
    "retention --by channel",
    "retention --cohort install --by channel --returns conversion --period month",
    "channels --by week --compare-previous",
    "retention --cohort touch_in_range --compare-previous --periods 2",
    "paths",
    "compare --a search --b story_links --window 1h",
    "channels --by day",
    "refs --by week --tz Asia/Tokyo",
    "funnel --by channel,ref --order strict --exclude feed_post --compare-previous --from 8h --window 1h",
    "funnel --by platform --compare-previous",
    "funnel --times",
    "compare --a recipe --b giveaway,badge,invite_friend --steps touch,install --window 3h",
    "compare --a (none) --b recipe,giveaway --steps touch,install --by ref --matured off",
    "viral",
    "viral --by platform,composer",
    "viral --within 7d --compare-previous",
    "generations",
    "generations --by channel --compare-previous",
    "links",
    "goals",
    "logins",
]
LONG = (
    [f"funnel --by {by} --window {window}" for by in GROUPINGS for window in ["1h", "7d"]]
    + [f"funnel --steps touch,install,authentication,conversion,feed_post --by {by}" for by in GROUPINGS]
    + ["funnel --steps feed_post,touch,conversion --by ref", "funnel --steps install,conversion:cookbook"]
    + [f"installs --by {by}" for by in GROUPINGS]
    + [
        f"attribution --by {by} --event {event} --model {model}"
        for by in ["channel", "ref"]
        for event in ["install", "conversion"]
        for model in MODELS
    ]
    + [f"retention --period {period} --periods 3 --by {by}" for period in ["day", "week", "month"] for by in GROUPINGS]
    + ["paths --lookback 90d --limit 1000", "paths --goal cookbook", "refs --goal premium --lookback 90d"]
    + ["compare --a recipe --b giveaway --by ref --steps touch,install", "channels --from 2001-01-01 --to 2001-01-02"]
    + [f"{name} --from 2001-01-01 --to 2001-01-02" for name in ["refs", "funnel", "attribution", "posts", "paths", "viral"]]
    + [f"{name} --by {period}" for name in ["channels", "refs", "posts"] for period in ["day", "week", "month"]]
    + [f"funnel --by {first},{second}" for first in ["channel", "platform"] for second in ["ref", "day"]]
    + [f"funnel --order {order} --by channel" for order in ["strict", "any"]]
    + ["funnel --steps touch,install|authentication,conversion --step-window 1:1h,2:3d", "funnel --times --by channel"]
    + ["funnel --compare-previous --by channel --to 2001-01-01", "viral --lookback 90d"]
)

EXPORTS = [
    "events",
    "touches",
    "people",
    "credits --model all --event conversion",
    "credits --model all --event install --lookback 30d",
    "events --from 2001-01-01 --to 2001-01-02",
    "people --since 0",
]

DUCKDB_TYPES = {
    "integer": {"BIGINT"},
    # A column whose values all happen to be whole is read as integers.
    "decimal": {"DOUBLE", "BIGINT", "HUGEINT"},
    "rate": {"DOUBLE"},
    "ratio": {"DOUBLE"},
    "probability": {"DOUBLE"},
    "time": {"TIMESTAMP", "TIMESTAMP WITH TIME ZONE"},
    "flag": {"BOOLEAN"},
    "uuid": {"UUID", "VARCHAR"},
    "list": {"VARCHAR"},
    "json": {"JSON", "VARCHAR"},
}


class Checks:
    def __init__(self, tributary, app, folder):
        self.tributary, self.app, self.folder = tributary, app, pathlib.Path(folder)
        self.failures = 0
        self.files = 0
        self.columns = 0
        self.sums = 0
        self.statistics = 0
        self.types = {}
        for row in csv.DictReader(self.run(["dictionary", "--format", "csv"]).splitlines()):
            self.types.setdefault(row["output"], {}).setdefault(row["column"], set()).add(row["type"])

    def run(self, arguments):
        result = subprocess.run([self.tributary, *arguments], capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"FAILED: tributary {' '.join(arguments)}: {result.returncode} {result.stderr}")
        return result.stdout

    def examples(self):
        """Every report with the parameters of the examples in its help."""
        names = [output.removeprefix("report ") for output in self.types if output.startswith("report ")]
        lines = [line.split() for name in names for line in self.run(["report", name, "--help"]).splitlines()]
        shown = [words[2:] for words in lines if words[:2] == ["tributary", "report"]]
        return [" ".join(words).replace("--app demo ", "") for words in shown]

    def expect(self, holds, what):
        if not holds:
            self.failures += 1
            print(f"FAILED: {what}")

    def write(self, command, name, extension="csv"):
        """The file of a report or an export."""
        path = self.folder / f"{name}.{extension}"
        self.run([*command, "--app", self.app, "--output", str(path)])
        return path

    # Loading

    def load(self, command, path):
        """Loads a file in both tools, without options, and compares what they read with the file's text."""
        output = " ".join(command[:2])
        what = " ".join(command)
        self.files += 1
        raw = path.read_bytes()
        self.expect(raw.endswith(b"\r\n") and not raw.startswith(b"\xef\xbb\xbf"), f"{what}: wrong line ends, or a byte order mark")
        with open(path, newline="", encoding="utf-8") as file:
            header, *lines = list(csv.reader(file, strict=True))
        relation = duckdb.sql(f"select * from '{path}'")
        frame = pandas.read_csv(path)
        self.expect(relation.columns == header, f"{what}: DuckDB finds the wrong columns: {relation.columns}")
        self.expect(list(frame.columns) == header, f"{what}: pandas finds the wrong columns: {list(frame.columns)}")
        rows = relation.fetchall()
        self.expect(len(rows) == len(lines), f"{what}: DuckDB finds {len(rows)} of {len(lines)} rows")
        self.expect(len(frame) == len(lines), f"{what}: pandas finds {len(frame)} of {len(lines)} rows")
        for position, name in enumerate(header):
            kinds = self.types.get(output, {}).get(name)
            self.expect(kinds is not None, f"{what}: the data dictionary has no column {name}")
            cells = [line[position] for line in lines]
            if not kinds or not any(cells):
                continue
            self.columns += 1
            self.check_duckdb(f"{what}: {name} in DuckDB", kinds, cells, str(relation.types[position]), [r[position] for r in rows])
            self.check_pandas(f"{what}: {name} in pandas", kinds, cells, frame[name])
        return relation

    def check_duckdb(self, what, kinds, cells, loaded, values):
        if "text" in kinds:
            # DuckDB may read a text as another type, if it writes the same text back.
            if loaded != "VARCHAR":
                self.expect([str(v) if v is not None else "" for v in values] == cells, f"{what} is {loaded}, and its values differ")
            else:
                self.expect([v or "" for v in values] == cells, f"{what} has other text")
            return
        allowed = set().union(*(DUCKDB_TYPES[kind] for kind in kinds))
        self.expect(loaded in allowed, f"{what} is {loaded}, not {' or '.join(sorted(allowed))}")
        if kinds == {"time"}:
            self.expect([v and instant(v) for v in values] == [c and instant(c) for c in cells] or
                        [v and instant(v) for v in values] == [instant(c) if c else None for c in cells], f"{what} has other instants")

    def check_pandas(self, what, kinds, cells, series):
        kind = series.dtype.kind
        if kinds <= {"decimal", "rate", "ratio", "probability"}:
            self.expect(kind in "if", f"{what} is {series.dtype}")
            self.expect(kinds != {"rate"} or kind == "f", f"{what} is {series.dtype}")
        elif kinds == {"integer"}:
            self.expect(kind == ("i" if all(cells) else "f"), f"{what} is {series.dtype}")
        elif kinds == {"flag"}:
            found = set(series.dropna().unique())
            self.expect(found <= {True, False}, f"{what} holds {found}")
        elif kinds == {"time"}:
            parsed = pandas.to_datetime(series, format="ISO8601", utc=True).dropna()
            self.expect([t.to_pydatetime() for t in parsed] == [instant(c) for c in cells if c], f"{what} has other instants")
        elif "text" in kinds or "list" in kinds or "uuid" in kinds:
            # pandas reads "NA", "null" and the like as empty. The demo has none of them.
            if kind in "if":
                # Ids of digits only become numbers; beside empty cells, floating-point numbers (docs/exports.md).
                found = [None if pandas.isna(v) else float(v) for v in series]
                self.expect(found == [float(c) if c else None for c in cells], f"{what} has other numbers")
                return
            self.expect(["" if pandas.isna(v) else str(v) for v in series] == cells, f"{what} has other text")

    # Sums

    def same(self, what, parts, total, rows=1):
        """Parts, each rounded to 6 decimals, add up to the total within the error of rounding."""
        self.sums += 1
        difference = abs(parts - total)
        self.expect(difference <= Decimal("0.0000005") * rows, f"{what}: {parts} is not {total}")

    def check_report(self, command):
        name = command[1]
        path = self.write(command, f"report-{self.files}")
        self.load(command, path)
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))

        if name in ("channels", "refs", "posts") and rows and "period" in rows[0]:
            for period in parts_by(rows, "period"):
                self.check_sums(command, period)
        else:
            self.check_sums(command, rows)
        return rows

    def check_total(self, what, rows, key, columns):
        parts = [row for row in rows if row[key] != "total"]
        totals = [row for row in rows if row[key] == "total"]
        self.expect(len(totals) == 1, f"{what}: {len(totals)} totals")
        for column in columns:
            added = sum(Decimal(row[column]) for row in parts)
            self.same(f"{what}: {column}", added, Decimal(totals[0][column]), len(parts))

    def check_sums(self, command, rows):
        """Checks the sums of a report without periods, or of one period of a report."""
        name = command[1]
        what = " ".join(command)
        if name == "channels":
            self.check_total(what, rows, "channel", ["touches", "authenticated_touches", "installs", "conversions", "value"])
        elif name == "refs":
            self.check_total(what, rows, "ref", ["installs", "conversions", "value"])
        elif name == "viral":
            # A post has one value of every key but the ref.
            keys = command[command.index("--by") + 1].split(",") if "--by" in command else ["ref"]
            self.check_total(what, rows, "group", ["installs"] + ([] if "ref" in keys else ["posts", "touches", "untraced_touches"]))
        elif name == "generations":
            for group in parts_by(rows, "group") if "--by" in command else [rows]:
                counts = ["people", "posters", "posts", "invited", "value", "doubtful"]
                self.check_total(what, group, "generation", counts)
        elif name == "links":
            counts = ["clicks", "previews", "bots", "installs", "authentications", "conversions", "value"]
            self.check_total(what, rows, "link", counts)
        elif name == "changes" and rows[-1]["change"]:
            columns = ["rate_effect", "mix_effect"] if rows[-1]["rate_effect"] else ["before", "after", "change"]
            self.check_total(what, rows, next(iter(rows[0])), columns)
        elif name == "goals":
            self.check_total(what, rows, "goal", ["conversions", "value"])
        elif name == "logins":
            key = next((key for key in ("group", "period") if rows and key in rows[0]), None)
            # Of a period without attempts there is no share.
            known = [{name: cell or "0" for name, cell in row.items()} for row in rows]
            for group in parts_by(known, key) if key else [known]:
                self.check_total(what, group, "outcome", ["attempts", "share"])
        elif name == "attribution":
            for model in parts_by(rows, "model"):
                self.check_total(what, model, "group", ["credits"] + (["value"] if "value" in model[0] else []))
        elif name == "paths" and ("--limit" not in command or len(rows) <= int(command[command.index("--limit") + 1])):
            self.check_total(what, rows, "path", ["conversions", "value"])
        elif name == "retention" and any(by in command for by in ["channel", "platform", "referer_app", "target_url"]):
            for cohort in parts_by(rows, "cohort"):
                # A period that has not begun has no figures.
                for period in sorted({row["period"] for row in cohort if row["retained"]}):
                    # Nobody of a group may have had all periods of pooled cohorts: then it has no value.
                    known = [{name: cell or "0" for name, cell in r.items()} for r in cohort if r["period"] == period]
                    self.check_total(what, known, "group", ["people", "retained", "value", "cumulative_value"])
        elif name in ("funnel", "installs") and "--times" in command:
            for group in parts_by(rows, "group"):
                for step in parts_by(group, "step"):
                    added = sum(Decimal(row["bin_people"]) for row in step)
                    known = Decimal(step[0]["people"]) - Decimal(step[0]["unknown_times"])
                    self.same(f"{what}: bin_people", added, known)
        elif name in ("funnel", "installs"):
            for group in parts_by(rows, "group"):
                people = [int(row["people"]) for row in sorted(group, key=lambda row: int(row["step"]))]
                self.expect(people == sorted(people, reverse=True), f"{what}: more people at a later step: {people}")
            self.check_funnel_statistics(what, rows)
        elif name == "compare":
            sides = [[(reached(row, side), int(row[f"{side}_people"])) for side in "ab"] for row in rows]
            # While more than a tenth of a side is open, there is no verdict.
            over = [all(int(row[f"{side}_open"]) * 10 <= int(row[f"{side}_people"]) for side in "ab") for row in rows]
            p_values = [p_value(*both) if is_over else None for both, is_over in zip(sides, over)]
            for row, both, is_over, level, expected in zip(rows, sides, over, holm_levels(p_values), holm(p_values)):
                self.check_interval(what, row, "ci_", difference_interval(*both, level) if is_over else None)
                self.check_p_value(what, row["p_value"], expected)

    # Statistics

    def check_funnel_statistics(self, what, rows):
        """Wilson's intervals; beside the preceding range also those of differences, and the p-values of each step."""
        starts = {row["group"]: row for row in rows if row["step"] == "1"}
        for row in rows:
            first = int(starts[row["group"]]["people"])
            expected = proportion_confint(int(row["people"]), first, method="wilson") if first else None
            self.check_interval(what, row, "ci_", expected)
        if not rows or "p_value" not in rows[0]:
            return
        if any(row["previous_people"] == "" for row in rows):
            # The app's first event is later than the beginning of the range before.
            columns = [name for name in rows[0] if name.startswith(("previous_", "difference", "p_value"))]
            self.expect(all(row[name] == "" for row in rows for name in columns), f"{what}: figures of no range before")
            return
        for step in parts_by(rows, "step"):
            sides = [
                [(int(row[f"{which}people"]), int(starts[row["group"]][f"{which}people"])) for which in ["", "previous_"]]
                for row in step
            ]
            # The rate of step 1 is 1 by definition.
            is_tested = step[0]["step"] != "1"
            p_values = [p_value(*both) if is_tested else None for both in sides]
            groups = [index for index, row in enumerate(step) if row["group"] != "total"]
            adjusted = dict(zip(groups, holm([p_values[index] for index in groups])))
            levels = dict(zip(groups, holm_levels([p_values[index] for index in groups])))
            for index, row in enumerate(step):
                interval = difference_interval(*sides[index], levels.get(index, 0.05)) if is_tested else None
                self.check_interval(what, row, "difference_ci_", interval)
                self.check_p_value(what, row["p_value"], p_values[index])
                self.check_p_value(what, row["p_value_adjusted"], adjusted.get(index, p_values[index]))

    def check_interval(self, what, row, prefix, expected):
        for name, end in zip(["low", "high"], expected or [None, None]):
            self.statistics += 1
            cell = row[f"{prefix}{name}"]
            # A report rounds to 6 decimals.
            holds = cell == "" if end is None else cell != "" and abs(float(cell) - end) < 6e-7
            self.expect(holds, f"{what}: {prefix}{name} {cell}, statsmodels says {end}: {row}")

    def check_p_value(self, what, cell, expected):
        self.statistics += 1
        holds = cell == "" if expected is None else cell != "" and math.isclose(float(cell), expected, rel_tol=1e-9)
        self.expect(holds, f"{what}: p-value {cell}, statsmodels says {expected}")

    def check_exports(self):
        tables = {}
        for number, text in enumerate(EXPORTS):
            command = ["export", *text.split()]
            path = self.write(command, f"export-{number}")
            tables[text] = self.load(command, path)
            manifest = self.folder / "manifest.json"
            lines = self.write(command + ["--format", "ndjson", "--manifest", str(manifest)], f"export-{number}", "ndjson")
            told = json.loads(manifest.read_text())
            self.expect(told["rows"] == len(tables[text]), f"{text}: the manifest says {told['rows']} rows")
            digest = subprocess.run(["sha256sum", lines], capture_output=True, text=True).stdout.split()[0]
            self.expect(told["sha256"] == digest, f"{text}: the manifest has another SHA-256")
            if told["rows"]:
                found = duckdb.sql(f"select * from '{lines}'")
                self.expect(len(found) == told["rows"] and found.columns == told["columns"], f"{text}: NDJSON in DuckDB")
                self.expect(len(pandas.read_json(lines, lines=True)) == told["rows"], f"{text}: NDJSON in pandas")

        touches, people, events = tables["touches"], tables["people"], tables["events"]
        channels = {row["channel"]: row for row in self.check_report(["report", "channels"])}

        def sums(relation, query):
            return duckdb.sql(query.replace("TABLE", "relation")).fetchall()

        for channel, count, persons, authenticated in sums(
            touches,
            "select channel, count(*), count(distinct (person_kind, person_id)) filter (person_kind <> 'event'),"
            " count(*) filter (authenticated) from TABLE group by channel",
        ):
            row = channels[channel]
            self.same(f"touches of {channel}", Decimal(count), Decimal(row["touches"]))
            self.same(f"people of {channel}", Decimal(persons), Decimal(row["people"]))
            self.same(f"authenticated touches of {channel}", Decimal(authenticated), Decimal(row["authenticated_touches"]))

        whole = channels["total"]
        for column, query in {
            "people": "count(*) filter (touches > 0)",
            "installs": "sum(installs)",
            "conversions": "sum(conversions)",
            "value": "sum(value)",
        }.items():
            found = sums(people, f"select {query} from TABLE")[0][0]
            self.same(f"people's {column}", Decimal(str(round(found, 6))), Decimal(whole[column]))

        conversions = sums(events, "select count(*) from TABLE where type = 'conversion'")[0][0]
        self.same("conversions among the events", Decimal(conversions), Decimal(whole["conversions"]))

        for text, parameters in {
            EXPORTS[3]: ["--event", "conversion"],
            EXPORTS[4]: ["--event", "install", "--lookback", "30d"],
        }.items():
            credits = tables[text]
            for grouping, group, part in [
                ("channel", "channel", "1"),
                ("ref", "unnest(case when channel = 'direct' then ['direct'] when refs is null then ['(none)']"
                 " else string_split(refs, ',') end)", "case when refs is null then 1 else len(string_split(refs, ',')) end"),
            ]:
                report = self.check_report(["report", "attribution", "--model", "all", "--by", grouping, *parameters])
                found = {
                    (model, name): (units, credit, value)
                    for model, name, units, credit, value in sums(
                        credits,
                        "select model, name, sum(units), sum(credit), sum(value) from ("
                        f"select model, {group} as name, credit_units::hugeint // ({part}) as units,"
                        f" credit / ({part}) as credit, value::double / ({part}) as value from TABLE"
                        ") group by all",
                    )
                }
                for row in report:
                    if row["group"] == "total":
                        continue
                    units, credit, value = found.get((row["model"], row["group"]), (0, 0.0, 0.0))
                    what = f"{text}: {row['model']} {row['group']}"
                    exact = (Decimal(int(units)) / UNITS).quantize(Decimal("0.000001"), ROUND_HALF_UP)
                    self.expect(exact == Decimal(row["credits"]), f"{what}: {exact} is not {row['credits']}")
                    self.same(f"{what}: credit", Decimal(str(round(float(credit or 0), 6))), Decimal(row["credits"]), 2)
                    # Installs have none.
                    if "value" in row:
                        self.same(f"{what}: value", Decimal(str(round(float(value or 0), 6))), Decimal(row["value"]), 2)

    def check_awkward_refs(self, app, refs):
        """Refs that look like another type are read as docs/exports.md, *Types in DuckDB, pandas, spreadsheets*, says."""
        path = self.folder / "awkward.csv"
        self.run(["export", "touches", "--app", app, "--output", str(path)])
        found = duckdb.sql(f"select refs from '{path}'").fetchall()
        self.expect(sorted(r[0] for r in found) == sorted(refs), f"DuckDB does not read mixed refs as text: {found}")
        stated = duckdb.sql(f"select refs from read_csv('{path}', types = {{'refs': 'VARCHAR', 'person_id': 'VARCHAR'}})")
        self.expect(sorted(r[0] for r in stated.fetchall()) == sorted(refs), "DuckDB does not read refs as text when told so")
        frame = pandas.read_csv(path, dtype={"refs": str, "person_id": str}, keep_default_na=False)
        self.expect(sorted(frame["refs"]) == sorted(refs), "pandas does not read refs as text when told so")
        lines = self.folder / "awkward.ndjson"
        self.run(["export", "touches", "--app", app, "--format", "ndjson", "--output", str(lines)])
        typed = duckdb.sql(f"select array_to_string(refs, ',') from '{lines}'").fetchall()
        self.expect(sorted(str(r[0]) for r in typed) == sorted(r.removeprefix("'") for r in refs), f"refs in NDJSON: {typed}")


def parts_by(rows, key):
    return [list(group) for _, group in itertools.groupby(sorted(rows, key=lambda row: row[key]), lambda row: row[key])]


def reached(row, side):
    """How many people reached the last step of compare."""
    return round(float(row[f"{side}_rate"] or 0) * int(row[f"{side}_people"]))


def difference_interval(a, b, level=0.05):
    """Newcombe's, of two (successes, trials); None without trials."""
    return confint_proportions_2indep(*a, *b, method="newcomb", compare="diff", alpha=level) if a[1] and b[1] else None


def p_value(a, b):
    """None if everybody or nobody succeeded."""
    successes, trials = a[0] + b[0], a[1] + b[1]
    return proportions_ztest([a[0], b[0]], [a[1], b[1]])[1] if a[1] and b[1] and 0 < successes < trials else None


def holm(p_values):
    """Adjusted p-values; those that are None are no tests."""
    tested = [p for p in p_values if p is not None]
    adjusted = iter(multipletests(tested, method="holm")[1] if tested else [])
    return [p if p is None else next(adjusted) for p in p_values]


def holm_levels(p_values):
    """The levels that Holm's method holds p-values against; from the first that is not below its own on, that one."""
    tested = [p for p in p_values if p is not None]

    def level(p):
        return 0.05 / sum(other >= p for other in tested)

    kept = min((p for p in tested if p >= level(p)), default=math.inf)
    return [0.05 if p is None else level(min(p, kept)) for p in p_values]


def instant(value):
    if isinstance(value, str):
        value = datetime.datetime.fromisoformat(value)
    return value.replace(tzinfo=datetime.timezone.utc) if value.tzinfo is None else value.astimezone(datetime.timezone.utc)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tributary", required=True)
    parser.add_argument("--app", default="demo")
    parser.add_argument("--awkward-app", required=True)
    parser.add_argument("--awkward-refs", required=True, help="separated by spaces, as CSV shows them")
    parser.add_argument("--folder", required=True)
    parser.add_argument("--short", action="store_true")
    options = parser.parse_args()
    checks = Checks(options.tributary, options.app, options.folder)
    for text in SHORT + checks.examples() + ([] if options.short else LONG):
        checks.check_report(["report", *text.split()])
    checks.check_exports()
    checks.check_awkward_refs(options.awkward_app, options.awkward_refs.split())
    print(f"{checks.files} files, {checks.columns} columns, {checks.sums} sums, {checks.statistics} statistics; {checks.failures} failures")
    sys.exit(1 if checks.failures else 0)


main()
