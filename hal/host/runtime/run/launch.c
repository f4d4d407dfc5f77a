/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Ordinary kernel launches, and sequences of them: describes them in shared memory, checks them
 * with names and settings, and gives them to the firmware. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "check/launch/sequence_check.h"
#include "host/base/text.h"
#include "host/driver/code/module.h"
#include "host/runtime/run/run.h"

#define WHAT_BYTES      256
#define ARGUMENTS_BYTES 1024

const struct sl_run_kind sl_kind_launch = {.type = SL_HOST_LAUNCH, .name = "launch"};

/* What the step gives its kernel, as it was given. */
static struct sl_arguments arguments_of(const struct sl_launch_step *step)
{
    struct sl_arguments given = {.count = step->argument_count};

    for (unsigned i = 0; i < given.count && i < SL_LAUNCH_ARGUMENTS; i++) {
        given.value[i] = sl_value_make(step->kind[i], step->argument[i]);
    }
    return given;
}

enum sl_status sl_launch_describe(struct sl_module *module, int kernel,
                                  const struct sl_launch_step *step, const char *what,
                                  struct sl_launch *launch)
{
    const struct sl_arguments given = arguments_of(step);
    char error[ARGUMENTS_BYTES];

    *launch = (struct sl_launch){
        .magic = SL_LAUNCH_MAGIC,
        .lds_bytes = sl_module_lds_total(module, step->lds_bytes),
        .program = sl_module_program(module),
        .grid_word = (uintptr_t)step->grid_word,
        .kernel = sl_module_kernel_needs(module, kernel),
    };
    memcpy(launch->grid, step->grid, sizeof launch->grid);
    memcpy(launch->group, step->group, sizeof launch->group);
    if (sl_arguments_place(sl_module_prototype(module, kernel), &given, &launch->kernel, error,
                           sizeof error) != 0) {
        return sl_soc_fail(sl_module_soc(module), SL_ERROR_USAGE, "%s: %s", what, error);
    }
    return SL_OK;
}

const struct sl_launch *sl_launch_shared(const struct sl_soc *soc)
{
    return soc->run->launch;
}

/* Work-groups that all compute units together hold at once. */
static uint64_t resident_groups(const struct sl_soc *soc, const uint32_t group[3],
                                uint32_t registers, uint32_t lds_bytes)
{
    const struct sl_cu_shape cu = sl_soc_cu_shape(soc);
    const uint32_t wavefronts = sl_group_wavefronts(group, cu.lanes);
    const uint64_t cus = (uint64_t)soc->config.number[SL_CFG_GPU_CUS];
    const uint64_t groups = cus * sl_cu_groups(&cu, wavefronts, registers, lds_bytes);
    const uint64_t with_state = soc->layout.pool_blocks / wavefronts;
    return groups < with_state ? groups : with_state;
}

/* Of a launch that is right otherwise. */
static enum sl_status check_resident(struct sl_soc *soc, const char *what)
{
    const struct sl_launch *const launch = soc->run->launch;
    const uint64_t limit =
        resident_groups(soc, launch->group, launch->kernel.registers, launch->lds_bytes);
    uint64_t groups = 1;
    for (unsigned d = 0; d < 3; d++) {
        groups *= sl_groups_of(launch->grid[d], launch->group[d]);
    }
    if (groups <= limit) {
        return SL_OK;
    }
    static const enum sl_config_key keys[] = {SL_CFG_GPU_CUS, SL_CFG_GPU_CONTEXTS,
                                              SL_CFG_GPU_REGISTERS, SL_CFG_GPU_LDS,
                                              SL_CFG_POOL_BLOCKS};
    char settings[WHAT_BYTES] = "";
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        sl_text_append(settings, sizeof settings, i == 0 ? "" : ", ");
        sl_text_append_setting(&soc->config, keys[i], settings, sizeof settings);
    }
    return sl_soc_fail(
        soc, SL_ERROR_USAGE,
        "%s: its wavefronts wait for each other, so that all have to be resident at once; the grid "
        "has %" PRIu64 " work-groups, of %" PRIu32 " wavefronts with %" PRIu32
        " registers each and %" PRIu32 " bytes of LDS, and there is room for %" PRIu64
        " of them (%s); make the grid smaller",
        what, groups, sl_group_wavefronts(launch->group, sl_soc_cu_shape(soc).lanes),
        launch->kernel.registers, launch->lds_bytes, limit, settings);
}

uint32_t sl_resident_groups(struct sl_module *module, const char *kernel, const uint32_t group[3],
                            uint32_t lds_bytes)
{
    const struct sl_soc *const soc = sl_module_soc(module);
    const int handle = sl_module_kernel(module, kernel);
    uint64_t items = 1;
    if (handle < 0) {
        return 0;
    }
    for (unsigned i = 0; i < 3; i++) {
        items = items > SL_GROUP_ITEMS ? items : items * group[i];
    }
    if (items == 0 || items > SL_GROUP_ITEMS) {
        (void)sl_soc_fail(sl_module_soc(module), SL_ERROR_USAGE,
                          "no work-group has %" PRIu32 " x %" PRIu32 " x %" PRIu32
                          " work-items: the product is 1 to %u",
                          group[0], group[1], group[2], (unsigned)SL_GROUP_ITEMS);
        return 0;
    }
    return (uint32_t)resident_groups(soc, group, sl_module_kernel_needs(module, handle).registers,
                                     sl_module_lds_total(module, lds_bytes));
}

static enum sl_status launch_step(struct sl_module *module, const struct sl_launch_step *step,
                                  bool is_resident)
{
    struct sl_soc *const soc = sl_module_soc(module);
    struct sl_run *const run = soc->run;
    char what[WHAT_BYTES];
    (void)snprintf(what, sizeof what, "launch of kernel '%s'", step->kernel);
    if (sl_run_check_idle(soc, what) != SL_OK) {
        return SL_ERROR_USAGE;
    }
    if (run->launch == NULL) { /* one is enough, as launches come one at a time */
        run->launch = sl_soc_alloc_own(soc, "the description of a launch", sizeof *run->launch);
    }
    if (run->launch == NULL) {
        return soc->failure; /* with sl_soc_alloc_own()'s message */
    }
    const int handle = sl_module_kernel(module, step->kernel);
    if (handle < 0) {
        return SL_ERROR_USAGE;
    }
    enum sl_status status = sl_launch_describe(module, handle, step, what, run->launch);
    if (status == SL_OK) {
        status = sl_run_check(soc, SL_HOST_LAUNCH, run->launch, what);
    }
    if (status == SL_OK && is_resident) {
        status = check_resident(soc, what);
    }
    if (status != SL_OK) {
        return status;
    }
    run->launched.launches = run->launch;
    run->launched.count = 1;
    run->launched.kernels[0] = sl_module_kernel_name(module, handle);
    return sl_run_start(soc, &sl_kind_launch, (uintptr_t)run->launch);
}

enum sl_status sl_soc_launch_unchecked(struct sl_soc *soc, uint64_t launch_address)
{
    SL_HOLD(soc);
    return sl_run_start_unchecked(soc, &sl_kind_launch, launch_address);
}

/* A step without arguments. */
static struct sl_launch_step step_of(const char *kernel, const uint32_t grid[3],
                                     const uint32_t group[3], uint32_t lds_bytes)
{
    return (struct sl_launch_step){.kernel = kernel,
                                   .grid = {grid[0], grid[1], grid[2]},
                                   .group = {group[0], group[1], group[2]},
                                   .lds_bytes = lds_bytes};
}

static void add_words(struct sl_launch_step *step, const uint64_t *arguments, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        sl_step_value(step, sl_value_u64(arguments[i]));
    }
}

static void add_values(struct sl_launch_step *step, const struct sl_value *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        sl_step_value(step, values[i]);
    }
}

enum sl_status sl_launch(struct sl_module *module, const char *kernel, const uint32_t grid[3],
                         const uint32_t group[3], uint32_t lds_bytes, const uint64_t *arguments,
                         unsigned count)
{
    SL_HOLD(sl_module_soc(module));
    struct sl_launch_step step = step_of(kernel, grid, group, lds_bytes);
    add_words(&step, arguments, count);
    return launch_step(module, &step, false);
}

enum sl_status sl_launch_values(struct sl_module *module, const char *kernel,
                                const uint32_t grid[3], const uint32_t group[3], uint32_t lds_bytes,
                                const struct sl_value *values, unsigned count)
{
    SL_HOLD(sl_module_soc(module));
    struct sl_launch_step step = step_of(kernel, grid, group, lds_bytes);
    add_values(&step, values, count);
    return launch_step(module, &step, false);
}

enum sl_status sl_launch_resident(struct sl_module *module, const char *kernel,
                                  const uint32_t grid[3], const uint32_t group[3],
                                  uint32_t lds_bytes, const uint64_t *arguments, unsigned count)
{
    SL_HOLD(sl_module_soc(module));
    struct sl_launch_step step = step_of(kernel, grid, group, lds_bytes);
    add_words(&step, arguments, count);
    return launch_step(module, &step, true);
}

enum sl_status sl_launch_resident_values(struct sl_module *module, const char *kernel,
                                         const uint32_t grid[3], const uint32_t group[3],
                                         uint32_t lds_bytes, const struct sl_value *values,
                                         unsigned count)
{
    SL_HOLD(sl_module_soc(module));
    struct sl_launch_step step = step_of(kernel, grid, group, lds_bytes);
    add_values(&step, values, count);
    return launch_step(module, &step, true);
}

/* ---- sequences ---- */

/* "; step 3 of 0 to 11, kernel bitonic_step, repeat 17" */
static void append_step(const struct sl_launched *launched, const struct sl_message_agg *message,
                        char *out, size_t bytes)
{
    const uint64_t step = message->argument[6];
    sl_text_append(out, bytes, "; step %" PRIu64, step);
    if (step < launched->count) {
        sl_text_append(out, bytes, " of 0 to %u, kernel %s", launched->count - 1,
                       launched->kernels[step]);
    }
    if (message->argument[7] > 0) {
        sl_text_append(out, bytes, ", repeat %" PRIu64, message->argument[7]);
    }
}

const struct sl_run_kind sl_kind_sequence = {
    .type = SL_HOST_SEQUENCE,
    .name = "sequence",
    .append_position = append_step,
};

const struct sl_sequence *sl_sequence_shared(const struct sl_soc *soc)
{
    return soc->run->steps;
}

static enum sl_status describe_step(struct sl_module *module, const struct sl_launch_step *step,
                                    unsigned number)
{
    struct sl_soc *const soc = sl_module_soc(module);
    struct sl_run *const run = soc->run;
    char what[WHAT_BYTES];
    (void)snprintf(what, sizeof what, "sequence of launches: step %u, kernel '%s'", number,
                   step->kernel);
    const int handle = sl_module_kernel(module, step->kernel);
    if (handle < 0) {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "%s: %s", what, sl_soc_error(soc));
    }
    run->launched.kernels[number] = sl_module_kernel_name(module, handle);
    return sl_launch_describe(module, handle, step, what,
                              &sl_sequence_launches(run->steps)[number]);
}

enum sl_status sl_launch_sequence(struct sl_module *module, const struct sl_launch_step *steps,
                                  unsigned count, unsigned first, unsigned last,
                                  const uint32_t *word)
{
    SL_HOLD(sl_module_soc(module));
    static const char what[] = "sequence of launches";
    struct sl_soc *const soc = sl_module_soc(module);
    struct sl_run *const run = soc->run;
    if (sl_run_check_idle(soc, what) != SL_OK) {
        return SL_ERROR_USAGE;
    }
    if (count < 1 || count > SL_SEQUENCE_LAUNCHES) {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "%s: %u launches; from 1 to %d are possible", what,
                           count, SL_SEQUENCE_LAUNCHES);
    }
    run->launched.count = 0;
    sl_free(soc, run->steps);
    run->steps = sl_soc_alloc_own(soc, "the description of a sequence of launches",
                                  sizeof *run->steps + count * sizeof(struct sl_launch));
    if (run->steps == NULL) {
        return soc->failure; /* with sl_soc_alloc_own()'s message */
    }
    *run->steps = (struct sl_sequence){.magic = SL_SEQUENCE_MAGIC,
                                       .count = count,
                                       .first = first,
                                       .last = last,
                                       .word = (uintptr_t)word};
    for (unsigned i = 0; i < count; i++) {
        if (describe_step(module, &steps[i], i) != SL_OK) {
            return SL_ERROR_USAGE;
        }
    }
    const enum sl_status status = sl_run_check(soc, SL_HOST_SEQUENCE, run->steps, what);
    if (status != SL_OK) {
        return status;
    }
    run->launched.launches = sl_sequence_launches(run->steps);
    run->launched.count = count;
    return sl_run_start(soc, &sl_kind_sequence, (uintptr_t)run->steps);
}

enum sl_status sl_soc_sequence_unchecked(struct sl_soc *soc, uint64_t sequence_address)
{
    SL_HOLD(soc);
    return sl_run_start_unchecked(soc, &sl_kind_sequence, sequence_address);
}
