/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Classes of the cycle stack of the aggregator's core (docs/know/cores.md, "The cycle stack"). */
#ifndef SLUICE_CYCLE_STACK_H
#define SLUICE_CYCLE_STACK_H

enum sl_stack_class {
#define SL_AGG_STACK(ID, name, words, text) SL_STACK_##ID,
#include "contract/agg_stack.def"
    SL_STACK_CLASSES
};

#endif
