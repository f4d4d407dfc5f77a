/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The host's side of the wavefront inspector: asks for a dump where a graph runs, and describes
 * what the device wrote (struct sl_wave_state). Addresses in a dump are checked before they are
 * followed: the machine may be in any state. */
#define _GNU_SOURCE 1
#include "host/run/inspect.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/machine/futex.h"
#include "host/machine/machine.h"
#include "host/run/run.h"
#include "sluice/registers.h"

#define ANSWER_LIMIT_MS 2000
#define ERROR_BYTES     256

/* The state at an address that the device gave, or NULL where that is no block of the pool. */
static const struct sl_wave_state *state_at(const struct sl_soc *soc, uint64_t address)
{
    const struct sl_layout *const layout = sl_soc_layout(soc);
    const uint64_t offset = address - layout->pool_base;
    const bool is_block = offset % layout->pool_block_bytes == 0 &&
                          offset / layout->pool_block_bytes < layout->pool_blocks;
    return is_block ? (const struct sl_wave_state *)(uintptr_t)address : NULL;
}

static bool is_sound(const struct sl_soc *soc, const struct sl_wave_state *state)
{
    return state != NULL && state->lanes == (uint64_t)sl_soc_config(soc)->number[SL_CFG_GPU_LANES];
}

/* Where the message of a failure goes. */
struct report {
    char *error;
    size_t error_bytes;
};

static enum sl_status fail(const struct report *report, enum sl_status status, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));

static enum sl_status fail(const struct report *report, enum sl_status status, const char *format,
                           ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(report->error, report->error_bytes, format, arguments);
    va_end(arguments);
    return status;
}

static enum sl_status print_all(const struct sl_soc *soc, const struct sl_message_context *context,
                                sl_line_fn line, void *user, const struct report *report)
{
    const uint64_t count = sl_soc_register(soc, SL_REG_DUMP_WAVEFRONTS);
    uint64_t address = sl_soc_register(soc, SL_REG_DUMP_FIRST);
    for (uint64_t i = 0; i < count; i++) {
        const struct sl_wave_state *const state = state_at(soc, address);
        if (!is_sound(soc, state)) {
            return fail(report, SL_ERROR_MACHINE,
                        "the dump of the wavefronts is corrupt: no wavefront at 0x%" PRIx64,
                        address);
        }
        if (i == 0) {
            char text[128];
            (void)snprintf(text, sizeof text, "%" PRIu64 " wavefront%s at %.3f us:", count,
                           count == 1 ? "" : "s", (double)state->time_ps / 1e6);
            line(user, text);
        }
        sl_wave_describe(context, state, line, user);
        address = state->next;
    }
    return SL_OK;
}

/* Asks the plugin for a dump of what runs now. */
static enum sl_status request(struct sl_soc *soc, bool with_registers, const struct report *report)
{
    struct sl_mailbox *const mailbox = sl_soc_mailbox(soc);
    const uint32_t number = mailbox->dump + 1;
    const int64_t deadline_ms = sl_wall_ms() + ANSWER_LIMIT_MS;
    mailbox->dump_registers = with_registers;
    __atomic_store_n(&mailbox->dump, number, __ATOMIC_RELEASE);
    while ((uint32_t)sl_soc_register(soc, SL_REG_DUMP_ANSWERED) != number) {
        const struct timespec pause = {.tv_nsec = 1000000};
        int wait_status;
        if (sl_soc_has_ended(soc, &wait_status) || sl_wall_ms() > deadline_ms) {
            return fail(report, SL_ERROR_MACHINE,
                        "the machine has ended, or does not answer within %d ms (is it stopped in "
                        "gdb?)",
                        ANSWER_LIMIT_MS);
        }
        (void)nanosleep(&pause, NULL);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return SL_OK;
}

static enum sl_status inspect(struct sl_soc *soc, bool with_registers, sl_line_fn line, void *user,
                              const struct report *report)
{
    const struct sl_message_context context = sl_run_context(soc);
    if (sl_soc_state(soc)->is_running) {
        const enum sl_status status = request(soc, with_registers, report);
        if (status != SL_OK) {
            return status;
        }
        if (sl_soc_register(soc, SL_REG_DUMP_WAVEFRONTS) == 0) {
            line(user, "no wavefront is resident");
        }
        return print_all(soc, &context, line, user, report);
    }
    if (!sl_soc_state(soc)->is_ready || sl_soc_register(soc, SL_REG_DUMP_WAVEFRONTS) == 0) {
        return fail(report, SL_ERROR_USAGE,
                    "there is no wavefront to describe: no graph is running, and none was kept at "
                    "a fault (debug.dump)");
    }
    return print_all(soc, &context, line, user, report);
}

enum sl_status sl_soc_dump(struct sl_soc *soc, int with_registers, sl_line_fn line, void *user)
{
    char error[ERROR_BYTES];
    const struct report report = {error, sizeof error};
    const enum sl_status status = inspect(soc, with_registers != 0, line, user, &report);
    return status == SL_OK ? SL_OK : sl_soc_fail(soc, status, "%s", error);
}

void sl_inspect_command(void *soc, const char *command, sl_line_fn line, void *to)
{
    char error[ERROR_BYTES];
    const struct report report = {error, sizeof error};
    const bool with_registers = strcmp(command, "dump registers") == 0;
    if (!with_registers && strcmp(command, "dump") != 0) {
        line(to, "error: unknown command; there are: dump, dump registers");
    } else if (inspect(soc, with_registers, line, to, &report) != SL_OK) {
        line(to, "error:");
        line(to, error);
    }
}
