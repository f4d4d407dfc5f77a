/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The host's side of the wavefront inspector: asks for a dump where a graph runs, and describes
 * what the device wrote (struct sl_wave_state). Addresses in a dump are checked before they are
 * followed: the machine may be in any state. Failures leave a message in `error`: a command of the
 * control socket must not touch the machine's own. */
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "config/number.h"
#include "host/driver/machine/futex.h"
#include "host/runtime/run/run.h"
#include "sluice/registers.h"

#define ANSWER_LIMIT_MS 2000
#define ERROR_BYTES     256

/* The state at an address that the device gave, or NULL where that is no block of the pool, or the
 * block holds none. */
static const struct sl_wave_state *state_at(const struct sl_soc *soc, uint64_t address)
{
    const struct sl_layout *const layout = &soc->layout;
    const uint64_t offset = address - layout->pool_base;
    const struct sl_wave_state *const state = (const struct sl_wave_state *)(uintptr_t)address;
    return offset % layout->pool_block_bytes == 0 &&
                   offset / layout->pool_block_bytes < layout->pool_blocks &&
                   state->lanes == (uint64_t)soc->config.number[SL_CFG_GPU_LANES]
               ? state
               : NULL;
}

static enum sl_status print_all(const struct sl_soc *soc, const struct sl_message_context *context,
                                sl_line_fn line, void *user, char error[ERROR_BYTES])
{
    const uint64_t count = sl_soc_register(soc, SL_REG_DUMP_WAVEFRONTS);
    uint64_t address = sl_soc_register(soc, SL_REG_DUMP_FIRST);
    for (uint64_t i = 0; i < count; i++) {
        const struct sl_wave_state *const state = state_at(soc, address);
        if (state == NULL) {
            (void)snprintf(error, ERROR_BYTES,
                           "the dump of the wavefronts is corrupt: no wavefront at 0x%" PRIx64,
                           address);
            return SL_ERROR_MACHINE;
        }
        if (i == 0) {
            char text[128];
            (void)sl_number_format(text, sizeof text, "%" PRIu64 " wavefront%s at %.3f us:", count,
                                   count == 1 ? "" : "s", (double)state->time_ps / 1e6);
            line(user, text);
        }
        sl_wave_describe(context, state, line, user);
        address = state->next;
    }
    return SL_OK;
}

/* Asks the plugin for a dump of what runs now. */
static enum sl_status request(struct sl_soc *soc, bool with_registers, char error[ERROR_BYTES])
{
    struct sl_mailbox *const mailbox = soc->mailbox;
    const uint32_t number = mailbox->dump + 1;
    struct sl_effort effort = sl_process_effort(&soc->process);
    struct sl_cpu_limit patience;
    sl_cpu_limit_begin(&patience, sl_wall_ms(), &effort);
    int64_t deadline_ms = sl_wall_ms() + ANSWER_LIMIT_MS;
    mailbox->dump_registers = with_registers;
    __atomic_store_n(&mailbox->dump, number, __ATOMIC_RELEASE);
    while ((uint32_t)sl_soc_register(soc, SL_REG_DUMP_ANSWERED) != number) {
        const struct timespec pause = {.tv_nsec = 1000000};
        int wait_status;
        if (sl_wall_ms() > deadline_ms) {
            effort = sl_process_effort(&soc->process);
            deadline_ms = sl_wall_ms() +
                          sl_cpu_limit_left_ms(&patience, sl_wall_ms(), &effort, ANSWER_LIMIT_MS);
        }
        if (sl_process_has_ended(&soc->process, &wait_status) || sl_wall_ms() > deadline_ms) {
            (void)snprintf(
                error, ERROR_BYTES,
                "the machine has ended, or does not answer within %d ms (is it stopped in gdb?)",
                ANSWER_LIMIT_MS);
            return SL_ERROR_MACHINE;
        }
        (void)nanosleep(&pause, NULL);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return SL_OK;
}

static enum sl_status inspect(struct sl_soc *soc, bool with_registers, sl_line_fn line, void *user,
                              char error[ERROR_BYTES])
{
    const struct sl_message_context context = sl_run_context(soc);
    const bool is_running = soc->is_running;
    if (is_running && request(soc, with_registers, error) != SL_OK) {
        return SL_ERROR_MACHINE;
    }
    const bool is_any = soc->is_ready && sl_soc_register(soc, SL_REG_DUMP_WAVEFRONTS) != 0;
    if (is_running && !is_any) {
        line(user, "no wavefront is resident");
    } else if (!is_any) {
        (void)snprintf(error, ERROR_BYTES,
                       "there is no wavefront to describe: no graph is running, and none was kept "
                       "at a fault (debug.dump)");
        return SL_ERROR_USAGE;
    }
    return print_all(soc, &context, line, user, error);
}

enum sl_status sl_soc_dump(struct sl_soc *soc, int with_registers, sl_line_fn line, void *user)
{
    SL_HOLD(soc);
    return inspect(soc, with_registers != 0, line, user, soc->error);
}

void sl_inspect_command(void *soc, const char *command, sl_line_fn line, void *to)
{
    char error[ERROR_BYTES];
    const bool with_registers = strcmp(command, "dump registers") == 0;
    if (!with_registers && strcmp(command, "dump") != 0) {
        line(to, "error: unknown command; there are: dump, dump registers");
    } else if (inspect(soc, with_registers, line, to, error) != SL_OK) {
        line(to, "error:");
        line(to, error);
    }
}
