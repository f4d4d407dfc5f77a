/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Constructs of C++ around cross-lane operations, each a kernel for test_lock_forms.sh, which has
 * what they count by hand: the lanes that the source has together. */
#include <sluice/wave/group.h>
#include <sluice/wave/wave.h>

namespace
{

uint32_t count_lanes()
{
    return (uint32_t)sl_reduce_add(1);
}

/* A loop over a range, left at an element that the item says. */
uint32_t range(uint32_t item)
{
    static const uint32_t steps[] = {0, 1, 2, 3};
    uint32_t lanes = 0;
    for (const uint32_t step : steps) {
        if (step > item % 4) {
            break;
        }
        lanes += count_lanes();
    }
    return lanes;
}

uint32_t choice(uint32_t item)
{
    uint32_t lanes = 0;
    switch (item % 4) {
    case 0:
        lanes = 100;
        [[fallthrough]];
    case 1:
        lanes += count_lanes();
        break;
    case 2:
        lanes = count_lanes();
        break;
    default:
        break;
    }
    return lanes;
}

uint32_t lambda(uint32_t item)
{
    const auto count = [&](bool is_wanted) { return is_wanted || item == 5 ? count_lanes() : 0; };
    return count(item % 2 == 0) + 100 * count(item < 3);
}

/* Counts the lanes that leave a scope. */
class scope
{
  public:
    explicit scope(uint32_t *lanes) : lanes(lanes)
    {
    }
    ~scope()
    {
        *lanes += count_lanes();
    }
    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;

  private:
    uint32_t *lanes;
};

uint32_t destructor(uint32_t item)
{
    uint32_t lanes = 0;
    {
        const scope all(&lanes);
        if (item % 2 == 0 || item == 5) {
            const scope some(&lanes);
            lanes += 1000;
        }
    }
    return lanes;
}

} // namespace

#define CONSTRUCT(name)                                                                            \
    SL_KERNEL void name##_kernel(const uint32_t *in, uint32_t *, uint32_t *out)                    \
    {                                                                                              \
        out[sl_global_id(0)] = name(in[sl_global_id(0)]);                                          \
    }

CONSTRUCT(range)
CONSTRUCT(choice)
CONSTRUCT(lambda)
CONSTRUCT(destructor)
