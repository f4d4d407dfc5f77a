/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Views: access to the fields of channel elements in any form of channel (papers/001 section 8.1),
 * for host and kernels.
 *
 *     packed   elements are adjacent C structures, a C array
 *     padded   (SL_CHANNEL_PADDED) each begins on a separate cache line
 *     soa      (SL_CHANNEL_SOA) structure of arrays: each field has a separate array
 *
 * In a structure of arrays, the array of the field at byte f has an entry for each element of the
 * channel. Lanes that access one field of adjacent elements thus access adjacent memory.
 *
 * In a padded channel, elements[1] is not where C expects it. In a structure of arrays, memory
 * holds no structures: talloc and deq return a handle. Pass it unchanged to enq, and do not
 * dereference it. A view gives access to the fields in any form:
 *
 *     void *const made = sl_talloc_or_yield(deeper, 2);
 *     const struct sl_view children = sl_view(SL_SOA, deeper, made);
 *     SL_FIELD(children, 1, struct fib_task, n) = n - 2;
 *     sl_enq(deeper, made, 2);
 *
 * A field's address is an ordinary pointer, which other elements may hold. Fields are scalars of 1,
 * 2, 4 or 8 bytes. A member of an array or structure inside the element is a separate field: name
 * it down to the scalar. If the form is a constant, the code contains no test of it. */
#ifndef SLUICE_VIEW_H
#define SLUICE_VIEW_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/codes.h"
#include "sluice/layouts.h"
#include "sluice/memory_map.h"

/** @defgroup host_views Views of channel elements
 * @{ */

/** The forms of a channel. */
enum sl_form {
    SL_PACKED, /**< elements are a C array */
    SL_PADDED, /**< each element begins on a separate cache line */
    SL_SOA,    /**< structure of arrays: each field has a separate array */
};

/** Location of elements; sl_view() makes one in a kernel, sl_graph_view() on the host. */
struct sl_view {
    enum sl_form form; /**< form of the channel */
    uint64_t data;     /**< address of the first element; soa: of the channel's data array */
    uint64_t length;   /**< soa: elements of each field's array */
    uint64_t offset;   /**< soa: number of the first element in the channel */
};

/** The field `member` of element `k` of a view, counted from the view's first element: an lvalue.
 * `type` is the element's structure. */
#define SL_FIELD(view, k, type, member)                                                            \
    (*(__typeof__(((type *)0)->member) *)sl_view_address(&(view), (uint64_t)(k), sizeof(type),     \
                                                         offsetof(type, member),                   \
                                                         SL_FIELD_BYTES(type, member)))

/* Size of a field; anything but a field does not compile. */
#define SL_FIELD_IS(bytes) ((bytes) <= 8 && ((bytes) & ((bytes)-1)) == 0)
#define SL_FIELD_MESSAGE                                                                           \
    "SL_FIELD: a scalar of 1, 2, 4 or 8 bytes; name the member of an array or structure itself"
#ifdef __cplusplus
extern "C++" { /* a program may include all of this as extern "C" */
template <size_t size> struct sl_field_bytes {
    static_assert(SL_FIELD_IS(size), SL_FIELD_MESSAGE);
    static const size_t bytes = size;
};
}
#define SL_FIELD_BYTES(type, member) (sl_field_bytes<sizeof(((type *)0)->member)>::bytes)
#else
#define SL_FIELD_BYTES(type, member)                                                               \
    (sizeof(((type *)0)->member) + 0 * sizeof(struct {                                             \
                                       static_assert(SL_FIELD_IS(sizeof(((type *)0)->member)),     \
                                                     SL_FIELD_MESSAGE);                            \
                                       char unused;                                                \
                                   }))
#endif

/** The form in which a channel keeps its elements. */
static inline enum sl_form sl_form_of(const struct sl_channel *channel)
{
    return (channel->flags & SL_CHANNEL_SOA) != 0      ? SL_SOA
           : (channel->flags & SL_CHANNEL_PADDED) != 0 ? SL_PADDED
                                                       : SL_PACKED;
}

/** Distance in bytes between two elements of `bytes`, as the host library chooses it. */
static inline uint64_t sl_form_stride(enum sl_form form, uint64_t bytes)
{
    const uint64_t grain = form == SL_PADDED ? SL_CACHE_LINE_BYTES : SL_CHANNEL_STRIDE_MIN;
    return (bytes + grain - 1) & ~(grain - 1);
}

/** A view of a structure of arrays, from the element at `offset` on. */
static inline struct sl_view sl_view_soa(const struct sl_channel *channel, uint64_t offset)
{
    return (struct sl_view){.form = SL_SOA,
                            .data = channel->data,
                            .length = (uint64_t)channel->width + channel->slack,
                            .offset = offset};
}

/** A view of elements that talloc or deq returned. `form` must be the channel's form; `channel` is
 * used only for a structure of arrays. */
static inline struct sl_view sl_view_of(enum sl_form form, const struct sl_channel *channel,
                                        const void *elements)
{
    if (form == SL_SOA) {
        return sl_view_soa(channel, ((uintptr_t)elements - channel->data) / SL_CHANNEL_STRIDE_MIN);
    }
    return (struct sl_view){form, (uintptr_t)elements, 0, 0};
}

/** @} */

static inline void *sl_view_address(const struct sl_view *view, uint64_t k, uint64_t element_bytes,
                                    uint64_t field, uint64_t bytes)
{
    const uint64_t address =
        view->form == SL_SOA ? view->data + field * view->length + (view->offset + k) * bytes
                             : view->data + k * sl_form_stride(view->form, element_bytes) + field;
    return (void *)(uintptr_t)address;
}

#endif
