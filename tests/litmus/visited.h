/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A set of strings of bytes. */
#ifndef SLUICE_LITMUS_VISITED_H
#define SLUICE_LITMUS_VISITED_H

#include <stddef.h>
#include <stdint.h>

/* Empty when it is all zero. */
struct litmus_visited {
    uint8_t *bytes; /* each one's length and bytes, one behind the other */
    size_t used;
    size_t capacity;
    size_t *place; /* open addressing: 1 + where in `bytes`, or 0 */
    size_t places; /* a power of two */
    size_t count;
};

enum litmus_visited_result {
    LITMUS_VISITED_NEW,
    LITMUS_VISITED_BEFORE,
    LITMUS_VISITED_MEMORY, /* the host has none */
};

enum litmus_visited_result litmus_visited_add(struct litmus_visited *visited, const uint8_t *byte,
                                              uint16_t bytes);

void litmus_visited_free(struct litmus_visited *visited);

#endif
