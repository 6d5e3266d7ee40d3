"""Compares what reports copy and allocate for each packed event with budgets. Run by scripts/check-copies."""

import argparse
import os
import pathlib
import shlex
import subprocess
import sys

BUDGETS = pathlib.Path(__file__).with_name("budgets.tsv")
RANGE = ["--from", "2026-01-01", "--to", "2026-04-01", "--tz", "UTC", "--format", "csv"]
# How much more than its budget a report may use for each event. Repeated measurements differ by at most 0.6 bytes and
# 0.01 allocations. Half of a field of 8 bytes, which every report copies at least once, must be too much.
TOLERANCE = {"bytes": 4, "allocations": 0.05}
# What a report reads from its connection in one piece depends on the moment, and so does what libpq moves.
ATTEMPTS = 3
ADVICE = f"""
A report copies or allocates more for each packed event than its budget. Find out why:

  - All reports copy a few bytes more: `TimelineEvent`, which each report copies once for each event, has become larger.
    Can the new field share the bits of others, or lie in a column that is read only by need?
  - One report copies hundreds of bytes more: it copies a whole fold or array, once for each person or event. Look for a
    closure that captures it, an existential, a dictionary's value that is changed, or an optional that is unwrapped
    with `var`.
  - Allocations: a new array, box or closure for each event or person. Keep one and empty it.

`perf record -g` shows which function calls memmove, swift_retain and swift_allocObject. If the cost is worth what it
gives, write the lines that `scripts/check-copies --measure` prints into {BUDGETS.parent.name}/{BUDGETS.name}, and say
in the commit what each event costs more, and why."""


class Program:
    def __init__(self, options):
        self.options = options
        self.counts = pathlib.Path(options.folder) / "counts"

    def count(self, report, app):
        """What one run of a report copies and allocates."""
        self.counts.unlink(missing_ok=True)
        # Without it, Swift's dictionaries have another order in each process.
        environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", COPIES_FILE=str(self.counts))
        environment["LD_PRELOAD"] = self.options.library
        command = [self.options.tributary, "report", *shlex.split(report), "--app", app, *RANGE]
        answer = subprocess.run(command, env=environment, capture_output=True, text=True)
        if answer.returncode or answer.stdout.count("\n") < 2:
            sys.exit(f"FAILED: {report} of {app} ended with {answer.returncode}: {answer.stderr}{answer.stdout}")
        return {name: int(number) for name, number in map(str.split, self.counts.read_text().splitlines())}

    def measure(self, report):
        """What the report copies and allocates for each event."""
        large, small = self.count(report, "large"), self.count(report, "small")
        events = self.options.events[0] - self.options.events[1]
        return {name: (large[name] - small[name]) / events for name in TOLERANCE}


def read_budgets():
    for line in BUDGETS.read_text().splitlines():
        if line and not line.startswith("#"):
            report, *numbers = line.split("\t")
            yield report, dict(zip(TOLERANCE, map(float, numbers), strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tributary", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--events", type=int, nargs=2, required=True, metavar=("LARGE", "SMALL"))
    parser.add_argument("--measure", action="store_true")
    options = parser.parse_args()
    program = Program(options)
    failed, lowered = [], []
    if not options.measure:
        print(f"{'for each packed event':32}{'bytes copied':>14}{'budget':>9}{'allocations':>14}{'budget':>9}")
    for report, budget in read_budgets():
        limit = {name: budget[name] + TOLERANCE[name] for name in budget}
        used = program.measure(report)
        for _ in range(ATTEMPTS - 1):
            if options.measure or any(used[name] > limit[name] for name in used):
                again = program.measure(report)
                used = {name: min(used[name], again[name]) for name in used}
        if options.measure:
            print(f"{report}\t{used['bytes']:.1f}\t{used['allocations']:.2f}")
            continue
        over = [name for name in used if used[name] > limit[name]]
        figures = "".join(f"{used[name]:14.2f}{budget[name]:9.2f}" for name in used)
        print(f"{report:32}{figures}{'   FAILED: ' + ', '.join(over) if over else ''}", flush=True)
        failed += over
        lowered += [report for name in used if used[name] < budget[name] - TOLERANCE[name]]
    if lowered:
        names = ", ".join(dict.fromkeys(lowered))
        print("Below the budget: lower it, so that it holds what was won (--measure):", names)
    if failed:
        print(ADVICE)
        sys.exit(1)


main()
