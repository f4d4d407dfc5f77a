/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Packets under way, and the rows that their figures go to when they end. */
#include "observers/sharing/sharing.h"

#include "sluice/config.h"
#include <stdlib.h>

/* ---- rows ---- */

/* A kernel's row, made where there is none; NULL: there is no room for it. */
static struct sl_sharing_row *find_row(struct sl_sharing *shared, uint64_t kernel,
                                       uint32_t allocation, uint32_t use)
{
    for (uint64_t i = 0; i < shared->count; i++) {
        struct sl_sharing_row *row = &shared->rows[i];
        if (row->kernel == kernel && row->allocation == allocation && row->use == use) {
            return row;
        }
    }
    if (shared->count == SL_SHARING_ROWS) {
        return NULL;
    }
    struct sl_sharing_row *row = &shared->rows[shared->count++];
    *row = (struct sl_sharing_row){.kernel = kernel, .allocation = allocation, .use = use};
    return row;
}

static uint32_t use_of(const struct sl_sharing_figures *figures)
{
    uint32_t use = 0;

    for (unsigned kind = 0; kind < SL_SHARING_KINDS; kind++) {
        use |= (uint32_t)(figures->by_kind[kind].instructions != 0) << kind;
    }
    return use;
}

/* The figures of a packet that has ended are its kernel's. */
static void add_array(struct sl_sharing *shared, uint64_t kernel, const struct sharing_array *array)
{
    const uint32_t at = array->allocation;
    const uint32_t number = at == 0 ? 0 : shared->allocations[at - 1].number;
    struct sl_sharing_row *row = find_row(shared, kernel, number, use_of(&array->figures));

    if (row == NULL) {
        shared->lost++;
        return;
    }
    sl_sharing_add(&row->figures, &array->figures);
}

/* ---- packets ---- */

static struct sharing_packet *begin_packet(struct sharing *sharing, const struct obs_wave *wave)
{
    struct sharing_packet *packet = sharing->unused;

    if (packet != NULL) {
        sharing->unused = packet->next;
    } else {
        packet = calloc(1, sizeof(*packet));
        if (packet == NULL) {
            return NULL;
        }
    }
    packet->kernel = wave->kernel;
    packet->id = wave->dispatch;
    packet->cus = 0;
    packet->next = sharing->packet;
    sharing->packet = packet;
    return packet;
}

/* The packet that a wavefront is of. NULL when out of memory. */
static struct sharing_packet *packet_of(struct sharing *sharing, const struct obs_wave *wave)
{
    struct sharing_packet *packet = sharing->packet;

    while (packet != NULL && packet->id != wave->dispatch) {
        packet = packet->next;
    }
    if (packet == NULL) {
        packet = begin_packet(sharing, wave);
        sharing->has_failed |= packet == NULL;
    }
    return packet;
}

/* It is forgotten. */
static void drop_packet(struct sharing *sharing, struct sharing_packet **at)
{
    struct sharing_packet *packet = *at;

    sharing_lines_clear(&packet->lines);
    while (packet->count > 0) {
        packet->of[packet->arrays[--packet->count].allocation] = 0;
    }
    *at = packet->next;
    packet->next = sharing->unused;
    sharing->unused = packet;
}

static void drop_packets(struct sharing *sharing)
{
    while (sharing->packet != NULL) {
        drop_packet(sharing, &sharing->packet);
    }
}

/* Its lines go to the figures. */
static void end_packet(struct sharing *sharing, struct sharing_packet **at)
{
    struct sharing_packet *packet = *at;
    const uint64_t cus = (uint64_t)__builtin_popcountll(packet->cus);

    for (uint32_t i = 0; i < packet->lines.count; i++) {
        const struct sharing_line *line = &packet->lines.lines[i];
        sharing_line_count(line, &packet->arrays[packet->of[line->allocation] - 1].figures);
    }
    for (uint32_t i = 0; i < packet->count; i++) {
        packet->arrays[i].figures.cus = cus;
        add_array(sharing->shared, packet->kernel, &packet->arrays[i]);
    }
    drop_packet(sharing, at);
}

static void end_packet_of(struct sharing *sharing, uint32_t id)
{
    for (struct sharing_packet **at = &sharing->packet; *at != NULL; at = &(*at)->next) {
        if ((*at)->id == id) {
            end_packet(sharing, at);
            return;
        }
    }
}

/* ---- as an observer ---- */

static void begin(struct sharing *sharing)
{
    struct sl_sharing *shared = sharing->shared;

    drop_packets(sharing); /* of a run that was broken off */
    sharing_places_clear(&sharing->places);
    sharing->has_failed = false;
    sharing->last = 0;
    shared->count = 0;
    shared->lost = 0;
    shared->out_of_memory = 0;
}

static void end(struct sharing *sharing)
{
    while (sharing->packet != NULL) {
        end_packet(sharing, &sharing->packet);
    }
    sharing->shared->out_of_memory = sharing->has_failed;
}

static void launched(struct sharing *sharing, const struct obs_event *event)
{
    struct sharing_packet *packet = packet_of(sharing, &event->wave);

    if (packet != NULL) {
        packet->cus |= 1ull << event->wave.cu;
    }
}

static void accessed(struct sharing *sharing, const struct obs_event *event)
{
    struct sharing_packet *packet = packet_of(sharing, &event->wave);

    if (packet != NULL && event->access.space == MEM_SHARED) {
        sharing_account(sharing, packet, event);
    }
}

static void sharing_event(struct observer *observer, const struct obs_event *event)
{
    struct sharing *sharing = (struct sharing *)observer;

    switch (event->kind) {
    case OBS_BEGIN:
        begin(sharing);
        break;
    case OBS_END:
        end(sharing);
        break;
    case OBS_LAUNCH:
    case OBS_RESTART:
        launched(sharing, event);
        break;
    case OBS_MEMORY:
        accessed(sharing, event);
        break;
    default:
        if (event->sync.sync == MEM_SYNC_STEP) {
            end_packet_of(sharing, event->wave.dispatch);
        }
        break;
    }
}

static void sharing_destroy(struct observer *observer)
{
    struct sharing *sharing = (struct sharing *)observer;

    drop_packets(sharing);
    while (sharing->unused != NULL) {
        struct sharing_packet *packet = sharing->unused;
        sharing->unused = packet->next;
        sharing_lines_destroy(&packet->lines);
        free(packet->arrays);
        free(packet);
    }
    sharing_places_destroy(&sharing->places);
    free(sharing);
}

int obs_sharing_create(const struct observer_parts *parts, struct observer **observer)
{
    static const struct observer_ops ops = {
        .name = "sharing",
        .wants = 1u << OBS_BEGIN | 1u << OBS_END | 1u << OBS_LAUNCH | 1u << OBS_RESTART |
                 1u << OBS_MEMORY | 1u << OBS_SYNC,
        .event = sharing_event,
        .destroy = sharing_destroy,
    };

    if (parts->sharing == NULL) {
        return 0;
    }
    struct sharing *sharing = calloc(1, sizeof(*sharing));
    if (sharing == NULL) {
        return -1;
    }
    sharing->base.ops = &ops;
    sharing->shared = parts->sharing;
    sharing->line_bytes = (uint32_t)parts->config->number[SL_CFG_L1D_LINE];
    *observer = &sharing->base;
    return 0;
}
