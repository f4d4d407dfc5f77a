# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Checks the page of a report of a run in a browser (browser.py): it has the marks that its data say, worked out from them
# here; prints what is wrong, status 1 then.
# usage: check_run.py DATA.json PAGE.html FOLDER_OF_SCREENSHOTS
import json
import math
import pathlib
import sys

import browser

LINE_BINS = 128  # as scripts/page/run.js has it
STATES = ("waiting", "ready", "dispatched", "finished")


def layers(members):
    return sum(any(values) for values in members.values())


def folded(values, factor):
    return [sum(values[i : i + factor]) for i in range(0, len(values), factor)]


def rows_of(data, state):
    return [row for row in data["channels"]["rows"] if row["state"] == state]


def channel_marks(data):
    """A layer for each state, and a cell of a heat map for each mean that is not 0."""
    return len(STATES) + sum(value > 0 for row in data["channels"]["rows"] for value in row["values"])


def memory_marks(data):
    """Two layers of DRAM, and a point of a line for each bin with an access."""
    factor = max(1, math.ceil(data["time"]["bins"] / LINE_BINS))
    caches = [values for name, values in data["caches"].items() if name.endswith(".accesses")]
    return 2 + sum(value > 0 for values in caches for value in folded(values, factor))


def core_bars(data):
    """The cycles of the parts that each bar of the core has, from the left: all, and those while the GPU is blocked."""
    cycles = [[data["statistics"][one["statistic"]], one["blocked_cycles"]] for one in data["stack"]]
    return [[part[bar] for part in cycles if part[bar] > 0] for bar in (0, 1)]


def phase_bars(data):
    """Likewise of each phase that has some."""
    stack = data["stack"]
    bars = [[one[member][phase] for one in stack if one[member][phase] > 0]
            for member in ("phases", "blocked_phases") for phase in stack[0][member]]
    return [bar for bar in bars if bar]


def channel_texts(data):
    """A row of the table has what half of a channel's elements do not exceed, in us."""
    return {"#channels tbody tr:first-child": f"{data['latencies'][0]['ready_p50_ns'] / 1e3:.3g}"} if data["latencies"] else {}


def channel_sorts(data):
    """By what 99 % of the ready ones do not exceed."""
    names = [one["name"] for one in sorted(data["latencies"], key=lambda one: one["ready_p99_ns"])]
    return [browser.Sort("#channels table", 3, names)] if names else []


def cost(data):
    """The last row of the aggregator's costs has those of all phases."""
    each = data["statistics"]["agg.cycles"] / data["statistics"]["gpu.dispatches"]
    return f"{each:,.0f}" if each >= 1000 else f"{float(f'{each:.3g}'):g}"


def marks(data):
    there = {
        "split": layers(data["split_ps"]),
        "wavefronts": sum(value > 0 for row in data["resident_ps"] for value in row),
        "lanes": sum(name.startswith("simt.lanes.") for name in data["statistics"]),
        "aggregator": layers(data["phases_ps"]),
        "core": sum(map(len, core_bars(data) + phase_bars(data))),
        "memory": memory_marks(data),
    }
    return there | ({"channels": channel_marks(data)} if data["channels"]["rows"] else {})


def hovers(data):
    first = next(i for i, values in enumerate(data["resident_ps"]) if any(values))
    there = [
        browser.Hover("#split svg.plot", 0, ["time", "us", "active", "stalled", "%"]),
        browser.Hover("#wavefronts svg.plot", 0, [f"CU {first}", "wavefronts"]),
        browser.Hover("#lanes svg.plot", 0, ["active lanes 1", "%"]),
        browser.Hover("#aggregator svg.plot", 0, ["poll", "%"]),
    ]
    whole, blocked = core_bars(data)
    there += [browser.Hover("#core svg.plot", bar, ["retiring", f"{cycles:,}", f"{100 * cycles / sum(those):.4g} %"])
              for bar, cycles, those in ((0, whole[0], whole), (len(whole), blocked[0], blocked))]
    if rows_of(data, "ready"):
        last = max(row["channel"] for row in rows_of(data, "ready"))
        there.append(browser.Hover("#channels figure:nth-of-type(3) svg.plot", 0,
                                   [data["channels"]["names"][last], "elements"]))
    return there


def findings_texts(data):
    if not data["findings"]:
        return {"#findings .none": "Nothing stands out."}
    first = data["findings"][0]
    return {
        ".findings li:first-child strong": first["title"],
        ".findings li:first-child p": first["text"],
        ".findings li:first-child .finding-share": f"{first['share_pct']} %",
    }


def expectations(data, shots, name):
    kernels = sorted(data["kernels"], key=lambda kernel: kernel["wavefronts"])
    return browser.Expectations(
        marks=marks(data),
        hovers=hovers(data),
        sorts=[browser.Sort("#wavefronts table", 1, [kernel["name"] for kernel in kernels]),
               *channel_sorts(data)],
        texts={
            "h1": data["title"],
            **findings_texts(data),
            **channel_texts(data),
            "#aggregator td, #aggregator tbody th": data["functions"][0]["name"],
            "#aggregator tbody tr:first-child": data["functions"][0]["largest"],
            "#aggregator .table-box ~ .table-box tbody th": data["source_functions"][0]["name"],
            "#core tbody tr:last-child": cost(data),
            "#core .table-box ~ .table-box tbody tr:first-child": f"{data['statistics']['agg.stack.retiring']:,}",
            "#core .stack-legend": "execution",
            "#split tbody tr:first-child": f"{data['statistics']['gpu.blocked.start_cycles']:,}",
            "#timeline p": "--timeline FILE",  # how to get one
            "#machine summary": f"{len(data['machine'])} keys",
        },
        shots=shots, name=name)


def main():
    data, page, shots = map(pathlib.Path, sys.argv[1:])
    problems = browser.check_page(page, expectations(json.loads(data.read_text(encoding="utf-8")), shots, page.stem))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
