/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A word's history of many accesses (observers/races/history.h): random additions and removals
 * against a plain list. Each access is to the whole word, so that a thread's later one stands for
 * its earlier one; the indices of threads that have ended are used again. */
#include "common/check.h"
#include "observers/races/history.h"

#define INDICES 200u
#define STEPS   20000u
#define LISTED  1024u
#define LEAST   100u /* accesses from which on some go */
#define WHOLE   0xfu

static uint32_t draw(uint64_t *random, uint32_t choices)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return (uint32_t)(*random >> 33) % choices;
}

/* What has to be there. */
struct list {
    struct access at[LISTED];
    uint32_t count;
};

static void list_add(struct list *list, const struct access *access)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->at[i].thread == access->thread) {
            list->at[i] = *access;
            return;
        }
    }
    assert_true(list->count < LISTED);
    list->at[list->count++] = *access;
}

static void list_remove(struct list *list, uint32_t thread)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->at[i].thread == thread) {
            list->at[i] = list->at[--list->count];
            return;
        }
    }
    fail_msg("thread %u is in the history, but not in the list", thread);
}

static void compare(const struct list *list, const struct history *history)
{
    assert_int_equal(list->count, history->count);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t same = 0;

        for (uint32_t j = 0; j < history->count; j++) {
            same += history->at[j].thread == list->at[i].thread &&
                    history->at[j].epoch == list->at[i].epoch;
        }
        assert_int_equal(1, same);
    }
}

/* As many go as come, in the long run, so that the table has to grow and to close gaps; now and
 * then all do, and it starts small. */
TEST(test_random)
{
    struct threads threads = {.model = RACE_DRF, .width = INDICES};
    struct actor actor = {0};
    struct judge judge = {.threads = &threads, .actor = &actor};
    struct history history = {0};
    struct list list = {.count = 0};
    uint32_t incarnation[INDICES] = {0};
    uint64_t random = 88172645463325252u;

    for (uint32_t step = 1; step <= STEPS; step++) {
        uint32_t index = draw(&random, INDICES);
        struct access access = {.epoch = step, .index = index, .bytes = WHOLE};

        incarnation[index] += draw(&random, 8) == 0;
        access.thread = incarnation[index] * INDICES + index;
        actor.thread = access.thread;
        assert_true(history_add(&history, &judge, &access));
        list_add(&list, &access);
        while (history.count > LEAST && draw(&random, 4) != 0) {
            uint32_t position = draw(&random, history.count);

            list_remove(&list, history.at[position].thread);
            history_remove(&history, position);
        }
        compare(&list, &history);
        if (draw(&random, STEPS / 8) == 0) {
            history_clear(&history);
            list.count = 0;
        }
    }
    history_clear(&history);
}
