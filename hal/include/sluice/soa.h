/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Elements of a channel that is a structure of arrays (SL_CHANNEL_SOA; the future work of the core
 * paper's section 8.1), for host and kernels.
 *
 * The element type is a C structure as for any channel, but no such structure is in memory: the
 * field at byte f of it has an array of its own, with a place for each element of the channel, so
 * that lanes that access one field of adjacent elements access adjacent memory. What talloc and deq
 * return is a handle: it names the first of the elements, goes to enq as it is, and must not be
 * dereferenced. A view, made of a handle by sl_soa() in kernels and by sl_graph_soa() on the host,
 * leads to the fields:
 *
 *     void *const made = sl_talloc_or_yield(deeper, 2);
 *     const struct sl_soa children = sl_soa(deeper, made);
 *     SL_FIELD(children, 1, struct fib_task, n) = n - 2;
 *     sl_enq(deeper, made, 2);
 *
 * A field's address is an ordinary pointer, which other elements may hold. Fields are scalars of 1,
 * 2, 4 or 8 bytes; a member of an array or of a structure inside the element counts as a field by
 * itself, and is always to be named down to the scalar. */
#ifndef SLUICE_SOA_H
#define SLUICE_SOA_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/layouts.h"

struct sl_soa {
    uint64_t data;   /* address of the first field's array */
    uint64_t length; /* elements of each array */
    uint64_t offset; /* of the first element in the channel */
};

/* The field `member` of the element `k` behind the view's first one, `type` being the element's
 * structure: an lvalue. */
#define SL_FIELD(view, k, type, member)                                                            \
    (*(__typeof__(((type *)0)->member) *)sl_soa_address(&(view), (uint64_t)(k),                    \
                                                        offsetof(type, member),                    \
                                                        SL_FIELD_BYTES(type, member)))

/* Size of a field; does not compile for what is no field. */
#define SL_FIELD_BYTES(type, member)                                                               \
    (sizeof(((type *)0)->member) +                                                                 \
     0 * sizeof(struct {                                                                           \
         _Static_assert(sizeof(((type *)0)->member) <= 8 &&                                        \
                            (sizeof(((type *)0)->member) & (sizeof(((type *)0)->member) - 1)) ==   \
                                0,                                                                 \
                        "SL_FIELD: a scalar of 1, 2, 4 or 8 bytes; name the member of an array "   \
                        "or structure itself");                                                    \
         char unused;                                                                              \
     }))

static inline struct sl_soa sl_soa_at(const struct sl_channel *channel, uint64_t offset)
{
    return (struct sl_soa){.data = channel->data,
                           .length = (uint64_t)channel->width + channel->slack,
                           .offset = offset};
}

/* From a handle of the channel. */
static inline struct sl_soa sl_soa_of(const struct sl_channel *channel, const void *handle)
{
    return sl_soa_at(channel, ((uintptr_t)handle - channel->data) / SL_CHANNEL_STRIDE_MIN);
}

static inline void *sl_soa_address(const struct sl_soa *view, uint64_t k, uint64_t field,
                                   uint64_t bytes)
{
    return (void *)(uintptr_t)(view->data + field * view->length + (view->offset + k) * bytes);
}

#endif
