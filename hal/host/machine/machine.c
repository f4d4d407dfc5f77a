/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine object: opened, closed and asked. What runs on it is in run.c. */
#define _GNU_SOURCE 1
#include "host/machine/soc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/graph/graph.h"
#include "host/load/module.h"
#include "host/machine/futex.h"
#include "host/machine/mailbox.h"
#include "host/machine/path.h"
#include "host/run/run.h"
#include "sluice/registers.h"

#define QUIT_LIMIT_MS 1000
#define CONSOLE_BYTES ((size_t)1 << 24)

enum sl_status sl_soc_fail(struct sl_soc *soc, enum sl_status status, const char *format, ...)
{
    /* The arguments may be the message that is there. */
    char text[SL_SOC_ERROR_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(soc->error, text, sizeof soc->error);
    return status;
}

struct sl_module *sl_soc_module(struct sl_soc *soc)
{
    return soc->module;
}

void sl_soc_set_module(struct sl_soc *soc, struct sl_module *module)
{
    soc->module = module;
}

const char *sl_soc_error(const struct sl_soc *soc)
{
    return soc != NULL ? soc->error : "out of memory";
}

const struct sl_config *sl_soc_config(const struct sl_soc *soc)
{
    return &soc->config;
}

const struct sl_layout *sl_soc_layout(const struct sl_soc *soc)
{
    return &soc->layout;
}

const char *sl_soc_console(struct sl_soc *soc)
{
    free(soc->console);
    soc->console = sl_memory_file_text(soc->memory.uart_fd, CONSOLE_BYTES);
    return soc->console != NULL ? soc->console : "";
}

const char *sl_soc_qemu_version(const struct sl_soc *soc)
{
    return soc->process.version.line;
}

int sl_soc_qemu_pid(const struct sl_soc *soc)
{
    return (int)soc->process.qemu;
}

uint64_t sl_soc_register(const struct sl_soc *soc, uint32_t offset)
{
    const uint64_t *const word = (const uint64_t *)(uintptr_t)(soc->layout.window_base + offset);
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

uint64_t sl_soc_time_ps(const struct sl_soc *soc)
{
    return soc->is_ready ? sl_soc_register(soc, SL_REG_TIME_PS) : 0;
}

struct sl_completion_counts sl_soc_counts(const struct sl_soc *soc)
{
    return soc->counts;
}

void *sl_alloc(struct sl_soc *soc, size_t bytes, size_t align)
{
    if (align > SL_HEAP_ALIGN_MAX || (align & (align - 1)) != 0) {
        (void)sl_soc_fail(soc, SL_ERROR_USAGE,
                          "sl_alloc: alignment %zu is not a power of two up to %u", align,
                          SL_HEAP_ALIGN_MAX);
        return NULL;
    }
    if (soc->is_running) {
        (void)sl_soc_fail(soc, SL_ERROR_USAGE,
                          "sl_alloc: a graph is running, and the host leaves shared memory alone "
                          "while one does; allocate before sl_graph_execute()");
        return NULL;
    }
    void *const memory = sl_heap_alloc(&soc->heap, bytes, align);
    if (memory == NULL) {
        const struct sl_heap_space space = sl_heap_space(&soc->heap);
        (void)sl_soc_fail(
            soc, SL_ERROR_USAGE,
            "the shared heap has no %zu bytes left: %llu of %llu bytes are free, %llu "
            "in one piece; set a larger dram.size or use less",
            bytes, (unsigned long long)space.total,
            (unsigned long long)(soc->heap.limit - soc->heap.base),
            (unsigned long long)space.largest);
    }
    return memory;
}

void sl_free(struct sl_soc *soc, void *memory)
{
    if (memory != NULL && !sl_heap_free(&soc->heap, memory)) {
        (void)sl_soc_fail(soc, SL_ERROR_USAGE,
                          "sl_free: %p was not allocated by sl_alloc(), or is free already",
                          memory);
    }
}

/* debug.uart is opened at once, so that a bad path is reported before anything runs. */
static enum sl_status open_uart_copy(struct sl_soc *soc)
{
    const char *const path = soc->config.text[SL_CFG_DEBUG_UART];
    if (path[0] == '\0') {
        return SL_OK;
    }
    soc->uart_copy_fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (soc->uart_copy_fd < 0) {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "debug.uart: cannot create '%s': %s", path,
                           strerror(errno));
    }
    return SL_OK;
}

/* debug.gdb: QEMU makes the socket, and would end with a message of its own. */
static enum sl_status check_gdb_socket(struct sl_soc *soc)
{
    const char *const path = soc->config.text[SL_CFG_DEBUG_GDB];
    const int reason =
        path[0] != '\0' && sl_qemu_gdb_is_path(path) ? sl_path_check_output(path) : 0;
    if (reason != 0) {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "debug.gdb: cannot make socket '%s': %s", path,
                           strerror(reason));
    }
    return SL_OK;
}

static enum sl_status open_control(struct sl_soc *soc)
{
    char error[1024];
    return sl_control_open(&soc->control, soc->config.text[SL_CFG_DEBUG_CONTROL], error,
                           sizeof error) == 0
               ? SL_OK
               : sl_soc_fail(soc, SL_ERROR_USAGE, "%s", error);
}

static enum sl_status open_memory(struct sl_soc *soc)
{
    char error[1024];
    if (sl_layout_compute(&soc->config, &soc->layout) != 0) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "the wavefront state pool leaves less than 1 MiB of shared heap; set a "
                           "larger dram.size, or smaller pool.blocks, gpu.contexts or gpu.stack");
    }
    if (sl_memory_open(&soc->memory, soc->layout.dram_bytes, error, sizeof error) != 0) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "%s", error);
    }
    soc->mailbox = (struct sl_mailbox *)(uintptr_t)SL_MAILBOX_BASE;
    sl_machine_record_write((struct sl_machine_record *)(uintptr_t)SL_MACHINE_BASE, &soc->config);
    if (sl_heap_init(&soc->heap, SL_HEAP_BASE, soc->layout.heap_limit) != 0) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    return SL_OK;
}

static enum sl_status open_machine(struct sl_soc *soc)
{
    char error[1024];
    if (sl_config_check(&soc->config, error, sizeof error) != 0) {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "%s", error);
    }
    enum sl_status status = check_gdb_socket(soc);
    if (status == SL_OK) {
        status = open_uart_copy(soc);
    }
    if (status == SL_OK) {
        status = open_control(soc);
    }
    if (status == SL_OK) {
        status = open_memory(soc);
    }
    if (status == SL_OK) {
        status = sl_observe_open(soc);
    }
    if (status != SL_OK) {
        return status;
    }
    const int64_t limit_ms = soc->config.number[SL_CFG_HOST_BOOT_LIMIT] / 1000000000;
    const int64_t start = sl_wall_ms();
    status = sl_process_start(&soc->process, &soc->config, &soc->memory, &soc->mailbox->agg_tail,
                              limit_ms);
    if (status != SL_OK) {
        return sl_soc_fail(soc, status, "%s", soc->process.error);
    }
    status = sl_run_boot(soc, start + limit_ms);
    return status == SL_OK ? sl_observe_booted(soc) : status;
}

/* Ends QEMU; the memory stays. */
static void stop_machine(struct sl_soc *soc)
{
    if (soc->mailbox != NULL) {
        sl_mailbox_quit(soc->mailbox);
    }
    sl_process_close(&soc->process, QUIT_LIMIT_MS);
    const char *const gdb = soc->config.text[SL_CFG_DEBUG_GDB];
    if (soc->process.qemu != 0 && gdb[0] != '\0' && sl_qemu_gdb_is_path(gdb)) {
        (void)unlink(gdb); /* QEMU removes its socket only where it ends by itself */
    }
    if (!soc->has_stopped) {
        soc->has_stopped = true;
        memcpy(soc->stop_reason, soc->error, sizeof soc->stop_reason);
    }
    soc->is_running = false;
}

enum sl_status sl_soc_open(const struct sl_config *config, struct sl_soc **out)
{
    struct sl_soc *const soc = calloc(1, sizeof *soc);
    *out = soc;
    if (soc == NULL) {
        return SL_ERROR_MACHINE;
    }
    soc->config = *config;
    soc->print = (struct sl_print){.config = &soc->config, .layout = &soc->layout};
    soc->uart_copy_fd = -1;
    soc->control.fd = -1;
    sl_memory_init(&soc->memory);
    const enum sl_status status = open_machine(soc);
    if (status != SL_OK) {
        stop_machine(soc);
    }
    return status;
}

static void copy_console(struct sl_soc *soc)
{
    const char *text = sl_soc_console(soc);
    size_t left = strlen(text);
    while (left > 0) {
        const ssize_t written = write(soc->uart_copy_fd, text, left);
        if (written <= 0) {
            break;
        }
        text += written;
        left -= (size_t)written;
    }
    (void)close(soc->uart_copy_fd);
}

void sl_soc_close(struct sl_soc *soc)
{
    if (soc == NULL) {
        return;
    }
    stop_machine(soc);
    sl_control_close(&soc->control);
    if (soc->uart_copy_fd >= 0) {
        copy_console(soc);
    }
    while (soc->graphs != NULL) {
        sl_graph_destroy(soc->graphs);
    }
    if (soc->module != NULL) {
        sl_module_destroy(soc->module);
    }
    sl_observe_close(soc);
    sl_heap_destroy(&soc->heap);
    sl_memory_close(&soc->memory);
    free(soc->console);
    free(soc);
}
