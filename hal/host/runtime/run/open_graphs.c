/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Graphs that stay open: the host's messages to one while it runs (docs/know/design.md, "Open
 * graphs"). The elements of a message have a place in shared memory that belongs to the message's
 * entry of the mailbox ring: it is free when the entry is. */
#include <inttypes.h>
#include <string.h>

#include "check/graph/host_input_check.h"
#include "host/base/text.h"
#include "host/driver/graph/graph.h"
#include "host/runtime/run/run.h"

enum sl_status sl_graph_open(struct sl_graph_builder *graph)
{
    SL_HOLD(sl_graph_soc(graph));
    struct sl_soc *const soc = sl_graph_soc(graph);
    struct sl_feed *const feed = &soc->run->feed;
    if (feed->elements == NULL) {
        feed->elements = sl_soc_alloc_own(soc, "the host's elements for an open graph",
                                          (size_t)SL_MAILBOX_ENTRIES * SL_FEED_BYTES);
    }
    if (feed->elements == NULL) {
        return soc->failure; /* with sl_soc_alloc_own()'s message */
    }
    const enum sl_status status = sl_run_graph(graph, &sl_kind_open);
    if (status == SL_OK) {
        feed->is_open = true;
        feed->last_ps = 0;
    }
    return status;
}

/* Whether a message to the graph may name this time. */
static enum sl_status check(struct sl_graph_builder *graph, const char *what, uint64_t time_ps)
{
    struct sl_soc *const soc = sl_graph_soc(graph);
    const struct sl_run *const run = soc->run;
    const enum sl_status status = sl_soc_check_usable(soc);
    if (status != SL_OK) {
        return status;
    }
    if (!run->feed.is_open || run->graph != (uintptr_t)sl_graph_shared(graph)) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "%s: the graph is not open: it was not opened, was closed, or has ended",
                           what);
    }
    if (time_ps < run->feed.last_ps) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "%s: %.6f us are in the past: the host has named, or was told, %.6f us "
                           "already; times are in ascending order",
                           what, (double)time_ps / 1e6, (double)run->feed.last_ps / 1e6);
    }
    return SL_OK;
}

/* Sends a message, for which there is space. */
static enum sl_status post(struct sl_soc *soc, const struct sl_message_host *message)
{
    struct sl_feed *const feed = &soc->run->feed;
    const uint64_t time_ps = message->argument[SL_FEED_TIME];
    if (!sl_mailbox_send(soc->mailbox, message)) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE,
                           "the mailbox ring has no space, though the firmware has read of it");
    }
    if (time_ps != SL_WHEN_IDLE) {
        feed->last_ps = time_ps;
    }
    return SL_OK;
}

/* The same when there is some. */
static enum sl_status wait_and_post(struct sl_soc *soc, enum sl_message_host_type type,
                                    uint64_t time_ps)
{
    const struct sl_message_host message = {
        .type = type, .sequence = soc->run->sequence, .argument = {[SL_FEED_TIME] = time_ps}};
    const enum sl_status status = sl_wait_space(soc);
    return status == SL_OK ? post(soc, &message) : status;
}

static enum sl_status check_elements(struct sl_graph_builder *graph,
                                     const struct sl_message_host *message)
{
    struct sl_soc *const soc = sl_graph_soc(graph);
    const struct sl_graph_limits limits = sl_graph_limits_of(soc);
    struct sl_graph_refusal refusal;
    char text[1024] = "";
    if (sl_host_input_check(sl_graph_kept(graph), message, &limits, &refusal) == 0) {
        return SL_OK;
    }
    sl_graph_refusal_text(&soc->config, graph, &refusal, text, sizeof text);
    return sl_soc_fail(soc, SL_ERROR_USAGE, "enq at a time: %s", text);
}

enum sl_status sl_graph_enq_at(struct sl_graph_builder *graph, int channel, const void *elements,
                               uint32_t count, uint64_t time_ps, enum sl_when_full when_full)
{
    SL_HOLD(sl_graph_soc(graph));
    struct sl_soc *const soc = sl_graph_soc(graph);
    enum sl_status status = check(graph, "enq at a time", time_ps);
    if (status != SL_OK) {
        return status;
    }
    if (channel < 0) {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "enq at a time: there is no channel %d", channel);
    }
    const size_t bytes = sl_graph_element_bytes(graph, channel);
    const size_t place_bytes = sl_form_stride(SL_PACKED, bytes);
    const uint32_t entry = soc->mailbox->host_tail % SL_MAILBOX_ENTRIES;
    uint8_t *const place = (uint8_t *)soc->run->feed.elements + (size_t)entry * SL_FEED_BYTES;
    const struct sl_message_host message = {
        .type = SL_HOST_ENQ,
        .sequence = soc->run->sequence,
        .argument = {[SL_FEED_TIME] = time_ps,
                     [SL_FEED_CHANNEL] = (uint64_t)channel,
                     [SL_FEED_COUNT] = count,
                     [SL_FEED_ADDRESS] = (uintptr_t)place,
                     [SL_FEED_ELEMENT_BYTES] = place_bytes,
                     [SL_FEED_WHEN_FULL] = when_full},
    };
    status = check_elements(graph, &message);
    if (status == SL_OK) {
        status = sl_wait_space(soc);
    }
    if (status != SL_OK) {
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        memcpy(place + i * place_bytes, (const uint8_t *)elements + i * bytes, bytes);
    }
    return post(soc, &message);
}

enum sl_status sl_graph_wait_until(struct sl_graph_builder *graph, uint64_t time_ps,
                                   struct sl_graph_state *state)
{
    SL_HOLD(sl_graph_soc(graph));
    struct sl_soc *const soc = sl_graph_soc(graph);
    struct sl_feed *const feed = &soc->run->feed;
    enum sl_status status = check(graph, "wait until a time", time_ps);
    if (status == SL_OK) {
        status = wait_and_post(soc, SL_HOST_REPORT, time_ps);
    }
    if (status == SL_OK) {
        feed->is_asked = true;
        status = sl_wait_report(soc);
    }
    if (status != SL_OK) {
        return status;
    }
    if (feed->state.time_ps > feed->last_ps) {
        feed->last_ps = feed->state.time_ps;
    }
    if (state != NULL) {
        *state = feed->state;
    }
    return SL_OK;
}

enum sl_status sl_graph_close(struct sl_graph_builder *graph)
{
    SL_HOLD(sl_graph_soc(graph));
    struct sl_soc *const soc = sl_graph_soc(graph);
    struct sl_feed *const feed = &soc->run->feed;
    enum sl_status status = check(graph, "close", feed->last_ps);
    if (status == SL_OK) {
        status = wait_and_post(soc, SL_HOST_CLOSE, feed->last_ps);
    }
    if (status == SL_OK) {
        feed->is_open = false;
    }
    return status;
}
