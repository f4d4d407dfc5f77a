/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `hybrid`: of two loads of a word by a compute unit the second never reads an older
 * value than the first (docs/look-up/isa.md, "Order of memory accesses"), whoever else stores to
 * it, and wherever that store is. */
#include "common/check.h"
#include "soc/memory/hybrid_bench.h"

#define P 0
#define Q 1
#define R 2
#define S 3

#define LAST  (HYBRID_LINE - 1)
#define CROWD 32u

/* A load of line 0's first byte by an instruction that contends: Q keeps no line. */
static struct mem_request load_past(uint64_t time_ps)
{
    struct mem_request request = hybrid_request(Q, MEM_LOAD, 0, time_ps);

    request.lines = 1000;
    return request;
}

/* R and S store to what lies in one bank of the L2, whose queue gets long. */
static void crowd(struct memory_bench *b, struct memory_step steps[CROWD], uint64_t time_ps)
{
    for (uint16_t i = 0; i < CROWD; i++) {
        struct mem_request request =
            hybrid_request(i % 2 == 0 ? R : S, MEM_STORE, 2u + 2u * i, time_ps + NS(i / 2));
        request.mask[0] = 0;
        mem_request_touch(&request, request.address + LAST, 1);
        memory_begin(b, &steps[i], request);
    }
}

/* P, which is listed, stores to the first and the last byte of its line: that takes effect when the
 * bank of the last one is free. Q's first load may come to the tracker before the store, and is
 * sent to P, which does not give the new byte away: its second one comes behind the store, and goes
 * to the first byte's bank, which nobody else is at and where the old byte is. */
TEST(test_store_on_its_way)
{
    uint64_t asked = 0;

    for (uint64_t before = 0; before < 20; before++) {
        struct memory_bench *b = HYBRID("l1d.bypass=on", "crossbar.width=4", );
        struct memory_step steps[CROWD] = {{.is_sync = false}};
        struct memory_step stores = {.bytes = {[0] = 7, [LAST] = 7}};
        struct memory_step loads = {.is_sync = false};
        struct mem_request request = hybrid_request(P, MEM_STORE, 0, NS(1100));
        (void)hybrid_load(b, P, 0, 0);
        crowd(b, steps, NS(1000));
        memory_begin(b, &loads, load_past(NS(1100 - before)));
        mem_request_touch(&request, request.address + LAST, 1);
        memory_begin(b, &stores, request);
        (void)memory_finish(b, &loads);
        const uint8_t first = loads.bytes[0];
        (void)memory_access(b, &loads, load_past(event_queue_now_ps(&b->event_queue)));
        assert_true(first <= loads.bytes[0]);
        (void)memory_finish(b, &stores);
        (void)memory_access(b, &loads, load_past(event_queue_now_ps(&b->event_queue)));
        assert_int_equal(loads.bytes[0], 7);
        asked += b->mem->counters.tracker.lost;
        memory_destroy(b);
    }
    assert_in_range(asked, 1, 19); /* in vain, but not always */
}
