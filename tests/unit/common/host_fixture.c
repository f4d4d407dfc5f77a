/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A machine object without a machine, and the functions of a module without an ELF file. */
#include "unit/common/host_fixture.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host/driver/machine/futex.h"
#include "sluice/config.h"

#define FIXTURE_CODE_BYTES 256

static const char *const fixture_kernels[] = {"first_kernel", "second_kernel"};

struct sl_soc *sl_module_soc(const struct sl_module *module)
{
    return module->soc;
}

uint64_t sl_module_program(const struct sl_module *module)
{
    return (uintptr_t)module->program;
}

int sl_module_kernel(struct sl_module *module, const char *name)
{
    for (int i = 0; i < 2; i++) {
        if (strcmp(name, fixture_kernels[i]) == 0) {
            return i;
        }
    }
    (void)sl_soc_fail(module->soc, SL_ERROR_USAGE, "there is no function '%s'", name);
    return -1;
}

struct sl_print_buffer *sl_module_print_buffer(const struct sl_module *module)
{
    (void)module;
    return NULL;
}

const char *sl_module_kernel_name(const struct sl_module *module, int kernel)
{
    (void)module;
    return fixture_kernels[kernel];
}

struct sl_kernel sl_module_kernel_needs(const struct sl_module *module, int kernel)
{
    return (struct sl_kernel){.entry = module->program->code + 128 * (uint64_t)kernel,
                              .flags = module->kernel_flags,
                              .registers = 8 + (uint32_t)kernel,
                              .register_mask = (1ull << (8 + kernel)) - 1};
}

const struct sl_prototype *sl_module_prototype(struct sl_module *module, int kernel)
{
    static const struct sl_prototype unknown;
    return kernel == 0 ? &module->prototype : &unknown;
}

struct sl_tasks_kernel sl_module_work(const struct sl_module *module, int kernel)
{
    return kernel == 1 ? module->work : (struct sl_tasks_kernel){0, 0};
}

uint64_t sl_module_lds_bytes(const struct sl_module *module)
{
    return module->lds_bytes;
}

void sl_module_describe(const struct sl_module *module, uint64_t pc, char *out, size_t bytes)
{
    const uint64_t offset = pc - module->program->code;
    (void)snprintf(out, bytes, "%s (test.c:%d)", fixture_kernels[offset >= 128],
                   (int)(offset % 128));
}

const struct sl_elf *sl_module_elf(const struct sl_module *module)
{
    return module->elf;
}

Dwarf *sl_module_lines(const struct sl_module *module)
{
    (void)module;
    return NULL;
}

struct sl_code_place sl_module_place(const struct sl_module *module, uint64_t pc)
{
    const uint64_t offset = pc - module->program->code;
    return (struct sl_code_place){
        .function = fixture_kernels[offset >= 128],
        .path = "test.c",
        .file = "test.c",
        .line = (int)(offset % 128),
    };
}

void sl_module_destroy(struct sl_module *module)
{
    free(module);
}

struct sl_soc *fixture_open(struct sl_module **module)
{
    struct sl_config config;
    sl_config_init(&config);
    struct sl_soc *const soc = sl_soc_new(&config);
    const bool is_there = soc != NULL && sl_run_create(soc) != NULL;
    assert(is_there);
    (void)is_there;
    void *const heap =
        mmap(NULL, FIXTURE_HEAP_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(heap != MAP_FAILED);
    const uint64_t base = (uintptr_t)heap;
    const int is_full = sl_heap_init(&soc->heap, base, base + FIXTURE_HEAP_BYTES);
    assert(!is_full);
    (void)is_full;

    *module = calloc(1, sizeof **module);
    assert(*module != NULL);
    (*module)->soc = soc;
    (*module)->program = sl_alloc(soc, sizeof(struct sl_program), 0);
    *(*module)->program = (struct sl_program){
        .code = SL_KERNEL_BASE,
        .code_bytes = FIXTURE_CODE_BYTES,
        .reconvergence = (uintptr_t)sl_alloc(soc, FIXTURE_CODE_BYTES / 2 * sizeof(uint32_t), 0)};
    soc->module = *module;
    return soc;
}

/* The firmware's part where a run begins: takes the messages that start one, and no others. */
static struct {
    pthread_t thread;
    struct sl_mailbox *mailbox; /* NULL: there is no thread */
    atomic_bool is_over;
} fixture_firmware;

static void *fixture_take(void *unused)
{
    struct sl_mailbox *const mailbox = fixture_firmware.mailbox;
    (void)unused;
    while (!atomic_load(&fixture_firmware.is_over)) {
        const uint32_t bell = __atomic_load_n(&mailbox->host_bell, __ATOMIC_ACQUIRE);
        const uint32_t head = __atomic_load_n(&mailbox->host_head, __ATOMIC_ACQUIRE);
        const uint32_t type = mailbox->host[head % SL_MAILBOX_ENTRIES].type;
        if (__atomic_load_n(&mailbox->host_tail, __ATOMIC_ACQUIRE) != head && type != SL_HOST_ENQ &&
            type != SL_HOST_REPORT && type != SL_HOST_CLOSE) {
            __atomic_store_n(&mailbox->host_head, head + 1, __ATOMIC_RELEASE);
            sl_futex_wake(&mailbox->host_head);
        } else {
            sl_futex_wait(&mailbox->host_bell, bell, 10);
        }
    }
    return NULL;
}

void fixture_open_mailbox(struct sl_soc *soc, struct sl_mailbox *mailbox)
{
    memset(mailbox, 0, sizeof *mailbox);
    soc->mailbox = mailbox;
    fixture_firmware.mailbox = mailbox;
    atomic_store(&fixture_firmware.is_over, false);
    const int reason = pthread_create(&fixture_firmware.thread, NULL, fixture_take, NULL);
    assert(reason == 0);
    (void)reason;
}

void fixture_close(struct sl_soc *soc)
{
    if (fixture_firmware.mailbox != NULL) {
        atomic_store(&fixture_firmware.is_over, true);
        (void)pthread_join(fixture_firmware.thread, NULL);
        fixture_firmware.mailbox = NULL;
    }
    void *const heap = (void *)(uintptr_t)soc->heap.base;
    soc->mailbox = NULL; /* the test's, if it has one */
    sl_soc_close(soc);
    (void)munmap(heap, FIXTURE_HEAP_BYTES);
}
