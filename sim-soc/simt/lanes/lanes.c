/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Choice of the lane operations that fit the host's processor. */
#include "simt/lanes/lanes.h"

#include <stddef.h>

extern const struct lanes_ops lanes_ops_base;

#if defined(__x86_64__) && !defined(SL_LANES_ONLY_BASE)
extern const struct lanes_ops lanes_ops_avx2;
extern const struct lanes_ops lanes_ops_avx512;

const struct lanes_ops *lanes_variant(unsigned index)
{
    const struct lanes_ops *variants[4] = {&lanes_ops_base};
    unsigned count = 1;

    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        variants[count++] = &lanes_ops_avx2;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
        variants[count++] = &lanes_ops_avx512;
    }
    return index < count ? variants[index] : NULL;
}
#else
const struct lanes_ops *lanes_variant(unsigned index)
{
    return index == 0 ? &lanes_ops_base : NULL;
}
#endif

const struct lanes_ops *lanes_select(void)
{
    const struct lanes_ops *best = NULL;

    for (unsigned i = 0; lanes_variant(i) != NULL; i++) {
        best = lanes_variant(i);
    }
    return best;
}
