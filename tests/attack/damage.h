/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Damage to bytes: flipped bits, odd numbers in fields, fields that change places, all of it
 * random. */
#ifndef SLUICE_ATTACK_DAMAGE_H
#define SLUICE_ATTACK_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "attack/random.h"

enum damage { DAMAGE_BITS, DAMAGE_FIELD, DAMAGE_FIELDS, DAMAGE_SWAP, DAMAGE_WHOLE, DAMAGES };

/* Damages `bytes` bytes, at least 8. */
void damage(void *memory, size_t bytes, enum damage how, struct rng *rng);

#endif
