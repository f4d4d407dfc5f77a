/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernel_plugin.cc adds to GCC, and what its parts share. GCC's headers come first, since they
 * forbid some of what the standard library's headers have. */
#ifndef SLUICE_KERNEL_PLUGIN_PASSES_H
#define SLUICE_KERNEL_PLUGIN_PASSES_H

#define INCLUDE_ALGORITHM
#define INCLUDE_FUNCTIONAL
#define INCLUDE_MAP
#define INCLUDE_SET
#define INCLUDE_STRING
#define INCLUDE_VECTOR

/* GCC's headers need this order. */
/* clang-format off */
#include <gcc-plugin.h>
#include <tree.h>
#include <gimple.h>
#include <cgraph.h>
/* clang-format on */

#include "flow.h"

/* Marks loops of a function of the source and what leaves them; called for each (source_marks.cc).
 * The texts of marks have a number behind them. */
extern const char loop_mark[];
extern const char leave_mark[];
void mark_source(void *function, void *data);

/* The passes, each of which returns what GCC still has to do, which is nothing. All but the first
 * one are called for each function:
 *
 *   join_functions   joins in the source's control flow, of all functions of a file (joins.cc)
 *   number_function  numbers what the rest of the compiler must keep, behind inlining (kept.cc)
 *   find_spins       warns of spinning on a lock, in what the optimizer has made (spins.cc)
 *   hide_conditions  keeps conditions one branch, before instructions are made (conditions.cc)
 *   verify_function  looks for what has numbers in what becomes assembly (kept.cc) */
unsigned join_functions();
unsigned number_function();
unsigned find_spins();
unsigned hide_conditions();
unsigned verify_function();

/* ---- what there is (contents.cc) ---- */

/* Whether an assembly statement is a cross-lane operation: it leaves a record for check-convergence
 * (sluice/wave/lanes.h). */
bool is_operation(const char *assembly);

/* Number of a mark in the text of an assembly statement; 0 where it is not there. */
int mark_in(const char *assembly, const char *mark);

/* Finds which functions of the file lead to operations, and to effects; then one can be asked. */
void find_functions();
bool function_leads_to_operation(tree function);
bool has_body(cgraph_node *node);

/* What a block of either form of a function has. */
struct block_contents {
    bool has_operation;
    bool has_effect;
    bool has_lock;
    int loop;
    int leaves;
};
block_contents contents_of(basic_block block); /* before there are instructions */

/* The blocks of the function that is compiled, at any time of its compilation; `contents` says what
 * each has. Fills `blocks` by number. */
flow_graph graph_of_function(std::vector<basic_block> &blocks,
                             block_contents contents(basic_block) = contents_of);

/* ---- changing it (new_blocks.cc, switches.cc) ---- */

basic_block new_block(basic_block after);
void append_statement(basic_block block, gimple *statement, location_t location);

/* A statement that gives `to` the value of `from` without GCC's knowing what it is. */
gimple *hiding_statement(tree to, tree from);

/* Switches around operations, of the function that is compiled. Returns whether there was one. */
bool make_chains();

#endif
