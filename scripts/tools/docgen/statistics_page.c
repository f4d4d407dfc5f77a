/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* docs/look-up/statistics.md: every statistic, by groups. Equal caches have one table, and figures
 * whose names differ in a number or a phase one row. Every statistic is printed once: one that no
 * group names gets a table of its own at the end. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "docgen.h"
#include "sluice/registers.h"
#include "sluice/served.h"
#include "statistics_laws.h"

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

#define STATISTIC_COUNT (sizeof statistics / sizeof statistics[0])

struct served_row {
    const char *name;
    const char *sentence;
};

static const char *const kinds[] = {
#define SL_SERVED_KIND(ID, name, text) name,
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
    const char *title;
    const char *prefixes[8];
} groups[] = {
    {"Accelerator", {"gpu", "throttle"}},
    {"Wavefront instructions", {"simt"}},
    {"Memory order and channels", {"order", "channel"}},
    {"Locks", {"lock"}},
    {"Latency of elements, messages and requests", {"latency", "host", "request"}},
    {"Races", {"race"}},
    {"Memory of a graph", {"memory"}},
    {"Aggregator", {"agg"}},
    {"L1 caches", {"l1d", "l1i", "agg_l1d", "agg_l1i", "front_l1d"}},
    {"L2, directory, L3 and DRAM", {"l2", "directory", "l3", "dram"}},
    {"Memory `quickrelease`", {"wl1", "wl2", "wl3", "sfifo1", "sfifo2", "sfifo3"}},
    {"Memory `hybrid`", {"tracker", "network", "energy"}},
    {"Synchronization", {"sync"}},
    {"Task vectors and shared tasks", {"trees", "tasks"}},
    {"Simulator", {"sim"}},
};

#define GROUP_COUNT (sizeof groups / sizeof groups[0])

/* Parts of the machine that have the statistics of the first one, too. */
static const struct {
    const char *first;
    const char *others[4];
    const char *about;
} families[] = {
    {"l1d",
     {"l1i", "agg_l1d", "agg_l1i", "front_l1d"},
     "the instruction caches, the aggregator and the front end (`front.memory`)"},
    {"wl1", {"wl2", "wl3"}, "the write caches beside the L2 and in front of the directory"},
    {"sfifo1", {"sfifo2", "sfifo3"}, "the FIFOs beside these caches"},
};

#define FAMILY_COUNT (sizeof families / sizeof families[0])

/* Statistics that share a row. Where `like` is not NULL, the part that replaces the * makes of it
 * the name of a statistic, too. */
static const struct pattern {
    const char *name;
    const char *like;
    const char *meaning;
} patterns[] = {
    {"gpu.blocked.*_cycles", "agg.phase.*_cycles",
     "Blocked time by phase of the firmware, as agg.phase.*_cycles. A cycle counts for the phase "
     "at the cycle's end."},
    {"gpu.blocked.between.*_cycles", "agg.phase.*_cycles",
     "The part of gpu.blocked.*_cycles after the first wavefront's launch and before the last "
     "one's."},
    {"simt.lanes.*", NULL, "Wavefront instructions by number of active lanes."},
    {"simt.waiting.*", NULL,
     "Wavefront instructions that only wait: between two pauses at one address, without a store."},
    {"latency.p*_ns", NULL,
     "Time that this percentage of elements does not exceed, 0 to 0.8 % above the exact time. For "
     "several runs: the mean, weighted by elements."},
    {"latency.dispatched_p*_ns", NULL,
     "Like latency.p*_ns, for the times of latency.dispatched_mean_ns."},
    {"request.p*_ns", NULL, "Like latency.p*_ns, for the times of request.mean_ns."},
    {"sync.acquires.*", NULL,
     "Acquires by scope; packets, restarts and fences count as device. All sync.* are 0 with "
     "memory flat and moesi, which are coherent."},
    {"sync.releases.*", NULL,
     "Releases by scope; wavefront ends, yields and fences count as device."},
};

#define PATTERN_COUNT (sizeof patterns / sizeof patterns[0])

static bool is_statistic(const char *name)
{
    for (size_t i = 0; i < STATISTIC_COUNT; i++) {
        if (strcmp(statistics[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool matches(const struct pattern *pattern, const char *name)
{
    const size_t head = strcspn(pattern->name, "*");
    const char *const tail = pattern->name + head + 1;
    const size_t length = strlen(name);
    if (length <= head + strlen(tail) || strncmp(name, pattern->name, head) != 0 ||
        strcmp(name + length - strlen(tail), tail) != 0) {
        return false;
    }
    return pattern->like == NULL ||
           is_statistic(docgen_fill(pattern->like, name + head, length - head - strlen(tail)).text);
}

static const struct pattern *pattern_of(const char *name)
{
    for (size_t i = 0; i < PATTERN_COUNT; i++) {
        if (matches(&patterns[i], name)) {
            return &patterns[i];
        }
    }
    return NULL;
}

static bool is_of(const char *name, const char *prefix)
{
    const size_t length = strcspn(name, ".");
    return strlen(prefix) == length && memcmp(prefix, name, length) == 0;
}

/* Whether another member of its family has the statistic, too; `is_copy` says whether that one is
 * printed in its place. */
static bool is_shared(const char *name, bool *is_copy)
{
    const char *const rest = name + strcspn(name, ".");
    *is_copy = false;
    for (size_t i = 0; i < FAMILY_COUNT; i++) {
        struct docgen_name other;
        if (is_of(name, families[i].first)) {
            snprintf(other.text, sizeof other.text, "%s%s", families[i].others[0], rest);
            return is_statistic(other.text);
        }
        for (size_t j = 0; j < 4 && families[i].others[j] != NULL; j++) {
            snprintf(other.text, sizeof other.text, "%s%s", families[i].first, rest);
            if (is_of(name, families[i].others[j]) && is_statistic(other.text)) {
                *is_copy = true;
                return true;
            }
        }
    }
    return false;
}

/* The first of those that share a row stands for all of them. */
static bool is_first_of_pattern(size_t index, const struct pattern *pattern)
{
    for (size_t i = 0; i < index; i++) {
        if (matches(pattern, statistics[i].name)) {
            return false;
        }
    }
    return true;
}

/* Whether a table has a row for the statistic: of those that caches share, or of the others. */
static bool has_row(size_t index, const char *const *prefixes, size_t count, bool shared)
{
    const char *const name = statistics[index].name;
    const struct pattern *const pattern = pattern_of(name);
    bool is_copy;
    if (is_shared(name, &is_copy) != shared || is_copy ||
        (pattern != NULL && !is_first_of_pattern(index, pattern))) {
        return false;
    }
    for (size_t i = 0; i < count && prefixes[i] != NULL; i++) {
        if (is_of(name, prefixes[i])) {
            return true;
        }
    }
    return false;
}

/* Whether the name says the unit, as a part, or the sentence, as its first word. */
static bool says_unit(const char *name, const char *sentence, const char *unit)
{
    const size_t length = strlen(unit);
    const bool is_in_name = strcmp(unit, "%") == 0 ? strstr(name, "_pct") != NULL
                                                   : length > 0 && strstr(name, unit) != NULL;
    return is_in_name || (length > 0 && tolower((unsigned char)sentence[0]) == unit[0] &&
                          strncmp(sentence + 1, unit + 1, length - 1) == 0);
}

static void print_row(const struct statistic_row *row)
{
    const struct pattern *const pattern = pattern_of(row->name);
    const char *const name = pattern != NULL ? pattern->name : row->name;
    const char *const sentence = pattern != NULL ? pattern->meaning : row->sentence;
    const char *const cycles = strstr(row->unit, "cycles");
    const char *const unit = cycles != NULL ? cycles : row->unit;
    printf("| `%s`%s", name, strcmp(row->kind, "REAL") == 0 ? "\\*" : "");
    if (!says_unit(name, sentence, unit)) {
        printf(" (");
        docgen_text(unit);
        printf(")");
    }
    printf(" | ");
    docgen_cell(sentence);
    printf(" |\n");
}

/* What has no room in the cells of a row: names that share it, further sentences. */
static bool print_note(const struct statistic_row *row, bool is_first)
{
    const struct pattern *const pattern = pattern_of(row->name);
    const char *const rest = docgen_rest(pattern != NULL ? pattern->meaning : row->sentence);
    if (rest[0] == '\0' && (pattern == NULL || pattern->like != NULL)) {
        return false;
    }
    printf("%s- `%s`", is_first ? "\n" : "", pattern != NULL ? pattern->name : row->name);
    for (size_t i = 0, found = 0; pattern != NULL && i < STATISTIC_COUNT; i++) {
        if (matches(pattern, statistics[i].name)) {
            printf("%s `%s`", found == 0 ? ":" : ",", statistics[i].name);
            found++;
        }
    }
    printf(pattern == NULL ? ": " : rest[0] != '\0' ? ". " : ".");
    docgen_text(rest);
    printf("\n");
    return true;
}

static bool has_rows(const char *const *prefixes, size_t count, bool shared)
{
    for (size_t i = 0; i < STATISTIC_COUNT; i++) {
        if (has_row(i, prefixes, count, shared)) {
            return true;
        }
    }
    return false;
}

/* Returns whether there is one. */
static bool print_table(const char *const *prefixes, size_t count, bool shared)
{
    if (!has_rows(prefixes, count, shared)) {
        return false;
    }
    printf("\n| name | meaning |\n|---|---|\n");
    for (size_t i = 0; i < STATISTIC_COUNT; i++) {
        if (has_row(i, prefixes, count, shared)) {
            print_row(&statistics[i]);
        }
    }
    bool is_first = true;
    for (size_t i = 0; i < STATISTIC_COUNT; i++) {
        if (has_row(i, prefixes, count, shared)) {
            is_first = !print_note(&statistics[i], is_first) && is_first;
        }
    }
    return true;
}

/* How the names of the others are made. */
static void print_families(const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < FAMILY_COUNT; i++) {
        bool is_here = false;
        for (size_t j = 0; j < count && prefixes[j] != NULL; j++) {
            is_here = is_here || strcmp(prefixes[j], families[i].first) == 0;
        }
        if (!is_here) {
            continue;
        }
        printf("\nReplace `%s` by", families[i].first);
        for (size_t j = 0; j < 4 && families[i].others[j] != NULL; j++) {
            printf("%s `%s`", j == 0 ? "" : ",", families[i].others[j]);
        }
        printf(" for the statistics of %s.\n", families[i].about);
    }
}

static void print_groups(void)
{
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        const size_t count = sizeof groups[i].prefixes / sizeof groups[i].prefixes[0];
        printf("\n## %s\n", groups[i].title);
        print_families(groups[i].prefixes, count);
        if (print_table(groups[i].prefixes, count, true) &&
            has_rows(groups[i].prefixes, count, false)) {
            printf("\nOnly `%s` has:\n", groups[i].prefixes[0]);
        }
        print_table(groups[i].prefixes, count, false);
    }
}

static bool is_in_group(const char *name)
{
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        for (size_t j = 0; j < 8 && groups[i].prefixes[j] != NULL; j++) {
            if (is_of(name, groups[i].prefixes[j])) {
                return true;
            }
        }
    }
    return false;
}

static void print_others(void)
{
    for (size_t i = 0; i < STATISTIC_COUNT; i++) {
        if (!is_in_group(statistics[i].name)) {
            printf("\n## Statistic `%s`\n\n| name | meaning |\n|---|---|\n", statistics[i].name);
            print_row(&statistics[i]);
            print_note(&statistics[i], true);
        }
    }
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
    printf("\n## Data accesses by where they were served\n\n"
           "With each memory system except flat, `--stats` also counts line accesses, without "
           "instruction fetches:\n\n"
           "- `served.REQUESTER.KIND.PLACE` for each requester: `cu0`, `cu1`, ..., `agg`. KIND is "
           "one of");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        printf("%s `%s`", i == 0 ? "" : ",", kinds[i]);
    }
    printf(".\n"
           "- `served.STRUCTURE.SIDE.KIND.PLACE`, with `mem.matrix`, by what the line belongs to. "
           "SIDE is `cus`, all compute units, or `agg`.\n"
           "- `load_latency.SIDE.from_N`: loads that took at least N CU cycles, but less than the "
           "next N. N is 0 or a power of two from 1 to %u. A load starts when it gets the memory "
           "port, and ends with its data.\n\n"
           "In C: `sl_statistic_served()`. The device keeps them as a `struct sl_served` at offset "
           "`0x%x` of its window.\nResults of `sluice sweep` have them in `results.jsonl` only.\n",
           1u << (SL_LATENCY_BINS - 2), (unsigned)SL_REG_SERVED);
    AXIS("PLACE", places);
    AXIS("STRUCTURE", structures);
}

static void print_sharing(void)
{
    printf("\n## Sharing between compute units\n\n"
           "With `mem.sharing`, `--stats` also has `sharing.KERNEL.aN_USE.FIGURE`, "
           "`sharing.KERNEL.patterns.PATTERN`, `sharing_allocation.aN.address`, "
           "`sharing_allocation.aN.bytes`, and\n`sharing_lost`: pairs of a launch and an "
           "allocation without room for their statistics; see "
           "[memory-moesi.md](memory-moesi.md#who-shares-what).\n");
}

static void print_channels(void)
{
    printf("\n## Channels\n\n"
           "With `latency.measure`, `--stats` also has, for each channel name; the levels of a "
           "stack, and channels of one name, are one:\n\n"
           "| name | meaning |\n|---|---|\n"
           "| `latency.CHANNEL.ready_elements` | Elements measured from publication to launch. |\n"
           "| `latency.CHANNEL.ready_mean_ns`\\*, `ready_p50_ns`\\*, `ready_p99_ns`\\*, "
           "`ready_max_ns`\\* | Their times, as `latency.*`; for several runs, percentiles are "
           "those of all elements. |\n"
           "| `latency.CHANNEL.dispatched_*` | The same from launch to the wavefront's end. |\n");
}

static void print_kernels(void)
{
    printf("\n## Kernels\n\n"
           "With `--kernel-profile`, `--stats` also has, for each kernel name:\n\n"
           "| name | meaning (\"it\" is a wavefront) |\n|---|---|\n"
           "| `kernel.KERNEL.wave_instructions` | Wavefront instructions. |\n"
           "| `kernel.KERNEL.lane_instructions` | Instructions of active lanes. |\n"
           "| `kernel.KERNEL.line_accesses` | Line accesses to the L1 data caches. |\n"
           "| `kernel.KERNEL.l1_misses` | Line accesses that missed the L1. |\n"
           "| `kernel.KERNEL.l2_misses` | Line accesses that also missed the L2. |\n"
           "| `kernel.KERNEL.resident_cycles` | Cycles in which the kernel's wavefronts held "
           "contexts. |\n");
    for (size_t i = 0; i < sizeof stalls / sizeof stalls[0]; i++) {
        printf("| `kernel.KERNEL.cycles.%s` | ", stalls[i].name);
        docgen_text(stalls[i].sentence);
        printf(" |\n");
    }
    printf("\n[profile.md](../do/profile.md#where-a-kernel-spends-its-time) explains how to read "
           "them. In C: `sl_kernel_reasons()`.\n");
}

void docgen_statistics(void)
{
    printf("`--stats FILE` of a program writes all statistics as one flat JSON object of names and "
           "numbers. C has\n`sl_statistic_count()` and `sl_statistic_real()`. The statistics cover "
           "one graph or launch, from mark `BEGIN` to mark `END` of the\nfirmware; after "
           "`sl_statistics_accumulate()`, all that a program runs. The device keeps them as 64-bit "
           "words in the order\nof `enum sl_statistic` at offset `0x%x` of its window.\n\n"
           "The same build, program, input and configuration give equal statistics, except "
           "`sim.*`. Names with \\* are\nfloating-point numbers, others integers. The unit is in "
           "the name (`pct`: percent), in parentheses after it, or the first\nword of the meaning. "
           "Cycles are cycles of the compute units, those of `agg.*` of the aggregator. A meaning "
           "with\n`hybrid:` applies only to that memory system.\n",
           (unsigned)SL_REG_STATISTICS);
    print_groups();
    print_others();
    print_served();
    print_sharing();
    print_channels();
    print_kernels();
    docgen_laws();
}
