/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine: aggregator core model, device window, dispatcher, compute units and memory, in lock
 * step.
 *
 * Whoever executes the aggregator's instructions (the QEMU plugin, or a test) tells of each
 * instruction before it happens and of each access after it. Simulated time runs between the marks
 * BEGIN and END only; outside them nothing is charged and nothing moves. Everything hangs off one
 * object, so that several can live in one process. */
#ifndef SLUICE_SOC_SOC_H
#define SLUICE_SOC_SOC_H

#include <stdbool.h>
#include <stdint.h>

#include "aggregator/core.h"
#include "config/energy.h"
#include "dispatcher/dispatcher.h"
#include "observers/feed_counters.h"
#include "observers/observers.h"
#include "observers/throttle_bounds.h"
#include "simt/gpu.h"
#include "soc/firmware_watchdog.h"
#include "soc/progress_watchdog.h"
#include "soc/run_limits.h"

#define SOC_NEVER UINT64_MAX

/* What the machine needs of the world around it. */
struct soc_host {
    void *owner;
    /* Sleep until the host's mailbox tail is not `seen`, or for a bounded time. */
    void (*wait)(void *owner, uint32_t seen);
    /* Wake the host. */
    void (*wake)(void *owner);
    /* End the process that executes the aggregator with this status. */
    void (*exit)(void *owner, int status);
    /* The same, soon: firmware hangs, and what it does may be looked at before. */
    void (*hang)(void *owner, int status);
    /* The address of the instruction whose access is told of, or 0. */
    uint64_t (*pc)(void *owner);
    /* Seconds of wall time, from any origin. */
    double (*clock)(void *owner);
    /* Those who read what observers write while time runs; where nothing of that kind is wanted,
     * all NULL. */
    struct ring_host rings;
};

struct soc {
    struct sl_layout layout;
    struct dram dram;
    struct window window;
    struct event_queue event_queue;
    struct stream stream;
    struct activity activity;
    /* latency.measure: observer latency counts into these, in ps. */
    struct sl_element_latency latency;
    struct sl_histogram request;
    const struct race_counters *races; /* observer hrf's, or NULL */
    struct host_store_counters feed;
    struct mem_system *mem;
    struct agg_core *core;
    struct gpu *gpu;
    struct dispatcher dispatcher;
    struct soc_host host;

    bool is_run;         /* between the marks BEGIN and END */
    bool running;        /* and not in a pause */
    bool has_dispatched; /* its first doorbell was */
    uint64_t next_ps;    /* nothing happens in the accelerator, and no limit is reached, before */
    struct limits limits;
    struct progress progress;
    struct firmware_watchdog watchdog;
    uint64_t phase_start_ps;           /* of activity.phase */
    uint64_t phase_ps[SL_PHASE_COUNT]; /* the aggregator's time in each */
    uint64_t passes;                   /* of the firmware */
    uint64_t watched_passes;           /* at soc_watch_passes() */
    uint64_t pass_instructions;        /* since there were fewer */
    struct stray_stores {
        uint64_t stores; /* of the firmware, to registers that take none */
        uint64_t offset; /* of the first */
        uint64_t pc;
    } stray;
    struct bounds bounds;
    struct sl_energy_model energy; /* where has_energy */
    bool has_energy;
    double wall_start_s;
    uint64_t time_ps; /* that the accelerator has reached */
};

/* Makes a machine over `dram`, whose bytes the caller owns. NULL when out of memory. */
struct soc *soc_create(const struct sl_config *config, const struct sl_layout *layout,
                       const struct dram *dram, const struct soc_host *host);
void soc_destroy(struct soc *soc);

/* Where what is observed goes: blocks of recordings/observation.h, zero but for what is the host's,
 * and the caller's. NULL: not wanted. */
struct soc_blocks {
    struct sl_profile *profile;
    struct sl_timeline *timeline;
    struct sl_report *report;
    struct sl_races *races;               /* recordings/races.h */
    struct sl_sharing *sharing;           /* recordings/sharing.h */
    struct sl_kernel_profile *kernels;    /* recordings/kernel_profile.h */
    struct sl_instructions *instructions; /* recordings/instructions.h */
    struct sl_samples *samples;           /* recordings/samples.h */
    struct sl_channel_latency *channels;  /* recordings/channel_latency.h */
};

/* From here on, runs are observed, into these blocks and as the configuration says. Returns 0, or
 * -1 when out of memory. What is simulated stays the same. */
int soc_observe(struct soc *soc, const struct sl_config *config, const struct soc_blocks *blocks);

/* Writes the read-only registers; to be called after reset, before firmware reads them. */
void soc_show_registers(struct soc *soc, const struct sl_config *config);

/* An aggregator instruction comes next. */
void soc_instruction(struct soc *soc, const struct agg_insn *insn);

/* The instruction accessed `bytes` at an address; a store's value is in memory already. */
void soc_access(struct soc *soc, uint64_t address, unsigned bytes, bool is_store);

/* A store to memory, other than a wavefront's, whose bytes are in DRAM already: within a cache
 * line. */
void soc_written(struct soc *soc, uint64_t address, unsigned bytes);

/* The statistics of the run, as they would be if it ended at this time, to which it has come. */
void soc_measure(const struct soc *soc, uint64_t time_ps, uint64_t statistics[SL_STAT_COUNT]);

/* A store to a register of the device window, as soc_access() passes it on. */
void device_write(struct soc *soc, uint64_t offset, unsigned bytes);

/* Advances the accelerator to a time. */
void soc_advance(struct soc *soc, uint64_t time_ps);

/* Firmware hangs: simulated time ends, and then the process with this status. */
static inline void soc_hang(struct soc *soc, int status)
{
    soc->running = false;
    soc->host.hang(soc->host.owner, status);
}

/* To be called for every so many instructions: a run in which firmware begins no pass for too many
 * (soc/firmware_watchdog.h) hangs, whatever the run's limits are. */
void soc_watch_passes(struct soc *soc, uint32_t instructions);

/* It has executed too many of them (soc/firmware_watchdog.h). */
void soc_untimed_overrun(struct soc *soc);

/* An instruction of the aggregator that no time is simulated of comes next: outside a run, or in a
 * pause. */
static inline void soc_untimed_instruction(struct soc *soc)
{
    if (--soc->watchdog.left == 0) {
        soc_untimed_overrun(soc);
    }
}

/* Writes a dump of the resident wavefronts to memory and shows it in the registers DUMP_FIRST and
 * DUMP_WAVEFRONTS. Nothing that firmware or kernels see changes. */
void soc_dump(struct soc *soc, bool with_registers);

/* Recomputes next_ps after something was started. */
void soc_update_next(struct soc *soc);

#endif
