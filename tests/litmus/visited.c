/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A hash table (FNV-1a) of places in one array. */
#include "litmus/visited.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const uint8_t *byte, size_t bytes)
{
    uint64_t hash = 14695981039346656037u;

    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ byte[i]) * 1099511628211u;
    }
    return hash ^ hash >> 32;
}

static uint16_t length_at(const struct litmus_visited *visited, size_t place)
{
    uint16_t bytes;

    memcpy(&bytes, &visited->bytes[place - 1], sizeof bytes);
    return bytes;
}

/* The place in the table where a key is, or belongs. */
static size_t *find(const struct litmus_visited *visited, const uint8_t *byte, uint16_t bytes)
{
    size_t at = hash_of(byte, bytes) & (visited->places - 1);

    while (visited->place[at] != 0 &&
           (length_at(visited, visited->place[at]) != bytes ||
            memcmp(&visited->bytes[visited->place[at] - 1 + sizeof bytes], byte, bytes) != 0)) {
        at = (at + 1) & (visited->places - 1);
    }
    return &visited->place[at];
}

static bool grow_table(struct litmus_visited *visited)
{
    struct litmus_visited larger = *visited;

    larger.places = visited->places == 0 ? 1024 : 2 * visited->places;
    larger.place = calloc(larger.places, sizeof *larger.place);
    if (larger.place == NULL) {
        return false;
    }
    for (size_t i = 0; i < visited->places; i++) {
        const size_t place = visited->place[i];
        if (place != 0) {
            *find(&larger, &visited->bytes[place - 1 + sizeof(uint16_t)],
                  length_at(visited, place)) = place;
        }
    }
    free(visited->place);
    *visited = larger;
    return true;
}

static bool reserve(struct litmus_visited *visited, size_t bytes)
{
    if (2 * visited->count >= visited->places && !grow_table(visited)) {
        return false;
    }
    if (visited->used + bytes > visited->capacity) {
        const size_t capacity = 2 * visited->capacity + bytes + 4096;
        uint8_t *const grown = realloc(visited->bytes, capacity);
        if (grown == NULL) {
            return false;
        }
        visited->bytes = grown;
        visited->capacity = capacity;
    }
    return true;
}

enum litmus_visited_result litmus_visited_add(struct litmus_visited *visited, const uint8_t *byte,
                                              uint16_t bytes)
{
    if (!reserve(visited, sizeof bytes + bytes)) {
        return LITMUS_VISITED_MEMORY;
    }
    size_t *const place = find(visited, byte, bytes);
    if (*place != 0) {
        return LITMUS_VISITED_BEFORE;
    }
    *place = 1 + visited->used;
    memcpy(&visited->bytes[visited->used], &bytes, sizeof bytes);
    memcpy(&visited->bytes[visited->used + sizeof bytes], byte, bytes);
    visited->used += sizeof bytes + bytes;
    visited->count++;
    return LITMUS_VISITED_NEW;
}

void litmus_visited_free(struct litmus_visited *visited)
{
    free(visited->bytes);
    free(visited->place);
    *visited = (struct litmus_visited){0};
}
