/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What stores to the device registers do (hal/contract/registers.def). */
#include <string.h>

#include "dispatcher/fault_ring.h"
#include "dispatcher/packet_completion.h"
#include "dispatcher/packet_fetch.h"
#include "dispatcher/wave_restart.h"
#include "sluice/layouts.h"
#include "soc/host_store.h"
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

/* Tells observers of a mark, of a graph or of a phase. */
static void observe(const struct soc *soc, enum obs_kind kind, uint64_t value)
{
    if (probe_enabled(&soc->stream, kind)) {
        const struct obs_event event = {
            .time_ps = soc->core->time_ps, .kind = kind, .address = value};
        probe_emit(&soc->stream, &event);
    }
}

static void begin(struct soc *soc)
{
    event_queue_init(&soc->event_queue, soc->event_queue.cycle_ps);
    soc->activity = (struct activity){.phase = SL_PHASE_OTHER};
    soc->feed = (struct host_store_counters){0};
    soc->core->ops->begin(soc->core);
    soc->mem->ops->reset(soc->mem);
    gpu_begin(soc->gpu);
    dispatcher_begin(&soc->dispatcher);
    memset(soc->phase_ps, 0, sizeof(soc->phase_ps));
    soc->passes = 0;
    soc->pass_instructions = 0;
    soc->bounds = (struct bounds){0};
    soc->time_ps = 0;
    soc->phase_start_ps = 0;
    const uint32_t message = mailbox(soc)->host_head;
    firmware_watchdog_begin(&soc->watchdog, message != 0 && message == soc->limits.message);
    limits_begin(&soc->limits, message);
    progress_stop(&soc->progress);
    soc->wall_start_s = soc->host.clock(soc->host.owner);
    stream_begin(&soc->stream);
    soc->running = true;
    soc->is_run = true;
    soc->has_dispatched = false;
    soc_update_next(soc);
}

/* Blocked time is known up to where the accelerator is, which the core's clock may be ahead of. */
static void enter_phase(struct soc *soc, enum sl_phase phase)
{
    soc->phase_ps[soc->activity.phase] += soc->core->time_ps - soc->phase_start_ps;
    soc->phase_start_ps = soc->core->time_ps;
    activity_phase(&soc->activity, soc->time_ps / soc->event_queue.cycle_ps, phase);
    observe(soc, OBS_PHASE, phase);
}

/* Brings the accelerator's clock to the aggregator's, also where nothing happens in between. */
static void catch_up(struct soc *soc)
{
    if (soc->running) {
        soc_advance(soc, soc->core->time_ps);
        event_queue_run(&soc->event_queue, soc->core->time_ps);
    }
}

static void write_statistics(struct soc *soc)
{
    uint64_t block[SL_STAT_COUNT];

    soc_measure(soc, soc->core->time_ps, block);
    memcpy(soc->window.bytes + SL_REG_STATISTICS, block, sizeof(block));
    memcpy(soc->window.bytes + SL_REG_SERVED, &soc->mem->counters.served,
           sizeof(soc->mem->counters.served));
}

/* Brings what memory holds back to DRAM; what is under way is over. */
static void settle(struct soc *soc)
{
    if (soc->mem->ops->drain != NULL) {
        soc->mem->ops->drain(soc->mem);
    }
}

static void end(struct soc *soc)
{
    catch_up(soc);
    enter_phase(soc, SL_PHASE_OTHER);
    gpu_stop(soc->gpu);
    settle(soc);
    write_statistics(soc);
    observe(soc, OBS_END, 0);
    limits_end(&soc->limits, soc->core->time_ps);
    soc->running = false;
    soc->is_run = false;
    latch_host_tail(soc);
}

static void mark(struct soc *soc, uint64_t value)
{
    if (value == SL_MARK_BEGIN && !soc->is_run) {
        begin(soc);
        soc->host.wake(soc->host.owner); /* it waits until its message is taken */
    } else if (value == SL_MARK_END && soc->running) {
        end(soc);
    } else if (value == SL_MARK_PAUSE && soc->running) {
        soc->running = false;
    } else if (value == SL_MARK_RESUME && soc->is_run) {
        soc->running = true;
    }
}

/* The compare-and-swaps that statistics count are those on the counters of the graph's channels. */
static void set_graph(struct soc *soc, uint64_t address)
{
    struct cu_environment *env = &soc->gpu->env;

    env->graph = address;
    env->cas_base = 0;
    env->cas_limit = 0;
    observe(soc, OBS_GRAPH, address);
    if (address % 8 == 0 && dram_holds(&soc->dram, address, sizeof(struct sl_graph))) {
        const struct sl_graph *graph = dram_at(&soc->dram, address);
        env->cas_base = address + sizeof(struct sl_graph);
        env->cas_limit = env->cas_base + graph->channel_count * sizeof(struct sl_channel);
    }
    front_audit_begin(&soc->dispatcher.audit, address);
}

static void reset(struct soc *soc)
{
    settle(soc);
    event_queue_clear(&soc->event_queue);
    gpu_reset(soc->gpu);
    dispatcher_reset(&soc->dispatcher);
}

/* What firmware has handed over is not what it has to be. */
static void refuse(struct soc *soc, uint64_t address)
{
    const struct sl_fault fault = {.code = SL_FAULT_PACKET, .address = address};

    faults_put(&soc->dispatcher, &fault);
}

static void load_program(struct soc *soc, uint64_t descriptor)
{
    if (gpu_load_program(soc->gpu, descriptor) != 0) {
        refuse(soc, descriptor);
    }
}

static void protect(struct soc *soc, uint64_t table)
{
    if (gpu_protect(soc->gpu, table) != 0) {
        refuse(soc, table);
    }
}

/* The run's first doorbell starts its limits, which no other one does. */
static void ring(struct soc *soc)
{
    if (soc->has_dispatched) {
        return;
    }
    soc->has_dispatched = true;
    limits_start(&soc->limits, soc->core->time_ps);
    progress_start(&soc->progress, soc->core->time_ps);
}

static void wait_for_host(struct soc *soc, uint64_t seen)
{
    const uint32_t shown = (uint32_t)window_read(&soc->window, SL_REG_HOST_TAIL);

    firmware_watchdog_wait(&soc->watchdog, shown, mailbox(soc)->host_head);
    soc->host.wait(soc->host.owner, (uint32_t)seen);
    latch_host_tail(soc);
    firmware_watchdog_go_on(&soc->watchdog, (uint32_t)window_read(&soc->window, SL_REG_HOST_TAIL),
                            mailbox(soc)->host_head);
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
    case SL_REG_PROTECTION:
        protect(soc, value);
        break;
    case SL_REG_GRAPH:
        set_graph(soc, value);
        break;
    case SL_REG_DISPATCH_TAIL:
        ring(soc);
        intake_doorbell(&soc->dispatcher, value);
        break;
    case SL_REG_HOST_STORE:
        host_store_write(soc, value);
        break;
    case SL_REG_HOST_FULL:
        host_store_full(soc, value);
        break;
    case SL_REG_YIELD_HEAD:
        restart_flush(&soc->dispatcher);
        break;
    case SL_REG_COMPLETION_HEAD:
        completion_flush(&soc->dispatcher);
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

/* Whether a register takes a store: all of one that is known and not read-only. */
static bool takes(uint64_t offset, unsigned bytes)
{
    enum { UNKNOWN, RO, WO, RW };
    static const uint8_t access_of[SL_REG_BYTES / 8] = {
#define SL_REGISTER(NAME, at, access, text) [(at) / 8] = (access),
#include "contract/registers.def"
#undef SL_REGISTER
    };

    return offset % 8 == 0 && bytes == 8 && access_of[offset / 8] >= WO;
}

static void note_stray(struct soc *soc, uint64_t offset)
{
    if (soc->stray.stores++ == 0) {
        soc->stray.offset = offset;
        soc->stray.pc = soc->host.pc(soc->host.owner);
    }
    window_write(&soc->window, SL_REG_STRAY_STORES, soc->stray.stores);
    window_write(&soc->window, SL_REG_STRAY_OFFSET, soc->stray.offset);
    window_write(&soc->window, SL_REG_STRAY_PC, soc->stray.pc);
}

void device_write(struct soc *soc, uint64_t offset, unsigned bytes)
{
    const uint64_t value = window_read(&soc->window, offset & ~7ull);

    if ((offset & ~7ull) == SL_REG_PHASE) {
        mark_phase(soc, offset & 7, value);
        return;
    }
    if (!takes(offset, bytes)) {
        note_stray(soc, offset);
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
    case SL_REG_THROTTLE:
        bounds_note(&soc->bounds, value, soc->core->time_ps);
        break;
    case SL_REG_MARK:
        mark(soc, value);
        break;
    default:
        device_write_timed(soc, offset, value);
        break;
    }
}
