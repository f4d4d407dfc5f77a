/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* L1 caches by the kind of requester that they serve. */
#include "mem/parts/l1_shapes.h"

#include "sluice/config.h"
#include "sluice/memory_map.h"

/* Misses of the aggregator's data cache are limited by its core (aggregator/core_data_cache.h),
 * which has seen no more than its load and store queues hold, at most so many, when this cache is
 * asked. */
#define AGG_MISSES_MAX 512u

/* Where the keys of a kind begin, and the order in which these follow. */
static const struct {
    enum l1_kind kind;
    enum sl_config_key keys;
    bool is_agg;
} kinds[MEM_REQUESTER_KINDS] = {
    [MEM_CU] = {L1D, SL_CFG_L1D_SIZE, false},
    [MEM_CU_CODE] = {L1I, SL_CFG_L1I_SIZE, false},
    [MEM_AGG] = {AGG_L1D, SL_CFG_AGG_L1D_SIZE, true},
    [MEM_AGG_CODE] = {AGG_L1I, SL_CFG_AGG_L1I_SIZE, true},
    [MEM_FRONT] = {FRONT_L1D, SL_CFG_FRONT_L1D_SIZE, false},
};
enum { KEY_SIZE, KEY_WAYS, KEY_CYCLES, KEY_PORTS, KEY_MSHRS };

struct l1_numbers l1_numbers_of(const struct sl_config *config, bool has_cu_data)
{
    const uint32_t cus = (uint32_t)config->number[SL_CFG_GPU_CUS];
    const bool is_shared = config->number[SL_CFG_L1I_SHARED] == SL_L1I_SHARED_ON;
    const bool has_front = config->number[SL_CFG_FRONT_MEMORY] == SL_FRONT_MEMORY_COHERENT;
    const uint32_t counts[MEM_REQUESTER_KINDS] = {
        [MEM_CU] = has_cu_data ? cus : 0,
        [MEM_CU_CODE] = is_shared ? 1 : cus,
        [MEM_AGG] = 1,
        [MEM_AGG_CODE] = 1,
        [MEM_FRONT] = has_front ? 1 : 0,
    };
    struct l1_numbers numbers = {.first = {0}};

    for (unsigned kind = 0; kind < MEM_REQUESTER_KINDS; kind++) {
        numbers.first[kind + 1] = numbers.first[kind] + counts[kind];
        numbers.own[kind] = kind == MEM_CU_CODE && is_shared ? 0 : UINT32_MAX;
    }
    return numbers;
}

struct l1_shape l1_shape_of(const struct sl_config *config, enum mem_requester_kind kind)
{
    const int64_t *keys = &config->number[kinds[kind].keys];
    const uint32_t ways = (uint32_t)keys[KEY_WAYS];

    return (struct l1_shape){
        .kind = kinds[kind].kind,
        .is_agg = kinds[kind].is_agg,
        .sets = (uint32_t)keys[KEY_SIZE] / (ways * SL_CACHE_LINE_BYTES),
        .ways = ways,
        .ports_shift = (uint32_t)__builtin_ctzll((uint64_t)keys[KEY_PORTS]),
        .mshrs = kind == MEM_AGG ? AGG_MISSES_MAX : (uint32_t)keys[KEY_MSHRS],
        .cycles = (uint64_t)keys[KEY_CYCLES],
    };
}
