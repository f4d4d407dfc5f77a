/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fetch of the pipelined core models (front_end.h). */
#include "aggregator/front_end.h"

#include "sluice/config.h"
#include <string.h>

int front_end_init(struct front_end *front, const struct sl_config *config, struct mem_system *mem,
                   struct agg_counters *counters, struct cycle_stack *stack)
{
    const int64_t *number = config->number;
    const int64_t in_stages = number[SL_CFG_CORE_WIDTH] * number[SL_CFG_CORE_FRONT_CYCLES];

    *front = (struct front_end){
        .port = agg_port_make(config, mem, MEM_AGG_CODE),
        .counters = counters,
        .stack = stack,
        .width = (uint32_t)number[SL_CFG_CORE_WIDTH],
        .front_cycles = (uint32_t)number[SL_CFG_CORE_FRONT_CYCLES],
        .hidden_cycles = (uint32_t)number[SL_CFG_CORE_FETCH_CYCLES],
        .taken_cycles = (uint32_t)number[SL_CFG_CORE_TAKEN_CYCLES],
        .misfetch_cycles = (uint32_t)number[SL_CFG_CORE_MISFETCH_CYCLES],
        .redirect_cycles = (uint32_t)number[SL_CFG_CORE_REDIRECT_CYCLES],
        .held = (uint32_t)(in_stages + number[SL_CFG_CORE_FETCH_QUEUE]),
        .line = FRONT_END_NO_LINE,
    };
    return branch_predictor_init(&front->predictor, config);
}

void front_end_destroy(struct front_end *front)
{
    branch_predictor_destroy(&front->predictor);
}

void front_end_reset(struct front_end *front)
{
    front->slots = (struct slots){.cycle = 0};
    front->line = FRONT_END_NO_LINE;
    front->next = 0;
    memset(front->renamed, 0, sizeof(front->renamed));
    branch_predictor_reset(&front->predictor);
}

/* Fetch stands up to a cycle, and whatever is fetched then comes to rename so much later. */
static void stand(struct front_end *front, uint64_t cycle, enum sl_stack_class what)
{
    slots_delay(&front->slots, cycle);
    cycle_stack_charge(front->stack, cycle + front->front_cycles, what);
}

/* Brings a line into the fetch buffer. It begins a cycle of its own. */
static void fetch_line(struct front_end *front, uint64_t line)
{
    uint64_t cycle = front->slots.cycle + (front->slots.used != 0);
    uint64_t latency = agg_port_access(&front->port, cycle, line * SL_CACHE_LINE_BYTES, MEM_FETCH);

    front->counters->fetches++;
    front->line = line;
    stand(front, cycle + (latency > front->hidden_cycles ? latency - front->hidden_cycles : 0),
          cycle_stack_fetch(front->port.hit_level));
}

uint64_t front_end_fetch(struct front_end *front, const struct agg_insn *insn)
{
    uint64_t first = insn->pc / SL_CACHE_LINE_BYTES;
    uint64_t last = (insn->pc + insn->bytes - 1) / SL_CACHE_LINE_BYTES;

    if (first != front->line && last != front->line) {
        fetch_line(front, first);
    }
    if (last != front->line) {
        fetch_line(front, last);
    }
    const uint64_t cycle =
        slots_take(&front->slots, front->renamed[front->next], front->width) + front->front_cycles;
    cycle_stack_charge(front->stack, cycle, SL_STACK_FRONTEND_FETCH);
    return cycle;
}

void front_end_branch(struct front_end *front, const struct agg_insn *insn, uint64_t next_pc,
                      uint64_t resolved)
{
    enum branch_prediction prediction = branch_predictor_resolve(&front->predictor, insn, next_pc);

    if (prediction == BRANCH_WRONG) {
        front->counters->mispredictions++;
        stand(front, resolved + front->redirect_cycles, SL_STACK_BAD_SPECULATION);
    } else if (next_pc != insn->pc + insn->bytes) {
        uint64_t bubble =
            prediction == BRANCH_MISFETCHED ? front->misfetch_cycles : front->taken_cycles;
        stand(front, front->slots.cycle + 1 + bubble, SL_STACK_FRONTEND_TAKEN);
    }
}
