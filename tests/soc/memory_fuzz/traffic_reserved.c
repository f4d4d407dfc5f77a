/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* LR and SC: one that succeeds has the line as it was reserved. It may fail for no reason. */
#include "soc/memory_fuzz/traffic.h"

#include <stddef.h>

static struct traffic_unit *unit_of(struct traffic_access *access)
{
    return &access->traffic->unit[access->request.from.index];
}

void traffic_give_up(struct traffic_unit *unit)
{
    if (unit->reserved.in != NULL) {
        unit->reserved.in->held--;
        unit->reserved.in = NULL;
    }
}

void traffic_reserve(struct traffic_access *access, struct reservations *reservations, uint32_t at)
{
    const struct versions *versions = access->traffic->versions;
    struct traffic_unit *unit = unit_of(access);

    traffic_give_up(unit);
    unit->reserved = (struct traffic_reservation){
        .in = reservations,
        .at = at,
        .epoch = reservation_take(reservations, TRAFFIC_BASE + at),
        .changed = versions->changed[at / SL_CACHE_LINE_BYTES],
    };
}

void traffic_store_conditionally(struct traffic_access *access, struct reservations *reservations,
                                 uint32_t at, uint8_t *bytes)
{
    struct traffic *traffic = access->traffic;
    struct versions *versions = traffic->versions;
    struct traffic_unit *unit = unit_of(access);
    const struct traffic_reservation reserved = unit->reserved;

    traffic_give_up(unit);
    if (reserved.in != reservations || reserved.at != at ||
        reserved.epoch != reservation_epoch(reservations, TRAFFIC_BASE + at)) {
        return;
    }
    if (reserved.changed != versions->changed[at / SL_CACHE_LINE_BYTES]) {
        versions_fail(versions, "SC %u of %u to the word at %u succeeds: its line has changed",
                      access->load.number, unit->cu, at);
    }
    const uint8_t version =
        versions_new(versions, at, unit->cu, access->load.number, &access->left);
    if (version != 0) {
        versions_write(versions, at, version, bytes);
        reservation_write(reservations, TRAFFIC_BASE + at);
        traffic->conditional++;
    }
}
