/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What stores to the device registers do (hal/regs/registers.def). */
#include <string.h>

#include "front/restart.h"
#include "obs/statistics.h"
#include "sluice/layouts.h"
#include "soc/soc.h"

static const struct sl_mailbox *mailbox(const struct soc *soc)
{
    return dram_at(&soc->dram, SL_MAILBOX_BASE);
}

/* Shows firmware how far the host has written: only here, so that it cannot change while time runs.
 */
static void latch_host_tail(struct soc *soc)
{
    uint32_t tail = __atomic_load_n(&mailbox(soc)->host_tail, __ATOMIC_ACQUIRE);
    window_write(&soc->window, SL_REG_HOST_TAIL, tail);
}

static void begin(struct soc *soc)
{
    gpu_begin(soc->gpu);
    dispatcher_reset(&soc->dispatcher);
    soc->core->ops->begin(soc->core);
    soc->mem->ops->begin(soc->mem);
    memset(&soc->counters, 0, sizeof(soc->counters));
    soc->time_ps = 0;
    soc->phase = SL_PHASE_OTHER;
    soc->phase_start_ps = 0;
    soc_limit_idle(soc, 0);
    if (soc->profile != NULL) {
        profile_begin(soc->profile);
    }
    if (soc->timeline != NULL) {
        timeline_begin(soc->timeline);
    }
    soc->wall_start_s = soc->host.clock(soc->host.owner);
    soc->running = true;
    soc_update_next(soc);
}

static void enter_phase(struct soc *soc, enum sl_phase phase)
{
    soc->counters.agg_phase_ps[soc->phase] += soc->core->time_ps - soc->phase_start_ps;
    soc->phase_start_ps = soc->core->time_ps;
    soc->phase = phase;
    if (soc->timeline != NULL) {
        timeline_phase(soc->timeline, soc->core->time_ps, phase);
    }
}

/* Brings the accelerator's clock to the aggregator's, also where nothing happens in between. */
static void catch_up(struct soc *soc)
{
    if (soc->running) {
        soc_advance(soc, soc->core->time_ps);
        gpu_run(soc->gpu, soc->core->time_ps / soc->gpu->shape.cycle_ps);
    }
}

static void end(struct soc *soc)
{
    uint64_t block[SL_STAT_COUNT];
    uint64_t cycles = soc->core->time_ps / soc->gpu->shape.cycle_ps;

    catch_up(soc);
    enter_phase(soc, SL_PHASE_OTHER);
    gpu_account(soc->gpu, cycles);
    struct statistics_run run = {
        .gpu_cycles = cycles,
        .lanes = soc->gpu->shape.lanes,
        .block_bytes = soc->gpu->layout.pool_block_bytes,
        .agg_ps = soc->core->time_ps,
        .agg_cycle_ps = soc->core->cycle_ps,
        .wall_s = soc->host.clock(soc->host.owner) - soc->wall_start_s,
    };
    statistics_fill(block, &soc->counters, &soc->mem->counters, &run);
    memcpy(soc->window.bytes + SL_REG_STATISTICS, block, sizeof(block));
    memcpy(soc->window.bytes + SL_REG_SERVED, &soc->mem->counters.served,
           sizeof(soc->mem->counters.served));
    if (soc->profile != NULL) {
        profile_end(soc->profile);
    }
    if (soc->timeline != NULL) {
        timeline_end(soc->timeline, soc->core->time_ps);
    }
    soc->running = false;
    latch_host_tail(soc);
}

static void mark(struct soc *soc, uint64_t value)
{
    if (value == SL_MARK_BEGIN && !soc->running) {
        begin(soc);
    } else if (value == SL_MARK_END && soc->running) {
        end(soc);
    }
}

/* The compare-and-swaps that statistics count are those on the counters of the graph's channels. */
static void set_graph(struct soc *soc, uint64_t address)
{
    soc->gpu->graph = address;
    soc->gpu->cas_base = 0;
    soc->gpu->cas_limit = 0;
    if (soc->timeline != NULL) {
        timeline_graph(soc->timeline, address);
    }
    if (soc->mem->map != NULL) {
        mem_map_graph(soc->mem->map, address);
    }
    if (address % 8 == 0 && dram_holds(&soc->dram, address, sizeof(struct sl_graph))) {
        const struct sl_graph *graph = dram_at(&soc->dram, address);
        soc->gpu->cas_base = address + sizeof(struct sl_graph);
        soc->gpu->cas_limit = soc->gpu->cas_base + graph->channel_count * sizeof(struct sl_channel);
    }
}

static void reset(struct soc *soc)
{
    gpu_reset(soc->gpu);
    dispatcher_reset(&soc->dispatcher);
    soc_limit_idle(soc, soc->core->time_ps);
}

static void load_program(struct soc *soc, uint64_t descriptor)
{
    if (gpu_load_program(soc->gpu, descriptor) != 0) {
        struct sl_fault fault = {.code = SL_FAULT_PACKET, .address = descriptor};
        soc->counters.faults++;
        dispatcher_faulted(&soc->dispatcher, &fault);
    }
}

static void wait_for_host(struct soc *soc, uint64_t seen)
{
    soc->host.wait(soc->host.owner, (uint32_t)seen);
    latch_host_tail(soc);
}

/* Stores that the accelerator sees arrive when the access is over: it is advanced to that time
 * first. */
static void device_write_timed(struct soc *soc, uint64_t offset, uint64_t value)
{
    catch_up(soc);
    switch (offset) {
    case SL_REG_RESET:
        reset(soc);
        break;
    case SL_REG_PROGRAM:
        load_program(soc, value);
        break;
    case SL_REG_GRAPH:
        set_graph(soc, value);
        break;
    case SL_REG_DISPATCH_TAIL:
        soc_limit_start(soc, soc->core->time_ps);
        dispatcher_doorbell(&soc->dispatcher, (uint32_t)value);
        break;
    case SL_REG_YIELD_HEAD:
        restart_flush(&soc->dispatcher);
        break;
    case SL_REG_COMPLETION_HEAD:
        dispatcher_flush(&soc->dispatcher);
        break;
    default:
        return;
    }
    soc_update_next(soc);
}

/* A store to a byte of PHASE but the first says the phase by which byte it is. */
static void mark_phase(struct soc *soc, uint64_t byte, uint64_t value)
{
    uint64_t phase = byte != 0 ? byte : value;

    if (phase < SL_PHASE_COUNT) {
        enter_phase(soc, (enum sl_phase)phase);
    }
}

void device_write(struct soc *soc, uint64_t offset, uint64_t value)
{
    if ((offset & ~7ull) == SL_REG_PHASE) {
        mark_phase(soc, offset & 7, value);
        return;
    }
    switch (offset) {
    case SL_REG_HOST_WAIT:
        wait_for_host(soc, value);
        break;
    case SL_REG_HOST_BELL:
        soc->host.wake(soc->host.owner);
        break;
    case SL_REG_EXIT:
        soc->host.exit(soc->host.owner, (int)(value & 0xff));
        break;
    case SL_REG_MARK:
        mark(soc, value);
        break;
    default:
        device_write_timed(soc, offset, value);
        break;
    }
}
