#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# sluice profile: a row for each core, policy and firmware image that the command line lists, with the figures of the runs
# that have them.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

own_core() {
    printf '%s\n' '[agg]' 'core = 4way-ooo' '[core]' 'rob = 16' >mine.ini
}

# cost_of LABEL OPTION...: the row of a run with these options in the table of costs
cost_of() {
    run 0 fib 8 --quiet "${@:2}" --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --stats stats
    awk -F '[" :,]+' -v label="$1" '{ v[$2] = $3 } function number(x) { return sprintf(x < 1000 ? "%.1f" : "%.0f", x) } END {
        printf "fib 8 %s %s\n", label, number(v["agg.cycles"] / v["gpu.dispatches"]) }' stats
}

# Each row has the figures of the run that it is called after; a core of one's own is called by its file, an image likewise.
rows() {
    own_core
    cp "$build/firmware/sluice.flash" own.flash
    run 0 sluice profile --seeds 1 --cores 2way-ooo,./mine.ini --policies flat,levelized --flash built-in,own.flash 'fib 8'
    mv out table
    for image in built-in own; do
        cost_of "2way-ooo flat $image" --policy flat
        cost_of "2way-ooo levelized $image" --policy levelized
        cost_of "mine flat $image" --policy flat --config mine.ini
        cost_of "mine levelized $image" --policy levelized --config mine.ini
    done | sort >wanted
    sed -n '/^Aggregator cycles/,/^$/p' table | tr -s ' ' | sed -n 's/^\(fib 8 \S* \S* \S* \S*\) .*/\1/p' | sort | diff wanted -
    [[ $(cut -d ' ' -f 6 wanted | sort -u | wc -l) == 4 ]] || fail "rows that do not differ: $(cat wanted)"
}

# all is every built-in core; a configuration's core has the built-in name no longer, nor the paper's figures beside it.
cores() {
    own_core
    run 0 sluice profile --seeds 1 --cores all --config mine.ini 'fib 5'
    awk '/^$/ { exit } NR > 2 { sub(/ +[0-9.]+$/, ""); print }' out >shown
    printf '%s\n' simple '2-stage (changed)' '5-stage (changed)' '2way-light-ooo (changed)' '2way-ooo (changed)' \
        '4way-ooo (changed)' | diff - shown
    run 0 sluice profile --seeds 1 --cores 2way-ooo,mine.ini --set gpu.cus=8 'cilk_fib 24'
    expect out '^2way-ooo +[0-9.]+ \([0-9.]+\)$'
    expect out '^mine +[0-9.]+$'
}

# Its settings are those of the file over --config, and --set is over both.
order() {
    own_core
    printf '%s\n' '[core]' 'rob = 8' 'issue_queue = 9' >base.ini
    run 0 sluice profile --seeds 1 --out o --cores mine.ini --config base.ini --set core.load_queue=7 'fib 5'
    run 0 fib 5 --quiet --set agg.core=4way-ooo --set core.rob=16 --set core.issue_queue=9 --set core.load_queue=7 \
        --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --stats stats
    [[ $(statistic stats agg.cycles) == "$(statistic o/runs/00000/stats.json agg.cycles)" ]] || fail "another machine"
    # what was run is not run again
    find o -name status.json -printf '%p %T@\n' >first
    run 0 sluice profile --seeds 1 --out o --cores mine.ini --config base.ini --set core.load_queue=7 'fib 5'
    cmp first <(find o -name status.json -printf '%p %T@\n')
}

# us NAME: of a statistic in ns
us() {
    awk -v ns="$(statistic stats "latency.$1")" 'BEGIN { printf "%.1f", ns / 1000 }'
}

# A line for each channel that a row's runs have, whatever its name; none for launches.
latencies() {
    local channel
    run 0 sluice profile --seeds 1 --cores 2way-ooo 'cilk_fib 10' 'fib 8' 'scan 100'
    sed -n "/^How long a channel's/,\$p" out | tr -s ' ' >table
    run 0 cilk_fib 10 --quiet --set latency.measure=on --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --stats stats
    for channel in tasks continuations; do
        printf 'cilk_fib 10 2way-ooo %s %s %s %s %s\n' "$channel" "$(us $channel.ready_p50_ns)" "$(us $channel.ready_p99_ns)" \
            "$(us $channel.dispatched_p50_ns)" "$(us $channel.dispatched_p99_ns)"
    done | diff - <(grep '^cilk_fib' table)
    [[ $(wc -l <table) == 5 ]] || fail "not a title, a head, two channels and one: $(cat table)"
}

# refused MESSAGE ARGUMENT...: before anything runs
refused() {
    run 2 sluice profile --out none "${@:2}"
    expect err "$1"
    [[ ! -e none ]] || fail "it has run"
}

mistakes() {
    own_core
    cp mine.ini simple.ini
    mkdir other
    cp mine.ini other
    refused "^sluice profile: --cores: there is no core 'fancy'; all, simple .*4way-ooo, or a configuration file" --cores fancy 'fib 5'
    refused "\-\-cores: no configuration file 'no.ini': No such file" --cores no.ini 'fib 5'
    refused "\-\-cores: 'simple.ini' has the name of a built-in core" --cores simple.ini 'fib 5'
    refused "\-\-cores: two rows would be called 'mine'" --cores mine.ini,other/mine.ini 'fib 5'
    refused "\-\-cores: two rows would be called 'simple'" --cores all,simple 'fib 5'
    refused "\-\-cores simple,: a name is empty" --cores simple, 'fib 5'
    printf '[core]\nrobe = 3\n' >bad.ini
    refused "bad.ini:2: .*core.robe.*core.rob" --cores bad.ini 'fib 5'
    refused "\-\-policies: there is no policy 'fancy'; flat, levelized" --policies flat,fancy 'fib 5'
    refused "\-\-policies: program 'matmul' has no option --policy" --policies flat 'fib 5' 'matmul 32'
    refused "\-\-flash: no firmware image 'no.flash': No such file" --flash no.flash 'fib 5'
}

# Lines of the CSV have the figures of the table, with intervals; a failed run has none.
csv() {
    local line
    run 1 sluice profile --seeds 2 --cores 2way-ooo --policies levelized --csv p.csv 'fib 8' 'fib 12 --width 64'
    python3 - <<'EOF'
import csv, math, re
rows = list(csv.DictReader(open("p.csv")))
assert [(r["program"], r["core"], r["policy"], r["firmware"]) for r in rows] == \
    [("fib 8", "2way-ooo", "levelized", ""), ("fib 12 --width 64", "2way-ooo", "levelized", "")], rows
v = {name: float(text) for name, text in list(rows[0].items())[4:]}
assert all(text == "" for text in list(rows[1].values())[4:])
assert all(v[n + ".low"] <= v[n] + 1e-9 and v[n] <= v[n + ".high"] + 1e-9 for n in v if n + ".low" in v)
def total(prefix):
    return sum(v[n] for n in v if n.startswith(prefix) and n + ".low" in v)
assert math.isclose(total("blocked."), v["blocked"], abs_tol=0.01), total("blocked.")
assert math.isclose(total("phase."), 100, abs_tol=0.1), total("phase.")
assert math.isclose(total("stack."), 100, abs_tol=1e-6), total("stack.")
for thing in "dispatch", "wavefront", "element", "pass":
    share = sum(v["phase." + phase] for phase in ("predicate", "schedule", "dispatch", "retire", "yield")) / 100
    assert math.isclose(v["work." + thing], v["cycles." + thing] * share, rel_tol=0.01), thing
table = open("out").read()
row = re.search(r"^fib 8 .*levelized +(\S+) ±(\S+) ", table.split("Aggregator cycles")[1], re.M)
assert row[1] == f"{v['cycles.dispatch']:.0f}", (row[1], v["cycles.dispatch"])
assert row[2] == f"{v['cycles.dispatch.high'] - v['cycles.dispatch']:.0f}", row[2]
EOF
    run 3 sluice profile --seeds 1 --cores simple --csv no/p.csv 'fib 5'
    expect err "cannot write no/p.csv: No such file"
}

# A row's functions are those of its run's report by function, the most expensive first.
functions() {
    run 1 sluice profile --seeds 1 --cores simple,4way-ooo --page p.html 'fib 8' 'fib 12 --width 64'
    sed -n '/by function of the firmware/,$p' out >shown
    local core
    for core in simple 4way-ooo; do
        run 0 fib 8 --quiet --set agg.core=$core --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --report $core.json
    done
    python3 - <<'EOF'
import collections, json, re
shown, page = open("shown").read(), open("p.html").read()
assert len(re.findall(r"^fib 12 --width 64 .* failed$", shown, re.M)) == 2, shown
for core in "simple", "4way-ooo":
    report = json.load(open(core + ".json"))
    cycles = report["statistics"]["agg.cycles"]
    sums = collections.Counter()
    for one in report["functions"]:
        sums[one["name"]] += one["cycles"] # of both functions `begin`
    first = sorted(sums, key=lambda name: (-sums[name], name))[:8]
    wanted = "; ".join(f"{name} {100 * sums[name] / cycles:.1f}" for name in first)
    assert re.search(rf"^fib 8 +{core} +(.*)$", shown, re.M)[1] == wanted, (shown, wanted)
    assert f'["{core}","{first[0]}",' in page, core
EOF
    # An image without its ELF file has all other figures.
    cp "$build/firmware/sluice.flash" own.flash
    run 0 sluice profile --seeds 1 --cores simple --flash own.flash 'fib 8'
    expect out '^fib 8 +simple +own +no ELF file beside the image$'
    cp "$build/firmware/sluice.elf" own.elf
    run 0 sluice profile --seeds 1 --cores simple --flash own.flash 'fib 8'
    expect out '^fib 8 +simple +own +flat_passes [0-9]'
}

# The page has the cores' bars, and says of the machine only what all rows have.
page() {
    own_core
    run 0 sluice profile --seeds 1 --cores 2way-ooo,mine.ini --policies flat,levelized --page p.html 'fib 5'
    expect p.html '"x":"mine"'
    expect p.html '"name":"levelized"'
    expect p.html '\["gpu.cus","8"\]'
    ! grep -qE '\["(agg.core|core.rob)",' p.html || fail "a core's keys are said to be those of all"
    run 3 sluice profile --seeds 1 --cores simple --page no/p.html 'fib 5'
}

check "rows" rows
check "cores" cores
check "order of settings" order
check "latencies" latencies
check "CSV" csv
check "functions" functions
check "page" page
check "mistakes" mistakes
