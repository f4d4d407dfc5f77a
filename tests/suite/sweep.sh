#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Sweeps: forty-eight runs give one table, whether they go through at once or are killed half-way and taken up
# again; and what is wrong is told before anything runs. Those on Slurm are in slurm.sh.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=lib/sweep.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/sweep.sh"

# Made once, for the tests to compare with.
reference=$suite_folder/reference
whole() {
    forty "$reference"
    expect out '^48 of 48 runs are right: '
    (($(wc -l <"$reference/results.csv") == 49)) || fail "lines: $(wc -l <"$reference/results.csv")"
    (($(wc -l <"$reference/results.jsonl") == 48)) || fail "records: $(wc -l <"$reference/results.jsonl")"
    expect "$reference/results.csv" '^0,fib 10,1,16,20,0,fib\(10\) = 55,[0-9]+,'
    expect "$reference/results.csv" '^47,cilk_fib 8 --width 1024,8,64,40,0,cilk_fib\(8\) = 21,'
    if grep -q '\bsim\.' "$reference/results.csv"; then
        fail "figures of the simulator in results.csv"
    fi
    grep -q '"sim\.wall_s"' "$reference/results.jsonl" || fail "no wall time in results.jsonl"
}

done_runs() {
    find "$1" -name status.json | wc -l
}

has_runs() {
    (($(done_runs "$1") >= $2))
}

# Nothing of the killed sweep goes on: no engine, no program, no QEMU.
is_quiet_at() {
    ! pgrep -f "$PWD/killed" >/dev/null
}

killed() {
    "$bin/sluice" sweep --out "$PWD/killed" "${forty[@]}" "${forty_programs[@]}" >out 2>err &
    local sweep=$!
    wait_for "$hang_s" has_runs killed 15 || fail "no runs: $(cat out err)"
    kill -KILL $sweep
    wait_for "$hang_s" is_quiet_at || fail "still there: $(pgrep -af "$PWD/killed")"
    local before
    before=$(done_runs killed)
    ((before < 48)) || fail "it had come to its end"
    find killed -name status.json -newer killed/sweep.json -printf '%p %T@\n' | sort >first
    forty "$PWD/killed"
    cmp killed/results.csv "$reference/results.csv"
    # what was done was not run again
    find killed -name status.json -printf '%p %T@\n' | sort | join - first | awk '$2 != $3 { exit 1 }'
    note "$before of 48 done when killed"
}

# A program of a user's: by its path, which may have a space, and by PATH; figures of another build of it, or of its
# kernels, are known as such.
own_program() {
    mkdir -p 'my programs'
    cp "$bin/fib" 'my programs/mine'
    cp "$build/kernels/fib.elf" 'my programs'
    ln -s "$build/lib" lib # where it looks for the host library
    run 0 sluice sweep --out own --vary gpu.cus=1,2 "'my programs/mine' 8"
    expect own/results.csv '^1,"?""?my programs/mine""? 8'
    expect own/results.csv 'fib\(8\) = 21'
    PATH=$PWD/my\ programs:$PATH run 0 sluice sweep --out path --vary gpu.cus=1,2 'mine 8'
    cmp <(cut -d, -f 3- own/results.csv) <(cut -d, -f 3- path/results.csv)
    find own -name status.json -printf '%p %T@\n' | sort >first
    printf 'x' >>'my programs/fib.elf'
    run 0 sluice sweep --out own --vary gpu.cus=1,2 "'my programs/mine' 8"
    find own -name status.json -printf '%p %T@\n' | sort | join - first | awk '$2 == $3 { exit 1 }'
    run 2 sluice sweep --out new "my programs/mine 8"
    expect err "there is no program 'my'"
    run 2 sluice sweep --out new "'my programs/mine 8"
    expect err "a quote is not closed"
    run 2 sluice sweep --out bad $'fib \xff'
    expect err "it is not UTF-8"
}

odd_folder() {
    run 0 sluice sweep --out plain --vary gpu.cus=1,2 'fib 5'
    run 0 sluice sweep --out "$odd" --vary gpu.cus=1,2 'fib 5'
    cmp "$odd/results.csv" plain/results.csv
}

# What the engine starts besides the runs, as GNU parallel does to find out how many processes there may be, ends with the
# sweep, however that ends: the engine, which would have ended it, is killed with it.
killed_beginning() {
    local sweep
    mkdir path
    # shellcheck disable=SC2016 # for the script
    printf '#!/bin/sh\n[ "$1" != --version ] || { echo GNU parallel; exit; }\nsleep 10000 &\necho $! >started.new\nmv started.new started\nwait\n' >path/parallel
    chmod +x path/parallel
    PATH=$PWD/path:$PATH "$bin/sluice" sweep --out new 'fib 5' >out 2>err &
    sweep=$!
    # shellcheck disable=SC2317 # called by wait_for
    has_started() {
        [[ -s started ]] || is_gone "$sweep"
    }
    wait_for "$hang_s" has_started
    [[ -s started ]] || fail "nothing started: $(cat out err)"
    kill "-$1" $sweep
    wait_for "$hang_s" is_gone "$(<started)" || fail 'what the engine has started goes on'
}

# What a user's own settings of GNU parallel say is not for us.
own_parallel() {
    mkdir -p .parallel
    echo '--dry-run' >.parallel/config
    export HOME=$PWD PARALLEL=--dry-run
    run 0 sluice sweep --out new 'fib 5'
    expect new/results.csv '^0,fib 5,0,'
}

# GNU parallel's own files are in the sweep's folder: none goes into the user's home, and none that lies there, or that a
# full disk has cut short, is taken.
own_state() {
    local cut
    cut=tmp/sshlogin/$(perl -MSys::Hostname -e 'print hostname')/linelen
    export HOME=$PWD/home
    mkdir home
    run 0 sluice sweep --out new 'fib 5'
    [[ -z $(ls -A home) ]] || fail "in the user's home: $(find home)"
    [[ -s new/parallel/$cut ]] || fail "its file has another place: $(find new/parallel)"
    : >"new/parallel/$cut"
    install -D /dev/null "home/.parallel/$cut"
    rm new/runs/00000/status.json
    run 0 sluice sweep --out new 'fib 5'
    unset HOME
    run 0 sluice sweep --out homeless 'fib 5'
    [[ ! -s err ]] || fail "$(cat err)"
}

# signalled SIGNAL STATUS: ended by the signal, with what it has started, and taken up by the same command
signalled() {
    local status=0 sweep
    env --default-signal "$bin/sluice" sweep --out "$PWD/ended" --vary gpu.cus=1,2,4,8 'queens 11' 'cilk_fib 16' \
        >out 2>err &
    sweep=$!
    wait_for "$hang_s" has_runs ended 1 || fail "no runs: $(cat out err)"
    kill "-$1" $sweep
    wait $sweep || status=$?
    ((status == $2)) || fail "status $status: $(cat out err)"
    expect err 'ended by signal'
    ! pgrep -f "$PWD/ended" >/dev/null || fail "still there: $(pgrep -af "$PWD/ended")"
    (($(done_runs ended) < 8)) || fail "it had come to its end"
    run 0 sluice sweep --out "$PWD/ended" --vary gpu.cus=1,2,4,8 'queens 11' 'cilk_fib 16'
    expect out '^8 of 8 runs are right'
}

# As what starts a sweep may ignore the ends of its own children.
children_ignored() {
    env --ignore-signal=CHLD "$bin/sluice" sweep --out new 'fib 5' >out 2>err || fail "status $?: $(cat err)"
    expect out '^1 of 1 runs? (is|are) right'
}

# path_without PROGRAM...: a folder with all programs of this machine but these, for PATH
path_without() {
    local program
    mkdir -p path
    ln -s /usr/bin/* path/
    for program; do
        rm -f "path/$program"
    done
    export PATH=$PWD/path
}

without_parallel() {
    path_without parallel
    run 3 sluice sweep --out new 'fib 5'
    expect err 'cannot run GNU parallel; it is in Debian.s package parallel'
    # another program of that name
    printf '#!/bin/sh\necho "parallel: invalid option" >&2\nexit 1\n' >path/parallel
    chmod +x path/parallel
    run 3 sluice sweep --out new 'fib 5'
    expect err 'cannot run GNU parallel'
}

without_slurm() {
    path_without sbatch
    run 3 sluice sweep --out new --engine slurm 'fib 5'
    expect err 'cannot run sbatch; it is in Debian.s package slurm-client'
}

# Where a run's folder cannot be made, that run is told of, and the others are done.
unwritable() {
    run 2 sluice sweep --out new --vary gpu.cus=1,900 'fib 5'
    run 3 sluice sweep --out no/such 'fib 5'
    expect err "cannot make the folder no/such: No such file"
    run 0 sluice sweep --out new 'fib 5' 'fib 6'
    rm -r new/runs/00001 new/results.csv
    touch new/runs/00001
    run 3 sluice sweep --out new 'fib 5' 'fib 6'
    expect err 'not all runs could be made'
    rm new/runs/00001
    run 0 sluice sweep --out new 'fib 5' 'fib 6'
    expect out '^2 of 2 runs are right'
}

long_line() {
    # shellcheck disable=SC2046 # words
    run 0 sluice sweep --out new "fib 5 $(printf -- '--quiet %.0s' {1..400})"
}

# A failed run is recorded and not run again, but on request.
failed() {
    run 1 sluice sweep --out bad --vary gpu.cus=1,2 'fib 12 --width 64' 'fib 10'
    expect out '^2 of 4 runs are right'
    expect err '^sluice sweep: run 1 ended with status 3: .*channel'
    expect bad/results.csv '^0,fib 12 --width 64,1,3,,'
    expect bad/runs/00000/err "channel"
    touch -d 2001-01-01 bad/runs/*/status.json
    run 1 sluice sweep --out bad --vary gpu.cus=1,2 'fib 12 --width 64' 'fib 10'
    (($(find bad -name status.json -newermt 2002-01-01 | wc -l) == 0)) || fail "run again"
    run 1 sluice sweep --out bad --vary gpu.cus=1,2 --retry 'fib 12 --width 64' 'fib 10'
    (($(find bad -name status.json -newermt 2002-01-01 | wc -l) == 2)) || fail "not run again"
}

# mistake STATUS PATTERN ARGUMENT...
mistake() {
    run "$1" sluice sweep "${@:3}"
    expect err "$2"
    [[ ! -e new/runs ]] || fail "something has run"
}

other() {
    run 0 sluice sweep --out new 'fib 5'
    run 2 sluice sweep --out new 'fib 6'
    expect err 'new holds another sweep'
}

# Several seeds: a point is the mean of its runs with the interval of Student's distribution (4.303 of three), from the
# figures of results.csv; the delay that tells runs apart is set and told of.
seeds() {
    run 0 sluice sweep --out new --seeds 3 --vary gpu.cus=2,1 'fib 8' 'cilk_fib 8'
    expect out '^--seeds sets mem\.jitter=4 ns, a random delay of DRAM reads$'
    [[ ! -s err ]] || fail "$(cat err)"
    expect new/results.csv '^run,program,gpu\.cus,mem\.jitter_seed,status,result,gpu\.cycles,'
    (($(wc -l <new/results.csv) == 13)) || fail "lines: $(wc -l <new/results.csv)"
    python3 - <<'EOF'
import csv, math
runs = list(csv.DictReader(open("new/results.csv")))
lines = open("out").read().splitlines()[2:]
assert len({len(line) for line in lines[1:]}) == 1, lines
rows = [line.split("  ") for line in lines[3:]]
rows = [[cell.strip() for cell in row if cell.strip()] for row in rows]
assert len(rows) == 4, rows
for i, row in enumerate(rows):
    of_seeds = runs[3 * i:3 * i + 3]
    assert [run["mem.jitter_seed"] for run in of_seeds] == ["1", "2", "3"]
    assert row[:2] == [of_seeds[0]["program"], of_seeds[0]["gpu.cus"]], row
    for name, cell, digits in ("gpu.cycles", row[2], 0), ("gpu.blocked_on_agg_pct", row[3], 1):
        values = [float(run[name]) for run in of_seeds]
        assert len(set(values)) > 1, (name, values)
        mean = sum(values) / 3
        half = 4.303 * math.sqrt(sum((v - mean) ** 2 for v in values) / 2 / 3)
        assert cell == f"{mean:,.{digits}f} ±{half:,.{digits}f}", (cell, mean, half)
EOF
    # what is shown is no part of what was run
    find new -name status.json -printf '%p %T@\n' | sort >first
    run 0 sluice sweep --out new --seeds 3 --vary gpu.cus=2,1 --show l2.misses 'fib 8' 'cilk_fib 8'
    cmp first <(find new -name status.json -printf '%p %T@\n' | sort)
}

# A delay that the machine has, by a file or a setting, stays: of profiles and reports, too.
own_delay() {
    printf '[mem]\njitter = 2 ns\n' >mine.ini
    run 0 sluice sweep --out new --seeds 2 --config mine.ini 'fib 5'
    ! grep -q '^--seeds' out || fail "$(cat out)"
    run 0 sluice sweep --out set --seeds 2 --set mem.jitter=2ns 'fib 5'
    ! grep -q '^--seeds' out || fail "$(cat out)"
    cmp <(cut -d, -f 2- new/results.csv) <(cut -d, -f 2- set/results.csv)
    run 0 sluice profile --out profile --seeds 2 --cores simple --config mine.ini 'fib 5'
    printf '%s\n' '[panel]' 'title = Own' 'source = none' 'about = none' '[runs all]' 'program = Fib: fib 5' '[value cycles]' 'label = cycles' 'is = .gpu.cycles' >panel.ini
    run 0 sluice report --out report --seeds 2 --config mine.ini ./panel.ini
    expect report/index.html '"jitter":"2 ns"'
    ! grep -q '4 ns' {new,set,profile,report}/sweep.json || fail 'another delay is set'
    run 0 sluice sweep --out varied --seeds 2 --vary mem.jitter=1ns,2ns 'fib 5'
    [[ ! -s err ]] || fail "$(cat err)"
    ! grep -q '^--seeds' out || fail "$(cat out)"
}

# Runs that the seed cannot tell apart are told of; each memory system but one has DRAM.
alike() {
    run 0 sluice sweep --out new --seeds 2 --vary mem.system=flat,moesi,nol1,wt,quickrelease,scoped,partition,hybrid 'fib 8'
    expect err 'warning: the seed changes nothing in 2 of 16 runs: mem\.system = flat has no DRAM$'
    cut -d, -f 3,7 new/results.csv | sed 1d | uniq -d >equal
    [[ $(cut -d, -f 1 equal) == flat ]] || fail "equal: $(cat equal)"
    run 0 sluice sweep --out off --seeds 2 --set mem.jitter=0 'fib 5'
    expect err 'warning: the seed changes nothing in 2 of 2 runs: mem\.jitter is 0$'
    ! grep -q '^--seeds' out || fail "$(cat out)"
    run 0 sluice sweep --out by_hand --vary mem.jitter_seed=1,2 'fib 5'
    expect err 'the seed changes nothing in 2 of 2 runs'
    run 0 sluice sweep --out one --seeds 1 --set mem.jitter=0 'fib 5'
    [[ ! -s err ]] || fail "$(cat err)"
}

# The columns of the table line up, in the order of the points; one run has no interval, a failed one no figure.
table() {
    run 1 sluice sweep --out new --vary gpu.cus=2,1 --vary agg.core=simple,2way-ooo --show gpu.cycles 'fib 12 --width 64' 'fib 5'
    expect out '^4 of 8 runs are right: new/results\.csv$'
    sed 1,2d out >shown
    (($(awk '{ print length }' shown | uniq | wc -l) == 1)) || fail "$(cat shown)"
    printf '%s\n' '2 simple failed' '2 2way-ooo failed' '1 simple failed' '1 2way-ooo failed' >wanted
    awk 'NR > 2 { print $(NF - 2), $(NF - 1), $NF }' shown | head -n 4 | cmp - wanted
    awk -F, 'NR > 5 { print $3, $4, $7 }' new/results.csv >wanted
    tr -d , <shown | awk 'NR > 6 { print $(NF - 2), $(NF - 1), $NF }' | cmp - wanted
    ! grep -q '±' out || fail "$(cat out)"
    run 1 sluice sweep --out new --vary gpu.cus=2,1 --vary agg.core=simple,2way-ooo --quiet 'fib 12 --width 64' 'fib 5'
    [[ ! -s out && ! -s err ]] || fail "$(cat out err)"
}

# panels PYTHON: what holds of the data of a page
panels() {
    PYTHONPATH=$root/tests/page PYTHONDONTWRITEBYTECODE=1 python3 -c "import pathlib, page_data
data = page_data.data_of_page(pathlib.Path('new.html'))
panels, made = data['panels'], data['made']
$1"
}

# Values with units stand where they belong; a line for each value of the second key, a small plot for those of others.
plot() {
    run 0 sluice sweep --out new --seeds 2 --vary l2.size=64KiB,1MiB --vary agg.core=simple,2way-ooo --vary gpu.cus=1,2 \
        --plot new.html 'fib 5' 'fib 6'
    panels '
assert made["seeds"] == 2 and made["jitter"] == "4 ns", made
assert made["command"].startswith("sluice sweep --out new --seeds 2 --vary l2.size=64KiB,1MiB "), made
assert not {"l2.size", "agg.core", "gpu.cus", "mem.jitter_seed"} & {key for key, _ in made["machine"]}
assert [panel["title"] for panel in panels] == ["fib 5", "fib 6"]
for panel in panels:
    assert [plot["title"] for plot in panel["plots"]] == ["gpu.cycles", "gpu.blocked_on_agg_pct"]
    for n, plot in enumerate(panel["plots"]):
        assert plot["x"] == {"label": "l2.size", "scale": "log", "unit": "KiB", "units": [["KiB", 1], ["MiB", 1024]]}, plot["x"]
        assert [facet["name"] for facet in plot["facets"]] == ["gpu.cus=1", "gpu.cus=2"]
        drawn = {}
        for facet in plot["facets"]:
            assert [line["name"] for line in facet["series"]] == ["agg.core=simple", "agg.core=2way-ooo"]
            for line in facet["series"]:
                assert [point["x"] for point in line["points"]] == [64, 1024], line
                for size, point in zip(("64KiB", "1MiB"), line["points"]):
                    assert point["low"] < point["y"] < point["high"], point
                    drawn[size, line["name"][9:], facet["name"][8:]] = point["y"]
        for row in panel["tables"][0]["rows"]:
            assert drawn.pop(tuple(row[1:4])) == row[4 + n]["value"]
        assert drawn == {}
'
}

# What cannot be drawn says why, in its place and on standard error; words stand in their order.
# Table and plot do not call it by the built-in name; results have the key's value.
changed_core() {
    printf '[core]\nrob = 16\n' >base.ini
    run 0 sluice sweep --out new --config base.ini --vary agg.core=simple,2way-ooo --vary gpu.cus=1,2 --plot new.html 'fib 5'
    expect out '^fib 5 +simple +1 '
    expect out '^fib 5 +2way-ooo \(changed\) +2 '
    expect new.html '"x":"2way-ooo \(changed\)"'
    expect new/results.csv '^3,fib 5,2way-ooo,2,'
    run 0 sluice sweep --out other --vary agg.core=2way-ooo --vary core.rob=16 'fib 5'
    expect out '^fib 5 +2way-ooo +16 '
}

nothing_to_plot() {
    run 1 sluice sweep --out new --vary agg.core=simple,2way-ooo --set mem.system=flat --show gpu.cycles,energy.l1_pj \
        --plot new.html --quiet 'fib 5' 'fib 12 --width 64'
    expect err 'warning: --plot has nothing to draw of energy\.l1_pj of fib 5: these machines have no such statistic$'
    expect err 'warning: --plot has nothing to draw of gpu\.cycles of fib 12 --width 64: all its values are missing, since runs failed$'
    panels '
fine, failed = panels
assert "empty" not in fine["plots"][0] and fine["plots"][1]["empty"] == "these machines have no such statistic"
assert [point["x"] for point in fine["plots"][0]["facets"][0]["series"][0]["points"]] == ["simple", "2way-ooo"]
assert fine["plots"][0]["facets"][0]["series"][0]["name"] == "gpu.cycles"
assert fine["failures"] == [] and fine["failed"] == 0 and failed["failed"] == 2
assert failed["failures"][0]["command"].startswith("sluice run fib 12 --width 64 "), failed["failures"]
assert all("empty" in plot for plot in failed["plots"])
assert "seeds" not in made
'
    run 3 sluice sweep --out new --vary agg.core=simple,2way-ooo --set mem.system=flat --plot no/new.html 'fib 5' 'fib 12 --width 64'
    expect err 'no/new\.html: No such file'
}

check "forty-eight runs" whole
check "killed half-way and taken up again" killed
# Fields of results.csv are quoted by RFC 4180, whatever is in values, keys and programs.
odd_fields() {
    run 1 sluice sweep --out odd --vary $'--x"y,z=a\rb' $'fib 5 \r'
    python3 -c 'import csv
rows = list(csv.reader(open("odd/results.csv", newline="")))
assert len(rows) == 2 and len(rows[0]) == len(rows[1]), rows
assert rows[0][2] == "--x\"y,z" and rows[1][1:3] == ["fib 5 \r", "a\rb"], rows'
}

# no_sweep PATTERN RUNS: a sweep.json that has not been written by the command is refused, and nothing is made
no_sweep() {
    local before
    mkdir -p deep/new/runs
    printf '{"keys": [], "runs": %s}' "$2" >deep/new/sweep.json
    before=$(find .)
    run 3 sluice sweep --out deep/new --run 0
    expect err "deep/new/sweep\.json: no sweep: $1"
    rm out err
    [[ $(find .) == "$before" ]] || fail "made: $(find .)"
}

check "fields with what CSV quotes" odd_fields
reason="run 0: 'words' is to be an array of strings"
for runs in '[{}]' '[null]' '[{"words": []}]' '[{"words": "fib"}]' '[{"words": [null]}]' '[{"words": ["fib", null]}]'; do
    check "a sweep of $runs" no_sweep "$reason" "$runs"
done
for name in '../../x' .. . '' a/b; do
    check "a sweep with the folder '$name'" no_sweep "run 0: 'folder' is to be the name of a folder in runs/" \
        "[{\"words\": [\"fib\", \"5\"], \"folder\": \"$name\"}]"
done
check "a sweep with a value too many" no_sweep "run 0: 'values' is to be" '[{"words": ["fib", "5"], "values": ["1"]}]'
check "a sweep with a report that is a number" no_sweep "run 0: 'report' is to be" '[{"words": ["fib", "5"], "report": 1}]'
check "a sweep without runs" no_sweep "it is to have arrays 'keys', of strings, and 'runs'" 1
check "failed runs" failed
check "folder with an odd name" odd_folder
check "program of a user" own_program
check "killed as the engine begins" killed_beginning KILL
check "terminated as the engine begins" killed_beginning TERM
check "settings of GNU parallel" own_parallel
check "files of GNU parallel" own_state
check "interrupted" signalled INT 130
check "ended" signalled TERM 143
check "started with SIGCHLD ignored" children_ignored
check "no GNU parallel" without_parallel
check "no Slurm" without_slurm
check "folders that cannot be made" unwritable
check "a program with 400 arguments" long_line
check "key that is varied twice" mistake 2 'gpu\.cus is varied twice' --out new --vary gpu.cus=1 --vary gpu.cus=2 'fib 5'
check "another sweep in the folder" other
check "no folder" mistake 2 '--out FOLDER is missing' 'fib 5'
check "no programs" mistake 2 'which programs' --out new
check "program that is none" mistake 2 "there is no program 'fibb'" --out new 'fibb 5'
check "value out of range" mistake 2 'gpu\.cus: 900 is out of range' --out new --vary gpu.cus=1,900 'fib 5'
check "key that is none" mistake 2 'gpu\.cuss: no such key' --out new --vary gpu.cuss=1 'fib 5'
check "no values" mistake 2 'expected section\.key=VALUE' --out new --vary gpu.cus 'fib 5'
check "engine that is none" mistake 2 "there is no engine 'cloud'" --out new --engine cloud 'fib 5'
check "several seeds" seeds
check "several seeds on a machine with a delay" own_delay
check "several seeds of equal runs" alike
check "table of points" table
check "plot" plot
check "a core that the configuration changes" changed_core
check "plots of nothing" nothing_to_plot
check "plot over no key" mistake 2 'draws over the first varied key, and there is no --vary' --out new --plot new.html --seeds 2 'fib 5'
check "statistic that is none" mistake 2 "there is no statistic 'gpu\.cycls'; did you mean gpu\.cycles\?" --out new --show gpu.cycls 'fib 5'
check "empty name of a statistic" mistake 2 'expected NAME,NAME,\.\.\., and no name empty' --out new --show gpu.cycles,, 'fib 5'
check "seed that is varied twice" mistake 2 'mem\.jitter_seed is varied twice' --out new --vary mem.jitter_seed=1,2 --seeds 2 'fib 5'
check "too many seeds" mistake 2 '31 are too many; at most 30' --out new --seeds 31 'fib 5'
check "run that is none" mistake 3 'no sweep' --out new --run 3
