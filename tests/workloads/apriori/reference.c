/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Frequent sets in plain C, without a tree: for each item a bit for each record that has it; a
 * set's support is how many bits its items have in common. */
#include "workloads/apriori/reference.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/apriori/database.h"

struct bits {
    size_t words;       /* for each item */
    uint64_t *words_of; /* ITEMS x words */
};

static struct bits make_bits(uint32_t seed, uint32_t records)
{
    struct bits bits = {.words = records / 64 + 1};

    bits.words_of = sl_app_memory(ITEMS * bits.words, sizeof *bits.words_of);
    for (uint32_t i = 0; i < records; i++) {
        const struct record record = database_record(seed, i);
        for (uint32_t k = 0; k < record.count; k++) {
            bits.words_of[record.items[k] * bits.words + i / 64] |= UINT64_C(1) << i % 64;
        }
    }
    return bits;
}

static uint32_t support_of(const struct bits *bits, const uint32_t *items, uint32_t size)
{
    uint32_t support = 0;

    for (size_t word = 0; word < bits->words; word++) {
        uint64_t common = UINT64_MAX;
        for (uint32_t i = 0; i < size; i++) {
            common &= bits->words_of[items[i] * bits->words + word];
        }
        support += (uint32_t)__builtin_popcountll(common);
    }
    return support;
}

struct sets sets_make(uint32_t size, size_t room)
{
    return (struct sets){.size = size,
                         .items = sl_app_memory(room * size, sizeof(uint32_t)),
                         .support = sl_app_memory(room, sizeof(uint32_t))};
}

void sets_free(struct sets *sets)
{
    free(sets->items);
    free(sets->support);
}

/* A candidate, which is kept where it is frequent. */
static void consider(const struct bits *bits, const uint32_t *items, uint32_t least,
                     struct sets *sets)
{
    const uint32_t support = support_of(bits, items, sets->size);

    sets->candidates++;
    if (support >= least) {
        memcpy(&sets->items[(size_t)sets->count * sets->size], items, sets->size * sizeof *items);
        sets->support[sets->count++] = support;
    }
}

struct sets reference_items(uint32_t seed, uint32_t records, uint32_t least)
{
    struct sets sets = sets_make(1, ITEMS);
    const struct bits bits = make_bits(seed, records);

    for (uint32_t item = 0; item < ITEMS; item++) {
        consider(&bits, &item, least, &sets);
    }
    free(bits.words_of);
    return sets;
}

/* Negative where a set comes before another one of the same size, positive where behind it. */
static int order(const uint32_t *a, const uint32_t *b, uint32_t size)
{
    uint32_t i = 0;

    while (i + 1 < size && a[i] == b[i]) {
        i++;
    }
    return (a[i] > b[i]) - (a[i] < b[i]);
}

/* Sets are in order. */
static bool is_among(const struct sets *sets, const uint32_t *items)
{
    uint32_t below = 0, above = sets->count;

    while (below < above) {
        const uint32_t middle = (below + above) / 2;
        const int side = order(&sets->items[(size_t)middle * sets->size], items, sets->size);
        if (side == 0) {
            return true;
        }
        if (side < 0) {
            below = middle + 1;
        } else {
            above = middle;
        }
    }
    return false;
}

/* Whether a set is among them without any one of its items. */
static bool is_possible(const struct sets *sets, const uint32_t *items)
{
    uint32_t others[SET_MAX];

    for (uint32_t without = 0; without <= sets->size; without++) {
        memcpy(others, items, without * sizeof *items);
        memcpy(others + without, items + without + 1, (sets->size - without) * sizeof *items);
        if (!is_among(sets, others)) {
            return false;
        }
    }
    return true;
}

/* The sets of one item more: all that are there with another one behind, in order. */
static struct sets extend(const struct bits *bits, uint32_t least, const struct sets *sets)
{
    struct sets larger = sets_make(sets->size + 1, (size_t)sets->count * ITEMS);
    uint32_t items[SET_MAX];

    for (uint32_t i = 0; i < sets->count; i++) {
        memcpy(items, &sets->items[(size_t)i * sets->size], sets->size * sizeof *items);
        for (uint32_t item = items[sets->size - 1] + 1; item < ITEMS; item++) {
            items[sets->size] = item;
            if (is_possible(sets, items)) {
                consider(bits, items, least, &larger);
            }
        }
    }
    return larger;
}

static bool sets_are_equal(const struct sets *is, const struct sets *wanted)
{
    bool are_equal =
        sl_app_check(is->candidates == wanted->candidates && is->count == wanted->count,
                     "of %" PRIu32 " candidates with %" PRIu32 " items %" PRIu32
                     " are frequent; right is %" PRIu32 " of %" PRIu32,
                     is->candidates, wanted->size, is->count, wanted->count, wanted->candidates);
    for (uint32_t i = 0; are_equal && i < is->count; i++) {
        const size_t at = (size_t)i * is->size;
        are_equal = sl_app_check(
            memcmp(is->items + at, wanted->items + at, is->size * sizeof *is->items) == 0 &&
                is->support[i] == wanted->support[i],
            "set %" PRIu32 " with %" PRIu32 " items, or its support, is wrong", i, is->size);
    }
    return are_equal;
}

bool reference_is_right(uint32_t seed, uint32_t records, uint32_t least,
                        const struct findings *findings)
{
    const struct bits bits = make_bits(seed, records);
    struct sets sets = reference_items(seed, records, least);
    bool is_right = true;

    for (uint32_t i = 0; is_right && sets.size < SET_MAX; i++) {
        const struct sets larger = extend(&bits, least, &sets);
        sets_free(&sets);
        sets = larger;
        if (sets.candidates == 0) {
            is_right = findings->sizes == i;
            break;
        }
        is_right = i < findings->sizes && sets_are_equal(&findings->sets[i], &sets);
    }
    sets_free(&sets);
    free(bits.words_of);
    return sl_app_check(is_right, "not what plain C finds");
}
