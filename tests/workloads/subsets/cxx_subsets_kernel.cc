/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of cxx_subsets.cc, in C++: a lane's element is given back by a destructor, channels
 * have the type of their elements, and what fills elements is a lambda. */
#include "sluice/wave/wave.h"
#include "workloads/subsets/cxx_subsets.h"

namespace
{

/* This lane's own element, which it gives back at the end of the scope. */
template <typename Element> class own_element
{
  public:
    own_element(int source, int index) : source(source), index(index)
    {
    }
    ~own_element()
    {
        sl_tfree(source, index);
    }
    own_element(const own_element &) = delete;
    own_element &operator=(const own_element &) = delete;

    const Element *operator->() const
    {
        return static_cast<const Element *>(sl_deq(source, index));
    }

  private:
    int source;
    int index;
};

/* A channel that the kernel puts elements of one type into. */
template <typename Element> class output
{
  public:
    explicit output(int channel) : channel(channel)
    {
    }

    /* `count` elements; the i-th one is what fill(i) returns. */
    template <typename Fill> void put(int count, Fill fill) const
    {
        auto *const elements = static_cast<Element *>(sl_talloc_or_trap(channel, count));
        for (int i = 0; i < count; i++) {
            elements[i] = fill(i);
        }
        sl_enq(channel, elements, count);
    }

  private:
    int channel;
};

/* Of what all active lanes add, one addition is made. */
void add_together(uint64_t *sum, uint64_t value)
{
    const uint64_t all = sl_reduce_add(value);
    if (sl_elect()) {
        sl_atomic_add_u64(sum, all);
    }
}

} // namespace

SL_KERNEL void subsets_kernel(int source, int index, int parts, subsets::problem *problem)
{
    const own_element<subsets::part> own(source, index);
    const output<subsets::part> more(parts);
    const subsets::part part = {own->next, own->rest};

    if (part.rest == 0 || part.next == problem->count) {
        add_together(&problem->found, part.rest == 0);
        return;
    }
    const uint32_t value = problem->values[part.next];
    more.put(value <= part.rest ? 2 : 1, [part, value](int with) {
        return subsets::part{part.next + 1, with != 0 ? part.rest - value : part.rest};
    });
}
