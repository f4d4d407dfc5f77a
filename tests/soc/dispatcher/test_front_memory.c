/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* front.memory = coherent: what the front end reads and writes takes memory's time, and firmware
 * sees of it what is in memory, no earlier, no later.
 *
 * On flat memory an access takes 20 cycles and takes effect after 10; the front end's bytes change
 * hands when it is over. A packet is one line, its kernel record two lines, read at once behind it;
 * each record is written at once with its lines. */
#include "common/check.h"
#include "soc/common/driver.h"

#define ACCESS 20u /* cycles of flat memory */

static struct asm_code code;

/* Kernels by their offset: one that ends at once, one that traps, one that yields on channel 5 and
 * ends, one that never ends. */
enum { ENDS = 0, TRAPS = 4, YIELDS = 8, ENDLESS = 20 };

static struct driver *create_with(const char *system, const char *front)
{
    struct driver *d = DRIVER("gpu.cus=1", front, system);

    asm_begin(&code);
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_put(&code, asm_SL_TRAP(7, ZERO, ZERO));
    asm_function(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, 5));
    asm_put(&code, asm_SL_YIELD(T0, ZERO));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_put(&code, asm_ADDI(T0, T0, 1));
    asm_put(&code, asm_JAL(ZERO, -4));
    driver_place(d, &code);
    return d;
}

static struct driver *create(const char *system)
{
    return create_with(system, "front.memory=coherent");
}

/* The cycle edge at which something is seen that begins at a time. */
static uint64_t edge(uint64_t time_ps)
{
    return (time_ps + 999) / 1000;
}

/* The bell at N ps: the packet is read by the edge after N + 20 cycles, the kernel record 20 later;
 * then 8 cycles to the launch, and 2 until the first instruction issues, every 4 cycles from there.
 */
TEST(test_launch)
{
    for (unsigned idle = 0; idle < 8; idle++) {
        struct driver *d = create("mem.system=flat");
        driver_begin(d);
        driver_idle(d, idle);
        driver_packet(d, driver_kernel(d, ENDLESS, 0), 0, 64);
        driver_bell(d);
        const uint64_t launch = edge(d->soc->core->time_ps) + 2 * ACCESS + 8;
        assert_int_equal(driver_read(d, SL_REG_ACTIVE),
                         1); /* the packet, though none is resident */
        driver_idle(d, 100);
        const uint64_t *statistics = driver_end(d);
        const uint64_t end = statistics[SL_STAT_GPU_CYCLES];
        assert_int_equal(d->soc->activity.blocked_cycles, launch);
        assert_int_equal(statistics[SL_STAT_SIMT_WAVE_INSTRUCTIONS], (end - launch - 2) / 4 + 1);
        driver_destroy(d);
    }
}

/* Idles until the tail of a ring has moved. Meanwhile there is something in flight, and what is
 * there of the record is nothing. Returns the time. */
static uint64_t await_record(struct driver *d, enum sl_register tail, const uint64_t *record)
{
    while (driver_read(d, tail) == 0) {
        assert_int_equal(*record, 0);
        assert_true(driver_read(d, SL_REG_ACTIVE) > 0);
        assert_true(d->soc->core->time_ps < 100000000);
        driver_idle(d, 1);
    }
    assert_int_not_equal(*record, 0);
    return d->soc->core->time_ps;
}

/* Seen 20 cycles after the wavefront's end, with the next instruction (2 cycles of 500 ps). */
TEST(test_completion)
{
    struct driver *d = create("mem.system=flat");

    driver_begin(d);
    driver_packet(d, driver_kernel(d, ENDS, 0), 0, 64);
    driver_bell(d);
    const uint64_t seen_ps = await_record(d, SL_REG_COMPLETION_TAIL,
                                          (const uint64_t *)&driver_completion(d, 0)->elements);
    const uint64_t end_ps = driver_completion(d, 0)->time_ps;
    assert_int_equal(driver_completion(d, 0)->elements, 64);
    assert_in_range(seen_ps, end_ps + ACCESS * 1000, end_ps + ACCESS * 1000 + 2 * DRIVER_IDLE_PS);
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 0);
    driver_destroy(d);
}

static struct mem_ops with_steps;

/* Memory takes a while to end a packet, and nothing else. */
static uint64_t step_slowly(struct mem_system *mem, struct mem_request *request)
{
    (void)mem;
    return request->time_ps + (request->sync == MEM_SYNC_STEP ? 1000 * ACCESS * 1000 : 0);
}

/* A packet that has ended is in flight while memory is told so, too: firmware may not take the
 * device for drained without its record, wherever that goes. */
TEST(test_step)
{
    for (unsigned is_free = 0; is_free < 2; is_free++) {
        struct driver *d =
            create_with("mem.system=flat", is_free ? "front.memory=free" : "front.memory=coherent");
        with_steps = *d->soc->mem->ops;
        with_steps.sync = step_slowly;
        d->soc->mem->ops = &with_steps;
        driver_begin(d);
        driver_packet(d, driver_kernel(d, ENDS, 0), 0, 64);
        driver_bell(d);
        driver_await(d, SL_REG_RESIDENT, 1);
        driver_await(d, SL_REG_RESIDENT, 0);
        const uint64_t end_ps = d->soc->core->time_ps;
        const uint64_t seen_ps = await_record(d, SL_REG_COMPLETION_TAIL,
                                              (const uint64_t *)&driver_completion(d, 0)->elements);
        assert_true(seen_ps - end_ps > 900 * ACCESS * 1000);
        assert_int_equal(driver_read(d, SL_REG_ACTIVE), 0);
        driver_destroy(d);
    }
}

/* The fault record comes before the completion record of its packet; both count until they are
 * there. */
TEST(test_fault)
{
    struct driver *d = create("mem.system=flat");

    driver_begin(d);
    driver_packet(d, driver_kernel(d, TRAPS, 0), 0, 64);
    driver_bell(d);
    const uint64_t seen_ps =
        await_record(d, SL_REG_FAULT_TAIL, (const uint64_t *)&driver_fault(d, 0)->code);
    const uint64_t fault_ps = driver_fault(d, 0)->time_ps;
    assert_in_range(seen_ps, fault_ps + ACCESS * 1000,
                    fault_ps + ACCESS * 1000 + 2 * DRIVER_IDLE_PS);
    assert_int_equal(driver_read(d, SL_REG_COMPLETION_TAIL), 0);
    assert_true(driver_read(d, SL_REG_ACTIVE) > 0);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 0);
    driver_destroy(d);
}

/* A wavefront that yields holds its context until the restart context is there, and is restarted by
 * a packet that takes its time, too. */
TEST(test_yield)
{
    struct driver *d = create("mem.system=flat");

    driver_begin_yields(d);
    driver_packet(d, driver_kernel(d, YIELDS, 0), 0, 64);
    driver_bell(d);
    const uint64_t seen_ps =
        await_record(d, SL_REG_YIELD_TAIL, (const uint64_t *)&driver_yield(d, 0)->block);
    const uint64_t saved_ps = driver_yield(d, 0)->time_ps;
    assert_in_range(seen_ps, saved_ps + ACCESS * 1000,
                    saved_ps + ACCESS * 1000 + 2 * DRIVER_IDLE_PS);
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 0);
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 0);
    driver_restart(d, driver_yield(d, 0)->block);
    const uint64_t bell = edge(d->soc->core->time_ps);
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 1);
    driver_await(d, SL_REG_RESIDENT, 1);
    const uint64_t restarted = edge(d->soc->core->time_ps);
    assert_in_range(restarted, bell + ACCESS + 8, bell + ACCESS + 8 + 3);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    driver_destroy(d);
}

/* More packets than slots: the rest wait, in order, and none is lost. */
TEST(test_many)
{
    struct driver *d = create("mem.system=flat");
    const uint64_t kernel = driver_kernel(d, ENDS, 0);
    const uint32_t count = SL_COMPLETION_ENTRIES + 100;
    uint32_t seen = 0;

    driver_begin(d);
    for (uint32_t i = 0; i < SL_DISPATCH_ENTRIES; i++) {
        driver_packet(d, kernel, i, 1);
    }
    driver_bell(d);
    while (seen < count) {
        while (driver_read(d, SL_REG_COMPLETION_TAIL) > seen) {
            assert_int_equal(driver_completion(d, seen)->id, seen);
            seen++;
        }
        driver_store(d, SL_REG_COMPLETION_HEAD, seen);
        if (d->tail < count) {
            driver_packet(d, kernel, d->tail, 1);
            driver_bell(d);
        }
        driver_idle(d, 10);
        assert_true(d->soc->core->time_ps < 100000000);
    }
    driver_destroy(d);
}

/* On `moesi` the front end is one of those that share lines: a packet that the aggregator has just
 * written comes from its cache, and the record that firmware reads from the front end's. */
TEST(test_sharing)
{
    struct driver *d = create("mem.system=moesi");
    const struct l1_counters *l1 = &d->soc->mem->counters.l1[FRONT_L1D];

    driver_begin(d);
    driver_packet(d, driver_kernel(d, ENDS, 0), 0, 64);
    driver_store_memory(d, d->packets_base + 56, 0);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(l1->accesses, 1 + 2 + 1);
    assert_int_equal(l1->served[HIT_OTHER_L1], 1);
    assert_int_equal(l1->served[HIT_DRAM], 3);
    driver_store_memory(d, d->completions_base + 8, 0);
    assert_int_equal(l1->supplied, 1);
    driver_destroy(d);
}

/* A reset at any time forgets what is on its way: the run behind it sees its own packet's records,
 * each once. */
TEST(test_reset)
{
    for (unsigned idle = 0; idle < 80; idle++) {
        struct driver *d = create("mem.system=flat");
        const uint64_t traps = driver_kernel(d, TRAPS, 0);
        driver_begin(d);
        for (unsigned i = 0; i < 3; i++) {
            driver_packet(d, traps, i, 64);
        }
        driver_bell(d);
        driver_idle(d, idle);
        driver_store(d, SL_REG_RESET, 1);
        assert_int_equal(driver_read(d, SL_REG_ACTIVE), 0);
        d->tail = 0;
        driver_packet(d, traps, 7, 64)->id = 70;
        driver_bell(d);
        driver_await(d, SL_REG_COMPLETION_TAIL, 1);
        driver_idle(d, 200);
        assert_int_equal(driver_read(d, SL_REG_COMPLETION_TAIL), 1);
        assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 1);
        assert_int_equal(driver_read(d, SL_REG_ACTIVE), 0);
        assert_int_equal(driver_completion(d, 0)->id, 70);
        driver_destroy(d);
    }
}
