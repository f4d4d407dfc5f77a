/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What all kinds of run share: their beginning, their end, and waiting for the device. */
#include "graph/run.h"

#include "aggregator/device.h"
#include "check/graph/protection_table.h"

void run_machine_init(struct machine *machine)
{
    machine->limits = (struct sl_graph_limits){
        .heap_base = agg_register_read(SL_REG_HEAP_BASE),
        .heap_limit = agg_register_read(SL_REG_HEAP_LIMIT),
        .lanes = (uint32_t)agg_register_read(SL_REG_LANES),
        .pool_blocks = (uint32_t)agg_register_read(SL_REG_POOL_BLOCKS),
        .lds_bytes = (uint32_t)agg_register_read(SL_REG_LDS_BYTES),
    };
    machine->cu = (struct sl_cu_shape){
        .lanes = machine->limits.lanes,
        .simds = (uint32_t)agg_register_read(SL_REG_SIMDS),
        .contexts = (uint32_t)agg_register_read(SL_REG_CONTEXTS),
        .registers = (uint32_t)agg_register_read(SL_REG_REGISTERS),
        .lds_bytes = machine->limits.lds_bytes,
    };
    machine->contexts = machine->cu.contexts * (uint32_t)agg_register_read(SL_REG_CUS);
    if (machine->contexts > machine->limits.pool_blocks) {
        machine->contexts = machine->limits.pool_blocks;
    }
    if (machine->cu.contexts > machine->limits.pool_blocks) {
        machine->cu.contexts = machine->limits.pool_blocks;
    }
    machine->wait_limit_ps = agg_register_read(SL_REG_WAIT_LIMIT_PS);
}

/* Empties the device, and tells it what the run is about. RESET opens all memory to lanes that can
 * be open: so the table is there before anything else is. */
static void begin_on_device(struct run *run, const struct machine *machine, uint64_t protection)
{
    agg_register_write(SL_REG_RESET, 1);
    if (protection != 0) {
        agg_register_write(SL_REG_PROTECTION, protection);
    }
    dispatch_init(&run->dispatch);
    completion_init(&run->completion);
    agg_register_write(SL_REG_PROGRAM, run->program);
    agg_register_write(SL_REG_GRAPH, run->graph);
    if (run->may_yield) {
        yield_init(&run->yield);
    }
    run->wait_limit_ps = machine->wait_limit_ps;
}

bool run_has_waited(struct run *run, struct sl_message_agg *answer)
{
    const uint64_t now_ps = agg_register_read(SL_REG_TIME_PS);

    if (run->idle_passes == RUN_IDLE_PASSES) {
        run->idle_since_ps = now_ps;
    }
    if (now_ps - run->idle_since_ps <= run->wait_limit_ps) {
        return false;
    }
    answer->reason = SL_FAILURE_DEVICE_SILENT;
    answer->argument[0] = run->wait_limit_ps;
    answer->argument[1] = agg_register_read(SL_REG_RESIDENT);
    answer->argument[2] = run_in_flight(run);
    return true;
}

void run_describe_books(const struct run *run, struct sl_message_agg *answer)
{
    answer->reason = SL_FAILURE_BOOKS;
    answer->argument[0] = (uint64_t)(channel_books.channel - run->channels);
    answer->argument[1] = channel_books.audit;
    answer->argument[2] = channel_books.value;
    answer->argument[3] = channel_books.limit;
}

static void refuse(const struct sl_graph_refusal *refusal, struct sl_message_agg *answer)
{
    answer->type = SL_AGG_REFUSED;
    answer->reason = refusal->reason;
    answer->node = refusal->node;
    answer->argument[0] = refusal->value;
    answer->argument[1] = refusal->limit;
    answer->argument[6] = refusal->step;
}

/* Not inline, so that its frame lies where the check's were: in memory that is in the cache. */
static __attribute__((noinline)) void
execute(const struct run_kind *kind, const struct machine *machine, uint64_t address,
        uint64_t protection, const struct sl_graph_scratch *scratch, struct sl_message_agg *answer)
{
    struct run run;

    kind->begin(&run, machine, address, scratch);
    begin_on_device(&run, machine, protection);
    answer->type = kind->passes(&run, answer);
    if (answer->type == SL_AGG_COMPLETE) {
        answer->argument[0] = run.completion.elements;
        answer->argument[1] = run.completion.wavefronts;
        answer->argument[2] = run.dispatch.tail;
    } else {
        agg_register_write(SL_REG_RESET, 1);
    }
    kind->finish(&run, answer);
}

static void fail_unprotected(uint64_t protection, struct sl_message_agg *answer)
{
    answer->type = SL_AGG_FAILED;
    answer->reason = SL_FAILURE_PROTECTION;
    answer->argument[0] = protection;
}

void run_execute(const struct run_kind *kind, const struct machine *machine, uint64_t address,
                 uint64_t protection, struct sl_message_agg *answer)
{
    static struct sl_graph_scratch scratch;
    struct sl_graph_refusal refusal;

    agg_register_write(SL_REG_MARK, SL_MARK_BEGIN);
    agg_phase(SL_PHASE_OTHER);
    if (kind->check(machine, address, &refusal, &scratch) != 0) {
        refuse(&refusal, answer);
    } else if (protection != 0 && !sl_protection_is_one(protection, &machine->limits)) {
        fail_unprotected(protection, answer);
    } else {
        execute(kind, machine, address, protection, &scratch, answer);
    }
    agg_register_write(SL_REG_MARK, SL_MARK_END);
}
