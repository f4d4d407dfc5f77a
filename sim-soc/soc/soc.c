/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lock step of aggregator and accelerator: the accelerator is advanced to an instruction's time
 * before the instruction takes effect (DESIGN section 2). */
#include "soc/soc.h"

#include <stdlib.h>

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
    soc->cycle_limit = (uint64_t)config->number[SL_CFG_GPU_CYCLE_LIMIT];
    soc->mem = mem_create(config, dram);
    if (soc->mem != NULL) {
        soc->core = agg_core_create(config, soc->mem, &soc->counters);
        soc->gpu = gpu_create(config, layout, dram, soc->mem, &soc->counters);
    }
    if (soc->core == NULL || soc->gpu == NULL) {
        soc_destroy(soc);
        return NULL;
    }
    dispatcher_init(&soc->dispatcher, config, soc->gpu, &soc->window, &soc->counters);
    return soc;
}

void soc_destroy(struct soc *soc)
{
    if (soc == NULL) {
        return;
    }
    profile_destroy(soc->profile);
    timeline_destroy(soc->timeline);
    gpu_destroy(soc->gpu);
    if (soc->core != NULL) {
        soc->core->ops->destroy(soc->core);
    }
    if (soc->mem != NULL) {
        soc->mem->ops->destroy(soc->mem);
    }
    free(soc);
}

int soc_observe(struct soc *soc, const struct sl_config *config, struct sl_profile *profile,
                struct sl_timeline *timeline)
{
    if (profile != NULL) {
        soc->profile = profile_create(profile, soc->core, &soc->counters, &soc->mem->counters);
    }
    if (timeline != NULL) {
        soc->timeline = timeline_create(timeline, config, &soc->dram, &soc->mem->counters);
        soc->gpu->timeline = soc->timeline;
    }
    return (profile != NULL && soc->profile == NULL) || (timeline != NULL && soc->timeline == NULL)
               ? -1
               : 0;
}

void soc_show_registers(struct soc *soc, const struct sl_config *config)
{
    const struct gpu_shape *shape = &soc->gpu->shape;
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
        {SL_REG_CUS, shape->cus},
        {SL_REG_LANES, shape->lanes},
        {SL_REG_CONTEXTS, (uint64_t)config->number[SL_CFG_GPU_CONTEXTS]},
        {SL_REG_SIMDS, shape->simds},
        {SL_REG_REGISTERS, shape->registers},
        {SL_REG_LDS_BYTES, shape->lds_bytes},
        {SL_REG_TIME_PS, 0},
        /* Past the cycle limit the device itself reports; silence for longer is a defect of it. */
        {SL_REG_WAIT_LIMIT_PS, soc->cycle_limit * shape->cycle_ps / 4 * 5},
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

void soc_update_next(struct soc *soc)
{
    uint64_t next = soc->gpu->wheel.next;
    uint64_t limit_ps = soc->limit_ps < soc->hang_ps ? soc->limit_ps : soc->hang_ps;

    soc->next_ps = limit_ps;
    if (next < limit_ps / soc->gpu->shape.cycle_ps) {
        soc->next_ps = next * soc->gpu->shape.cycle_ps;
    }
}

/* Time for firmware to check a large graph before its first dispatch, and to end one that has
 * reached its limit. */
#define FIRMWARE_GRACE_PS 10000000000ull

void soc_limit_idle(struct soc *soc, uint64_t now_ps)
{
    soc->limit_ps = SOC_NEVER;
    soc->hang_ps = now_ps + 2 * soc->cycle_limit * soc->gpu->shape.cycle_ps + FIRMWARE_GRACE_PS;
}

void soc_limit_start(struct soc *soc, uint64_t now_ps)
{
    if (soc->limit_ps == SOC_NEVER) {
        soc->limit_ps = now_ps + soc->cycle_limit * soc->gpu->shape.cycle_ps;
    }
}

/* At the limit a wavefront faults, and firmware ends the graph. If it does not, it hangs itself. */
static void check_limits(struct soc *soc, uint64_t time_ps)
{
    if (time_ps >= soc->limit_ps) {
        soc_limit_idle(soc, time_ps);
        gpu_fault_cycle_limit(soc->gpu, soc->cycle_limit);
    } else if (time_ps >= soc->hang_ps) {
        soc->running = false;
        soc->host.exit(soc->host.owner, SL_EXIT_HUNG);
    }
}

void soc_advance(struct soc *soc, uint64_t time_ps)
{
    if (time_ps < soc->time_ps) {
        return;
    }
    soc->time_ps = time_ps;
    if (time_ps >= soc->next_ps) {
        gpu_run(soc->gpu, time_ps / soc->gpu->shape.cycle_ps);
        check_limits(soc, time_ps);
        soc_update_next(soc);
    }
}

void soc_instruction(struct soc *soc, const struct agg_insn *insn)
{
    if (!soc->running) {
        return;
    }
    uint64_t time_ps = soc->core->ops->instruction(soc->core, insn);

    soc_advance(soc, time_ps);
    window_write(&soc->window, SL_REG_TIME_PS, time_ps);
}

void soc_access(struct soc *soc, uint64_t address, unsigned bytes, bool is_store)
{
    uint64_t offset = address - soc->layout.window_base;
    bool is_register = offset < SL_REG_BYTES;
    bool is_free =
        (offset & ~7ull) == SL_REG_PHASE; /* in the core itself, like a performance counter */

    if (soc->running && !is_free) {
        struct agg_access access = {
            .address = address,
            .is_store = is_store,
            .is_device = is_register || !dram_holds(&soc->dram, address, bytes),
        };
        soc->core->ops->access(soc->core, &access);
    }
    if (!is_store) {
        return;
    }
    if (is_register) {
        device_write(soc, offset, window_read(&soc->window, offset & ~7ull));
    } else {
        reservation_write(&soc->gpu->reservations, address);
    }
}
