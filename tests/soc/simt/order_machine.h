/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Machines with each consistency model, for tests (docs/know/memory-model.md). */
#ifndef SLUICE_TESTS_ORDER_MACHINE_H
#define SLUICE_TESTS_ORDER_MACHINE_H

#include "soc/common/machine.h"

enum model { RMO, SC, SC_WB, TSO, MODELS };

/* One with a further setting, or NULL. a2 and a3 of its wavefronts are two lines in the heap. */
static inline struct machine *order_machine(enum model model, const char *other)
{
    static const char *const settings[MODELS] = {
        [RMO] = "gpu.consistency=rmo",
        [SC] = "gpu.consistency=sc",
        [SC_WB] = "gpu.consistency=sc_wb",
        [TSO] = "gpu.consistency=tso",
    };
    struct machine *m = MACHINE(settings[model], other);

    m->arguments[0] = machine_take(m, 64);
    m->arguments[1] = machine_take(m, 64);
    return m;
}

#endif
