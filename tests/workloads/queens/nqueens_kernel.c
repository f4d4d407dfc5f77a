/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of nqueens.c: each work-item counts the ways to complete its board, without recursion.
 * The stacks are in LDS, which comes with the launch: 8 bytes for each row to be filled and
 * work-item, those of one row side by side. */
#include "sluice/wave/wave.h"
#include "workloads/queens/nqueens.h"

SL_KERNEL void nqueens_kernel(const struct nqueens_board *boards, uint64_t all, uint64_t *solutions)
{
    uint64_t *const stack = (uint64_t *)sl_lds_dynamic() + sl_local_id(0);
    const struct nqueens_board board = boards[sl_global_id(0)];
    const uint64_t count = sl_reduce_add(nqueens_solutions(board, all, stack, sl_group_size(0)));

    if (sl_elect()) {
        sl_atomic_add_u64(solutions, count);
    }
}
