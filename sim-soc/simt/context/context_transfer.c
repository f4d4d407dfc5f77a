/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Requests for save areas. */
#include "simt/context/context_transfer.h"

#include <string.h>

#include "simt/lsu/lsu.h"
#include "simt/lsu/lsu_port.h"
#include "simt/schedule/stall.h"

/* Bytes of a save area, not more than a line of them. */
struct part {
    uint64_t address;
    uint64_t bytes;
};

/* Hands in the line that a part is of. Returns when it is done, or MEM_PENDING: then the client is
 * told. */
static uint64_t hand_in(struct wave *wave, enum mem_kind kind, struct part part, uint64_t cycle,
                        const struct mem_client *client)
{
    struct cu *cu = wave_cu(wave);
    struct mem_request request = {
        .time_ps = port_take(cu, cycle),
        .address = part.address & ~(uint64_t)(cu->shape.line_bytes - 1),
        .from = {MEM_CU, (uint16_t)cu->number},
        .kind = (uint8_t)kind,
        .space = MEM_SAVE,
        .scope = SL_SCOPE_WAVEFRONT,
        .lines = 1,
        .dispatch = wave->launch.dispatch,
        .wave = wave->number,
        .client = client,
        .context = (uint16_t)wave->context,
        .pc = stall_pc(wave),
    };

    if (cu->mem->backdoor != NULL) {
        return cu->mem->ops->access(cu->mem, &request).done_ps;
    }
    struct line_request *piece = line_request_take(cu);
    piece->request = request;
    if (cu->mem->needs_byte_masks) {
        mem_request_touch(&piece->request, part.address, part.bytes);
    }
    piece->wave = wave;
    piece->memory = NULL;
    return cu->mem->ops->access(cu->mem, &piece->request).done_ps;
}

struct wave *transfer_over(struct mem_request *request)
{
    struct line_request *piece = (struct line_request *)request;

    line_request_give(wave_cu(piece->wave), piece);
    return piece->wave;
}

static void line_done(struct mem_request *request, uint64_t time_ps)
{
    struct wave *wave = transfer_over(request);
    struct wave_transfer *transfer = &wave->transfer;

    transfer->done_cycle =
        later(transfer->done_cycle, event_queue_cycle_at(wave_cu(wave)->event_queue, time_ps));
    if (--transfer->pending == 0 && transfer->finished != NULL) {
        transfer->finished(wave, transfer->done_cycle);
    }
}

static const struct mem_client line_client = {.complete = line_done};

void transfer_begin(struct wave *wave, enum mem_kind kind, uint64_t cycle)
{
    wave->transfer = (struct wave_transfer){.kind = (uint8_t)kind, .cycle = cycle};
}

void transfer_lines(struct wave *wave, uint64_t address, size_t count)
{
    struct wave_transfer *transfer = &wave->transfer;
    const struct cu *cu = wave_cu(wave);
    const uint64_t end = address + count;

    while (address < end) {
        const struct part part = {address, mem_line_rest(cu->mem, address, end)};
        const uint64_t done_ps =
            hand_in(wave, (enum mem_kind)transfer->kind, part, transfer->cycle, &line_client);
        address += part.bytes;
        transfer->lines++;
        if (done_ps == MEM_PENDING) {
            transfer->pending++;
        } else {
            transfer->done_cycle =
                later(transfer->done_cycle, event_queue_cycle_at(cu->event_queue, done_ps));
        }
    }
}

void transfer_bytes(struct wave *wave, uint64_t address, void *bytes, size_t count)
{
    void *memory = dram_at(&wave_cu(wave)->env->dram, address);

    transfer_lines(wave, address, count);
    if (wave->transfer.kind == MEM_STORE) {
        memcpy(memory, bytes, count);
    } else {
        memcpy(bytes, memory, count);
    }
}

uint64_t transfer_end(struct wave *wave, void (*finished)(struct wave *wave, uint64_t cycle))
{
    wave->transfer.finished = finished;
    return wave->transfer.pending != 0 ? EVENT_QUEUE_NEVER : wave->transfer.done_cycle;
}

uint64_t transfer_one(struct wave *wave, enum mem_kind kind, uint64_t address, uint64_t cycle,
                      const struct mem_client *client)
{
    const struct part part = {address, SL_CACHE_LINE_BYTES};
    const uint64_t done_ps = hand_in(wave, kind, part, cycle, client);

    return done_ps == MEM_PENDING ? EVENT_QUEUE_NEVER
                                  : event_queue_cycle_at(wave_cu(wave)->event_queue, done_ps);
}
