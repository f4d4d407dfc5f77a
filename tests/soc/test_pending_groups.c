/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Work-groups and their packets on a memory system whose answers are all pending
 * (soc/slow_memory.h): the packet's end, which the front end tells; synchronization through LDS. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/fixture.h"
#include "soc/ndrange_machine.h"
#include "soc/slow_memory.h"
#include "soc/words.h"

static const uint32_t one_item[3] = {1, 1, 1};
static const struct ndrange_kernel kernel = {.entry = SL_KERNEL_BASE, .registers = 8};

/* ---- a packet's end ---- */

static struct ndrange_machine *create(struct slow_cycles cycles)
{
    static const char *const settings[] = {"gpu.cus=1", NULL};

    fixture_memory(&mem_slow);
    struct ndrange_machine *m = ndrange_create(settings);
    fixture_memory(NULL);
    slow_memory(m->gpu->mem)->cycles = cycles;
    return m;
}

static uint64_t active(const struct ndrange_machine *m)
{
    return window_read(&m->window, SL_REG_ACTIVE);
}

/* The wavefront has ended, memory is told for 100 cycles, and only then there is a completion
 * record: until then something is in flight. */
static void test_step_is_in_flight(void **state)
{
    (void)state;
    const uint32_t words[] = {RET};
    struct ndrange_machine *m = create((struct slow_cycles){.sync[MEM_SYNC_STEP] = 100});
    const struct slow_request *step;

    ndrange_assemble(m, words, 1, SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, one_item, one_item, 0);
    fixture_run(m->gpu, 50);
    step = slow_find_sync(slow_memory(m->gpu->mem), MEM_SYNC_STEP, false);
    assert_non_null(step);
    assert_int_equal(m->gpu->env.activity->resident, 0);
    assert_int_equal(ndrange_completions(m), 0);
    assert_int_equal(active(m), 1);
    fixture_run(m->gpu, step->cycle + 99);
    assert_int_equal(active(m), 1);
    fixture_run(m->gpu, step->cycle + 100);
    assert_int_equal(ndrange_completions(m), 1);
    assert_int_equal(active(m), 0);
    ndrange_destroy(m);
}

/* ---- LDS ---- */

#define AQ (1u << 26)
#define RL (1u << 25)

/* An atomic on LDS is no access to memory, but what it orders is: another wavefront of the group
 * may read in memory what this one has written there. So memory is told of its release before it,
 * and of its acquire behind it; each takes 50 cycles. One that orders nothing is none of its
 * business. */
static void test_lds_synchronizes(void **state)
{
    (void)state;
    static const struct {
        uint32_t order;
        uint32_t cycles; /* more than without order */
    } cases[] = {{0, 0}, {AQ, 50}, {RL, 50}, {AQ | RL, 100}};
    uint64_t plain = 0;

    for (unsigned i = 0; i < 4; i++) {
        const uint32_t words[] = {LUI(T0, LDS_UPPER), AMOADD_W(T1, T0, X0) | cases[i].order,
                                  ADD(T1, T1, T1), RET};
        struct ndrange_machine *m = create((struct slow_cycles){.sync[MEM_SYNC_OPERATION] = 50});
        const struct slow_memory *slow = slow_memory(m->gpu->mem);
        ndrange_assemble(m, words, 4, SIZE_MAX, 0);
        ndrange_dispatch(m, &kernel, one_item, one_item, 64);
        const uint64_t end = ndrange_run(m);
        plain = i == 0 ? end : plain;
        assert_int_equal(ndrange_completions(m), 1);
        assert_null(slow_find_access(slow, MEM_CU));
        const struct slow_request *acquire = slow_find_sync(slow, MEM_SYNC_OPERATION, true);
        const struct slow_request *release = slow_find_sync(slow, MEM_SYNC_OPERATION, false);
        assert_int_equal(acquire != NULL, (cases[i].order & AQ) != 0);
        assert_int_equal(release != NULL, (cases[i].order & RL) != 0);
        assert_int_equal(end, plain + cases[i].cycles);
        ndrange_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_is_in_flight),
        cmocka_unit_test(test_lds_synchronizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
