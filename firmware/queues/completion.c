/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reading completion and fault records (docs/know/architecture.md, "The firmware"). The fault
 * ring's head never moves: the first fault ends the graph. */
#include "queues/completion.h"

#include "queues/throttle.h"

static _Alignas(64) struct sl_completion completions[SL_COMPLETION_ENTRIES];
static _Alignas(64) struct sl_fault faults[SL_FAULT_ENTRIES];

void completion_init(struct completion *completion)
{
    *completion = (struct completion){0};
    agg_register_write(SL_REG_COMPLETION_BASE, agg_address(completions));
    agg_register_write(SL_REG_FAULT_BASE, agg_address(faults));
}

uint32_t completion_take(struct completion *completion, uint64_t tail, struct channel *channels)
{
    uint32_t count = 0;

    while (completion->head != tail && count < SL_COMPLETION_ENTRIES) {
        const struct sl_completion *record = &completions[completion->head % SL_COMPLETION_ENTRIES];
        completion->elements += record->elements;
        completion->wavefronts += record->wavefronts;
        if (channels != NULL) {
            channels[record->channel].view.completed += record->elements;
            channels[record->channel].view.wavefronts -= record->wavefronts;
            throttle_complete(channels[record->channel].throttle, record);
        }
        completion->head++;
        count++;
    }
    agg_register_write(SL_REG_COMPLETION_HEAD, completion->head);
    return count;
}

uint64_t completion_faults(struct sl_fault *first)
{
    const uint64_t tail = agg_register_read(SL_REG_FAULT_TAIL);
    if (tail == 0) {
        return 0;
    }
    *first = faults[0];
    return tail + agg_register_read(SL_REG_FAULT_LOST);
}
