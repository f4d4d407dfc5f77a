/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What runner.c runs: each function as it is, and as an entry. */
#ifndef SLUICE_TESTS_ENTRIES_CASES_H
#define SLUICE_TESTS_ENTRIES_CASES_H

#include <stdint.h>

typedef void entry_function(uint64_t input, uint64_t *out);

struct entry_case {
    const char *name;
    uint64_t (*function)(uint64_t input);
    entry_function *entry;     /* stores the same result */
    entry_function *unchanged; /* likewise, compiled without optimization; NULL if there is none */
};

extern const struct entry_case entry_cases[];
extern const unsigned entry_case_count;

/* An entry with arguments of variable number: stores their sum. */
void entry_variadic(uint64_t input, uint64_t *out, ...);

/* What check_entries.sh looks at with a debugger: 523 for an input of 12. */
entry_function entry_debugged;

#endif
