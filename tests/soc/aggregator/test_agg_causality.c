/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Causality of the aggregator's cores: behind a load that misses for 1,000 cycles (500 ns), device
 * accesses happen when they commit, on every core, with the fences of hal/aggregator around them
 * and without. The test plays the firmware: it reads a register as QEMU does, after the
 * instruction's callback. */
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "soc/common/driver.h"

#define MISS_PS   500000ull
#define DEVICE_PS 20000ull

static const char *const cores[] = {
    "simple", "2-stage", "5-stage", "2way-light-ooo", "2way-ooo", "4way-ooo",
};

#define CORES (sizeof cores / sizeof cores[0])

enum word {
    ADD = 0x00c58533,
    LOAD = 0x0085b503,  /* ld a0, 8(a1) */
    READ = 0x00863683,  /* ld a3, 8(a2): does not depend on it */
    WRITE = 0x00d63423, /* sd a3, 8(a2) */
    FENCE = 0x0ff0000f,
};

static struct driver *create(const char *core)
{
    static char setting[64];
    static struct asm_code code;

    (void)snprintf(setting, sizeof setting, "agg.core=%s", core);
    struct driver *d = DRIVER("gpu.cus=1", "flat.agg=500ns", setting);
    asm_begin(&code);
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    return d;
}

/* An instruction of the firmware; the code goes round in one line. */
static void execute(struct driver *d, uint32_t word)
{
    static uint64_t pc;
    struct agg_insn insn = agg_insn_decode(SL_FIRMWARE_BASE + pc, word);

    pc = (pc + 4) % SL_CACHE_LINE_BYTES;
    soc_instruction(d->soc, &insn);
}

static void fence(struct driver *d, bool with)
{
    if (with) {
        execute(d, FENCE);
    }
}

/* A load that misses. The fence in front keeps it from being issued before this; nothing is behind
 * it. Returns the time in front of it. */
static uint64_t miss(struct driver *d)
{
    fence(d, true);
    uint64_t start = d->soc->core->time_ps;
    execute(d, LOAD);
    soc_access(d->soc, SL_HEAP_BASE, 8, false);
    return start;
}

static uint64_t read_register(struct driver *d, enum sl_register reg, bool fences)
{
    fence(d, fences);
    execute(d, READ);
    uint64_t value = driver_read(d, reg);
    soc_access(d->soc, d->layout.window_base + reg, 8, false);
    fence(d, fences);
    return value;
}

static void write_register(struct driver *d, enum sl_register reg, uint64_t value, bool fences)
{
    uint64_t address = d->layout.window_base + reg;

    fence(d, fences);
    execute(d, WRITE);
    memcpy(driver_at(d, address), &value, sizeof value);
    soc_access(d->soc, address, 8, true);
    fence(d, fences);
}

/* Begins a run with a kernel in the ring that ends at once. */
static void begin(struct driver *d)
{
    uint64_t kernel = driver_kernel(d, 0, 0);

    driver_begin(d);
    driver_packet(d, kernel, 0, 1);
}

/* The doorbell arrives when the miss and its own access are over, and the status read behind it
 * sees the device after that. */
static void doorbell(const char *core, bool fences)
{
    struct driver *d = create(core);

    begin(d);
    uint64_t start = miss(d);
    write_register(d, SL_REG_DISPATCH_TAIL, 1, fences);
    uint64_t rung = d->soc->time_ps;
    if (rung < start + MISS_PS + DEVICE_PS) {
        fail_msg("%s: the doorbell rang at %lu ps, after a miss from %lu ps", core, rung, start);
    }
    assert_true(d->soc->core->time_ps >= rung);
    uint64_t time = read_register(d, SL_REG_TIME_PS, fences);
    if (time < rung) {
        fail_msg("%s: a read behind the doorbell of %lu ps is of %lu ps", core, rung, time);
    }
    driver_destroy(d);
}

/* A wavefront ends during the miss: the status read behind it sees that, though its operands were
 * there before. A read in front of the miss does not. */
static void status_read(const char *core, bool fences)
{
    struct driver *d = create(core);

    begin(d);
    write_register(d, SL_REG_DISPATCH_TAIL, 1, fences);
    assert_int_equal(driver_read(d, SL_REG_COMPLETION_TAIL), 0);
    uint64_t start = miss(d);
    uint64_t completed = read_register(d, SL_REG_COMPLETION_TAIL, fences);
    if (completed != 1) {
        fail_msg("%s: the status behind a miss is that of its issue", core);
    }
    uint64_t time = read_register(d, SL_REG_TIME_PS, fences);
    if (time < start + MISS_PS + DEVICE_PS) {
        fail_msg("%s: time %lu ps read behind a miss from %lu ps", core, time, start);
    }
    driver_destroy(d);
}

/* Accesses do not overlap each other either. */
static void in_order(const char *core, bool fences)
{
    struct driver *d = create(core);

    begin(d);
    uint64_t last = read_register(d, SL_REG_TIME_PS, fences);
    for (unsigned i = 0; i < 8; i++) {
        miss(d);
        execute(d, ADD);
        write_register(d, SL_REG_COMPLETION_HEAD, 0, fences);
        uint64_t written = d->soc->core->time_ps;
        uint64_t time = read_register(d, SL_REG_TIME_PS, fences);
        assert_true(written >= last + MISS_PS + 2 * DEVICE_PS);
        assert_true(time >= written);
        last = time;
    }
    driver_destroy(d);
}

/* Polling: what a register shows is never older than what was read before, and the first read that
 * begins after an event sees it. */
TEST(test_polling)
{
    for (size_t c = 0; c < CORES; c++) {
        struct driver *d = create(cores[c]);
        begin(d);
        write_register(d, SL_REG_DISPATCH_TAIL, 1, true);
        unsigned polls = 0;
        while (read_register(d, SL_REG_COMPLETION_TAIL, true) == 0) {
            assert_true(++polls < 1000);
        }
        assert_int_equal(driver_read(d, SL_REG_COMPLETION_TAIL), 1);
        driver_destroy(d);
    }
}

static void on_all(void (*check)(const char *core, bool fences))
{
    for (size_t c = 0; c < CORES; c++) {
        check(cores[c], true);
        check(cores[c], false);
    }
}

TEST(test_doorbell)
{
    on_all(doorbell);
}

TEST(test_status_read)
{
    on_all(status_read);
}

TEST(test_in_order)
{
    on_all(in_order);
}
