/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of racy.c. Comments name the lines that tests/suite/races.sh expects to
 * find.
 */
#include "probes/races/racy.h"
#include "sluice/wave/wave.h"

SL_KERNEL void racy_plain(volatile uint32_t *words)
{
    words[0] = RACY_VALUE; /* race: store */

    const uint32_t loaded = words[0]; /* race: load */
    words[1 + sl_group_id(0)] = loaded;
}

SL_KERNEL void racy_atomic(uint32_t *words)
{
    sl_store_release_u32_device(words, RACY_VALUE);
    words[1 + sl_group_id(0)] = sl_load_acquire_u32_device(words);
}

SL_KERNEL void racy_groups(uint32_t *words)
{
    sl_store_release_u32_workgroup(words, RACY_VALUE); /* race: scoped store */

    const uint32_t loaded = sl_load_acquire_u32_workgroup(words); /* race: scoped load */
    words[1 + sl_group_id(0)] = loaded;
}
