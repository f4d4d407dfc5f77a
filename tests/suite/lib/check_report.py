#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Checks a report (docs/do/profile.md, "The report of a run"), a page or its data: what is over time, of kernels and of
# functions adds up to the statistics in it. Prints figures, a line each, and what is wrong on standard error, status 1 then.
# usage: check_report.py FILE [DATA.json]   with the second file: both have the same data, but for what differs between
#                                           two equal runs
import json
import math
import re
import sys

problems = []


def equal(what, left, right):
    if left != right:
        problems.append(f"{what}: {left}, wanted {right}")


def load(path):
    text = open(path, encoding="utf-8").read()
    if text.startswith("{"):
        return json.loads(text)
    held = re.search(r'<script [^>]*id="data">(.*?)</script>', text, re.S).group(1)
    page = json.loads(held)
    equal("view", page["view"], "run")
    return page["data"]


def check_time(data):
    time, phases = data["time"], data["phases_ps"]
    bins, length = time["bins"], time["bin_ps"]
    if not (bins - 1) * length < time["end_ps"] <= bins * length:
        problems.append(f"{bins} bins of {length} ps for {time['end_ps']} ps")
    for i in range(bins):
        last = time["end_ps"] - (bins - 1) * length
        equal(f"phases in bin {i}", sum(values[i] for values in phases.values()), last if i == bins - 1 else length)
    for name, values in phases.items():
        equal(f"phase {name}", sum(values), 500 * data["statistics"][f"agg.phase.{name}_cycles"])
    cycles = sum(map(sum, data["split_ps"].values())) // 1000
    equal("the GPU's time", cycles, data["statistics"]["gpu.cycles"])


def check_kernels(data):
    kernels, figures = data["kernels"], data["statistics"]
    total = {key: sum(kernel[key] for kernel in kernels) for key in kernels[0] if key != "name"}
    equal("resident wavefronts", sum(map(sum, data["resident_ps"])), total["resident_ps"])
    equal("wavefronts", total["wavefronts"], figures["gpu.wavefronts"])
    equal("yields", total["yields"], figures["gpu.yields"])
    equal("restarts", total["restarts"], figures["gpu.restarts"])
    if figures["gpu.faults"] == 0:
        equal("wavefront instructions", total["wave_instructions"], figures["simt.wave_instructions"])
        equal("lane instructions", total["lane_instructions"], figures["simt.lane_instructions"])


def check_memory(data):
    figures, dram = data["statistics"], data["dram"]
    for name, values in data["caches"].items():
        equal(name, sum(values), figures[name])
    equal("DRAM's bytes", 64 * (sum(dram["reads"]) + sum(dram["writes"])), figures["dram.bytes"])
    for i, busy in enumerate(dram["busy_ps"][:-1]):
        if busy > data["time"]["bin_ps"]:
            problems.append(f"DRAM is busy {busy} ps in bin {i}")


def check_largest(functions, figures):
    """The largest class of each function: at least its mean one, and of the whole class no more than there is."""
    prefix = "agg.stack."
    left = {name.removeprefix(prefix): cycles for name, cycles in figures.items() if name.startswith(prefix)}
    classes = len(left)
    for function in functions:
        largest, cycles = function["largest"], function["largest_cycles"]
        left[largest] -= cycles
        if not function["cycles"] <= cycles * classes <= function["cycles"] * classes or left[largest] < 0:
            problems.append(f"the largest class of a function: {function}, {left[largest]} left of it")


def check_view(functions, figures):
    equal("functions' instructions", sum(f["instructions"] for f in functions), figures["agg.instructions"])
    equal("functions' cycles", sum(f["cycles"] for f in functions), figures["agg.cycles"])
    check_largest(functions, figures)
    equal("functions in order", functions, sorted(functions, key=lambda f: (-f["cycles"], f["name"], f["file"])))
    equal("names of functions", len({(f["name"], f["file"]) for f in functions}), len(functions))
    for function in functions:
        if not function["file"] or function["file"].startswith("/"):
            problems.append(f"the file of {function['name']} is '{function['file']}'")
    if not any(f["file"].startswith("firmware/") for f in functions):
        problems.append(f"no function is of the firmware: {functions[:3]}")


def check_phases(stack, figures):
    """Where a phase begins, up to an instruction's cycles count for the one before: a thousandth of them all."""
    for phase in stack[0]["phases"]:
        cycles = sum(one["phases"][phase] for one in stack)
        if not math.isclose(cycles, figures[f"agg.phase.{phase}_cycles"], abs_tol=figures["agg.cycles"] / 1000):
            problems.append(f"the stack's cycles of phase {phase}: {cycles}, wanted {figures[f'agg.phase.{phase}_cycles']}")


def check_functions(data):
    """Reading a register is always inlined, and passes over channels never are."""
    views = [{f["name"] for f in data[view]} for view in ("functions", "source_functions")]
    check_view(data["functions"], data["statistics"])
    check_view(data["source_functions"], data["statistics"])
    equal("functions that are inlined", "mmio_read64" in views[0], False)
    equal("source functions that are inlined", "mmio_read64" in views[1], True)


def check_stack(data):
    """The cycles of the time without a wavefront are the statistic's, but for instructions at its ends."""
    figures = data["statistics"]
    equal("the stack's cycles", sum(figures[one["statistic"]] for one in data["stack"]), figures["agg.cycles"])
    for one in data["stack"]:
        if not 0 <= one["blocked_cycles"] <= figures[one["statistic"]]:
            problems.append(f"{one['statistic']}: {figures[one['statistic']]}, of which blocked {one['blocked_cycles']}")
        equal(f"{one['statistic']} by phase", sum(one["phases"].values()), figures[one["statistic"]])
        equal(f"blocked, {one['statistic']} by phase", sum(one["blocked_phases"].values()), one["blocked_cycles"])
        if any(not 0 <= one["blocked_phases"][phase] <= cycles for phase, cycles in one["phases"].items()):
            problems.append(f"more cycles of a phase are blocked than there are: {one}")
    check_phases(data["stack"], figures)
    blocked = sum(one["blocked_cycles"] for one in data["stack"])
    wanted = figures["gpu.blocked_on_agg_pct"] / 100 * figures["agg.cycles"]
    if not math.isclose(blocked, wanted, rel_tol=0.03, abs_tol=200):
        problems.append(f"the stack's blocked cycles: {blocked}, wanted {wanted:.0f}")


def check_channels(data):
    channels = data["channels"]
    for row in channels["rows"]:
        if not 0 <= row["first"] <= row["first"] + len(row["values"]) <= channels["bins"]:
            problems.append(f"channel {row['channel']}: bins {row['first']} and {len(row['values'])} more")
        if not channels["names"][row["channel"]]:
            problems.append(f"channel {row['channel']} has no name")


def check_latencies(data):
    """Each element has its times, and together they are the elements that channels hold over time."""
    figures, channels = data["statistics"], data["channels"]
    equal("ready elements", sum(one["ready_elements"] for one in data["latencies"]), figures["gpu.elements"])
    if figures["gpu.faults"] > 0:
        return
    for state in "ready", "dispatched":
        equal(f"{state} elements", sum(one[f"{state}_elements"] for one in data["latencies"]), figures["gpu.elements"])
        if not all(one[f"{state}_p50_ns"] <= one[f"{state}_p99_ns"] <= one[f"{state}_max_ns"] for one in data["latencies"]):
            problems.append(f"times of {state} elements out of order: {data['latencies']}")
        measured = sum(one[f"{state}_elements"] * one[f"{state}_mean_ns"] for one in data["latencies"])
        means = sum(sum(row["values"]) for row in channels["rows"] if row["state"] == state)
        print(f"held.{state}={means / channels['scale'] * channels['bin_ps'] / 1000:.0f}\nmeasured.{state}={measured:.0f}")


def check_timeline(data):
    """Where there is one; all of it is there, though in fewer slices where they are many."""
    timeline = data.get("timeline")
    if timeline is None:
        return
    figures, rows, unit = data["statistics"], timeline["rows"], timeline["unit_ps"]
    counts = [len(row["length"]) + sum(row.get("others", [])) for row in rows]
    equal("the timeline's end", timeline["end_ps"], data["time"]["end_ps"])
    equal("the timeline's slices", sum(len(row["length"]) for row in rows), timeline["slices"])
    equal("the timeline's events", sum(counts), timeline["events"])
    for row in rows:
        if any(len(values) != len(row["length"]) for values in row.values() if isinstance(values, list)):
            problems.append(f"arrays of a row of the timeline differ in length: {row['track']}")
    if timeline["lost"] > 0:
        return
    waves = sum(count for count, row in zip(counts, rows) if row["track"] == "cu")
    equal("the timeline's wavefronts", waves, figures["gpu.wavefronts"] + figures["gpu.restarts"])
    phases = next(row for row in rows if row["track"] == "phases")
    equal("the timeline's phases", unit * sum(phases["length"]), timeline["end_ps"])
    for number, name in enumerate(timeline["phases"] if timeline["step_ps"] == 0 else []):
        length = sum(length for length, phase in zip(phases["length"], phases["name"]) if phase == number)
        equal(f"the timeline's phase {name}", unit * length, 500 * figures[f"agg.phase.{name}_cycles"])


def are_equal(one, other):
    """But for the digits that pages leave out."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(are_equal(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(are_equal, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-8)
    return one == other


def same(data):
    """What two equal runs have in common."""
    kept = {key: value for key, value in data.items() if key != "command"}
    kept["statistics"] = {k: v for k, v in data["statistics"].items() if not k.startswith("sim.")}
    return kept


def main():
    data = load(sys.argv[1])
    for check in (check_time, check_kernels, check_memory, check_functions, check_stack, check_channels,
                  check_latencies, check_timeline):
        check(data)
    if len(sys.argv) > 2 and not are_equal(same(data), same(load(sys.argv[2]))):
        problems.append(f"{sys.argv[1]} and {sys.argv[2]} have not the same data")
    print(f"runs={data['runs']['count']}\nbins={data['time']['bins']}\nchannels={len(data['channels']['names'])}")
    print(f"title {data['title']}\ncommand {data['command']}\ncus={len(data['resident_ps'])}\nfaults={data['statistics']['gpu.faults']}")
    for key in data["machine"]:
        if "default" in key:
            print(f"changed {key['key']} = {key['value']}, not {key['default']}, by {key['source']}")
    print(f"kernels={len(data['kernels'])}\nfindings={len(data['findings'])}")
    timeline = data.get("timeline", {})
    print("".join(f"timeline.{key}={value}\n" for key, value in timeline.items() if isinstance(value, int)), end="")
    for state in "waiting", "ready", "dispatched", "finished":
        print(f"rows.{state}={sum(row['state'] == state for row in data['channels']['rows'])}")
    for finding in data["findings"]:
        print(f"finding {finding['title']}: {finding['text']}")
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
