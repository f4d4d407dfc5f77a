/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What each 4-byte word of memory has seen, in pages that are made when first touched. */
#ifndef SLUICE_OBSERVERS_RACES_SHADOW_MEMORY_H
#define SLUICE_OBSERVERS_RACES_SHADOW_MEMORY_H

#include "observers/races/history.h"

#define WORD_BYTES 4u

/* A word's synchronization of one scope instance: the so_S of its releases and acquires
 * (papers/002, sidebar of page 4), and accesses, which conflict with ordinary ones and those of
 * other instances alone. */
struct instance {
    struct instance *next;
    uint64_t of; /* thread or group, of those scopes */
    enum sl_scope scope;
    struct released released;
    struct history reads; /* that do not write */
    struct history writes;
};

struct cell {
    struct history reads; /* ordinary ones */
    struct history writes;
    struct instance *instances;
};

#define PAGE_WORDS 64u

struct page {
    uint64_t number;
    struct cell cells[PAGE_WORDS];
};

/* Pages by number in a table that is at most half full. */
struct cells {
    struct page **table;
    uint64_t size; /* a power of two */
    uint64_t count;
    struct page *latest;
};

void cells_clear(struct cells *cells);

/* The word's cell; NULL without memory. */
struct cell *cells_find(struct cells *cells, uint64_t address);

/* The cell's part for a scope instance; NULL without memory. */
struct instance *cell_instance(struct cell *cell, enum sl_scope scope, uint64_t of);

/* As if these words had never been accessed. */
void cells_forget(struct cells *cells, uint64_t address, uint64_t bytes);

#endif
