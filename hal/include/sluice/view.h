/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Views: the fields of channel elements, in whatever form the channel keeps them (papers/001
 * section 8.1), for host and kernels.
 *
 *     packed   elements are C structures one behind the other, a C array
 *     padded   (SL_CHANNEL_PADDED) each begins on a cache line of its own
 *     soa      (SL_CHANNEL_SOA) structure of arrays: each field has an array of its own
 *
 * The array of the field at byte f of the element has a place for each element of the channel, so
 * that lanes that access one field of adjacent elements access adjacent memory.
 *
 * Of a padded channel, elements[1] is not where C expects it; of a structure of arrays, there is no
 * structure in memory at all: what talloc and deq return is a handle, which goes to enq as it is
 * and must not be dereferenced. A view leads to the fields in any form:
 *
 *     void *const made = sl_talloc_or_yield(deeper, 2);
 *     const struct sl_view children = sl_view(SL_SOA, deeper, made);
 *     SL_FIELD(children, 1, struct fib_task, n) = n - 2;
 *     sl_enq(deeper, made, 2);
 *
 * A field's address is an ordinary pointer, which other elements may hold. Fields are scalars of 1,
 * 2, 4 or 8 bytes; a member of an array or of a structure inside the element counts as a field by
 * itself, and is always to be named down to the scalar. Where the form is a constant, no test of it
 * is left in the code. */
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
    SL_PADDED, /**< each element begins on a cache line of its own */
    SL_SOA,    /**< structure of arrays: each field has an array of its own */
};

/** Where elements are: what sl_view() makes for a kernel, and sl_graph_view() for the host. */
struct sl_view {
    enum sl_form form; /**< that of the channel */
    uint64_t data;     /**< address of the first element; soa: of the channel's data array */
    uint64_t length;   /**< soa: elements of each field's array */
    uint64_t offset;   /**< soa: of the first element in the channel */
};

/** The field `member` of the element `k` behind the view's first one, `type` being the element's
 * structure: an lvalue. */
#define SL_FIELD(view, k, type, member)                                                            \
    (*(__typeof__(((type *)0)->member) *)sl_view_address(&(view), (uint64_t)(k), sizeof(type),     \
                                                         offsetof(type, member),                   \
                                                         SL_FIELD_BYTES(type, member)))

/* Size of a field; does not compile for what is no field. */
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

/** Distance of two elements of `bytes`, as the host library chooses it. */
static inline uint64_t sl_form_stride(enum sl_form form, uint64_t bytes)
{
    const uint64_t grain = form == SL_PADDED ? SL_CACHE_LINE_BYTES : SL_CHANNEL_STRIDE_MIN;
    return (bytes + grain - 1) & ~(grain - 1);
}

/** A view of a structure of arrays from the element at `offset` on. */
static inline struct sl_view sl_view_soa(const struct sl_channel *channel, uint64_t offset)
{
    return (struct sl_view){.form = SL_SOA,
                            .data = channel->data,
                            .length = (uint64_t)channel->width + channel->slack,
                            .offset = offset};
}

/** A view of elements that talloc or deq returned; `form` has to be the channel's, which is looked
 * at for a structure of arrays alone. */
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
