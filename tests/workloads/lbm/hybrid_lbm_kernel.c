/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of hybrid_lbm.c, one for each layout: a work-item loads a cell's distributions, lets
 * them collide in registers, and stores each at the neighbour that it flows to. Nobody else stores
 * it there. Strides are in floats: from a cell to the next, to the next row, to the next plane, and
 * from one of a cell's floats to the next. */
#include "sluice/wave/wave.h"
#include "workloads/common/float_register.h"
#include "workloads/lbm/hybrid_lbm.h"

/* The compiler would compute all pairs at once, for which there are not enough registers: what
 * comes behind waits for these two. No instruction. */
#define IN_TURN(plus, minus)                                                                       \
    __asm__(""                                                                                     \
            : "+f"(x_velocity), "+f"(y_velocity), "+f"(z_velocity), "+f"(base), "+f"(kept)         \
            : "f"(plus), "f"(minus))

/* Makes of a fluid's distributions those after the collision. */
static inline __attribute__((always_inline)) void collide(float f[LBM_VELOCITIES], float omega)
{
    const float one = float_constant(1), half = float_constant(0.5f);
    float density = f[0], x_flow = float_constant(0), y_flow = x_flow, z_flow = x_flow;

#define PAIR(plus, minus, x, y, z, is_far)                                                         \
    {                                                                                              \
        const float flow = f[plus] - f[minus];                                                     \
        density += f[plus] + f[minus];                                                             \
        x_flow = added(x_flow, x, flow);                                                           \
        y_flow = added(y_flow, y, flow);                                                           \
        z_flow = added(z_flow, z, flow);                                                           \
    }
    LBM_PAIRS(PAIR)
#undef PAIR

    const float triple = float_constant(3) / density;
    float x_velocity = triple * x_flow, y_velocity = triple * y_flow;
    float z_velocity = triple * z_flow;
    float base =
        equilibrium_base(x_velocity, y_velocity, z_velocity, one, float_constant(LBM_SIXTH));
    float kept = one - omega;
    const float near = float_constant(LBM_NEAR) * (omega * density);
    f[0] = relaxed(f[0], kept, float_constant(LBM_REST / LBM_NEAR) * near, base);
    IN_TURN(f[0], f[0]);

#define PAIR(plus, minus, x, y, z, is_far)                                                         \
    {                                                                                              \
        const float along_x = (x) != 0 ? x_velocity : (y) != 0 ? y_velocity : z_velocity;          \
        const float along_y = (x) != 0 ? added(along_x, y, y_velocity) : along_x;                  \
        const float v = (x) != 0 || (y) != 0 ? added(along_y, z, z_velocity) : along_y;            \
        const float both = equilibrium(v, half, base), share = (is_far) ? half * near : near;      \
        f[plus] = relaxed(f[plus], kept, share, both + v);                                         \
        f[minus] = relaxed(f[minus], kept, share, both - v);                                       \
        IN_TURN(f[plus], f[minus]);                                                                \
    }
    LBM_PAIRS(PAIR)
#undef PAIR
}

/* At an obstacle all goes back to where it came from. */
static inline __attribute__((always_inline)) void bounce(float f[LBM_VELOCITIES])
{
#define PAIR(plus, minus, x, y, z, is_far)                                                         \
    {                                                                                              \
        const float kept = f[plus];                                                                \
        f[plus] = f[minus];                                                                        \
        f[minus] = kept;                                                                           \
    }
    LBM_PAIRS(PAIR)
#undef PAIR
}

/* The compiler would have all addresses first, in a register each: where they are not a constant
 * apart, one follows the other. No instruction. */
#define STEPWISE(pointer)                                                                          \
    if (!__builtin_constant_p(next)) {                                                             \
        __asm__("" : "+r"(pointer) : : "memory");                                                  \
    }

static inline __attribute__((always_inline)) void step(const float *from, float *to, int64_t cell,
                                                       int64_t row, int64_t plane, int64_t next,
                                                       float omega)
{
    float f[LBM_VELOCITIES];

    f[0] = *from;
#define PAIR(plus, minus, x, y, z, is_far)                                                         \
    f[plus] = *(from += next);                                                                     \
    f[minus] = *(from += next);                                                                    \
    STEPWISE(from)
    LBM_PAIRS(PAIR)
#undef PAIR
    if (from[next] == LBM_FLUID) {
        collide(f, omega);
    } else {
        bounce(f);
    }
    *to = f[0];
#define PAIR(plus, minus, x, y, z, is_far)                                                         \
    (to += next)[(x)*cell + (y)*row + (z)*plane] = f[plus];                                        \
    (to += next)[-((x)*cell + (y)*row + (z)*plane)] = f[minus];                                    \
    STEPWISE(to)
    LBM_PAIRS(PAIR)
#undef PAIR
}

/* A cell's floats side by side. */
SL_KERNEL void lbm_aos(const float *from, float *to, uint64_t n, float omega)
{
    const uint64_t first = (uint64_t)sl_global_id(0) * LBM_FLOATS;

    step(from + first, to + first, LBM_FLOATS, (int64_t)(n * LBM_FLOATS),
         (int64_t)(n * n * LBM_FLOATS), 1, omega);
}

/* An array for each of them, `pitch` apart. */
SL_KERNEL void lbm_soa(const float *from, float *to, uint64_t n, float omega, uint64_t pitch)
{
    const uint64_t first = sl_global_id(0);

    step(from + first, to + first, 1, (int64_t)n, (int64_t)(n * n), (int64_t)pitch, omega);
}
