#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Checks a timeline against the Trace Event format (Google, "Trace Event Format"), as Perfetto reads it, and
# prints figures of it, NAME=VALUE, one per line. Status 1 and what is wrong where it is not in the format.
# usage: check_trace.py FILE
import collections
import decimal
import json
import sys

REQUIRED = {
    "M": {"pid", "name", "args"},
    "X": {"pid", "tid", "name", "ts", "dur", "cat"},
    "B": {"pid", "tid", "name", "ts", "cat", "args"},
    "E": {"pid", "tid", "name", "ts"},
    "i": {"pid", "tid", "name", "ts", "cat", "s"},
    "C": {"pid", "tid", "name", "ts", "args"},
}
OPTIONAL = {"X": {"args"}, "i": {"args"}, "C": {"id"}, "M": {"tid"}}
PHASES = {"other", "poll", "predicate", "schedule", "dispatch", "retire", "yield", "mailbox"}


def fail(event, what):
    sys.exit(f"{what}: {event}")


def check_fields(event):
    kind = event.get("ph")
    if kind not in REQUIRED:
        fail(event, "no such kind of event here")
    fields = set(event) - {"ph"}
    if not REQUIRED[kind] <= fields <= REQUIRED[kind] | OPTIONAL.get(kind, set()):
        fail(event, f"fields of an event {kind}")
    for key in fields & {"pid", "tid"}:
        if not isinstance(event[key], int):
            fail(event, f"{key} is no integer")
    for key in fields & {"ts", "dur"}:
        if not isinstance(event[key], (int, decimal.Decimal)) or event[key] < 0:
            fail(event, f"{key} is no time")
    if not isinstance(event["name"], str):
        fail(event, "the name is no string")
    if kind == "i" and event["s"] not in ("t", "p", "g"):
        fail(event, "scope")
    if kind == "C" and not all(isinstance(v, (int, decimal.Decimal)) for v in event["args"].values()):
        fail(event, "a counter's value is no number")


class Tracks:
    def __init__(self):
        self.time = {}  # of the last event, by track
        self.slice_end = collections.defaultdict(decimal.Decimal)
        self.open = {}  # wavefronts, by row
        self.named = set()
        self.used = set()
        self.dram = (0, 0)  # since when it moves so many GB a second
        self.figures = collections.Counter()

    def take(self, event):
        kind = event["ph"]
        if kind == "M":
            self.named.add((event["pid"], event.get("tid")))
            return
        counter = (event["name"], event.get("id")) if kind == "C" else event["tid"]
        track = (event["pid"], counter)
        if event["ts"] < self.time.get(track, 0):
            fail(event, f"before {self.time[track]} on its track")
        self.time[track] = event["ts"]
        self.used.add((event["pid"], None if kind == "C" else event["tid"]))
        self.count(event, kind, track)

    def count(self, event, kind, track):
        if kind == "X":
            if event["ts"] < self.slice_end[track]:
                fail(event, "slices overlap")
            self.slice_end[track] = event["ts"] + event["dur"]
            if event["cat"] == "phase":
                if event["name"] not in PHASES:
                    fail(event, "no such phase")
                self.figures["phase_ps." + event["name"]] += int(event["dur"] * 1000000)
            self.figures[event["cat"] + "_ps"] += int(event["dur"] * 1000000)
        elif kind == "B":
            if track in self.open:
                fail(event, "the row is taken")
            self.open[track] = event
            self.figures["slices"] += 1
            self.figures["slice_elements"] += event["args"]["elements"]
            self.figures["restarted"] += event["args"]["restarted"]
            self.figures["kernel." + event["name"]] += 1
        elif kind == "E":
            if self.open.pop(track, None) is None:
                fail(event, "ends what has not begun")
        elif kind == "i":
            self.figures["instants." + event["cat"]] += 1
            if event["cat"] == "yield" and track not in self.open:
                fail(event, "nothing yields here")
        else:
            self.figures["counters"] += 1
            self.figures["counter." + event["name"]] = int(sum(event["args"].values()))
            if event["name"] == "DRAM":
                self.move(event["ts"])
                self.dram = (event["ts"], event["args"]["GB/s"])

    def move(self, end):
        begin, rate = self.dram
        self.figures["dram_bytes"] += int((end - begin) * rate * 1000)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file, parse_float=decimal.Decimal)
    tracks = Tracks()
    for event in trace["traceEvents"]:
        check_fields(event)
        tracks.take(event)
    tracks.move(max(tracks.slice_end.values()))
    if tracks.open:
        fail(list(tracks.open.values())[0], "never ends")
    for process, thread in sorted(tracks.used, key=str):
        if (process, None) not in tracks.named or thread is not None and (process, thread) not in tracks.named:
            sys.exit(f"process {process}, thread {thread} has no name")
    tracks.figures.update({k: v for k, v in trace["otherData"].items() if isinstance(v, int)})
    for name, value in sorted(tracks.figures.items()):
        print(f"{name}={value}")


main()
