/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The laws of a channel's accounting, one function for each group of them; the first that finds
 * something ends the audit. Those that name an element come before those that only count. */
#include "check/graph/channel_accounting.h"

#include <string.h>

#include "sluice/limits.h"

#define BALANCED ((struct sl_audit_finding){SL_AUDIT_BALANCED, SL_AUDIT_NO_ELEMENT, 0, 0})

#define WORD_BITS 64u

/* Counts of a place's entries go so far: far above what elements of one place there can be. */
#define ENTRIES_COUNTED 255

static struct sl_audit_finding found(enum sl_audit what, uint64_t element, uint64_t value0,
                                     uint64_t value1)
{
    return (struct sl_audit_finding){what, element, value0, value1};
}

static uint64_t group_of(const struct sl_channel *shape)
{
    return UINT64_C(1) << shape->done_shift;
}

static bool is_stamped(const struct sl_channel *shape)
{
    return (shape->flags & SL_CHANNEL_STAMPED) != 0;
}

struct sl_audit_counters sl_audit_read(const struct sl_channel *channel)
{
    return (struct sl_audit_counters){
        .data_tail = __atomic_load_n(&channel->data_tail, __ATOMIC_RELAXED),
        .data_head = __atomic_load_n(&channel->data_head, __ATOMIC_RELAXED),
        .control_reserve = __atomic_load_n(&channel->control_reserve, __ATOMIC_RELAXED),
        .control_tail = __atomic_load_n(&channel->control_tail, __ATOMIC_RELAXED),
        .control_head = __atomic_load_n(&channel->control_head, __ATOMIC_RELAXED),
        .number = __atomic_load_n(&channel->number, __ATOMIC_RELAXED),
    };
}

/* The data counters by themselves. */
static struct sl_audit_finding check_data(const struct sl_audit_channel *channel)
{
    const struct sl_channel *const shape = channel->shape;
    const struct sl_audit_counters *const now = &channel->now;
    const uint64_t group = group_of(shape);
    const uint64_t head = now->data_head;

    if ((head & (group - 1)) != 0) {
        return found(SL_AUDIT_HEAD, SL_AUDIT_NO_ELEMENT, head, head & ~(group - 1));
    }
    if (now->data_tail - channel->first_element < head - channel->first_element) {
        return found(SL_AUDIT_EARLY, now->data_tail & (shape->width - 1), head, now->data_tail);
    }
    if (now->data_tail - head > shape->width) {
        return found(SL_AUDIT_DATA_TAIL, SL_AUDIT_NO_ELEMENT, now->data_tail - head, shape->width);
    }
    return BALANCED;
}

/* ---- at rest ---- */

static struct sl_audit_finding check_control(const struct sl_audit_channel *channel)
{
    const struct sl_audit_counters *const now = &channel->now;
    const bool stamped = is_stamped(channel->shape);
    /* Of a stamped channel the counter of entries has 32 bits. */
    const uint64_t reserved =
        stamped ? (uint32_t)(now->control_reserve - now->number) : now->control_reserve;
    const uint64_t hidden = stamped ? reserved : reserved - now->control_tail;

    if (hidden - 1 < 2 * (uint64_t)channel->shape->width ||
        (stamped && now->control_reserve != now->number)) {
        return found(SL_AUDIT_NOT_PUBLISHED, SL_AUDIT_NO_ELEMENT, hidden, now->control_tail);
    }
    if (hidden != 0 || (stamped && (uint32_t)now->control_reserve != (uint32_t)now->control_tail)) {
        return found(SL_AUDIT_CONTROL_TAIL, SL_AUDIT_NO_ELEMENT, now->control_tail,
                     now->control_reserve);
    }
    if (now->control_tail != now->control_head) {
        return found(SL_AUDIT_HEAD, SL_AUDIT_NO_ELEMENT, now->control_head, now->control_tail);
    }
    return BALANCED;
}

/* Which element, as data_tail counts, an entry is of that is the `count`-th of its place, counted
 * from the newest. */
static uint64_t element_of(const struct sl_audit_channel *channel, uint64_t place, uint64_t count)
{
    const uint64_t width = channel->shape->width;
    const uint64_t newest = channel->now.data_tail - 1;

    return newest - ((newest - place) & (width - 1)) - count * width;
}

/* Elements reserved beyond entries published; negative, where there are more of these. */
static int64_t unpublished(const struct sl_audit_channel *channel)
{
    return (int64_t)(channel->now.data_tail - channel->now.control_tail);
}

/* Entry `entry`, whose place has had `count` newer ones. */
static struct sl_audit_finding check_entry(const struct sl_audit_channel *channel, uint64_t entry,
                                           uint64_t offset, uint64_t count)
{
    const struct sl_channel *const shape = channel->shape;
    const int64_t width = shape->width;
    const int64_t left = unpublished(channel);

    if (offset >= (uint64_t)width + shape->slack) {
        return found(SL_AUDIT_OFFSET, offset, entry, 0);
    }
    const uint64_t element = element_of(channel, offset, count);
    const int64_t distance = (int64_t)(element - entry);
    const uint64_t place = offset & ((uint64_t)width - 1);
    if ((int64_t)(element - channel->first_element) < 0 ||
        (left == 0 && (distance <= -width || distance >= width))) {
        return found(SL_AUDIT_TWICE, place, entry, left < 0 ? (uint64_t)-left : 0);
    }
    return BALANCED;
}

/* From the newest entry back, as far as the run and the array go; counts the entries of each place.
 */
static struct sl_audit_finding check_entries(const struct sl_audit_channel *channel,
                                             uint8_t *entries)
{
    const struct sl_channel *const shape = channel->shape;
    const uint64_t mask = 2 * (uint64_t)shape->width - 1;
    const uint64_t of_run = channel->now.control_tail - channel->first_entry;
    const uint64_t count = of_run <= mask ? of_run : mask + 1;

    memset(entries, 0, sl_audit_scratch_bytes(shape));
    for (uint64_t i = 1; i <= count; i++) {
        const uint64_t entry = channel->now.control_tail - i;
        const uint64_t offset = channel->control[entry & mask];
        uint8_t *const before = &entries[offset & (shape->width - 1)];
        const struct sl_audit_finding finding = check_entry(channel, entry, offset, *before);
        if (finding.what != SL_AUDIT_BALANCED) {
            return finding;
        }
        *before += *before < ENTRIES_COUNTED;
    }
    return BALANCED;
}

/* Elements that the run reserved, that are not given back, and have no entry; *one is one of them.
 */
static uint64_t count_unpublished(const struct sl_audit_channel *channel, const uint8_t *entries,
                                  uint64_t *one)
{
    const uint64_t mask = channel->shape->width - 1;
    const uint64_t used = channel->now.data_tail - channel->now.data_head;
    const uint64_t of_run = channel->now.data_tail - channel->first_reserved;
    uint64_t count = 0;

    *one = SL_AUDIT_NO_ELEMENT;
    for (uint64_t i = 1; i <= used && i <= of_run; i++) {
        const uint64_t place = (channel->now.data_tail - i) & mask;
        if (entries[place] == 0) {
            *one = place;
            count++;
        }
    }
    return count;
}

static struct sl_audit_finding check_published(const struct sl_audit_channel *channel,
                                               const uint8_t *entries)
{
    const struct sl_audit_counters *const now = &channel->now;
    const int64_t left = unpublished(channel);
    const int64_t allowed = (channel->shape->flags & SL_CHANNEL_WORKITEM) != 0 ? left : 0;
    uint64_t element;

    if (left < 0) {
        return found(SL_AUDIT_CONTROL_TAIL, SL_AUDIT_NO_ELEMENT, now->control_tail, now->data_tail);
    }
    const uint64_t count = count_unpublished(channel, entries, &element);
    if (left > allowed || count > (uint64_t)allowed) {
        return found(SL_AUDIT_NOT_ENQUEUED, element, left > allowed ? (uint64_t)left : count, 0);
    }
    return BALANCED;
}

/* Elements of the group that begins `before` elements behind data_head, in the order of the data
 * array, that are reserved. */
static uint64_t reserved_of_group(const struct sl_audit_channel *channel, uint64_t before)
{
    const uint64_t group = group_of(channel->shape);
    const uint64_t used = channel->now.data_tail - channel->now.data_head;

    return before >= used ? 0 : used - before < group ? used - before : group;
}

static struct sl_audit_finding check_done(const struct sl_audit_channel *channel)
{
    const struct sl_channel *const shape = channel->shape;
    const uint64_t mask = shape->width - 1;

    for (uint64_t before = 0; before < shape->width; before += group_of(shape)) {
        const uint64_t first = (channel->now.data_head + before) & mask;
        const uint64_t done = channel->done[first >> shape->done_shift];
        const uint64_t reserved = reserved_of_group(channel, before);
        if (done > reserved) {
            return found(SL_AUDIT_DONE, first, done, reserved);
        }
    }
    return BALANCED;
}

struct sl_audit_finding sl_audit_at_rest(const struct sl_audit_channel *channel, uint8_t *scratch)
{
    struct sl_audit_finding finding = check_data(channel);

    if (finding.what == SL_AUDIT_BALANCED) {
        finding = check_entries(channel, scratch);
    }
    if (finding.what == SL_AUDIT_BALANCED) {
        finding = check_control(channel);
    }
    if (finding.what == SL_AUDIT_BALANCED) {
        finding = check_published(channel, scratch);
    }
    return finding.what == SL_AUDIT_BALANCED ? check_done(channel) : finding;
}

/* ---- in motion ---- */

/* Elements of the group that begins at `first` that were dispatched. */
static uint64_t taken_of_group(const struct sl_channel *shape, const uint64_t *taken,
                               uint64_t first)
{
    const uint64_t group = group_of(shape);
    uint64_t count = 0;

    if (group < WORD_BITS) {
        const uint64_t bits = taken[first / WORD_BITS] >> first % WORD_BITS;
        return (uint64_t)__builtin_popcountll(bits & ((UINT64_C(1) << group) - 1));
    }
    for (uint64_t i = 0; i < group; i += WORD_BITS) {
        count += (uint64_t)__builtin_popcountll(taken[(first + i) / WORD_BITS]);
    }
    return count;
}

static struct sl_audit_finding check_done_taken(const struct sl_audit_channel *channel,
                                                const uint64_t *taken)
{
    const struct sl_channel *const shape = channel->shape;
    const bool gives_back = (shape->flags & SL_CHANNEL_WORKITEM) != 0;
    const uint64_t mask = shape->width - 1;

    for (uint64_t before = 0; before < shape->width; before += group_of(shape)) {
        const uint64_t first = (channel->now.data_head + before) & mask;
        const uint64_t done = channel->done[first >> shape->done_shift];
        if (done == 0) {
            continue;
        }
        const uint64_t may =
            gives_back ? reserved_of_group(channel, before) : taken_of_group(shape, taken, first);
        if (done > may) {
            return found(SL_AUDIT_DONE, first, done, may);
        }
    }
    return BALANCED;
}

struct sl_audit_finding sl_audit_in_motion(const struct sl_audit_channel *channel,
                                           uint64_t dispatched, const uint64_t *taken)
{
    const struct sl_audit_counters *const now = &channel->now;
    const struct sl_audit_finding finding = check_data(channel);
    const uint64_t used = now->data_tail - now->data_head;

    if (finding.what != SL_AUDIT_BALANCED) {
        return finding;
    }
    if (now->control_tail - dispatched > used) {
        return found(SL_AUDIT_CONTROL_TAIL, SL_AUDIT_NO_ELEMENT, now->control_tail, now->data_tail);
    }
    if (!is_stamped(channel->shape) && now->control_reserve - now->control_tail > used) {
        return found(SL_AUDIT_CONTROL_TAIL, SL_AUDIT_NO_ELEMENT, now->control_tail,
                     now->control_reserve);
    }
    return check_done_taken(channel, taken);
}
