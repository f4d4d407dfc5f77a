/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random tables of ranges, and random instructions under them, against a map that has each byte's
 * answer, made of the sentences of hal/contract/layouts.def alone: which lanes fault and by what,
 * the address that is told, and that nothing is written then. 3,000 instructions, of which half of
 * the lanes are near the ends of something; 300,000 with SLUICE_TEST_LONG. */
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "sluice/config.h"
#include "soc/simt/protection_trial.h"

/* Two pieces of memory with ranges: in that of the kernels, where the code is, too, and in the
 * heap.
 */
#define ZONE_BYTES  4096u
#define KERNEL_ZONE SL_KERNEL_BASE
#define HEAP_ZONE   (SL_HEAP_BASE + SL_MIB(1))
#define ZONES       2u
#define RANGES      12u /* at most in each */

#define CODES (SL_FAULT_PROTECTED + 1)

static const uint64_t zone_base[ZONES] = {KERNEL_ZONE, HEAP_ZONE};

/* What may be done to a byte. */
enum { BYTE_READ = 1, BYTE_WRITE = 2, BYTE_ROUTINE = 4, BYTE_CODE = 8 };

struct instruction {
    uint32_t word;
    unsigned bytes;
    bool writes;
    bool is_atomic;
};

static const struct instruction *choose(uint64_t random)
{
    static struct instruction all[9];
    const struct instruction list[] = {
        {asm_LBU(T2, 0, 0), 1, false, false},      {asm_LH(T2, 0, 0), 2, false, false},
        {asm_LW(T2, 0, 0), 4, false, false},       {asm_LD(T2, 0, 0), 8, false, false},
        {asm_SB(T1, 0, 0), 1, true, false},        {asm_SH(T1, 0, 0), 2, true, false},
        {asm_SD(T1, 0, 0), 8, true, false},        {asm_AMOADD_W(T2, T1, 0), 4, true, true},
        {asm_AMOSWAP_D(T2, T1, 0), 8, true, true},
    };

    memcpy(all, list, sizeof list);
    return &all[random % (sizeof list / sizeof list[0])];
}

static uint64_t random_state;

static uint64_t draw(uint64_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % below;
}

/* ---- the map ---- */

struct map {
    uint8_t byte[ZONES][ZONE_BYTES];
    struct sl_range range[ZONES * RANGES];
    uint32_t ranges;
};

static void map_range(struct map *map, unsigned zone, const struct sl_range *range)
{
    for (uint64_t at = range->base; at < range->base + range->bytes; at++) {
        uint8_t *byte = &map->byte[zone][at - zone_base[zone]];
        *byte |= range->access & SL_ACCESS_READ ? BYTE_READ : 0;
        *byte |= range->access & SL_ACCESS_WRITE ? BYTE_WRITE | BYTE_ROUTINE : 0;
        if ((range->access & SL_ACCESS_ROUTINES) &&
            (range->lines >> (at - range->base) / 64 % 8 & 1)) {
            *byte |= BYTE_ROUTINE;
        }
    }
}

/* Ranges of a zone, of which many are side by side. */
static void draw_ranges(struct map *map, unsigned zone)
{
    uint64_t at = zone_base[zone];

    for (unsigned i = 0; i < RANGES; i++) {
        at += draw(2) * draw(6) * 64;
        struct sl_range range = {
            .base = at,
            .bytes = (1 + draw(12)) * 64,
            .access = (uint32_t)draw(8),
            .lines = draw(4) == 0 ? 0xff : (uint32_t)draw(256),
        };
        if (at + range.bytes > zone_base[zone] + ZONE_BYTES) {
            return;
        }
        map->range[map->ranges++] = range;
        map_range(map, zone, &range);
        at += range.bytes;
    }
}

static void map_code(struct map *map, uint64_t code)
{
    for (unsigned i = 0; i < TRIAL_CODE; i++) {
        map->byte[0][code - KERNEL_ZONE + i] = BYTE_READ | BYTE_CODE;
    }
}

/* Of a byte outside the zones there is nothing to do. */
static unsigned map_at(const struct map *map, uint64_t address)
{
    for (unsigned zone = 0; zone < ZONES; zone++) {
        if (address - zone_base[zone] < ZONE_BYTES) {
            return map->byte[zone][address - zone_base[zone]];
        }
    }
    return 0;
}

/* ---- lanes ---- */

struct attempt {
    const struct instruction *instruction;
    bool is_routine;
    bool splits;
    uint64_t address[LANES];
    uint32_t lanes;
};

/* The fault of a lane; 0: none. */
static enum sl_fault_code judge(const struct map *map, const struct sl_layout *layout,
                                const struct attempt *attempt, uint64_t address)
{
    const unsigned bytes = attempt->instruction->bytes;
    const bool may_split = attempt->splits && !attempt->instruction->is_atomic;
    const unsigned wanted = !attempt->instruction->writes ? BYTE_READ
                            : attempt->is_routine         ? BYTE_ROUTINE
                                                          : BYTE_WRITE;
    unsigned any = 0;
    unsigned all = wanted;

    for (unsigned i = 0; i < bytes; i++) {
        any |= map_at(map, address + i);
        all &= map_at(map, address + i);
    }
    if (attempt->instruction->writes && (any & BYTE_CODE)) {
        return SL_FAULT_ACCESS;
    }
    if (address % bytes != 0 && !may_split) {
        return SL_FAULT_MISALIGNED;
    }
    if (address < SL_KERNEL_BASE || address + bytes > layout->top_base) {
        return SL_FAULT_ACCESS;
    }
    return all == wanted ? 0 : SL_FAULT_PROTECTED;
}

/* Near the end of a range, or of a line in one; or anywhere; or in what is closed always. */
static uint64_t draw_address(const struct map *map, const struct sl_layout *layout,
                             const struct instruction *instruction, bool is_aligned)
{
    const unsigned zone = (unsigned)draw(ZONES);
    uint64_t address = zone_base[zone] + draw(ZONE_BYTES);

    if (map->ranges > 0 && draw(8) != 0) {
        const struct sl_range *range = &map->range[draw(map->ranges)];
        address = range->base + draw(range->bytes + 1);
        if (draw(2) == 0) {
            address = range->base + draw(range->bytes / 64 + 1) * 64 + draw(16) - 8;
        }
    }
    if (draw(64) == 0) {
        const uint64_t others[] = {layout->pool_base - 4, layout->pool_base,  layout->top_base - 8,
                                   layout->top_base,      SL_KERNEL_BASE - 8, SL_MAILBOX_BASE};
        address = others[draw(6)];
    }
    return is_aligned ? address & ~(uint64_t)(instruction->bytes - 1) : address;
}

/* Many lanes around one place, as instructions have them, or each somewhere. Where `tame`, those
 * that would fault go where the last one was that does not: so that some instructions do not. */
static void draw_lanes(struct attempt *attempt, const struct map *map,
                       const struct sl_layout *layout)
{
    const bool is_aligned = draw(4) != 0;
    const bool is_row = draw(2) == 0;
    const bool is_tame = draw(4) != 0;
    uint64_t good = 0;

    attempt->lanes = draw(4) == 0 ? 1 : 1 + (uint32_t)draw(LANES);
    for (unsigned lane = 0; lane < attempt->lanes; lane++) {
        uint64_t address = draw_address(map, layout, attempt->instruction, is_aligned);
        if (is_row && lane > 0) {
            address = attempt->address[0] + lane * attempt->instruction->bytes;
        }
        const bool is_good = judge(map, layout, attempt, address) == 0;
        good = is_good ? address : good;
        attempt->address[lane] = !is_good && is_tame && good != 0 ? good : address;
    }
}

/* ---- the check ---- */

/* Instructions by their fault, 0: none. */
struct counts {
    unsigned faults[CODES];
};

static void check(struct trial *t, const struct map *map, const struct attempt *attempt,
                  struct counts *counts)
{
    static const enum sl_fault_code order[] = {SL_FAULT_MISALIGNED, SL_FAULT_ACCESS,
                                               SL_FAULT_PROTECTED};
    static uint8_t before[ZONES][ZONE_BYTES];
    uint64_t lanes[CODES] = {0};
    enum sl_fault_code code = 0;

    for (unsigned lane = 0; lane < attempt->lanes; lane++) {
        lanes[judge(map, &t->m->layout, attempt, attempt->address[lane])] |= 1ull << lane;
    }
    for (unsigned i = 3; i-- > 0;) {
        code = lanes[order[i]] != 0 ? order[i] : code;
    }
    for (unsigned zone = 0; zone < ZONES; zone++) {
        memcpy(before[zone], machine_at(t->m, zone_base[zone]), ZONE_BYTES);
    }
    const struct sl_fault *fault = trial_run(t, attempt->address, attempt->lanes);
    counts->faults[code]++;
    if (code == 0) {
        assert_null(fault);
        return;
    }
    assert_non_null(fault);
    assert_int_equal(fault->code, code);
    assert_int_equal(fault->lanes, lanes[code]);
    assert_int_equal(fault->address, attempt->address[__builtin_ctzll(lanes[code])]);
    for (unsigned zone = 0; zone < ZONES; zone++) {
        assert_memory_equal(before[zone], machine_at(t->m, zone_base[zone]), ZONE_BYTES);
    }
}

/* Tables under which some instructions each go one after the other: what one leaves behind in the
 * machine is there for the next. */
static void run_tables(const char *const *settings, bool splits, unsigned tables)
{
    struct trial t = trial_create(settings);
    struct counts counts = {0};

    for (unsigned i = 0; i < tables; i++) {
        const uint64_t code = KERNEL_ZONE + draw((ZONE_BYTES - TRIAL_CODE) / 2) * 2;
        struct map map = {.ranges = 0};
        for (unsigned zone = 0; zone < ZONES; zone++) {
            draw_ranges(&map, zone);
        }
        map_code(&map, code);
        for (unsigned k = 0; k < 10; k++) {
            struct attempt attempt = {.instruction = choose(draw(1u << 20)),
                                      .is_routine = draw(2) == 0,
                                      .splits = splits};
            trial_load(&t, code, attempt.instruction->word, 0, attempt.is_routine);
            if (k == 0) {
                assert_int_equal(trial_protect(&t, map.range, map.ranges), 0);
            }
            draw_lanes(&attempt, &map, &t.m->layout);
            check(&t, &map, &attempt, &counts);
        }
    }
    assert_in_range(counts.faults[0], tables, tables * 9);
    assert_in_range(counts.faults[SL_FAULT_PROTECTED], tables, tables * 9);
    assert_true(counts.faults[SL_FAULT_ACCESS] > 0 && counts.faults[SL_FAULT_MISALIGNED] > 0);
    trial_destroy(&t);
}

static unsigned tables(void)
{
    return getenv("SLUICE_TEST_LONG") != NULL ? 15000 : 150;
}

TEST(test_faults)
{
    random_state = 20;
    run_tables((const char *const[]){"gpu.cus=1", NULL}, false, tables());
}

TEST(test_splits)
{
    random_state = 26;
    run_tables((const char *const[]){"gpu.cus=1", "gpu.misaligned=split", NULL}, true, tables());
}
