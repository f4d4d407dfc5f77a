/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Guard empty: all, while nothing is outstanding in the other channel. It becomes so by a
 * completion. */
#include "graph/guard.h"

static uint64_t allows(const struct guard_view *view)
{
    return view->other->control_tail == view->other->completed ? UINT64_MAX : 0;
}

const struct guard_kind guard_empty = {.allows = allows};
