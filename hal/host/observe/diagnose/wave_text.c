/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A wavefront in words, from what the device wrote of it (struct sl_wave_state). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "config/number.h"
#include "host/base/text.h"
#include "host/driver/graph/graph.h"
#include "host/observe/diagnose/diagnose.h"
#include "isa/disassembly.h"
#include "sluice/stack_entry.h"

#define LINE_BYTES  1024
#define PLACE_BYTES 256

struct printer {
    const struct sl_message_context *context;
    sl_line_fn line;
    void *user;
};

__attribute__((format(printf, 2, 3))) static void print(const struct printer *printer,
                                                        const char *format, ...)
{
    char text[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printer->line(printer->user, text);
}

/* Where in the code; "nowhere" for what is no place in it. */
static void place_text(const struct printer *printer, const struct sl_wave_state *state,
                       uint32_t offset, char *out, size_t bytes)
{
    if (offset >= SL_KERNEL_BYTES) {
        (void)snprintf(out, bytes, "%s", "nowhere");
    } else {
        sl_place_text(printer->context, state->code + offset, out, bytes);
    }
}

static void print_entry(const struct printer *printer, const struct sl_wave_state *state,
                        uint32_t i)
{
    const struct sl_stack_entry *const entry = &state->stack[i];
    char place[PLACE_BYTES];
    char end[PLACE_BYTES];
    char lanes[LINE_BYTES] = "";
    static const char *const kinds[] = {"", "call: ", "wants a lock: ", "has a lock: "};
    const enum sl_stack_kind kind = sl_stack_kind(entry);
    const uint32_t reconvergence = sl_stack_reconvergence(entry);
    const char *until = ", until";
    sl_text_append_lanes(entry->mask, printer->context->config, lanes, sizeof lanes);
    /* Below a call entry stands where it returns to; the call is the instruction before. */
    const bool has_called = i > 0 && sl_stack_kind(&state->stack[i - 1]) == SL_STACK_CALL;
    place_text(printer, state, sl_stack_pc(entry) - has_called, place, sizeof place);
    if (reconvergence == SL_RECONVERGE_NONE) {
        until = kind == SL_STACK_PLAIN ? ", until it returns" : "";
        end[0] = '\0';
    } else {
        place_text(printer, state, reconvergence, end, sizeof end);
    }
    print(printer, "    %s%3u  %s%s%s%s%s%s", i == 0 ? ">" : " ", i, kinds[kind], place, lanes,
          until, end[0] != '\0' ? " " : "", end);
}

static void print_stack(const struct printer *printer, const struct sl_wave_state *state)
{
    const uint32_t stored =
        state->stack_stored < SL_DUMP_STACK_ENTRIES ? state->stack_stored : SL_DUMP_STACK_ENTRIES;
    for (uint32_t i = 0; i < stored; i++) {
        print_entry(printer, state, i);
    }
    if (state->stack_depth > stored) {
        print(printer, "        %u more below", state->stack_depth - stored);
    }
}

/* Which locks: the stack says who wants one, and where. */
static void print_locks(const struct printer *printer, const struct sl_wave_state *state)
{
    char lanes[LINE_BYTES] = "";

    if (state->lock_holders != 0) {
        sl_text_append_mask("    locks are held by", state->lock_holders, lanes, sizeof lanes);
        print(printer, "%s", lanes);
    }
    lanes[0] = '\0';
    if (state->lock_triers != 0) {
        sl_text_append_mask("    locks that were tried are held by", state->lock_triers, lanes,
                            sizeof lanes);
        print(printer, "%s", lanes);
    }
}

/* Stores that are still to come. */
static void print_stores(const struct printer *printer, const struct sl_wave_state *state)
{
    char place[PLACE_BYTES];

    if (state->stores != 0) {
        sl_place_text(printer->context, state->store_pc, place, sizeof place);
        print(printer, "    %u store%s in the write buffer, under way the one to 0x%" PRIx64 ": %s",
              state->stores, state->stores == 1 ? "" : "s", state->store_address, place);
    }
}

/* A register on one line where all lanes have the same value, else four lanes to a line. */
static void print_register(const struct printer *printer, const char *name, const uint64_t *values,
                           uint32_t lanes)
{
    bool is_uniform = true;
    for (uint32_t lane = 1; lane < lanes; lane++) {
        is_uniform = is_uniform && values[lane] == values[0];
    }
    if (is_uniform) {
        print(printer, "    %-4s all lanes 0x%016" PRIx64, name, values[0]);
        return;
    }
    for (uint32_t lane = 0; lane < lanes; lane += 4) {
        char text[LINE_BYTES] = "";
        for (uint32_t i = lane; i < lane + 4 && i < lanes; i++) {
            sl_text_append(text, sizeof text, " 0x%016" PRIx64, values[i]);
        }
        print(printer, "    %-4s lane %2u  %s", lane == 0 ? name : "", lane, text);
    }
}

static void print_registers(const struct printer *printer, const struct sl_wave_state *state)
{
    const uint64_t *const values = (const uint64_t *)(state + 1);
    for (uint32_t r = 1; r < state->registers && r < 64; r++) {
        print_register(printer, sl_register_name(r), values + (size_t)r * state->lanes,
                       state->lanes);
    }
}

/* Where the wavefront comes from: "channel 0 'fib'", or "work-group 3,0,0 (wavefront 1 of 4)". */
static void origin_text(const struct printer *printer, const struct sl_wave_state *state, char *out,
                        size_t bytes)
{
    if (state->group_waves == 0) {
        (void)snprintf(out, bytes, "%s",
                       sl_graph_channel_label(printer->context->graph, state->channel).text);
        return;
    }
    (void)snprintf(out, bytes, "work-group %u,%u,%u (wavefront %u of 0-%u)", state->group[0],
                   state->group[1], state->group[2], state->group_wave, state->group_waves - 1);
}

/* What it does: "waits until 1.520 us", "waits for room in its write buffer". */
static void condition_text(const struct sl_wave_state *state, char *out, size_t bytes)
{
    const char *const sentence = sl_code_sentence(SL_CODE_FAULT, state->fault);
    const char *const order =
        state->order_wait != 0 ? sl_code_sentence(SL_CODE_ORDER_WAIT, state->order_wait) : NULL;
    char until[64] = "";
    if (state->ready_ps > state->time_ps) {
        (void)sl_number_format(until, sizeof until, " until %.3f us",
                               (double)state->ready_ps / 1e6);
    }
    if (state->fault != 0) {
        (void)snprintf(out, bytes, "faulted: %s",
                       sentence != NULL ? sentence : "fault of a kind unknown here");
    } else if (state->is_ended) {
        (void)snprintf(out, bytes, "has ended");
    } else if (state->is_at_barrier != 0) {
        (void)snprintf(out, bytes,
                       "waits at a barrier (%u of the work-group's %u wavefronts are there)",
                       state->group_arrived, state->group_waves);
    } else if (order != NULL) {
        (void)snprintf(out, bytes, "waits%s for %s", until, order);
    } else if (until[0] != '\0') {
        (void)snprintf(out, bytes, "waits%s", until);
    } else {
        (void)snprintf(out, bytes, "ready");
    }
}

void sl_wave_describe(const struct sl_message_context *context, const struct sl_wave_state *state,
                      sl_line_fn line, void *user)
{
    const struct printer printer = {context, line, user};
    char kernel[SL_GRAPH_NAME_BYTES + 32];
    char origin[SL_GRAPH_NAME_BYTES + 128];
    char condition[128];
    sl_kernel_text(context, state->kernel, kernel, sizeof kernel);
    origin_text(&printer, state, origin, sizeof origin);
    condition_text(state, condition, sizeof condition);
    print(&printer,
          "wavefront %" PRIu64 ": %s, %s, CU %u, context %u, %s, %u memory instruction%s under way",
          state->wavefront, kernel, origin, state->cu, state->context, condition, state->memory_ops,
          state->memory_ops == 1 ? "" : "s");
    print_stack(&printer, state);
    print_locks(&printer, state);
    print_stores(&printer, state);
    print_registers(&printer, state);
}
