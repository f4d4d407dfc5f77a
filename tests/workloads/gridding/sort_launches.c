/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A wavefront counts the digits of a block of entries; counts are added up, digit by digit, to
 * where the entries of each block go; then a wavefront moves each block's entries there. */
#include "workloads/gridding/sort_launches.h"

#include "sluice/program.h"
#include "workloads/common/hybrid.h"
#include "workloads/gridding/sort.h"

#define GROUP 128

static uint32_t blocks_of(uint32_t items, uint32_t each, uint32_t lanes_log2)
{
    return ((items - 1) >> lanes_log2) / each + 1;
}

static uint32_t block_count(const struct sort *sort)
{
    return blocks_of(sort->n, SORT_EACH, sort->lanes_log2);
}

static uint32_t segment_count(const struct sort *sort)
{
    return blocks_of(block_count(sort) * SORT_DIGITS, SORT_SCAN_EACH, sort->lanes_log2);
}

void sort_make(struct sl_soc *soc, uint32_t n, uint32_t bits, struct sort *sort)
{
    const uint64_t lanes = sl_soc_config(soc)->number[SL_CFG_GPU_LANES];

    *sort = (struct sort){.n = n, .bits = bits};
    while (UINT64_C(1) << sort->lanes_log2 < lanes) {
        sort->lanes_log2++;
    }
    sort->counts =
        sl_app_alloc(soc, (size_t)block_count(sort) * SORT_DIGITS * sizeof(uint32_t), HYBRID_LINE);
    sort->sums = sl_app_alloc(soc, segment_count(sort) * sizeof(uint32_t), HYBRID_LINE);
    for (unsigned i = 0; i < 2; i++) {
        sort->entries[i] = sl_app_alloc(soc, n * sizeof(uint64_t), HYBRID_LINE);
    }
}

static void add_digit(struct launches *launches, const struct sort *sort, uint32_t digit)
{
    const uint64_t from = (uintptr_t)sort->entries[digit % 2];
    const uint64_t to = (uintptr_t)sort->entries[(digit + 1) % 2];
    const uint64_t counts = (uintptr_t)sort->counts, sums = (uintptr_t)sort->sums;
    const uint32_t lanes_log2 = sort->lanes_log2, lanes = 1u << lanes_log2;
    const uint32_t blocks = block_count(sort), segments = segment_count(sort);
    const uint32_t count = blocks * SORT_DIGITS, shift = digit * SORT_DIGIT_BITS;
    const uint64_t to_count[] = {from, sort->n, shift, counts, blocks, lanes_log2};
    const uint64_t to_sum[] = {counts, count, sums, lanes_log2};
    const uint64_t to_scan[] = {sums, segments};
    const uint64_t to_move[] = {from, sort->n, shift, counts, blocks, lanes_log2, to};

    launches_add(launches, "sort_count", blocks << lanes_log2, GROUP, 0, to_count, 6);
    launches_add(launches, "sort_sum", segments << lanes_log2, GROUP, 0, to_sum, 4);
    launches_add(launches, "sort_scan_sums", lanes, lanes, 0, to_scan, 2);
    launches_add(launches, "sort_scan", segments << lanes_log2, GROUP, 0, to_sum, 4);
    launches_add(launches, "sort_move", blocks << lanes_log2, GROUP, 0, to_move, 7);
}

static uint32_t digit_count(const struct sort *sort)
{
    return (sort->bits + SORT_DIGIT_BITS - 1) / SORT_DIGIT_BITS;
}

void sort_add_launches(struct launches *launches, const struct sort *sort)
{
    for (uint32_t digit = 0; digit < digit_count(sort); digit++) {
        add_digit(launches, sort, digit);
    }
}

const uint64_t *sort_result(const struct sort *sort)
{
    return sort->entries[digit_count(sort) % 2];
}
