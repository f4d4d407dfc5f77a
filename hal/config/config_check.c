/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What must hold between keys, or of one key beyond its range. A message begins with the place of a
 * key that was set, and gives for each key that takes part its value and where it came from. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "config/config_internal.h"
#include "sluice/config.h"
#include "sluice/memory_map.h"

/* Of compute units that have one each: the directory of `moesi` knows 128 L1 caches, two for each
 * of them, two of the aggregator, one of the front end. */
#define CODE_CACHES 62

#define PORT_MAX 65535u /* of TCP */

struct check {
    const struct sl_config *config;
    char *error;
    size_t error_bytes;
};

/* Where a key's value comes from: a place, the choice that brings it, or "default". */
static void origin_of(const struct sl_config *config, enum sl_config_key key, char *out,
                      size_t bytes)
{
    const struct sl_config_preset *preset = sl_config_preset_of(config, key);
    if (config->source[key][0] != '\0') {
        snprintf(out, bytes, "%s", config->source[key]);
    } else if (preset != NULL) {
        sl_config_format(preset->chooser, config, out, bytes);
    } else {
        snprintf(out, bytes, "default");
    }
}

/* `place: key = value, other = value (place): reason`. The keys end with SL_CFG_COUNT; the first
 * that was set gives the place in front. */
static int fail_keys(const struct check *check, const enum sl_config_key *keys, const char *reason)
{
    enum sl_config_key first = keys[0];
    for (int i = 0; keys[i] != SL_CFG_COUNT; i++) {
        if (check->config->source[keys[i]][0] != '\0') {
            first = keys[i];
            break;
        }
    }
    char list[1024] = "";
    size_t length = 0;
    for (int i = 0; keys[i] != SL_CFG_COUNT && length < sizeof list; i++) {
        char value[128];
        char origin[SL_CONFIG_SOURCE_MAX];
        sl_config_format(keys[i], check->config, value, sizeof value);
        origin_of(check->config, keys[i], origin, sizeof origin);
        const bool is_first = keys[i] == first;
        length +=
            (size_t)snprintf(list + length, sizeof list - length, "%s%s = %s%s%s%s",
                             i == 0 ? "" : ", ", sl_config_table[keys[i]].key, value,
                             is_first ? "" : " (", is_first ? "" : origin, is_first ? "" : ")");
    }
    const char *place = check->config->source[first];
    return sl_config_fail(check->error, check->error_bytes, "%s: %s: %s",
                          place[0] == '\0' ? "default" : place, list, reason);
}

static int check_at_most(const struct check *check, enum sl_config_key key,
                         enum sl_config_key limit, const char *reason)
{
    if (check->config->number[key] <= check->config->number[limit]) {
        return 0;
    }
    const enum sl_config_key keys[] = {key, limit, SL_CFG_COUNT};
    return fail_keys(check, keys, reason);
}

static int check_multiple(const struct check *check, enum sl_config_key key, int64_t of)
{
    if (check->config->number[key] % of == 0) {
        return 0;
    }
    char unit[32];
    char reason[80];
    const enum sl_config_key keys[] = {key, SL_CFG_COUNT};
    sl_config_format_number(key, of, unit, sizeof unit);
    snprintf(reason, sizeof reason, "must be a multiple of %s", unit);
    return fail_keys(check, keys, reason);
}

/* What is in a cache: its size, ways and line, whose key is SL_CFG_COUNT where it has none. */
struct cache_keys {
    enum sl_config_key size;
    enum sl_config_key ways;
    enum sl_config_key line;
};

static int64_t line_of(const struct check *check, enum sl_config_key line)
{
    return line == SL_CFG_COUNT ? (int64_t)SL_CACHE_LINE_BYTES : check->config->number[line];
}

/* A cache is sets x ways x line, and sets are found by bits of the address. */
static int check_cache(const struct check *check, const struct cache_keys *cache)
{
    const int64_t set_bytes = check->config->number[cache->ways] * line_of(check, cache->line);
    const int64_t sets = check->config->number[cache->size] / set_bytes;
    const enum sl_config_key keys[] = {cache->size, cache->ways, cache->line, SL_CFG_COUNT};
    char reason[160];

    if (check->config->number[cache->size] % set_bytes != 0) {
        snprintf(reason, sizeof reason, "the size must be a multiple of ways x line = %lld bytes",
                 (long long)set_bytes);
        return fail_keys(check, keys, reason);
    }
    if ((sets & (sets - 1)) != 0) {
        snprintf(reason, sizeof reason, "the sets must be a power of two, and are %lld",
                 (long long)sets);
        return fail_keys(check, keys, reason);
    }
    return 0;
}

/* Each bank of a shared cache has at least a set. */
static int check_banks(const struct check *check, enum sl_config_key banks,
                       const struct cache_keys *cache)
{
    const int64_t *number = check->config->number;
    const enum sl_config_key keys[] = {banks, cache->size, cache->ways, SL_CFG_COUNT};

    if (number[banks] * number[cache->ways] * line_of(check, cache->line) <= number[cache->size]) {
        return 0;
    }
    return fail_keys(check, keys, "each bank needs a set of its own");
}

/* Lines are powers of two, a line of an L1 data cache is some of the L2's, and only `hybrid` has
 * others than the rest of the machine. */
static int check_lines(const struct check *check)
{
    static const enum sl_config_key lines[] = {SL_CFG_L1D_LINE, SL_CFG_L2_LINE};
    const int64_t *number = check->config->number;
    const enum sl_config_key both[] = {SL_CFG_L1D_LINE, SL_CFG_L2_LINE, SL_CFG_COUNT};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const enum sl_config_key keys[] = {lines[i], SL_CFG_MEM_SYSTEM, SL_CFG_COUNT};
        const int64_t line = number[lines[i]];
        if ((line & (line - 1)) != 0) {
            const enum sl_config_key alone[] = {lines[i], SL_CFG_COUNT};
            return fail_keys(check, alone, "must be a power of two");
        }
        if (line != (int64_t)SL_CACHE_LINE_BYTES &&
            number[SL_CFG_MEM_SYSTEM] != SL_MEM_SYSTEM_HYBRID) {
            return fail_keys(check, keys, "only memory system hybrid has lines of other than 64 B");
        }
    }
    if (number[SL_CFG_L1D_LINE] % number[SL_CFG_L2_LINE] != 0) {
        return fail_keys(check, both, "a line of the L1 must be a multiple of the L2's");
    }
    return 0;
}

/* Trackers divide the compute units, the sets and the banks among them. */
static int check_trackers(const struct check *check)
{
    static const struct {
        enum sl_config_key key;
        const char *reason;
    } shared[] = {
        {SL_CFG_GPU_CUS, "each tracker serves as many compute units: gpu.cus must be a multiple"},
        {SL_CFG_TRACKER_SETS, "each tracker needs a set"},
        {SL_CFG_TRACKER_BANKS, "each tracker needs a bank"},
    };
    const int64_t *number = check->config->number;
    const int64_t count = number[SL_CFG_TRACKER_COUNT];
    const enum sl_config_key sharers[] = {SL_CFG_TRACKER_SHARERS, SL_CFG_TRACKER_COUNT,
                                          SL_CFG_GPU_CUS, SL_CFG_COUNT};
    const enum sl_config_key banks[] = {SL_CFG_TRACKER_BANKS, SL_CFG_TRACKER_SETS, SL_CFG_COUNT};

    if (number[SL_CFG_MEM_SYSTEM] != SL_MEM_SYSTEM_HYBRID || count == 0) {
        return 0;
    }
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        const enum sl_config_key keys[] = {SL_CFG_TRACKER_COUNT, shared[i].key, SL_CFG_COUNT};
        if (number[shared[i].key] % count != 0) {
            return fail_keys(check, keys, shared[i].reason);
        }
    }
    if (number[SL_CFG_TRACKER_BANKS] > number[SL_CFG_TRACKER_SETS]) {
        return fail_keys(check, banks, "each bank needs a set of its own");
    }
    if (number[SL_CFG_TRACKER_SHARERS] > number[SL_CFG_GPU_CUS] / count) {
        return fail_keys(check, sharers, "a tracker lists at most as many as it serves");
    }
    return 0;
}

/* Tags are read before data, so they take no longer than both. */
static int check_tags(const struct check *check)
{
    static const enum sl_config_key latencies[][2] = {
        {SL_CFG_L1D_TAG_CYCLES, SL_CFG_L1D_CYCLES}, {SL_CFG_L2_TAG_CYCLES, SL_CFG_L2_CYCLES},
        {SL_CFG_WL1_TAG_CYCLES, SL_CFG_WL1_CYCLES}, {SL_CFG_WL2_TAG_CYCLES, SL_CFG_WL2_CYCLES},
        {SL_CFG_WL3_TAG_CYCLES, SL_CFG_WL3_CYCLES}, {SL_CFG_L3_TAG_CYCLES, SL_CFG_L3_CYCLES},
    };

    for (size_t i = 0; i < sizeof latencies / sizeof latencies[0]; i++) {
        if (check_at_most(check, latencies[i][0], latencies[i][1],
                          "the cycles of the tags are a part of the cache's; 0 is all of them") !=
            0) {
            return -1;
        }
    }
    return 0;
}

static int check_caches(const struct check *check)
{
    static const struct cache_keys caches[] = {
        {SL_CFG_L1D_SIZE, SL_CFG_L1D_WAYS, SL_CFG_L1D_LINE},
        {SL_CFG_L1I_SIZE, SL_CFG_L1I_WAYS, SL_CFG_COUNT},
        {SL_CFG_AGG_L1D_SIZE, SL_CFG_AGG_L1D_WAYS, SL_CFG_COUNT},
        {SL_CFG_AGG_L1I_SIZE, SL_CFG_AGG_L1I_WAYS, SL_CFG_COUNT},
        {SL_CFG_FRONT_L1D_SIZE, SL_CFG_FRONT_L1D_WAYS, SL_CFG_COUNT},
        {SL_CFG_WL1_SIZE, SL_CFG_WL1_WAYS, SL_CFG_COUNT},
        {SL_CFG_WL2_SIZE, SL_CFG_WL2_WAYS, SL_CFG_COUNT},
        {SL_CFG_WL3_SIZE, SL_CFG_WL3_WAYS, SL_CFG_COUNT},
    };
    static const struct cache_keys l2 = {SL_CFG_L2_SIZE, SL_CFG_L2_WAYS, SL_CFG_L2_LINE};
    static const struct cache_keys l3 = {SL_CFG_L3_SIZE, SL_CFG_L3_WAYS, SL_CFG_COUNT};
    const int64_t *number = check->config->number;

    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++) {
        if (check_cache(check, &caches[i]) != 0) {
            return -1;
        }
    }
    if (check_cache(check, &l2) != 0 || check_banks(check, SL_CFG_L2_BANKS, &l2) != 0) {
        return -1;
    }
    if (number[SL_CFG_MEM_SYSTEM] == SL_MEM_SYSTEM_PARTITION &&
        check_banks(check, SL_CFG_DRAM_CHANNELS, &l2) != 0) {
        return -1;
    }
    if (check_cache(check, &l3) != 0 ||
        (number[SL_CFG_L3_SIZE] != 0 && check_banks(check, SL_CFG_L3_BANKS, &l3) != 0)) {
        return -1;
    }
    if (number[SL_CFG_L1I_SHARED] == SL_L1I_SHARED_OFF && number[SL_CFG_GPU_CUS] > CODE_CACHES) {
        const enum sl_config_key keys[] = {SL_CFG_L1I_SHARED, SL_CFG_GPU_CUS, SL_CFG_COUNT};
        return fail_keys(check, keys, "with an instruction cache each there can be 62 at most");
    }
    return 0;
}

static int check_layout(const struct check *check)
{
    struct sl_layout layout;
    if (sl_layout_compute(check->config, &layout) == 0) {
        return 0;
    }
    uint64_t pool_kib = layout.pool_blocks * layout.pool_block_bytes / 1024;
    uint64_t left = layout.dram_bytes - (SL_HEAP_BASE - SL_DRAM_BASE) - SL_TOP_BYTES - SL_MIB(1);
    char reason[256];
    const enum sl_config_key keys[] = {SL_CFG_DRAM_SIZE, SL_CFG_GPU_CUS,   SL_CFG_GPU_CONTEXTS,
                                       SL_CFG_GPU_STACK, SL_CFG_GPU_LANES, SL_CFG_POOL_BLOCKS,
                                       SL_CFG_COUNT};
    snprintf(reason, sizeof reason,
             "the wavefront state pool of %llu blocks of %llu KiB takes %llu KiB; DRAM has %llu "
             "KiB for it",
             (unsigned long long)layout.pool_blocks,
             (unsigned long long)(layout.pool_block_bytes / 1024), (unsigned long long)pool_kib,
             (unsigned long long)(left / 1024));
    return fail_keys(check, keys, reason);
}

/* Only the in-order model has a blocking cache. */
static int check_core(const struct check *check)
{
    const int64_t *number = check->config->number;
    const enum sl_config_key keys[] = {SL_CFG_CORE_MSHRS, SL_CFG_CORE_MODEL, SL_CFG_AGG_CORE,
                                       SL_CFG_COUNT};
    if (number[SL_CFG_CORE_MODEL] != SL_CORE_MODEL_OOO || number[SL_CFG_CORE_MSHRS] != 0) {
        return 0;
    }
    return fail_keys(check, keys, "an out-of-order core needs at least one MSHR");
}

/* A row is found by bits of the address. */
static int check_rows(const struct check *check)
{
    const int64_t row = check->config->number[SL_CFG_DRAM_ROW];
    const enum sl_config_key keys[] = {SL_CFG_DRAM_ROW, SL_CFG_COUNT};

    return (row & (row - 1)) == 0 ? 0 : fail_keys(check, keys, "must be a power of two");
}

/* Queues are where the value of all memory is. */
static int check_queue(const struct check *check)
{
    const int64_t *number = check->config->number;
    const enum sl_config_key keys[] = {SL_CFG_LOCK_QUEUE, SL_CFG_MEM_SYSTEM, SL_CFG_COUNT};

    if (number[SL_CFG_LOCK_QUEUE] == SL_LOCK_QUEUE_OFF ||
        number[SL_CFG_MEM_SYSTEM] == SL_MEM_SYSTEM_FLAT ||
        number[SL_CFG_MEM_SYSTEM] == SL_MEM_SYSTEM_PARTITION) {
        return 0;
    }
    return fail_keys(check, keys, "only memory systems partition and flat queue locks");
}

/* A strong order of a wavefront's accesses is of no use where others may see them in another one.
 */
static int check_atomicity(const struct check *check)
{
    const int64_t *number = check->config->number;
    const enum sl_config_key keys[] = {SL_CFG_GPU_CONSISTENCY, SL_CFG_MEM_SYSTEM, SL_CFG_COUNT};

    if (number[SL_CFG_GPU_CONSISTENCY] == SL_GPU_CONSISTENCY_RMO) {
        return 0;
    }
    switch ((enum sl_mem_system)number[SL_CFG_MEM_SYSTEM]) {
    case SL_MEM_SYSTEM_FLAT:
    case SL_MEM_SYSTEM_MOESI:
    case SL_MEM_SYSTEM_NOL1:
    case SL_MEM_SYSTEM_PARTITION:
        return 0;
    default:
        return fail_keys(check, keys,
                         "sc, sc_wb and tso need a write-atomic memory system: flat, moesi, nol1 "
                         "or partition");
    }
}

/* As hal/host/driver/machine tells a path for a socket from host:port. */
static int check_gdb(const struct check *check)
{
    const char *const where = check->config->text[SL_CFG_DEBUG_GDB];
    const char *const colon = strrchr(where, ':');
    const enum sl_config_key keys[] = {SL_CFG_DEBUG_GDB, SL_CFG_COUNT};
    const enum sl_config_key engine_keys[] = {SL_CFG_DEBUG_GDB, SL_CFG_HOST_ENGINE, SL_CFG_COUNT};
    uint32_t port = 0;

    if (where[0] != '\0' && check->config->number[SL_CFG_HOST_ENGINE] == SL_HOST_ENGINE_NATIVE) {
        return fail_keys(check, engine_keys, "gdb needs QEMU: host.engine = qemu");
    }
    if (colon == NULL || strchr(where, '/') != NULL) {
        return 0;
    }
    const size_t digits = strspn(colon + 1, "0123456789");
    for (size_t i = 0; i < digits && port <= PORT_MAX; i++) {
        port = 10 * port + (uint32_t)(colon[1 + i] - '0');
    }
    return colon[1 + digits] == '\0' && port >= 1 && port <= PORT_MAX
               ? 0
               : fail_keys(check, keys, "the port of host:port is a number from 1 to 65535");
}

/* Without a model there is nothing to write. */
static int check_races(const struct check *check)
{
    const enum sl_config_key keys[] = {SL_CFG_RACES_FILE, SL_CFG_DEBUG_RACES, SL_CFG_COUNT};

    if (check->config->text[SL_CFG_RACES_FILE][0] != '\0' &&
        check->config->number[SL_CFG_DEBUG_RACES] == SL_DEBUG_RACES_OFF) {
        return fail_keys(check, keys,
                         "a file of races needs a model to look for them: drf, hrf-direct or "
                         "hrf-indirect");
    }
    return 0;
}

/* Keys that say something of some models alone. */
static int check_consistency(const struct check *check)
{
    const int64_t *number = check->config->number;
    const int64_t model = number[SL_CFG_GPU_CONSISTENCY];
    const enum sl_config_key buffer[] = {SL_CFG_GPU_WRITE_BUFFER, SL_CFG_GPU_CONSISTENCY,
                                         SL_CFG_COUNT};
    const enum sl_config_key loads[] = {SL_CFG_GPU_RMO_LOADS, SL_CFG_GPU_CONSISTENCY, SL_CFG_COUNT};

    if (number[SL_CFG_GPU_WRITE_BUFFER] != 0 && model != SL_GPU_CONSISTENCY_SC_WB &&
        model != SL_GPU_CONSISTENCY_TSO) {
        return fail_keys(check, buffer, "only sc_wb and tso have a write buffer");
    }
    if (number[SL_CFG_GPU_RMO_LOADS] != SL_GPU_RMO_LOADS_PASS && model != SL_GPU_CONSISTENCY_RMO) {
        return fail_keys(check, loads, "with the other models, loads block in any case");
    }
    return check_atomicity(check);
}

int sl_config_check(const struct sl_config *config, char *error, size_t error_bytes)
{
    const struct check check = {config, error, error_bytes};
    if (check_at_most(&check, SL_CFG_GPU_SIMD_LANES, SL_CFG_GPU_LANES,
                      "a SIMD unit has at most as many lanes as a wavefront") != 0 ||
        check_at_most(&check, SL_CFG_GPU_SIMDS, SL_CFG_GPU_CONTEXTS,
                      "each SIMD unit needs a wavefront context") != 0 ||
        check_at_most(&check, SL_CFG_FLAT_CU_REQUEST, SL_CFG_FLAT_CU,
                      "the part of a latency is at most the whole") != 0 ||
        check_multiple(&check, SL_CFG_GPU_STACK, 16) != 0 ||
        check_multiple(&check, SL_CFG_GPU_LDS, (int64_t)SL_KIB(1)) != 0 ||
        check_multiple(&check, SL_CFG_DRAM_SIZE, (int64_t)SL_MIB(4)) != 0 ||
        check_core(&check) != 0 || check_lines(&check) != 0 || check_caches(&check) != 0 ||
        check_tags(&check) != 0 || check_trackers(&check) != 0 || check_queue(&check) != 0 ||
        check_gdb(&check) != 0 || check_races(&check) != 0 || check_consistency(&check) != 0 ||
        check_rows(&check) != 0) {
        return -1;
    }
    return check_layout(&check);
}
