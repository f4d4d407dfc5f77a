/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Damage to bytes. */
#include "attack/damage.h"

#include <string.h>

static void damage_bit(uint8_t *memory, size_t bytes, struct rng *rng)
{
    memory[rng_below(rng, bytes)] ^= (uint8_t)(1u << rng_below(rng, 8));
}

/* A field of 4 or 8 bytes. */
static void damage_field(uint8_t *memory, size_t bytes, struct rng *rng)
{
    const size_t size = rng_below(rng, 2) == 0 ? 4 : 8;
    const uint64_t value = rng_odd(rng);
    memcpy(memory + size * rng_below(rng, bytes / size), &value, size);
}

static void damage_swap(uint8_t *memory, size_t bytes, struct rng *rng)
{
    uint8_t *const one = memory + 4 * rng_below(rng, bytes / 4);
    uint8_t *const other = memory + 4 * rng_below(rng, bytes / 4);
    uint8_t keep[4];
    memcpy(keep, one, sizeof keep);
    memmove(one, other, sizeof keep);
    memcpy(other, keep, sizeof keep);
}

void damage(void *memory, size_t bytes, enum damage how, struct rng *rng)
{
    const uint64_t times = 1 + rng_below(rng, 4);
    switch (how) {
    case DAMAGE_BITS:
        for (uint64_t i = 0; i < times; i++) {
            damage_bit(memory, bytes, rng);
        }
        break;
    case DAMAGE_FIELD:
        damage_field(memory, bytes, rng);
        break;
    case DAMAGE_FIELDS:
        for (uint64_t i = 0; i <= times; i++) {
            damage_field(memory, bytes, rng);
        }
        break;
    case DAMAGE_SWAP:
        damage_swap(memory, bytes, rng);
        break;
    default:
        for (size_t i = 0; i < bytes; i++) {
            ((uint8_t *)memory)[i] = (uint8_t)rng_next(rng);
        }
        break;
    }
}
