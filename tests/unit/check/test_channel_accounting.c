/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The audit of a channel's books (hal/check/graph/channel_accounting.h) against a model that keeps
 * sets of elements: random histories of all variants balance, at rest and between dispatches; each
 * corruption is found, and as what it is. */
#include <stdlib.h>
#include <string.h>

#include "check/graph/channel_accounting.h"
#include "common/check.h"

#define WIDTH_MAX 256u
#define SLACK     3u
#define HISTORIES 300
#define STEPS     600

enum place { FREE, RESERVED, PUBLISHED, TAKEN, DONE };

/* A channel, and what became of each of its elements. `held` are those that are reserved and not
 * published, in no order. */
struct model {
    struct sl_channel shape;
    struct sl_audit_counters now;
    uint64_t first_entry;
    uint64_t first_element;
    uint64_t first_reserved;
    uint32_t control[2 * WIDTH_MAX];
    uint32_t done[WIDTH_MAX];
    uint64_t taken[WIDTH_MAX / 64];
    enum place place[WIDTH_MAX];
    uint32_t held[WIDTH_MAX];
    uint32_t line_bytes_count;
    uint64_t dispatched;
    uint64_t random;
};

static uint32_t draw(struct model *m, uint32_t below)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return (uint32_t)(m->random >> 11) % below;
}

static uint32_t mask(const struct model *m)
{
    return m->shape.width - 1;
}

static void begin_run(struct model *m)
{
    m->first_entry = m->now.control_head;
    m->first_element = m->now.data_head;
    m->first_reserved = m->now.data_tail;
}

/* As hal/host/driver/graph/graph_layout.c makes it, with counters that begin at `first`. */
static void create(struct model *m, uint32_t width, uint32_t done_shift, uint32_t flags,
                   uint64_t first, uint64_t seed)
{
    *m = (struct model){.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    m->shape = (struct sl_channel){
        .width = width, .slack = SLACK, .done_shift = done_shift, .flags = flags};
    const uint64_t head = first & ~((UINT64_C(1) << done_shift) - 1);
    const bool stamped = (flags & SL_CHANNEL_STAMPED) != 0;
    m->now = (struct sl_audit_counters){.data_tail = first,
                                        .data_head = head,
                                        .control_reserve = stamped ? (uint32_t)first : first,
                                        .control_tail = first,
                                        .control_head = first,
                                        .number = stamped ? (uint32_t)first : 0};
    m->dispatched = first;
    for (uint64_t i = head; i < first; i++) {
        m->place[i & mask(m)] = DONE;
        m->done[(i & mask(m)) >> done_shift]++;
        m->taken[(i & mask(m)) / 64] |= UINT64_C(1) << (i & mask(m)) % 64;
    }
    begin_run(m);
}

static void talloc(struct model *m)
{
    const uint64_t used = m->now.data_tail - m->now.data_head;
    const uint32_t count = 1 + draw(m, SLACK + 1);
    if (used + count > m->shape.width) {
        return;
    }
    const uint32_t start = (uint32_t)m->now.data_tail & mask(m);
    for (uint32_t i = 0; i < count; i++) {
        m->place[(start + i) & mask(m)] = RESERVED;
        m->held[m->line_bytes_count++] = start + i; /* behind the end: in the slack */
    }
    m->now.data_tail += count;
}

static uint32_t take_held(struct model *m)
{
    const uint32_t i = draw(m, m->line_bytes_count);
    const uint32_t offset = m->held[i];
    m->held[i] = m->held[--m->line_bytes_count];
    return offset;
}

static void enqueue(struct model *m, uint32_t count)
{
    if (count > m->line_bytes_count) {
        count = m->line_bytes_count;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t offset = take_held(m);
        m->control[m->now.control_tail++ & (2 * m->shape.width - 1)] = offset;
        m->place[offset & mask(m)] = PUBLISHED;
    }
    if ((m->shape.flags & SL_CHANNEL_STAMPED) == 0) {
        m->now.control_reserve = m->now.control_tail;
    } else if (count > 0) {
        m->now.control_reserve += (UINT64_C(1) << SL_PUBLICATION_SHIFT) + count;
        m->now.number = m->now.control_reserve;
    }
}

static void count_done(struct model *m, uint32_t at)
{
    m->place[at] = DONE;
    m->done[at >> m->shape.done_shift]++;
}

/* A lane that reserved for itself, and whose neighbours found no space. */
static void give_back(struct model *m)
{
    if ((m->shape.flags & SL_CHANNEL_WORKITEM) != 0 && m->line_bytes_count > 0) {
        count_done(m, take_held(m) & mask(m));
    }
}

static void dispatch(struct model *m, uint32_t count)
{
    while (count-- > 0 && m->dispatched != m->now.control_tail) {
        const uint32_t at = m->control[m->dispatched++ & (2 * m->shape.width - 1)] & mask(m);
        assert_int_equal(m->place[at], PUBLISHED);
        m->place[at] = TAKEN;
        m->taken[at / 64] |= UINT64_C(1) << at % 64;
    }
}

static void tfree(struct model *m)
{
    const uint32_t at = draw(m, m->shape.width);
    if (m->place[at] == TAKEN) {
        count_done(m, at);
    }
}

static void retire(struct model *m)
{
    const uint32_t group = 1u << m->shape.done_shift;
    const uint32_t first = (uint32_t)m->now.data_head & mask(m);
    if (m->done[first >> m->shape.done_shift] != group) {
        return;
    }
    m->done[first >> m->shape.done_shift] = 0;
    m->now.data_head += group;
    for (uint32_t i = first; i < first + group; i++) {
        m->place[i] = FREE;
        m->taken[i / 64] &= ~(UINT64_C(1) << i % 64);
    }
}

static struct sl_audit_channel snapshot(const struct model *m)
{
    return (struct sl_audit_channel){.shape = &m->shape,
                                     .now = m->now,
                                     .first_entry = m->first_entry,
                                     .first_element = m->first_element,
                                     .first_reserved = m->first_reserved,
                                     .control = m->control,
                                     .done = m->done};
}

static struct sl_audit_finding rest(const struct model *m)
{
    const struct sl_audit_channel channel = snapshot(m);
    uint8_t *const scratch = malloc(sl_audit_scratch_bytes(&m->shape));
    assert_non_null(scratch);
    memset(scratch, 0xa5, sl_audit_scratch_bytes(&m->shape));
    const struct sl_audit_finding finding = sl_audit_at_rest(&channel, scratch);
    free(scratch);
    return finding;
}

static struct sl_audit_finding motion(const struct model *m)
{
    const struct sl_audit_channel channel = snapshot(m);
    return sl_audit_in_motion(&channel, m->dispatched, m->taken);
}

static void step(struct model *m)
{
    switch (draw(m, 7)) {
    case 0:
    case 1:
        talloc(m);
        break;
    case 2:
        enqueue(m, 1 + draw(m, 8));
        break;
    case 3:
        dispatch(m, 1 + draw(m, 8));
        break;
    case 4:
        give_back(m);
        break;
    case 5:
        for (int i = 0; i < 20; i++) {
            tfree(m);
        }
        break;
    default:
        retire(m);
        break;
    }
}

/* Nothing is left to do: what firmware leaves behind. Some elements stay unfreed. */
static void complete(struct model *m)
{
    enqueue(m, m->line_bytes_count);
    dispatch(m, UINT32_MAX);
    m->now.control_head = m->dispatched;
    for (int i = 0; i < 200; i++) {
        tfree(m);
    }
    for (uint32_t i = 0; i <= m->shape.width >> m->shape.done_shift; i++) {
        retire(m);
    }
}

static void create_any(struct model *m, uint64_t seed)
{
    static const uint32_t variants[] = {0, SL_CHANNEL_WORKITEM, SL_CHANNEL_STAMPED, SL_CHANNEL_SOA,
                                        SL_CHANNEL_PADDED};
    static const uint64_t firsts[] = {0, 1, 77, UINT32_MAX - 40, UINT64_MAX - 300};
    create(m, seed % 2 != 0 ? 64 : WIDTH_MAX, (uint32_t)(seed % 7), variants[seed % 5],
           firsts[seed / 5 % 5], seed);
}

TEST(test_histories)
{
    static struct model m;
    for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
        create_any(&m, seed);
        for (int run = 0; run < 3; run++) {
            for (int i = 0; i < STEPS; i++) {
                step(&m);
                assert_int_equal(motion(&m).what, SL_AUDIT_BALANCED);
            }
            complete(&m);
            assert_int_equal(rest(&m).what, SL_AUDIT_BALANCED);
            assert_int_equal(motion(&m).what, SL_AUDIT_BALANCED);
            begin_run(&m);
        }
    }
}

/* ---- corruptions ---- */

/* A channel of 64 whose counters have gone round several times, and which holds elements that were
 * taken last and not freed. */
static void create_used(struct model *m, uint32_t flags, uint64_t seed)
{
    create(m, 64, 2, flags, 0, seed);
    for (int i = 0; i < 4 * STEPS; i++) {
        step(m);
    }
    complete(m);
    for (uint32_t at = 0; at < m->shape.width; at++) {
        if (m->place[at] == TAKEN) {
            count_done(m, at);
        }
    }
    for (uint32_t i = 0; i <= m->shape.width >> m->shape.done_shift; i++) {
        retire(m);
    }
    for (int i = 0; i < 4; i++) {
        talloc(m);
    }
    enqueue(m, m->line_bytes_count);
    dispatch(m, UINT32_MAX);
    m->now.control_head = m->dispatched;
    assert_int_equal(rest(m).what, SL_AUDIT_BALANCED);
}

static uint32_t *newest(struct model *m, uint32_t back)
{
    return &m->control[(m->now.control_tail - 1 - back) & (2 * m->shape.width - 1)];
}

static void offset_beyond(struct model *m)
{
    *newest(m, 0) = m->shape.width + SLACK;
}

static void enqueued_twice(struct model *m)
{
    *newest(m, 0) = *newest(m, 1);
}

static void enqueued_again(struct model *m)
{
    m->control[m->now.control_tail & (2 * m->shape.width - 1)] = *newest(m, 0);
    m->now.control_tail++;
    m->now.control_reserve++;
    m->now.control_head++;
}

static void never_enqueued(struct model *m)
{
    m->now.control_tail--;
    m->now.control_reserve--;
    m->now.control_head--;
}

static void freed_twice(struct model *m)
{
    m->done[(m->now.data_head & mask(m)) >> 2] = 5;
}

/* An index that names an element of a group that holds none. */
static void freed_elsewhere(struct model *m)
{
    m->now.data_tail = m->now.data_head;
    m->now.control_tail = m->now.control_head = m->now.control_reserve = m->now.data_tail;
    m->first_entry = m->now.control_head;
    memset(m->done, 0, sizeof m->done);
    m->done[7] = 1;
}

static void head_beyond_tail(struct model *m)
{
    m->now.data_head = (m->now.data_tail + 100000) & ~UINT64_C(3);
}

static void head_in_group(struct model *m)
{
    m->now.data_head++;
}

static void tail_beyond_width(struct model *m)
{
    m->now.data_tail += 65;
}

static void reserved_only(struct model *m)
{
    m->now.control_reserve += 3;
}

static void published_unreserved(struct model *m)
{
    m->now.control_tail += 3;
    m->now.control_head += 3;
    m->first_entry = m->now.control_head; /* entries that nobody looks at */
}

static void not_dispatched(struct model *m)
{
    m->now.control_head--;
}

static void all_counters_on(struct model *m)
{
    m->now.control_tail += 3;
    m->now.control_head += 3;
    m->now.control_reserve += 3;
    m->first_entry = m->now.control_head;
}

static const struct corruption {
    void (*apply)(struct model *m);
    enum sl_audit what;
    uint32_t flags;
} corruptions[] = {
    {offset_beyond, SL_AUDIT_OFFSET, 0},
    {enqueued_twice, SL_AUDIT_TWICE, 0},
    {enqueued_again, SL_AUDIT_TWICE, 0},
    {never_enqueued, SL_AUDIT_NOT_ENQUEUED, 0},
    {freed_twice, SL_AUDIT_DONE, 0},
    {freed_elsewhere, SL_AUDIT_DONE, 0},
    {freed_elsewhere, SL_AUDIT_DONE, SL_CHANNEL_WORKITEM},
    {head_beyond_tail, SL_AUDIT_EARLY, 0},
    {head_in_group, SL_AUDIT_HEAD, 0},
    {tail_beyond_width, SL_AUDIT_DATA_TAIL, 0},
    {reserved_only, SL_AUDIT_NOT_PUBLISHED, 0},
    {reserved_only, SL_AUDIT_NOT_PUBLISHED, SL_CHANNEL_STAMPED},
    {published_unreserved, SL_AUDIT_CONTROL_TAIL, 0},
    {not_dispatched, SL_AUDIT_HEAD, 0},
    {all_counters_on, SL_AUDIT_CONTROL_TAIL, 0},
    {published_unreserved, SL_AUDIT_CONTROL_TAIL, SL_CHANNEL_WORKITEM},
};

/* Whatever the history was. A second entry of an element may look like one of the element a width
 * before it, which the snapshot has forgotten, and another element then lacks its entry, unless an
 * older one looks like that: so that nearly all are found, and the device's own books find the rest
 * (sim-soc/dispatcher/exact_audit.h). */
TEST(test_corruptions)
{
    static struct model m;
    for (size_t i = 0; i < sizeof corruptions / sizeof corruptions[0]; i++) {
        const bool is_twice = corruptions[i].what == SL_AUDIT_TWICE;
        int missed = 0;
        for (uint64_t seed = 1; seed <= 50; seed++) {
            create_used(&m, corruptions[i].flags, seed);
            corruptions[i].apply(&m);
            const enum sl_audit what = rest(&m).what;
            missed += what == SL_AUDIT_BALANCED;
            if (!is_twice) {
                assert_int_equal(what, corruptions[i].what);
            }
        }
        assert_true(missed <= (is_twice ? 2 : 0));
    }
}

/* In a channel that has not gone round, what is told is exact: the element, and the entry. */
TEST(test_elements)
{
    static struct model m;
    create(&m, 64, 2, 0, 0, 1);
    while (m.now.data_tail < 40) {
        talloc(&m);
    }
    enqueue(&m, 64);
    dispatch(&m, 64);
    m.now.control_head = m.dispatched;
    const uint32_t lost = *newest(&m, 0);
    const uint32_t twice = *newest(&m, 5);
    const struct model good = m;

    *newest(&m, 0) = twice;
    struct sl_audit_finding finding = rest(&m);
    assert_int_equal(finding.what, SL_AUDIT_TWICE);
    assert_int_equal(finding.element, twice);
    assert_int_equal(finding.value0, m.now.control_tail - 6);

    m = good;
    never_enqueued(&m);
    finding = rest(&m);
    assert_int_equal(finding.what, SL_AUDIT_NOT_ENQUEUED);
    assert_int_equal(finding.element, lost);
    assert_int_equal(finding.value0, 1);

    m = good;
    m.done[3] = 9;
    finding = rest(&m);
    assert_int_equal(finding.what, SL_AUDIT_DONE);
    assert_int_equal(finding.element, 12);
    assert_int_equal(finding.value0, 9);
    assert_int_equal(finding.value1, 4);
}

/* Freed before they were taken: between dispatches that is known. */
TEST(test_motion)
{
    static struct model m;
    create(&m, 64, 2, 0, 0, 1);
    while (m.now.data_tail < 20) {
        talloc(&m);
    }
    enqueue(&m, 64);
    assert_int_equal(motion(&m).what, SL_AUDIT_BALANCED);
    m.done[2] = 1;
    const struct sl_audit_finding finding = motion(&m);
    assert_int_equal(finding.what, SL_AUDIT_DONE);
    assert_int_equal(finding.element, 8);
    assert_int_equal(finding.value1, 0);
    m.done[2] = 0;
    m.now.control_tail += 40;
    assert_int_equal(motion(&m).what, SL_AUDIT_CONTROL_TAIL);
    m.now.control_tail -= 40;
    m.now.control_reserve += 40;
    assert_int_equal(motion(&m).what, SL_AUDIT_CONTROL_TAIL);
}

/* Any snapshot is survived: all accesses are to the arrays, which the sanitizers watch. */
TEST(test_any_snapshot)
{
    static struct model m;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        create_any(&m, seed);
        uint64_t *const words = (uint64_t *)&m.now;
        for (size_t i = 0; i < sizeof m.now / sizeof *words; i++) {
            words[i] = m.random * seed >> draw(&m, 64);
            (void)draw(&m, 2);
        }
        for (uint32_t i = 0; i < 2 * m.shape.width; i++) {
            m.control[i] = (uint32_t)m.random >> draw(&m, 32);
        }
        for (uint32_t i = 0; i < m.shape.width >> m.shape.done_shift; i++) {
            m.done[i] = (uint32_t)m.random >> draw(&m, 32);
        }
        (void)rest(&m);
        (void)motion(&m);
    }
}
