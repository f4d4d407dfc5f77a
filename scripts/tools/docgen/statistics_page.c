/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* docs/look-up/statistics.md: every figure, and the laws that hold between them. */
#include <stdio.h>
#include <string.h>

#include "docgen.h"
#include "sluice/registers.h"
#include "sluice/served.h"

struct statistic_row {
    const char *name;
    const char *kind;
    const char *unit;
    const char *sentence;
};

static const struct statistic_row statistics[] = {
#define SL_STATISTIC(ID, name, kind, unit, together, text) {name, #kind, unit, text},
#include "contract/statistics.def"
#undef SL_STATISTIC
};

struct served_row {
    const char *name;
    const char *sentence;
};

static const struct served_row kinds[] = {
#define SL_SERVED_KIND(ID, name, text) {name, text},
#include "contract/served.def"
};
static const struct served_row places[] = {
#define SL_SERVED_PLACE(ID, name, text) {name, text},
#include "contract/served.def"
};
static const struct served_row structures[] = {
#define SL_SERVED_STRUCTURE(ID, name, text) {name, text},
#include "contract/served.def"
};
static const struct served_row stalls[] = {
#define SL_STALL(ID, name, words, text) {name, text},
#include "contract/stalls.def"
};

static const struct {
    const char *group;
    const char *title;
} groups[] = {
    {"gpu", "Accelerator"},
    {"simt", "Wavefront instructions"},
    {"channel", "Channels"},
    {"latency", "Latency of channel elements (latency.measure)"},
    {"memory", "Memory"},
    {"agg", "Aggregator"},
    {"sim", "Simulator"},
    {"l1d", "L1 data caches of the compute units (not of memory system flat)"},
    {"l1i", "Instruction cache of the compute units"},
    {"agg_l1d", "L1 data cache of the aggregator"},
    {"agg_l1i", "L1 instruction cache of the aggregator"},
    {"l2", "L2 cache and directory"},
    {"wl1", "Write caches of the compute units (memory system quickrelease)"},
    {"wl2", "Write cache beside the L2 (memory system quickrelease)"},
    {"wl3", "Write cache in front of the directory (memory system quickrelease)"},
    {"sfifo1", "Synchronization FIFO beside wl1"},
    {"sfifo2", "Synchronization FIFO beside wl2"},
    {"sfifo3", "Synchronization FIFO beside wl3"},
    {"tracker", "Sharing trackers (memory system hybrid)"},
    {"network", "Bytes on the network, by where from and where to (memory system hybrid)"},
    {"directory", "Between the caches of the compute units and the directory"},
    {"l3", "L3 cache in front of DRAM"},
    {"sync", "Synchronization, of memory systems that are told of it"},
    {"lock", "Locks"},
    {"dram", "DRAM"},
    {"energy", "Energy (memory system hybrid)"},
};

static const char *const laws[] = {
    "`gpu.active_pct` + `gpu.stalled_pct` + `gpu.blocked_on_agg_pct` = 100",
    "`simt.pattern.unit_stride` + `simt.pattern.strided` + `simt.pattern.broadcast` + "
    "`simt.pattern.scattered` = `simt.loads` + `simt.stores` + `simt.atomics`",
    "`simt.misaligned` <= `simt.loads` + `simt.stores`",
    "the sum of `agg.phase.*_cycles` = `agg.cycles`",
    ("`gpu.blocked.poll_cycles` + `predicate` + `schedule` + `dispatch` + `retire` + `yield` + "
     "`mailbox` + `other` = `gpu.blocked_on_agg_pct` / 100 x `gpu.cycles`; "
     "`gpu.blocked.start_cycles` + `gpu.blocked.end_cycles` are at most that"),
    "`agg.ipc` = `agg.instructions` / `agg.cycles`",
    ("`gpu.simd_utilization_pct` = 100 x `simt.lane_instructions` / (`simt.wave_instructions` x "
     "lanes)"),
    ("the sum of `simt.lanes.*` = `simt.wave_instructions`; `simt.lane_instructions` is what the "
     "buckets' least and most allow"),
    "each of `simt.waiting.*` is at most the `simt.lanes.*` of the same lanes together",
    "`simt.unreconverged_branches` <= `simt.divergent_branches` <= `simt.branches`",
    "`channel.cas_failures` <= `channel.cas_attempts`",
    ("`lock.requests` = `lock.acquired` + `lock.failed` + `lock.refused`; `lock.acquired` = "
     "`lock.unlocks`"),
    "`gpu.restarts` <= `gpu.yields`",
    ("with `latency.measure`: `latency.elements` = `gpu.elements`; `latency.p50_ns` <= "
     "`latency.p90_ns` <= `latency.p99_ns` <= `latency.max_ns`; `latency.mean_ns` <= "
     "`latency.max_ns`"),
    "`memory.help_first_state_bytes` <= `memory.wavefront_state_bytes`",
    "in `l1d`, `l1i`, `agg_l1d`, `agg_l1i` and `l2`: `hits` + `misses` = `accesses`",
    ("in each L1 cache: `merges` + `upgrades` + `cache_to_cache` + `from_l2` + `from_dram` = "
     "`misses`; summed over the L1 caches: `supplied` = `cache_to_cache`"),
    ("with memory system moesi, in each L1 cache: `bytes_in` = 64 x (`cache_to_cache` + `from_l2` "
     "+ "
     "`from_dram`); `bytes_out` = 64 x (`write_backs` + `supplied`); summed over the L1 caches: "
     "`bytes_in` = `l2.l1_bytes_out` + 64 x `cache_to_cache`; 64 x `write_backs` = "
     "`l2.l1_bytes_in`; `from_dram` = `l2.misses`; the other memory systems move parts of lines, "
     "too"),
    ("with memory system moesi: `l1d.read_after_write_hits` <= `l1d.read_hits` <= `l1d.hits`; "
     "`l1d.bytes_in_data` = `l1d.bytes_in`; `l1d.bytes_in_probes` >= 8 x (`l1d.recalls` + "
     "`l1d.invalidations`)"),
    ("with memory system moesi: `l2.dram_bytes_in` = 64 x `l2.misses`; `l2.dram_bytes_out` = 64 x "
     "`l2.write_backs`; `directory.bytes_out` = `l2.dram_bytes_in`; `directory.bytes_in` = "
     "`l2.dram_bytes_out`; without an L3 `dram.reads` = `l2.misses` and `dram.writes` = "
     "`l2.write_backs`; with one `l3.accesses` = `l2.misses`, `dram.reads` = `l3.misses`, "
     "`dram.writes` = `l3.write_backs`, `l3.bytes_out` = `directory.bytes_out` and `l3.bytes_in` = "
     "`directory.bytes_in`"),
    ("with memory system hybrid: `l2.dram_bytes_in` = `l2.line` x `dram.reads`; "
     "`l2.dram_bytes_out` = `l2.line` x `dram.writes`; `l1d.bytes_in_data` = `l1d.bytes_in`"),
    ("with memory system hybrid and trackers: misses of loads in `l1d` = `l1d.merges` + "
     "`tracker.lookups` + coherent loads (`sl.load`; `lr` is an atomic); `tracker.hits` = "
     "`l1d.cache_to_cache`; `tracker.hits` + `tracker.lost` <= `tracker.lookups`; "
     "`tracker.evictions` <= `tracker.marks`; without trackers `tracker.*` are 0"),
    "`l3.hits` + `l3.misses` = `l3.accesses`",
    ("in each of `wl1`, `wl2` and `wl3`: `bytes_in` = `bytes_out` + `bytes_combined` + "
     "`bytes_dropped`; `combined` <= `writes`; `read_hits` + `partial` <= `reads`"),
    ("with memory system moesi, summed over compute units and kinds: `served.cuN.*.PLACE` is "
     "`hits`, `merges`, `upgrades`, `cache_to_cache`, `from_l2` or `from_dram` of `l1d`, in the "
     "order of the places above, and `served.agg.*.PLACE` that of `agg_l1d`; with `mem.matrix` so "
     "is the sum of `served.STRUCTURE.cus.*.PLACE`, and of `served.STRUCTURE.agg.*.PLACE`"),
    ("`energy.l1_pj` + `energy.tracker_pj` + `energy.l2_pj` + `energy.network_pj` + "
     "`energy.dram_pj` = `energy.dynamic_pj`"),
    ("with `--kernel-profile`: the sum of `kernel.*.wave_instructions` is "
     "`simt.wave_instructions`, that of `kernel.*.lane_instructions` `simt.lane_instructions`; "
     "with memory system moesi that of `kernel.*.line_accesses` is `l1d.accesses`, and that of "
     "`kernel.*.l1_misses` `l1d.misses`; the sum of `kernel.KERNEL.cycles.*` is "
     "`kernel.KERNEL.resident_cycles`"),
    ("the sum of `load_latency.cus.*` is that of `served.cuN.loads.*`, the sum of "
     "`load_latency.agg.*` that of `served.agg.loads.*`"),
};

static const char *group_title(const char *group, size_t length)
{
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        if (strlen(groups[i].group) == length && memcmp(groups[i].group, group, length) == 0) {
            return groups[i].title;
        }
    }
    return "Others";
}

static void print_axis(const char *title, const struct served_row *rows, size_t count)
{
    printf("\n| %s | |\n|---|---|\n", title);
    for (size_t i = 0; i < count; i++) {
        printf("| `%s` | ", rows[i].name);
        docgen_text(rows[i].sentence);
        printf(" |\n");
    }
}

#define AXIS(title, rows) print_axis(title, rows, sizeof(rows) / sizeof((rows)[0]))

static void print_served(void)
{
    printf(
        "\n## Where data accesses were served\n\n"
        "With each memory system but flat, `--stats` has besides, as line accesses (fetches are "
        "none):\n\n"
        "- `served.REQUESTER.KIND.PLACE`, of each requester: `cu0`, `cu1`, ..., `agg`;\n"
        "- `served.STRUCTURE.SIDE.KIND.PLACE`, where `mem.matrix` is on: by what the line belongs "
        "to, for all compute units together (`cus`) and for the aggregator (`agg`);\n"
        "- `load_latency.SIDE.from_N`: loads that were done after at least N whole CU cycles, and "
        "less than the next N: 0, then powers of two from 1 to %u, of which the last has no end. "
        "From the slot of the port to memory that the line was given to its data; the aggregator "
        "counts in CU cycles too.\n\n"
        "In C: `sl_statistic_served()`. The device keeps them as a `struct sl_served` at offset "
        "`0x%x` of its window.\nResults of `sluice sweep` have them in `results.jsonl` only.\n",
        1u << (SL_LATENCY_BINS - 2), (unsigned)SL_REG_SERVED);
    AXIS("KIND", kinds);
    AXIS("PLACE", places);
    AXIS("STRUCTURE", structures);
}

static void print_sharing(void)
{
    printf("\n## Who shares what\n\n"
           "With `mem.sharing`, `--stats` has besides `sharing.KERNEL.aN_USE.FIGURE`, "
           "`sharing.KERNEL.patterns.PATTERN`, `sharing_allocation.aN.address`, "
           "`sharing_allocation.aN.bytes`, and\n`sharing_lost`: launches, by allocation, for whose "
           "figures there was no room. [memory-moesi.md](memory-moesi.md#who-shares-what) has "
           "them.\n");
}

static void print_kernels(void)
{
    printf(
        "\n## Kernels\n\n"
        "With `--kernel-profile`, `--stats` has besides, of each kernel by its name, those of one "
        "name together:\n\n"
        "| name | unit | meaning |\n|---|---|---|\n"
        "| `kernel.KERNEL.wave_instructions` | instructions | Wavefront instructions. |\n"
        "| `kernel.KERNEL.lane_instructions` | instructions | The same for each active lane. |\n"
        "| `kernel.KERNEL.line_accesses` | accesses | Line accesses to the L1 data caches. |\n"
        "| `kernel.KERNEL.l1_misses` | accesses | Those that these did not serve. |\n"
        "| `kernel.KERNEL.l2_misses` | accesses | Those that the L2 did not serve either. |\n"
        "| `kernel.KERNEL.resident_cycles` | CU cycles | Time that its wavefronts held contexts, "
        "added up: the sum of the following. |\n");
    for (size_t i = 0; i < sizeof stalls / sizeof stalls[0]; i++) {
        printf("| `kernel.KERNEL.cycles.%s` | CU cycles | ", stalls[i].name);
        docgen_text(stalls[i].sentence);
        printf(" |\n");
    }
    printf("\n[profile.md](../do/profile.md#where-a-kernel-spends-its-time) says how to read them. "
           "In C: `sl_kernel_reasons()`.\n");
}

void docgen_statistics(void)
{
    docgen_title("Statistics", "`hal/contract/statistics.def`");
    printf(
        "What a run measured. `--stats FILE` of a program writes all figures as one flat JSON "
        "object of these names and\nnumbers; in C they are `sl_statistic_count()` and "
        "`sl_statistic_real()`. They cover one graph or launch: from mark\n`BEGIN` to mark `END` "
        "of the firmware; after `sl_statistics_accumulate()`, all that a program runs. The device "
        "keeps them as one 64-bit word each in this order at offset `0x%x` of its window.\n\n"
        "The same program, input and configuration give the same figures to the last bit; only "
        "those under `sim.` may differ.\nA figure is an integer, or, where it is marked with `*`, "
        "a floating-point number.\n\n",
        (unsigned)SL_REG_STATISTICS);

    const char *last = "";
    size_t last_length = 0;
    for (size_t i = 0; i < sizeof statistics / sizeof statistics[0]; i++) {
        const struct statistic_row *row = &statistics[i];
        size_t length = strcspn(row->name, ".");
        if (length != last_length || memcmp(row->name, last, length) != 0) {
            printf("%s## %s\n\n| name | unit | meaning |\n|---|---|---|\n", i == 0 ? "" : "\n",
                   group_title(row->name, length));
            last = row->name;
            last_length = length;
        }
        printf("| `%s`%s | ", row->name, strcmp(row->kind, "REAL") == 0 ? " *" : "");
        docgen_text(row->unit);
        printf(" | ");
        docgen_text(row->sentence);
        printf(" |\n");
    }

    print_served();
    print_sharing();
    print_kernels();
    printf("\n## Laws\n\nThey hold in every run that completes (percentages and ratios up to "
           "rounding; a ratio whose divisor is\nzero is zero).\n\n");
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        printf("- %s\n", laws[i]);
    }
}
