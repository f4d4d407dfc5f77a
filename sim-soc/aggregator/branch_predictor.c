/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tables of the branch predictor (branch_predictor.h). */
#include "aggregator/branch_predictor.h"

#include "sluice/config.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COUNTER_MAX       3
#define COUNTER_TAKEN     2 /* this and more: taken; chooser: global */
#define COUNTER_NOT_TAKEN 1

int branch_predictor_init(struct branch_predictor *predictor, const struct sl_config *config)
{
    uint32_t entries = (uint32_t)config->number[SL_CFG_CORE_PREDICTOR_ENTRIES];
    uint32_t targets = (uint32_t)config->number[SL_CFG_CORE_BTB_ENTRIES];

    *predictor = (struct branch_predictor){
        .kind = (enum sl_core_predictor)config->number[SL_CFG_CORE_PREDICTOR],
        .mask = entries - 1,
        .bimodal = malloc(3 * (size_t)entries),
        .targets = malloc(targets * sizeof(struct branch_target)),
        .target_mask = targets - 1,
        .return_entries = (uint32_t)config->number[SL_CFG_CORE_RETURN_ENTRIES],
    };
    predictor->returns = calloc(predictor->return_entries + 1, sizeof(uint64_t));
    if (predictor->bimodal == NULL || predictor->targets == NULL || predictor->returns == NULL) {
        branch_predictor_destroy(predictor);
        return -1;
    }
    predictor->global = predictor->bimodal + entries;
    predictor->chooser = predictor->global + entries;
    branch_predictor_reset(predictor);
    return 0;
}

void branch_predictor_destroy(struct branch_predictor *predictor)
{
    free(predictor->bimodal);
    free(predictor->targets);
    free(predictor->returns);
    *predictor = (struct branch_predictor){.kind = SL_CORE_PREDICTOR_NONE};
}

void branch_predictor_reset(struct branch_predictor *predictor)
{
    predictor->history = 0;
    predictor->return_top = 0;
    predictor->return_depth = 0;
    memset(predictor->bimodal, COUNTER_NOT_TAKEN, 3 * ((size_t)predictor->mask + 1));
    memset(predictor->targets, 0,
           ((size_t)predictor->target_mask + 1) * sizeof(struct branch_target));
}

static void count(uint8_t *counter, bool up)
{
    if (up) {
        *counter = (uint8_t)(*counter + (*counter < COUNTER_MAX));
    } else {
        *counter = (uint8_t)(*counter - (*counter > 0));
    }
}

/* Direction of a conditional branch from the tables, which learn the outcome. */
static bool direction(struct branch_predictor *predictor, uint64_t pc, bool taken)
{
    uint32_t by_address = (uint32_t)(pc >> 1) & predictor->mask;
    uint8_t *bimodal = &predictor->bimodal[by_address];
    bool predicted = *bimodal >= COUNTER_TAKEN;

    if (predictor->kind == SL_CORE_PREDICTOR_TOURNAMENT) {
        uint8_t *global = &predictor->global[(by_address ^ predictor->history) & predictor->mask];
        uint8_t *chooser = &predictor->chooser[by_address];
        bool by_history = *global >= COUNTER_TAKEN;
        if (by_history != predicted) {
            bool use_history = *chooser >= COUNTER_TAKEN;
            count(chooser, by_history == taken);
            predicted = use_history ? by_history : predicted;
        }
        count(global, taken);
        predictor->history = (predictor->history << 1 | taken) & predictor->mask;
    }
    count(bimodal, taken);
    return predicted;
}

static bool predict_taken(struct branch_predictor *predictor, const struct agg_insn *insn,
                          bool taken)
{
    if (predictor->kind == SL_CORE_PREDICTOR_NONE) {
        return false;
    }
    if (insn->flow != AGG_FLOW_FORWARD && insn->flow != AGG_FLOW_BACKWARD) {
        return true;
    }
    if (predictor->kind == SL_CORE_PREDICTOR_STATIC) {
        return insn->flow == AGG_FLOW_BACKWARD;
    }
    return direction(predictor, insn->pc, taken);
}

static void push_return(struct branch_predictor *predictor, uint64_t address)
{
    if (predictor->return_entries == 0) {
        return;
    }
    predictor->returns[predictor->return_top] = address;
    predictor->return_top =
        predictor->return_top + 1 == predictor->return_entries ? 0 : predictor->return_top + 1;
    predictor->return_depth += predictor->return_depth < predictor->return_entries;
}

/* The address on top of the stack, or 0 where it is empty. */
static uint64_t pop_return(struct branch_predictor *predictor)
{
    if (predictor->return_depth == 0) {
        return 0;
    }
    predictor->return_depth--;
    predictor->return_top =
        (predictor->return_top == 0 ? predictor->return_entries : predictor->return_top) - 1;
    return predictor->returns[predictor->return_top];
}

/* Whether the BTB has this target; it learns it. */
static bool target_known(struct branch_predictor *predictor, uint64_t pc, uint64_t target)
{
    if (predictor->kind < SL_CORE_PREDICTOR_BIMODAL) {
        return false;
    }
    struct branch_target *entry = &predictor->targets[(pc >> 1) & predictor->target_mask];
    bool known = entry->pc == pc && entry->target == target;

    entry->pc = pc;
    entry->target = target;
    return known;
}

enum branch_prediction branch_predictor_resolve(struct branch_predictor *predictor,
                                                const struct agg_insn *insn, uint64_t next_pc)
{
    uint64_t behind = insn->pc + insn->bytes;
    bool is_conditional = insn->flow == AGG_FLOW_FORWARD || insn->flow == AGG_FLOW_BACKWARD;
    bool taken = !is_conditional || next_pc != behind;
    bool predicted = predict_taken(predictor, insn, taken);

    if (insn->flow == AGG_FLOW_RETURN && predictor->return_entries != 0) {
        return predicted && pop_return(predictor) == next_pc ? BRANCH_RIGHT : BRANCH_WRONG;
    }
    if (insn->flow == AGG_FLOW_CALL || insn->flow == AGG_FLOW_INDIRECT_CALL) {
        push_return(predictor, behind);
    }
    bool known = taken && target_known(predictor, insn->pc, next_pc);
    if (predicted != taken) {
        return BRANCH_WRONG;
    }
    if (!taken || known) {
        return BRANCH_RIGHT;
    }
    bool is_direct = is_conditional || insn->flow == AGG_FLOW_JUMP || insn->flow == AGG_FLOW_CALL;
    return is_direct ? BRANCH_MISFETCHED : BRANCH_WRONG;
}
