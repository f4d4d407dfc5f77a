/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Options of programs that compute boxes of cells. */
#include "workloads/common/box.h"

#include "sluice/program.h"
#include "sluice/sluice.h"

error_t box_parse(int key, const char *argument, const struct argp_state *state, uint32_t most,
                  struct box *box)
{
    switch (key) {
    case 'd':
        box->depth = (uint32_t)sl_app_number(state, "--depth", argument, BOX_LEAST, most);
        return 0;
    case 's':
        box->steps = (uint32_t)sl_app_number(state, "--steps", argument, 1, SL_SEQUENCE_LAUNCHES);
        return 0;
    default:
        return sl_app_n(key, argument, state, BOX_LEAST, most, &box->n);
    }
}

size_t box_cells(const struct box *box)
{
    return (size_t)box->n * box->n * box->depth;
}
