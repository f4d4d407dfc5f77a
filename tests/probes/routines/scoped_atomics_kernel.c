/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of tests/soc/simt/test_scoped_atomics.c: calls each function of
 * hal/include/sluice/wave/atomics.h that has a scope, in the order of workloads/common/atomics.def,
 * each on words of its own. */
#include "sluice/wave/wave.h"
#include "workloads/common/atomic_word.h"

/* Lanes take a word each, or where `shared` is 1 all of them the first. */
SL_KERNEL void scoped_atomics(int source, int index, struct atomic_word *at, uint64_t shared)
{
    (void)source;
    const unsigned place = shared ? 0 : (unsigned)index;

#define WORD(type) ((type *)&at->word[place])
#define LOAD(type, width, scope, SCOPE, order, acquires)                                           \
    at->result[index] = sl_load_##order##_##width##_##scope(WORD(type));                           \
    at++;
#define STORE(type, width, scope, SCOPE, order, releases)                                          \
    sl_store_##order##_##width##_##scope(WORD(type), (type)at->value[index]);                      \
    at++;
#define ATOMIC(operation, type, width, scope, SCOPE, suffix, acquires, releases)                   \
    at->result[index] = (uint64_t)sl_atomic_##operation##_##width##_##scope##suffix(               \
        WORD(type), (type)at->value[index]);                                                       \
    at++;
#define COMPARE_EXCHANGE(type, width, scope, SCOPE, suffix, acquires, releases)                    \
    at->result[index] = sl_atomic_compare_exchange_##width##_##scope##suffix(                      \
        WORD(type), (type)at->expected[index], (type)at->value[index]);                            \
    at++;
#define FENCE(scope, SCOPE, order, acquires, releases)                                             \
    sl_fence_##order##_##scope();                                                                  \
    at++;
#include "workloads/common/atomics.def"
}
