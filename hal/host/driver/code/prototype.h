/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Prototypes of kernels, from their DWARF debug information: what a kernel is called with. */
#ifndef SLUICE_HOST_DRIVER_CODE_PROTOTYPE_H
#define SLUICE_HOST_DRIVER_CODE_PROTOTYPE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parameters that are noted, more than any kernel can be given. */
#define SL_PROTOTYPE_PARAMETERS 18
#define SL_TYPE_BYTES           64

/* How a parameter is passed. */
enum sl_parameter_kind {
    SL_PARAMETER_INTEGER, /* of 1 to 8 bytes; enumerations, characters and truth values too */
    SL_PARAMETER_POINTER, /* and references */
    SL_PARAMETER_FLOAT,
    SL_PARAMETER_DOUBLE,
    SL_PARAMETER_OTHER, /* as none that a kernel can be given: structures, wider numbers */
};

struct sl_parameter {
    const char *name;         /* lives as long as the Dwarf object; NULL where it has none */
    char type[SL_TYPE_BYTES]; /* as in C: "const float *" */
    enum sl_parameter_kind kind;
    uint64_t bytes; /* 0 where that is not known */
    bool is_signed; /* of integers */
    bool is_bool;
};

struct sl_prototype {
    bool is_known; /* else all is zero: there is no debug information of a compiler */
    bool is_variadic;
    bool is_old_style; /* not a prototype: a float is passed as a double */
    const char *file;  /* where it is, without its folder; NULL where that is not known */
    int line;
    unsigned count; /* parameters, of which the first ones are noted */
    struct sl_parameter parameter[SL_PROTOTYPE_PARAMETERS];
};

/* That of the function whose code begins at an address; `lines` may be NULL. */
struct sl_prototype sl_prototype_at(Dwarf *lines, uint64_t entry);

/* Appends the list of parameters as in C, "float a, const float *x", or "void". */
void sl_prototype_append(const struct sl_prototype *prototype, char *out, size_t bytes);

#endif
