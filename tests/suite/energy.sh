#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Figures of energy (docs/look-up/energy.md) on the whole machine: they follow from the counters beside them, of one run and of
# several together, and machines that papers/003 Table 4.3 does not have have none.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# follow L1_WRITE TRACKER_READ TRACKER_WRITE L2_READ L2_WRITE LEAKAGE AREA: what costs how many pJ, mW and mm2; distances
# are those by default. Time is that of the run, in whole cycles of 1 GHz.
follow() {
    awk -F '[": ,]+' -v l1_write="$1" -v tracker_read="$2" -v tracker_write="$3" -v l2_read="$4" -v l2_write="$5" \
        -v leakage="$6" -v area="$7" '
        { of[$2] = $3 }
        function near(name, wanted, apart) {
            apart = of[name] - wanted
            if (!(name in of) || apart > 1e-9 * wanted || -apart > 1e-9 * wanted) {
                print name " is " of[name] ", wanted " wanted
                failed = 1
            }
        }
        END {
            near("energy.l1_pj", 30.5 * (of["l1d.read_hits"] + of["l1d.supplied"]) + \
                l1_write * (of["l1d.fills"] + of["l1d.updates"]))
            near("energy.tracker_pj", tracker_read * of["tracker.lookups"] + \
                tracker_write * (of["tracker.marks"] + of["tracker.drops"] + of["tracker.reports"]))
            near("energy.l2_pj", l2_read * of["l2.line_reads"] + l2_write * of["l2.line_writes"])
            near("energy.network_pj", 0.144 * (6 * of["network.l1_tracker_bytes"] + 2 * of["network.tracker_l2_bytes"] + \
                6 * of["network.l1_l2_bytes"] + 8 * of["network.l1_l1_bytes"]))
            near("energy.dram_pj", 4480 * (of["dram.reads"] + of["dram.writes"]))
            near("energy.dynamic_pj", of["energy.l1_pj"] + of["energy.tracker_pj"] + of["energy.l2_pj"] + \
                of["energy.network_pj"] + of["energy.dram_pj"])
            near("energy.area_mm2", area)
            least = leakage * of["gpu.cycles"]
            if (!(of["energy.leakage_pj"] >= least && of["energy.leakage_pj"] <= 1.001 * least)) {
                print "energy.leakage_pj is " of["energy.leakage_pj"] ", wanted " least
                failed = 1
            }
            if (!(of["energy.l1_pj"] > 0 && of["energy.l2_pj"] > 0 && of["energy.dram_pj"] > 0)) {
                print "something costs nothing"
                failed = 1
            }
            exit failed
        }' stats || fail "figures of energy"
}

proposed() {
    run 0 "$@" --quiet --config hybrid --stats stats
    follow 44.5 2.3 3.9 99.7 96.1 407.70 7.11
}

baseline() {
    run 0 "$@" --quiet --config hybrid-base --set l2.size=128KiB --stats stats
    follow 44.4 0 0 62.1 61.5 230.20 6.22
}

# absent OPTION...: of a machine
absent() {
    run 0 fib 12 --quiet "$@" --stats stats
    ! grep -q '"energy' stats || fail "figures of energy: $(grep '"energy' stats)"
}

check "proposed: a launch" proposed stream 1
check "proposed: several runs" proposed bitonic 512 --separate
check "proposed: a graph" proposed fib 12
check "baseline: a launch" baseline stream 1
check "absent by default" absent
check "absent with another L2" absent --config hybrid --set l2.size=2MiB
check "absent with fewer compute units" absent --config hybrid --set gpu.cus=8
