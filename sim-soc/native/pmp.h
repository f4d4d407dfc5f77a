/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Physical memory protection of a hart in machine mode (RISC-V Privileged ISA, section 3.7), as
 * QEMU 7.2 has it: 16 entries, of which locked ones bind machine mode; an access that an entry
 * matches in part is denied, whether it is locked or not. Addresses are physical bytes. */
#ifndef SLUICE_NATIVE_PMP_H
#define SLUICE_NATIVE_PMP_H

#include <stdbool.h>
#include <stdint.h>

#define PMP_ENTRIES    16
#define PMP_PAGE_BYTES 4096u

/* What an access does, as the bits of a pmpcfg field. */
enum pmp_access { PMP_READ = 1, PMP_WRITE = 2, PMP_EXECUTE = 4, PMP_ALL = 7 };

struct pmp {
    uint8_t config[PMP_ENTRIES];
    uint64_t address[PMP_ENTRIES]; /* as written to pmpaddr */
    /* From the above, of entries that are on: the first and the last byte. */
    uint64_t first[PMP_ENTRIES];
    uint64_t last[PMP_ENTRIES];
    unsigned used; /* entries behind the last one that is on */
};

/* pmpcfg`2 * half`: the fields of 8 entries from 8 * half on; half is 0 or 1. Fields of locked
 * entries keep their value. */
uint64_t pmp_read_config(const struct pmp *pmp, unsigned half);
void pmp_write_config(struct pmp *pmp, unsigned half, uint64_t value);

/* pmpaddr`entry`. It keeps its value where the entry, or the next one of kind TOR, is locked. */
void pmp_write_address(struct pmp *pmp, unsigned entry, uint64_t value);

/* Which accesses to these bytes in machine mode are allowed, as a set of enum pmp_access. */
unsigned pmp_permissions(const struct pmp *pmp, uint64_t address, unsigned bytes);

/* Whether no entry begins or ends within this range: all of it has the same permissions. */
bool pmp_is_uniform(const struct pmp *pmp, uint64_t address, uint64_t bytes);

#endif
