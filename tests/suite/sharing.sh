#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Who shares what (mem.sharing; docs/look-up/memory-moesi.md, "Who shares what"): laws of the figures on every memory system, the
# patterns of programs whose sharing is known, and that looking changes nothing of what is simulated.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# laws FILE: what holds within each allocation of each kernel, and of all of them together.
laws() {
    awk -F '[": ,]+' '
        $2 ~ /^simt\./ { simt[$2] = $3 }
        $2 ~ /^sharing\..*\..*\./ && $2 !~ /\.patterns\./ {
            split($2, part, ".")
            row = part[2] "." part[3]
            name = substr($2, length("sharing." row ".") + 1)
            rows[row]
            figure[row, name] = $3
            if (name ~ /^lines\.cus_/) { bins[row] += $3 }
            sum[name] += $3
        }
        function law(row, text, holds) { if (!holds) { print row ": not " text; failed = 1 } }
        function of(row, name) { return figure[row, name] }
        END {
            for (row in rows) {
                count++
                law(row, "bins add up", bins[row] == of(row, "lines.touched"))
                law(row, "a line is touched", of(row, "lines.touched") > 0 && of(row, "launches") > 0)
                law(row, "shared lines are of several",
                    of(row, "lines.shared") <= of(row, "lines.touched") - of(row, "lines.cus_1"))
                law(row, "compute units of lines", of(row, "lines.cus") >= of(row, "lines.touched"))
                law(row, "compute units of shared lines", of(row, "lines.shared_cus") <= of(row, "lines.cus"))
                law(row, "words", of(row, "words.shared") <= of(row, "words.touched"))
                law(row, "compared", of(row, "irregular") <= of(row, "compared"))
                split("loads stores atomics", kinds, " ")
                for (k in kinds) {
                    law(row, "lines of " kinds[k], of(row, kinds[k] ".lines") >= of(row, kinds[k] ".least_lines"))
                    law(row, "lanes of " kinds[k], of(row, kinds[k] ".lanes") >= of(row, kinds[k] ".instructions"))
                }
            }
            law("all", "there are rows", count > 0)
            law("all", "loads of lanes: " sum["loads.lanes"] " of " simt["simt.lane_loads"],
                sum["loads.lanes"] == simt["simt.lane_loads"])
            law("all", "stores of lanes: " sum["stores.lanes"] " of " simt["simt.lane_stores"],
                sum["stores.lanes"] == simt["simt.lane_stores"])
            exit failed
        }' "$1" || fail "laws of $1"
}

# lawful SYSTEM PROGRAM ARGUMENT...
lawful() {
    run 0 "${@:2}" --quiet --set mem.system="$1" --stats stats --set mem.sharing=on
    laws stats
}

# unchanged PROGRAM ARGUMENT...: the other figures are those of a run without; equal runs are equal.
unchanged() {
    run 0 "$@" --quiet --stats plain
    run 0 "$@" --quiet --stats first --set mem.sharing=on
    run 0 "$@" --quiet --stats second --set mem.sharing=on
    ! grep -q sharing plain || fail "figures without mem.sharing"
    grep -q '"sharing' first || fail "no figures with mem.sharing"
    expect_same_statistics first second
    grep -v '"sharing' first | sed 's/,$//' >less
    sed 's/,$//' plain >all
    expect_same_statistics all less
}

# patterns KERNEL "PATTERN..." PROGRAM ARGUMENT...: the patterns that the kernel has.
patterns() {
    local found
    run 0 "${@:3}" --quiet --stats stats --set mem.sharing=on
    found=$(sed -En "s/.*\"sharing\\.$1\\.patterns\\.([a-z_]+)\": [1-9].*/\\1/p" stats | tr '\n' ' ')
    [[ ${found% } == "$2" ]] || fail "patterns of $1: '$found', wanted '$2'"
}

for system in $(memory_systems); do
    check "laws on $system: stream" lawful "$system" stream 1
    check "laws on $system: qr_spmv" lawful "$system" qr_spmv 1000
    check "laws on $system: fib" lawful "$system" fib 12
done
check "laws on 64 compute units" lawful moesi qr_matrixmul 256 --set gpu.cus=64
check "unchanged: launches" unchanged qr_spmv 1000
check "unchanged: a graph" unchanged cilk_fib 14
check "unchanged: locks" unchanged apriori 500
check "patterns: read once" patterns stream_read 'broadcast coalesced atomic' stream 1
check "patterns: a table for all" patterns dct_kernel 'broadcast coalesced' qr_dct 64
check "patterns: rows of a lane each" patterns spmv_kernel 'dynamic non_coalesced' qr_spmv 1000
check "patterns: a histogram" patterns histogram_kernel 'broadcast coalesced atomic' histogram 20000
