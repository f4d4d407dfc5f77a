/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The list of what locks can do to the stack, by the choices of lock.stack. */
#include "simt/locks/lock_stack.h"
#include "sluice/config.h"

const struct lock_stack_ops *lock_stack_of(const struct sl_config *config)
{
    static const struct lock_stack_ops *const choices[] = {
        [SL_LOCK_STACK_JOIN] = &lock_stack_join,
        [SL_LOCK_STACK_THESIS] = &lock_stack_thesis,
    };

    return choices[config->number[SL_CFG_LOCK_STACK]];
}
