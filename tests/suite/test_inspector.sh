#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The wavefront inspector through the whole machine: after a fault, and over the control socket of a program
# that runs, whose statistics stay the same. Reports in TAP.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
fib=${SLUICE_BUILD:-build}/bin/fib
# shellcheck source-path=SCRIPTDIR source=lib/tap.sh
source tests/suite/lib/tap.sh

# A channel that overflows: the dump follows the message, the status is the fault's.
"$fib" 20 --width 512 --set debug.dump=fault >"$folder/output" 2>&1
[[ $? == 3 ]]
report $? 'a fault with debug.dump=fault exits with status 3'
[[ $(grep -c '^wavefront [0-9]*: kernel fib_kernel, channel 0 .fib., CU [0-9], context [0-9]*, faulted: kernel trap' \
    "$folder/output") == 1 ]]
report $? 'the wavefront that faulted is described'
grep -q '^    >  0  call: sl_talloc_or_trap (channel_routines.S:[0-9]*), lanes 0' "$folder/output"
report $? 'with the place and the lanes at the top of its stack'
grep -q '^       1  call: fib_kernel (fib_kernel.c:20), lanes 0' "$folder/output"
report $? 'and the line of the call below'
! grep -q '0x0000' "$folder/output"
report $? 'without registers'

"$fib" 20 --width 512 --set debug.dump=all --set debug.dump_registers=true >"$folder/output" 2>&1
[[ $(grep -c '^wavefront ' "$folder/output") -ge 2 && $(grep -c '^    sp   all lanes 0x0000000050000' \
    "$folder/output") == $(grep -c '^wavefront ' "$folder/output") ]]
report $? 'debug.dump=all describes all resident wavefronts, with registers where asked'

"$fib" 20 --width 512 >"$folder/output" 2>&1
! grep -q '^wavefront ' "$folder/output"
report $? 'without debug.dump nothing is printed'

# A long run with the control socket; perl is in Debian's base system and speaks to Unix sockets.
"$fib" 27 --quiet --stats "$folder/plain.json" >"$folder/output" 2>&1
# It looks for the socket before the program is there, which runs for less than a second.
# shellcheck disable=SC2016 # perl's own variables
perl -MIO::Socket::UNIX -e '
    my ($best, $is_there) = ("", 0);
    open my $ready, ">", "$ARGV[0].ready" or die;
    for (1 .. 30000) {
        my $socket = IO::Socket::UNIX->new(Peer => $ARGV[0]);
        if (!$socket) {
            last if $is_there; # the program has ended
            select(undef, undef, undef, 0.01);
            next;
        }
        $is_there = 1;
        $SIG{PIPE} = "IGNORE";
        print $socket "dump\n";
        $socket->flush;
        my $answer = do { local $/; <$socket> } // "";
        $best = $answer if length $answer > length $best;
    }
    print $best;
' "$folder/socket" >"$folder/answer" &
client=$!
until [[ -e $folder/socket.ready ]] || ! kill -0 $client; do
    sleep 0.02
done
"$fib" 27 --quiet --stats "$folder/watched.json" --set debug.control="$folder/socket" >"$folder/output" 2>&1
report $? 'a program that is asked for dumps ends well'
wait $client
grep -q '^wavefront [0-9]*: kernel fib_kernel' "$folder/answer"
report $? 'and has described its wavefronts'
cmp -s <(grep -v '"sim\.' "$folder/plain.json") <(grep -v '"sim\.' "$folder/watched.json")
report $? 'with the statistics of a run that is not asked'
[[ ! -e $folder/socket ]]
report $? 'and the socket is gone'

# One that asks for more than a socket holds, while wavefronts are there, and takes nothing: it is left to
# itself, and the program ends.
timeout 300 "$fib" 30 --quiet --width 2097152 --set debug.control="$folder/socket" >"$folder/output" 2>&1 &
program=$!
# shellcheck disable=SC2016 # perl's own variables
perl -MIO::Socket::UNIX -e '
    for (1 .. 30000) {
        my $socket = IO::Socket::UNIX->new(Peer => $ARGV[0]);
        if ($socket) {
            print $socket "dump\n";
            $socket->flush;
            last if grep { /^[0-9]{3} wavefronts/ } <$socket>;
        }
        select(undef, undef, undef, 0.01);
    }
    my $deaf = IO::Socket::UNIX->new(Peer => $ARGV[0]);
    print $deaf "dump registers\n";
    $deaf->flush;
    sleep 3600;
' "$folder/socket" &
client=$!
wait $program
report $? 'a client that takes nothing does not hold the program up'
kill $client
exit $status
