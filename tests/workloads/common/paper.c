/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The core paper's Table 3. */
#include "workloads/common/paper.h"

#include <stdio.h>

#include "sluice/program.h"

#define PAPER_LANES 64 /* papers/001 Table 2 */

void paper_wavefronts(const struct sl_soc *soc, uint64_t wavefronts)
{
    const uint64_t ours = sl_statistic_count(soc, SL_STAT_GPU_WAVEFRONTS);

    if (sl_soc_config(soc)->number[SL_CFG_GPU_LANES] != PAPER_LANES) {
        return;
    }
    const double more = 100.0 * ((double)ours / (double)wavefronts - 1);
    sl_app_row("paper's Table 3", "%" PRIu64 " wavefronts; ours %" PRIu64 ", %+.1f %%", wavefronts,
               ours, more);
    (void)fflush(stdout);
}
