/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of kinds of run: nothing else knows one of them by name. */
#include "runs/runs.h"

const struct run_kind *run_kind_of(uint32_t message_type)
{
    static const struct run_kind *const table[] = {
        [SL_HOST_EXECUTE] = &run_graph,     [SL_HOST_LAUNCH] = &run_launch,
        [SL_HOST_SEQUENCE] = &run_sequence, [SL_HOST_OPEN] = &run_open,
        [SL_HOST_TREES] = &run_trees,
    };
    return message_type < sizeof(table) / sizeof(table[0]) ? table[message_type] : NULL;
}
