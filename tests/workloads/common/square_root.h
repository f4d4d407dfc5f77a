/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Square roots in kernels. */
#ifndef SLUICE_WORKLOADS_COMMON_SQUARE_ROOT_H
#define SLUICE_WORKLOADS_COMMON_SQUARE_ROOT_H

/* The instruction alone: that of the compiler is followed by a call, for errno. */
static inline float square_root(float square)
{
    float root;
    __asm__("fsqrt.s %0, %1" : "=f"(root) : "f"(square));
    return root;
}

#endif
