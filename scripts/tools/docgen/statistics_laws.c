/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The laws that hold between statistics, which the tests check: a block for each condition. */
#include <stdio.h>

#include "statistics_laws.h"

static const struct {
    const char *when;
    const char *laws;
} blocks[] = {
    {"Always",
     "gpu.active_pct + gpu.stalled_pct + gpu.blocked_on_agg_pct = 100\n"
     "sum of gpu.blocked.*_cycles of all phases = gpu.blocked_on_agg_pct / 100 x gpu.cycles\n"
     "gpu.blocked.start_cycles + sum of gpu.blocked.between.*_cycles + gpu.blocked.end_cycles = "
     "this sum\n"
     "gpu.blocked.between.*_cycles <= gpu.blocked.*_cycles of the same phase\n"
     "sum of agg.phase.*_cycles = agg.cycles\n"
     "agg.ipc = agg.instructions / agg.cycles\n"
     "gpu.restarts <= gpu.yields\n"
     "gpu.simd_utilization_pct = 100 x simt.lane_instructions / (simt.wave_instructions x lanes)\n"
     "sum of simt.lanes.* = simt.wave_instructions\n"
     "simt.lane_instructions is within the bounds of the buckets simt.lanes.*\n"
     "simt.waiting.* <= simt.lanes.* of the same lanes\n"
     "simt.pattern.unit_stride + strided + broadcast + scattered\n"
     "    = simt.loads + simt.stores + simt.atomics\n"
     "simt.misaligned <= simt.loads + simt.stores\n"
     "simt.unreconverged_branches <= simt.divergent_branches <= simt.branches\n"
     "channel.cas_failures <= channel.cas_attempts\n"
     "lock.requests = lock.acquired + lock.failed + lock.refused\n"
     "lock.acquired = lock.unlocks\n"
     "memory.help_first_state_bytes <= memory.wavefront_state_bytes\n"
     "l3.hits + l3.misses = l3.accesses\n"
     "energy.l1_pj + tracker_pj + l2_pj + network_pj + dram_pj = energy.dynamic_pj\n"},
    {"In each L1 cache, and the first law also in `l2`",
     "hits + misses = accesses\n"
     "merges + upgrades + cache_to_cache + from_l2 + from_dram = misses\n"
     "sum of supplied = sum of cache_to_cache, over the L1 caches\n"},
    {"In `wl1`, `wl2` and `wl3`", "bytes_in = bytes_out + bytes_combined + bytes_dropped\n"
                                  "combined <= writes\n"
                                  "read_hits + partial <= reads\n"},
    {"With memory `moesi`, in each L1 cache, or summed over the L1 caches",
     "bytes_in = 64 x (cache_to_cache + from_l2 + from_dram)\n"
     "bytes_out = 64 x (write_backs + supplied)\n"
     "sum of bytes_in = l2.l1_bytes_out + 64 x sum of cache_to_cache\n"
     "64 x sum of write_backs = l2.l1_bytes_in\n"
     "sum of from_dram = l2.misses\n"},
    {"With memory `moesi`",
     "l1d.read_after_write_hits <= l1d.read_hits <= l1d.hits\n"
     "l1d.bytes_in_data = l1d.bytes_in\n"
     "l1d.bytes_in_probes >= 8 x (l1d.recalls + l1d.invalidations)\n"
     "l2.dram_bytes_in = directory.bytes_out = 64 x l2.misses\n"
     "l2.dram_bytes_out = directory.bytes_in = 64 x l2.write_backs\n"
     "without an L3: dram.reads = l2.misses, dram.writes = l2.write_backs\n"
     "with an L3: l3.accesses = l2.misses, dram.reads = l3.misses, dram.writes = l3.write_backs,\n"
     "    l3.bytes_out = directory.bytes_out, l3.bytes_in = directory.bytes_in\n"
     "with --kernel-profile, sum of kernel.*.line_accesses = l1d.accesses, of kernel.*.l1_misses "
     "=\n"
     "    l1d.misses\n"
     "sum of served.cuN.*.PLACE = hits, merges, upgrades, cache_to_cache, from_l2, from_dram of "
     "l1d,\n"
     "    in the order of the places above; of served.agg.*.PLACE, those of agg_l1d\n"
     "with mem.matrix, sum of served.STRUCTURE.cus.*.PLACE, of served.STRUCTURE.agg.*.PLACE: "
     "likewise\n"},
    {"With memory `hybrid`; the laws of `tracker.*` only with trackers",
     "l2.dram_bytes_in = l2.line x dram.reads\n"
     "l2.dram_bytes_out = l2.line x dram.writes\n"
     "l1d.bytes_in_data = l1d.bytes_in\n"
     "load misses of l1d = l1d.merges + tracker.lookups + coherent loads (sl.load; lr is an "
     "atomic)\n"
     "tracker.hits = l1d.cache_to_cache\n"
     "tracker.hits + tracker.lost <= tracker.lookups\n"
     "tracker.evictions <= tracker.marks\n"},
    {"With `latency.measure`",
     "latency.elements = gpu.elements\n"
     "latency.p50_ns <= latency.p90_ns <= latency.p99_ns <= latency.max_ns\n"
     "latency.mean_ns <= latency.max_ns\n"
     "latency.dispatched_elements = latency.elements; latency.dispatched_* in the same order\n"
     "sum of latency.*.ready_elements = latency.elements; of dispatched_elements likewise\n"
     "sum of latency.*.ready_mean_ns x ready_elements = latency.mean_ns x latency.elements; of\n"
     "    dispatched_mean_ns likewise\n"},
    {"With `--kernel-profile`", "sum of kernel.*.wave_instructions = simt.wave_instructions\n"
                                "sum of kernel.*.lane_instructions = simt.lane_instructions\n"
                                "sum of kernel.KERNEL.cycles.* = kernel.KERNEL.resident_cycles\n"},
    {"With each memory system except `flat`",
     "sum of load_latency.cus.* = sum of served.cuN.loads.*\n"
     "sum of load_latency.agg.* = sum of served.agg.loads.*\n"},
};

void docgen_laws(void)
{
    printf("\n## Laws\n\n"
           "Every run that completes obeys these equations. Percentages and ratios are rounded; a "
           "ratio whose divisor is zero is zero.\n");
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        printf("\n%s:\n\n```\n%s```\n", blocks[i].when, blocks[i].laws);
    }
}
