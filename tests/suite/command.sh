#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The sluice command: each sub-command does what it says, its example works when pasted, and what is wrong is
# told with the status for it.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

commands() {
    "$bin/sluice" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p'
}

# The line behind "Example:" in a command's help, run by a shell that finds sluice in its path.
example() {
    local line
    line=$("$bin/sluice" "$1" --help | sed -n '/^Example:/,$s/^  *//p' | sed -n 1p)
    [[ $line == *sluice\ $1* ]] || fail "the help of $1 has no example: $("$bin/sluice" "$1" --help)"
    PATH=$bin:$PATH timeout "$hang_s" bash -euo pipefail -c "$line" >out 2>err || fail "$line: $(cat out err)"
    note "$line"
}

runs() {
    run 0 sluice run fib 12 --quiet
    expect_result "fib(12) = 144"
    run 2 sluice run fib 12 --width 3
    run 2 sluice run nothing
    expect err "there is no program 'nothing'"
    run 0 sluice run --list
    expect out '^cilk_fib$'
}

# A program of a user's, in folder $1, whose kernel file is beside it in a folder of its own.
own_program() {
    mkdir -p "$1/bin" "$1/kernels"
    cp "$bin/fib" "$1/bin/mine"
    cp "$build/kernels/fib.elf" "$1/kernels"
    ln -s "$build/lib" "$1/lib" # where it looks for the host library
}

own_programs() {
    local folder=$PWD/'a folder'
    own_program "$folder"
    run 0 sluice run 'a folder/bin/mine' 12 --quiet
    expect_result "fib(12) = 144"
    run 2 sluice run mine 12
    expect err "there is no program 'mine', neither of Sluice's nor in PATH"
    PATH=$folder/bin:$PATH run 0 sluice run mine 12 --quiet
    expect_result "fib(12) = 144"
    run 2 sluice run ./nothing
    expect err "there is no program './nothing': No such file or directory"
    run 2 sluice run "$folder"
    expect err "is no program: it is a folder"
    touch text
    run 2 sluice run ./text
    expect err "is no program: it is a file that cannot be executed"
    run 0 sluice profile --cores simple --seeds 1 "'a folder/bin/mine' 8" 'fib 8'
    expect out '^simple +[0-9.]+ +([0-9.]+)$'
}

configurations() {
    run 0 sluice config list small
    expect out '^gpu\.cus +1 +'
    run 0 sluice config explain gpu.cus pool
    expect out '^ +range +1 to 64$'
    expect out '^pool\.blocks$'
    run 2 sluice config list no.ini
    run 1 sluice config explain gpu.cuss
    expect err 'gpu\.cuss: no such key or section; did you mean gpu\.cus\?'
    run 1 sluice config diff small isca14
    expect out '^gpu\.cus +1 +8$'
    run 0 sluice config diff isca14 isca14
    [[ ! -s out ]] || fail "one machine differs from itself: $(cat out)"
    printf '[gpu]\ncus = 900\n' >bad.ini
    run 1 sluice config check small bad.ini
    expect out '^small: good$'
    expect err 'bad\.ini:2: gpu\.cus: 900 is out of range; 1 to 64'
}

images() {
    run 0 sluice flash make "$build/firmware/sluice.elf" own.flash
    run 0 sluice flash verify own.flash
    expect out '^good$'
    cmp own.flash "$build/firmware/sluice.flash"
    run 0 sluice run fib 10 --quiet --set "host.flash=$PWD/own.flash"
    run 0 sluice flash inspect own.flash
    expect out '^flash  0x20000000 to 0x20001000'
    printf 'x' | dd of=own.flash bs=1 seek=5000 conv=notrunc status=none
    run 1 sluice flash verify own.flash
    expect err 'own\.flash: bad: '
    run 2 sluice flash make
}

doctor() {
    export SLUICE_ENGINE=qemu
    run 0 sluice doctor
    expect out '^ok +a machine starts +QEMU emulator'
}

# A folder for temporary files that is not there is not used.
no_temporary_folder() {
    printf '#include <sluice/wave/wave.h>\nSL_KERNEL void k(int source, int index) { sl_tfree(source, index); }\n' >k.c
    TMPDIR=$PWD/none run 0 sluice cc k.c -o k.elf
    [[ -s k.elf && ! -s err ]] || fail "$(cat err)"
}

# Without QEMU the doctor says what to do, and that runs are not possible.
doctor_without_qemu() {
    export SLUICE_ENGINE=qemu
    local status=0
    PATH=/nowhere /usr/bin/timeout "$hang_s" "$bin/sluice" doctor >out 2>err || status=$?
    ((status == 1)) || fail "status $status: $(cat out err)"
    expect out '^-- +QEMU and firmware .*install QEMU'
}

# A column is as wide as its program; the paper's figures are beside its programs only.
table() {
    run 0 sluice profile --seeds 1 --cores simple,2way-ooo 'fib 12 --width 4096 --quiet' 'cilk_fib 10'
    (($(awk '/^$/ { exit } NR > 1 { print length }' out | sort -u | wc -l) == 1)) || fail "columns: $(cat out)"
    expect out '^simple +[0-9.]+ +[0-9.]+$'
    run 0 sluice profile --seeds 1 --cores 5-stage,2way-ooo 'cilk_fib 24'
    expect out '^5-stage +[0-9.]+$'
    expect out '^2way-ooo +[0-9.]+ \(30\.1\)$'
}

# Blocked time before, between and after wavefronts is that of the run's statistics, and so are the phases of that between.
parts() {
    run 0 sluice profile --seeds 1 --cores simple,4way-ooo 'queens 8'
    mv out table
    run 0 queens 8 --quiet --set agg.core=4way-ooo --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --stats stats
    awk -F '[" :,]+' '$2 ~ /^gpu\.(cycles|blocked\.(start|end|between))/ { v[$2] = $3 } END {
        for (name in v) {
            if (name ~ /between/) { between += v[name] }
        }
        printf "queens 8 4way-ooo %.1f %.1f %.1f\n", 100 * v["gpu.blocked.start_cycles"] / v["gpu.cycles"],
            100 * between / v["gpu.cycles"], 100 * v["gpu.blocked.end_cycles"] / v["gpu.cycles"]
        for (name in v) {
            if (name ~ /between/ && v[name] / v["gpu.cycles"] >= 0.0005) {
                split(name, part, /[._]/)
                printf "%s %.1f\n", part[4], 100 * v[name] / v["gpu.cycles"]
            }
        }
    }' stats >wanted
    tr -s ' ' <table | grep '^queens 8 4way-ooo' >row
    expect row "^$(head -n 1 wanted) "
    while IFS= read -r phase; do
        expect row "[ ,]$phase(,|$)"
    done < <(tail -n +2 wanted)
}

# What the core's cycles go to is that of the run's statistics: the groups add up, and the largest classes follow; and so is
# what a dispatch, a wavefront, an element, which a launch has none of, and a pass cost.
cycles() {
    run 0 sluice profile --seeds 1 --cores simple,4way-ooo 'queens 8' 'matmul 32'
    mv out table
    run 0 queens 8 --quiet --set agg.core=4way-ooo --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --stats stats
    awk -F '[" :,]+' '{ v[$2] = $3 } function number(x) { return sprintf(x < 1000 ? "%.1f" : "%.0f", x) } END {
        phase = "agg.phase."
        cycles[0] = v["agg.cycles"]
        cycles[1] = v[phase "predicate_cycles"] + v[phase "schedule_cycles"] + v[phase "dispatch_cycles"] + v[phase "retire_cycles"] + v[phase "yield_cycles"]
        split("gpu.dispatches gpu.wavefronts gpu.elements agg.passes", things, " ")
        printf "queens 8 4way-ooo %s", number(v["gpu.cycles"])
        for (i = 1; i <= 4; i++) printf " %s", number(v[things[i]])
        printf "\nqueens 8 4way-ooo"
        for (n = 0; n < 2; n++) for (i = 1; i <= 4; i++) printf " %s", number(cycles[n] / v[things[i]])
        printf "\n"
    }' stats >wanted
    awk -F '[" :,]+' '$2 == "agg.cycles" { whole = $3 } $2 ~ /^agg\.stack\./ { split($2, part, "."); share[part[3]] += $3 } END {
        printf "queens 8 4way-ooo %.1f %.1f %.1f %.1f %.1f\n", 100 * share["retiring"] / whole,
            100 * share["bad_speculation"] / whole, 100 * share["frontend"] / whole, 100 * share["memory"] / whole,
            100 * share["core"] / whole }' stats >>wanted
    sed '/^How long/,$d' table | tr -s ' ' | grep '^queens 8 4way-ooo' >rows
    expect rows "^$(head -n 1 wanted)\$"
    expect rows "^$(sed -n 2p wanted)\$"
    expect rows "^$(tail -n 1 wanted) [a-zA-Z]"
    grep -F "$(tail -n 1 wanted) " rows | sed 's/.*4way-ooo \([0-9.]* \)\{5\}//' >classes
    [[ $(<classes) == "$(largest stats)" ]] || fail "$(<classes): not $(largest stats)"
    expect table '^matmul 32 +simple( +[0-9.]+ +[0-9.]+ +- +[0-9.]+){2}$'
}

# largest STATISTICS: the three classes of groups that have several, in the words of their table
largest() {
    awk -F '[" :,]+' '$2 == "agg.cycles" { whole = $3 } $2 ~ /^agg\.stack\..*\./ { print $3, 100 * $3 / whole, substr($2, 11) }' "$1" |
        sort -rn | head -n 3 | while read -r _ share name; do
        printf '%s %.1f\n' "$(sed -n "s/^SL_AGG_STACK([A-Z0-9_]*, \"$name\", \"\([^\"]*\)\".*/\1/p" \
            "$root/hal/contract/agg_stack.def")" "$share"
    done | paste -sd '|' | sed 's/|/; /g'
}

# Without a program they are those of the panel that has the paper's figures.
papers_programs() {
    local panels=$PWD/tree/share/panels/isca14
    mkdir -p "$panels" tree/bin
    cp "$bin/sluice" "$bin/cilk_fib" "$bin/fib" tree/bin
    ln -s "$build/kernels" "$build/firmware" "$build/lib" tree
    sed 's/cilk_fib 24/cilk_fib 9/; s/queens 13/fib 9/; /cilksort/d; /strassen/d' \
        "$root/scripts/panels/isca14/table5.ini" >"$panels/table5.ini"
    tree/bin/sluice profile --seeds 1 --cores simple >out 2>err || fail "$(cat out err)"
    expect out '^core +cilk_fib 9 +fib 9$'
    expect out '^simple +[0-9.]+ \(41\.5\) +[0-9.]+ \(2\.9\)$'
    rm "$panels/table5.ini"
    local status=0
    tree/bin/sluice profile --seeds 1 'fib 9' >out 2>err || status=$?
    ((status == 2)) || fail "status $status: $(cat out err)"
    expect err "there is no panel 'table5'"
}

# Each point is several runs, of which the table has mean and interval.
intervals() {
    local seed
    run 0 sluice profile --cores simple 'cilk_fib 10'
    mv out table
    for seed in 1 2 3; do
        run 0 cilk_fib 10 --set agg.core=simple --set 'mem.jitter=4 ns' --set mem.jitter_seed=$seed --stats stats
        statistic stats gpu.blocked_on_agg_pct
    done >shares
    awk '{ x[NR] = $1; m += $1 / 3 } END {
        for (i = 1; i <= 3; i++) { s += (x[i] - m) ^ 2 }
        printf "simple %.1f ±%.1f\n", m, 4.303 * sqrt(s / 2 / 3) }' shares >wanted
    grep '^simple' table | tr -s ' ' | diff wanted -
    run 2 sluice profile --seeds 31 'fib 5'
    expect err '\-\-seeds: 31 are too many; at most 30'
}

# interrupted SIGNAL STATUS: nothing of it is left, neither processes nor its folder
interrupted() {
    local status=0 profile
    mkdir temporary
    TMPDIR=$PWD/temporary env --default-signal "$bin/sluice" profile 'queens 11' 'fib 27' >out 2>err &
    profile=$!
    # shellcheck disable=SC2317 # called by wait_for
    runs_one() {
        compgen -G 'temporary/*/runs/*/out' >/dev/null
    }
    wait_for "$hang_s" runs_one || fail "no runs: $(cat out err)"
    kill "-$1" $profile
    wait $profile || status=$?
    ((status == $2)) || fail "status $status: $(cat out err)"
    [[ -z $(ls temporary) ]] || fail "left: $(find temporary)"
    ! pgrep -f "$PWD/temporary" >/dev/null || fail "still there: $(pgrep -af "$PWD/temporary")"
}

# Progress with the time left is for terminals.
progress() {
    run 0 sluice profile --cores simple 'fib 10'
    [[ ! -s err ]] || fail "on standard error: $(cat err)"
    script -qec "'$bin/sluice' profile --cores simple,2way-ooo 'fib 10'" shown >/dev/null
    expect shown '100% 6:0=0s'
}

failing() {
    run 1 sluice profile --cores simple 'fib 12 --width 64'
    expect out '^simple +failed'
    expect out '^fib 12 --width 64  simple +failed +failed +failed$'
    expect out '^fib 12 --width 64  simple( +failed){8}$'
    expect out '^fib 12 --width 64  simple( +failed){5}$'
    expect err '^sluice profile: run 0 ended with status 3: .*channel'
    TMPDIR=/no/such run 3 sluice profile 'fib 10'
    expect err 'cannot make the folder /no/such/sluice-profile'
}

completes() {
    cat >words.sh <<'END'
source <("$1" completion)
COMP_WORDS=("$1" "${@:2}") COMP_CWORD=$(($# - 1))
_sluice
printf '%s\n' "${COMPREPLY[@]}"
END
    bash words.sh "$bin/sluice" fl >out
    expect_result flash
    bash words.sh "$bin/sluice" flash ver >out
    expect_result verify
    bash words.sh "$bin/sluice" run cilk_f >out
    expect_result cilk_fib
    bash words.sh "$bin/sluice" config --he >out
    expect_result --help
}

# The manual page names every command, and no line begins with a request that there is not.
manual() {
    local command
    run 0 sluice manual
    for command in $(commands); do
        expect out "^\\.SS \"sluice $command\"\$"
    done
    if grep -vE '^(\.(TH|SH|SS|PP|TP|B|I|RI|RS|RE|nf|fi|br)( |$)|[^.'\''])' out | grep -q .; then
        fail "lines that are no text and no request: $(cat out)"
    fi
}

mistakes() {
    run 2 sluice
    run 2 sluice frobnicate
    expect err "there is no command 'frobnicate'"
    run 2 sluice config
    run 2 sluice doctor --frobnicate
    expect err "Try .sluice doctor --help"
}

for command in $(commands); do
    check "$command: its example" example "$command"
done
check "run" runs
check "programs of users" own_programs
check "config" configurations
check "flash" images
check "doctor" doctor
check "doctor without QEMU" doctor_without_qemu
check "table" table
check "parts of blocked time" parts
check "costs and the cycle stack" cycles
check "the paper's programs" papers_programs
check "intervals" intervals
check "profile interrupted" interrupted INT 130
check "profile ended" interrupted TERM 143
check "progress" progress
check "programs that fail" failing
check "completion" completes
check "manual" manual
check "no folder for temporary files" no_temporary_folder
check "mistakes" mistakes
