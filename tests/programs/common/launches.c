/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One launch over a single dimension, from its start to its end. */
#include "programs/common/launches.h"

#include "programs/common/progress.h"

enum sl_status launch_and_wait(struct sl_soc *soc, struct sl_module *module, const char *kernel,
                               uint32_t items, uint32_t group, uint32_t lds_bytes,
                               const uint64_t *arguments, unsigned count)
{
    const uint32_t grid_size[3] = {items, 1, 1};
    const uint32_t group_size[3] = {items < group ? items : group, 1, 1};

    const enum sl_status status =
        sl_launch(module, kernel, grid_size, group_size, lds_bytes, arguments, count);
    return status == SL_OK ? progress_wait(soc, NULL) : status;
}
