/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the rows and calls of kernels are. */
#include <stdlib.h>

#include "observers/kernels/kernels.h"

/* ---- the program ---- */

static void destroy_table(const struct kernels_table *table)
{
    free(table->row);
    free(table->call);
}

static void clear_tables(struct kernels *kernels)
{
    for (uint32_t i = 0; i < kernels->wave_count; i++) {
        kernels->waves[i].table = KERNELS_NO_TABLE;
    }
    while (kernels->table_count > 0) {
        destroy_table(&kernels->tables[--kernels->table_count]);
    }
}

void kernels_load(struct kernels *kernels, uint64_t base, uint64_t bytes)
{
    if (kernels->table_count > 0 && kernels->base_pc == base && kernels->bytes == bytes) {
        return;
    }
    clear_tables(kernels);
    kernels->base_pc = base;
    kernels->bytes = bytes;
}

void kernels_destroy_tables(struct kernels *kernels)
{
    clear_tables(kernels);
    free(kernels->tables);
}

/* ---- kernels ---- */

/* The place of an address in the program, which has one more for all that are outside. */
static uint64_t place_of(const struct kernels *kernels, uint64_t pc)
{
    const uint64_t offset = pc - kernels->base_pc;

    return (offset < kernels->bytes ? offset : kernels->bytes) / 2;
}

/* What other programs at the same addresses have left, as well as this one before. */
static void enter_old(struct kernels *kernels, const struct kernels_table *table)
{
    const struct sl_kernel_profile *shared = kernels->shared;

    for (uint32_t i = 0; i < shared->row_count; i++) {
        if (shared->rows[i].kernel == table->kernel) {
            table->row[place_of(kernels, shared->rows[i].pc)] = i + 1;
        }
    }
    for (uint32_t i = 0; i < shared->call_count; i++) {
        if (shared->calls[i].kernel == table->kernel) {
            uint32_t *first = &table->call[place_of(kernels, shared->calls[i].site)];
            kernels->next_call[i] = *first;
            *first = i + 1;
        }
    }
    table->row[kernels->bytes / 2] = 0;
    table->call[kernels->bytes / 2] = 0;
}

static bool make_room(struct kernels *kernels)
{
    if (kernels->table_count < kernels->table_capacity) {
        return true;
    }
    const uint32_t capacity = kernels->table_capacity == 0 ? 8 : 2 * kernels->table_capacity;
    struct kernels_table *larger = realloc(kernels->tables, capacity * sizeof(*larger));
    if (larger == NULL) {
        return false;
    }
    kernels->tables = larger;
    kernels->table_capacity = capacity;
    return true;
}

static uint32_t make_table(struct kernels *kernels, uint64_t kernel)
{
    const uint64_t places = kernels->bytes / 2 + 1;

    if (!make_room(kernels)) {
        return KERNELS_NO_TABLE;
    }
    const struct kernels_table table = {
        .kernel = kernel,
        .row = calloc(places, sizeof(uint32_t)),
        .call = calloc(places, sizeof(uint32_t)),
    };
    if (table.row == NULL || table.call == NULL) {
        destroy_table(&table);
        return KERNELS_NO_TABLE;
    }
    enter_old(kernels, &table);
    kernels->tables[kernels->table_count] = table;
    return kernels->table_count++;
}

uint32_t kernels_find_table(struct kernels *kernels, uint64_t kernel)
{
    for (uint32_t i = kernels->table_count; i-- > 0;) {
        if (kernels->tables[i].kernel == kernel) {
            return i;
        }
    }
    return make_table(kernels, kernel);
}

/* ---- rows ---- */

static struct sl_kernel_cost *make_row(struct kernels *kernels, const struct kernels_table *table,
                                       uint64_t pc)
{
    struct sl_kernel_profile *shared = kernels->shared;
    const uint64_t place = place_of(kernels, pc);

    if (shared->row_count == SL_KERNEL_PROFILE_ROWS || place == kernels->bytes / 2) {
        shared->lost_rows++;
        return &kernels->spare;
    }
    struct sl_kernel_profile_row *row = &shared->rows[shared->row_count++];
    *row = (struct sl_kernel_profile_row){.kernel = table->kernel, .pc = pc};
    table->row[place] = (uint32_t)shared->row_count;
    return &row->cost;
}

struct sl_kernel_cost *kernels_cost(struct kernels *kernels, uint32_t table, uint64_t pc)
{
    if (table == KERNELS_NO_TABLE) {
        kernels->shared->lost_rows++;
        return &kernels->spare;
    }
    const uint32_t row = kernels->tables[table].row[place_of(kernels, pc)];
    return row != 0 ? &kernels->shared->rows[row - 1].cost
                    : make_row(kernels, &kernels->tables[table], pc);
}

/* ---- calls ---- */

struct sl_kernel_profile_call *kernels_call(struct kernels *kernels, uint32_t table, uint64_t site,
                                            uint64_t callee)
{
    struct sl_kernel_profile *shared = kernels->shared;

    if (table == KERNELS_NO_TABLE) {
        return NULL;
    }
    uint32_t *first = &kernels->tables[table].call[place_of(kernels, site)];
    for (uint32_t at = *first; at != 0; at = kernels->next_call[at - 1]) {
        if (shared->calls[at - 1].callee == callee) {
            return &shared->calls[at - 1];
        }
    }
    if (shared->call_count == SL_KERNEL_PROFILE_CALLS) {
        return NULL;
    }
    struct sl_kernel_profile_call *call = &shared->calls[shared->call_count];
    *call = (struct sl_kernel_profile_call){
        .kernel = kernels->tables[table].kernel, .site = site, .callee = callee};
    kernels->next_call[shared->call_count] = *first;
    *first = (uint32_t)++shared->call_count;
    return call;
}
