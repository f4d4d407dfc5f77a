#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Reports: what a panel says comes out of the runs' statistics, by arithmetic that is done here once more; runs are
# made once, and again when something that they depend on is another; what is wrong is told, and the rest is shown.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# panel [LINE]...: a panel of six points, with these lines at its end
panel() {
    cat <<'END'
[panel]
title  = Fibonacci by the size of the L2
source = a look of ours
about  = Where does more L2 stop
         helping?
[runs sizes]
program = Tree: cilk_fib 10
program = Graph: fib 8
vary    = l2.size: 64KiB 1MiB
vary    = --channels: wavefront workitem
[value time]
label = time
unit  = CU cycles
is    = .gpu.cycles
[value faster]
label = speedup over 64 KiB
unit  = x
is    = at("l2.size"; "64KiB").value.time / .value.time
[paper faster]
Tree 1MiB workitem = 1.5
[plot faster]
title  = Speedup
kind   = bars
x      = l2.size
series = program
facet  = --channels
y      = faster
[table faster]
title   = Speedup by size
rows    = program
columns = l2.size
values  = faster
END
    printf '%s\n' "$@"
}

# check_lines NAME ABOVE EXPRESSION: a check
check_lines() {
    printf '[check %s]\nsays = %s is\nabove = %s\nis = %s\nwhy = Because of %s.\n' "$1" "$1" "$2" "$3" "$1"
}

# report STATUS ARGUMENT...
report() {
    run "$1" sluice report --out report "${@:2}"
}

done_runs() {
    find report/runs -name status.json "$@" | wc -l
}

# Three runs of a point give what the same runs, made by hand, give: mean, and Student's interval of three.
arithmetic() {
    local seed
    panel >mine.ini
    report 0 --text ./mine.ini
    expect out '^Fibonacci by the size of the L2 \(a look of ours\)'
    for seed in 1 2 3; do
        run 0 cilk_fib 10 --channels=workitem --set 'mem.jitter=4 ns' --set l2.size=64KiB --set mem.jitter_seed=$seed --stats "a$seed"
        run 0 cilk_fib 10 --channels=workitem --set 'mem.jitter=4 ns' --set l2.size=1MiB --set mem.jitter_seed=$seed --stats "b$seed"
        printf '%s %s\n' "$(sed -n 's/.*"gpu.cycles": \([0-9]*\).*/\1/p' "a$seed")" \
            "$(sed -n 's/.*"gpu.cycles": \([0-9]*\).*/\1/p' "b$seed")"
    done >cycles
    awk '{ t[NR] = $2; f[NR] = $1 / $2; mt += $2 / 3; mf += $1 / $2 / 3 }
        END {
            for (i = 1; i <= 3; i++) { st += (t[i] - mt) ^ 2; sf += (f[i] - mf) ^ 2 }
            h = 4.303 * sqrt(st / 2 / 3); g = 4.303 * sqrt(sf / 2 / 3)
            printf "%.6f %.6f %.6f %.6f %.6f %.6f 1.5\n", mt, mt - h, mt + h, mf, mf - g, mf + g
        }' cycles >wanted
    report 0 ./mine.ini
    awk -F, '$1 == "Tree" && $2 == "1MiB" && $3 == "workitem" {
        printf "%.6f %.6f %.6f %.6f %.6f %.6f %s\n", $4, $5, $6, $7, $8, $9, $10 }' report/mine.csv >got
    diff wanted got
    expect report/mine.csv '^program,l2.size,--channels,time,time_low,time_high,faster,faster_low,faster_high,faster_paper$'
    (($(wc -l <report/mine.csv) == 9)) || fail "rows: $(wc -l <report/mine.csv)"
    awk -F, '$2 == "64KiB" && ($7 != 1 || $8 != 1 || $9 != 1) { exit 1 }' report/mine.csv
}

# Equal reports are equal, in another folder and with other numbers of jobs.
equal() {
    panel >mine.ini
    report 0 --jobs 1 ./mine.ini
    run 0 sluice report --out other ./mine.ini
    cmp report/mine.csv other/mine.csv
    cmp report/index.html other/index.html
}

# A check holds, fails or is not decided by its whole interval.
states() {
    panel "$(check_lines sure 0.5 1)" "$(check_lines wrong 2 1)" \
        "$(check_lines missing 1 'point({program: "None"}).value.time')" >mine.ini
    report 1 --text ./mine.ini
    expect out '^holds +sure is: 1\.00 ±0\.00, asked at least 0\.5$'
    expect out '^fails +wrong is: 1\.00 ±0\.00, asked at least 2$'
    expect out '^ +Because of wrong\.$'
    ! grep -q 'Because of sure' out || fail "an explanation of what holds"
    expect out '^unknown +missing is: no figure, asked at least 1$'
    expect out '^mistake: mine: \[check missing\]: no number'
    # with a single run there is no interval
    report 1 --text --seeds 1 ./mine.ini
    expect out '^holds +sure is: 1\.00, asked at least 0\.5$'
}

# undecided: an interval across the bound
undecided() {
    # shellcheck disable=SC2016 # jq's
    panel "$(check_lines across 0 '($all[0].gpu.cycles | tostring | explode | add) % 7 - 3')" >mine.ini
    report 0 --text --seeds 4 ./mine.ini
    expect out '^undecided +across is: '
}

# Only what is not there is run: nothing the second time, the runs of one key when that is another.
again() {
    panel >mine.ini
    report 0 ./mine.ini
    (($(done_runs) == 24)) || fail "runs: $(done_runs)"
    cp report/index.html first.html
    touch -d 2001-01-01 report/runs/*/status.json
    report 0 ./mine.ini
    (($(done_runs -newermt 2002-01-01) == 0)) || fail "run again: $(done_runs -newermt 2002-01-01)"
    cmp report/index.html first.html
    sed -i 's/l2.size: 64KiB 1MiB/l2.size: 64KiB 2MiB/' mine.ini
    sed -i 's/^Tree 1MiB/Tree 2MiB/' mine.ini
    report 0 ./mine.ini
    (($(done_runs -newermt 2002-01-01) == 12)) || fail "run for one key: $(done_runs -newermt 2002-01-01)"
    # a machine that is said in other words is the same
    sed -i 's/2MiB/2048KiB/' mine.ini
    touch -d 2001-01-01 report/runs/*/status.json
    report 0 ./mine.ini
    (($(done_runs -newermt 2002-01-01) == 0)) || fail "run again in other words"
}

# Names and figures that are longer than is good for them are cut, or said otherwise.
long_words() {
    panel '[value huge]' 'label = huge' 'is = 2e30' '[paper huge]' 'Tree 1MiB workitem = 1e250' \
        '[table huge]' 'rows = --channels' 'columns = l2.size' 'values = huge' |
        sed "s/^y      = faster/y = faster huge/; s/^program = Graph/program = $(printf 'G%.0s' {1..136})/" >mine.ini
    report 0 --text --seeds 2 ./mine.ini
    expect out '^workitem .* 2e\+30 ±0 \[1e\+250\]$'
    report 0 --seeds 2 ./mine.ini
    expect report/index.html 'G{136}, huge'
}

# An expression that gives nothing, too much, or ends all of them, is told.
no_figures() {
    panel >good.ini
    sed 's/^is    = at(.*/is = infinite/' good.ini >mine.ini
    report 1 --text --seeds 2 ./mine.ini
    expect out 'mine: \[value faster\]: too large a number'
    sed 's/^is    = at(.*/is = "x" | halt/' good.ini >mine.ini
    report 1 --text --seeds 2 ./mine.ini
    expect out 'mine: \[value faster\]: no number'
}

# What another build has run is run again: here the firmware's image is another file.
other_build() {
    panel >mine.ini
    cp "$build/firmware/sluice.flash" own.flash
    report 0 --seeds 1 --set "host.flash=$PWD/own.flash" ./mine.ini
    touch -d 2001-01-01 report/runs/*/status.json
    printf 'x' >>own.flash
    report 0 --seeds 1 --set "host.flash=$PWD/own.flash" ./mine.ini
    (($(done_runs -newermt 2002-01-01) == 8)) || fail "run again: $(done_runs -newermt 2002-01-01) of 8"
}

# Killed at any moment, it is taken up.
killed() {
    panel >mine.ini
    report 0 ./mine.ini
    mv report whole
    "$bin/sluice" report --out report ./mine.ini >out 2>err &
    local pid=$! before status=0
    wait_for "$hang_s" has_runs 6 || fail "no runs: $(cat out err)"
    kill -KILL $pid
    wait $pid || status=$?
    ((status == 137)) || fail "killed, it ends with status $status"
    before=$(done_runs)
    ((before < 24)) || fail "it had come to its end"
    [[ ! -e report/index.html ]] || fail "a page of half the runs"
    wait_for "$hang_s" is_quiet || fail "still there"
    report 0 ./mine.ini
    cmp report/index.html whole/index.html
    note "$before of 24 done when killed"
}

has_runs() {
    [[ -d report/runs ]] && (($(done_runs) >= $1))
}

is_quiet() {
    ! pgrep -f "$PWD/report" >/dev/null
}

# A run that fails is told in its panel, the others are drawn.
failing() {
    panel >good.ini
    panel | sed 's/^program = Graph: fib 8/program = Graph: fib 12 --width 64/' >bad.ini
    report 1 --text --seeds 1 ./bad.ini ./good.ini
    expect out "^failed: sluice run fib 12 --width 64 .*--set 'mem\\.jitter=4 ns' --set l2.size=64KiB.*: .*channel"
    expect out '^Tree +1\.00 '
    expect out '^Graph +failed '
    report 1 --seeds 1 ./bad.ini ./good.ini
    expect out '^bad .*\(runs failed\)$'
    expect report/good.csv '^Graph,1MiB,wavefront,[0-9]+,'
    expect report/bad.csv '^Graph,1MiB,wavefront,,'
    # a failed run is not run again, but on request
    touch -d 2001-01-01 report/runs/*/status.json
    report 1 --seeds 1 ./bad.ini
    (($(done_runs -newermt 2002-01-01) == 0)) || fail "run again"
    report 1 --seeds 1 --retry ./bad.ini
    (($(done_runs -newermt 2002-01-01) == 4)) || fail "not run again"
}

only() {
    panel "$(check_lines sure 0 1)" >mine.ini
    report 0 --text --seeds 1 --only Tree ./mine.ini
    expect out '^Tree '
    ! grep -qE '^Graph|^holds' out || fail "$(cat out)"
    report 2 --text --only Bush ./mine.ini
    expect err 'none of these panels calls a program so'
}

# axis KEY VALUES [SCALE]: a report of lines over these values.
axis() {
    cat >mine.ini <<END
[panel]
title  = Axis
source = a look of ours
about  = How do values stand?
[runs sizes]
program = Tree: cilk_fib 5
vary    = $1: $2
[value time]
label = time
is    = .gpu.cycles
[plot time]
title = Time
kind  = lines
x     = $1
y     = time
${3:+xscale = $3}
END
    report 0 --seeds 1 ./mine.ini
}

# expect_axis AXIS X...: what the page has of the axis behind its label, and where the points are.
expect_axis() {
    local places
    expect report/index.html "\"x\":\{\"label\":\"[^\"]*\",$1\}"
    places=$(grep -oE '"x":("[^"]*"|[0-9.]+),"y"' report/index.html | sed 's/^"x"://; s/,"y"$//' | xargs)
    [[ $places == "${*:2}" ]] || fail "places: $places"
}

# Lines are over numbers, and over values with units, in the least unit that occurs; words stand one beside the other.
axes_of_lines() {
    axis gpu.cus '4 1 2'
    expect_axis '"scale":"log"' 4.0 1.0 2.0
    axis gpu.cus '4 1 2' linear
    expect_axis '"scale":"linear"' 4.0 1.0 2.0
    axis gpu.cus '4 1 2' ordinal
    expect_axis '"scale":"ordinal"' 4 1 2
    axis gpu.clock '1GHz 2GHz 4GHz' linear
    expect_axis '"scale":"linear","unit":"GHz"' 1.0 2.0 4.0
    axis gpu.clock '1.5GHz 800MHz'
    expect_axis '"scale":"log","unit":"MHz","units":\[\["MHz",1\.0\],\["GHz",1000\.0\]\]' 1500.0 800.0
    axis l2.size '1MiB 65536 256KiB'
    expect_axis '"scale":"log","unit":"B","units":\[\["B",1\.0\],\["KiB",1024\.0\],\["MiB",1048576\.0\]\]' \
        1048576.0 65536.0 262144.0
    axis l2.size '1MiB 256KiB' ordinal
    expect_axis '"scale":"ordinal"' 1MiB 256KiB
    axis dram.latency '5ns 1us'
    expect_axis '"scale":"log","unit":"ns","units":\[\["ns",1\.0\],\["us",1000\.0\]\]' 5.0 1000.0
    axis dram.latency '0 20ns' # no place on a logarithmic axis
    expect_axis '"scale":"linear","unit":"ns"' 0.0 20.0
    axis agg.core 'simple 2way-light-ooo'
    expect_axis '"scale":"ordinal"' simple 2way-light-ooo
}

# What cannot be drawn is told, in the plot's place and on standard error; the rest is drawn.
empty_plots() {
    axis gpu.cus '1 2'
    cat >>mine.ini <<'END'
[runs others]
program = Bush: cilk_fib 5
vary    = l2.size: 256KiB 1MiB
[value part]
label = part
is    = .gpu.cycles
runs  = sizes
[plot place]
title = Place
kind  = bars
x     = gpu.cus
y     = time
runs  = others
[plot figure]
title = Figure
kind  = lines
x     = l2.size
y     = part
runs  = others
END
    report 0 --seeds 1 ./mine.ini
    [[ $(<err) == "sluice report: warning: mine: [plot place] has nothing to draw: none of its runs varies gpu.cus
sluice report: warning: mine: [plot figure] has nothing to draw: none of its runs has a value part" ]] || fail "$(<err)"
    expect report/index.html '"empty":"none of its runs varies gpu\.cus"'
    expect report/index.html '"empty":"none of its runs has a value part"'
    report 0 --seeds 1 --only Tree ./mine.ini
    expect err '\[plot place\] has nothing to draw: --only leaves none of its runs$'
    sed -i 's/^is    = .gpu.cycles/is    = .gpu.cyclos/' mine.ini
    report 1 --seeds 1 ./mine.ini
    expect err '\[plot time\] has nothing to draw: all its values are missing, since runs failed or the values are no numbers$'
}

# Values that nothing tells apart are told: a bar would show the first of them alone. Equal ones are one.
ambiguous_plots() {
    panel | sed 's/^facet .*//' >mine.ini
    report 0 --seeds 1 ./mine.ini
    [[ $(<err) == "sluice report: warning: mine: [plot faster] has several values of a series at one place; series or facet can \
tell them apart by --channels" ]] || fail "$(<err)"
    panel | sed 's/^facet .*//; s/^is    = at.*/is    = at("--channels"; "wavefront").value.time/; s/^Tree 1MiB.*//' >mine.ini
    report 0 --seeds 1 ./mine.ini
    [[ ! -s err ]] || fail "$(<err)"
}

# A file may have any name, and a report has each name once.
names() {
    mkdir "a b"
    panel >"a b/mine.ini"
    report 0 --seeds 1 "a b/mine.ini"
    expect report/index.html "\"command\":\"sluice report --seeds 1 'a b/mine\.ini'\""
    panel >mine.ini
    report 2 --text ./mine.ini "a b/mine.ini"
    expect err '\./mine\.ini and a b/mine\.ini have the same name'
}

# The page says what was changed, and the machine is the changed one.
changed() {
    panel >mine.ini
    report 0 --seeds 1 --set gpu.cus=2 ./mine.ini
    expect report/index.html -- '--set gpu\.cus=2'
    expect report/index.html '\["gpu\.cus","2"\]'
    expect report/index.html '\["mem\.jitter","4 ns"\]'
    expect report/index.html '"command":"sluice report --seeds 1 --set gpu\.cus=2 \./mine\.ini"'
    report 2 --set gpu.cuss=2 ./mine.ini
    expect err 'gpu\.cuss: no such key'
}

two_at_once() {
    panel >mine.ini
    mkdir report
    exec 9>report/lock
    flock 9
    report 3 ./mine.ini
    expect err 'another report is being made in report'
}

no_library() {
    panel >mine.ini
    SLUICE_D3=$PWD/none report 3 --seeds 1 ./mine.ini
    expect err 'node-d3'
    [[ ! -e report/runs ]] || fail "something has run"
    SLUICE_D3=$PWD/none report 0 --text --seeds 1 ./mine.ini
}

no_room() {
    panel >mine.ini
    report 0 --seeds 1 ./mine.ini
    rm report/index.html
    ln -s /dev/full report/index.html
    report 3 --seeds 1 ./mine.ini
    expect err 'index\.html.*No space left'
    run 3 sluice report --out no/such ./mine.ini
    expect err 'cannot make the folder no/such'
}

# mistake PATTERN SED: what is told of a panel with this mistake, before anything runs
mistake() {
    panel "$(check_lines sure 0 1)" | sed "$2" >mine.ini
    report 2 ./mine.ini
    expect err "$1"
    [[ ! -e report/runs ]] || fail "something has run"
}

no_file() {
    report 2 ./mine.ini
    expect err 'cannot read the panel \./mine\.ini: No such file'
    mkdir -p mine
    report 2 ./mine
    expect err 'cannot read the panel \./mine: Is a directory'
}

# Every panel that there is can be read, and each has a name that is not another's.
shipped() {
    run 0 sluice report --list
    (($(grep -c '^  ' out) == $(find "$root/scripts/panels" -name '*.ini' | wc -l))) || fail "$(cat out)"
    expect out '^  figure15 +Figure 15: '
    run 2 sluice report figur15
    expect err "there is no panel 'figur15'; did you mean figure15\?"
    run 2 sluice report
    expect err 'which panels'
}

check "arithmetic" arithmetic
check "equal reports" equal
check "states of checks" states
check "a check that is not decided" undecided
check "only what is not there" again
check "long names and large figures" long_words
check "values without figures" no_figures
check "another build" other_build
check "killed and taken up again" killed
check "runs that fail" failing
check "only some programs" only
check "axes of lines" axes_of_lines
check "plots of nothing" empty_plots
check "plots of too much" ambiguous_plots
check "files' names" names
check "another machine" changed
check "two in a folder" two_at_once
check "no plotting library" no_library
check "no room" no_room
check "panels there are" shipped
check "unknown section" mistake 'mine\.ini:15: unknown section' 's/^\[value faster\]/[valeu faster]/'
check "unknown key" mistake "mine\.ini:[0-9]+: \[value\] has no key 'units'; it has: label unit is runs" 's/^unit /units /'
check "section without a name" mistake 'mine\.ini:15: a section but \[panel\] has a name' 's/^\[value faster\]/[value]/'
check "section with a bad name" mistake 'such as \[value speedup\], not fas"ter' 's/^\[value faster\]/[value fas"ter]/'
check "indented key" mistake 'mine\.ini:2: a key begins its line; there is space before title' 's/^title  = Fib/  title = Fib/'
check "indented section" mistake 'mine\.ini:2: a \[section\] begins its line; there is space before \[value none\]$' 's/^\[panel\]/&\n  [value none]/'
check "indented section first" mistake 'mine\.ini:1: a \[section\] begins its line; there is space before \[panel\]$' 's/^\[panel\]/ &/'
check "key behind a section" mistake 'mine\.ini:1: a \[section\] has its line for itself; behind it stands title = x$' '1s/$/ title = x/'
check "section twice" mistake 'mine\.ini:15: this section is there already' 's/^\[value faster\]/[value time]/'
check "key twice" mistake 'mine\.ini:3: this key is there already: title' 's/^source/title/'
check "missing key" mistake "\[value time\] lacks the key 'is'" '/^is    = .gpu.cycles/d'
check "no section" mistake 'there is no section \[runs\]' '/^\[runs/,/^\[value time/{/^\[value/!d}'
check "long line" mistake 'mine\.ini:4: the line is too long' "s/Where does/$(printf 'x%.0s' {1..220})/"
check "neither section nor key" mistake 'mine\.ini:6: neither' 's/^\[runs sizes\]/runs/'
check "program without a label" mistake 'expected LABEL: PROGRAM' 's/Graph: fib 8/fib 8/'
check "program that is none" mistake "there is no program 'fibb'" 's/Graph: fib 8/Graph: fibb 8/'
check "key without values" mistake 'expected section\.key: VALUE' 's/l2.size: 64KiB 1MiB/l2.size/'
check "value out of range" mistake 'l2\.size' 's/64KiB 1MiB/64KiB 1/'
check "expression that is none" mistake '\[value faster\] is = .*syntax error' 's/^is    = at(/is    = at((/'
check "function that is none" mistake 'att/2 is not defined' 's/^is    = at(/is    = att(/'
check "coordinate that is none" mistake "there is no coordinate 'l2.sise'; did you mean l2.size" 's/^x      = l2.size/x = l2.sise/'
check "value that is none" mistake "there is no value 'fastre'; did you mean faster" 's/^y      = faster/y = fastre/'
check "kind that is none" mistake "'pie' is none of: lines bars stacked" 's/^kind   = bars/kind = pie/'
check "scale that is none" mistake "'logg' is none of: linear log" 's/^y      = faster/yscale = logg\n&/'
check "axis that is none" mistake "\[plot faster\] xscale: 'logg' is none of: linear log ordinal" 's/^y      = faster/xscale = logg\n&/'
check "axis of bars" mistake '\[plot faster\] xscale: log is of lines; bars are ordinal$' 's/^y      = faster/xscale = log\n&/'
check "axis of words" mistake "xscale: linear is of numbers, and 'wavefront' of --channels is none; ordinal takes any$" \
    's/^kind   = bars/kind = lines\nxscale = linear/; s/^x      = l2.size/x = --channels/'
check "axis of values side by side" mistake "xscale: log is of numbers, and x = value has none; ordinal takes any$" \
    's/^kind   = bars/kind = lines\nxscale = log/; s/^x      = l2.size/x = value/'
check "axis of two measures" mistake "xscale: log is of one measure, and '5ns' of --channels is of another than those before it; ordinal takes any$" \
    's/^kind   = bars/kind = lines\nxscale = log/; s/^x      = l2.size/x = --channels/; s/wavefront workitem/64KiB 5ns/'
check "axis of times without a unit" mistake "xscale: log is of one measure, and '5' of --channels lacks a unit; ordinal takes any$" \
    's/^kind   = bars/kind = lines\nxscale = log/; s/^x      = l2.size/x = --channels/; s/wavefront workitem/5 5ns/'
check "logarithm of 0" mistake 'xscale: log has no place for values of --channels that are not above 0; linear or ordinal$' \
    's/^kind   = bars/kind = lines\nxscale = log/; s/^x      = l2.size/x = --channels/; s/wavefront workitem/0 5/'
check "two of what is one" mistake "there is no coordinate 'l2.size program'" 's/^x      = l2.size/x = l2.size program/'
check "figure of no point" mistake "there is no such point; one is 'Graph 1MiB workitem'" 's/^Tree 1MiB/Tree 1Mib/'
check "figure that is no number" mistake '\[paper faster\] Tree 1MiB workitem = x1: no number' 's/= 1\.5/= x1/'
check "check without a bound" mistake '\[check sure\] has no bound' '/^above = 0/d'
check "bound that is no number" mistake '\[check sure\] a bound is no number' 's/^above = 0/above = much/'
check "file that is not there" no_file
