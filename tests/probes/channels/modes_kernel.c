/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of modes.c: each lane counts the letters of its page's lines, and puts the mode of
 * each line into a channel. */
#include "probes/channels/modes.h"
#include "sluice/wave/wave.h"

/* The letter that the line has most of. Counts of a lane are `row` words apart. */
static inline __attribute__((always_inline)) uint32_t mode_of(const char *line, uint32_t *count,
                                                              uint32_t row)
{
    uint32_t most = 0;

    for (uint32_t letter = 0; letter < MODES_KINDS; letter++) {
        count[letter * row] = 0;
    }
    for (uint32_t i = 0; i < MODES_LETTERS; i++) {
        count[(uint32_t)(line[i] - 'a') * row]++;
    }
    for (uint32_t letter = 1; letter < MODES_KINDS; letter++) {
        most = count[letter * row] > count[most * row] ? letter : most;
    }
    return most;
}

static inline __attribute__((always_inline)) void count_page(int source, int index, int found,
                                                             uint32_t *count, uint32_t row)
{
    const struct modes_page *page = sl_deq(source, index);

    for (uint32_t i = 0; i < MODES_LINES; i++) {
        const uint32_t letter = mode_of(page->text[i], count, row);
        struct modes_found *const made = sl_talloc_or_yield(found, 1); /* LDS is lost here */
        *made = (struct modes_found){page->first + i, letter};
        sl_enq(found, made, 1);
    }
    sl_tfree(source, index);
}

/* The counts of a letter lie side by side, a bank for each lane. */
SL_KERNEL void modes_count(int source, int index, int found)
{
    count_page(source, index, found, (uint32_t *)sl_lds_dynamic() + sl_lane_id(), sl_lane_count());
}

/* For comparison: on the lane's stack. */
SL_KERNEL void modes_count_on_stack(int source, int index, int found)
{
    uint32_t count[MODES_KINDS];
    count_page(source, index, found, count, 1);
}

SL_KERNEL void modes_collect(int source, int index, uint8_t *letters)
{
    const struct modes_found *found = sl_deq(source, index);

    letters[found->line] = (uint8_t)found->letter;
    sl_tfree(source, index);
}
