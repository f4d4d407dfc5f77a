/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Storing the host's elements: in no time, into DRAM, which is where compute units and aggregator
 * meet. What the stores of a host processor would cost the memory system is not modelled. */
#include "soc/host_store.h"

#include <string.h>

#include "check/graph/host_input_check.h"
#include "dispatcher/fault_ring.h"
#include "observers/graph_lookup.h"
#include "soc/soc.h"

/* The message that firmware has not read to its end. */
static const struct sl_message_host *message_of(const struct soc *soc)
{
    const struct sl_mailbox *mailbox = dram_at(&soc->dram, SL_MAILBOX_BASE);
    return &mailbox->host[mailbox->host_head % SL_MAILBOX_ENTRIES];
}

/* The channel of the message. Firmware has checked both, but kernels may have overwritten the
 * channel since: what would reach out of memory has none. */
static const struct sl_channel *channel_of(const struct soc *soc,
                                           const struct sl_message_host *message)
{
    const uint64_t *argument = message->argument;
    const uint64_t bytes = argument[SL_FEED_ELEMENT_BYTES];
    uint32_t count;
    const struct sl_channel *channels = graph_channels(&soc->dram, soc->gpu->env.graph, &count);

    if (message->type != SL_HOST_ENQ || argument[SL_FEED_CHANNEL] >= count ||
        bytes > SL_FEED_BYTES || argument[SL_FEED_COUNT] > SL_FEED_BYTES ||
        !dram_holds(&soc->dram, argument[SL_FEED_ADDRESS], argument[SL_FEED_COUNT] * bytes)) {
        return NULL;
    }
    const struct sl_channel *channel = &channels[argument[SL_FEED_CHANNEL]];
    const uint64_t length = (uint64_t)channel->width * channel->stride;
    return length > 0 && dram_holds(&soc->dram, channel->data, length) && channel->stride >= bytes
               ? channel
               : NULL;
}

/* Lines that were written, for those who hold something of them. */
static void written(struct soc *soc, uint64_t address, uint64_t bytes)
{
    const uint64_t line = SL_CACHE_LINE_BYTES;

    while (bytes > 0) {
        const uint64_t left = line - address % line;
        const uint64_t now = bytes < left ? bytes : left;
        soc_written(soc, address, (unsigned)now);
        address += now;
        bytes -= now;
    }
}

static void store(struct soc *soc, const struct sl_channel *channel, const uint64_t *argument,
                  uint32_t first)
{
    const uint64_t bytes = argument[SL_FEED_ELEMENT_BYTES];

    for (uint64_t i = 0; i < argument[SL_FEED_COUNT]; i++) {
        const uint64_t place = (first + i) % channel->width;
        const uint64_t to = channel->data + place * channel->stride;
        const uint64_t from = argument[SL_FEED_ADDRESS] + i * bytes;
        memcpy(dram_at(&soc->dram, to), dram_at(&soc->dram, from), bytes);
        written(soc, to, bytes);
    }
}

/* Elements whose time the host has not named are as old as they are now. */
static uint64_t age_ps(const struct soc *soc, uint64_t time_ps)
{
    return time_ps < soc->core->time_ps ? soc->core->time_ps - time_ps : 0;
}

void host_store_write(struct soc *soc, uint64_t places)
{
    const struct sl_message_host *message = message_of(soc);
    const struct sl_channel *channel = channel_of(soc, message);
    const uint64_t *argument = message->argument;

    if (channel == NULL) {
        struct sl_fault fault = {.code = SL_FAULT_PACKET, .address = argument[SL_FEED_ADDRESS]};
        faults_put(&soc->dispatcher, &fault);
        return;
    }
    const uint64_t wait_ps = age_ps(soc, argument[SL_FEED_TIME]);

    store(soc, channel, argument, (uint32_t)places);
    soc->feed.messages++;
    soc->feed.elements += argument[SL_FEED_COUNT];
    soc->feed.wait_ps += wait_ps;
    if (probe_enabled(&soc->stream, OBS_FEED)) {
        const struct obs_event event = {
            .time_ps = soc->core->time_ps,
            .kind = OBS_FEED,
            .feed =
                {
                    .channel = (uint32_t)argument[SL_FEED_CHANNEL],
                    .count = (uint32_t)argument[SL_FEED_COUNT],
                    .first = (uint32_t)(places >> 32),
                    .time_ps = soc->core->time_ps - wait_ps,
                },
        };
        probe_emit(&soc->stream, &event);
    }
}

void host_store_full(struct soc *soc, uint64_t when_full)
{
    soc->feed.full++;
    if (when_full == SL_FULL_DROP) {
        soc->feed.dropped += message_of(soc)->argument[SL_FEED_COUNT];
    }
}
