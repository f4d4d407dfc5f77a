/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The same in C++: names that are mangled and one that is not, references, members. */
#include <stdint.h>

namespace space
{
struct point {
    int32_t x, y;
};
enum class colour : uint8_t { red, green };

__attribute__((used, noipa)) void mangled(float a, const point &b, colour c, point *d, bool e)
{
    (void)a, (void)b, (void)c, (void)d, (void)e;
}
} // namespace space

extern "C" __attribute__((used, noipa)) void plain(double a, space::point b, int64_t &&c)
{
    (void)a, (void)b, (void)c;
}
