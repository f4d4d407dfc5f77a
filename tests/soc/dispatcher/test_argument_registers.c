/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Constant arguments in registers: integers and floating-point ones, each kind in an order of its
 * own, and what is left of them for the next launch. */
#include <string.h>

#include "common/check.h"
#include "soc/common/instruction_words.h"
#include "soc/common/ndrange_machine.h"

#define FSD(f, base, offset)                                                                       \
    ((uint32_t)(offset) >> 5 << 25 | (uint32_t)(f) << 20 | (uint32_t)(base) << 15 | 3u << 12 |     \
     ((uint32_t)(offset)&31) << 7 | 0x27)
#define SD(x, base, offset) (FSD(x, base, offset) & ~0x04u)
#define FA0                 10

/* Stores fa0 to fa2, a1 and a2; no instruction names fa3. */
static const uint32_t words[] = {
    FSD(FA0, A0, 0),    FSD(FA0 + 1, A0, 8), FSD(FA0 + 2, A0, 16),
    SD(A0 + 1, A0, 24), SD(A0 + 2, A0, 32),  RET,
};

static const uint32_t one[3] = {1, 1, 1};

TEST(registers)
{
    struct ndrange_machine *m = ndrange_create((const char *const[]){"gpu.cus=1", NULL});
    const uint64_t out = ndrange_take(m, 64);
    const uint64_t *const stored = ndrange_at(m, out);
    struct ndrange_kernel kernel = {
        .entry = SL_KERNEL_BASE,
        .registers = 16,
        .argument_count = 7,
        .float_arguments = 0x5a, /* 1, 3, 4, 6 */
        .argument = {out, 111, 1, 222, 333, 2, 444},
    };
    ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, one, one, 0);
    (void)ndrange_run(m);
    assert_memory_equal(stored, ((const uint64_t[]){111, 222, 333, 1, 2}), 40);

    /* The next wavefront of the context finds zeroes. */
    kernel.argument_count = 1;
    kernel.float_arguments = 0;
    ndrange_dispatch(m, &kernel, one, one, 0);
    (void)ndrange_run(m);
    assert_memory_equal(stored, ((const uint64_t[]){0, 0, 0, 0, 0}), 40);
    assert_int_equal(ndrange_faults(m), 0);
    ndrange_destroy(m);
}

/* More are said to be floating-point ones than there are. */
TEST(refused)
{
    struct ndrange_machine *m = ndrange_create((const char *const[]){"gpu.cus=1", NULL});
    const struct ndrange_kernel kernel = {.entry = SL_KERNEL_BASE,
                                          .registers = 16,
                                          .argument_count = 1,
                                          .float_arguments = 2,
                                          .argument = {ndrange_take(m, 64)}};
    ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, one, one, 0);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 1);
    assert_int_equal(ndrange_completions(m), 0);
    ndrange_destroy(m);
}
