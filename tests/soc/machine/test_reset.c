/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A run that is ended in its middle leaves nothing to the next one. */
#include "common/check.h"
#include "soc/common/driver.h"

#define ITEMS     64u
#define LDS_UPPER (SL_LDS_BASE >> 12)

enum { LOCAL }; /* label */

static struct asm_code code;

/* Loads of as many lines as there are lanes; and, at LOCAL, a store to LDS and a load of it, which
 * memory has nothing to do with. */
static void put_kernels(void)
{
    asm_begin(&code);
    asm_put(&code, asm_SL_ID(T0, SL_ID_LOCAL));
    asm_put(&code, asm_SLLI(T0, T0, 6));
    asm_put(&code, asm_ADD(T0, T0, A0));
    asm_put(&code, asm_LD(T1, T0, 0));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, LOCAL);
    asm_put(&code, asm_LUI(T1, LDS_UPPER));
    asm_put(&code, asm_SD(ZERO, T1, 0));
    asm_put(&code, asm_LD(T2, T1, 0));
    asm_put(&code, ASM_RET);
}

static void run_local(struct driver *d, uint64_t kernel)
{
    driver_begin(d);
    driver_ndrange(d, kernel, 1, ITEMS, 256);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    (void)driver_end(d);
}

/* Lines that were under way when the run ended, whose memory instructions the next run has anew. */
static void test_lines_under_way(void **state)
{
    struct driver *d = DRIVER("gpu.cus=1", *state);
    put_kernels();
    driver_place(d, &code);
    const uint64_t loads = driver_kernel(d, 0, driver_take(d, ITEMS * 64));
    const uint64_t local = driver_kernel(d, code.label[LOCAL], 0);
    for (unsigned instructions = 0; instructions < 400; instructions += 10) {
        driver_begin(d);
        driver_ndrange(d, loads, 1, ITEMS, 0);
        driver_bell(d);
        driver_idle(d, instructions);
        (void)driver_end(d);
        run_local(d, local);
    }
    driver_destroy(d);
}

TEST_CASE(test_lines_under_way, "test_lines_under_way (moesi)", "mem.system=moesi");
TEST_CASE(test_lines_under_way, "test_lines_under_way (nol1)", "mem.system=nol1");
TEST_CASE(test_lines_under_way, "test_lines_under_way (scoped)", "mem.system=scoped");
TEST_CASE(test_lines_under_way, "test_lines_under_way (quickrelease)", "mem.system=quickrelease");
TEST_CASE(test_lines_under_way, "test_lines_under_way (hybrid)", "mem.system=hybrid");
