/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Requests of the front end. */
#include "dispatcher/memory_port.h"

#include "engine/clock.h"
#include "isa/isa.h"
#include "sluice/codes.h"

static void over(struct event *event)
{
    struct port_move *move = CONTAINER_OF(event, struct port_move, over);

    move->done(move);
}

static void finish_if_last(struct port_move *move)
{
    if (move->pending == 0) {
        event_queue_insert(move->port->event_queue, &move->over,
                           event_queue_cycle_at(move->port->event_queue, move->done_ps));
    }
}

static void line_done(struct mem_request *request, uint64_t time_ps)
{
    struct port_move *move = ((struct port_line *)request)->move;

    move->done_ps = later(move->done_ps, time_ps);
    move->pending--;
    finish_if_last(move);
}

static const struct mem_client line_client = {.complete = line_done};

void port_begin(struct front_port *port, struct port_move *move, enum mem_kind kind,
                uint64_t address, uint32_t bytes, void (*done)(struct port_move *move))
{
    const uint64_t line_bytes = port->mem->line_bytes;
    const uint64_t end = address + bytes;
    const uint32_t lines = (uint32_t)((end - 1) / line_bytes - address / line_bytes) + 1;

    move->over = (struct event){.run = over, .rank = EVENT_OTHER};
    move->port = port;
    move->done = done;
    move->pending = 0;
    move->done_ps = 0;
    for (uint32_t i = 0; i < lines; i++) {
        struct port_line *line = &move->lines[i];
        const uint64_t count = mem_line_rest(port->mem, address, end);
        line->move = move;
        line->request = (struct mem_request){
            .time_ps = event_queue_now_ps(port->event_queue),
            .address = address & ~(line_bytes - 1),
            .from = {.kind = MEM_FRONT},
            .kind = (uint8_t)kind,
            .scope = SL_SCOPE_DEVICE,
            .lines = (uint16_t)lines,
            .client = &line_client,
        };
        if (port->mem->needs_byte_masks) {
            mem_request_touch(&line->request, address, count);
        }
        address += count;
        const uint64_t done_ps = port->mem->ops->access(port->mem, &line->request).done_ps;
        if (done_ps == MEM_PENDING) {
            move->pending++;
        } else {
            move->done_ps = later(move->done_ps, done_ps);
        }
    }
    finish_if_last(move);
}

void port_observe(const struct front_port *port, enum obs_move move, uint64_t address,
                  uint32_t bytes)
{
    const bool is_in = move == OBS_MOVE_PACKET || move == OBS_MOVE_KERNEL;

    if (!probe_enabled(port->stream, OBS_ACCESS)) {
        return;
    }
    const struct obs_event event = {
        .time_ps = event_queue_now_ps(port->event_queue),
        .kind = OBS_ACCESS,
        .access =
            {
                .from = {.kind = MEM_FRONT},
                .kind = is_in ? MEM_LOAD : MEM_STORE,
                .scope = SL_SCOPE_DEVICE,
                .bytes = (uint8_t)bytes,
                .move = (uint8_t)move,
                .atomic = true,
                .acquire = is_in,
                .release = !is_in,
                .writes = !is_in,
                .lanes = 1,
                .address = &address,
            },
    };
    probe_emit(port->stream, &event);
}
