#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Sweeps as job arrays of Slurm, on a cluster of this machine alone: the same table as without it, and an array that is
# taken back when the sweep is ended. Most of the time is sbatch's, which looks for the end of an array every few seconds.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=lib/slurm.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/slurm.sh"
# shellcheck source=lib/sweep.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/sweep.sh"

need_slurm() {
    local tool
    for tool in munged slurmctld slurmd sbatch; do
        PATH=$PATH:/usr/sbin command -v $tool >/dev/null || skip "no $tool"
    done
}

table() {
    need_slurm
    start_slurm
    run 0 sluice sweep --out here --vary gpu.cus=1,2,4 'fib 10'
    run 0 sluice sweep --out slurm --vary gpu.cus=1,2,4 --engine slurm 'fib 10'
    cmp slurm/results.csv here/results.csv
    [[ -s slurm/slurm.sh ]] || fail "no job script: it has not run on Slurm"
    run 0 sluice sweep --out "$odd" --vary gpu.cus=1,2,4 --engine slurm 'fib 10'
    cmp "$odd/results.csv" here/results.csv
}

whole() {
    need_slurm
    start_slurm
    forty "$PWD/here"
    hang_s=200 forty "$PWD/slurm" --engine slurm
    cmp slurm/results.csv here/results.csv
}

has_no_jobs() {
    [[ -z $(squeue --noheader) ]]
}

# Ended as by a terminal, which signals all of its processes, or alone: it takes the job array back.
ended() {
    local signal sweep
    need_slurm
    start_slurm
    for signal in INT TERM; do
        setsid env --default-signal=INT "$bin/sluice" sweep --out $signal --engine slurm --vary gpu.cus=1,2,4,8 \
            --set gpu.cycle_limit=100000000000 'queens 13' >out 2>err &
        sweep=$!
        wait_for "$hang_s" test -d $signal/runs/00000 || fail "no run: $(cat out err; squeue)"
        if [[ $signal == INT ]]; then
            kill -INT -- -$sweep
        else
            kill -TERM $sweep
        fi
        wait_for "$hang_s" is_gone $sweep || fail "still there: $(cat out err; squeue)"
        expect err 'ended by signal [0-9]+; job .[0-9]+. is cancelled'
        wait_for "$hang_s" has_no_jobs || fail "jobs: $(squeue)"
    done
}

check "the same table" table
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    check "forty-eight runs" whole
fi
check "interrupted and ended" ended
