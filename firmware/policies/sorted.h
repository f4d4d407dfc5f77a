/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Small numbers in ascending order, each once. Insertion and removal move what is above: a few,
 * where a list follows what goes on in a graph. */
#ifndef SLUICE_FIRMWARE_SORTED_H
#define SLUICE_FIRMWARE_SORTED_H

#include <stdint.h>

#include "sluice/limits.h"

struct sorted {
    uint32_t count;
    uint16_t number[SL_GRAPH_CHANNELS];
};

/* Puts a number in, unless it is there. The list has room: numbers are below SL_GRAPH_CHANNELS. */
static inline void sorted_insert(struct sorted *sorted, uint32_t number)
{
    uint32_t i = sorted->count;

    while (i > 0 && sorted->number[i - 1] > number) {
        i--;
    }
    if (i > 0 && sorted->number[i - 1] == number) {
        return;
    }
    for (uint32_t j = sorted->count++; j > i; j--) {
        sorted->number[j] = sorted->number[j - 1];
    }
    sorted->number[i] = (uint16_t)number;
}

/* Takes a number out, if it is there. */
static inline void sorted_remove(struct sorted *sorted, uint32_t number)
{
    uint32_t i = sorted->count;

    while (i > 0 && sorted->number[i - 1] > number) {
        i--;
    }
    if (i == 0 || sorted->number[i - 1] != number) {
        return;
    }
    for (; i < sorted->count; i++) {
        sorted->number[i - 1] = sorted->number[i];
    }
    sorted->count--;
}

#endif
