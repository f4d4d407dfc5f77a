/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The enumerations of hal/contract/codes.def as lists. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "docgen.h"

struct enumerator {
    const char *enumeration; /* at the begin of one, else NULL */
    const char *name;        /* NULL at the end of one */
    long value;
    const char *sentence;
};

static const struct enumerator enumerators[] = {
#define SL_ENUM_BEGIN(name, PREFIX, text)         {#name, #PREFIX, 0, text},
#define SL_ENUM_VALUE(PREFIX, NAME, number, text) {NULL, "SL_" #PREFIX "_" #NAME, number, text},
#define SL_ENUM_END(name)                         {NULL, NULL, 0, NULL},
#include "contract/codes.def"
#undef SL_ENUM_BEGIN
#undef SL_ENUM_VALUE
#undef SL_ENUM_END
};

#define ENUMERATORS (sizeof enumerators / sizeof enumerators[0])

static const char *const of_errors[] = {"exit_status", "refusal", "failure", "fault_code",
                                        "trap_code"};

bool docgen_is_error_enumeration(const char *name)
{
    for (size_t i = 0; i < sizeof of_errors / sizeof of_errors[0]; i++) {
        if (strcmp(of_errors[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void docgen_each_enumeration(void (*visit)(const char *name))
{
    for (size_t i = 0; i < ENUMERATORS; i++) {
        if (enumerators[i].enumeration != NULL) {
            visit(enumerators[i].enumeration);
        }
    }
}

/* The beginning of an enumeration, or ENUMERATORS. */
static size_t begin_of(const char *name)
{
    size_t i = 0;
    while (i < ENUMERATORS &&
           (enumerators[i].enumeration == NULL || strcmp(enumerators[i].enumeration, name) != 0)) {
        i++;
    }
    return i;
}

void docgen_enumeration(const char *name)
{
    docgen_text(enumerators[begin_of(name)].sentence);
    printf("\n\n");
    docgen_enumerators(name);
}

void docgen_enumerators(const char *name)
{
    for (size_t i = begin_of(name) + 1; i < ENUMERATORS && enumerators[i].name != NULL; i++) {
        printf("- %ld `%s`: ", enumerators[i].value, enumerators[i].name);
        docgen_text(enumerators[i].sentence);
        printf("\n");
    }
    printf("\n");
}
