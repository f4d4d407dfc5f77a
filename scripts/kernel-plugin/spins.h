/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What spins.cc looks for locks with: accesses to memory (accesses.cc), and what values are made of
 * (values.cc), both behind the optimizer. */
#ifndef SLUICE_KERNEL_PLUGIN_SPINS_H
#define SLUICE_KERNEL_PLUGIN_SPINS_H

#include "passes.h"

/* ---- accesses ---- */

enum access_kind {
    access_compare_exchange,
    access_exchange,
    access_or,
    access_and,
    access_store,
    access_call_takes, /* a call of a function that spins */
};

struct lock_access {
    access_kind kind;
    access_kind how; /* of access_call_takes: what it executes */
    gimple *statement;
    basic_block block;
    tree address;
    tree expected; /* of a compare and exchange */
    tree value;
    location_t location; /* of access_call_takes: of the loop */
};

/* The accesses of a statement, or of the function that it calls, as far as they are known. */
void read_statement(basic_block block, gimple *statement, std::vector<lock_access> *found);

/* Remembers an access of the function that is compiled, for those that call it: one to what a
 * parameter points to, with constants alone. */
void add_effect(const lock_access &a);

/* ---- values ---- */

/* Whether two addresses are one, as far as it shows. */
bool is_same_address(tree x, tree y);

/* Whether a value is made of what a statement gives for which `is_source` holds: of its operands,
 * or of which way was taken to one of a few. Wants dominators. */
using statement_test = std::function<bool(gimple *)>;
bool is_made_of(tree value, const statement_test &is_source, int depth = 0);

/* The condition that a block ends with, or none. */
gcond *condition_of(basic_block block);

/* Number of an identity (sl.id of docs/look-up/isa.md) that a statement reads, or -1. */
int id_of(gimple *statement);

#endif
