/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Predicates: when the ready elements of a channel are dispatched (core paper, section 3; DESIGN
 * section 6). A new one is a function, a line in the table of predicate.c and a value of enum
 * sl_predicate. That a partial wavefront goes when nothing is in flight is not theirs but the
 * scheduler's: it keeps any predicate from stopping the graph. */
#ifndef SLUICE_FIRMWARE_PREDICATE_H
#define SLUICE_FIRMWARE_PREDICATE_H

#include "core/channel.h"

struct predicate {
    predicate_function *function;
    bool is_timed; /* to be asked again as time passes, without new elements */
};

/* By enum sl_predicate. */
extern const struct predicate predicate_table[];

#endif
