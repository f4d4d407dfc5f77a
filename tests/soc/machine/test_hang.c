/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that hangs (sim-soc/soc/firmware_hang.h): 256 samples of pc, one each 4099 instructions;
 * an ebreak where pc was last; 40 instructions from there on, and the code is what it was. And the
 * watch of its passes (soc_watch_passes()). */
#include <string.h>

#include "common/check.h"
#include "sluice/codes.h"
#include "soc/common/driver.h"
#include "soc/firmware_hang.h"

#define APART        4099u
#define SAVES        40u
#define RETURN_LIMIT (1u << 22)
#define LOOP         (SL_FIRMWARE_BASE + 0x100)
#define CODE         0x1234u /* two bytes of it */
#define PASS_STEPS   50000000u
#define STEP         (1u << 14)

static uint16_t code_at(const struct driver *d, uint64_t pc)
{
    uint16_t code;
    memcpy(&code, driver_at(d, pc), sizeof code);
    return code;
}

static struct driver *begin(struct firmware_hang *hang, int status)
{
    struct driver *d = DRIVER("gpu.cus=1");
    const uint16_t code = CODE;

    memcpy(driver_at(d, LOOP), &code, sizeof code);
    firmware_hang_begin(hang, &d->dram, status);
    return d;
}

/* So many instructions at an address, all but the last of which ask for nothing. */
static enum hang_step execute(struct firmware_hang *hang, uint64_t pc, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        assert_int_equal(firmware_hang_instruction(hang, pc), HANG_GOES_ON);
    }
    return firmware_hang_instruction(hang, pc);
}

TEST(test_samples_and_trap)
{
    struct firmware_hang hang;
    struct driver *d = begin(&hang, SL_EXIT_HUNG);
    const struct sl_hang *const record = driver_at(d, SL_HANG_BASE);

    assert_int_equal(record->status, SL_EXIT_HUNG);
    assert_int_equal(execute(&hang, LOOP + 2, APART), HANG_GOES_ON);
    assert_int_equal(record->samples, 1);
    assert_true(record->pc[0] == LOOP + 2);
    assert_int_equal(execute(&hang, LOOP, (SL_HANG_SAMPLES - 1) * (uint64_t)APART),
                     HANG_NEEDS_TRAP);
    assert_int_equal(record->samples, SL_HANG_SAMPLES);
    assert_true(record->pc[1] == LOOP && record->last == LOOP);
    assert_true(record->instructions == SL_HANG_SAMPLES * (uint64_t)APART);

    (void)execute(&hang, LOOP, 5); /* the engine still has the old code */
    firmware_hang_put_trap(&hang);
    assert_int_equal(code_at(d, LOOP), 0x9002);
    assert_int_equal(execute(&hang, LOOP + 2, 10), HANG_GOES_ON);
    assert_int_equal(record->has_trapped, 0);
    assert_int_equal(execute(&hang, LOOP, 1), HANG_GOES_ON);
    assert_int_equal(record->has_trapped, 1);
    assert_int_equal(code_at(d, LOOP), CODE);
    assert_int_equal(execute(&hang, SL_FIRMWARE_BASE, SAVES - 1), HANG_IS_OVER);
    assert_true(record->instructions == SL_HANG_SAMPLES * (uint64_t)APART);
    driver_destroy(d);
}

/* One sample is enough. */
TEST(test_repeated)
{
    struct firmware_hang hang;
    struct driver *d = begin(&hang, SL_EXIT_REPEATED);
    const struct sl_hang *const record = driver_at(d, SL_HANG_BASE);

    assert_int_equal(execute(&hang, LOOP, 1), HANG_NEEDS_TRAP);
    assert_int_equal(record->samples, 1);
    assert_true(record->last == LOOP);
    driver_destroy(d);
}

/* It does not come back to where it was. */
TEST(test_does_not_trap)
{
    struct firmware_hang hang;
    struct driver *d = begin(&hang, SL_EXIT_REPEATED);
    const struct sl_hang *const record = driver_at(d, SL_HANG_BASE);

    (void)execute(&hang, LOOP, 1);
    firmware_hang_put_trap(&hang);
    assert_int_equal(execute(&hang, LOOP + 4, RETURN_LIMIT), HANG_IS_OVER);
    assert_int_equal(record->has_trapped, 0);
    assert_int_equal(code_at(d, LOOP), CODE);
    driver_destroy(d);
}

/* No ebreak is put into what is not firmware's. */
TEST(test_hangs_in_flash)
{
    struct firmware_hang hang;
    struct driver *d = begin(&hang, SL_EXIT_REPEATED);

    assert_int_equal(execute(&hang, SL_FLASH_BASE + 64, 1), HANG_IS_OVER);
    driver_destroy(d);
}

TEST(test_overwritten)
{
    struct firmware_hang hang;
    struct driver *d = begin(&hang, 0);
    const struct sl_hang *const record = driver_at(d, SL_HANG_BASE);

    firmware_hang_overwritten(&hang, &d->dram, LOOP, LOOP + 64);
    assert_int_equal(record->status, SL_EXIT_OVERWRITTEN);
    assert_true(record->last == LOOP && record->address == LOOP + 64);
    assert_int_equal(record->samples, 0);
    firmware_hang_put_trap(&hang);
    assert_int_equal(execute(&hang, LOOP, SAVES), HANG_IS_OVER);
    assert_int_equal(record->has_trapped, 1);
    assert_int_equal(code_at(d, LOOP), CODE);
    driver_destroy(d);
}

static void watch(struct driver *d, uint64_t instructions)
{
    for (uint64_t i = 0; i < instructions; i += STEP) {
        soc_watch_passes(d->soc, STEP);
    }
}

static void place_nothing(struct driver *d)
{
    static struct asm_code code;

    asm_begin(&code);
    asm_put(&code, asm_JALR(ZERO, RA, 0));
    driver_place(d, &code);
}

/* A pass begins with a look at the completion ring. Outside runs others watch. */
TEST(test_begins_no_pass)
{
    struct driver *d = DRIVER("gpu.cus=1", "gpu.progress_limit=0");

    watch(d, 2 * (uint64_t)PASS_STEPS);
    place_nothing(d);
    driver_begin(d);
    watch(d, PASS_STEPS - 2 * STEP);
    soc_access(d->soc, d->layout.window_base + SL_REG_COMPLETION_TAIL, 8, false);
    watch(d, PASS_STEPS - STEP);
    assert_int_equal(d->exits, 0);
    watch(d, 2 * STEP);
    assert_int_equal(d->exit_status, SL_EXIT_HUNG);
    driver_destroy(d);
}
