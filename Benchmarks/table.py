"""Prints one table of the benchmarks' figures: table.py FILE… (the files that --json wrote).

A ratio is Tributary's figure divided by the other. For rates, more than 1 is better; for seconds, less than 1.
"""
import json
import sys

import machine


def number(value):
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}"


def main():
    print(f"\n{'':44}{'Tributary':>21}  {'against':31}{'':>14}{'ratio':>8}  target")
    for path in sys.argv[1:]:
        with open(path) as file:
            measured = json.load(file)
        for row in measured["rows"]:
            ours = f"{number(row['ours'])} {row['unit']}"
            print(f"{row['figure']:44}{ours:>21}  {row['against']:31}{number(row['theirs']):>14}"
                  f"{number(row['ratio']):>8}  {row['target']}".rstrip())
        if measured["taken"] > machine.NOISE:
            print(f"The machine was noisy: other processes used {measured['taken']:.2f} processors before {path} was measured.")


main()
