/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What lanes may access (struct sl_protection): every kind of access in every kind of range, in
 * channel routines and elsewhere; the borders of ranges, of lines and of the code, to the byte;
 * lanes of one instruction in several places; and what a table, or none, leaves open. Random tables
 * are in test_protection_random.c, the register in soc/machine/test_protection_device.c. */
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "soc/simt/protection_trial.h"

#define RW (SL_ACCESS_READ | SL_ACCESS_WRITE)

/* Where tests have their ranges. */
#define PLACE (SL_HEAP_BASE + SL_MIB(1))

static const char *const usual[] = {"gpu.cus=1", NULL};
static const char *const splitting[] = {"gpu.cus=1", "gpu.misaligned=split", NULL};

/* An access through t1; `value` is in its place before. */
struct access {
    uint32_t word;
    uint32_t behind;
    unsigned bytes;
    bool writes;
    uint64_t value;
};

#define LD asm_LD(T2, 0, 0)
#define SD asm_SD(T2, 0, 0)
#define SB asm_SB(T2, 0, 0)
#define LB asm_LB(T2, 0, 0)

static const struct access *accesses(size_t *count)
{
    static struct access all[32];
    const struct access list[] = {
        {LB, 0, 1, false, 0},
        {asm_LHU(T2, 0, 0), 0, 2, false, 0},
        {asm_LW(T2, 0, 0), 0, 4, false, 0},
        {LD, 0, 8, false, 0},
        {asm_FLW(1, 0, 0), 0, 4, false, 0},
        {asm_FLD(1, 0, 0), 0, 8, false, 0},
        {asm_SL_LOAD(T2, 0, 0) | ASM_AQ | ASM_SCOPE(8, SL_SCOPE_DEVICE), 0, 8, false, 0},
        {asm_LR_D(T2, 0, 0), 0, 8, false, 0},
        {asm_SL_LR(T2, 0, 0) | ASM_SCOPE(4, SL_SCOPE_WORKGROUP), 0, 4, false, 0},
        {SB, 0, 1, true, 0},
        {asm_SH(T2, 0, 0), 0, 2, true, 0},
        {asm_SW(T2, 0, 0), 0, 4, true, 0},
        {SD, 0, 8, true, 0},
        {asm_FSW(1, 0, 0), 0, 4, true, 0},
        {asm_FSD(1, 0, 0), 0, 8, true, 0},
        {asm_SL_STORE(T2, 0) | ASM_RL | ASM_SCOPE(8, SL_SCOPE_DEVICE), 0, 8, true, 0},
        {asm_AMOADD_W(T2, T2, 0), 0, 4, true, 0},
        {asm_AMOSWAP_D(T2, T2, 0), 0, 8, true, 0},
        {asm_SL_AMOMAXU(T2, T2, 0) | ASM_SCOPE(8, SL_SCOPE_SYSTEM), 0, 8, true, 0},
        {asm_SL_FAMOADD(1, 1, 0) | ASM_SCOPE(8, SL_SCOPE_DEVICE), 0, 8, true, 0},
        {asm_SL_FREDADD(1, 0) | ASM_SCOPE(4, SL_SCOPE_DEVICE), 0, 4, true, 0},
        {asm_SC_D(T2, T2, 0), 0, 8, true, 0},
        {asm_SL_SC(T2, T2, 0) | ASM_SCOPE(4, SL_SCOPE_WAVEFRONT), 0, 4, true, 0},
        {asm_SL_LOCK(0), asm_SL_UNLOCK(0), 4, true, UINT64_MAX},
        {asm_SL_TRYLOCK(T2, 0, T0), asm_SL_TRYUNLOCK(0), 4, true, UINT64_MAX},
    };

    memcpy(all, list, sizeof list);
    *count = sizeof list / sizeof list[0];
    return all;
}

static void expect_protected(const struct trial *t, const struct sl_fault *fault,
                             const struct access *access, uint64_t address)
{
    assert_non_null(fault);
    assert_int_equal(fault->code, SL_FAULT_PROTECTED);
    assert_int_equal(fault->pc, trial_pc(t));
    assert_int_equal(fault->address, address);
    assert_int_equal(fault->access_bytes, access->bytes);
    assert_int_equal(fault->is_store, access->writes);
    assert_int_equal(fault->kernel, TRIAL_KERNEL);
}

/* Of a range with these bits, by one lane and by 64. */
static void check_kind(struct trial *t, const struct access *access, uint32_t bits, bool is_routine)
{
    const struct sl_range range = {PLACE, 512, bits, 0x10, SL_RANGE_OPEN, {0}};
    const uint64_t address = PLACE + 4 * 64;
    bool is_open = (bits & SL_ACCESS_READ) != 0;

    if (access->writes) {
        is_open = (bits & SL_ACCESS_WRITE) != 0 || (is_routine && (bits & SL_ACCESS_ROUTINES) != 0);
    }
    trial_load(t, SL_KERNEL_BASE, access->word, access->behind, is_routine);
    assert_int_equal(trial_protect(t, &range, 1), 0);
    for (uint32_t lanes = 1; lanes <= 64; lanes += 63) {
        if (lanes > 1 && access->behind != 0) {
            continue; /* locks of one word are taken one lane after the other: another matter */
        }
        uint64_t *word = machine_at(t->m, address);
        *word = access->value;
        const struct sl_fault *fault = trial_run_at(t, address, lanes);
        if (is_open) {
            assert_null(fault);
            continue;
        }
        expect_protected(t, fault, access, address);
        assert_int_equal(fault->value0, PLACE);
        assert_int_equal(fault->value1, PLACE + 512);
        assert_int_equal(*word, access->value);
    }
}

/* Loads need READ, LR too; all that writes needs WRITE, or ROUTINES in a channel routine. */
TEST(test_kinds)
{
    struct trial t = trial_create(usual);
    size_t count;
    const struct access *all = accesses(&count);

    for (size_t i = 0; i < count; i++) {
        for (uint32_t bits = 0; bits <= 7; bits++) {
            check_kind(&t, &all[i], bits, false);
            check_kind(&t, &all[i], bits, true);
        }
    }
    trial_destroy(&t);
}

/* A lane that may not give a lock back is told so before the lock is looked at. */
TEST(test_unlock)
{
    struct trial t = trial_create(usual);
    struct sl_range range = {.base = PLACE, .bytes = 64, .access = SL_ACCESS_READ};
    const uint32_t words[] = {asm_SL_UNLOCK(0), asm_SL_TRYUNLOCK(0)};

    for (unsigned i = 0; i < 2; i++) {
        trial_load(&t, SL_KERNEL_BASE, words[i], 0, false);
        range.access = SL_ACCESS_READ;
        (void)trial_protect(&t, &range, 1);
        assert_int_equal(trial_run_at(&t, PLACE, 1)->code, SL_FAULT_PROTECTED);
        range.access = RW;
        (void)trial_protect(&t, &range, 1);
        assert_int_equal(trial_run_at(&t, PLACE, 1)->code, SL_FAULT_LOCK_OWNER);
    }
    trial_destroy(&t);
}

/* One access by one lane, and by 64: whether it is open, and, where it is not, the range or gap. */
static void expect_open(struct trial *t, uint64_t address, bool is_open)
{
    assert_int_equal(trial_run_at(t, address, 1) == NULL, is_open);
    assert_int_equal(trial_run_at(t, address, 64) == NULL, is_open);
}

static void expect_closed(struct trial *t, uint64_t address, uint64_t base, uint64_t end)
{
    for (uint32_t lanes = 1; lanes <= 64; lanes += 63) {
        const struct sl_fault *fault = trial_run_at(t, address, lanes);
        assert_non_null(fault);
        assert_int_equal(fault->code, SL_FAULT_PROTECTED);
        assert_int_equal(fault->address, address);
        assert_int_equal(fault->value0, base);
        assert_int_equal(fault->value1, end);
    }
}

/* The first and last bytes of a range, and those in front of it and behind it. */
TEST(test_borders)
{
    struct trial t = trial_create(usual);
    const struct sl_range ranges[] = {
        {.base = PLACE, .bytes = 128, .access = RW},
        {.base = PLACE + 256, .bytes = 64, .access = RW},
    };
    const uint64_t own = SL_HEAP_BASE + TRIAL_OWN;

    trial_load(&t, SL_KERNEL_BASE, SB, 0, false);
    (void)trial_protect(&t, ranges, 2);
    expect_closed(&t, PLACE - 1, own, PLACE);
    expect_open(&t, PLACE, true);
    expect_open(&t, PLACE + 127, true);
    expect_closed(&t, PLACE + 128, PLACE + 128, PLACE + 256);
    expect_closed(&t, PLACE + 255, PLACE + 128, PLACE + 256);
    expect_open(&t, PLACE + 256, true);
    expect_closed(&t, PLACE + 320, PLACE + 320, t.m->layout.heap_limit);
    expect_closed(&t, SL_HEAP_BASE, SL_HEAP_BASE, own);
    expect_closed(&t, SL_KERNEL_BASE + 4096, SL_KERNEL_BASE, SL_HEAP_BASE);
    trial_load(&t, SL_KERNEL_BASE, SD, 0, false);
    expect_closed(&t, PLACE - 8, own, PLACE);
    expect_open(&t, PLACE + 120, true);
    expect_closed(&t, PLACE + 128, PLACE + 128, PLACE + 256);
    trial_destroy(&t);
}

/* An access in two pieces has to be open as a whole; two ranges side by side may be what opens it,
 * and the fault says where its first closed byte is. */
TEST(test_misaligned)
{
    struct trial t = trial_create(splitting);
    const struct sl_range ranges[] = {
        {.base = PLACE, .bytes = 64, .access = RW},
        {.base = PLACE + 64, .bytes = 64, .access = SL_ACCESS_READ},
        {.base = PLACE + 128, .bytes = 64, .access = RW},
    };

    trial_load(&t, SL_KERNEL_BASE, LD, 0, false);
    (void)trial_protect(&t, ranges, 3);
    expect_closed(&t, PLACE - 1, SL_HEAP_BASE + TRIAL_OWN, PLACE);
    expect_open(&t, PLACE + 1, true);
    expect_open(&t, PLACE + 63, true);
    expect_open(&t, PLACE + 121, true);
    expect_open(&t, PLACE + 184, true);
    expect_closed(&t, PLACE + 185, PLACE + 192, t.m->layout.heap_limit);
    trial_load(&t, SL_KERNEL_BASE, SD, 0, false);
    expect_open(&t, PLACE + 56, true);
    expect_closed(&t, PLACE + 57, PLACE + 64, PLACE + 128);
    expect_closed(&t, PLACE + 127, PLACE + 64, PLACE + 128);
    expect_open(&t, PLACE + 129, true);
    trial_destroy(&t);
}

/* Lines 1, 3 and 4 of each 512 bytes from the range's base: as of a graph's channels, which begin
 * 128 bytes in. */
TEST(test_lines)
{
    struct trial t = trial_create(splitting);
    const struct sl_range range = {
        .base = PLACE + 128, .bytes = 1024, .access = SL_ACCESS_ROUTINES, .lines = 0x1a};

    (void)trial_protect(&t, &range, 1);
    trial_load(&t, SL_KERNEL_BASE, SD, 0, false);
    for (uint64_t at = 0; at < 1024; at += 8) {
        expect_open(&t, range.base + at, false);
    }
    trial_load(&t, SL_KERNEL_BASE, SD, 0, true);
    for (uint64_t at = 0; at < 1024; at += 4) {
        const bool is_open = (0x1a >> at / 64 % 8 & 1) != 0 && (0x1a >> (at + 7) / 64 % 8 & 1) != 0;
        expect_open(&t, range.base + at, is_open);
    }
    expect_closed(&t, range.base - 8, SL_HEAP_BASE + TRIAL_OWN, range.base);
    trial_destroy(&t);
}

/* Lines 7 and 0 are neighbours; all eight are one. */
TEST(test_runs_of_lines)
{
    struct trial t = trial_create(splitting);
    struct sl_range range = {
        .base = PLACE, .bytes = 2048, .access = SL_ACCESS_ROUTINES, .lines = 0x81};

    trial_load(&t, SL_KERNEL_BASE, SD, 0, true);
    (void)trial_protect(&t, &range, 1);
    expect_open(&t, PLACE + 512 - 4, true);
    expect_open(&t, PLACE + 512 + 56, true);
    expect_open(&t, PLACE + 512 + 57, false);
    expect_open(&t, PLACE + 448, true);
    expect_open(&t, PLACE + 447, false);
    expect_open(&t, PLACE + 2040, true);
    expect_open(&t, PLACE + 2041, false); /* the range ends */
    range.lines = 0xff;
    (void)trial_protect(&t, &range, 1);
    for (uint64_t at = 0; at <= 2040; at += 60) {
        expect_open(&t, PLACE + at, true);
    }
    range.lines = 0;
    (void)trial_protect(&t, &range, 1);
    expect_open(&t, PLACE, false);
    trial_destroy(&t);
}

/* Lanes of one instruction in two ranges, on the stack and in no range: those that may not are
 * told, and nothing is written. */
TEST(test_mixed_lanes)
{
    struct trial t = trial_create(usual);
    const struct sl_range ranges[] = {
        {.base = PLACE, .bytes = 512, .access = RW},
        {.base = PLACE + 4096, .bytes = 512, .access = RW},
        {.base = PLACE + 8192, .bytes = 512, .access = SL_ACCESS_READ},
    };
    const uint64_t pool = t.m->layout.pool_base;
    const struct {
        uint64_t address[6];
        enum sl_fault_code code; /* 0: none */
        uint64_t lanes;
    } cases[] = {
        {{PLACE, PLACE + 4096, PLACE + 8, PLACE + 4104, PLACE + 16, PLACE + 24}, 0, 0},
        {{SL_PRIVATE_BASE, PLACE, PLACE + 4096, SL_PRIVATE_BASE + 8, PLACE + 504, PLACE}, 0, 0},
        {{PLACE, SL_PRIVATE_BASE + 16, SL_PRIVATE_BASE, PLACE, PLACE + 4600, PLACE}, 0, 0},
        {{PLACE, PLACE + 512, PLACE + 8, PLACE + 4096, PLACE + 4608, PLACE},
         SL_FAULT_PROTECTED,
         0x12},
        {{PLACE + 8192, PLACE, PLACE, PLACE, PLACE, PLACE + 8200}, SL_FAULT_PROTECTED, 0x21},
        {{PLACE, PLACE, PLACE, PLACE, PLACE, pool}, SL_FAULT_PROTECTED, 0x20},
        {{SL_PRIVATE_BASE, pool, PLACE, PLACE, PLACE, PLACE}, SL_FAULT_PROTECTED, 0x2},
        /* What is no memory at all, and what is not aligned, is told first. */
        {{pool, PLACE, 0, PLACE, PLACE, PLACE}, SL_FAULT_ACCESS, 0x4},
        {{pool, PLACE, SL_KERNEL_BASE, PLACE, PLACE, PLACE}, SL_FAULT_ACCESS, 0x4},
        {{pool, PLACE, SL_PRIVATE_BASE - 8, PLACE, PLACE, PLACE}, SL_FAULT_STACK, 0x4},
        {{pool, PLACE, PLACE + 4, PLACE, pool + 4, PLACE}, SL_FAULT_MISALIGNED, 0x14},
    };

    trial_load(&t, SL_KERNEL_BASE, SD, 0, false);
    (void)trial_protect(&t, ranges, 3);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        memset(machine_at(t.m, PLACE), 0x55, 16384);
        const struct sl_fault *fault = trial_run(&t, cases[c].address, 6);
        const uint64_t *words = machine_at(t.m, PLACE);
        assert_int_equal(words[0] == 0x5555555555555555, fault != NULL);
        assert_int_equal(fault == NULL ? 0 : fault->code, cases[c].code);
        if (fault != NULL) {
            assert_int_equal(fault->lanes, cases[c].lanes);
            assert_int_equal(fault->address, cases[c].address[__builtin_ctzll(cases[c].lanes)]);
        }
    }
    trial_destroy(&t);
}

/* LDS is not shared memory: lanes there and lanes in a range, in one instruction. */
TEST(test_mixed_with_lds)
{
    struct trial t = trial_create(usual);
    const struct sl_range range = {.base = PLACE, .bytes = 64, .access = RW};
    uint64_t addresses[4] = {SL_LDS_BASE, PLACE, SL_LDS_BASE + 8, PLACE + 8};

    trial_load(&t, SL_KERNEL_BASE, SD, 0, false);
    (void)trial_protect(&t, &range, 1);
    t.lds_bytes = 64;
    assert_null(trial_run(&t, addresses, 4));
    addresses[3] = PLACE + 64;
    assert_int_equal(trial_run(&t, addresses, 4)->lanes, 8);
    addresses[2] = SL_LDS_BASE + 64;
    const struct sl_fault *fault = trial_run(&t, addresses, 4);
    assert_int_equal(fault->code, SL_FAULT_ACCESS);
    assert_int_equal(fault->lanes, 4);
    trial_destroy(&t);
}

/* Code can be read and not written, whatever a range says; it may end at any two bytes. */
TEST(test_code)
{
    struct trial t = trial_create(splitting);
    const struct sl_range all = {
        .base = SL_KERNEL_BASE, .bytes = 4096, .access = RW | SL_ACCESS_ROUTINES, .lines = 0xff};
    const uint64_t code = SL_KERNEL_BASE + 70;
    const uint64_t bytes = 24;

    for (unsigned is_routine = 0; is_routine < 2; is_routine++) {
        trial_load(&t, code, SB, 0, is_routine != 0);
        (void)trial_protect(&t, &all, 1);
        expect_open(&t, code - 1, true);
        expect_open(&t, code + bytes, true);
        assert_int_equal(trial_run_at(&t, code, 64)->code, SL_FAULT_ACCESS);
        assert_int_equal(trial_run_at(&t, code + bytes - 1, 1)->code, SL_FAULT_ACCESS);
        trial_load(&t, code, SD, 0, is_routine != 0);
        expect_open(&t, code - 8, true);
        assert_int_equal(trial_run_at(&t, code - 7, 64)->code, SL_FAULT_ACCESS);
        assert_int_equal(trial_run_at(&t, code - 6, 64)->code, SL_FAULT_ACCESS); /* aligned */
    }
    trial_load(&t, code, LB, 0, false);
    assert_int_equal(trial_protect(&t, NULL, 0), 0);
    expect_open(&t, code, true);
    expect_open(&t, code + bytes - 1, true);
    expect_closed(&t, code - 1, SL_KERNEL_BASE, SL_HEAP_BASE);
    expect_closed(&t, code + bytes, SL_KERNEL_BASE, SL_HEAP_BASE);
    trial_destroy(&t);
}

/* The code is no part of a line that the channel routines may write and that it is in: lanes on
 * both sides of its ends, of which the first may write. */
TEST(test_code_in_a_line)
{
    struct trial t = trial_create(usual);
    const struct sl_range range = {
        .base = SL_KERNEL_BASE, .bytes = 512, .access = SL_ACCESS_ROUTINES, .lines = 0x02};
    const uint64_t code = SL_KERNEL_BASE + 70;
    const uint64_t ends[2][2] = {{code - 1, code}, {code + TRIAL_CODE, code + TRIAL_CODE - 1}};

    trial_load(&t, code, SB, 0, true);
    (void)trial_protect(&t, &range, 1);
    for (unsigned i = 0; i < 2; i++) {
        expect_open(&t, ends[i][0], true);
        const struct sl_fault *fault = trial_run(&t, ends[i], 2);
        assert_non_null(fault);
        assert_int_equal(fault->code, SL_FAULT_ACCESS);
        assert_int_equal(fault->lanes, 2);
    }
    trial_destroy(&t);
}

/* One table after the other, and none; and programs that are loaded under a table. What an
 * instruction was allowed under one is forgotten. */
TEST(test_tables_in_turn)
{
    struct trial t = trial_create(usual);
    struct sl_range range = {.base = PLACE, .bytes = 64, .access = RW};

    trial_load(&t, SL_KERNEL_BASE, SD, 0, false);
    expect_open(&t, PLACE + 64, true); /* no table yet */
    for (unsigned i = 0; i < 4; i++) {
        range.base = PLACE + i * 64;
        (void)trial_protect(&t, &range, 1);
        for (unsigned k = 0; k < 5; k++) {
            expect_open(&t, PLACE + k * 64, k == i);
        }
    }
    trial_load(&t, SL_KERNEL_BASE, SD, 0, false);
    expect_open(&t, PLACE, false);
    assert_int_equal(gpu_protect(t.m->gpu, 0), 0);
    expect_open(&t, PLACE, true);
    (void)trial_protect(&t, &range, 1);
    expect_open(&t, PLACE, false);
    fixture_reset(t.m->gpu);
    expect_open(&t, PLACE, true);
    expect_open(&t, t.m->layout.heap_limit - 8, true);
    expect_closed(&t, t.m->layout.pool_base, t.m->layout.pool_base, t.m->layout.top_base);
    expect_closed(&t, t.m->layout.top_base - 8, t.m->layout.pool_base, t.m->layout.top_base);
    assert_int_equal(trial_run_at(&t, t.m->layout.top_base, 1)->code, SL_FAULT_ACCESS);
    trial_destroy(&t);
}

/* A kernel's time and counters are the same under a table that allows what it does. */
TEST(test_costs_nothing)
{
    struct cu_counters counters[2];
    uint64_t end[2];

    for (unsigned i = 0; i < 2; i++) {
        struct trial t = trial_create(splitting);
        const struct sl_range ranges[] = {
            {.base = PLACE, .bytes = 4096, .access = RW},
            {.base = PLACE + 8192, .bytes = 4096, .access = RW},
        };
        uint64_t addresses[LANES];
        trial_load(&t, SL_KERNEL_BASE, SD, LD, false);
        if (i == 1) {
            (void)trial_protect(&t, ranges, 2);
        }
        for (unsigned run = 0; run < 8; run++) {
            for (unsigned lane = 0; lane < LANES; lane++) {
                addresses[lane] = PLACE + (lane * run % 2) * 8192 + lane * (run + 8) + run % 3;
            }
            assert_null(trial_run(&t, addresses, run == 5 ? 1 : LANES));
        }
        counters[i] = t.m->counters;
        end[i] = t.m->gpu->event_queue->now;
        trial_destroy(&t);
    }
    assert_int_equal(end[0], end[1]);
    assert_memory_equal(&counters[0], &counters[1], sizeof counters[0]);
    assert_true(counters[0].split_lanes > 0);
}
