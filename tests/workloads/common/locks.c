/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kinds of locks by their names. */
#include "workloads/common/locks.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"

static const struct {
    const char *name;
    const char *kernel;
} kinds[] = {
    [LOCKS_ATOMICS] = {"atomics", "atomics"},
    [LOCKS_LOCK] = {"lock", "lock"},
    [LOCKS_QUEUE] = {"queue", "lock"},
    [LOCKS_TRY] = {"try", "try"},
};

enum locks_kind locks_kind(const struct argp_state *state, const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            return (enum locks_kind)i;
        }
    }
    argp_failure(state, SL_APP_USAGE, 0, "--locks: '%s' is none of atomics, lock, queue and try",
                 name);
    return LOCKS_LOCK;
}

const char *locks_kernel(const char *name, enum locks_kind kind, char *out, size_t bytes)
{
    (void)snprintf(out, bytes, "%s_%s", name, kinds[kind].kernel);
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
