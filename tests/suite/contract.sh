#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Policies that break their contract (firmware/graph/contract.h): each is a built-in one with a function of it replaced, or a
# line changed, in an image of its own. The message names policy and cause, and blames neither kernels nor the host.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=lib/wrong_image.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/wrong_image.sh"

# told POLICY CAUSE PROGRAM ARGUMENT...: in the image as it is now
told() {
    image || fail "$(cat "$suite_folder/log")"
    run 3 "${@:3}" --quiet --set host.flash="$place/firmware/sluice.flash"
    expect err "^$3: policy $1 broke its contract.*: $2"
    ! grep -E 'overwritten|filled by|put in by' err || fail "somebody else is blamed"
    cp "$root/firmware/policies/$1.c" "$tree/firmware/policies/$1.c"
}

flat_chooses() {
    with flat choose 'return 0;'
    told flat "it chose nothing, though nothing is in flight and 1 elements of channel 0 'fib' are ready" fib 9
    with flat choose 'choice[0] = (struct choice){0, 0}; return 1;'
    told flat "it chose 0 elements of channel 0 'fib', of which 1 are ready" fib 9
    with flat choose 'choice[0] = (struct choice){0, channel_ready(&run->channels[0]) + 1}; return 1;'
    told flat "it chose 2 elements of channel 0 'fib', of which 1 are ready" fib 9
    with flat choose 'choice[0] = (struct choice){200, 1}; return 1;'
    told flat 'it chose elements of channel 200, where the graph has 1 channels' fib 9
    with flat choose 'uint32_t n = choose(run, choice, space); choice[n] = choice[0]; return n + 1;'
    told flat "it chose 1 elements of channel 0 'fib', of which 0 are ready" fib 9
    with flat choose 'return run->passes < 40 ? choose(run, choice, space) : 0;'
    told flat 'it chose nothing, though nothing is in flight' fib 16
}

flat_fills() {
    with flat choose 'for (uint32_t i = 0; i < 5000; i++) { choice[i] = (struct choice){0, 1}; } return 5000;'
    told flat 'it chose 5000 packets, where there is space for 256' fib 9
    with flat choose 'for (uint32_t i = 0; i <= space; i++) { choice[i] = (struct choice){0, 1}; } return space + 1;'
    told flat 'it chose 257 packets, where there is space for 256' fib 9
}

flat_ends() {
    with flat poll 'struct poll poll = all_channels_poll(run); poll.is_ready = false; return poll;'
    told flat "it ended the graph, and 1 elements of channel 0 'fib' are ready" fib 9
    with flat poll 'struct poll poll = all_channels_poll(run); poll.is_ready = true; return poll;'
    told flat 'it goes on, though nothing is in flight, ready or waiting' fib 9
    with flat poll 'return (struct poll){channel_poll(&run->channels[0]), channel_ready(&run->channels[0]) > 0, false, false};'
    told flat "its poll.. has not seen that [0-9]+ elements of channel [1-9] '.*' are ready" stages 4000
}

guards() {
    edited flat 's/const uint32_t ready = guard_ready(run, channel);/const uint32_t ready = channel_ready(channel);/'
    told flat "it chose [0-9]+ elements of channel 0 'seeds', whose guards let 0 go" stages 4000
    edited flat 's/guard_chosen(&run->channels\[index\], count);//g'
    told flat "it chose [0-9]+ elements of channel 0 'seeds', whose guards let 0 go" stages 4000
    edited flat 's/guard_chosen(&run->channels\[index\], count);/guard_chosen(\&run->channels[index], count - 1);/'
    told flat "it chose [0-9]+ elements of channel 0 'seeds', whose guards let [0-9]+ go" stages 4000
}

levelized() {
    with levelized choose 'return 0;'
    told levelized "it chose nothing, though nothing is in flight and 1 elements of channel 0 'tasks level 0' are ready" cilk_fib 9
    with levelized choose 'choice[0] = (struct choice){1, 64}; return 1;'
    told levelized "it chose 64 elements of channel 1 'tasks level 1', of which 0 are ready" cilk_fib 9
    with levelized choose 'uint32_t n = choose(run, choice, space); if (n > 0) { choice[n - 1].count += 64; } return n;'
    told levelized "it chose [0-9]+ elements of channel [0-9]+ '.*', of which [0-9]+ are ready" cilk_fib 9
    with levelized is_complete 'return false;'
    told levelized 'it goes on, though nothing is in flight, ready or waiting' cilk_fib 9
    with levelized dispatched ''
    told levelized 'its poll.. has not seen that [0-9]+ elements of channel [0-9]+ .* are ready' cilk_fib 9
    with levelized poll 'struct poll poll = levels_poll(run->state, run->channels); poll.is_ready &= run->passes < 20; return poll;'
    told levelized 'it chose nothing, though nothing is in flight and [0-9]+ elements of channel' cilk_fib 12
}

prepare
check "choices of flat" flat_chooses
check "more than there is space for" flat_fills
check "the end" flat_ends
check "guards" guards
check "choices of levelized" levelized
