/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Overlap of memory ranges by sorting them: a graph of 1,024 channels has more than 3,000 of them,
 * too many to compare each with each in firmware. Freestanding. */
#include "check/graph/overlap_check.h"

#include <stdbool.h>

static void swap(struct sl_graph_range *a, struct sl_graph_range *b)
{
    struct sl_graph_range saved = *a;
    *a = *b;
    *b = saved;
}

static void sift_down(struct sl_graph_range *range, size_t root, size_t count)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count) {
            return;
        }
        if (child + 1 < count && range[child].begin < range[child + 1].begin) {
            child++;
        }
        if (range[root].begin >= range[child].begin) {
            return;
        }
        swap(&range[root], &range[child]);
        root = child;
    }
}

/* Insertion, as long as it takes few moves: ranges come nearly in order when the heap has given
 * them out one after the other. Returns whether all are in order. */
static bool insert_few(struct sl_graph_range *range, size_t count)
{
    size_t moves = 4 * count;

    for (size_t i = 1; i < count; i++) {
        const struct sl_graph_range inserted = range[i];
        size_t at = i;
        while (at > 0 && range[at - 1].begin > inserted.begin) {
            if (moves-- == 0) {
                range[at] = inserted;
                return false;
            }
            range[at] = range[at - 1];
            at--;
        }
        range[at] = inserted;
    }
    return true;
}

void sl_overlap_sort(struct sl_graph_range *range, size_t count)
{
    if (insert_few(range, count)) {
        return;
    }
    for (size_t root = count / 2; root-- > 0;) {
        sift_down(range, root, count);
    }
    for (size_t end = count; end-- > 1;) {
        swap(&range[0], &range[end]);
        sift_down(range, 0, end);
    }
}

size_t sl_overlap_find(const struct sl_graph_range *range, size_t count, size_t *other)
{
    for (size_t i = 1; i < count; i++) {
        /* Up to here nothing overlaps, so the range in front is the one that reaches furthest. */
        if (range[i].begin < range[i - 1].end) {
            *other = i - 1;
            return i;
        }
    }
    return count;
}
