#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Profiles of kernels: callgrind_annotate and `sluice annotate` read them, what they say adds up to the statistics, to the
# last unit, and looking changes nothing of what is simulated.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

is() {
    (($2 == $3)) || fail "$1: $2, wanted $3"
}

# total EVENT: of the whole profile, as its file says
total() {
    awk -v event="$1" '
        $1 == "events:" { for (i = 2; i <= NF; i++) { column[$i] = i } }
        $1 == "totals:" { printf "%d", $column[event] }' profile
}

# kernels FIGURE: of all kernels together, as the statistics say
kernels() {
    awk -F '[": ,]+' -v figure="$1" '
        index($2, "kernel.") == 1 { split($2, part, "."); name = substr($2, length(part[1] "." part[2] ".") + 1) }
        index($2, "kernel.") == 1 && name == figure { sum += $3 }
        END { printf "%d", sum }' stats
}

# Events of the file, and what they are called in the statistics.
names() {
    printf '%s\n' 'Cycles resident_cycles' 'Wi wave_instructions' 'Li lane_instructions' 'Lines line_accesses' \
        'L1m l1_misses' 'L2m l2_misses'
    sed -n 's/^SL_STALL([A-Z0-9_]*, "\([a-z0-9_]*\)".*/\1 cycles.\1/p' "$root/hal/contract/stalls.def"
}

# What is of kernels, as the file, the statistics and the CSV of its lines have it.
agree() {
    local event name whole sums number=0
    "$bin/sluice" annotate profile --csv >lines.csv
    read -ra sums < <(awk -F, 'NR > 1 { for (i = 5; i <= NF; i++) { sum[i] += $i }; columns = NF }
        END { for (i = 5; i <= columns; i++) { printf "%d ", sum[i] } }' lines.csv) || true # the file's end
    while read -r event name; do
        whole=$(total "$event")
        is "$name of the statistics" "$(kernels "$name")" "$whole"
        is "$name of all lines" "${sums[number]}" "$whole"
        number=$((number + 1))
    done < <(names)
}

# The reasons of each line are all of its cycles.
reasons() {
    awk -F, 'NR > 1 { sum = 0; for (i = 11; i <= NF; i++) { sum += $i }; if (sum != $5) { print; failed = 1 } }
        END { exit failed || NR < 2 }' lines.csv || fail "lines whose reasons do not add up"
}

annotate() {
    callgrind_annotate "$@" profile >annotated 2>err || fail "callgrind_annotate: $(cat err)"
    [[ ! -s err ]] || fail "callgrind_annotate warns: $(cat err)"
}

# profiled PROGRAM ARGUMENT...
profiled() {
    run 0 "$@" --quiet --stats plain
    run 0 "$@" --quiet --stats stats --kernel-profile profile
    [[ ! -s err ]] || fail "something on standard error: $(cat err)"
    ! grep -q '"kernel\.' plain || fail "figures of kernels without --kernel-profile"
    grep -v '"kernel\.' stats | sed 's/,$//' >less
    sed 's/,$//' plain >all
    expect_same_statistics all less
    agree
    reasons
    is "wave instructions" "$(total Wi)" "$(statistic stats simt.wave_instructions)"
    is "lane instructions" "$(total Li)" "$(statistic stats simt.lane_instructions)"
    annotate --auto=no
    expect annotated 'PROGRAM TOTALS'
    note "$(total Cycles) cycles of $(grep -c '^ob=' profile) kernels"
}

# misses PROGRAM ARGUMENT...: on a machine whose L1 caches serve nothing but the wavefronts' own accesses
misses() {
    run 0 "$@" --quiet --stats stats --kernel-profile profile
    is "line accesses" "$(total Lines)" "$(statistic stats l1d.accesses)"
    is "L1 misses" "$(total L1m)" "$(statistic stats l1d.misses)"
}

repeated() {
    local i
    for i in 1 2; do
        run 0 cilksort 3000 --quiet --kernel-profile "profile$i"
    done
    cmp profile1 profile2
}

# The file is of all runs of a process; the statistics are those that the program has, here of all runs, too.
several() {
    profiled bitonic 1024 --separate
    local separate
    separate=$(total Li)
    run 0 bitonic 1024 --quiet --stats stats --kernel-profile profile
    is "lane instructions of a sequence" "$(total Li)" "$separate"
}

# The last of three runs is in the statistics, all are in the file.
last() {
    run 0 wrap --quiet --stats stats --kernel-profile profile
    is "wave instructions of the last run" "$(kernels wave_instructions)" "$(statistic stats simt.wave_instructions)"
    (($(total Wi) > 2 * $(kernels wave_instructions))) || fail "$(total Wi) in three runs, $(kernels wave_instructions) in one"
}

# Calls have what their function costs: all of a routine's cycles are below those who call it.
calls() {
    run 0 cilk_fib 14 --quiet --kernel-profile profile
    expect profile '^calls=[0-9]+ [0-9]+$'
    awk '/^fn=/ { inside = $0 == "fn=sl_enq" }
        /^cfn=/ { called = $0 == "cfn=sl_enq" }
        /^calls=/ { getline; if (called && !inside) { inclusive += $2 }; next }
        /^[0-9]/ && inside { own += $2 }
        END { exit !(own > 0 && inclusive >= own) }' profile || fail "calls of sl_enq do not have its cycles"
    # What is inlined into a function at its beginning, and into that, is not where the function is.
    grep -B 1 '^fn=fib_s' profile >functions || fail "no kernels among the functions"
    ! grep -v '^fn=\|^--\|^fl=tests/workloads/fib/cilk_fib_kernel\.c$' functions || fail "functions elsewhere: $(cat functions)"
    annotate --auto=no --tree=calling --inclusive=yes
    expect annotated '\* .*sl_enq|> .*sl_enq'
}

faulted() {
    run 3 faults null --quiet --kernel-profile profile
    "$bin/sluice" annotate profile >out
    expect out '^faults: [0-9,]+ resident cycles'
}

# What stands at the table's end agrees with the statistics.
table() {
    run 0 fib 16 --stats stats --kernel-profile profile
    expect out '^# active +[0-9.]+ % of the time, [0-9.]+ % of the issue slots$'
    expect out "^# wavefronts' time +[a-zA-Z0-9 ]+ [0-9.]+ %, [a-zA-Z0-9 ]+ [0-9.]+ %, [a-zA-Z0-9 ]+ [0-9.]+ %\$"
    run 0 fib 16
    ! grep -q "wavefronts' time" out || fail "reasons that nobody asked for"
    run 0 stream 4
    expect out '^# stalled +[0-9.]+ %: DRAM (8|9)[0-9.]+ % busy$'
    run 0 matmul 64
    expect out '^# stalled +[0-9.]+ %$'
}

# screen ARGUMENT...: the first screen is one of 24 rows and 80 columns, and shares of its lists add up
screen() {
    run 0 sluice annotate profile "$@"
    sed '/ in kernel .* %$/,$d' out >screen
    (($(wc -l <screen) <= 24)) || fail "$(wc -l <screen) rows: $(cat screen)"
    (($(wc -L <screen) <= 80)) || fail "$(wc -L <screen) columns: $(cat screen)"
    awk '/^ *(cycles|share) / { if (lists++ > 0 && sum != 1000) { bad = 1 }; sum = 0 }
        $1 ~ /^[0-9.]+%$/ { share = $1; gsub(/[.%]/, "", share); sum += share }
        END { exit bad || sum != 1000 || lists != 3 }' screen || fail "shares: $(cat screen)"
}

# Lines of a function add up to its last row.
listing() {
    awk '/ in kernel .* %$/ { getline; cycles = waves = 0; inside = 1; next }
        / all$/ && inside { gsub(/,/, ""); if ($1 != waves || $6 != cycles) { print; bad = 1 }; inside = 0; functions++ }
        inside && $1 ~ /^[0-9,]+$/ && $6 ~ /^[0-9,]+$/ { gsub(/,/, ""); waves += $1; cycles += $6 }
        END { exit bad || functions == 0 }' out || fail "lines and functions: $(cat out)"
}

shown() {
    run 0 cilksort 3000 --quiet --kernel-profile profile
    screen
    cd "$root"
    "$bin/sluice" annotate "$OLDPWD/profile" >"$OLDPWD/out"
    cd "$OLDPWD"
    listing
    screen --reason memory_dram
    screen --sort l1_misses
    screen --kernel "$(sed -n 's/^ob=//p' profile | head -n 1)"
    screen --function sl_enq --lines 3
    expect out 'sl_enq in kernel'
    run 0 sluice annotate profile --csv --lines 2
    is "lines of CSV" "$(wc -l <out)" 3
}

# Source files are found where they are now; without them lines have numbers.
sources() {
    run 0 fib 12 --quiet --kernel-profile profile
    run 0 sluice annotate profile
    expect out 'tests/workloads/fib/fib_kernel\.c: not found; --source FOLDER says where it is'
    run 0 sluice annotate profile --source "$root"
    expect out 'tests/workloads/fib/fib_kernel\.c$'
    expect out '[0-9]+ SL_KERNEL '
    mkdir moved
    cp "$root/tests/workloads/fib/fib_kernel.c" moved
    run 0 sluice annotate profile --source moved
    expect out '[0-9]+ SL_KERNEL '
}

# Half a terminal's worth of what is wrong.
refused() {
    run 0 fib 10 --quiet --profile firmware --kernel-profile profile
    run 2 sluice annotate
    expect err 'which profile\?'
    run 2 sluice annotate missing
    expect err "cannot read 'missing': No such file"
    : >empty
    run 1 sluice annotate empty
    expect err "'empty' is no profile of kernels: it is empty"
    run 1 sluice annotate firmware
    expect err "'firmware' is no profile of kernels: its event 2 is 'Ir', not 'Wi'"
    head -c 2000 profile >half
    run 1 sluice annotate half
    expect err "'half' is damaged: line [0-9]+: "
    run 2 sluice annotate profile --kernel fib_spam
    expect err "'profile' has no kernel 'fib_spam'"
    run 2 sluice annotate profile --function sl_enqq
    expect err "has no function 'sl_enqq'; did you mean 'sl_enq'\?"
    run 2 sluice annotate profile --kernel other
    expect err "has no kernel 'other'; there are: fib_kernel"
    run 2 sluice annotate profile --function other
    [[ $(grep -o sl_tfree err | wc -l) == 1 ]] || fail "names: $(cat err)"
    run 2 sluice annotate profile --reason tea
    expect err "'tea' is none of issue, no_slot, "
    run 2 sluice annotate profile --sort tea
    run 2 sluice annotate profile --lines 0
    run 2 sluice annotate profile --source missing
}

# bad STATUS PATTERN ARGUMENT...
bad() {
    run "$1" fib 10 --quiet "${@:3}"
    expect err "$2"
}

check "fib 16" profiled fib 16
check "matmul 32" profiled matmul 32
check "cilksort 3000" profiled cilksort 3000
check "cilk_fib 17 that yields" profiled cilk_fib 17 --width 512
check "uts" profiled uts -t 0 -b 12 -q 0.25 -m 3 -r 5
check "fib 14 on flat memory" profiled fib 14 --set mem.system=flat --set gpu.cus=2
check "accesses and misses" misses matmul 32
check "several launches" several
check "several graphs, the last in the statistics" last
check "calls" calls
check "repeated" repeated
check "a run that faults" faulted
check "the table" table
check "on a screen" shown
check "sources elsewhere" sources
check "what is refused" refused
check "a file in no folder" bad 2 "^fib: --kernel-profile: cannot write 'no/such/folder/p': No such file" --kernel-profile no/such/folder/p
check "the same as a setting" bad 2 "kernel_profile\.file: cannot write '/no/such/p': No such file" --set kernel_profile.file=/no/such/p
check "a full disk" bad 3 "kernel_profile\.file: cannot write '/dev/full': No space left" --kernel-profile /dev/full

# A device may never end.
not_a_file() {
    run 2 sluice annotate /dev/zero
    expect err "cannot read '/dev/zero': it is no regular file and no pipe"
}
check "annotate a device" not_a_file
