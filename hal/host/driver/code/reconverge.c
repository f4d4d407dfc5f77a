/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From the post-dominators of each function's blocks to the table that the compute units read. */
#include "host/driver/code/analysis.h"

#include <stdlib.h>

#include "host/driver/code/basic_blocks.h"
#include "sluice/limits.h"

static void fill_table(const struct sl_blocks *blocks, const uint32_t *ipdom, uint32_t *table)
{
    const struct sl_decoded *const decoded = blocks->decoded;
    const struct sl_code_range range = blocks->range;

    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(decoded, at)) {
        const struct sl_insn *insn = &decoded->insns[at];
        if (insn->class == SL_CLASS_BRANCH) {
            uint32_t meet = ipdom[sl_blocks_at(blocks, at)];
            if (meet != SL_FLOW_NONE) {
                table[at] = (uint32_t)(SL_PARCEL_BYTES * blocks->blocks[meet].first);
            }
        } else if (insn->id == SL_INSN_JALR && sl_insn_is_call(insn) &&
                   sl_decoded_behind(decoded, at) < range.end) {
            table[at] = (uint32_t)(SL_PARCEL_BYTES * sl_decoded_behind(decoded, at));
        }
    }
}

static int analyse_function(const struct sl_decoded *decoded, struct sl_code_range range,
                            uint32_t *table)
{
    struct sl_blocks blocks;
    uint32_t *ipdom = NULL;
    int status = sl_blocks_open(decoded, range, &blocks);

    if (status == 0) {
        ipdom = calloc(blocks.count, sizeof *ipdom);
        status = ipdom == NULL ? -1 : sl_postdom(blocks.nodes, blocks.count, ipdom);
    }
    if (status == 0) {
        fill_table(&blocks, ipdom, table);
    }
    free(ipdom);
    sl_blocks_close(&blocks);
    return status;
}

int sl_reconverge(const struct sl_code *code, uint32_t *table)
{
    for (size_t i = 0; i < 2 * code->word_count; i++) {
        table[i] = SL_RECONVERGE_NONE;
    }
    struct sl_decoded decoded;
    int status = sl_decoded_open(code, &decoded);

    for (size_t f = 0; f < decoded.range_count && status == 0; f++) {
        status = analyse_function(&decoded, decoded.ranges[f], table);
    }
    sl_decoded_close(&decoded);
    return status;
}
