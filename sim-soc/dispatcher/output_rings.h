/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The rings that the device writes: completion, yield and fault records.
 *
 * A record is visible to firmware when its bytes are in memory and the ring's tail register counts
 * it, which is at once, and in order. With front.memory = coherent that is when memory has it. */
#ifndef SLUICE_DISPATCHER_OUTPUT_RINGS_H
#define SLUICE_DISPATCHER_OUTPUT_RINGS_H

#include "dispatcher/device_window.h"
#include "dispatcher/memory_port.h"
#include "mem/dram.h"

#define RECORDS_BYTES_MAX PORT_MOVE_BYTES

struct record_ring;

/* A record on its way. */
struct record {
    struct port_move move;
    struct record_ring *ring;
    uint64_t address; /* its place in the ring */
    void *tag;        /* of records_put() */
    bool is_there;
    uint8_t bytes[RECORDS_BYTES_MAX];
};

struct record_ring {
    struct front_port *port;
    const struct window *window;
    const struct dram *dram;
    enum sl_register base_register;
    enum sl_register head_register; /* firmware's: records read */
    enum obs_move move;             /* what observers are told of records */
    uint32_t entries;
    uint32_t bytes;                       /* of an entry */
    uint64_t tail;                        /* records put, since the reset */
    uint64_t visible;                     /* of them */
    struct record *records;               /* `entries` of them; NULL where the port is free */
    void (*seen)(void *owner, void *tag); /* one has become visible: shows the tail register */
    void *owner;
};

/* A ring, by what is not zero of `shape`. Returns 0, or -1 when out of memory. */
int records_create(struct record_ring *ring, const struct record_ring *shape);
void records_destroy(struct record_ring *ring);

/* Forgets all records, also those on their way, whose events are gone. */
void records_reset(struct record_ring *ring);

/* Whether the ring lies in DRAM. */
bool records_are_placed(const struct record_ring *ring);

/* Whether it does and has space for another record. */
bool records_have_space(const struct record_ring *ring);

/* Puts a record, for which there is space. `tag` comes back when it is visible. */
void records_put(struct record_ring *ring, const void *bytes, void *tag);

/* Records on their way. */
static inline uint32_t records_hidden(const struct record_ring *ring)
{
    return (uint32_t)(ring->tail - ring->visible);
}

#endif
