/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of trees_orders.c share: a binary tree, and the order in which its
 * nodes were visited. */
#ifndef SLUICE_PROBES_TREES_TREES_ORDERS_H
#define SLUICE_PROBES_TREES_TREES_ORDERS_H

#include <stdint.h>

struct node {
    struct node *left;
    struct node *right;
    uint32_t visits;
    uint32_t order;    /* how many visits were before the last one */
    uint32_t *counter; /* visits so far, of the whole tree */
};

#endif
