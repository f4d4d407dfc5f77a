/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host and kernel of library.c share: the calls of the C library, compiled for both. */
#ifndef SLUICE_PROBES_LIBRARY_H
#define SLUICE_PROBES_LIBRARY_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY_TEXT    48
#define LIBRARY_EXACT   8
#define LIBRARY_DOUBLES 14
#define LIBRARY_FLOATS  10

struct library_input {
    double x;
    double y;
    char text[LIBRARY_TEXT]; /* ends with a zero */
};

struct library_result {
    double exact[LIBRARY_EXACT];     /* C says what each of them is, to the last bit */
    double doubles[LIBRARY_DOUBLES]; /* libraries may differ in the last places */
    float floats[LIBRARY_FLOATS];
    uint32_t lengths;
    char text[4 * LIBRARY_TEXT];
};

static inline void library_mathematics(struct library_result *result, double x, double y)
{
    const float a = (float)x, b = (float)y;
    const double exact[LIBRARY_EXACT] = {
        sqrt(x), fmod(x, y), floor(x), ceil(x), trunc(x), ldexp(x, 5), sqrtf(a), fmodf(a, b),
    };
    memcpy(result->exact, exact, sizeof exact);
    double *const doubles = result->doubles;
    doubles[0] = sin(x);
    doubles[1] = cos(x);
    doubles[2] = tan(x);
    doubles[3] = asin(x);
    doubles[4] = acos(x);
    doubles[5] = atan2(x, y);
    doubles[6] = exp(x);
    doubles[7] = log(x);
    doubles[8] = log2(x);
    doubles[9] = pow(x, y);
    doubles[10] = cbrt(x);
    doubles[11] = hypot(x, y);
    doubles[12] = sinh(x);
    doubles[13] = atanh(x);
    float *const floats = result->floats;
    floats[0] = sinf(a);
    floats[1] = cosf(a);
    floats[2] = tanf(a);
    floats[3] = acosf(a);
    floats[4] = atan2f(a, b);
    floats[5] = expf(a);
    floats[6] = logf(a);
    floats[7] = log10f(a);
    floats[8] = powf(a, b);
    floats[9] = hypotf(a, b);
}

static inline int library_order(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

/* The text, twice, then moved over itself, then sorted; what is not text is filled with a letter.
 */
static inline void library_strings(struct library_result *result, const char *text)
{
    const size_t length = strlen(text);
    char *const to = result->text;
    memset(to, 'z', sizeof result->text);
    strcpy(to, text);
    strcat(to, text);
    memmove(to + length / 2, to, 2 * length + 1);
    memcpy(to + 3 * LIBRARY_TEXT, text, length);
    qsort(to + 3 * LIBRARY_TEXT, length, 1, library_order);
    const char *const comma = strchr(text, ',');
    result->lengths = (uint32_t)(length << 8 | strcspn(text, "xyz") << 16) |
                      (uint32_t)(comma == NULL ? 0 : strtol(comma + 1, NULL, 10)) |
                      (uint32_t)(strcmp(text, to) < 0) << 24;
}

#endif
