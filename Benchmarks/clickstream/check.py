"""Compares funnels of the library `retentioneering` with those of `tributary` for the same files. Run by `check`."""

import argparse
import csv
import io
import pathlib
import subprocess
import sys
import zipfile

import pandas
import retentioneering
from retentioneering.tools.funnel import Funnel

SESSION_FUNNELS = [
    ["home", "product_view", "add_to_cart", "cart", "shipping_details", "payment_details", "purchase"],
    ["catalog", "product_view", "add_to_cart", "purchase"],
    ["search", "product_view", "wishlist_add"],
    ["promo_page", "add_to_cart", "purchase"],
    ["add_to_cart", "purchase"],
    ["product_view", "error_page", "support_chat"],
]
USER_FUNNELS = [
    ["catalog", "cart", "delivery_choice", "payment_choice", "payment_done"],
    ["main", "catalog", "product1", "cart"],
    ["main", "product2", "cart", "payment_done"],
    ["cart", "payment_card", "payment_done"],
]


def run(*command):
    outcome = subprocess.run(command, capture_output=True, text=True)
    if outcome.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{outcome.stderr}{outcome.stdout}")
    return outcome.stdout


def theirs(file, key, steps):
    """People at each step, from the library."""
    stream = retentioneering.Eventstream(pandas.read_csv(file, parse_dates=["timestamp"]), {"path_cols": [key]})
    return [step["unique_paths"] for step in Funnel(stream).fit(steps, path_col=key)["steps"]]


def ours(tributary, app, steps, window):
    """People at each step, from `tributary report funnel`."""
    names = ",".join(f"conversion:{step}" for step in steps)
    text = run(
        tributary, "report", "funnel", "--app", app, "--steps", names, "--window", window,
        "--from", "2015-01-01", "--to", "2025-01-01", "--format", "csv",
    )  # fmt: skip
    rows = csv.DictReader(io.StringIO(text))
    return [int(row["people"]) for row in rows if row["group"] == "total"]


def main():
    parser = argparse.ArgumentParser()
    for name in ("tributary", "older", "mappings", "folder"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    tributary = str(options.tributary)

    shop = options.folder / "simple-onlineshop.csv"
    wheel = next(options.older.glob("*.whl"))
    shop.write_bytes(zipfile.ZipFile(wheel).read("retentioneering/datasets/data/simple-onlineshop.csv"))
    # The package has it as a gzip file.
    ecom = retentioneering.datasets.ecom._DATA_FILE

    differences = 0
    for app, file, key, window, funnels in [
        ("ecom", ecom, "session_id", "7d", SESSION_FUNNELS),
        ("shop", shop, "user_id", "90d", USER_FUNNELS),
    ]:
        run(tributary, "app", "create", "--id", app, "--name", app)
        mapping = options.mappings / ("sessions.yaml" if key == "session_id" else "users.yaml")
        summary = run(tributary, "import", "--app", app, "--mapping", str(mapping), str(file))
        print(f"{file.name}, {key}: {', '.join(summary.splitlines())}")
        for steps in funnels:
            print(f"\n  {'step':<18} {'retentioneering':>15} {'tributary':>10}")
            for step, their, our in zip(steps, theirs(file, key, steps), ours(tributary, app, steps, window), strict=True):
                print(f"  {step:<18} {their:>15} {our:>10}" + ("" if their == our else "   DIFFERENT"))
                differences += their != our
        print()
    if differences:
        sys.exit(f"{differences} steps differ")
    print("all steps agree")


main()
