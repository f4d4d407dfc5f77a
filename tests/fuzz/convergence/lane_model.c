/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A device whose memory answers in the same time always (tests/common/ideal.h). After a fault it is
 * made anew. What is wrong with the files is an error; what may not happen ends the program, as it
 * fails tests (cmocka). */
#include "fuzz/convergence/lane_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "host/base/text.h"
#include "host/driver/code/elf.h"
#include "sluice/codes.h"
#include "sluice/config.h"
#include "sluice/registers.h"
#include "soc/common/kernel_file.h"
#include "soc/common/ndrange_machine.h"

#define CYCLES_MAX 20000000u

struct lane_model {
    struct ndrange_machine *machine; /* NULL: to be made */
    const struct expectations *all;
    const char *path;
    uint64_t input, memory, out; /* addresses */
};

static size_t memory_bytes(const struct lane_model *model)
{
    return (size_t)model->all->items * MEMORY_WORDS * sizeof(uint32_t);
}

static size_t words_bytes(const struct lane_model *model)
{
    return model->all->items * sizeof(uint32_t);
}

static int load(struct ndrange_machine *m, const char *path, char *error, size_t bytes)
{
    if (sl_elf_open(&m->elf, path, error, bytes) != 0) {
        return -1;
    }
    m->has_elf = true;
    for (size_t i = 0; i < m->elf.segment_count; i++) {
        const struct sl_elf_segment *segment = &m->elf.segments[i];
        memcpy(ndrange_at(m, segment->address), segment->data, segment->file_bytes);
    }
    const uint64_t table = ndrange_take(m, kernel_file_table_bytes(&m->elf));
    const uint64_t program = ndrange_take(m, sizeof(struct sl_program));
    *(struct sl_program *)ndrange_at(m, program) = kernel_file_analyse(&m->elf, &m->dram, table);
    assert_int_equal(gpu_load_program(m->gpu, program), 0);
    return 0;
}

static int make_machine(struct lane_model *model, char *error, size_t bytes)
{
    static const char *const settings[] = {"gpu.cus=1", NULL};
    struct ndrange_machine *const m = ndrange_create(settings);

    model->machine = m;
    if (load(m, model->path, error, bytes) != 0) {
        return -1;
    }
    model->input = ndrange_take(m, words_bytes(model));
    model->memory = ndrange_take(m, memory_bytes(model));
    model->out = ndrange_take(m, words_bytes(model));
    memcpy(ndrange_at(m, model->input), model->all->input, words_bytes(model));
    return 0;
}

static void drop_machine(struct lane_model *model)
{
    if (model->machine != NULL) {
        ndrange_destroy(model->machine);
        model->machine = NULL;
    }
}

struct lane_model *lane_model_open(const char *path, const struct expectations *all, char *error,
                                   size_t bytes)
{
    struct lane_model *const model = calloc(1, sizeof *model);

    if (model == NULL) {
        (void)snprintf(error, bytes, "out of memory");
        return NULL;
    }
    *model = (struct lane_model){.all = all, .path = path};
    if (make_machine(model, error, bytes) != 0) {
        lane_model_close(model);
        return NULL;
    }
    return model;
}

void lane_model_close(struct lane_model *model)
{
    drop_machine(model);
    free(model);
}

static bool has_function(const struct sl_elf *elf, const char *name)
{
    for (size_t i = 0; i < elf->function_count; i++) {
        if (strcmp(elf->functions[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void dispatch(struct lane_model *model, const char *name)
{
    struct ndrange_machine *const m = model->machine;
    const uint32_t grid[3] = {model->all->items, 1, 1};
    const uint32_t group[3] = {GROUP_ITEMS, 1, 1};
    const struct ndrange_kernel kernel = {
        .entry = ndrange_function(m, name),
        .registers = (uint32_t)m->config.number[SL_CFG_GPU_REGISTERS],
        .argument_count = 3,
        .argument = {model->input, model->memory, model->out},
    };

    memset(ndrange_at(m, model->memory), 0, memory_bytes(model));
    memset(ndrange_at(m, model->out), 0, words_bytes(model));
    ndrange_dispatch(m, &kernel, grid, group, 0);
}

/* Runs until nothing happens any more, there is a fault, or too much time has passed. */
static void run(struct ndrange_machine *m)
{
    const uint64_t limit = m->gpu->event_queue->now + CYCLES_MAX;

    while (m->gpu->event_queue->next < limit && ndrange_faults(m) == 0) {
        fixture_run(m->gpu, m->gpu->event_queue->next);
    }
}

/* Runs what was dispatched. Returns NULL, or what ended it. */
static const char *run_to_end(struct ndrange_machine *m)
{
    const uint32_t before = ndrange_completions(m);

    run(m);
    window_write(&m->window, SL_REG_COMPLETION_HEAD, ndrange_completions(m));
    if (ndrange_faults(m) != 0) {
        return sl_code_sentence(SL_CODE_FAULT, m->faults[0].code);
    }
    return ndrange_completions(m) == before ? "it does not end" : NULL;
}

const uint32_t *lane_model_run(struct lane_model *model, const char *name, char *error,
                               size_t bytes)
{
    if (model->machine == NULL && make_machine(model, error, bytes) != 0) {
        return NULL;
    }
    if (!has_function(&model->machine->elf, name)) {
        (void)snprintf(error, bytes, "there is no such kernel");
        return NULL;
    }
    dispatch(model, name);
    const char *const fault = run_to_end(model->machine);
    if (fault != NULL) {
        (void)snprintf(error, bytes, "%s", fault);
        drop_machine(model);
        return NULL;
    }
    return ndrange_at(model->machine, model->out);
}
