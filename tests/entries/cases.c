/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Functions as entries (docs/look-up/isa.md, "Entries"): those of tests/fuzz and some of entries'
 * own, with all that they call inlined where that is possible; the latter also without
 * optimization. Compiled by scripts/sluice-kernel-cc; runner.c runs them. */
#include "entries/cases.h"

#include <stdarg.h>

#include "fuzz/functions_control.c"
#include "fuzz/functions_data.c"
#include "fuzz/functions_float.c"
#include "fuzz/functions_integer.c"
#include "fuzz/functions_library.c"
#include "sluice/wave/wave.h"

#define APART  __attribute__((noipa))
#define ALWAYS static inline __attribute__((always_inline))

/* Changes every register that it may not save, and those that it has to. */
static APART uint64_t disturb(uint64_t n)
{
    __asm__ volatile("li s0, 1\n\tli s1, 1\n\tli s11, 1\n\tfcvt.d.l fs0, s1\n\tfcvt.d.l fs11, s1"
                     :
                     :
                     : "a1", "a7", "t0", "t6", "s0", "s1", "s11", "fs0", "fs11", "fa0", "ft0");
    return n * 3 + 1;
}

/* More values at a time than there are registers that calls keep, and than there are at all. */
ALWAYS uint64_t pressure(uint64_t input)
{
    uint64_t v[28];
    for (unsigned i = 0; i < 28; i++) {
        v[i] = input * (i + 3) ^ input >> i;
        __asm__("" : "+r"(v[i]));
    }
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 28; i++) {
            v[i] += v[(i + 5) % 28] ^ v[(i + 11) % 28];
        }
    }
    uint64_t sum = 0;
    for (unsigned i = 0; i < 28; i++) {
        sum = sum * 5 + v[i];
    }
    return sum;
}

ALWAYS uint64_t floats_kept(uint64_t input)
{
    double v[14];
    for (unsigned i = 0; i < 14; i++) {
        v[i] = (double)(input % 1000 + i);
    }
    uint64_t sum = 0;
    for (unsigned i = 0; i < 14; i++) {
        sum = disturb(sum + (uint64_t)v[i]);
    }
    for (unsigned i = 0; i < 14; i++) {
        sum += (uint64_t)(v[i] * v[13 - i]);
    }
    return sum;
}

static APART uint64_t filled(uint64_t *words, uint64_t count, uint64_t with)
{
    uint64_t sum = disturb(with);
    for (uint64_t i = 0; i < count; i++) {
        words[i] = i ^ with;
        sum += words[i] * i;
    }
    return sum;
}

ALWAYS uint64_t array_of_length(uint64_t input)
{
    const uint64_t count = input % 50 + 1;
    uint64_t *const words = __builtin_alloca(count * sizeof *words);
    uint64_t sum = filled(words, count, input);
    sum += disturb(words[count / 2]);
    return sum + words[0] + input;
}

ALWAYS uint64_t large_frame(uint64_t input)
{
    uint64_t words[1500];
    uint64_t sum = filled(words, 1500, input);
    sum ^= disturb(words[input % 1500]);
    return sum + words[7] + input;
}

ALWAYS uint64_t large_frame_of_length(uint64_t input)
{
    const uint64_t count = input % 90 + 600;
    uint64_t words[700];
    uint64_t *const more = __builtin_alloca(count * sizeof *more);
    const uint64_t sum = filled(words, 700, input) + filled(more, count, ~input);
    return disturb(sum ^ words[input % 700]) + more[input % 600] + input;
}

ALWAYS uint64_t several_ends(uint64_t input)
{
    if (input % 5 == 0) {
        return input + 1;
    }
    const uint64_t first = disturb(input);
    if (first % 3 == 0) {
        return first ^ input;
    }
    for (uint64_t i = 0; i < input % 40; i++) {
        if (disturb(first + i) % 17 == 0) {
            return i + first;
        }
    }
    return disturb(first) - disturb(input);
}

ALWAYS uint64_t tail(uint64_t input)
{
    return disturb(disturb(input) ^ input);
}

/* One way ends in what does not return. */
ALWAYS uint64_t stopped(uint64_t input)
{
    const uint64_t first = disturb(input);
    if (first == 0) {
        __builtin_trap();
    }
    return disturb(first) + first + input;
}

#define CASE(name)                                                                                 \
    static APART uint64_t function_##name(uint64_t input)                                          \
    {                                                                                              \
        return name(input);                                                                        \
    }
#include "entries/cases.def"
#undef CASE

#define ENTRY(name)                                                                                \
    SL_KERNEL __attribute__((flatten)) void entry_##name(uint64_t input, uint64_t *out)            \
    {                                                                                              \
        *out = name(input);                                                                        \
    }
#define FUNCTION(name, compared) ENTRY(name)
#include "fuzz/functions.def"
#undef FUNCTION
#define CASE(name)                                                                                 \
    ENTRY(name)                                                                                    \
    SL_KERNEL __attribute__((optimize("O0"))) void unchanged_##name(uint64_t input, uint64_t *out) \
    {                                                                                              \
        *out = name(input);                                                                        \
    }
#include "entries/cases.def"
#undef CASE

SL_KERNEL void entry_variadic(uint64_t input, uint64_t *out, ...)
{
    va_list list;
    uint64_t sum = 0;
    va_start(list, out);
    for (uint64_t i = 0; i < input; i++) {
        sum += disturb(va_arg(list, uint64_t));
    }
    va_end(list);
    *out = sum;
}

const struct entry_case entry_cases[] = {
#define FUNCTION(name, compared) {#name, name, entry_##name, NULL},
#include "fuzz/functions.def"
#undef FUNCTION
#define CASE(name) {#name, function_##name, entry_##name, unchanged_##name},
#include "entries/cases.def"
#undef CASE
};
const unsigned entry_case_count = sizeof entry_cases / sizeof entry_cases[0];

/* ---- for debuggers ---- */

uint64_t debugged_leaf(uint64_t n);
APART uint64_t debugged_leaf(uint64_t n)
{
    return n * 2;
}

static APART uint64_t debugged(uint64_t n)
{
    const uint64_t half = n / 2;
    const uint64_t of_leaf = debugged_leaf(n + 1);
    return disturb(of_leaf) + half;
}

SL_KERNEL void entry_debugged(uint64_t input, uint64_t *out)
{
    uint64_t kept = input * 7;
    double real = (double)input / 4;
    kept += debugged(input);
    *out = disturb(kept) + (uint64_t)real + input;
}
