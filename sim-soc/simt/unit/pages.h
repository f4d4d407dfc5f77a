/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory for large arrays of which little may be used: zeroed, page-aligned, and its pages stay
 * untouched until something is written there. */
#ifndef SLUICE_SIMT_UNIT_PAGES_H
#define SLUICE_SIMT_UNIT_PAGES_H

#include <stddef.h>

/* NULL when out of memory. */
void *pages_allocate(size_t bytes);

/* NULL is allowed. */
void pages_free(void *memory, size_t bytes);

#endif
