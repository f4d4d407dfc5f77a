#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Traces of instructions and samples of statistics (docs/do/trace.md): they add up to the statistics, which are what they
# are without them; filters leave out what they say; equal runs have equal files; what cannot be written is told.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

is() {
    [[ $2 == "$3" ]] || fail "$1: $2, wanted $3"
}

# lines [CONDITION [FILE]]: of wavefronts' instructions, those that an awk condition holds for
lines() {
    awk "/^ / && \$2 != \"agg\" && \$9 != \"<-\" && (${1:-1}) { n++ } END { print n + 0 }" "${2:-trace}"
}

# Bits of all masks.
lanes() {
    awk '!/^#/ && $2 != "agg" && $9 != "<-" { count[$6]++ }
         END { for (mask in count) print count[mask], mask }' trace |
        with_python -c 'import sys
print(sum(int(n) * int(mask, 16).bit_count() for n, mask in map(str.split, sys.stdin)))'
}

# traced PROGRAM ARGUMENT...
traced() {
    run 0 "$@" --quiet --stats plain
    run 0 "$@" --quiet --stats stats --trace trace --sample 500:samples --trace-filter what=both
    [[ ! -s err ]] || fail "something on standard error: $(cat err)"
    expect_same_statistics plain stats
    is "lines" "$(lines)" "$(statistic stats simt.wave_instructions)"
    is "lanes" "$(lanes)" "$(statistic stats simt.lane_instructions)"
    is "wavefronts" "$(awk '/^#/ { run++ } $2 != "agg" && !/^#/ { print run, $3 }' trace | sort -u | wc -l)" \
        "$(statistic stats gpu.wavefronts)"
    is "lines of the firmware" "$(awk '$2 == "agg" { n++ } END { print n }' trace)" \
        "$(statistic stats agg.instructions)"
    sort -c -s -k 1,1n <(sed '/^#/d' trace) || [[ $(grep -c '^# run' trace) -gt 1 ]] || fail "not in order of time"
    note "$(lines) instructions of wavefronts"
}

fib_traced() {
    traced fib 10
}

machines_traced() {
    traced cilk_fib 8 --set mem.system=quickrelease --set gpu.cus=3
    traced queens 5 --set mem.system=flat --set agg.core=simple
}

# Several runs, each from time zero.
runs_traced() {
    traced bitonic 1024 --separate
    (($(grep -c '^# run' trace) > 1)) || fail "runs: $(grep -c '^# run' trace)"
    is "runs of samples" "$(tail -n 1 samples | cut -d, -f1)" "$(grep -c '^# run' trace)"
}

equal_runs() {
    local filter=registers=on,what=both
    run 0 fib 10 --quiet --trace first --sample 100:first.csv --trace-filter $filter
    run 0 fib 10 --quiet --trace second --sample 100:second.csv --trace-filter $filter
    cmp first second || fail "traces of two runs differ"
    cmp first.csv second.csv || fail "samples of two runs differ"
}

# Values: a register that is read has what was written last, by wavefront.
registers() {
    run 0 fib 10 --quiet --trace trace --trace-filter registers=on --stats stats
    is "instructions" "$(lines)" "$(statistic stats simt.wave_instructions)"
    # add d,s,t of wavefronts in which all three have one value.
    awk '
        $9 == "<-" { split($10, v, "="); value[$3, v[1]] = v[2] }
        / ; / {
            split($NF, v, "=")
            split($10, r, ",")
            if ($9 == "add" && value[$3, r[2]] ~ /^0x/ && value[$3, r[3]] ~ /^0x/ && v[2] ~ /^0x/) {
                print value[$3, r[2]], value[$3, r[3]], v[2]
            }
            value[$3, v[1]] = v[2]
        }
        $9 == "lw" || $9 == "ld" || $9 == "lwu" || $9 ~ /^(amo|lr|sc)/ { split($10, r, ","); delete value[$3, r[1]] }
    ' trace >sums
    (($(wc -l <sums) > 10)) || fail "only $(wc -l <sums) sums"
    with_python -c 'import sys
for line in sys.stdin:
    a, b, c = (int(word, 16) for word in line.split())
    assert (a + b) % 2**64 == c, line' <sums || fail "a sum is wrong"
    note "$(wc -l <sums) sums"
}

# shellcheck disable=SC2016 # columns of awk
filters() {
    run 0 fib 10 --quiet --trace all
    run 0 fib 10 --quiet --trace trace --trace-filter wave=2,4-5,from=9us,to=0.012ms
    grep '^#' all >wanted
    awk '!/^#/ && ($3 == "w2" || $3 == "w4" || $3 == "w5") && $1 >= 9000 && $1 < 12000' all >>wanted
    cmp wanted trace || fail "wavefronts and times"
    run 0 fib 10 --quiet --trace trace --trace-filter cu=1,function=sl_enq
    is "function" "$(lines)" "$(lines '$2 == "cu1" && $8 ~ /^sl_enq\+/' all)"
    (($(lines) > 10)) || fail "only $(lines) lines of sl_enq"
    run 0 fib 10 --quiet --trace trace --set trace.pc=0x80400000,0x80400010-0x8040001f
    is "addresses" "$(lines)" "$(lines '$7 == "80400000" || $7 ~ /^8040001/' all)"
    run 0 fft 16 --quiet --trace trace --trace-filter kernel='fft_f*'
    is "kernels" "$(lines)" "$(lines '$5 ~ /^fft_f/')"
    run 0 fib 10 --quiet --trace trace --trace-filter lines=7
    is "limit" "$(lines)" 7
    expect trace "^# run 1: $(($(lines 1 all) - 7)) more lines are left out"
    run 0 fib 10 --quiet --trace trace --trace-filter lines=0,what=firmware,function='dispatch_*'
    is "wavefronts of the firmware" "$(lines)" 0
    ! grep -v -e '^#' -e ' dispatch_' trace || fail "other functions"
}

# sums [PROGRAM ARGUMENT...]: each count adds up to the statistic
sums() {
    run 0 "$@" --quiet --stats stats --sample 777:samples --set 'sample.statistics=*,sim.*'
    with_python - <<'END' || fail "sums"
import csv, json
rows = list(csv.DictReader(open("samples")))
whole = json.load(open("stats"))
counts = 0
assert len(rows) > 5
for name in set(rows[0]) - {"gpu.blocked.end_cycles"}:
    assert all(float(row[name]) >= 0 for row in rows), (name, [row[name] for row in rows])
for name, value in whole.items():
    if not isinstance(value, int) or name not in rows[0] or "_max" in name or name.startswith("throttle.bound"):
        continue
    if name in ("trees.bytes", "memory.wavefront_state_bytes"):
        continue
    assert sum(int(row[name]) for row in rows) == value, name
    counts += 1
assert counts > 100, counts
cycles = [int(row["gpu.cycles"]) for row in rows]
for name in "gpu.active_pct", "gpu.stalled_pct", "gpu.blocked_on_agg_pct", "gpu.issue_pct":
    mean = sum(float(row[name]) * n for row, n in zip(rows, cycles)) / sum(cycles)
    assert abs(mean - whole[name]) < 1e-3, (name, mean, whole[name])
assert all(n == 777 for n in cycles[:-1]) or int(rows[-1]["run"]) > 1
END
    note "$(wc -l <samples) rows"
}

samples() {
    sums fib 16
    sums cilk_fib 12 --set mem.system=quickrelease --set agg.core=5-stage
}

places() {
    run 0 fib 8 --quiet --trace -
    is "standard output" "$(lines 1 out)" "$(statistic_of_fib)"
    expect out '^fib\(8\) = 21$'
    mkfifo fifo
    wc -l <fifo >count &
    run 0 fib 8 --quiet --trace fifo
    wait
    is "FIFO" "$(<count)" $(($(statistic_of_fib) + 2))
    run 0 fib 8 --quiet --sample 1000
    (($(wc -l <samples.csv) > 5)) || fail "samples.csv: $(cat samples.csv)"
}

statistic_of_fib() {
    [[ -s eight ]] || "$bin/fib" 8 --quiet --stats eight >/dev/null
    statistic eight simt.wave_instructions
}

mistakes() {
    run 3 fib 8 --quiet --trace /dev/full
    expect err "trace.file: cannot write '/dev/full': No space left on device"
    run 3 fib 8 --quiet --sample 100:/dev/full
    expect err "sample.file: cannot write '/dev/full'"
    status=0
    { "$bin/fib" 14 --quiet --trace - 2>err || status=$?; echo "$status" >status; } | head -n 1 >/dev/null
    is "closed pipe" "$(<status)" 3
    expect err "trace.file: cannot write '-': Broken pipe"
    run 2 fib 8 --trace no/where
    run 2 fib 8 --trace trace --trace-filter kernel=fib
    expect err "no kernel has the name 'fib'; there are: fib_kernel, fib_kernel_padded, fib_kernel_soa"
    run 2 fib 8 --trace trace --trace-filter function=nope,what=both
    expect err "trace.function: no function has the name 'nope'"
    run 2 fib 8 --trace trace --trace-filter wave=x
    expect err "trace.wave: 'x' is neither a number nor a range"
    run 2 fib 8 --trace trace --trace-filter wave
    expect err "'wave' is not KEY=VALUE"
    run 0 fib 8 --quiet --trace trace --trace-filter "wave=$(seq -s, 1001 1101),cu=0" # 505 characters
    run 2 fib 8 --trace trace --trace-filter "wave=$(seq -s, 1001 1110),cu=0"
    expect err "value longer than 511 characters"
    run 2 fib 8 --trace trace --trace-filter "wave=$(seq -s, 1001 1250),cu=0"
    expect err "what begins with 'wave=1001' is longer than [0-9]+ characters"
    run 2 fib 8 --trace trace --trace-filter from=12us,to=12us
    expect err "trace.to: no time lies from trace.from on and before it"
    run 2 fib 8 --trace trace --trace-filter nope=1
    run 2 fib 8 --trace-filter wave=1
    run 2 fib 8 --sample 0
    run 2 fib 8 --sample many
    run 2 fib 8 --sample 100 --set sample.statistics=gpu.nothing
    expect err "sample.statistics: no statistic has the name 'gpu.nothing'"
    run 2 fib 8 --sample 100 --set sample.statistics=trees.forks
    expect err "known at the end of a run alone"
}

# A program that faults has a trace up to there.
faults() {
    run 3 faults trap --trace trace
    expect trace 'sl.trap 20,'
}

check "fib: lines, lanes and wavefronts are those of the statistics" fib_traced
check "other machines" machines_traced
check "several runs" runs_traced
check "equal runs have equal files" equal_runs
check "registers" registers
check "filters" filters
check "samples add up to the statistics" samples
check "standard output, FIFO, samples.csv" places
check "what is wrong is told" mistakes
check "a fault" faults
