/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Register PROTECTION: tables that are one and tables that are none, and how long they hold. Which
 * accesses they open is in soc/simt/test_protection.c. */
#include <string.h>

#include "common/check.h"
#include "soc/common/driver.h"

#define PLACE (SL_HEAP_BASE + SL_MIB(1))

static struct asm_code code;

/* A kernel that stores to its argument. Returns it. */
static uint64_t place_store(struct driver *d)
{
    asm_begin(&code);
    asm_put(&code, asm_SD(A2, A2, 0));
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    return driver_kernel(d, 0, PLACE);
}

/* Dispatches it. Returns whether its store was allowed; where not, it was a fault of PROTECTED. */
static bool may_store(struct driver *d, uint64_t kernel)
{
    const uint64_t faults = driver_read(d, SL_REG_FAULT_TAIL);
    const uint64_t completions = driver_read(d, SL_REG_COMPLETION_TAIL);

    driver_packet(d, kernel, 0, 64);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, completions + 1);
    if (driver_read(d, SL_REG_FAULT_TAIL) == faults) {
        return true;
    }
    assert_int_equal(driver_fault(d, (uint32_t)faults)->code, SL_FAULT_PROTECTED);
    assert_int_equal(driver_fault(d, (uint32_t)faults)->address, PLACE);
    return false;
}

/* A table at `address` of 64 ranges: of 64 bytes each from `base` on, which all may write, with
 * gaps between them. */
static struct sl_protection *place_table(struct driver *d, uint64_t address, uint64_t base)
{
    struct sl_protection *table = driver_at(d, address);

    *table = (struct sl_protection){.magic = SL_PROTECTION_MAGIC, .count = SL_RANGES_MAX};
    for (uint32_t i = 0; i < SL_RANGES_MAX; i++) {
        table->range[i] = (struct sl_range){
            .base = base + i * 128, .bytes = 64, .access = SL_ACCESS_WRITE, .lines = 0xff};
    }
    return table;
}

/* A table holds from its store to RESET, or to the next one; the machine has its own copy. */
TEST(test_a_run)
{
    struct driver *d = DRIVER("gpu.cus=3");
    const uint64_t kernel = place_store(d);
    const uint64_t closed = driver_take(d, sizeof(struct sl_protection));
    const uint64_t open = driver_take(d, sizeof(struct sl_protection));

    place_table(d, closed, PLACE + 64);
    place_table(d, open, PLACE - 63 * 128); /* the last range is the place's */
    driver_begin(d);
    assert_true(may_store(d, kernel));
    driver_store(d, SL_REG_PROTECTION, closed);
    assert_false(may_store(d, kernel));
    driver_store(d, SL_REG_PROTECTION, open);
    assert_true(may_store(d, kernel));
    memset(driver_at(d, open), 0, sizeof(struct sl_protection));
    assert_true(may_store(d, kernel));
    driver_store(d, SL_REG_PROTECTION, closed);
    driver_store(d, SL_REG_PROTECTION, 0);
    assert_true(may_store(d, kernel));
    driver_store(d, SL_REG_PROTECTION, closed);
    assert_false(may_store(d, kernel));
    (void)driver_end(d);
    driver_begin(d); /* with its RESET */
    assert_true(may_store(d, kernel));
    (void)driver_end(d);
    driver_destroy(d);
}

/* Each compute unit forgets what the table before allowed. */
TEST(test_all_compute_units)
{
    struct driver *d = DRIVER("gpu.cus=4");
    const uint64_t kernel = place_store(d);
    const uint64_t table = driver_take(d, sizeof(struct sl_protection));

    place_table(d, table, PLACE + 64);
    driver_begin(d);
    driver_packet(d, kernel, 0, 4 * 64);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    driver_store(d, SL_REG_PROTECTION, table);
    driver_packet(d, kernel, 0, 4 * 64);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 2);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 4);
    driver_destroy(d);
}

/* What a table may not be; by changing one that is good. */
static const struct {
    uint32_t magic;
    uint32_t count;
    uint32_t which;
    struct sl_range range; /* in its place */
} bad[] = {
#define GOOD SL_PROTECTION_MAGIC, SL_RANGES_MAX
    {SL_PROTECTION_MAGIC + 1, SL_RANGES_MAX, 0, {PLACE, 64, 2, 0, 0, {0}}},
    {SL_PROTECTION_MAGIC, SL_RANGES_MAX + 1, 0, {PLACE, 64, 2, 0, 0, {0}}},
    {SL_PROTECTION_MAGIC, UINT32_MAX, 0, {PLACE, 64, 2, 0, 0, {0}}},
    {GOOD, 0, {PLACE + 8, 64, 2, 0, 0, {0}}},                       /* not on a line */
    {GOOD, 0, {PLACE, 32, 2, 0, 0, {0}}},                           /* no whole line */
    {GOOD, 7, {PLACE + 7 * 128, 0, 2, 0, 0, {0}}},                  /* nothing */
    {GOOD, 7, {PLACE + 7 * 128, 192, 2, 0, 0, {0}}},                /* into the next one */
    {GOOD, 7, {PLACE + 6 * 128, 64, 2, 0, 0, {0}}},                 /* twice the same */
    {GOOD, 7, {PLACE, 64, 2, 0, 0, {0}}},                           /* descending */
    {GOOD, 0, {SL_KERNEL_BASE - 64, 64, 2, 0, 0, {0}}},             /* below */
    {GOOD, 0, {SL_KERNEL_BASE - 64, 128, 2, 0, 0, {0}}},            /* from below */
    {GOOD, 0, {0, 64, 2, 0, 0, {0}}},                               /* elsewhere */
    {GOOD, 63, {PLACE + 63 * 128, 1ull << 40, 2, 0, 0, {0}}},       /* into what is above */
    {GOOD, 63, {PLACE + 63 * 128, 0 - (PLACE - 64), 2, 0, 0, {0}}}, /* round about */
    {GOOD, 63, {0ull - 64, 64, 2, 0, 0, {0}}},
    {GOOD, 5, {PLACE + 5 * 128, 64, 8, 0, 0, {0}}},     /* an access that is none */
    {GOOD, 5, {PLACE + 5 * 128, 64, 4, 0x100, 0, {0}}}, /* a line that is none */
};

static void expect_refused(struct driver *d, uint64_t address)
{
    const uint64_t faults = driver_read(d, SL_REG_FAULT_TAIL);

    driver_store(d, SL_REG_PROTECTION, address);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), faults + 1);
    assert_int_equal(driver_fault(d, (uint32_t)faults)->code, SL_FAULT_PACKET);
    assert_int_equal(driver_fault(d, (uint32_t)faults)->address, address);
}

/* They are faults, and open nothing. */
TEST(test_bad_tables)
{
    struct driver *d = DRIVER("gpu.cus=1");
    const uint64_t kernel = place_store(d);
    const uint64_t address = driver_take(d, sizeof(struct sl_protection));

    driver_begin(d);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct sl_protection *table = place_table(d, address, PLACE);
        driver_store(d, SL_REG_PROTECTION, address);
        assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL) % 2, 0);
        assert_true(may_store(d, kernel));
        table->magic = bad[i].magic;
        table->count = bad[i].count;
        table->range[bad[i].which] = bad[i].range;
        expect_refused(d, address);
        assert_false(may_store(d, kernel));
    }
    driver_destroy(d);
}

/* The top of the heap may be in a range, and nothing above; a table may be empty. */
TEST(test_last_range)
{
    struct driver *d = DRIVER("gpu.cus=1");
    const uint64_t kernel = place_store(d);
    const uint64_t address = driver_take(d, sizeof(struct sl_protection));
    struct sl_protection *table = place_table(d, address, PLACE);

    driver_begin(d);
    table->count = 1;
    table->range[0].bytes = d->layout.heap_limit - PLACE;
    driver_store(d, SL_REG_PROTECTION, address);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
    assert_true(may_store(d, kernel));
    table->range[0].bytes += 64;
    expect_refused(d, address);
    table->count = 0;
    driver_store(d, SL_REG_PROTECTION, address);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 1);
    assert_false(may_store(d, kernel));
    driver_destroy(d);
}

/* Addresses where no table is. */
TEST(test_bad_addresses)
{
    struct driver *d = DRIVER("gpu.cus=1");
    const uint64_t address = driver_take(d, sizeof(struct sl_protection) + 64);

    (void)place_store(d);
    place_table(d, address + 8, PLACE);
    driver_begin(d);
    expect_refused(d, address + 8); /* a table, and on no line */
    expect_refused(d, address);
    expect_refused(d, 64);
    expect_refused(d, SL_DRAM_BASE - 64);
    expect_refused(d, d->layout.dram_limit - 64);
    expect_refused(d, UINT64_MAX - 63);
    driver_destroy(d);
}
