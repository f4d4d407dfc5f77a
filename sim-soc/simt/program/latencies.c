/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From the rows of simt/program/latencies.def and the configuration to one cost per instruction
 * class. */
#include "simt/program/latencies.h"

#include "sluice/config.h"
#include <stdbool.h>

static uint16_t cycles_of(const struct sl_config *config, enum sl_config_key key)
{
    return (uint16_t)config->number[key];
}

static bool is_memory(enum sl_insn_class class)
{
    return class == SL_CLASS_LOAD || class == SL_CLASS_STORE || class == SL_CLASS_AMO ||
           class == SL_CLASS_FENCE || class == SL_CLASS_PAUSE;
}

struct simt_timing simt_timing_of(const struct sl_config *config, uint32_t pass_cycles)
{
    static const struct {
        enum sl_config_key passes;
        enum sl_config_key cycles;
        enum sl_config_key interval;
    } keys[UNIT_COUNT] = {
#define SIMT_UNIT(NAME, PASSES, CYCLES, INTERVAL)                                                  \
    [UNIT_##NAME] = {SL_CFG_##PASSES, SL_CFG_##CYCLES, SL_CFG_##INTERVAL},
#define SIMT_CLASS(CLASS, UNIT)
#include "simt/program/latencies.def"
#undef SIMT_UNIT
#undef SIMT_CLASS
    };
    static const uint8_t units[SL_CLASS_COUNT] = {
#define SIMT_UNIT(NAME, PASSES, CYCLES, INTERVAL)
#define SIMT_CLASS(CLASS, UNIT) [SL_CLASS_##CLASS] = UNIT_##UNIT,
#include "simt/program/latencies.def"
#undef SIMT_UNIT
#undef SIMT_CLASS
    };
    struct simt_timing timing;

    for (unsigned class = 0; class < SL_CLASS_COUNT; class ++) {
        unsigned unit = units[class];
        if (is_memory((enum sl_insn_class) class)) {
            timing.of[class] = (struct simt_cost){
                .issue = (uint16_t)pass_cycles, .interval = 1, .unit = UNIT_MEMORY};
            continue;
        }
        timing.of[class] = (struct simt_cost){
            .issue = (uint16_t)(pass_cycles * cycles_of(config, keys[unit].passes)),
            .latency = cycles_of(config, keys[unit].cycles),
            .interval = cycles_of(config, keys[unit].interval),
            .unit = (uint16_t)unit,
        };
    }
    return timing;
}
