/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Work-groups and their packets on a memory system whose answers are all pending
 * (soc/common/slow_memory.h): the front end's accesses, and the packet's end, which it tells;
 * synchronization through LDS; what observers are told of all this. */
#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/instruction_words.h"
#include "soc/common/ndrange_machine.h"
#include "soc/common/slow_memory.h"

static const uint32_t one_item[3] = {1, 1, 1};
static const struct ndrange_kernel kernel = {.entry = SL_KERNEL_BASE, .registers = 8};

/* ---- a packet's end ---- */

static struct ndrange_machine *create(struct slow_cycles cycles)
{
    static const char *const settings[] = {"gpu.cus=1", "front.memory=coherent", NULL};

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
TEST(test_step_is_in_flight)
{
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

/* ---- the front end's accesses ---- */

/* A packet is a line, its kernel record is two; a completion record is a part of one, and no other
 * byte of that. */
TEST(test_front_accesses)
{
    const uint32_t words[] = {RET};
    struct ndrange_machine *m = create((struct slow_cycles){.access[MEM_FRONT] = 10});
    const struct slow_memory *slow = slow_memory(m->gpu->mem);
    uint32_t loads = 0;
    uint32_t stores = 0;

    ndrange_assemble(m, words, 1, SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, one_item, one_item, 0);
    (void)ndrange_run(m);
    for (uint32_t i = 0; i < slow->count; i++) {
        const struct mem_request *request = &slow->seen[i].request;
        if (slow->seen[i].is_sync || request->from.kind != MEM_FRONT) {
            continue;
        }
        const unsigned bytes = (unsigned)__builtin_popcountll(request->mask[0]);
        if (request->kind == MEM_STORE) {
            assert_int_equal(bytes, sizeof(struct sl_completion));
            stores++;
        } else {
            assert_int_equal(bytes, SL_CACHE_LINE_BYTES);
            loads++;
        }
    }
    assert_int_equal(loads,
                     (sizeof(struct sl_dispatch) + sizeof(struct sl_kernel)) / SL_CACHE_LINE_BYTES);
    assert_int_equal(stores, 1);
    ndrange_destroy(m);
}

/* ---- LDS ---- */

#define AQ (1u << 26)
#define RL (1u << 25)

/* An atomic on LDS is no access to memory, but what it orders is: another wavefront of the group
 * may read in memory what this one has written there. So memory is told of its release before it,
 * and of its acquire behind it; each takes 50 cycles. One that orders nothing is none of its
 * business. */
TEST(test_lds_synchronizes)
{
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

/* ---- observers ---- */

#define EVENTS 32u

struct notes {
    struct observer base;
    uint32_t count;
    struct obs_event events[EVENTS];
};

static void note(struct observer *observer, const struct obs_event *event)
{
    struct notes *notes = (struct notes *)observer;

    assert_true(notes->count < EVENTS);
    notes->events[notes->count++] = *event;
}

static const struct observer_ops note_ops = {
    .name = "notes",
    .wants = 1u << OBS_LAUNCH | 1u << OBS_LEAVE | 1u << OBS_ACCESS | 1u << OBS_SYNC,
    .event = note,
};

/* Of a kernel that adds in LDS and loads from its stack: the front end's accesses when their bytes
 * change hands, the wavefront's when they take effect, in program order; synchronization when it is
 * over, a packet's last. */
TEST(test_events)
{
    static const struct {
        enum obs_kind kind;
        uint8_t from;
        uint8_t what; /* enum mem_space, or enum mem_sync */
        bool writes;  /* or releases */
    } expected[] = {
        {OBS_ACCESS, MEM_FRONT, MEM_SHARED, false}, /* the packet */
        {OBS_ACCESS, MEM_FRONT, MEM_SHARED, false}, /* and its kernel record */
        {OBS_LAUNCH, MEM_CU, 0, false},
        {OBS_SYNC, MEM_CU, MEM_SYNC_PACKET, false},
        {OBS_ACCESS, MEM_CU, MEM_LDS, true},
        {OBS_ACCESS, MEM_CU, MEM_PRIVATE, false},
        {OBS_SYNC, MEM_CU, MEM_SYNC_PACKET, true},
        {OBS_LEAVE, MEM_CU, 0, false},
        {OBS_SYNC, MEM_FRONT, MEM_SYNC_STEP, false},
        {OBS_ACCESS, MEM_FRONT, MEM_SHARED, true}, /* the completion record */
    };
    const uint32_t words[] = {LUI(T0, LDS_UPPER), AMOADD_W(T1, T0, X0), LD(T2, SP, -8), RET};
    struct ndrange_machine *m = create((struct slow_cycles){
        .access = {[MEM_CU] = 20, [MEM_FRONT] = 10}, .sync = {[MEM_SYNC_PACKET] = 5}});
    struct notes notes = {.base = {.ops = &note_ops}};
    uint64_t time_ps = 0;

    stream_subscribe((struct stream *)(uintptr_t)m->gpu->env.stream, &notes.base);
    ndrange_assemble(m, words, 4, SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, one_item, one_item, 64);
    (void)ndrange_run(m);
    assert_int_equal(notes.count, sizeof expected / sizeof expected[0]);
    for (uint32_t i = 0; i < notes.count; i++) {
        const struct obs_event *event = &notes.events[i];
        assert_int_equal(event->kind, expected[i].kind);
        assert_true(event->time_ps >= time_ps);
        time_ps = event->time_ps;
        if (event->kind == OBS_ACCESS) {
            assert_int_equal(event->access.from.kind, expected[i].from);
            assert_int_equal(event->access.space, expected[i].what);
            assert_int_equal(event->access.writes, expected[i].writes);
        } else if (event->kind == OBS_SYNC) {
            assert_int_equal(event->sync.from.kind, expected[i].from);
            assert_int_equal(event->sync.sync, expected[i].what);
            assert_int_equal(event->sync.release, expected[i].writes);
        }
    }
    assert_int_equal(notes.events[4].access.place, 0);
    assert_int_equal(notes.events[5].access.place, 1);
    assert_int_equal(notes.events[5].access.pc, SL_KERNEL_BASE + 8);
    assert_int_equal(notes.events[5].access.lanes, 1);
    ndrange_destroy(m);
}
