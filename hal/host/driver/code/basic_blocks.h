/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Basic blocks of a function of kernel code, and the graph of its control flow.
 *
 * Conditional branches and direct jumps inside the function are edges; a call goes on behind
 * itself. Ways leave a function by a return, by a jump out of it (a tail call), by running on
 * behind its end, and by any other jump through a register, whose targets are not known.
 *
 * A lock or unlock ends its block, so that all instructions of a block have as many locks in front
 * of them. */
#ifndef SLUICE_HOST_DRIVER_CODE_BASIC_BLOCKS_H
#define SLUICE_HOST_DRIVER_CODE_BASIC_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "host/driver/code/decoded.h"
#include "host/driver/code/postdom.h"

/* From the first instruction to the last, both of them places. */
struct sl_block {
    size_t first;
    size_t last;
};

struct sl_blocks {
    const struct sl_decoded *decoded;
    struct sl_code_range range;
    uint32_t count;
    struct sl_block *blocks; /* in the order of their addresses; the function's entry is in 0 */
    struct sl_flow_node *nodes;
    uint32_t *block_of; /* per parcel of the function */
};

/* Finds the blocks of a function, which `decoded` must outlive. Returns 0, or -1 when out of
 * memory; the result is to be closed in any case. */
int sl_blocks_open(const struct sl_decoded *decoded, struct sl_code_range range,
                   struct sl_blocks *blocks);

void sl_blocks_close(struct sl_blocks *blocks);

/* The block that an instruction of the function is in. */
static inline uint32_t sl_blocks_at(const struct sl_blocks *blocks, size_t at)
{
    return blocks->block_of[at - blocks->range.first];
}

#endif
