/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Branch prediction of the pipelined core models: direction, targets, return addresses.
 *
 * Direction: `none` and `static` (backward taken) keep no state; `bimodal` has a table of 2-bit
 * counters by address; `tournament` (S. McFarling, "Combining Branch Predictors", DEC WRL TN-36,
 * 1993) a second one by global history xor address, and a table of 2-bit counters that chooses
 * between the two. Targets: a direct-mapped BTB with full tags, and a return address stack that
 * wraps around when calls nest deeper. What is left out: the delay between prediction and outcome.
 * Tables, history and stack are updated with the outcome at once, before the next prediction. */
#ifndef SLUICE_AGGREGATOR_BRANCH_PREDICTOR_H
#define SLUICE_AGGREGATOR_BRANCH_PREDICTOR_H

#include <stdint.h>

#include "aggregator/core_insn.h"
#include "sluice/config.h"

enum branch_prediction {
    BRANCH_RIGHT,
    BRANCH_MISFETCHED, /* taken as predicted, but the target was known only after decoding */
    BRANCH_WRONG,
};

struct branch_target {
    uint64_t pc; /* of the branch, 0 for none */
    uint64_t target;
};

struct branch_predictor {
    enum sl_core_predictor kind;
    uint32_t mask; /* of indices into the tables of counters */
    uint32_t history;
    uint8_t *bimodal; /* the three tables are one block of memory */
    uint8_t *global;
    uint8_t *chooser; /* at least 2: global */
    struct branch_target *targets;
    uint32_t target_mask;
    uint64_t *returns;
    uint32_t return_entries;
    uint32_t return_top;   /* where the next call goes */
    uint32_t return_depth; /* entries that hold something */
};

/* Makes a predictor as the keys core.* say. Returns 0, or -1 when out of memory. */
int branch_predictor_init(struct branch_predictor *predictor, const struct sl_config *config);
void branch_predictor_destroy(struct branch_predictor *predictor);

/* Forgets everything. */
void branch_predictor_reset(struct branch_predictor *predictor);

/* Predicts an instruction of class AGG_BRANCH, compares with where it went, and learns. */
enum branch_prediction branch_predictor_resolve(struct branch_predictor *predictor,
                                                const struct agg_insn *insn, uint64_t next_pc);

#endif
