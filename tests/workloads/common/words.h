/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Results of programs with integers of 32 bits. */
#ifndef SLUICE_WORKLOADS_COMMON_WORDS_H
#define SLUICE_WORKLOADS_COMMON_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether `count` words are those that are wanted; says on standard error which is the first that
 * is not, `what` and its number, and how many there are. */
bool words_are_equal(const char *what, const uint32_t *is, const uint32_t *wanted, size_t count);

#endif
