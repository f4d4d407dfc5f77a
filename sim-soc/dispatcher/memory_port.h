/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The front end's own accesses to memory: packets and kernel records in, records out.
 *
 * With front.memory = free they take no time and memory does not see them. With coherent they are
 * requests like any other's, a line each, all at once; the bytes themselves change hands in DRAM
 * when the last one is done, which is where the front end and the aggregator meet. */
#ifndef SLUICE_DISPATCHER_MEMORY_PORT_H
#define SLUICE_DISPATCHER_MEMORY_PORT_H

#include "engine/event_queue.h"
#include "events/events.h"
#include "mem/mem.h"

struct front_port {
    struct mem_system *mem;
    struct event_queue *event_queue;
    const struct stream *stream;
    bool is_free;
};

/* The longest move is a kernel or fault record. */
#define PORT_MOVE_BYTES 128u
#define PORT_MOVE_LINES (PORT_MOVE_BYTES / MEM_LINE_MIN + 1)

struct port_move;

struct port_line {
    struct mem_request request;
    struct port_move *move;
};

/* A move under way; its `done` is called in the cycle in which it is over. */
struct port_move {
    struct event over;
    struct front_port *port;
    void (*done)(struct port_move *move);
    uint32_t pending; /* lines */
    uint64_t done_ps;
    struct port_line lines[PORT_MOVE_LINES];
};

/* Begins to load or store [address, address + bytes), up to PORT_MOVE_BYTES, now. Only where the
 * port is not free. */
void port_begin(struct front_port *port, struct port_move *move, enum mem_kind kind,
                uint64_t address, uint32_t bytes, void (*done)(struct port_move *move));

/* Tells observers of a move, whose bytes change hands now. */
void port_observe(const struct front_port *port, enum obs_move move, uint64_t address,
                  uint32_t bytes);

#endif
