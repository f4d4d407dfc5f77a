/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine, made of its parts and observed, and what instructions and accesses of the aggregator
 * do to it. */
#include "soc/soc.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/config.h"
#include "soc/observer_table.h"
#include "soc/systems.h"

struct soc *soc_create(const struct sl_config *config, const struct sl_layout *layout,
                       const struct dram *dram, const struct soc_host *host)
{
    struct soc *soc = calloc(1, sizeof(*soc));

    if (soc == NULL) {
        return NULL;
    }
    soc->layout = *layout;
    soc->dram = *dram;
    soc->host = *host;
    soc->window.bytes = dram_at(dram, layout->window_base);
    soc->stream.tick_ps = STREAM_NEVER;
    soc->has_energy = sl_energy_model(config, &soc->energy);
    event_queue_init(&soc->event_queue, sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    limits_init(&soc->limits, config, soc->event_queue.cycle_ps);
    progress_init(&soc->progress, (uint64_t)config->number[SL_CFG_GPU_PROGRESS_LIMIT],
                  soc->event_queue.cycle_ps);
    firmware_watchdog_init(&soc->watchdog);
    soc->mem = systems_create(&(struct mem_parts){.config = config,
                                                  .dram = &soc->dram,
                                                  .event_queue = &soc->event_queue,
                                                  .stream = &soc->stream});
    if (soc->mem != NULL) {
        soc->core = agg_core_create(config, soc->mem);
        soc->gpu = gpu_create(&(struct gpu_parts){
            .config = config,
            .layout = layout,
            .dram = dram,
            .mem = soc->mem,
            .event_queue = &soc->event_queue,
            .activity = &soc->activity,
            .stream = &soc->stream,
        });
    }
    if (soc->core == NULL || soc->gpu == NULL ||
        dispatcher_init(&soc->dispatcher, config, soc->gpu, &soc->window) != 0) {
        soc_destroy(soc);
        return NULL;
    }
    return soc;
}

void soc_destroy(struct soc *soc)
{
    if (soc == NULL) {
        return;
    }
    observers_destroy(&soc->stream);
    dispatcher_destroy(&soc->dispatcher);
    gpu_destroy(soc->gpu);
    if (soc->core != NULL) {
        soc->core->ops->destroy(soc->core);
    }
    if (soc->mem != NULL) {
        soc->mem->ops->destroy(soc->mem);
    }
    free(soc);
}

static void read_meter(void *soc, uint64_t time_ps, uint64_t *statistics)
{
    soc_measure(soc, time_ps, statistics);
}

int soc_observe(struct soc *soc, const struct sl_config *config, const struct soc_blocks *blocks)
{
    const struct observer_parts parts = {
        .config = config,
        .layout = &soc->layout,
        .dram = &soc->dram,
        .core = soc->core,
        .mem = soc->mem,
        .activity = &soc->activity,
        .latency = &soc->latency,
        .request = &soc->request,
        .profile = blocks->profile,
        .timeline = blocks->timeline,
        .report = blocks->report,
        .races = blocks->races,
        .sharing = blocks->sharing,
        .kernels = blocks->kernels,
        .instructions = blocks->instructions,
        .samples = blocks->samples,
        .channels = blocks->channels,
        .ring_host = &soc->host.rings,
        .meter = {soc, read_meter},
        .race_counters = &soc->races,
    };

    return observers_create(&parts, &soc->stream);
}

void soc_show_registers(struct soc *soc, const struct sl_config *config)
{
    const struct cu_shape *shape = &soc->gpu->cus[0].shape;
    const struct {
        enum sl_register offset;
        uint64_t value;
    } values[] = {
        {SL_REG_ID, SL_DEVICE_ID},
        {SL_REG_VERSION, SL_DEVICE_VERSION},
        {SL_REG_DRAM_BYTES, soc->layout.dram_bytes},
        {SL_REG_HEAP_BASE, SL_HEAP_BASE},
        {SL_REG_HEAP_LIMIT, soc->layout.heap_limit},
        {SL_REG_POOL_BASE, soc->layout.pool_base},
        {SL_REG_POOL_BLOCK_BYTES, soc->layout.pool_block_bytes},
        {SL_REG_POOL_BLOCKS, soc->layout.pool_blocks},
        {SL_REG_CUS, soc->gpu->cu_count},
        {SL_REG_LANES, shape->lanes},
        {SL_REG_CONTEXTS, (uint64_t)config->number[SL_CFG_GPU_CONTEXTS]},
        {SL_REG_SIMDS, shape->simds},
        {SL_REG_REGISTERS, shape->registers},
        {SL_REG_LDS_BYTES, shape->lds_bytes},
        {SL_REG_TIME_PS, 0},
        {SL_REG_STRAY_STORES, 0},
        /* Past the cycle limit the device itself reports; silence for longer is a defect of it. */
        {SL_REG_WAIT_LIMIT_PS, soc->limits.span_ps / 4 * 5},
    };

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        window_write(&soc->window, values[i].offset, values[i].value);
    }
    dispatcher_reset(&soc->dispatcher);
}

void soc_dump(struct soc *soc, bool with_registers)
{
    gpu_dump_all(soc->gpu, with_registers);
    window_write(&soc->window, SL_REG_DUMP_FIRST, soc->gpu->dump.first);
    window_write(&soc->window, SL_REG_DUMP_WAVEFRONTS, soc->gpu->dump.wavefronts);
}

void soc_untimed_overrun(struct soc *soc)
{
    const struct sl_mailbox *mailbox = dram_at(&soc->dram, SL_MAILBOX_BASE);
    const int status = firmware_watchdog_judge(&soc->watchdog, mailbox->host_head);

    if (status != 0) {
        soc_hang(soc, status);
    }
}

void soc_watch_passes(struct soc *soc, uint32_t instructions)
{
    if (!soc->running || soc->passes != soc->watched_passes) {
        soc->watched_passes = soc->passes;
        soc->pass_instructions = 0;
        return;
    }
    soc->pass_instructions += instructions;
    if (soc->pass_instructions >= WATCHDOG_PASS) {
        soc_hang(soc, SL_EXIT_HUNG);
    }
}

void soc_instruction(struct soc *soc, const struct agg_insn *insn)
{
    if (!soc->running) {
        return;
    }
    if (probe_enabled(&soc->stream, OBS_INSTRUCTION)) {
        soc->core->ops->finish(soc->core);
        const struct obs_event event = {
            .time_ps = soc->core->time_ps, .kind = OBS_INSTRUCTION, .insn = insn};
        probe_emit(&soc->stream, &event);
    }
    uint64_t time_ps = soc->core->ops->instruction(soc->core, insn);

    soc_advance(soc, time_ps);
    if (probe_enabled(&soc->stream, OBS_EXECUTE)) {
        const struct obs_event event = {.time_ps = time_ps, .kind = OBS_EXECUTE, .insn = insn};
        probe_emit(&soc->stream, &event);
    }
    window_write(&soc->window, SL_REG_TIME_PS, time_ps);
}

/* An access to memory, for observers. */
static void observe_access(const struct soc *soc, uint64_t address, unsigned bytes, bool is_store)
{
    uint64_t value = 0;
    if (is_store) {
        memcpy(&value, dram_at(&soc->dram, address), bytes);
    }
    const struct obs_event event = {
        .time_ps = soc->core->time_ps,
        .kind = OBS_ACCESS,
        .access =
            {
                .from = {.kind = MEM_AGG},
                .kind = is_store ? MEM_STORE : MEM_LOAD,
                .space = MEM_SHARED,
                .scope = SL_SCOPE_DEVICE,
                .bytes = (uint8_t)bytes,
                .atomic = true,
                .acquire = !is_store,
                .release = is_store,
                .writes = is_store,
                .lanes = 1,
                .address = &address,
                .value = is_store ? &value : NULL,
            },
    };

    probe_emit(&soc->stream, &event);
}

void soc_access(struct soc *soc, uint64_t address, unsigned bytes, bool is_store)
{
    uint64_t offset = address - soc->layout.window_base;
    bool is_register = offset < SL_REG_BYTES;
    bool is_memory = !is_register && dram_holds(&soc->dram, address, bytes);
    bool is_free =
        (offset & ~7ull) == SL_REG_PHASE; /* in the core itself, like a performance counter */

    if (soc->running && !is_free) {
        struct agg_access access = {
            .address = address,
            .is_store = is_store,
            .is_device = !is_memory,
        };
        soc->core->ops->access(soc->core, &access);
        if (is_memory && probe_enabled(&soc->stream, OBS_ACCESS)) {
            observe_access(soc, address, bytes, is_store);
        }
    }
    if (!is_store) {
        soc->passes += offset == SL_REG_COMPLETION_TAIL; /* with which each pass begins */
        return;
    }
    if (is_register) {
        device_write(soc, offset, bytes);
    } else if (is_memory) {
        soc_written(soc, address, bytes);
    }
}
