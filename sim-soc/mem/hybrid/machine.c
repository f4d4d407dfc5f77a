/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include <stddef.h>

#include "mem/hybrid/hybrid.h"

static struct mem_system *hybrid_create(const struct mem_parts *parts)
{
    (void)parts;
    return NULL;
}

const struct mem_ops mem_hybrid = {.name = "hybrid", .create = hybrid_create};
