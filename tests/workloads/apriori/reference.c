/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Frequent sets in plain C, without a tree: for each item a bit for each record that has it; a
 * set's support is how many bits its items have in common. */
#include "workloads/apriori/reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/apriori/database.h"

struct bits {
    size_t words;       /* for each item */
    uint64_t *words_of; /* ITEMS x words */
};

static bool make_bits(uint32_t seed, uint32_t records, struct bits *bits)
{
    bits->words = records / 64 + 1;
    bits->words_of = calloc(ITEMS * bits->words, sizeof *bits->words_of);
    for (uint32_t i = 0; bits->words_of != NULL && i < records; i++) {
        const struct record record = database_record(seed, i);
        for (uint32_t k = 0; k < record.count; k++) {
            bits->words_of[record.items[k] * bits->words + i / 64] |= UINT64_C(1) << i % 64;
        }
    }
    return bits->words_of != NULL;
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

static bool allocate(struct sets *sets, uint32_t size, size_t room)
{
    *sets = (struct sets){.size = size,
                          .items = malloc(room * size * sizeof *sets->items + 1),
                          .support = malloc(room * sizeof *sets->support + 1)};
    return sets->items != NULL && sets->support != NULL;
}

static void release(struct sets *sets)
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

bool reference_items(uint32_t seed, uint32_t records, uint32_t least, struct sets *sets)
{
    struct bits bits;
    const bool has_memory = allocate(sets, 1, ITEMS) && make_bits(seed, records, &bits);

    for (uint32_t item = 0; has_memory && item < ITEMS; item++) {
        consider(&bits, &item, least, sets);
    }
    if (has_memory) {
        free(bits.words_of);
    }
    return has_memory;
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
static bool extend(const struct bits *bits, uint32_t least, const struct sets *sets,
                   struct sets *larger)
{
    uint32_t items[SET_MAX];

    if (!allocate(larger, sets->size + 1, (size_t)sets->count * ITEMS)) {
        return false;
    }
    for (uint32_t i = 0; i < sets->count; i++) {
        memcpy(items, &sets->items[(size_t)i * sets->size], sets->size * sizeof *items);
        for (uint32_t item = items[sets->size - 1] + 1; item < ITEMS; item++) {
            items[sets->size] = item;
            if (is_possible(sets, items)) {
                consider(bits, items, least, larger);
            }
        }
    }
    return true;
}

static bool are_equal(const struct sets *is, const struct sets *wanted)
{
    if (is->candidates != wanted->candidates || is->count != wanted->count) {
        (void)fprintf(stderr,
                      "apriori: of %" PRIu32 " candidates with %" PRIu32 " items %" PRIu32
                      " are frequent; right is %" PRIu32 " of %" PRIu32 "\n",
                      is->candidates, wanted->size, is->count, wanted->count, wanted->candidates);
        return false;
    }
    for (uint32_t i = 0; i < is->count; i++) {
        const size_t at = (size_t)i * is->size;
        if (memcmp(is->items + at, wanted->items + at, is->size * sizeof *is->items) != 0 ||
            is->support[i] != wanted->support[i]) {
            (void)fprintf(stderr,
                          "apriori: set %" PRIu32 " with %" PRIu32
                          " items, or its support, is wrong\n",
                          i, is->size);
            return false;
        }
    }
    return true;
}

bool reference_is_right(uint32_t seed, uint32_t records, uint32_t least,
                        const struct findings *findings)
{
    struct sets sets, larger;
    struct bits bits;
    bool is_right = reference_items(seed, records, least, &sets) && make_bits(seed, records, &bits);

    for (uint32_t i = 0; is_right && sets.size < SET_MAX; i++) {
        is_right = extend(&bits, least, &sets, &larger);
        release(&sets);
        sets = larger;
        if (!is_right || sets.candidates == 0) {
            is_right = is_right && findings->sizes == i;
            break;
        }
        is_right = i < findings->sizes && are_equal(&findings->sets[i], &sets);
    }
    if (!is_right) {
        (void)fprintf(stderr, "apriori: not what plain C finds\n");
    }
    release(&sets);
    free(bits.words_of);
    return is_right;
}
