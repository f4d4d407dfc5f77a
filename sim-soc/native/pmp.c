/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Entries are decoded when they are written: the begin of a TOR entry is what the address before it
 * was then. */
#include "native/pmp.h"

#define LOCKED     0x80u
#define MODE_SHIFT 3
#define FIELDS     8 /* of a pmpcfg register */

enum mode { OFF, TOR, NA4, NAPOT };

static enum mode mode_of(const struct pmp *pmp, unsigned entry)
{
    return (enum mode)(pmp->config[entry] >> MODE_SHIFT & 3);
}

static bool is_locked(const struct pmp *pmp, unsigned entry)
{
    return (pmp->config[entry] & LOCKED) != 0;
}

static void decode_entry(struct pmp *pmp, unsigned entry)
{
    const uint64_t bytes = pmp->address[entry] << 2;
    const uint64_t ones = bytes | 3;
    switch (mode_of(pmp, entry)) {
    case TOR:
        pmp->first[entry] = entry > 0 ? pmp->address[entry - 1] << 2 : 0;
        pmp->last[entry] = bytes - 1;
        if (pmp->first[entry] > pmp->last[entry]) { /* the first byte, in place of none */
            pmp->first[entry] = pmp->last[entry] = 0;
        }
        break;
    case NAPOT:
        pmp->first[entry] = ones & (ones + 1);
        pmp->last[entry] = ones | (ones + 1);
        break;
    default:
        pmp->first[entry] = bytes;
        pmp->last[entry] = ones;
        break;
    }
}

uint64_t pmp_read_config(const struct pmp *pmp, unsigned half)
{
    uint64_t value = 0;
    for (unsigned field = 0; field < FIELDS; field++) {
        value |= (uint64_t)pmp->config[FIELDS * half + field] << 8 * field;
    }
    return value;
}

void pmp_write_config(struct pmp *pmp, unsigned half, uint64_t value)
{
    for (unsigned field = 0; field < FIELDS; field++) {
        const unsigned entry = FIELDS * half + field;
        if (!is_locked(pmp, entry)) {
            pmp->config[entry] = (uint8_t)(value >> 8 * field);
            decode_entry(pmp, entry);
        }
    }
    pmp->used = PMP_ENTRIES;
    while (pmp->used > 0 && mode_of(pmp, pmp->used - 1) == OFF) {
        pmp->used--;
    }
}

void pmp_write_address(struct pmp *pmp, unsigned entry, uint64_t value)
{
    const unsigned next = entry + 1;
    if (is_locked(pmp, entry) ||
        (next < PMP_ENTRIES && is_locked(pmp, next) && mode_of(pmp, next) == TOR)) {
        return;
    }
    pmp->address[entry] = value;
    decode_entry(pmp, entry);
}

static bool holds(const struct pmp *pmp, unsigned entry, uint64_t address)
{
    return address >= pmp->first[entry] && address <= pmp->last[entry];
}

unsigned pmp_permissions(const struct pmp *pmp, uint64_t address, unsigned bytes)
{
    for (unsigned entry = 0; entry < pmp->used; entry++) {
        if (mode_of(pmp, entry) == OFF) {
            continue;
        }
        const bool holds_first = holds(pmp, entry, address);
        const bool holds_last = holds(pmp, entry, address + bytes - 1);
        if (holds_first != holds_last) {
            return 0;
        }
        if (holds_first) {
            return is_locked(pmp, entry) ? pmp->config[entry] & PMP_ALL : PMP_ALL;
        }
    }
    return PMP_ALL;
}

bool pmp_is_uniform(const struct pmp *pmp, uint64_t address, uint64_t bytes)
{
    const uint64_t last = address + bytes - 1;
    for (unsigned entry = 0; entry < pmp->used; entry++) {
        const bool is_outside = mode_of(pmp, entry) == OFF ||
                                pmp->first[entry] > pmp->last[entry] || pmp->first[entry] > last ||
                                pmp->last[entry] < address;
        if (!is_outside && (pmp->first[entry] > address || pmp->last[entry] < last)) {
            return false;
        }
    }
    return true;
}
