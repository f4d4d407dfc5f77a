/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Writing records. */
#include "dispatcher/output_rings.h"

#include <stdlib.h>
#include <string.h>

int records_create(struct record_ring *ring, const struct record_ring *shape)
{
    *ring = *shape;
    if (ring->port->is_free) {
        return 0;
    }
    ring->records = calloc(ring->entries, sizeof(*ring->records));
    return ring->records == NULL ? -1 : 0;
}

void records_destroy(struct record_ring *ring)
{
    free(ring->records);
}

void records_reset(struct record_ring *ring)
{
    ring->tail = 0;
    ring->visible = 0;
    window_write(ring->window, ring->head_register, 0);
}

static uint64_t base_of(const struct record_ring *ring)
{
    return window_read(ring->window, ring->base_register);
}

bool records_are_placed(const struct record_ring *ring)
{
    return base_of(ring) % 8 == 0 &&
           dram_holds(ring->dram, base_of(ring), (uint64_t)ring->entries * ring->bytes);
}

bool records_have_space(const struct record_ring *ring)
{
    const uint64_t head = window_read(ring->window, ring->head_register);

    return records_are_placed(ring) && ring->tail - head < ring->entries;
}

static uint64_t address_of(const struct record_ring *ring, uint64_t number)
{
    return base_of(ring) + number % ring->entries * ring->bytes;
}

/* The next record becomes visible. */
static void show(struct record_ring *ring, uint64_t address, const void *bytes, void *tag)
{
    memcpy(dram_at(ring->dram, address), bytes, ring->bytes);
    ring->visible++;
    port_observe(ring->port, ring->move, address, ring->bytes);
    ring->seen(ring->owner, tag);
}

static void record_done(struct port_move *move)
{
    struct record *record = (struct record *)move;
    struct record_ring *ring = record->ring;

    record->is_there = true;
    while (ring->visible != ring->tail) {
        const struct record *next = &ring->records[ring->visible % ring->entries];
        if (!next->is_there) {
            break;
        }
        show(ring, next->address, next->bytes, next->tag);
    }
}

void records_put(struct record_ring *ring, const void *bytes, void *tag)
{
    const uint64_t number = ring->tail++;
    const uint64_t address = address_of(ring, number);

    if (ring->port->is_free) {
        show(ring, address, bytes, tag);
        return;
    }
    struct record *record = &ring->records[number % ring->entries];
    record->ring = ring;
    record->address = address;
    record->tag = tag;
    record->is_there = false;
    memcpy(record->bytes, bytes, ring->bytes);
    port_begin(ring->port, &record->move, MEM_STORE, address, ring->bytes, record_done);
}
