# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# A Slurm cluster of this machine alone: munged, slurmctld and slurmd of our own, in the current folder.
# They are jobs of the shell that starts them, and end with it.
# shellcheck shell=bash

# start_slurm: returns when the node is idle. Sets SLURM_CONF.
start_slurm() {
    local node port
    node=$(hostname -s)
    port=$((20000 + BASHPID % 20000))
    export SLURM_CONF=$PWD/slurm.conf
    mkdir -p state spool
    (umask 077 && head -c 1024 /dev/urandom >munge.key)
    cat >slurm.conf <<END
ClusterName=sluice
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$PWD/munge.socket
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/slurmd.pid
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool
SchedulerParameters=batch_sched_delay=0,sched_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    PATH=$PATH:/usr/sbin
    munged --foreground --force --socket="$PWD/munge.socket" --key-file="$PWD/munge.key" \
        --log-file="$PWD/munge.log" --pid-file="$PWD/munge.pid" --seed-file="$PWD/munge.seed" >munged.out 2>&1 &
    # shellcheck disable=SC2154 # of common.sh
    wait_for "$hang_s" test -S munge.socket || fail "munged: $(cat munged.out munge.log)"
    slurmctld -D -f slurm.conf >slurmctld.out 2>&1 &
    slurmd -D -f slurm.conf >slurmd.out 2>&1 &
    wait_for "$hang_s" node_is_idle || fail "slurm: $(sinfo 2>&1; tail -n 5 slurmctld.out; tail -n 5 slurmd.out)"
}

node_is_idle() {
    [[ $(sinfo --noheader --format=%T 2>/dev/null) == idle ]]
}
