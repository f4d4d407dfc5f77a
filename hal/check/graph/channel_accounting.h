/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The audit: whether the accounting of a channel balances (docs/know/trust.md, "The audit"). Pure
 * functions over a snapshot: the auditor's own copy of the channel's shape, which was checked,
 * counters that were read once each, and arrays. Whatever these hold, nothing outside the arrays is
 * accessed.
 *
 * Counters only grow, and data and control counters start together (graph_layout.c: `first`), so
 * that the elements that were reserved but not published yet are data_tail - control_tail: at any
 * time not negative, and no more than the width. Each element is published by one control entry and
 * dispatched by it; it comes back to the producers when its whole group is done.
 *
 * At rest, which is when the graph is complete:
 *
 *   - all entries that were reserved are published, and all that are published are dispatched. Of a
 *     stamped channel the next publication is the one that would be reserved next.
 *   - all elements that were reserved are published. Only lanes that reserve each for itself
 *     (SL_CHANNEL_WORKITEM) give elements back that never were: there are no more than these.
 *   - heads are behind tails, by the width at most, and data_head is a multiple of the group.
 *   - each entry names a place of the data array, slack behind its end included, which is the place
 *     at its beginning over again. The entries of one place are, from the newest back, of the
 * newest element there, of the one a width before it, and so on: none is of an element that had
 * come back before the run. And as no element is reserved before the one a width before it has come
 *     back, that is, was dispatched, entry p is of an element less than a width from the p-th; not
 *     where some have no entry, because they were given back.
 *   - each element that the run reserved and that has not come back has an entry.
 *   - no group has more elements done than there are reserved of it; a group that has none, has
 * none done.
 *
 * Elements that nobody freed are allowed: they stay behind the head. So are elements before the
 * first: a group that `first` lies in begins with elements that are done.
 *
 * In motion, that is between two dispatches, the same but for what is under way; done counts are
 * then held against the elements that were dispatched. */
#ifndef SLUICE_CHECK_GRAPH_CHANNEL_ACCOUNTING_H
#define SLUICE_CHECK_GRAPH_CHANNEL_ACCOUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/codes.h"
#include "sluice/layouts.h"

/* Of a channel, each read once from memory that lanes write. */
struct sl_audit_counters {
    uint64_t data_tail;
    uint64_t data_head;
    uint64_t control_reserve;
    uint64_t control_tail;
    uint64_t control_head;
    uint64_t number;
};

struct sl_audit_channel {
    const struct sl_channel *shape; /* the auditor's own copy; its counters mean nothing */
    struct sl_audit_counters now;
    uint64_t first_entry;    /* control_head when the run began */
    uint64_t first_element;  /* data_head when the run began */
    uint64_t first_reserved; /* data_tail when the run began */
    const uint32_t *control; /* 2 x width; may change meanwhile */
    const uint32_t *done;    /* width >> done_shift; likewise */
};

/* Where no element is known. */
#define SL_AUDIT_NO_ELEMENT UINT64_MAX

/* What does not balance. The values, by what:
 *
 *   CONTROL_TAIL    entries published; entries reserved, or elements reserved
 *   DATA_TAIL       elements in use; width
 *   OFFSET, TWICE   the control entry that names it; entries published beyond elements reserved
 *   NOT_ENQUEUED    how many; 0
 *   DONE            done count of the group that begins at the element; elements that may be done
 *   EARLY           data_head; data_tail
 *   HEAD            the counter; what it would have to be
 *   NOT_PUBLISHED   how many; entries published */
struct sl_audit_finding {
    enum sl_audit what;
    uint64_t element; /* which of the data array, or SL_AUDIT_NO_ELEMENT */
    uint64_t value0;
    uint64_t value1;
};

/* Reads the counters of a channel, each once. */
struct sl_audit_counters sl_audit_read(const struct sl_channel *channel);

/* Bytes of scratch memory that sl_audit_at_rest() needs for a channel of this shape. */
static inline uint64_t sl_audit_scratch_bytes(const struct sl_channel *shape)
{
    return shape->width;
}

/* The first thing that does not balance in a channel whose graph is complete; BALANCED where all
 * does. The scratch memory need not be clear. */
struct sl_audit_finding sl_audit_at_rest(const struct sl_audit_channel *channel, uint8_t *scratch);

/* The same in motion. `dispatched`: control entries that were, as control_head counts. `taken`: a
 * bit for each element of the data array, set where it was dispatched and is behind data_head. */
struct sl_audit_finding sl_audit_in_motion(const struct sl_audit_channel *channel,
                                           uint64_t dispatched, const uint64_t *taken);

/* Whether the element at `place` of the data array is reserved and not given back, as the counters
 * have it. */
static inline bool sl_audit_is_reserved(const struct sl_channel *shape, uint64_t data_head,
                                        uint64_t data_tail, uint64_t place)
{
    return ((place - data_head) & (shape->width - 1)) < data_tail - data_head;
}

#endif
