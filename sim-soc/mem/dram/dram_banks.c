/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channels of DRAM with banks. */
#include "mem/dram/dram_banks.h"

#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "sluice/config.h"
#include "sluice/memory_map.h"

/* So many times as many ends of transfers are known as the queue has places: those of requests that
 * wait outside, too. */
#define ENDS_PER_PLACE 4u

static uint64_t cycles_ps(const struct dram_banks *dram, const struct sl_config *config,
                          enum sl_config_key key)
{
    return (uint64_t)config->number[key] * dram->clock.ps;
}

bool dram_banks_create(struct dram_banks *dram, const struct sl_config *config,
                       struct mem_counters *counters)
{
    const uint32_t width = (uint32_t)config->number[SL_CFG_DRAM_WIDTH];

    *dram = (struct dram_banks){
        .counters = counters,
        .clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_DRAM_CLOCK)),
        .channels = (uint32_t)config->number[SL_CFG_DRAM_CHANNELS],
        .banks = (uint32_t)config->number[SL_CFG_DRAM_BANKS],
        .row_lines = (uint32_t)config->number[SL_CFG_DRAM_ROW] / SL_CACHE_LINE_BYTES,
        .queue = (uint32_t)config->number[SL_CFG_DRAM_QUEUE],
    };
    dram->line_ps = (SL_CACHE_LINE_BYTES + width - 1) / width * dram->clock.ps;
    dram->cl_ps = cycles_ps(dram, config, SL_CFG_DRAM_CL_CYCLES);
    dram->rp_ps = cycles_ps(dram, config, SL_CFG_DRAM_RP_CYCLES);
    dram->rc_ps = cycles_ps(dram, config, SL_CFG_DRAM_RC_CYCLES);
    dram->ras_ps = cycles_ps(dram, config, SL_CFG_DRAM_RAS_CYCLES);
    dram->rcd_ps = cycles_ps(dram, config, SL_CFG_DRAM_RCD_CYCLES);
    dram->rrd_ps = cycles_ps(dram, config, SL_CFG_DRAM_RRD_CYCLES);
    jitter_init(&dram->jitter, config);
    dram->channel = calloc(dram->channels, sizeof(*dram->channel));
    if (dram->channel == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < dram->channels; i++) {
        struct dram_banks_channel *channel = &dram->channel[i];
        channel->banks = calloc(dram->banks, sizeof(*channel->banks));
        if (!mshrs_create(&channel->ends, ENDS_PER_PLACE * dram->queue) || channel->banks == NULL) {
            return false;
        }
    }
    dram_banks_reset(dram);
    return true;
}

void dram_banks_destroy(struct dram_banks *dram)
{
    for (uint32_t i = 0; dram->channel != NULL && i < dram->channels; i++) {
        free(dram->channel[i].banks);
        free(dram->channel[i].ends.until_ps);
    }
    free(dram->channel);
}

void dram_banks_reset(struct dram_banks *dram)
{
    for (uint32_t i = 0; i < dram->channels; i++) {
        struct dram_banks_channel *channel = &dram->channel[i];
        memset(&channel->bus, 0, sizeof(channel->bus));
        memset(&channel->activates, 0, sizeof(channel->activates));
        mshrs_reset(&channel->ends);
        for (uint32_t bank = 0; bank < dram->banks; bank++) {
            channel->banks[bank] = (struct dram_bank){.row = DRAM_BANKS_CLOSED};
        }
    }
    jitter_reset(&dram->jitter);
}

/* The end of one of the latest transfers, the earliest being number 0. */
static uint64_t end_ps(const struct dram_banks_channel *channel, uint32_t number)
{
    return channel->ends.until_ps[(channel->ends.first + number) % channel->ends.count];
}

/* When a request that comes at a time has a place in the queue. */
static uint64_t enter_ps(const struct dram_banks *dram, const struct dram_banks_channel *channel,
                         uint64_t time_ps, bool goes_first)
{
    const uint32_t outside = channel->ends.count - dram->queue;
    const uint64_t free_ps = end_ps(channel, outside);

    if (!goes_first || free_ps <= time_ps) {
        return later(time_ps, free_ps);
    }
    uint32_t next = 0;
    while (end_ps(channel, next) <= time_ps) {
        next++;
    }
    return end_ps(channel, next);
}

/* When the column access of a row can be, from a time on; opens the row. */
static uint64_t open_row(struct dram_banks *dram, struct dram_banks_channel *channel,
                         struct dram_bank *bank, uint64_t row, uint64_t time_ps)
{
    uint64_t activate_ps = time_ps;

    if (bank->row == row) {
        dram->counters->dram_row_hits++;
        return later(time_ps, bank->column_ps);
    }
    if (bank->row != DRAM_BANKS_CLOSED) {
        const uint64_t precharge_ps =
            later(time_ps, later(bank->column_ps, bank->activated_ps + dram->ras_ps));
        activate_ps = later(precharge_ps + dram->rp_ps, bank->activated_ps + dram->rc_ps);
    }
    bank->row = row;
    bank->activated_ps = bus_take(&channel->activates, activate_ps, dram->rrd_ps);
    return bank->activated_ps + dram->rcd_ps;
}

uint64_t dram_banks_access(struct dram_banks *dram, uint32_t line, uint64_t time_ps, bool is_write,
                           bool goes_first)
{
    struct dram_banks_channel *channel = &dram->channel[line & (dram->channels - 1)];
    const uint64_t row = line / dram->channels / dram->row_lines;
    struct dram_bank *bank = &channel->banks[row & (dram->banks - 1)];
    const uint64_t start_ps = enter_ps(dram, channel, time_ps, goes_first);
    const uint64_t edge_ps = sim_clock_after(&dram->clock, start_ps) * dram->clock.ps;
    const uint64_t column_ps = open_row(dram, channel, bank, row / dram->banks, edge_ps);
    const uint64_t data_ps = bus_take(&channel->bus, column_ps + dram->cl_ps, dram->line_ps);

    bank->column_ps = data_ps - dram->cl_ps + dram->line_ps;
    mshrs_take(&channel->ends, data_ps + dram->line_ps);
    dram->counters->dram_reads += !is_write;
    dram->counters->dram_writes += is_write;
    dram->counters->dram_busy_ps += dram->line_ps;
    return data_ps + dram->line_ps + (is_write ? 0 : jitter_next(&dram->jitter));
}
