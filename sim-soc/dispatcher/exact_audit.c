/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "dispatcher/exact_audit.h"

#include <stdlib.h>
#include <string.h>

#include "check/graph/channels.h"
#include "sluice/config.h"

#define WORD_BITS 64u

/* A channel. */
struct front_track {
    struct sl_channel shape;          /* when the graph began, its counters too */
    const struct sl_channel *channel; /* in DRAM; NULL: it is not followed */
    const uint32_t *control;
    const uint32_t *done;
    uint64_t *taken;    /* dispatched and not given back: a bit for each element */
    size_t words;       /* that there is memory for */
    uint64_t data_head; /* elements before it have come back, and no bit is set of them */
    uint64_t dispatched;
};

static struct sl_audit_finding found(enum sl_audit what, uint64_t element, uint64_t value0,
                                     uint64_t value1)
{
    return (struct sl_audit_finding){what, element, value0, value1};
}

static const struct sl_audit_finding balanced = {SL_AUDIT_BALANCED, SL_AUDIT_NO_ELEMENT, 0, 0};

int front_audit_init(struct front_audit *audit, const struct sl_config *config,
                     const struct dram *dram)
{
    const int64_t when = config->number[SL_CFG_DEBUG_AUDIT];

    *audit = (struct front_audit){.dram = dram, .is_every = when == SL_DEBUG_AUDIT_EVERY};
    if (when == SL_DEBUG_AUDIT_OFF) {
        return 0;
    }
    audit->tracks = calloc(SL_GRAPH_CHANNELS, sizeof(*audit->tracks));
    return audit->tracks != NULL ? 0 : -1;
}

void front_audit_destroy(struct front_audit *audit)
{
    for (uint32_t i = 0; audit->tracks != NULL && i < SL_GRAPH_CHANNELS; i++) {
        free(audit->tracks[i].taken);
    }
    free(audit->tracks);
    audit->tracks = NULL;
}

void front_audit_reset(struct front_audit *audit)
{
    audit->channels = 0;
}

/* ---- a graph begins ---- */

/* `count` words of 32 bits in DRAM, or NULL. */
static const uint32_t *words_at(const struct dram *dram, uint64_t address, uint64_t count)
{
    return address % sizeof(uint32_t) == 0 && dram_holds(dram, address, count * sizeof(uint32_t))
               ? dram_at(dram, address)
               : NULL;
}

static bool is_sound(const struct sl_channel *shape)
{
    return shape->width >= SL_CHANNEL_WIDTH_MIN && shape->width <= SL_CHANNEL_WIDTH_MAX &&
           (shape->width & (shape->width - 1)) == 0 && shape->done_shift < 32 &&
           shape->width >> shape->done_shift != 0;
}

/* Makes room for a bit for each element, none of them set. */
static bool clear_bits(struct front_track *track)
{
    const size_t words = track->shape.width / WORD_BITS;

    if (track->words < words) {
        free(track->taken);
        track->taken = malloc(words * sizeof(*track->taken));
        track->words = track->taken != NULL ? words : 0;
    }
    if (track->taken != NULL) {
        memset(track->taken, 0, words * sizeof(*track->taken));
    }
    return track->taken != NULL;
}

static uint64_t *word_of(const struct front_track *track, uint64_t place)
{
    return &track->taken[place / WORD_BITS];
}

static uint64_t bit_of(uint64_t place)
{
    return UINT64_C(1) << place % WORD_BITS;
}

/* The elements of the channel that are neither given back nor ready were dispatched by earlier
 * runs. */
static void take_earlier(struct front_track *track)
{
    const struct sl_channel *shape = &track->shape;
    const uint64_t places = shape->width - 1;
    const uint64_t entries = 2 * (uint64_t)shape->width - 1;
    const uint64_t used = shape->data_tail - shape->data_head;
    const uint64_t ready = shape->control_tail - shape->control_head;

    for (uint64_t i = 0; i < used && i <= places; i++) {
        const uint64_t place = (shape->data_head + i) & places;
        *word_of(track, place) |= bit_of(place);
    }
    for (uint64_t i = 0; i < ready && i <= places; i++) {
        const uint64_t place = track->control[(shape->control_head + i) & entries] & places;
        *word_of(track, place) &= ~bit_of(place);
    }
}

static void begin_track(struct front_track *track, const struct dram *dram,
                        const struct sl_channel *channel)
{
    const struct sl_channel *shape = &track->shape;

    track->channel = NULL;
    track->shape = *channel;
    if (!is_sound(shape)) {
        return;
    }
    track->control = words_at(dram, shape->control, 2 * (uint64_t)shape->width);
    track->done = words_at(dram, shape->done, shape->width >> shape->done_shift);
    if (track->control == NULL || track->done == NULL || !clear_bits(track)) {
        return;
    }
    track->channel = channel;
    track->data_head = shape->data_head;
    track->dispatched = shape->control_head;
    take_earlier(track);
}

void front_audit_begin(struct front_audit *audit, uint64_t graph)
{
    const struct dram *dram = audit->dram;

    audit->channels = 0;
    if (audit->tracks == NULL || graph % 8 != 0 ||
        !dram_holds(dram, graph, sizeof(struct sl_graph))) {
        return;
    }
    const struct sl_graph *shared = dram_at(dram, graph);
    const uint32_t count = shared->channel_count;
    if (count > SL_GRAPH_CHANNELS ||
        !dram_holds(dram, graph, sizeof(*shared) + count * sizeof(struct sl_channel))) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        begin_track(&audit->tracks[i], dram, &sl_graph_channels(shared)[i]);
    }
    audit->channels = count;
}

/* ---- a packet is taken ---- */

/* Follows data_head. Elements that lanes reserved for themselves may come back without having been
 * dispatched. */
static struct sl_audit_finding give_back(struct front_track *track, uint64_t data_head,
                                         uint64_t data_tail)
{
    const uint64_t places = track->shape.width - 1;
    const bool gives_back = (track->shape.flags & SL_CHANNEL_WORKITEM) != 0;

    if (data_tail - track->data_head < data_head - track->data_head) {
        return found(SL_AUDIT_EARLY, data_tail & places, data_head, data_tail);
    }
    while (track->data_head != data_head) {
        const uint64_t place = track->data_head & places;
        const uint64_t left = data_head - track->data_head;
        const uint64_t rest = WORD_BITS - place % WORD_BITS;
        const uint64_t count = left < rest ? left : rest;
        const uint64_t mask = ~UINT64_C(0) >> (WORD_BITS - count) << place % WORD_BITS;
        const uint64_t missing = mask & ~*word_of(track, place);
        if (missing != 0 && !gives_back) {
            const uint64_t element =
                place / WORD_BITS * WORD_BITS + (uint64_t)__builtin_ctzll(missing);
            return found(SL_AUDIT_EARLY, element, data_head, data_tail);
        }
        *word_of(track, place) &= ~mask;
        track->data_head += count;
    }
    return balanced;
}

static struct sl_audit_finding take(struct front_track *track, const struct sl_dispatch *packet,
                                    uint64_t data_tail)
{
    const struct sl_channel *shape = &track->shape;
    const uint32_t places = shape->width - 1;
    const uint32_t entries = 2 * shape->width - 1;
    const uint64_t length = (uint64_t)shape->width + shape->slack;

    for (uint32_t i = 0; i < packet->count; i++) {
        const uint32_t offset = track->control[(packet->first + i) & entries];
        const uint32_t place = offset & places;
        uint64_t *const word = word_of(track, place);
        if (offset >= length || !sl_audit_is_reserved(shape, track->data_head, data_tail, place)) {
            return found(SL_AUDIT_OFFSET, offset, track->dispatched + i, 0);
        }
        if ((*word & bit_of(place)) != 0) {
            return found(SL_AUDIT_TWICE, place, track->dispatched + i, 0);
        }
        *word |= bit_of(place);
    }
    track->dispatched += packet->count;
    return balanced;
}

static struct sl_audit_finding audit_all(const struct front_track *track)
{
    const struct sl_audit_channel channel = {
        .shape = &track->shape,
        .now = sl_audit_read(track->channel),
        .first_entry = track->shape.control_head,
        .first_element = track->shape.data_head,
        .first_reserved = track->shape.data_tail,
        .control = track->control,
        .done = track->done,
    };
    return sl_audit_in_motion(&channel, track->dispatched, track->taken);
}

struct sl_audit_finding front_audit_packet(struct front_audit *audit,
                                           const struct sl_dispatch *packet)
{
    struct front_track *track =
        packet->channel < audit->channels ? &audit->tracks[packet->channel] : NULL;
    if (track == NULL || track->channel == NULL) {
        return balanced;
    }
    const uint64_t data_head = __atomic_load_n(&track->channel->data_head, __ATOMIC_RELAXED);
    const uint64_t data_tail = __atomic_load_n(&track->channel->data_tail, __ATOMIC_RELAXED);
    struct sl_audit_finding finding = give_back(track, data_head, data_tail);
    if (finding.what == SL_AUDIT_BALANCED) {
        finding = take(track, packet, data_tail);
    }
    if (finding.what == SL_AUDIT_BALANCED && audit->is_every) {
        finding = audit_all(track);
    }
    if (finding.what != SL_AUDIT_BALANCED) {
        audit->channels = 0;
    }
    return finding;
}
