/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random control-flow graphs as machine code, and what a correct machine makes of them: for
 * test_divergence.c. */
#ifndef SLUICE_TESTS_GRAPHS_H
#define SLUICE_TESTS_GRAPHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/driver/code/analysis.h"
#include "sluice/memory_map.h"

#define GRAPH_WORDS     4096
#define GRAPH_FUNCTIONS 6
#define GRAPH_TABLE     8 /* entries of a table at most */
#define GRAPH_TABLES    128
#define GRAPH_LANES     64
#define GRAPH_STACK     1024
#define GRAPH_STEPS     20000 /* of a lane at most */

#define GRAPH_CODE_BASE   SL_KERNEL_BASE
#define GRAPH_TABLE_BASE  (SL_KERNEL_BASE + 0x10000)
#define GRAPH_RESULT_BASE (SL_KERNEL_BASE + 0x30000)

/* Where control goes behind an instruction, as the generator meant it. */
enum graph_flow {
    GRAPH_NEXT,
    GRAPH_BRANCH, /* target, or next */
    GRAPH_JUMP,   /* target */
    GRAPH_AWAY,   /* out of the function, or through a table, or both */
    GRAPH_CALL,
    GRAPH_RETURN,
};

struct graph_word {
    enum graph_flow flow;
    uint32_t target;
    uint32_t function;
};

/* Word numbers count from the code's beginning. */
struct graph {
    uint32_t code[GRAPH_WORDS];
    struct graph_word words[GRAPH_WORDS];
    uint32_t count;
    struct sl_function functions[GRAPH_FUNCTIONS];
    uint32_t function_first[GRAPH_FUNCTIONS + 1];
    uint32_t function_count;
    uint64_t tables[GRAPH_TABLES * GRAPH_TABLE]; /* in memory at GRAPH_TABLE_BASE */
};

/* What a run of the graph comes to. */
struct graph_outcome {
    uint64_t result[GRAPH_LANES][2];
    uint64_t wave_instructions;
    uint64_t lane_instructions;
};

/* Makes the graph of a seed. */
void graph_make(struct graph *graph, uint64_t seed);

/* Runs it lane by lane with an interpreter, then works out from the lanes' paths what immediate
 * post-dominator reconvergence issues. Returns false where a lane takes too many steps. */
bool graph_run(const struct graph *graph, uint64_t input, struct graph_outcome *outcome);

#endif
