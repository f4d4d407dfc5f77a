/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of cxx_subsets.cc share. What is in channels and in shared memory is
 * as in C: bytes that are copied, without constructors and virtual functions. */
#ifndef SLUICE_WORKLOADS_SUBSETS_CXX_SUBSETS_H
#define SLUICE_WORKLOADS_SUBSETS_CXX_SUBSETS_H

#include <stdint.h>

namespace subsets
{

constexpr uint32_t numbers_max = 16;

/* An element: the subsets of the numbers from `next` on, whose sum is to be `rest`. */
struct part {
    uint32_t next;
    uint32_t rest;
};

/* The numbers, none of them 0, and how many subsets have the sum. */
struct problem {
    uint32_t count;
    uint32_t values[numbers_max];
    uint64_t found;
};

} // namespace subsets

#endif
