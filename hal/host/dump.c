/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The host's side of the wavefront inspector: asks for a dump where a graph runs, and describes
 * what the device wrote (struct sl_wave_state). Addresses in a dump are checked before they are
 * followed: the machine may be in any state. */
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/codes.h"
#include "host/futex.h"
#include "host/graph.h"
#include "host/messages.h"
#include "host/module.h"
#include "host/soc.h"
#include "sluice/registers.h"

#define ANSWER_LIMIT_MS 2000
#define LINE_BYTES      1024
#define PLACE_BYTES     256

struct printer {
    struct sl_message_context context;
    sl_line_fn line;
    void *user;
};

static void print(const struct printer *printer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void print(const struct printer *printer, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printer->line(printer->user, text);
}

/* "function (file.c:12)", or "nowhere" for what is no place in the code. */
static const char *place_text(const struct printer *printer, const struct sl_wave_state *state,
                              uint32_t offset, char *out, size_t bytes)
{
    const struct sl_module *const module = printer->context.module;
    if (offset >= SL_KERNEL_BYTES) {
        (void)snprintf(out, bytes, "%s", "nowhere");
    } else if (module == NULL) {
        (void)snprintf(out, bytes, "0x%" PRIx64, state->code + offset);
    } else {
        sl_module_describe(module, state->code + offset, out, bytes);
    }
    return out;
}

static void print_entry(const struct printer *printer, const struct sl_wave_state *state,
                        uint32_t i)
{
    const struct sl_stack_entry *const entry = &state->stack[i];
    char place[PLACE_BYTES];
    char end[PLACE_BYTES];
    char lanes[LINE_BYTES] = "";
    const bool is_call = state->calls[i / 64] >> (i % 64) & 1;
    const char *until = ", until";
    sl_text_append_lanes(entry->mask, printer->context.config, lanes, sizeof lanes);
    /* Below a call entry stands where it returns to; the call is the instruction before. */
    const bool has_called = i > 0 && (state->calls[(i - 1) / 64] >> ((i - 1) % 64) & 1) != 0;
    (void)place_text(printer, state, entry->pc - has_called, place, sizeof place);
    if (is_call || entry->reconvergence == SL_RECONVERGE_NONE) {
        until = is_call ? "" : ", until it returns";
        end[0] = '\0';
    } else {
        (void)place_text(printer, state, entry->reconvergence, end, sizeof end);
    }
    print(printer, "    %s%3" PRIu32 "  %s%s%s%s%s%s", i == 0 ? ">" : " ", i,
          is_call ? "call: " : "", place, lanes, until, end[0] != '\0' ? " " : "", end);
}

static void print_stack(const struct printer *printer, const struct sl_wave_state *state)
{
    const uint32_t stored =
        state->stack_stored < SL_DUMP_STACK_ENTRIES ? state->stack_stored : SL_DUMP_STACK_ENTRIES;
    for (uint32_t i = 0; i < stored; i++) {
        print_entry(printer, state, i);
    }
    if (state->stack_depth > stored) {
        print(printer, "        %" PRIu32 " more below", state->stack_depth - stored);
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
        print(printer, "    %-4s lane %2" PRIu32 "  %s", lane == 0 ? name : "", lane, text);
    }
}

static void print_registers(const struct printer *printer, const struct sl_wave_state *state)
{
    static const char *const names[64] = {
        "zero", "ra",  "sp",  "gp",   "tp",   "t0",  "t1",  "t2",   "s0",  "s1",  "a0",
        "a1",   "a2",  "a3",  "a4",   "a5",   "a6",  "a7",  "s2",   "s3",  "s4",  "s5",
        "s6",   "s7",  "s8",  "s9",   "s10",  "s11", "t3",  "t4",   "t5",  "t6",  "ft0",
        "ft1",  "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0", "fa1",
        "fa2",  "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5", "fs6",
        "fs7",  "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
    const uint64_t *const values = (const uint64_t *)(state + 1);
    for (uint32_t r = 1; r < state->registers && r < 64; r++) {
        print_register(printer, names[r], values + (size_t)r * state->lanes, state->lanes);
    }
}

/* Where the wavefront comes from: "channel 0 'fib'", or "work-group 3,0,0 (wavefront 1 of 4)". */
static void origin_text(const struct printer *printer, const struct sl_wave_state *state, char *out,
                        size_t bytes)
{
    if (state->group_waves == 0) {
        sl_graph_channel_text(printer->context.graph, state->channel, out, bytes);
        return;
    }
    (void)snprintf(out, bytes,
                   "work-group %" PRIu32 ",%" PRIu32 ",%" PRIu32 " (wavefront %" PRIu32
                   " of 0-%" PRIu32 ")",
                   state->group[0], state->group[1], state->group[2], state->group_wave,
                   state->group_waves - 1);
}

static void print_wave(const struct printer *printer, const struct sl_wave_state *state)
{
    char kernel[SL_GRAPH_NAME_BYTES + 32];
    char origin[SL_GRAPH_NAME_BYTES + 128];
    char condition[128];
    const char *const sentence = sl_code_sentence(SL_CODE_FAULT, state->fault);
    sl_kernel_text(&printer->context, state->kernel, kernel, sizeof kernel);
    origin_text(printer, state, origin, sizeof origin);
    if (state->fault != 0) {
        (void)snprintf(condition, sizeof condition, "faulted: %s",
                       sentence != NULL ? sentence : "fault of a kind unknown here");
    } else if (state->is_ended) {
        (void)snprintf(condition, sizeof condition, "has ended");
    } else if (state->is_at_barrier != 0) {
        (void)snprintf(condition, sizeof condition,
                       "waits at a barrier (%" PRIu32 " of the work-group's %" PRIu32
                       " wavefronts are there)",
                       state->group_arrived, state->group_waves);
    } else if (state->ready_ps > state->time_ps) {
        (void)snprintf(condition, sizeof condition, "waits until %.3f us",
                       (double)state->ready_ps / 1e6);
    } else {
        (void)snprintf(condition, sizeof condition, "ready");
    }
    print(printer,
          "wavefront %" PRIu64 ": %s, %s, CU %" PRIu32 ", context %" PRIu32 ", %s, %" PRIu32
          " memory instruction%s under way",
          state->wavefront, kernel, origin, state->cu, state->context, condition, state->memory_ops,
          state->memory_ops == 1 ? "" : "s");
    print_stack(printer, state);
    print_registers(printer, state);
}

/* The state at an address that the device gave, or NULL where that is no block of the pool. */
static const struct sl_wave_state *state_at(const struct sl_soc *soc, uint64_t address)
{
    const struct sl_layout *const layout = &soc->layout;
    const uint64_t offset = address - layout->pool_base;
    const bool is_block = offset % layout->pool_block_bytes == 0 &&
                          offset / layout->pool_block_bytes < layout->pool_blocks;
    return is_block ? (const struct sl_wave_state *)(uintptr_t)address : NULL;
}

static bool is_sound(const struct sl_soc *soc, const struct sl_wave_state *state)
{
    return state != NULL && state->lanes == (uint64_t)soc->config.number[SL_CFG_GPU_LANES];
}

static enum sl_status print_all(struct sl_soc *soc, const struct printer *printer)
{
    const uint64_t count = sl_soc_register(soc, SL_REG_DUMP_WAVEFRONTS);
    uint64_t address = sl_soc_register(soc, SL_REG_DUMP_FIRST);
    for (uint64_t i = 0; i < count; i++) {
        const struct sl_wave_state *const state = state_at(soc, address);
        if (!is_sound(soc, state)) {
            return sl_soc_fail(soc, SL_ERROR_MACHINE,
                               "the dump of the wavefronts is corrupt: no wavefront at 0x%" PRIx64,
                               address);
        }
        if (i == 0) {
            print(printer, "%" PRIu64 " wavefront%s at %.3f us:", count, count == 1 ? "" : "s",
                  (double)state->time_ps / 1e6);
        }
        print_wave(printer, state);
        address = state->next;
    }
    return SL_OK;
}

/* Asks the plugin for a dump of what runs now. */
static enum sl_status request(struct sl_soc *soc, bool with_registers)
{
    const uint32_t number = soc->mailbox->dump + 1;
    const int64_t deadline_ms = sl_wall_ms() + ANSWER_LIMIT_MS;
    soc->mailbox->dump_registers = with_registers;
    __atomic_store_n(&soc->mailbox->dump, number, __ATOMIC_RELEASE);
    while ((uint32_t)sl_soc_register(soc, SL_REG_DUMP_ANSWERED) != number) {
        const struct timespec pause = {.tv_nsec = 1000000};
        int wait_status;
        if (sl_process_has_ended(&soc->process, &wait_status) || sl_wall_ms() > deadline_ms) {
            return sl_soc_fail(soc, SL_ERROR_MACHINE,
                               "the machine has ended, or does not answer within %d ms (is it "
                               "stopped in gdb?)",
                               ANSWER_LIMIT_MS);
        }
        (void)nanosleep(&pause, NULL);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return SL_OK;
}

enum sl_status sl_soc_dump(struct sl_soc *soc, int with_registers, sl_line_fn line, void *user)
{
    const struct printer printer = {
        {&soc->config, soc->module, sl_graph_at(soc, soc->graph), &soc->launched}, line, user};
    if (soc->is_running && !soc->has_stopped) {
        const enum sl_status status = request(soc, with_registers != 0);
        if (status != SL_OK) {
            return status;
        }
        if (sl_soc_register(soc, SL_REG_DUMP_WAVEFRONTS) == 0) {
            print(&printer, "no wavefront is resident");
        }
        return print_all(soc, &printer);
    }
    if (!soc->is_ready || sl_soc_register(soc, SL_REG_DUMP_WAVEFRONTS) == 0) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "there is no wavefront to describe: no graph is running, and none was "
                           "kept at a fault (debug.dump)");
    }
    return print_all(soc, &printer);
}
