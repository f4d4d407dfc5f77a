/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From the configuration to the shape of compute units. */
#include "simt/unit/shape.h"

#include "sluice/config.h"
#include "sluice/limits.h"

static uint32_t number(const struct sl_config *config, enum sl_config_key key)
{
    return (uint32_t)config->number[key];
}

struct cu_shape cu_shape_of(const struct sl_config *config, uint32_t line_bytes)
{
    uint32_t lanes = number(config, SL_CFG_GPU_LANES);
    uint32_t simd_lanes = number(config, SL_CFG_GPU_SIMD_LANES);
    uint32_t pass_cycles = lanes > simd_lanes ? lanes / simd_lanes : 1;

    return (struct cu_shape){
        .simds = number(config, SL_CFG_GPU_SIMDS),
        .contexts = number(config, SL_CFG_GPU_CONTEXTS),
        .lanes = lanes,
        .full_mask = lanes == SL_LANES_MAX ? ~0ull : (1ull << lanes) - 1,
        .pass_cycles = pass_cycles,
        .memory_ops = number(config, SL_CFG_GPU_MEMORY_OPS),
        .lines_per_cycle = number(config, SL_CFG_GPU_LINES_PER_CYCLE),
        .line_bytes = line_bytes,
        .line_shift = (uint32_t)__builtin_ctz(line_bytes),
        .pause_cycles = number(config, SL_CFG_GPU_PAUSE_CYCLES),
        .spin_limit = number(config, SL_CFG_LOCK_SPIN_LIMIT),
        .registers = number(config, SL_CFG_GPU_REGISTERS),
        .lds_bytes = number(config, SL_CFG_GPU_LDS),
        .lds_banks = number(config, SL_CFG_GPU_LDS_BANKS),
        .lds_cycles = number(config, SL_CFG_GPU_LDS_CYCLES),
        .barrier_cycles = number(config, SL_CFG_GPU_BARRIER_CYCLES),
        .cycle_ps = sl_config_period_ps(config, SL_CFG_GPU_CLOCK),
        .stack_bytes = (uint64_t)config->number[SL_CFG_GPU_STACK],
        .stack_hardware = number(config, SL_CFG_GPU_DIVERGENCE_DEPTH),
        .stack_capacity = number(config, SL_CFG_GPU_DIVERGENCE_DEPTH) +
                          number(config, SL_CFG_GPU_DIVERGENCE_SPILL),
        .backoff = number(config, SL_CFG_LOCK_BACKOFF),
        .backoff_cycles = number(config, SL_CFG_LOCK_BACKOFF_CYCLES),
        .backoff_limit = number(config, SL_CFG_LOCK_BACKOFF_LIMIT),
        .write_buffer = number(config, SL_CFG_GPU_WRITE_BUFFER),
        .orders_private = number(config, SL_CFG_GPU_ORDER_PRIVATE) == SL_GPU_ORDER_PRIVATE_ON,
        .splits_misaligned = number(config, SL_CFG_GPU_MISALIGNED) == SL_GPU_MISALIGNED_SPLIT,
        .saves_live = number(config, SL_CFG_GPU_YIELD_SAVES) == SL_GPU_YIELD_SAVES_LIVE,
        .timing = simt_timing_of(config, pass_cycles),
    };
}
