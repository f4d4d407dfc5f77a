/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the trees of the benchmark are made of (docs/know/uts.md). */
#include "workloads/uts/tree.h"

#include <math.h>
#include <string.h>

static const double pi = 3.141592653589793;

static void put_number(uint8_t *bytes, uint32_t number)
{
    for (unsigned i = 0; i < sizeof number; i++) {
        bytes[i] = (uint8_t)(number >> (24 - 8 * i));
    }
}

uint32_t uts_random(const uint8_t state[SHA1_BYTES])
{
    const uint8_t *const last = state + SHA1_BYTES - sizeof(uint32_t);

    return (uint32_t)(last[0] & 0x7f) << 24 | (uint32_t)last[1] << 16 | (uint32_t)last[2] << 8 |
           last[3];
}

void uts_root(const struct uts_tree *tree, uint8_t state[SHA1_BYTES])
{
    uint8_t message[SHA1_BYTES] = {0};

    put_number(message + sizeof message - sizeof(uint32_t), tree->seed);
    sha1(message, sizeof message, state);
}

void uts_child(const uint8_t parent[SHA1_BYTES], uint32_t number, uint8_t state[SHA1_BYTES])
{
    uint8_t message[SHA1_BYTES + sizeof number];

    memcpy(message, parent, SHA1_BYTES);
    put_number(message + SHA1_BYTES, number);
    sha1(message, sizeof message, state);
}

/* How many children a node of a geometric tree is expected to have: B in docs/know/uts.md. */
static double expected(const struct uts_tree *tree, uint32_t depth)
{
    if (depth == 0) {
        return tree->b;
    }
    switch (tree->shape) {
    case UTS_POLYNOMIAL:
        return tree->b * pow(depth, -log(tree->b) / log(tree->depth));
    case UTS_CYCLIC:
        return depth > 5 * tree->depth ? 0 : pow(tree->b, sin(2 * pi * depth / tree->depth));
    case UTS_FIXED:
        return depth < tree->depth ? tree->b : 0;
    case UTS_LINEAR:
    default:
        return tree->b * (1 - (double)depth / tree->depth);
    }
}

static double geometric(const struct uts_tree *tree, uint32_t depth, double u)
{
    const double p = 1 / (1 + expected(tree, depth));

    return floor(log(1 - u) / log(1 - p));
}

static bool is_geometric(const struct uts_tree *tree, uint32_t depth)
{
    return tree->type == UTS_GEOMETRIC || (tree->type == UTS_HYBRID && 2 * depth < tree->depth);
}

uint32_t uts_children(const struct uts_tree *tree, uint32_t depth, uint32_t random)
{
    const double u = random / 2147483648.0;

    if (tree->type == UTS_BINOMIAL && depth == 0) {
        return (uint32_t)tree->b;
    }
    if (!is_geometric(tree, depth)) {
        return u < tree->q ? tree->m : 0;
    }
    const double children = geometric(tree, depth, u);
    return children < UTS_CHILDREN_MAX ? (uint32_t)children : UTS_CHILDREN_MAX;
}

/* The least number of a row that gives so many children or more; UTS_NEVER where none does. */
static uint32_t least(const struct uts_tree *tree, uint32_t depth, uint32_t flip, uint32_t children)
{
    uint32_t low = 0;
    uint32_t high = UTS_NEVER;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (uts_children(tree, depth, middle ^ flip) >= children) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void uts_row(const struct uts_tree *tree, uint32_t depth, struct uts_row *row)
{
    const uint32_t most = UTS_NEVER - 1;

    /* A geometric node's children are the more the larger its random number is, a binomial one's
     * the more the smaller. */
    row->flip = is_geometric(tree, depth) ? 0 : most;
    const uint32_t children = uts_children(tree, depth, most ^ row->flip);
    for (uint32_t i = 0; i < UTS_THRESHOLDS; i++) {
        row->threshold[i] = i < children ? least(tree, depth, row->flip, i + 1) : UTS_NEVER;
    }
}
