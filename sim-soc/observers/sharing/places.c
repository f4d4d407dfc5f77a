/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How lanes lie to each other. Addresses that a kernel computes from the work-item's numbers alone
 * have the same distances from lane to lane in each wavefront; those that come out of data have
 * not. */
#include <stdlib.h>
#include <string.h>

#include "observers/sharing/sharing.h"
#include "sluice/memory_map.h"

#define CODE_PLACES  (SL_KERNEL_BYTES / 2)
#define FIRST_PLACES 64u

static int grow(struct sharing_places *places)
{
    const uint32_t capacity = places->capacity == 0 ? FIRST_PLACES : 2 * places->capacity;
    struct sharing_place *larger = realloc(places->places, capacity * sizeof(larger[0]));

    if (larger == NULL) {
        return -1;
    }
    places->places = larger;
    places->capacity = capacity;
    return 0;
}

/* The instruction's, made where there is none; NULL when out of memory. */
static struct sharing_place *place_of(struct sharing_places *places, uint64_t pc)
{
    if (places->of == NULL) {
        places->of = calloc(CODE_PLACES, sizeof(places->of[0]));
        if (places->of == NULL) {
            return NULL;
        }
    }
    uint32_t *of = &places->of[(pc - SL_KERNEL_BASE) / 2];
    if (*of == 0) {
        if (places->count == places->capacity && grow(places) != 0) {
            return NULL;
        }
        places->places[places->count] = (struct sharing_place){.lanes = 0};
        *of = ++places->count;
    }
    return &places->places[*of - 1];
}

static enum sharing_regularity compare(const struct sharing_place *place,
                                       const struct obs_access *access)
{
    uint64_t common = place->lanes & access->lanes;

    if ((common & (common - 1)) == 0) {
        return SHARING_UNKNOWN;
    }
    const unsigned first = (unsigned)__builtin_ctzll(common);
    const uint64_t apart = access->address[first] - place->address[first];
    for (; common != 0; common &= common - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(common);
        if (access->address[lane] - place->address[lane] != apart) {
            return SHARING_IRREGULAR;
        }
    }
    return SHARING_REGULAR;
}

enum sharing_regularity sharing_places_compare(struct sharing_places *places,
                                               const struct obs_event *event)
{
    const struct obs_access *access = &event->access;

    if (access->pc - SL_KERNEL_BASE >= SL_KERNEL_BYTES) {
        return SHARING_UNKNOWN;
    }
    struct sharing_place *place = place_of(places, access->pc);
    if (place == NULL) {
        return SHARING_NO_MEMORY;
    }
    if (place->lanes != 0 && place->wave == event->wave.number) {
        return SHARING_UNKNOWN;
    }
    const enum sharing_regularity found = compare(place, access);
    place->wave = event->wave.number;
    place->lanes = access->lanes;
    for (uint64_t left = access->lanes; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        place->address[lane] = access->address[lane];
    }
    return found;
}

void sharing_places_clear(struct sharing_places *places)
{
    for (uint32_t i = 0; i < places->count; i++) {
        places->places[i].lanes = 0;
    }
}

void sharing_places_destroy(struct sharing_places *places)
{
    free(places->of);
    free(places->places);
    *places = (struct sharing_places){.of = NULL};
}
