/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A loaded ELF file of kernels: puts code and data where they were linked to, and the tables that
 * are computed from the code and the program description into the shared heap. DRAM is mapped at
 * the device's own addresses, so that loading is copying. */
#include "host/driver/code/module.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/nearest.h"
#include "host/driver/code/analysis.h"
#include "host/driver/code/debug_lines.h"
#include "host/driver/code/elf.h"
#include "host/driver/code/lock_text.h"
#include "host/driver/machine/machine.h"

#define TEXT_BYTES 1024
#define TABLES     "a table of the kernels' code"

struct sl_module {
    struct sl_soc *soc;
    struct sl_elf elf;
    Dwarf *lines;
    struct sl_prototype **prototypes; /* of functions of elf; NULL where nobody has asked */
    struct sl_code code;
    struct sl_function *functions; /* of code; those of elf, without names */
    size_t *reached;               /* what sl_registers_used() needs */
    struct sl_program *program;    /* in shared memory */
    uint32_t *reconvergence;       /* in shared memory */
    uint64_t *liveness;            /* likewise; NULL where yields save all registers used */
    struct sl_print_buffer *print; /* likewise; NULL where it does not print */
};

static const struct sl_elf_segment *code_of(const struct sl_module *module)
{
    return &module->elf.segments[module->elf.code];
}

static void copy_segments(const struct sl_module *module)
{
    for (size_t i = 0; i < module->elf.segment_count; i++) {
        const struct sl_elf_segment *segment = &module->elf.segments[i];
        char *to = (char *)(uintptr_t)segment->address;
        memcpy(to, segment->data, segment->file_bytes);
        memset(to + segment->file_bytes, 0, segment->bytes - segment->file_bytes);
    }
}

static enum sl_status out_of_memory(struct sl_soc *soc, const char *path)
{
    return sl_soc_fail(soc, SL_ERROR_MACHINE, "kernel file '%s': the host is out of memory", path);
}

/* The code as it is analysed. sl_elf_open() has checked that its words are whole and aligned in
 * memory; in the file they may be anywhere, so that analysis reads the copy. */
static enum sl_status describe_code(struct sl_module *module)
{
    const struct sl_elf_segment *segment = code_of(module);
    module->functions = calloc(module->elf.function_count, sizeof *module->functions);
    module->prototypes = calloc(module->elf.function_count, sizeof *module->prototypes);
    module->reached = calloc(module->elf.function_count, 2 * sizeof *module->reached);
    if (module->functions == NULL || module->prototypes == NULL || module->reached == NULL) {
        return out_of_memory(module->soc, module->elf.path);
    }
    for (size_t i = 0; i < module->elf.function_count; i++) {
        const struct sl_elf_function *function = &module->elf.functions[i];
        module->functions[i] = (struct sl_function){function->address, function->bytes};
    }
    module->code = (struct sl_code){
        .words = (const uint32_t *)(uintptr_t)segment->address,
        .word_count = segment->bytes / sizeof(uint32_t),
        .base = segment->address,
        .functions = module->functions,
        .function_count = module->elf.function_count,
    };
    return SL_OK;
}

static enum sl_status analyse(struct sl_module *module)
{
    const bool joins = module->soc->config.number[SL_CFG_LOCK_STACK] == SL_LOCK_STACK_JOIN;
    if (sl_reconverge(&module->code, module->reconvergence) != 0 ||
        (joins && sl_lock_joins(&module->code, module->reconvergence) != 0) ||
        (module->liveness != NULL && sl_liveness(&module->code, module->liveness) != 0)) {
        return out_of_memory(module->soc, module->elf.path);
    }
    *module->program = (struct sl_program){
        .code = module->code.base,
        .code_bytes = code_of(module)->bytes,
        .reconvergence = (uintptr_t)module->reconvergence,
        .global_pointer = module->elf.global_pointer,
        .liveness = (uintptr_t)module->liveness,
        .routines = module->elf.routines,
        .routines_bytes = module->elf.routines_limit - module->elf.routines,
    };
    return SL_OK;
}

/* Refuses what cannot work (docs/look-up/isa.md, "Locks"); the first finding stands for all. */
static enum sl_status check_locks(const struct sl_module *module)
{
    struct sl_soc *const soc = module->soc;
    const bool may_nest = soc->config.number[SL_CFG_LOCK_QUEUE] == SL_LOCK_QUEUE_OFF;
    struct sl_lock_finding *findings = NULL;
    size_t count = 0;
    char place[TEXT_BYTES];
    char text[TEXT_BYTES];

    if (sl_lock_check(&module->code, may_nest, &findings, &count) != 0) {
        return out_of_memory(soc, module->elf.path);
    }
    if (count == 0) {
        return SL_OK;
    }
    sl_module_describe(module, findings[0].address, place, sizeof place);
    sl_lock_text(&module->elf, module->lines, &findings[0], text, sizeof text);
    free(findings);
    return sl_soc_fail(soc, SL_ERROR_USAGE, "kernel file '%s': function %s: %s", module->elf.path,
                       place, text);
}

/* Memory for what is computed, in closed memory. False with sl_soc_alloc_own()'s message. */
static bool allocate(struct sl_module *module)
{
    struct sl_soc *const soc = module->soc;
    const uint64_t parcels = code_of(module)->bytes / 2;
    const bool has_liveness = soc->config.number[SL_CFG_GPU_YIELD_SAVES] == SL_GPU_YIELD_SAVES_LIVE;
    module->program = sl_soc_alloc_own(soc, TABLES, sizeof *module->program);
    if (module->program != NULL) {
        module->reconvergence =
            sl_soc_alloc_own(soc, TABLES, parcels * sizeof *module->reconvergence);
    }
    if (module->reconvergence != NULL && has_liveness) {
        module->liveness = sl_soc_alloc_own(soc, TABLES, parcels * sizeof *module->liveness);
    }
    return module->reconvergence != NULL && (module->liveness != NULL || !has_liveness);
}

static enum sl_status load(struct sl_module *module, const char *path)
{
    struct sl_soc *const soc = module->soc;
    enum sl_status status = sl_elf_open(&module->elf, path, soc->error, sizeof soc->error);
    if (status != SL_OK) {
        return status;
    }
    if (!allocate(module)) {
        return soc->failure;
    }
    copy_segments(module);
    module->lines = sl_debug_lines_open(module->elf.elf);
    status = sl_print_buffer_attach(soc, module->elf.print_buffer, &module->print);
    if (status == SL_OK) {
        status = describe_code(module);
    }
    if (status == SL_OK) {
        status = check_locks(module);
    }
    return status == SL_OK ? analyse(module) : status;
}

enum sl_status sl_module_load(struct sl_soc *soc, const char *path, struct sl_module **module)
{
    *module = NULL;
    if (soc->module != NULL) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "kernel file '%s': '%s' is loaded already, and a machine takes one; "
                           "link all kernels into one file, or open another machine",
                           path, soc->module->elf.path);
    }
    struct sl_module *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return out_of_memory(soc, path);
    }
    made->soc = soc;
    enum sl_status status = load(made, path);
    if (status != SL_OK) {
        sl_free(soc, made->program);
        sl_free(soc, made->reconvergence);
        sl_free(soc, made->liveness);
        sl_free(soc, made->print);
        sl_module_destroy(made);
        return status;
    }
    soc->module = made;
    *module = made;
    return SL_OK;
}

void sl_module_destroy(struct sl_module *module)
{
    if (module != NULL) {
        for (size_t i = 0; module->prototypes != NULL && i < module->elf.function_count; i++) {
            free(module->prototypes[i]);
        }
        free(module->prototypes);
        sl_debug_lines_close(module->lines);
        sl_elf_close(&module->elf);
        free(module->functions);
        free(module->reached);
        free(module);
    }
}

/* A function of C++ whose mangled name has this one in it, behind its length: "_Z5saxpyfPKf" of
 * "saxpy"; NULL where there is none. */
static const char *mangled(const struct sl_module *module, const char *name)
{
    char part[TEXT_BYTES];
    (void)snprintf(part, sizeof part, "%zu%s", strlen(name), name);
    for (size_t i = 0; i < module->elf.function_count; i++) {
        const char *const at = module->elf.functions[i].name;
        const char *const found = strncmp(at, "_Z", 2) == 0 ? strstr(at, part) : NULL;
        if (found != NULL && !isdigit((unsigned char)found[-1])) {
            return at;
        }
    }
    return NULL;
}

/* Says which function may have been meant. */
static int no_kernel(const struct sl_module *module, const char *name)
{
    const char **names = calloc(module->elf.function_count, sizeof *names);
    const char *nearest = NULL;
    if (names != NULL) {
        for (size_t i = 0; i < module->elf.function_count; i++) {
            const struct sl_elf_function *function = &module->elf.functions[i];
            names[i] = function->is_global ? function->name : NULL;
        }
        nearest = sl_nearest(name, names, module->elf.function_count);
    }
    const char *const of_cxx = mangled(module, name);
    char hint[TEXT_BYTES] = "kernels are functions marked SL_KERNEL";
    if (of_cxx != NULL) {
        (void)snprintf(hint, sizeof hint,
                       "it has '%s' of C++: declare it extern \"C\", as SL_KERNEL does", of_cxx);
    } else if (nearest != NULL) {
        (void)snprintf(hint, sizeof hint, "did you mean '%s'?", nearest);
    }
    (void)sl_soc_fail(module->soc, SL_ERROR_USAGE, "kernel file '%s' has no function '%s'; %s",
                      module->elf.path, name, hint);
    free(names);
    return -1;
}

int sl_module_kernel(struct sl_module *module, const char *name)
{
    for (size_t i = 0; i < module->elf.function_count; i++) {
        const struct sl_elf_function *function = &module->elf.functions[i];
        if (function->is_global && strcmp(function->name, name) == 0) {
            return (int)i;
        }
    }
    return no_kernel(module, name);
}

struct sl_soc *sl_module_soc(const struct sl_module *module)
{
    return module->soc;
}

uint64_t sl_module_program(const struct sl_module *module)
{
    return (uintptr_t)module->program;
}

struct sl_print_buffer *sl_module_print_buffer(const struct sl_module *module)
{
    return module->print;
}

Dwarf *sl_module_lines(const struct sl_module *module)
{
    return module->lines;
}

const char *sl_module_kernel_name(const struct sl_module *module, int kernel)
{
    return module->elf.functions[kernel].name;
}

const struct sl_elf *sl_module_elf(const struct sl_module *module)
{
    return &module->elf;
}

uint64_t sl_module_lds_bytes(const struct sl_module *module)
{
    return module->elf.lds_bytes;
}

static bool has_function(const struct sl_module *module, const char *name)
{
    for (size_t i = 0; i < module->elf.function_count; i++) {
        if (strcmp(module->elf.functions[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* What the file as a whole says of its kernels: the routine is linked only where they put elements
 * in by stamps, the other function is what SL_TASK_FORKS_AGAIN leaves. */
static uint32_t flags_of_all(const struct sl_module *module)
{
    return (has_function(module, "sl_enq_stamped") ? SL_KERNEL_STAMPED : 0u) |
           (has_function(module, "sl_trees_forks_again") ? SL_KERNEL_FORKS_AGAIN : 0u);
}

struct sl_kernel sl_module_kernel_needs(const struct sl_module *module, int kernel)
{
    SL_HOLD(module->soc);
    const uint64_t entry = module->elf.functions[kernel].address;
    uint64_t mask;
    bool yields;
    sl_registers_used(&module->code, entry, module->reached, &mask, &yields);
    return (struct sl_kernel){.entry = entry,
                              .registers = (uint32_t)__builtin_popcountll(mask),
                              .register_mask = mask,
                              .flags = (yields ? SL_KERNEL_YIELDS : 0u) | flags_of_all(module),
                              .resident = module->elf.functions[kernel].resident};
}

const struct sl_prototype *sl_module_prototype(struct sl_module *module, int kernel)
{
    static const struct sl_prototype unknown;
    struct sl_prototype **const known = &module->prototypes[kernel];

    if (*known == NULL) {
        *known = malloc(sizeof **known);
        if (*known == NULL) {
            return &unknown;
        }
        **known = sl_prototype_at(module->lines, module->elf.functions[kernel].address);
    }
    return *known;
}

struct sl_tasks_kernel sl_module_work(const struct sl_module *module, int kernel)
{
    return module->elf.functions[kernel].work;
}

void sl_module_describe(const struct sl_module *module, uint64_t pc, char *out, size_t bytes)
{
    const struct sl_elf_function *function = sl_elf_function_at(&module->elf, pc);
    struct sl_debug_line line = sl_debug_line_at(module->lines, pc);
    struct sl_debug_line outside = sl_debug_line_outside(module->lines, pc);
    if (function != NULL && line.file != NULL && outside.file != NULL) {
        (void)snprintf(out, bytes, "%s (%s:%d, inlined at %s:%d)", function->name, line.file,
                       line.line, outside.file, outside.line);
    } else if (function != NULL && line.file != NULL) {
        (void)snprintf(out, bytes, "%s (%s:%d)", function->name, line.file, line.line);
    } else if (function != NULL) {
        (void)snprintf(out, bytes, "%s", function->name);
    } else {
        (void)snprintf(out, bytes, "0x%llx", (unsigned long long)pc);
    }
}

/* Whether a function of hal/kernel's headers is there, wherever they are installed. */
static bool is_of_wave(const struct sl_debug_frame *frame)
{
    const char *const path = frame->line.path;
    const char *const folder = path != NULL ? strstr(path, "wave/") : NULL;
    return folder != NULL && (folder == path || folder[-1] == '/') &&
           strcmp(path + strlen(path) - 2, ".h") == 0;
}

struct sl_code_place sl_module_place(const struct sl_module *module, uint64_t pc)
{
    enum { FRAMES = 32 };
    struct sl_debug_frame frames[FRAMES];
    const int count = sl_debug_frames(module->lines, pc, frames, FRAMES);
    int chosen = 0;
    while (chosen + 1 < count && is_of_wave(&frames[chosen])) {
        chosen++;
    }
    if (count > 0 && frames[chosen].function != NULL) {
        const struct sl_debug_line *const line = &frames[chosen].line;
        return (struct sl_code_place){frames[chosen].function, line->path, line->file, line->line,
                                      chosen > 0 ? frames[chosen - 1].function : NULL};
    }
    const struct sl_elf_function *const function = sl_elf_function_at(&module->elf, pc);
    const struct sl_debug_line line = sl_debug_line_at(module->lines, pc);
    return (struct sl_code_place){function != NULL ? function->name : NULL, line.path, line.file,
                                  line.line, NULL};
}
