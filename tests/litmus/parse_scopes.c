/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where threads are: (dev (wg P0 (wf P1 P2)) (wg P3)). A thread that stands in a work-group itself
 * has a wavefront of its own there. */
#include "litmus/parse_parts.h"

struct tree {
    struct litmus_scan *scan;
    struct litmus_test *test;
    unsigned placed; /* bit for each thread */
};

static void place(struct tree *tree, unsigned group, unsigned wave)
{
    struct litmus_scan *const scan = tree->scan;
    const char *const word = scan->word;
    const unsigned thread = word[0] == 'P' && word[1] >= '0' && word[2] == '\0'
                                ? (unsigned)(word[1] - '0')
                                : LITMUS_THREADS_MAX;

    if (thread >= tree->test->thread_count) {
        litmus_scan_fail(scan, scan->line, "'%s' where a thread belongs, P0 to P%u",
                         litmus_scan_shown(scan), tree->test->thread_count - 1);
    } else if (tree->placed >> thread & 1) {
        litmus_scan_fail(scan, scan->line, "P%u is there twice", thread);
    } else {
        tree->placed |= 1u << thread;
        tree->test->thread[thread].group = group;
        tree->test->thread[thread].wave = wave;
        litmus_scan_next(scan);
    }
}

static void parse_group(struct tree *tree, unsigned group)
{
    unsigned *const waves = &tree->test->wave_count[group];

    litmus_scan_expect(tree->scan, "wg", "wg");
    while (!litmus_scan_failed(tree->scan) && !litmus_scan_take(tree->scan, ")")) {
        if (litmus_scan_take(tree->scan, "(")) {
            litmus_scan_expect(tree->scan, "wf", "wf");
            do {
                place(tree, group, *waves);
            } while (!litmus_scan_failed(tree->scan) && !litmus_scan_take(tree->scan, ")"));
        } else {
            place(tree, group, *waves);
        }
        (*waves)++;
    }
    if (!litmus_scan_failed(tree->scan) && *waves == 0) {
        litmus_scan_fail(tree->scan, tree->scan->line, "a work-group without threads");
    }
}

void litmus_parse_scopes(struct litmus_scan *scan, struct litmus_test *test)
{
    struct tree tree = {.scan = scan, .test = test};

    litmus_scan_expect(scan, "(", "a tree of scopes, (dev (wg P0) (wg P1)),");
    litmus_scan_expect(scan, "dev", "dev");
    while (!litmus_scan_failed(scan) && !litmus_scan_take(scan, ")")) {
        litmus_scan_expect(scan, "(", "a work-group, (wg P0),");
        if (!litmus_scan_failed(scan) && test->group_count == test->thread_count) {
            litmus_scan_fail(scan, scan->line, "there are more work-groups than threads");
        }
        if (!litmus_scan_failed(scan)) {
            parse_group(&tree, test->group_count++);
        }
    }
    for (unsigned i = 0; i < test->thread_count; i++) {
        if (!litmus_scan_failed(scan) && !(tree.placed >> i & 1)) {
            litmus_scan_fail(scan, scan->line, "P%u is not in the tree of scopes", i);
        }
    }
}
