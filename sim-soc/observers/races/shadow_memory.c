/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Words of memory (observers/races/shadow_memory.h). */
#include "observers/races/shadow_memory.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_FIRST 1024u

static void cell_clear(struct cell *cell)
{
    history_clear(&cell->reads);
    history_clear(&cell->writes);
    while (cell->instances != NULL) {
        struct instance *instance = cell->instances;

        cell->instances = instance->next;
        released_clear(&instance->released);
        history_clear(&instance->reads);
        history_clear(&instance->writes);
        free(instance);
    }
}

void cells_clear(struct cells *cells)
{
    for (uint64_t i = 0; i < cells->size; i++) {
        if (cells->table[i] != NULL) {
            for (uint32_t word = 0; word < PAGE_WORDS; word++) {
                cell_clear(&cells->table[i]->cells[word]);
            }
            free(cells->table[i]);
        }
    }
    free(cells->table);
    *cells = (struct cells){0};
}

/* Where the page is, or would be. */
static struct page **place(struct page **table, uint64_t size, uint64_t number)
{
    uint64_t at = (number * UINT64_C(0x9e3779b97f4a7c15)) >> 20;

    while (table[at & (size - 1)] != NULL && table[at & (size - 1)]->number != number) {
        at++;
    }
    return &table[at & (size - 1)];
}

static bool grow(struct cells *cells)
{
    uint64_t size = cells->size > 0 ? 2 * cells->size : TABLE_FIRST;
    struct page **table;

    if (2 * (cells->count + 1) <= cells->size) {
        return true;
    }
    table = calloc(size, sizeof(struct page *));
    if (table == NULL) {
        return false;
    }
    for (uint64_t i = 0; i < cells->size; i++) {
        if (cells->table[i] != NULL) {
            *place(table, size, cells->table[i]->number) = cells->table[i];
        }
    }
    free(cells->table);
    cells->table = table;
    cells->size = size;
    return true;
}

static struct page *find_page(struct cells *cells, uint64_t number)
{
    struct page **at;

    if (cells->latest != NULL && cells->latest->number == number) {
        return cells->latest;
    }
    if (!grow(cells)) {
        return NULL;
    }
    at = place(cells->table, cells->size, number);
    if (*at == NULL) {
        *at = calloc(1, sizeof(**at));
        if (*at == NULL) {
            return NULL;
        }
        (*at)->number = number;
        cells->count++;
    }
    cells->latest = *at;
    return *at;
}

struct cell *cells_find(struct cells *cells, uint64_t address)
{
    uint64_t word = address / WORD_BYTES;
    struct page *page = find_page(cells, word / PAGE_WORDS);

    return page != NULL ? &page->cells[word % PAGE_WORDS] : NULL;
}

struct instance *cell_instance(struct cell *cell, enum sl_scope scope, uint64_t of)
{
    struct instance *instance = cell->instances;

    while (instance != NULL && (instance->scope != scope || instance->of != of)) {
        instance = instance->next;
    }
    if (instance == NULL) {
        instance = calloc(1, sizeof(*instance));
        if (instance == NULL) {
            return NULL;
        }
        instance->scope = scope;
        instance->of = of;
        instance->next = cell->instances;
        cell->instances = instance;
    }
    return instance;
}

void cells_forget(struct cells *cells, uint64_t address, uint64_t bytes)
{
    uint64_t end = (address + bytes + WORD_BYTES - 1) / WORD_BYTES;

    for (uint64_t word = address / WORD_BYTES; cells->size > 0 && word < end; word++) {
        struct page *page = *place(cells->table, cells->size, word / PAGE_WORDS);

        if (page != NULL) {
            cell_clear(&page->cells[word % PAGE_WORDS]);
        }
    }
}
