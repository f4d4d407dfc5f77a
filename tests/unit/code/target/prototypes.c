/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Functions of many prototypes, for tests/unit/code/test_prototype.c: compiled as kernels are,
 * linked, and read, but never run. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAKES(name, ...)                                                                           \
    void name(__VA_ARGS__);                                                                        \
    __attribute__((used, noipa)) void name(__VA_ARGS__)                                            \
    {                                                                                              \
    }

struct point {
    int32_t x, y;
};
union word {
    uint32_t number;
    float real;
};
enum colour { RED, GREEN };
enum sign { MINUS = -1, PLUS = 1 };
typedef float scalar;
typedef const scalar *scalars;
typedef struct {
    double re, im;
} pair;

TAKES(saxpy, float a, const float *x, float *y, uint32_t n)
TAKES(nothing, void)
TAKES(integers, char a, signed char b, unsigned char c, short d, unsigned short e, int f,
      unsigned g, long h, unsigned long long i, bool j)
TAKES(enumerations, enum colour a, enum sign b)
TAKES(names, scalar a, scalars b, const volatile uint64_t c, size_t d)
TAKES(pointers, void *a, const struct point *b, char *const *c, void (*d)(int), int e[4],
      volatile int *restrict f)
TAKES(structures, struct point a, union word b, pair c)
TAKES(wide, __int128 a, long double b, _Complex float c)
TAKES(variadic, int a, ...)
TAKES(many, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l,
      int m, int n, int o, int p, int q, int r, int s, int t)

/* Not a prototype, though it takes none. */
void empty();
__attribute__((used, noipa)) void empty()
{
}

void old(/* what its definition says */);
__attribute__((used, noipa)) void old(a, n) float a;
short n;
{
    (void)a;
    (void)n;
}

static inline __attribute__((always_inline)) float inlined(float x)
{
    return 1 / x;
}

float containing(float x);
__attribute__((used, noipa)) float containing(float x)
{
    return inlined(x) + 1;
}
