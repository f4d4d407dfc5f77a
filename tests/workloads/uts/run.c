/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What both runtimes have in shared memory: the thresholds, the root, the counts. */
#include "workloads/uts/run.h"

#include "sluice/program.h"

static uint32_t get_word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void uts_memory_make(struct sl_soc *soc, const struct uts_input *input, struct uts_memory *memory)
{
    const uint32_t rows = input->right.depth + 1;
    uint8_t root[SHA1_BYTES];

    memory->cus = (uint32_t)sl_soc_config(soc)->number[SL_CFG_GPU_CUS];
    memory->rows = sl_app_alloc(soc, rows * sizeof *memory->rows, 0);
    memory->totals = sl_app_alloc(soc, memory->cus * sizeof *memory->totals, 0);
    for (uint32_t depth = 1; depth < rows; depth++) {
        uts_row(&input->tree, depth, &memory->rows[depth]);
    }
    uts_root(&input->tree, root);
    memory->children = uts_children(&input->tree, 0, uts_random(root));
    for (uint32_t i = 0; i < UTS_WORDS; i++) {
        memory->root[i] = get_word(root + sizeof(uint32_t) * i);
    }
}

struct uts_node uts_first(const struct uts_memory *memory, uint32_t number)
{
    struct uts_node node = {.number = number, .depth = 1};

    for (uint32_t i = 0; i < UTS_WORDS; i++) {
        node.parent[i] = memory->root[i];
    }
    return node;
}

struct uts_count uts_counted(const struct uts_memory *memory)
{
    struct uts_count count = {.nodes = 1, .leaves = memory->children == 0};

    for (uint32_t cu = 0; cu < memory->cus; cu++) {
        const struct uts_total *const total = &memory->totals[cu];
        count.nodes += total->nodes;
        count.leaves += total->leaves;
        count.depth = total->depth > count.depth ? (uint32_t)total->depth : count.depth;
    }
    return count;
}
