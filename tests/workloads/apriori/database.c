/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Records at random, in the manner of the generator that Agrawal and Srikant describe with the
 * algorithm: what people buy together are patterns, of which they leave out something. */
#include "workloads/apriori/database.h"

#include <stdbool.h>

#include "workloads/common/keys.h"

#define PATTERNS           24
#define PATTERN_MIN        3
#define PATTERN_MAX        6
#define RECORD_PATTERNS    3 /* at most */
#define RECORD_RANDOM      3 /* items, at most */
#define KEPT_OF_256        205
#define NUMBERS_PER_RECORD 64 /* of the random stream; more than are used */

struct numbers {
    struct keys keys;
    uint32_t next;
};

/* The stream's next number, below `bound`. */
static uint32_t below(struct numbers *numbers, uint32_t bound)
{
    return (uint32_t)((uint64_t)keys_at(&numbers->keys, numbers->next++) * bound >> 32);
}

static struct numbers stream(uint32_t seed, uint32_t first)
{
    return (struct numbers){.keys = {.pattern = KEYS_RANDOM, .seed = seed}, .next = first};
}

static void add_item(struct record *record, uint32_t item)
{
    uint32_t place = record->count;

    for (uint32_t i = 0; i < record->count; i++) {
        if (record->items[i] == item) {
            return;
        }
    }
    for (; place > 0 && record->items[place - 1] > item; place--) {
        record->items[place] = record->items[place - 1];
    }
    record->items[place] = item;
    record->count++;
}

/* Adds to a record what of a pattern is kept. */
static void add_pattern(struct record *record, uint32_t seed, uint32_t pattern,
                        struct numbers *choice)
{
    struct numbers items = stream(seed + 1, pattern * NUMBERS_PER_RECORD);
    const uint32_t count = PATTERN_MIN + below(&items, PATTERN_MAX - PATTERN_MIN + 1);

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = below(&items, ITEMS);
        if (below(choice, 256) < KEPT_OF_256) {
            add_item(record, item);
        }
    }
}

struct record database_record(uint32_t seed, uint32_t number)
{
    struct numbers choice = stream(seed, number * NUMBERS_PER_RECORD);
    struct record record = {.count = 0};
    const uint32_t patterns = 1 + below(&choice, RECORD_PATTERNS);
    const uint32_t others = 1 + below(&choice, RECORD_RANDOM);

    for (uint32_t i = 0; i < patterns; i++) {
        add_pattern(&record, seed, below(&choice, PATTERNS), &choice);
    }
    for (uint32_t i = 0; i < others; i++) {
        add_item(&record, below(&choice, ITEMS));
    }
    return record;
}
