/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine from its beginning to its end. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/atomic_file.h"
#include "host/base/safe_write.h"
#include "host/driver/machine/machine.h"
#include "host/driver/machine/paths.h"
#include "host/driver/machine/socket.h"
#include "sluice/memory_map.h"

#define QUIT_LIMIT_MS 1000

struct sl_soc *sl_soc_new(const struct sl_config *config)
{
    struct sl_soc *const soc = calloc(1, sizeof *soc);
    if (soc != NULL && sl_soc_threads_open(soc) != 0) {
        free(soc);
        return NULL;
    }
    if (soc != NULL) {
        soc->config = *config;
        soc->uart_copy_fd = -1;
        soc->control.fd = -1;
        sl_memory_init(&soc->memory);
    }
    return soc;
}

static enum sl_status fail_uart_copy(struct sl_soc *soc, int reason)
{
    return sl_soc_fail(soc, sl_target_is_of_name(reason) ? SL_ERROR_USAGE : SL_ERROR_MACHINE,
                       "debug.uart: cannot write '%s': %s", soc->config.text[SL_CFG_DEBUG_UART],
                       strerror(reason));
}

/* debug.uart is looked at at once, so that a bad path is reported before anything runs; a stream is
 * opened. */
static enum sl_status open_uart_copy(struct sl_soc *soc)
{
    const char *const path = soc->config.text[SL_CFG_DEBUG_UART];
    struct sl_target place;
    if (path[0] == '\0') {
        return SL_OK;
    }
    int reason = sl_path_check_output(path);
    if (reason == 0) {
        reason = sl_target_resolve(&place, path);
    }
    if (reason != 0) {
        return fail_uart_copy(soc, reason);
    }
    soc->has_uart_copy = sl_target_is_file(&place);
    if (!soc->has_uart_copy) {
        soc->uart_copy_fd = sl_target_open(&place);
    }
    return soc->has_uart_copy || soc->uart_copy_fd >= 0 ? SL_OK : fail_uart_copy(soc, errno);
}

/* debug.gdb: QEMU makes the socket; it would remove whatever is under its name. */
static enum sl_status check_gdb_socket(struct sl_soc *soc)
{
    const char *const path = soc->config.text[SL_CFG_DEBUG_GDB];
    return path[0] == '\0' || !sl_qemu_gdb_is_path(path) ||
                   sl_socket_make_room("debug.gdb", path, soc->error, sizeof soc->error) == 0
               ? SL_OK
               : sl_path_status(errno);
}

static enum sl_status open_control(struct sl_soc *soc)
{
    return sl_control_open(&soc->control, soc->config.text[SL_CFG_DEBUG_CONTROL], soc->error,
                           sizeof soc->error) == 0
               ? SL_OK
               : sl_path_status(errno);
}

/* What lies at a device address. */
static void *dram_at(const struct sl_soc *soc, uint64_t address)
{
    return (uint8_t *)soc->memory.dram + (address - SL_DRAM_BASE);
}

static enum sl_status open_memory(struct sl_soc *soc)
{
    if (sl_layout_compute(&soc->config, &soc->layout) != 0) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "the wavefront state pool leaves less than 1 MiB of shared heap; set a "
                           "larger dram.size, or smaller pool.blocks, gpu.contexts or gpu.stack");
    }
    const enum sl_status status =
        sl_memory_open(&soc->memory, soc->layout.dram_bytes, soc->error, sizeof soc->error);
    if (status != SL_OK) {
        return status;
    }
    soc->mailbox = dram_at(soc, SL_MAILBOX_BASE);
    sl_machine_record_write(dram_at(soc, SL_MACHINE_BASE), &soc->config);
    if (sl_heap_init(&soc->heap, SL_HEAP_BASE, soc->layout.heap_limit) != 0) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    return SL_OK;
}

/* Where the configuration does not say which engine, names no QEMU and asks for nothing that only
 * QEMU has, the environment may. */
static enum sl_status choose_engine(struct sl_soc *soc)
{
    struct sl_config *const config = &soc->config;
    const char *const word = getenv("SLUICE_ENGINE");
    char setting[64];
    char error[512];
    if (word == NULL || word[0] == '\0' || config->source[SL_CFG_HOST_ENGINE][0] != '\0' ||
        config->source[SL_CFG_HOST_QEMU][0] != '\0' || config->text[SL_CFG_DEBUG_GDB][0] != '\0') {
        return SL_OK;
    }
    (void)snprintf(setting, sizeof setting, "host.engine=%s", word);
    return sl_config_set(config, setting, error, sizeof error) == 0
               ? SL_OK
               : sl_soc_fail(soc, SL_ERROR_USAGE,
                             "environment variable SLUICE_ENGINE: '%s' is no engine; it must be "
                             "qemu or native",
                             word);
}

enum sl_status sl_soc_open_parts(struct sl_soc *soc)
{
    if (choose_engine(soc) != SL_OK) {
        return SL_ERROR_USAGE;
    }
    if (sl_config_check(&soc->config, soc->error, sizeof soc->error) != 0) {
        return SL_ERROR_USAGE;
    }
    enum sl_status status = check_gdb_socket(soc);
    if (status == SL_OK) {
        status = open_uart_copy(soc);
    }
    if (status == SL_OK) {
        status = open_control(soc);
    }
    return status == SL_OK ? open_memory(soc) : status;
}

enum sl_status sl_soc_start(struct sl_soc *soc, int64_t limit_ms)
{
    sl_memory_mark(&soc->memory);
    const enum sl_status status =
        sl_process_start(&soc->process, &soc->config, &soc->memory, soc->mailbox, limit_ms);
    return status == SL_OK ? SL_OK : sl_soc_fail(soc, status, "%s", soc->process.error);
}

static void end_qemu(struct sl_soc *soc)
{
    sl_mailbox_quit(soc->mailbox);
    sl_process_close(&soc->process, QUIT_LIMIT_MS);
    const char *const gdb = soc->config.text[SL_CFG_DEBUG_GDB];
    if (soc->process.qemu != 0 && gdb[0] != '\0' && sl_qemu_gdb_is_path(gdb)) {
        (void)sl_socket_remove_stale(gdb); /* QEMU does so only where it ends by itself */
    }
}

enum sl_status sl_soc_end(struct sl_soc *soc)
{
    if (soc->process.is_open) {
        end_qemu(soc);
    }
    soc->has_ended = true;
    soc->is_running = false;
    return SL_ERROR_MACHINE;
}

bool sl_soc_has_ended(struct sl_soc *soc)
{
    int wait_status;
    return soc->has_ended || sl_process_has_ended(&soc->process, &wait_status);
}

enum sl_status sl_soc_reset(struct sl_soc *soc)
{
    const uint64_t base = (uintptr_t)soc->memory.dram;
    (void)sl_soc_end(soc);
    if (sl_memory_clear(&soc->memory, base, base + (SL_KERNEL_BASE - SL_DRAM_BASE)) != 0 ||
        sl_memory_clear(&soc->memory, soc->layout.pool_base,
                        soc->layout.window_base + SL_WINDOW_BYTES) != 0) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "cannot clear the machine's memory: %s",
                           strerror(errno));
    }
    sl_machine_record_write(dram_at(soc, SL_MACHINE_BASE), &soc->config);
    soc->is_ready = false;
    soc->has_ended = false;
    return SL_OK;
}

void sl_soc_stop(struct sl_soc *soc)
{
    (void)sl_soc_end(soc);
    if (!soc->is_lost) {
        soc->is_lost = true;
        memcpy(soc->loss_reason, soc->error, sizeof soc->loss_reason);
    }
}

/* A stream gets what the firmware has written since the last time. */
static enum sl_status write_stream(struct sl_soc *soc)
{
    const char *const text = sl_soc_console(soc);
    if (soc->console == NULL) {
        return fail_uart_copy(soc, ENOMEM);
    }
    const size_t bytes = strlen(text);
    const size_t from = soc->console_copied < bytes ? soc->console_copied : bytes;
    soc->console_copied = bytes;
    const int reason = sl_write_all(soc->uart_copy_fd, text + from, bytes - from);
    return reason == 0 ? SL_OK : fail_uart_copy(soc, reason);
}

enum sl_status sl_soc_write_console(struct sl_soc *soc)
{
    struct sl_output output;
    if (soc->uart_copy_fd >= 0) {
        return write_stream(soc);
    }
    if (!soc->has_uart_copy) {
        return SL_OK;
    }
    const char *const text = sl_soc_console(soc);
    if (soc->console == NULL) {
        return fail_uart_copy(soc, ENOMEM);
    }
    const size_t bytes = strlen(text);
    const bool has_use = soc->has_run || (bytes > 0 && !soc->is_ready);
    if (!has_use || (bytes == soc->console_copied && bytes > 0)) {
        return SL_OK;
    }
    if (sl_output_open(&output, soc->config.text[SL_CFG_DEBUG_UART]) == 0) {
        (void)fputs(text, output.file);
    }
    const int reason = sl_output_close(&output, 0);
    soc->console_copied = reason == 0 ? bytes : 0;
    return reason == 0 ? SL_OK : fail_uart_copy(soc, reason);
}

static void end_console(struct sl_soc *soc)
{
    (void)sl_soc_write_console(soc);
    if (soc->uart_copy_fd >= 0) {
        (void)close(soc->uart_copy_fd);
    }
}

void sl_soc_free(struct sl_soc *soc)
{
    sl_control_close(&soc->control);
    end_console(soc);
    sl_heap_destroy(&soc->heap);
    sl_memory_close(&soc->memory);
    free(soc->console);
    sl_soc_threads_close(soc);
    free(soc);
}
