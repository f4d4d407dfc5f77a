/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A random program, the same for the kernel of trees_random.c and its oracle: what each task of a
 * tree does follows from its number, and the program's seed. */
#ifndef SLUICE_PROBES_TREES_TREES_RANDOM_H
#define SLUICE_PROBES_TREES_TREES_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#define NODE      1 /* as the kernel's SL_TASKS() numbers them */
#define FUNCTIONS 3
#define MAPS      1
#define CHILDREN  4 /* at most */
#define AGAIN     8 /* that a continuation forks: more slots than it has read */

/* What a program does beside its value: sums over tasks, in any order. */
struct effects {
    uint32_t tasks;
    uint32_t mapped;
};

struct step {
    uint32_t children; /* 0: emits its value */
    bool is_silent;    /* neither joins nor emits */
    bool forks_again;  /* the continuation forks, too: tasks of depth 0 */
    bool maps;
    uint32_t value;
};

static inline uint32_t mix(uint32_t seed, uint32_t id)
{
    uint32_t hash = seed * 0x9e3779b1u ^ id * 0x85ebca77u;
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    hash = (hash ^ hash >> 12) * 0x297a2d39u;
    return hash ^ hash >> 15;
}

static inline struct step step_of(uint32_t seed, uint32_t id, uint32_t depth)
{
    const uint32_t hash = mix(seed, id);
    return (struct step){
        .children = depth == 0 ? 0 : hash % (CHILDREN + 1),
        .is_silent = (hash >> 8 & 3) == 0,
        .forks_again = (hash >> 10 & 1) != 0,
        .maps = (hash >> 11 & 3) == 0,
        .value = hash >> 16,
    };
}

static inline uint32_t child_of(uint32_t id, uint32_t number)
{
    return id * (CHILDREN + AGAIN) + 1 + number;
}

#endif
