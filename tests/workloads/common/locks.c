/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the kinds of locks are for kernels and for the machine. */
#include "workloads/common/locks.h"

#include <assert.h>
#include <stdio.h>

static const char *const kernels[] = {
    [LOCKS_ATOMICS] = "atomics",
    [LOCKS_LOCK] = "lock",
    [LOCKS_QUEUE] = "lock",
    [LOCKS_TRY] = "try",
};

const char *locks_kernel(const char *name, enum locks_kind kind, char *out, size_t bytes)
{
    (void)snprintf(out, bytes, "%s_%s", name, kernels[kind]);
    return out;
}

void locks_configure(struct sl_config *config, enum locks_kind kind)
{
    char error[256];

    if (kind == LOCKS_QUEUE) {
        const int refused = sl_config_set(config, "lock.queue=on", error, sizeof error);
        assert(refused == 0);
        (void)refused;
    }
}
