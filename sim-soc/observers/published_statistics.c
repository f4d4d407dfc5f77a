/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Derived figures: shares, ratios, rates. A share of nothing is zero. */
#include "observers/published_statistics.h"

#include <stdbool.h>
#include <string.h>

#include "isa/isa.h"
#include "observers/energy_use.h"
#include "sluice/memory_map.h"

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void put_real(uint64_t *word, double value)
{
    memcpy(word, &value, sizeof(value));
}

/* The figures of each phase of the firmware. */
#define PHASE(PHASE)                                                                               \
    [SL_PHASE_##PHASE] = {SL_STAT_AGG_PHASE_##PHASE##_CYCLES,                                      \
                          SL_STAT_GPU_BLOCKED_##PHASE##_CYCLES,                                    \
                          SL_STAT_GPU_BLOCKED_BETWEEN_##PHASE##_CYCLES}

static const struct {
    enum sl_statistic agg;
    enum sl_statistic blocked;
    enum sl_statistic between;
} phases[SL_PHASE_COUNT] = {
    PHASE(OTHER),    PHASE(POLL),   PHASE(PREDICATE), PHASE(SCHEDULE),
    PHASE(DISPATCH), PHASE(RETIRE), PHASE(YIELD),     PHASE(MAILBOX),
};

/* Where there was no wavefront, all is before the first. */
static void fill_blocked(uint64_t *block, const struct activity *activity)
{
    const bool has_launched = activity->resident_max > 0;
    uint64_t start = 0;
    uint64_t end = 0;

    for (unsigned i = 0; i < SL_PHASE_COUNT; i++) {
        const uint64_t blocked = activity->phase_blocked_cycles[i];
        const uint64_t first = has_launched ? activity->first_blocked_cycles[i] : blocked;
        const uint64_t last = has_launched ? activity->last_blocked_cycles[i] : blocked;
        block[phases[i].blocked] = blocked;
        block[phases[i].between] = last - first;
        start += first;
        end += blocked - last;
    }
    block[SL_STAT_GPU_BLOCKED_START_CYCLES] = start;
    block[SL_STAT_GPU_BLOCKED_END_CYCLES] = end;
}

static void fill_gpu(uint64_t *block, const struct statistics_run *run)
{
    const struct cu_counters *cus = &run->cus;
    const struct front_counters *front = run->front;
    const struct activity *activity = run->activity;
    double cycles = (double)run->gpu_cycles;

    block[SL_STAT_GPU_CYCLES] = run->gpu_cycles;
    put_real(&block[SL_STAT_GPU_ACTIVE_PCT], 100 * ratio((double)activity->active_cycles, cycles));
    put_real(&block[SL_STAT_GPU_STALLED_PCT],
             100 * ratio((double)activity->stalled_cycles, cycles));
    put_real(&block[SL_STAT_GPU_BLOCKED_ON_AGG_PCT],
             100 * ratio((double)activity->blocked_cycles, cycles));
    put_real(&block[SL_STAT_GPU_ISSUE_PCT],
             100 * ratio((double)cus->issue_cycles, cycles * run->simds));
    fill_blocked(block, activity);
    block[SL_STAT_GPU_WAVEFRONTS] = cus->wavefronts;
    block[SL_STAT_GPU_DISPATCHES] = front->dispatches;
    block[SL_STAT_GPU_ELEMENTS] = front->elements;
    block[SL_STAT_GPU_WORKGROUPS] = cus->workgroups;
    block[SL_STAT_GPU_LIMITED_BY_CONTEXTS_CYCLES] = front->limited_cycles[CU_CONTEXTS];
    block[SL_STAT_GPU_LIMITED_BY_REGISTERS_CYCLES] = front->limited_cycles[CU_REGISTERS];
    block[SL_STAT_GPU_LIMITED_BY_LDS_CYCLES] = front->limited_cycles[CU_LDS];
    block[SL_STAT_GPU_YIELDS] = cus->yields;
    block[SL_STAT_GPU_YIELD_BYTES] = cus->yield_bytes;
    block[SL_STAT_GPU_RESTARTS] = cus->restarts;
    block[SL_STAT_GPU_FAULTS] = front->faults;
    block[SL_STAT_GPU_RESIDENT_MAX] = activity->resident_max;
    block[SL_STAT_MEMORY_CHANNEL_BYTES] = 0; /* the host library knows */
    block[SL_STAT_MEMORY_HELP_FIRST_CHANNEL_BYTES] = 0;
    block[SL_STAT_MEMORY_WAVEFRONT_STATE_BYTES] = run->blocks_max * run->block_bytes;
    block[SL_STAT_MEMORY_HELP_FIRST_STATE_BYTES] = activity->resident_max * run->block_bytes;
    put_real(&block[SL_STAT_GPU_SIMD_UTILIZATION_PCT],
             100 * ratio((double)cu_lane_instructions(cus),
                         (double)cu_wave_instructions(cus) * run->lanes));
}

struct bucket {
    enum sl_statistic statistic;
    unsigned first;
};

/* Instructions by active lanes. Each bucket ends where the next one begins, the last one at the
 * widest wavefront. */
static void fill_buckets(uint64_t *block, const struct bucket *buckets, unsigned bucket,
                         const uint64_t instructions[SL_LANES_MAX + 1])
{
    for (unsigned lanes = SL_LANES_MAX; bucket-- > 0;) {
        uint64_t sum = 0;
        for (; lanes >= buckets[bucket].first; lanes--) {
            sum += instructions[lanes];
        }
        block[buckets[bucket].statistic] = sum;
    }
}

static void fill_lanes(uint64_t *block, const struct cu_counters *counters)
{
    static const struct bucket all[] = {
        {SL_STAT_SIMT_LANES_1, 1},      {SL_STAT_SIMT_LANES_2_3, 2},
        {SL_STAT_SIMT_LANES_4_7, 4},    {SL_STAT_SIMT_LANES_8_15, 8},
        {SL_STAT_SIMT_LANES_16_23, 16}, {SL_STAT_SIMT_LANES_24_31, 24},
        {SL_STAT_SIMT_LANES_32_39, 32}, {SL_STAT_SIMT_LANES_40_47, 40},
        {SL_STAT_SIMT_LANES_48_55, 48}, {SL_STAT_SIMT_LANES_56_63, 56},
        {SL_STAT_SIMT_LANES_64, 64},
    };
    static const struct bucket waiting[] = {
        {SL_STAT_SIMT_WAITING_1, 1},
        {SL_STAT_SIMT_WAITING_2_31, 2},
        {SL_STAT_SIMT_WAITING_32_63, 32},
        {SL_STAT_SIMT_WAITING_64, 64},
    };

    fill_buckets(block, all, sizeof(all) / sizeof(all[0]), counters->instructions);
    fill_buckets(block, waiting, sizeof(waiting) / sizeof(waiting[0]), counters->waiting);
}

static void fill_simt(uint64_t *block, const struct cu_counters *counters)
{
    block[SL_STAT_SIMT_WAVE_INSTRUCTIONS] = cu_wave_instructions(counters);
    block[SL_STAT_SIMT_LANE_INSTRUCTIONS] = cu_lane_instructions(counters);
    fill_lanes(block, counters);
    block[SL_STAT_SIMT_BRANCHES] = counters->branches;
    block[SL_STAT_SIMT_DIVERGENT_BRANCHES] = counters->divergent_branches;
    block[SL_STAT_SIMT_UNRECONVERGED_BRANCHES] = counters->unreconverged_branches;
    block[SL_STAT_SIMT_STACK_DEPTH_MAX] = counters->stack_depth_max;
    block[SL_STAT_SIMT_STACK_SPILLS] = counters->stack_spills;
    block[SL_STAT_SIMT_STACK_FILLS] = counters->stack_fills;
    block[SL_STAT_SIMT_CALLS] = counters->calls;
    block[SL_STAT_SIMT_LOADS] = counters->loads;
    block[SL_STAT_SIMT_STORES] = counters->stores;
    block[SL_STAT_SIMT_ATOMICS] = counters->atomics;
    block[SL_STAT_SIMT_LANE_LOADS] = counters->lane_loads;
    block[SL_STAT_SIMT_LANE_STORES] = counters->lane_stores;
    block[SL_STAT_SIMT_PATTERN_UNIT_STRIDE] = counters->pattern[PATTERN_UNIT_STRIDE];
    block[SL_STAT_SIMT_PATTERN_STRIDED] = counters->pattern[PATTERN_STRIDED];
    block[SL_STAT_SIMT_PATTERN_BROADCAST] = counters->pattern[PATTERN_BROADCAST];
    block[SL_STAT_SIMT_PATTERN_SCATTERED] = counters->pattern[PATTERN_SCATTERED];
    block[SL_STAT_SIMT_MISALIGNED] = counters->misaligned;
    block[SL_STAT_SIMT_SPLIT_LANES] = counters->split_lanes;
    block[SL_STAT_SIMT_LINE_ACCESSES] = counters->line_accesses;
    block[SL_STAT_SIMT_LDS_ACCESSES] = counters->lds_accesses;
    block[SL_STAT_SIMT_LDS_CYCLES] = counters->lds_cycles;
    block[SL_STAT_SIMT_LDS_CONFLICT_CYCLES] = counters->lds_conflict_cycles;
    block[SL_STAT_SIMT_BARRIERS] = counters->barriers;
    block[SL_STAT_SIMT_BARRIER_WAIT_CYCLES] = counters->barrier_wait_cycles;
    block[SL_STAT_SIMT_FETCHES] = counters->fetches;
    block[SL_STAT_CHANNEL_CAS_ATTEMPTS] = counters->cas_attempts;
    block[SL_STAT_CHANNEL_CAS_FAILURES] = counters->cas_failures;
    block[SL_STAT_CHANNEL_PUBLISH_WAIT_CYCLES] = counters->publish_wait_cycles;
    block[SL_STAT_LOCK_REQUESTS] = counters->lock_requests;
    block[SL_STAT_LOCK_ACQUIRED] = counters->lock_acquired;
    block[SL_STAT_LOCK_FAILED] = counters->lock_failed;
    block[SL_STAT_LOCK_REFUSED] = counters->lock_refused;
    block[SL_STAT_LOCK_UNLOCKS] = counters->lock_unlocks;
    block[SL_STAT_LOCK_ROUNDS] = counters->lock_rounds;
    block[SL_STAT_LOCK_ROTATIONS] = counters->lock_rotations;
    block[SL_STAT_LOCK_WAIT_CYCLES] = counters->lock_wait_cycles;
}

static void fill_order(uint64_t *block, const struct cu_counters *counters)
{
    block[SL_STAT_ORDER_BLOCKED_CYCLES] = counters->order_blocked_cycles;
    block[SL_STAT_ORDER_BUFFERED_STORES] = counters->order_buffered_stores;
    block[SL_STAT_ORDER_BUFFER_MAX] = counters->order_buffer_max;
    block[SL_STAT_ORDER_DRAIN_WAIT_CYCLES] = counters->order_drain_wait_cycles;
    block[SL_STAT_ORDER_MATCH_WAITS] = counters->order_match_waits;
    block[SL_STAT_ORDER_MATCH_WAIT_CYCLES] = counters->order_match_wait_cycles;
}

static void fill_agg(uint64_t *block, const struct statistics_run *run)
{
    const struct agg_counters *counters = run->agg;
    uint64_t cycles = run->agg_ps / run->agg_cycle_ps;

    block[SL_STAT_AGG_INSTRUCTIONS] = counters->instructions;
    block[SL_STAT_AGG_CYCLES] = cycles;
    put_real(&block[SL_STAT_AGG_IPC], ratio((double)counters->instructions, (double)cycles));
    block[SL_STAT_AGG_BRANCHES] = counters->branches;
    block[SL_STAT_AGG_MISPREDICTIONS] = counters->mispredictions;
    block[SL_STAT_AGG_LOADS] = counters->loads;
    block[SL_STAT_AGG_FORWARDED_LOADS] = counters->forwarded_loads;
    block[SL_STAT_AGG_STORES] = counters->stores;
    block[SL_STAT_AGG_DEVICE_ACCESSES] = counters->device_accesses;
    block[SL_STAT_AGG_FETCHES] = counters->fetches;
    block[SL_STAT_AGG_PASSES] = run->passes;
    memcpy(&block[SL_STAT_AGG_STACK_RETIRING], counters->stack, sizeof counters->stack);
    for (unsigned i = 0; i < SL_PHASE_COUNT; i++) {
        block[phases[i].agg] = run->phase_ps[i] / run->agg_cycle_ps;
    }
}

static void fill_bounds(uint64_t *block, const struct statistics_run *run)
{
    const struct bounds *const bounds = run->bounds;

    block[SL_STAT_THROTTLE_CHANGES] = bounds->changes;
    block[SL_STAT_THROTTLE_TRIES] = bounds->tries;
    block[SL_STAT_THROTTLE_BOUND_LEAST] = bounds->least;
    block[SL_STAT_THROTTLE_BOUND_MOST] = bounds->most;
    block[SL_STAT_THROTTLE_BOUND_LAST] = bounds->last;
    block[SL_STAT_THROTTLE_TRY_CYCLES] = bounds_try_ps(bounds, run->time_ps) / run->gpu_cycle_ps;
}

/* The statistics of the four L1 caches follow each other in one order. */
static void fill_l1(uint64_t *block, enum sl_statistic first, const struct l1_counters *l1)
{
    uint64_t *l1_block = block + (first - SL_STAT_L1D_ACCESSES);

    l1_block[SL_STAT_L1D_ACCESSES] = l1->accesses;
    l1_block[SL_STAT_L1D_HITS] = l1->served[HIT_L1];
    l1_block[SL_STAT_L1D_MISSES] = l1->accesses - l1->served[HIT_L1];
    l1_block[SL_STAT_L1D_MERGES] = l1->served[HIT_MERGED];
    l1_block[SL_STAT_L1D_UPGRADES] = l1->served[HIT_UPGRADE];
    l1_block[SL_STAT_L1D_CACHE_TO_CACHE] = l1->served[HIT_OTHER_L1];
    l1_block[SL_STAT_L1D_FROM_L2] = l1->served[HIT_L2];
    l1_block[SL_STAT_L1D_FROM_DRAM] = l1->served[HIT_DRAM];
    l1_block[SL_STAT_L1D_REPLAYS] = l1->replays;
    l1_block[SL_STAT_L1D_EVICTIONS] = l1->evictions;
    l1_block[SL_STAT_L1D_WRITE_BACKS] = l1->write_backs;
    l1_block[SL_STAT_L1D_SUPPLIED] = l1->supplied;
    l1_block[SL_STAT_L1D_INVALIDATIONS] = l1->invalidations;
    l1_block[SL_STAT_L1D_RECALLS] = l1->recalls;
    l1_block[SL_STAT_L1D_BYTES_IN] = l1->bytes_in;
    l1_block[SL_STAT_L1D_BYTES_OUT] = l1->bytes_out;
}

/* So do those of the three write caches and of the FIFOs beside them. */
static void fill_write_cache(uint64_t *block, enum sl_statistic first,
                             const struct write_cache_counters *wl)
{
    uint64_t *wl_block = block + (first - SL_STAT_WL1_WRITES);

    wl_block[SL_STAT_WL1_WRITES] = wl->writes;
    wl_block[SL_STAT_WL1_COMBINED] = wl->combined;
    wl_block[SL_STAT_WL1_READS] = wl->reads;
    wl_block[SL_STAT_WL1_READ_HITS] = wl->read_hits;
    wl_block[SL_STAT_WL1_PARTIAL] = wl->partial;
    wl_block[SL_STAT_WL1_EVICTIONS] = wl->evictions;
    wl_block[SL_STAT_WL1_BYTES_IN] = wl->bytes_in;
    wl_block[SL_STAT_WL1_BYTES_OUT] = wl->bytes_out;
    wl_block[SL_STAT_WL1_BYTES_COMBINED] = wl->bytes_combined;
    wl_block[SL_STAT_WL1_BYTES_DROPPED] = wl->bytes_dropped;
}

static void fill_fifo(uint64_t *block, enum sl_statistic first, const struct fifo_counters *fifo)
{
    uint64_t *fifo_block = block + (first - SL_STAT_SFIFO1_ENQUEUED);

    fifo_block[SL_STAT_SFIFO1_ENQUEUED] = fifo->enqueued;
    fifo_block[SL_STAT_SFIFO1_FULL] = fifo->full;
    fifo_block[SL_STAT_SFIFO1_RELEASED] = fifo->released;
    fifo_block[SL_STAT_SFIFO1_STALE] = fifo->stale;
}

static void fill_sync(uint64_t *block, const struct sync_counters *sync, uint64_t gpu_cycle_ps)
{
    static const struct {
        enum sl_statistic acquires;
        enum sl_statistic releases;
    } scopes[MEM_SCOPES] = {
        [SL_SCOPE_WAVEFRONT] = {SL_STAT_SYNC_ACQUIRES_WAVEFRONT, SL_STAT_SYNC_RELEASES_WAVEFRONT},
        [SL_SCOPE_WORKGROUP] = {SL_STAT_SYNC_ACQUIRES_WORKGROUP, SL_STAT_SYNC_RELEASES_WORKGROUP},
        [SL_SCOPE_DEVICE] = {SL_STAT_SYNC_ACQUIRES_DEVICE, SL_STAT_SYNC_RELEASES_DEVICE},
        [SL_SCOPE_SYSTEM] = {SL_STAT_SYNC_ACQUIRES_SYSTEM, SL_STAT_SYNC_RELEASES_SYSTEM},
    };

    for (unsigned scope = 0; scope < MEM_SCOPES; scope++) {
        block[scopes[scope].acquires] = sync->acquires[scope];
        block[scopes[scope].releases] = sync->releases[scope];
    }
    block[SL_STAT_SYNC_RELEASE_WAIT_CYCLES] = sync->release_wait_ps / gpu_cycle_ps;
    block[SL_STAT_SYNC_FLUSHED_LINES] = sync->flushed_lines;
    block[SL_STAT_SYNC_INVALIDATED_LINES] = sync->invalidated_lines;
    block[SL_STAT_SYNC_STALE_READS] = sync->stale_reads;
}

_Static_assert(SL_STAT_NETWORK_L1_L1_BYTES == SL_STAT_NETWORK_L1_TRACKER_BYTES + MEM_LEG_L1_L1,
               "legs follow each other as their bytes do");

/* What memory hybrid alone has. */
static void fill_tracker(uint64_t *block, const struct mem_counters *memory)
{
    const struct tracker_counters *tracker = &memory->tracker;
    const struct l1_counters *l1d = &memory->l1[L1D];
    const struct l2_counters *l2 = &memory->l2;

    block[SL_STAT_TRACKER_LOOKUPS] = tracker->lookups;
    block[SL_STAT_TRACKER_HITS] = tracker->hits;
    block[SL_STAT_TRACKER_LOST] = tracker->lost;
    block[SL_STAT_TRACKER_MARKS] = tracker->marks;
    block[SL_STAT_TRACKER_DROPS] = tracker->drops;
    block[SL_STAT_TRACKER_REPORTS] = tracker->reports;
    block[SL_STAT_TRACKER_EVICTIONS] = tracker->evictions;
    block[SL_STAT_L1D_BYPASSED] = l1d->bypassed;
    block[SL_STAT_L1D_FILLS] = l1d->fills;
    block[SL_STAT_L1D_UPDATES] = l1d->updates;
    block[SL_STAT_L2_ATOMIC_BUFFER_HITS] = l2->atomic_buffer_hits;
    block[SL_STAT_L2_ATOMIC_BUFFER_MISSES] = l2->atomic_buffer_misses;
    block[SL_STAT_L2_LINE_READS] = l2->line_reads;
    block[SL_STAT_L2_LINE_WRITES] = l2->line_writes;
    for (unsigned leg = 0; leg < MEM_LEGS; leg++) {
        block[SL_STAT_NETWORK_L1_TRACKER_BYTES + leg] = memory->network_bytes[leg];
    }
}

/* What only some memory systems have. */
static void fill_parts(uint64_t *block, const struct mem_counters *memory)
{
    static const struct {
        enum sl_statistic cache;
        enum sl_statistic fifo;
    } first[MEM_WRITE_CACHES] = {
        {SL_STAT_WL1_WRITES, SL_STAT_SFIFO1_ENQUEUED},
        {SL_STAT_WL2_WRITES, SL_STAT_SFIFO2_ENQUEUED},
        {SL_STAT_WL3_WRITES, SL_STAT_SFIFO3_ENQUEUED},
    };
    const struct l3_counters *l3 = &memory->l3;

    for (unsigned level = 0; level < MEM_WRITE_CACHES; level++) {
        fill_write_cache(block, first[level].cache, &memory->wl[level]);
        fill_fifo(block, first[level].fifo, &memory->sfifo[level]);
    }
    block[SL_STAT_LOCK_QUEUE_RECORDS_MAX] = memory->lock.records_max;
    block[SL_STAT_LOCK_QUEUE_BYTES_TOTAL] = memory->lock.records * MEM_LOCK_RECORD_BYTES;
    fill_tracker(block, memory);
    block[SL_STAT_DIRECTORY_BYTES_IN] = memory->directory.bytes_in;
    block[SL_STAT_DIRECTORY_BYTES_OUT] = memory->directory.bytes_out;
    block[SL_STAT_L3_ACCESSES] = l3->accesses;
    block[SL_STAT_L3_HITS] = l3->hits;
    block[SL_STAT_L3_MISSES] = l3->misses;
    block[SL_STAT_L3_EVICTIONS] = l3->evictions;
    block[SL_STAT_L3_WRITE_BACKS] = l3->write_backs;
    block[SL_STAT_L3_BYTES_IN] = l3->bytes_in;
    block[SL_STAT_L3_BYTES_OUT] = l3->bytes_out;
}

_Static_assert(SL_STAT_AGG_L1D_MISS_RECALL == SL_STAT_AGG_L1D_MISS_COLD + MISS_RECALL,
               "causes of misses follow each other as in enum miss_cause");

static void fill_memory(uint64_t *block, const struct statistics_run *run)
{
    const struct mem_counters *memory = run->memory;
    static const enum sl_statistic first[L1_KINDS] = {
        [L1D] = SL_STAT_L1D_ACCESSES,
        [L1I] = SL_STAT_L1I_ACCESSES,
        [AGG_L1D] = SL_STAT_AGG_L1D_ACCESSES,
        [AGG_L1I] = SL_STAT_AGG_L1I_ACCESSES,
        [FRONT_L1D] = SL_STAT_FRONT_L1D_ACCESSES,
    };
    const struct l1_counters *l1d = &memory->l1[L1D];
    const struct l2_counters *l2 = &memory->l2;

    for (unsigned kind = 0; kind < L1_KINDS; kind++) {
        fill_l1(block, first[kind], &memory->l1[kind]);
    }
    memcpy(&block[SL_STAT_AGG_L1D_MISS_COLD], memory->l1[AGG_L1D].causes,
           sizeof memory->l1[AGG_L1D].causes);
    block[SL_STAT_L1D_MSHRS_MAX] = l1d->mshrs_max;
    block[SL_STAT_L1D_READ_HITS] = l1d->read_hits;
    block[SL_STAT_L1D_READ_AFTER_WRITE_HITS] = l1d->read_after_write_hits;
    block[SL_STAT_L1D_BYTES_IN_DATA] = l1d->bytes_in_data;
    block[SL_STAT_L1D_BYTES_IN_PROBES] = l1d->bytes_in_probes;
    block[SL_STAT_L2_ACCESSES] = l2->accesses;
    block[SL_STAT_L2_HITS] = l2->hits;
    block[SL_STAT_L2_MISSES] = l2->misses;
    block[SL_STAT_L2_EVICTIONS] = l2->evictions;
    block[SL_STAT_L2_WRITE_BACKS] = l2->write_backs;
    block[SL_STAT_L2_L1_BYTES_IN] = l2->l1_bytes_in;
    block[SL_STAT_L2_L1_BYTES_OUT] = l2->l1_bytes_out;
    block[SL_STAT_L2_DRAM_BYTES_IN] = l2->dram_bytes_in;
    block[SL_STAT_L2_DRAM_BYTES_OUT] = l2->dram_bytes_out;
    block[SL_STAT_DRAM_ROW_HITS] = memory->dram_row_hits;
    block[SL_STAT_DRAM_READS] = memory->dram_reads;
    block[SL_STAT_DRAM_WRITES] = memory->dram_writes;
    block[SL_STAT_DRAM_BYTES] =
        (memory->dram_reads + memory->dram_writes) * memory->dram_line_bytes;
    put_real(&block[SL_STAT_DRAM_UTILIZATION_PCT],
             100 *
                 ratio((double)memory->dram_busy_ps, (double)run->time_ps * memory->dram_channels));
}

static const double ps_per_ns = 1000;

static void put_mean(uint64_t *word, const struct sl_histogram *times)
{
    put_real(word, ratio((double)times->sum, (double)times->count) / ps_per_ns);
}

static void put_quantile(uint64_t *word, const struct sl_histogram *times, uint32_t per_mille)
{
    put_real(word, (double)sl_histogram_quantile(times, per_mille) / ps_per_ns);
}

/* What table and device have for a histogram of elements. */
#define ELEMENT_TIMES(ID)                                                                          \
    {                                                                                              \
        SL_STAT_LATENCY_##ID##ELEMENTS, SL_STAT_LATENCY_##ID##MEAN_NS,                             \
            SL_STAT_LATENCY_##ID##P50_NS, SL_STAT_LATENCY_##ID##P90_NS,                            \
            SL_STAT_LATENCY_##ID##P99_NS, SL_STAT_LATENCY_##ID##MAX_NS                             \
    }

struct element_times {
    enum sl_statistic elements;
    enum sl_statistic mean;
    enum sl_statistic p50;
    enum sl_statistic p90;
    enum sl_statistic p99;
    enum sl_statistic max;
};

static void fill_times(uint64_t *block, const struct element_times *id,
                       const struct sl_histogram *times)
{
    block[id->elements] = times->count;
    put_mean(&block[id->mean], times);
    put_quantile(&block[id->p50], times, 500);
    put_quantile(&block[id->p90], times, 900);
    put_quantile(&block[id->p99], times, 990);
    put_quantile(&block[id->max], times, 1000);
}

static void fill_latency(uint64_t *block, const struct sl_element_latency *latency)
{
    static const struct element_times ready = ELEMENT_TIMES();
    static const struct element_times dispatched = ELEMENT_TIMES(DISPATCHED_);

    fill_times(block, &ready, &latency->ready);
    fill_times(block, &dispatched, &latency->dispatched);
}

static void fill_races(uint64_t *block, const struct race_counters *told)
{
    static const struct race_counters none;
    const struct race_counters *races = told != NULL ? told : &none;

    block[SL_STAT_RACE_ORDINARY] = races->races[RACE_ORDINARY];
    block[SL_STAT_RACE_SYNCHRONIZATION] = races->races[RACE_SYNCHRONIZATION];
    block[SL_STAT_RACE_ACCESSES] = races->accesses;
    block[SL_STAT_RACE_SYNC_OPERATIONS] = races->sync_operations;
}

static void fill_host(uint64_t *block, const struct host_store_counters *feed,
                      const struct sl_histogram *request)
{
    block[SL_STAT_HOST_MESSAGES] = feed->messages;
    block[SL_STAT_HOST_ELEMENTS] = feed->elements;
    block[SL_STAT_HOST_FULL] = feed->full;
    block[SL_STAT_HOST_DROPPED] = feed->dropped;
    put_real(&block[SL_STAT_HOST_WAIT_NS],
             ratio((double)feed->wait_ps, (double)feed->messages) / ps_per_ns);
    block[SL_STAT_REQUEST_ELEMENTS] = request->count;
    put_mean(&block[SL_STAT_REQUEST_MEAN_NS], request);
    put_quantile(&block[SL_STAT_REQUEST_P50_NS], request, 500);
    put_quantile(&block[SL_STAT_REQUEST_P90_NS], request, 900);
    put_quantile(&block[SL_STAT_REQUEST_P99_NS], request, 990);
    put_quantile(&block[SL_STAT_REQUEST_P99_9_NS], request, 999);
    put_quantile(&block[SL_STAT_REQUEST_MAX_NS], request, 1000);
}

/* Of task vectors and queues, which the host library and their memory know. */
static void fill_tasks(uint64_t *block)
{
    for (int id = SL_STAT_TREES_EPOCHS; id <= SL_STAT_TASKS_DEVICE_MAX; id++) {
        block[id] = 0;
    }
}

static void fill_energy(uint64_t *block, const struct statistics_run *run)
{
    const struct energy energy = run->energy != NULL
                                     ? energy_of(run->energy, run->memory, run->time_ps)
                                     : (struct energy){.l1 = 0};

    put_real(&block[SL_STAT_ENERGY_L1_PJ], energy.l1);
    put_real(&block[SL_STAT_ENERGY_TRACKER_PJ], energy.tracker);
    put_real(&block[SL_STAT_ENERGY_L2_PJ], energy.l2);
    put_real(&block[SL_STAT_ENERGY_NETWORK_PJ], energy.network);
    put_real(&block[SL_STAT_ENERGY_DRAM_PJ], energy.dram);
    put_real(&block[SL_STAT_ENERGY_DYNAMIC_PJ], energy.dynamic);
    put_real(&block[SL_STAT_ENERGY_LEAKAGE_PJ], energy.leakage);
    put_real(&block[SL_STAT_ENERGY_AREA_MM2], run->energy != NULL ? run->energy->area_mm2 : 0);
}

void statistics_fill(uint64_t block[SL_STAT_COUNT], const struct statistics_run *run)
{
    fill_gpu(block, run);
    fill_simt(block, &run->cus);
    fill_order(block, &run->cus);
    fill_agg(block, run);
    fill_memory(block, run);
    fill_parts(block, run->memory);
    fill_sync(block, &run->memory->sync, run->gpu_cycle_ps);
    fill_latency(block, run->latency);
    fill_races(block, run->races);
    fill_host(block, run->feed, run->request);
    fill_bounds(block, run);
    fill_energy(block, run);
    fill_tasks(block);
    put_real(&block[SL_STAT_SIM_WALL_S], run->wall_s);
    put_real(&block[SL_STAT_SIM_WAVE_INSTRUCTIONS_PER_S],
             ratio((double)cu_wave_instructions(&run->cus), run->wall_s));
}
