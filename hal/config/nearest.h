/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The nearest of some known names to one that is not known, for "did you mean" in messages. */
#ifndef SLUICE_NEAREST_H
#define SLUICE_NEAREST_H

#include <stddef.h>

/* Names longer than this are near to nothing. */
#define SL_NEAREST_MAX 63

/* Number of single-character insertions, deletions, replacements and swaps of neighbours that turn
 * one name into the other, regardless of case. SL_NEAREST_MAX + 1 where a name is longer than
 * SL_NEAREST_MAX. */
size_t sl_edit_distance(const char *a, const char *b);

/* The candidate with the smallest distance to name, the first of equals. NULL where even that one
 * is not reasonably near: more than a third of name's characters differ (one may always differ in a
 * name of two or more). Candidates that are NULL are passed over. */
const char *sl_nearest(const char *name, const char *const *candidates, size_t count);

#endif
