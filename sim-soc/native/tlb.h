/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What QEMU's TLB makes of PMP. A check that has passed is kept for its page where no entry begins
 * or ends in that page, and holds until the TLB is flushed. A kept page is not checked again: not
 * for an access that goes on into the next page, and not after a write of pmpaddr, which flushes
 * nothing. No page is evicted here; QEMU evicts some of 256. */
#ifndef SLUICE_NATIVE_TLB_H
#define SLUICE_NATIVE_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "native/pmp.h"

#define TLB_SLOTS 4096u /* a power of two */

struct tlb {
    uint64_t slot[TLB_SLOTS]; /* the number of a page, then its three permissions; 0: none */
    unsigned used;
};

void tlb_flush(struct tlb *tlb);

/* Whether an access in machine mode is allowed, of which the first byte is at an address. */
bool tlb_allows(struct tlb *tlb, const struct pmp *pmp, uint64_t address, unsigned bytes,
                enum pmp_access access);

#endif
