#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Checks what a run of `races` found (tests/probes/races/races.c, --races FILE) against its table: in each case that is racy in
# the model the race between the two lines that the table names, with what it says to lack, in all others nothing; and in
# the kernels' sources no side of any race but on a line that they mark with a comment "race: LABEL". Prints figures, a line each, and what is wrong on
# standard error, status 1 then.
# usage: check_races.py LIST FINDINGS.json MODEL SOURCE...   LIST is what --list prints of the cases that ran
import json
import os
import re
import sys

RACY = {
    "drf": ("everywhere",),
    "hrf-indirect": ("everywhere", "scoped"),
    "hrf-direct": ("everywhere", "scoped", "direct"),
}
problems = []


def labels_of(paths):
    """The label of each marked line, by file and number."""
    labels = {}
    for path in paths:
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            for label in re.findall(r"/\* race: (\S+) \*/", line):
                if label in labels.values():
                    problems.append(f"label {label} is on two lines")
                labels[os.path.basename(path), number] = label
    return labels


def case_of(side):
    """The case whose kernel the side is of."""
    return re.sub(r"^races_|_(make|take)$", "", side.get("kernel") or "")


def label_of(side, labels):
    place = (os.path.basename(side.get("file") or ""), side.get("line"))
    if place not in labels and place[0] in {file for file, _ in labels}:
        problems.append(f"{case_of(side)}: a race at {place[0]}:{place[1]}, which is not marked")
    return labels.get(place, f"{place[0]}:{place[1]}")


def main():
    list_path, found_path, model = sys.argv[1:4]
    labels = labels_of(sys.argv[4:])
    found = {}
    report = json.load(open(found_path, encoding="utf-8"))
    if report["model"] != model:
        problems.append(f"model is {report['model']}, wanted {model}")
    for race in report["races"]:
        sides = [race["earlier"], race["later"]]
        cases = {case_of(side) for side in sides}
        pair = tuple(sorted(label_of(side, labels) for side in sides))
        for case in cases:
            found.setdefault(case, {})[pair] = race["lacks"].replace(" ", "_")

    racy = clean = 0
    for line in open(list_path, encoding="utf-8"):
        name, where, lacks, one, other = line.split()[:5]
        pairs = found.pop(name, {})
        pair = tuple(sorted((one, other)))
        if model == "drf" and lacks.endswith("_scope"):
            lacks = "one_word"
        if where not in RACY[model]:
            clean += 1
            if pairs:
                problems.append(f"{name}: free of races, but found {pairs}")
        elif pair not in pairs:
            problems.append(f"{name}: no race of {one} and {other}; found {pairs}")
        elif lacks not in ("any", pairs[pair]):
            problems.append(f"{name}: {pairs[pair]} is said to lack, not {lacks}")
        else:
            racy += 1
    for name, pairs in found.items():
        problems.append(f"races of {name}, which is no case that ran: {pairs}")
    print(f"{racy} found, {clean} free")


main()
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(1 if problems else 0)
