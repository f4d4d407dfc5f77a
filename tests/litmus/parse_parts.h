/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the parsers of a litmus file's parts share. */
#ifndef SLUICE_LITMUS_PARSE_PARTS_H
#define SLUICE_LITMUS_PARSE_PARTS_H

#include "litmus/scan.h"
#include "litmus/test.h"

#define LITMUS_LABELS_MAX 4 /* of a thread */

/* A label, where it is and who branches to it: an operation of the thread, by its number. */
struct litmus_label {
    char name[LITMUS_WORD_BYTES];
    bool is_there;
    unsigned target;
    unsigned line; /* of the first branch to it */
};

struct litmus_labels {
    struct litmus_label label[LITMUS_LABELS_MAX];
    unsigned count;
};

/* A variable that the initial state has; anything else is an error. */
unsigned litmus_parse_variable(struct litmus_scan *scan, const struct litmus_test *test);

/* r1 to r6, as 0 to 5. */
unsigned litmus_parse_register(struct litmus_scan *scan);

/* One cell of the table: nothing, a label, an operation, or both. */
void litmus_parse_cell(struct litmus_scan *scan, const struct litmus_test *test,
                       struct litmus_thread *thread, struct litmus_labels *labels);

/* After a thread's last cell: where its branches go. */
void litmus_parse_targets(struct litmus_scan *scan, struct litmus_thread *thread,
                          const struct litmus_labels *labels);

/* The tree of scopes, behind "scopes:". */
void litmus_parse_scopes(struct litmus_scan *scan, struct litmus_test *test);

/* The condition, from its quantifier on. */
void litmus_parse_condition(struct litmus_scan *scan, struct litmus_test *test);

#endif
