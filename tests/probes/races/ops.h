/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What bases are made of: operations whose order and scope are constants of a form. They are
 * macros, so that each has the line on which it stands, and a case has only what its form chooses.
 */
#ifndef SLUICE_PROBES_RACES_OPS_H
#define SLUICE_PROBES_RACES_OPS_H

#include "probes/races/data.h"
#include "sluice/wave/wave.h"

enum races_order {
    PLAIN, /* an ordinary access in place of an atomic one */
    RELAXED,
    ACQUIRE,
    RELEASE
};

enum races_scope { WAVEFRONT, WORKGROUP, DEVICE, SYSTEM };

struct races_op {
    enum races_order order;
    enum races_scope scope;
};

#define RACES_BASE static inline __attribute__((always_inline)) void

/* An ordinary access, which the compiler makes as it is written. */
#define ORDINARY(place) (*(volatile __typeof__(place) *)&(place))

#define AT_SCOPE(of, before, after, ...)                                                           \
    ((of) == WAVEFRONT   ? before##_wavefront##after(__VA_ARGS__)                                  \
     : (of) == WORKGROUP ? before##_workgroup##after(__VA_ARGS__)                                  \
     : (of) == DEVICE    ? before##_device##after(__VA_ARGS__)                                     \
                         : before##_system##after(__VA_ARGS__))

/* A read-modify-write: the value from before, which has come when it is performed. NAME is that of
 * sl_atomic_NAME_u32_...; `plainly` is what it does where the form says so. */
#define MODIFY(op, NAME, address, value, plainly)                                                  \
    ((op).order == PLAIN ? (plainly)                                                               \
     : (op).order == ACQUIRE                                                                       \
         ? AT_SCOPE((op).scope, sl_atomic_##NAME##_u32, _acquire, address, value)                  \
     : (op).order == RELEASE                                                                       \
         ? AT_SCOPE((op).scope, sl_atomic_##NAME##_u32, _release, address, value)                  \
         : AT_SCOPE((op).scope, sl_atomic_##NAME##_u32, , address, value))

/* Stores to a word to synchronize with. An exchange, since a store does not say when it is done. */
#define PUT(op, word, value)                                                                       \
    MODIFY(op, exchange, &(word), value, (ORDINARY(word) = (value), ORDINARY(word)))

#define ADD(op, word, value)                                                                       \
    MODIFY(op, add, &(word), value, (ORDINARY(word) += (value), ORDINARY(word)))

/* Loads one. */
#define GET(op, word)                                                                              \
    ((op).order == PLAIN     ? ORDINARY(word)                                                      \
     : (op).order == ACQUIRE ? AT_SCOPE((op).scope, sl_load_acquire_u32, , &(word))                \
                             : AT_SCOPE((op).scope, sl_load_relaxed_u32, , &(word)))

/* RELAXED is none. */
#define FENCE(op)                                                                                  \
    do {                                                                                           \
        if ((op).order == ACQUIRE) {                                                               \
            AT_SCOPE((op).scope, sl_fence_acquire, , );                                            \
        } else if ((op).order == RELEASE) {                                                        \
            AT_SCOPE((op).scope, sl_fence_release, , );                                            \
        }                                                                                          \
    } while (0)

/* No exchanged word has this value: a branch on it waits until the exchange is done. */
#define RACES_NEVER 0xffffffffu
#define RACES_POLL  16

/* It is the turn of `number`, when the exchange is done that has returned `done`. */
static inline void races_turn(struct races_data *data, uint32_t number, uint32_t done)
{
    if (done != RACES_NEVER) {
        sl_store_relaxed_u32_device(&data->turn, number);
    }
}

static inline void races_await(const struct races_data *data, uint32_t number)
{
    while (sl_load_relaxed_u32_device(&data->turn) < number) {
        sl_pause_for(RACES_POLL);
    }
}

/* The number of the wavefront among those of the launch. */
static inline __attribute__((always_inline)) uint32_t races_role(void)
{
    return sl_group_id(0) * sl_group_wavefront_count() + sl_group_wavefront_id();
}

/* The same in its first lane, which plays it; the others have none. */
static inline __attribute__((always_inline)) uint32_t races_played(void)
{
    return sl_lane_id() == 0 ? races_role() : RACES_ROLES;
}

#endif
