#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Profiles and timelines: callgrind_annotate reads the one, a script checks the other against its format, what
# both say adds up to the statistics, and the statistics are what they are without them.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
lib=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lib

# annotate OPTION...: what callgrind_annotate says of the profile, numbers without commas
annotate() {
    callgrind_annotate "$@" profile >annotated 2>err || fail "callgrind_annotate: $(cat err)"
    [[ ! -s err ]] || fail "callgrind_annotate warns: $(cat err)"
    sed -i ':a; s/\([0-9]\),\([0-9]\{3\}\)/\1\2/; ta; s/([^)]*)//g' annotated
}

# total COLUMN: of the whole profile
total() {
    awk -v column="$1" '/PROGRAM TOTALS/ { print $column }' annotated
}

figure() {
    awk -F= -v name="$1" '$1 == name { value = $2 } END { print value + 0 }' figures
}

is() {
    (($2 == $3)) || fail "$1: $2, wanted $3"
}

check_timeline() {
    with_python "$lib/check_trace.py" timeline >figures 2>err || fail "not a trace: $(cat err)"
}

# The phases of the statistics add up, and the timeline's are the same, in ps.
check_phases() {
    local phase sum=0 cycles
    for phase in other poll predicate schedule dispatch retire yield mailbox; do
        cycles=$(statistic stats "agg.phase.${phase}_cycles")
        sum=$((sum + cycles))
        is "phase $phase of the timeline" "$(figure "phase_ps.$phase")" $((500 * cycles))
    done
    is "sum of phases" "$sum" "$(statistic stats agg.cycles)"
    is "length of the run" "$(figure run_ps)" $((500 * sum))
}

# Each class of the cycle stack is a column whose total is the statistic. The classes of a line, and of a call, are its
# cycles; no line has more of one than all have, as it would if another line were charged for it.
check_stack() {
    local name event column classes=0
    while read -r name; do
        event=${name#agg.stack.}
        column=$(sed -n 's/^events: //p' profile | tr ' ' '\n' | grep -nx "${event//./_}" | cut -d : -f 1)
        [[ -n $column ]] || fail "no column for $name"
        is "$name of the profile" "$(total "$column")" "$(statistic stats "$name")"
        classes=$((classes + 1))
    done < <(grep -o 'agg\.stack\.[a-z0-9_.]*' stats)
    ((classes > 0)) || fail "statistics without a cycle stack"
    awk -v classes="$classes" '
        /^events:/ { first = NF - classes + 1 }
        /^totals:/ { for (i = first; i <= NF; i++) { if (most[i] > $i) { bad = bad " totals:" $i "<" most[i] } } }
        /^calls=/ { is_call = 1; next }
        !/^[0-9]/ { next }
        {
            sum = 0
            for (i = first; i <= NF; i++) {
                sum += $i
                if (!is_call && $i > most[i]) { most[i] = $i }
            }
            if (sum != $2) { bad = bad " " FNR }
            is_call = 0
        }
        END { if (bad != "") { print bad; exit 1 } }' profile >bad || fail "cycles are not those of the classes: $(cat bad)"
}

# observed PROGRAM ARGUMENT...
observed() {
    run 0 "$@" --quiet --stats plain
    run 0 "$@" --quiet --stats stats --profile profile --timeline timeline
    [[ ! -s err ]] || fail "something on standard error: $(cat err)"
    expect_same_statistics plain stats
    annotate
    is "cycles of the profile" "$(total 1)" "$(statistic stats agg.cycles)"
    is "its instructions" "$(total 2)" "$(statistic stats agg.instructions)"
    is "its L1I misses" "$(total 3)" "$(statistic stats agg_l1i.misses)"
    is "its L1D misses" "$(total 4)" "$(statistic stats agg_l1d.misses)"
    is "its mispredictions" "$(total 5)" "$(statistic stats agg.mispredictions)"
    check_stack
    check_timeline
    is "events lost" "$(figure lost)" 0
    check_phases
    is "slices of wavefronts" "$(figure slices)" \
        $(($(statistic stats gpu.wavefronts) + $(statistic stats gpu.restarts)))
    is "restarted ones" "$(figure restarted)" "$(statistic stats gpu.restarts)"
    is "yields" "$(figure instants.yield)" "$(statistic stats gpu.yields)"
    note "$(total 1) cycles, $(figure slices) slices, $(wc -c <timeline) bytes of timeline"
}

# moved OPTION...: what the timeline has DRAM move is what it moves, but for what is rounded of each interval
moved() {
    local bytes moved
    run 0 stream 1 --quiet --stats stats --timeline timeline --set agg.core=2way-ooo "$@"
    check_timeline
    bytes=$(statistic stats dram.bytes)
    moved=$(figure dram_bytes)
    ((moved * 100 > bytes * 99 && moved * 99 < bytes * 100)) || fail "the timeline has $moved bytes, the statistics $bytes"
}

# All but a few instructions are below the run's outermost function, and the tree below adds up.
calls() {
    run 0 cilk_fib 16 --quiet --stats stats --profile profile
    annotate --inclusive=yes
    local cycles run loop
    cycles=$(statistic stats agg.cycles)
    run=$(awk '/run\.c:run_execute *$/ { print $1 }' annotated)
    loop=$(awk '/levelized\.c:levelized_passes *$/ { print $1 }' annotated)
    ((run <= cycles && 1000 * run >= 995 * cycles)) || fail "run_execute: $run of $cycles cycles"
    ((loop < run && 100 * loop >= 60 * run)) || fail "levelized_passes: $loop of $run cycles"
    expect annotated 'policies/levelized\.c:choose'
    expect profile '^calls=[0-9]+ [0-9]+$'
}

# Lines are those of the sources: what is on those of agg_phase() are the firmware's marks, under a hundredth
# of all cycles. On a core that executes one instruction at a time, that is what they cost; out of order, an
# instruction's line is also charged what it waits for at commit.
marks() {
    run 0 "$@" --config ideal --quiet --stats stats --profile profile
    local line cycles
    line=$(grep -n 'sb zero' "$root/hal/aggregator/device.h" | cut -d : -f 1)
    cycles=$(awk -v line="$line" '
        /^f[lie]=/ { sub(/^f[lie]=/, ""); file = $0 }
        /^calls=/ { getline; next }
        /^[0-9]/ && file == "hal/aggregator/device.h" && $1 >= line && $1 <= line + 2 { sum += $2 }
        END { print sum + 0 }' profile)
    ((cycles > 0)) || fail "no marks in the profile"
    ((100 * cycles < $(statistic stats agg.cycles))) || fail "$cycles of $(statistic stats agg.cycles) cycles"
    note "$cycles of $(statistic stats agg.cycles) cycles"
}

# The figures of all runs of a program: the profile's total is the sum of its runs'.
several() {
    run 0 bitonic 1024 --separate --quiet --stats plain
    run 0 bitonic 1024 --separate --quiet --stats stats --profile profile --timeline timeline
    expect_same_statistics plain stats
    check_timeline
    annotate
    (($(figure runs) > 1)) || fail "runs: $(figure runs)"
    is "cycles of the profile" $((500 * $(total 1))) "$(figure run_ps)"
    is "phases" "$(figure phase_ps)" "$(figure run_ps)"
    note "$(figure runs) runs"
}

# Bandwidth is recorded where there is DRAM.
dram() {
    run 0 cilk_fib 18 --quiet --timeline timeline --set mem.system=moesi
    check_timeline
    expect figures '^counter\.DRAM='
    run 0 cilk_fib 18 --quiet --timeline timeline --set mem.system=flat
    check_timeline
    if grep -q '^counter\.DRAM=' figures; then
        fail "DRAM where there is none"
    fi
}

# An element is ready until its wavefront begins, also where the firmware stores later that it has dispatched it.
ready() {
    run 0 queens 9 --quiet --timeline timeline
    with_python - timeline <<'PYTHON' >figures 2>err || fail "$(cat err)"
import json, sys

events = json.load(open(sys.argv[1], encoding="utf-8"))["traceEvents"]
begun = min(event["ts"] for event in events if event.get("cat") == "wavefront" and event["ph"] == "B")
roots = [(event["ts"], event["args"]["ready"]) for event in events if event["ph"] == "C" and event["name"] == "tasks level 0"]
assert roots[0][1] == 1 and roots[0][0] <= begun, roots
assert roots[1][1] == 0 and begun <= roots[1][0] <= begun + 5, (begun, roots)
PYTHON
}

repeated() {
    local i
    for i in 1 2; do
        run 0 cilk_fib 18 --width 256 --quiet --profile "profile$i" --timeline "timeline$i"
    done
    cmp profile1 profile2 && cmp timeline1 timeline2
}

# What finds no room is counted and told, and what is there is in the format.
lost() {
    run 0 cilk_fib 18 --quiet --stats plain --timeline timeline
    check_timeline
    local records
    records=$(figure records)
    run 0 cilk_fib 18 --quiet --stats stats --timeline timeline --set timeline.events=500
    expect_same_statistics plain stats
    expect err "^cilk_fib: the timeline 'timeline' ends early: $((records - 500)) events beyond timeline.events = 500 were lost\$"
    check_timeline
    is "records" "$(figure records)" 500
    is "lost" "$(figure lost)" $((records - 500))
    is "instants" "$(figure instants.lost)" 1
}

faulted() {
    run 3 faults null --quiet --profile profile --timeline timeline
    check_timeline
    annotate
    (($(total 1) > 0)) || fail "an empty profile"
}

# in_order [STATE]: figures of latencies in nanoseconds, in the order in which they may grow.
in_order() {
    local of=latency.${1-}
    awk -v p50="$(statistic stats "${of}p50_ns")" -v p90="$(statistic stats "${of}p90_ns")" \
        -v p99="$(statistic stats "${of}p99_ns")" -v max="$(statistic stats "${of}max_ns")" \
        -v mean="$(statistic stats "${of}mean_ns")" \
        'BEGIN { exit !(0 < p50 && p50 <= p90 && p90 <= p99 && p99 <= max && 0 < mean && mean <= max) }' ||
        fail "percentiles: $(grep latency stats)"
}

# Channels' elements and times add up to those of all.
channels_add_up() {
    awk -F'"' '/"latency\./ { value[$2] = substr($3, 3) + 0 }
    function check(state, all,    name, elements, times, wanted) {
        for (name in value) {
            if (match(name, "^latency\\..+\\." state "_elements$")) {
                elements += value[name]
                sub(/elements$/, "mean_ns", name)
                times += value[name] * value[substr(name, 1, length(name) - 7) "elements"]
            }
        }
        wanted = value[all "elements"] * value[all "mean_ns"]
        if (elements != value[all "elements"] || elements == 0 || (times / wanted - 1) ^ 2 > 1e-20) {
            printf "%s: %d elements, %.15g ns; wanted %d, %.15g\n", state, elements, times, value[all "elements"], wanted
        }
    }
    END { check("ready", "latency."); check("dispatched", "latency.dispatched_") }' stats >wrong
    [[ ! -s wrong ]] || fail "channels: $(cat wrong)"
}

# latencies PROGRAM ARGUMENT...: every element has one, measuring changes nothing else and is the same again.
latencies() {
    run 0 "$@" --quiet --stats plain
    run 0 "$@" --quiet --stats stats --set latency.measure=on
    run 0 "$@" --quiet --stats again --set latency.measure=on --profile profile --timeline timeline
    expect_same_statistics stats again
    sed '/"latency\.[^"]*\./d; s/\("latency\..*\): .*,/\1: 0,/; s/\(latency.*_ns": 0\),/\1.0,/' stats | sed -z 's/,\n}/\n}/' >less
    expect_same_statistics plain less
    is "elements measured" "$(statistic stats latency.elements)" "$(statistic stats gpu.elements)"
    is "dispatched elements" "$(statistic stats latency.dispatched_elements)" "$(statistic stats gpu.elements)"
    in_order
    in_order dispatched_
    channels_add_up
    note "half of $(statistic stats latency.elements) within $(statistic stats latency.p50_ns) ns, the last $(statistic stats latency.max_ns)"
}

# A predicate that waits for more elements delays those that are ready, and not their wavefronts.
delayed() {
    local ready dispatched
    run 0 fib 16 --quiet --predicate always --stats stats --set latency.measure=on
    ready=$(statistic stats latency.fib.ready_p50_ns)
    dispatched=$(statistic stats latency.fib.dispatched_max_ns)
    run 0 fib 16 --quiet --predicate at_least:1000 --stats stats --set latency.measure=on
    channels_add_up
    awk -v now="$(statistic stats latency.fib.ready_p50_ns)" -v before="$ready" 'BEGIN { exit !(now > 10 * before) }' ||
        fail "half are ready for $(statistic stats latency.fib.ready_p50_ns) ns, and $ready without a wait"
    awk -v now="$(statistic stats latency.fib.ready_p50_ns)" -v wave="$(statistic stats latency.fib.dispatched_max_ns)" \
        -v before="$dispatched" 'BEGIN { exit !(wave < now / 2 && before < now / 2) }' ||
        fail "dispatched for $(statistic stats latency.fib.dispatched_max_ns) ns, $dispatched"
    note "half are ready for $(statistic stats latency.fib.ready_p50_ns) ns, $ready without a wait"
}

# Work-groups are no elements.
no_latencies() {
    run 0 matmul 32 --quiet --stats plain
    run 0 matmul 32 --quiet --stats stats --set latency.measure=on
    expect_same_statistics plain stats
    is "elements measured" "$(statistic stats latency.elements)" 0
}

# bad STATUS PATTERN ARGUMENT...
bad() {
    run "$1" fib 10 --quiet "${@:3}"
    expect err "$2"
}

other_firmware() {
    cp "$build/firmware/sluice.elf" other.elf
    # One byte of the code is another one: the file is not what was flashed.
    local offset
    offset=$(readelf -lW other.elf | awk '$1 == "LOAD" && $3 == "0x0000000080000000" { print $2 }')
    printf '\377' | dd of=other.elf bs=1 seek=$((offset + 64)) conv=notrunc status=none
    bad 2 "profile\.firmware: file 'other\.elf' is not what the flash image was made of" \
        --profile profile --set profile.firmware=other.elf
    bad 2 "profile\.firmware: file 'other\.elf' is not what the flash image was made of" \
        --trace trace --trace-filter what=firmware --set profile.firmware=other.elf
}

elsewhere() {
    cp "$build/firmware/sluice.flash" here.flash
    bad 2 "profile\.firmware: file 'here\.elf' cannot be opened: No such file" \
        --profile profile --set host.flash=here.flash
    cp "$build/firmware/sluice.elf" here.elf
    run 0 fib 10 --quiet --profile profile --set host.flash=here.flash
}

check "fib 20" observed fib 20
check "queens 8" observed queens 8
check "cilk_fib 20 that yields" observed cilk_fib 20 --width 256
for core in 2-stage 5-stage 2way-light-ooo 2way-ooo 4way-ooo; do
    check "cilk_fib 16 that yields, $core" observed cilk_fib 16 --width 256 --set agg.core=$core
done
for core in simple 2way-ooo; do
    check "cilk_fib 18, caches, $core" observed cilk_fib 18 --set agg.core=$core --set mem.system=moesi
done
check "DRAM" dram
check "a launch" observed matmul 32
check "bytes of DRAM, lines of 64 bytes" moved --set mem.system=moesi
check "bytes of DRAM, lines of 32 bytes" moved --config hybrid
check "several launches" several
check "calls" calls
check "marks of fib 24" marks fib 24
check "marks of cilk_fib 20" marks cilk_fib 20
check "latencies: fib 20" latencies fib 20
check "latencies: fib 18, flat" latencies fib 18 --set mem.system=flat --set agg.core=simple
check "latencies: fib 16, each lane by itself" latencies fib 16 --variant workitem
check "latencies: cilk_fib 20 that yields" latencies cilk_fib 20 --width 256
check "latencies: queens 8, narrow wavefronts" latencies queens 8 --set gpu.lanes=16 --set front.memory=coherent
check "latencies: several graphs that wrap" latencies wrap
check "latencies: two stacks" latencies cilk_fib 18
check "latencies: a predicate that waits" delayed
check "latencies: a launch" no_latencies
check "elements that are ready" ready
check "repeated" repeated
check "more events than there is room for" lost
check "a run that faults" faulted
check "profile in no folder" bad 2 "^fib: --profile: cannot write 'no/such/folder/p': No such file" --profile no/such/folder/p
check "a folder for a timeline" bad 2 "^fib: --timeline: cannot write '/': Is a directory" --timeline /
check "the same as settings" bad 2 "profile\.file: cannot write '/no/such/p': No such file" --set profile.file=/no/such/p
check "profile on a full disk" bad 3 "profile\.file: cannot write '/dev/full': No space left" --profile /dev/full
check "timeline on a full disk" bad 3 "timeline\.file: cannot write '/dev/full': No space left" --timeline /dev/full
check "firmware file that is none" bad 2 "profile\.firmware: file '/etc/passwd' is not an ELF file" --profile p --set profile.firmware=/etc/passwd
check "a kernel file for the firmware" bad 2 "profile\.firmware: file '.*fib\.elf' has no code at 0x80000000" --profile p --set "profile.firmware=$build/kernels/fib.elf"
check "another firmware" other_firmware
check "firmware elsewhere" elsewhere
