/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tables of what lanes may access, and single instructions under them. */
#include "soc/simt/protection_trial.h"

#include <string.h>

#include "common/check.h"

#define LANES_IN_FRONT 3u /* instructions that find the lane's address */

struct trial trial_create(const char *const *settings)
{
    struct trial t = {.m = machine_create(settings)};

    t.addresses = machine_take(t.m, LANES * sizeof(uint64_t));
    t.table = machine_take(t.m, sizeof(struct sl_protection));
    t.program = machine_take(t.m, sizeof(struct sl_program));
    assert_true(t.m->next <= SL_HEAP_BASE + TRIAL_OWN - 4096);
    return t;
}

void trial_destroy(struct trial *t)
{
    machine_destroy(t->m);
}

void trial_load(struct trial *t, uint64_t code, uint32_t word, uint32_t behind, bool is_routine)
{
    const uint32_t words[] = {
        asm_SLLI(T0, A1, 3),
        asm_ADD(T0, T0, A2),
        asm_LD(T1, T0, 0),
        word | T1 << 15,
        behind != 0 ? behind | T1 << 15 : ASM_RET,
        ASM_RET,
    };
    const uint64_t table = SL_HEAP_BASE + TRIAL_OWN - 4096; /* no lane diverges */

    _Static_assert(sizeof words == TRIAL_CODE, "its code");

    memset(machine_at(t->m, table), 0xff, sizeof words * 2);
    memcpy(machine_at(t->m, code), words, sizeof words);
    *(struct sl_program *)machine_at(t->m, t->program) = (struct sl_program){
        .code = code,
        .code_bytes = sizeof words,
        .reconvergence = table,
        .routines = is_routine ? code + 4 * LANES_IN_FRONT : 0,
        .routines_bytes = is_routine ? 8 : 0,
    };
    t->code = code;
    assert_int_equal(gpu_load_program(t->m->gpu, t->program), 0);
}

uint64_t trial_pc(const struct trial *t)
{
    return t->code + 4 * LANES_IN_FRONT;
}

int trial_protect(struct trial *t, const struct sl_range *ranges, uint32_t count)
{
    struct sl_protection *table = machine_at(t->m, t->table);
    const struct sl_range own = {
        .base = SL_HEAP_BASE, .bytes = TRIAL_OWN, .access = SL_ACCESS_READ};
    uint32_t below = 0;

    memset(table, 0, sizeof *table);
    table->magic = SL_PROTECTION_MAGIC;
    table->count = count + 1;
    while (below < count && ranges[below].base < own.base) {
        below++;
    }
    for (uint32_t i = 0; i < count; i++) {
        table->range[i + (i >= below)] = ranges[i];
    }
    table->range[below] = own;
    return gpu_protect(t->m->gpu, t->table);
}

const struct sl_fault *trial_run(struct trial *t, const uint64_t *addresses, uint32_t lanes)
{
    const struct wave_launch launch = {
        .index_mask = UINT32_MAX,
        .count = lanes,
        .argument_count = 1,
        .arguments = {t->addresses},
        .kernel = TRIAL_KERNEL,
        .lds_bytes = t->lds_bytes,
    };

    memcpy(machine_at(t->m, t->addresses), addresses, lanes * sizeof *addresses);
    t->m->faults = 0;
    cu_launch(&t->m->gpu->cus[0], &launch);
    machine_run(t->m);
    assert_true(t->m->faults <= 1);
    return t->m->faults == 1 ? &t->m->fault[0] : NULL;
}

const struct sl_fault *trial_run_at(struct trial *t, uint64_t address, uint32_t lanes)
{
    uint64_t addresses[LANES];

    for (uint32_t lane = 0; lane < LANES; lane++) {
        addresses[lane] = address;
    }
    return trial_run(t, addresses, lanes);
}
