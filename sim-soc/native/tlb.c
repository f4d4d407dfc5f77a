/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A hash table with open addressing. It is emptied when it is half full. */
#include "native/tlb.h"

#include <string.h>

void tlb_flush(struct tlb *tlb)
{
    if (tlb->used > 0) {
        memset(tlb, 0, sizeof *tlb);
    }
}

/* The slot of a page, or the empty one that it would take. */
static uint64_t *find(struct tlb *tlb, uint64_t page)
{
    uint64_t at = page % TLB_SLOTS;
    while (tlb->slot[at] != 0 && tlb->slot[at] >> 3 != page) {
        at = (at + 1) % TLB_SLOTS;
    }
    return &tlb->slot[at];
}

static void keep(struct tlb *tlb, uint64_t *slot, uint64_t page, unsigned permissions)
{
    if (*slot == 0 && tlb->used == TLB_SLOTS / 2) {
        tlb_flush(tlb);
        slot = find(tlb, page);
    }
    tlb->used += *slot == 0;
    *slot = page << 3 | permissions;
}

bool tlb_allows(struct tlb *tlb, const struct pmp *pmp, uint64_t address, unsigned bytes,
                enum pmp_access access)
{
    const uint64_t page = address / PMP_PAGE_BYTES;
    uint64_t *const slot = find(tlb, page);
    if ((*slot & access) != 0) {
        return true;
    }
    const unsigned permissions = pmp_permissions(pmp, address, bytes);
    if ((permissions & access) == 0) {
        return false;
    }
    if (pmp_is_uniform(pmp, page * PMP_PAGE_BYTES, PMP_PAGE_BYTES)) {
        keep(tlb, slot, page, permissions);
    }
    return true;
}
