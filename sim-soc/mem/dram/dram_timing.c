/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channels of DRAM. */
#include "mem/dram/dram_timing.h"

#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "sluice/config.h"

bool dram_timing_create(struct dram_timing *timing, const struct sl_config *config)
{
    uint64_t latency_ps = (uint64_t)config->number[SL_CFG_DRAM_LATENCY];
    uint64_t megabytes = (uint64_t)config->number[SL_CFG_DRAM_BANDWIDTH];
    uint64_t line_bytes = (uint64_t)config->number[SL_CFG_L2_LINE];

    timing->channels = (uint32_t)config->number[SL_CFG_DRAM_CHANNELS];
    timing->queue = (uint32_t)config->number[SL_CFG_DRAM_QUEUE];
    /* One byte at 10^6 bytes per second takes 10^6 ps; rounded up, to be never faster. */
    timing->line_ps = (line_bytes * 1000000ull * timing->channels + megabytes - 1) / megabytes;
    timing->lead_ps = latency_ps > timing->line_ps ? latency_ps - timing->line_ps : 0;
    jitter_init(&timing->jitter, config);
    timing->channel = calloc(timing->channels, sizeof(*timing->channel));
    if (timing->channel == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < timing->channels; i++) {
        timing->channel[i].until_ps = calloc(timing->queue, sizeof(uint64_t));
        if (timing->channel[i].until_ps == NULL) {
            return false;
        }
    }
    return true;
}

void dram_timing_destroy(struct dram_timing *timing)
{
    for (uint32_t i = 0; timing->channel != NULL && i < timing->channels; i++) {
        free(timing->channel[i].until_ps);
    }
    free(timing->channel);
}

void dram_timing_reset(struct dram_timing *timing)
{
    for (uint32_t i = 0; i < timing->channels; i++) {
        struct dram_channel *channel = &timing->channel[i];
        memset(&channel->bus, 0, sizeof(channel->bus));
        memset(channel->until_ps, 0, timing->queue * sizeof(uint64_t));
        channel->next = 0;
    }
    jitter_reset(&timing->jitter);
}

uint64_t dram_timing_access(struct dram_timing *timing, uint32_t line, uint64_t time_ps,
                            bool is_write)
{
    struct dram_channel *channel = &timing->channel[line & (timing->channels - 1)];
    uint64_t *place = &channel->until_ps[channel->next];
    uint64_t enter_ps = later(time_ps, *place);
    uint64_t start_ps =
        bus_take(&channel->bus, enter_ps + (is_write ? 0 : timing->lead_ps), timing->line_ps);

    *place = start_ps + timing->line_ps;
    channel->next = channel->next + 1 == timing->queue ? 0 : channel->next + 1;
    return *place + (is_write ? 0 : jitter_next(&timing->jitter));
}
