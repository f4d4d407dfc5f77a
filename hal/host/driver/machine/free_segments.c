/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "host/driver/machine/free_segments.h"

#include <stdlib.h>

static uint64_t aligned_up(uint64_t address, uint64_t align)
{
    return (address + align - 1) & ~(align - 1);
}

/* ---- what subtrees know ---- */

static uint32_t own_fit(const struct sl_heap_segment *segment, unsigned log2)
{
    const uint64_t end = segment->base + segment->bytes;
    const uint64_t start = aligned_up(segment->base, (uint64_t)SL_HEAP_ALIGN_DEFAULT << log2);
    const bool fits = segment->use == SL_SEGMENT_FREE && start < end;
    return fits ? (uint32_t)((end - start) / SL_HEAP_ALIGN_DEFAULT) : 0;
}

static uint32_t fit_of(const struct sl_heap_segment *tree, unsigned log2)
{
    return tree != NULL ? tree->fits[log2] : 0;
}

static void sum_up(struct sl_free_list *segments, struct sl_heap_segment *tree)
{
    segments->steps++;
    for (unsigned i = 0; i < SL_SEGMENT_ALIGNS; i++) {
        const uint32_t own = own_fit(tree, i);
        const uint32_t left = fit_of(tree->left, i);
        const uint32_t right = fit_of(tree->right, i);
        const uint32_t most = left > right ? left : right;
        tree->fits[i] = own > most ? own : most;
    }
}

/* Behind a change of a segment: all that have it below them. */
static void sum_up_to(struct sl_free_list *segments, struct sl_heap_segment *tree,
                      const struct sl_heap_segment *segment)
{
    if (tree != segment) {
        sum_up_to(segments, segment->base < tree->base ? tree->left : tree->right, segment);
    }
    sum_up(segments, tree);
}

/* ---- the treap ---- */

/* xorshift32 */
static uint32_t next_priority(struct sl_free_list *segments)
{
    uint32_t x = segments->random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    segments->random = x;
    return x;
}

/* What is below an address, and the rest. */
static void split(struct sl_free_list *segments, struct sl_heap_segment *tree, uint64_t address,
                  struct sl_heap_segment **below, struct sl_heap_segment **rest)
{
    if (tree == NULL) {
        *below = NULL;
        *rest = NULL;
        return;
    }
    if (tree->base < address) {
        *below = tree;
        split(segments, tree->right, address, &tree->right, rest);
    } else {
        *rest = tree;
        split(segments, tree->left, address, below, &tree->left);
    }
    sum_up(segments, tree);
}

static struct sl_heap_segment *merge(struct sl_free_list *segments, struct sl_heap_segment *below,
                                     struct sl_heap_segment *above)
{
    if (below == NULL || above == NULL) {
        return below != NULL ? below : above;
    }
    const bool is_below = below->priority > above->priority;
    struct sl_heap_segment *const top = is_below ? below : above;
    if (is_below) {
        below->right = merge(segments, below->right, above);
    } else {
        above->left = merge(segments, below, above->left);
    }
    sum_up(segments, top);
    return top;
}

/* The neighbours of the new segment are on its way, and are summed up, too. */
static struct sl_heap_segment *insert(struct sl_free_list *segments, struct sl_heap_segment *tree,
                                      struct sl_heap_segment *segment)
{
    struct sl_heap_segment *top = tree;
    if (tree == NULL || segment->priority > tree->priority) {
        split(segments, tree, segment->base, &segment->left, &segment->right);
        top = segment;
    } else if (segment->base < tree->base) {
        tree->left = insert(segments, tree->left, segment);
    } else {
        tree->right = insert(segments, tree->right, segment);
    }
    sum_up(segments, top);
    return top;
}

static struct sl_heap_segment *removed(struct sl_free_list *segments, struct sl_heap_segment *tree,
                                       const struct sl_heap_segment *segment)
{
    if (tree == segment) {
        return merge(segments, tree->left, tree->right);
    }
    if (segment->base < tree->base) {
        tree->left = removed(segments, tree->left, segment);
    } else {
        tree->right = removed(segments, tree->right, segment);
    }
    sum_up(segments, tree);
    return tree;
}

/* ---- segments ---- */

bool sl_free_list_init(struct sl_free_list *segments, uint64_t base, uint64_t bytes)
{
    *segments = (struct sl_free_list){.random = 1};
    struct sl_heap_segment *const first = calloc(1, sizeof *first);
    if (first == NULL) {
        return false;
    }
    *first = (struct sl_heap_segment){
        .base = base, .bytes = bytes, .priority = next_priority(segments), .use = SL_SEGMENT_FREE};
    sum_up(segments, first);
    segments->first = first;
    segments->root = first;
    return true;
}

void sl_free_list_destroy(struct sl_free_list *segments)
{
    struct sl_heap_segment *segment = segments->first;
    while (segment != NULL) {
        struct sl_heap_segment *const next = segment->next;
        free(segment);
        segment = next;
    }
    *segments = (struct sl_free_list){.first = NULL};
}

struct sl_heap_segment *sl_free_list_cut(struct sl_free_list *segments,
                                         struct sl_heap_segment *segment, uint64_t bytes)
{
    struct sl_heap_segment *const rest = malloc(sizeof *rest);
    if (rest == NULL) {
        return NULL;
    }
    *rest = (struct sl_heap_segment){.next = segment->next,
                                     .previous = segment,
                                     .base = segment->base + bytes,
                                     .bytes = segment->bytes - bytes,
                                     .priority = next_priority(segments),
                                     .use = segment->use};
    if (rest->next != NULL) {
        rest->next->previous = rest;
    }
    segment->next = rest;
    segment->bytes = bytes;
    segments->root = insert(segments, segments->root, rest);
    return rest;
}

void sl_free_list_join(struct sl_free_list *segments, struct sl_heap_segment *segment)
{
    struct sl_heap_segment *const gone = segment->next;
    segments->root = removed(segments, segments->root, gone);
    segment->bytes += gone->bytes;
    segment->next = gone->next;
    if (segment->next != NULL) {
        segment->next->previous = segment;
    }
    free(gone);
    sum_up_to(segments, segments->root, segment);
}

void sl_free_list_set_use(struct sl_free_list *segments, struct sl_heap_segment *segment,
                          enum sl_segment_use use)
{
    segment->use = use;
    sum_up_to(segments, segments->root, segment);
}

struct sl_heap_segment *sl_free_list_at(struct sl_free_list *segments, uint64_t address)
{
    struct sl_heap_segment *tree = segments->root;
    struct sl_heap_segment *last = NULL;
    while (tree != NULL) {
        segments->steps++;
        if (tree->base <= address) {
            last = tree;
            tree = tree->right;
        } else {
            tree = tree->left;
        }
    }
    return last;
}

struct sl_heap_segment *sl_free_list_fit(struct sl_free_list *segments, uint64_t bytes,
                                         uint64_t align, bool is_highest)
{
    const unsigned log2 = (unsigned)__builtin_ctzll(align / SL_HEAP_ALIGN_DEFAULT);
    const uint64_t grains = bytes / SL_HEAP_ALIGN_DEFAULT;
    struct sl_heap_segment *tree = segments->root;
    while (fit_of(tree, log2) >= grains && tree != NULL) {
        struct sl_heap_segment *const near = is_highest ? tree->right : tree->left;
        struct sl_heap_segment *const far = is_highest ? tree->left : tree->right;
        segments->steps++;
        if (fit_of(near, log2) >= grains) {
            tree = near;
        } else if (own_fit(tree, log2) >= grains) {
            return tree;
        } else {
            tree = far;
        }
    }
    return NULL;
}
