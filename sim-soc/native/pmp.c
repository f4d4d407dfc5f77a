/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Entries are decoded when they are written. */
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

static void decode(struct pmp *pmp)
{
    pmp->used = 0;
    for (unsigned entry = 0; entry < PMP_ENTRIES; entry++) {
        decode_entry(pmp, entry);
        if (mode_of(pmp, entry) != OFF) {
            pmp->used = entry + 1;
        }
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
        }
    }
    decode(pmp);
}

void pmp_write_address(struct pmp *pmp, unsigned entry, uint64_t value)
{
    const unsigned next = entry + 1;
    if (is_locked(pmp, entry) ||
        (next < PMP_ENTRIES && is_locked(pmp, next) && mode_of(pmp, next) == TOR)) {
        return;
    }
    pmp->address[entry] = value;
    decode(pmp);
}

static bool holds(const struct pmp *pmp, unsigned entry, uint64_t address)
{
    return address >= pmp->first[entry] && address <= pmp->last[entry];
}

bool pmp_allows(const struct pmp *pmp, uint64_t address, unsigned bytes, enum pmp_access access)
{
    for (unsigned entry = 0; entry < pmp->used; entry++) {
        if (mode_of(pmp, entry) == OFF) {
            continue;
        }
        const bool holds_first = holds(pmp, entry, address);
        const bool holds_last = holds(pmp, entry, address + bytes - 1);
        if (holds_first != holds_last) {
            return false;
        }
        if (holds_first) {
            return !is_locked(pmp, entry) || (pmp->config[entry] & access) != 0;
        }
    }
    return true;
}

bool pmp_is_uniform(const struct pmp *pmp, uint64_t address, uint64_t bytes)
{
    const uint64_t last = address + bytes - 1;
    for (unsigned entry = 0; entry < pmp->used; entry++) {
        if (mode_of(pmp, entry) == OFF || pmp->first[entry] > pmp->last[entry] ||
            pmp->first[entry] > last || pmp->last[entry] < address) {
            continue;
        }
        return pmp->first[entry] <= address && pmp->last[entry] >= last;
    }
    return true;
}

bool pmp_page_is_uniform(const struct pmp *pmp, uint64_t address)
{
    return pmp_is_uniform(pmp, address & ~(uint64_t)(PMP_PAGE_BYTES - 1), PMP_PAGE_BYTES);
}

bool pmp_allows_in_page(const struct pmp *pmp, uint64_t address, unsigned bytes,
                        enum pmp_access access)
{
    return pmp_allows(pmp, address, pmp_page_is_uniform(pmp, address) ? 1 : bytes, access);
}
