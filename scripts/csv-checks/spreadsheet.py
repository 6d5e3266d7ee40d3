#!/usr/bin/env python3
"""Checks that a spreadsheet opens the dialects of CSV as it should. Run by scripts/check-csv.

Writes reports in each dialect, and lets LibreOffice open them as a program with those settings of language does. Numbers
must be numbers, dates dates, times times, and texts the same texts as in the standard CSV.
"""

import argparse
import csv
import datetime
import math
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

REPORTS = [
    "channels --by week",
    "refs --compare-previous",
    "goals",
    "breakdown --by page,channel --rates",
    "breakdown --by weekday",
    "posts --each --limit 500",
    "funnel --by day",
    "retention --period week --by channel",
    "activity --period week",
    "compare --a recipe --b giveaway,badge --steps touch,install",
    "links",
    "breakdown --by app_version",
    "channels --people touches",
]
# The columns of reports that are texts, whatever they look like: versions and ids.
TEXTS = {"breakdown --by app_version": [0], "channels --people touches": [0, 1, 2], "posts --each --limit 500": [0, 2]}
# LibreOffice's filter for CSV: the separator, the quotation mark, UTF-8, the first line, no formats of columns, the
# language, quoted cells are no texts, special numbers such as dates are recognised; formulas are computed.
DIALECTS = {"excel-de": (59, 1031), "excel-en": (44, 1033)}

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def expected(text, dialect):
    """The kind and the value that the spreadsheet must have of a cell of the standard CSV."""
    if NUMBER.fullmatch(text):
        return "float", float(text)
    if DATE.fullmatch(text):
        return "date", datetime.datetime.fromisoformat(text)
    if TIME.fullmatch(text):
        return "date", datetime.datetime.fromisoformat(text[:19])
    # With German settings, the words of a flag would be others; it stays a text, as in the standard CSV.
    if text in ("true", "false") and dialect == "excel-en":
        return "boolean", text
    return ("string", text) if text else ("empty", "")


def is_same(one, other):
    """Spreadsheets keep 15 digits of a number."""
    if one[0] == other[0] == "float":
        return math.isclose(one[1], other[1], rel_tol=1e-13)
    return one == other


def cell(element):
    kind = element.get(f"{OFFICE}value-type")
    if kind in ("float", "percentage", "currency"):
        return "float", float(element.get(f"{OFFICE}value"))
    if kind == "date":
        return "date", datetime.datetime.fromisoformat(element.get(f"{OFFICE}date-value")).replace(microsecond=0)
    if kind == "boolean":
        return "boolean", element.get(f"{OFFICE}boolean-value")
    text = "\n".join("".join(part.itertext()) for part in element.findall(f"{TEXT}p"))
    return ("string", text) if text else ("empty", "")


def rows(path):
    """The cells of a flat OpenDocument file, without empty ones at the ends of rows and of the sheet."""
    found = []
    for row in ElementTree.parse(path).iter(f"{TABLE}table-row"):
        cells = []
        for element in row:
            cells += [cell(element)] * int(element.get(f"{TABLE}number-columns-repeated", 1))
        while cells and cells[-1][0] == "empty":
            cells.pop()
        if cells:
            found.append(cells)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tributary", required=True)
    parser.add_argument("--folder", required=True)
    options = parser.parse_args()
    folder = pathlib.Path(options.folder) / "spreadsheet"
    failures = 0
    cells = 0
    # Fixed, so that both files are of the same range.
    today = datetime.datetime.now(datetime.timezone.utc).date()
    span = ["--from", str(today - datetime.timedelta(days=30)), "--to", str(today + datetime.timedelta(days=1))]

    def write(report, path, *more):
        command = [options.tributary, "report", *report.split(), "--app", "demo", *span]
        subprocess.run([*command, *more, "--format", "csv", "--output", str(path)], check=True, capture_output=True)

    for dialect, (separator, language) in DIALECTS.items():
        place = folder / dialect
        place.mkdir(parents=True)
        files = [place / f"{number}.csv" for number in range(len(REPORTS))]
        for report, path in zip(REPORTS, files):
            write(report, path, "--dialect", dialect)
        converted = subprocess.run(
            ["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile", "--convert-to", "fods",
             f"--infilter=CSV:{separator},34,76,1,,{language},false,true,false,false,false,0,true", "--outdir", str(place), *map(str, files)],
            capture_output=True, text=True, timeout=300,
        )
        if converted.returncode != 0:
            sys.exit(f"FAILED: soffice: {converted.returncode} {converted.stderr}")
        for report, path in zip(REPORTS, files):
            standard = folder / "standard.csv"
            write(report, standard)
            with open(standard, newline="", encoding="utf-8") as file:
                texts = TEXTS.get(report, [])
                wanted = [
                    [("string", text) if text and number in texts else expected(text, dialect)
                     for number, text in enumerate(line)]
                    for line in csv.reader(file)
                ]
            for line in wanted:
                while line and line[-1][0] == "empty":
                    line.pop()
            found = rows(path.with_suffix(".fods"))
            if len(found) != len(wanted):
                failures += 1
                print(f"FAILED: {report} as {dialect}: {len(found)} rows, not {len(wanted)}")
                continue
            for number, (line, other) in enumerate(zip(wanted, found)):
                cells += len(line)
                if len(line) != len(other) or not all(map(is_same, line, other)):
                    failures += 1
                    print(f"FAILED: {report} as {dialect}, row {number}: {other} is not {line}")
    print(f"{cells} cells in {len(DIALECTS)} dialects; {failures} failures")
    sys.exit(1 if failures else 0)


main()
