/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What lanes of a run may access in shared memory: the table that firmware passes on from the host
 * (struct sl_protection; docs/know/trust.md), a copy of which is all that counts, and the code,
 * which may be read and executed whatever the table says.
 *
 * Closed always: all that is outside kernel memory and the shared heap, so the wavefront state pool
 * and the device's own. Who asks keeps the window that he was told (simt/lsu/address_check.c): what
 * is judged once is then judged by a comparison. */
#ifndef SLUICE_SIMT_UNIT_PROTECTION_H
#define SLUICE_SIMT_UNIT_PROTECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/dram.h"
#include "simt/program/program.h"
#include "sluice/layouts.h"

struct sl_layout;

/* Memory from `base`, up to `base + bytes`. */
struct extent {
    uint64_t base;
    uint64_t bytes;
};

/* A range, or what the code leaves of it, or the code itself. */
struct protection_piece {
    struct extent extent;
    uint64_t lines_base; /* where bit 0 of `lines` is */
    uint8_t access;      /* of enum sl_access */
    uint8_t lines;
};

/* One range may have code in its middle. */
#define PROTECTION_PIECES (SL_RANGES_MAX + 2)

struct protection {
    uint64_t limit;     /* first address behind the shared heap, */
    uint64_t top;       /* and behind the wavefront state pool */
    struct extent code; /* as far as it lies below */
    uint32_t ranges;    /* as firmware gave them */
    uint32_t pieces;    /* made of them: in ascending order, and disjoint */
    struct sl_range range[SL_RANGES_MAX];
    struct protection_piece piece[PROTECTION_PIECES];
};

/* Opens all of kernel memory, and of the heap. There is no code. */
void protection_init(struct protection *protection, const struct sl_layout *layout);

/* The same; the code stays. */
void protection_open(struct protection *protection);

/* Takes the table at an address. Returns 0; or -1 where it is none, and then nothing but the code
 * is open. */
int protection_load(struct protection *protection, const struct dram *dram, uint64_t address);

/* Code has been loaded: it lies from `base` up to `base + bytes`. */
void protection_set_code(struct protection *protection, uint64_t base, uint64_t bytes);

/* The widest memory around an address of which each byte is open to an instruction; of no bytes
 * where the address is not. Only one piece is looked at: what is behind it may be open, too. */
struct extent protection_extent(const struct protection *protection, enum simt_needs needs,
                                uint64_t address);

/* The first of `bytes` bytes from an address that is closed to an instruction; the address behind
 * them where all are open. */
uint64_t protection_closed(const struct protection *protection, enum simt_needs needs,
                           uint64_t address, uint64_t bytes);

/* The range that an address is in, or the gap between two; above the heap all up to the device's
 * own memory. */
struct extent protection_around(const struct protection *protection, uint64_t address);

#endif
