/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What races.c and its kernels share. A case (cases.def) is a kernel, made from a base program and
 * a form of it: the base as it should be, or with one thing wrong. */
#ifndef SLUICE_PROBES_RACES_DATA_H
#define SLUICE_PROBES_RACES_DATA_H

#include <stdint.h>

#include "sluice/device_barrier.h"
#include "sluice/lock.h"

/* Wavefronts of a case that is launched: each is a role. */
#define RACES_ROLES 4u
/* Work-items of all of them, with the widest wavefronts that there are. */
#define RACES_ITEMS 256u

/* What variables of the kernels take of LDS. */
#define RACES_LDS_BYTES 1024u

/* What a case has of its own, zeroes when it starts but for locks, which are free. Words that have
 * nothing to do with each other are in cache lines of their own. */
struct races_data {
    _Alignas(64) union {
        uint32_t x;
        uint8_t bytes[4];
        uint16_t halves[2];
    };
    /* Words to synchronize with; of 64 bits as well. */
    _Alignas(64) union {
        uint32_t words[2];
        uint64_t both;
    } a;
    _Alignas(64) uint32_t b;
    /* Whose turn it is: relaxed atomics, which make the order of an execution certain and order
     * nothing. */
    _Alignas(64) uint32_t turn;
    _Alignas(64) sl_lock_t lock;
    _Alignas(64) sl_lock_t other_lock;
    struct sl_device_barrier barrier;
    _Alignas(64) uint32_t cells[RACES_ITEMS];
    _Alignas(64) uint32_t seen[RACES_ROLES]; /* what each role comes to */
};

/* The channel cases: one maker puts all goods of a round in at once, as soon as those of the round
 * before have been given back. */
#define RACES_GOODS  64u
#define RACES_ROUNDS 3u

struct races_good {
    uint64_t value;
};

#endif
