/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reset, and the end. */
#include "native/hart.h"

#include <inttypes.h>
#include <stdio.h>

#include "sluice/codes.h"
#include "sluice/memory_map.h"

#define MSTATUS_RESET 0xa00000000ull /* SXL and UXL: 64 bits */

void hart_reset(struct hart *hart, struct bus *bus, struct blocks *blocks)
{
    *hart = (struct hart){
        .pc = bus->flash != NULL ? SL_FLASH_BASE : BUS_ROM_BASE, /* as QEMU's loader has it begin */
        .bus = bus,
        .blocks = blocks,
        .reservation = HART_NO_RESERVATION,
        .csr = {.mstatus = MSTATUS_RESET},
    };
    hart_protect(hart);
}

void hart_protect(struct hart *hart)
{
    const struct pmp *const pmp = &hart->pmp;
    hart->dram_is_open = pmp_is_uniform(pmp, SL_DRAM_BASE, hart->bus->dram_bytes) &&
                         pmp_permissions(pmp, SL_DRAM_BASE, 1) == PMP_ALL;
}

bool hart_stop_foreign(struct hart *hart, const char *what)
{
    hart->has_stopped = true;
    hart->status = SL_EXIT_FOREIGN;
    (void)snprintf(hart->message, sizeof hart->message,
                   "sluice native engine: instruction 0x%" PRIx32 " at pc 0x%" PRIx64
                   ": %s is not modelled; set host.engine = qemu",
                   hart->word, hart->pc, what);
    return false;
}
