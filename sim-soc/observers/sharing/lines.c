/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lines that a packet has touched: found by a hash of line and allocation with linear probing, kept
 * behind each other. */
#include <stdlib.h>
#include <string.h>

#include "observers/sharing/sharing.h"

#define FIRST_LINES 1024u

static uint32_t first_slot(const struct sharing_lines *table, uint64_t line, uint32_t allocation)
{
    const uint64_t hash = (line ^ (uint64_t)allocation << 40) * 0x9e3779b97f4a7c15ull;

    return (uint32_t)(hash >> 32) & (table->slot_count - 1);
}

/* Where the line is, or where it would go. */
static uint32_t *find(const struct sharing_lines *table, uint64_t line, uint32_t allocation)
{
    uint32_t slot = first_slot(table, line, allocation);

    while (table->slots[slot] != 0) {
        const struct sharing_line *there = &table->lines[table->slots[slot] - 1];
        if (there->line == line && there->allocation == allocation) {
            break;
        }
        slot = (slot + 1) & (table->slot_count - 1);
    }
    return &table->slots[slot];
}

static int grow(struct sharing_lines *table)
{
    const uint32_t capacity = table->capacity == 0 ? FIRST_LINES : 2 * table->capacity;
    struct sharing_line *lines = realloc(table->lines, capacity * sizeof(lines[0]));

    if (lines == NULL) {
        return -1;
    }
    table->lines = lines;
    uint32_t *slots = calloc(2 * (size_t)capacity, sizeof(slots[0]));
    if (slots == NULL) {
        return -1;
    }
    free(table->slots);
    table->slots = slots;
    table->capacity = capacity;
    table->slot_count = 2 * capacity;
    for (uint32_t i = 0; i < table->count; i++) {
        *find(table, lines[i].line, lines[i].allocation) = i + 1;
    }
    return 0;
}

int sharing_lines_touch(struct sharing_lines *table, uint64_t line, uint32_t allocation,
                        uint32_t cu, uint32_t words)
{
    if (table->count == table->capacity && grow(table) != 0) {
        return -1;
    }
    uint32_t *slot = find(table, line, allocation);
    if (*slot == 0) {
        table->lines[table->count] = (struct sharing_line){.line = line, .allocation = allocation};
        *slot = ++table->count;
    }
    struct sharing_line *there = &table->lines[*slot - 1];
    there->cus |= 1ull << cu;
    for (uint32_t left = words; left != 0; left &= left - 1) {
        const unsigned word = (unsigned)__builtin_ctz(left);
        if ((there->touched >> word & 1) == 0) {
            there->owner[word] = (uint8_t)cu;
        } else if (there->owner[word] != cu) {
            there->shared |= 1u << word;
        }
    }
    there->touched |= words;
    return 0;
}

/* Few lines are forgotten one by one, so that a packet costs what it touches, whatever others did.
 */
void sharing_lines_clear(struct sharing_lines *table)
{
    if (table->count > table->slot_count / 16) {
        memset(table->slots, 0, table->slot_count * sizeof(table->slots[0]));
    } else {
        while (table->count > 0) { /* the latest first, so that none is behind a free slot */
            const struct sharing_line *line = &table->lines[table->count - 1];
            *find(table, line->line, line->allocation) = 0;
            table->count--;
        }
    }
    table->count = 0;
}

void sharing_lines_destroy(struct sharing_lines *table)
{
    free(table->lines);
    free(table->slots);
    *table = (struct sharing_lines){.lines = NULL};
}

void sharing_line_count(const struct sharing_line *line, struct sl_sharing_figures *figures)
{
    const unsigned cus = (unsigned)__builtin_popcountll(line->cus);
    const unsigned bin = cus == 1 ? 0 : 32 - (unsigned)__builtin_clz(cus - 1);

    figures->lines++;
    figures->line_cus += cus;
    figures->by_cus[bin]++;
    figures->words += (uint64_t)__builtin_popcount(line->touched);
    figures->shared_words += (uint64_t)__builtin_popcount(line->shared);
    if (line->shared != 0) {
        figures->shared_lines++;
        figures->shared_line_cus += cus;
    }
}
