/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a report looks at several times in a bin: counters of memory, the division of time,
 * channels. What has come since the look before is spread evenly over the time in between. */
#include <string.h>

#include "engine/clock.h"
#include "observers/report_observer.h"

static void count_all(const struct report *report, uint64_t *counters)
{
    const struct mem_counters *memory = report->memory;
    const uint64_t values[] = {
        [SL_REPORT_L1D_ACCESSES - REPORT_FIRST_COUNTER] = memory->l1[L1D].accesses,
        [SL_REPORT_L1D_HITS - REPORT_FIRST_COUNTER] = memory->l1[L1D].served[HIT_L1],
        [SL_REPORT_AGG_L1D_ACCESSES - REPORT_FIRST_COUNTER] = memory->l1[AGG_L1D].accesses,
        [SL_REPORT_AGG_L1D_HITS - REPORT_FIRST_COUNTER] = memory->l1[AGG_L1D].served[HIT_L1],
        [SL_REPORT_L2_ACCESSES - REPORT_FIRST_COUNTER] = memory->l2.accesses,
        [SL_REPORT_L2_HITS - REPORT_FIRST_COUNTER] = memory->l2.hits,
        [SL_REPORT_DRAM_READS - REPORT_FIRST_COUNTER] = memory->dram_reads,
        [SL_REPORT_DRAM_WRITES - REPORT_FIRST_COUNTER] = memory->dram_writes,
        [SL_REPORT_DRAM_BUSY - REPORT_FIRST_COUNTER] = memory->dram_busy_ps,
    };

    _Static_assert(sizeof(values) == REPORT_COUNTERS * sizeof(*counters), "all of them");
    memcpy(counters, values, sizeof(values));
}

struct span {
    uint64_t from_ps;
    uint64_t to_ps;
};

/* When DRAM transfers what has come up since the look before. It is counted when it is asked for:
 * where that is more than fits the time since then, it queues behind what is there. */
static struct span transfers(struct report *report, uint64_t busy_ps, uint64_t time_ps)
{
    const uint32_t channels = report->memory->dram_channels;
    const uint64_t from_ps = later(report->look_ps, report->dram_ps);
    const uint64_t queued_ps = from_ps + (channels > 0 ? busy_ps / channels : 0);
    const uint64_t to_ps = later(queued_ps, time_ps);

    if (to_ps > time_ps) {
        report->dram_ps = to_ps;
    }
    return (struct span){from_ps, to_ps};
}

static void look_at_counters(struct report *report, uint64_t time_ps)
{
    uint64_t now[REPORT_COUNTERS];

    count_all(report, now);
    const struct span dram =
        transfers(report,
                  now[SL_REPORT_DRAM_BUSY - REPORT_FIRST_COUNTER] -
                      report->counted[SL_REPORT_DRAM_BUSY - REPORT_FIRST_COUNTER],
                  time_ps);
    for (uint32_t i = 0; i < REPORT_COUNTERS; i++) {
        const bool is_dram = REPORT_FIRST_COUNTER + i >= REPORT_FIRST_OF_DRAM;
        report_spread(report, REPORT_FIRST_COUNTER + i, now[i] - report->counted[i],
                      is_dram ? dram.from_ps : report->look_ps, is_dram ? dram.to_ps : time_ps);
    }
    memcpy(report->counted, now, sizeof(now));
}

/* The split is known up to the cycle that is accounted for. */
static void look_at_activity(struct report *report)
{
    const struct activity *last = &report->divided;
    const struct activity *now = report->activity;
    const uint64_t from_ps = last->accounted_cycle * report->cycle_ps;
    const uint64_t to_ps = now->accounted_cycle * report->cycle_ps;
    const uint64_t cycles[] = {
        now->active_cycles - last->active_cycles,
        now->stalled_cycles - last->stalled_cycles,
        now->blocked_cycles - last->blocked_cycles,
    };

    for (uint32_t i = 0; i < 3; i++) {
        report_spread(report, SL_REPORT_ACTIVE + i, cycles[i] * report->cycle_ps, from_ps, to_ps);
    }
    report->divided = *now;
}

/* Counters of one channel are not stored at one time. */
static uint64_t between(uint64_t low, uint64_t high)
{
    return high > low ? high - low : 0;
}

static void look_at_channel(struct report *report, uint32_t number,
                            const struct sl_channel *channel, uint64_t time_ps)
{
    const struct report_passage *passage = &report->passages[number];
    const uint64_t held[SL_REPORT_STATES] = {
        [SL_REPORT_WAITING] = between(channel->control_tail, channel->data_tail),
        [SL_REPORT_READY] = between(passage->launched, channel->control_tail),
        [SL_REPORT_DISPATCHED] = between(passage->ended, passage->launched),
        [SL_REPORT_FINISHED] = between(channel->data_head, passage->ended),
    };
    const uint32_t series = SL_REPORT_CHANNEL + number * SL_REPORT_STATES;

    for (uint32_t i = 0; i < SL_REPORT_STATES; i++) {
        report_hold(report, series + i, held[i], report->look_ps, time_ps);
    }
}

static void look_at_channels(struct report *report, uint64_t time_ps)
{
    const struct sl_channel *channels = report->channels;

    for (uint32_t i = 0; i < report->channel_count; i++) {
        if (channels[i].data_tail != channels[i].data_head) {
            look_at_channel(report, i, &channels[i], time_ps);
        }
    }
}

void report_look(struct report *report, uint64_t time_ps)
{
    look_at_counters(report, time_ps);
    look_at_activity(report);
    look_at_channels(report, time_ps);
    report->look_ps = time_ps;
    report->base.tick_ps = time_ps + report->shared->bin_ps / REPORT_LOOKS_PER_BIN;
}
