/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What can be asked of a machine. */
#include "host/driver/machine/machine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/number.h"
#include "host/base/text.h"
#include "sluice/registers.h"

#define CONSOLE_BYTES  ((size_t)1 << 24)
#define LOG_TAIL_BYTES 2000

enum sl_status sl_soc_fail(struct sl_soc *soc, enum sl_status status, const char *format, ...)
{
    SL_HOLD(soc);
    /* The arguments may be the message that is there. */
    char text[SL_SOC_ERROR_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)sl_number_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(soc->error, text, sizeof soc->error);
    soc->failure = status;
    return status;
}

const struct sl_config *sl_soc_config(const struct sl_soc *soc)
{
    return &soc->config;
}

const struct sl_layout *sl_soc_layout(const struct sl_soc *soc)
{
    return &soc->layout;
}

struct sl_cu_shape sl_soc_cu_shape(const struct sl_soc *soc)
{
    const struct sl_config *const config = &soc->config;
    const int64_t contexts = config->number[SL_CFG_GPU_CONTEXTS];
    const int64_t blocks = config->number[SL_CFG_POOL_BLOCKS]; /* 0: enough */
    return (struct sl_cu_shape){
        .lanes = (uint32_t)config->number[SL_CFG_GPU_LANES],
        .simds = (uint32_t)config->number[SL_CFG_GPU_SIMDS],
        .contexts = (uint32_t)(blocks != 0 && blocks < contexts ? blocks : contexts),
        .registers = (uint32_t)config->number[SL_CFG_GPU_REGISTERS],
        .lds_bytes = (uint32_t)config->number[SL_CFG_GPU_LDS],
    };
}

const char *sl_soc_console(struct sl_soc *soc)
{
    SL_HOLD(soc);
    free(soc->console);
    soc->console = sl_memory_file_text(soc->memory.uart_fd, 0, CONSOLE_BYTES);
    return soc->console != NULL ? soc->console : "";
}

const char *sl_soc_qemu_version(struct sl_soc *soc)
{
    SL_HOLD(soc);
    return sl_qemu_version_ask(&soc->config, soc->qemu_version, soc->error, sizeof soc->error) ==
                   SL_OK
               ? soc->qemu_version
               : "";
}

int sl_soc_qemu_pid(const struct sl_soc *soc)
{
    return (int)soc->process.qemu;
}

pid_t sl_soc_simulator(const struct sl_soc *soc)
{
    const uint32_t told = soc->mailbox != NULL ? soc->mailbox->qemu : 0;
    return told != 0 ? (pid_t)told : soc->process.qemu;
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

uint64_t sl_soc_active(const struct sl_soc *soc)
{
    return soc->is_ready ? sl_soc_register(soc, SL_REG_ACTIVE) : 0;
}

/* What a zone of the heap is called, and who takes of it. */
struct zone {
    const char *call;
    const char *memory;
};
static const struct zone zones[SL_HEAP_ZONES] = {
    [SL_HEAP_OPEN] = {"sl_alloc", "open memory"},
    [SL_HEAP_CLOSED] = {"sl_alloc_private", "closed memory (graphs, launches, private memory)"},
};

static void tell_full(struct sl_soc *soc, enum sl_heap_zone zone, size_t bytes)
{
    const struct sl_heap_space space = sl_heap_space(&soc->heap);
    (void)sl_soc_fail(
        soc, SL_ERROR_USAGE,
        "the shared heap has no %zu bytes left for %s: %llu of %llu bytes are free, %llu in one "
        "piece for it; set a larger dram.size or use less",
        bytes, zones[zone].memory, (unsigned long long)space.total,
        (unsigned long long)(soc->heap.limit - soc->heap.base),
        (unsigned long long)space.largest_of[zone]);
}

static void *alloc(struct sl_soc *soc, enum sl_heap_zone zone, const char *owner, size_t bytes,
                   size_t align)
{
    SL_HOLD(soc);
    if (align > SL_HEAP_ALIGN_MAX || (align & (align - 1)) != 0) {
        (void)sl_soc_fail(soc, SL_ERROR_USAGE, "%s: alignment %zu is not a power of two up to %u",
                          zones[zone].call, align, SL_HEAP_ALIGN_MAX);
        return NULL;
    }
    if (soc->is_running) {
        (void)sl_soc_fail(soc, SL_ERROR_USAGE,
                          "%s: a graph is running, and the host leaves shared memory alone "
                          "while one does; allocate before sl_graph_execute()",
                          zones[zone].call);
        return NULL;
    }
    void *const memory = sl_heap_alloc(&soc->heap, zone, owner, bytes, align);
    if (memory == NULL && errno == ENOMEM) {
        (void)sl_soc_fail(soc, SL_ERROR_MACHINE, "%s: the host is out of memory", zones[zone].call);
    } else if (memory == NULL) {
        tell_full(soc, zone, bytes);
    }
    return memory;
}

void *sl_alloc(struct sl_soc *soc, size_t bytes, size_t align)
{
    return alloc(soc, SL_HEAP_OPEN, NULL, bytes, align);
}

void *sl_alloc_private(struct sl_soc *soc, size_t bytes, size_t align)
{
    return alloc(soc, SL_HEAP_CLOSED, NULL, bytes, align);
}

void *sl_soc_alloc_own(struct sl_soc *soc, const char *owner, size_t bytes)
{
    return alloc(soc, SL_HEAP_CLOSED, owner, bytes, 0);
}

/* ---- grants ---- */

/* Where a grant of an address is, or would be. */
static struct sl_grant *find_grant(struct sl_soc *soc, uint64_t address)
{
    struct sl_grant *grant = soc->grants;
    while (grant < soc->grants + soc->grant_count && grant->address != address) {
        grant++;
    }
    return grant;
}

static void set_grant(struct sl_soc *soc, uint64_t address, unsigned access)
{
    struct sl_grant *const grant = find_grant(soc, address);
    struct sl_grant *const end = soc->grants + soc->grant_count;
    if (access != 0) {
        soc->grant_count += grant == end ? 1 : 0;
        *grant = (struct sl_grant){address, access};
    } else if (grant != end) {
        *grant = end[-1];
        soc->grant_count--;
    }
}

enum sl_status sl_grant(struct sl_soc *soc, const void *memory, unsigned access)
{
    SL_HOLD(soc);
    const uint64_t address = (uintptr_t)memory;
    const struct sl_heap_piece piece = sl_heap_at(&soc->heap, address);
    if (soc->is_running) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "sl_grant: a graph is running, and what it may access was settled when "
                           "it began; wait for its end before");
    }
    if ((access & ~(unsigned)(SL_ACCESS_READ | SL_ACCESS_WRITE)) != 0) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "sl_grant: access 0x%x is not made of SL_ACCESS_READ and "
                           "SL_ACCESS_WRITE",
                           access);
    }
    if (piece.number == 0 || piece.base != address || piece.owner != NULL ||
        piece.zone != SL_HEAP_CLOSED) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "sl_grant: %p was not allocated by sl_alloc_private()%s", memory,
                           piece.number != 0 && piece.zone == SL_HEAP_OPEN
                               ? "; what sl_alloc() gives is open to all kernels"
                               : ", or is free already");
    }
    if (access != 0 && soc->grant_count == SL_GRANTS_MAX &&
        find_grant(soc, address) == soc->grants + SL_GRANTS_MAX) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "sl_grant: %d pieces of private memory are granted already, and no more "
                           "can be; take back one, or put what belongs together into one piece",
                           SL_GRANTS_MAX);
    }
    set_grant(soc, address, access);
    return SL_OK;
}

void sl_free(struct sl_soc *soc, void *memory)
{
    SL_HOLD(soc);
    if (memory != NULL && !sl_heap_free(&soc->heap, memory)) {
        (void)sl_soc_fail(soc, SL_ERROR_USAGE,
                          "sl_free: %p was not allocated by sl_alloc(), or is free already",
                          memory);
    } else {
        set_grant(soc, (uintptr_t)memory, 0);
    }
}

/* Appends the end of what a file of QEMU's has from an offset on to the message. */
static void append_file(struct sl_soc *soc, const char *title, int fd, off_t from)
{
    char *const text = sl_memory_file_text(fd, from, LOG_TAIL_BYTES);
    if (text != NULL) {
        size_t length = strlen(text);
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) {
            text[--length] = '\0';
        }
        if (length > 0) {
            sl_text_append(soc->error, sizeof soc->error, "\n%s:\n%s", title, text);
        }
    }
    free(text);
}

void sl_soc_append_log(struct sl_soc *soc)
{
    char title[64];
    (void)snprintf(title, sizeof title, "%s says", sl_engine_name(&soc->config));
    append_file(soc, title, soc->memory.log_fd, soc->memory.log_from);
}

void sl_soc_append_console(struct sl_soc *soc)
{
    append_file(soc, "the firmware's console", soc->memory.uart_fd, soc->memory.uart_from);
}

enum sl_status sl_soc_check_usable(struct sl_soc *soc)
{
    return soc->is_lost ? sl_soc_fail(soc, SL_ERROR_MACHINE, "%s", soc->loss_reason) : SL_OK;
}
